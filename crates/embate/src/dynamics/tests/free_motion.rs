//! Free motion: gravity, forces, damping, gyroscopic torque, speed limits.

use embate_geom::{Rotation, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{BodyError, LockedAxes};

#[test]
fn body_falls_by_half_g_t_squared() {
    let mut world = world();
    let body = world.insert_body(BodyDef::dynamic(sphere(0.5), 3.0)).unwrap();
    for second in 1..=5 {
        steps(&mut world, 60);
        let time = second as f32;
        let fallen = position(&world, body);
        assert!((fallen.y + 0.5 * G * time * time).abs() < 2e-5 * G * time * time, "{fallen:?}");
        assert!((velocity(&world, body).y + G * time).abs() < 1e-4 * time);
    }
}

#[test]
fn projectile_follows_a_parabola() {
    let mut world = world();
    let initial_velocity = Vec3::new(12.0, 20.0, -3.0);
    let projectile = BodyDef::dynamic(cube(), 1.0).linear_velocity(initial_velocity);
    let projectile = world.insert_body(projectile).unwrap();
    steps(&mut world, 240);
    let expected = initial_velocity * 4.0 + Vec3::new(0.0, -0.5 * G * 16.0, 0.0);
    assert!((position(&world, projectile) - expected).length() < 1e-3);
}

#[test]
fn gravity_scale_force_and_damping_match_theory() {
    let mut world = world();
    let floating = BodyDef::dynamic(sphere(0.5), 2.0).gravity_scale(0.0);
    let pushed = world.insert_body(floating.clone()).unwrap();
    let damped = floating.linear_damping(0.5).position(Vec3::X * 9.0).linear_velocity(Vec3::Z);
    let damped = world.insert_body(damped).unwrap();
    for _ in 0..60 {
        world.body_mut(pushed).unwrap().apply_force(Vec3::X * 6.0).unwrap();
        world.step();
    }
    assert!((velocity(&world, pushed) - Vec3::X * 3.0).length() < 1e-4);
    assert!((position(&world, pushed).x - 1.5).abs() < 1e-3);
    // e^−0.5, to first order in the sub-step.
    assert!((velocity(&world, damped).z - 0.60653).abs() < 1e-3);
}

fn tilted(angle: f32) -> Rotation {
    Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), angle).unwrap()
}

#[test]
fn free_asymmetric_body_conserves_angular_momentum_and_energy() {
    let mut world = zero_gravity_world();
    let slab = BodyDef::dynamic(cuboid(0.2, 0.5, 1.0), 3.0).rotation(tilted(0.7));
    world.insert_body(slab.angular_velocity(Vec3::new(3.0, -4.0, 5.0))).unwrap();
    let (momentum, energy) = (world.angular_momentum(), world.total_energy());
    let magnitude = momentum.length();
    steps(&mut world, 1200);
    let now = world.angular_momentum();
    let drift = (now - momentum).length();
    assert!(drift < 2e-5 * magnitude, "drift {drift} of {magnitude} kg·m²/s");
    let energy_drift = world.total_energy() / energy - 1.0;
    assert!(energy_drift.abs() < 2e-5, "relative energy drift {energy_drift}");
}

/// Dzhanibekov effect: rotation about the intermediate principal axis is unstable, and the body
/// flips periodically while its angular momentum is conserved.
#[test]
fn rotation_about_the_intermediate_axis_flips_periodically() {
    let mut world = zero_gravity_world();
    let def = BodyDef::dynamic(cuboid(1.0, 0.5, 0.1), 1.0);
    let nut = world.insert_body(def.angular_velocity(Vec3::new(0.001, 8.0, 0.0))).unwrap();
    let (mut flips, mut upright) = (0, true);
    for _ in 0..1200 {
        world.step();
        let up = world.body(nut).unwrap().pose().rotation.rotate(Vec3::Y).y;
        if (upright && up < -0.9) || (!upright && up > 0.9) {
            upright = !upright;
            flips += 1;
        }
    }
    assert!(flips >= 4, "{flips} flips");
    let about_y = world.angular_momentum().y;
    assert!((about_y / (8.0 * (1.0 + 0.01) / 3.0) - 1.0).abs() < 1e-4, "{about_y}");
}

#[test]
fn rotation_about_the_extreme_principal_axes_is_stable() {
    for axis in [Vec3::X, Vec3::Z] {
        let mut world = zero_gravity_world();
        let def = BodyDef::dynamic(cuboid(1.0, 0.5, 0.1), 1.0);
        let def = def.angular_velocity(axis * 8.0 + Vec3::Y * 0.001);
        let body = world.insert_body(def).unwrap();
        for _ in 0..1200 {
            world.step();
            let alignment = world.body(body).unwrap().pose().rotation.rotate(axis).dot(axis);
            assert!(alignment > 0.99, "{alignment}");
        }
    }
}

#[test]
fn planar_body_stays_in_its_plane() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let def = BodyDef::dynamic(cube(), 1.0).locked_axes(LockedAxes::PLANE_XY).rotation(tilted(0.0));
    let def = def.position(Vec3::new(0.0, 2.0, 0.0)).linear_velocity(Vec3::new(3.0, 0.0, 2.0));
    let body = world.insert_body(def.angular_velocity(Vec3::new(1.0, 1.0, 1.0))).unwrap();
    steps(&mut world, 120);
    let body = world.body(body).unwrap();
    assert_eq!(body.position().z, 0.0);
    assert_eq!((body.angular_velocity().x, body.angular_velocity().y), (0.0, 0.0));
    assert!(body.position().x > 0.5);
}

/// Regression: at 100 rad/s a box lost 45 % of its energy in 10 s.
#[test]
fn fast_tumbling_body_conserves_energy_and_angular_momentum() {
    for scale in [1.0, 10.0, 100.0] {
        let mut world = zero_gravity_world();
        let def = BodyDef::dynamic(cuboid(0.5, 0.2, 0.1), 1.0).rotation(tilted(0.4));
        let def = def.angular_velocity(Vec3::new(100.0, 1.0, 30.0) * (scale * 0.1));
        world.insert_body(def).unwrap();
        let (momentum, energy) = (world.angular_momentum(), world.total_energy());
        let magnitude = momentum.length();
        steps(&mut world, 600);
        let now = world.angular_momentum();
        let drift = (now - momentum).length();
        assert!(drift < 2e-5 * magnitude, "scale {scale}: drift {drift} of {magnitude} kg·m²/s");
        let energy_drift = world.total_energy() / energy - 1.0;
        assert!(energy_drift.abs() < 2e-5, "scale {scale}: relative energy drift {energy_drift}");
    }
}

/// Regression: 1,000 rad/s was silently clamped to 377 rad/s.
#[test]
fn high_angular_velocity_is_kept_or_rejected() {
    for shape in [cube(), cuboid(0.5, 0.2, 0.1)] {
        let mut world = zero_gravity_world();
        let def = BodyDef::dynamic(shape, 1.0).angular_velocity(Vec3::X * 1000.0);
        let body = world.insert_body(def).unwrap();
        let energy = world.total_energy();
        world.step();
        assert!((world.total_energy() / energy - 1.0).abs() < 1e-5);
        // 1,000/60 rad: two revolutions and 4.1003 rad.
        let up = world.body(body).unwrap().pose().rotation.rotate(Vec3::Y);
        let (sin, cos) = embate_geom::scalar::sin_cos(1000.0 / 60.0);
        assert!((up - Vec3::new(0.0, cos, sin)).length() < 1e-3, "{up:?}");
    }
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    let def = BodyDef::dynamic(cube(), 1.0).angular_velocity(Vec3::X * 2e4);
    let error = world.insert_body(def).unwrap_err();
    assert!(
        matches!(error, BodyError::VectorOutOfRange { value: [2e4, 0.0, 0.0], .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("1e4"), "{error}");
    assert!(world.body_mut(body).unwrap().set_angular_velocity(Vec3::Z * 2e4).is_err());
}

/// Regression: 1,000,000 m/s was silently clamped to 10,000 m/s.
#[test]
fn speed_above_the_maximum_is_rejected_with_the_limit() {
    let mut world = zero_gravity_world();
    let def = BodyDef::dynamic(cube(), 1.0).linear_velocity(Vec3::X * 1e6);
    let error = world.insert_body(def).unwrap_err();
    assert!(matches!(error, BodyError::TooFast { value: [1e6, 0.0, 0.0], .. }), "{error:?}");
    let message = error.to_string();
    let names_the_setting = ["max_speed", "max_linear_speed"].iter().any(|&s| message.contains(s));
    assert!(message.contains("10000 m/s") && names_the_setting, "{message}");
    assert!(world.is_empty());
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    assert!(world.body_mut(body).unwrap().set_linear_velocity(Vec3::splat(6e3)).is_err());
    assert!(world.body_mut(body).unwrap().set_linear_velocity(Vec3::X * 9999.0).is_ok());
    steps(&mut world, 60);
    assert!((position(&world, body).x / 9999.0 - 1.0).abs() < 1e-5);
}
