//! Procedural presets, from a seed or fixed.

use embate::Vec3;
use serde_json::{Value, json};

use crate::sandbox::json_value::{self, JsonObject};
use embate_scene::random::Random;

/// To the millimeter: a file is for reading too.
fn exact(value: f32) -> Value {
    json_value::number((f64::from(value) * 1e3).round() as f32 / 1e3)
}

fn at(x: f32, y: f32, z: f32) -> Value {
    Value::from(vec![exact(x), exact(y), exact(z)])
}

fn scene(value: Value) -> JsonObject {
    if let Value::Object(json) = value { json } else { JsonObject::new() }
}

fn floor() -> Value {
    json!({ "name": "floor", "shape": { "halfspace": { "normal": [0, 1, 0] } }, "type": "fixed" })
}

fn turned(random: &mut Random) -> Value {
    let part = |random: &mut Random| exact(random.between(-1.0, 1.0));
    Value::from(vec![part(random), part(random), part(random), exact(random.between(0.2, 1.0))])
}

/// Four walls around a pit of this half side.
fn walls(half: f32, height: f32) -> Vec<Value> {
    let thick = 0.1;
    [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
        .into_iter()
        .zip(1..)
        .map(|((x, z), number): ((f32, f32), i32)| {
            let across = half + 2.0 * thick;
            let [wide, deep] = if x == 0.0 { [across, thick] } else { [thick, across] };
            json!({
                "name": format!("wall {number}"),
                "shape": { "box": { "half": [exact(wide), exact(height / 2.0), exact(deep)] } },
                "position": at(x * (half + thick), height / 2.0, z * (half + thick)),
                "type": "fixed",
            })
        })
        .collect()
}

/// A convex solid of corners on a ball.
fn hull(random: &mut Random, radius: f32) -> Value {
    let mut points = Vec::new();
    for corner in 0..10_u32 {
        // One in each octant and two more: never flat.
        let sign = |bit: u32| if corner >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let part = |random: &mut Random, sign: f32| sign * random.between(0.25, 1.0);
        let corner = Vec3::new(part(random, sign(0)), part(random, sign(1)), part(random, sign(2)));
        let corner = corner.try_normalize().unwrap_or(Vec3::Y) * radius;
        points.push(at(corner.x, corner.y, corner.z));
    }
    json!({ "hull": { "points": points } })
}

/// A body of a heap.
struct Mixed {
    kind: &'static str,
    shape: Value,
    mass: f32,
    /// However it is turned, it reaches no farther from its middle.
    reach: f32,
}

/// Balls and boxes in turn: no hulls, so that the page has not to fetch what these need before
/// anything is seen.
fn mixed(random: &mut Random, number: usize) -> Mixed {
    if number.is_multiple_of(2) {
        let radius = random.between(0.22, 0.36);
        let shape = json!({ "sphere": { "radius": exact(radius) } });
        Mixed { kind: "sphere", shape, mass: 30.0 * radius * radius * radius, reach: radius }
    } else {
        let half = [(); 3].map(|()| random.between(0.18, 0.36));
        let shape = json!({ "box": { "half": half.map(exact) } });
        let mass = 60.0 * half[0] * half[1] * half[2];
        Mixed { kind: "box", shape, mass, reach: Vec3::from(half).length() }
    }
}

/// Places in a room of the ramp, chosen by chance, where nothing touches anything.
struct Apart {
    taken: Vec<(Vec3, f32)>,
    /// How much higher than the lowest place the highest may be: more with every one that was not
    /// free.
    tall: f32,
}

impl Apart {
    /// In meters: above the upper end of the ramp.
    const LOWEST: f32 = 1.55;
    /// Half the side of the room, but for a hand's breadth.
    const WIDE: f32 = 2.9;
    /// Places are written to the millimeter.
    const GAP: f32 = 0.005;

    fn next(&mut self, random: &mut Random, reach: f32) -> Vec3 {
        loop {
            let wide = Self::WIDE - reach;
            let low = Self::LOWEST + reach;
            let place = Vec3::new(
                random.between(-wide, wide),
                random.between(low, low + self.tall),
                random.between(-wide, wide),
            );
            let is_free = |&(other, enclosing_bounds): &(Vec3, f32)| {
                (place - other).length() > enclosing_bounds + reach + Self::GAP
            };
            if self.taken.iter().all(is_free) {
                self.taken.push((place, reach));
                return place;
            }
            self.tall += 0.01;
        }
    }

    /// Above all of them, in whole meters.
    fn ceiling(&self) -> f32 {
        self.taken
            .iter()
            .map(|(place, reach)| place.y + reach)
            .fold(0.0, embate::math::scalar::max)
            .ceil()
    }
}

/// What stands under the ramp's bodies. As words: the reader of these is there anyhow, what would
/// make them is not.
const OBSTACLES: [&str; 3] = [
    r#"{"name": "ramp", "shape": {"box": {"half": [1.3, 0.08, 1.2]}}, "position": [-1.5, 0.75, -1.2], "orientation": [0, 0, -0.259, 0.966], "type": "fixed"}"#,
    r#"{"name": "post", "shape": {"box": {"half": [0.22, 1.1, 0.22]}}, "position": [2.1, 1.1, -2], "type": "fixed"}"#,
    r#"{"name": "step", "shape": {"box": {"half": [1, 0.2, 0.35]}}, "position": [1.5, 0.2, 2.2], "type": "fixed"}"#,
];

pub(super) fn ramp(random: &mut Random) -> JsonObject {
    let mut bodies = vec![floor()];
    bodies.extend(OBSTACLES.iter().filter_map(|body| serde_json::from_str(body).ok()));
    // The post is higher than the ramp: its top is a place that is taken.
    let mut apart = Apart { taken: vec![(Vec3::new(2.1, 1.9, -2.0), 0.48)], tall: 1.9 };
    for number in 0..60_usize {
        let Mixed { kind, shape, mass, reach } = mixed(random, number);
        let place = apart.next(random, reach);
        bodies.push(json!({
            "name": format!("{kind} {}", number / 2 + 1),
            "shape": shape,
            "position": at(place.x, place.y, place.z),
            "orientation": turned(random),
            "mass": exact(mass),
            "restitution": 0.1,
            "friction": 0.5,
        }));
    }
    // The bounds end below the floor: at the same height, a resting body would touch both.
    scene(json!({
        "steps": 600,
        "bounds": { "min": [-3, -1, -3], "max": [3, exact(apart.ceiling()), 3] },
        "bodies": bodies,
    }))
}

/// A floor and nothing else, to build on.
pub(super) fn empty() -> JsonObject {
    scene(json!({ "steps": 600, "bodies": [floor()] }))
}

pub(super) fn spheres(random: &mut Random) -> JsonObject {
    let mut bodies = vec![floor()];
    for row in 0..6_u8 {
        for column in 0..10_u8 {
            bodies.push(json!({
                "name": format!("ball {}", u32::from(row) * 10 + u32::from(column) + 1),
                "shape": { "sphere": { "radius": 0.3 } },
                "position": at(
                    f32::from(column) - 4.5,
                    2.5 + random.between(0.0, 1.5),
                    f32::from(row) * 1.1 - 2.75,
                ),
                "mass": 1,
                "restitution": exact(f32::from(row) * 0.19),
            }));
        }
    }
    scene(json!({ "steps": 600, "bodies": bodies }))
}

pub(super) fn boxes(random: &mut Random) -> JsonObject {
    let mut bodies = vec![floor()];
    bodies.extend(walls(2.2, 1.2));
    for number in 0..100_u16 {
        let (layer, place) = (number / 9, number % 9);
        let half = [(); 3].map(|()| random.between(0.18, 0.3));
        bodies.push(json!({
            "name": format!("box {}", number + 1),
            "shape": { "box": { "half": half.map(exact) } },
            "position": at(
                f32::from(place % 3) * 1.1 - 1.1 + random.between(-0.2, 0.2),
                1.0 + 0.8 * f32::from(layer),
                f32::from(place / 3) * 1.1 - 1.1 + random.between(-0.2, 0.2),
            ),
            "orientation": turned(random),
            "mass": exact(60.0 * half[0] * half[1] * half[2]),
        }));
    }
    scene(json!({ "steps": 900, "bodies": bodies }))
}

pub(super) fn pyramid() -> JsonObject {
    let mut bodies = vec![floor()];
    let base = 14_u8;
    for row in 0..base {
        for place in 0..base - row {
            bodies.push(json!({
                "name": format!("box {}.{}", row + 1, place + 1),
                "shape": { "cube": { "half": 0.25 } },
                "position": at(
                    0.525 * (f32::from(place) - f32::from(base - row - 1) / 2.0),
                    0.25 + 0.5 * f32::from(row),
                    0.0,
                ),
                "mass": 1,
            }));
        }
    }
    scene(json!({ "steps": 600, "bodies": bodies }))
}

pub(super) fn gas(random: &mut Random) -> JsonObject {
    let mut bodies = Vec::new();
    for number in 0..300_u16 {
        let place = [number % 7, number / 7 % 7, number / 49].map(f32::from);
        let [x, y, z] = place.map(|place| 1.2 * (place - 3.0) + random.between(-0.2, 0.2));
        bodies.push(json!({
            "name": format!("ball {}", number + 1),
            "shape": { "sphere": { "radius": exact(random.between(0.14, 0.26)) } },
            "position": at(x, y + 4.5, z),
            "velocity": at(random.between(-4.0, 4.0), random.between(-4.0, 4.0), random.between(-4.0, 4.0)),
            "mass": 1,
            "restitution": 1,
            "friction": 0,
        }));
    }
    scene(json!({
        "steps": 600,
        "gravity": [0, 0, 0],
        "solver": "event-driven",
        "enable_sleep": false,
        "bounds": { "min": [-4.5, 0, -4.5], "max": [4.5, 9, 4.5] },
        "bodies": bodies,
    }))
}

pub(super) fn hulls(random: &mut Random) -> JsonObject {
    let mut bodies = vec![floor()];
    bodies.extend(walls(2.0, 0.9));
    for number in 0..54_u16 {
        let (layer, place) = (number / 9, number % 9);
        let radius = random.between(0.28, 0.45);
        bodies.push(json!({
            "name": format!("hull {}", number + 1),
            "shape": hull(random, radius),
            "position": at(
                f32::from(place % 3) * 1.1 - 1.1,
                1.0 + f32::from(layer),
                f32::from(place / 3) * 1.1 - 1.1,
            ),
            "orientation": turned(random),
            "mass": exact(20.0 * radius * radius * radius),
        }));
    }
    scene(json!({ "steps": 900, "bodies": bodies }))
}

pub(super) fn thousand() -> JsonObject {
    let mut bodies = vec![floor()];
    for number in 0..1000_u16 {
        let [x, y, z] = [number % 10, number / 100, number / 10 % 10].map(f32::from);
        // Each layer a little aside of the one below: it falls over.
        bodies.push(json!({
            "name": format!("box {}", number + 1),
            "shape": { "cube": { "half": 0.25 } },
            "position": at(0.56 * (x - 4.5) + 0.09 * y, 0.3 + 0.56 * y, 0.56 * (z - 4.5) + 0.06 * y),
            "mass": 1,
        }));
    }
    scene(json!({ "steps": 600, "bodies": bodies }))
}
