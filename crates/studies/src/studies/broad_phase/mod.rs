//! Moving worlds: what the 2D study (Gonçales et al. 2016) and the 3D study (Lasch) share.
//!
//! ```text
//! plan ──► cases ──► measure ──► rows ──► summaries over seeds ──► tables, charts, findings, report
//!          (world,   detector by detector, each checked
//!           seed)    against brute force in every frame
//! ```

pub(crate) mod chart_style;
pub mod detector;
pub mod limits;
pub mod measure;
pub(crate) mod plan;
pub(crate) mod row;
pub(crate) mod run;
pub mod search_log;
pub(crate) mod static_dynamic_split;
pub(crate) mod table;

pub use limits::InvalidConfig;
pub use plan::{Budget, Case, Measure, Plan, ReportRows, Scene};
pub use row::{RESULTS_HEADER, Row, results_csv};

pub(crate) use chart_style::{log_chart, of as style_of};
pub(crate) use row::unique;

pub(crate) const EXPERIMENT_1: &str = "experiment-1";
pub(crate) const EXPERIMENT_2: &str = "experiment-2";
pub(crate) const STUDY_BRUTE: &str = "study-brute";
pub(crate) const STUDY_GRID: &str = "study-grid";

/// Pairs missed, and pairs reported that do not overlap. Only the study's grid may miss some,
/// because the published one does.
#[must_use]
pub fn disagreements(rows: &[Row]) -> [u64; 2] {
    let exact = rows.iter().filter(|row| row.technique != STUDY_GRID);
    [exact.map(|row| row.missed_pairs).sum(), rows.iter().map(|row| row.wrong_pairs).sum()]
}

/// Progress of a run, from any thread.
#[derive(Clone, Debug)]
pub enum Progress {
    /// This case is measured next.
    Begin(String),
    /// Work done since the last report.
    Work(u64),
}
