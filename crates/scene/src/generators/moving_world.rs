//! Moving objects of Gonçales et al. 2016 ("Page" in `docs/studies.md`), in 2D and 3D.
//!
//! Guarantee: a seed and a frame number give the same bits of every position on every platform. A
//! frame is exactly 1/60 s, independent of the display.

use core::fmt;
use core::str::FromStr;

use embate::{Aabb, geometry::BoundingSphere, math::scalar};
use serde::{Deserialize, Serialize};

use crate::random::Random;

/// Seconds from one frame to the next.
pub const FRAME_S: f32 = 1.0 / 60.0;

/// Smallest and largest of something drawn at random, as text `MIN..MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Span {
    /// Smallest.
    pub min: f32,
    /// Largest.
    pub max: f32,
}

impl fmt::Display for Span {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{}..{}", self.min, self.max)
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        span.to_string()
    }
}

impl FromStr for Span {
    type Err = String;

    /// A single number is both ends.
    fn from_str(text: &str) -> Result<Self, String> {
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        match (min.parse(), max.parse()) {
            (Ok(min), Ok(max)) => Ok(Self { min, max }),
            _ => Err("give MIN..MAX, for instance 5..50".to_owned()),
        }
    }
}

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Shape of the objects of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bounds {
    /// Boxes, each side drawn on its own.
    Aabb,
    /// Circles or spheres: the size drawn is the diameter.
    Circle,
}

/// Distribution of the initial positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Uniform.
    Even,
    /// In uniformly distributed clusters of about [`CLUSTER_SIZE`] objects.
    Clusters,
}

/// Number of objects of a cluster.
pub const CLUSTER_SIZE: u32 = 100;
/// Edge of a cluster in multiples of the largest object size: 100 boxes of sizes 0.5–1.5 then
/// overlap about three others each.
const CLUSTER_EDGE: f32 = 10.0 / 3.0;

/// Definition of the world before the first frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingWorldDef<const D: usize> {
    /// Extents of the world; its minimum corner is the origin.
    pub sides: [f32; D],
    /// Number of objects.
    pub objects: u32,
    /// Number of moving objects, which are the first ones.
    pub movers: u32,
    /// Shape of the objects.
    pub bounds: Bounds,
    /// Side of a box, diameter of a circle.
    pub size: Span,
    /// Speed of the moving objects, in units per second.
    pub speed: Span,
    /// Distribution of the initial positions.
    pub distribution: Distribution,
}

/// Moving objects, all inside the world.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingWorld<const D: usize> {
    sides: [f32; D],
    movers: usize,
    objects: Vec<Object<D>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Object<const D: usize> {
    /// Its least corner.
    corner: [f32; D],
    size: [f32; D],
    velocity: [f32; D],
}

impl Bounds {
    /// Both, boxes first.
    pub const ALL: [Self; 2] = [Self::Aabb, Self::Circle];

    /// `aabb` or `circle`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Aabb => "aabb",
            Self::Circle => "circle",
        }
    }
}

impl FromStr for Bounds {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|bounds| bounds.name() == name);
        found.ok_or_else(|| format!("possible values: {}", Self::ALL.map(Self::name).join(", ")))
    }
}

impl Span {
    fn draw(self, random: &mut Random) -> f32 {
        random.between(self.min, self.max)
    }
}

impl<const D: usize> MovingWorld<D> {
    /// The world before frame 1. Each object draws its sizes, place, direction and speed in this
    /// order, and objects follow each other in one stream.
    #[must_use]
    pub fn new(plan: &MovingWorldDef<D>, random: &mut Random) -> Self {
        let clusters: Vec<[f32; D]> = match plan.distribution {
            Distribution::Even => Vec::new(),
            Distribution::Clusters => (0..plan.objects.div_ceil(CLUSTER_SIZE))
                .map(|_| plan.sides.map(|side| random.between(0.0, side)))
                .collect(),
        };
        let objects = (0..plan.objects)
            .map(|_| {
                let size = match plan.bounds {
                    Bounds::Aabb => core::array::from_fn(|_| plan.size.draw(random)),
                    Bounds::Circle => [plan.size.draw(random); D],
                };
                let corner = random_position(plan, &size, &clusters, random);
                let (direction, speed) = (random.direction::<D>(), plan.speed.draw(random));
                Object { corner, size, velocity: direction.map(|along| along * speed) }
            })
            .collect();
        Self { sides: plan.sides, movers: plan.movers as usize, objects }
    }

    /// Moves everything that moves by one frame. At a wall the velocity turns round and the object
    /// is put back inside.
    pub fn step(&mut self) {
        for object in &mut self.objects[..self.movers] {
            for axis in 0..D {
                object.corner[axis] += object.velocity[axis] * FRAME_S;
                let farthest = self.sides[axis] - object.size[axis];
                if object.corner[axis] < 0.0 {
                    object.corner[axis] = 0.0;
                    object.velocity[axis] = -object.velocity[axis];
                } else if object.corner[axis] > farthest {
                    object.corner[axis] = farthest;
                    object.velocity[axis] = -object.velocity[axis];
                }
            }
        }
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether the world has no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Number of moving objects, which are the first ones.
    #[must_use]
    pub fn movers(&self) -> usize {
        self.movers
    }

    /// Extents of the world; its minimum corner is the origin.
    #[must_use]
    pub fn sides(&self) -> [f32; D] {
        self.sides
    }

    /// Units a second along every axis; 0 for one that does not move.
    ///
    /// # Panics
    /// If there is no such object.
    #[must_use]
    pub fn velocity(&self, object: usize) -> [f32; D] {
        if object < self.movers { self.objects[object].velocity } else { [0.0; D] }
    }

    /// The least corner and the size of every object, in place of what `list` held.
    pub fn corners_and_sizes(&self, list: &mut Vec<[[f32; D]; 2]>) {
        list.clear();
        list.extend(self.objects.iter().map(|object| [object.corner, object.size]));
    }

    /// The objects as boxes, in place of what `boxes` held.
    pub fn boxes(&self, boxes: &mut Vec<Aabb<D>>) {
        boxes.clear();
        boxes.extend(self.objects.iter().map(|object| Aabb {
            min: object.corner,
            max: core::array::from_fn(|axis| object.corner[axis] + object.size[axis]),
        }));
    }

    /// The objects as circles or spheres, in place of what `balls` held.
    pub fn balls(&self, balls: &mut Vec<BoundingSphere<D>>) {
        balls.clear();
        balls.extend(self.objects.iter().map(|object| {
            let radius = object.size[0] / 2.0;
            BoundingSphere { center: object.corner.map(|corner| corner + radius), radius }
        }));
    }
}

/// Wholly inside the world.
fn random_position<const D: usize>(
    plan: &MovingWorldDef<D>,
    size: &[f32; D],
    clusters: &[[f32; D]],
    random: &mut Random,
) -> [f32; D] {
    let cluster =
        (!clusters.is_empty()).then(|| clusters[random.below(clusters.len() as u32) as usize]);
    core::array::from_fn(|axis| {
        let farthest = plan.sides[axis] - size[axis];
        match cluster {
            None => random.between(0.0, farthest),
            Some(middle) => {
                let reach = plan.size.max * CLUSTER_EDGE / 2.0;
                let corner = middle[axis] - size[axis] / 2.0 + random.between(-reach, reach);
                scalar::max(scalar::min(corner, farthest), 0.0)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan<const D: usize>(bounds: Bounds, distribution: Distribution) -> MovingWorldDef<D> {
        MovingWorldDef {
            sides: [100.0; D],
            objects: 300,
            movers: 200,
            bounds,
            size: Span { min: 5.0, max: 20.0 },
            speed: Span { min: 50.0, max: 900.0 },
            distribution,
        }
    }

    fn assert_objects_stay_inside<const D: usize>(plan: &MovingWorldDef<D>) {
        let mut world = MovingWorld::new(plan, &mut Random::new(3));
        let mut boxes = Vec::new();
        world.boxes(&mut boxes);
        let first = boxes.clone();
        for _ in 0..300 {
            world.step();
            world.boxes(&mut boxes);
            let inside = |b: &Aabb<D>| {
                b.min.iter().all(|&min| min >= 0.0) && b.max.iter().all(|&max| max <= 100.001)
            };
            assert!(boxes.iter().all(inside));
        }
        assert!(boxes[..200].iter().zip(&first).all(|(now, then)| now != then), "movers move");
        assert_eq!(boxes[200..], first[200..], "the others rest");
    }

    #[test]
    fn objects_stay_in_the_world_and_only_movers_move() {
        for distribution in [Distribution::Even, Distribution::Clusters] {
            assert_objects_stay_inside(&plan::<2>(Bounds::Aabb, distribution));
            assert_objects_stay_inside(&plan::<3>(Bounds::Aabb, distribution));
            assert_objects_stay_inside(&plan::<2>(Bounds::Circle, distribution));
        }
    }

    #[test]
    fn object_is_reflected_at_a_wall() {
        let mut world = MovingWorld::<2> {
            sides: [10.0, 10.0],
            movers: 1,
            objects: vec![Object { corner: [8.9, 4.0], size: [1.0; 2], velocity: [60.0, 6.0] }],
        };
        world.step();
        assert_eq!(world.objects[0].corner, [9.0, 4.1]);
        world.step();
        assert_eq!(world.objects[0].corner[0], 8.0);
    }

    /// If these bits change, every published seed means another world.
    #[test]
    fn world_of_a_seed_is_bit_reproducible() {
        let mut world =
            MovingWorld::new(&plan::<2>(Bounds::Aabb, Distribution::Even), &mut Random::new(1));
        for _ in 0..500 {
            world.step();
        }
        let mut hasher = crc32fast::Hasher::new();
        for object in &world.objects {
            object.corner.iter().for_each(|c| hasher.update(&c.to_le_bytes()));
        }
        assert_eq!(hasher.finalize(), 3_389_164_299);
    }

    #[test]
    fn circle_aabbs_have_the_diameter_as_side() {
        let world =
            MovingWorld::new(&plan::<2>(Bounds::Circle, Distribution::Even), &mut Random::new(1));
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        world.boxes(&mut boxes);
        world.balls(&mut balls);
        for (b, ball) in boxes.iter().zip(&balls) {
            assert!((b.extents()[0] - 2.0 * ball.radius).abs() < 1e-4);
            assert!((b.extents()[0] - b.extents()[1]).abs() < 1e-4);
            assert!((ball.center[0] - ball.radius - b.min[0]).abs() < 1e-4);
        }
    }
}
