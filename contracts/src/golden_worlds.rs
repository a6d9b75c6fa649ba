//! Golden worlds: five simulations with expected state hashes.
//!
//! The hashes are equal on every machine, at every optimization level, for any number of workers,
//! and after restoring a snapshot.

use embate::dynamics::{
    BodyDef, JointDef, LockedAxes, Material, Settings, SolverKind, WorldBounds,
};
use embate::shapes::{Capsule, Compound, ConvexHull, Cuboid, HalfSpace, Shape, Sphere, TriMesh};
use embate::{Pose, Rotation, TriangleMesh, Vec3};
use embate_replica::lasch;
use embate_scene::scene_world::{Method, SceneSnapshot, SceneWorld};

use crate::golden::Bits;

/// A simulation of the golden hashes.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Name in messages.
    pub name: &'static str,
    /// Creates the initial world, for a number of workers.
    pub create: fn(u32) -> SceneWorld,
    /// Number of steps.
    pub steps: u32,
}

/// All golden worlds.
pub const RUNS: [Run; 5] = [
    Run { name: "pile", create: pile, steps: 120 },
    Run { name: "walls of boxes", create: walls, steps: 120 },
    Run { name: "joints", create: machine, steps: 240 },
    Run { name: "elastic gas", create: gas, steps: 120 },
    Run { name: "study", create: study, steps: 240 },
];

impl Run {
    /// Hash of the states after every step.
    #[must_use]
    pub fn hash(&self, threads: u32) -> u64 {
        let mut world = (self.create)(threads);
        let mut bits = Bits::default();
        for _ in 0..self.steps {
            step(&mut world, &mut bits);
        }
        bits.value()
    }

    /// [`hash`](Self::hash), but before step `restore_step` the world is replaced by one
    /// deserialized from its snapshot.
    #[must_use]
    pub fn hash_restored(&self, restore_step: u32) -> Option<u64> {
        let mut world = (self.create)(1);
        let mut bits = Bits::default();
        for step_index in 0..self.steps {
            if step_index == restore_step {
                let bytes = world.snapshot().to_bytes();
                world = SceneWorld::from_snapshot(&SceneSnapshot::from_bytes(&bytes).ok()?);
            }
            step(&mut world, &mut bits);
        }
        Some(bits.value())
    }
}

fn step(world: &mut SceneWorld, bits: &mut Bits) {
    world.step();
    let hash = world.state_hash();
    bits.add(hash as u32);
    bits.add((hash >> 32) as u32);
    bits.add(world.events().len() as u32);
}

/// Hashes of all runs with one worker, for the golden hashes.
pub(crate) const HASHES: [fn() -> u64; 5] = [
    || RUNS[0].hash(1),
    || RUNS[1].hash(1),
    || RUNS[2].hash(1),
    || RUNS[3].hash(1),
    || RUNS[4].hash(1),
];

const VALID: &str = "the scenes are valid";

fn sphere(radius: f32) -> Sphere {
    Sphere::new(radius).expect(VALID)
}

fn cuboid(x: f32, y: f32, z: f32) -> Cuboid {
    Cuboid::new(Vec3::new(x, y, z)).expect(VALID)
}

fn rotation(index: u16) -> Rotation {
    Rotation::from_axis_angle(Vec3::new(1.0, -2.0, 0.5), f32::from(index)).expect(VALID)
}

fn world(settings: Settings) -> SceneWorld {
    world_with_solver(Method::Engine(settings.solver), settings)
}

fn world_with_solver(method: Method, settings: Settings) -> SceneWorld {
    SceneWorld::new(settings, method).expect(VALID)
}

fn cell(index: u16, side: u16) -> [f32; 3] {
    [index % side, index / side / side, index / side % side].map(f32::from)
}

/// Every shape type falls onto a hilly mesh.
fn pile(threads: u32) -> SceneWorld {
    let mut world = world(Settings { worker_count: threads, ..Settings::default() });
    let vertex = |index: u32| {
        let (x, z) = ((index % 9) as f32 - 4.0, (index / 9) as f32 - 4.0);
        [x * 2.0, (x * x + z * z) * 0.08, z * 2.0]
    };
    let cells = (0..64_u32).map(|index| index % 8 + index / 8 * 9);
    let triangles = cells.flat_map(|c| [[c, c + 9, c + 1], [c + 1, c + 9, c + 10]]);
    let mesh = TriangleMesh::new((0..81).map(vertex).collect(), triangles.collect()).expect(VALID);
    world.insert_body(BodyDef::fixed(TriMesh::new(mesh).expect(VALID))).expect(VALID);
    let parts = vec![
        (Pose::from_translation(Vec3::X * 0.3), Shape::from(sphere(0.2))),
        (Pose::IDENTITY, Shape::from(cuboid(0.3, 0.1, 0.1))),
    ];
    let shapes: [Shape; 5] = [
        sphere(0.3).into(),
        cuboid(0.3, 0.2, 0.4).into(),
        Capsule::new(0.3, 0.2).expect(VALID).into(),
        ConvexHull::cylinder(0.3, 0.3, 9).expect(VALID).into(),
        Compound::new(parts).expect(VALID).into(),
    ];
    for index in 0..175_u16 {
        let [x, y, z] = cell(index, 5);
        let def = BodyDef::dynamic(shapes[usize::from(index) % 5].clone(), 1.0 + y);
        let at = Vec3::new(x - 2.0, y * 1.2 + 2.0, z - 2.0);
        let friction = 0.2 + 0.1 * f32::from(index % 7);
        let material = Material { friction, rolling_resistance: 0.01, ..Material::default() };
        world
            .insert_body(def.position(at).rotation(rotation(index)).material(material))
            .expect(VALID);
    }
    world
}

/// Two walls of boxes, hit by a sphere.
fn walls(threads: u32) -> SceneWorld {
    let mut world = world(Settings { worker_count: threads, ..Settings::default() });
    world.insert_body(BodyDef::fixed(HalfSpace::new(Vec3::Y).expect(VALID))).expect(VALID);
    for index in 0..120_u16 {
        let (row, column) = ((index / 2) / 10, (index / 2) % 10);
        let x = f32::from(column) + 0.5 * f32::from(row % 2) - 5.0;
        let at = Vec3::new(x, f32::from(row) * 0.5 + 0.25, f32::from(index % 2) * 3.0);
        world
            .insert_body(BodyDef::dynamic(cuboid(0.5, 0.25, 0.25), 2.0).position(at))
            .expect(VALID);
    }
    let projectile = BodyDef::dynamic(sphere(0.4), 20.0).position(Vec3::new(0.0, 1.5, -6.0));
    let projectile = projectile.linear_velocity(Vec3::new(1.0, 2.0, 40.0)).restitution(0.3);
    world.insert_body(projectile).expect(VALID);
    world
}

/// Every joint type: a chain, a door with a motor, a cart on a rail, a beam, a spring, a planar
/// pair.
fn machine(threads: u32) -> SceneWorld {
    let mut world = world(Settings { worker_count: threads, ..Settings::default() });
    let hook = world.insert_body(BodyDef::fixed(sphere(0.1)).position(Vec3::Y * 5.0)).expect(VALID);
    let (mut last, mut beam) = (hook, hook);
    for index in 0..8_u16 {
        let x = f32::from(index);
        let link = BodyDef::dynamic(cuboid(0.2, 0.05, 0.05), 1.0 + x);
        let link =
            world.insert_body(link.position(Vec3::new(0.4 * x + 0.2, 5.0, 0.0))).expect(VALID);
        let joint = JointDef::spherical(last, link, Vec3::new(0.4 * x, 5.0, 0.0));
        world.insert_joint(joint).expect(VALID);
        last = link;
        if index < 3 {
            let at = Vec3::new(-0.5 - x, 5.0, 0.0);
            let part = BodyDef::dynamic(cuboid(0.5, 0.1, 0.2), 2.0).position(at);
            let part = world.insert_body(part).expect(VALID);
            world.insert_joint(JointDef::fixed(beam, part, at + Vec3::X * 0.5)).expect(VALID);
            beam = part;
        }
    }
    let door = BodyDef::dynamic(cuboid(0.5, 1.0, 0.05), 5.0).position(Vec3::new(0.5, 5.0, 3.0));
    let door = world.insert_body(door).expect(VALID);
    let hinge = JointDef::revolute(hook, door, Vec3::new(0.0, 5.0, 3.0), Vec3::Y);
    world.insert_joint(hinge.limits(-1.0, 2.0).motor(3.0, 20.0)).expect(VALID);
    let cart = BodyDef::dynamic(cuboid(0.3, 0.2, 0.2), 3.0).position(Vec3::new(0.0, 2.0, -3.0));
    let cart = world.insert_body(cart).expect(VALID);
    let rail = JointDef::prismatic(hook, cart, Vec3::new(0.0, 2.0, -3.0), Vec3::new(1.0, 1.0, 0.2));
    world.insert_joint(rail.limits(-1.0, 1.0)).expect(VALID);
    let bob = BodyDef::dynamic(sphere(0.2), 1.0).position(Vec3::new(0.5, 1.0, -3.0));
    let bob = world.insert_body(bob).expect(VALID);
    let (from, to) = (Vec3::new(0.0, 2.0, -3.0), Vec3::new(0.5, 1.0, -3.0));
    world.insert_joint(JointDef::spring(cart, bob, from, to, 60.0, 0.5)).expect(VALID);
    let flat = BodyDef::dynamic(cuboid(0.3, 0.3, 0.3), 1.0).position(Vec3::new(2.0, 4.0, 6.0));
    let flat = world.insert_body(flat.locked_axes(LockedAxes::PLANE_XY)).expect(VALID);
    let rope = JointDef::distance(hook, flat, Vec3::Y * 5.0, Vec3::new(2.0, 4.0, 6.0));
    world.insert_joint(rope.limits(0.0, 7.0)).expect(VALID);
    world
}

/// Elastic boxes and spheres in solid bounds.
fn gas(threads: u32) -> SceneWorld {
    let mut world = world(Settings {
        gravity: Vec3::new(0.0, -1.0, 0.0),
        bounds: Some(WorldBounds::solid(Vec3::splat(-3.0), Vec3::splat(3.0))),
        solver: SolverKind::EventDriven,
        worker_count: threads,
        ..Settings::default()
    });
    for index in 0..125_u16 {
        let [x, y, z] = cell(index, 5).map(|value| value - 2.0);
        let shape: Shape =
            if index % 2 == 0 { sphere(0.2).into() } else { cuboid(0.2, 0.1, 0.3).into() };
        let def = BodyDef::dynamic(shape, 1.0 + f32::from(index % 3)).position(Vec3::new(x, y, z));
        let velocity = Vec3::new(2.0 * y - z, z - x * x, 2.0 * x - y * z);
        let def = def.rotation(rotation(index)).linear_velocity(velocity).restitution(1.0);
        world.insert_body(def).expect(VALID);
    }
    world
}

/// The published chain of Lasch among static bodies.
fn study(threads: u32) -> SceneWorld {
    let settings = Settings {
        bounds: Some(WorldBounds::solid(Vec3::splat(-5.0), Vec3::splat(5.0))),
        worker_count: threads,
        ..Settings::default()
    };
    let mut world = world_with_solver(Method::Lasch(lasch::Config::PUBLISHED), settings);
    for index in 0..64_u16 {
        let [x, y, z] = cell(index, 4).map(|value| value * 2.4 - 3.6);
        let def = match index % 4 {
            0 => BodyDef::fixed(cuboid(0.3, 0.4, 0.5)),
            1 => BodyDef::dynamic(cuboid(0.4, 0.4, 0.4), 2.0),
            2 => BodyDef::dynamic(ConvexHull::cone(0.5, 0.4, 7).expect(VALID), 1.5),
            _ => BodyDef::dynamic(sphere(0.4), 1.0),
        };
        let velocity = Vec3::new(z + y, x - z, y * 2.0 - x);
        let def =
            def.position(Vec3::new(x, y, z)).rotation(rotation(index)).linear_velocity(velocity);
        world.insert_body(def.restitution(0.8)).expect(VALID);
    }
    world
}
