//! Bodies that meet.

use embate_geom::{Rotation, Vec3};

use super::*;
use crate::motion::{Bounds, Event, Material};

/// Two balls on a line, with masses, velocities and restitution; their velocities afterwards.
fn head_on(masses: [f32; 2], speeds: [f32; 2], restitution: f32) -> [f32; 2] {
    let mut world = weightless();
    let ball = |mass: f32, speed: f32, x: f32| {
        let plan = BodyPlan::moving(sphere(0.5), mass).at(Vec3::X * x);
        plan.with_velocity(Vec3::X * speed).with_restitution(restitution)
    };
    let a = world.add(ball(masses[0], speeds[0], -2.0)).unwrap();
    let b = world.add(ball(masses[1], speeds[1], 2.0)).unwrap();
    steps(&mut world, 240);
    [a, b].map(|id| velocity(&world, id).x)
}

#[test]
fn two_balls_part_as_newton_says_for_all_masses_and_restitutions() {
    for masses in [[1.0, 1.0], [1.0, 10.0], [100.0, 1.0], [1.0, 1000.0]] {
        for speeds in [[3.0, -1.0], [2.0, 0.0], [7.0, 2.0]] {
            for e in [0.0, 0.5, 1.0] {
                let after = head_on(masses, speeds, e);
                let total = masses[0] + masses[1];
                let middle = (masses[0] * speeds[0] + masses[1] * speeds[1]) / total;
                let closing = speeds[0] - speeds[1];
                let expected = [
                    middle - e * closing * masses[1] / total,
                    middle + e * closing * masses[0] / total,
                ];
                for (got, want) in after.iter().zip(expected) {
                    assert!(
                        (got - want).abs() < 1e-4 * closing,
                        "{masses:?} {speeds:?} {e}: {after:?}, not {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_ball_bounces_to_e_squared_h() {
    for (e, height) in [(1.0_f32, 1.0), (0.8, 2.0), (0.5, 5.0), (0.9, 20.0)] {
        let mut world = world();
        add_ground(&mut world, 0.5);
        let ball = BodyPlan::moving(sphere(0.3), 1.0).with_restitution(e);
        let ball = world.add(ball.at(Vec3::new(0.0, height + 0.3, 0.0))).unwrap();
        let mut top = 0.0;
        let mut bounced = false;
        for _ in 0..600 {
            world.step();
            bounced |= velocity(&world, ball).y > 0.0;
            let above = position(&world, ball).y - 0.3;
            if bounced && above > top {
                top = above;
            }
            if bounced && velocity(&world, ball).y < 0.0 {
                break;
            }
        }
        // A step sees the top within ½ g (1/120 s)².
        assert!((top / (e * e * height) - 1.0).abs() < 0.005, "e {e}, from {height}: {top}");
    }
}

#[test]
fn a_ball_of_restitution_1_bounces_for_a_minute_as_high() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let ball = BodyPlan::moving(sphere(0.3), 1.0).with_restitution(1.0);
    world.add(ball.at(Vec3::new(0.0, 2.3, 0.0))).unwrap();
    let before = world.energy();
    steps(&mut world, 3600);
    assert!((world.energy() / before - 1.0).abs() < 0.01, "{}", world.energy() / before);
}

/// Five touching balls: the last one leaves, with all of the speed.
#[test]
fn newtons_cradle_of_five_passes_the_hit_on() {
    let mut world = weightless();
    let ball = |x: f32| BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * x).with_restitution(1.0);
    let hitting = world.add(ball(-3.0).with_velocity(Vec3::X * 2.0)).unwrap();
    let row: Vec<BodyId> = (0..4).map(|x| world.add(ball(x as f32)).unwrap()).collect();
    steps(&mut world, 120);
    assert!((velocity(&world, row[3]).x - 2.0).abs() < 1e-4);
    for still in [hitting, row[0], row[1], row[2]] {
        assert!(velocity(&world, still).length() < 1e-4, "{:?}", velocity(&world, still));
    }
}

#[test]
fn a_box_that_lands_flat_bounces_without_a_spin() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let plan = BodyPlan::moving(cube(), 4.0).at(Vec3::new(0.0, 1.5, 0.0)).with_restitution(0.7);
    let body = world.add(plan).unwrap();
    steps(&mut world, 40);
    let body = world.body(body).unwrap();
    assert!(body.velocity().y > 0.5 && body.angular_velocity().length() < 1e-3, "{body:?}");
}

#[test]
fn an_elastic_gas_between_walls_keeps_its_energy() {
    let mut world = World::new(Settings {
        gravity: Vec3::ZERO,
        bounds: Some(Bounds::bouncing(Vec3::splat(-3.0), Vec3::splat(3.0))),
        ..Settings::default()
    })
    .unwrap();
    for index in 0..125 {
        let [x, y, z] = [index % 5, index / 5 % 5, index / 25].map(|i| i as f32 - 2.0);
        let velocity = Vec3::new(3.0 * y - z, 2.0 * z - x * x, 4.0 * x - y * z);
        let plan = BodyPlan::moving(sphere(0.2), 1.0).at(Vec3::new(x, y, z));
        let plan = plan.with_velocity(velocity).with_restitution(1.0).with_friction(0.0);
        world.add(plan).unwrap();
    }
    let before = world.energy();
    steps(&mut world, 1000);
    assert!((world.energy() / before - 1.0).abs() < 1e-3, "{}", world.energy() / before - 1.0);
    for body in world.bodies() {
        assert!(body.position().abs().largest() < 3.0, "{body:?}");
    }
}

#[test]
fn momentum_is_kept_to_rounding_when_many_meet_and_angular_momentum_nearly() {
    let mut world = weightless();
    for index in 0..64 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| i as f32 * 2.0 - 3.0);
        let at = Vec3::new(x, y, z);
        let plan = BodyPlan::moving(cube(), 1.0 + index as f32).at(at).with_velocity(at * -0.7);
        world.add(plan.with_angular_velocity(Vec3::new(y, z, x))).unwrap();
    }
    let (momentum, spin) = (world.momentum(), world.angular_momentum());
    steps(&mut world, 240);
    for axis in 0..3 {
        // The momenta of all bodies, regardless of direction, sum up to 6,000: this is 3e-7 of it.
        assert!((world.momentum()[axis] - momentum[axis]).abs() < 2e-3, "{:?}", world.momentum());
        // Arms are those of the beginning of a step, so this is no rounding: 5e-4 of 20,000.
        let apart = (world.angular_momentum()[axis] - spin[axis]).abs();
        assert!(apart < 10.0, "{:?} was {spin:?}", world.angular_momentum());
    }
}

/// Numbers from 0 to 1, the same in every run.
struct Dice(u32);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / 16_777_216.0
    }

    fn turn(&mut self) -> Rotation {
        let axis = Vec3::new(self.roll() - 0.5, self.roll() - 0.5, self.roll() - 0.5);
        Rotation::about(axis, 6.0 * self.roll()).unwrap_or(Rotation::IDENTITY)
    }
}

/// Shoots balls and boxes of a few centimetres from a thousand directions at plates of 2 cm, and counts those that
/// come out behind.
fn shots_through(plate: impl Fn() -> BodyPlan) -> Vec<String> {
    let mut dice = Dice(7);
    let mut through = Vec::new();
    for shot in 0..1000 {
        let mut world = weightless();
        let plate = world.add(plate()).unwrap();
        // Up to 80 degrees aslant.
        let slant = Rotation::about(Vec3::Y, 1.4 * (2.0 * dice.roll() - 1.0)).unwrap();
        let way = Rotation::about(Vec3::X, 6.0 * dice.roll()).unwrap().turn(slant.turn(Vec3::X));
        let from = way * -(1.0 + 5.0 * dice.roll());
        let plan = if shot % 2 == 0 {
            BodyPlan::moving(sphere(0.05), 0.1)
        } else {
            BodyPlan::moving(cuboid(0.05, 0.08, 0.03), 0.1).turned(dice.turn())
        };
        let body = world.add(plan.at(from).with_velocity(way * 300.0)).unwrap();
        for _ in 0..20 {
            world.step();
            let seen = world.body(plate).unwrap().pose().local_point(position(&world, body));
            if seen.x > 0.0 && seen.y.abs() < 50.0 && seen.z.abs() < 50.0 {
                through.push(format!("shot {shot} from {from:?} is at {seen:?}"));
                break;
            }
        }
    }
    through
}

#[test]
fn nothing_fast_goes_through_a_thin_wall() {
    let through = shots_through(|| BodyPlan::still(cuboid(0.01, 50.0, 50.0)));
    assert!(through.is_empty(), "{} of 1000: {through:#?}", through.len());
}

#[test]
fn nothing_fast_goes_through_a_thin_plate_that_comes_along() {
    for speed in [-30.0, 30.0] {
        let plate = BodyPlan::driven(cuboid(0.01, 50.0, 50.0)).with_velocity(Vec3::X * speed);
        let through = shots_through(|| plate.clone());
        assert!(through.is_empty(), "{} of 1000: {through:#?}", through.len());
    }
}

#[test]
fn nothing_fast_goes_through_a_thin_plate_that_gives_way() {
    let plate = BodyPlan::moving(cuboid(0.01, 50.0, 50.0), 1000.0);
    let plate = plate.with_velocity(Vec3::X * -10.0);
    let through = shots_through(|| plate.clone());
    assert!(through.is_empty(), "{} of 1000: {through:#?}", through.len());
}

#[test]
fn a_hit_is_told_with_its_speed_and_its_impulse() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let ball = BodyPlan::moving(sphere(0.5), 2.0).at(Vec3::new(0.0, 5.5, 0.0));
    let ball = world.add(ball.with_material(Material { restitution: 0.5, ..Material::default() }));
    let ball = ball.unwrap();
    let mut told = Vec::new();
    for _ in 0..90 {
        world.step();
        told.extend_from_slice(world.events());
    }
    let speed = (2.0 * G * 5.0_f32).sqrt();
    assert_eq!(told[0], Event::Begun { bodies: [ground, ball], sensor: false });
    let Event::Hit { bodies, speed: fast, impulse, normal, .. } = told[1] else {
        panic!("{told:?}")
    };
    assert_eq!((bodies, normal), ([ground, ball], Vec3::Y));
    assert!((fast / speed - 1.0).abs() < 0.02, "{fast} {speed}");
    assert!((impulse / (2.0 * 1.5 * speed) - 1.0).abs() < 0.02, "{impulse}");
    assert_eq!(told[2], Event::Ended { bodies: [ground, ball], sensor: false });
}
