//! Rays of Lorenzi 2014 (and Lorenzi and Brandi 2015): an octree against brute force.

mod builds;
mod case_rows;
mod charts;
mod findings;
mod measure;
mod memory_curve;
pub mod plan;
mod published_vs_measured;
mod report;
mod report_text;
pub mod row;
#[cfg(test)]
mod sample_rows;
mod setting;
mod table;
mod tally;

use std::io;

use embate_report::language::Language;
use embate_report::{Report, Table};
use serde_json::{Map, Value};

pub use measure::random_scene;
pub use table::RESULTS_HEADER;

use crate::runner::run_context::RunContext;
use crate::runner::run_folder::RunInfo;
use crate::study::{Disagreements, Study};
use crate::study_kind::StudyKind;
use plan::{Case, RaysPlan};
use row::Row;

impl Study for RaysPlan {
    type Case<'a> = Case<'a>;
    type Row = Row;

    fn kind(&self) -> StudyKind {
        StudyKind::Rays
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn parameters(&self) -> Map<String, Value> {
        RaysPlan::parameters(self)
    }

    fn cases(&self) -> Vec<Case<'_>> {
        RaysPlan::cases(self)
    }

    fn work(&self, case: &Case<'_>) -> u64 {
        RaysPlan::work(self, case)
    }

    fn measure(&self, case: &Case<'_>, context: &RunContext<'_>) -> Vec<Row> {
        measure::measure(self, case, context)
    }

    fn csv(&self, rows: &[Row]) -> io::Result<Vec<u8>> {
        table::results_csv(rows)
    }

    fn terminal_tables(&self, rows: &[Row], language: Language) -> Vec<Table> {
        table::terminal_tables(rows, language)
    }

    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report {
        report::report(rows, &self.compare, info, language)
    }

    fn disagreements(&self, rows: &[Row]) -> Disagreements {
        let count = rows.iter().map(|row| row.errors).sum();
        let description = format!("{count} hits differ from brute force");
        Disagreements { count, description, column: "errors" }
    }
}
