//! Applied forces: windows, springs and orbits.

use embate::dynamics::BodyDef;
use embate_geom::Vec3;

use super::*;
use crate::lasch::{AppliedForce, AppliedForces, ForceLaw};

/// A body of 2 kg without gravity, and its force.
fn with_force(x: f32, velocity: Vec3, law: ForceLaw, until: f64) -> (Simulator, BodyId) {
    let mut simulator = weightless(Config::PUBLISHED);
    let def = BodyDef::dynamic(sphere(0.1), 2.0).position(Vec3::X * x).linear_velocity(velocity);
    let body = simulator.insert_body(def).unwrap();
    let force = AppliedForce { body, law, from: 0.0, until };
    simulator.set_forces(AppliedForces::new(vec![force]));
    (simulator, body)
}

#[test]
fn constant_force_accelerates_during_its_window() {
    let (mut simulator, body) = with_force(0.0, Vec3::ZERO, ForceLaw::Constant(Vec3::Z * 6.0), 1.0);
    steps(&mut simulator, 30);
    assert!((velocity(&simulator, body) - Vec3::Z * 1.5).length() < 1e-5);
    steps(&mut simulator, 60);
    // 3 m/s² for 60 steps of 1/60 s, and no longer.
    assert!((velocity(&simulator, body) - Vec3::Z * 3.0).length() < 1e-5);
}

#[test]
fn body_on_a_spring_has_its_period_and_conserves_its_energy() {
    // ω = √(k/m) = 2π: a period of 60 steps.
    let stiffness = 2.0 * std::f32::consts::TAU * std::f32::consts::TAU;
    let law = ForceLaw::Spring { anchor: Vec3::ZERO, stiffness, damping: 0.0 };
    let (mut simulator, body) = with_force(1.0, Vec3::ZERO, law, f64::INFINITY);
    let energy = |simulator: &Simulator| {
        simulator.world().total_energy()
            + simulator.forces.potential_energy(simulator.world(), simulator.time())
    };
    let at_start = energy(&simulator);
    steps(&mut simulator, 600);
    assert!((position(&simulator, body) - Vec3::X).length() < 0.05, "ten periods later");
    assert!((energy(&simulator) / at_start - 1.0).abs() < 0.06, "{}", energy(&simulator));
}

#[test]
fn body_circles_the_center_of_a_central_force() {
    // v² = μ/r with μ = strength/m.
    let law = ForceLaw::Central { center: Vec3::ZERO, strength: 8.0 };
    let (mut simulator, body) = with_force(4.0, Vec3::Y, law, f64::INFINITY);
    for _ in 0..3000 {
        simulator.step();
        let radius = position(&simulator, body).length();
        assert!((radius - 4.0).abs() < 0.05, "{radius}");
    }
}

#[test]
fn force_on_a_removed_body_has_no_effect() {
    let law = ForceLaw::Constant(Vec3::X);
    let (mut simulator, body) = with_force(0.0, Vec3::ZERO, law, f64::INFINITY);
    assert!(simulator.remove_body(body));
    let other = simulator.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    steps(&mut simulator, 10);
    assert_eq!(velocity(&simulator, other), Vec3::ZERO);
    assert_eq!(simulator.forces.potential_energy(simulator.world(), 0.0), 0.0);
}
