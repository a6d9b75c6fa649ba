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
mod technique;

pub use limits::Unfit;
pub use plan::{Case, Effort, Plan, Scene};
pub use row::{RESULTS_HEADER, Row, results_csv};
pub use technique::Technique;

pub(super) use row::unique;
pub(super) use style::{log_chart, of as style_of};

const EXPERIMENT_1: &str = "experiment-1";
const EXPERIMENT_2: &str = "experiment-2";
const STUDY_BRUTE: &str = "study-brute";
const STUDY_GRID: &str = "study-grid";

/// What a run tells while it goes on, from any thread.
#[derive(Clone, Debug)]
pub enum Progress {
    /// This case is measured next.
    Begin(String),
    /// So much work is done.
    Work(u64),
}
