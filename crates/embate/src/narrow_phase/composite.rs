//! Composite shapes: dispatch of compounds and meshes to their convex parts.
//!
//! Each part of one shape is tested against the nearby parts of the other, found by a BVH query.
//! Parts are posed relative to the position of A, and results are moved to the world at the end:
//! far from the origin, a part posed in world space would lose the precision that the relative pose
//! still has.

use embate_geom::{Pose, Vec3, scalar};

use crate::narrow_phase::contact_manifold;
use crate::narrow_phase::manifold::{ClosestPoints, Manifold};
use crate::narrow_phase::mesh;
use crate::narrow_phase::mesh::mesh_mesh;
use crate::narrow_phase::posed::Posed;
use crate::shapes::{Compound, Shape};

/// Whether a shape is a single convex part.
pub(super) fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::TriMesh(_) | Shape::Compound(_))
}

/// Parts of a compound that may be within `margin` of another shape, in ascending order of index.
fn parts_near(compound: Posed<'_, Compound>, other: Posed<'_, Shape>, margin: f32) -> Vec<u32> {
    let bounds = mesh::relative_aabb(other, compound.pose);
    // Bound of the rounding error of the AABBs: 16 ulp of the largest coordinates.
    let margin = margin
        + 16.0
            * f32::EPSILON
            * (mesh::max_abs_coordinate(&bounds)
                + mesh::max_abs_coordinate(compound.shape.bounds()));
    let bounds = bounds.loosened(scalar::min(margin, 1e18));
    let mut parts = Vec::new();
    compound.shape.parts_in_aabb(&bounds, &mut parts);
    parts
}

/// Position of A, and both poses relative to it, without rotation. Without a compound the poses are
/// returned unchanged: those tests subtract positions themselves.
fn relative_to_a(a: Posed<'_, Shape>, b: Posed<'_, Shape>) -> (Vec3, Pose, Pose) {
    if !matches!((a.shape, b.shape), (Shape::Compound(_), _) | (_, Shape::Compound(_))) {
        return (Vec3::ZERO, *a.pose, *b.pose);
    }
    let origin = a.pose.position;
    let shifted = |pose: &Pose| Pose { position: pose.position - origin, ..*pose };
    (origin, shifted(a.pose), shifted(b.pose))
}

/// Appends a manifold for each pair of convex parts in contact, in ascending order of the part of
/// A, then of the part of B.
pub(super) fn contacts(
    a: Posed<'_, Shape>,
    b: Posed<'_, Shape>,
    margin: f32,
    manifolds: &mut Vec<Manifold>,
) {
    let first = manifolds.len();
    let (origin, pose_a, pose_b) = relative_to_a(a, b);
    part_contacts(Posed::new(a.shape, &pose_a), Posed::new(b.shape, &pose_b), margin, manifolds);
    if origin != Vec3::ZERO {
        manifolds[first..].iter_mut().for_each(|manifold| manifold.translate(origin));
    }
}

fn part_contacts(
    a: Posed<'_, Shape>,
    b: Posed<'_, Shape>,
    margin: f32,
    manifolds: &mut Vec<Manifold>,
) {
    let first = manifolds.len();
    match (a.shape, b.shape) {
        (Shape::Compound(compound), _) => {
            for part in parts_near(a.with(compound), b, margin) {
                let before = manifolds.len();
                let pose = compound.sub_shape_pose(a.pose, part);
                let part_of_a = Posed::new(&compound.sub_shapes()[part as usize].1, &pose);
                part_contacts(part_of_a, b, margin, manifolds);
                manifolds[before..].iter_mut().for_each(|manifold| manifold.sub_shapes[0] = part);
            }
        }
        (_, Shape::Compound(compound)) => {
            for part in parts_near(b.with(compound), a, margin) {
                let before = manifolds.len();
                let pose = compound.sub_shape_pose(b.pose, part);
                let part_of_b = Posed::new(&compound.sub_shapes()[part as usize].1, &pose);
                part_contacts(a, part_of_b, margin, manifolds);
                manifolds[before..].iter_mut().for_each(|manifold| manifold.sub_shapes[1] = part);
            }
        }
        (Shape::TriMesh(mesh_a), Shape::TriMesh(mesh_b)) => {
            let (a, b) = (a.with(mesh_a), b.with(mesh_b));
            mesh_mesh::contacts(a, b, margin, manifolds);
        }
        (_, Shape::TriMesh(mesh)) => {
            mesh::contacts(a, b.with(mesh), margin, manifolds);
        }
        (Shape::TriMesh(mesh), _) => {
            mesh::contacts(b, a.with(mesh), margin, manifolds);
            manifolds[first..].iter_mut().for_each(|manifold| *manifold = manifold.flipped());
        }
        _ => manifolds.extend(contact_manifold(a.shape, a.pose, b.shape, b.pose, margin)),
    }
    debug_assert!(manifolds[first..].iter().all(|manifold| !manifold.points().is_empty()));
}

/// Closest points of two shapes, and the sub-shapes they lie on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestParts {
    pub(super) points: ClosestPoints,
    /// As in [`Manifold::sub_shapes`].
    pub(super) sub_shapes: [u32; 2],
}

impl ClosestParts {
    /// The result with A and B exchanged.
    pub(super) fn flipped(self) -> Self {
        let [a, b] = self.sub_shapes;
        Self { points: self.points.flipped(), sub_shapes: [b, a] }
    }
}

/// Closest points of the closest, or deepest penetrating, parts.
pub(super) fn closest_parts(a: Posed<'_, Shape>, b: Posed<'_, Shape>) -> Option<ClosestParts> {
    let (origin, pose_a, pose_b) = relative_to_a(a, b);
    let (a, b) = (Posed::new(a.shape, &pose_a), Posed::new(b.shape, &pose_b));
    let ClosestParts { points, sub_shapes } = closest_parts_within(a, b, f32::INFINITY)?;
    let points = ClosestPoints { points: points.points.map(|point| point + origin), ..points };
    Some(ClosestParts { points, sub_shapes })
}

/// The same, if two parts are within `max_distance` of each other; otherwise possibly `None`.
fn closest_parts_within(
    a: Posed<'_, Shape>,
    b: Posed<'_, Shape>,
    max_distance: f32,
) -> Option<ClosestParts> {
    let with_sub_shapes = |points, sub_shapes| ClosestParts { points, sub_shapes };
    match (a.shape, b.shape) {
        (Shape::Compound(compound), _) => {
            let compound = a.with(&**compound);
            let closest = closest_part(compound, b, max_distance, |part, max_distance| {
                closest_parts_within(part, b, max_distance)
            });
            closest.map(|(part, ClosestParts { points, sub_shapes: [_, part_of_b] })| {
                with_sub_shapes(points, [part, part_of_b])
            })
        }
        (_, Shape::Compound(compound)) => {
            let compound = b.with(&**compound);
            let closest = closest_part(compound, a, max_distance, |part, max_distance| {
                closest_parts_within(a, part, max_distance)
            });
            closest.map(|(part, ClosestParts { points, sub_shapes: [part_of_a, _] })| {
                with_sub_shapes(points, [part_of_a, part])
            })
        }
        (Shape::TriMesh(mesh_a), Shape::TriMesh(mesh_b)) => {
            mesh_mesh::closest_points(a.with(mesh_a), b.with(mesh_b))
                .map(|(points, triangles)| with_sub_shapes(points, triangles))
        }
        (_, Shape::TriMesh(mesh)) => mesh::closest_points(a, b.with(mesh))
            .map(|(points, triangle)| with_sub_shapes(points, [0, triangle])),
        (Shape::TriMesh(mesh), _) => mesh::closest_points(b, a.with(mesh))
            .map(|(points, triangle)| with_sub_shapes(points, [0, triangle]).flipped()),
        _ => {
            let points = crate::narrow_phase::closest_points(a.shape, a.pose, b.shape, b.pose);
            Some(with_sub_shapes(points, [0; 2]))
        }
    }
}

/// Closest part of a compound to another shape. Of equal distances, the lowest part index wins.
fn closest_part(
    compound: Posed<'_, Compound>,
    other: Posed<'_, Shape>,
    max_distance: f32,
    query: impl Fn(Posed<'_, Shape>, f32) -> Option<ClosestParts>,
) -> Option<(u32, ClosestParts)> {
    let query_part = |part: u32, max_distance: f32| {
        let pose = compound.shape.sub_shape_pose(compound.pose, part);
        query(Posed::new(&compound.shape.sub_shapes()[part as usize].1, &pose), max_distance)
            .map(|closest| (part, closest))
    };
    let distance_of = |(_, closest): &(u32, ClosestParts)| closest.points.distance;
    // Any part bounds the search distance; the part nearest to the origin of the other shape bounds
    // it well.
    let mut seeds = Vec::new();
    let center = compound.pose.inverse_transform_point(other.pose.position).to_array();
    compound.shape.bvh().k_nearest(&center, 1, &mut seeds);
    let closest = seeds.first().and_then(|seed| query_part(seed.id, max_distance));
    let search_distance = closest.as_ref().map_or(max_distance, |closest| {
        scalar::min(max_distance, scalar::max(distance_of(closest), 0.0))
    });
    let mut best: Option<(u32, ClosestParts)> = None;
    // The best candidate is searched again from `None`, so that the order of parts decides between
    // equals.
    for part in parts_near(compound, other, search_distance) {
        let search_distance = best.as_ref().map_or(search_distance, |best| {
            scalar::min(search_distance, scalar::max(distance_of(best), 0.0))
        });
        let closest = query_part(part, search_distance);
        best = match (best, closest) {
            (Some(best), Some(closest)) if distance_of(&closest) >= distance_of(&best) => {
                Some(best)
            }
            (best, closest) => closest.or(best),
        };
    }
    best.or(closest)
}

/// Whether any two parts touch or overlap.
pub(super) fn intersects(a: Posed<'_, Shape>, b: Posed<'_, Shape>) -> bool {
    let (_, pose_a, pose_b) = relative_to_a(a, b);
    parts_intersect(Posed::new(a.shape, &pose_a), Posed::new(b.shape, &pose_b))
}

fn parts_intersect(a: Posed<'_, Shape>, b: Posed<'_, Shape>) -> bool {
    match (a.shape, b.shape) {
        (Shape::Compound(compound), _) => {
            parts_near(a.with(compound), b, 0.0).into_iter().any(|part| {
                let pose = compound.sub_shape_pose(a.pose, part);
                let part_of_a = Posed::new(&compound.sub_shapes()[part as usize].1, &pose);
                parts_intersect(part_of_a, b)
            })
        }
        (_, Shape::Compound(compound)) => {
            parts_near(b.with(compound), a, 0.0).into_iter().any(|part| {
                let pose = compound.sub_shape_pose(b.pose, part);
                let part_of_b = Posed::new(&compound.sub_shapes()[part as usize].1, &pose);
                parts_intersect(a, part_of_b)
            })
        }
        (Shape::TriMesh(mesh_a), Shape::TriMesh(mesh_b)) => {
            mesh_mesh::intersects(a.with(mesh_a), b.with(mesh_b))
        }
        (_, Shape::TriMesh(mesh)) => mesh::intersects(a, b.with(mesh)),
        (Shape::TriMesh(mesh), _) => mesh::intersects(b, a.with(mesh)),
        _ => crate::narrow_phase::intersects(a.shape, a.pose, b.shape, b.pose),
    }
}
