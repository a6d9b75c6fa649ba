//! Integrators: closed forms, damping, contacts, edits and snapshots.

use embate::dynamics::{BodyDef, LockedAxes, Settings};
use embate_geom::{Vec3, scalar};

use super::*;
use crate::lasch::{AppliedForce, AppliedForces, ForceLaw, IntegratorKind, Snapshot};

const BY_VERLET: Config = Config { integrator: IntegratorKind::Verlet, ..Config::PUBLISHED };

fn by(integrator: IntegratorKind) -> Config {
    Config { integrator, ..Config::PUBLISHED }
}

fn simulator(config: Config, gravity: Vec3, time_step: f32) -> Simulator {
    Simulator::new(Settings { gravity, time_step, ..Settings::default() }, config).unwrap()
}

fn apply(simulator: &mut Simulator, body: BodyId, law: ForceLaw) {
    let force = AppliedForce { body, law, from: 0.0, until: f64::INFINITY };
    simulator.set_forces(AppliedForces::new(vec![force]));
}

/// A ball of 1 kg on a spring of period 1 s, 64 steps per second.
fn on_a_spring(config: Config, damping: f32) -> (Simulator, BodyId) {
    let mut simulator = simulator(config, Vec3::ZERO, 1.0 / 64.0);
    let ball = BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X);
    let ball = simulator.insert_body(ball).unwrap();
    let stiffness = std::f32::consts::TAU * std::f32::consts::TAU;
    apply(&mut simulator, ball, ForceLaw::Spring { anchor: Vec3::ZERO, stiffness, damping });
    (simulator, ball)
}

#[test]
fn free_flight_follows_the_difference_equation_of_each_integrator() {
    for integrator in IntegratorKind::ALL {
        let mut simulator = simulator(by(integrator), Vec3::Y * -8.0, 1.0 / 16.0);
        let ball = BodyDef::dynamic(sphere(0.1), 1.0).linear_velocity(Vec3::new(1.0, 4.0, 0.0));
        let ball = simulator.insert_body(ball).unwrap();
        steps(&mut simulator, 16);
        // ½·g·t·dt is what Euler's methods add to or take from the height of the parabola: 0.25 m.
        let height = match integrator {
            IntegratorKind::ExplicitEuler => 0.25,
            IntegratorKind::SemiImplicitEuler => -0.25,
            IntegratorKind::Verlet | IntegratorKind::Rk4 => 0.0,
        };
        let off = position(&simulator, ball) - Vec3::new(1.0, height, 0.0);
        assert!(off.length() < 1e-5, "{integrator:?}: {off:?}");
        let off = velocity(&simulator, ball) - Vec3::new(1.0, -4.0, 0.0);
        assert!(off.length() < 1e-5, "{integrator:?}: {off:?}");
    }
}

#[test]
fn spring_returns_after_a_period_with_the_error_of_the_order() {
    let errors = IntegratorKind::ALL.map(|integrator| {
        let (mut simulator, ball) = on_a_spring(by(integrator), 0.0);
        steps(&mut simulator, 64);
        (position(&simulator, ball) - Vec3::X).length()
    });
    let [explicit, semi_implicit, verlet, rk4] = errors;
    // exp(ω²·dt·t/2) − 1 of the amplitude.
    assert!((explicit - 0.36).abs() < 0.02, "{explicit}");
    assert!(semi_implicit < 0.02 && verlet < 0.002 && rk4 < 2e-5, "{errors:?}");
}

#[test]
fn damped_motion_decays_as_in_closed_form() {
    // v′ = −2·v by linear damping, or by the damper of a spring without stiffness.
    for is_spring in [false, true] {
        for (integrator, tolerance) in IntegratorKind::ALL.into_iter().zip([2e-2, 2e-2, 1e-4, 1e-6])
        {
            let mut simulator = simulator(by(integrator), Vec3::ZERO, 1.0 / 64.0);
            let ball = BodyDef::dynamic(sphere(0.1), 1.0).linear_velocity(Vec3::X * 3.0);
            let damping = if is_spring { 0.0 } else { 2.0 };
            let ball = simulator.insert_body(ball.linear_damping(damping)).unwrap();
            if is_spring {
                let law = ForceLaw::Spring { anchor: Vec3::ZERO, stiffness: 0.0, damping: 2.0 };
                apply(&mut simulator, ball, law);
            }
            steps(&mut simulator, 64);
            let left = 0.135_335_28; // exp(−2)
            let (speed, way) = (velocity(&simulator, ball).x, position(&simulator, ball).x);
            let case = format!("{integrator:?} {is_spring}: {speed} {way}");
            assert!((speed - 3.0 * left).abs() < 3.0 * tolerance, "{case}");
            assert!((way - 1.5 * (1.0 - left)).abs() < 3.0 * tolerance, "{case}");
        }
    }
}

/// Of linear damping; a damper of a spring is stable within its time step alone.
#[test]
fn strong_damping_is_stable_by_semi_implicit_euler_and_verlet() {
    for integrator in [IntegratorKind::SemiImplicitEuler, IntegratorKind::Verlet] {
        let mut simulator = simulator(by(integrator), Vec3::Y * -9.81, 1.0 / 60.0);
        let ball = BodyDef::dynamic(sphere(0.1), 1.0).linear_velocity(Vec3::X * 3.0);
        let ball = simulator.insert_body(ball.linear_damping(1e4)).unwrap();
        steps(&mut simulator, 600);
        assert!(velocity(&simulator, ball).length() < 3.0, "{integrator:?}");
        assert!(position(&simulator, ball).length() < 0.1, "{integrator:?}");
    }
}

#[test]
fn elastic_ball_keeps_its_height_by_every_integrator() {
    for (integrator, tolerance) in IntegratorKind::ALL.into_iter().zip([1.2, 1.2, 0.1, 0.1]) {
        let mut simulator = simulator(by(integrator), Vec3::Y * -9.81, 1.0 / 240.0);
        let floor = BodyDef::fixed(cuboid(5.0, 0.5, 5.0)).position(Vec3::Y * -0.5);
        simulator.insert_body(floor).unwrap();
        let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 2.5).restitution(1.0);
        let ball = simulator.insert_body(ball).unwrap();
        let mut highest = 0.0_f32;
        for step in 0..960 {
            simulator.step();
            let height = position(&simulator, ball).y - 0.5;
            assert!(height > -0.05, "{integrator:?}: through the floor, {height}");
            if step > 480 {
                highest = scalar::max(highest, height);
            }
        }
        assert!((highest - 2.0).abs() < tolerance, "{integrator:?}: {highest}");
    }
}

#[test]
fn verlet_restarts_from_the_velocity_after_a_contact() {
    let mut simulator = weightless(BY_VERLET);
    let def = |x: f32| BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * x).restitution(1.0);
    let moving = simulator.insert_body(def(-2.0).linear_velocity(Vec3::X * 3.0)).unwrap();
    let resting = simulator.insert_body(def(0.0)).unwrap();
    steps(&mut simulator, 60);
    // By the positions alone, the first would go on and the second stay.
    assert!(velocity(&simulator, moving).length() < 1e-5);
    assert!((velocity(&simulator, resting) - Vec3::X * 3.0).length() < 1e-5);
    let before = position(&simulator, resting);
    steps(&mut simulator, 60);
    let moved = position(&simulator, resting) - before;
    assert!((moved - Vec3::X * 3.0).length() < 1e-4, "{moved:?}");
}

#[test]
fn verlet_restarts_from_the_velocity_after_an_edit() {
    let mut simulator = weightless(BY_VERLET);
    let ball = BodyDef::dynamic(sphere(0.5), 1.0).linear_velocity(Vec3::X);
    let ball = simulator.insert_body(ball).unwrap();
    steps(&mut simulator, 60);
    simulator.edit_body(ball, |body| body.set_linear_velocity(Vec3::Y * 2.0)).unwrap().unwrap();
    let before = position(&simulator, ball);
    steps(&mut simulator, 60);
    assert!((position(&simulator, ball) - before - Vec3::Y * 2.0).length() < 1e-5);
    let teleported = embate_geom::Pose::from_translation(Vec3::splat(7.0));
    simulator.set_body_pose(ball, teleported).unwrap().unwrap();
    steps(&mut simulator, 60);
    let moved = position(&simulator, ball) - Vec3::splat(7.0);
    assert!((moved - Vec3::Y * 2.0).length() < 1e-4, "{moved:?}");
}

/// A force of one step accelerates by the whole step, not by half of it.
#[test]
fn verlet_moves_by_its_velocity_after_a_force_that_ends() {
    let mut simulator = weightless(BY_VERLET);
    let ball = simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    steps(&mut simulator, 2);
    simulator.edit_body(ball, |body| body.apply_force(Vec3::X * 60.0)).unwrap().unwrap();
    simulator.step();
    assert!((velocity(&simulator, ball) - Vec3::X).length() < 1e-6);
    let before = position(&simulator, ball);
    steps(&mut simulator, 60);
    assert!((position(&simulator, ball) - before - Vec3::X).length() < 1e-5);
}

#[test]
fn edit_of_another_body_changes_no_bit_of_a_verlet_run() {
    let run = |edits: bool| {
        let (mut simulator, ball) = on_a_spring(BY_VERLET, 0.0);
        let other = BodyDef::fixed(sphere(0.1)).position(Vec3::Y * 9.0);
        let other = simulator.insert_body(other).unwrap();
        for _ in 0..100 {
            if edits {
                simulator.edit_body(other, |body| body.set_linear_velocity(Vec3::ZERO));
            }
            simulator.step();
        }
        position(&simulator, ball)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn locked_axes_stay_by_every_integrator() {
    for integrator in IntegratorKind::ALL {
        let mut simulator = simulator(by(integrator), Vec3::splat(-5.0), 1.0 / 60.0);
        let locked = LockedAxes { translation: [true, false, true], rotation: [false; 3] };
        let ball = BodyDef::dynamic(sphere(0.1), 1.0).linear_velocity(Vec3::splat(2.0));
        let ball = simulator.insert_body(ball.locked_axes(locked)).unwrap();
        let law = ForceLaw::Central { center: Vec3::splat(3.0), strength: 7.0 };
        apply(&mut simulator, ball, law);
        steps(&mut simulator, 30);
        let at = position(&simulator, ball);
        assert!(at.x == 0.0 && at.z == 0.0 && at.y != 0.0, "{integrator:?}: {at:?}");
    }
}

#[test]
fn diverging_spring_stays_within_the_maximum_speed() {
    for integrator in IntegratorKind::ALL {
        let max_linear_speed = 50.0;
        let settings = Settings { max_linear_speed, ..Settings::default() };
        let mut simulator = Simulator::new(settings, by(integrator)).unwrap();
        let ball = BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X);
        let ball = simulator.insert_body(ball).unwrap();
        let law = ForceLaw::Spring { anchor: Vec3::ZERO, stiffness: 1e9, damping: 0.0 };
        apply(&mut simulator, ball, law);
        for _ in 0..600 {
            let before = position(&simulator, ball);
            simulator.step();
            let moved = (position(&simulator, ball) - before).length();
            assert!(moved < 51.0 / 60.0, "{integrator:?}: {moved}");
            assert!(velocity(&simulator, ball).length() < 50.01, "{integrator:?}");
        }
    }
}

#[test]
fn snapshot_of_every_integrator_continues_with_the_same_bits() {
    for integrator in IntegratorKind::ALL {
        let (mut simulator, _) = on_a_spring(by(integrator), 0.1);
        for at in [0.5, 1.0, 1.5] {
            let ball = BodyDef::dynamic(sphere(0.3), 1.0).position(Vec3::new(3.0 * at, at, 0.0));
            simulator.insert_body(ball.linear_velocity(Vec3::X * -1.0)).unwrap();
        }
        let forces = simulator.forces.clone();
        steps(&mut simulator, 37);
        let bytes = simulator.snapshot().to_bytes();
        let mut other = Simulator::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
        other.set_forces(forces);
        assert_eq!(other.snapshot().to_bytes(), bytes);
        assert_eq!(other.config().integrator, integrator);
        for step in 0..80 {
            simulator.step();
            other.step();
            assert_eq!(simulator.state_hash(), other.state_hash(), "{integrator:?} {step}");
        }
    }
}

/// Without its last positions, a Verlet run goes on with other bits.
#[test]
fn state_hash_contains_the_last_positions_of_verlet() {
    let (mut simulator, ball) = on_a_spring(BY_VERLET, 0.0);
    steps(&mut simulator, 10);
    let hash = simulator.state_hash();
    let velocity = velocity(&simulator, ball);
    simulator.edit_body(ball, |body| {
        body.set_linear_velocity(velocity * 2.0).unwrap();
        body.set_linear_velocity(velocity).unwrap();
    });
    assert_eq!(simulator.state_hash(), hash, "the state is the same");
    let snapshot = simulator.snapshot();
    simulator.last_steps = super::super::integrator::LastSteps::default();
    assert_ne!(simulator.state_hash(), hash);
    simulator.restore(&snapshot);
    assert_eq!(simulator.state_hash(), hash);
}
