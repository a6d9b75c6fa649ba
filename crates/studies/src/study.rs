//! Study: the interface between an experiment and its runners, on the command line and in the page.
//!
//! ```text
//! plan ──cases──► case ──measure──► rows ──┬─ csv ─────────────► results.csv
//!                  │                       ├─ terminal_tables ─► terminal
//!                  └─ work ─► progress     ├─ report ──────────► report.html: findings, tables, charts
//!                                          └─ disagreements ───► exit code
//! ```
//!
//! Guarantee: the rows of a case depend on the plan alone, except for times and bytes.

use std::io;

use embate_report::language::Language;
use embate_report::{Report, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::runner::run_context::RunContext;
use crate::runner::run_folder::RunInfo;
use crate::study_kind::StudyKind;

/// A study: its cases, their measurement, and the presentation of the rows.
pub trait Study: Sync {
    /// The unit of work that a killed run may lose.
    type Case<'a>: StudyCase
    where
        Self: 'a;
    /// One measurement: a line of `results.csv`, and part of a record of the journal.
    type Row: Serialize + DeserializeOwned + Send;

    /// Which study.
    fn kind(&self) -> StudyKind;

    /// Seed of all random numbers.
    fn seed(&self) -> u64;

    /// Number of cases to measure concurrently; more than one is quicker, but times are less
    /// certain.
    fn threads(&self) -> usize;

    /// Parameters that identify a run, by the names of the command line.
    fn parameters(&self) -> Map<String, Value>;

    /// All cases, in the order of the report.
    fn cases(&self) -> Vec<Self::Case<'_>>;

    /// Approximate amount of work of a case, in units of the study.
    fn work(&self, case: &Self::Case<'_>) -> u64;

    /// All rows of one case. Reports progress in units of [`work`](Self::work).
    fn measure(&self, case: &Self::Case<'_>, context: &RunContext<'_>) -> Vec<Self::Row>;

    /// `results.csv`, one line a row, in the order given.
    ///
    /// # Errors
    /// None in practice: the text is made in memory.
    fn csv(&self, rows: &[Self::Row]) -> io::Result<Vec<u8>>;

    /// The tables for a terminal.
    fn terminal_tables(&self, rows: &[Self::Row], language: Language) -> Vec<Table>;

    /// The report as data: findings, tables and charts in sections.
    fn report(&self, rows: &[Self::Row], info: &RunInfo, language: Language) -> Report;

    /// Results that differ from brute force or from the reference: none, or a bug of ours.
    fn disagreements(&self, rows: &[Self::Row]) -> Disagreements;
}

/// A case of a study.
pub trait StudyCase: Sync {
    /// Unique name within the study; the key of the case in the journal.
    fn key(&self) -> String;
}

/// Results that differ from the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreements {
    /// Number of such results.
    pub count: u64,
    /// The number in words, in English.
    pub description: String,
    /// Column of `results.csv` with the number of each row.
    pub column: &'static str,
}
