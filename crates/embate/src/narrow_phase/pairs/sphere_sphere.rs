//! Sphere–sphere: along the line of the centers.

use embate_geom::{DVec3, Vec3, shapes::Sphere};

use crate::narrow_phase::closest_points::{ClosestFeatures, SpherePair};
use crate::narrow_phase::posed::Posed;

/// Closest features; `None` if farther apart than `max_distance`. If the centers coincide, the
/// normal is +Y.
#[inline]
pub(crate) fn closest_features(
    a: Posed<'_, Sphere>,
    b: Posed<'_, Sphere>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let a_to_b = DVec3::from(b.pose.position - a.pose.position);
    let spheres = SpherePair {
        center_a: a.pose.position,
        radius_a: a.shape.radius(),
        a_to_b,
        radius_b: b.shape.radius(),
    };
    ClosestFeatures::of_spheres(&spheres, max_distance, 0.0, || Vec3::Y)
}
