//! Sphere–box: the center clamped to the box; inside, the nearest face.

use embate_geom::{
    DVec3, Vec3,
    shapes::{Cuboid, Sphere},
};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::cuboid;
use crate::narrow_phase::feature_id::FeatureId;
use crate::narrow_phase::posed::Posed;

/// Closest features; `None` if farther apart than `max_distance`. A center inside is pushed out
/// through the nearest face; of equally near ones, that of the first axis, and from the exact
/// center that on the positive side.
#[inline]
pub(crate) fn closest_features(
    a: Posed<'_, Sphere>,
    b: Posed<'_, Cuboid>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let frame = b.pose.to_rigid_transform();
    let center = frame.basis.transpose_mul_vec3(a.pose.position - b.pose.position);
    let half_extents = b.shape.half_extents();
    let on_cuboid = center.max(-half_extents).min(half_extents);
    let offset = DVec3::from(center - on_cuboid);
    let distance_squared = offset.length_squared();
    let radius = f64::from(a.shape.radius());
    // The normal points out of the box until the end.
    let (distance, normal, on_cuboid) = if distance_squared > 0.0 {
        let center_distance = distance_squared.sqrt();
        (center_distance - radius, (offset * (1.0 / center_distance)).as_vec3(), on_cuboid)
    } else {
        let inside_distances = half_extents - center.abs();
        let axis = cuboid::min_axis(inside_distances);
        let mut normal = Vec3::ZERO;
        normal[axis] = if center[axis] < 0.0 { -1.0 } else { 1.0 };
        let mut on_face = center;
        on_face[axis] = normal[axis] * half_extents[axis];
        (-f64::from(inside_distances[axis]) - radius, normal, on_face)
    };
    if distance > f64::from(max_distance) {
        return None;
    }
    let on_sphere = center - normal * a.shape.radius();
    let world_normal = frame.basis * normal;
    Some(ClosestFeatures {
        normal: -world_normal,
        distance: distance as f32,
        points: [frame.transform_point(on_sphere), frame.transform_point(on_cuboid)],
        features: [FeatureId::ROUND, cuboid::feature_along(normal)],
    })
}
