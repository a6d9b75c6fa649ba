//! The simulator: bodies in a `dynamics::World` that is never stepped, and the state of the
//! pipeline.

use embate::dynamics::{
    BodyDef, BodyError, BodyId, BodyMut, BodyType, Clock, ContactEvent, ContactManifold, JointDef,
    JointError, JointId, Settings, SettingsError, SolverKind, StepStats, World,
};
use embate_geom::{Aabb, Pose, Vec3, scalar};

use super::body_state::BodyStates;
use super::candidate_pair::CandidatePair;
use super::config::{Config, ConfigError};
use super::force::AppliedForces;
use super::integrator::LastSteps;
use super::pair_finder::PairFinder;
use super::parts::Parts;

/// Name of this method in files and messages.
const SOLVER_NAME: &str = "baseline";

/// Removed bodies after which the storage frees their broad-phase proxies; at least as many as
/// there are bodies.
const MIN_REMOVALS_TO_COMPACT: usize = 64;

/// A simulation by the published pipeline.
///
/// ```
/// use embate::{Vec3, dynamics::{BodyDef, Settings}, shapes::{Cuboid, Sphere}};
/// use embate_replica::lasch::{Config, Simulator};
///
/// let mut simulator = Simulator::new(Settings::default(), Config::PUBLISHED)?;
/// let floor = Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?;
/// simulator.insert_body(BodyDef::fixed(floor).position(Vec3::Y * -0.5))?;
/// let sphere = BodyDef::dynamic(Sphere::new(0.5)?, 1.0).position(Vec3::Y * 2.0);
/// let sphere = simulator.insert_body(sphere)?;
/// for _ in 0..120 {
///     simulator.step();
/// }
/// let height = simulator.world().body(sphere).unwrap().position().y;
/// assert!((height - 0.5).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulator {
    /// Storage of the bodies; its own bounds are open, since solid ones would be bodies.
    pub(super) world: World,
    pub(super) settings: Settings,
    pub(super) config: Config,
    pub(super) parts: Parts,
    /// Of integrators of several steps.
    pub(super) last_steps: LastSteps,
    pub(super) bodies: BodyStates,
    /// A body was inserted, removed or edited since `bodies` was gathered.
    pub(super) states_are_stale: bool,
    pub(super) pair_finder: PairFinder,
    /// Candidate pairs of the last step, sorted by body index.
    pub(super) pairs: Vec<CandidatePair>,
    pub(super) events: Vec<ContactEvent>,
    /// End events of pairs that an edit removed; emitted with the next step.
    pub(super) ended: Vec<ContactEvent>,
    /// Simulated time, in s.
    pub(super) time: f64,
    pub(super) step_stats: StepStats,
    pub(super) counts_overlap_tests: bool,
    pub(super) overlap_tests: Option<u64>,
    pub(super) clock: Option<Clock>,
    pub(super) forces: AppliedForces,
    removals: usize,
}

impl Simulator {
    /// An empty simulation. Of the settings, sub-steps, restitution threshold, sleeping, workers
    /// and solver have no effect.
    ///
    /// # Errors
    /// [`ConfigError`] if a setting, the tolerance or the sweep axis is out of range.
    pub fn new(settings: Settings, config: Config) -> Result<Self, ConfigError> {
        Self::with_parts(settings, config, Parts::new())
    }

    /// An empty simulation with parts of the user's own, which replace those of the configuration.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn with_parts(
        settings: Settings,
        config: Config,
        parts: Parts,
    ) -> Result<Self, ConfigError> {
        settings.validate()?;
        config.validate()?;
        let world = World::new(storage_settings(settings))?;
        Ok(Self { parts, ..Self::from_world(world, settings, config) })
    }

    /// A simulation of the bodies in `world`, at rest between two steps.
    pub(super) fn from_world(world: World, settings: Settings, config: Config) -> Self {
        Self {
            world,
            settings,
            config,
            parts: Parts::new(),
            last_steps: LastSteps::default(),
            bodies: BodyStates::default(),
            states_are_stale: true,
            pair_finder: PairFinder::default(),
            pairs: Vec::new(),
            events: Vec::new(),
            ended: Vec::new(),
            time: 0.0,
            step_stats: StepStats::default(),
            counts_overlap_tests: false,
            overlap_tests: None,
            clock: None,
            forces: AppliedForces::default(),
            removals: 0,
        }
    }

    /// The bodies: views, queries, energy and momentum. It has no contacts, events, time or bounds
    /// of its own.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Gravity, time step, bounds and thresholds.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Broad phase, integrator, response and tolerance; [parts](Self::with_parts) of the user's own
    /// replace some.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Simulated time, in s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Contacts after the last step, ordered by body index.
    pub fn contacts(&self) -> impl Iterator<Item = ContactManifold> {
        self.pairs.iter().filter_map(CandidatePair::manifold)
    }

    /// Events of the last step, ordered by body index; events of one pair in the order in which
    /// they happened.
    #[must_use]
    pub fn events(&self) -> &[ContactEvent] {
        &self.events
    }

    /// Pair counts and stage times of the last step.
    #[must_use]
    pub fn step_stats(&self) -> &StepStats {
        &self.step_stats
    }

    /// AABB overlap tests of the last step; `None` unless they are
    /// [counted](Self::count_overlap_tests).
    #[must_use]
    pub fn overlap_tests(&self) -> Option<u64> {
        self.overlap_tests
    }

    /// Whether the broad phase counts its overlap tests from now on. Off by default: some
    /// structures are slower when they count.
    pub fn count_overlap_tests(&mut self, count: bool) {
        self.counts_overlap_tests = count;
    }

    /// Times the stages by this clock instead of the system clock.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// AABB of each body for the next step, in the order of `world().bodies()`: with half the
    /// tolerance on every side, extended along the motion of one step. Pairs of these that overlap
    /// are the candidate pairs of the first step, and a few more.
    pub fn swept_aabbs(&self) -> impl Iterator<Item = Aabb<3>> {
        self.world.bodies().map(|body| {
            let mut aabb = body.aabb().loosened(0.5 * self.config.tolerance);
            if body.body_type() != BodyType::Fixed {
                let ahead = body.linear_velocity() * self.settings.time_step;
                for axis in 0..3 {
                    aabb.min[axis] += scalar::min(ahead[axis], 0.0);
                    aabb.max[axis] += scalar::max(ahead[axis], 0.0);
                }
            }
            aabb
        })
    }

    /// Inserts a body.
    ///
    /// # Errors
    /// [`BodyError`] if the definition is invalid; the simulation is unchanged.
    pub fn insert_body(&mut self, def: BodyDef) -> Result<BodyId, BodyError> {
        let id = self.world.insert_body(def)?;
        self.states_are_stale = true;
        self.pair_finder.invalidate_static_bodies();
        Ok(id)
    }

    /// Removes a body and ends its contacts; `false` if there is no such body.
    pub fn remove_body(&mut self, id: BodyId) -> bool {
        if !self.world.remove_body(id) {
            return false;
        }
        self.remove_pairs_where(|pair| pair.ids.contains(&id));
        self.last_steps.remove(id);
        self.states_are_stale = true;
        self.pair_finder.invalidate_static_bodies();
        self.removals += 1;
        if self.removals > self.world.body_count().max(MIN_REMOVALS_TO_COMPACT) {
            // A world frees the proxies of removed bodies when it steps, or when it is restored.
            self.removals = 0;
            let snapshot = self.world.snapshot();
            self.world.restore(&snapshot);
        }
        true
    }

    /// Edits a body by the setters of `edit`; `None` if there is no such body.
    ///
    /// A new pose makes the broad phase update, as [`set_body_pose`](Self::set_body_pose) does; a
    /// new collision filter ends the contacts that it excludes.
    pub fn edit_body<R>(
        &mut self,
        id: BodyId,
        edit: impl FnOnce(&mut BodyMut<'_>) -> R,
    ) -> Option<R> {
        let before = self.world.body(id)?;
        let (pose, filter) = (before.pose(), before.collision_filter());
        let result = edit(&mut self.world.body_mut(id)?);
        self.states_are_stale = true;
        let after = self.world.body(id)?;
        let (is_moved, is_refiltered) = (after.pose() != pose, after.collision_filter() != filter);
        if is_moved {
            self.mark_moved(id);
        }
        if is_refiltered {
            let world = &self.world;
            let excluded: Vec<[BodyId; 2]> = self
                .pairs
                .iter()
                .filter(|pair| pair.ids.contains(&id))
                .filter(|pair| CandidatePair::new(world, pair.ids).is_none())
                .map(|pair| pair.ids)
                .collect();
            self.remove_pairs_where(|pair| excluded.contains(&pair.ids));
        }
        Some(result)
    }

    /// Teleports a body; `None` if there is no such body.
    ///
    /// The inner result is a [`BodyError`] if the pose is not finite or out of range; the
    /// simulation is then unchanged.
    pub fn set_body_pose(&mut self, id: BodyId, pose: Pose) -> Option<Result<(), BodyError>> {
        let result = self.edit_body(id, |body| body.set_pose(pose))?;
        if result.is_ok() {
            self.mark_moved(id);
        }
        Some(result)
    }

    /// Sets gravity.
    ///
    /// # Errors
    /// [`SettingsError`] if it is not finite or out of range; the simulation is unchanged.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), SettingsError> {
        self.world.set_gravity(gravity)?;
        self.settings.gravity = gravity;
        Ok(())
    }

    /// Replaces the applied forces. A snapshot does not contain them: they stay after
    /// [`restore`](Self::restore).
    pub fn set_forces(&mut self, forces: AppliedForces) {
        self.forces = forces;
    }

    /// Sets the worker count of the settings, which a step of this pipeline does not use.
    ///
    /// # Errors
    /// [`SettingsError`] if it is out of range; the simulation is unchanged.
    pub fn set_worker_count(&mut self, workers: u32) -> Result<(), SettingsError> {
        self.world.set_worker_count(workers)?;
        self.settings.worker_count = workers;
        Ok(())
    }

    /// The study has no joints.
    ///
    /// # Errors
    /// Always [`JointError::SolverUnsupported`].
    pub fn insert_joint(&mut self, _: JointDef) -> Result<JointId, JointError> {
        Err(JointError::SolverUnsupported { solver: SOLVER_NAME })
    }

    /// Hash of the state that a step reads: bodies, pairs and the last steps of the integrator. Two
    /// simulators with equal settings, configuration, parts, shapes, masses and hash continue with
    /// equal bits.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash(self.world.state_hash());
        for pair in &self.pairs {
            hash.add(pair.bodies[0]);
            hash.add(pair.bodies[1]);
            hash.add(u32::from(pair.is_touching) + 2 * u32::from(pair.needs_update));
            let Some(contact) = &pair.contact else { continue };
            // The fields of an engine manifold without warm starting, so that recordings of the
            // time when the engine stepped this pipeline replay: fields that are not stored here are
            // 0.
            hash.add_vector(contact.normal);
            hash.add_f32(0.0);
            for point in contact.points() {
                hash.add(point.feature_id);
                hash.add_f32(0.0);
                hash.add_vector(point.position);
                hash.add_f32(point.penetration);
            }
            hash.add_vector(Vec3::ZERO);
            hash.add_f32(0.0);
            hash.add_vector(Vec3::ZERO);
        }
        self.last_steps.visit_valid(&self.world, |body, last| {
            hash.add(body);
            hash.add_vector(last.position);
            hash.add_vector(last.acceleration);
        });
        hash.0
    }

    fn mark_moved(&mut self, id: BodyId) {
        for pair in self.pairs.iter_mut().filter(|pair| pair.ids.contains(&id)) {
            pair.needs_update = true;
        }
        self.pair_finder.invalidate_static_bodies();
    }

    /// Removes pairs; those that touched emit an end event with the next step.
    fn remove_pairs_where(&mut self, is_removed: impl Fn(&CandidatePair) -> bool) {
        let ended = &mut self.ended;
        self.pairs.retain(|pair| {
            let removed = is_removed(pair);
            if removed {
                ended.extend(pair.end_event());
            }
            !removed
        });
    }
}

/// Settings of the storage: solid bounds would be bodies, and the storage is never stepped.
fn storage_settings(settings: Settings) -> Settings {
    Settings { bounds: None, solver: SolverKind::SoftStep, ..settings }
}

/// FNV-1a over 32-bit words with a shift, as the engine hashes its state.
struct StateHash(u64);

impl StateHash {
    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn add_f32(&mut self, value: f32) {
        self.add(value.to_bits());
    }

    fn add_vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|value| self.add_f32(value));
    }
}
