//! Sub-step loop, parallel: the same bits as the serial one.
//!
//! Without joints and restitution, all stages of all sub-steps are run by all workers. Otherwise a
//! leader runs integration, restitution and joints serially, and the workers only share the contact
//! solver.

use std::sync::Mutex;

use crate::dynamics::body::body_data::{BodyData, BodyPose, BodyState};
use crate::dynamics::body::body_index::{BodyIndex, BodyVec};
use crate::dynamics::body::body_set::{
    BODY_CHUNK, BodyArraysMut, BodySet, awake_in_range, live_data,
};
use crate::dynamics::integrator::{
    BodyLoads, SubstepVelocities, integrate_position, integrate_velocity,
};
use crate::dynamics::joint::JointSet;
use crate::dynamics::parallel::worker_pool::{LockedChunks, lock, run_staged, split};
use crate::dynamics::profile::{Stage, StageTimer};
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::constraint_graph::ConstraintGraph;
use crate::dynamics::solver::contact_constraint_simd::ContactConstraint8;
use crate::dynamics::solver::contact_solver::solve;
use crate::dynamics::solver::solver_body::AtomicBodyState;
use crate::dynamics::solver::step_scratch::StepScratch;
use crate::dynamics::solver::substep::{PASSES_BEFORE_INTEGRATION, RELAX_PASSES, Substep};
use crate::dynamics::solver::{SolverPass, StepContext};

/// Minimum number of SIMD constraint blocks that one task solves.
const MIN_CONSTRAINTS_PER_TASK: usize = 4;

/// One stage of the parallel solver. All its tasks run concurrently.
#[derive(Clone, Copy, Debug)]
enum SolverStage {
    /// Copies body states to the shared atomic states.
    StoreStates,
    IntegrateVelocities,
    /// One pass over the constraints of one color.
    Solve(SolverPass, usize),
    IntegratePositions,
    /// Copies the shared atomic states back.
    LoadStates,
}

/// Consecutive bodies that one task integrates.
struct StateChunk<'w> {
    first: usize,
    states: &'w mut [BodyState],
    com_poses: &'w mut [BodyPose],
    substep_velocities: &'w mut [SubstepVelocities],
}

/// All workers run all stages of all sub-steps: for a step without joints and restitution.
pub(super) fn run_parallel(
    bodies: &mut BodySet,
    scratch: &mut StepScratch,
    settings: &Settings,
    context: &StepContext,
    timer: &mut StageTimer,
) {
    let StepScratch {
        constraint_graph, substep_velocities, awake, atomic_states, simd_level, ..
    } = scratch;
    let shared = atomic_states.resize(bodies.slot_count());
    let BodyArraysMut { data, states, com_poses, forces, inverse_inertias, .. } =
        bodies.arrays_mut();
    let worker_count = settings.worker_count as usize;
    let colors = split_colors(constraint_graph, worker_count);
    let chunks: Vec<Mutex<StateChunk<'_>>> = (states.chunks_mut(BODY_CHUNK))
        .zip(com_poses.chunks_mut(BODY_CHUNK))
        .zip(substep_velocities.chunks_mut(BODY_CHUNK))
        .zip((0..).step_by(BODY_CHUNK))
        .map(|(((states, com_poses), substep_velocities), first)| StateChunk {
            first,
            states,
            com_poses,
            substep_velocities,
        })
        .map(Mutex::new)
        .collect();

    let solve_stages = |passes: [SolverPass; 2]| {
        let of_pass = |pass| (0..colors.len()).map(move |color| SolverStage::Solve(pass, color));
        passes.into_iter().flat_map(of_pass)
    };
    let mut substep = vec![SolverStage::IntegrateVelocities];
    substep.extend(solve_stages(PASSES_BEFORE_INTEGRATION));
    substep.push(SolverStage::IntegratePositions);
    substep.extend(solve_stages(RELAX_PASSES));
    let mut stages = vec![SolverStage::StoreStates];
    for _ in 0..settings.substeps {
        stages.extend_from_slice(&substep);
    }
    stages.push(SolverStage::LoadStates);
    let task_counts = stages.iter().map(|stage| match stage {
        SolverStage::Solve(_, color) => colors[*color].len(),
        _ => chunks.len(),
    });

    let run_task = |stage: usize, task: usize| match stages[stage] {
        SolverStage::StoreStates => {
            let StateChunk { first, states, .. } = &*lock(&chunks[task]);
            for (shared, state) in shared[*first..].iter().zip(&**states) {
                shared.store(state);
            }
        }
        SolverStage::Solve(pass, color) => {
            solve(*simd_level, shared, &mut lock(&colors[color][task]), context, pass);
        }
        SolverStage::IntegrateVelocities => {
            for_each_awake(&chunks[task], awake, data, |body, data, chunk| {
                let loads = BodyLoads {
                    forces: &forces[body],
                    inverse_inertia: &inverse_inertias[body],
                    gravity: settings.gravity,
                };
                let velocities = &mut chunk.substep_velocities[body.to_usize() - chunk.first];
                let mut state = shared[body.to_usize()].load_velocities();
                integrate_velocity(data, &loads, &mut state, velocities, context.h);
                velocities.velocity_before_solve = state.linear_velocity;
                shared[body.to_usize()].store_velocities(&state);
            });
        }
        SolverStage::IntegratePositions => {
            for_each_awake(&chunks[task], awake, data, |body, data, chunk| {
                let velocities = chunk.substep_velocities[body.to_usize() - chunk.first];
                let rotation = &mut chunk.com_poses[body.to_usize() - chunk.first].rotation;
                let mut state = shared[body.to_usize()].load();
                integrate_position(
                    data,
                    &mut state,
                    rotation,
                    velocities,
                    settings.max_linear_speed,
                    context.h,
                );
                shared[body.to_usize()].store(&state);
            });
        }
        SolverStage::LoadStates => {
            let StateChunk { first, states, .. } = &mut *lock(&chunks[task]);
            for (shared, state) in shared[*first..].iter().zip(&mut **states) {
                *state = shared.load();
            }
        }
    };
    run_staged(worker_count, task_counts, &run_task, |workers| {
        for substep_index in 0..settings.substeps as usize {
            let begin = 1 + substep_index * substep.len();
            let positions = 1 + PASSES_BEFORE_INTEGRATION.len() * colors.len();
            for (end, stage) in [
                (1, Stage::Integrate),
                (positions, Stage::Solve),
                (positions + 1, Stage::Integrate),
                (substep.len(), Stage::Solve),
            ] {
                workers.advance_to_stage(begin + end);
                timer.split(stage);
            }
        }
        workers.advance_to_stage(stages.len());
    });
}

/// The leader runs integration, restitution and joints; all workers share the contact solver.
pub(super) fn run_with_leader(
    bodies: &mut BodySet,
    joints: &mut JointSet,
    scratch: &mut StepScratch,
    settings: &Settings,
    context: &StepContext,
    timer: &mut StageTimer,
) {
    let StepScratch {
        constraint_graph,
        impact_constraints,
        substep_velocities,
        awake,
        atomic_states,
        simd_level,
    } = scratch;
    let shared = atomic_states.resize(bodies.slot_count());
    // The solver reads sleeping and fixed bodies, too, but does not change them.
    let all = bodies.slot_indices();
    store_states(bodies.states_mut(), shared, all);
    let worker_count = settings.worker_count as usize;
    let colors = split_colors(constraint_graph, worker_count);
    let passes = [PASSES_BEFORE_INTEGRATION, RELAX_PASSES].concat();
    let task_counts = colors.iter().map(Vec::len).cycle();
    let task_counts = task_counts.take(settings.substeps as usize * passes.len() * colors.len());
    let run_task = |stage: usize, task: usize| {
        let pass = passes[stage / colors.len() % passes.len()];
        let mut constraints = lock(&colors[stage % colors.len()][task]);
        solve(*simd_level, shared, &mut constraints, context, pass);
    };
    let mut substep = Substep {
        bodies,
        joints,
        impact_constraints,
        velocities: substep_velocities,
        awake,
        settings,
        context,
    };
    run_staged(worker_count, task_counts, &run_task, |workers| {
        let mut stage = 0;
        for _ in 0..settings.substeps {
            substep.run(timer, |states, passes| {
                store_states(states, shared, awake.iter().copied());
                stage += passes.len() * colors.len();
                workers.advance_to_stage(stage);
                for &body in &*awake {
                    states[body.to_usize()] = shared[body.to_usize()].load();
                }
            });
        }
    });
}

/// Calls `work` for every awake body of a chunk.
fn for_each_awake(
    chunk: &Mutex<StateChunk<'_>>,
    awake: &[BodyIndex],
    data: &BodyVec<Option<BodyData>>,
    work: impl Fn(BodyIndex, &BodyData, &mut StateChunk<'_>),
) {
    let chunk = &mut *lock(chunk);
    for body in awake_in_range(awake, chunk.first, chunk.com_poses.len()) {
        work(body, live_data(data, body), chunk);
    }
}

/// Copies the states of these bodies to the shared states.
fn store_states(
    states: &[BodyState],
    shared: &[AtomicBodyState],
    bodies: impl Iterator<Item = BodyIndex>,
) {
    for body in bodies {
        shared[body.to_usize()].store(&states[body.to_usize()]);
    }
}

/// Splits each color into tasks; the overflow set is one task.
fn split_colors(
    constraint_graph: &mut ConstraintGraph,
    worker_count: usize,
) -> Vec<LockedChunks<'_, ContactConstraint8>> {
    let task_count = |independent| if independent { 2 * worker_count } else { 1 };
    constraint_graph
        .colors_and_overflow()
        .map(|(constraints, independent)| {
            split(constraints, MIN_CONSTRAINTS_PER_TASK, task_count(independent))
        })
        .collect()
}
