//! Kinematic targets: arrival, pushed bodies, rejected targets.

use embate_geom::{Pose, scalar};

use crate::dynamics::tests::*;
use crate::dynamics::{BodyError, BodyType, ContactEvent, Quantity, SolverKind};

/// Angle between two rotations, in radians.
fn angle_between(a: Rotation, b: Rotation) -> f64 {
    let [x, y, z, w] = (a * b.inverse()).to_array().map(f64::from);
    2.0 * scalar::atan2_f64((x * x + y * y + z * z).sqrt(), w.abs())
}

#[test]
fn kinematic_body_arrives_at_random_poses() {
    for solver in [SolverKind::SoftStep, SolverKind::EventDriven] {
        let mut world = World::new(Settings { solver, ..Settings::default() }).unwrap();
        let body = world.insert_body(BodyDef::kinematic(cuboid(1.0, 0.2, 0.5))).unwrap();
        let mut rng = Rng::new(5);
        for step in 0..200 {
            let target = Pose {
                position: random_vector(&mut rng, 5.0),
                rotation: random_rotation(&mut rng),
            };
            let seconds = if step % 2 == 0 { 1.0 / 60.0 } else { 0.05 };
            let mut edit = world.body_mut(body).unwrap();
            if step % 2 == 0 {
                edit.set_next_kinematic_pose(target).unwrap();
            } else {
                edit.set_next_kinematic_pose_with_dt(target, seconds).unwrap();
            }
            world.step_with_dt(seconds).unwrap();
            let pose = world.body(body).unwrap().pose();
            let error = (pose.position - target.position).length();
            assert!(error < 4e-6, "{solver:?}, step {step}: {error} m");
            let error = angle_between(pose.rotation, target.rotation);
            assert!(error < 1e-5, "{solver:?}, step {step}: {error} rad");
        }
    }
}

#[test]
fn body_at_its_target_stops() {
    let mut world = world();
    let def = BodyDef::kinematic(cube()).linear_velocity(Vec3::X).angular_velocity(Vec3::Y);
    let body = world.insert_body(def).unwrap();
    world.step();
    let pose = world.body(body).unwrap().pose();
    world.body_mut(body).unwrap().set_next_kinematic_pose(pose).unwrap();
    let body = world.body(body).unwrap();
    assert_eq!(body.linear_velocity(), Vec3::ZERO);
    assert!(body.angular_velocity().length() < 1e-4);
}

#[test]
fn moving_platform_pushes_a_body_instead_of_passing_through() {
    let mut world = zero_gravity_world();
    let piston = world.insert_body(BodyDef::kinematic(cube())).unwrap();
    let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * 1.2);
    let ball = world.insert_body(ball).unwrap();
    let mut has_begun = false;
    for step in 1..=60 {
        let target = Pose::from_translation(Vec3::X * (step as f32 * 0.05));
        world.body_mut(piston).unwrap().set_next_kinematic_pose(target).unwrap();
        world.step();
        has_begun |= world.events().iter().any(|e| matches!(e, ContactEvent::Begin { .. }));
    }
    assert!(has_begun);
    assert!(position(&world, ball).x > position(&world, piston).x + 0.98);
}

#[test]
fn invalid_target_is_rejected_and_the_velocity_is_unchanged() {
    let mut world = world();
    let body = world.insert_body(BodyDef::kinematic(cube()).linear_velocity(Vec3::X)).unwrap();
    let mut edit = world.body_mut(body).unwrap();
    let far = Pose::from_translation(Vec3::X * 1e6);
    assert!(matches!(edit.set_next_kinematic_pose(far), Err(BodyError::TooFast { .. })));
    let nan = Pose::from_translation(Vec3::X * f32::NAN);
    assert!(matches!(edit.set_next_kinematic_pose(nan), Err(BodyError::VectorOutOfRange { .. })));
    let half_turn = Pose::new([0.0; 3], Rotation::from_axis_angle(Vec3::Y, 3.0).unwrap());
    let rejected = edit.set_next_kinematic_pose_with_dt(half_turn, 1e-5);
    assert!(matches!(
        rejected,
        Err(BodyError::VectorOutOfRange { quantity: Quantity::AngularVelocity, .. })
    ));
    for seconds in [0.0, -1.0, f32::NAN, 2.0] {
        let rejected = edit.set_next_kinematic_pose_with_dt(Pose::IDENTITY, seconds);
        assert!(matches!(rejected, Err(BodyError::OutOfRange { .. })), "{seconds}");
    }
    assert_eq!(velocity(&world, body), Vec3::X);
}

#[test]
fn only_kinematic_bodies_have_a_target() {
    let mut world = world();
    let defs = [BodyDef::dynamic(cube(), 1.0), BodyDef::fixed(cube())];
    for (def, body_type) in defs.into_iter().zip([BodyType::Dynamic, BodyType::Fixed]) {
        let body = world.insert_body(def).unwrap();
        let rejected = world.body_mut(body).unwrap().set_next_kinematic_pose(Pose::IDENTITY);
        assert_eq!(rejected, Err(BodyError::NotKinematic { body_type }));
    }
}
