//! Event-driven solver: conservation of energy and momentum, restitution, no friction.

use embate_geom::{Rotation, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{SolverKind, WorldBounds};
use crate::shapes::HalfSpace;

/// With solid bounds at ±`half_size`, if given.
fn event_driven_world(gravity: Vec3, half_size: Option<f32>) -> World {
    let bounds = half_size.map(|half| WorldBounds::solid(Vec3::splat(-half), Vec3::splat(half)));
    let settings =
        Settings { gravity, bounds, solver: SolverKind::EventDriven, ..Settings::default() };
    World::new(settings).unwrap()
}

/// Adds elastic bodies on a grid of `side`³ cells with different velocities.
fn add_gas(world: &mut World, side: u16, body: impl Fn(u16) -> BodyDef) {
    let center = (f32::from(side) - 1.0) / 2.0;
    for index in 0..side * side * side {
        let [x, y, z] =
            [index % side, index / side % side, index / side / side].map(|i| f32::from(i) - center);
        let velocity = Vec3::new(1.3 * y - z, 2.0 * z - x * x * 0.3, 1.7 * x - y * z * 0.2);
        let def = body(index).position(Vec3::new(x, y, z)).linear_velocity(velocity);
        world.insert_body(def.restitution(1.0)).unwrap();
    }
}

/// Largest relative deviation of the total energy over `count` steps.
fn max_energy_drift(world: &mut World, count: usize) -> f64 {
    let before = world.total_energy();
    let mut max_drift = 0.0;
    for _ in 0..count / 10 {
        steps(world, 10);
        let drift = (world.total_energy() / before - 1.0).abs();
        max_drift = if drift > max_drift { drift } else { max_drift };
    }
    max_drift
}

#[test]
fn gas_of_spheres_conserves_energy() {
    let mut world = event_driven_world(Vec3::ZERO, Some(2.6));
    add_gas(&mut world, 5, |index| BodyDef::dynamic(sphere(0.2), 1.0 + f32::from(index % 3)));
    let drift = max_energy_drift(&mut world, 1000);
    assert!(drift < 1e-5, "relative energy drift {drift}");
    for body in world.bodies() {
        assert!(body.position().abs().max_element() < 2.6, "{body:?}");
    }
}

#[test]
fn gas_of_boxes_conserves_energy_and_rotates() {
    let mut world = event_driven_world(Vec3::ZERO, Some(2.6));
    add_gas(&mut world, 4, |index| {
        let rotation =
            Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), f32::from(index)).unwrap();
        BodyDef::dynamic(cuboid(0.2, 0.1, 0.3), 2.0).rotation(rotation)
    });
    let drift = max_energy_drift(&mut world, 1000);
    assert!(drift < 1e-3, "relative energy drift {drift}");
    let rotating = world.bodies().filter(|body| body.angular_velocity().length() > 0.1).count();
    assert!(rotating > 50, "{rotating} of 64 boxes rotate");
}

#[test]
fn gas_under_gravity_conserves_energy() {
    let mut world = event_driven_world(Vec3::Y * -9.81, Some(2.6));
    add_gas(&mut world, 5, |_| BodyDef::dynamic(sphere(0.2), 1.0));
    let drift = max_energy_drift(&mut world, 1000);
    assert!(drift < 1e-4, "relative energy drift {drift}");
}

#[test]
fn elastic_sphere_bounces_for_ten_minutes_without_losing_energy() {
    let mut world = event_driven_world(Vec3::Y * -9.81, None);
    add_ground(&mut world, 0.5);
    world
        .insert_body(BodyDef::dynamic(sphere(0.3), 1.0).position(Vec3::Y * 2.3).restitution(1.0))
        .unwrap();
    let before = world.total_energy();
    steps(&mut world, 10 * 60 * 60);
    let drift = world.total_energy() / before - 1.0;
    assert!(drift.abs() < 1e-3, "relative energy drift {drift}");
}

#[test]
fn colliding_bodies_conserve_momentum_to_rounding() {
    let mut world = event_driven_world(Vec3::ZERO, None);
    for index in 0..64_u16 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| f32::from(i) * 2.0 - 3.0);
        let at = Vec3::new(x, y, z);
        let def = BodyDef::dynamic(cube(), 1.0 + f32::from(index))
            .position(at)
            .linear_velocity(at * -0.7);
        let def = def.angular_velocity(Vec3::new(y, z, x)).restitution(1.0);
        world.insert_body(def).unwrap();
    }
    let (momentum, energy) = (world.linear_momentum(), world.total_energy());
    steps(&mut world, 600);
    let scale: f64 =
        world.bodies().map(|body| f64::from(body.mass() * body.linear_velocity().length())).sum();
    for axis in 0..3 {
        let error = (world.linear_momentum()[axis] - momentum[axis]).abs();
        assert!(error < 1e-6 * scale, "momentum error {error} of {scale} kg·m/s");
    }
    let drift = world.total_energy() / energy - 1.0;
    assert!(drift.abs() < 1e-3, "relative energy drift {drift}");
}

/// Five touching spheres: n incoming spheres eject n spheres with the same speed.
#[test]
fn newtons_cradle_ejects_as_many_spheres_as_came_in() {
    for incoming in 1..=4_u16 {
        let mut world = event_driven_world(Vec3::ZERO, None);
        let mut spheres = Vec::new();
        for index in 0..5_u16 {
            let is_incoming = index < incoming;
            let x = f32::from(index) - if is_incoming { 1.5 } else { 0.0 };
            let def = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * x).restitution(1.0);
            let def = def.linear_velocity(if is_incoming { Vec3::X * 2.0 } else { Vec3::ZERO });
            spheres.push(world.insert_body(def).unwrap());
        }
        steps(&mut world, 120);
        for (index, &body) in (0..).zip(&spheres) {
            let expected = if index >= 5 - incoming { 2.0 } else { 0.0 };
            let actual = velocity(&world, body);
            assert!(
                (actual - Vec3::X * expected).length() < 1e-4,
                "{incoming} incoming, sphere {index}: {actual:?}"
            );
        }
    }
}

#[test]
fn unequal_masses_separate_by_newtons_law_of_restitution() {
    for masses in [[1.0, 1.0], [1.0, 10.0], [100.0, 1.0], [1.0, 1000.0]] {
        for e in [0.0, 0.5, 1.0] {
            let mut world = event_driven_world(Vec3::ZERO, None);
            let sphere_def = |mass: f32, x: f32, speed: f32| {
                let def = BodyDef::dynamic(sphere(0.5), mass).position(Vec3::X * x);
                def.linear_velocity(Vec3::X * speed).restitution(e)
            };
            let a = world.insert_body(sphere_def(masses[0], -2.0, 3.0)).unwrap();
            let b = world.insert_body(sphere_def(masses[1], 2.0, -1.0)).unwrap();
            steps(&mut world, 240);
            let total = masses[0] + masses[1];
            let common = (3.0 * masses[0] - masses[1]) / total;
            let expected =
                [common - e * 4.0 * masses[1] / total, common + e * 4.0 * masses[0] / total];
            for (body, expected) in [a, b].into_iter().zip(expected) {
                let actual = velocity(&world, body).x;
                assert!(
                    (actual - expected).abs() < 1e-4,
                    "masses {masses:?}, restitution {e}: {actual}, expected {expected}"
                );
            }
        }
    }
}

#[test]
fn inelastic_sphere_comes_to_rest_on_the_ground() {
    for e in [0.0, 0.5] {
        let mut world = event_driven_world(Vec3::Y * -9.81, None);
        add_ground(&mut world, 0.5);
        let def = BodyDef::dynamic(sphere(0.3), 1.0).position(Vec3::Y * 1.3).restitution(e);
        let body = world.insert_body(def).unwrap();
        steps(&mut world, 600);
        let height = position(&world, body).y;
        assert!((height - 0.3).abs() < 0.005, "restitution {e}: at {height} m");
    }
}

/// The event-driven solver has no friction: a block slides down a slope of 25° at g · sin 25°.
#[test]
fn event_driven_solver_ignores_friction() {
    let mut world = event_driven_world(Vec3::Y * -9.81, None);
    let tilt = Rotation::from_axis_angle(Vec3::Z, 25.0_f32.to_radians()).unwrap();
    let normal = tilt.rotate(Vec3::Y);
    let slope = BodyDef::fixed(HalfSpace::new(normal).unwrap()).friction(0.6);
    world.insert_body(slope).unwrap();
    let block = BodyDef::dynamic(cube(), 1.0).rotation(tilt).position(normal * 0.5).friction(0.6);
    let block = world.insert_body(block).unwrap();
    steps(&mut world, 120);
    let expected = G * 2.0 * embate_geom::scalar::sin_cos(25.0_f32.to_radians()).0;
    let actual = velocity(&world, block).length();
    assert!((actual / expected - 1.0).abs() < 1e-3, "{actual} m/s, expected {expected} m/s");
}

/// Regression: the energy decreased from 29.43 J to 18.25 J in 20 s.
#[test]
fn tilted_elastic_cube_bounces_for_twenty_seconds_without_losing_energy() {
    let mut world = event_driven_world(Vec3::Y * -9.81, None);
    add_ground(&mut world, 0.0);
    let rotation = Rotation::from_quaternion([0.2, 0.1, 0.3, 1.0]).unwrap();
    let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 3.0).rotation(rotation);
    world.insert_body(def.restitution(1.0).friction(0.0)).unwrap();
    let drift = max_energy_drift(&mut world, 1200);
    assert!(drift < 2e-3, "relative energy drift {drift}");
}

/// Regression: the energy decreased from 1,253.6 J to 1,211.6 J in 10 s.
#[test]
fn sixty_spheres_under_gravity_in_solid_bounds_conserve_energy() {
    let mut world = event_driven_world(Vec3::Y * -9.81, Some(2.0));
    for index in 0..60_u16 {
        let [x, y, z] = [index % 4, index / 16, index / 4 % 4].map(|i| f32::from(i) * 0.9 - 1.35);
        let velocity = Vec3::new(y - z, 1.5 * z - x, x * y);
        let def = BodyDef::dynamic(sphere(0.2), 1.0).position(Vec3::new(x, y, z));
        world.insert_body(def.linear_velocity(velocity).restitution(1.0)).unwrap();
    }
    let drift = max_energy_drift(&mut world, 600);
    assert!(drift < 1e-4, "relative energy drift {drift}");
}

/// Regression: the velocity was off by 2 % because the impact used the normal at the start of the
/// sub-step instead of the normal at the time of impact.
#[test]
fn glancing_impact_uses_the_normal_at_the_time_of_impact() {
    for speed in [1.0, 3.0, 30.0] {
        let mut world = event_driven_world(Vec3::ZERO, None);
        let def = BodyDef::dynamic(sphere(0.5), 1.0).restitution(1.0).friction(0.0);
        let a = world.insert_body(def.clone().linear_velocity(Vec3::X * speed)).unwrap();
        let b = world.insert_body(def.position(Vec3::new(3.0, 0.5, 0.0))).unwrap();
        steps(&mut world, (240.0 / speed) as usize);
        let expected = Vec3::new(0.25, -0.433_012_7, 0.0) * speed;
        let actual = velocity(&world, a);
        assert!((actual - expected).length() < 2e-3 * speed, "{actual:?}, expected {expected:?}");
        let momentum = velocity(&world, b) + actual;
        assert!((momentum - Vec3::X * speed).length() < 1e-5 * speed);
    }
}
