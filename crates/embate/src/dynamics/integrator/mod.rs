//! Integrator: semi-implicit Euler for velocities and positions, with damping and speed limits.
//!
//! Velocities are integrated first, positions with the new velocities (semi-implicit Euler), which
//! is stable with contacts. A body in free flight, whose velocity no contact changed in a sub-step,
//! moves with the mean of the old and the new velocity instead, so that its trajectory is the exact
//! parabola.

pub(crate) mod finalize;
pub(crate) mod gyroscopic;

use core::f32::consts::FRAC_PI_4;

use embate_geom::{Mat3, Rotation, Vec3};

use crate::dynamics::body::body_data::{BodyData, BodyState, ExternalForces};
use crate::dynamics::body::body_def::{BodyType, MAX_COORDINATE};
use crate::dynamics::body::body_index::{BodyIndex, BodyVec};
use crate::dynamics::body::body_set::{BodyArraysMut, BodySet, live_data};
use crate::dynamics::integrator::gyroscopic::integrate_gyroscopic;
use crate::dynamics::settings::Settings;

/// Rotation per sub-step below which the gyroscopic torque changes the angular velocity by less
/// than rounding, in radians.
const MIN_GYROSCOPIC_ANGLE: f32 = 1e-6;
/// Rotation per sub-step below which the gyroscopic torque of a body in contact is ignored, in
/// radians: the contact rotates the body far more than its inertia does.
const MIN_GYROSCOPIC_ANGLE_IN_CONTACT: f32 = 1e-3;
/// Maximum rotation per sub-step of a body with contacts or joints, in radians, because its contact
/// points are those of the beginning of the step. A body in free flight is not limited.
const MAX_ROTATION_IN_CONTACT: f32 = FRAC_PI_4;

/// Velocities of a body within a sub-step: to detect free flight, and to compute its velocity at
/// the time of an impact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SubstepVelocities {
    /// Linear velocity after forces and restitution, before contacts and joints.
    pub(crate) velocity_before_solve: Vec3,
    /// Change of the linear velocity by gravity, forces and damping over the whole sub-step.
    pub(crate) free_velocity_change: Vec3,
}

/// Loads that accelerate a body in a sub-step.
pub(crate) struct BodyLoads<'b> {
    pub(crate) forces: &'b ExternalForces,
    /// In world space.
    pub(crate) inverse_inertia: &'b Mat3,
    pub(crate) gravity: Vec3,
}

/// Integrates the velocities of all awake bodies over a sub-step of `h` seconds.
pub(crate) fn integrate_velocities(
    bodies: &mut BodySet,
    awake: &[BodyIndex],
    velocities: &mut BodyVec<SubstepVelocities>,
    gravity: Vec3,
    h: f32,
) {
    let BodyArraysMut { data, states, forces, inverse_inertias, .. } = bodies.arrays_mut();
    for &index in awake {
        let loads = BodyLoads {
            forces: &forces[index],
            inverse_inertia: &inverse_inertias[index],
            gravity,
        };
        integrate_velocity(
            live_data(data, index),
            &loads,
            &mut states[index],
            &mut velocities[index],
            h,
        );
    }
}

/// Integrates the velocity of one body: gravity, external forces, damping, locked axes.
pub(crate) fn integrate_velocity(
    data: &BodyData,
    &BodyLoads { forces, inverse_inertia, gravity }: &BodyLoads<'_>,
    state: &mut BodyState,
    velocities: &mut SubstepVelocities,
    h: f32,
) {
    if data.body_type != BodyType::Dynamic {
        return;
    }
    if data.locked_axes.any() {
        apply_locks(state, data.locked_axes.translation, data.locked_axes.rotation);
    }
    let before = state.linear_velocity;
    // Implicit Euler of v' = −rate·v over h: never reverses the velocity, however large the rate.
    let [linear_factor, angular_factor] = data.damping.map(|rate| 1.0 / (1.0 + h * rate));
    let acceleration = gravity * data.gravity_scale + forces.force * data.mass.inverse;
    state.linear_velocity = (state.linear_velocity + acceleration * h) * linear_factor;
    state.angular_velocity =
        (state.angular_velocity + *inverse_inertia * forces.torque * h) * angular_factor;
    if data.locked_axes.any() {
        apply_locks(state, data.locked_axes.translation, data.locked_axes.rotation);
    }
    velocities.free_velocity_change = state.linear_velocity - before;
}

/// Sets the velocity along and about locked axes to 0.
pub(crate) fn apply_locks(
    state: &mut BodyState,
    locked_translation: [bool; 3],
    locked_rotation: [bool; 3],
) {
    for axis in 0..3 {
        if locked_translation[axis] {
            state.linear_velocity[axis] = 0.0;
        }
        if locked_rotation[axis] {
            state.angular_velocity[axis] = 0.0;
        }
    }
}

/// Records the linear velocities of all awake bodies before the contact solver.
pub(crate) fn record_presolve_velocity(
    bodies: &BodySet,
    awake: &[BodyIndex],
    velocities: &mut BodyVec<SubstepVelocities>,
) {
    for &index in awake {
        velocities[index].velocity_before_solve = bodies.state(index).linear_velocity;
    }
}

/// Integrates the positions and rotations of all awake bodies over a sub-step of `h` seconds.
pub(crate) fn integrate_positions(
    bodies: &mut BodySet,
    awake: &[BodyIndex],
    velocities: &BodyVec<SubstepVelocities>,
    settings: &Settings,
    h: f32,
) {
    let BodyArraysMut { data, states, com_poses, .. } = bodies.arrays_mut();
    for &index in awake {
        integrate_position(
            live_data(data, index),
            &mut states[index],
            &mut com_poses[index].rotation,
            velocities[index],
            settings.max_linear_speed,
            h,
        );
    }
}

/// Clamps the linear speed.
#[inline]
pub(crate) fn clamp_speed(state: &mut BodyState, max_speed: f32) {
    state.linear_velocity = clamp_length(state.linear_velocity, max_speed);
}

/// Clamps the length of a vector. An infinite or NaN vector becomes NaN, so that the error stays
/// visible.
#[inline]
fn clamp_length(vector: Vec3, max_length: f32) -> Vec3 {
    let squared = vector.length_squared();
    if squared <= max_length * max_length {
        return vector;
    }
    // The square of a length above 1e19 is infinite.
    let finite_square =
        if squared < f32::INFINITY { vector } else { vector / vector.abs().max_element() };
    finite_square * (max_length / finite_square.length())
}

/// Integrates the position and rotation of one body, and clamps its speed.
pub(crate) fn integrate_position(
    data: &BodyData,
    state: &mut BodyState,
    rotation: &mut Rotation,
    velocities: SubstepVelocities,
    max_speed: f32,
    h: f32,
) {
    if data.locked_axes.any() {
        apply_locks(state, data.locked_axes.translation, data.locked_axes.rotation);
    }
    clamp_speed(state, max_speed);
    let is_free = state.linear_velocity == velocities.velocity_before_solve;
    if !is_free {
        state.angular_velocity = clamp_length(state.angular_velocity, MAX_ROTATION_IN_CONTACT / h);
    }
    state.delta_position += state.linear_velocity * h;
    if is_free {
        state.delta_position -= velocities.free_velocity_change * (0.5 * h);
    }

    let rotation_vector = state.angular_velocity * h;
    let angle_squared = rotation_vector.length_squared();
    if angle_squared <= MIN_GYROSCOPIC_ANGLE * MIN_GYROSCOPIC_ANGLE {
        state.delta_rotation += rotation_vector;
        *rotation = rotation.integrated(rotation_vector);
        return;
    }
    let is_slow = !is_free
        && angle_squared <= MIN_GYROSCOPIC_ANGLE_IN_CONTACT * MIN_GYROSCOPIC_ANGLE_IN_CONTACT;
    let is_gyroscopic = !is_slow
        && !data.mass.is_isotropic
        && data.body_type == BodyType::Dynamic
        && data.locked_axes.rotation == [false; 3];
    if !is_gyroscopic {
        state.delta_rotation += rotation_vector;
        *rotation = rotated_by(*rotation, rotation_vector);
        return;
    }
    let (end_rotation, angular_velocity, rotation_vector) =
        integrate_gyroscopic(*rotation, state.angular_velocity, &data.mass.inertia, h);
    *rotation = end_rotation;
    state.angular_velocity = angular_velocity;
    state.delta_rotation += rotation_vector;
}

/// Rotates by a rotation vector, in world axes: exact to 4e-4 of the angle.
pub(crate) fn rotated_by(rotation: Rotation, rotation_vector: Vec3) -> Rotation {
    // `integrated` rotates by 2·atan(|v| / 2). It is given the tangent instead of the angle: the
    // series of the tangent is off by 4e-4 of the angle at π/4.
    let half_squared = 0.25 * rotation_vector.length_squared();
    if half_squared > 0.25 * FRAC_PI_4 * FRAC_PI_4 {
        let delta = Rotation::from_axis_angle(rotation_vector, rotation_vector.length());
        return delta.map_or(rotation, |delta| (delta * rotation).renormalize());
    }
    let series = 1.0 / 3.0
        + half_squared
            * (2.0 / 15.0 + half_squared * (17.0 / 315.0 + half_squared * (62.0 / 2835.0)));
    rotation.integrated(rotation_vector * (1.0 + half_squared * series))
}

/// Clamps a position to the supported range of coordinates. A position that is not finite is kept,
/// so that the error stays visible.
pub(crate) fn clamp_position(center: Vec3) -> Vec3 {
    let max = Vec3::splat(MAX_COORDINATE);
    if center.is_finite() { center.min(max).max(-max) } else { center }
}
