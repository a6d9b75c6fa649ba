//! Interleaved passes of both peers over all pairs; the minimum time counts.

use std::hint::black_box;

use super::ours::Ours;
use super::parry::Parry;
use super::scenes::{FRAMES, MARGIN, Motion, Workload};
use crate::harness::measure::best_of;

/// Error relative to the size above which a result counts as wrong.
const TOLERANCE: f64 = 1e-3;

/// Kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Cold,
    Cached(Motion),
    Closest,
}

const QUERIES: [Query; 4] =
    [Query::Cold, Query::Cached(Motion::Moving), Query::Cached(Motion::Resting), Query::Closest];

impl Query {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Cached(Motion::Moving) => "moving",
            Self::Cached(Motion::Resting) => "resting",
            Self::Closest => "closest",
        }
    }
}

/// Signed distance; `None` without a contact.
pub type Distance = Option<f64>;

/// A narrow phase with its state for all pairs.
pub trait Peer {
    /// Queries every pair in one frame. The sum of the results keeps the optimizer from removing
    /// them.
    fn pass(&mut self, workload: &Workload, query: Query, frame: usize) -> f32;

    /// Distances in the first frame; with a cache, after all other frames.
    fn distances(&mut self, workload: &Workload, query: Query) -> Vec<Distance>;
}

/// Result of one query.
pub struct Measurement {
    pub query: Query,
    /// Nanoseconds per pair, of Embate and parry.
    pub nanoseconds: [f64; 2],
    pub wrong: [usize; 2],
    /// Maximum error of the distance, relative to the size.
    pub worst: [f64; 2],
}

impl Measurement {
    pub fn ratio(&self) -> f64 {
        self.nanoseconds[1] / self.nanoseconds[0]
    }

    pub fn row(&self, workload: &Workload) -> String {
        let [ours, parry] = self.nanoseconds;
        format!(
            "{},{},{},{},{FRAMES},{ours:.1},{parry:.1},{:.2},{},{},{:.1e},{:.1e}",
            workload.kinds,
            workload.state_name(),
            self.query.name(),
            workload.pairs.len(),
            self.ratio(),
            self.wrong[0],
            self.wrong[1],
            self.worst[0],
            self.worst[1],
        )
    }
}

/// Minimum time of both peers over the repeats, in nanoseconds for each of `count` queries.
pub fn best_ns(
    repeats: u32,
    number: usize,
    count: usize,
    mut pass: impl FnMut(usize) -> f32,
) -> [f64; 2] {
    let best = best_of(repeats, number, |peer| {
        black_box(pass(peer));
    });
    best.map(|seconds| seconds * 1e9 / count as f64)
}

/// Measures all queries of one shape pair and state.
pub fn measure(workload: &Workload, number: usize, repeats: u32) -> Vec<Measurement> {
    let mut peers: [Box<dyn Peer>; 2] =
        [Box::new(Ours::new(workload)), Box::new(Parry::new(workload))];
    let count = FRAMES * workload.pairs.len();
    QUERIES
        .into_iter()
        .map(|query| {
            let nanoseconds = best_ns(repeats, number, count, |peer| {
                (0..FRAMES).map(|frame| peers[peer].pass(workload, query, frame)).sum()
            });
            let errors =
                [0, 1].map(|peer| errors(workload, query, &peers[peer].distances(workload, query)));
            let (wrong, worst) = (errors.map(|e| e.0), errors.map(|e| e.1));
            let measurement = Measurement { query, nanoseconds, wrong, worst };
            if measurement.wrong[0] > 0 {
                eprintln!("wrong results of Embate: {}", measurement.row(workload));
            }
            measurement
        })
        .collect()
}

/// Number of wrong results, and the maximum error of all results.
fn errors(workload: &Workload, query: Query, distances: &[Distance]) -> (usize, f64) {
    let (mut wrong, mut worst) = (0, 0.0);
    for (pair, distance) in workload.pairs.iter().zip(distances) {
        let limit = if query == Query::Closest { f64::INFINITY } else { MARGIN.into() };
        let is_near_limit = (pair.separation - limit).abs() < TOLERANCE * pair.size;
        match distance {
            None if pair.separation <= limit && !is_near_limit => wrong += 1,
            None => {}
            // A cache may keep contacts beyond the margin; only their distance is checked.
            Some(distance) => {
                let error = (distance - pair.separation).abs() / pair.size;
                worst = f64::max(worst, error);
                // Beyond the margin a peer may report any distance beyond the margin.
                let is_beyond = pair.separation > limit && *distance >= limit;
                wrong += usize::from(error > TOLERANCE && !is_beyond);
            }
        }
    }
    (wrong, worst)
}
