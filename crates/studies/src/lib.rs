//! Studies: the published experiments run again, measured case by case and reported.
//!
//! ```text
//! flags, form ──runner::config──► plan ──► cases ──runner::resume──► rows ──► results.csv
//!                                           │ measure    │                    charts/*.svg
//!                                 studies/ ─┘            └─► journal          report.html
//! ```
//!
//! Guarantees: every measured answer is compared with a reference; a run that is killed resumes
//! with the rows of its journal; rows of two different requests never mix; the same parameters and
//! seed give the same counts on every platform, on the command line and in the page.

pub mod accel_benchmark;
pub mod runner;
pub mod statistics;
mod studies;
pub mod study;
pub mod study_kind;

pub use studies::labels::technique as technique_label;
pub use studies::{broad2d, broad3d, moving_worlds, rays, simulator, triangle_tests};
pub use study::{Disagreements, Study, StudyCase};
pub use study_kind::StudyKind;
