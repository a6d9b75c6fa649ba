//! Study A: does an octree help a ray find its triangle? (Lorenzi 2014; Lorenzi and Brandi 2015)

pub mod plan;
pub mod row;
pub mod run;
mod tally;

mod beside;
mod cases;
mod charts;
mod findings;
pub mod report;
#[cfg(test)]
mod sample_rows;
pub mod table;
mod text;

use row::Row;

/// Answers that differ from brute force.
#[must_use]
pub fn disagreements(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.errors).sum()
}
