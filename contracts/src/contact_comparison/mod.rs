//! Narrow-phase queries compared with the f64 reference, scene by scene.
//!
//! `cargo xtask soak contacts` compares a million pairs, the tests a part of them.

mod casts;
mod mesh_penetration;
mod meshes;
mod tally;

pub use casts::{CastTally, cast_table, compare_casts};
pub use mesh_penetration::{
    PenetrationTally, ReferenceMesh, compare_mesh_penetrations, reference_meshes,
};
pub use meshes::{MeshTally, compare_mesh_contacts};
pub use tally::{ContactTally, Finding, contact_table, contact_table_of_kinds};

use std::ops::Range;

use embate::narrow_phase::{
    ClosestPoints, ContactPoint, Manifold, ManifoldCache, closest_points, contact_manifold,
    contact_manifold_cached, intersects,
};
use embate::{Pose, Vec3, shapes::Shape};
use embate_scene::random::Random;
use rayon::prelude::*;

use crate::contact_reference::{Answer, Errors, evaluate, evaluate_normal, evaluate_point};
use crate::contact_reference::{
    Point, SeparationTruth, Solid, separation_along_axis, true_separation,
};
use crate::contact_scenes::{HullPool, SHAPE_PAIRS, Scene, ShapeKind};

/// Tolerance of penetrations, distances and points, relative to [`Scene::error_scale`]: the size of
/// the smaller shape plus the rounding of the larger one. Edge–edge points may be 10 times farther
/// from the surfaces; their error is divided by 10: see `is_edge_edge`.
pub const TOLERANCE: f64 = 1e-4;
/// Tolerance of the length of a normal: several ulps of f32.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Compares the scenes with these indices; one tally per entry of [`SHAPE_PAIRS`].
#[must_use]
pub fn compare_contacts(pool: &HullPool, seed: u64, numbers: Range<u64>) -> Vec<ContactTally> {
    compare_contacts_of_kinds(pool, seed, numbers, &SHAPE_PAIRS)
}

/// [`compare_contacts`] for other pairs of types; one tally for each.
#[must_use]
pub fn compare_contacts_of_kinds(
    pool: &HullPool,
    seed: u64,
    numbers: Range<u64>,
    pairs: &[[ShapeKind; 2]],
) -> Vec<ContactTally> {
    let kinds = pairs.len() as u64;
    let none = || vec![ContactTally::default(); pairs.len()];
    numbers
        .into_par_iter()
        .fold(none, |mut tallies, number| {
            let scene = Scene::with_kinds(pool, seed, number, pairs);
            compare_scene(&scene, &mut tallies[(number % kinds) as usize]);
            tallies
        })
        .reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| a.merged(b)).collect())
}

/// Compares all queries of one scene.
pub fn compare_scene(scene: &Scene, tally: &mut ContactTally) {
    let [a, b] = scene.solids();
    let bodies = PosedPair::of(scene);
    tally.pairs += 1;
    let truth = compare_closest_points(scene, &bodies, [&a, &b], tally);
    tally.separated += u64::from(truth.separation > 0.0);
    let mut random = Random::for_purpose(7, &[scene.number]);
    let margin = match random.below(3) {
        0 => 0.0,
        1 => scene.size() as f32 * 0.01,
        _ => scene.size() as f32,
    };
    let manifold = bodies.contact_manifold(margin);
    compare_with_reference(scene, [&a, &b], &truth, margin, manifold.as_ref(), tally);
    compare_variants(scene, &bodies, margin, manifold.as_ref(), tally);
}

/// Compares a manifold of any origin with the reference.
pub fn compare_manifold(
    scene: &Scene,
    margin: f32,
    manifold: Option<&Manifold>,
    tally: &mut ContactTally,
) {
    let [a, b] = scene.solids();
    tally.pairs += 1;
    compare_with_reference(scene, [&a, &b], &true_separation(&a, &b), margin, manifold, tally);
}

struct PosedPair<'a> {
    a: (&'a Shape, &'a Pose),
    b: (&'a Shape, &'a Pose),
}

impl<'a> PosedPair<'a> {
    fn of(scene: &'a Scene) -> Self {
        let body = |index: usize| (&scene.shapes[index].shape, &scene.poses[index]);
        Self { a: body(0), b: body(1) }
    }

    fn swapped(&self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// Bitwise equal bodies: there is no canonical order, and both opposite normals are valid.
    fn are_identical(&self) -> bool {
        self.a == self.b
    }

    fn closest_points(&self) -> ClosestPoints {
        closest_points(self.a.0, self.a.1, self.b.0, self.b.1)
    }

    fn contact_manifold(&self, margin: f32) -> Option<Manifold> {
        contact_manifold(self.a.0, self.a.1, self.b.0, self.b.1, margin)
    }
}

fn compare_closest_points(
    scene: &Scene,
    bodies: &PosedPair<'_>,
    [a, b]: [&Solid; 2],
    tally: &mut ContactTally,
) -> SeparationTruth {
    let closest = bodies.closest_points();
    let answer = Answer {
        distance: closest.distance.into(),
        normal: Point::of(closest.normal),
        points: closest.points.map(Point::of),
    };
    let (errors, truth) = evaluate(a, b, &answer);
    let errors = relative(scene, errors);
    tally.distance_errors = tally.distance_errors.worst(errors);
    if let Some(excess) = excess_errors(&errors) {
        let error = format!("{excess}: {closest:?}, reference {truth:?}");
        tally.record(scene, "closest points", &error);
    }
    let tolerance = TOLERANCE * scene.error_scale();
    let touches = intersects(bodies.a.0, bodies.a.1, bodies.b.0, bodies.b.1);
    if !touches || closest.distance > 0.0 {
        let penetration = -truth.separation;
        tally.missed_penetration = tally.missed_penetration.max(penetration / scene.error_scale());
        if penetration > scene.rounding() {
            let error = format!("misses a penetration of {penetration:e}: {closest:?}");
            tally.record(scene, "separation", &error);
        }
    }
    if touches != (closest.distance <= 0.0) {
        tally.record(scene, "intersects", &format!("is {touches}, but {closest:?}"));
    }
    if truth.separation.abs() > tolerance && touches != (truth.separation < 0.0) {
        tally.record(scene, "intersects", &format!("is {touches}, reference {truth:?}"));
    }
    if !bodies.are_identical() && bodies.swapped().closest_points() != flipped(closest) {
        tally.record(scene, "closest points of swapped bodies", "differ");
    }
    truth
}

fn flipped(closest: ClosestPoints) -> ClosestPoints {
    let [a, b] = closest.points;
    ClosestPoints { normal: -closest.normal, points: [b, a], ..closest }
}

/// Errors relative to the error scale; the rounding of world-space points is subtracted.
fn relative(scene: &Scene, mut errors: Errors) -> Errors {
    let rounding = 2.0 * scene.world_rounding();
    errors.surface = (errors.surface - rounding).max(0.0);
    errors.opposite = (errors.opposite - rounding).max(0.0);
    errors.relative_to(scene.error_scale())
}

fn excess_errors(errors: &Errors) -> Option<String> {
    let Errors { distance, normal, surface, opposite, unit } = *errors;
    let parts = [
        ("distance", distance, TOLERANCE),
        ("normal", normal, TOLERANCE),
        ("surface", surface, TOLERANCE),
        ("opposite", opposite, TOLERANCE),
        ("unit", unit, UNIT_TOLERANCE),
    ];
    let excess = parts.iter().filter(|(_, error, tolerance)| error > tolerance);
    let excess: Vec<String> =
        excess.map(|(name, error, _)| format!("{name} error {error:.1e}")).collect();
    (!excess.is_empty()).then(|| excess.join(", "))
}

/// Compares a manifold with the reference. A body leaves a triangle on the side of its center,
/// which need not be the shortest way, but its penetration along that normal is at least that of
/// each point.
fn compare_with_reference(
    scene: &Scene,
    [a, b]: [&Solid; 2],
    truth: &SeparationTruth,
    margin: f32,
    manifold: Option<&Manifold>,
    tally: &mut ContactTally,
) {
    let tolerance = TOLERANCE * scene.error_scale();
    let expected = truth.separation <= f64::from(margin);
    let is_decidable = (truth.separation - f64::from(margin)).abs() > tolerance;
    let Some(manifold) = manifold else {
        if expected && is_decidable {
            let error = format!("margin {margin}, reference {truth:?}");
            tally.record(scene, "missing contact", &error);
        }
        return;
    };
    if !expected && is_decidable {
        let error = format!("margin {margin}: {manifold:?}, reference {truth:?}");
        tally.record(scene, "contact beyond the margin", &error);
        return;
    }
    let has_triangle = scene.shapes.iter().any(|body| matches!(body.shape, Shape::TriMesh(_)));
    let any_normal = has_triangle && truth.separation <= 0.0;
    tally.manifolds += 1;
    let points = manifold.points();
    if !(1..=4).contains(&points.len()) {
        tally.record(scene, "contact", &format!("has {} points", points.len()));
        return;
    }
    tally.point_counts[points.len() - 1] += 1;
    let normal = Point::of(manifold.normal);
    let mut errors = evaluate_normal(a, b, normal, truth);
    let deepest = points.iter().map(|p| f64::from(p.penetration)).fold(f64::NEG_INFINITY, f64::max);
    errors.distance = (deepest + truth.separation).abs();
    if any_normal {
        let along = separation_along_axis(a, b, normal.unit().unwrap_or(normal));
        (errors.normal, errors.distance) = (0.0, (deepest + along).max(0.0));
    }
    for point in points {
        let depth = f64::from(point.penetration);
        // The deepest point lies on both surfaces. If the bodies are tilted, the other points may
        // lie inside the surfaces, but not outside.
        let may_be_inside = any_normal || depth != deepest;
        let surface = |side: f64| if may_be_inside { side.max(0.0) } else { side.abs() };
        // Along a normal that is not the shortest way out, the bodies may separate before the full
        // penetration, and the point need not lie on both surfaces.
        let separation =
            any_normal.then(|| true_separation(a, &b.moved(normal * depth)).separation.max(0.0));
        for side in evaluate_point(a, b, normal, Point::of(point.position), depth) {
            let surface = (surface(side) - 0.5 * separation.unwrap_or(0.0)).max(0.0)
                * if is_edge_edge(point) { 0.1 } else { 1.0 };
            errors = errors.worst(Errors { surface, ..Errors::default() });
        }
        if -depth > f64::from(margin) + tolerance {
            tally.record(scene, "point beyond the margin", &format!("{margin}: {manifold:?}"));
        }
    }
    let errors = relative(scene, Errors::default().worst(errors));
    tally.contact_errors = tally.contact_errors.worst(errors);
    if let Some(excess) = excess_errors(&errors) {
        let (normal, points) = (manifold.normal, manifold.points());
        let error = format!("{excess}: {normal:?} {points:?}, reference {truth:?}");
        tally.record(scene, "contact", &error);
    }
    let is_duplicate =
        |i: usize| points[..i].iter().any(|other| other.feature_id == points[i].feature_id);
    if (0..points.len()).any(is_duplicate) {
        tally.record(scene, "duplicate feature id", &format!("{points:?}"));
    }
}

/// Whether a point belongs to two edges. Nearly parallel edges touch at both ends of their overlap
/// although they cross in between, so such points may be 10 times farther from the surfaces.
fn is_edge_edge(point: &ContactPoint) -> bool {
    let is_face = |feature: u32| feature >> 14 == 3;
    !is_face(point.feature_id >> 16) && !is_face(point.feature_id & 0xFFFF)
}

/// Compares with swapped bodies and with a manifold cache: fresh, used, and filled at another pose.
fn compare_variants(
    scene: &Scene,
    bodies: &PosedPair<'_>,
    margin: f32,
    manifold: Option<&Manifold>,
    tally: &mut ContactTally,
) {
    let swapped = bodies.swapped().contact_manifold(margin);
    if !bodies.are_identical() && !equal_flipped(manifold, swapped.as_ref()) {
        let error = format!("differs: {manifold:?}, {swapped:?}");
        tally.record(scene, "contact of swapped bodies", &error);
    }
    let mut cache = ManifoldCache::default();
    let mut cached = |pose_b: &Pose| {
        contact_manifold_cached(bodies.a.0, bodies.a.1, bodies.b.0, pose_b, margin, &mut cache)
    };
    let mut offset_pose = *bodies.b.1;
    offset_pose.position += Vec3::splat(scene.size() as f32 * 0.01);
    let results = [cached(bodies.b.1), cached(bodies.b.1)];
    cached(&offset_pose);
    let results = [results[0], results[1], cached(bodies.b.1)];
    if let Some(other) = results.iter().find(|result| result.as_ref() != manifold) {
        tally.record(scene, "cached contact", &format!("differs: {manifold:?}, {other:?}"));
    }
}

fn equal_flipped(manifold: Option<&Manifold>, swapped: Option<&Manifold>) -> bool {
    let (Some(manifold), Some(swapped)) = (manifold, swapped) else {
        return manifold.is_none() && swapped.is_none();
    };
    let flipped = |feature: u32| feature.rotate_left(16);
    manifold.normal == -swapped.normal
        && manifold.points().len() == swapped.points().len()
        && manifold.points().iter().zip(swapped.points()).all(|(a, b)| {
            a.position == b.position
                && a.penetration == b.penetration
                && a.feature_id == flipped(b.feature_id)
        })
}
