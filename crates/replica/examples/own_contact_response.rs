//! Own contact response in the simulator of Lasch: the study's impulse, and Coulomb friction.
//!
//! `cargo run -p embate-replica --example own_contact_response`

use std::error::Error;

use embate::dynamics::{BodyDef, Settings};
use embate::{Vec3, shapes::Cuboid};
use embate_replica::lasch::{Config, ContactResponse, Contacts, ImpulseResponse, Parts, Simulator};

/// The study has no friction. Here the impulse across the normal stops the sliding, within the
/// coefficient times the impulse along the normal.
#[derive(Debug)]
struct WithFriction {
    coefficient: f32,
}

impl ContactResponse for WithFriction {
    fn respond(&self, contacts: &mut Contacts<'_>) {
        // What bodies approach by before the study's impulse stops them.
        let approach: Vec<f32> = (0..contacts.pair_count())
            .map(|pair| contacts.get(pair).map_or(0.0, |c| -c.relative_velocity.dot(c.normal)))
            .collect();
        ImpulseResponse.respond(contacts);
        for (pair, approach) in approach.into_iter().enumerate().filter(|(_, speed)| *speed > 0.0) {
            let Some(contact) = contacts.get(pair) else { continue };
            let normal_impulse = (1.0 + contact.restitution) * approach / contact.inverse_mass;
            let along = contact.normal * contact.relative_velocity.dot(contact.normal);
            let stop = (along - contact.relative_velocity) / contact.inverse_mass;
            let max = self.coefficient * normal_impulse;
            let scale = if stop.length() > max { max / stop.length() } else { 1.0 };
            contacts.apply_impulse(pair, stop * scale);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let slide = |parts| -> Result<f32, Box<dyn Error>> {
        let mut simulator = Simulator::with_parts(Settings::default(), Config::PUBLISHED, parts)?;
        let floor = Cuboid::new(Vec3::new(50.0, 0.5, 5.0))?;
        simulator.insert_body(BodyDef::fixed(floor).position(Vec3::Y * -0.5))?;
        let cube = BodyDef::dynamic(Cuboid::new(Vec3::splat(0.5))?, 1.0).position(Vec3::Y * 0.5);
        let cube = simulator.insert_body(cube.linear_velocity(Vec3::X * 4.0))?;
        (0..180).for_each(|_| simulator.step());
        Ok(simulator.world().body(cube).map_or(0.0, |cube| cube.position().x))
    };
    let (free, rough) =
        (slide(Parts::new())?, slide(Parts::new().response(WithFriction { coefficient: 0.5 }))?);
    // v²/(2·μ·g) = 16/(2·0.5·9.81)
    println!(
        "a cube of 4 m/s slides {free:.2} m without friction and {rough:.2} m with it; 1.63 m in theory"
    );
    assert!((free - 12.0).abs() < 0.1 && (rough - 1.63).abs() < 0.1);
    Ok(())
}
