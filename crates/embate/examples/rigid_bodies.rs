//! Rigid bodies: a box rests on the ground, and a pendulum hits it.
//!
//! `cargo run -p embate --example rigid_bodies`

use embate::Vec3;
use embate::dynamics::{BodyDef, ContactEvent, JointDef, Settings, World};
use embate::shapes::{Cuboid, HalfSpace, Sphere};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Settings::default())?;
    world.insert_body(BodyDef::fixed(HalfSpace::new(Vec3::Y)?))?;
    let pivot = Vec3::new(0.0, 5.0, 0.0);
    let anchor = world.insert_body(BodyDef::fixed(Sphere::new(0.1)?).position(pivot))?;

    let cuboid = BodyDef::dynamic(Cuboid::new(Vec3::splat(0.5))?, 20.0);
    let cuboid = world.insert_body(cuboid.position(Vec3::new(0.0, 1.0, 0.0)))?;
    let start = Vec3::new(-4.0, 5.0, 0.0);
    let bob = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 50.0).position(start))?;
    world.insert_joint(JointDef::distance(anchor, bob, pivot, start))?;

    for step in 1..=240 {
        world.step();
        for event in world.events() {
            if let ContactEvent::Hit { bodies, approach_speed, .. } = event
                && bodies.contains(&bob)
            {
                println!("step {step}: impact at {approach_speed:.2} m/s");
            }
        }
    }
    let position = world.body(cuboid).ok_or("the box was removed")?.position();
    println!("the box moved {:.2} m; its center is {:.2} m high", position.x, position.y);
    println!("energy {:.1} J, state hash {:016x}", world.total_energy(), world.state_hash());
    assert!(position.x > 0.5 && (position.y - 0.5).abs() < 0.02);
    Ok(())
}
