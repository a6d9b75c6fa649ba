//! Long-term stability of the soft-step solver: five difficult scenes over many steps.
//!
//! Guarantee: no state becomes NaN, no body leaves its basin, resting bodies gain no energy, and
//! memory does not grow.

use embate::dynamics::{BodyDef, BodyId, BodyType, JointDef, Settings, World};
use embate::shapes::{Capsule, Compound, ConvexHull, Cuboid, Shape, Sphere, TriMesh};
use embate::{Pose, Vec3};
use embate_mesh::TriangleMesh;
use embate_scene::random::Random;

/// A stability scene at its initial state.
#[derive(Debug)]
pub struct StabilityScene {
    /// Name in messages.
    pub name: &'static str,
    world: World,
}

impl StabilityScene {
    /// State hashes after `steps` steps: of the run, and of a second run restored from a snapshot
    /// at a third of them.
    #[must_use]
    pub fn hashes_after(mut self, steps: u32) -> [u64; 2] {
        (0..steps / 3).for_each(|_| self.world.step());
        let snapshot = self.world.snapshot();
        let mut finish = || {
            (steps / 3..steps).for_each(|_| self.world.step());
            let hash = self.world.state_hash();
            self.world.restore(&snapshot);
            hash
        };
        [finish(), finish()]
    }
}

/// Result of a run.
#[derive(Clone, Debug, Default)]
pub struct StabilityOutcome {
    /// Number of steps.
    pub steps: u32,
    /// First step after which a value was NaN or a body was outside its basin.
    pub first_invalid_step: Option<u32>,
    /// Total energy at [`rest_step`](Self::rest_step) and at the end, in J.
    pub energy: [f64; 2],
    /// First step after which the kinetic energy stayed below [`REST_THRESHOLD`]; 1/5 of the steps
    /// if the world came to rest only in the last fifth, or never.
    pub rest_step: u32,
    /// Largest kinetic energy in the second and in the last fifth of the steps, in J.
    pub max_kinetic_energy: [f64; 2],
    /// Bytes allocated after 1/5 of the steps and at the end, as counted by the caller.
    pub memory: [usize; 2],
    /// Energy to lift all bodies by the slop, in J: the unit of the thresholds.
    pub slop_energy: f64,
}

/// Kinetic energy of a world at rest, relative to [`StabilityOutcome::slop_energy`]: twenty
/// cubes that sway at 1 mm/s. (Above it a pile still settles, and the energy stored in soft
/// contacts is not part of the total energy.)
pub const REST_THRESHOLD: f64 = 1e-5;

/// Allowed relative growth of memory: a vector may double once when the number of pairs reaches a
/// new maximum.
const MEMORY_GROWTH: f64 = 0.01;

impl StabilityOutcome {
    /// Whether the guarantee holds.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        let [before, after] = self.memory.map(|bytes| bytes as f64);
        self.first_invalid_step.is_none()
            // Less than lifting all bodies by 5 µm.
            && self.energy[1] <= self.energy[0] + 1e-3 * self.slop_energy
            // 1/10 of the rest threshold.
            && self.max_kinetic_energy[1]
                <= self.max_kinetic_energy[0] + 0.1 * REST_THRESHOLD * self.slop_energy
            && after <= before * (1.0 + MEMORY_GROWTH)
    }
}

const VALID: &str = "the scenes are valid";

fn world() -> World {
    // Sleeping is disabled, so that the solver is tested.
    World::new(Settings { enable_sleep: false, ..Settings::default() }).expect(VALID)
}

fn cuboid(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).expect(VALID).into()
}

fn add(world: &mut World, def: BodyDef) -> BodyId {
    world.insert_body(def).expect(VALID)
}

fn floor(world: &mut World) -> BodyId {
    add(world, BodyDef::fixed(cuboid(20.0, 1.0, 20.0)).position(Vec3::Y * -1.0))
}

fn basin(world: &mut World, half: f32) {
    floor(world);
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let wall = cuboid(
            if x == 0.0 { half + 2.0 } else { 1.0 },
            10.0,
            if z == 0.0 { half + 2.0 } else { 1.0 },
        );
        add(
            world,
            BodyDef::fixed(wall).position(Vec3::new(x * (half + 1.0), 10.0, z * (half + 1.0))),
        );
    }
}

/// The five scenes.
#[must_use]
pub fn stability_scenes() -> Vec<StabilityScene> {
    vec![
        StabilityScene { name: "stack of 20", world: stack(&[1.0; 20]) },
        StabilityScene {
            name: "heavy top",
            world: stack(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 100.0]),
        },
        StabilityScene { name: "pile of everything", world: pile() },
        StabilityScene { name: "chain with a weight", world: chain() },
        StabilityScene { name: "bodies on a mesh", world: on_a_mesh() },
    ]
}

fn stack(masses: &[f32]) -> World {
    let mut world = world();
    floor(&mut world);
    for (level, &mass) in masses.iter().enumerate() {
        let at = Vec3::Y * (level as f32 + 0.5);
        add(&mut world, BodyDef::dynamic(cuboid(0.5, 0.5, 0.5), mass).position(at));
    }
    world
}

/// Shape types of dynamic bodies, cyclically.
fn shape(number: u32, random: &mut Random) -> Shape {
    match number % 5 {
        0 => Sphere::new(0.4).expect(VALID).into(),
        1 => cuboid(random.between(0.2, 0.5), random.between(0.2, 0.5), random.between(0.2, 0.5)),
        2 => Capsule::new(0.25, 0.25).expect(VALID).into(),
        3 => {
            let vertex = |index: u32| {
                let side = |axis: u32| if index >> axis & 1 == 1 { 0.35 } else { -0.35 };
                Vec3::new(side(0), side(1), side(2)) * (0.8 + 0.02 * index as f32)
            };
            let vertices: Vec<Vec3> = (0..8).map(vertex).chain([Vec3::Y * 0.5]).collect();
            ConvexHull::new(&vertices).expect(VALID).into()
        }
        _ => {
            let parts = vec![
                (Pose::IDENTITY, cuboid(0.5, 0.15, 0.15)),
                (Pose::from_translation(Vec3::Y * 0.3), cuboid(0.15, 0.2, 0.15)),
            ];
            Compound::new(parts).expect(VALID).into()
        }
    }
}

fn scatter(world: &mut World, across: u32, layers: u32, above: f32) {
    let mut random = Random::new(5);
    for number in 0..across * across * layers {
        let cell = [number % across, number / across / across, number / across % across];
        let [x, y, z] = cell.map(|cell| cell as f32);
        let center = (across as f32 - 1.0) * 0.5;
        let jitter = random.between(-0.1, 0.1);
        let at =
            Vec3::new((x - center) * 1.2 + jitter, above + y * 1.2, (z - center) * 1.2 - jitter);
        // Rolling resistance, without which a sphere rolls indefinitely.
        let mass = if number % 7 == 0 { 20.0 } else { 1.0 };
        let material = embate::dynamics::Material {
            rolling_resistance: 0.01,
            torsional_resistance: 0.01,
            ..Default::default()
        };
        let def =
            BodyDef::dynamic(shape(number, &mut random), mass).position(at).material(material);
        add(world, def);
    }
}

fn pile() -> World {
    let mut world = world();
    basin(&mut world, 2.5);
    scatter(&mut world, 4, 4, 1.0);
    world
}

/// Chain of ten links with a weight of 50 times their mass and an initial velocity.
fn chain() -> World {
    let mut world = world();
    let hook = add(&mut world, BodyDef::fixed(cuboid(0.2, 0.2, 0.2)).position(Vec3::Y * 8.0));
    let mut last = hook;
    for link in 0..10 {
        let at = Vec3::Y * (7.6 - 0.5 * link as f32);
        let capsule = Capsule::new(0.15, 0.08).expect(VALID);
        let def =
            BodyDef::dynamic(capsule, 1.0).position(at).linear_damping(0.2).angular_damping(0.2);
        let next = add(&mut world, def);
        world.insert_joint(JointDef::spherical(last, next, at + Vec3::Y * 0.25)).expect(VALID);
        last = next;
    }
    let ball = Sphere::new(0.5).expect(VALID);
    let at = Vec3::Y * 2.35;
    let def = BodyDef::dynamic(ball, 50.0).position(at).linear_damping(0.2).angular_damping(0.2);
    let weight = add(&mut world, def.linear_velocity(Vec3::new(3.0, 0.0, 1.0)));
    world.insert_joint(JointDef::spherical(last, weight, at + Vec3::Y * 0.5)).expect(VALID);
    world
}

/// Bodies on a wavy mesh.
fn on_a_mesh() -> World {
    let mut world = world();
    basin(&mut world, 3.5);
    let (side, cell) = (16_u32, 0.5_f32);
    let height = |x: u32, z: u32| 0.4 + 0.15 * ((x * 7 + z * 11) % 5) as f32;
    let vertex = |index: u32| {
        let (x, z) = (index % (side + 1), index / (side + 1));
        [(x as f32 - side as f32 * 0.5) * cell, height(x, z), (z as f32 - side as f32 * 0.5) * cell]
    };
    let vertices = (0..(side + 1) * (side + 1)).map(vertex).collect();
    let triangles = (0..side * side).flat_map(|cell| {
        let first = cell / side * (side + 1) + cell % side;
        let below = first + side + 1;
        [[first, below, first + 1], [first + 1, below, below + 1]]
    });
    let mesh = TriangleMesh::new(vertices, triangles.collect()).expect(VALID);
    add(&mut world, BodyDef::fixed(TriMesh::new(mesh).expect(VALID)));
    scatter(&mut world, 4, 2, 2.0);
    world
}

/// Runs a scene. `memory` returns the allocated bytes; `on_progress` is called after each 1/1,000
/// of the steps.
#[must_use]
pub fn run_scene(
    scene: StabilityScene,
    steps: u32,
    memory: &dyn Fn() -> usize,
    on_progress: &dyn Fn(),
) -> StabilityOutcome {
    let mut world = scene.world;
    let gravity = f64::from(world.settings().gravity.length() * world.settings().linear_slop);
    let slop_energy = world.bodies().map(|body| f64::from(body.mass()) * gravity).sum();
    let mut outcome = StabilityOutcome { steps, slop_energy, ..StabilityOutcome::default() };
    let fifth = steps / 5;
    let mut rest: Option<(u32, f64)> = None;
    for step in 1..=steps {
        world.step();
        if outcome.first_invalid_step.is_none() && !is_valid(&world) {
            outcome.first_invalid_step = Some(step);
        }
        let kinetic_energy: f64 = world.bodies().map(|body| body.kinetic_energy()).sum();
        if step > fifth && step <= 2 * fifth {
            outcome.max_kinetic_energy[0] = outcome.max_kinetic_energy[0].max(kinetic_energy);
        } else if step > steps - fifth {
            outcome.max_kinetic_energy[1] = outcome.max_kinetic_energy[1].max(kinetic_energy);
        }
        if kinetic_energy > REST_THRESHOLD * slop_energy {
            rest = None;
        } else if rest.is_none() {
            rest = Some((step, world.total_energy()));
        }
        if step == fifth {
            outcome.memory[0] = memory();
            (outcome.rest_step, outcome.energy[0]) = (step, world.total_energy());
        }
        if step % (steps / 1_000).max(1) == 0 {
            on_progress();
        }
    }
    (outcome.energy[1], outcome.memory[1]) = (world.total_energy(), memory());
    if let Some(rest) = rest.filter(|(step, _)| *step <= steps - fifth) {
        (outcome.rest_step, outcome.energy[0]) = rest;
    }
    outcome
}

fn is_valid(world: &World) -> bool {
    world.bodies().filter(|body| body.body_type() == BodyType::Dynamic).all(|body| {
        let (position, velocity) = (body.position(), body.linear_velocity());
        let finite =
            position.is_finite() && velocity.is_finite() && body.angular_velocity().is_finite();
        finite && position.abs().max_element() < 50.0 && position.y > -2.0
    })
}
