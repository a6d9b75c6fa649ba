//! How does a scene go on, and did it go on as it was recorded?
//!
//! ```text
//! Scene ──Simulation::new──► step ──► outcome: where everything is, energy, momentum, state hash
//!                              │
//!                              └──Recording──► a file: the scene, and a hash a step
//!                                                └──replay──► the same hashes, or the step where they depart
//! ```

pub mod advice;
mod error;
mod kept;
mod read;
mod recording;
mod replay;

use embate::Vec3;
use embate::dynamics::{ContactManifold, MAX_WORKERS, Settings};
use serde::{Deserialize, Serialize};

pub use error::RecordingError;
pub(crate) use read::{Recorded, RecordedError};
pub use recording::Recording;
pub use replay::{Departure, Replay};

use crate::scene_file::Scene;
use crate::scene_world::{SceneSnapshot, SceneWorld};

/// A scene on its way.
#[derive(Debug)]
pub struct Simulation<'a> {
    scene: &'a Scene,
    world: SceneWorld,
    sums: Sums,
}

/// What is counted on the way and does not follow from the world as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sums {
    steps: u32,
    began_with: f64,
    deepest: f32,
    contacts: u64,
    pairs: u64,
    /// `None` where the broad phase does not count.
    tests: Option<u64>,
    seconds: f64,
}

/// How a scene stands after some steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Steps done.
    pub steps: u32,
    /// Simulated seconds.
    pub time: f64,
    /// Of all bodies, every bit.
    pub state_hash: u64,
    /// Kinetic and potential, in J; and as the scene began.
    pub energy: f64,
    /// As the scene began.
    pub energy_at_start: f64,
    /// In N·s.
    pub momentum: [f64; 3],
    /// About the origin, in kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// The deepest that two bodies reached into each other after the last step, in metres.
    pub max_penetration: f32,
    /// The mean over the places where they touch, in metres; places that are apart count as 0.
    pub mean_penetration: f32,
    /// The deepest after any step.
    pub max_penetration_ever: f32,
    /// Places where bodies touch after the last step.
    pub contacts: usize,
    /// The same, mean over the steps.
    pub contacts_per_step: f64,
    /// Pairs of bodies near each other, mean over the steps.
    pub pairs_per_step: f64,
    /// Pairs of boxes that the broad phase tested, mean over the steps; `None` where it does not count.
    pub tests_per_step: Option<f64>,
    /// Bodies that rest and are not computed.
    pub asleep: usize,
    /// Every body, in the order of the scene.
    pub bodies: Vec<BodyState>,
}

/// Where a body is and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// What it is called, if it is called anything.
    pub name: Option<String>,
    /// Of its shape's origin.
    pub position: [f32; 3],
    /// As a quaternion `[x, y, z, w]`.
    pub orientation: [f32; 4],
    /// Of its centre of mass, in m/s.
    pub velocity: [f32; 3],
    /// In radians a second.
    pub angular_velocity: [f32; 3],
    /// Whether it rests and is not computed.
    pub asleep: bool,
    /// Who touches it, by their numbers in the scene, if it is a sensor.
    pub senses: Option<Vec<usize>>,
}

impl<'a> Simulation<'a> {
    /// A scene at its beginning.
    #[must_use]
    pub fn new(scene: &'a Scene) -> Self {
        Self::of(scene, scene.world())
    }

    /// The same on so many threads; it moves alike on any number. More than a world can use are not used.
    #[must_use]
    pub fn on_threads(scene: &'a Scene, threads: usize) -> Self {
        let threads = threads.clamp(1, MAX_WORKERS as usize) as u32;
        let settings = Settings { worker_count: threads, ..scene.settings };
        // A scene that exists is a world that can be made.
        Self::of(scene, scene.world_with(settings, scene.method).unwrap_or_else(|_| scene.world()))
    }

    fn of(scene: &'a Scene, mut world: SceneWorld) -> Self {
        world.count_overlap_tests(true);
        let sums = Sums { began_with: world.world().total_energy(), ..Sums::default() };
        Self { scene, world, sums }
    }

    /// Goes on from where an earlier sitting of the same scene was, with the threads of this one.
    fn take_up(&mut self, sums: Sums, snapshot: &SceneSnapshot) {
        let threads = self.world.settings().worker_count;
        self.world.restore(snapshot);
        // A world that has this number of threads may have it again.
        let _ = self.world.set_worker_count(threads);
        self.sums = sums;
    }

    /// The world as it is now.
    #[must_use]
    pub fn world(&self) -> &SceneWorld {
        &self.world
    }

    /// What the steps took, without what is told about them: hashes, depths, sums.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.sums.seconds
    }

    /// How many steps were done.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.sums.steps
    }

    /// Goes on by a step, and tells the state's hash after it.
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

    /// How the scene stands.
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
            energy: world.world().total_energy(),
            energy_at_start: sums.began_with,
            momentum: world.world().linear_momentum(),
            angular_momentum: world.world().angular_momentum(),
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
    /// Who touches which sensor now, by their numbers in the scene: sensor first, in order, each once.
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

/// Whether one of both is a sensor, which is entered and not pressed.
fn is_sensed(world: &SceneWorld, contact: &ContactManifold) -> bool {
    contact.bodies.iter().any(|&id| world.body(id).is_some_and(|body| body.is_sensor()))
}

impl Outcome {
    /// The first body whose place or motion is not finite, by its number in the scene.
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

/// How deep bodies reach into each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depths {
    /// Places where they touch.
    pub contacts: usize,
    /// The deepest, in metres.
    pub max: f32,
    sum: f64,
}

impl Depths {
    /// Of all contacts of a world but those with sensors. A place that is apart is 0 deep.
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

    /// The mean, in metres.
    #[must_use]
    pub fn mean(&self) -> f32 {
        (self.sum / self.contacts.max(1) as f64) as f32
    }
}

/// Adding 0 makes of −0 a 0.
fn plain(vector: Vec3) -> [f32; 3] {
    vector.to_array().map(|component| component + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::{SceneSource, read_scene};

    #[test]
    fn a_sensor_tells_who_is_in_it_and_is_no_depth() {
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
