//! Bodies that joints hold.

use core::f32::consts::PI;

use embate_geom::{Pose, Rotation, Vec3};

use super::*;
use crate::motion::{InvalidJoint, JointId, JointPlan, Locks, Method, Motor};

/// A still body that nothing touches.
fn hook(world: &mut World, at: Vec3) -> BodyId {
    world.add(BodyPlan::still(sphere(0.01)).at(at)).unwrap()
}

fn join(world: &mut World, plan: JointPlan) -> JointId {
    world.join(plan).unwrap()
}

fn angle(world: &World, hinge: JointId) -> f32 {
    world.joint(hinge).unwrap().angle().unwrap()
}

/// The time from one passage through the middle, from left to right, to the next, over several swings.
fn period(world: &mut World, mut at: impl FnMut(&World) -> f32, swings: usize) -> f32 {
    let mut crossings = Vec::new();
    let mut before = at(world);
    for step in 0..6000 {
        world.step();
        let now = at(world);
        if before < 0.0 && now >= 0.0 {
            crossings.push((step as f32 - now / (now - before)) / 60.0);
            if crossings.len() > swings {
                break;
            }
        }
        before = now;
    }
    (crossings[swings] - crossings[0]) / swings as f32
}

#[test]
fn a_pendulum_swings_with_the_period_of_theory() {
    for (length, swing) in [(1.0_f32, 0.1_f32), (2.0, 0.5), (0.5, 1.0)] {
        let small = 2.0 * PI * (length / G).sqrt();
        // The first terms of the series for large swings.
        let square = swing * swing;
        let series = 1.0 + square / 16.0 + 11.0 / 3072.0 * square * square;
        let plans: [fn(BodyId, BodyId, Vec3) -> JointPlan; 2] = [
            |a, b, at| JointPlan::distance(a, b, Vec3::ZERO, at),
            |a, b, _| JointPlan::hinge(a, b, Vec3::ZERO, Vec3::Z),
        ];
        for (kind, plan) in plans.into_iter().enumerate() {
            let mut world = world();
            let hook = hook(&mut world, Vec3::ZERO);
            let at = Rotation::about(Vec3::Z, swing).unwrap().turn(-Vec3::Y) * length;
            // A rod turns the ball with it: so its own inertia counts.
            let radius = 0.05;
            let bob = world.add(BodyPlan::moving(sphere(radius), 3.0).at(at)).unwrap();
            join(&mut world, plan(hook, bob, at));
            let inertia = if kind == 0 { 0.0 } else { 0.4 * radius * radius };
            let expected = small * series * (1.0 + inertia / (length * length)).sqrt();
            let measured = period(&mut world, |world| position(world, bob).x, 5);
            assert!(
                (measured / expected - 1.0).abs() < 2e-3,
                "{length} {swing} {kind}: {measured}, {expected}"
            );
        }
    }
}

#[test]
fn a_pendulum_keeps_its_energy() {
    let mut world = world();
    let hook = hook(&mut world, Vec3::ZERO);
    let bob = world.add(BodyPlan::moving(cuboid(0.5, 0.1, 0.2), 2.0).at(Vec3::X)).unwrap();
    let hinge = join(&mut world, JointPlan::hinge(hook, bob, Vec3::ZERO, Vec3::Z));
    let before = world.energy();
    let swing = 2.0 * f64::from(G);
    steps(&mut world, 1200);
    assert!((world.energy() - before).abs() < 0.02 * swing, "{}", world.energy() - before);
    assert!(world.joint(hinge).unwrap().length() < 1e-3);
}

#[test]
fn a_spring_swings_with_its_own_frequency_and_is_damped_as_it_should() {
    // From slow to what a sub-step can hardly follow.
    for hertz in [0.5_f32, 2.0, 8.0] {
        let mut world = weightless();
        let hook = hook(&mut world, Vec3::ZERO);
        let mass = 2.0;
        let omega = 2.0 * PI * hertz;
        let bob = world.add(BodyPlan::moving(sphere(0.1), mass).at(Vec3::X)).unwrap();
        let spring = JointPlan::spring(hook, bob, Vec3::ZERO, Vec3::X, mass * omega * omega, 0.0);
        join(&mut world, spring);
        world.change(bob).unwrap().set_velocity(Vec3::X * 0.1 * omega).unwrap();
        let measured = period(&mut world, |world| position(world, bob).x - 1.0, 20);
        assert!((measured * hertz - 1.0).abs() < 2e-3, "{hertz} Hz: {measured}");
        // Its energy is that of its widest swing, as far as steps see it.
        let mut widest = || {
            (0..600).fold(0.0, |most: f32, _| {
                world.step();
                embate_geom::scalar::max(most, (position(&world, bob).x - 1.0).abs())
            })
        };
        let first = widest();
        let last = (0..5).map(|_| widest()).last().unwrap();
        assert!((first / 0.1 - 1.0).abs() < 0.01, "{hertz} Hz: {first}");
        assert!((last / first - 1.0).abs() < 1e-3, "{hertz} Hz: {first}, a minute later {last}");
    }
    let mut world = weightless();
    let hook = hook(&mut world, Vec3::ZERO);
    let bob = world.add(BodyPlan::moving(sphere(0.1), 2.0).at(Vec3::X * 1.5)).unwrap();
    let spring =
        JointPlan::spring(hook, bob, Vec3::ZERO, Vec3::X * 1.5, 80.0, 2.0).with_length(1.0);
    join(&mut world, spring);
    // Swings of ω = √(k/m), shrinking with e^(−c/2m·t).
    steps(&mut world, 120);
    let (slows, omega) = (0.5_f32, (40.0_f32 - 0.25).sqrt());
    let (sin, cos) = embate_geom::scalar::sin_cos(2.0 * omega);
    let expected = 1.0 + 0.5 * 0.367_879_45 * (cos + slows / omega * sin);
    assert!(
        (position(&world, bob).x - expected).abs() < 0.01,
        "{} {expected}",
        position(&world, bob).x
    );
}

#[test]
fn a_spring_too_fast_for_its_sub_steps_is_stable() {
    for stiffness in [1e6, 1e9, 1e13] {
        let mut world = world();
        let hook = hook(&mut world, Vec3::Y);
        let bob = world.add(BodyPlan::moving(sphere(0.1), 1.0)).unwrap();
        for x in [-0.1, 0.0, 0.1] {
            let at = Vec3::X * x;
            join(&mut world, JointPlan::spring(hook, bob, Vec3::Y + at, at, stiffness, 0.0));
        }
        steps(&mut world, 600);
        assert!(
            (position(&world, bob).length()) < 1e-3,
            "{stiffness}: {:?}",
            position(&world, bob)
        );
    }
}

#[test]
fn a_hinge_stays_within_its_limits() {
    for [least, most] in [[-0.5, 0.25], [-2.0, 3.0], [0.0, 0.0], [-PI, 5.0]] {
        let mut world = weightless();
        let hook = hook(&mut world, Vec3::ZERO);
        let door =
            world.add(BodyPlan::moving(cuboid(0.5, 1.0, 0.05), 20.0).at(Vec3::X * 0.5)).unwrap();
        let hinge = JointPlan::hinge(hook, door, Vec3::ZERO, Vec3::Y).with_limits(least, most);
        let hinge = join(&mut world, hinge);
        for speed in [6.0, -6.0] {
            for _ in 0..120 {
                world.change(door).unwrap().apply_torque(Vec3::Y * 20.0 * speed).unwrap();
                world.step();
                let at = angle(&world, hinge);
                assert!(at > least - 0.02 && at < most + 0.02, "{at} outside {least}..{most}");
            }
            let wanted = if speed > 0.0 { most } else { least };
            assert!(
                (angle(&world, hinge) - wanted).abs() < 0.01,
                "{} {wanted}",
                angle(&world, hinge)
            );
        }
    }
}

#[test]
fn a_motor_reaches_its_speed_and_no_more_than_its_strength() {
    let mut world = weightless();
    let hook = hook(&mut world, Vec3::ZERO);
    let wheel = world.add(BodyPlan::moving(cuboid(0.5, 0.5, 0.1), 6.0)).unwrap();
    let inertia = 6.0 / 12.0 * 2.0;
    let hinge = JointPlan::hinge(hook, wheel, Vec3::ZERO, Vec3::Z).with_motor(10.0, 4.0);
    let hinge = join(&mut world, hinge);
    steps(&mut world, 60);
    let spin = |world: &World| world.body(wheel).unwrap().angular_velocity().z;
    assert!((spin(&world) - 4.0 / inertia).abs() < 0.01, "after a second: {}", spin(&world));
    steps(&mut world, 240);
    assert!((spin(&world) - 10.0).abs() < 1e-3, "{}", spin(&world));
    // Many turns are counted.
    assert!(angle(&world, hinge) > 6.0 * PI, "{}", angle(&world, hinge));
    world
        .change_joint(hinge)
        .unwrap()
        .set_motor(Some(Motor { speed: 0.0, strength: 1e3 }))
        .unwrap();
    steps(&mut world, 60);
    assert!(spin(&world).abs() < 1e-3);
}

#[test]
fn a_slider_stays_on_its_line_within_its_limits_and_follows_its_motor() {
    let mut world = world();
    let rail = hook(&mut world, Vec3::ZERO);
    let axis = Vec3::new(1.0, 1.0, 0.3).normalised().unwrap();
    let cart = BodyPlan::moving(cuboid(0.2, 0.1, 0.3), 5.0).at(Vec3::new(0.2, 0.1, 0.0));
    let cart = world.add(cart.with_angular_velocity(Vec3::splat(3.0))).unwrap();
    let slider = JointPlan::slider(rail, cart, Vec3::ZERO, axis).with_limits(-1.0, 2.0);
    let slider = join(&mut world, slider);
    let start = position(&world, cart);
    let off_line = |world: &World| {
        let joint = world.joint(slider).unwrap();
        let moved = position(world, cart) - start;
        let off = (moved - axis * moved.dot(axis)).length();
        assert!(off < 2e-3, "{off} off the line");
        assert!(joint.turn() < 2e-3, "turned by {}", joint.turn());
        joint.way().unwrap()
    };
    for _ in 0..240 {
        world.step();
        let way = off_line(&world);
        assert!(way > -1.01, "{way}");
    }
    assert!((off_line(&world) + 1.0).abs() < 0.01);
    world
        .change_joint(slider)
        .unwrap()
        .set_motor(Some(Motor { speed: 0.5, strength: 1e3 }))
        .unwrap();
    for _ in 0..120 {
        world.step();
        off_line(&world);
    }
    assert!(off_line(&world).abs() < 0.01, "{}", off_line(&world));
    steps(&mut world, 600);
    assert!((off_line(&world) - 2.0).abs() < 0.01, "{}", off_line(&world));
}

/// Five welded blocks of 1 m stick out of a wall.
#[test]
fn a_welded_beam_sags_by_less_than_a_hundredth_of_its_length() {
    let mut world = world();
    let mut last = world.add(BodyPlan::still(cube())).unwrap();
    for index in 1..=5_u16 {
        let x = f32::from(index);
        let block = BodyPlan::moving(cuboid(0.5, 0.25, 0.25), 10.0).at(Vec3::X * x);
        let block = world.add(block).unwrap();
        join(&mut world, JointPlan::weld(last, block, Vec3::X * (x - 0.5)));
        last = block;
    }
    steps(&mut world, 600);
    let end = position(&world, last);
    assert!(end.y > -0.05, "{end:?}");
    assert!(world.body(last).unwrap().velocity().length() < 1e-3);
}

#[test]
fn a_chain_of_twenty_carries_a_hundredfold_end() {
    for heavy in [1.0, 100.0] {
        let mut world = world();
        let mut last = hook(&mut world, Vec3::ZERO);
        let mut joints = Vec::new();
        for index in 0..20_u16 {
            let x = f32::from(index) * 0.2;
            let mass = if index == 19 { heavy } else { 1.0 };
            let link = BodyPlan::moving(cuboid(0.1, 0.03, 0.03), mass).at(Vec3::X * (x + 0.1));
            let link = world.add(link).unwrap();
            joints.push(join(&mut world, JointPlan::ball(last, link, Vec3::X * x)));
            last = link;
        }
        let mut worst = 0.0_f32;
        for _ in 0..1200 {
            world.step();
            for &joint in &joints {
                let apart = world.joint(joint).unwrap().length();
                worst = if apart > worst { apart } else { worst };
            }
        }
        let stretched: f32 = joints.iter().map(|&joint| world.joint(joint).unwrap().length()).sum();
        // While it falls its links crack like a whip; then it hangs.
        assert!(worst < 0.1 * 0.2, "{heavy}: a link {worst} m off");
        assert!(stretched < 1e-3 * 4.0, "{heavy}: {stretched} m longer");
    }
}

#[test]
fn a_rope_is_slack_until_it_is_taut() {
    let mut world = world();
    let hook = hook(&mut world, Vec3::ZERO);
    let ball = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::X * 0.2)).unwrap();
    let rope = JointPlan::distance(hook, ball, Vec3::ZERO, Vec3::X * 0.2).with_limits(0.0, 2.0);
    let rope = join(&mut world, rope);
    steps(&mut world, 30);
    let fallen = 0.5 * G * 0.25;
    assert!((position(&world, ball).y + fallen).abs() < 1e-3, "it falls freely");
    for _ in 0..600 {
        world.step();
        assert!(world.joint(rope).unwrap().length() < 2.01);
    }
}

#[test]
fn joined_bodies_pass_through_each_other_unless_they_are_told_to_touch() {
    for colliding in [false, true] {
        let mut world = weightless();
        let a = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
        let b = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::X * 2.0)).unwrap();
        let plan = JointPlan::slider(a, b, Vec3::X, Vec3::X);
        let joint = join(&mut world, if colliding { plan.colliding() } else { plan });
        world.change(b).unwrap().set_velocity(Vec3::X * -2.0).unwrap();
        steps(&mut world, 60);
        let way = world.joint(joint).unwrap().way().unwrap();
        assert_eq!(way > -1.05, colliding, "{way}");
        assert_eq!(world.contacts().count() > 0, colliding);
        // Taken apart within each other, they are pushed apart as any two.
        assert!(world.unjoin(joint) && !world.unjoin(joint));
        steps(&mut world, 60);
        let apart = position(&world, b) - position(&world, a);
        assert!(apart.length() > 0.98, "{apart:?}");
    }
}

#[test]
fn a_joint_goes_with_its_body() {
    let mut world = world();
    let hook = hook(&mut world, Vec3::ZERO);
    let ball = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::X)).unwrap();
    let joint = join(&mut world, JointPlan::distance(hook, ball, Vec3::ZERO, Vec3::X));
    steps(&mut world, 600);
    world.remove(hook);
    assert!(world.joint(joint).is_none() && world.change_joint(joint).is_none());
    assert_eq!(world.joints().count(), 0);
    steps(&mut world, 60);
    assert!(position(&world, ball).y < -3.0, "it falls");
    // The place of the old joint is given again, its name is not.
    let other = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::X * 3.0)).unwrap();
    let next = join(&mut world, JointPlan::ball(ball, other, Vec3::X));
    assert!(next != joint && world.joint(joint).is_none() && world.joint(next).is_some());
}

#[test]
fn joined_bodies_sleep_and_wake_together() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let a = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5)).unwrap();
    let b = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::new(3.0, 0.5, 0.0))).unwrap();
    join(&mut world, JointPlan::distance(a, b, Vec3::Y * 0.5, Vec3::new(3.0, 0.5, 0.0)));
    steps(&mut world, 120);
    assert!(world.body(a).unwrap().is_asleep() && world.body(b).unwrap().is_asleep());
    world.change(a).unwrap().set_velocity(Vec3::X * -2.0).unwrap();
    world.step();
    assert!(!world.body(b).unwrap().is_asleep());
    assert!(velocity(&world, b).x < -0.1);
}

#[test]
fn a_planar_world_has_joints_too() {
    let mut world = world();
    let hook = hook(&mut world, Vec3::ZERO);
    let rod = BodyPlan::moving(cuboid(0.5, 0.1, 0.1), 1.0).at(Vec3::X * 0.5);
    let rod = world.add(rod.with_locks(Locks::PLANAR)).unwrap();
    let end = BodyPlan::moving(cuboid(0.5, 0.1, 0.1), 1.0).at(Vec3::X * 1.5);
    let end = world.add(end.with_locks(Locks::PLANAR)).unwrap();
    let joint = join(&mut world, JointPlan::hinge(hook, rod, Vec3::ZERO, Vec3::Z));
    let weld = join(&mut world, JointPlan::weld(rod, end, Vec3::X));
    for _ in 0..300 {
        world.step();
        assert!(position(&world, end).z == 0.0);
        assert!(world.joint(joint).unwrap().length() < 0.01);
        assert!(world.joint(weld).unwrap().turn() < 0.05, "{}", world.joint(weld).unwrap().turn());
    }
}

#[test]
fn a_joint_that_cannot_be_is_refused_and_changes_nothing() {
    let mut world = world();
    let still = hook(&mut world, Vec3::ZERO);
    let wall = hook(&mut world, Vec3::X);
    let ball = world.add(BodyPlan::moving(sphere(0.1), 1.0)).unwrap();
    let gone = world.add(BodyPlan::moving(sphere(0.1), 1.0)).unwrap();
    world.remove(gone);
    let nan = Vec3::X * f32::NAN;
    let hinge = JointPlan::hinge(still, ball, Vec3::ZERO, Vec3::Z);
    let spring = |stiffness, damping| {
        JointPlan::spring(still, ball, Vec3::ZERO, Vec3::ZERO, stiffness, damping)
    };
    let bad = [
        JointPlan::ball(still, gone, Vec3::ZERO),
        JointPlan::ball(ball, ball, Vec3::ZERO),
        JointPlan::ball(still, wall, Vec3::ZERO),
        JointPlan::ball(still, ball, nan),
        JointPlan::distance(still, ball, Vec3::ZERO, nan),
        JointPlan::hinge(still, ball, Vec3::ZERO, Vec3::ZERO),
        JointPlan::slider(still, ball, Vec3::ZERO, nan),
        hinge.with_limits(1.0, -1.0),
        hinge.with_limits(f32::NAN, 1.0),
        hinge.with_motor(f32::NAN, 1.0),
        hinge.with_motor(1.0, -1.0),
        hinge.with_length(1.0),
        JointPlan::ball(still, ball, Vec3::ZERO).with_limits(-1.0, 1.0),
        JointPlan::weld(still, ball, Vec3::ZERO).with_motor(1.0, 1.0),
        JointPlan::distance(still, ball, Vec3::ZERO, Vec3::X).with_limits(-1.0, 1.0),
        spring(-1.0, 0.0),
        spring(f32::INFINITY, 0.0),
        spring(1.0, f32::NAN),
        spring(1.0, 0.0).with_length(-1.0),
    ];
    for plan in bad {
        let told = world.join(plan).expect_err(&format!("{plan:?}")).to_string();
        assert!(told.contains("joint"), "{told}");
    }
    assert_eq!(world.joints().count(), 0);
    let mut study = World::new(Settings { method: Method::STUDY, ..Settings::default() }).unwrap();
    let a = study.add(BodyPlan::moving(sphere(0.1), 1.0)).unwrap();
    let b = study.add(BodyPlan::moving(sphere(0.1), 1.0)).unwrap();
    let refused = study.join(JointPlan::ball(a, b, Vec3::ZERO));
    assert_eq!(refused, Err(InvalidJoint::Method { method: "study" }));
}

#[test]
fn a_joint_torn_apart_comes_together_again() {
    let mut world = weightless();
    let hook = hook(&mut world, Vec3::ZERO);
    let block = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::X)).unwrap();
    let weld = join(&mut world, JointPlan::weld(hook, block, Vec3::ZERO));
    let turn = Rotation::about(Vec3::new(1.0, -2.0, 0.5), 2.0).unwrap();
    let away = Pose { rotation: turn, position: Vec3::new(3.0, 5.0, -2.0) };
    world.change(block).unwrap().set_pose(away).unwrap();
    steps(&mut world, 300);
    let joint = world.joint(weld).unwrap();
    assert!(joint.length() < 1e-3 && joint.turn() < 1e-3, "{} {}", joint.length(), joint.turn());
}
