//! Sleeping: resting islands fall asleep; slow but steady motion keeps bodies awake.

use embate_geom::Vec3;

use crate::dynamics::JointDef;
use crate::dynamics::tests::*;

/// Regression: bodies slower than 5 cm/s were put to sleep after 0.5 s.
#[test]
fn body_sliding_slowly_without_friction_does_not_fall_asleep() {
    for speed in [0.05, 0.01, 0.003] {
        let mut world = world();
        add_ground(&mut world, 0.0);
        let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5).friction(0.0);
        let body = world.insert_body(def.linear_velocity(Vec3::X * speed)).unwrap();
        steps(&mut world, 600);
        let distance = position(&world, body).x;
        assert!((distance / (10.0 * speed) - 1.0).abs() < 0.01, "{speed} m/s: {distance} m");
    }
}

/// The slope is modeled by tilted gravity.
#[test]
fn block_slides_on_a_slope_slightly_steeper_than_its_friction_angle() {
    for (degrees, friction) in [(25.0_f32, 0.46), (25.0, 0.465), (10.0, 0.175)] {
        let (sin, cos) = embate_geom::scalar::sin_cos(degrees.to_radians());
        let gravity = Vec3::new(G * sin, -G * cos, 0.0);
        let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
        add_ground(&mut world, friction);
        let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5).friction(friction);
        let body = world.insert_body(def).unwrap();
        steps(&mut world, 600);
        let expected = 10.0 * G * (sin - friction * cos);
        let speed = velocity(&world, body).x;
        assert!(
            (speed / expected - 1.0).abs() < 0.05,
            "{degrees}°: {speed} m/s, expected {expected} m/s"
        );
    }
}

/// Regression: the sphere was stopped 2 cm from the wall and fell asleep.
#[test]
fn slowly_drifting_sphere_reaches_the_wall() {
    let mut world = zero_gravity_world();
    world.insert_body(BodyDef::fixed(cuboid(0.5, 2.0, 2.0)).position(Vec3::X)).unwrap();
    let def = BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X * 0.2);
    let body = world.insert_body(def.linear_velocity(Vec3::X * 0.04)).unwrap();
    steps(&mut world, 360);
    assert!((position(&world, body).x - 0.4).abs() < 2e-3, "{:?}", position(&world, body));
}

/// Regression: a hand of a clock, driven by a motor, fell asleep.
#[test]
fn slow_motor_keeps_its_bodies_awake() {
    for speed in [0.05, 1e-3] {
        let mut world = world();
        let clock = world.insert_body(BodyDef::fixed(sphere(0.1))).unwrap();
        let hand = world.insert_body(BodyDef::dynamic(cuboid(0.5, 0.02, 0.02), 1.0)).unwrap();
        let hinge = JointDef::revolute(clock, hand, Vec3::ZERO, Vec3::Z).motor(speed, 100.0);
        let hinge = world.insert_joint(hinge).unwrap();
        steps(&mut world, 600);
        let angle = world.joint(hinge).unwrap().angle().unwrap();
        assert!((angle / (10.0 * speed) - 1.0).abs() < 0.01, "{angle} rad");
    }
}

#[test]
fn stacks_pyramids_and_piles_fall_asleep_within_seconds() {
    let seconds_to_sleep = |add_bodies: &dyn Fn(&mut World)| {
        let mut world = world();
        add_ground(&mut world, 0.5);
        add_bodies(&mut world);
        let all_asleep = |world: &World| world.bodies().skip(1).all(|body| body.is_sleeping());
        (1..=20).find(|_| {
            steps(&mut world, 60);
            all_asleep(&world)
        })
    };
    let stack = seconds_to_sleep(&|world| {
        for level in 0..20 {
            let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * (level as f32 + 0.5));
            world.insert_body(def).unwrap();
        }
    });
    let pyramid = seconds_to_sleep(&|world| {
        for level in 0..20 {
            for column in 0..20 - level {
                let at = Vec3::new(column as f32 + level as f32 * 0.5, level as f32 + 0.5, 0.0);
                world.insert_body(BodyDef::dynamic(cube(), 1.0).position(at)).unwrap();
            }
        }
    });
    let pile = seconds_to_sleep(&|world| {
        for index in 0..125 {
            let [x, y, z] = [index % 5, index / 25, index / 5 % 5].map(|i| i as f32 * 0.7);
            let def = BodyDef::dynamic(cuboid(0.3, 0.2, 0.25), 1.0);
            world.insert_body(def.position(Vec3::new(x + 0.1 * y, y + 0.5, z - 0.05 * y))).unwrap();
        }
    });
    let seconds = [stack, pyramid, pile].map(|seconds| seconds.unwrap_or(99));
    assert!(seconds[0] <= 6 && seconds[1] <= 3 && seconds[2] <= 5, "{seconds:?} s");
}

/// Regression: the sphere fell asleep at the turning point of its path, or before it began to roll.
#[test]
fn sphere_on_a_slope_of_a_tenth_of_a_degree_rolls_and_does_not_fall_asleep() {
    for degrees in [0.1_f32, 0.2] {
        for speed in [0.0, -0.03, -0.04, -0.05] {
            let (sin, cos) = embate_geom::scalar::sin_cos(degrees.to_radians());
            let gravity = Vec3::new(G * sin, -G * cos, 0.0);
            let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
            add_ground(&mut world, 0.5);
            let def = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 0.5);
            let angular_velocity = Vec3::Z * (-speed / 0.5);
            let def = def.linear_velocity(Vec3::X * speed).angular_velocity(angular_velocity);
            let body = world.insert_body(def).unwrap();
            steps(&mut world, 600);
            let expected = speed + 10.0 * G * sin * 5.0 / 7.0;
            let actual = velocity(&world, body).x;
            assert!(
                (actual / expected - 1.0).abs() < 0.05,
                "{degrees}°, started at {speed} m/s: {actual} m/s, expected {expected} m/s"
            );
        }
    }
}
