//! A crate falls on the ground and a ball on a string swings into it: what moves next?
//!
//! `cargo run --package embate --example bodies_in_motion`

use embate::Vec3;
use embate::motion::{BodyPlan, Event, JointPlan, Settings, World};
use embate::shapes::{Cuboid, Plane, Sphere};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Settings::default())?;
    world.add(BodyPlan::still(Plane::new(Vec3::Y)?))?;
    let hook = world.add(BodyPlan::still(Sphere::new(0.1)?).at(Vec3::new(0.0, 5.0, 0.0)))?;

    let wooden = BodyPlan::moving(Cuboid::new(Vec3::splat(0.5))?, 20.0);
    let wooden = world.add(wooden.at(Vec3::new(0.0, 1.0, 0.0)))?;
    let from = Vec3::new(-4.0, 5.0, 0.0);
    let ball = world.add(BodyPlan::moving(Sphere::new(0.5)?, 50.0).at(from))?;
    world.join(JointPlan::distance(hook, ball, Vec3::new(0.0, 5.0, 0.0), from))?;

    for step in 1..=240 {
        world.step();
        for event in world.events() {
            if let Event::Hit { bodies, speed, .. } = event
                && bodies.contains(&ball)
            {
                println!("step {step}: the ball hits at {speed:.2} m/s");
            }
        }
    }
    let place = world.body(wooden).ok_or("the crate is there")?.position();
    println!("the crate was pushed {:.2} m and lies {:.2} m high", place.x, place.y);
    println!("energy {:.1} J, state {:016x}", world.energy(), world.state_hash());
    assert!(place.x > 0.5 && (place.y - 0.5).abs() < 0.02);
    Ok(())
}
