//! Classical Runge–Kutta method of fourth order.

use super::{BodyForces, Integrator, MotionState};

/// Classical Runge–Kutta method (RK4): forces, with the linear damping, at the state and at three
/// intermediate states of position and velocity.
///
/// Of fourth order, not symplectic: the energy of an oscillation falls by a relative (ω·dt)⁶/72 per
/// step.
#[derive(Clone, Copy, Debug)]
pub struct RungeKutta4;

impl Integrator for RungeKutta4 {
    fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32) {
        let MotionState { position, velocity, .. } = *state;
        let half = 0.5 * time_step;
        let v1 = velocity;
        let a1 = forces.damped_acceleration(position, v1);
        let v2 = velocity + a1 * half;
        let a2 = forces.damped_acceleration(position + v1 * half, v2);
        let v3 = velocity + a2 * half;
        let a3 = forces.damped_acceleration(position + v2 * half, v3);
        let v4 = velocity + a3 * time_step;
        let a4 = forces.damped_acceleration(position + v3 * time_step, v4);
        let mean_velocity = (v1 + (v2 + v3) * 2.0 + v4) / 6.0;
        let mean_acceleration = (a1 + (a2 + a3) * 2.0 + a4) / 6.0;
        state.position += forces.limit_velocity(mean_velocity) * time_step;
        state.velocity = forces.limit_velocity(velocity + mean_acceleration * time_step);
    }
}
