//! Worlds of the broad phases and solvers: pure functions of their numbers and a seed.

use embate::Vec3;
use embate::dynamics::{BodyDef, BodyId, Settings, WorldBounds};
use embate::shapes::{Cuboid, Shape, Sphere};

use embate_scene::random::Random;
use embate_scene::scene_world::{Method, SceneWorld};

const VALID: &str = "the study's worlds are valid";

/// A kind of world to compare broad phases in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Balls that fly about in a box.
    Gas,
    /// The same, but half of the bodies are blocks that never move.
    Obstacles,
    /// Balls and blocks that fall into a basin.
    Pile,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Gas, Self::Obstacles, Self::Pile];

    /// As in the column `case`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gas => "gas",
            Self::Obstacles => "obstacles",
            Self::Pile => "pile",
        }
    }

    /// A pile of `bodies`, by a method.
    pub(super) fn world(self, bodies: u32, seed: u64, method: Method) -> SceneWorld {
        match self {
            Self::Gas => gas(bodies, 0, seed, method),
            Self::Obstacles => gas(bodies - bodies / 2, bodies / 2, seed, method),
            Self::Pile => pile(&Pile { bodies, restitution: 0.2, ratio: 1.0 }, seed, method),
        }
    }
}

fn ball(radius: f32) -> Shape {
    Sphere::new(radius).expect(VALID).into()
}

fn block(half: Vec3) -> Shape {
    Cuboid::new(half).expect(VALID).into()
}

fn add(world: &mut SceneWorld, plan: BodyDef) -> BodyId {
    world.insert_body(plan).expect(VALID)
}

/// Eight cubic meters to a body, as a jittered lattice, so that nothing overlaps at first.
fn gas(movers: u32, obstacles: u32, seed: u64, method: Method) -> SceneWorld {
    let bodies = movers + obstacles;
    let side = lattice_side(bodies);
    let half = side as f32;
    let bounds = WorldBounds::solid(Vec3::splat(-half), Vec3::splat(half));
    let gravity = Vec3::ZERO;
    let settings =
        Settings { gravity, enable_sleep: false, bounds: Some(bounds), ..Settings::default() };
    let mut world = SceneWorld::new(settings, method).expect(VALID);
    let mut random = Random::for_purpose(seed, &[1, bodies.into()]);
    for number in 0..bodies {
        let cell = [number % side, number / side % side, number / side / side];
        let at = Vec3::from(cell.map(|cell| cell as f32 * 2.0 + 1.0 - half));
        let jitter = Vec3::new(
            random.between(-0.4, 0.4),
            random.between(-0.4, 0.4),
            random.between(-0.4, 0.4),
        );
        let radius = random.between(0.3, 0.6);
        let velocity = Vec3::new(
            random.between(-3.0, 3.0),
            random.between(-3.0, 3.0),
            random.between(-3.0, 3.0),
        );
        // Every second one, as long as there are obstacles left.
        let plan = if number % 2 == 1 && number / 2 < obstacles {
            BodyDef::fixed(block(Vec3::splat(radius)))
        } else {
            BodyDef::dynamic(ball(radius), 1.0).linear_velocity(velocity)
        };
        add(&mut world, plan.position(at + jitter).restitution(1.0).friction(0.0));
    }
    world
}

fn lattice_side(bodies: u32) -> u32 {
    let mut side = 1;
    while side * side * side < bodies {
        side += 1;
    }
    side
}

/// What falls into a basin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pile {
    pub(super) bodies: u32,
    pub(super) restitution: f32,
    /// Mass ratio of every second body.
    pub(super) ratio: f32,
}

/// Balls and blocks alternating, in layers above a floor with four walls.
pub(super) fn pile(plan: &Pile, seed: u64, method: Method) -> SceneWorld {
    let settings = Settings { enable_sleep: false, ..Settings::default() };
    let mut world = SceneWorld::new(settings, method).expect(VALID);
    // A basin about as wide as the pile will be high.
    let across = lattice_side(plan.bodies).max(2);
    let half = across as f32 * 0.7;
    let wall = |normal: Vec3| {
        let thick = 1.0;
        let reach = half + thick;
        let size = Vec3::new(
            if normal.x == 0.0 { reach } else { thick },
            if normal.y == 0.0 { 4.0 * half } else { thick },
            if normal.z == 0.0 { reach } else { thick },
        );
        let up = if normal.y == 0.0 { Vec3::Y * (4.0 * half) } else { Vec3::ZERO };
        let out = if normal.y == 0.0 { half + thick } else { thick };
        BodyDef::fixed(block(size)).position(normal * out + up)
    };
    for normal in [-Vec3::Y, Vec3::X, -Vec3::X, Vec3::Z, -Vec3::Z] {
        add(&mut world, wall(normal).restitution(plan.restitution));
    }
    let mut random = Random::for_purpose(seed, &[2, plan.bodies.into()]);
    for number in 0..plan.bodies {
        let cell = [number % across, number / across / across, number / across % across];
        let [x, y, z] = cell.map(|cell| cell as f32);
        let middle = (across as f32 - 1.0) * 0.5;
        let jitter = |random: &mut Random| random.between(-0.1, 0.1);
        let at = Vec3::new(
            (x - middle) * 1.3 + jitter(&mut random),
            1.0 + y * 1.2,
            (z - middle) * 1.3 + jitter(&mut random),
        );
        let shape = if number % 2 == 0 { ball(0.5) } else { block(Vec3::splat(0.45)) };
        let mass = if number / 2 % 2 == 0 { 1.0 } else { plan.ratio };
        add(&mut world, BodyDef::dynamic(shape, mass).position(at).restitution(plan.restitution));
    }
    world
}

/// Two balls without weight: the first, `ratio` times the second's mass, flies at it.
pub(super) fn collision(restitution: f32, ratio: f32, method: Method) -> SceneWorld {
    let settings = Settings { gravity: Vec3::ZERO, enable_sleep: false, ..Settings::default() };
    let mut world = SceneWorld::new(settings, method).expect(VALID);
    let body = |mass, x: f32| {
        let plan = BodyDef::dynamic(ball(0.5), mass).position(Vec3::X * x);
        plan.restitution(restitution).friction(0.0)
    };
    add(&mut world, body(ratio, -2.0).linear_velocity(Vec3::X * COLLISION_SPEED));
    add(&mut world, body(1.0, 0.0));
    world
}

/// Of the first ball of a collision, in m/s.
pub(super) const COLLISION_SPEED: f32 = 2.0;

/// A ball above a floor, its lowest point [`DROP`] above it.
pub(super) fn bounce(restitution: f32, method: Method) -> (SceneWorld, BodyId) {
    let settings = Settings { enable_sleep: false, ..Settings::default() };
    let mut world = SceneWorld::new(settings, method).expect(VALID);
    let floor = BodyDef::fixed(block(Vec3::new(5.0, 0.5, 5.0))).position(Vec3::Y * -0.5);
    add(&mut world, floor.restitution(restitution));
    let falling = BodyDef::dynamic(ball(0.5), 1.0).restitution(restitution);
    let ball = add(&mut world, falling.position(Vec3::Y * (0.5 + DROP)));
    (world, ball)
}

/// Drop height, in meters.
pub(super) const DROP: f32 = 2.0;
