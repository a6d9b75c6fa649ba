//! Sphere–sphere: along the line of the centers.

use embate_geom::{DVec3, Pose, Vec3, shapes::Sphere};

use crate::narrow_phase::closest_points::{ClosestFeatures, SpherePair};

/// Closest features; `None` if farther apart than `max_distance`. If the centers coincide, the
/// normal is +Y.
#[inline]
pub(crate) fn closest_features(
    (a, pose_a): (&Sphere, &Pose),
    (b, pose_b): (&Sphere, &Pose),
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let a_to_b = DVec3::from(pose_b.position - pose_a.position);
    let spheres = SpherePair {
        center_a: pose_a.position,
        radius_a: a.radius(),
        a_to_b,
        radius_b: b.radius(),
    };
    ClosestFeatures::of_spheres(&spheres, max_distance, 0.0, || Vec3::Y)
}
