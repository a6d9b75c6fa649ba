//! Fat AABBs: how far the AABB of a proxy is enlarged by margins, rotation and velocity.
//!
//! ```text
//! ┌ fat AABB ────────────────────────────┐  tight: half the speculative distance on every side,
//! │ ┌ swept AABB ──────────┐             │         or the rotation margin if that is more
//! │ │ ┌ tight AABB ┐       │  → velocity │  swept: one step along the velocity
//! │ │ │    body    │       │             │  fat:   1/20 of the longest extent, at most 10 cm,
//! │ │ └────────────┘       │             │         and two more steps along the velocity
//! │ └──────────────────────┘             │
//! └──────────────────────────────────────┘
//! ```

use embate_geom::{Aabb, Vec3, scalar};

use crate::dynamics::body::body_data::{BodyData, BodyPose};
use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;

/// Fat margin, relative to the longest extent of the body. Measured on piles: bodies leave smaller
/// fat AABBs too often, and larger ones overlap too many others.
const FAT_MARGIN_RATIO: f32 = 0.05;
/// Maximum fat margin, in meters.
const MAX_FAT_MARGIN: f32 = 0.1;
/// Rounding error of an AABB, relative to the magnitude of its coordinates: 4 ulp.
pub(crate) const AABB_ROUNDING: f32 = 4.0 * f32::EPSILON;
/// A fat AABB extends beyond the swept one by the motion of this number of further steps.
const FAT_STEPS_AHEAD: f32 = 2.0;

/// AABB that a body needs in this step: its tight AABB, extended along its velocity.
pub(crate) fn swept_aabb(
    bodies: &BodySet,
    index: BodyIndex,
    speculative_distance: f32,
    time_step: f32,
) -> Aabb<3> {
    let rotation_margin = rotation_margin(bodies, index, time_step);
    let tight = tight_aabb(bodies, index, speculative_distance, rotation_margin);
    extend_along_velocity(tight, bodies, index, time_step)
}

/// Upper bound of the growth of a body's AABB in any direction by its rotation during `time`: a
/// point at distance r from the center of mass of a body with inner radius c gains at most
/// √(r² − c²) per radian.
pub(super) fn rotation_margin(bodies: &BodySet, index: BodyIndex, time: f32) -> f32 {
    let BodyData { max_extent, inner_radius, .. } = *bodies.data(index);
    let lever_squared = scalar::max(max_extent * max_extent - inner_radius * inner_radius, 0.0);
    (bodies.state(index).angular_velocity.length_squared() * lever_squared).sqrt() * time
}

/// AABB of the shape, loosened by half the speculative distance, or by `rotation_margin` if that is
/// larger.
pub(super) fn tight_aabb(
    bodies: &BodySet,
    index: BodyIndex,
    speculative_distance: f32,
    rotation_margin: f32,
) -> Aabb<3> {
    let data = bodies.data(index);
    let half_margin = 0.5 * speculative_distance;
    let mut aabb = data.shape.aabb(bodies.pose(index)).loosened(half_margin);
    if rotation_margin > half_margin {
        // The rotated body stays within its bounding sphere.
        let center = bodies.com_pose(index).center_of_mass;
        let radius = data.max_extent + half_margin;
        for axis in 0..3 {
            let [sphere_min, sphere_max] = [center[axis] - radius, center[axis] + radius];
            let (min, max) = (&mut aabb.min[axis], &mut aabb.max[axis]);
            *min = scalar::min(scalar::max(*min - rotation_margin, sphere_min), *min);
            *max = scalar::max(scalar::min(*max + rotation_margin, sphere_max), *max);
        }
    }
    aabb
}

/// Extends an AABB along the body's linear velocity by its motion during `time`.
pub(super) fn extend_along_velocity(
    mut aabb: Aabb<3>,
    bodies: &BodySet,
    index: BodyIndex,
    time: f32,
) -> Aabb<3> {
    if bodies.data(index).body_type != BodyType::Fixed {
        let displacement = bodies.state(index).linear_velocity * time;
        for axis in 0..3 {
            aabb.min[axis] += scalar::min(displacement[axis], 0.0);
            aabb.max[axis] += scalar::max(displacement[axis], 0.0);
        }
    }
    aabb
}

/// Fat AABB for a swept AABB; the same for fixed bodies.
pub(crate) fn fatten(
    swept_aabb: &Aabb<3>,
    bodies: &BodySet,
    index: BodyIndex,
    time_step: f32,
) -> Aabb<3> {
    if bodies.data(index).body_type == BodyType::Fixed {
        return *swept_aabb;
    }
    let [x, y, z] = swept_aabb.extents();
    let longest = scalar::max(scalar::max(x, y), z);
    let fat = swept_aabb.loosened(scalar::min(FAT_MARGIN_RATIO * longest, MAX_FAT_MARGIN));
    extend_along_velocity(fat, bodies, index, FAT_STEPS_AHEAD * time_step)
}

/// Whether `inner` is contained in `outer`.
pub(super) fn contains(outer: &Aabb<3>, inner: &Aabb<3>) -> bool {
    (0..3).all(|axis| outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])
}

/// Smallest distance from the faces of `inner` to those of `outer`; negative if `inner` is not
/// contained.
pub(super) fn containment_slack(outer: &Aabb<3>, inner: &Aabb<3>) -> f32 {
    (0..3).fold(f32::INFINITY, |slack, axis| {
        let below = inner.min[axis] - outer.min[axis];
        let above = outer.max[axis] - inner.max[axis];
        scalar::min(scalar::min(below, above), slack)
    })
}

/// Cached containment test of a body in its fat AABB: while the body has moved by less than the
/// slack, it is still contained, and its AABB need not be computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedContainment {
    /// Pose of the body at the last containment test.
    pub(super) pose: BodyPose,
    /// [`containment_slack`] of the tight AABB at that pose.
    pub(super) slack: f32,
}

impl CachedContainment {
    pub(super) fn still_contains(
        &self,
        bodies: &BodySet,
        index: BodyIndex,
        time_step: f32,
    ) -> bool {
        let (pose, data) = (bodies.com_pose(index), bodies.data(index));
        let [x, y, z, _] = (pose.rotation * self.pose.rotation.inverse()).to_array();
        let displacement = (pose.center_of_mass - self.pose.center_of_mass).length()
            + 2.0 * Vec3::new(x, y, z).length() * data.max_extent
            + bodies.state(index).linear_velocity.length() * time_step;
        // The rounding error of an AABB grows with its distance from the origin.
        let rounding = AABB_ROUNDING * (pose.center_of_mass.abs().max_element() + data.max_extent);
        displacement + rounding <= self.slack
    }
}
