//! What ends, begins and wakes when the world is changed: that, and nothing else.

use embate_geom::{Pose, Rotation, Vec3};

use super::*;
use crate::motion::{Event, Groups, JointPlan, Material};

fn is_asleep(world: &World, id: BodyId) -> bool {
    world.body(id).unwrap().is_asleep()
}

/// A box asleep on a floor, and a lamp beside it that a joint holds above the floor.
fn lamp() -> (World, [BodyId; 3], crate::motion::JointId) {
    let mut world = world();
    let floor = world.add(BodyPlan::still(cuboid(5.0, 0.5, 5.0)).at(Vec3::Y * -0.5)).unwrap();
    let asleep = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5)).unwrap();
    let at = Vec3::new(3.0, 0.15, 0.0);
    let lamp = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(at)).unwrap();
    let joint = world.join(JointPlan::weld(floor, lamp, at)).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, asleep));
    assert_eq!(world.contacts().count(), 1);
    (world, [floor, asleep, lamp], joint)
}

/// All pairs of the floor ended and began again, and those of sleepers did not begin.
#[test]
fn unjoining_ends_no_touch_of_others() {
    let (mut world, [floor, asleep, lamp], joint) = lamp();
    world.unjoin(joint);
    world.step();
    assert!(world.events().is_empty(), "{:?}", world.events());
    assert!(is_asleep(&world, asleep) && !is_asleep(&world, lamp));
    assert_eq!(world.contacts().count(), 1);
    let mut told = Vec::new();
    for _ in 0..60 {
        world.step();
        told.extend_from_slice(world.events());
    }
    assert_eq!(told, [Event::Begun { bodies: [floor, lamp], sensor: false }]);
    assert!(position(&world, lamp).y > 0.09);
}

#[test]
fn removing_a_joined_body_ends_no_touch_of_the_other() {
    let (mut world, [_, asleep, lamp], joint) = lamp();
    world.remove(lamp);
    assert!(world.joint(joint).is_none());
    world.step();
    assert!(world.events().is_empty(), "{:?}", world.events());
    assert!(is_asleep(&world, asleep));
    assert_eq!(world.contacts().count(), 1);
}

/// A stack jolted, for what held it was forgotten.
#[test]
fn a_stack_does_not_notice_that_its_floor_is_unjoined_or_of_another_group() {
    let mut world = World::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    let floor = world.add(BodyPlan::still(cuboid(5.0, 0.5, 5.0)).at(Vec3::Y * -0.5)).unwrap();
    let boxes: Vec<BodyId> = (0..5)
        .map(|level| {
            let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * (level as f32 + 0.5));
            world.add(plan).unwrap()
        })
        .collect();
    let lamp = BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::new(3.0, 2.0, 0.0));
    let lamp = world.add(lamp).unwrap();
    let joint = world.join(JointPlan::weld(floor, lamp, Vec3::X * 3.0)).unwrap();
    steps(&mut world, 240);
    let mut plain = world.clone();
    world.unjoin(joint);
    world.change(floor).unwrap().set_groups(Groups { of: 3, with: 7 });
    plain.unjoin(joint);
    for _ in 0..10 {
        world.step();
        plain.step();
        assert!(world.events().is_empty(), "{:?}", world.events());
        assert!(boxes.iter().all(|&id| velocity(&world, id).length() < 1e-3));
    }
    assert_eq!(world.state_hash(), plain.state_hash());
}

#[test]
fn other_groups_end_and_begin_only_what_they_change() {
    let mut world = world();
    let floor = add_ground(&mut world, 0.5);
    let group = |of: u32| Groups { of, with: u32::MAX };
    let mut on_floor = |x: f32, of: u32| {
        let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::new(x, 0.5, 0.0));
        world.add(plan.with_groups(group(of))).unwrap()
    };
    let (first, second) = (on_floor(-2.0, 1), on_floor(2.0, 2));
    steps(&mut world, 120);
    assert!(is_asleep(&world, first) && is_asleep(&world, second));
    world.change(floor).unwrap().set_groups(Groups { of: 1, with: 1 });
    world.step();
    assert_eq!(world.events(), [Event::Ended { bodies: [floor, second], sensor: false }]);
    assert!(is_asleep(&world, first) && !is_asleep(&world, second));
    steps(&mut world, 5);
    world.change(floor).unwrap().set_groups(Groups::default());
    world.step();
    assert_eq!(world.events(), [Event::Begun { bodies: [floor, second], sensor: false }]);
    steps(&mut world, 60);
    assert!(position(&world, second).y > 0.49, "{:?}", position(&world, second));
}

/// A crate that sleeps on the ground, alone.
fn sleeper() -> (World, BodyId, BodyId) {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let body = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, body));
    (world, ground, body)
}

#[test]
fn a_wall_that_is_put_into_a_sleeper_wakes_it_and_pushes_it_out() {
    let (mut world, _, body) = sleeper();
    let wall = BodyPlan::still(cuboid(1.0, 1.0, 1.0)).at(Vec3::new(9.0, 1.0, 0.0));
    let wall = world.add(wall).unwrap();
    steps(&mut world, 2);
    assert!(is_asleep(&world, body));
    world.change(wall).unwrap().set_pose(Pose::at(Vec3::new(1.3, 1.0, 0.0))).unwrap();
    steps(&mut world, 60);
    assert!(position(&world, body).x < -0.15, "{:?}", position(&world, body));
}

#[test]
fn a_body_that_is_added_inside_a_sleeper_wakes_it_and_pushes_it_out() {
    for plan in [BodyPlan::still, BodyPlan::driven] {
        let (mut world, _, body) = sleeper();
        world.add(plan(cuboid(1.0, 1.0, 1.0)).at(Vec3::new(1.3, 1.0, 0.0))).unwrap();
        steps(&mut world, 60);
        assert!(position(&world, body).x < -0.15, "{:?}", position(&world, body));
    }
}

#[test]
fn a_sensor_that_is_put_around_a_sleeper_tells_it_and_lets_it_sleep() {
    for plan in [BodyPlan::still, BodyPlan::driven] {
        let (mut world, _, body) = sleeper();
        // Driven ones see the ground, too: above it.
        let sensor = plan(cuboid(1.0, 1.0, 1.0)).at(Vec3::Y * 1.3).as_sensor();
        let sensor = world.add(sensor).unwrap();
        let (bodies, told) = ([body, sensor], true);
        world.step();
        assert_eq!(world.events(), [Event::Begun { bodies, sensor: told }]);
        world.step();
        assert!(world.events().is_empty() && is_asleep(&world, body));
        let away = Pose::at(Vec3::new(9.0, 5.0, 0.0));
        world.change(sensor).unwrap().set_pose(away).unwrap();
        world.step();
        assert_eq!(world.events(), [Event::Ended { bodies, sensor: told }]);
    }
}

#[test]
fn a_driven_sensor_that_passes_a_sleeper_tells_it_and_lets_it_sleep() {
    let (mut world, _, body) = sleeper();
    let plan = BodyPlan::driven(cuboid(0.2, 0.2, 0.2)).as_sensor();
    let plan = plan.at(Vec3::new(-2.0, 0.6, 0.0)).with_velocity(Vec3::X * 2.0);
    let sensor = world.add(plan).unwrap();
    let mut told = Vec::new();
    for _ in 0..150 {
        world.step();
        told.extend_from_slice(world.events());
        assert!(is_asleep(&world, body));
    }
    let (bodies, sensor) = ([body, sensor], true);
    assert_eq!(told, [Event::Begun { bodies, sensor }, Event::Ended { bodies, sensor }]);
}

#[test]
fn ground_that_goes_away_wakes_what_sleeps_on_it() {
    let (mut world, ground, body) = sleeper();
    world.change(ground).unwrap().set_pose(Pose::at(Vec3::Y * -2.0)).unwrap();
    steps(&mut world, 90);
    assert!((position(&world, body).y + 1.5).abs() < 0.01, "{:?}", position(&world, body));
}

#[test]
fn a_driven_floor_that_begins_to_move_wakes_what_sleeps_on_it() {
    let mut world = world();
    let floor = world.add(BodyPlan::driven(cuboid(5.0, 0.5, 5.0)).at(Vec3::Y * -0.5)).unwrap();
    let body = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, body));
    let before = world.state_hash();
    steps(&mut world, 10);
    assert_eq!(world.state_hash(), before);
    world.change(floor).unwrap().set_velocity(Vec3::X).unwrap();
    steps(&mut world, 60);
    assert!((position(&world, body).x - 1.0).abs() < 0.15, "{:?}", position(&world, body));
}

/// It hung on the slope, asleep.
#[test]
fn a_slope_that_turns_to_ice_lets_go_what_sleeps_on_it() {
    let mut world = world();
    let turn = Rotation::about(Vec3::Z, -0.3).unwrap();
    let slope = world.add(BodyPlan::still(cuboid(9.0, 0.5, 2.0)).turned(turn)).unwrap();
    let body = BodyPlan::moving(cube(), 1.0).turned(turn).at(turn.turn(Vec3::Y));
    let body = world.add(body).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, body));
    let ice = Material { friction: 0.0, ..Material::default() };
    world.change(slope).unwrap().set_material(ice).unwrap();
    steps(&mut world, 60);
    let slid = velocity(&world, body).length();
    assert!((slid - G * embate_geom::scalar::sin_cos(0.3).0).abs() < 0.05, "{slid}");
}

/// The spring pulled at it while it slept, and nothing else did: when touched, it flew off at a hundred metres a second.
#[test]
fn what_sleeps_on_a_driven_hook_is_at_rest_and_stays_so_when_it_wakes() {
    let at = Vec3::Y * -1.0;
    let plans: [fn(BodyId, BodyId) -> JointPlan; 5] = [
        |hook, load| JointPlan::spring(hook, load, Vec3::ZERO, Vec3::Y * -1.0, 100.0, 0.0),
        |hook, load| JointPlan::spring(hook, load, Vec3::ZERO, Vec3::Y * -1.0, 1e6, 100.0),
        |hook, load| JointPlan::ball(hook, load, Vec3::ZERO),
        |hook, load| JointPlan::distance(hook, load, Vec3::ZERO, Vec3::Y * -1.0),
        |hook, load| JointPlan::hinge(hook, load, Vec3::ZERO, Vec3::Z),
    ];
    for (number, plan) in plans.into_iter().enumerate() {
        let mut world = world();
        let hook = world.add(BodyPlan::driven(sphere(0.1))).unwrap();
        let load = BodyPlan::moving(sphere(0.2), 1.0).at(at).with_damping(3.0, 3.0);
        let load = world.add(load).unwrap();
        world.join(plan(hook, load)).unwrap();
        steps(&mut world, 900);
        assert!(is_asleep(&world, load), "joint {number}");
        let (before, lies) = (world.state_hash(), position(&world, load));
        steps(&mut world, 600);
        assert_eq!(world.state_hash(), before, "joint {number}");
        assert_eq!(velocity(&world, load), Vec3::ZERO);
        let _ = world.change(load).unwrap();
        for _ in 0..60 {
            world.step();
            let speed = velocity(&world, load).length();
            assert!(speed < 0.01, "joint {number}: {speed} m/s");
        }
        assert!((position(&world, load) - lies).length() < 1e-3, "joint {number}");
    }
}
