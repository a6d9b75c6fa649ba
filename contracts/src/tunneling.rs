//! Tunneling of fast bodies through a thin wall, and energy conservation of an elastic gas.
//!
//! Guarantee: no sphere or box shot at 300 m/s, at any angle and in any orientation, tunnels
//! through a wall of 2 cm, be it static, kinematic or dynamic.

use embate::dynamics::{BodyDef, Settings, SolverKind, World, WorldBounds};
use embate::shapes::{Cuboid, Shape, Sphere};
use embate::{Rotation, Vec3};
use embate_scene::random::Random;

const VALID: &str = "the scenes are valid";
/// Speed of a shot, in m/s.
const SHOT_SPEED: f32 = 300.0;
/// Half of the wall's height and width, in meters.
const WALL_HALF_EXTENT: f32 = 40.0;

/// Body type of the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Static.
    Static,
    /// Kinematic, approaching at 5 m/s.
    Kinematic,
    /// Dynamic: a plate of 50 kg, approaching at 5 m/s.
    Dynamic,
}

impl Target {
    /// All body types.
    pub const ALL: [Self; 3] = [Self::Static, Self::Kinematic, Self::Dynamic];
}

/// Number of shots that were behind the wall after any step.
#[must_use]
pub fn count_tunneled(target: Target, shots: u32, seed: u64) -> u32 {
    let mut random = Random::for_purpose(seed, &[target as u64]);
    (0..shots).map(|shot| u32::from(tunnels(target, shot % 2 == 0, &mut random))).sum()
}

fn tunnels(target: Target, is_sphere: bool, random: &mut Random) -> bool {
    let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
    let mut world = World::new(settings).expect(VALID);
    let wall = Cuboid::new(Vec3::new(0.01, WALL_HALF_EXTENT, WALL_HALF_EXTENT)).expect(VALID);
    let wall_velocity = Vec3::X * -5.0;
    let wall = match target {
        Target::Static => BodyDef::fixed(wall),
        Target::Kinematic => BodyDef::kinematic(wall).linear_velocity(wall_velocity),
        Target::Dynamic => BodyDef::dynamic(wall, 50.0).linear_velocity(wall_velocity),
    };
    let wall = world.insert_body(wall).expect(VALID);
    // Up to 80° from the wall's normal, from a distance covered within a few steps.
    let direction = loop {
        let direction = Vec3::from(random.direction());
        if direction.x > 0.17 {
            break direction;
        }
    };
    let distance = random.between(2.0, 12.0);
    let shape: Shape = if is_sphere {
        Sphere::new(0.05).expect(VALID).into()
    } else {
        Cuboid::new(Vec3::new(0.05, 0.03, 0.08)).expect(VALID).into()
    };
    let rotation =
        Rotation::from_axis_angle(Vec3::from(random.direction()), random.between(0.0, 6.0))
            .unwrap_or(Rotation::IDENTITY);
    let shot = BodyDef::dynamic(shape, 0.1)
        .position(direction * -distance)
        .rotation(rotation)
        .linear_velocity(direction * SHOT_SPEED);
    let shot = world.insert_body(shot).expect(VALID);
    (0..30).any(|_| {
        world.step();
        let (Some(wall), Some(shot)) = (world.body(wall), world.body(shot)) else { return true };
        // Behind the wall, in the wall's current frame. A body that slid along the wall may leave
        // it over its edge and pass beside it.
        let local = wall.pose().inverse_transform_point(shot.position());
        local.x > 0.0 && local.y.abs() < WALL_HALF_EXTENT && local.z.abs() < WALL_HALF_EXTENT
    })
}

/// Relative change of energy of an elastic gas of `side`³ spheres over `steps` steps.
///
/// # Panics
/// If `side` is 0.
#[must_use]
pub fn gas_energy_drift(solver: SolverKind, side: u32, steps: u32) -> f64 {
    let half = side as f32 * 0.5;
    let bounds = WorldBounds::solid(Vec3::splat(-half), Vec3::splat(half));
    let settings = Settings {
        gravity: Vec3::ZERO,
        bounds: Some(bounds),
        enable_sleep: false,
        solver,
        ..Settings::default()
    };
    let mut world = World::new(settings).expect(VALID);
    let mut random = Random::new(11);
    for number in 0..side * side * side {
        let cell = [number % side, number / side % side, number / side / side];
        let at = Vec3::from(cell.map(|cell| cell as f32 + 0.5 - half));
        let velocity = Vec3::from(random.direction()) * random.between(1.0, 5.0);
        let sphere = BodyDef::dynamic(Sphere::new(0.2).expect(VALID), 1.0).position(at);
        let sphere = sphere.linear_velocity(velocity).restitution(1.0).friction(0.0);
        world.insert_body(sphere).expect(VALID);
    }
    let before = world.total_energy();
    for _ in 0..steps {
        world.step();
    }
    (world.total_energy() - before) / before
}
