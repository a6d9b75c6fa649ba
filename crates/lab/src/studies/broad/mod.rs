//! Studies B and C: which broad phase holds the frame rate?
//!
//! ```text
//! plan ──► cases ──► measure ──► rows ──► summaries over seeds ──► tables, charts, findings, report
//!          (world,   detector by detector, each checked
//!           seed)    against brute force in every frame
//! ```

mod beside_statics;
pub mod broad2d;
pub mod broad3d;
pub(crate) mod detector;
pub(crate) mod limits;
pub(crate) mod measure;
pub(crate) mod notes;
mod plan;
mod row;
mod run;
mod style;
mod table;

pub use limits::Unfit;
pub use plan::{Case, Effort, Measures, Plan, Scene, Told};
pub use row::{RESULTS_HEADER, Row, results_csv};

pub(super) use row::unique;
pub(super) use style::{log_chart, of as style_of};

const EXPERIMENT_1: &str = "experiment-1";
const EXPERIMENT_2: &str = "experiment-2";
const STUDY_BRUTE: &str = "study-brute";
const STUDY_GRID: &str = "study-grid";

/// Pairs missed, and pairs told that do not overlap. Only the study's grid may miss some, because the published
/// one does.
#[must_use]
pub fn disagreements(rows: &[Row]) -> [u64; 2] {
    let judged = rows.iter().filter(|row| row.technique != STUDY_GRID);
    [judged.map(|row| row.missed_pairs).sum(), rows.iter().map(|row| row.wrong_pairs).sum()]
}

/// What a run tells while it goes on, from any thread.
#[derive(Clone, Debug)]
pub enum Progress {
    /// This case is measured next.
    Begin(String),
    /// So much work is done.
    Work(u64),
}
