//! Does the engine tell the truth about two bodies? One scene after the other, held against the judge.
//!
//! `cargo xtask soak contacts` asks of a million pairs, the tests of a part of them.

mod casts;
mod meshes;
mod tally;

pub use casts::{CastTally, cast_table, cast_trial};
pub use meshes::{MeshTally, mesh_trial};
pub use tally::{Finding, Tally, table, table_of};

use std::ops::Range;

use embate::contacts::{
    ContactPoint, Manifold, PairCache, Separation, contact, contact_cached, separation, touching,
};
use embate::{Pose, Vec3, shapes::Shape};
use embate_lab::random::Random;
use rayon::prelude::*;

use crate::contact_reference::claims::{Claim, Errors, judge, judge_normal, judge_point};
use crate::contact_reference::{Parting, Point, Solid, gap_along, parting};
use crate::contact_scenes::{KIND_PAIRS, Kind, Scene, Stock};

/// Depths, distances and points may be off by this part of the smaller shape's size, and by what f32 can lose of
/// the larger one's: of [`Scene::measure`]. Points where two edges meet may be ten times farther from the surfaces, and
/// are told as a tenth: see `beside_faces`.
pub const TOLERANCE: f64 = 1e-4;
/// A normal's length may be off by this: some steps of f32.
const UNIT: f64 = 1e-6;

/// Asks about every scene of these numbers; one tally for each of [`KIND_PAIRS`].
#[must_use]
pub fn trial(stock: &Stock, seed: u64, numbers: Range<u64>) -> Vec<Tally> {
    trial_of(stock, seed, numbers, &KIND_PAIRS)
}

/// The same for these kinds; one tally for each.
#[must_use]
pub fn trial_of(stock: &Stock, seed: u64, numbers: Range<u64>, pairs: &[[Kind; 2]]) -> Vec<Tally> {
    let kinds = pairs.len() as u64;
    let none = || vec![Tally::default(); pairs.len()];
    numbers
        .into_par_iter()
        .fold(none, |mut tallies, number| {
            let scene = Scene::of(stock, seed, number, pairs);
            ask(&scene, &mut tallies[(number % kinds) as usize]);
            tallies
        })
        .reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| a.and(b)).collect())
}

/// Asks everything about one scene.
pub fn ask(scene: &Scene, tally: &mut Tally) {
    let [a, b] = scene.solids();
    let bodies = Bodies::of(scene);
    tally.pairs += 1;
    let truth = ask_separation(scene, &bodies, [&a, &b], tally);
    tally.apart += u64::from(truth.separation > 0.0);
    let mut random = Random::for_purpose(7, &[scene.number]);
    let margin = match random.below(3) {
        0 => 0.0,
        1 => scene.size() as f32 * 0.01,
        _ => scene.size() as f32,
    };
    let found = bodies.contact(margin);
    ask_contact(scene, [&a, &b], &truth, margin, found.as_ref(), tally);
    ask_again(scene, &bodies, margin, found.as_ref(), tally);
}

/// Holds an answer about a scene against the judge, from wherever it comes.
pub fn ask_answer(scene: &Scene, margin: f32, found: Option<&Manifold>, tally: &mut Tally) {
    let [a, b] = scene.solids();
    tally.pairs += 1;
    ask_contact(scene, [&a, &b], &parting(&a, &b), margin, found, tally);
}

struct Bodies<'a> {
    a: (&'a Shape, &'a Pose),
    b: (&'a Shape, &'a Pose),
}

impl<'a> Bodies<'a> {
    fn of(scene: &'a Scene) -> Self {
        let body = |which: usize| (&scene.twins[which].shape, &scene.poses[which]);
        Self { a: body(0), b: body(1) }
    }

    fn turned_round(&self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// Equal in every bit: neither comes first, and none of two opposite normals is theirs.
    fn are_one(&self) -> bool {
        self.a == self.b
    }

    fn separation(&self) -> Separation {
        separation(self.a.0, self.a.1, self.b.0, self.b.1)
    }

    fn contact(&self, margin: f32) -> Option<Manifold> {
        contact(self.a.0, self.a.1, self.b.0, self.b.1, margin)
    }
}

fn ask_separation(
    scene: &Scene,
    bodies: &Bodies<'_>,
    [a, b]: [&Solid; 2],
    tally: &mut Tally,
) -> Parting {
    let told = bodies.separation();
    let claim = Claim {
        distance: told.distance.into(),
        normal_ab: Point::of(told.normal_ab),
        points: told.points.map(Point::of),
    };
    let (errors, truth) = judge(a, b, &claim);
    let errors = relative(scene, errors);
    tally.separation = tally.separation.worst(errors);
    if let Some(what) = too_large(&errors) {
        tally.find(scene, "separation", &format!("{what}: {told:?}, truly {truth:?}"));
    }
    let tolerance = TOLERANCE * scene.measure();
    let touches = touching(bodies.a.0, bodies.a.1, bodies.b.0, bodies.b.1);
    if !touches || told.distance > 0.0 {
        let overlap = -truth.separation;
        tally.wrongly_parted = tally.wrongly_parted.max(overlap / scene.measure());
        if overlap > scene.rounding() {
            tally.find(scene, "parting", &format!("what overlaps by {overlap:e}: {told:?}"));
        }
    }
    if touches != (told.distance <= 0.0) {
        tally.find(scene, "touching", &format!("is {touches}, but {told:?}"));
    }
    if truth.separation.abs() > tolerance && touches != (truth.separation < 0.0) {
        tally.find(scene, "touching", &format!("is {touches}, truly {truth:?}"));
    }
    if !bodies.are_one() && bodies.turned_round().separation() != turned(told) {
        tally.find(scene, "separation turned round", "differs");
    }
    truth
}

fn turned(told: Separation) -> Separation {
    let [a, b] = told.points;
    Separation { normal_ab: -told.normal_ab, points: [b, a], ..told }
}

/// Lengths as parts of the size; of points in the world, what f32 cannot hold of them left out.
fn relative(scene: &Scene, mut errors: Errors) -> Errors {
    let rounding = 2.0 * scene.world_rounding();
    errors.surface = (errors.surface - rounding).max(0.0);
    errors.opposite = (errors.opposite - rounding).max(0.0);
    errors.relative_to(scene.measure())
}

fn too_large(errors: &Errors) -> Option<String> {
    let Errors { distance, normal, surface, opposite, unit } = *errors;
    let parts = [
        ("distance", distance, TOLERANCE),
        ("normal", normal, TOLERANCE),
        ("surface", surface, TOLERANCE),
        ("opposite", opposite, TOLERANCE),
        ("unit", unit, UNIT),
    ];
    let wrong = parts.iter().filter(|(_, error, allowed)| error > allowed);
    let wrong: Vec<String> =
        wrong.map(|(name, error, _)| format!("{name} off by {error:.1e}")).collect();
    (!wrong.is_empty()).then(|| wrong.join(", "))
}

/// What is said of a contact is true. A body leaves a triangle on the side that its middle is on, which need not be
/// the shortest way, but it is no less deep along it than is said of any place.
fn ask_contact(
    scene: &Scene,
    [a, b]: [&Solid; 2],
    truth: &Parting,
    margin: f32,
    found: Option<&Manifold>,
    tally: &mut Tally,
) {
    let tolerance = TOLERANCE * scene.measure();
    let expected = truth.separation <= f64::from(margin);
    let sure = (truth.separation - f64::from(margin)).abs() > tolerance;
    let Some(manifold) = found else {
        if expected && sure {
            tally.find(scene, "no contact", &format!("within {margin}, truly {truth:?}"));
        }
        return;
    };
    if !expected && sure {
        let what = format!("within {margin}: {manifold:?}, truly {truth:?}");
        tally.find(scene, "contact beyond the margin", &what);
        return;
    }
    let triangle = scene.twins.iter().any(|twin| matches!(twin.shape, Shape::Mesh(_)));
    let any_way = triangle && truth.separation <= 0.0;
    tally.manifolds += 1;
    let points = manifold.points();
    if !(1..=4).contains(&points.len()) {
        tally.find(scene, "contact", &format!("has {} points", points.len()));
        return;
    }
    tally.counts[points.len() - 1] += 1;
    let normal = Point::of(manifold.normal);
    let mut errors = judge_normal(a, b, normal, truth);
    let deepest = points.iter().map(|p| f64::from(p.depth)).fold(f64::NEG_INFINITY, f64::max);
    errors.distance = (deepest + truth.separation).abs();
    if any_way {
        let along = gap_along(a, b, normal.unit().unwrap_or(normal));
        (errors.normal, errors.distance) = (0.0, (deepest + along).max(0.0));
    }
    for point in points {
        let depth = f64::from(point.depth);
        // The deepest is where it is said to be. Where bodies are tilted, another is a part of each that is no
        // deeper in the other: inside is right, outside there would be nothing to touch.
        let inside = any_way || depth != deepest;
        let surface = |side: f64| if inside { side.max(0.0) } else { side.abs() };
        // Along a way out that is not the shortest they may be apart before they have gone all of it, and the place where one
        // leaves the other is not on both.
        let apart = any_way.then(|| parting(a, &b.moved(normal * depth)).separation.max(0.0));
        for side in judge_point(a, b, normal, Point::of(point.point), depth) {
            let surface = (surface(side) - 0.5 * apart.unwrap_or(0.0)).max(0.0)
                * if beside_faces(point) { 0.1 } else { 1.0 };
            errors = errors.worst(Errors { surface, ..Errors::default() });
        }
        if -depth > f64::from(margin) + tolerance {
            tally.find(scene, "point beyond the margin", &format!("{margin}: {manifold:?}"));
        }
    }
    let errors = relative(scene, Errors::default().worst(errors));
    tally.contact = tally.contact.worst(errors);
    if let Some(what) = too_large(&errors) {
        let (normal, points) = (manifold.normal, manifold.points());
        let what = format!("{what}: {normal:?} {points:?}, truly {truth:?}");
        tally.find(scene, "contact", &what);
    }
    let twice = |i: usize| points[..i].iter().any(|other| other.feature == points[i].feature);
    if (0..points.len()).any(twice) {
        tally.find(scene, "one feature twice", &format!("{points:?}"));
    }
}

/// Whether two edges meet in a point: where they are nearly parallel they touch at both ends of what they share,
/// though they truly cross between. Such points may be ten times farther from the surfaces.
fn beside_faces(point: &ContactPoint) -> bool {
    let face = |part: u32| part >> 14 == 3;
    !face(point.feature >> 16) && !face(point.feature & 0xFFFF)
}

/// The same turned round; the same with a cache, fresh, used, and left by bodies that were elsewhere.
fn ask_again(
    scene: &Scene,
    bodies: &Bodies<'_>,
    margin: f32,
    found: Option<&Manifold>,
    tally: &mut Tally,
) {
    let round = bodies.turned_round().contact(margin);
    if !bodies.are_one() && !same_turned_round(found, round.as_ref()) {
        tally.find(scene, "contact turned round", &format!("differs: {found:?}, {round:?}"));
    }
    let mut cache = PairCache::default();
    let mut cached = |pose_b: &Pose| {
        contact_cached(bodies.a.0, bodies.a.1, bodies.b.0, pose_b, margin, &mut cache)
    };
    let mut aside = *bodies.b.1;
    aside.position += Vec3::splat(scene.size() as f32 * 0.01);
    let answers = [cached(bodies.b.1), cached(bodies.b.1)];
    cached(&aside);
    let answers = [answers[0], answers[1], cached(bodies.b.1)];
    if let Some(other) = answers.iter().find(|answer| answer.as_ref() != found) {
        tally.find(scene, "contact with a cache", &format!("differs: {found:?}, {other:?}"));
    }
}

fn same_turned_round(found: Option<&Manifold>, round: Option<&Manifold>) -> bool {
    let (Some(found), Some(round)) = (found, round) else {
        return found.is_none() && round.is_none();
    };
    let turned = |feature: u32| feature.rotate_left(16);
    found.normal == -round.normal
        && found.points().len() == round.points().len()
        && found.points().iter().zip(round.points()).all(|(a, b)| {
            a.point == b.point && a.depth == b.depth && a.feature == turned(b.feature)
        })
}
