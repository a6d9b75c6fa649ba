//! Does the engine tell truly when two moving bodies meet? One cast after the other, held against the
//! judge's 4,096 steps.

use std::ops::Range;

use embate::contacts::{Impact, time_of_impact};
use rayon::prelude::*;

use super::tally::Finding;
use crate::contact_reference::impact::{Moving, first_within, separation_at};
use crate::contact_reference::{Point, gap_along, parting_of_point};
use crate::contact_scenes::{CAST_PAIRS, Cast, Stock};

/// A time may be so much before the true one.
const EARLY: f64 = 1e-3;
/// And so much after it: a step of f32, times being rounded down.
const LATE: f64 = 1e-7;
/// Bodies this near to each other, as a part of the size, do touch, whatever happened at the judge's steps:
/// a corner that grazes the other in between goes unseen there, and poses in f32 say no more.
const TOUCHING: f64 = 1e-7;
/// Normals and points are f32, as parts of the size.
const GEOMETRY: f64 = 1e-4;
/// Findings kept of one kind of pair.
const KEPT: usize = 4;

/// What was asked about casts of two kinds, and how true the answers were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CastTally {
    /// Casts asked about.
    pub casts: u64,
    /// Casts that meet on the way.
    pub hits: u64,
    /// Casts that touch at the start.
    pub at_start: u64,
    /// Touches between two steps of the judge.
    pub between_steps: u64,
    /// How much before the true time an answer was, at worst.
    pub early: f64,
    /// How much after it.
    pub late: f64,
    /// How far the bodies are from the distance asked for at the time told, at worst, as a part of the size.
    pub apart: f64,
    /// How deep they are past it.
    pub past: f64,
    /// Answers that are wrong.
    pub wrong: u64,
    /// The first of them.
    pub findings: Vec<Finding>,
}

/// Asks about every cast of these numbers; one tally for each of [`CAST_PAIRS`].
#[must_use]
pub fn cast_trial(stock: &Stock, seed: u64, numbers: Range<u64>) -> Vec<CastTally> {
    let kinds = CAST_PAIRS.len() as u64;
    let none = || vec![CastTally::default(); CAST_PAIRS.len()];
    numbers
        .into_par_iter()
        .fold(none, |mut tallies, number| {
            ask(&Cast::new(stock, seed, number), &mut tallies[(number % kinds) as usize]);
            tallies
        })
        .reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| a.and(b)).collect())
}

fn ask(cast: &Cast, tally: &mut CastTally) {
    let [a, b] = [cast.moving(0), cast.moving(1)];
    let (shapes, motions) =
        ([&cast.twins[0].shape, &cast.twins[1].shape], [cast.motion(0), cast.motion(1)]);
    let told = time_of_impact(shapes[0], &motions[0], shapes[1], &motions[1], cast.distance);
    let round = time_of_impact(shapes[1], &motions[1], shapes[0], &motions[0], cast.distance);
    tally.casts += 1;
    if told != round.map(Impact::turned_round) {
        tally.find(cast, &format!("differs turned round: {told:?}, {round:?}"));
    }
    let distance = f64::from(cast.distance);
    let truth = first_within(&a, &b, 1.0, distance);
    let size = cast.size();
    match (told, truth) {
        (None, None) => {}
        (None, Some(time)) => {
            // A graze of less than rounding may be missed as well as told.
            let deepest = separation_at(&a, &b, time.next_up()) - distance;
            if time < 1.0 || deepest < -TOUCHING * size {
                tally.find(cast, &format!("is missed, truly at {time}"));
            }
        }
        (Some(told), truth) => {
            tally.at_start += u64::from(told.at_start);
            tally.hits += u64::from(!told.at_start);
            let time = f64::from(told.time);
            let off = separation_at(&a, &b, time) - distance;
            if !told.at_start {
                tally.apart = tally.apart.max(off / size);
                tally.past = tally.past.max(-off / size);
            }
            // Times are rounded down to f32, so that the bodies have up to a step of it to go.
            let step = f64::from(told.time.next_up() - told.time);
            let touches = off <= TOUCHING * size + step * speed(&a, &b);
            match truth {
                Some(truth) if (time - truth).abs() <= EARLY || !touches => {
                    tally.early = tally.early.max(truth - time);
                    tally.late = tally.late.max(time - truth);
                    if truth - time > EARLY || time - truth > LATE {
                        tally.find(cast, &format!("at {time}, truly {truth}: {off:e} off"));
                    }
                }
                Some(truth) if time > truth => {
                    tally.late = tally.late.max(time - truth);
                    tally.find(cast, &format!("at {time}, truly {truth}: {off:e} off"));
                }
                _ if touches => tally.between_steps += 1,
                _ => tally.find(cast, &format!("at {time}, truly never: {off:e} off")),
            }
            ask_geometry(cast, &a, &b, &told, tally);
        }
    }
}

/// No point of one body moves faster past the other.
fn speed(a: &Moving, b: &Moving) -> f64 {
    let turning = |moving: &Moving| moving.spin.length() * moving.form.reach();
    (b.velocity - a.velocity).length() + turning(a) + turning(b)
}

/// Whether normal and points are those of the bodies at that time.
fn ask_geometry(cast: &Cast, a: &Moving, b: &Moving, told: &Impact, tally: &mut CastTally) {
    let time = f64::from(told.time);
    let (a, b, size) = (a.at(time), b.at(time), cast.size());
    let normal = Point::of(told.normal);
    let separation = crate::contact_reference::parting(&a, &b).separation;
    let reach = cast.poses.iter().map(|pose| Point::of(pose.position).length()).sum::<f64>();
    let way = cast.velocities.iter().map(|v| Point::of(*v).length()).sum::<f64>();
    let tolerance = GEOMETRY * size + 4.0 * f64::from(f32::EPSILON) * (reach + way);
    if (normal.length() - 1.0).abs() > 1e-6 {
        tally.find(cast, &format!("has no unit normal: {told:?}"));
    }
    if separation - gap_along(&a, &b, normal) > tolerance {
        tally.find(cast, &format!("has a wrong normal: {told:?}, truly {separation} apart"));
    }
    let off = [(&a, 0), (&b, 1)]
        .map(|(solid, point)| parting_of_point(solid, Point::of(told.points[point])).abs());
    if off[0].max(off[1]) > tolerance {
        tally.find(cast, &format!("has points off the surfaces by {off:?}: {told:?}"));
    }
}

impl CastTally {
    fn find(&mut self, cast: &Cast, what: &str) {
        self.wrong += 1;
        self.keep(Finding { number: cast.number, about: "impact", what: what.to_owned() });
    }

    fn keep(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.findings.sort_by_key(|finding| finding.number);
        self.findings.truncate(KEPT);
    }

    fn and(mut self, other: Self) -> Self {
        self.casts += other.casts;
        self.hits += other.hits;
        self.at_start += other.at_start;
        self.between_steps += other.between_steps;
        self.early = self.early.max(other.early);
        self.late = self.late.max(other.late);
        self.apart = self.apart.max(other.apart);
        self.past = self.past.max(other.past);
        self.wrong += other.wrong;
        other.findings.into_iter().for_each(|finding| self.keep(finding));
        self
    }
}

/// A line for each kind of pair: how many, and the worst errors: of times, and of the distance at the time
/// told, as a part of the larger shape's size.
#[must_use]
pub fn cast_table(tallies: &[CastTally]) -> String {
    let mut lines = vec![format!(
        "{:<19} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "kinds", "casts", "hits", "at start", "between", "early", "late", "apart", "past", "wrong"
    )];
    for (kinds, tally) in CAST_PAIRS.iter().zip(tallies) {
        let kinds = format!("{:?}-{:?}", kinds[0], kinds[1]).to_lowercase();
        lines.push(format!(
            "{kinds:<19} {:>7} {:>7} {:>8} {:>8} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>6}",
            tally.casts,
            tally.hits,
            tally.at_start,
            tally.between_steps,
            tally.early,
            tally.late,
            tally.apart,
            tally.past,
            tally.wrong,
        ));
    }
    lines.join("\n")
}
