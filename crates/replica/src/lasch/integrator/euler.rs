//! Euler methods, explicit and semi-implicit.

use super::{BodyForces, Integrator, MotionState};

/// Explicit (forward) Euler: position and velocity by the state before the step.
///
/// Of first order. The energy of an oscillation or an orbit grows in every step. Linear damping is
/// a part of the acceleration, and unstable from `damping·dt` = 2 on.
#[derive(Clone, Copy, Debug)]
pub struct ExplicitEuler;

impl Integrator for ExplicitEuler {
    fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32) {
        let MotionState { position, velocity, .. } = *state;
        let acceleration = forces.damped_acceleration(position, velocity);
        state.position += forces.limit_velocity(velocity) * time_step;
        state.velocity = forces.limit_velocity(velocity + acceleration * time_step);
    }
}

/// Semi-implicit (symplectic) Euler: the velocity first, the position by the new velocity.
///
/// Of first order; the energy of an oscillation or an orbit swings and does not drift. Linear
/// damping is implicit, and stable for every rate.
#[derive(Clone, Copy, Debug)]
pub struct SemiImplicitEuler;

impl Integrator for SemiImplicitEuler {
    fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32) {
        let acceleration = forces.acceleration(state.position, state.velocity);
        let damping = 1.0 / (1.0 + time_step * forces.linear_damping());
        state.velocity =
            forces.limit_velocity((state.velocity + acceleration * time_step) * damping);
        state.position += state.velocity * time_step;
    }
}
