//! Waking: an edit ends, begins and wakes the affected contacts and islands, and no others.

use embate_geom::{Pose, Rotation, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{CollisionFilter, ContactEvent, JointDef, Material};

fn is_asleep(world: &World, id: BodyId) -> bool {
    world.body(id).unwrap().is_sleeping()
}

/// A sleeping box on a floor, and beside it a sphere that a joint holds above the floor. Returns
/// the floor, the box and the sphere.
fn joint_above_a_floor() -> (World, [BodyId; 3], crate::dynamics::JointId) {
    let mut world = world();
    let floor =
        world.insert_body(BodyDef::fixed(cuboid(5.0, 0.5, 5.0)).position(Vec3::Y * -0.5)).unwrap();
    let asleep = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5)).unwrap();
    let at = Vec3::new(3.0, 0.15, 0.0);
    let held = world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0).position(at)).unwrap();
    let joint = world.insert_joint(JointDef::fixed(floor, held, at)).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, asleep));
    assert_eq!(world.contacts().count(), 1);
    (world, [floor, asleep, held], joint)
}

/// Regression: all contacts of the floor ended and began again, except those of sleeping bodies,
/// which did not begin.
#[test]
fn removing_a_joint_does_not_end_other_contacts() {
    let (mut world, [floor, asleep, held], joint) = joint_above_a_floor();
    world.remove_joint(joint);
    world.step();
    assert!(world.events().is_empty(), "{:?}", world.events());
    assert!(is_asleep(&world, asleep) && !is_asleep(&world, held));
    assert_eq!(world.contacts().count(), 1);
    let mut events = Vec::new();
    for _ in 0..60 {
        world.step();
        events.extend_from_slice(world.events());
    }
    assert_eq!(events, [ContactEvent::Begin { bodies: [floor, held], sensor: false }]);
    assert!(position(&world, held).y > 0.09);
}

#[test]
fn removing_a_connected_body_does_not_end_contacts_of_the_other() {
    let (mut world, [_, asleep, held], joint) = joint_above_a_floor();
    world.remove_body(held);
    assert!(world.joint(joint).is_none());
    world.step();
    assert!(world.events().is_empty(), "{:?}", world.events());
    assert!(is_asleep(&world, asleep));
    assert_eq!(world.contacts().count(), 1);
}

/// Regression: the stack jolted because its warm-starting impulses were lost.
#[test]
fn stack_is_undisturbed_when_its_floor_loses_a_joint_or_changes_its_filter() {
    let mut world = world_without_sleep();
    let floor =
        world.insert_body(BodyDef::fixed(cuboid(5.0, 0.5, 5.0)).position(Vec3::Y * -0.5)).unwrap();
    let boxes: Vec<BodyId> = (0..5)
        .map(|level| {
            let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * (level as f32 + 0.5));
            world.insert_body(def).unwrap()
        })
        .collect();
    let held = BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::new(3.0, 2.0, 0.0));
    let held = world.insert_body(held).unwrap();
    let joint = world.insert_joint(JointDef::fixed(floor, held, Vec3::X * 3.0)).unwrap();
    steps(&mut world, 240);
    let mut reference = world.clone();
    world.remove_joint(joint);
    world.body_mut(floor).unwrap().set_collision_filter(CollisionFilter { category: 3, mask: 7 });
    reference.remove_joint(joint);
    for _ in 0..10 {
        world.step();
        reference.step();
        assert!(world.events().is_empty(), "{:?}", world.events());
        assert!(boxes.iter().all(|&id| velocity(&world, id).length() < 1e-3));
    }
    assert_eq!(world.state_hash(), reference.state_hash());
}

#[test]
fn changing_a_filter_ends_and_begins_only_affected_contacts() {
    let mut world = world();
    let floor = add_ground(&mut world, 0.5);
    let in_category = |category: u32| CollisionFilter { category, mask: u32::MAX };
    let mut on_floor = |x: f32, category: u32| {
        let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::new(x, 0.5, 0.0));
        world.insert_body(def.collision_filter(in_category(category))).unwrap()
    };
    let (first, second) = (on_floor(-2.0, 1), on_floor(2.0, 2));
    steps(&mut world, 120);
    assert!(is_asleep(&world, first) && is_asleep(&world, second));
    world.body_mut(floor).unwrap().set_collision_filter(CollisionFilter { category: 1, mask: 1 });
    world.step();
    assert_eq!(world.events(), [ContactEvent::End { bodies: [floor, second], sensor: false }]);
    assert!(is_asleep(&world, first) && !is_asleep(&world, second));
    steps(&mut world, 5);
    world.body_mut(floor).unwrap().set_collision_filter(CollisionFilter::default());
    world.step();
    assert_eq!(world.events(), [ContactEvent::Begin { bodies: [floor, second], sensor: false }]);
    steps(&mut world, 60);
    assert!(position(&world, second).y > 0.49, "{:?}", position(&world, second));
}

/// A box that sleeps on the ground. Returns the world, the ground and the box.
fn sleeping_box() -> (World, BodyId, BodyId) {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, body));
    (world, ground, body)
}

#[test]
fn wall_teleported_into_a_sleeping_body_wakes_it_and_pushes_it_out() {
    let (mut world, _, body) = sleeping_box();
    let wall = BodyDef::fixed(cuboid(1.0, 1.0, 1.0)).position(Vec3::new(9.0, 1.0, 0.0));
    let wall = world.insert_body(wall).unwrap();
    steps(&mut world, 2);
    assert!(is_asleep(&world, body));
    world
        .body_mut(wall)
        .unwrap()
        .set_pose(Pose::from_translation(Vec3::new(1.3, 1.0, 0.0)))
        .unwrap();
    steps(&mut world, 60);
    assert!(position(&world, body).x < -0.15, "{:?}", position(&world, body));
}

#[test]
fn body_inserted_into_a_sleeping_body_wakes_it_and_pushes_it_out() {
    for new_def in [BodyDef::fixed, BodyDef::kinematic] {
        let (mut world, _, body) = sleeping_box();
        world
            .insert_body(new_def(cuboid(1.0, 1.0, 1.0)).position(Vec3::new(1.3, 1.0, 0.0)))
            .unwrap();
        steps(&mut world, 60);
        assert!(position(&world, body).x < -0.15, "{:?}", position(&world, body));
    }
}

#[test]
fn sensor_inserted_around_a_sleeping_body_detects_it_without_waking_it() {
    for new_def in [BodyDef::fixed, BodyDef::kinematic] {
        let (mut world, _, body) = sleeping_box();
        // Above the ground, which kinematic sensors detect, too.
        let sensor = new_def(cuboid(1.0, 1.0, 1.0)).position(Vec3::Y * 1.3).sensor(true);
        let sensor = world.insert_body(sensor).unwrap();
        let bodies = [body, sensor];
        world.step();
        assert_eq!(world.events(), [ContactEvent::Begin { bodies, sensor: true }]);
        world.step();
        assert!(world.events().is_empty() && is_asleep(&world, body));
        let away = Pose::from_translation(Vec3::new(9.0, 5.0, 0.0));
        world.body_mut(sensor).unwrap().set_pose(away).unwrap();
        world.step();
        assert_eq!(world.events(), [ContactEvent::End { bodies, sensor: true }]);
    }
}

#[test]
fn kinematic_sensor_passing_a_sleeping_body_detects_it_without_waking_it() {
    let (mut world, _, body) = sleeping_box();
    let def = BodyDef::kinematic(cuboid(0.2, 0.2, 0.2)).sensor(true);
    let def = def.position(Vec3::new(-2.0, 0.6, 0.0)).linear_velocity(Vec3::X * 2.0);
    let sensor = world.insert_body(def).unwrap();
    let mut events = Vec::new();
    for _ in 0..150 {
        world.step();
        events.extend_from_slice(world.events());
        assert!(is_asleep(&world, body));
    }
    let (bodies, sensor) = ([body, sensor], true);
    assert_eq!(
        events,
        [ContactEvent::Begin { bodies, sensor }, ContactEvent::End { bodies, sensor }]
    );
}

#[test]
fn teleporting_the_ground_away_wakes_bodies_on_it() {
    let (mut world, ground, body) = sleeping_box();
    world.body_mut(ground).unwrap().set_pose(Pose::from_translation(Vec3::Y * -2.0)).unwrap();
    steps(&mut world, 90);
    assert!((position(&world, body).y + 1.5).abs() < 0.01, "{:?}", position(&world, body));
}

#[test]
fn kinematic_floor_that_starts_to_move_wakes_bodies_on_it() {
    let mut world = world();
    let floor = world
        .insert_body(BodyDef::kinematic(cuboid(5.0, 0.5, 5.0)).position(Vec3::Y * -0.5))
        .unwrap();
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, body));
    let before = world.state_hash();
    steps(&mut world, 10);
    assert_eq!(world.state_hash(), before);
    world.body_mut(floor).unwrap().set_linear_velocity(Vec3::X).unwrap();
    steps(&mut world, 60);
    assert!((position(&world, body).x - 1.0).abs() < 0.15, "{:?}", position(&world, body));
}

/// Regression: the body stayed asleep on the slope.
#[test]
fn removing_friction_from_a_slope_wakes_the_body_on_it() {
    let mut world = world();
    let tilt = Rotation::from_axis_angle(Vec3::Z, -0.3).unwrap();
    let slope = world.insert_body(BodyDef::fixed(cuboid(9.0, 0.5, 2.0)).rotation(tilt)).unwrap();
    let body = BodyDef::dynamic(cube(), 1.0).rotation(tilt).position(tilt.rotate(Vec3::Y));
    let body = world.insert_body(body).unwrap();
    steps(&mut world, 120);
    assert!(is_asleep(&world, body));
    let ice = Material { friction: 0.0, ..Material::default() };
    world.body_mut(slope).unwrap().set_material(ice).unwrap();
    steps(&mut world, 60);
    let speed = velocity(&world, body).length();
    assert!((speed - G * embate_geom::scalar::sin_cos(0.3).0).abs() < 0.05, "{speed} m/s");
}

/// Regression: the spring kept accelerating the sleeping load, which flew off at 100 m/s once it
/// was woken.
#[test]
fn load_sleeping_on_a_joint_to_a_kinematic_body_stays_at_rest_when_woken() {
    let at = Vec3::Y * -1.0;
    let joint_defs: [fn(BodyId, BodyId) -> JointDef; 5] = [
        |support, load| JointDef::spring(support, load, Vec3::ZERO, Vec3::Y * -1.0, 100.0, 0.0),
        |support, load| JointDef::spring(support, load, Vec3::ZERO, Vec3::Y * -1.0, 1e6, 100.0),
        |support, load| JointDef::spherical(support, load, Vec3::ZERO),
        |support, load| JointDef::distance(support, load, Vec3::ZERO, Vec3::Y * -1.0),
        |support, load| JointDef::revolute(support, load, Vec3::ZERO, Vec3::Z),
    ];
    for (number, joint_def) in joint_defs.into_iter().enumerate() {
        let mut world = world();
        let support = world.insert_body(BodyDef::kinematic(sphere(0.1))).unwrap();
        let load = BodyDef::dynamic(sphere(0.2), 1.0)
            .position(at)
            .linear_damping(3.0)
            .angular_damping(3.0);
        let load = world.insert_body(load).unwrap();
        world.insert_joint(joint_def(support, load)).unwrap();
        steps(&mut world, 900);
        assert!(is_asleep(&world, load), "joint {number}");
        let (before, rest_position) = (world.state_hash(), position(&world, load));
        steps(&mut world, 600);
        assert_eq!(world.state_hash(), before, "joint {number}");
        assert_eq!(velocity(&world, load), Vec3::ZERO);
        let _ = world.body_mut(load).unwrap();
        for _ in 0..60 {
            world.step();
            let speed = velocity(&world, load).length();
            assert!(speed < 0.01, "joint {number}: {speed} m/s");
        }
        assert!((position(&world, load) - rest_position).length() < 1e-3, "joint {number}");
    }
}
