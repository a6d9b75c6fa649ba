//! Own integrator in the simulator of Lasch: Heun's method, beside the built-in ones.
//!
//! `cargo run -p embate-replica --example own_integrator`

use std::error::Error;

use embate::dynamics::{BodyDef, Settings};
use embate::{Vec3, shapes::Sphere};
use embate_replica::lasch::{
    AppliedForce, AppliedForces, BodyForces, Config, ForceLaw, Integrator, IntegratorKind,
    MotionState, Parts, Simulator,
};

/// The mean of the slopes at both ends of an Euler step. Of second order.
#[derive(Debug)]
struct Heun;

impl Integrator for Heun {
    fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32) {
        let MotionState { position, velocity, .. } = *state;
        let before = forces.damped_acceleration(position, velocity);
        let predicted = velocity + before * time_step;
        let after = forces.damped_acceleration(position + velocity * time_step, predicted);
        state.position += forces.limit_velocity((velocity + predicted) * 0.5) * time_step;
        state.velocity = forces.limit_velocity(velocity + (before + after) * (0.5 * time_step));
    }
}

/// Distance in m from the closed form after one period of a spring, 1 s.
fn error(config: Config, parts: Parts) -> Result<f32, Box<dyn Error>> {
    let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
    let mut simulator = Simulator::with_parts(settings, config, parts)?;
    let ball = BodyDef::dynamic(Sphere::new(0.1)?, 1.0).position(Vec3::X);
    let body = simulator.insert_body(ball)?;
    let stiffness = std::f32::consts::TAU * std::f32::consts::TAU;
    let law = ForceLaw::Spring { anchor: Vec3::ZERO, stiffness, damping: 0.0 };
    let force = AppliedForce { body, law, from: 0.0, until: f64::INFINITY };
    simulator.set_forces(AppliedForces::new(vec![force]));
    (0..60).for_each(|_| simulator.step());
    let position = simulator.world().body(body).map_or(Vec3::ZERO, |body| body.position());
    Ok((position - Vec3::X).length())
}

fn main() -> Result<(), Box<dyn Error>> {
    for integrator in IntegratorKind::ALL {
        let config = Config { integrator, ..Config::PUBLISHED };
        println!("{:19} {:9.6} m", integrator.name(), error(config, Parts::new())?);
    }
    let heun = error(Config::PUBLISHED, Parts::new().integrator(Heun))?;
    println!("{:19} {heun:9.6} m", "Heun (own)");
    assert!(
        heun < error(
            Config { integrator: IntegratorKind::ExplicitEuler, ..Config::PUBLISHED },
            Parts::new()
        )?
    );
    Ok(())
}
