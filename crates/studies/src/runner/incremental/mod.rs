//! Incremental study: run case by case by a host without files, threads or a clock, such as a page.
//!
//! ```text
//! JSON ──► IncrementalStudy ──► cases ──measure, one at a time, on any thread──► rows as text ──┐ stored by the host
//!                                                                                    ▼
//!              results.csv, report, report.html ◄──── rows of all finished cases, in order of the cases
//! ```
//!
//! Guarantee: the same options and seed give the rows of the command line; only times and bytes
//! differ.

mod catalog;
mod study;

pub use catalog::catalog;
pub use study::{CaseInfo, IncrementalStudy, RunEnvironment, StudyError};
