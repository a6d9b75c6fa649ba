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
mod recording;
mod replay;

use embate::Vec3;
use embate::motion::{MAX_THREADS, Settings, World};

pub use error::RecordingError;
pub use recording::Recording;
pub use replay::{Departure, Replay};

use crate::scene_file::Scene;

/// A scene on its way.
#[derive(Debug)]
pub struct Simulation<'a> {
    scene: &'a Scene,
    world: World,
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
        let threads = threads.clamp(1, MAX_THREADS as usize) as u32;
        let settings = Settings { threads, ..scene.settings };
        // A scene that exists is a world that can be made.
        Self::of(scene, scene.world_with(settings).unwrap_or_else(|_| scene.world()))
    }

    fn of(scene: &'a Scene, mut world: World) -> Self {
        world.count_tests(true);
        let began_with = world.energy();
        Self {
            scene,
            world,
            steps: 0,
            began_with,
            deepest: 0.0,
            contacts: 0,
            pairs: 0,
            tests: None,
            seconds: 0.0,
        }
    }

    /// The world as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What the steps took, without what is told about them: hashes, depths, sums.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// How many steps were done.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Goes on by a step, and tells the state's hash after it.
    pub fn step(&mut self) -> u64 {
        self.world.step();
        self.steps += 1;
        let depths = Depths::of(&self.world);
        self.contacts += depths.contacts as u64;
        let step = self.world.last_step();
        self.pairs += step.pairs;
        self.seconds += step.seconds.total();
        self.tests = step.tests.map(|tests| self.tests.unwrap_or(0) + tests);
        if depths.max > self.deepest {
            self.deepest = depths.max;
        }
        self.world.state_hash()
    }

    /// How the scene stands.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let world = &self.world;
        let depths = Depths::of(world);
        let bodies = self.scene.ids().iter().zip(&self.scene.bodies);
        let bodies = bodies.filter_map(|(&id, body)| {
            let state = world.body(id)?;
            Some(BodyState {
                name: body.name.clone(),
                position: plain(state.position()),
                orientation: state.pose().rotation.to_array().map(|part| part + 0.0),
                velocity: plain(state.velocity()),
                angular_velocity: plain(state.angular_velocity()),
                asleep: state.is_asleep(),
            })
        });
        let bodies: Vec<BodyState> = bodies.collect();
        Outcome {
            steps: self.steps,
            time: world.time(),
            state_hash: world.state_hash(),
            energy: world.energy(),
            energy_at_start: self.began_with,
            momentum: world.momentum(),
            angular_momentum: world.angular_momentum(),
            max_penetration: depths.max,
            mean_penetration: depths.mean(),
            max_penetration_ever: self.deepest,
            contacts: depths.contacts,
            contacts_per_step: self.contacts as f64 / f64::from(self.steps.max(1)),
            pairs_per_step: self.pairs as f64 / f64::from(self.steps.max(1)),
            tests_per_step: self.tests.map(|tests| tests as f64 / f64::from(self.steps.max(1))),
            asleep: bodies.iter().filter(|body| body.asleep).count(),
            bodies,
        }
    }
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
    /// Of all contacts of a world. A place that is apart is 0 deep.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let mut depths = Self::default();
        for contact in world.contacts() {
            for point in contact.points() {
                depths.contacts += 1;
                if point.depth > 0.0 {
                    depths.sum += f64::from(point.depth);
                    if point.depth > depths.max {
                        depths.max = point.depth;
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
