//! What may sleep, and what moves so slowly that it must not be stopped.

use embate_geom::Vec3;

use super::*;
use crate::motion::JointPlan;

/// After 10 s; stopped after half a second once it was slower than 5 cm/s.
#[test]
fn what_slides_slowly_on_ice_slides_on() {
    for speed in [0.05, 0.01, 0.003] {
        let mut world = world();
        add_ground(&mut world, 0.0);
        let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5).with_friction(0.0);
        let body = world.add(plan.with_velocity(Vec3::X * speed)).unwrap();
        steps(&mut world, 600);
        let way = position(&world, body).x;
        assert!((way / (10.0 * speed) - 1.0).abs() < 0.01, "{speed} m/s: {way}");
    }
}

/// Slopes as gravity that leans.
#[test]
fn a_block_on_a_slope_a_hair_steeper_than_its_friction_slides() {
    for (degrees, friction) in [(25.0_f32, 0.46), (25.0, 0.465), (10.0, 0.175)] {
        let (sin, cos) = embate_geom::scalar::sin_cos(degrees.to_radians());
        let gravity = Vec3::new(G * sin, -G * cos, 0.0);
        let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
        add_ground(&mut world, friction);
        let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5).with_friction(friction);
        let body = world.add(plan).unwrap();
        steps(&mut world, 600);
        let expected = 10.0 * G * (sin - friction * cos);
        let speed = velocity(&world, body).x;
        assert!((speed / expected - 1.0).abs() < 0.05, "{degrees}°: {speed}, not {expected}");
    }
}

/// At 2 cm from it, it was stopped and slept.
#[test]
fn a_ball_that_drifts_to_a_wall_arrives() {
    let mut world = weightless();
    world.add(BodyPlan::still(cuboid(0.5, 2.0, 2.0)).at(Vec3::X)).unwrap();
    let plan = BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::X * 0.2);
    let ball = world.add(plan.with_velocity(Vec3::X * 0.04)).unwrap();
    steps(&mut world, 360);
    assert!((position(&world, ball).x - 0.4).abs() < 2e-3, "{:?}", position(&world, ball));
}

/// The hand of a clock stood still.
#[test]
fn a_motor_that_turns_slowly_keeps_its_bodies_awake() {
    for speed in [0.05, 1e-3] {
        let mut world = world();
        let clock = world.add(BodyPlan::still(sphere(0.1))).unwrap();
        let hand = world.add(BodyPlan::moving(cuboid(0.5, 0.02, 0.02), 1.0)).unwrap();
        let hinge = JointPlan::hinge(clock, hand, Vec3::ZERO, Vec3::Z).with_motor(speed, 100.0);
        let hinge = world.join(hinge).unwrap();
        steps(&mut world, 600);
        let angle = world.joint(hinge).unwrap().angle().unwrap();
        assert!((angle / (10.0 * speed) - 1.0).abs() < 0.01, "{angle}");
    }
}

#[test]
fn stacks_pyramids_and_piles_fall_asleep() {
    let seconds = |bodies: &dyn Fn(&mut World)| {
        let mut world = world();
        add_ground(&mut world, 0.5);
        bodies(&mut world);
        let asleep = |world: &World| world.bodies().skip(1).all(|body| body.is_asleep());
        (1..=20).find(|_| {
            steps(&mut world, 60);
            asleep(&world)
        })
    };
    let stack = seconds(&|world| {
        for level in 0..20 {
            let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * (level as f32 + 0.5));
            world.add(plan).unwrap();
        }
    });
    let pyramid = seconds(&|world| {
        for level in 0..20 {
            for place in 0..20 - level {
                let at = Vec3::new(place as f32 + level as f32 * 0.5, level as f32 + 0.5, 0.0);
                world.add(BodyPlan::moving(cube(), 1.0).at(at)).unwrap();
            }
        }
    });
    let pile = seconds(&|world| {
        for index in 0..125 {
            let [x, y, z] = [index % 5, index / 25, index / 5 % 5].map(|i| i as f32 * 0.7);
            let plan = BodyPlan::moving(cuboid(0.3, 0.2, 0.25), 1.0);
            world.add(plan.at(Vec3::new(x + 0.1 * y, y + 0.5, z - 0.05 * y))).unwrap();
        }
    });
    let most = [stack, pyramid, pile].map(|seconds| seconds.unwrap_or(99));
    assert!(most[0] <= 6 && most[1] <= 3 && most[2] <= 5, "{most:?} s");
}

/// It slept at the turning point, or before it began to roll.
#[test]
fn a_ball_on_a_slope_of_a_tenth_of_a_degree_begins_to_roll_and_comes_back_from_above() {
    for degrees in [0.1_f32, 0.2] {
        for speed in [0.0, -0.03, -0.04, -0.05] {
            let (sin, cos) = embate_geom::scalar::sin_cos(degrees.to_radians());
            let gravity = Vec3::new(G * sin, -G * cos, 0.0);
            let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
            add_ground(&mut world, 0.5);
            let plan = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::Y * 0.5);
            let spin = Vec3::Z * (-speed / 0.5);
            let plan = plan.with_velocity(Vec3::X * speed).with_angular_velocity(spin);
            let ball = world.add(plan).unwrap();
            steps(&mut world, 600);
            let expected = speed + 10.0 * G * sin * 5.0 / 7.0;
            let rolls = velocity(&world, ball).x;
            assert!((rolls / expected - 1.0).abs() < 0.05, "{degrees}° at {speed}: {rolls}");
        }
    }
}
