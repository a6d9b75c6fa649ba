//! Values at and beyond the limits: rejected edits, extreme steps, NaN.

use embate_geom::{Pose, Ray, Vec3};

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::tests::*;
use crate::dynamics::{BodyError, LockedAxes, Material, QueryFilter};

/// Regression: the rotation became NaN, and every query of the world then found nothing.
#[test]
fn impulse_that_would_overflow_is_rejected() {
    let mut world = zero_gravity_world();
    let light = world.insert_body(BodyDef::dynamic(sphere(0.05), 1e-9)).unwrap();
    let other =
        world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * 5.0)).unwrap();
    let before = world.state_hash();
    let far = Vec3::Y * 1e12;
    let mut body = world.body_mut(light).unwrap();
    assert!(body.apply_impulse_at_point(Vec3::X * 1e15, far).is_err());
    assert!(body.apply_impulse(Vec3::X * 1e15).is_err());
    assert!(body.apply_force_at_point(Vec3::X * 1e15, far).is_err());
    assert!(body.apply_force(Vec3::X * 1e15).is_err());
    assert!(body.apply_torque(Vec3::X * 1e15).is_err());
    let error = body.apply_impulse(Vec3::X).unwrap_err();
    assert!(matches!(error, BodyError::TooFast { value: [1e9, 0.0, 0.0], .. }), "{error:?}");
    assert_eq!(world.state_hash(), before);
    assert!(world.body_mut(light).unwrap().apply_force(Vec3::X * 1e-3).is_ok());
    steps(&mut world, 3);
    assert!(world.body(light).unwrap().pose().is_finite());
    let ray = Ray::new([5.0, 9.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(world.cast_ray(&ray, &QueryFilter::default()).map(|hit| hit.body), Some(other));
}

/// Regression: the impulse was accepted, and the next step clamped the speed to 1/50.
#[test]
fn impulse_beyond_the_maximum_linear_or_angular_speed_is_rejected() {
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    let before = world.state_hash();
    let mut body_mut = world.body_mut(body).unwrap();
    let error = body_mut.apply_impulse(Vec3::X * 5e5).unwrap_err();
    assert!(matches!(error, BodyError::TooFast { value: [5e5, 0.0, 0.0], .. }), "{error:?}");
    assert!(error.to_string().contains("10000 m/s"), "{error}");
    let error = body_mut.apply_impulse_at_point(Vec3::X * 9e3, Vec3::Y * 0.5).unwrap_err();
    assert!(matches!(error, BodyError::VectorOutOfRange { .. }), "{error:?}");
    assert!(error.to_string().contains("angular velocity after the impulse"), "{error}");
    assert_eq!(world.state_hash(), before);
    // Up to the maximum speed, and back to rest.
    world.body_mut(body).unwrap().apply_impulse(Vec3::X * 1e4).unwrap();
    steps(&mut world, 2);
    assert_eq!(velocity(&world, body), Vec3::X * 1e4);
    world.body_mut(body).unwrap().apply_impulse(Vec3::X * -1e4).unwrap();
    assert_eq!(velocity(&world, body), Vec3::ZERO);
}

/// Regression: the implicit midpoint iteration did not converge for steps of 1 rad and more.
#[test]
fn maximum_angular_velocity_conserves_energy_in_the_longest_step() {
    let settings =
        Settings { gravity: Vec3::ZERO, time_step: 1.0, substeps: 1, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let angular_velocity = Vec3::new(1e4, 9e3, -3e3);
    let def = BodyDef::dynamic(cuboid(0.5, 0.2, 0.1), 1.0).angular_velocity(angular_velocity);
    let body = world.insert_body(def).unwrap();
    let before = world.body(body).unwrap().kinetic_energy();
    steps(&mut world, 5);
    let after = world.body(body).unwrap().kinetic_energy();
    assert!((after / before - 1.0).abs() < 1e-5, "{before} J became {after} J");
}

/// Regression: one AABB out of range made queries miss all bodies.
#[test]
fn body_out_of_range_does_not_hide_others_from_queries() {
    let mut world = zero_gravity_world();
    let lost = world.insert_body(BodyDef::dynamic(sphere(0.05), 1.0)).unwrap();
    let other =
        world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * 5.0)).unwrap();
    // Simulates a failure.
    let nowhere = Pose::from_translation(Vec3::X * f32::NAN);
    world.body_set_mut().set_pose(BodyIndex(lost.index), nowhere);
    let ray = Ray::new([5.0, 9.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(world.cast_ray(&ray, &QueryFilter::default()).map(|hit| hit.body), Some(other));
}

#[test]
fn forces_and_torques_act_for_one_step() {
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 2.0)).unwrap();
    let mut body_mut = world.body_mut(body).unwrap();
    body_mut.apply_force(Vec3::X * 60.0).unwrap();
    body_mut.apply_force(Vec3::X * 60.0).unwrap();
    body_mut.apply_torque(Vec3::Z * 20.0).unwrap();
    steps(&mut world, 2);
    let body = world.body(body).unwrap();
    assert!((body.linear_velocity() - Vec3::X).length() < 1e-5, "{:?}", body.linear_velocity());
    // I = m/6: 60 rad/s² for 1/60 s.
    assert!((body.angular_velocity() - Vec3::Z).length() < 1e-4, "{:?}", body.angular_velocity());
}

#[test]
fn damping_gravity_mass_and_material_can_be_changed_during_the_simulation() {
    let mut world = world();
    let sphere_at = |x: f32| BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * x);
    let damped = world.insert_body(sphere_at(0.0).linear_velocity(Vec3::Z * 4.0)).unwrap();
    let floating = world.insert_body(sphere_at(9.0)).unwrap();
    world.body_mut(damped).unwrap().set_linear_damping(1.0).unwrap();
    world.body_mut(floating).unwrap().set_gravity_scale(0.0).unwrap();
    steps(&mut world, 60);
    // v' = −v for 1 s; first-order integration is off by h/2.
    let speed = velocity(&world, damped).z;
    assert!((speed / (4.0 / core::f32::consts::E) - 1.0).abs() < 0.003, "{speed} m/s");
    assert_eq!(velocity(&world, floating), Vec3::ZERO);

    world.set_gravity(Vec3::ZERO).unwrap();
    world.body_mut(floating).unwrap().set_mass(3.0).unwrap();
    world.body_mut(floating).unwrap().apply_impulse(Vec3::Y * 6.0).unwrap();
    assert_eq!(velocity(&world, floating), Vec3::Y * 2.0);
    let bouncy = Material { restitution: 1.0, ..Material::default() };
    world.body_mut(floating).unwrap().set_material(bouncy).unwrap();
    let at = position(&world, floating);
    world.insert_body(BodyDef::fixed(cuboid(1.0, 0.5, 1.0)).position(at + Vec3::Y * 2.0)).unwrap();
    steps(&mut world, 60);
    assert!((velocity(&world, floating) + Vec3::Y * 2.0).length() < 1e-4);
    assert!(world.set_gravity(Vec3::Y * f32::NAN).is_err());
}

#[test]
fn changing_gravity_wakes_all_bodies() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 120);
    assert!(world.body(body).unwrap().is_sleeping());
    world.set_gravity(Vec3::Y).unwrap();
    steps(&mut world, 60);
    assert!((position(&world, body).y - 1.0).abs() < 0.01, "{:?}", position(&world, body));
}

/// The contacts exceed the graph colors of the plate; the rest are overflow constraints.
#[test]
fn plate_rests_on_forty_spheres() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    for index in 0..40_u8 {
        let (x, z) = (f32::from(index % 8) - 3.5, f32::from(index / 8) - 2.0);
        world
            .insert_body(BodyDef::dynamic(sphere(0.3), 1.0).position(Vec3::new(x, 0.3, z)))
            .unwrap();
    }
    let def = BodyDef::dynamic(cuboid(4.0, 0.1, 2.5), 40.0).position(Vec3::Y * 0.7);
    let plate = world.insert_body(def).unwrap();
    steps(&mut world, 300);
    let body = world.body(plate).unwrap();
    assert!((body.position() - Vec3::Y * 0.7).length() < 0.01, "{:?}", body.position());
    assert!(body.pose().rotation.rotate(Vec3::Y).y > 0.9999);
    assert_eq!(world.contacts().filter(|contact| contact.bodies.contains(&plate)).count(), 40);
}

#[test]
fn variable_time_steps_keep_a_stack_stable_and_free_fall_exact() {
    let mut world = world_without_sleep();
    add_ground(&mut world, 0.6);
    let boxes: Vec<BodyId> = (0..5)
        .map(|level| {
            let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * (level as f32 + 0.5));
            world.insert_body(def).unwrap()
        })
        .collect();
    let falling = world
        .insert_body(BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::new(9.0, 1e3, 0.0)))
        .unwrap();
    for number in 0..600 {
        let dt = [1.0 / 60.0, 1.0 / 240.0, 1.0 / 30.0, 1.0 / 90.0, 1.0 / 45.0][number % 5];
        world.step_with_dt(dt).unwrap();
    }
    let time = world.time() as f32;
    let fallen = 1e3 - position(&world, falling).y;
    assert!((fallen / (0.5 * G * time * time) - 1.0).abs() < 1e-4, "{fallen} m in {time} s");
    let top = position(&world, boxes[4]);
    assert!((top - Vec3::Y * 4.5).length() < 0.05, "{top:?}");
}

#[test]
fn time_step_of_one_second_stays_finite() {
    let mut world = World::new(Settings { time_step: 1.0, ..Settings::default() }).unwrap();
    add_ground(&mut world, 0.5);
    for level in 0..5 {
        let def = BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * (level as f32 + 0.5));
        world.insert_body(def.locked_axes(LockedAxes::PLANE_XY)).unwrap();
    }
    steps(&mut world, 60);
    assert!(
        world.bodies().all(|body| body.pose().is_finite() && body.linear_velocity().is_finite())
    );
    assert!(world.bodies().all(|body| body.position().y > -1.0));
}

/// Regression: a NaN position was clamped to the largest coordinate and looked valid.
#[test]
fn nan_position_is_not_clamped_to_a_number() {
    use crate::dynamics::integrator::clamp_position;
    assert!(!clamp_position(Vec3::new(f32::NAN, 0.0, 0.0)).is_finite());
    assert_eq!(clamp_position(Vec3::X * 2e12), Vec3::X * 1e12);
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    world.body_set_mut().state_mut(BodyIndex(body.index)).delta_position = Vec3::Y * f32::NAN;
    world.step();
    assert!(!position(&world, body).is_finite());
}
