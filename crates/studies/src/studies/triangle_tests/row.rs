//! Row: one case and test.

use std::io;

use embate_replica::triangle_tests::TriangleTestKind;
use serde::{Deserialize, Serialize};

use super::plan::Case;
use crate::statistics;
use crate::studies::number_format::float;

/// One case and test: a line of `results.csv`, and part of a record of the journal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the case.
    pub case: String,
    /// Name of the test.
    pub technique: String,
    /// Number of ray–triangle tests.
    pub pairs: u64,
    /// Number of rays.
    pub rays: u32,
    /// Seed of the study.
    pub seed: u64,
    /// Time of one test in nanoseconds, of each repeat. It contains the preparation of the ray,
    /// once per ray.
    pub ns_repeats: Vec<f64>,
    /// Number of tests that hit where the exact test misses.
    pub wrong_hits: u64,
    /// Number of tests that miss where the exact test hits.
    pub wrong_misses: u64,
    /// Number of rays that leave a closed mesh without a hit; `None` in cases without one.
    pub leaks: Option<u64>,
    /// Largest relative error of `t` among the right hits; `None` without one.
    pub max_t_error: Option<f64>,
}

/// The columns of `results.csv`: a contract, because scripts read them.
pub const RESULTS_HEADER: [&str; 11] = [
    "case",
    "technique",
    "pairs",
    "rays",
    "seed",
    "ns_per_test",
    "agreement_percent",
    "wrong_hits",
    "wrong_misses",
    "leaks",
    "max_t_error",
];

impl Row {
    /// Median time of one test in nanoseconds.
    pub(super) fn ns(&self) -> Option<f64> {
        statistics::median(&self.ns_repeats)
    }

    /// Share of the tests that decide hit or miss like the exact one, in percent.
    pub(super) fn agreement_percent(&self) -> f64 {
        100.0 * (self.pairs - self.wrong()) as f64 / self.pairs.max(1) as f64
    }

    /// Number of wrong results.
    pub(super) fn wrong(&self) -> u64 {
        self.wrong_hits + self.wrong_misses
    }

    /// Leaks per million rays.
    pub(super) fn leaks_per_million(&self) -> Option<f64> {
        self.leaks.map(|leaks| 1e6 * leaks as f64 / f64::from(self.rays.max(1)))
    }

    /// Results that no run may have: leaks of a watertight test, and wrong results in clear cases.
    pub(super) fn broken_guarantees(&self) -> u64 {
        let is_watertight = TriangleTestKind::from_name(&self.technique)
            .is_some_and(TriangleTestKind::is_watertight);
        let is_clear = [Case::Hit, Case::Miss].iter().any(|case| case.name() == self.case);
        let leaks = self.leaks.filter(|_| is_watertight).unwrap_or(0);
        leaks + if is_clear { self.wrong() } else { 0 }
    }
}

/// `results.csv` as text, one line a row, in the order given.
///
/// # Errors
/// None in practice: the text is made in memory.
pub(super) fn results_csv(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(RESULTS_HEADER)?;
    for row in rows {
        csv.write_record([
            row.case.clone(),
            row.technique.clone(),
            row.pairs.to_string(),
            row.rays.to_string(),
            row.seed.to_string(),
            float(row.ns()),
            float(Some(row.agreement_percent())),
            row.wrong_hits.to_string(),
            row.wrong_misses.to_string(),
            row.leaks.map_or(String::new(), |leaks| leaks.to_string()),
            float(row.max_t_error),
        ])?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}
