//! Bodies that cannot move along some axes.

use embate_geom::Vec3;

use super::*;
use crate::motion::{JointPlan, Locks, Material, Method};

const FIXED: Locks = Locks { moving: [true; 3], turning: [true; 3] };

/// It gave all its speed to the locked body, which dropped it.
#[test]
fn a_ball_comes_back_from_a_body_that_is_locked_in_place() {
    for method in [Method::Soft, Method::Elastic, Method::STUDY] {
        let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let plan = BodyPlan::moving(sphere(0.5), 1.0).with_restitution(1.0);
        let post = world.add(plan.clone().at(Vec3::X * 3.0).with_locks(FIXED)).unwrap();
        let ball = world.add(plan.with_velocity(Vec3::X * 3.0)).unwrap();
        steps(&mut world, 120);
        assert!((velocity(&world, ball) + Vec3::X * 3.0).length() < 1e-4, "{method:?}");
        assert_eq!(position(&world, post), Vec3::X * 3.0);
        assert_eq!(velocity(&world, post), Vec3::ZERO);
    }
}

/// It sank by more than a metre in two seconds: the plate gave way to every impulse, and was put back.
#[test]
fn a_hundred_kilograms_do_not_sink_into_a_plate_of_one_that_is_locked() {
    let mut world = world();
    let locks = Locks { moving: [false, true, false], turning: [true; 3] };
    let plate = BodyPlan::moving(cuboid(2.0, 0.1, 2.0), 1.0).with_locks(locks);
    let plate = world.add(plate.without_sleep()).unwrap();
    let load = world.add(BodyPlan::moving(cube(), 100.0).at(Vec3::Y * 0.6)).unwrap();
    for _ in 0..120 {
        world.step();
        assert_eq!(velocity(&world, plate).y, 0.0);
    }
    assert!((position(&world, load).y - 0.6).abs() < 1e-3, "{:?}", position(&world, load));
    assert_eq!(position(&world, plate).y, 0.0);
}

/// From a million times its mass on, the load was not held at all, and friction was that of ice.
#[test]
fn ten_tonnes_lie_on_a_plate_of_a_gram_that_is_locked_along_the_normal() {
    let gravity = Vec3::new(0.0, -9.0, 3.0);
    let locks = Locks { moving: [false, true, true], turning: [true; 3] };
    let plate = BodyPlan::moving(cuboid(5.0, 0.1, 5.0), 1e-3).with_locks(locks).without_sleep();
    for load in [BodyPlan::moving(sphere(0.5), 1e4), BodyPlan::moving(cube(), 1e4)] {
        let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
        world.add(plate.clone().with_friction(0.8)).unwrap();
        let rough = Material { friction: 0.8, rolling: 0.5, ..Material::default() };
        let resting = load.clone().with_material(rough).at(Vec3::Y * 0.6);
        let resting = world.add(resting).unwrap();
        steps(&mut world, 120);
        let at = position(&world, resting);
        assert!((at - Vec3::Y * 0.6).length() < 0.01, "{at:?}");

        for method in [Method::Soft, Method::Elastic] {
            let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            world.add(plate.clone().with_restitution(1.0)).unwrap();
            let falling = load.clone().with_restitution(1.0).at(Vec3::Y * 2.0);
            let falling = world.add(falling.with_velocity(Vec3::Y * -3.0)).unwrap();
            steps(&mut world, 60);
            let speed = velocity(&world, falling);
            assert!((speed - Vec3::Y * 3.0).length() < 1e-3, "{method:?}: {speed:?}");
        }
    }
}

/// The determinant of its way to roll was 0, and the inverse of that infinite.
#[test]
fn a_world_of_a_ball_rolls_with_resistance_and_stays_finite() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let rough = Material { rolling: 0.1, friction: 0.5, ..Material::default() };
    let plan = BodyPlan::moving(sphere(1e4), 1e12).with_material(rough).at(Vec3::Y * 1e4);
    let ball = world.add(plan.with_velocity(Vec3::X)).unwrap();
    steps(&mut world, 60);
    let ball = world.body(ball).unwrap();
    assert!(ball.pose().is_finite() && ball.angular_velocity().is_finite(), "{ball:?}");
    assert!(ball.velocity().x < 1.0 && ball.velocity().x > 0.5, "{ball:?}");
}

#[test]
fn a_rope_holds_on_to_a_light_body_that_is_locked() {
    let mut world = world();
    let hook = BodyPlan::moving(sphere(0.1), 1.0).with_locks(FIXED);
    let hook = world.add(hook.at(Vec3::Y * 2.0)).unwrap();
    let load = world.add(BodyPlan::moving(sphere(0.2), 100.0)).unwrap();
    world.join(JointPlan::distance(hook, load, Vec3::Y * 2.0, Vec3::ZERO)).unwrap();
    steps(&mut world, 120);
    assert!(position(&world, load).length() < 1e-3, "{:?}", position(&world, load));
    assert_eq!(velocity(&world, hook), Vec3::ZERO);
}

/// A body in a plane can be pushed along one direction of the ground alone.
#[test]
fn friction_and_rolling_resistance_act_on_planar_bodies() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let planar = |plan: BodyPlan| plan.with_locks(Locks::PLANAR).with_velocity(Vec3::X * 2.0);
    let under = planar(BodyPlan::moving(cuboid(2.0, 0.25, 0.5), 4.0)).at(Vec3::Y * 0.25);
    let under = world.add(under).unwrap();
    let upper = planar(BodyPlan::moving(cuboid(0.25, 0.25, 0.5), 1.0)).at(Vec3::Y * 0.75);
    let upper = world.add(upper.with_velocity(Vec3::X * 4.0)).unwrap();
    let rough = Material { rolling: 0.05, ..Material::default() };
    let wheel = planar(BodyPlan::moving(sphere(0.5), 1.0)).with_material(rough);
    let wheel = wheel.at(Vec3::new(0.0, 0.5, 9.0)).with_angular_velocity(Vec3::Z * -4.0);
    let wheel = world.add(wheel).unwrap();
    steps(&mut world, 180);
    // v² / 2µg; the upper one slides on the lower at first.
    assert!((position(&world, upper).x - 16.0 / G).abs() < 0.02, "{:?}", position(&world, upper));
    assert!(position(&world, under).x > 0.4, "{:?}", position(&world, under));
    // Slowed by 0.05 · g / 0.5 · ⁵⁄₇: rolls for 2.9 s and as many metres.
    assert!((position(&world, wheel).x - 2.85).abs() < 0.1, "{:?}", position(&world, wheel));
}

#[test]
fn a_planar_stack_stands() {
    let mut world = World::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    add_ground(&mut world, 0.6);
    let boxes: Vec<BodyId> = (0..10)
        .map(|level| {
            let plan = BodyPlan::moving(cube(), 1.0).with_locks(Locks::PLANAR);
            world.add(plan.at(Vec3::Y * (level as f32 + 0.5))).unwrap()
        })
        .collect();
    steps(&mut world, 1200);
    let at = position(&world, boxes[9]);
    assert!((at - Vec3::Y * 9.5).length() < 0.02, "{at:?}");
}

#[test]
fn locks_can_be_set_and_taken_off() {
    let mut world = world();
    let body = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    world.change(body).unwrap().set_locks(FIXED).unwrap();
    steps(&mut world, 60);
    assert_eq!(position(&world, body), Vec3::ZERO);
    world.change(body).unwrap().apply_impulse(Vec3::X).unwrap();
    world.change(body).unwrap().apply_impulse_at(Vec3::X, Vec3::Y).unwrap();
    assert_eq!(velocity(&world, body), Vec3::ZERO);
    world.change(body).unwrap().set_locks(Locks::default()).unwrap();
    steps(&mut world, 60);
    assert!((position(&world, body).y + 0.5 * G).abs() < 1e-3);
}

/// The product of its inertias was no number that f32 tells from 0, and it could not be turned at all.
#[test]
fn a_mote_with_a_lock_turns_about_the_axes_that_are_left() {
    let mut world = weightless();
    let locks = Locks { moving: [false; 3], turning: [true, false, false] };
    let mote = BodyPlan::moving(sphere(1e-5), 1e-9).with_locks(locks);
    let mote = world.add(mote).unwrap();
    world.change(mote).unwrap().apply_impulse_at(Vec3::X * 1e-12, Vec3::Y * 1e-5).unwrap();
    // I = 0.4 · m · r², ω = r · p / I.
    let spin = world.body(mote).unwrap().angular_velocity().z;
    assert!((spin / -250.0 - 1.0).abs() < 1e-3, "{spin}");
}
