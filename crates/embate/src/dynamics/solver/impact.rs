//! Impact impulses: simultaneous normal impulses of all points of one manifold, by projected
//! Gauss–Seidel (PGS).

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::solver::contact_constraint::{ConstraintPoint, ContactConstraint};
use crate::narrow_phase::MAX_MANIFOLD_POINTS;

/// Impulses of one impact, and the velocity changes of A and B that they cause.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ImpactImpulse {
    /// Along the normal, by contact point, in N·s.
    pub(crate) normal_impulses: [f32; MAX_MANIFOLD_POINTS],
    pub(crate) linear_velocity_changes: [Vec3; 2],
    pub(crate) angular_velocity_changes: [Vec3; 2],
}

impl ImpactImpulse {
    /// Change of the relative normal velocity at a contact point; positive when the bodies separate
    /// faster.
    pub(crate) fn relative_velocity_change(&self, normal: Vec3, point: &ConstraintPoint) -> f32 {
        let [linear_a, linear_b] = self.linear_velocity_changes;
        let [angular_a, angular_b] = self.angular_velocity_changes;
        normal.dot(linear_b - linear_a) + point.r_cross_n_b.dot(angular_b)
            - point.r_cross_n_a.dot(angular_a)
    }

    /// Applies `impulse` to B and its opposite to A, with the angular impulses (anchor × impulse)
    /// of each.
    pub(crate) fn apply_impulse(
        &mut self,
        bodies: &BodySet,
        constraint: &ContactConstraint,
        impulse: Vec3,
        [angular_impulse_a, angular_impulse_b]: [Vec3; 2],
    ) {
        let [a, b] = constraint.bodies;
        self.linear_velocity_changes[0] -= impulse.mul_elements(bodies.inverse_mass(a));
        self.linear_velocity_changes[1] += impulse.mul_elements(bodies.inverse_mass(b));
        // The inertias must be those of the effective masses. Joints update the inertias of bodies
        // within a step: with those of a needle that had rotated, each iteration applied 100 times
        // the impulse of the one before.
        self.angular_velocity_changes[0] -= constraint.inverse_inertias[0] * angular_impulse_a;
        self.angular_velocity_changes[1] += constraint.inverse_inertias[1] * angular_impulse_b;
    }

    /// Solves for normal impulses λ ≥ 0 that change the relative normal velocity of each point by
    /// at least its target. Points without a target get no impulse. Stops when the impulses have
    /// converged to rounding, or after `max_iterations`.
    pub(crate) fn solve(
        bodies: &BodySet,
        constraint: &ContactConstraint,
        target_velocity_changes: &[Option<f32>; MAX_MANIFOLD_POINTS],
        max_iterations: usize,
    ) -> Self {
        let mut impact = Self::default();
        for _ in 0..max_iterations {
            let (mut largest_change, mut largest_impulse) = (0.0, 0.0);
            for (index, point) in constraint.points[..constraint.point_count].iter().enumerate() {
                let Some(target) = target_velocity_changes[index] else { continue };
                let error = impact.relative_velocity_change(constraint.normal, point) - target;
                let old_impulse = impact.normal_impulses[index];
                let impulse = scalar::max(old_impulse - point.normal_mass * error, 0.0);
                let change = impulse - old_impulse;
                let angular = [point.r_cross_n_a * change, point.r_cross_n_b * change];
                impact.apply_impulse(bodies, constraint, constraint.normal * change, angular);
                impact.normal_impulses[index] = impulse;
                largest_change = scalar::max(change.abs(), largest_change);
                largest_impulse = scalar::max(impulse, largest_impulse);
            }
            if largest_change <= largest_impulse * f32::EPSILON {
                break;
            }
        }
        impact
    }
}
