//! A sphere and a capsule: the sphere, and a ball of the capsule's radius at the nearest point of its
//! segment.

use embate_geom::{
    Pose, Wide,
    shapes::{Capsule, Sphere},
};

use super::nearest::Nearest;
use super::rods;

/// Where they are nearest; `None` if farther apart than `beyond`. From a middle on the segment, the way
/// out is square to it.
#[inline]
pub(super) fn nearest(
    (a, pose_a): (&Sphere, &Pose),
    (b, pose_b): (&Capsule, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let axis = pose_b.rotation.matrix().columns[1];
    let tip = Wide::from(axis * b.half_height());
    let between = Wide::from(pose_b.position - pose_a.position);
    let square = tip.length_squared();
    let along = if square > 0.0 { (-between.dot(tip) / square).clamp(-1.0, 1.0) } else { 0.0 };
    Nearest::of_balls(
        (pose_a.position, a.radius()),
        (between + tip * along, b.radius()),
        beyond,
        rods::ROUNDING * (between.length() + tip.length()),
        || axis.any_perpendicular(),
    )
}
