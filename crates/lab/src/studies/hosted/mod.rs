//! How is a study run where there are no files, no threads and no clock of one's own, as in a page?
//!
//! ```text
//! words ──► Study ──► cases ──measure, one at a time, wherever──► rows as text ──┐ kept by the host
//!                                                                                ▼
//!            results.csv, report, report.html ◄──── the rows of all that is done, in the order of the cases
//! ```
//!
//! Promise: the same words and seed give the rows of the command line; only times and bytes differ.

mod catalogue;
mod study;

pub use catalogue::catalogue;
pub use study::{Circumstances, Listed, Study, Trouble};
