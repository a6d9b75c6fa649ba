//! Gather and scatter of body states for SIMD constraint blocks: eight bodies A, eight bodies B.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use fearless_simd::{f32x8, prelude::*};

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::solver::contact_constraint_simd::ContactConstraint8;
use crate::dynamics::solver::simd::{LANES, Vec3Lanes, Vec3x8, mul_mat3, set_vec3_lane, vec3_lane};
use crate::dynamics::solver::solver_body::SolverBodies;

/// Velocities of the bodies of a SIMD constraint block while it is solved, in registers.
pub(crate) struct BodyPair8<S: Simd> {
    pub(crate) velocity_a: Vec3x8<S>,
    pub(crate) velocity_b: Vec3x8<S>,
    pub(crate) angular_velocity_a: Vec3x8<S>,
    pub(crate) angular_velocity_b: Vec3x8<S>,
}

/// Linear and angular velocity of A, then of B, in memory.
pub(crate) type Velocities8 = [Vec3Lanes; 4];

/// Displacements of the bodies since the step began.
pub(crate) struct RelativeDisplacement8<S: Simd> {
    /// Translation of B relative to A.
    translation: Vec3x8<S>,
    rotation_a: Vec3x8<S>,
    rotation_b: Vec3x8<S>,
}

#[inline(always)]
fn gather_displacements(
    states: &impl SolverBodies,
    bodies: &[BodyIndex; LANES],
    lane_count: usize,
) -> [Vec3Lanes; 2] {
    let mut lanes = [[[0.0; LANES]; 3]; 2];
    for (lane, &body) in bodies[..lane_count].iter().enumerate() {
        set_vec3_lane(&mut lanes[0], lane, states.delta_position(body));
        set_vec3_lane(&mut lanes[1], lane, states.delta_rotation(body));
    }
    lanes
}

#[inline(always)]
fn gather_velocities(
    states: &impl SolverBodies,
    bodies: &[BodyIndex; LANES],
    lane_count: usize,
) -> [Vec3Lanes; 2] {
    let mut lanes = [[[0.0; LANES]; 3]; 2];
    for (lane, &body) in bodies[..lane_count].iter().enumerate() {
        set_vec3_lane(&mut lanes[0], lane, states.linear_velocity(body));
        set_vec3_lane(&mut lanes[1], lane, states.angular_velocity(body));
    }
    lanes
}

#[inline(always)]
pub(crate) fn load_displacements<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &ContactConstraint8,
) -> RelativeDisplacement8<S> {
    let a = gather_displacements(states, &constraint.body_a, constraint.lane_count);
    let b = gather_displacements(states, &constraint.body_b, constraint.lane_count);
    RelativeDisplacement8 {
        translation: Vec3x8::load(simd, &b[0]) - Vec3x8::load(simd, &a[0]),
        rotation_a: Vec3x8::load(simd, &a[1]),
        rotation_b: Vec3x8::load(simd, &b[1]),
    }
}

#[inline(always)]
pub(crate) fn load_velocities<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &ContactConstraint8,
) -> BodyPair8<S> {
    let a = gather_velocities(states, &constraint.body_a, constraint.lane_count);
    let b = gather_velocities(states, &constraint.body_b, constraint.lane_count);
    BodyPair8 {
        velocity_a: Vec3x8::load(simd, &a[0]),
        velocity_b: Vec3x8::load(simd, &b[0]),
        angular_velocity_a: Vec3x8::load(simd, &a[1]),
        angular_velocity_b: Vec3x8::load(simd, &b[1]),
    }
}

/// Writes the solved velocities of a SIMD constraint block back to its dynamic bodies.
#[inline(always)]
pub(crate) fn scatter(
    states: &mut impl SolverBodies,
    constraint: &ContactConstraint8,
    velocities: &Velocities8,
) {
    let [velocity_a, angular_velocity_a, velocity_b, angular_velocity_b] = velocities;
    for lane in 0..constraint.lane_count {
        // Fixed and kinematic bodies may occur in several lanes; they are never written.
        let [is_dynamic_a, is_dynamic_b] = constraint.is_dynamic[lane];
        if is_dynamic_a {
            states.set_velocities(
                constraint.body_a[lane],
                vec3_lane(velocity_a, lane),
                vec3_lane(angular_velocity_a, lane),
            );
        }
        if is_dynamic_b {
            states.set_velocities(
                constraint.body_b[lane],
                vec3_lane(velocity_b, lane),
                vec3_lane(angular_velocity_b, lane),
            );
        }
    }
}

impl<S: Simd> BodyPair8<S> {
    #[inline(always)]
    pub(crate) fn velocities(&self) -> Velocities8 {
        [
            self.velocity_a.lanes(),
            self.angular_velocity_a.lanes(),
            self.velocity_b.lanes(),
            self.angular_velocity_b.lanes(),
        ]
    }

    /// Applies `impulse` to B and its opposite to A, with the angular impulses (anchor × impulse)
    /// of each.
    #[inline(always)]
    pub(crate) fn apply_impulse(
        &mut self,
        simd: S,
        constraint: &ContactConstraint8,
        impulse: Vec3x8<S>,
        angular_impulse_a: Vec3x8<S>,
        angular_impulse_b: Vec3x8<S>,
    ) {
        let inverse_mass_a = Vec3x8::load(simd, &constraint.inverse_mass_a);
        let inverse_mass_b = Vec3x8::load(simd, &constraint.inverse_mass_b);
        self.velocity_a = self.velocity_a - impulse.mul_elements(inverse_mass_a);
        self.angular_velocity_a = self.angular_velocity_a
            - mul_mat3(simd, &constraint.inverse_inertia_a, angular_impulse_a);
        self.velocity_b = self.velocity_b + impulse.mul_elements(inverse_mass_b);
        self.angular_velocity_b = self.angular_velocity_b
            + mul_mat3(simd, &constraint.inverse_inertia_b, angular_impulse_b);
    }

    #[inline(always)]
    pub(crate) fn apply_angular_impulse(
        &mut self,
        simd: S,
        constraint: &ContactConstraint8,
        angular_impulse: Vec3x8<S>,
    ) {
        self.angular_velocity_a = self.angular_velocity_a
            - mul_mat3(simd, &constraint.inverse_inertia_a, angular_impulse);
        self.angular_velocity_b = self.angular_velocity_b
            + mul_mat3(simd, &constraint.inverse_inertia_b, angular_impulse);
    }

    /// Relative velocity of B along the normal at a contact point; positive when the bodies
    /// separate.
    #[inline(always)]
    pub(crate) fn relative_normal_velocity(
        &self,
        normal: Vec3x8<S>,
        r_cross_n_a: Vec3x8<S>,
        r_cross_n_b: Vec3x8<S>,
    ) -> f32x8<S> {
        normal.dot(self.velocity_b - self.velocity_a) + r_cross_n_b.dot(self.angular_velocity_b)
            - r_cross_n_a.dot(self.angular_velocity_a)
    }
}

impl<S: Simd> RelativeDisplacement8<S> {
    /// Change of the separation at a contact point since the step began.
    #[inline(always)]
    pub(crate) fn separation_change(
        &self,
        normal: Vec3x8<S>,
        r_cross_n_a: Vec3x8<S>,
        r_cross_n_b: Vec3x8<S>,
    ) -> f32x8<S> {
        normal.dot(self.translation) + r_cross_n_b.dot(self.rotation_b)
            - r_cross_n_a.dot(self.rotation_a)
    }
}
