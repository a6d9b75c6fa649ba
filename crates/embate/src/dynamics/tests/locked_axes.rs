//! Locked axes: bodies that cannot translate along, or rotate about, some world axes.

use embate_geom::Vec3;

use crate::dynamics::tests::*;
use crate::dynamics::{JointDef, LockedAxes, Material, SolverKind};

const ALL_LOCKED: LockedAxes = LockedAxes { translation: [true; 3], rotation: [true; 3] };

/// Regression: the sphere lost all of its momentum to the locked body.
#[test]
fn sphere_bounces_off_a_fully_locked_body() {
    for solver in [SolverKind::SoftStep, SolverKind::EventDriven] {
        let settings = Settings { gravity: Vec3::ZERO, solver, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let def = BodyDef::dynamic(sphere(0.5), 1.0).restitution(1.0);
        let post =
            world.insert_body(def.clone().position(Vec3::X * 3.0).locked_axes(ALL_LOCKED)).unwrap();
        let moving = world.insert_body(def.linear_velocity(Vec3::X * 3.0)).unwrap();
        steps(&mut world, 120);
        assert!((velocity(&world, moving) + Vec3::X * 3.0).length() < 1e-4, "{solver:?}");
        assert_eq!(position(&world, post), Vec3::X * 3.0);
        assert_eq!(velocity(&world, post), Vec3::ZERO);
    }
}

/// Regression: the load sank by more than 1 m in 2 s, because each contact impulse moved the locked
/// plate before its position was reset.
#[test]
fn load_of_100_kg_rests_on_a_locked_plate_of_1_kg() {
    let mut world = world();
    let locks = LockedAxes { translation: [false, true, false], rotation: [true; 3] };
    let plate = BodyDef::dynamic(cuboid(2.0, 0.1, 2.0), 1.0).locked_axes(locks);
    let plate = world.insert_body(plate.can_sleep(false)).unwrap();
    let load = world.insert_body(BodyDef::dynamic(cube(), 100.0).position(Vec3::Y * 0.6)).unwrap();
    for _ in 0..120 {
        world.step();
        assert_eq!(velocity(&world, plate).y, 0.0);
    }
    assert!((position(&world, load).y - 0.6).abs() < 1e-3, "{:?}", position(&world, load));
    assert_eq!(position(&world, plate).y, 0.0);
}

/// Regression: from a mass ratio of 10⁶ on, the plate did not support the load, and friction
/// vanished.
#[test]
fn load_of_ten_tonnes_rests_on_a_one_gram_plate_locked_along_the_normal() {
    let gravity = Vec3::new(0.0, -9.0, 3.0);
    let locks = LockedAxes { translation: [false, true, true], rotation: [true; 3] };
    let plate = BodyDef::dynamic(cuboid(5.0, 0.1, 5.0), 1e-3).locked_axes(locks).can_sleep(false);
    for load in [BodyDef::dynamic(sphere(0.5), 1e4), BodyDef::dynamic(cube(), 1e4)] {
        let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
        world.insert_body(plate.clone().friction(0.8)).unwrap();
        let rough = Material { friction: 0.8, rolling_resistance: 0.5, ..Material::default() };
        let resting = load.clone().material(rough).position(Vec3::Y * 0.6);
        let resting = world.insert_body(resting).unwrap();
        steps(&mut world, 120);
        let at = position(&world, resting);
        assert!((at - Vec3::Y * 0.6).length() < 0.01, "{at:?}");

        for solver in [SolverKind::SoftStep, SolverKind::EventDriven] {
            let settings = Settings { gravity: Vec3::ZERO, solver, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            world.insert_body(plate.clone().restitution(1.0)).unwrap();
            let falling = load.clone().restitution(1.0).position(Vec3::Y * 2.0);
            let falling = world.insert_body(falling.linear_velocity(Vec3::Y * -3.0)).unwrap();
            steps(&mut world, 60);
            let speed = velocity(&world, falling);
            assert!((speed - Vec3::Y * 3.0).length() < 1e-3, "{solver:?}: {speed:?}");
        }
    }
}

/// Regression: the determinant of the rolling mass matrix underflowed to 0 and its inverse was
/// infinite.
#[test]
fn huge_sphere_with_rolling_resistance_stays_finite() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let rough = Material { rolling_resistance: 0.1, friction: 0.5, ..Material::default() };
    let def = BodyDef::dynamic(sphere(1e4), 1e12).material(rough).position(Vec3::Y * 1e4);
    let body = world.insert_body(def.linear_velocity(Vec3::X)).unwrap();
    steps(&mut world, 60);
    let body = world.body(body).unwrap();
    assert!(body.pose().is_finite() && body.angular_velocity().is_finite(), "{body:?}");
    assert!(body.linear_velocity().x < 1.0 && body.linear_velocity().x > 0.5, "{body:?}");
}

#[test]
fn distance_joint_hangs_a_heavy_load_from_a_light_locked_body() {
    let mut world = world();
    let support = BodyDef::dynamic(sphere(0.1), 1.0).locked_axes(ALL_LOCKED);
    let support = world.insert_body(support.position(Vec3::Y * 2.0)).unwrap();
    let load = world.insert_body(BodyDef::dynamic(sphere(0.2), 100.0)).unwrap();
    world.insert_joint(JointDef::distance(support, load, Vec3::Y * 2.0, Vec3::ZERO)).unwrap();
    steps(&mut world, 120);
    assert!(position(&world, load).length() < 1e-3, "{:?}", position(&world, load));
    assert_eq!(velocity(&world, support), Vec3::ZERO);
}

/// The tangential mass matrix of a planar body is singular: it slides along one direction only.
#[test]
fn friction_and_rolling_resistance_act_on_planar_bodies() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let planar =
        |def: BodyDef| def.locked_axes(LockedAxes::PLANE_XY).linear_velocity(Vec3::X * 2.0);
    let lower = planar(BodyDef::dynamic(cuboid(2.0, 0.25, 0.5), 4.0)).position(Vec3::Y * 0.25);
    let lower = world.insert_body(lower).unwrap();
    let upper = planar(BodyDef::dynamic(cuboid(0.25, 0.25, 0.5), 1.0)).position(Vec3::Y * 0.75);
    let upper = world.insert_body(upper.linear_velocity(Vec3::X * 4.0)).unwrap();
    let rough = Material { rolling_resistance: 0.05, ..Material::default() };
    let wheel = planar(BodyDef::dynamic(sphere(0.5), 1.0)).material(rough);
    let wheel = wheel.position(Vec3::new(0.0, 0.5, 9.0)).angular_velocity(Vec3::Z * -4.0);
    let wheel = world.insert_body(wheel).unwrap();
    steps(&mut world, 180);
    // v² / 2µg; at first the upper body slides on the lower one.
    assert!((position(&world, upper).x - 16.0 / G).abs() < 0.02, "{:?}", position(&world, upper));
    assert!(position(&world, lower).x > 0.4, "{:?}", position(&world, lower));
    // Decelerated by 0.05 · g / 0.5 · ⁵⁄₇, it rolls for 2.9 s and 2.9 m.
    assert!((position(&world, wheel).x - 2.85).abs() < 0.1, "{:?}", position(&world, wheel));
}

#[test]
fn planar_stack_is_stable() {
    let mut world = world_without_sleep();
    add_ground(&mut world, 0.6);
    let boxes: Vec<BodyId> = (0..10)
        .map(|level| {
            let def = BodyDef::dynamic(cube(), 1.0).locked_axes(LockedAxes::PLANE_XY);
            world.insert_body(def.position(Vec3::Y * (level as f32 + 0.5))).unwrap()
        })
        .collect();
    steps(&mut world, 1200);
    let at = position(&world, boxes[9]);
    assert!((at - Vec3::Y * 9.5).length() < 0.02, "{at:?}");
}

#[test]
fn locked_axes_can_be_set_and_cleared() {
    let mut world = world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    world.body_mut(body).unwrap().set_locked_axes(ALL_LOCKED).unwrap();
    steps(&mut world, 60);
    assert_eq!(position(&world, body), Vec3::ZERO);
    world.body_mut(body).unwrap().apply_impulse(Vec3::X).unwrap();
    world.body_mut(body).unwrap().apply_impulse_at_point(Vec3::X, Vec3::Y).unwrap();
    assert_eq!(velocity(&world, body), Vec3::ZERO);
    world.body_mut(body).unwrap().set_locked_axes(LockedAxes::default()).unwrap();
    steps(&mut world, 60);
    assert!((position(&world, body).y + 0.5 * G).abs() < 1e-3);
}

/// Regression: the determinant of the inertia tensor underflowed to 0, and the body could not
/// rotate.
#[test]
fn tiny_body_with_a_locked_axis_rotates_about_the_free_axes() {
    let mut world = zero_gravity_world();
    let locks = LockedAxes { translation: [false; 3], rotation: [true, false, false] };
    let tiny = BodyDef::dynamic(sphere(1e-5), 1e-9).locked_axes(locks);
    let tiny = world.insert_body(tiny).unwrap();
    world.body_mut(tiny).unwrap().apply_impulse_at_point(Vec3::X * 1e-12, Vec3::Y * 1e-5).unwrap();
    // I = 0.4 · m · r², ω = r · p / I.
    let angular_velocity = world.body(tiny).unwrap().angular_velocity().z;
    assert!((angular_velocity / -250.0 - 1.0).abs() < 1e-3, "{angular_velocity} rad/s");
}
