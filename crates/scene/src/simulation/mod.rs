//! Simulation of a scene: stepping, recording and replay.
//!
//! ```text
//! Scene ──Simulation::new──► step ──► outcome: poses, energy, momentum, state hash
//!                              │
//!                              └──Recording──► file: the scene, and a hash per step
//!                                                └──replay──► same hashes, or the first step that differs
//! ```

pub mod advice;
mod checkpoint;
mod error;
mod recording;
mod recording_text;
mod replay;
pub mod series;

use embate::Vec3;
use embate::dynamics::{ContactManifold, MAX_WORKERS, Settings};
use serde::{Deserialize, Serialize};

pub use error::RecordingError;
pub use recording::Recording;
pub use recording_text::{Recorded, RecordedError};
pub use replay::{Departure, Replay};

use crate::scene_file::Scene;
use crate::scene_world::{SceneSnapshot, SceneWorld};

/// A running simulation of a scene.
#[derive(Debug)]
pub struct Simulation<'a> {
    scene: &'a Scene,
    world: SceneWorld,
    sums: Totals,
}

/// Totals over the steps, which do not follow from the current state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Totals {
    steps: u32,
    began_with: f64,
    deepest: f32,
    contacts: u64,
    pairs: u64,
    /// `None` where the broad phase does not count.
    tests: Option<u64>,
    seconds: f64,
}

/// State of a scene after some steps, with statistics over the steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Number of steps.
    pub steps: u32,
    /// Simulated time, in seconds.
    pub time: f64,
    /// Hash of the exact state of all bodies.
    pub state_hash: u64,
    /// Total energy, kinetic and potential, in J.
    pub energy: f64,
    /// Total energy before the first step, in J.
    pub energy_at_start: f64,
    /// Linear momentum, in N·s.
    pub momentum: [f64; 3],
    /// Angular momentum about the origin, in kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Maximum penetration after the last step, in meters.
    pub max_penetration: f32,
    /// Mean penetration over the contact points after the last step, in meters; separated points
    /// count as 0.
    pub mean_penetration: f32,
    /// Maximum penetration after any step, in meters.
    pub max_penetration_ever: f32,
    /// Number of contact points after the last step.
    pub contacts: usize,
    /// Mean number of contact points over the steps.
    pub contacts_per_step: f64,
    /// Mean number of candidate pairs over the steps.
    pub pairs_per_step: f64,
    /// Mean number of overlap tests of the broad phase over the steps; `None` for a broad
    /// phase without a counter.
    pub tests_per_step: Option<f64>,
    /// Number of sleeping bodies.
    pub asleep: usize,
    /// State of every body, in the order of the scene.
    pub bodies: Vec<BodyState>,
}

/// Pose and velocity of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// Name, if the body has one.
    pub name: Option<String>,
    /// Position of the shape's origin, in meters.
    pub position: [f32; 3],
    /// Orientation as a quaternion `[x, y, z, w]`.
    pub orientation: [f32; 4],
    /// Velocity of the center of mass, in m/s.
    pub velocity: [f32; 3],
    /// Angular velocity, in rad/s.
    pub angular_velocity: [f32; 3],
    /// Whether the body is asleep.
    pub asleep: bool,
    /// Indices of the overlapping bodies, if the body is a sensor.
    pub senses: Option<Vec<usize>>,
}

impl<'a> Simulation<'a> {
    /// Simulation of a scene at its initial state.
    #[must_use]
    pub fn new(scene: &'a Scene) -> Self {
        Self::of(scene, scene.world())
    }

    /// Simulation of a scene on `threads` threads, at most [`MAX_WORKERS`]. Results are independent
    /// of the number of threads.
    #[must_use]
    pub fn on_threads(scene: &'a Scene, threads: usize) -> Self {
        let threads = threads.clamp(1, MAX_WORKERS as usize) as u32;
        let settings = Settings { worker_count: threads, ..scene.settings };
        // A scene that exists is a world that can be made.
        Self::of(scene, scene.world_with(settings, scene.method).unwrap_or_else(|_| scene.world()))
    }

    fn of(scene: &'a Scene, mut world: SceneWorld) -> Self {
        world.count_overlap_tests(true);
        let sums = Totals { began_with: world.total_energy(), ..Totals::default() };
        Self { scene, world, sums }
    }

    /// Continues from the state of an earlier run of the same scene, with the current number of
    /// threads.
    fn resume(&mut self, sums: Totals, snapshot: &SceneSnapshot) {
        let threads = self.world.settings().worker_count;
        self.world.restore(snapshot);
        // A world that has this number of threads may have it again.
        let _ = self.world.set_worker_count(threads);
        self.sums = sums;
    }

    /// Current world.
    #[must_use]
    pub fn world(&self) -> &SceneWorld {
        &self.world
    }

    /// Computing time of the steps in seconds, without hashes, depths and totals.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.sums.seconds
    }

    /// Number of steps done.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.sums.steps
    }

    /// Advances by a step and returns the state hash after it.
    pub fn step(&mut self) -> u64 {
        self.world.step();
        let (depths, step, sums) =
            (Depths::of(&self.world), self.world.step_stats(), &mut self.sums);
        sums.steps += 1;
        sums.contacts += depths.contacts as u64;
        sums.pairs += step.candidate_pairs;
        sums.seconds += step.profile.total();
        sums.tests = self.world.overlap_tests().map(|tests| sums.tests.unwrap_or(0) + tests);
        if depths.max > sums.deepest {
            sums.deepest = depths.max;
        }
        self.world.state_hash()
    }

    /// Current state and statistics.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let world = &self.world;
        let (depths, sums) = (Depths::of(world), &self.sums);
        let steps = f64::from(sums.steps.max(1));
        let bodies = self.scene.ids().iter().zip(&self.scene.bodies);
        let sensed = self.sensed();
        let bodies = bodies.enumerate().filter_map(|(number, (&id, body))| {
            let state = world.body(id)?;
            let senses =
                || sensed.iter().filter(|(sensor, _)| *sensor == number).map(|&(_, who)| who);
            Some(BodyState {
                name: body.name.clone(),
                position: plain(state.position()),
                orientation: state.pose().rotation.to_array().map(|part| part + 0.0),
                velocity: plain(state.linear_velocity()),
                angular_velocity: plain(state.angular_velocity()),
                asleep: state.is_sleeping(),
                senses: body.is_sensor.then(|| senses().collect()),
            })
        });
        let bodies: Vec<BodyState> = bodies.collect();
        Outcome {
            steps: sums.steps,
            time: world.time(),
            state_hash: world.state_hash(),
            energy: world.total_energy(),
            energy_at_start: sums.began_with,
            momentum: world.world().linear_momentum().into(),
            angular_momentum: world.world().angular_momentum().into(),
            max_penetration: depths.max,
            mean_penetration: depths.mean(),
            max_penetration_ever: sums.deepest,
            contacts: depths.contacts,
            contacts_per_step: sums.contacts as f64 / steps,
            pairs_per_step: sums.pairs as f64 / steps,
            tests_per_step: sums.tests.map(|tests| tests as f64 / steps),
            asleep: bodies.iter().filter(|body| body.asleep).count(),
            bodies,
        }
    }
}

impl Simulation<'_> {
    /// Current sensor overlaps as pairs of body indices: sensor first, sorted, each once.
    fn sensed(&self) -> Vec<(usize, usize)> {
        let bodies = &self.scene.bodies;
        if !bodies.iter().any(|body| body.is_sensor) {
            return Vec::new();
        }
        let number = |id| self.scene.ids().iter().position(|&other| other == id);
        let touching = self.world.contacts().filter(|contact| is_sensed(&self.world, contact));
        let both_ways = touching.flat_map(|contact| {
            let [a, b] = contact.bodies.map(number);
            [a.zip(b), b.zip(a)].into_iter().flatten()
        });
        let mut sensed: Vec<(usize, usize)> =
            both_ways.filter(|&(sensor, _)| bodies[sensor].is_sensor).collect();
        sensed.sort_unstable();
        sensed.dedup();
        sensed
    }
}

/// Whether either body of a contact is a sensor, which applies no forces.
fn is_sensed(world: &SceneWorld, contact: &ContactManifold) -> bool {
    contact.bodies.iter().any(|&id| world.body(id).is_some_and(|body| body.is_sensor()))
}

impl Outcome {
    /// Index in the scene of the first body with a non-finite pose or velocity.
    #[must_use]
    pub fn first_lost(&self) -> Option<usize> {
        self.bodies.iter().position(|body| {
            let motion = body.velocity.iter().chain(&body.angular_velocity);
            !body
                .position
                .iter()
                .chain(&body.orientation)
                .chain(motion)
                .all(|value| value.is_finite())
        })
    }
}

/// Penetration depths of the contact points of a world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depths {
    /// Number of contact points.
    pub contacts: usize,
    /// Maximum penetration, in meters.
    pub max: f32,
    sum: f64,
}

impl Depths {
    /// Depths of all contact points except those of sensors. Separated points count as 0.
    #[must_use]
    pub fn of(world: &SceneWorld) -> Self {
        let mut depths = Self::default();
        for contact in world.contacts().filter(|contact| !is_sensed(world, contact)) {
            for point in contact.points() {
                depths.contacts += 1;
                if point.penetration > 0.0 {
                    depths.sum += f64::from(point.penetration);
                    if point.penetration > depths.max {
                        depths.max = point.penetration;
                    }
                }
            }
        }
        depths
    }

    /// Mean penetration, in meters.
    #[must_use]
    pub fn mean(&self) -> f32 {
        (self.sum / self.contacts.max(1) as f64) as f32
    }
}

/// Components of a vector with −0 replaced by 0.
fn plain(vector: Vec3) -> [f32; 3] {
    vector.to_array().map(|component| component + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::{SceneSource, read_scene};

    #[test]
    fn sensor_reports_overlapping_bodies_without_contacts() {
        let text = r#"{"gravity":[0,0,0],"bodies":[
            {"shape":{"cube":{"half":1}},"static":true,"sensor":true},
            {"shape":{"sphere":{"radius":0.1}},"mass":1},
            {"shape":{"sphere":{"radius":0.1}},"mass":1,"position":[3,0,0]}]}"#;
        let scene = read_scene(text, &SceneSource::text("a.json")).unwrap();
        let mut run = Simulation::new(&scene);
        run.step();
        let outcome = run.outcome();
        let senses: Vec<_> = outcome.bodies.iter().map(|body| body.senses.clone()).collect();
        assert_eq!(senses, [Some(vec![1]), None, None]);
        assert_eq!((outcome.contacts, outcome.max_penetration_ever), (0, 0.0));
    }
}
