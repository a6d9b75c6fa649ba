//! Culling of separated pairs: bounds on the relative motion of two bodies during a step.
//!
//! Guarantee: a culled pair has no contact within the speculative distance at any time of the step.
//! Two stages use the same bounds, so that both cull the same pairs: the update of a contact pair,
//! before it computes a manifold, and the [speculative contacts](crate::dynamics::ccd), before they
//! advance the bodies.

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::AABB_ROUNDING;
use crate::narrow_phase::SeparatingAxis;

/// Maximum number of steps of conservative advancement. Without rotation one step reaches the
/// target distance; with rotation each step covers a fraction of it.
pub(crate) const MAX_ADVANCEMENT_STEPS: usize = 24;

/// Relative motion of two bodies A and B.
pub(crate) struct RelativeMotion {
    /// Linear velocity of B relative to A.
    linear: Vec3,
    /// Angular velocity of each body times its bounding radius: bounds the speed of its points
    /// relative to its center of mass.
    angular_reach: [Vec3; 2],
    /// Sum of the lengths of `angular_reach`.
    max_angular_speed: f32,
    /// Speculative distance plus a bound of the rounding errors, in meters.
    pub(crate) clearance: f32,
}

impl RelativeMotion {
    pub(crate) fn new(bodies: &BodySet, pair: [BodyIndex; 2], speculative_distance: f32) -> Self {
        let [a, b] = pair.map(|index| bodies.state(index));
        let radii = pair.map(|index| bodies.data(index).max_extent);
        let coordinates =
            pair.map(|index| bodies.com_pose(index).center_of_mass.abs().max_element());
        Self {
            linear: b.linear_velocity - a.linear_velocity,
            angular_reach: [a.angular_velocity * radii[0], b.angular_velocity * radii[1]],
            max_angular_speed: a.angular_velocity.length() * radii[0]
                + b.angular_velocity.length() * radii[1],
            clearance: 1.1 * speculative_distance
                + AABB_ROUNDING * (coordinates[0] + coordinates[1] + radii[0] + radii[1]),
        }
    }

    /// Upper bound of the approach speed of any two points.
    pub(crate) fn max_approach_speed(&self) -> f32 {
        self.linear.length() + self.max_angular_speed
    }

    /// Upper bound of the approach speed along a normal from A to B.
    pub(crate) fn approach_speed_along(&self, normal: Vec3) -> f32 {
        self.max_angular_speed - self.linear.dot(normal)
    }

    /// Whether the bodies stay separated along an axis for this time.
    pub(crate) fn gap_stays_open(&self, axis: &SeparatingAxis, seconds: f32) -> bool {
        let [a, b] = self.angular_reach.map(|reach| reach.cross(axis.normal).length());
        let approach_speed = scalar::max(a + b - self.linear.dot(axis.normal), 0.0);
        axis.separation - approach_speed * seconds > self.clearance
    }
}

/// Whether conservative advancement reaches the end of the step for bodies that approach by
/// `distance` and stay separated: each iteration advances by at least half the speculative
/// distance.
pub(crate) fn advancement_converges(distance: f32, speculative_distance: f32) -> bool {
    distance <= 0.5 * speculative_distance * MAX_ADVANCEMENT_STEPS as f32
}

/// Whether the bounding spheres of two bodies stay farther apart than the speculative distance
/// during `time_step`: a test that needs no shapes.
pub(crate) fn bounding_spheres_stay_apart(
    bodies: &BodySet,
    [a, b]: [BodyIndex; 2],
    speculative_distance: f32,
    time_step: f32,
) -> bool {
    let [radius_a, radius_b] = [a, b].map(|index| bodies.data(index).max_extent);
    let between = bodies.com_pose(b).center_of_mass - bodies.com_pose(a).center_of_mass;
    let center_distance = between.length();
    let separation = center_distance - radius_a - radius_b;
    // Unbounded shapes have no bounding sphere.
    if separation <= speculative_distance || radius_a == 0.0 || radius_b == 0.0 {
        return false;
    }
    let motion = RelativeMotion::new(bodies, [a, b], speculative_distance);
    // Rotation does not move a bounding sphere.
    let of_spheres = RelativeMotion { angular_reach: [Vec3::ZERO; 2], ..motion };
    of_spheres.gap_stays_open(
        &SeparatingAxis { normal: between / center_distance, separation },
        time_step,
    ) && advancement_converges(of_spheres.max_approach_speed() * time_step, speculative_distance)
}
