//! Position Verlet (Störmer): the next position from the last two.
//!
//! ```text
//! x₊ = x + ((1 − k)·(x − x₋) + a·dt²) / (1 + k)      k = damping·dt / 2
//! v₊ = ((x₊ − x)/dt + a₊·dt/2) / (1 + k)             central difference of the positions
//! ```
//!
//! The study's body stores x₋ as `lastPosition` and a velocity besides. A velocity that changes
//! without the position (the impulse of a contact, a bound, an edit) contradicts x₋, and so does a
//! force that sets in: then the step starts from the velocity, x₊ = x + (1 − k)·v·dt + a·dt²/2,
//! which is the same step up to rounding. Verlet 1967; the damped form is the central difference of
//! x″ = a − damping·x′. From damping·dt = 2 on, 1 − k counts as 0: a body must not move backward.

use embate_geom::scalar;

use super::{BodyForces, Integrator, LastStep, MotionState, clamp_length};

/// Position Verlet, with the study's `lastPosition` in [`MotionState::last`].
///
/// Of second order and symplectic. The difference of two positions rounds: at a distance of 10 m
/// from the origin and 60 steps per second the velocity has an error of 3e-5 m/s per step. A force
/// that depends on the velocity is evaluated at the end of the step by the extrapolated velocity.
#[derive(Clone, Copy, Debug)]
pub struct PositionVerlet;

impl Integrator for PositionVerlet {
    fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32) {
        let MotionState { position, velocity, last } = *state;
        let acceleration = forces.acceleration(position, velocity);
        let k = 0.5 * time_step * forces.linear_damping();
        let kept = scalar::max(1.0 - k, 0.0);
        let by_forces = acceleration * (time_step * time_step);
        let step = match last {
            // The forces are those of the end of the last step.
            Some(last) if last.acceleration == acceleration => {
                ((position - last.position) * kept + by_forces) / (1.0 + k)
            }
            _ => velocity * (kept * time_step) + by_forces * 0.5,
        };
        let step = clamp_length(step, forces.max_speed * time_step);
        state.position = position + step;
        let mean = step / time_step;
        let extrapolated = mean * 2.0 - velocity;
        let ahead = forces.acceleration(state.position, extrapolated);
        state.velocity = forces.limit_velocity((mean + ahead * (0.5 * time_step)) / (1.0 + k));
        let acceleration = forces.acceleration(state.position, state.velocity);
        state.last = Some(LastStep { position, acceleration });
    }
}
