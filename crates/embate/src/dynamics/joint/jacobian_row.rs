//! Jacobian rows, and scalar constraints: limits, motors and soft springs.
//!
//! A row is one constrained direction, linear, angular or both. Equality constraints are solved
//! together, by the [tree solver](crate::dynamics::joint::tree_solver). Limits, motors and springs
//! are scalar constraints of one row each, solved by sequential impulses, alternating with the
//! trees.

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::JointIndex;
use crate::dynamics::joint::equality_block::BROKEN_IMPULSE;
use crate::dynamics::solver::Softness;

/// One row of the Jacobian: its velocity is `linear·(v_b − v_a) + angular_b·ω_b − angular_a·ω_a`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct JacobianRow {
    pub(super) linear: Vec3,
    pub(super) angular_a: Vec3,
    pub(super) angular_b: Vec3,
}

/// A row of the Jacobian with its position error, in m or rad.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowError {
    pub(super) row: JacobianRow,
    pub(super) error: f32,
}

impl JacobianRow {
    pub(super) fn with_error(self, error: f32) -> RowError {
        RowError { row: self, error }
    }

    /// Translation along a direction, at anchors relative to the centers of mass.
    pub(super) fn linear(direction: Vec3, anchor_a: Vec3, anchor_b: Vec3) -> Self {
        Self {
            linear: direction,
            angular_a: anchor_a.cross(direction),
            angular_b: anchor_b.cross(direction),
        }
    }

    /// Rotation about an axis.
    pub(super) fn angular(axis: Vec3) -> Self {
        Self { linear: Vec3::ZERO, angular_a: axis, angular_b: axis }
    }

    pub(super) fn flipped(self) -> Self {
        Self { linear: -self.linear, angular_a: -self.angular_a, angular_b: -self.angular_b }
    }

    /// J·v.
    pub(super) fn velocity(&self, bodies: &BodySet, [a, b]: [BodyIndex; 2]) -> f32 {
        let (a, b) = (bodies.state(a), bodies.state(b));
        self.linear.dot(b.linear_velocity - a.linear_velocity)
            + self.angular_b.dot(b.angular_velocity)
            - self.angular_a.dot(a.angular_velocity)
    }

    /// Inverse effective mass J·M⁻¹·Jᵀ.
    pub(super) fn inverse_mass(&self, bodies: &BodySet, [a, b]: [BodyIndex; 2]) -> f32 {
        (bodies.inverse_mass(a) + bodies.inverse_mass(b)).dot(self.linear.mul_elements(self.linear))
            + self.angular_a.dot(bodies.inverse_inertia(a) * self.angular_a)
            + self.angular_b.dot(bodies.inverse_inertia(b) * self.angular_b)
    }

    /// Adds M⁻¹·Jᵀ·λ to the velocities.
    pub(super) fn apply_impulse(&self, bodies: &mut BodySet, [a, b]: [BodyIndex; 2], impulse: f32) {
        let (inverse_mass_a, inverse_mass_b) = (bodies.inverse_mass(a), bodies.inverse_mass(b));
        let angular_a = bodies.inverse_inertia(a) * (self.angular_a * impulse);
        let angular_b = bodies.inverse_inertia(b) * (self.angular_b * impulse);
        let linear = self.linear * impulse;
        bodies.state_mut(a).linear_velocity -= linear.mul_elements(inverse_mass_a);
        bodies.state_mut(a).angular_velocity -= angular_a;
        bodies.state_mut(b).linear_velocity += linear.mul_elements(inverse_mass_b);
        bodies.state_mut(b).angular_velocity += angular_b;
    }
}

/// Bias velocity above which an error keeps its bodies awake: that of 1 cm at four sub-steps of
/// 1/60 s, in m/s or rad/s.
pub(super) const MAX_SLEEP_BIAS_VELOCITY: f32 = 1.0;

/// Kind of a scalar constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RowKind {
    /// Soft equality: the error is pulled to 0.
    Spring,
    /// Inequality: the error is at least 0.
    Limit,
    /// Velocity constraint with at most this impulse per sub-step.
    Motor { target_velocity: f32, max_impulse: f32 },
}

/// A constraint of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScalarConstraint {
    pub(super) bodies: [BodyIndex; 2],
    /// Index of the joint, and the slot of its accumulated impulse.
    pub(super) joint: JointIndex,
    pub(super) slot: usize,
    pub(super) kind: RowKind,
    pub(super) row: JacobianRow,
    /// Position error, in m or rad.
    pub(super) error: f32,
    /// Maximum bias velocity.
    pub(super) max_bias: f32,
    pub(super) softness: Softness,
    /// 0 if neither body can move.
    pub(super) effective_mass: f32,
}

impl ScalarConstraint {
    pub(super) fn with_effective_mass(mut self, bodies: &BodySet) -> Self {
        let inverse_mass = self.row.inverse_mass(bodies, self.bodies);
        self.effective_mass = if inverse_mass > 0.0 { 1.0 / inverse_mass } else { 0.0 };
        self
    }

    /// Applies the accumulated impulse of the last sub-step; discards that of a broken joint.
    pub(super) fn warm_start(&self, bodies: &mut BodySet, impulse: &mut f32) {
        // The comparison is false for NaN, so that NaN is discarded, too.
        let is_intact = impulse.abs() <= BROKEN_IMPULSE as f32 * self.effective_mass;
        *impulse = if is_intact { *impulse } else { 0.0 };
        self.row.apply_impulse(bodies, self.bodies, *impulse);
    }

    /// Whether it drives its bodies, or recovers a violated limit, so that they must not sleep.
    pub(super) fn keeps_awake(&self) -> bool {
        match self.kind {
            RowKind::Spring => false,
            RowKind::Limit => self.error * self.softness.bias_rate < -MAX_SLEEP_BIAS_VELOCITY,
            RowKind::Motor { target_velocity, max_impulse } => {
                target_velocity != 0.0 && max_impulse > 0.0
            }
        }
    }

    /// One sequential-impulse iteration. Without `use_bias`, position errors are ignored and only
    /// the velocity is constrained.
    pub(super) fn solve(
        &self,
        bodies: &mut BodySet,
        impulse: &mut f32,
        inverse_h: f32,
        use_bias: bool,
    ) {
        if self.effective_mass == 0.0 {
            return;
        }
        let Softness { bias_rate, mass_scale, impulse_scale } = self.softness;
        let soft_bias = self.error * bias_rate;
        let (bias, mass_scale, impulse_scale) = match self.kind {
            // Speculative: a limit may be reached within this sub-step, but not passed.
            RowKind::Limit if self.error > 0.0 => (self.error * inverse_h, 1.0, 0.0),
            RowKind::Limit if use_bias => {
                (scalar::max(soft_bias, -self.max_bias), mass_scale, impulse_scale)
            }
            RowKind::Limit => (0.0, 1.0, 0.0),
            RowKind::Spring if use_bias => (soft_bias, mass_scale, impulse_scale),
            // A spring constrains no velocity, so that there is nothing to relax.
            RowKind::Spring => return,
            RowKind::Motor { target_velocity, .. } => (-target_velocity, 1.0, 0.0),
        };
        let velocity = self.row.velocity(bodies, self.bodies);
        let total = *impulse
            - self.effective_mass * (velocity + bias) * mass_scale
            - *impulse * impulse_scale;
        let total = match self.kind {
            RowKind::Spring => total,
            RowKind::Limit => scalar::max(total, 0.0),
            RowKind::Motor { max_impulse, .. } => {
                scalar::max(scalar::min(total, max_impulse), -max_impulse)
            }
        };
        let change = total - *impulse;
        *impulse = total;
        self.row.apply_impulse(bodies, self.bodies, change);
    }
}
