//! Applied forces in an engine world.

use embate::Vec3;
use embate::dynamics::{BodyType, World};
use embate::math::scalar;
use embate_replica::lasch::AppliedForces;

/// Maximum magnitude of each component of an acceleration, in m/s², below the engine's limit of
/// 1e12 for the sum of all forces.
const MAX_ACCELERATION: f32 = 1e11;
/// Maximum magnitude of each component of a force, in N, below the engine's limit of 1e15.
const MAX_FORCE: f32 = 1e14;

/// Adds the forces of the next step of `world`.
///
/// The engine keeps a force constant over the sub-steps of a step, and moves a free body along the
/// exact parabola of its acceleration. Evaluated where the body is in the middle of the step, a
/// force of the position alone makes that step a leapfrog step (drift, kick, drift): of second
/// order and symplectic, so that the energy of a spring or an orbit does not drift.
pub(super) fn apply(world: &mut World, forces: &AppliedForces) {
    let half_step = 0.5 * world.settings().time_step;
    let time = world.time() + f64::from(half_step);
    for id in forces.bodies() {
        let dynamic = world.body(id).filter(|body| body.body_type() == BodyType::Dynamic);
        let Some(body) = dynamic else { continue };
        let velocity = body.linear_velocity();
        let middle = body.center_of_mass() + velocity * half_step;
        let force = forces.on(id, middle, velocity, time).unwrap_or_default();
        let max = Vec3::splat(scalar::min(MAX_ACCELERATION * body.mass(), MAX_FORCE));
        // A body without a force may sleep.
        if force == Vec3::ZERO {
            continue;
        }
        if let Some(mut body) = world.body_mut(id) {
            // Rejected only if the state is NaN already, which the run reports.
            let _ = body.apply_force(force.min(max).max(-max));
        }
    }
}
