//! Worlds in which nothing is lost.

use embate_geom::{Rotation, Vec3};

use super::*;
use crate::motion::{Bounds, Method};
use crate::shapes::Plane;

fn elastic(gravity: Vec3, room: Option<f32>) -> World {
    let bounds = room.map(|half| Bounds::bouncing(Vec3::splat(-half), Vec3::splat(half)));
    let settings = Settings { gravity, bounds, method: Method::Elastic, ..Settings::default() };
    World::new(settings).unwrap()
}

/// Bodies on a grid of `side`³ cells, each with a velocity of its own.
fn gas(world: &mut World, side: u16, body: impl Fn(u16) -> BodyPlan) {
    let middle = (f32::from(side) - 1.0) / 2.0;
    for index in 0..side * side * side {
        let [x, y, z] =
            [index % side, index / side % side, index / side / side].map(|i| f32::from(i) - middle);
        let velocity = Vec3::new(1.3 * y - z, 2.0 * z - x * x * 0.3, 1.7 * x - y * z * 0.2);
        let plan = body(index).at(Vec3::new(x, y, z)).with_velocity(velocity);
        world.add(plan.with_restitution(1.0)).unwrap();
    }
}

fn drift(world: &mut World, count: usize) -> f64 {
    let before = world.energy();
    let mut worst = 0.0;
    for _ in 0..count / 10 {
        steps(world, 10);
        let now = (world.energy() / before - 1.0).abs();
        worst = if now > worst { now } else { worst };
    }
    worst
}

#[test]
fn a_gas_of_spheres_keeps_its_energy() {
    let mut world = elastic(Vec3::ZERO, Some(2.6));
    gas(&mut world, 5, |index| BodyPlan::moving(sphere(0.2), 1.0 + f32::from(index % 3)));
    let drift = drift(&mut world, 1000);
    assert!(drift < 1e-5, "{drift}");
    for body in world.bodies() {
        assert!(body.position().abs().largest() < 2.6, "{body:?}");
    }
}

#[test]
fn a_gas_of_boxes_keeps_its_energy_and_turns() {
    let mut world = elastic(Vec3::ZERO, Some(2.6));
    gas(&mut world, 4, |index| {
        let turn = Rotation::about(Vec3::new(1.0, 2.0, 3.0), f32::from(index)).unwrap();
        BodyPlan::moving(cuboid(0.2, 0.1, 0.3), 2.0).turned(turn)
    });
    let drift = drift(&mut world, 1000);
    assert!(drift < 1e-3, "{drift}");
    let turning = world.bodies().filter(|body| body.angular_velocity().length() > 0.1).count();
    assert!(turning > 50, "{turning} of 64 turn");
}

#[test]
fn a_gas_that_falls_keeps_its_energy() {
    let mut world = elastic(Vec3::Y * -9.81, Some(2.6));
    gas(&mut world, 5, |_| BodyPlan::moving(sphere(0.2), 1.0));
    let drift = drift(&mut world, 1000);
    assert!(drift < 1e-4, "{drift}");
}

#[test]
fn a_ball_bounces_for_ten_minutes_as_high_as_at_first() {
    let mut world = elastic(Vec3::Y * -9.81, None);
    add_ground(&mut world, 0.5);
    world.add(BodyPlan::moving(sphere(0.3), 1.0).at(Vec3::Y * 2.3).with_restitution(1.0)).unwrap();
    let before = world.energy();
    steps(&mut world, 10 * 60 * 60);
    assert!((world.energy() / before - 1.0).abs() < 1e-3, "{}", world.energy() / before);
}

#[test]
fn free_bodies_keep_their_momentum_to_rounding() {
    let mut world = elastic(Vec3::ZERO, None);
    for index in 0..64_u16 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| f32::from(i) * 2.0 - 3.0);
        let at = Vec3::new(x, y, z);
        let plan = BodyPlan::moving(cube(), 1.0 + f32::from(index)).at(at).with_velocity(at * -0.7);
        let plan = plan.with_angular_velocity(Vec3::new(y, z, x)).with_restitution(1.0);
        world.add(plan).unwrap();
    }
    let (momentum, energy) = (world.momentum(), world.energy());
    steps(&mut world, 600);
    let scale: f64 =
        world.bodies().map(|body| f64::from(body.mass() * body.velocity().length())).sum();
    for axis in 0..3 {
        let off = (world.momentum()[axis] - momentum[axis]).abs();
        assert!(off < 1e-6 * scale, "{off} of {scale}");
    }
    assert!((world.energy() / energy - 1.0).abs() < 1e-3, "{}", world.energy() / energy);
}

/// Five balls that touch: as many leave as came, with all of the speed.
#[test]
fn newtons_cradle_sends_out_as_many_as_came_in() {
    for came in 1..=4_u16 {
        let mut world = elastic(Vec3::ZERO, None);
        let mut balls = Vec::new();
        for index in 0..5_u16 {
            let moves = index < came;
            let x = f32::from(index) - if moves { 1.5 } else { 0.0 };
            let plan = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * x).with_restitution(1.0);
            let plan = plan.with_velocity(if moves { Vec3::X * 2.0 } else { Vec3::ZERO });
            balls.push(world.add(plan).unwrap());
        }
        steps(&mut world, 120);
        for (index, &ball) in (0..).zip(&balls) {
            let expected = if index >= 5 - came { 2.0 } else { 0.0 };
            let got = velocity(&world, ball);
            assert!((got - Vec3::X * expected).length() < 1e-4, "{came}, ball {index}: {got:?}");
        }
    }
}

#[test]
fn unequal_masses_part_as_newton_says() {
    for masses in [[1.0, 1.0], [1.0, 10.0], [100.0, 1.0], [1.0, 1000.0]] {
        for e in [0.0, 0.5, 1.0] {
            let mut world = elastic(Vec3::ZERO, None);
            let ball = |mass: f32, x: f32, speed: f32| {
                let plan = BodyPlan::moving(sphere(0.5), mass).at(Vec3::X * x);
                plan.with_velocity(Vec3::X * speed).with_restitution(e)
            };
            let a = world.add(ball(masses[0], -2.0, 3.0)).unwrap();
            let b = world.add(ball(masses[1], 2.0, -1.0)).unwrap();
            steps(&mut world, 240);
            let total = masses[0] + masses[1];
            let middle = (3.0 * masses[0] - masses[1]) / total;
            let expected =
                [middle - e * 4.0 * masses[1] / total, middle + e * 4.0 * masses[0] / total];
            for (body, want) in [a, b].into_iter().zip(expected) {
                let got = velocity(&world, body).x;
                assert!((got - want).abs() < 1e-4, "{masses:?} {e}: {got}, not {want}");
            }
        }
    }
}

#[test]
fn a_ball_without_bounce_lies_on_the_ground() {
    for e in [0.0, 0.5] {
        let mut world = elastic(Vec3::Y * -9.81, None);
        add_ground(&mut world, 0.5);
        let ball = BodyPlan::moving(sphere(0.3), 1.0).at(Vec3::Y * 1.3).with_restitution(e);
        let ball = world.add(ball).unwrap();
        steps(&mut world, 600);
        assert!(
            (position(&world, ball).y - 0.3).abs() < 0.005,
            "{e}: {:?}",
            position(&world, ball)
        );
    }
}

/// `files.md` says "without friction": a block slides down 25 degrees as on ice.
#[test]
fn nothing_rubs_in_an_elastic_world() {
    let mut world = elastic(Vec3::Y * -9.81, None);
    let lean = Rotation::about(Vec3::Z, 25.0_f32.to_radians()).unwrap();
    let normal = lean.turn(Vec3::Y);
    let slope = BodyPlan::still(Plane::new(normal).unwrap()).with_friction(0.6);
    world.add(slope).unwrap();
    let block = BodyPlan::moving(cube(), 1.0).turned(lean).at(normal * 0.5).with_friction(0.6);
    let block = world.add(block).unwrap();
    steps(&mut world, 120);
    let expected = G * 2.0 * embate_geom::scalar::sin_cos(25.0_f32.to_radians()).0;
    let got = velocity(&world, block).length();
    assert!((got / expected - 1.0).abs() < 1e-3, "{got}, not {expected}");
}

/// From 29.43 J to 18.25 in twenty seconds.
#[test]
fn a_tilted_cube_bounces_on_for_twenty_seconds() {
    let mut world = elastic(Vec3::Y * -9.81, None);
    add_ground(&mut world, 0.0);
    let turn = Rotation::from_quaternion([0.2, 0.1, 0.3, 1.0]).unwrap();
    let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 3.0).turned(turn);
    world.add(plan.with_restitution(1.0).with_friction(0.0)).unwrap();
    let drift = drift(&mut world, 1200);
    assert!(drift < 2e-3, "{drift}");
}

/// From 1,253.6 J to 1,211.6 in ten seconds.
#[test]
fn sixty_balls_under_gravity_within_bounds_keep_their_energy() {
    let mut world = elastic(Vec3::Y * -9.81, Some(2.0));
    for index in 0..60_u16 {
        let [x, y, z] = [index % 4, index / 16, index / 4 % 4].map(|i| f32::from(i) * 0.9 - 1.35);
        let velocity = Vec3::new(y - z, 1.5 * z - x, x * y);
        let plan = BodyPlan::moving(sphere(0.2), 1.0).at(Vec3::new(x, y, z));
        world.add(plan.with_velocity(velocity).with_restitution(1.0)).unwrap();
    }
    let drift = drift(&mut world, 600);
    assert!(drift < 1e-4, "{drift}");
}

/// Off by 2 %: the normal was that of the beginning of the sub-step, not that of the touch.
#[test]
fn a_glancing_impact_goes_by_the_normal_of_the_touch() {
    for speed in [1.0, 3.0, 30.0] {
        let mut world = elastic(Vec3::ZERO, None);
        let ball = BodyPlan::moving(sphere(0.5), 1.0).with_restitution(1.0).with_friction(0.0);
        let a = world.add(ball.clone().with_velocity(Vec3::X * speed)).unwrap();
        let b = world.add(ball.at(Vec3::new(3.0, 0.5, 0.0))).unwrap();
        steps(&mut world, (240.0 / speed) as usize);
        let expected = Vec3::new(0.25, -0.433_012_7, 0.0) * speed;
        let got = velocity(&world, a);
        assert!((got - expected).length() < 2e-3 * speed, "{got:?}, not {expected:?}");
        let other = velocity(&world, b) + got;
        assert!((other - Vec3::X * speed).length() < 1e-5 * speed);
    }
}
