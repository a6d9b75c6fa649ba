//! Ray–triangle tests: time, agreement with an exact test, leaks and error of `t`.
//!
//! ```text
//!            ┌ pairs  a ray and a triangle: clear hit, clear miss, edge-on, small ┐ each test, and
//! plan ──► cases ─ aimed  rays from inside closed meshes at vertices, edges       ├─ the exact one ──► rows
//!            └ far    the same, where one ulp of f32 is 1/64                      ┘
//! ```

mod charts;
mod findings;
mod measure;
pub mod plan;
mod report;
pub mod row;
mod samples;
mod table;

use std::io;

use embate_report::language::Language;
use embate_report::{Report, Table};
use serde_json::{Map, Value};

pub use row::RESULTS_HEADER;

use crate::runner::run_context::RunContext;
use crate::runner::run_folder::RunInfo;
use crate::studies::labels;
use crate::study::{Disagreements, Study};
use crate::study_kind::StudyKind;
use plan::{Case, TriangleTestsPlan};
use row::Row;

/// Label of a test.
fn label(technique: &str, language: Language) -> String {
    labels::technique(StudyKind::TriangleTests, technique, language)
}

/// Label of a case.
fn case_label(case: &str, language: Language) -> String {
    labels::case(StudyKind::TriangleTests, case, language)
}

impl Study for TriangleTestsPlan {
    type Case<'a> = Case;
    type Row = Row;

    fn kind(&self) -> StudyKind {
        StudyKind::TriangleTests
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn parameters(&self) -> Map<String, Value> {
        TriangleTestsPlan::parameters(self)
    }

    fn cases(&self) -> Vec<Case> {
        Case::ALL.to_vec()
    }

    fn work(&self, case: &Case) -> u64 {
        TriangleTestsPlan::work(self, *case)
    }

    fn measure(&self, case: &Case, context: &RunContext<'_>) -> Vec<Row> {
        measure::measure(self, *case, context)
    }

    fn csv(&self, rows: &[Row]) -> io::Result<Vec<u8>> {
        row::results_csv(rows)
    }

    fn terminal_tables(&self, rows: &[Row], language: Language) -> Vec<Table> {
        table::terminal_tables(rows, language)
    }

    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report {
        report::report(rows, info, language)
    }

    fn disagreements(&self, rows: &[Row]) -> Disagreements {
        let count = rows.iter().map(Row::broken_guarantees).sum();
        let description = format!(
            "{count} results break a guarantee: leaks of a watertight test, or wrong results in \
             clear cases"
        );
        Disagreements { count, description, column: "wrong_hits, wrong_misses or leaks" }
    }
}
