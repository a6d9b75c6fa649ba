//! What the laws of motion say, and what the world does.

mod changes;
mod elastic;
mod flight;
mod hard_joints;
mod impacts;
mod joints;
mod limits;
mod locks;
mod meshes;
mod query;
mod rest;
mod rings;
mod saved;
mod sleep;
mod strays;
mod study;
mod threads;
mod waking;
mod whirl;

use embate_geom::Vec3;

use super::{BodyId, BodyPlan, Settings, World};
use crate::shapes::{Cuboid, Plane, Sphere};

const G: f32 = 9.81;

fn weightless() -> World {
    World::new(Settings { gravity: Vec3::ZERO, ..Settings::default() }).unwrap()
}

fn world() -> World {
    World::new(Settings::default()).unwrap()
}

fn sphere(radius: f32) -> Sphere {
    Sphere::new(radius).unwrap()
}

fn cuboid(x: f32, y: f32, z: f32) -> Cuboid {
    Cuboid::new(Vec3::new(x, y, z)).unwrap()
}

fn cube() -> Cuboid {
    cuboid(0.5, 0.5, 0.5)
}

/// The half-space below y = 0.
fn add_ground(world: &mut World, friction: f32) -> BodyId {
    let ground = BodyPlan::still(Plane::new(Vec3::Y).unwrap());
    world.add(ground.with_friction(friction)).unwrap()
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
    world.body(id).unwrap().velocity()
}
