//! Finalization of bodies after the last sub-step: poses, inertia tensors, sleep timers.

use embate_geom::{Mat3, Pose, Vec3};

use crate::dynamics::body::body_data::{BodyPose, BodyState, ExternalForces, SleepReference};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::{
    BODY_CHUNK, BodyArraysMut, BodySet, awake_in_range, live_data,
};
use crate::dynamics::integrator::{clamp_position, clamp_speed};
use crate::dynamics::island::sleep_timer::SleepTimer;
use crate::dynamics::parallel::worker_pool::parallel_for;

/// Minimum number of chunks per task: below, waking another worker costs more than it saves.
const MIN_CHUNKS_PER_TASK: usize = 2;

/// Arrays of [`BODY_CHUNK`] bodies with adjacent indices.
struct BodyChunk<'b> {
    first: usize,
    states: &'b mut [BodyState],
    com_poses: &'b mut [BodyPose],
    poses: &'b mut [Pose],
    forces: &'b mut [ExternalForces],
    inverse_inertias: &'b mut [Mat3],
    sleep_timers: &'b mut [f32],
    sleep_references: &'b mut [SleepReference],
}

/// Applies the displacement of the step to the poses of all awake bodies, clears the external
/// forces, and clamps the speed to `max_speed`, since the relax pass can exceed it. Advances the
/// sleep timers by `sleep_time_step` unless that is `None`.
pub(crate) fn finalize_bodies(
    bodies: &mut BodySet,
    awake: &[BodyIndex],
    max_speed: f32,
    sleep_time_step: Option<f32>,
    worker_count: usize,
) {
    let BodyArraysMut {
        data,
        states,
        com_poses,
        poses,
        forces,
        inverse_inertias,
        sleep_timers,
        sleep_references,
    } = bodies.arrays_mut();
    let mut firsts = (0..).step_by(BODY_CHUNK);
    let mut states = states.chunks_mut(BODY_CHUNK);
    let mut com_poses = com_poses.chunks_mut(BODY_CHUNK);
    let mut poses = poses.chunks_mut(BODY_CHUNK);
    let mut forces = forces.chunks_mut(BODY_CHUNK);
    let mut inverse_inertias = inverse_inertias.chunks_mut(BODY_CHUNK);
    let mut sleep_timers = sleep_timers.chunks_mut(BODY_CHUNK);
    let mut sleep_references = sleep_references.chunks_mut(BODY_CHUNK);
    let next_chunk = || {
        Some(BodyChunk {
            first: firsts.next()?,
            states: states.next()?,
            com_poses: com_poses.next()?,
            poses: poses.next()?,
            forces: forces.next()?,
            inverse_inertias: inverse_inertias.next()?,
            sleep_timers: sleep_timers.next()?,
            sleep_references: sleep_references.next()?,
        })
    };
    let mut chunks: Vec<BodyChunk<'_>> = core::iter::from_fn(next_chunk).collect();
    parallel_for(worker_count, MIN_CHUNKS_PER_TASK, &mut chunks, |_, chunks| {
        for chunk in chunks {
            for index in awake_in_range(awake, chunk.first, chunk.com_poses.len()) {
                let data = live_data(data, index);
                let slot = index.to_usize() - chunk.first;
                let (state, pose) = (&mut chunk.states[slot], &mut chunk.com_poses[slot]);
                pose.center_of_mass = clamp_position(pose.center_of_mass + state.delta_position);
                (state.delta_position, state.delta_rotation) = (Vec3::ZERO, Vec3::ZERO);
                clamp_speed(state, max_speed);
                chunk.forces[slot] = ExternalForces::default();
                chunk.poses[slot] = data.shape_pose(pose);
                if !data.mass.is_isotropic {
                    chunk.inverse_inertias[slot] = data.world_inverse_inertia(pose);
                }
                if let Some(time_step) = sleep_time_step {
                    let timer = SleepTimer {
                        seconds: &mut chunk.sleep_timers[slot],
                        reference: &mut chunk.sleep_references[slot],
                    };
                    timer.update(data, state, pose, time_step);
                }
            }
        }
    });
}
