//! Behavior tests of the world: against closed-form mechanics, brute force, and repeated runs.

mod body;
mod ccd;
mod edits;
mod error_handling;
mod event_driven;
mod external_motion;
mod free_motion;
mod joint;
mod locked_axes;
mod meshes;
mod queries;
mod restitution;
mod serialize;
mod sleep;
mod stacking;
mod threads;
mod wake;

use embate_geom::{Rotation, Vec3};
use embate_test_util::Rng;

use crate::dynamics::{BodyDef, BodyId, Settings, World};
use crate::shapes::{Cuboid, HalfSpace, Sphere};

/// Default gravity, in m/s².
const G: f32 = 9.81;

fn zero_gravity_world() -> World {
    World::new(Settings { gravity: Vec3::ZERO, ..Settings::default() }).unwrap()
}

fn world() -> World {
    World::new(Settings::default()).unwrap()
}

fn world_without_sleep() -> World {
    World::new(Settings { enable_sleep: false, ..Settings::default() }).unwrap()
}

fn sphere(radius: f32) -> Sphere {
    Sphere::new(radius).unwrap()
}

/// By half extents.
fn cuboid(x: f32, y: f32, z: f32) -> Cuboid {
    Cuboid::new(Vec3::new(x, y, z)).unwrap()
}

/// Edge length 1 m.
fn cube() -> Cuboid {
    cuboid(0.5, 0.5, 0.5)
}

/// The half-space below y = 0.
fn add_ground(world: &mut World, friction: f32) -> BodyId {
    let ground = BodyDef::fixed(HalfSpace::new(Vec3::Y).unwrap());
    world.insert_body(ground.friction(friction)).unwrap()
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step();
    }
}

fn position(world: &World, id: BodyId) -> Vec3 {
    world.body(id).unwrap().position()
}

fn velocity(world: &World, id: BodyId) -> Vec3 {
    world.body(id).unwrap().linear_velocity()
}

/// Coordinates uniform in `-size..size`.
fn random_vector(rng: &mut Rng, size: f32) -> Vec3 {
    Vec3::from(rng.point(-size, size))
}

/// Uniform over all rotations.
fn random_rotation(rng: &mut Rng) -> Rotation {
    Rotation::from_quaternion(rng.unit_quaternion()).unwrap()
}
