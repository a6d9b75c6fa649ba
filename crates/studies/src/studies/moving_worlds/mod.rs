//! Moving worlds: what the 2D study (Gonçales et al. 2016) and the 3D study (Lasch) share.
//!
//! ```text
//! plan ──► cases ──► measure ──► rows ──► summaries over seeds ──► tables, charts, findings, report
//!          (world,   detector by detector, each checked
//!           seed)    against brute force in every frame
//! ```

pub(crate) mod capacity;
pub(crate) mod chart_style;
pub(crate) mod coherent_detector;
pub mod detector;
pub mod limits;
pub mod measure;
pub(crate) mod plan;
pub(crate) mod row;
pub mod search_log;
pub(crate) mod static_dynamic_split;
mod study;
pub(crate) mod table;

pub use plan::{Budget, Case, Measurement, MovingWorldStudy, Plan, Scene};
pub use row::{RESULTS_HEADER, Row};

pub(crate) use chart_style::{log_chart, of as style_of};
pub(crate) use row::unique;

pub(crate) const EXPERIMENT_1: &str = "experiment-1";
pub(crate) const EXPERIMENT_2: &str = "experiment-2";
pub(crate) const STUDY_BRUTE: &str = "study-brute";
pub(crate) const STUDY_GRID: &str = "study-grid";
