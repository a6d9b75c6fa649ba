//! Study B, whole: how do broad phase, pair tests and resolution behave inside running worlds?
//!
//! ```text
//!            ┌ broad    every broad phase in the same worlds, step by step ┐
//! plan ──► cases ─ pairs    each pair test apart, touching, deep, judged in f64 ├─► rows ──► tables, charts, report
//!            └ resolve  impulse, positions alone, ours: collisions, bounces, piles ┘
//! ```

mod answers;
mod broad;
mod charts;
mod pairs;
mod plan;
mod report;
mod resolve;
mod row;
mod stages;
mod table;
mod worlds;

pub use plan::{Case, Effort, Plan, TECHNIQUES};
pub use row::{RESULTS_HEADER, Row, results_csv};
pub use table::terminal_tables;

/// Steps that ended otherwise than with brute force, and pair tests that were wrong.
#[must_use]
pub fn disagreements(rows: &[Row]) -> [u64; 2] {
    ["broad", "pairs"].map(|part| {
        rows.iter().filter(|row| row.part == part).filter_map(|row| row.disagreements).sum()
    })
}
