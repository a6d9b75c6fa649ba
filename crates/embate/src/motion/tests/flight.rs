//! Bodies that touch nothing.

use embate_geom::{Rotation, Vec3};

use super::*;
use crate::motion::Locks;

#[test]
fn a_body_falls_by_half_g_t_squared() {
    let mut world = world();
    let ball = world.add(BodyPlan::moving(sphere(0.5), 3.0)).unwrap();
    for second in 1..=5 {
        steps(&mut world, 60);
        let time = second as f32;
        let fallen = position(&world, ball);
        assert!((fallen.y + 0.5 * G * time * time).abs() < 2e-5 * G * time * time, "{fallen:?}");
        assert!((velocity(&world, ball).y + G * time).abs() < 1e-4 * time);
    }
}

#[test]
fn a_projectile_lands_where_the_parabola_does() {
    let mut world = world();
    let thrown = Vec3::new(12.0, 20.0, -3.0);
    let ball = BodyPlan::moving(cube(), 1.0).with_velocity(thrown);
    let ball = world.add(ball).unwrap();
    steps(&mut world, 240);
    let expected = thrown * 4.0 + Vec3::new(0.0, -0.5 * G * 16.0, 0.0);
    assert!((position(&world, ball) - expected).length() < 1e-3);
}

#[test]
fn gravity_scale_force_and_damping_do_what_they_say() {
    let mut world = world();
    let floating = BodyPlan::moving(sphere(0.5), 2.0).with_gravity_scale(0.0);
    let pushed = world.add(floating.clone()).unwrap();
    let slowed = floating.with_damping(0.5, 0.0).at(Vec3::X * 9.0).with_velocity(Vec3::Z);
    let slowed = world.add(slowed).unwrap();
    for _ in 0..60 {
        world.change(pushed).unwrap().apply_force(Vec3::X * 6.0).unwrap();
        world.step();
    }
    assert!((velocity(&world, pushed) - Vec3::X * 3.0).length() < 1e-4);
    assert!((position(&world, pushed).x - 1.5).abs() < 1e-3);
    // e^−0.5, to the first order of a sub-step.
    assert!((velocity(&world, slowed).z - 0.60653).abs() < 1e-3);
}

fn turned(angle: f32) -> Rotation {
    Rotation::about(Vec3::new(1.0, 2.0, 3.0), angle).unwrap()
}

#[test]
fn a_free_asymmetric_body_keeps_its_angular_momentum_and_its_energy() {
    let mut world = weightless();
    let slab = BodyPlan::moving(cuboid(0.2, 0.5, 1.0), 3.0).turned(turned(0.7));
    world.add(slab.with_angular_velocity(Vec3::new(3.0, -4.0, 5.0))).unwrap();
    let (momentum, energy) = (world.angular_momentum(), world.energy());
    let size = momentum.iter().map(|l| l * l).sum::<f64>().sqrt();
    steps(&mut world, 1200);
    let now = world.angular_momentum();
    let drift = (0..3).map(|axis| (now[axis] - momentum[axis]).powi(2)).sum::<f64>().sqrt();
    assert!(drift < 2e-5 * size, "{drift} of {size}");
    assert!((world.energy() / energy - 1.0).abs() < 1e-3, "{}", world.energy() / energy);
}

/// Spinning about the middle axis, a body turns over, again and again, and keeps its momentum.
#[test]
fn a_body_spinning_about_its_middle_axis_turns_over_as_dzhanibekov_saw() {
    let mut world = weightless();
    let plan = BodyPlan::moving(cuboid(1.0, 0.5, 0.1), 1.0);
    let nut = world.add(plan.with_angular_velocity(Vec3::new(0.001, 8.0, 0.0))).unwrap();
    let (mut flips, mut upright) = (0, true);
    for _ in 0..1200 {
        world.step();
        let up = world.body(nut).unwrap().pose().rotation.turn(Vec3::Y).y;
        if (upright && up < -0.9) || (!upright && up > 0.9) {
            upright = !upright;
            flips += 1;
        }
    }
    assert!(flips >= 4, "{flips}");
    let about_y = world.angular_momentum()[1];
    assert!((about_y / (8.0 * (1.0 + 0.01) / 3.0) - 1.0).abs() < 1e-4, "{about_y}");
}

#[test]
fn about_the_first_and_the_last_axis_a_body_spins_steadily() {
    for axis in [Vec3::X, Vec3::Z] {
        let mut world = weightless();
        let plan = BodyPlan::moving(cuboid(1.0, 0.5, 0.1), 1.0);
        let plan = plan.with_angular_velocity(axis * 8.0 + Vec3::Y * 0.001);
        let body = world.add(plan).unwrap();
        for _ in 0..1200 {
            world.step();
            let along = world.body(body).unwrap().pose().rotation.turn(axis).dot(axis);
            assert!(along > 0.99, "{along}");
        }
    }
}

#[test]
fn a_planar_body_stays_in_its_plane() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let plan = BodyPlan::moving(cube(), 1.0).with_locks(Locks::PLANAR).turned(turned(0.0));
    let plan = plan.at(Vec3::new(0.0, 2.0, 0.0)).with_velocity(Vec3::new(3.0, 0.0, 2.0));
    let body = world.add(plan.with_angular_velocity(Vec3::new(1.0, 1.0, 1.0))).unwrap();
    steps(&mut world, 120);
    let body = world.body(body).unwrap();
    assert_eq!(body.position().z, 0.0);
    assert_eq!((body.angular_velocity().x, body.angular_velocity().y), (0.0, 0.0));
    assert!(body.position().x > 0.5);
}
