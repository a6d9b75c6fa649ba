//! Rays of Lorenzi 2014 (and Lorenzi and Brandi 2015): an octree against brute force.

pub mod plan;
pub mod row;
pub mod run;
mod tally;

mod case_rows;
mod charts;
mod findings;
mod published_vs_measured;
pub mod report;
mod report_text;
#[cfg(test)]
mod sample_rows;
pub mod table;

use row::Row;

/// Answers that differ from brute force.
#[must_use]
pub fn disagreements(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.errors).sum()
}
