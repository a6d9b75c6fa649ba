//! Step: the order of the stages, as drawn in [`dynamics`](crate::dynamics).

use std::sync::Mutex;

use crate::dynamics::ccd::sensors::sensor_continuous_overlap;
use crate::dynamics::contact_events::{ContactEvent, TouchThresholds, emit_pair_events};
use crate::dynamics::integrator::FreeMotionCheck;
use crate::dynamics::integrator::finalize::finalize_bodies;
use crate::dynamics::parallel::spin_wait::with_spinning_workers;
use crate::dynamics::parallel::worker_pool::{lock, parallel_for};
use crate::dynamics::profile::{Stage, StageTimer, StepStats};
use crate::dynamics::settings::{
    MAX_TIME_STEP, MIN_TIME_STEP, Settings, SettingsError, check_range,
};
use crate::dynamics::solver::StepContext;
use crate::dynamics::solver::contact_constraint::{ContactConstraint, ManifoldKey};
use crate::dynamics::solver_kind::SolverKind;
use crate::dynamics::{island, world::World};

/// Minimum number of pairs per task when impulses are stored and events emitted: below, waking
/// another worker costs more than it saves.
const MIN_EVENT_PAIRS_PER_TASK: usize = 256;
/// Minimum number of awake bodies for which workers spin during the whole step.
const MIN_BODIES_TO_SPIN: usize = 128;

impl World {
    /// Advances the simulation by [`Settings::time_step`].
    pub fn step(&mut self) {
        self.advance(self.settings.time_step);
    }

    /// Advances the simulation by `seconds`. A varying time step is less stable than a constant
    /// one.
    ///
    /// # Errors
    /// [`SettingsError::OutOfRange`] if `seconds` is not in 1e-6..=1; the world is unchanged.
    #[doc(alias = "step_by")]
    pub fn step_with_dt(&mut self, seconds: f32) -> Result<(), SettingsError> {
        check_range("time step", seconds, MIN_TIME_STEP, MAX_TIME_STEP)?;
        self.advance(seconds);
        Ok(())
    }

    fn advance(&mut self, time_step: f32) {
        self.contact_pairs.compact();
        self.events.clear();
        self.events.append(&mut self.ended);
        if self.settings.solver == SolverKind::EventDriven {
            self.step_event_driven(time_step);
        } else {
            self.step_soft(time_step);
        }
        // A stable sort: events of the same two bodies stay in chronological order.
        self.events.sort_by_key(|event| event.bodies().map(|id| id.index));
        self.query_tree.update(&self.bodies, &self.awake);
        self.time += f64::from(time_step);
    }

    fn step_soft(&mut self, time_step: f32) {
        let mut timer = StageTimer::start(self.clock);
        self.collect_awake();
        let spinning_workers = if self.awake.len() < MIN_BODIES_TO_SPIN {
            1
        } else {
            self.settings.worker_count as usize
        };
        with_spinning_workers(spinning_workers, || self.run_stages(time_step, &mut timer));
        self.step_stats.profile = timer.seconds;
    }

    fn run_stages(&mut self, time_step: f32, timer: &mut StageTimer) {
        self.update_contacts(time_step, timer);
        let context = StepContext::new(&self.settings, time_step);
        self.prepare(&context);
        let has_restitution = !(self.restitution_constraints.is_empty() && self.joints.is_empty());
        self.substeps(&StepContext { has_restitution, ..context }, timer);
        self.store_impulses();
        self.solve_continuous(time_step);
        self.emit_events();
        let Settings { enable_sleep, max_linear_speed, worker_count, .. } = self.settings;
        finalize_bodies(
            &mut self.bodies,
            &self.awake,
            max_linear_speed,
            enable_sleep.then_some(time_step),
            worker_count as usize,
        );
        if enable_sleep {
            island::sleep_islands(&mut self.bodies, &self.contact_pairs, &self.joints, &self.awake);
        }
        timer.split(Stage::Solve);
    }

    /// Lists the awake bodies.
    pub(super) fn collect_awake(&mut self) {
        self.awake.clear();
        self.awake.extend(self.bodies.awake().map(|index| index as u32));
    }

    /// Broad phase, narrow phase with speculative contacts, and waking of touched islands.
    pub(super) fn update_contacts(&mut self, time_step: f32, timer: &mut StageTimer) {
        let margin = self.settings.speculative_distance();
        let worker_count = self.settings.worker_count as usize;
        self.broad_phase.update_proxies(&self.bodies, &self.awake, margin, time_step, worker_count);
        let (added, removed) = self.broad_phase.update();
        let events = &mut self.events;
        self.contact_pairs.apply_broad_phase_changes(&self.bodies, added, removed, |pair| {
            events.push(ContactEvent::End { bodies: pair.ids, sensor: pair.sensor });
        });
        timer.split(Stage::BroadPhase);
        let [candidate_pairs, touching_pairs] =
            self.contact_pairs.update_contacts(&self.bodies, margin, time_step, worker_count);
        self.step_stats = StepStats { candidate_pairs, touching_pairs, ..StepStats::default() };
        timer.split(Stage::NarrowPhase);
        if island::wake_touched_islands(&mut self.bodies, &self.contact_pairs, &self.joints) {
            self.collect_awake();
        }
    }

    /// Prepares the contact constraints: assigns graph colors, fills the SIMD blocks, and collects
    /// the constraints with restitution.
    fn prepare(&mut self, context: &StepContext) {
        self.free_motion_checks.clear();
        self.free_motion_checks.resize(self.bodies.data.len(), FreeMotionCheck::default());
        self.constraint_graph.clear(&self.bodies);
        self.restitution_constraints.clear();
        for (pair_index, pair) in (0..).zip(&self.contact_pairs.pairs) {
            if self.constraint_graph.assign_color(pair) && pair.material.restitution > 0.0 {
                for (index, manifold) in (0..).zip(&pair.manifolds) {
                    self.restitution_constraints.push(ContactConstraint::prepare(
                        &self.bodies,
                        context.speculative_distance,
                        ManifoldKey { pair: pair_index, manifold: index },
                        pair,
                        manifold,
                    ));
                }
            }
        }
        let worker_count = self.settings.worker_count as usize;
        self.constraint_graph.prepare(
            &self.bodies,
            &self.contact_pairs.pairs,
            context,
            worker_count,
        );
    }

    /// Stores the solved impulses in the manifolds, for warm starting, events and
    /// [`contacts`](Self::contacts).
    fn store_impulses(&mut self) {
        let Self { contact_pairs, constraint_graph, settings, .. } = self;
        parallel_for(
            settings.worker_count as usize,
            MIN_EVENT_PAIRS_PER_TASK,
            &mut contact_pairs.pairs,
            |first, pairs| {
                for (pair_index, pair) in (first..).zip(pairs) {
                    constraint_graph.store_impulses(pair_index, pair);
                }
            },
        );
        for constraint in &self.restitution_constraints {
            let pair = &mut self.contact_pairs.pairs[constraint.key.pair as usize];
            let manifold = &mut pair.manifolds[constraint.key.manifold as usize];
            for (impulse, point) in manifold.points.iter_mut().zip(&constraint.points) {
                impulse.total_normal_impulse += point.total_normal_impulse;
            }
        }
    }

    /// Detects sensor overlaps along the paths of the bodies, then emits begin, end and hit events.
    pub(super) fn emit_events(&mut self) {
        let Self { bodies, contact_pairs, settings, events, .. } = self;
        let margin = settings.speculative_distance();
        let thresholds = TouchThresholds {
            begin_distance: 0.0,
            end_distance: settings.linear_slop,
            hit_speed: settings.hit_event_threshold,
        };
        // Tasks append in any order; `advance` sorts the events.
        let events = Mutex::new(events);
        parallel_for(
            settings.worker_count as usize,
            MIN_EVENT_PAIRS_PER_TASK,
            &mut contact_pairs.pairs,
            |_, pairs| {
                let mut task_events = Vec::new();
                for pair in pairs {
                    sensor_continuous_overlap(bodies, pair, margin);
                    if pair.needs_update
                        || pair.bodies.iter().any(|&index| bodies.is_awake(index as usize))
                    {
                        emit_pair_events(pair, &thresholds, &mut task_events);
                    }
                }
                lock(&events).append(&mut task_events);
            },
        );
    }
}
