//! Sphere–capsule: sphere–sphere at the closest point of the capsule's segment.

use embate_geom::{
    DVec3,
    shapes::{Capsule, Sphere},
};

use crate::narrow_phase::closest_points::{ClosestFeatures, SpherePair};
use crate::narrow_phase::pairs::segment_segment;
use crate::narrow_phase::posed::Posed;

/// Closest features; `None` if farther apart than `max_distance`. If the center lies on the
/// segment, the normal is perpendicular to it.
#[inline]
pub(crate) fn closest_features(
    a: Posed<'_, Sphere>,
    b: Posed<'_, Capsule>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let axis = b.pose.rotation.to_matrix().columns[1];
    let half_extent = DVec3::from(axis * b.shape.half_height());
    let a_to_b = DVec3::from(b.pose.position - a.pose.position);
    let length_squared = half_extent.length_squared();
    let param = if length_squared > 0.0 {
        (-a_to_b.dot(half_extent) / length_squared).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    let spheres = SpherePair {
        center_a: a.pose.position,
        radius_a: a.shape.radius(),
        a_to_b: a_to_b + half_extent * param,
        radius_b: b.shape.radius(),
    };
    let min_length = segment_segment::SEGMENT_ROUNDING * (a_to_b.length() + half_extent.length());
    let fallback_normal = || axis.any_orthonormal_vector();
    ClosestFeatures::of_spheres(&spheres, max_distance, min_length, fallback_normal)
}
