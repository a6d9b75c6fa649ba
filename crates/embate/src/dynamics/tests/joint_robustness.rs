//! Joints that were once torn, ignored or lost in NaN.

use embate_geom::{Pose, Rotation, Vec3, scalar};

use super::*;
use crate::motion::{InvalidJoint, JointId, JointPlan, Locks};

fn hook(world: &mut World) -> BodyId {
    world.add(BodyPlan::still(cuboid(0.1, 0.1, 0.1))).unwrap()
}

/// The farthest that any joint was pulled apart in so many steps, in which nothing may stop being a number.
fn worst_gap(world: &mut World, joints: &[JointId], count: usize) -> f32 {
    let mut worst = 0.0_f32;
    for step in 0..count {
        world.step();
        for body in world.bodies() {
            let (at, speed) = (body.position(), body.velocity());
            assert!(at.is_finite() && speed.is_finite(), "{at:?} {speed:?} after {step} steps");
        }
        for &joint in joints {
            let gap = world.joint(joint).unwrap().length();
            worst = if gap > worst { gap } else { worst };
        }
    }
    worst
}

/// Anchors at 1,000 m from a cube of 1 m ended in NaN, at 500,000 m were ignored.
#[test]
fn a_joint_far_from_its_body_holds_or_is_refused() {
    for far in [10.0, 100.0, 1e3, 1e4] {
        let at = Vec3::splat(far);
        let make: [fn(BodyId, BodyId, Vec3) -> JointPlan; 3] = [
            |a, b, at| JointPlan::ball(a, b, at),
            |a, b, at| JointPlan::hinge(a, b, at, Vec3::Z),
            |a, b, at| JointPlan::weld(a, b, at),
        ];
        for make in make {
            let mut world = world();
            let hook = hook(&mut world);
            let body = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::X * 5.0)).unwrap();
            let joint = world.join(make(hook, body, at)).unwrap();
            let arm = (at - Vec3::X * 5.0).length();
            let worst = worst_gap(&mut world, &[joint], 300);
            // f32 turns a body in steps of 6e-8 of a radian.
            assert!(worst < 5e-4 + 2e-7 * arm, "{far}: {worst}");
            let now = (position(&world, body) - at).length();
            assert!((now / arm - 1.0).abs() < 1e-5, "{far}: {now}, not {arm}");
        }
    }
    let mut world = world();
    let hook = hook(&mut world);
    let body = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::X * 5.0)).unwrap();
    let speck = world.add(BodyPlan::moving(sphere(1e-6), 1.0).at(Vec3::X)).unwrap();
    for (plan, which) in [
        (JointPlan::ball(hook, body, Vec3::splat(1e6)), "second"),
        (JointPlan::hinge(body, hook, Vec3::splat(1e6), Vec3::Z), "first"),
        (JointPlan::weld(hook, speck, Vec3::ZERO), "second"),
    ] {
        let refused = world.join(plan).unwrap_err();
        assert!(matches!(refused, InvalidJoint::Far { which: w, .. } if w == which), "{refused}");
    }
    assert_eq!(world.joints().count(), 0);
}

#[test]
fn a_small_body_on_a_long_arm_is_held() {
    let mut world = world();
    let hook = hook(&mut world);
    let small = world.add(BodyPlan::moving(cuboid(0.05, 0.05, 0.05), 1.0)).unwrap();
    let joint = world.join(JointPlan::ball(hook, small, Vec3::splat(100.0))).unwrap();
    assert!(worst_gap(&mut world, &[joint], 300) < 2e-3);
    // A speck that cannot turn needs no arm.
    let speck = BodyPlan::moving(sphere(1e-6), 1.0).at(Vec3::X);
    let turnless = Locks { moving: [false; 3], turning: [true; 3] };
    let speck = world.add(speck.with_locks(turnless)).unwrap();
    let joint = world.join(JointPlan::ball(hook, speck, Vec3::ZERO)).unwrap();
    assert!(worst_gap(&mut world, &[joint], 60) < 1e-4);
}

/// A slider across the plane of a planar world, a hinge that leans out of it, with and without limits.
#[test]
fn joints_along_locked_axes_hold_what_can_move() {
    let locked = |moving: [bool; 3], turning: [bool; 3]| Locks { moving, turning };
    let some = [
        Locks::PLANAR,
        locked([false, false, true], [true, true, false]),
        locked([true, false, false], [false, true, false]),
        locked([false; 3], [true; 3]),
        locked([true; 3], [false; 3]),
        locked([true; 3], [true, false, true]),
        locked([true; 3], [true; 3]),
    ];
    let axes = [Vec3::new(0.1, 0.8, -1.4), Vec3::X, Vec3::Z, Vec3::new(1.0, 1.0, 0.0)];
    for locks in some {
        for axis in axes {
            for kind in 0..8 {
                let mut world = world();
                let hook = hook(&mut world);
                let turn = Rotation::about(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
                let plan = BodyPlan::moving(cuboid(0.5, 0.3, 0.2), 1.0).at(Vec3::X * 2.0);
                let body = world.add(plan.turned(turn).with_locks(locks)).unwrap();
                let plan = BodyPlan::moving(cuboid(0.5, 0.3, 0.2), 0.1).at(Vec3::X * 3.0);
                let next = world.add(plan.with_locks(locks)).unwrap();
                let make = |a, b, at| match kind % 4 {
                    0 => JointPlan::slider(a, b, at, axis),
                    1 => JointPlan::hinge(a, b, at, axis),
                    2 => JointPlan::weld(a, b, at),
                    _ => JointPlan::ball(a, b, at),
                };
                let limited = |plan: JointPlan| {
                    if kind / 4 == 1 && kind % 4 < 2 { plan.with_limits(-0.2, 0.1) } else { plan }
                };
                let slides = kind % 4 == 0;
                let joints = [
                    world.join(limited(make(hook, body, Vec3::ZERO))).unwrap(),
                    world.join(limited(make(body, next, Vec3::X * 2.5))).unwrap(),
                ];
                let worst = worst_gap(&mut world, &joints, 120);
                assert!(slides || worst < 0.02, "{locks:?} {axis:?} {kind}: {worst}");
                if slides {
                    for joint in joints {
                        let joint = world.joint(joint).unwrap();
                        let (length, way) = (joint.length(), joint.way().unwrap());
                        let off = scalar::max(length * length - way * way, 0.0).sqrt();
                        assert!(
                            off < 0.01 && joint.turn() < 1e-5,
                            "{locks:?} {axis:?} {kind}: {off}, {}",
                            joint.turn()
                        );
                    }
                }
                for &place in &[body, next] {
                    let moved = position(&world, place)
                        - if place == body { Vec3::X * 2.0 } else { Vec3::X * 3.0 };
                    for axis in (0..3).filter(|&axis| locks.moving[axis]) {
                        assert_eq!(moved[axis], 0.0, "{locks:?} {kind}");
                    }
                }
            }
        }
    }
}

/// 20 balls of 0.1 kg with 30 kg at the end: from 0 to 38 MJ in twenty seconds, links of up to 156 m.
#[test]
fn a_light_chain_with_a_heavy_end_neither_explodes_nor_stretches() {
    for heavy in [0.1, 10.0, 30.0, 1000.0] {
        let mut world = world();
        let mut last = hook(&mut world);
        let (mut links, mut joints) = (Vec::new(), Vec::new());
        for index in 1..=20_u16 {
            let x = 0.5 * f32::from(index);
            let mass = if index == 20 { heavy } else { 0.1 };
            let link = world.add(BodyPlan::moving(sphere(0.1), mass).at(Vec3::X * x)).unwrap();
            joints.push(world.join(JointPlan::ball(last, link, Vec3::X * (x - 0.5))).unwrap());
            links.push(link);
            last = link;
        }
        let scale = f64::from(G * (heavy * 10.0 + 10.0));
        let start = world.energy();
        let mut most = start;
        for _ in 0..120 {
            let worst = worst_gap(&mut world, &joints, 10);
            // Light as it is, its end cracks like a whip.
            let longest = if heavy < 1.0 { 0.06 } else { 0.03 } * 0.5;
            assert!(worst < longest, "{heavy} kg: {worst} at {}", world.time());
            most = most.max(world.energy());
        }
        assert!(most - start < 1e-3 * scale, "{heavy} kg: {} J of {scale} J", most - start);
    }
}

/// The same chain hung up at both ends, and a ring: not all joints are of one tree.
#[test]
fn chains_that_close_hold_too() {
    for ring in [false, true] {
        let mut world = world();
        let hook = hook(&mut world);
        let mut last = hook;
        let mut joints = Vec::new();
        let count = 12_u16;
        let corner = |index: u16| {
            let turn = Rotation::about(Vec3::Z, f32::from(index) * core::f32::consts::TAU / 12.0);
            let round = turn.unwrap().turn(-Vec3::X) + Vec3::X;
            if ring { round } else { Vec3::X * f32::from(index) * 0.5 }
        };
        let mut first = None;
        for index in 0..count {
            let (from, to) = (corner(index), corner(index + 1));
            let middle = (from + to) * 0.5;
            let mass = if index == 5 { 10.0 } else { 0.1 };
            let link = world.add(BodyPlan::moving(sphere(0.1), mass).at(middle)).unwrap();
            joints.push(world.join(JointPlan::ball(last, link, from)).unwrap());
            first = first.or(Some(link));
            last = link;
        }
        let end = if ring { first.unwrap() } else { hook };
        joints.push(world.join(JointPlan::ball(last, end, corner(count))).unwrap());
        let start = world.energy();
        for _ in 0..120 {
            let worst = worst_gap(&mut world, &joints, 10);
            assert!(worst < 0.05, "ring {ring}: {worst}");
            assert!(world.energy() < start, "ring {ring}: {} J", world.energy() - start);
        }
    }
}

/// Two hinges on one door say the same twice.
#[test]
fn a_door_on_two_hinges_opens() {
    let mut world = world();
    let post = hook(&mut world);
    let door = BodyPlan::moving(cuboid(0.5, 1.0, 0.05), 20.0).at(Vec3::X * 0.5);
    let door = world.add(door).unwrap();
    let hinges = [0.8, -0.8]
        .map(|y| world.join(JointPlan::hinge(post, door, Vec3::Y * y, Vec3::Y)).unwrap());
    world.change(door).unwrap().set_angular_velocity(Vec3::Y).unwrap();
    world.change(door).unwrap().set_velocity(Vec3::Z * -0.5).unwrap();
    assert!(worst_gap(&mut world, &hinges, 60) < 1e-3);
    let angle = world.joint(hinges[0]).unwrap().angle().unwrap();
    assert!((angle - 1.0).abs() < 1e-2, "{angle}");
}

/// 18 of 13,824 N/m on 1 kg reached a million metres in 36 sub-steps: each alone is slow, all together are not.
#[test]
fn many_slow_springs_on_one_body_are_stable() {
    for count in [4, 16, 17, 18, 40, 200] {
        let mut world = weightless();
        let hook = hook(&mut world);
        let bob = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::X)).unwrap();
        for _ in 0..count {
            let spring = JointPlan::spring(hook, bob, Vec3::ZERO, Vec3::X, 13_824.0, 0.0);
            world.join(spring).unwrap();
        }
        world.change(bob).unwrap().set_velocity(Vec3::X * 0.1).unwrap();
        let start = world.energy();
        for _ in 0..600 {
            world.step();
            assert!(world.energy() < 1.3 * start, "{count}: {} J", world.energy());
        }
        assert!((position(&world, bob) - Vec3::X).length() < 0.01, "{count}");
    }
}

/// A hinge one radian outside its limits started with 105 rad/s.
#[test]
fn what_is_joined_outside_its_limits_comes_in_at_a_walking_pace() {
    let mut fastest = 0.0_f32;
    let mut watch = |world: &World, body: BodyId| {
        let body = world.body(body).unwrap();
        for speed in [body.angular_velocity().length(), body.velocity().length()] {
            fastest = if speed > fastest { speed } else { fastest };
        }
    };
    let mut world = weightless();
    let hook = hook(&mut world);
    let body = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::X)).unwrap();
    let hinge = JointPlan::hinge(hook, body, Vec3::X, Vec3::Y).with_limits(1.0, 2.0);
    let hinge = world.join(hinge).unwrap();
    let rod = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 5.0)).unwrap();
    let plan = JointPlan::distance(hook, rod, Vec3::ZERO, Vec3::Y * 5.0).with_length(9.0);
    let plan = world.join(plan).unwrap();
    let mut before = position(&world, rod);
    for _ in 0..300 {
        world.step();
        watch(&world, body);
        watch(&world, rod);
        let moved = (position(&world, rod) - before).length() * 60.0;
        assert!(moved < 4.0, "{moved} m/s");
        before = position(&world, rod);
    }
    assert!(fastest < 4.0, "{fastest}");
    assert!((world.joint(hinge).unwrap().angle().unwrap() - 1.0).abs() < 0.01);
    assert!((world.joint(plan).unwrap().length() - 9.0).abs() < 0.01);
}

#[test]
fn what_a_joint_cannot_be_is_told_with_its_own_reason() {
    let mut world = world();
    let hook = hook(&mut world);
    let body = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    let rod = JointPlan::distance(hook, body, Vec3::ZERO, Vec3::ZERO);
    let hinge = JointPlan::hinge(hook, body, Vec3::ZERO, Vec3::Z);
    let told = |plan: JointPlan| world.clone().join(plan).unwrap_err().to_string();
    assert!(told(rod.with_limits(-1.0, 2.0)).contains("least length"));
    assert!(told(rod.with_limits(0.0, 2.0).with_length(1.0)).contains("length and limits"));
    assert!(told(hinge.with_limits(f32::INFINITY, f32::INFINITY)).contains("limits"));
}

/// Numbers from 0 to 1, the same for every run.
fn dice(seed: u32) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0
    }
}

/// Of 150 such scenes 10 ended in NaN.
#[test]
fn no_scene_of_random_joints_and_locks_ends_in_nan() {
    let mut dice = dice(7);
    let mut joined = 0;
    for scene in 0..300 {
        let mut world = world();
        add_ground(&mut world, 0.5);
        // From a centimetre to a hundred metres, all of one scene within ten times of each other.
        let base = [0.01, 0.1, 1.0, 10.0, 100.0][scene % 5];
        let mut ids = vec![hook(&mut world)];
        for _ in 0..2 + (dice() * 5.0) as usize {
            let mut size = || base * (0.3 + 2.7 * dice());
            let shape = cuboid(size(), size(), size());
            let mut spread = |by: f32| Vec3::new(dice() - 0.5, dice() - 0.5, dice() - 0.5) * by;
            let (at, velocity, spin) = (spread(6.0 * base), spread(2.0 * base), spread(20.0));
            let turn = Rotation::about(spread(2.0), 3.0).unwrap_or(Rotation::IDENTITY);
            let mass = 0.01 + 100.0 * dice() * dice() * dice();
            let plan = BodyPlan::moving(shape, mass).at(at).turned(turn);
            let plan = plan.with_velocity(velocity).with_angular_velocity(spin);
            let mut lock = || dice() < 0.4;
            let locks =
                Locks { moving: [lock(), lock(), lock()], turning: [lock(), lock(), lock()] };
            let locks = [Locks::default(), locks, Locks::PLANAR][scene % 3];
            ids.push(world.add(plan.with_locks(locks)).unwrap());
        }
        for _ in 0..ids.len() {
            let mut any = || ids[(dice() * ids.len() as f32) as usize];
            let (a, b) = (any(), any());
            let mut spread = |by: f32| Vec3::new(dice() - 0.5, dice() - 0.5, dice() - 0.5) * by;
            let (at, to, axis) = (spread(6.0 * base), spread(6.0 * base), spread(1.0));
            let plan = match (dice() * 8.0) as u8 {
                0 => JointPlan::ball(a, b, at),
                1 => JointPlan::weld(a, b, at),
                2 => JointPlan::hinge(a, b, at, axis),
                3 => JointPlan::hinge(a, b, at, axis).with_limits(-dice(), dice()),
                4 => JointPlan::slider(a, b, at, axis).with_limits(-dice(), dice()),
                5 => JointPlan::slider(a, b, at, axis).with_motor(20.0 * dice(), 100.0 * dice()),
                6 => JointPlan::distance(a, b, at, to),
                _ => JointPlan::spring(a, b, at, to, 1e4 * dice(), 10.0 * dice()),
            };
            joined += usize::from(world.join(plan).is_ok());
        }
        for step in 0..60 {
            world.step();
            for body in world.bodies() {
                let (at, speed) = (body.position(), body.velocity());
                assert!(at.is_finite() && speed.is_finite(), "scene {scene}, step {step}: {at:?}");
            }
        }
    }
    assert!(joined > 600, "{joined}");
}

/// Torn by motors that contradict them, joints asked for ever larger impulses: one of these ended in NaN.
#[test]
fn joints_that_strong_motors_tear_stay_numbers() {
    let mut dice = dice(3);
    let mut joined = 0;
    for scene in 0..300 {
        let mut world = world();
        let mut ids = Vec::new();
        for _ in 0..3 {
            let mut any = || [0.01, 0.1, 1.0, 10.0, 100.0][(dice() * 5.0) as usize];
            let (shape, mass) = (cuboid(any(), any(), any()), any());
            let at = Vec3::new(dice(), dice(), dice()) * 6.0;
            ids.push(world.add(BodyPlan::moving(shape, mass).at(at)).unwrap());
        }
        for _ in 0..4 {
            let [a, b] = [0, 1].map(|other| (dice() * 2.0) as usize + other);
            let mut spread = |by: f32| Vec3::new(dice() - 0.5, dice() - 0.5, dice() - 0.5) * by;
            let (at, axis) = (spread(6.0), spread(1.0));
            let plan = match (dice() * 3.0) as u8 {
                0 => JointPlan::ball(ids[a], ids[b], at),
                1 => JointPlan::weld(ids[a], ids[b], at),
                _ => JointPlan::hinge(ids[a], ids[b], at, axis).with_motor(1e4 * dice(), 1e6),
            };
            joined += usize::from(world.join(plan).is_ok());
        }
        for step in 0..120 {
            world.step();
            for body in world.bodies() {
                let finite = body.velocity().is_finite() && body.angular_velocity().is_finite();
                let at = body.position();
                assert!(at.is_finite() && finite, "scene {scene}, step {step}: {at:?}");
            }
        }
    }
    // What would join a body to itself, or is too far for a small one, is refused.
    assert!(joined > 600, "{joined}");
}

/// The ends of arms of eight kilometres are told apart by half a millimetre in f32, and the joint shook by as much.
#[test]
fn a_joint_on_a_terrain_far_from_its_origin_is_as_exact_as_a_near_one() {
    let lengths = |still_first: bool, at: Vec3| {
        let mut world = weightless();
        let corners = vec![[-2e4, 0.0, -2e4], [2e4, 0.0, -2e4], [0.0, 0.0, 2e4]];
        let terrain = crate::TriangleMesh::new(corners, vec![[0, 2, 1]]).unwrap();
        let terrain = BodyPlan::still(crate::shapes::MeshShape::new(terrain).unwrap());
        let terrain = world.add(terrain).unwrap();
        let gate = BodyPlan::moving(cuboid(0.5, 0.1, 0.1), 1.0).at(at + Vec3::X * 0.5);
        let gate = world.add(gate).unwrap();
        let [a, b] = if still_first { [terrain, gate] } else { [gate, terrain] };
        let hinge = world.join(JointPlan::hinge(a, b, at, Vec3::Y)).unwrap();
        [0.1, 0.7, 1.9, 3.0].map(|angle| {
            let rotation = Rotation::about(Vec3::new(0.1, 1.0, 0.2), angle).unwrap();
            let pose = Pose { rotation, position: at + Vec3::X * 0.5 };
            world.change(gate).unwrap().set_pose(pose).unwrap();
            world.joint(hinge).unwrap().length()
        })
    };
    for still_first in [true, false] {
        let near = lengths(still_first, Vec3::Y * 2.0);
        let far = lengths(still_first, Vec3::new(8192.0, 2.0, -8192.0));
        for (near, far) in near.into_iter().zip(far) {
            assert!((near - far).abs() < 1e-6, "{near} m, but {far} m far away");
        }
    }
}

/// Joints turn the inertias of their bodies within a step; impacts took these for those that their masses were made of.
/// After two steps no number was left.
#[test]
fn a_needle_that_bounces_and_hangs_on_a_spring_keeps_its_numbers() {
    for spin in [30.0, 300.0, 3000.0] {
        let mut world = world();
        add_ground(&mut world, 0.5);
        let hook = world.add(BodyPlan::still(sphere(0.1)).at(Vec3::Y * 3.0)).unwrap();
        let needle = BodyPlan::moving(cuboid(0.005, 1.0, 0.02), 1.0).with_restitution(0.9);
        let needle = needle.at(Vec3::Y * 0.9).with_velocity(Vec3::Y * -5.0);
        let needle = needle.with_angular_velocity(Vec3::new(spin, 0.3 * spin, 0.1 * spin));
        let needle = world.add(needle).unwrap();
        let spring = JointPlan::spring(hook, needle, Vec3::Y * 3.0, Vec3::Y * 0.9, 10.0, 0.1);
        world.join(spring).unwrap();
        let before = world.energy();
        for _ in 0..240 {
            world.step();
            assert!(position(&world, needle).is_finite());
            assert!(world.energy() < 100.0 * before, "{spin}: {} J of {before}", world.energy());
        }
    }
}

#[test]
fn of_two_joints_between_two_bodies_each_alone_keeps_them_from_touching() {
    let mut world = weightless();
    let one = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    let other = world.add(BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * 0.8)).unwrap();
    let join = |world: &mut World, pair: [BodyId; 2]| {
        world.join(JointPlan::ball(pair[0], pair[1], Vec3::X * 0.4)).unwrap()
    };
    let (first, second) = (join(&mut world, [one, other]), join(&mut world, [other, one]));
    world.step();
    assert_eq!(world.contacts().count(), 0);
    world.unjoin(first);
    world.step();
    assert_eq!(world.contacts().count(), 0);
    world.unjoin(second);
    world.step();
    assert_eq!(world.contacts().count(), 1);
}
