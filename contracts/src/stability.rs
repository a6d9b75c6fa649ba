//! Does a world that runs for long stay sane? Five scenes that are hard to hold, step after step.
//!
//! Promise: nothing is ever NaN or out of its basin, what rests does not gain energy, and no list grows.

use embate::motion::{BodyId, BodyPlan, JointPlan, Kind, Settings, World};
use embate::shapes::{Capsule, Compound, Cuboid, Hull, MeshShape, Shape, Sphere};
use embate::{Pose, Vec3};
use embate_lab::random::Random;
use embate_mesh::TriangleMesh;

/// A scene on trial.
#[derive(Debug)]
pub struct Hard {
    /// What it is called.
    pub name: &'static str,
    world: World,
}

impl Hard {
    /// A number of the state after so many steps; for a world that goes back to a third of them and on again, too.
    #[must_use]
    pub fn hashes_after(mut self, steps: u32) -> [u64; 2] {
        (0..steps / 3).for_each(|_| self.world.step());
        let third = self.world.snapshot();
        let mut go_on = || {
            (steps / 3..steps).for_each(|_| self.world.step());
            let hash = self.world.state_hash();
            self.world.restore(&third);
            hash
        };
        [go_on(), go_on()]
    }
}

/// What became of a scene.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Steps done.
    pub steps: u32,
    /// The first step after which a number was NaN or a body was out of its basin.
    pub insane: Option<u32>,
    /// Energy when everything had come to rest, and at the end.
    pub energy: [f64; 2],
    /// The step at which it had: the first after which nothing moved by more than [`AT_REST`]. A fifth of the steps, if
    /// that came only in the last of them, or never.
    pub rested: u32,
    /// The largest kinetic energy of the second fifth of the steps, and of the last.
    pub unrest: [f64; 2],
    /// Bytes held at a fifth of the steps and at the end, as the caller counts them.
    pub memory: [usize; 2],
    /// What it takes to lift all bodies by the slop, in J.
    pub lift: f64,
}

/// What moves less than this is at rest, in what it takes to lift all bodies by the slop: twenty cubes that sway at 1 mm/s.
/// (Before that a pile still creeps together, and what its contacts give way to each other is not in the energy.)
pub const AT_REST: f64 = 1e-5;

/// What lists may round up to when a pair more comes near than ever before, as a share of the bytes held.
const ROUNDED_UP: f64 = 0.01;

impl Outcome {
    /// Whether the promise was kept.
    #[must_use]
    pub fn holds(&self) -> bool {
        let [before, after] = self.memory.map(|bytes| bytes as f64);
        self.insane.is_none()
            // Less than if all rose by five micrometres.
            && self.energy[1] <= self.energy[0] + 1e-3 * self.lift
            // A tenth of what is called rest.
            && self.unrest[1] <= self.unrest[0] + 0.1 * AT_REST * self.lift
            && after <= before * (1.0 + ROUNDED_UP)
    }
}

const VALID: &str = "the scenes are valid";

fn world() -> World {
    // Awake, so that it is the solver that holds them.
    World::new(Settings { sleeping: false, ..Settings::default() }).expect(VALID)
}

fn block(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).expect(VALID).into()
}

fn add(world: &mut World, plan: BodyPlan) -> BodyId {
    world.add(plan).expect(VALID)
}

fn floor(world: &mut World) -> BodyId {
    add(world, BodyPlan::still(block(20.0, 1.0, 20.0)).at(Vec3::Y * -1.0))
}

fn basin(world: &mut World, half: f32) {
    floor(world);
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let wall = block(
            if x == 0.0 { half + 2.0 } else { 1.0 },
            10.0,
            if z == 0.0 { half + 2.0 } else { 1.0 },
        );
        add(world, BodyPlan::still(wall).at(Vec3::new(x * (half + 1.0), 10.0, z * (half + 1.0))));
    }
}

/// The five.
#[must_use]
pub fn hard_scenes() -> Vec<Hard> {
    vec![
        Hard { name: "stack of 20", world: stack(&[1.0; 20]) },
        Hard {
            name: "heavy top",
            world: stack(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 100.0]),
        },
        Hard { name: "pile of everything", world: pile() },
        Hard { name: "chain with a weight", world: chain() },
        Hard { name: "bodies on a mesh", world: on_a_mesh() },
    ]
}

fn stack(masses: &[f32]) -> World {
    let mut world = world();
    floor(&mut world);
    for (place, &mass) in masses.iter().enumerate() {
        let at = Vec3::Y * (place as f32 + 0.5);
        add(&mut world, BodyPlan::moving(block(0.5, 0.5, 0.5), mass).at(at));
    }
    world
}

/// One of each shape that can move, by turns.
fn shape(number: u32, random: &mut Random) -> Shape {
    match number % 5 {
        0 => Sphere::new(0.4).expect(VALID).into(),
        1 => block(random.between(0.2, 0.5), random.between(0.2, 0.5), random.between(0.2, 0.5)),
        2 => Capsule::new(0.25, 0.25).expect(VALID).into(),
        3 => {
            let corner = |at: u32| {
                let side = |axis: u32| if at >> axis & 1 == 1 { 0.35 } else { -0.35 };
                Vec3::new(side(0), side(1), side(2)) * (0.8 + 0.02 * at as f32)
            };
            let corners: Vec<Vec3> = (0..8).map(corner).chain([Vec3::Y * 0.5]).collect();
            Hull::new(&corners).expect(VALID).into()
        }
        _ => {
            let parts = vec![
                (Pose::IDENTITY, block(0.5, 0.15, 0.15)),
                (Pose::at(Vec3::Y * 0.3), block(0.15, 0.2, 0.15)),
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
        let middle = (across as f32 - 1.0) * 0.5;
        let jitter = random.between(-0.1, 0.1);
        let at =
            Vec3::new((x - middle) * 1.2 + jitter, above + y * 1.2, (z - middle) * 1.2 - jitter);
        // Rolling resistance, or a ball would roll for ever.
        let mass = if number % 7 == 0 { 20.0 } else { 1.0 };
        let material =
            embate::motion::Material { rolling: 0.01, spinning: 0.01, ..Default::default() };
        let plan =
            BodyPlan::moving(shape(number, &mut random), mass).at(at).with_material(material);
        add(world, plan);
    }
}

fn pile() -> World {
    let mut world = world();
    basin(&mut world, 2.5);
    scatter(&mut world, 4, 4, 1.0);
    world
}

/// Ten links, a weight of fifty times theirs, pushed from its rest.
fn chain() -> World {
    let mut world = world();
    let hook = add(&mut world, BodyPlan::still(block(0.2, 0.2, 0.2)).at(Vec3::Y * 8.0));
    let mut last = hook;
    for link in 0..10 {
        let at = Vec3::Y * (7.6 - 0.5 * link as f32);
        let capsule = Capsule::new(0.15, 0.08).expect(VALID);
        let plan = BodyPlan::moving(capsule, 1.0).at(at).with_damping(0.2, 0.2);
        let next = add(&mut world, plan);
        world.join(JointPlan::ball(last, next, at + Vec3::Y * 0.25)).expect(VALID);
        last = next;
    }
    let ball = Sphere::new(0.5).expect(VALID);
    let at = Vec3::Y * 2.35;
    let plan = BodyPlan::moving(ball, 50.0).at(at).with_damping(0.2, 0.2);
    let weight = add(&mut world, plan.with_velocity(Vec3::new(3.0, 0.0, 1.0)));
    world.join(JointPlan::ball(last, weight, at + Vec3::Y * 0.5)).expect(VALID);
    world
}

/// Waves of triangles.
fn on_a_mesh() -> World {
    let mut world = world();
    basin(&mut world, 3.5);
    let (side, cell) = (16_u32, 0.5_f32);
    let height = |x: u32, z: u32| 0.4 + 0.15 * ((x * 7 + z * 11) % 5) as f32;
    let corner = |at: u32| {
        let (x, z) = (at % (side + 1), at / (side + 1));
        [(x as f32 - side as f32 * 0.5) * cell, height(x, z), (z as f32 - side as f32 * 0.5) * cell]
    };
    let corners = (0..(side + 1) * (side + 1)).map(corner).collect();
    let triangles = (0..side * side).flat_map(|at| {
        let first = at / side * (side + 1) + at % side;
        let below = first + side + 1;
        [[first, below, first + 1], [first + 1, below, below + 1]]
    });
    let mesh = TriangleMesh::new(corners, triangles.collect()).expect(VALID);
    add(&mut world, BodyPlan::still(MeshShape::new(mesh).expect(VALID)));
    scatter(&mut world, 4, 2, 2.0);
    world
}

/// Runs a scene. `memory` counts bytes held; `advanced` is told of each thousandth of the steps.
#[must_use]
pub fn endure(hard: Hard, steps: u32, memory: &dyn Fn() -> usize, advanced: &dyn Fn()) -> Outcome {
    let mut world = hard.world;
    let gravity = f64::from(world.settings().gravity.length() * world.settings().slop);
    let lift = world.bodies().map(|body| f64::from(body.mass()) * gravity).sum();
    let mut outcome = Outcome { steps, lift, ..Outcome::default() };
    let settled = steps / 5;
    let mut rest: Option<(u32, f64)> = None;
    for step in 1..=steps {
        world.step();
        if outcome.insane.is_none() && !is_sane(&world) {
            outcome.insane = Some(step);
        }
        let unrest: f64 = world.bodies().map(|body| body.kinetic_energy()).sum();
        if step > settled && step <= 2 * settled {
            outcome.unrest[0] = outcome.unrest[0].max(unrest);
        } else if step > steps - settled {
            outcome.unrest[1] = outcome.unrest[1].max(unrest);
        }
        if unrest > AT_REST * lift {
            rest = None;
        } else if rest.is_none() {
            rest = Some((step, world.energy()));
        }
        if step == settled {
            outcome.memory[0] = memory();
            (outcome.rested, outcome.energy[0]) = (step, world.energy());
        }
        if step % (steps / 1_000).max(1) == 0 {
            advanced();
        }
    }
    (outcome.energy[1], outcome.memory[1]) = (world.energy(), memory());
    if let Some(rest) = rest.filter(|(step, _)| *step <= steps - settled) {
        (outcome.rested, outcome.energy[0]) = rest;
    }
    outcome
}

fn is_sane(world: &World) -> bool {
    world.bodies().filter(|body| body.kind() == Kind::Moving).all(|body| {
        let (place, velocity) = (body.position(), body.velocity());
        let finite =
            place.is_finite() && velocity.is_finite() && body.angular_velocity().is_finite();
        finite && place.abs().largest() < 50.0 && place.y > -2.0
    })
}
