//! Pair queries: time, and error compared with the f64 reference.
//!
//! A pair is placed along a random direction, by bisection, at the requested distance: apart,
//! touching (within a millimeter either way) or deep. The reference evaluates the pair as rounded
//! to f32.

use embate::narrow_phase::{closest_points, contact_manifold, intersects};
use embate::shapes::{ConvexHull, Cuboid, Shape, Sphere};
use embate::{Pose, Rotation, Vec3};
use embate_reference::{Point, ReferenceShape, Transform, true_separation};
use embate_scene::random::Random;

use super::row::Row;
use super::stages::Stages;
use crate::runner::run_context::RunContext;

/// Solids of the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solid {
    Sphere,
    Box,
    Polyhedron,
}

/// The six tests of the study.
pub(super) const TESTS: [[Solid; 2]; 6] = [
    [Solid::Sphere, Solid::Sphere],
    [Solid::Box, Solid::Box],
    [Solid::Sphere, Solid::Box],
    [Solid::Sphere, Solid::Polyhedron],
    [Solid::Box, Solid::Polyhedron],
    [Solid::Polyhedron, Solid::Polyhedron],
];

/// Placement of two solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    Apart,
    Touching,
    Deep,
}

impl Placement {
    pub(super) const ALL: [Self; 3] = [Self::Apart, Self::Touching, Self::Deep];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Touching => "touching",
            Self::Deep => "deep",
        }
    }

    /// A distance of the solids; negative is a depth.
    fn distance(self, random: &mut Random) -> f64 {
        match self {
            Self::Apart => 0.05 + random.unit_f64(),
            Self::Touching => 2e-3 * random.unit_f64() - 1e-3,
            Self::Deep => -0.05 - 0.2 * random.unit_f64(),
        }
    }
}

impl Solid {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Box => "box",
            Self::Polyhedron => "polyhedron",
        }
    }

    /// One shape of its kind, for the engine and for the reference. About a meter across.
    fn draw(self, random: &mut Random) -> (Shape, ReferenceShape) {
        const VALID: &str = "solids are drawn with a size";
        match self {
            Self::Sphere => {
                let radius = random.between(0.3, 0.8);
                (Sphere::new(radius).expect(VALID).into(), ReferenceShape::sphere(radius.into()))
            }
            Self::Box => {
                let half = Vec3::new(
                    random.between(0.3, 0.8),
                    random.between(0.3, 0.8),
                    random.between(0.3, 0.8),
                );
                (Cuboid::new(half).expect(VALID).into(), ReferenceShape::cuboid(Point::of(half)))
            }
            Self::Polyhedron => loop {
                let points: Vec<Vec3> = (0..12)
                    .map(|_| Vec3::from(random.direction()) * random.between(0.5, 0.8))
                    .collect();
                // Twelve directions in one half of space make a flat hull, if seldom.
                if let Ok(hull) = ConvexHull::new(&points) {
                    let corners = hull.vertices().iter().map(|&corner| Point::of(corner)).collect();
                    return (hull.into(), ReferenceShape::hull(corners));
                }
            },
        }
    }
}

/// A query of two solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairQuery {
    /// Intersection test.
    Touching,
    /// Signed distance.
    Separation,
    /// Contact manifold.
    Contact,
}

impl PairQuery {
    pub(super) const ALL: [Self; 3] = [Self::Touching, Self::Separation, Self::Contact];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Touching => "touching",
            Self::Separation => "separation",
            Self::Contact => "contact",
        }
    }

    /// Whether they touch, and their distance, if the query returns one.
    fn run(self, pair: &Pair) -> (bool, Option<f32>) {
        let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
        match self {
            Self::Touching => (intersects(a, pose_a, b, pose_b), None),
            Self::Separation => {
                let distance = closest_points(a, pose_a, b, pose_b).distance;
                (distance <= 0.0, Some(distance))
            }
            Self::Contact => {
                let found = contact_manifold(a, pose_a, b, pose_b, 0.0);
                (found.is_some(), found.map(|manifold| -manifold.max_penetration()))
            }
        }
    }
}

/// Two solids and their reference distance.
struct Pair {
    shapes: [Shape; 2],
    poses: [Pose; 2],
    reference: f64,
}

impl Pair {
    fn draw(solids: [Solid; 2], placement: Placement, random: &mut Random) -> Self {
        let [(a, reference_a), (b, reference_b)] = solids.map(|solid| solid.draw(random));
        let turned = |random: &mut Random| {
            let turn =
                Rotation::from_axis_angle(Vec3::from(random.direction()), random.between(0.0, 6.0));
            Pose { rotation: turn.unwrap_or(Rotation::IDENTITY), position: Vec3::ZERO }
        };
        let (pose_a, mut pose_b) = (turned(random), turned(random));
        let (away, wanted) = (Vec3::from(random.direction()), placement.distance(random));
        let solid_a = reference_a.placed(&Transform::of(&pose_a));
        let mut reference_at = |along: f32| {
            pose_b.position = away * along;
            (
                pose_b,
                true_separation(&solid_a, &reference_b.placed(&Transform::of(&pose_b))).separation,
            )
        };
        // Farther along, two solids that both hold the origin part more and more.
        let (mut near, mut far) = (0.0_f32, 8.0_f32);
        for _ in 0..24 {
            let middle = 0.5 * (near + far);
            if reference_at(middle).1 < wanted { near = middle } else { far = middle }
        }
        let (pose_b, reference) = reference_at(far);
        Self { shapes: [a, b], poses: [pose_a, pose_b], reference }
    }
}

/// A pair of solids and a placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairCase {
    pub(super) solids: [Solid; 2],
    pub(super) placement: Placement,
    pub(super) pairs: u32,
    pub(super) seed: u64,
}

/// Within this distance of touching, either result is right in f32: solids of a meter have coordinates of
/// up to two, with roundings of 1e-7 each.
const CLOSE: f64 = 1e-5;
/// Maximum error of a distance, as contacts guarantee for solids of a meter. The largest
/// error of each case stands in its row; of 36,000 pairs four are off by more than 10 µm, at most
/// by 14.
const MAX_ERROR: f64 = 1e-4;
/// Repetitions of all pairs per reading.
const ROUNDS: u32 = 5;
/// Minimum seconds of a reading, for clocks of coarse resolution: a hundred of the finest ticks of
/// browsers, 5 µs. Shorter readings could be 0.
const LONG_ENOUGH: f64 = 5e-4;
/// Maximum repetitions of all pairs per reading of the clock, in case it does not advance.
const MAX_TIMES: u32 = 1024;

impl PairCase {
    pub(super) fn name(&self) -> String {
        let [a, b] = self.solids.map(Solid::name);
        format!("{a}-{b} {}", self.placement.name())
    }

    /// One row per query.
    pub(super) fn rows(
        &self,
        queries: &[PairQuery],
        repeats: u32,
        context: &RunContext<'_>,
    ) -> Vec<Row> {
        let test = TESTS.iter().position(|test| *test == self.solids).unwrap_or(0);
        let placement = Placement::ALL.iter().position(|one| *one == self.placement).unwrap_or(0);
        let mut random = Random::for_purpose(self.seed, &[3, test as u64, placement as u64]);
        let draw = |_| {
            (context.on_progress)(1);
            Pair::draw(self.solids, self.placement, &mut random)
        };
        let pairs: Vec<Pair> = (0..self.pairs).map(draw).collect();
        // Minimum over interleaved rounds: a disturbance affects all queries alike.
        let mut best = vec![f64::INFINITY; queries.len()];
        let seconds_of = |query: &PairQuery, times: u32| {
            let touching = || pairs.iter().filter(|pair| query.run(pair).0).count();
            let work = || (0..times).map(|_| std::hint::black_box(touching())).max();
            context.time(work).1
        };
        // Minimum of three: a disturbance may lengthen one of them.
        let shortest = |query: &PairQuery, times: u32| {
            (0..3).map(|_| seconds_of(query, times)).fold(f64::INFINITY, f64::min)
        };
        let mut times = vec![1; queries.len()];
        for (query, times) in queries.iter().zip(&mut times) {
            while *times < MAX_TIMES && shortest(query, *times) < LONG_ENOUGH {
                *times *= 2;
            }
        }
        for _ in 0..repeats.max(1) * ROUNDS {
            for ((query, best), times) in queries.iter().zip(&mut best).zip(&times) {
                let calls = pairs.len().max(1) as f64 * f64::from(*times);
                *best = best.min(seconds_of(query, *times) * 1e3 / calls);
            }
        }
        queries.iter().zip(&best).map(|(query, ms)| self.row(*query, *ms, &pairs)).collect()
    }

    fn row(&self, query: PairQuery, ms: f64, pairs: &[Pair]) -> Row {
        let (mut wrong, mut touching, mut distances) = (0, 0_u32, 0_u32);
        let (mut sum, mut largest) = (0.0, 0.0_f64);
        for pair in pairs {
            let (touches, distance) = query.run(pair);
            touching += u32::from(touches);
            let is_misclassified =
                touches != (pair.reference <= 0.0) && pair.reference.abs() > CLOSE;
            let error = distance.map(|distance| (f64::from(distance) - pair.reference).abs());
            if let Some(error) = error {
                distances += 1;
                sum += error;
                largest = largest.max(error);
            }
            wrong += u64::from(
                is_misclassified || error.is_some_and(|error| error.is_nan() || error > MAX_ERROR),
            );
        }
        Row {
            part: "pairs".to_owned(),
            case: self.name(),
            technique: query.name().to_owned(),
            bodies: 2,
            steps: self.pairs,
            seed: self.seed,
            contacts_per_step: Some(f64::from(touching) / f64::from(self.pairs.max(1))),
            ms: Stages { narrow: Some(ms), ..Stages::default() },
            mean_penetration: (distances > 0).then(|| sum / f64::from(distances)),
            max_penetration: (distances > 0).then_some(largest),
            disagreements: Some(wrong),
            ..Row::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run_context::system_clock;

    /// In a browser, whose clock moves in steps of 5 µs, two hundred tests of spheres once took no
    /// time at all.
    #[test]
    fn pair_test_time_is_positive_with_a_coarse_clock() {
        fn coarse_clock() -> f64 {
            (system_clock() * 2e5).floor() / 2e5
        }
        let context = RunContext { clock: coarse_clock, on_progress: &|_| {} };
        let solids = [Solid::Sphere; 2];
        let case = PairCase { solids, placement: Placement::Touching, pairs: 20, seed: 1 };
        for row in case.rows(&PairQuery::ALL, 1, &context) {
            assert!(row.ms.narrow.is_some_and(|ms| ms > 0.0), "{row:?}");
        }
    }
}
