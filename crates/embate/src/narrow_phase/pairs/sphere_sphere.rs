//! Two spheres: along the line of their middles.

use embate_geom::{Pose, Vec3, Wide, shapes::Sphere};

use super::nearest::Nearest;

/// Where they are nearest; `None` if farther apart than `beyond`. Of equal middles, B is above.
#[inline]
pub(super) fn nearest(
    (a, pose_a): (&Sphere, &Pose),
    (b, pose_b): (&Sphere, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let between = Wide::from(pose_b.position - pose_a.position);
    Nearest::of_balls((pose_a.position, a.radius()), (between, b.radius()), beyond, 0.0, || Vec3::Y)
}
