//! Time of impact compared with the reference, which samples each cast at 4,096 times.

use std::ops::Range;

use embate::narrow_phase::{TimeOfImpact, time_of_impact};
use rayon::prelude::*;

use super::tally::Finding;
use crate::contact_reference::toi::{MovingShape, first_time_within, separation_at};
use crate::contact_reference::{
    Point, separation_along_axis, true_separation, true_separation_of_point,
};
use crate::contact_scenes::{CAST_PAIRS, Cast, HullPool};

/// Allowed time before the true impact.
const MAX_EARLY: f64 = 1e-3;
/// Allowed time after the true impact: one ulp of f32; times are rounded down.
const MAX_LATE: f64 = 1e-7;
/// Distance, relative to the size, at which bodies count as touching even if the reference finds no
/// impact: it misses a grazing vertex between two samples, and poses in f32 are no more precise.
const TOUCHING_DISTANCE: f64 = 1e-7;
/// Tolerance of normals and points, which are f32, relative to the size.
const GEOMETRY_TOLERANCE: f64 = 1e-4;
/// Number of findings kept per pair of types.
const MAX_FINDINGS: usize = 4;

/// Accuracy of the casts of two types of shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CastTally {
    /// Number of casts.
    pub casts: u64,
    /// Casts with an impact after the start.
    pub hits: u64,
    /// Casts that touch at the start.
    pub initially_overlapping: u64,
    /// Impacts between two samples of the reference.
    pub between_samples: u64,
    /// Largest time before the true impact.
    pub max_early: f64,
    /// Largest time after the true impact.
    pub max_late: f64,
    /// Largest distance beyond the target distance at the returned time, relative to the size.
    pub max_gap: f64,
    /// Largest penetration of the target distance at the returned time, relative to the size.
    pub max_penetration: f64,
    /// Number of wrong results.
    pub wrong: u64,
    /// The first wrong results.
    pub findings: Vec<Finding>,
}

/// Compares the casts with these indices; one tally per entry of [`CAST_PAIRS`].
#[must_use]
pub fn compare_casts(pool: &HullPool, seed: u64, numbers: Range<u64>) -> Vec<CastTally> {
    let kinds = CAST_PAIRS.len() as u64;
    let none = || vec![CastTally::default(); CAST_PAIRS.len()];
    numbers
        .into_par_iter()
        .fold(none, |mut tallies, number| {
            compare_cast(&Cast::new(pool, seed, number), &mut tallies[(number % kinds) as usize]);
            tallies
        })
        .reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| a.merged(b)).collect())
}

fn compare_cast(cast: &Cast, tally: &mut CastTally) {
    let [a, b] = [cast.moving(0), cast.moving(1)];
    let (shapes, sweeps) =
        ([&cast.shapes[0].shape, &cast.shapes[1].shape], [cast.sweep(0), cast.sweep(1)]);
    let impact = time_of_impact(shapes[0], &sweeps[0], shapes[1], &sweeps[1], cast.distance);
    let swapped = time_of_impact(shapes[1], &sweeps[1], shapes[0], &sweeps[0], cast.distance);
    tally.casts += 1;
    if impact != swapped.map(TimeOfImpact::flipped) {
        tally.record(cast, &format!("differs for swapped bodies: {impact:?}, {swapped:?}"));
    }
    let distance = f64::from(cast.distance);
    let truth = first_time_within(&a, &b, 1.0, distance);
    let size = cast.size();
    match (impact, truth) {
        (None, None) => {}
        (None, Some(time)) => {
            // A graze below rounding may be missed or reported.
            let deepest = separation_at(&a, &b, time.next_up()) - distance;
            if time < 1.0 || deepest < -TOUCHING_DISTANCE * size {
                tally.record(cast, &format!("missed, reference {time}"));
            }
        }
        (Some(impact), truth) => {
            tally.initially_overlapping += u64::from(impact.initially_overlapping);
            tally.hits += u64::from(!impact.initially_overlapping);
            let time = f64::from(impact.fraction);
            let error = separation_at(&a, &b, time) - distance;
            if !impact.initially_overlapping {
                tally.max_gap = tally.max_gap.max(error / size);
                tally.max_penetration = tally.max_penetration.max(-error / size);
            }
            // Times are rounded down to f32, so the bodies may lack one ulp of motion.
            let ulp = f64::from(impact.fraction.next_up() - impact.fraction);
            let touches = error <= TOUCHING_DISTANCE * size + ulp * max_speed(&a, &b);
            match truth {
                Some(truth) if (time - truth).abs() <= MAX_EARLY || !touches => {
                    tally.max_early = tally.max_early.max(truth - time);
                    tally.max_late = tally.max_late.max(time - truth);
                    if truth - time > MAX_EARLY || time - truth > MAX_LATE {
                        tally.record(
                            cast,
                            &format!("at {time}, reference {truth}: distance error {error:e}"),
                        );
                    }
                }
                Some(truth) if time > truth => {
                    tally.max_late = tally.max_late.max(time - truth);
                    tally.record(
                        cast,
                        &format!("at {time}, reference {truth}: distance error {error:e}"),
                    );
                }
                _ if touches => tally.between_samples += 1,
                _ => tally
                    .record(cast, &format!("at {time}, reference none: distance error {error:e}")),
            }
            compare_geometry(cast, &a, &b, &impact, tally);
        }
    }
}

/// Upper bound of the relative speed of two points of the bodies.
fn max_speed(a: &MovingShape, b: &MovingShape) -> f64 {
    let rotation = |moving: &MovingShape| moving.angular_velocity.length() * moving.shape.reach();
    (b.velocity - a.velocity).length() + rotation(a) + rotation(b)
}

/// Compares normal and witness points at the time of impact.
fn compare_geometry(
    cast: &Cast,
    a: &MovingShape,
    b: &MovingShape,
    impact: &TimeOfImpact,
    tally: &mut CastTally,
) {
    let time = f64::from(impact.fraction);
    let (a, b, size) = (a.at(time), b.at(time), cast.size());
    let normal = Point::of(impact.normal);
    let separation = true_separation(&a, &b).separation;
    let max_coordinate =
        cast.poses.iter().map(|pose| Point::of(pose.position).length()).sum::<f64>();
    let path_length = cast.translations.iter().map(|v| Point::of(*v).length()).sum::<f64>();
    let tolerance =
        GEOMETRY_TOLERANCE * size + 4.0 * f64::from(f32::EPSILON) * (max_coordinate + path_length);
    if (normal.length() - 1.0).abs() > 1e-6 {
        tally.record(cast, &format!("normal is not of unit length: {impact:?}"));
    }
    if separation - separation_along_axis(&a, &b, normal) > tolerance {
        tally.record(cast, &format!("wrong normal: {impact:?}, reference distance {separation}"));
    }
    let errors = [(&a, 0), (&b, 1)].map(|(solid, point)| {
        true_separation_of_point(solid, Point::of(impact.witness_points[point])).abs()
    });
    if errors[0].max(errors[1]) > tolerance {
        tally.record(cast, &format!("witness points off the surfaces by {errors:?}: {impact:?}"));
    }
}

impl CastTally {
    fn record(&mut self, cast: &Cast, error: &str) {
        self.wrong += 1;
        self.keep_finding(Finding {
            number: cast.number,
            query: "time of impact",
            description: error.to_owned(),
        });
    }

    fn keep_finding(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.findings.sort_by_key(|finding| finding.number);
        self.findings.truncate(MAX_FINDINGS);
    }

    fn merged(mut self, other: Self) -> Self {
        self.casts += other.casts;
        self.hits += other.hits;
        self.initially_overlapping += other.initially_overlapping;
        self.between_samples += other.between_samples;
        self.max_early = self.max_early.max(other.max_early);
        self.max_late = self.max_late.max(other.max_late);
        self.max_gap = self.max_gap.max(other.max_gap);
        self.max_penetration = self.max_penetration.max(other.max_penetration);
        self.wrong += other.wrong;
        other.findings.into_iter().for_each(|finding| self.keep_finding(finding));
        self
    }
}

/// Table with one line per pair of types: counts, and the largest errors of the time and of the
/// distance at the returned time, relative to the size of the larger shape.
#[must_use]
pub fn cast_table(tallies: &[CastTally]) -> String {
    let mut lines = vec![format!(
        "{:<19} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "kinds", "casts", "hits", "at start", "between", "early", "late", "gap", "depth", "wrong"
    )];
    for (kinds, tally) in CAST_PAIRS.iter().zip(tallies) {
        let kinds = format!("{:?}-{:?}", kinds[0], kinds[1]).to_lowercase();
        lines.push(format!(
            "{kinds:<19} {:>7} {:>7} {:>8} {:>8} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>6}",
            tally.casts,
            tally.hits,
            tally.initially_overlapping,
            tally.between_samples,
            tally.max_early,
            tally.max_late,
            tally.max_gap,
            tally.max_penetration,
            tally.wrong,
        ));
    }
    lines.join("\n")
}
