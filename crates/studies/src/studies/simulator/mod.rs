//! Simulator of Lasch: broad phase, pair tests and response inside running worlds.
//!
//! ```text
//!            ┌ broad    every broad phase in the same worlds, step by step ┐
//! plan ──► cases ─ pairs    each pair test apart, touching, deep; checked in f64 ├─► rows ──► tables, charts, report
//!            └ resolve  impulse, positions only, engine: collisions, bounces, piles ┘
//! ```

mod broad_phase;
mod charts;
mod findings;
mod narrow_phase;
mod plan;
mod report;
mod response;
mod row;
mod stages;
mod table;
mod worlds;

pub use plan::{Budget, Case, Plan, TECHNIQUES};
pub use row::{RESULTS_HEADER, Row, results_csv};
pub use table::terminal_tables;

/// Steps that ended otherwise than with brute force, and pair tests that were wrong.
#[must_use]
pub fn disagreements(rows: &[Row]) -> [u64; 2] {
    ["broad", "pairs"].map(|part| {
        rows.iter().filter(|row| row.part == part).filter_map(|row| row.disagreements).sum()
    })
}
