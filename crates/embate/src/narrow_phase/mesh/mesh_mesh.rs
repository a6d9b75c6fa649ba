//! Mesh–mesh contacts: every triangle of one mesh against the nearby triangles of the other.
//!
//! The per-triangle tests are those of [`triangle_convex`], with a triangle as the convex shape.
//! The minimum translation vector of the whole meshes comes from [`SeparationCandidates`].

use std::sync::Arc;

use embate_geom::{Aabb, DMat3, DVec3, RigidTransform, Vec3, scalar};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::triangle::TrianglePolyhedron;
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ClosestPoints, ContactPoint, Manifold};
use crate::narrow_phase::mesh::back_face_validation::TriangleResult;
use crate::narrow_phase::mesh::depenetration::SeparationCandidates;
use crate::narrow_phase::mesh::redundant_contacts::are_compatible;
use crate::narrow_phase::mesh::triangle_convex;
use crate::narrow_phase::mesh::{
    BodyObb, PoseInMesh, TriangleContext, closer_of, closer_triangle, for_each_triangle_in,
    max_abs_coordinate, relative_aabb, separation_tolerance,
};
use crate::narrow_phase::posed::Posed;
use crate::shapes::{Shape, TriMesh};

type PosedMesh<'a> = Posed<'a, Arc<TriMesh>>;

/// If two meshes have more contacts, all are kept: the search for a minimum translation takes time
/// proportional to the number of contacts.
const MAX_FILTERED_CONTACTS: usize = 64;

/// Cosine of the angle (45°) beyond which a contact normal contradicts the minimum translation.
const SAME_DIRECTION_COSINE: f32 = 0.7;

/// Calls `visit` for each triangle of A, displaced in world space, within `margin` of B, until it
/// returns `true`. Arguments: triangle index, triangle, triangle to world, triangle in B.
fn for_each_triangle_of_a(
    a: PosedMesh<'_>,
    b: PosedMesh<'_>,
    displacement: Vec3,
    margin: f32,
    mut visit: impl FnMut(u32, &TrianglePolyhedron, &RigidTransform, &PoseInMesh) -> bool,
) {
    let mut frame = a.pose.to_rigid_transform();
    frame.translation += displacement;
    let mut a_in_b = PoseInMesh::new(b.pose, a.pose);
    // In the frame of B, since world coordinates may be too coarse.
    a_in_b.translation = a_in_b.translation
        + DMat3::from_rotation(b.pose.rotation).transpose_mul_vec3(DVec3::from(displacement));
    let rotation = DMat3::from_rotation(b.pose.rotation.inverse() * a.pose.rotation);
    let other = Shape::TriMesh(Arc::clone(b.shape));
    let bounds = relative_aabb(b.with(&other), a.pose);
    let offset_in_a = -DMat3::from_rotation(a.pose.rotation)
        .transpose_mul_vec3(DVec3::from(displacement))
        .as_vec3();
    let shifted = |point: [f32; 3]| (Vec3::from(point) + offset_in_a).to_array();
    let bounds = Aabb { min: shifted(bounds.min), max: shifted(bounds.max) };
    let rounding =
        16.0 * f32::EPSILON * (max_abs_coordinate(&bounds) + max_abs_coordinate(a.shape.bounds()));
    let mut triangles = Vec::new();
    a.shape.triangles_in_aabb(&bounds.loosened(margin + rounding), &mut triangles);
    for index in triangles {
        if let Some(normal) = a.shape.triangle_normal(index) {
            let (triangle, centroid) = TrianglePolyhedron::new(a.shape.triangle(index), normal);
            let triangle_frame =
                RigidTransform { translation: frame.transform_point(centroid), ..frame };
            let triangle_in_b = PoseInMesh {
                translation: a_in_b.translation + rotation.mul_vec3(DVec3::from(centroid)),
                ..a_in_b
            };
            if visit(index, &triangle, &triangle_frame, &triangle_in_b) {
                return;
            }
        }
    }
}

/// Oriented culling box of a triangle in its own frame.
fn triangle_obb(triangle: &TrianglePolyhedron, triangle_in_b: &PoseInMesh, margin: f32) -> BodyObb {
    let vertices = [0, 1, 2].map(|index| triangle.vertex_mod3(index));
    let (min, max) = (
        vertices[0].min(vertices[1]).min(vertices[2]),
        vertices[0].max(vertices[1]).max(vertices[2]),
    );
    BodyObb::new(&Aabb { min: min.to_array(), max: max.to_array() }, margin, triangle_in_b)
}

/// AABB of a triangle in the frame of B, padded by `margin` and by its rounding error.
fn triangle_aabb(
    triangle: &TrianglePolyhedron,
    triangle_in_b: &PoseInMesh,
    margin: f32,
) -> Aabb<3> {
    let translation = triangle_in_b.translation.as_vec3();
    let vertices =
        [0, 1, 2].map(|index| triangle_in_b.basis * triangle.vertex_mod3(index) + translation);
    let (mut min, mut max) = (vertices[0], vertices[0]);
    for &vertex in &vertices[1..] {
        (min, max) = (min.min(vertex), max.max(vertex));
    }
    let rounding =
        8.0 * f32::EPSILON * scalar::max(min.abs().max_element(), max.abs().max_element());
    let padding = Vec3::splat(margin + rounding);
    Aabb { min: (min - padding).to_array(), max: (max + padding).to_array() }
}

/// Minimum translation that separates the whole of A from the whole of B, at most `max_depth` long.
/// Candidates are the contacts and all intersecting pairs of triangles.
fn minimum_translation(
    a: PosedMesh<'_>,
    b: PosedMesh<'_>,
    manifolds: &[Manifold],
    max_depth: f32,
) -> Option<ClosestPoints> {
    let mut candidates = SeparationCandidates::default();
    for_each_intersecting_pair(a, b, Vec3::ZERO, |closest, normals, extent| {
        candidates.add(closest, &normals, extent);
    });
    if !candidates.has_several() {
        return None;
    }
    for contact in manifolds {
        candidates.add_contact(contact);
    }
    let remaining = |displacement: Vec3| {
        let mut deepest = None;
        for_each_intersecting_pair(a, b, displacement, |closest, _, _| {
            deepest = closer_of(deepest, Some(*closest));
        });
        deepest
    };
    let [shape_a, shape_b] = [a.shape, b.shape].map(|mesh| Shape::TriMesh(Arc::clone(mesh)));
    let bodies = [a.with(&shape_a), b.with(&shape_b)];
    let tolerance = separation_tolerance(a.shape.bounds(), candidates.max_triangle_extent());
    candidates.minimum_translation(bodies, max_depth, tolerance, remaining)
}

/// Calls `visit` for each pair of triangles that intersect after A is displaced. Arguments: closest
/// features, triangle normals, larger extent of the two triangles.
fn for_each_intersecting_pair(
    a: PosedMesh<'_>,
    b: PosedMesh<'_>,
    displacement: Vec3,
    mut visit: impl FnMut(&ClosestFeatures, [Vec3; 2], f32),
) {
    let mesh_b = b.with(&**b.shape);
    for_each_triangle_of_a(a, b, displacement, 0.0, |_, triangle, frame, triangle_in_b| {
        let (bounds, obb) = (
            triangle_aabb(triangle, triangle_in_b, 0.0),
            triangle_obb(triangle, triangle_in_b, 0.0),
        );
        for_each_triangle_in(&bounds, &obb, triangle_in_b, mesh_b, |_, context| {
            if let Some(closest) = triangle_convex::closest_features(triangle, frame, context, 0.0)
            {
                let normal_b = context.frame.basis * context.triangle.normal;
                let extent = scalar::max(
                    triangle.max_abs_coordinate(),
                    context.triangle.max_abs_coordinate(),
                );
                visit(&closest, [frame.basis * triangle.normal, normal_b], extent);
            }
            false
        });
        false
    });
}

/// Appends the manifolds of two meshes, one for each pair of triangles in contact. If a minimum
/// translation of the whole meshes exists, manifolds that contradict it and are at least as deep
/// are removed, and a manifold for it is added.
pub(crate) fn contacts(a: PosedMesh<'_>, b: PosedMesh<'_>, margin: f32, found: &mut Vec<Manifold>) {
    let mut manifolds = Vec::new();
    collect_contacts(a, b, margin, &mut manifolds);
    let deepest = manifolds
        .iter()
        .fold(0.0, |deepest, contact| scalar::max(deepest, contact.max_penetration()));
    if manifolds.len() <= MAX_FILTERED_CONTACTS
        && !are_compatible(&manifolds)
        && let Some(mtv) = minimum_translation(a, b, &manifolds, deepest * (1.0 + 1e-4))
    {
        let is_redundant = |contact: &Manifold| {
            contact.normal.dot(mtv.normal) < SAME_DIRECTION_COSINE
                && contact.max_penetration() * (1.0 + 1e-4) >= -mtv.distance
        };
        let deepest_contact = manifolds
            .iter()
            .reduce(|a, b| if b.max_penetration() > a.max_penetration() { b } else { a });
        let sub_shapes = deepest_contact.map_or([0; 2], |contact| contact.sub_shapes);
        manifolds.retain(|contact| !is_redundant(contact));
        // Often no single pair of triangles has this contact.
        let is_as_deep =
            |contact: &Manifold| contact.max_penetration() * (1.0 + 1e-4) >= -mtv.distance;
        if !manifolds.iter().any(is_as_deep) {
            manifolds.push(to_manifold(&mtv, sub_shapes));
        }
    }
    found.append(&mut manifolds);
}

/// A minimum translation as a manifold of one point.
fn to_manifold(mtv: &ClosestPoints, sub_shapes: [u32; 2]) -> Manifold {
    let point = (mtv.points[0] + mtv.points[1]) * 0.5;
    let feature = pack_features(FeatureId::ROUND, FeatureId::ROUND);
    let contact = ContactPoint { position: point, penetration: -mtv.distance, feature_id: feature };
    let mut manifold = Manifold::single(mtv.normal, contact);
    manifold.sub_shapes = sub_shapes;
    manifold
}

fn collect_contacts(
    a: PosedMesh<'_>,
    b: PosedMesh<'_>,
    margin: f32,
    manifolds: &mut Vec<Manifold>,
) {
    let mut fallback: Option<Manifold> = None;
    let mesh_b = b.with(&**b.shape);
    for_each_triangle_of_a(a, b, Vec3::ZERO, margin, |index_a, triangle, frame, triangle_in_b| {
        let (bounds, obb) = (
            triangle_aabb(triangle, triangle_in_b, margin),
            triangle_obb(triangle, triangle_in_b, margin),
        );
        for_each_triangle_in(&bounds, &obb, triangle_in_b, mesh_b, |index_b, context| {
            let closest_within = |max_distance: f32| {
                triangle_convex::closest_features(triangle, frame, context, max_distance)
            };
            let contact = match triangle_convex::contact(triangle, frame, context, margin) {
                TriangleResult::Contact(manifold) | TriangleResult::Deferred(manifold, _) => {
                    Some(manifold)
                }
                TriangleResult::BackFace(manifold, _) => closest_within(0.0).map(|_| manifold),
                TriangleResult::Rejected(_) | TriangleResult::Unknown if manifolds.is_empty() => {
                    let contact = closest_within(margin).map(|closest| closest.manifold());
                    if let Some(mut contact) = contact
                        && fallback.as_ref().is_none_or(|fallback| {
                            contact.max_penetration() > fallback.max_penetration()
                        })
                    {
                        contact.sub_shapes = [index_a, index_b];
                        fallback = Some(contact);
                    }
                    None
                }
                _ => None,
            };
            if let Some(mut manifold) = contact {
                manifold.sub_shapes = [index_a, index_b];
                manifolds.push(manifold);
            }
            false
        });
        false
    });
    // If every triangle deferred to a neighbor, the deepest contact is used.
    if manifolds.is_empty() {
        manifolds.extend(fallback);
    }
}

/// Closest points of two meshes, with the triangles closest to each other or deepest in each other.
/// If they overlap, their minimum translation: see [`SeparationCandidates`].
pub(crate) fn closest_points(
    a: PosedMesh<'_>,
    b: PosedMesh<'_>,
) -> Option<(ClosestPoints, [u32; 2])> {
    let mut best: Option<([u32; 2], ClosestFeatures)> = None;
    let mut max_distance: f32 = 1e18;
    let mesh_b = b.with(&**b.shape);
    let visit = |index_a: u32,
                 triangle: &TrianglePolyhedron,
                 frame: &RigidTransform,
                 triangle_in_b: &PoseInMesh| {
        // Two computations of the same distance may round differently.
        let size =
            triangle_in_b.translation.as_vec3().abs().max_element() + triangle.max_abs_coordinate();
        let search_distance =
            |closest: &ClosestFeatures| scalar::max(closest.distance, 0.0) + 1e-5 * size;
        // The triangle nearest to the centroid bounds the search distance.
        let mut seeds = Vec::new();
        b.shape.bvh().k_nearest(&triangle_in_b.translation.as_vec3().to_array(), 1, &mut seeds);
        for seed in seeds {
            let frame_b = b.pose.to_rigid_transform();
            let Some(context) = TriangleContext::new(b.shape, seed.id, &frame_b, triangle_in_b)
            else {
                continue;
            };
            let closest =
                triangle_convex::closest_features(triangle, frame, &context, max_distance);
            if let Some(closest) = &closest {
                max_distance = scalar::min(max_distance, search_distance(closest));
            }
            best = closer_triangle(best, [index_a, seed.id], closest);
        }
        let (bounds, obb) = (
            triangle_aabb(triangle, triangle_in_b, max_distance),
            triangle_obb(triangle, triangle_in_b, max_distance),
        );
        for_each_triangle_in(&bounds, &obb, triangle_in_b, mesh_b, |index_b, context| {
            let closest = triangle_convex::closest_features(triangle, frame, context, max_distance);
            best = closer_triangle(best, [index_a, index_b], closest);
            if let Some((_, best)) = &best {
                max_distance = scalar::min(max_distance, search_distance(best));
            }
            false
        });
        false
    };
    for_each_triangle_of_a(a, b, Vec3::ZERO, 1e18, visit);
    let (triangles, closest) = best?;
    if closest.distance <= 0.0 {
        let mut manifolds = Vec::new();
        collect_contacts(a, b, 0.0, &mut manifolds);
        if let Some(mtv) = minimum_translation(a, b, &manifolds, f32::INFINITY) {
            return Some((mtv, triangles));
        }
    }
    Some((closest.closest_points(), triangles))
}

/// Whether two meshes touch or overlap, decided as in [`closest_points`].
pub(crate) fn intersects(a: PosedMesh<'_>, b: PosedMesh<'_>) -> bool {
    let mut intersects = false;
    let mesh_b = b.with(&**b.shape);
    for_each_triangle_of_a(a, b, Vec3::ZERO, 0.0, |_, triangle, frame, triangle_in_b| {
        let (bounds, obb) = (
            triangle_aabb(triangle, triangle_in_b, 0.0),
            triangle_obb(triangle, triangle_in_b, 0.0),
        );
        for_each_triangle_in(&bounds, &obb, triangle_in_b, mesh_b, |_, context| {
            intersects = triangle_convex::closest_features(triangle, frame, context, 0.0).is_some();
            intersects
        });
        intersects
    });
    intersects
}
