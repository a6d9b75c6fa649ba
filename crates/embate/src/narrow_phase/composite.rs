//! Composite shapes: dispatch of compounds and meshes to their convex parts.
//!
//! Each part of one shape is tested against the nearby parts of the other, found by a BVH query.
//! Parts are posed relative to the position of A, and results are moved to the world at the end:
//! far from the origin, a part posed in world space would lose the precision that the relative pose
//! still has.

use embate_geom::{Pose, Vec3, scalar};

use crate::narrow_phase::contact_manifold;
use crate::narrow_phase::dispatch::Body;
use crate::narrow_phase::manifold::{ClosestPoints, Manifold};
use crate::narrow_phase::mesh;
use crate::narrow_phase::mesh::mesh_mesh;
use crate::shapes::{Compound, Shape};

/// Whether a shape is a single convex part.
pub(super) fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::TriMesh(_) | Shape::Compound(_))
}

/// Parts of `compound` that may be within `margin` of another shape, in ascending order of index.
fn parts_near(compound: &Compound, pose: &Pose, other: Body<'_>, margin: f32) -> Vec<u32> {
    let bounds = mesh::relative_aabb(other, pose);
    // Bound of the rounding error of the AABBs: 16 ulp of the largest coordinates.
    let margin = margin
        + 16.0
            * f32::EPSILON
            * (mesh::max_abs_coordinate(&bounds) + mesh::max_abs_coordinate(compound.bounds()));
    let bounds = bounds.loosened(scalar::min(margin, 1e18));
    let mut parts = Vec::new();
    compound.parts_in_aabb(&bounds, &mut parts);
    parts
}

/// Position of A, and both poses relative to it, without rotation. Without a compound the poses are
/// returned unchanged: those tests subtract positions themselves.
fn relative_to_a((a, pose_a): Body<'_>, (b, pose_b): Body<'_>) -> (Vec3, Pose, Pose) {
    if !matches!((a, b), (Shape::Compound(_), _) | (_, Shape::Compound(_))) {
        return (Vec3::ZERO, *pose_a, *pose_b);
    }
    let origin = pose_a.position;
    let shifted = |pose: &Pose| Pose { position: pose.position - origin, ..*pose };
    (origin, shifted(pose_a), shifted(pose_b))
}

/// Appends a manifold for each pair of convex parts in contact, in ascending order of the part of
/// A, then of the part of B.
pub(super) fn contacts(a: Body<'_>, b: Body<'_>, margin: f32, manifolds: &mut Vec<Manifold>) {
    let first = manifolds.len();
    let (origin, pose_a, pose_b) = relative_to_a(a, b);
    part_contacts((a.0, &pose_a), (b.0, &pose_b), margin, manifolds);
    if origin != Vec3::ZERO {
        manifolds[first..].iter_mut().for_each(|manifold| manifold.translate(origin));
    }
}

fn part_contacts(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    margin: f32,
    manifolds: &mut Vec<Manifold>,
) {
    let first = manifolds.len();
    match (a, b) {
        (Shape::Compound(compound), _) => {
            for part in parts_near(compound, pose_a, (b, pose_b), margin) {
                let before = manifolds.len();
                let pose = compound.sub_shape_pose(pose_a, part);
                let part_of_a = (&compound.sub_shapes()[part as usize].1, &pose);
                part_contacts(part_of_a, (b, pose_b), margin, manifolds);
                manifolds[before..].iter_mut().for_each(|manifold| manifold.sub_shapes[0] = part);
            }
        }
        (_, Shape::Compound(compound)) => {
            for part in parts_near(compound, pose_b, (a, pose_a), margin) {
                let before = manifolds.len();
                let pose = compound.sub_shape_pose(pose_b, part);
                let part_of_b = (&compound.sub_shapes()[part as usize].1, &pose);
                part_contacts((a, pose_a), part_of_b, margin, manifolds);
                manifolds[before..].iter_mut().for_each(|manifold| manifold.sub_shapes[1] = part);
            }
        }
        (Shape::TriMesh(a), Shape::TriMesh(b)) => {
            mesh_mesh::contacts((a, pose_a), (b, pose_b), margin, manifolds);
        }
        (_, Shape::TriMesh(b)) => mesh::contacts((a, pose_a), (b, pose_b), margin, manifolds),
        (Shape::TriMesh(a), _) => {
            mesh::contacts((b, pose_b), (a, pose_a), margin, manifolds);
            manifolds[first..].iter_mut().for_each(|manifold| *manifold = manifold.flipped());
        }
        _ => manifolds.extend(contact_manifold(a, pose_a, b, pose_b, margin)),
    }
    debug_assert!(manifolds[first..].iter().all(|manifold| !manifold.points().is_empty()));
}

/// Closest points of the closest, or deepest penetrating, parts.
pub(super) fn closest_points(a: Body<'_>, b: Body<'_>) -> Option<ClosestPoints> {
    let (origin, pose_a, pose_b) = relative_to_a(a, b);
    let closest = closest_points_of_parts((a.0, &pose_a), (b.0, &pose_b), f32::INFINITY)?;
    Some(ClosestPoints { points: closest.points.map(|point| point + origin), ..closest })
}

/// The same, if two parts are within `max_distance` of each other; otherwise possibly `None`.
fn closest_points_of_parts(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    max_distance: f32,
) -> Option<ClosestPoints> {
    match (a, b) {
        (Shape::Compound(compound), _) => closest_part(
            (compound, pose_a),
            (b, pose_b),
            max_distance,
            |part, pose, max_distance| {
                closest_points_of_parts((part, pose), (b, pose_b), max_distance)
            },
        ),
        (_, Shape::Compound(compound)) => closest_part(
            (compound, pose_b),
            (a, pose_a),
            max_distance,
            |part, pose, max_distance| {
                closest_points_of_parts((a, pose_a), (part, pose), max_distance)
            },
        ),
        (Shape::TriMesh(a), Shape::TriMesh(b)) => {
            mesh_mesh::closest_points((a, pose_a), (b, pose_b))
        }
        (_, Shape::TriMesh(_)) => mesh::closest_points((a, pose_a), (b, pose_b)),
        (Shape::TriMesh(_), _) => {
            mesh::closest_points((b, pose_b), (a, pose_a)).map(ClosestPoints::flipped)
        }
        _ => Some(crate::narrow_phase::closest_points(a, pose_a, b, pose_b)),
    }
}

/// Closest points of a compound and another shape. Of equal distances, the lowest part index wins.
fn closest_part(
    (compound, pose): (&Compound, &Pose),
    other: Body<'_>,
    max_distance: f32,
    query: impl Fn(&Shape, &Pose, f32) -> Option<ClosestPoints>,
) -> Option<ClosestPoints> {
    let query_part = |part: u32, max_distance: f32| {
        query(
            &compound.sub_shapes()[part as usize].1,
            &compound.sub_shape_pose(pose, part),
            max_distance,
        )
    };
    // Any part bounds the search distance; the part nearest to the origin of the other shape bounds
    // it well.
    let mut seeds = Vec::new();
    let center = pose.inverse_transform_point(other.1.position).to_array();
    compound.bvh().k_nearest(&center, 1, &mut seeds);
    let closest = seeds.first().and_then(|seed| query_part(seed.id, max_distance));
    let search_distance = closest.map_or(max_distance, |closest| {
        scalar::min(max_distance, scalar::max(closest.distance, 0.0))
    });
    let mut best: Option<ClosestPoints> = None;
    // The best candidate is searched again from `None`, so that the order of parts decides between
    // equals.
    for part in parts_near(compound, pose, other, search_distance) {
        let search_distance = best.map_or(search_distance, |best| {
            scalar::min(search_distance, scalar::max(best.distance, 0.0))
        });
        let closest = query_part(part, search_distance);
        best = match (best, closest) {
            (Some(best), Some(closest)) if closest.distance >= best.distance => Some(best),
            (best, closest) => closest.or(best),
        };
    }
    best.or(closest)
}

/// Whether any two parts touch or overlap.
pub(super) fn intersects(a: Body<'_>, b: Body<'_>) -> bool {
    let (_, pose_a, pose_b) = relative_to_a(a, b);
    parts_intersect((a.0, &pose_a), (b.0, &pose_b))
}

fn parts_intersect((a, pose_a): Body<'_>, (b, pose_b): Body<'_>) -> bool {
    match (a, b) {
        (Shape::Compound(compound), _) => {
            parts_near(compound, pose_a, (b, pose_b), 0.0).into_iter().any(|part| {
                let pose = compound.sub_shape_pose(pose_a, part);
                parts_intersect((&compound.sub_shapes()[part as usize].1, &pose), (b, pose_b))
            })
        }
        (_, Shape::Compound(compound)) => {
            parts_near(compound, pose_b, (a, pose_a), 0.0).into_iter().any(|part| {
                let pose = compound.sub_shape_pose(pose_b, part);
                parts_intersect((a, pose_a), (&compound.sub_shapes()[part as usize].1, &pose))
            })
        }
        (Shape::TriMesh(a), Shape::TriMesh(b)) => mesh_mesh::intersects((a, pose_a), (b, pose_b)),
        (_, Shape::TriMesh(b)) => mesh::intersects((a, pose_a), (b, pose_b)),
        (Shape::TriMesh(a), _) => mesh::intersects((b, pose_b), (a, pose_a)),
        _ => crate::narrow_phase::intersects(a, pose_a, b, pose_b),
    }
}
