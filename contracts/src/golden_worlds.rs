//! Five worlds whose every bit is written down: does each go on alike on every machine, at every optimisation
//! level, with any number of threads, and from a snapshot?

use embate::motion::{
    BodyPlan, Bounds, JointPlan, Locks, Material, Method, Settings, Snapshot, World,
};
use embate::shapes::{Capsule, Compound, Cuboid, Hull, MeshShape, Plane, Shape, Sphere};
use embate::{Pose, Rotation, TriangleMesh, Vec3};

use crate::golden::Bits;

/// A world to be run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What it is.
    pub name: &'static str,
    /// As it begins, with so many threads.
    pub begin: fn(u32) -> World,
    /// How many steps it goes on for.
    pub steps: u32,
}

/// All five.
pub const RUNS: [Run; 5] = [
    Run { name: "pile", begin: pile, steps: 120 },
    Run { name: "walls of boxes", begin: walls, steps: 120 },
    Run { name: "joints", begin: machine, steps: 240 },
    Run { name: "elastic gas", begin: gas, steps: 120 },
    Run { name: "study", begin: study, steps: 240 },
];

impl Run {
    /// One number for the state after every step.
    #[must_use]
    pub fn number(&self, threads: u32) -> u64 {
        let mut world = (self.begin)(threads);
        let mut bits = Bits::default();
        for _ in 0..self.steps {
            step(&mut world, &mut bits);
        }
        bits.number()
    }

    /// The same, but the world is written to bytes before this step, and another goes on that is read from them.
    #[must_use]
    pub fn number_restored(&self, at: u32) -> Option<u64> {
        let mut world = (self.begin)(1);
        let mut bits = Bits::default();
        for number in 0..self.steps {
            if number == at {
                let bytes = world.snapshot().to_bytes();
                world = World::from_snapshot(&Snapshot::from_bytes(&bytes).ok()?);
            }
            step(&mut world, &mut bits);
        }
        Some(bits.number())
    }
}

fn step(world: &mut World, bits: &mut Bits) {
    world.step();
    let hash = world.state_hash();
    bits.add(hash as u32);
    bits.add((hash >> 32) as u32);
    bits.add(world.events().len() as u32);
}

/// Each run with one thread, for the list of golden numbers.
pub(crate) const ASK: [fn() -> u64; 5] = [
    || RUNS[0].number(1),
    || RUNS[1].number(1),
    || RUNS[2].number(1),
    || RUNS[3].number(1),
    || RUNS[4].number(1),
];

const VALID: &str = "the scenes are made of valid things";

fn sphere(radius: f32) -> Sphere {
    Sphere::new(radius).expect(VALID)
}

fn cuboid(x: f32, y: f32, z: f32) -> Cuboid {
    Cuboid::new(Vec3::new(x, y, z)).expect(VALID)
}

fn turn(index: u16) -> Rotation {
    Rotation::about(Vec3::new(1.0, -2.0, 0.5), f32::from(index)).expect(VALID)
}

fn world(settings: Settings) -> World {
    World::new(settings).expect(VALID)
}

fn cell(index: u16, side: u16) -> [f32; 3] {
    [index % side, index / side / side, index / side % side].map(f32::from)
}

/// Every shape falls onto hills, which are a mesh.
fn pile(threads: u32) -> World {
    let mut world = world(Settings { threads, ..Settings::default() });
    let corner = |index: u32| {
        let (x, z) = ((index % 9) as f32 - 4.0, (index / 9) as f32 - 4.0);
        [x * 2.0, (x * x + z * z) * 0.08, z * 2.0]
    };
    let cells = (0..64_u32).map(|index| index % 8 + index / 8 * 9);
    let triangles = cells.flat_map(|c| [[c, c + 9, c + 1], [c + 1, c + 9, c + 10]]);
    let mesh = TriangleMesh::new((0..81).map(corner).collect(), triangles.collect()).expect(VALID);
    world.add(BodyPlan::still(MeshShape::new(mesh).expect(VALID))).expect(VALID);
    let parts = vec![
        (Pose::at(Vec3::X * 0.3), Shape::from(sphere(0.2))),
        (Pose::IDENTITY, Shape::from(cuboid(0.3, 0.1, 0.1))),
    ];
    let shapes: [Shape; 5] = [
        sphere(0.3).into(),
        cuboid(0.3, 0.2, 0.4).into(),
        Capsule::new(0.3, 0.2).expect(VALID).into(),
        Hull::cylinder(0.3, 0.3, 9).expect(VALID).into(),
        Compound::new(parts).expect(VALID).into(),
    ];
    for index in 0..175_u16 {
        let [x, y, z] = cell(index, 5);
        let plan = BodyPlan::moving(shapes[usize::from(index) % 5].clone(), 1.0 + y);
        let at = Vec3::new(x - 2.0, y * 1.2 + 2.0, z - 2.0);
        let friction = 0.2 + 0.1 * f32::from(index % 7);
        let material = Material { friction, rolling: 0.01, ..Material::default() };
        world.add(plan.at(at).turned(turn(index)).with_material(material)).expect(VALID);
    }
    world
}

/// Two walls stand, and a ball flies into them.
fn walls(threads: u32) -> World {
    let mut world = world(Settings { threads, ..Settings::default() });
    world.add(BodyPlan::still(Plane::new(Vec3::Y).expect(VALID))).expect(VALID);
    for index in 0..120_u16 {
        let (row, place) = ((index / 2) / 10, (index / 2) % 10);
        let x = f32::from(place) + 0.5 * f32::from(row % 2) - 5.0;
        let at = Vec3::new(x, f32::from(row) * 0.5 + 0.25, f32::from(index % 2) * 3.0);
        world.add(BodyPlan::moving(cuboid(0.5, 0.25, 0.25), 2.0).at(at)).expect(VALID);
    }
    let ball = BodyPlan::moving(sphere(0.4), 20.0).at(Vec3::new(0.0, 1.5, -6.0));
    let ball = ball.with_velocity(Vec3::new(1.0, 2.0, 40.0)).with_restitution(0.3);
    world.add(ball).expect(VALID);
    world
}

/// Every joint: a chain, a door with a motor, a cart on a rail, a beam, a spring, a planar pair.
fn machine(threads: u32) -> World {
    let mut world = world(Settings { threads, ..Settings::default() });
    let hook = world.add(BodyPlan::still(sphere(0.1)).at(Vec3::Y * 5.0)).expect(VALID);
    let (mut last, mut beam) = (hook, hook);
    for index in 0..8_u16 {
        let x = f32::from(index);
        let link = BodyPlan::moving(cuboid(0.2, 0.05, 0.05), 1.0 + x);
        let link = world.add(link.at(Vec3::new(0.4 * x + 0.2, 5.0, 0.0))).expect(VALID);
        let joint = JointPlan::ball(last, link, Vec3::new(0.4 * x, 5.0, 0.0));
        world.join(joint).expect(VALID);
        last = link;
        if index < 3 {
            let at = Vec3::new(-0.5 - x, 5.0, 0.0);
            let part = BodyPlan::moving(cuboid(0.5, 0.1, 0.2), 2.0).at(at);
            let part = world.add(part).expect(VALID);
            world.join(JointPlan::weld(beam, part, at + Vec3::X * 0.5)).expect(VALID);
            beam = part;
        }
    }
    let door = BodyPlan::moving(cuboid(0.5, 1.0, 0.05), 5.0).at(Vec3::new(0.5, 5.0, 3.0));
    let door = world.add(door).expect(VALID);
    let hinge = JointPlan::hinge(hook, door, Vec3::new(0.0, 5.0, 3.0), Vec3::Y);
    world.join(hinge.with_limits(-1.0, 2.0).with_motor(3.0, 20.0)).expect(VALID);
    let cart = BodyPlan::moving(cuboid(0.3, 0.2, 0.2), 3.0).at(Vec3::new(0.0, 2.0, -3.0));
    let cart = world.add(cart).expect(VALID);
    let rail = JointPlan::slider(hook, cart, Vec3::new(0.0, 2.0, -3.0), Vec3::new(1.0, 1.0, 0.2));
    world.join(rail.with_limits(-1.0, 1.0)).expect(VALID);
    let bob = BodyPlan::moving(sphere(0.2), 1.0).at(Vec3::new(0.5, 1.0, -3.0));
    let bob = world.add(bob).expect(VALID);
    let (from, to) = (Vec3::new(0.0, 2.0, -3.0), Vec3::new(0.5, 1.0, -3.0));
    world.join(JointPlan::spring(cart, bob, from, to, 60.0, 0.5)).expect(VALID);
    let flat = BodyPlan::moving(cuboid(0.3, 0.3, 0.3), 1.0).at(Vec3::new(2.0, 4.0, 6.0));
    let flat = world.add(flat.with_locks(Locks::PLANAR)).expect(VALID);
    let rope = JointPlan::distance(hook, flat, Vec3::Y * 5.0, Vec3::new(2.0, 4.0, 6.0));
    world.join(rope.with_limits(0.0, 7.0)).expect(VALID);
    world
}

/// Boxes and balls in a room, without loss.
fn gas(threads: u32) -> World {
    let mut world = world(Settings {
        gravity: Vec3::new(0.0, -1.0, 0.0),
        bounds: Some(Bounds::bouncing(Vec3::splat(-3.0), Vec3::splat(3.0))),
        method: Method::Elastic,
        threads,
        ..Settings::default()
    });
    for index in 0..125_u16 {
        let [x, y, z] = cell(index, 5).map(|value| value - 2.0);
        let shape: Shape =
            if index % 2 == 0 { sphere(0.2).into() } else { cuboid(0.2, 0.1, 0.3).into() };
        let plan = BodyPlan::moving(shape, 1.0 + f32::from(index % 3)).at(Vec3::new(x, y, z));
        let velocity = Vec3::new(2.0 * y - z, z - x * x, 2.0 * x - y * z);
        let plan = plan.turned(turn(index)).with_velocity(velocity).with_restitution(1.0);
        world.add(plan).expect(VALID);
    }
    world
}

/// The study's chain among obstacles.
fn study(threads: u32) -> World {
    let mut world = world(Settings {
        bounds: Some(Bounds::bouncing(Vec3::splat(-5.0), Vec3::splat(5.0))),
        method: Method::STUDY,
        threads,
        ..Settings::default()
    });
    for index in 0..64_u16 {
        let [x, y, z] = cell(index, 4).map(|value| value * 2.4 - 3.6);
        let plan = match index % 4 {
            0 => BodyPlan::still(cuboid(0.3, 0.4, 0.5)),
            1 => BodyPlan::moving(cuboid(0.4, 0.4, 0.4), 2.0),
            2 => BodyPlan::moving(Hull::cone(0.5, 0.4, 7).expect(VALID), 1.5),
            _ => BodyPlan::moving(sphere(0.4), 1.0),
        };
        let velocity = Vec3::new(z + y, x - z, y * 2.0 - x);
        let plan = plan.at(Vec3::new(x, y, z)).turned(turn(index)).with_velocity(velocity);
        world.add(plan.with_restitution(0.8)).expect(VALID);
    }
    world
}
