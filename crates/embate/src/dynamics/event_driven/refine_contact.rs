//! Contact refinement: recomputes a manifold at the exact time of impact.
//!
//! Contacts are found at the beginning of a step, from some distance. Two spheres that graze each
//! other have rotated about each other by the time they touch: 1 cm of relative motion rotates the
//! normal by 0.01 rad and changes the impulse by 2 %. The event-driven solver therefore recomputes
//! each manifold at its time of impact. (The same was tried with soft contacts: they stop the
//! approach along the old normal, and a gas loses 2 % of its energy in 1,000 steps.)
//!
//! For a body with non-spherical inertia, the angular velocity change of an impact counts from the
//! beginning of the sub-step, because its angular momentum is kept for the rotation it had there. A
//! second impact in the same sub-step finds it rotated too far, by the change of angular velocity
//! times the time of the first impact. Spheres and cubes are found where they are.

use embate_geom::{Pose, Vec3};

use crate::dynamics::body::body_index::{BodyIndex, BodyVec};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::integrator::{SubstepVelocities, rotated_by};
use crate::dynamics::narrow_phase::contact_pair::{ContactPair, is_convex};
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::solver::contact_constraint::ContactConstraint;
use crate::narrow_phase;

/// Parameters of one sub-step of the event-driven solver.
#[derive(Clone, Copy)]
pub(crate) struct SubstepContext<'a> {
    pub(crate) pairs: &'a [ContactPair],
    pub(crate) substep_velocities: &'a BodyVec<SubstepVelocities>,
    pub(crate) speculative_distance: f32,
    /// Length of the sub-step, in seconds.
    pub(crate) h: f32,
}

/// Center of mass and pose of a body `time` seconds after the sub-step began.
fn pose_at(
    bodies: &BodySet,
    body: BodyIndex,
    context: &SubstepContext<'_>,
    time: f32,
) -> (Vec3, Pose) {
    let state = bodies.state(body);
    let free_velocity_change = context.substep_velocities[body].free_velocity_change;
    let displacement =
        (state.linear_velocity - free_velocity_change * (1.0 - 0.5 * time / context.h)) * time;
    let center = bodies.com_pose(body).center_of_mass + (state.delta_position + displacement);
    let rotation = rotated_by(bodies.com_pose(body).rotation, state.angular_velocity * time);
    let position = center - rotation.rotate(bodies.data(body).mass.center_of_mass);
    (center, Pose { rotation, position })
}

/// The constraint of a contact, recomputed `time` seconds after the sub-step began; `None` if the
/// bodies are then farther apart than the speculative distance.
///
/// Only pairs of convex shapes are recomputed. Others are returned unchanged.
pub(crate) fn contact_at_time(
    bodies: &BodySet,
    contact: &ContactConstraint,
    context: &SubstepContext<'_>,
    time: f32,
) -> Option<ContactConstraint> {
    let pair = &context.pairs[contact.key.pair as usize];
    let [a, b] = contact.bodies;
    let (shape_a, shape_b) = (&bodies.data(a).shape, &bodies.data(b).shape);
    if !(is_convex(shape_a) && is_convex(shape_b)) {
        return Some(contact.clone());
    }
    let (center_a, pose_a) = pose_at(bodies, a, context, time);
    let (center_b, pose_b) = pose_at(bodies, b, context, time);
    let distance = context.speculative_distance;
    let manifold = narrow_phase::contact_manifold(shape_a, &pose_a, shape_b, &pose_b, distance)?;
    let manifold = PersistentManifold::new(manifold, 0.0, [center_a, center_b]);
    let mut refined = ContactConstraint::prepare(bodies, distance, contact.key, pair, &manifold);
    // Base separations are those at the beginning of the step: subtract the motion until `time`.
    let (state_a, state_b) = (bodies.state(a), bodies.state(b));
    let free_velocity_change = context.substep_velocities[b].free_velocity_change
        - context.substep_velocities[a].free_velocity_change;
    let displacement = state_b.delta_position - state_a.delta_position
        + (state_b.linear_velocity
            - state_a.linear_velocity
            - free_velocity_change * (1.0 - 0.5 * time / context.h))
            * time;
    for point in &mut refined.points[..refined.point_count] {
        let angular =
            point.r_cross_n_b.dot(state_b.delta_rotation + state_b.angular_velocity * time)
                - point.r_cross_n_a.dot(state_a.delta_rotation + state_a.angular_velocity * time);
        point.base_separation -= refined.normal.dot(displacement) + angular;
    }
    for (point, before) in refined.points.iter_mut().zip(&contact.points) {
        point.total_normal_impulse = before.total_normal_impulse;
    }
    Some(refined)
}
