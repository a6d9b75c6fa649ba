//! Behavior of the published pipeline, of edits and of snapshots.

mod dynamics;
mod forces;
mod integrators;
mod parts;
mod position_based;
mod snapshots;

use embate::dynamics::{BodyDef, BodyId, Settings, WorldBounds};
use embate::shapes::{Cuboid, Sphere};
use embate_geom::{Rotation, Vec3};

use super::{BroadPhase, Config, Response, Simulator};

fn sphere(radius: f32) -> Sphere {
    Sphere::new(radius).unwrap()
}

fn cuboid(x: f32, y: f32, z: f32) -> Cuboid {
    Cuboid::new(Vec3::new(x, y, z)).unwrap()
}

fn config(broad_phase: BroadPhase, response: Response, tolerance: f32) -> Config {
    Config { broad_phase, response, tolerance, ..Config::PUBLISHED }
}

fn weightless(config: Config) -> Simulator {
    Simulator::new(Settings { gravity: Vec3::ZERO, ..Settings::default() }, config).unwrap()
}

fn steps(simulator: &mut Simulator, count: u32) {
    (0..count).for_each(|_| simulator.step());
}

fn position(simulator: &Simulator, id: BodyId) -> Vec3 {
    simulator.world().body(id).unwrap().position()
}

fn velocity(simulator: &Simulator, id: BodyId) -> Vec3 {
    simulator.world().body(id).unwrap().linear_velocity()
}

/// Solid bounds around moving spheres and cubes and static blocks.
fn room(config: Config) -> Simulator {
    let settings = Settings {
        bounds: Some(WorldBounds::solid(Vec3::splat(-5.0), Vec3::splat(5.0))),
        ..Settings::default()
    };
    let mut simulator = Simulator::new(settings, config).unwrap();
    for index in 0..60_u16 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| f32::from(i) * 2.4 - 3.6);
        let def = match index % 4 {
            0 => BodyDef::fixed(cuboid(0.3, 0.4, 0.5)),
            1 => BodyDef::dynamic(cuboid(0.5, 0.5, 0.5), 2.0),
            _ => BodyDef::dynamic(sphere(0.4), 1.0),
        };
        let rotation =
            Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), f32::from(index)).unwrap();
        let velocity = Vec3::new(z + y, x - z, y * 2.0 - x);
        let def = def.position(Vec3::new(x, y, z)).rotation(rotation).linear_velocity(velocity);
        simulator.insert_body(def.restitution(0.8)).unwrap();
    }
    simulator
}
