//! Edits of body type, sensor flag, sleep state, user data and combine rules.

use embate_geom::{Pose, scalar};

use crate::dynamics::tests::*;
use crate::dynamics::{
    BodyError, BodyType, CombineRule, ContactEvent, JointDef, JointError, Material, Snapshot,
    WorldBounds,
};
use crate::shapes::{Compound, Shape, ShapeType};

/// Compound whose center of mass is at (1.2, 0, 0).
fn off_center() -> Shape {
    let parts = vec![
        (Pose::IDENTITY, sphere(0.5).into()),
        (Pose::from_translation(Vec3::X * 2.0), cube().into()),
    ];
    Compound::new(parts).unwrap().into()
}

fn set_type(world: &mut World, body: BodyId, body_type: BodyType) {
    world.body_mut(body).unwrap().set_body_type(body_type).unwrap();
}

#[test]
fn body_of_every_type_can_become_any_other_and_keeps_its_pose() {
    let types = [BodyType::Dynamic, BodyType::Kinematic, BodyType::Fixed];
    for from in types {
        for to in types {
            let mut world = zero_gravity_world();
            let def = BodyDef::dynamic(off_center(), 3.0)
                .position(Vec3::new(1.0, 2.0, 3.0))
                .angular_velocity(Vec3::Z);
            let body = world.insert_body(def).unwrap();
            steps(&mut world, 7);
            set_type(&mut world, body, from);
            let before = world.body(body).unwrap();
            let (pose, velocity) = (before.pose(), before.velocity_at_point(Vec3::ZERO));
            set_type(&mut world, body, to);
            let after = world.body(body).unwrap();
            assert_eq!((after.pose(), after.body_type()), (pose, to));
            let is_dynamic = to == BodyType::Dynamic;
            assert_eq!(after.mass(), if is_dynamic { 3.0 } else { 0.0 });
            if to != BodyType::Fixed {
                let error = (after.velocity_at_point(Vec3::ZERO) - velocity).length();
                assert!(error < 1e-5, "{from:?} → {to:?}: {error}");
            }
            let bytes = world.snapshot().to_bytes();
            let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
            steps(&mut world, 10);
            steps(&mut other, 10);
            assert_eq!(world.state_hash(), other.state_hash(), "{from:?} → {to:?}");
        }
    }
}

#[test]
fn contacts_follow_the_body_type() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let crate_ = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5));
    let crate_ = crate_.unwrap();
    steps(&mut world, 5);
    assert_eq!(world.contacts().count(), 1);
    set_type(&mut world, crate_, BodyType::Fixed);
    world.step();
    let bodies = [ground, crate_];
    assert_eq!(world.events(), [ContactEvent::End { bodies, sensor: false }]);
    assert_eq!(world.contacts().count(), 0);
    set_type(&mut world, crate_, BodyType::Dynamic);
    steps(&mut world, 2);
    assert_eq!(world.contacts().count(), 1);
    assert!((position(&world, crate_).y - 0.5).abs() < 0.01);
}

#[test]
fn removed_support_wakes_the_bodies_on_top() {
    let mut world = world();
    let base = world.insert_body(BodyDef::fixed(cube())).unwrap();
    let top = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 1.0);
    let top = world.insert_body(top).unwrap();
    steps(&mut world, 120);
    assert!(world.body(top).unwrap().is_sleeping());
    world.body_mut(base).unwrap().set_mass(1.0).unwrap();
    set_type(&mut world, base, BodyType::Dynamic);
    steps(&mut world, 30);
    assert!(position(&world, top).y < 0.0 && position(&world, base).y < -0.5);
}

#[test]
fn body_without_mass_or_volume_cannot_become_dynamic() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let wall = world.insert_body(BodyDef::fixed(cube())).unwrap();
    let rejected = world.body_mut(wall).unwrap().set_body_type(BodyType::Dynamic);
    assert_eq!(rejected, Err(BodyError::Mass { mass: 0.0 }));
    let mut ground_mut = world.body_mut(ground).unwrap();
    ground_mut.set_mass(1.0).unwrap();
    let rejected = ground_mut.set_body_type(BodyType::Dynamic);
    assert_eq!(rejected, Err(BodyError::NoVolume { shape: ShapeType::HalfSpace }));
    assert_eq!(world.body(wall).unwrap().body_type(), BodyType::Fixed);
}

#[test]
fn joint_keeps_its_anchors_and_needs_a_dynamic_body() {
    let mut world = zero_gravity_world();
    let a = world.insert_body(BodyDef::dynamic(off_center(), 2.0)).unwrap();
    let b = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 3.0)).unwrap();
    let anchor = Vec3::new(0.3, 1.5, 0.0);
    let joint = world.insert_joint(JointDef::spherical(a, b, anchor)).unwrap();
    set_type(&mut world, a, BodyType::Kinematic);
    for point in world.joint(joint).unwrap().anchors() {
        assert!((point - anchor).length() < 1e-5, "{point:?}");
    }
    let rejected = world.body_mut(b).unwrap().set_body_type(BodyType::Fixed);
    assert_eq!(rejected, Err(BodyError::Joint(JointError::NoDynamicBody)));
    steps(&mut world, 30);
    set_type(&mut world, a, BodyType::Dynamic);
    for point in world.joint(joint).unwrap().anchors() {
        assert!((point - anchor).length() < 1e-4, "{point:?}");
    }
}

#[test]
fn body_that_becomes_a_sensor_falls_through_the_ground() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 0.5);
    let ball = world.insert_body(ball).unwrap();
    steps(&mut world, 120);
    assert!(world.body(ball).unwrap().is_sleeping());
    world.body_mut(ball).unwrap().set_sensor(true);
    world.step();
    let bodies = [ground, ball];
    let expected =
        [ContactEvent::End { bodies, sensor: false }, ContactEvent::Begin { bodies, sensor: true }];
    assert_eq!(world.events(), expected);
    steps(&mut world, 30);
    assert!(position(&world, ball).y < 0.0);
    world.body_mut(ball).unwrap().set_sensor(false);
    steps(&mut world, 120);
    assert!(position(&world, ball).y > 0.4);
}

#[test]
fn sleep_stops_the_island_until_it_is_woken() {
    let mut world = world();
    let body_at = |x: f32| BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * x);
    let [a, b, alone] = [0.0, 1.0, 9.0].map(|x| world.insert_body(body_at(x)).unwrap());
    world.insert_joint(JointDef::fixed(a, b, Vec3::X * 0.5)).unwrap();
    steps(&mut world, 10);
    let height = position(&world, a).y;
    world.body_mut(a).unwrap().sleep();
    steps(&mut world, 10);
    for body in [a, b] {
        let body = world.body(body).unwrap();
        assert!(body.is_sleeping() && body.linear_velocity() == Vec3::ZERO);
        assert!((body.position().y - height).abs() < 1e-4);
    }
    assert!(position(&world, alone).y < height - 0.1);
    let bytes = world.snapshot().to_bytes();
    let other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    assert!(other.body(b).unwrap().is_sleeping());
    world.body_mut(b).unwrap().sleep();
    world.body_mut(b).unwrap().wake_up();
    steps(&mut world, 10);
    assert!(position(&world, a).y < height && position(&world, b).y < height);
}

#[test]
fn sleeping_body_wakes_when_it_is_hit_and_kinematic_bodies_never_sleep() {
    let mut world = zero_gravity_world();
    let target = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    let bullet = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * -3.0);
    world.insert_body(bullet.linear_velocity(Vec3::X * 5.0)).unwrap();
    let lift = world.insert_body(BodyDef::kinematic(cube()).position(Vec3::Y * 9.0)).unwrap();
    world.body_mut(target).unwrap().sleep();
    world.body_mut(lift).unwrap().sleep();
    assert!(!world.body(lift).unwrap().is_sleeping());
    steps(&mut world, 60);
    assert!(velocity(&world, target).x > 1.0);
}

#[test]
fn user_data_combine_rules_and_stored_mass_survive_a_snapshot() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let plain = world.snapshot().to_bytes();
    assert_eq!(plain[4], 4, "without extensions the format version is that of older releases");
    let ice = BodyDef::dynamic(cube(), 2.0)
        .position(Vec3::Y * 0.5)
        .friction_combine_rule(CombineRule::Min)
        .restitution_combine_rule(CombineRule::Multiply)
        .user_data(u128::MAX - 7);
    let ice = world.insert_body(ice).unwrap();
    let parked = world.insert_body(BodyDef::dynamic(cube(), 5.0).position(Vec3::X * 4.0));
    let parked = parked.unwrap();
    set_type(&mut world, parked, BodyType::Kinematic);
    steps(&mut world, 3);
    let bytes = world.snapshot().to_bytes();
    assert_eq!(bytes[4], 5);
    let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    assert_eq!(other.snapshot().to_bytes(), bytes);
    let body = other.body(ice).unwrap();
    assert_eq!(body.user_data(), u128::MAX - 7);
    assert_eq!(body.material(), world.body(ice).unwrap().material());
    for world in [&mut world, &mut other] {
        set_type(world, parked, BodyType::Dynamic);
        world.body_mut(ice).unwrap().set_linear_velocity(Vec3::X).unwrap();
        steps(world, 30);
    }
    assert_eq!(other.body(parked).unwrap().mass(), 5.0);
    assert_eq!(world.state_hash(), other.state_hash());
}

/// Extensions with values that no world writes, under a valid checksum.
#[test]
fn forged_body_extensions_are_rejected() {
    let mut world = world();
    world.insert_body(BodyDef::fixed(cube()).user_data(1)).unwrap();
    let bytes = world.snapshot().to_bytes();
    let content = &bytes[..bytes.len() - 8];
    let checksum = |bytes: &[u8]| {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let read = |content: &[u8]| {
        let mut forged = content.to_vec();
        forged.extend_from_slice(&checksum(content).to_le_bytes());
        Snapshot::from_bytes(&forged)
    };
    assert!(read(content).is_ok());
    // Count, index, two rules, user data, mass: the only 1 in 16 bytes is the user data.
    let user_data = 1_u128.to_le_bytes();
    let at = content.windows(16).rposition(|window| window == user_data).unwrap();
    for (offset, value) in [(at - 6, 9), (at - 2, 6), (at - 1, 255), (at, 0), (at - 10, 0)] {
        let mut forged = content.to_vec();
        forged[offset] = value;
        assert!(read(&forged).is_err(), "byte {offset} = {value}");
    }
}

#[test]
fn combine_rule_of_the_ground_makes_a_body_slide() {
    let slide = |rule: Option<CombineRule>| {
        let mut world = world();
        let ground = BodyDef::fixed(HalfSpace::new(Vec3::Y).unwrap()).friction(0.0);
        let ground = match rule {
            Some(rule) => ground.friction_combine_rule(rule),
            None => ground.friction(0.8),
        };
        world.insert_body(ground).unwrap();
        let crate_ = BodyDef::dynamic(cube(), 1.0).friction(0.8).position(Vec3::Y * 0.5);
        let crate_ = world.insert_body(crate_.linear_velocity(Vec3::X * 2.0)).unwrap();
        steps(&mut world, 60);
        velocity(&world, crate_).x
    };
    assert!(slide(None) < 0.01);
    assert!(slide(Some(CombineRule::Min)) > 1.99);
    assert!(slide(Some(CombineRule::Max)) < 0.01);
}

#[test]
fn mass_survives_any_sequence_of_body_types() {
    let types = [BodyType::Dynamic, BodyType::Kinematic, BodyType::Fixed];
    for first in types {
        for second in types {
            let mut world = zero_gravity_world();
            let body = world.insert_body(BodyDef::dynamic(cube(), 2.0)).unwrap();
            set_type(&mut world, body, first);
            set_type(&mut world, body, second);
            set_type(&mut world, body, BodyType::Dynamic);
            assert_eq!(world.body(body).unwrap().mass(), 2.0, "{first:?}, {second:?}");
            set_type(&mut world, body, BodyType::Fixed);
            world.body_mut(body).unwrap().set_mass(5.0).unwrap();
            set_type(&mut world, body, first);
            set_type(&mut world, body, BodyType::Dynamic);
            assert_eq!(world.body(body).unwrap().mass(), 5.0, "{first:?}");
        }
    }
}

#[test]
fn mass_of_a_fixed_body_is_validated() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    for mass in [f32::NAN, -1.0, 1e13] {
        let error = world.body_mut(ground).unwrap().set_mass(mass).unwrap_err();
        assert_eq!(error.code(), "body.mass-out-of-range", "{mass}");
    }
    world.body_mut(ground).unwrap().set_mass(0.0).unwrap();
}

#[test]
fn boundary_planes_ignore_combine_rules() {
    let bounds = WorldBounds::solid(Vec3::splat(-2.0), Vec3::splat(2.0));
    let mut world = World::new(Settings { bounds: Some(bounds), ..Settings::default() }).unwrap();
    let material = Material {
        friction: 1.0,
        restitution: 0.5,
        friction_combine_rule: Some(CombineRule::Max),
        restitution_combine_rule: Some(CombineRule::Min),
        ..Material::default()
    };
    let def = BodyDef::dynamic(cube(), 1.0).material(material);
    let body = world.insert_body(def.linear_velocity([0.5, -5.0, 0.0])).unwrap();
    let mut max_speed_up = 0.0_f32;
    for _ in 0..60 {
        world.step();
        let velocity = world.body(body).unwrap().linear_velocity();
        assert!((velocity.x - 0.5).abs() < 1e-3, "friction at the boundary: {velocity:?}");
        max_speed_up = scalar::max(max_speed_up, velocity.y);
    }
    assert!(max_speed_up > 2.0, "restitution of 0.5 at the boundary: {max_speed_up} m/s");
}

/// The broad phase must not keep measuring the motion from the former center of mass.
#[test]
fn off_center_body_that_changes_its_type_keeps_its_pairs() {
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(off_center(), 1.0)).unwrap();
    let wall = BodyDef::fixed(cube()).position(Vec3::new(-2.6, 0.0, 0.0));
    world.insert_body(wall).unwrap();
    steps(&mut world, 3);
    set_type(&mut world, body, BodyType::Kinematic);
    let mut restored =
        World::from_snapshot(&Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    for world in [&mut world, &mut restored] {
        world.body_mut(body).unwrap().set_linear_velocity([-1.62, 0.0, 0.0]).unwrap();
        steps(world, 60);
        set_type(world, body, BodyType::Dynamic);
        steps(world, 2);
    }
    assert!(world.contacts().count() > 0, "the body has reached the wall");
    assert_eq!(world.state_hash(), restored.state_hash());
}

#[test]
fn position_and_rotation_can_be_set_alone() {
    let mut world = World::new(Settings::default()).unwrap();
    let body = world.insert_body(BodyDef::dynamic(off_center(), 2.0)).unwrap();
    let rotation = Rotation::from_axis_angle([1.0, 2.0, 3.0], 0.7).unwrap();
    let mut edit = world.body_mut(body).unwrap();
    edit.set_rotation(rotation).unwrap();
    edit.set_position([1.0, 2.0, 3.0]).unwrap();
    assert!(edit.set_position([f32::NAN, 0.0, 0.0]).is_err());
    edit.apply_torque([0.0, 4.0, 0.0]).unwrap();
    edit.set_can_sleep(false);
    let body = world.body(body).unwrap();
    assert_eq!((body.position(), body.rotation()), (Vec3::new(1.0, 2.0, 3.0), rotation));
    assert_eq!((body.torque(), body.can_sleep()), (Vec3::Y * 4.0, false));
}
