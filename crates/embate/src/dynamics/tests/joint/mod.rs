//! Joints: periods, energy, limits, motors, stiffness, filtering and lifetime.

mod closed_loops;
mod robustness;

use core::f32::consts::PI;

use embate_geom::{Pose, Rotation, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{JointDef, JointError, JointId, LockedAxes, Motor, SolverKind};

/// A small fixed body, to which joints attach others.
fn add_support(world: &mut World, at: Vec3) -> BodyId {
    world.insert_body(BodyDef::fixed(sphere(0.01)).position(at)).unwrap()
}

fn join(world: &mut World, def: JointDef) -> JointId {
    world.insert_joint(def).unwrap()
}

fn joint_angle(world: &World, joint: JointId) -> f32 {
    world.joint(joint).unwrap().angle().unwrap()
}

/// Mean period of an oscillating quantity: time between upward zero crossings, over `cycles`
/// periods.
fn period(world: &mut World, mut quantity: impl FnMut(&World) -> f32, cycles: usize) -> f32 {
    let mut crossings = Vec::new();
    let mut before = quantity(world);
    for step in 0..6000 {
        world.step();
        let now = quantity(world);
        if before < 0.0 && now >= 0.0 {
            crossings.push((step as f32 - now / (now - before)) / 60.0);
            if crossings.len() > cycles {
                break;
            }
        }
        before = now;
    }
    (crossings[cycles] - crossings[0]) / cycles as f32
}

#[test]
fn pendulum_period_matches_theory() {
    for (length, amplitude) in [(1.0_f32, 0.1_f32), (2.0, 0.5), (0.5, 1.0)] {
        let small_angle_period = 2.0 * PI * (length / G).sqrt();
        // First terms of the series in the amplitude.
        let square = amplitude * amplitude;
        let series = 1.0 + square / 16.0 + 11.0 / 3072.0 * square * square;
        let joints: [fn(BodyId, BodyId, Vec3) -> JointDef; 2] = [
            |a, b, at| JointDef::distance(a, b, Vec3::ZERO, at),
            |a, b, _| JointDef::revolute(a, b, Vec3::ZERO, Vec3::Z),
        ];
        for (number, joint) in joints.into_iter().enumerate() {
            let mut world = world();
            let support = add_support(&mut world, Vec3::ZERO);
            let at =
                Rotation::from_axis_angle(Vec3::Z, amplitude).unwrap().rotate(-Vec3::Y) * length;
            // A hinge rotates the bob, so that its own inertia counts; a rod does not.
            let radius = 0.05;
            let bob =
                world.insert_body(BodyDef::dynamic(sphere(radius), 3.0).position(at)).unwrap();
            join(&mut world, joint(support, bob, at));
            let inertia = if number == 0 { 0.0 } else { 0.4 * radius * radius };
            let expected = small_angle_period * series * (1.0 + inertia / (length * length)).sqrt();
            let measured = period(&mut world, |world| position(world, bob).x, 5);
            assert!(
                (measured / expected - 1.0).abs() < 2e-3,
                "joint {number}, {length} m, {amplitude} rad: {measured} s, expected {expected} s"
            );
        }
    }
}

#[test]
fn pendulum_conserves_energy() {
    let mut world = world();
    let support = add_support(&mut world, Vec3::ZERO);
    let bob =
        world.insert_body(BodyDef::dynamic(cuboid(0.5, 0.1, 0.2), 2.0).position(Vec3::X)).unwrap();
    let hinge = join(&mut world, JointDef::revolute(support, bob, Vec3::ZERO, Vec3::Z));
    let before = world.total_energy();
    let max_kinetic_energy = 2.0 * f64::from(G);
    steps(&mut world, 1200);
    let drift = world.total_energy() - before;
    assert!(drift.abs() < 0.02 * max_kinetic_energy, "energy drift {drift} J");
    assert!(world.joint(hinge).unwrap().distance() < 1e-3);
}

#[test]
fn spring_oscillates_at_its_natural_frequency_and_damping_matches_theory() {
    // From slow oscillations to ones that sub-steps barely resolve.
    for hertz in [0.5_f32, 2.0, 8.0] {
        let mut world = zero_gravity_world();
        let support = add_support(&mut world, Vec3::ZERO);
        let mass = 2.0;
        let omega = 2.0 * PI * hertz;
        let bob = world.insert_body(BodyDef::dynamic(sphere(0.1), mass).position(Vec3::X)).unwrap();
        let spring = JointDef::spring(support, bob, Vec3::ZERO, Vec3::X, mass * omega * omega, 0.0);
        join(&mut world, spring);
        world.body_mut(bob).unwrap().set_linear_velocity(Vec3::X * 0.1 * omega).unwrap();
        let measured = period(&mut world, |world| position(world, bob).x - 1.0, 20);
        assert!((measured * hertz - 1.0).abs() < 2e-3, "{hertz} Hz: period {measured} s");
        // The amplitude, sampled at steps, stands for the energy.
        let mut amplitude = || {
            (0..600).fold(0.0, |max: f32, _| {
                world.step();
                embate_geom::scalar::max(max, (position(&world, bob).x - 1.0).abs())
            })
        };
        let first = amplitude();
        let last = (0..5).map(|_| amplitude()).last().unwrap();
        assert!((first / 0.1 - 1.0).abs() < 0.01, "{hertz} Hz: amplitude {first} m");
        assert!(
            (last / first - 1.0).abs() < 1e-3,
            "{hertz} Hz: amplitude {first} m, after 50 s {last} m"
        );
    }
    let mut world = zero_gravity_world();
    let support = add_support(&mut world, Vec3::ZERO);
    let bob =
        world.insert_body(BodyDef::dynamic(sphere(0.1), 2.0).position(Vec3::X * 1.5)).unwrap();
    let spring =
        JointDef::spring(support, bob, Vec3::ZERO, Vec3::X * 1.5, 80.0, 2.0).rest_length(1.0);
    join(&mut world, spring);
    // Damped oscillation: ω = √(k/m − (c/2m)²), amplitude e^(−c/2m · t).
    steps(&mut world, 120);
    let (decay_rate, omega) = (0.5_f32, (40.0_f32 - 0.25).sqrt());
    let (sin, cos) = embate_geom::scalar::sin_cos(2.0 * omega);
    let expected = 1.0 + 0.5 * 0.367_879_45 * (cos + decay_rate / omega * sin);
    let actual = position(&world, bob).x;
    assert!((actual - expected).abs() < 0.01, "{actual} m, expected {expected} m");
}

#[test]
fn spring_too_stiff_for_the_sub_step_is_stable() {
    for stiffness in [1e6, 1e9, 1e13] {
        let mut world = world();
        let support = add_support(&mut world, Vec3::Y);
        let bob = world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
        for x in [-0.1, 0.0, 0.1] {
            let at = Vec3::X * x;
            join(&mut world, JointDef::spring(support, bob, Vec3::Y + at, at, stiffness, 0.0));
        }
        steps(&mut world, 600);
        let at = position(&world, bob);
        assert!(at.length() < 1e-3, "{stiffness} N/m: {at:?}");
    }
}

#[test]
fn revolute_joint_stays_within_its_limits() {
    for [lower, upper] in [[-0.5, 0.25], [-2.0, 3.0], [0.0, 0.0], [-PI, 5.0]] {
        let mut world = zero_gravity_world();
        let support = add_support(&mut world, Vec3::ZERO);
        let door = world
            .insert_body(BodyDef::dynamic(cuboid(0.5, 1.0, 0.05), 20.0).position(Vec3::X * 0.5))
            .unwrap();
        let hinge = JointDef::revolute(support, door, Vec3::ZERO, Vec3::Y).limits(lower, upper);
        let hinge = join(&mut world, hinge);
        for speed in [6.0, -6.0] {
            for _ in 0..120 {
                world.body_mut(door).unwrap().apply_torque(Vec3::Y * 20.0 * speed).unwrap();
                world.step();
                let angle = joint_angle(&world, hinge);
                assert!(
                    angle > lower - 0.02 && angle < upper + 0.02,
                    "{angle} rad is outside {lower}..{upper}"
                );
            }
            let limit = if speed > 0.0 { upper } else { lower };
            let angle = joint_angle(&world, hinge);
            assert!((angle - limit).abs() < 0.01, "{angle} rad, expected {limit} rad");
        }
    }
}

#[test]
fn set_limits_changes_and_removes_the_limits_of_a_joint() {
    let mut world = zero_gravity_world();
    let support = add_support(&mut world, Vec3::ZERO);
    let arm =
        world.insert_body(BodyDef::dynamic(cuboid(0.5, 0.1, 0.1), 1.0).position(Vec3::X * 0.5));
    let arm = arm.unwrap();
    let hinge = JointDef::revolute(support, arm, Vec3::ZERO, Vec3::Z).motor(2.0, 100.0);
    let hinge = join(&mut world, hinge.limits(-0.5, 0.5));
    for upper in [1.0, 1.5] {
        world.joint_mut(hinge).unwrap().set_limits(Some([-0.5, upper])).unwrap();
        steps(&mut world, 120);
        let angle = joint_angle(&world, hinge);
        assert!((angle - upper).abs() < 0.01, "{angle} rad, expected {upper} rad");
    }
    assert!(world.joint_mut(hinge).unwrap().set_limits(Some([1.0, -1.0])).is_err());
    assert_eq!(world.joint(hinge).unwrap().limits(), Some([-0.5, 1.5]));
    world.joint_mut(hinge).unwrap().set_limits(None).unwrap();
    steps(&mut world, 120);
    let angle = joint_angle(&world, hinge);
    assert!(angle > 4.0, "{angle} rad");
}

#[test]
fn motor_reaches_its_target_velocity_with_at_most_its_max_torque() {
    let mut world = zero_gravity_world();
    let support = add_support(&mut world, Vec3::ZERO);
    let wheel = world.insert_body(BodyDef::dynamic(cuboid(0.5, 0.5, 0.1), 6.0)).unwrap();
    let inertia = 6.0 / 12.0 * 2.0;
    let hinge = JointDef::revolute(support, wheel, Vec3::ZERO, Vec3::Z).motor(10.0, 4.0);
    let hinge = join(&mut world, hinge);
    steps(&mut world, 60);
    let angular_velocity = |world: &World| world.body(wheel).unwrap().angular_velocity().z;
    let after_one_second = angular_velocity(&world);
    assert!((after_one_second - 4.0 / inertia).abs() < 0.01, "{after_one_second} rad/s");
    steps(&mut world, 240);
    let settled = angular_velocity(&world);
    assert!((settled - 10.0).abs() < 1e-3, "{settled} rad/s");
    // The joint angle counts full revolutions.
    assert!(joint_angle(&world, hinge) > 6.0 * PI, "{}", joint_angle(&world, hinge));
    world
        .joint_mut(hinge)
        .unwrap()
        .set_motor(Some(Motor { target_velocity: 0.0, max_force: 1e3 }))
        .unwrap();
    steps(&mut world, 60);
    assert!(angular_velocity(&world).abs() < 1e-3);
}

#[test]
fn prismatic_joint_stays_on_its_axis_within_its_limits_and_follows_its_motor() {
    let mut world = world();
    let rail = add_support(&mut world, Vec3::ZERO);
    let axis = Vec3::new(1.0, 1.0, 0.3).try_normalize().unwrap();
    let cart = BodyDef::dynamic(cuboid(0.2, 0.1, 0.3), 5.0).position(Vec3::new(0.2, 0.1, 0.0));
    let cart = world.insert_body(cart.angular_velocity(Vec3::splat(3.0))).unwrap();
    let slider = JointDef::prismatic(rail, cart, Vec3::ZERO, axis).limits(-1.0, 2.0);
    let slider = join(&mut world, slider);
    let start = position(&world, cart);
    // Checks that the cart is on its axis and returns the translation along it.
    let checked_translation = |world: &World| {
        let joint = world.joint(slider).unwrap();
        let moved = position(world, cart) - start;
        let error = (moved - axis * moved.dot(axis)).length();
        assert!(error < 2e-3, "{error} m off the axis");
        assert!(joint.relative_angle() < 2e-3, "rotated by {} rad", joint.relative_angle());
        joint.translation().unwrap()
    };
    for _ in 0..240 {
        world.step();
        let translation = checked_translation(&world);
        assert!(translation > -1.01, "{translation} m");
    }
    assert!((checked_translation(&world) + 1.0).abs() < 0.01);
    world
        .joint_mut(slider)
        .unwrap()
        .set_motor(Some(Motor { target_velocity: 0.5, max_force: 1e3 }))
        .unwrap();
    for _ in 0..120 {
        world.step();
        checked_translation(&world);
    }
    assert!(checked_translation(&world).abs() < 0.01, "{}", checked_translation(&world));
    steps(&mut world, 600);
    assert!((checked_translation(&world) - 2.0).abs() < 0.01, "{}", checked_translation(&world));
}

/// A cantilever of five blocks of 1 m connected by fixed joints.
#[test]
fn cantilever_of_fixed_joints_sags_by_less_than_one_percent_of_its_length() {
    let mut world = world();
    let mut last = world.insert_body(BodyDef::fixed(cube())).unwrap();
    for index in 1..=5_u16 {
        let x = f32::from(index);
        let block = BodyDef::dynamic(cuboid(0.5, 0.25, 0.25), 10.0).position(Vec3::X * x);
        let block = world.insert_body(block).unwrap();
        join(&mut world, JointDef::fixed(last, block, Vec3::X * (x - 0.5)));
        last = block;
    }
    steps(&mut world, 600);
    let end = position(&world, last);
    assert!(end.y > -0.05, "{end:?}");
    assert!(world.body(last).unwrap().linear_velocity().length() < 1e-3);
}

#[test]
fn chain_of_twenty_carries_a_hundredfold_end_mass() {
    for end_mass in [1.0, 100.0] {
        let mut world = world();
        let mut last = add_support(&mut world, Vec3::ZERO);
        let mut joints = Vec::new();
        for index in 0..20_u16 {
            let x = f32::from(index) * 0.2;
            let mass = if index == 19 { end_mass } else { 1.0 };
            let link =
                BodyDef::dynamic(cuboid(0.1, 0.03, 0.03), mass).position(Vec3::X * (x + 0.1));
            let link = world.insert_body(link).unwrap();
            joints.push(join(&mut world, JointDef::spherical(last, link, Vec3::X * x)));
            last = link;
        }
        let mut max_error = 0.0_f32;
        for _ in 0..1200 {
            world.step();
            for &joint in &joints {
                let error = world.joint(joint).unwrap().distance();
                max_error = if error > max_error { error } else { max_error };
            }
        }
        let elongation: f32 =
            joints.iter().map(|&joint| world.joint(joint).unwrap().distance()).sum();
        // The error peaks while the chain falls and whips; at the end it hangs at rest.
        assert!(max_error < 0.1 * 0.2, "end mass {end_mass} kg: joint error {max_error} m");
        assert!(elongation < 1e-3 * 4.0, "end mass {end_mass} kg: {elongation} m longer");
    }
}

#[test]
fn distance_joint_with_limits_acts_as_a_rope() {
    let mut world = world();
    let support = add_support(&mut world, Vec3::ZERO);
    let load =
        world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X * 0.2)).unwrap();
    let rope = JointDef::distance(support, load, Vec3::ZERO, Vec3::X * 0.2).limits(0.0, 2.0);
    let rope = join(&mut world, rope);
    steps(&mut world, 30);
    let fallen = 0.5 * G * 0.25;
    assert!((position(&world, load).y + fallen).abs() < 1e-3, "a slack rope exerts no force");
    for _ in 0..600 {
        world.step();
        assert!(world.joint(rope).unwrap().distance() < 2.01);
    }
}

#[test]
fn connected_bodies_collide_only_with_collide_connected() {
    for collide_connected in [false, true] {
        let mut world = zero_gravity_world();
        let a = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
        let b = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::X * 2.0)).unwrap();
        let def = JointDef::prismatic(a, b, Vec3::X, Vec3::X);
        let joint = join(&mut world, def.collide_connected(collide_connected));
        world.body_mut(b).unwrap().set_linear_velocity(Vec3::X * -2.0).unwrap();
        steps(&mut world, 60);
        let translation = world.joint(joint).unwrap().translation().unwrap();
        assert_eq!(translation > -1.05, collide_connected, "{translation} m");
        assert_eq!(world.contacts().count() > 0, collide_connected);
        // Once the joint is removed, overlapping bodies are pushed apart.
        assert!(world.remove_joint(joint) && !world.remove_joint(joint));
        steps(&mut world, 60);
        let offset = position(&world, b) - position(&world, a);
        assert!(offset.length() > 0.98, "{offset:?}");
    }
}

#[test]
fn removing_a_body_removes_its_joints() {
    let mut world = world();
    let support = add_support(&mut world, Vec3::ZERO);
    let body = world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X)).unwrap();
    let joint = join(&mut world, JointDef::distance(support, body, Vec3::ZERO, Vec3::X));
    steps(&mut world, 600);
    world.remove_body(support);
    assert!(world.joint(joint).is_none() && world.joint_mut(joint).is_none());
    assert_eq!(world.joints().count(), 0);
    steps(&mut world, 60);
    assert!(position(&world, body).y < -3.0, "the body falls freely");
    // The slot of the removed joint is reused, its id is not.
    let other =
        world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X * 3.0)).unwrap();
    let next = join(&mut world, JointDef::spherical(body, other, Vec3::X));
    assert!(next != joint && world.joint(joint).is_none() && world.joint(next).is_some());
}

#[test]
fn connected_bodies_sleep_and_wake_together() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let a = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5)).unwrap();
    let b = world
        .insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::new(3.0, 0.5, 0.0)))
        .unwrap();
    join(&mut world, JointDef::distance(a, b, Vec3::Y * 0.5, Vec3::new(3.0, 0.5, 0.0)));
    steps(&mut world, 120);
    assert!(world.body(a).unwrap().is_sleeping() && world.body(b).unwrap().is_sleeping());
    world.body_mut(a).unwrap().set_linear_velocity(Vec3::X * -2.0).unwrap();
    world.step();
    assert!(!world.body(b).unwrap().is_sleeping());
    assert!(velocity(&world, b).x < -0.1);
}

#[test]
fn joints_connect_planar_bodies() {
    let mut world = world();
    let support = add_support(&mut world, Vec3::ZERO);
    let rod = BodyDef::dynamic(cuboid(0.5, 0.1, 0.1), 1.0).position(Vec3::X * 0.5);
    let rod = world.insert_body(rod.locked_axes(LockedAxes::PLANE_XY)).unwrap();
    let end = BodyDef::dynamic(cuboid(0.5, 0.1, 0.1), 1.0).position(Vec3::X * 1.5);
    let end = world.insert_body(end.locked_axes(LockedAxes::PLANE_XY)).unwrap();
    let hinge = join(&mut world, JointDef::revolute(support, rod, Vec3::ZERO, Vec3::Z));
    let weld = join(&mut world, JointDef::fixed(rod, end, Vec3::X));
    for _ in 0..300 {
        world.step();
        assert!(position(&world, end).z == 0.0);
        assert!(world.joint(hinge).unwrap().distance() < 0.01);
        let error = world.joint(weld).unwrap().relative_angle();
        assert!(error < 0.05, "angular error {error} rad");
    }
}

#[test]
fn invalid_joint_is_rejected_and_world_is_unchanged() {
    let mut world = world();
    let support = add_support(&mut world, Vec3::ZERO);
    let other_support = add_support(&mut world, Vec3::X);
    let body = world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    let removed = world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    world.remove_body(removed);
    let nan = Vec3::X * f32::NAN;
    let hinge = JointDef::revolute(support, body, Vec3::ZERO, Vec3::Z);
    let spring = |stiffness, damping| {
        JointDef::spring(support, body, Vec3::ZERO, Vec3::ZERO, stiffness, damping)
    };
    let invalid = [
        JointDef::spherical(support, removed, Vec3::ZERO),
        JointDef::spherical(body, body, Vec3::ZERO),
        JointDef::spherical(support, other_support, Vec3::ZERO),
        JointDef::spherical(support, body, nan),
        JointDef::distance(support, body, Vec3::ZERO, nan),
        JointDef::revolute(support, body, Vec3::ZERO, Vec3::ZERO),
        JointDef::prismatic(support, body, Vec3::ZERO, nan),
        hinge.limits(1.0, -1.0),
        hinge.limits(f32::NAN, 1.0),
        hinge.motor(f32::NAN, 1.0),
        hinge.motor(1.0, -1.0),
        hinge.rest_length(1.0),
        JointDef::spherical(support, body, Vec3::ZERO).limits(-1.0, 1.0),
        JointDef::fixed(support, body, Vec3::ZERO).motor(1.0, 1.0),
        JointDef::distance(support, body, Vec3::ZERO, Vec3::X).limits(-1.0, 1.0),
        spring(-1.0, 0.0),
        spring(f32::INFINITY, 0.0),
        spring(1.0, f32::NAN),
        spring(1.0, 0.0).rest_length(-1.0),
    ];
    for def in invalid {
        let message = world.insert_joint(def).expect_err(&format!("{def:?}")).to_string();
        assert!(message.contains("joint"), "{message}");
    }
    assert_eq!(world.joints().count(), 0);
    let mut event_driven =
        World::new(Settings { solver: SolverKind::EventDriven, ..Settings::default() }).unwrap();
    let a = event_driven.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    let b = event_driven.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    let result = event_driven.insert_joint(JointDef::spherical(a, b, Vec3::ZERO));
    assert_eq!(
        result,
        Err(JointError::SolverUnsupported { solver: SolverKind::EventDriven.name() })
    );
}

#[test]
fn fixed_joint_recovers_after_a_teleport() {
    let mut world = zero_gravity_world();
    let support = add_support(&mut world, Vec3::ZERO);
    let block = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::X)).unwrap();
    let weld = join(&mut world, JointDef::fixed(support, block, Vec3::ZERO));
    let rotation = Rotation::from_axis_angle(Vec3::new(1.0, -2.0, 0.5), 2.0).unwrap();
    let away = Pose { rotation, position: Vec3::new(3.0, 5.0, -2.0) };
    world.body_mut(block).unwrap().set_pose(away).unwrap();
    steps(&mut world, 300);
    let joint = world.joint(weld).unwrap();
    let (error, relative_angle) = (joint.distance(), joint.relative_angle());
    assert!(error < 1e-3 && relative_angle < 1e-3, "{error} m, {relative_angle} rad");
}
