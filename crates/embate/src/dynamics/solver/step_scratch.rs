//! Per-step scratch buffers: constraints and other data that live only during a step. Their
//! allocations are reused.

use fearless_simd::Level;

use crate::dynamics::body::body_index::{BodyIndex, BodyVec};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::integrator::SubstepVelocities;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::{MIN_PAIRS_PER_TASK, NarrowPhase};
use crate::dynamics::parallel::worker_pool::parallel_for;
use crate::dynamics::solver::StepContext;
use crate::dynamics::solver::constraint_graph::ConstraintGraph;
use crate::dynamics::solver::contact_constraint::{ContactConstraint, ManifoldKey};
use crate::dynamics::solver::solver_body::AtomicBodyStates;

/// Buffers of a step.
#[derive(Clone, Debug)]
pub(crate) struct StepScratch {
    /// Indices of the awake bodies, sorted.
    pub(crate) awake: Vec<BodyIndex>,
    pub(crate) substep_velocities: BodyVec<SubstepVelocities>,
    /// Contact constraints that are solved as impacts: those with restitution, or, for the
    /// event-driven solver, all of them.
    pub(crate) impact_constraints: Vec<ContactConstraint>,
    /// SIMD constraint blocks by color.
    pub(super) constraint_graph: ConstraintGraph,
    /// Body states that several workers share.
    pub(super) atomic_states: AtomicBodyStates,
    /// SIMD instruction set of this machine.
    pub(crate) simd_level: Level,
}

impl Default for StepScratch {
    fn default() -> Self {
        Self {
            awake: Vec::new(),
            substep_velocities: BodyVec::default(),
            impact_constraints: Vec::new(),
            constraint_graph: ConstraintGraph::default(),
            atomic_states: AtomicBodyStates::default(),
            simd_level: Level::new(),
        }
    }
}

impl StepScratch {
    /// Lists the awake bodies.
    pub(crate) fn collect_awake(&mut self, bodies: &BodySet) {
        self.awake.clear();
        self.awake.extend(bodies.awake());
    }

    /// Removes the impact constraints and the sub-step velocities of the last step.
    pub(crate) fn clear(&mut self, bodies: &BodySet) {
        self.substep_velocities.fill(bodies.slot_count(), SubstepVelocities::default());
        self.impact_constraints.clear();
    }

    /// Prepares one impact constraint for each manifold of a pair.
    pub(crate) fn push_impact_constraints(
        &mut self,
        bodies: &BodySet,
        speculative_distance: f32,
        pair_index: u32,
        pair: &ContactPair,
    ) {
        let manifolds = (0..).zip(pair.manifolds());
        self.impact_constraints.extend(manifolds.map(|(manifold_index, manifold)| {
            let key = ManifoldKey { pair: pair_index, manifold: manifold_index };
            ContactConstraint::prepare(bodies, speculative_distance, key, pair, manifold)
        }));
    }

    /// Prepares the contact constraints: assigns graph colors, collects the constraints with
    /// restitution, and fills the SIMD constraint blocks.
    pub(crate) fn prepare_contacts(
        &mut self,
        bodies: &BodySet,
        pairs: &[ContactPair],
        context: &StepContext,
        worker_count: usize,
    ) {
        self.clear(bodies);
        self.constraint_graph.begin_step(bodies);
        for (pair_index, pair) in (0..).zip(pairs) {
            let is_solved = self.constraint_graph.assign_color(pair);
            if is_solved && pair.material().restitution > 0.0 {
                let distance = context.speculative_distance;
                self.push_impact_constraints(bodies, distance, pair_index, pair);
            }
        }
        self.constraint_graph.prepare(bodies, pairs, context, worker_count);
    }

    /// Stores the solved impulses in the manifolds, for warm starting, events and
    /// [`World::contacts`](crate::dynamics::World::contacts).
    pub(crate) fn store_impulses(&self, narrow_phase: &mut NarrowPhase, worker_count: usize) {
        let pairs = narrow_phase.pairs_mut();
        parallel_for(worker_count, MIN_PAIRS_PER_TASK, pairs, |first, pairs| {
            for (pair_index, pair) in (first..).zip(pairs) {
                self.constraint_graph.store_impulses(pair_index, pair);
            }
        });
        // Impulses of impacts add to those of the passes, which the graph has just stored.
        for constraint in &self.impact_constraints {
            let manifold = narrow_phase.manifold_mut(constraint.key);
            for (impulse, point) in manifold.points.iter_mut().zip(&constraint.points) {
                impulse.total_normal_impulse += point.total_normal_impulse;
            }
        }
    }
}
