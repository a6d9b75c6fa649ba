//! Rows: one measurement of a broad phase; summaries: rows of several seeds.

use std::io;

use serde::{Deserialize, Serialize};

use crate::statistics::{self, Range, mean, median};
use crate::studies::number_format::float;

/// One world of one seed and one technique: a line of `results.csv`, and part of a journal's
/// record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `experiment-1`, `experiment-2`, `custom`; in 3D the kind of world.
    pub case: String,
    /// `study-brute`, `study-grid`, `brute`, …
    pub technique: String,
    /// `aabb` or `circle`.
    pub bounds: String,
    /// Number of objects in the world.
    pub objects: u32,
    /// Edge of a cell, where it was chosen for the technique.
    pub cell_size: Option<f32>,
    /// Number of measured frames.
    pub frames: u32,
    /// Seed of the world.
    pub seed: u64,
    /// Mean number of tested pairs.
    pub tests_per_frame: f64,
    /// Mean number of overlapping pairs found.
    pub pairs_per_frame: f64,
    /// Milliseconds to find the pairs of a frame, mean over the frames; the median over the
    /// repeats.
    pub ms_per_frame: f64,
    /// Mean milliseconds per frame of each repeat.
    pub ms_repeats: Vec<f64>,
    /// Memory after the last frame, in bytes.
    pub bytes: u64,
    /// Cells, tiles or nodes that list an object, mean; `None` for techniques without.
    pub cells_per_object: Option<f64>,
    /// Speedup over the technique's own brute force.
    pub speedup_over_brute: Option<f64>,
    /// Speedup over the study's technique: `study-brute`, in 3D `sweep-variance`.
    pub speedup_over_study: Option<f64>,
    /// Number of overlapping pairs missed, over all frames.
    pub missed_pairs: u64,
    /// Number of reported pairs that do not overlap, over all frames. A run with any fails.
    pub wrong_pairs: u64,
}

/// The columns of `results.csv`: a contract, because scripts read them.
pub const RESULTS_HEADER: [&str; 16] = [
    "case",
    "technique",
    "bounds",
    "objects",
    "cell_size",
    "frames",
    "seed",
    "tests_per_frame",
    "pairs_per_frame",
    "ms_per_frame",
    "fps",
    "bytes",
    "cells_per_object",
    "speedup_over_brute",
    "speedup_over_study",
    "missed_pairs",
];

/// `results.csv` as text, one line a row, in the order given.
///
/// # Errors
/// None in practice: the text is made in memory.
pub(crate) fn results_csv(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(RESULTS_HEADER)?;
    for row in rows {
        csv.write_record([
            row.case.clone(),
            row.technique.clone(),
            row.bounds.clone(),
            row.objects.to_string(),
            row.cell_size.map_or(String::new(), |size| size.to_string()),
            row.frames.to_string(),
            row.seed.to_string(),
            float(Some(row.tests_per_frame)),
            float(Some(row.pairs_per_frame)),
            float(Some(row.ms_per_frame)),
            // Nothing is drawn here.
            String::new(),
            row.bytes.to_string(),
            float(row.cells_per_object),
            float(row.speedup_over_brute),
            float(row.speedup_over_study),
            row.missed_pairs.to_string(),
        ])?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The rows of one case and technique over all seeds: counts as means, times as medians.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary<'a> {
    pub(crate) case: &'a str,
    pub(crate) technique: &'a str,
    pub(crate) bounds: &'a str,
    pub(crate) objects: u32,
    pub(crate) cell_size: Option<f32>,
    pub(crate) seeds: usize,
    pub(crate) frames: u32,
    pub(crate) tests: f64,
    pub(crate) pairs: f64,
    pub(crate) ms: f64,
    /// One time per seed, with the seed; with one seed, one time per repeat, with its index.
    pub(crate) ms_samples: Vec<(u64, f64)>,
    pub(crate) bytes: f64,
    pub(crate) over_brute: Option<f64>,
    pub(crate) over_study: Option<f64>,
    pub(crate) missed: u64,
}

impl Summary<'_> {
    /// Minimum and maximum of the time samples.
    pub(crate) fn ms_range(&self) -> (f64, f64) {
        let samples = self.ms_samples.iter();
        samples.fold((self.ms, self.ms), |(low, high), (_, ms)| (ms.min(low), ms.max(high)))
    }

    /// The time samples without their seeds.
    pub(crate) fn ms_values(&self) -> Vec<f64> {
        self.ms_samples.iter().map(|(_, ms)| *ms).collect()
    }

    /// Times of this summary and of another in the worlds that both have.
    pub(crate) fn paired_ms(&self, other: &Summary<'_>) -> Vec<(f64, f64)> {
        let of_other =
            |key: u64| other.ms_samples.iter().find(|(other, _)| *other == key).map(|(_, ms)| *ms);
        // A repeat of a single world has no partner among several worlds.
        if (self.seeds == 1) != (other.seeds == 1) {
            return Vec::new();
        }
        let paired = self.ms_samples.iter();
        paired.filter_map(|(key, ms)| Some((*ms, of_other(*key)?))).collect()
    }

    /// Range of this time over another, world by world.
    pub(crate) fn ratio_range(&self, other: &Summary<'_>) -> Option<Range> {
        let (own, others): (Vec<_>, Vec<_>) = self.paired_ms(other).into_iter().unzip();
        statistics::ratio_range(&own, &others).or_else(|| Range::around(self.ms / other.ms))
    }
}

/// All rows grouped over the seeds, in the order in which they first appear.
#[derive(Clone, Debug)]
pub(crate) struct Summaries<'a>(pub(crate) Vec<Summary<'a>>);

impl<'a> Summaries<'a> {
    pub(crate) fn of(rows: &'a [Row]) -> Self {
        let mut groups: Vec<Vec<&Row>> = Vec::new();
        for row in rows {
            match groups.iter_mut().find(|group| is_alike(group[0], row)) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        Self(groups.iter().map(|group| summary(group)).collect())
    }

    pub(crate) fn of_case(&self, case: &str) -> impl Iterator<Item = &Summary<'a>> + Clone {
        self.0.iter().filter(move |summary| summary.case == case)
    }

    pub(crate) fn get(
        &self,
        case: &str,
        technique: &str,
        bounds: &str,
        objects: u32,
    ) -> Option<&Summary<'a>> {
        self.of_case(case)
            .find(|s| s.technique == technique && s.bounds == bounds && s.objects == objects)
    }

    /// Every technique of a case once, in the order of the plan.
    pub(crate) fn techniques(&self, case: &str) -> Vec<&'a str> {
        unique(self.of_case(case).map(|summary| summary.technique))
    }

    pub(crate) fn bounds(&self, case: &str) -> Vec<&'a str> {
        unique(self.of_case(case).map(|summary| summary.bounds))
    }

    /// Sizes of a case, smallest first.
    pub(crate) fn objects(&self, case: &str) -> Vec<u32> {
        let mut objects = unique(self.of_case(case).map(|summary| summary.objects));
        objects.sort_unstable();
        objects
    }
}

pub(crate) fn unique<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}

fn is_alike(one: &Row, other: &Row) -> bool {
    let key = |row: &Row| (row.objects, row.cell_size);
    one.case == other.case
        && one.technique == other.technique
        && one.bounds == other.bounds
        && key(one) == key(other)
}

fn summary<'a>(rows: &[&'a Row]) -> Summary<'a> {
    let values =
        |value: &dyn Fn(&Row) -> f64| rows.iter().map(|row| value(row)).collect::<Vec<_>>();
    let mean_of = |value: &dyn Fn(&Row) -> f64| mean(&values(value)).unwrap_or(f64::NAN);
    let median_of = |value: &dyn Fn(&Row) -> Option<f64>| {
        median(&values(&|row| value(row).unwrap_or(f64::NAN)))
    };
    let first = rows[0];
    let ms_of_seeds = values(&|row| row.ms_per_frame);
    let ms = median(&ms_of_seeds).unwrap_or(f64::NAN);
    let ms_samples = if rows.len() > 1 {
        rows.iter().map(|row| (row.seed, row.ms_per_frame)).collect()
    } else {
        (0..).zip(first.ms_repeats.iter().copied()).collect()
    };
    Summary {
        case: &first.case,
        technique: &first.technique,
        bounds: &first.bounds,
        objects: first.objects,
        cell_size: first.cell_size,
        seeds: rows.len(),
        frames: first.frames,
        tests: mean_of(&|row| row.tests_per_frame),
        pairs: mean_of(&|row| row.pairs_per_frame),
        ms,
        ms_samples,
        bytes: mean_of(&|row| row.bytes as f64),
        over_brute: median_of(&|row| row.speedup_over_brute),
        over_study: median_of(&|row| row.speedup_over_study),
        missed: rows.iter().map(|row| row.missed_pairs).sum(),
    }
}
