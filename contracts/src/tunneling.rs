//! Does anything fly through a thin wall? And does an elastic gas keep its energy?
//!
//! Promise: of balls and boxes at 300 m/s, at any angle and turned in any way, none is behind a wall of 2 cm that it
//! was shot at, whether the wall never moves, is driven, or gives way.

use embate::motion::{BodyPlan, Bounds, Method, Settings, World};
use embate::shapes::{Cuboid, Shape, Sphere};
use embate::{Rotation, Vec3};
use embate_lab::random::Random;

const VALID: &str = "the scenes are valid";
/// In m/s.
const SPEED: f32 = 300.0;
/// Of the wall's height and width, in metres.
const HALF: f32 = 40.0;

/// What is shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Never moves.
    Still,
    /// Comes towards the shots at 5 m/s, whatever hits it.
    Driven,
    /// A plate of 50 kg that flies towards the shots at 5 m/s.
    Moving,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Still, Self::Driven, Self::Moving];
}

/// How many of so many shots were behind the wall after any of their steps.
#[must_use]
pub fn shots_through(target: Target, shots: u32, seed: u64) -> u32 {
    let mut random = Random::for_purpose(seed, &[target as u64]);
    (0..shots).map(|shot| u32::from(goes_through(target, shot % 2 == 0, &mut random))).sum()
}

fn goes_through(target: Target, ball: bool, random: &mut Random) -> bool {
    let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
    let mut world = World::new(settings).expect(VALID);
    let wall = Cuboid::new(Vec3::new(0.01, HALF, HALF)).expect(VALID);
    let towards = Vec3::X * -5.0;
    let wall = match target {
        Target::Still => BodyPlan::still(wall),
        Target::Driven => BodyPlan::driven(wall).with_velocity(towards),
        Target::Moving => BodyPlan::moving(wall, 50.0).with_velocity(towards),
    };
    let wall = world.add(wall).expect(VALID);
    // Up to 80° from the wall's normal, from where the wall is met within a few steps.
    let way = loop {
        let way = Vec3::from(random.direction());
        if way.x > 0.17 {
            break way;
        }
    };
    let far = random.between(2.0, 12.0);
    let shape: Shape = if ball {
        Sphere::new(0.05).expect(VALID).into()
    } else {
        Cuboid::new(Vec3::new(0.05, 0.03, 0.08)).expect(VALID).into()
    };
    let turn = Rotation::about(Vec3::from(random.direction()), random.between(0.0, 6.0))
        .unwrap_or(Rotation::IDENTITY);
    let shot = BodyPlan::moving(shape, 0.1).at(way * -far).turned(turn).with_velocity(way * SPEED);
    let shot = world.add(shot).expect(VALID);
    (0..30).any(|_| {
        world.step();
        let (Some(wall), Some(shot)) = (world.body(wall), world.body(shot)) else { return true };
        // Behind the wall, as the wall stands and is turned now. What slid along it may leave it at its edge, and have it
        // pass beside.
        let at = wall.pose().local_point(shot.position());
        at.x > 0.0 && at.y.abs() < HALF && at.z.abs() < HALF
    })
}

/// The change of energy of an elastic gas, as a share: so many balls a side, so many steps.
///
/// # Panics
/// With no balls.
#[must_use]
pub fn gas_drift(method: Method, side: u32, steps: u32) -> f64 {
    let half = side as f32 * 0.5;
    let bounds = Bounds::bouncing(Vec3::splat(-half), Vec3::splat(half));
    let settings = Settings {
        gravity: Vec3::ZERO,
        bounds: Some(bounds),
        sleeping: false,
        method,
        ..Settings::default()
    };
    let mut world = World::new(settings).expect(VALID);
    let mut random = Random::new(11);
    for number in 0..side * side * side {
        let cell = [number % side, number / side % side, number / side / side];
        let at = Vec3::from(cell.map(|cell| cell as f32 + 0.5 - half));
        let velocity = Vec3::from(random.direction()) * random.between(1.0, 5.0);
        let ball = BodyPlan::moving(Sphere::new(0.2).expect(VALID), 1.0).at(at);
        let ball = ball.with_velocity(velocity).with_restitution(1.0).with_friction(0.0);
        world.add(ball).expect(VALID);
    }
    let before = world.energy();
    for _ in 0..steps {
        world.step();
    }
    (world.energy() - before) / before
}
