//! Simulator of Lasch: broad phase, pair tests and response inside running worlds.
//!
//! ```text
//!            ┌ broad    every broad phase in the same worlds, step by step ┐
//! plan ──► cases ─ pairs    each pair query apart, touching, deep; checked in f64 ├─► rows ──► tables, charts, report
//!            ├ resolve  impulse, positions only, engine: collisions, bounces, piles │
//!            ├ integrators  four integrators against closed forms, by time step       │
//!            └ boxes    three forms of a box in five uses                           ┘
//! ```

mod box_report;
mod boxes;
mod broad_phase;
mod charts;
mod findings;
mod integrator_charts;
mod integrator_report;
mod integrators;
mod narrow_phase;
mod plan;
mod report;
mod response;
mod row;
mod stages;
mod table;
mod worlds;

use std::io;

use embate_report::language::Language;
use embate_report::{Report, Table};
use serde_json::{Map, Value};

pub use plan::{Budget, Case, Plan, TECHNIQUES};
pub use row::{RESULTS_HEADER, Row};

use crate::runner::run_context::RunContext;
use crate::runner::run_folder::RunInfo;
use crate::studies::labels;
use crate::study::{Disagreements, Study};
use crate::study_kind::StudyKind;

/// Label of a technique.
fn label(technique: &str, language: Language) -> String {
    labels::technique(StudyKind::Simulator, technique, language)
}

/// Label of a case.
fn case_label(case: &str, language: Language) -> String {
    labels::case(StudyKind::Simulator, case, language)
}

impl Study for Plan {
    type Case<'a> = Case;
    type Row = Row;

    fn kind(&self) -> StudyKind {
        StudyKind::Simulator
    }

    fn seed(&self) -> u64 {
        self.budget.seed
    }

    fn threads(&self) -> usize {
        self.budget.threads
    }

    fn parameters(&self) -> Map<String, Value> {
        Plan::parameters(self)
    }

    fn cases(&self) -> Vec<Case> {
        Plan::cases(self)
    }

    fn work(&self, case: &Case) -> u64 {
        Plan::work(self, case)
    }

    fn measure(&self, case: &Case, context: &RunContext<'_>) -> Vec<Row> {
        Plan::measure(self, case, context)
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
        let [steps, answers, boxes] = ["broad", "pairs", "boxes"].map(|part| {
            let of_part = rows.iter().filter(|row| row.part == part);
            of_part.filter_map(|row| row.disagreements).sum::<u64>()
        });
        let description = format!(
            "{steps} steps differ from the brute-force simulation, {answers} pair tests are \
             wrong, and {boxes} results of box operations differ"
        );
        Disagreements { count: steps + answers + boxes, description, column: "disagreements" }
    }
}
