//! Edits of a world: insertion, removal, setters, forces, sensors, filters, snapshots.

use embate_geom::{Pose, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{BodyError, CollisionFilter, ContactEvent};

#[test]
fn invalid_body_is_rejected_and_world_is_unchanged() {
    let mut world = world();
    let valid = || BodyDef::dynamic(sphere(0.5), 1.0);
    let nan = Vec3::X * f32::NAN;
    let invalid = [
        BodyDef::dynamic(sphere(0.5), 0.0),
        BodyDef::dynamic(sphere(0.5), -1.0),
        BodyDef::dynamic(sphere(0.5), f32::NAN),
        BodyDef::dynamic(HalfSpace::new(Vec3::Y).unwrap(), 1.0),
        valid().position(nan),
        valid().position(Vec3::X * 1e20),
        valid().linear_velocity(nan),
        valid().angular_velocity(Vec3::Y * f32::INFINITY),
        valid().restitution(1.5),
        valid().friction(-0.1),
        valid().linear_damping(-1.0),
        valid().gravity_scale(f32::NAN),
    ];
    for def in invalid {
        assert!(world.insert_body(def.clone()).is_err(), "{def:?}");
    }
    assert!(world.is_empty());
    let error = world.insert_body(BodyDef::dynamic(sphere(0.5), 0.0)).unwrap_err();
    assert_eq!(error, BodyError::Mass { mass: 0.0 });
    assert!(error.to_string().contains("0 kg"), "{error}");
}

#[test]
fn rejected_setter_changes_nothing() {
    let mut world = world();
    let body = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    let before = world.state_hash();
    let mut body = world.body_mut(body).unwrap();
    let nan = Vec3::Y * f32::NAN;
    assert!(body.set_pose(Pose::from_translation(nan)).is_err());
    assert!(body.set_linear_velocity(nan).is_err());
    assert!(body.set_mass(0.0).is_err());
    assert!(body.apply_force(nan).is_err());
    assert!(body.apply_impulse_at_point(Vec3::X, nan).is_err());
    assert!(world.step_with_dt(-1.0).is_err());
    assert_eq!(world.state_hash(), before);
}

#[test]
fn id_of_a_removed_body_is_never_reused() {
    let mut world = world();
    let first = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    assert!(world.remove_body(first) && !world.remove_body(first));
    let second = world.insert_body(BodyDef::dynamic(sphere(0.5), 2.0)).unwrap();
    assert_eq!(first.index(), second.index());
    assert!(world.body(first).is_none() && world.body_mut(first).is_none());
    assert_eq!(world.body(second).unwrap().mass(), 2.0);
    assert_eq!(world.body_count(), 1);
}

#[test]
fn removing_a_body_emits_an_end_event() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let removed =
        world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 5);
    assert_eq!(world.contacts().count(), 1);
    world.remove_body(removed);
    let inserted =
        world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 0.5)).unwrap();
    world.step();
    let expected = [
        ContactEvent::End { bodies: [ground, removed], sensor: false },
        ContactEvent::Begin { bodies: [ground, inserted], sensor: false },
    ];
    assert_eq!(world.events(), expected);
}

#[test]
fn sensor_emits_events_without_affecting_motion() {
    let mut world = world();
    let sensor = BodyDef::fixed(cuboid(1.0, 0.2, 1.0)).position(Vec3::Y * -3.0).sensor(true);
    let sensor = world.insert_body(sensor).unwrap();
    let falling = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    let mut events = Vec::new();
    for _ in 0..120 {
        world.step();
        events.extend_from_slice(world.events());
    }
    let (bodies, sensor) = ([sensor, falling], true);
    assert_eq!(
        events,
        [ContactEvent::Begin { bodies, sensor }, ContactEvent::End { bodies, sensor }]
    );
    assert!((position(&world, falling).y + 0.5 * G * 4.0).abs() < 1e-3);
}

#[test]
fn collision_filter_selects_colliding_bodies_and_can_be_changed() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let filtered = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 2.0);
    let filtered = world
        .insert_body(filtered.collision_filter(CollisionFilter { category: 2, mask: 2 }))
        .unwrap();
    let colliding = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::new(3.0, 0.5, 0.0));
    let colliding = world.insert_body(colliding).unwrap();
    steps(&mut world, 60);
    assert!(position(&world, filtered).y < -1.0);
    assert!(position(&world, colliding).y > 0.49);
    world
        .body_mut(colliding)
        .unwrap()
        .set_collision_filter(CollisionFilter { category: 1, mask: 0 });
    steps(&mut world, 60);
    assert!(position(&world, colliding).y < -1.0);
}

#[test]
fn kinematic_body_carries_a_load() {
    let mut world = world();
    let lift = BodyDef::kinematic(cuboid(2.0, 0.2, 2.0)).linear_velocity(Vec3::new(0.5, 1.0, 0.0));
    let lift = world.insert_body(lift).unwrap();
    let cargo = world.insert_body(BodyDef::dynamic(cube(), 50.0).position(Vec3::Y * 0.7)).unwrap();
    steps(&mut world, 120);
    assert!((position(&world, lift) - Vec3::new(1.0, 2.0, 0.0)).length() < 1e-3);
    let offset = position(&world, cargo) - position(&world, lift);
    assert!((offset - Vec3::Y * 0.7).length() < 0.05, "{offset:?}");
    assert!(!world.body(cargo).unwrap().is_sleeping());
}

#[test]
fn impulse_at_a_point_changes_linear_and_angular_velocity() {
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 2.0)).unwrap();
    world.body_mut(body).unwrap().apply_impulse_at_point(Vec3::Y * 4.0, Vec3::X * 0.5).unwrap();
    let body = world.body(body).unwrap();
    assert!((body.linear_velocity() - Vec3::Y * 2.0).length() < 1e-6);
    // I = m/6 for a unit cube.
    assert!((body.angular_velocity() - Vec3::Z * 6.0).length() < 1e-4);
    assert_eq!(world.body_mut(BodyId { index: 7, generation: 0 }).map(|_| ()), None);
}

/// A collapsing pile after `step_count` steps; every 20 steps a body is removed and another
/// inserted. `before_step` is called before each step.
fn edited_pile(step_count: usize, mut before_step: impl FnMut(&mut World, usize)) -> World {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let mut ids = Vec::new();
    for index in 0..40 {
        let [x, y, z] = [index % 3, index / 9, index / 3 % 3].map(|i| i as f32 * 1.05);
        let at = Vec3::new(x + 0.1 * y, 1.0 + y, z);
        let def = if index % 2 == 0 {
            BodyDef::dynamic(cube(), 1.0)
        } else {
            BodyDef::dynamic(sphere(0.5), 2.0).restitution(0.4)
        };
        ids.push(world.insert_body(def.position(at)).unwrap());
    }
    for step in 0..step_count {
        if step % 20 == 10 {
            world.remove_body(ids[step / 20 * 3]);
            let inserted =
                BodyDef::dynamic(cuboid(0.3, 0.2, 0.6), 1.0).position(Vec3::new(1.0, 7.0, 1.0));
            world.insert_body(inserted).unwrap();
        }
        before_step(&mut world, step);
        world.step();
    }
    world
}

#[test]
fn restored_world_continues_bit_for_bit() {
    let uninterrupted = edited_pile(160, |_, _| {});
    for at in [0, 10, 11, 57, 130, 150] {
        let restored = edited_pile(160, |world, step| {
            if step == at {
                let snapshot = world.snapshot();
                steps(world, 7);
                world.restore(&snapshot);
            }
        });
        assert_eq!(restored.state_hash(), uninterrupted.state_hash(), "restored at step {at}");
    }
}

#[test]
fn identical_runs_have_identical_state_hashes() {
    let hashes = [(); 2].map(|()| edited_pile(120, |_, _| {}).state_hash());
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn removing_several_bodies_ends_each_contact_once_and_leaves_no_pair() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let at = |level: usize| Vec3::new(0.0, level as f32 + 0.5, 0.0);
    let boxes: Vec<BodyId> = (0..5)
        .map(|level| world.insert_body(BodyDef::dynamic(cube(), 1.0).position(at(level))).unwrap())
        .collect();
    steps(&mut world, 90);
    assert_eq!(world.contacts().count(), 5);
    assert!(world.body(boxes[4]).unwrap().is_sleeping());
    for &body in &boxes[1..4] {
        assert!(world.remove_body(body));
    }
    assert_eq!(world.contacts().count(), 1);
    assert!(!world.body(boxes[4]).unwrap().is_sleeping());
    // A body inserted into a reused slot and removed before the next step leaves no trace.
    let short_lived = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(at(1))).unwrap();
    assert!(world.remove_body(short_lived));
    let copy = World::from_snapshot(&world.snapshot());
    assert_eq!(world.state_hash(), copy.state_hash());
    world.step();
    let is_end = |event: &&ContactEvent| matches!(event, ContactEvent::End { .. });
    assert_eq!(world.events().iter().filter(is_end).count(), 4);
    assert_eq!(world.contacts().count(), 1);
}

#[test]
fn force_at_a_point_acts_for_one_step() {
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 3.0)).unwrap();
    world.body_mut(body).unwrap().apply_force_at_point(Vec3::X * 60.0, Vec3::Y * 0.5).unwrap();
    steps(&mut world, 2);
    let body = world.body(body).unwrap();
    let (linear, angular) = (body.linear_velocity(), body.angular_velocity());
    assert!((linear - Vec3::X / 3.0).length() < 1e-5, "{linear:?}");
    // I = m/6 for a unit cube; the lever arm points up.
    assert!((angular - Vec3::Z * -1.0).length() < 1e-5, "{angular:?}");
}

#[test]
fn angular_damping_is_independent_of_linear_damping() {
    let mut world = zero_gravity_world();
    let def = BodyDef::dynamic(sphere(0.5), 1.0).angular_damping(2.0).linear_velocity(Vec3::X);
    let body = world.insert_body(def.angular_velocity(Vec3::Y * 10.0)).unwrap();
    steps(&mut world, 60);
    let remaining = world.body(body).unwrap().angular_velocity().y / 10.0;
    // e^-2
    assert!((remaining - 0.135_335).abs() < 2e-3, "{remaining}");
    assert_eq!(velocity(&world, body), Vec3::X);
}

#[test]
fn contact_manifold_reports_the_approach_velocity() {
    let mut world = zero_gravity_world();
    let ground = world.insert_body(BodyDef::fixed(cuboid(5.0, 0.5, 5.0))).unwrap();
    let moving = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 1.1);
    let moving = world.insert_body(moving.linear_velocity(Vec3::new(1.0, -3.0, 0.5))).unwrap();
    steps(&mut world, 4);
    let contact = world.contacts().next().unwrap();
    assert_eq!(contact.bodies, [ground, moving]);
    assert!((contact.approach_velocity - Vec3::new(1.0, -3.0, 0.5)).length() < 1e-5);
}
