//! World of a scene: an engine world or a Lasch simulator, behind one interface.
//!
//! Both store their bodies in a `dynamics::World` ([`SceneWorld::world`]): body views, queries,
//! energy and momentum are read there. What differs between the two goes through [`SceneWorld`]:
//! stepping, contacts, events, hashes, edits and snapshots.

mod forces;
mod method;
mod snapshot;

use embate::dynamics::{
    Body, BodyDef, BodyError, BodyId, BodyMut, Clock, ContactEvent, ContactManifold, JointDef,
    JointError, JointId, Settings, SettingsError, StepStats, World,
};
use embate::{Aabb, Pose, Vec3};
use embate_replica::lasch::{AppliedForces, ConfigError, Simulator};

pub use method::Method;
pub use snapshot::{SceneSnapshot, SceneSnapshotError};

/// A world that a scene runs in.
#[derive(Clone, Debug)]
pub struct SceneWorld {
    kind: Kind,
    clock: Option<Clock>,
    counts_overlap_tests: bool,
    forces: AppliedForces,
}

#[derive(Clone, Debug)]
enum Kind {
    Engine(Box<World>),
    Lasch(Box<Simulator>),
}

impl SceneWorld {
    /// An empty world. `settings.solver` is replaced by the solver of `method`.
    ///
    /// # Errors
    /// [`ConfigError`] if a setting, or a value of the method, is out of range.
    pub fn new(settings: Settings, method: Method) -> Result<Self, ConfigError> {
        Ok(Self::of(match method {
            Method::Engine(solver) => {
                Kind::Engine(Box::new(World::new(Settings { solver, ..settings })?))
            }
            Method::Lasch(config) => Kind::Lasch(Box::new(Simulator::new(settings, config)?)),
        }))
    }

    fn of(kind: Kind) -> Self {
        Self { kind, clock: None, counts_overlap_tests: false, forces: AppliedForces::default() }
    }

    /// The engine world that stores the bodies: for body views, joints, queries, energy and
    /// momentum. That of a Lasch simulator is never stepped, and has no contacts, events or bounds.
    #[must_use]
    pub fn world(&self) -> &World {
        match &self.kind {
            Kind::Engine(world) => world,
            Kind::Lasch(simulator) => simulator.world(),
        }
    }

    /// A body; `None` if it was removed.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<Body<'_>> {
        self.world().body(id)
    }

    /// Every body, by ascending index.
    pub fn bodies(&self) -> impl Iterator<Item = Body<'_>> {
        self.world().bodies()
    }

    /// The settings, with the bounds.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        match &self.kind {
            Kind::Engine(world) => world.settings(),
            Kind::Lasch(simulator) => simulator.settings(),
        }
    }

    /// Solver of the world.
    #[must_use]
    pub fn method(&self) -> Method {
        match &self.kind {
            Kind::Engine(world) => Method::Engine(world.settings().solver),
            Kind::Lasch(simulator) => Method::Lasch(*simulator.config()),
        }
    }

    /// Simulated time, in s.
    #[must_use]
    pub fn time(&self) -> f64 {
        match &self.kind {
            Kind::Engine(world) => world.time(),
            Kind::Lasch(simulator) => simulator.time(),
        }
    }

    /// Advances by the time step of the settings.
    pub fn step(&mut self) {
        match &mut self.kind {
            Kind::Engine(world) => {
                forces::apply(world, &self.forces);
                world.step();
            }
            Kind::Lasch(simulator) => simulator.step(),
        }
    }

    /// Total energy, kinetic and potential, in J: that of the bodies, and their potential energy in
    /// the [forces](Self::set_forces) that act in the next step.
    #[must_use]
    pub fn total_energy(&self) -> f64 {
        let next = self.time() + 0.5 * f64::from(self.settings().time_step);
        self.world().total_energy() + self.forces.potential_energy(self.world(), next)
    }

    /// Contacts after the last step, ordered by body index.
    pub fn contacts(&self) -> impl Iterator<Item = ContactManifold> {
        let (engine, lasch) = match &self.kind {
            Kind::Engine(world) => (Some(world.contacts()), None),
            Kind::Lasch(simulator) => (None, Some(simulator.contacts())),
        };
        engine.into_iter().flatten().chain(lasch.into_iter().flatten())
    }

    /// Events of the last step.
    #[must_use]
    pub fn events(&self) -> &[ContactEvent] {
        match &self.kind {
            Kind::Engine(world) => world.events(),
            Kind::Lasch(simulator) => simulator.events(),
        }
    }

    /// Pair counts and stage times of the last step.
    #[must_use]
    pub fn step_stats(&self) -> &StepStats {
        match &self.kind {
            Kind::Engine(world) => world.step_stats(),
            Kind::Lasch(simulator) => simulator.step_stats(),
        }
    }

    /// AABB overlap tests of the last step; `None` unless a Lasch simulator
    /// [counts](Self::count_overlap_tests) them.
    #[must_use]
    pub fn overlap_tests(&self) -> Option<u64> {
        match &self.kind {
            Kind::Engine(_) => None,
            Kind::Lasch(simulator) => simulator.overlap_tests(),
        }
    }

    /// Hash of the state that a step reads.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        match &self.kind {
            Kind::Engine(world) => world.state_hash(),
            Kind::Lasch(simulator) => simulator.state_hash(),
        }
    }

    /// AABB of each body within which the next step looks for pairs, in the order of
    /// [`bodies`](Self::bodies).
    pub fn candidate_aabbs(&self) -> impl Iterator<Item = Aabb<3>> {
        let (engine, lasch) = match &self.kind {
            Kind::Engine(world) => (Some(world.fat_aabbs()), None),
            Kind::Lasch(simulator) => (None, Some(simulator.swept_aabbs())),
        };
        engine.into_iter().flatten().chain(lasch.into_iter().flatten())
    }

    /// Inserts a body.
    ///
    /// # Errors
    /// [`BodyError`] if the definition is invalid; the world is unchanged.
    pub fn insert_body(&mut self, def: BodyDef) -> Result<BodyId, BodyError> {
        match &mut self.kind {
            Kind::Engine(world) => world.insert_body(def),
            Kind::Lasch(simulator) => simulator.insert_body(def),
        }
    }

    /// Removes a body; `false` if there is none.
    pub fn remove_body(&mut self, id: BodyId) -> bool {
        match &mut self.kind {
            Kind::Engine(world) => world.remove_body(id),
            Kind::Lasch(simulator) => simulator.remove_body(id),
        }
    }

    /// Edits a body by the setters of `edit`, except its pose; `None` if there is none.
    pub fn edit_body<R>(
        &mut self,
        id: BodyId,
        edit: impl FnOnce(&mut BodyMut<'_>) -> R,
    ) -> Option<R> {
        match &mut self.kind {
            Kind::Engine(world) => world.body_mut(id).map(|mut body| edit(&mut body)),
            Kind::Lasch(simulator) => simulator.edit_body(id, edit),
        }
    }

    /// Teleports a body; `None` if there is none.
    pub fn set_body_pose(&mut self, id: BodyId, pose: Pose) -> Option<Result<(), BodyError>> {
        match &mut self.kind {
            Kind::Engine(world) => world.body_mut(id).map(|mut body| body.set_pose(pose)),
            Kind::Lasch(simulator) => simulator.set_body_pose(id, pose),
        }
    }

    /// Inserts a joint.
    ///
    /// # Errors
    /// [`JointError`]; always of a Lasch simulator, which has no joints.
    pub fn insert_joint(&mut self, def: JointDef) -> Result<JointId, JointError> {
        match &mut self.kind {
            Kind::Engine(world) => world.insert_joint(def),
            Kind::Lasch(simulator) => simulator.insert_joint(def),
        }
    }

    /// Sets gravity.
    ///
    /// # Errors
    /// [`SettingsError`] if it is out of range; the world is unchanged.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), SettingsError> {
        match &mut self.kind {
            Kind::Engine(world) => world.set_gravity(gravity),
            Kind::Lasch(simulator) => simulator.set_gravity(gravity),
        }
    }

    /// Replaces the applied forces. A snapshot does not contain them: they stay after
    /// [`restore`](Self::restore).
    ///
    /// A Lasch simulator evaluates them as its integrator requires. An engine world evaluates them
    /// once per step, at the position in the middle of the step (leapfrog).
    pub fn set_forces(&mut self, forces: AppliedForces) {
        self.forces = forces;
        self.apply_options();
    }

    /// Sets the number of workers, which changes no bit.
    ///
    /// # Errors
    /// [`SettingsError`] if it is out of range; the world is unchanged.
    pub fn set_worker_count(&mut self, workers: u32) -> Result<(), SettingsError> {
        match &mut self.kind {
            Kind::Engine(world) => world.set_worker_count(workers),
            Kind::Lasch(simulator) => simulator.set_worker_count(workers),
        }
    }

    /// Times the stages by this clock instead of the system clock.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
        self.apply_options();
    }

    /// Whether a Lasch simulator counts its overlap tests from now on.
    pub fn count_overlap_tests(&mut self, count: bool) {
        self.counts_overlap_tests = count;
        self.apply_options();
    }

    fn apply_options(&mut self) {
        match &mut self.kind {
            Kind::Engine(world) => {
                if let Some(clock) = self.clock {
                    world.set_clock(clock);
                }
            }
            Kind::Lasch(simulator) => {
                simulator.count_overlap_tests(self.counts_overlap_tests);
                simulator.set_forces(self.forces.clone());
                if let Some(clock) = self.clock {
                    simulator.set_clock(clock);
                }
            }
        }
    }

    /// The current state.
    #[must_use]
    pub fn snapshot(&self) -> SceneSnapshot {
        match &self.kind {
            Kind::Engine(world) => SceneSnapshot::Engine(Box::new(world.snapshot())),
            Kind::Lasch(simulator) => SceneSnapshot::Lasch(Box::new(simulator.snapshot())),
        }
    }

    /// Returns to a snapshot, also to one of the other kind of world: a scene may have changed its
    /// method since.
    pub fn restore(&mut self, snapshot: &SceneSnapshot) {
        match (&mut self.kind, snapshot) {
            (Kind::Engine(world), SceneSnapshot::Engine(snapshot)) => world.restore(snapshot),
            (Kind::Lasch(simulator), SceneSnapshot::Lasch(snapshot)) => simulator.restore(snapshot),
            (_, SceneSnapshot::Engine(snapshot)) => {
                self.kind = Kind::Engine(Box::new(World::from_snapshot(snapshot)));
                self.apply_options();
            }
            (_, SceneSnapshot::Lasch(snapshot)) => {
                self.kind = Kind::Lasch(Box::new(Simulator::from_snapshot(snapshot)));
                self.apply_options();
            }
        }
    }

    /// A world in the state of `snapshot`.
    #[must_use]
    pub fn from_snapshot(snapshot: &SceneSnapshot) -> Self {
        Self::of(match snapshot {
            SceneSnapshot::Engine(snapshot) => {
                Kind::Engine(Box::new(World::from_snapshot(snapshot)))
            }
            SceneSnapshot::Lasch(snapshot) => {
                Kind::Lasch(Box::new(Simulator::from_snapshot(snapshot)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use embate::dynamics::SolverKind;
    use embate::shapes::Sphere;
    use embate_replica::lasch::Config;

    use super::*;

    #[test]
    fn world_restores_a_snapshot_of_the_other_solver_and_keeps_its_options() {
        let methods = [Method::Engine(SolverKind::SoftStep), Method::Lasch(Config::PUBLISHED)];
        let [mut engine, mut lasch] = methods.map(|method| {
            let mut world = SceneWorld::new(Settings::default(), method).unwrap();
            world.insert_body(BodyDef::dynamic(Sphere::new(0.5).unwrap(), 1.0)).unwrap();
            world.count_overlap_tests(true);
            world.set_clock(|| 5.0);
            world.step();
            world
        });
        let snapshots = [engine.snapshot(), lasch.snapshot()];
        let hashes = [engine.state_hash(), lasch.state_hash()];
        engine.restore(&snapshots[1]);
        lasch.restore(&snapshots[0]);
        assert_eq!((engine.state_hash(), lasch.state_hash()), (hashes[1], hashes[0]));
        assert_eq!((engine.method(), lasch.method()), (methods[1], methods[0]));
        engine.step();
        assert_eq!(engine.overlap_tests(), Some(0));
        assert_eq!(engine.step_stats().profile.total(), 0.0, "the clock stands still");
    }

    #[test]
    fn snapshots_of_both_solvers_round_trip_through_bytes() {
        for method in [Method::Engine(SolverKind::EventDriven), Method::Lasch(Config::PUBLISHED)] {
            let mut world = SceneWorld::new(Settings::default(), method).unwrap();
            world.insert_body(BodyDef::dynamic(Sphere::new(0.5).unwrap(), 1.0)).unwrap();
            world.step();
            let snapshot = SceneSnapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
            let mut other = SceneWorld::from_snapshot(&snapshot);
            assert_eq!(other.method(), method);
            world.step();
            other.step();
            assert_eq!((other.state_hash(), other.time()), (world.state_hash(), world.time()));
        }
        assert!(SceneSnapshot::from_bytes(b"EMBL").is_err());
        assert!(SceneSnapshot::from_bytes(b"other").is_err());
    }
}
