//! Sub-step loop: choice of serial or parallel, and the stages of one sub-step.

use crate::dynamics::body::body_data::BodyState;
use crate::dynamics::body::body_index::{BodyIndex, BodyVec};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::integrator::{self, SubstepVelocities};
use crate::dynamics::joint::JointSet;
use crate::dynamics::parallel::worker_pool::is_parallel;
use crate::dynamics::profile::{Stage, StageTimer};
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::contact_constraint::ContactConstraint;
use crate::dynamics::solver::contact_solver::solve;
use crate::dynamics::solver::step_scratch::StepScratch;
use crate::dynamics::solver::{SolverPass, StepContext, restitution, substep_parallel};

/// Passes of a sub-step before positions are integrated.
pub(crate) const PASSES_BEFORE_INTEGRATION: [SolverPass; 2] =
    [SolverPass::WarmStart, SolverPass::SolveWithBias];
/// Passes of a sub-step after positions were integrated. One is enough for stacks and pyramids; a
/// seven-level house of cards needs two.
pub(crate) const RELAX_PASSES: [SolverPass; 2] = [
    SolverPass::Relax { updates_separations: true, adds_totals: false },
    SolverPass::Relax { updates_separations: false, adds_totals: true },
];

/// Minimum number of SIMD constraint blocks for which more than one worker is used.
const MIN_PARALLEL_CONSTRAINTS: usize = 64;

/// Runs all sub-steps of a step.
pub(crate) fn run_substeps(
    bodies: &mut BodySet,
    joints: &mut JointSet,
    scratch: &mut StepScratch,
    settings: &Settings,
    context: &StepContext,
    timer: &mut StageTimer,
) {
    let parallel = is_parallel(settings.worker_count as usize)
        && scratch.constraint_graph.len() >= MIN_PARALLEL_CONSTRAINTS;
    timer.split(Stage::Solve);
    match parallel {
        false => run_serial(bodies, joints, scratch, settings, context, timer),
        true if joints.is_empty() && scratch.impact_constraints.is_empty() => {
            substep_parallel::run_parallel(bodies, scratch, settings, context, timer);
        }
        true => {
            substep_parallel::run_with_leader(bodies, joints, scratch, settings, context, timer);
        }
    }
}

fn run_serial(
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
        simd_level,
        ..
    } = scratch;
    let mut substep = Substep {
        bodies,
        joints,
        impact_constraints,
        velocities: substep_velocities,
        awake,
        settings,
        context,
    };
    for _ in 0..settings.substeps {
        substep.run(timer, |states, passes| {
            for &pass in passes {
                for (constraints, _) in constraint_graph.colors_and_overflow() {
                    solve(*simd_level, &mut *states, constraints, context, pass);
                }
            }
        });
    }
}

/// State of a sub-step, except for the contact constraints.
pub(crate) struct Substep<'w> {
    pub(crate) bodies: &'w mut BodySet,
    pub(crate) joints: &'w mut JointSet,
    pub(crate) impact_constraints: &'w mut [ContactConstraint],
    pub(crate) velocities: &'w mut BodyVec<SubstepVelocities>,
    pub(crate) awake: &'w [BodyIndex],
    pub(crate) settings: &'w Settings,
    pub(crate) context: &'w StepContext,
}

impl Substep<'_> {
    /// Runs one sub-step. `solve` runs passes over all contact constraints:
    /// [`PASSES_BEFORE_INTEGRATION`], then [`RELAX_PASSES`].
    pub(crate) fn run(
        &mut self,
        timer: &mut StageTimer,
        mut solve: impl FnMut(&mut [BodyState], &[SolverPass]),
    ) {
        let Self { bodies, joints, impact_constraints, velocities, awake, settings, context } =
            self;
        integrator::integrate_velocities(bodies, awake, velocities, settings.gravity, context.h);
        timer.split(Stage::Integrate);
        restitution::apply_restitution(bodies, impact_constraints, velocities, context);
        integrator::record_presolve_velocity(bodies, awake, velocities);
        if joints.is_empty() {
            solve(bodies.states_mut(), &PASSES_BEFORE_INTEGRATION);
        } else {
            joints.prepare_and_warm_start(bodies, context);
            // One joint iteration after each contact pass: two with bias per sub-step; two more
            // relax.
            for pass in PASSES_BEFORE_INTEGRATION {
                solve(bodies.states_mut(), &[pass]);
                joints.solve_with_bias(bodies, context);
            }
        }
        timer.split(Stage::Solve);
        integrator::integrate_positions(bodies, awake, velocities, settings, context.h);
        timer.split(Stage::Integrate);
        if joints.is_empty() {
            solve(bodies.states_mut(), &RELAX_PASSES);
        } else {
            joints.update_after_integration(bodies, context);
            for pass in RELAX_PASSES {
                joints.relax(bodies, context);
                solve(bodies.states_mut(), &[pass]);
            }
        }
        timer.split(Stage::Solve);
    }
}
