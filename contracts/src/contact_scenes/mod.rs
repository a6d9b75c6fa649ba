//! Contact scenes: two bodies in every relative orientation and proximity, as a function of a seed.
//!
//! A scene depends only on its seed and index, not on the scenes before it: a failing scene can be
//! reproduced alone.

mod bodies;
mod casts;
mod placement;

pub use bodies::{
    HullPool, SHAPE_PAIRS, ShapeKind, ShapeWithReference, TRIANGLE_PAIRS, any_direction,
    log_uniform,
};
pub use casts::{CAST_PAIRS, Cast};

use embate::{Pose, Rotation};
use embate_scene::random::Random;

use crate::contact_reference::{Point, Quaternion, ReferenceShape, Solid, Transform};
use placement::{Feature, outward, touching_points};

/// Relative orientation of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeOrientation {
    /// Random.
    Random,
    /// Both aligned with the world axes.
    Aligned,
    /// Face on face with a tilt of 1e-7 to 1e-2 rad.
    NearlyAligned,
    /// Face on face.
    FaceOnFace,
    /// Face on edge.
    EdgeOn,
    /// Face on vertex.
    VertexOn,
    /// Edge on edge.
    EdgeOnEdge,
}

/// Distance or penetration of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proximity {
    /// Separated by 0.01 to 2 sizes of the larger.
    Separated,
    /// Separated by 1e-4 to 1e-2 sizes of the smaller.
    Near,
    /// Touching, up to the rounding of f32.
    Touching,
    /// Penetrating by 1e-4 to 1e-2 sizes of the smaller.
    Shallow,
    /// Penetrating by 0.05 to 1 sizes of the smaller.
    Deep,
    /// With a common origin.
    Concentric,
}

const ORIENTATIONS: [RelativeOrientation; 7] = [
    RelativeOrientation::Random,
    RelativeOrientation::Aligned,
    RelativeOrientation::NearlyAligned,
    RelativeOrientation::FaceOnFace,
    RelativeOrientation::EdgeOn,
    RelativeOrientation::VertexOn,
    RelativeOrientation::EdgeOnEdge,
];

const PROXIMITIES: [Proximity; 6] = [
    Proximity::Separated,
    Proximity::Near,
    Proximity::Touching,
    Proximity::Shallow,
    Proximity::Deep,
    Proximity::Concentric,
];

/// Distance from the origin of 1/4 of the scenes.
pub const FAR_FROM_ORIGIN: f64 = 10_000.0;

/// Two posed bodies.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Index of the scene under its seed.
    pub number: u64,
    /// Relative orientation.
    pub orientation: RelativeOrientation,
    /// Proximity.
    pub proximity: Proximity,
    /// Whether they lie at distance [`FAR_FROM_ORIGIN`].
    pub far: bool,
    /// Shapes.
    pub shapes: [ShapeWithReference; 2],
    /// Poses.
    pub poses: [Pose; 2],
}

impl Scene {
    /// The scene with index `number`; the types repeat every 14 scenes.
    #[must_use]
    pub fn new(pool: &HullPool, seed: u64, number: u64) -> Self {
        Self::with_kinds(pool, seed, number, &SHAPE_PAIRS)
    }

    /// The scene with index `number`; the types of shapes cycle through `pairs`.
    #[must_use]
    pub fn with_kinds(pool: &HullPool, seed: u64, number: u64, pairs: &[[ShapeKind; 2]]) -> Self {
        let mut random = Random::for_purpose(seed, &[0x70_75_63_68, number]);
        let kinds = pairs[(number % pairs.len() as u64) as usize];
        let size = log_uniform(&mut random, 1e-3, 1e4);
        // Half of the pairs have similar sizes, the others arbitrary ones.
        let other = if random.below(2) == 0 {
            (size * log_uniform(&mut random, 0.3, 3.0)).clamp(1e-3, 1e4)
        } else {
            log_uniform(&mut random, 1e-3, 1e4)
        };
        let shapes =
            [pool.shape(kinds[0], size, &mut random), pool.shape(kinds[1], other, &mut random)];
        let orientation = ORIENTATIONS[random.below(ORIENTATIONS.len() as u32) as usize];
        let proximity = PROXIMITIES[random.below(PROXIMITIES.len() as u32) as usize];
        let far = random.below(4) == 0;
        let gap = gap(&shapes, proximity, &mut random);
        let mut scene = Self::placed(shapes, orientation, gap, far, &mut random);
        (scene.number, scene.proximity) = (number, proximity);
        if random.below(2) == 0 {
            scene.shapes.swap(0, 1);
            scene.poses.swap(0, 1);
        }
        scene
    }

    /// Places the second shape at the first in an orientation, with a gap (negative: penetration)
    /// between them; without a gap both have a common origin. A random rigid transform is then
    /// applied to both.
    #[must_use]
    pub fn placed(
        shapes: [ShapeWithReference; 2],
        orientation: RelativeOrientation,
        gap: Option<f64>,
        far: bool,
        random: &mut Random,
    ) -> Self {
        let (_, larger) = sizes(&shapes);
        let (rotations, normal) = oriented(&shapes, orientation, random);
        let [on_a, on_b] = touching_points(&shapes, rotations, normal, larger, random);
        let offset = gap.map_or(Point::ZERO, |gap| on_a - on_b + normal * gap);
        // A common transform, so that the first body is not always at the origin.
        let is_identity = orientation == RelativeOrientation::Aligned || random.below(4) == 0;
        let common = if is_identity { Quaternion::IDENTITY } else { random_rotation(random) };
        let origin = match (far, is_identity) {
            (true, _) => any_direction(random) * FAR_FROM_ORIGIN,
            (false, true) => Point::ZERO,
            (false, false) => any_direction(random) * (larger * random.unit_f64()),
        };
        let pose = |rotation: Quaternion, at: Point| {
            pose(rotation.then(common), common.rotate(at) + origin)
        };
        let poses = [pose(rotations[0], Point::ZERO), pose(rotations[1], offset)];
        Self { number: 0, orientation, proximity: Proximity::Touching, far, shapes, poses }
    }

    /// Posed reference shapes of both bodies.
    #[must_use]
    pub fn solids(&self) -> [Solid; 2] {
        let solid =
            |body: usize| self.shapes[body].reference.placed(&Transform::of(&self.poses[body]));
        [solid(0), solid(1)]
    }

    /// Size of the larger body.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.shapes[0].reference.size().max(self.shapes[1].reference.size())
    }

    /// Size of the smaller body.
    #[must_use]
    pub fn smaller_size(&self) -> f64 {
        sizes(&self.shapes).0
    }

    /// Largest distance of a point from its body's origin.
    fn reach(&self) -> f64 {
        self.shapes[0].reference.reach().max(self.shapes[1].reference.reach())
    }

    /// Rounding error of f32: eight ulps of the larger body's reach plus the distance of the two
    /// origins.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        let offset = Point::of(self.poses[1].position) - Point::of(self.poses[0].position);
        8.0 * f64::from(f32::EPSILON) * (self.reach() + offset.length())
    }

    /// Unit of errors: the size of the smaller body plus 10,000 times [`Scene::rounding`].
    #[must_use]
    pub fn error_scale(&self) -> f64 {
        self.smaller_size() + 1e4 * self.rounding()
    }

    /// Rounding error of a world-space point near the bodies: `f32::EPSILON` times the
    /// largest coordinate.
    #[must_use]
    pub fn world_rounding(&self) -> f64 {
        let reach = |body: usize| Point::of(self.poses[body].position).length();
        (reach(0).max(reach(1)) + self.reach()) * f64::from(f32::EPSILON)
    }
}

/// Sizes of the smaller and the larger shape. A half-space has none.
fn sizes(shapes: &[ShapeWithReference; 2]) -> (f64, f64) {
    match [shapes[0].reference.size(), shapes[1].reference.size()] {
        [size, 0.0] | [0.0, size] => (size, size),
        [a, b] => (a.min(b), a.max(b)),
    }
}

/// Gap of two shapes for a proximity; `None` for a common origin.
fn gap(shapes: &[ShapeWithReference; 2], proximity: Proximity, random: &mut Random) -> Option<f64> {
    let (smaller, larger) = sizes(shapes);
    match proximity {
        Proximity::Separated => Some(larger * log_uniform(random, 0.01, 2.0)),
        Proximity::Near => Some(smaller * log_uniform(random, 1e-4, 1e-2)),
        Proximity::Touching => Some(0.0),
        Proximity::Shallow => Some(-smaller * log_uniform(random, 1e-4, 1e-2)),
        Proximity::Deep => Some(-smaller * log_uniform(random, 0.05, 1.0)),
        Proximity::Concentric => None,
    }
}

/// Rotations of both, and the contact normal from the first to the second.
fn oriented(
    shapes: &[ShapeWithReference; 2],
    orientation: RelativeOrientation,
    random: &mut Random,
) -> ([Quaternion; 2], Point) {
    let features = match orientation {
        RelativeOrientation::Random => {
            let rotations = [random_rotation(random), random_rotation(random)];
            return (rotations, normal_of(shapes, rotations, Feature::Any, random));
        }
        RelativeOrientation::Aligned => {
            let rotations = [axis_aligned_rotation(random), axis_aligned_rotation(random)];
            return (rotations, normal_of(shapes, rotations, Feature::Face, random));
        }
        RelativeOrientation::NearlyAligned | RelativeOrientation::FaceOnFace => {
            [Feature::Face, Feature::Face]
        }
        RelativeOrientation::EdgeOn => [Feature::Face, Feature::Edge],
        RelativeOrientation::VertexOn => [Feature::Face, Feature::Vertex],
        RelativeOrientation::EdgeOnEdge => [Feature::Edge, Feature::Edge],
    };
    let normal = outward(&shapes[0].reference, features[0], random);
    let opposite = outward(&shapes[1].reference, features[1], random);
    let about_normal = Quaternion::about(normal, random.unit_f64() * core::f64::consts::TAU);
    let mut rotation = Quaternion::from_to(opposite, -normal).then(about_normal);
    if orientation == RelativeOrientation::NearlyAligned {
        rotation = rotation
            .then(Quaternion::about(any_direction(random), log_uniform(random, 1e-7, 1e-2)));
    }
    ([Quaternion::IDENTITY, rotation], normal)
}

/// A normal out of the first shape; or into the second if that is a half-space, which has only one.
fn normal_of(
    shapes: &[ShapeWithReference; 2],
    rotations: [Quaternion; 2],
    first: Feature,
    random: &mut Random,
) -> Point {
    match &shapes[1].reference {
        ReferenceShape::HalfSpace { normal } => -rotations[1].rotate(*normal),
        ReferenceShape::Round { .. } => {
            rotations[0].rotate(outward(&shapes[0].reference, first, random))
        }
    }
}

/// A random rotation, approximately uniform.
#[must_use]
pub fn random_rotation(random: &mut Random) -> Quaternion {
    Quaternion::about(any_direction(random), random.unit_f64() * core::f64::consts::TAU)
}

/// A random rotation that maps axes to axes.
fn axis_aligned_rotation(random: &mut Random) -> Quaternion {
    let quarter = core::f64::consts::FRAC_PI_2;
    let about = |axis: Point, random: &mut Random| {
        Quaternion::about(axis, f64::from(random.below(4)) * quarter)
    };
    about(Point::new(1.0, 0.0, 0.0), random)
        .then(about(Point::new(0.0, 1.0, 0.0), random))
        .then(about(Point::new(0.0, 0.0, 1.0), random))
}

/// The engine's pose closest to a rotation and a position in f64.
///
/// # Panics
/// If `rotation` is zero.
#[must_use]
pub fn pose(rotation: Quaternion, at: Point) -> Pose {
    // Components that differ from 0 by the rounding of f64 become 0.
    let clean = rotation.0.map(|c| if c.abs() < 1e-15 { 0.0 } else { c as f32 });
    let rotation = Rotation::from_quaternion(clean).expect("a quaternion of nonzero length");
    Pose { rotation, position: at.rounded() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_reference::true_separation;

    /// The reference confirms the [`Proximity`] of each scene.
    #[test]
    fn scenes_have_the_requested_proximity() {
        let pool = HullPool::new(60);
        for number in 0..3_000 {
            let scene = Scene::new(&pool, 1, number);
            let [a, b] = scene.solids();
            let distance = true_separation(&a, &b).separation;
            // Rounding of the poses.
            let tolerance = 4.0 * scene.world_rounding();
            let name =
                format!("{:?}, {:?}, {number}: {distance:e}", scene.orientation, scene.proximity);
            match scene.proximity {
                // A tilt moves the farthest vertex by less than the gap between larger bodies.
                Proximity::Separated => {
                    assert!(distance > -tolerance - 0.01 * scene.size(), "{name}");
                }
                Proximity::Near | Proximity::Touching
                    if scene.orientation != RelativeOrientation::NearlyAligned =>
                {
                    assert!(
                        distance > -tolerance && distance < 0.011 * scene.size() + tolerance,
                        "{name}"
                    );
                }
                Proximity::Shallow if scene.orientation != RelativeOrientation::NearlyAligned => {
                    assert!(
                        distance < tolerance && distance > -0.011 * scene.size() - tolerance,
                        "{name}"
                    );
                }
                // The shortest way out of a thin body is the other side, and a hull may not contain
                // its origin.
                _ => {}
            }
        }
    }
}
