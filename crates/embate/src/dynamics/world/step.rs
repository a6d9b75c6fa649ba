//! Step: the order of the stages, as drawn in [`dynamics`](crate::dynamics).

use crate::dynamics::integrator::finalize::finalize_bodies;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::parallel::spin_wait::with_spinning_workers;
use crate::dynamics::profile::{PairCounts, Stage, StageTimer};
use crate::dynamics::quantity::Quantity;
use crate::dynamics::settings::{
    MAX_TIME_STEP, MIN_TIME_STEP, Settings, SettingsError, check_range,
};
use crate::dynamics::solver::StepContext;
use crate::dynamics::solver::substep::run_substeps;
use crate::dynamics::solver_kind::SolverKind;
use crate::dynamics::world::World;
use crate::dynamics::{ccd, event_driven, island};
use crate::narrow_phase::SeparatingAxis;

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
        check_range(Quantity::TimeStep, seconds, MIN_TIME_STEP, MAX_TIME_STEP)?;
        self.advance(seconds);
        Ok(())
    }

    fn advance(&mut self, time_step: f32) {
        self.narrow_phase.compact();
        self.events.begin_step();
        let mut timer = self.profile.start_timer();
        let counts = match self.settings.solver {
            SolverKind::SoftStep => self.step_soft(time_step, &mut timer),
            SolverKind::EventDriven => self.step_event_driven(time_step, &mut timer),
        };
        self.profile.finish_step(counts, &timer);
        self.events.end_step();
        self.query_tree.update(&self.bodies, &self.scratch.awake);
        self.time += f64::from(time_step);
    }

    fn step_soft(&mut self, time_step: f32, timer: &mut StageTimer) -> PairCounts {
        self.scratch.collect_awake(&self.bodies);
        let few_bodies = self.scratch.awake.len() < MIN_BODIES_TO_SPIN;
        let spinning_workers = if few_bodies { 1 } else { self.settings.worker_count as usize };
        let mut counts = PairCounts::default();
        with_spinning_workers(spinning_workers, || {
            counts = self.run_soft_step_stages(time_step, timer);
        });
        counts
    }

    /// The stages of a step of the soft-step solver.
    fn run_soft_step_stages(&mut self, time_step: f32, timer: &mut StageTimer) -> PairCounts {
        let counts = self.detect_collisions(time_step, timer);
        let context = StepContext::new(&self.settings, time_step);
        let worker_count = self.settings.worker_count as usize;
        let pairs = self.narrow_phase.pairs();
        self.scratch.prepare_contacts(&self.bodies, pairs, &context, worker_count);
        let updates_separations_before_solve =
            !(self.scratch.impact_constraints.is_empty() && self.joints.is_empty());
        run_substeps(
            &mut self.bodies,
            &mut self.joints,
            &mut self.scratch,
            &self.settings,
            &StepContext { updates_separations_before_solve, ..context },
            timer,
        );
        self.scratch.store_impulses(&mut self.narrow_phase, worker_count);
        self.run_continuous_and_emit_events(time_step);
        let enable_sleep = self.settings.enable_sleep;
        self.finalize_bodies(enable_sleep.then_some(time_step));
        if enable_sleep {
            let awake = &self.scratch.awake;
            island::sleep_islands(&mut self.bodies, &self.narrow_phase, &self.joints, awake);
        }
        timer.split(Stage::Solve);
        counts
    }

    /// The stages of a step of the event-driven solver: each sub-step finds its own contacts.
    fn step_event_driven(&mut self, time_step: f32, timer: &mut StageTimer) -> PairCounts {
        let h = time_step / self.settings.substeps as f32;
        let forces = self.bodies.all_forces().clone();
        let mut counts = PairCounts::default();
        for substep in 0..self.settings.substeps {
            if substep > 0 {
                self.bodies.set_all_forces(&forces);
            }
            self.scratch.collect_awake(&self.bodies);
            counts += self.detect_collisions(h, timer);
            event_driven::solve_substep(
                &mut self.bodies,
                &mut self.narrow_phase,
                &mut self.scratch,
                &self.settings,
                h,
                timer,
            );
            self.run_continuous_and_emit_events(h);
            self.finalize_bodies(None);
            timer.split(Stage::Solve);
        }
        counts
    }

    /// Broad phase, narrow phase, speculative contacts, and waking of touched islands.
    fn detect_collisions(&mut self, time_step: f32, timer: &mut StageTimer) -> PairCounts {
        let Self { settings, bodies, broad_phase, narrow_phase, joints, events, scratch, .. } =
            self;
        let distance = settings.speculative_distance();
        let worker_count = settings.worker_count as usize;
        broad_phase.update_proxies(bodies, &scratch.awake, distance, time_step, worker_count);
        let changes = broad_phase.update();
        narrow_phase.apply_broad_phase_changes(bodies, changes, |pair| events.end_pair(pair));
        timer.split(Stage::BroadPhase);
        let add_speculative_contacts = |pair: &mut ContactPair, axis: &SeparatingAxis| {
            ccd::add_speculative_contacts(bodies, pair, axis, distance, time_step);
        };
        let counts = narrow_phase.update_contacts(
            bodies,
            distance,
            time_step,
            worker_count,
            add_speculative_contacts,
        );
        timer.split(Stage::NarrowPhase);
        if island::wake_touched_islands(bodies, narrow_phase, joints) {
            scratch.collect_awake(bodies);
        }
        counts
    }

    /// Continuous collision after the solver, sensor overlaps, and contact events. The profile
    /// counts them as [`Stage::Solve`].
    fn run_continuous_and_emit_events(&mut self, time_step: f32) {
        let Self { settings, bodies, broad_phase, narrow_phase, events, scratch, .. } = self;
        let distance = settings.speculative_distance();
        let worker_count = settings.worker_count as usize;
        let awake = &scratch.awake;
        ccd::solve_continuous(bodies, awake, broad_phase, narrow_phase, settings, time_step);
        ccd::sensor_overlaps(bodies, narrow_phase, distance, worker_count);
        events.emit(bodies, narrow_phase, settings);
    }

    /// Applies the displacements of the step. Sleep timers advance by `sleep_time_step` unless that
    /// is `None`. The profile counts it as [`Stage::Solve`].
    fn finalize_bodies(&mut self, sleep_time_step: Option<f32>) {
        let Settings { max_linear_speed, worker_count, .. } = self.settings;
        let (bodies, awake) = (&mut self.bodies, &self.scratch.awake);
        finalize_bodies(bodies, awake, max_linear_speed, sleep_time_step, worker_count as usize);
    }
}
