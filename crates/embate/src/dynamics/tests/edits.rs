//! Bodies that come, go and are changed; worlds that go back.

use embate_geom::{Pose, Vec3};

use super::*;
use crate::motion::{Event, Groups};

#[test]
fn what_can_be_no_body_is_refused_with_the_reason_and_the_world_stays() {
    let mut world = world();
    let ball = || BodyPlan::moving(sphere(0.5), 1.0);
    let nan = Vec3::X * f32::NAN;
    let bad = [
        BodyPlan::moving(sphere(0.5), 0.0),
        BodyPlan::moving(sphere(0.5), -1.0),
        BodyPlan::moving(sphere(0.5), f32::NAN),
        BodyPlan::moving(Plane::new(Vec3::Y).unwrap(), 1.0),
        ball().at(nan),
        ball().at(Vec3::X * 1e20),
        ball().with_velocity(nan),
        ball().with_angular_velocity(Vec3::Y * f32::INFINITY),
        ball().with_restitution(1.5),
        ball().with_friction(-0.1),
        ball().with_damping(-1.0, 0.0),
        ball().with_gravity_scale(f32::NAN),
    ];
    for plan in bad {
        assert!(world.add(plan.clone()).is_err(), "{plan:?}");
    }
    assert!(world.is_empty());
    let told = world.add(BodyPlan::moving(sphere(0.5), 0.0)).unwrap_err();
    assert!(told.to_string().starts_with("the mass is 0 kg"), "{told}");
}

#[test]
fn a_change_that_is_refused_changes_nothing() {
    let mut world = world();
    let ball = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    let before = world.state_hash();
    let mut change = world.change(ball).unwrap();
    let nan = Vec3::Y * f32::NAN;
    assert!(change.set_pose(Pose::at(nan)).is_err());
    assert!(change.set_velocity(nan).is_err());
    assert!(change.set_mass(0.0).is_err());
    assert!(change.apply_force(nan).is_err());
    assert!(change.apply_impulse_at(Vec3::X, nan).is_err());
    assert!(world.step_by(-1.0).is_err());
    assert_eq!(world.state_hash(), before);
}

#[test]
fn the_name_of_a_removed_body_never_names_another() {
    let mut world = world();
    let first = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    assert!(world.remove(first) && !world.remove(first));
    let second = world.add(BodyPlan::moving(sphere(0.5), 2.0)).unwrap();
    assert_eq!(first.index(), second.index());
    assert!(world.body(first).is_none() && world.change(first).is_none());
    assert_eq!(world.body(second).unwrap().mass(), 2.0);
    assert_eq!(world.len(), 1);
}

#[test]
fn removing_a_body_ends_its_touch() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let ball = world.add(BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 5);
    assert_eq!(world.contacts().count(), 1);
    world.remove(ball);
    let other = world.add(BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::Y * 0.5)).unwrap();
    world.step();
    let told = [
        Event::Ended { bodies: [ground, ball], sensor: false },
        Event::Begun { bodies: [ground, other], sensor: false },
    ];
    assert_eq!(world.events(), told);
}

#[test]
fn a_sensor_tells_who_passes_and_stops_nobody() {
    let mut world = world();
    let gate = BodyPlan::still(cuboid(1.0, 0.2, 1.0)).at(Vec3::Y * -3.0).as_sensor();
    let gate = world.add(gate).unwrap();
    let ball = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    let mut told = Vec::new();
    for _ in 0..120 {
        world.step();
        told.extend_from_slice(world.events());
    }
    let (bodies, sensor) = ([gate, ball], true);
    assert_eq!(told, [Event::Begun { bodies, sensor }, Event::Ended { bodies, sensor }]);
    assert!((position(&world, ball).y + 0.5 * G * 4.0).abs() < 1e-3);
}

#[test]
fn groups_say_who_touches_whom_and_can_be_changed() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let ghost = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::Y * 2.0);
    let ghost = world.add(ghost.with_groups(Groups { of: 2, with: 2 })).unwrap();
    let solid = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::new(3.0, 0.5, 0.0));
    let solid = world.add(solid).unwrap();
    steps(&mut world, 60);
    assert!(position(&world, ghost).y < -1.0);
    assert!(position(&world, solid).y > 0.49);
    world.change(solid).unwrap().set_groups(Groups { of: 1, with: 0 });
    steps(&mut world, 60);
    assert!(position(&world, solid).y < -1.0);
}

#[test]
fn a_driven_body_carries_what_stands_on_it() {
    let mut world = world();
    let lift = BodyPlan::driven(cuboid(2.0, 0.2, 2.0)).with_velocity(Vec3::new(0.5, 1.0, 0.0));
    let lift = world.add(lift).unwrap();
    let cargo = world.add(BodyPlan::moving(cube(), 50.0).at(Vec3::Y * 0.7)).unwrap();
    steps(&mut world, 120);
    assert!((position(&world, lift) - Vec3::new(1.0, 2.0, 0.0)).length() < 1e-3);
    let apart = position(&world, cargo) - position(&world, lift);
    assert!((apart - Vec3::Y * 0.7).length() < 0.05, "{apart:?}");
    assert!(!world.body(cargo).unwrap().is_asleep());
}

#[test]
fn an_impulse_at_a_point_turns_and_moves() {
    let mut world = weightless();
    let body = world.add(BodyPlan::moving(cube(), 2.0)).unwrap();
    let mut change = world.change(body).unwrap();
    change.apply_impulse_at(Vec3::Y * 4.0, Vec3::X * 0.5).unwrap();
    let body = world.body(body).unwrap();
    assert!((body.velocity() - Vec3::Y * 2.0).length() < 1e-6);
    // I = m/6 for a unit cube.
    assert!((body.angular_velocity() - Vec3::Z * 6.0).length() < 1e-4);
    assert_eq!(world.change(BodyId { index: 7, generation: 0 }).map(|_| ()), None);
}

/// A pile that falls, with some removed and some added on the way.
fn busy_world(until: usize, mut each: impl FnMut(&mut World, usize)) -> World {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let mut ids = Vec::new();
    for index in 0..40 {
        let [x, y, z] = [index % 3, index / 9, index / 3 % 3].map(|i| i as f32 * 1.05);
        let at = Vec3::new(x + 0.1 * y, 1.0 + y, z);
        let plan = if index % 2 == 0 {
            BodyPlan::moving(cube(), 1.0)
        } else {
            BodyPlan::moving(sphere(0.5), 2.0).with_restitution(0.4)
        };
        ids.push(world.add(plan.at(at)).unwrap());
    }
    for step in 0..until {
        if step % 20 == 10 {
            world.remove(ids[step / 20 * 3]);
            let late = BodyPlan::moving(cuboid(0.3, 0.2, 0.6), 1.0).at(Vec3::new(1.0, 7.0, 1.0));
            world.add(late).unwrap();
        }
        each(&mut world, step);
        world.step();
    }
    world
}

#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    let plain = busy_world(160, |_, _| {});
    for at in [0, 10, 11, 57, 130, 150] {
        let again = busy_world(160, |world, step| {
            if step == at {
                let snapshot = world.snapshot();
                steps(world, 7);
                world.restore(&snapshot);
            }
        });
        assert_eq!(again.state_hash(), plain.state_hash(), "{at}");
    }
}

#[test]
fn the_same_world_twice_has_the_same_bits() {
    let hashes = [(); 2].map(|()| busy_world(120, |_, _| {}).state_hash());
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn bodies_removed_one_after_another_end_each_touch_once_and_leave_no_pair() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let at = |number: usize| Vec3::new(0.0, number as f32 + 0.5, 0.0);
    let boxes: Vec<BodyId> = (0..5)
        .map(|number| world.add(BodyPlan::moving(cube(), 1.0).at(at(number))).unwrap())
        .collect();
    steps(&mut world, 90);
    assert_eq!(world.contacts().count(), 5);
    assert!(world.body(boxes[4]).unwrap().is_asleep());
    for &body in &boxes[1..4] {
        assert!(world.remove(body));
    }
    assert_eq!(world.contacts().count(), 1);
    assert!(!world.body(boxes[4]).unwrap().is_asleep());
    // Another comes to a place that was left, and goes before anybody looked.
    let other = world.add(BodyPlan::moving(cube(), 1.0).at(at(1))).unwrap();
    assert!(world.remove(other));
    let copy = World::from_snapshot(&world.snapshot());
    assert_eq!(world.state_hash(), copy.state_hash());
    world.step();
    let ended = |event: &&Event| matches!(event, Event::Ended { .. });
    assert_eq!(world.events().iter().filter(ended).count(), 4);
    assert_eq!(world.contacts().count(), 1);
}

#[test]
fn a_force_at_a_point_turns_and_moves_for_one_step() {
    let mut world = weightless();
    let body = world.add(BodyPlan::moving(cube(), 3.0)).unwrap();
    world.change(body).unwrap().apply_force_at(Vec3::X * 60.0, Vec3::Y * 0.5).unwrap();
    steps(&mut world, 2);
    let (velocity, spin) = (velocity(&world, body), world.body(body).unwrap().angular_velocity());
    assert!((velocity - Vec3::X / 3.0).length() < 1e-5, "{velocity:?}");
    // The inertia of a cube of 1 m is a sixth of its mass; the arm is upwards.
    assert!((spin - Vec3::Z * -1.0).length() < 1e-5, "{spin:?}");
}

#[test]
fn a_spin_is_damped_by_its_own_rate() {
    let mut world = weightless();
    let plan = BodyPlan::moving(sphere(0.5), 1.0).with_damping(0.0, 2.0).with_velocity(Vec3::X);
    let body = world.add(plan.with_angular_velocity(Vec3::Y * 10.0)).unwrap();
    steps(&mut world, 60);
    let left = world.body(body).unwrap().angular_velocity().y / 10.0;
    // e^-2
    assert!((left - 0.135_335).abs() < 2e-3, "{left}");
    assert_eq!(velocity(&world, body), Vec3::X);
}

#[test]
fn a_contact_tells_with_which_velocity_its_bodies_first_touched() {
    let mut world = weightless();
    let still = world.add(BodyPlan::still(cuboid(5.0, 0.5, 5.0))).unwrap();
    let ball = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::Y * 1.1);
    let ball = world.add(ball.with_velocity(Vec3::new(1.0, -3.0, 0.5))).unwrap();
    steps(&mut world, 4);
    let contact = world.contacts().next().unwrap();
    assert_eq!(contact.bodies, [still, ball]);
    assert!((contact.first_velocity - Vec3::new(1.0, -3.0, 0.5)).length() < 1e-5);
}
