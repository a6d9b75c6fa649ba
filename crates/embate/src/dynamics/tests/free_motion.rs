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
    let apart = [0, 1, 2].map(|axis: usize| now[axis] - momentum[axis]);
    let drift = apart.iter().map(|value| value * value).sum::<f64>().sqrt();
    assert!(drift < 2e-5 * size, "{drift} of {size}");
    assert!((world.energy() / energy - 1.0).abs() < 2e-5, "{}", world.energy() / energy);
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

/// At 100 rad/s a box lost 45 % of its energy in ten seconds.
#[test]
fn a_body_that_tumbles_fast_keeps_its_energy_and_its_momentum() {
    for fast in [1.0, 10.0, 100.0] {
        let mut world = weightless();
        let plan = BodyPlan::moving(cuboid(0.5, 0.2, 0.1), 1.0).turned(turned(0.4));
        let plan = plan.with_angular_velocity(Vec3::new(100.0, 1.0, 30.0) * (fast * 0.1));
        world.add(plan).unwrap();
        let (momentum, energy) = (world.angular_momentum(), world.energy());
        let size = momentum.iter().map(|l| l * l).sum::<f64>().sqrt();
        steps(&mut world, 600);
        let now = world.angular_momentum();
        let apart = [0, 1, 2].map(|axis: usize| now[axis] - momentum[axis]);
        let drift = apart.iter().map(|value| value * value).sum::<f64>().sqrt();
        assert!(drift < 2e-5 * size, "{fast}: {drift} of {size}");
        let energy = world.energy() / energy - 1.0;
        assert!(energy.abs() < 2e-5, "{fast}: {energy}");
    }
}

/// 1,000 rad/s became 377 without a word.
#[test]
fn a_fast_spin_is_kept_or_refused() {
    for shape in [cube(), cuboid(0.5, 0.2, 0.1)] {
        let mut world = weightless();
        let plan = BodyPlan::moving(shape, 1.0).with_angular_velocity(Vec3::X * 1000.0);
        let body = world.add(plan).unwrap();
        let energy = world.energy();
        world.step();
        assert!((world.energy() / energy - 1.0).abs() < 1e-5);
        // 1,000/60 rad: two turns and 4.1003 rad.
        let up = world.body(body).unwrap().pose().rotation.turn(Vec3::Y);
        let (sin, cos) = embate_geom::scalar::sin_cos(1000.0 / 60.0);
        assert!((up - Vec3::new(0.0, cos, sin)).length() < 1e-3, "{up:?}");
    }
    let mut world = weightless();
    let body = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    let plan = BodyPlan::moving(cube(), 1.0).with_angular_velocity(Vec3::X * 2e4);
    assert!(world.add(plan).unwrap_err().to_string().contains("1e4"));
    assert!(world.change(body).unwrap().set_angular_velocity(Vec3::Z * 2e4).is_err());
}

/// 1,000,000 m/s became 10,000 without a word.
#[test]
fn a_speed_above_the_worlds_largest_is_refused_with_the_limit() {
    let mut world = weightless();
    let plan = BodyPlan::moving(cube(), 1.0).with_velocity(Vec3::X * 1e6);
    let told = world.add(plan).unwrap_err().to_string();
    assert!(told.contains("10000 m/s") && told.contains("max_speed"), "{told}");
    assert!(world.is_empty());
    let body = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    assert!(world.change(body).unwrap().set_velocity(Vec3::splat(6e3)).is_err());
    assert!(world.change(body).unwrap().set_velocity(Vec3::X * 9999.0).is_ok());
    steps(&mut world, 60);
    assert!((position(&world, body).x / 9999.0 - 1.0).abs() < 1e-5);
}
