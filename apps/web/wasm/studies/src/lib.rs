//! Wasm module of the studies view: plan, measurement, results and report of a study.
//!
//! ```text
//! plan::plan ──► cases ──Study::measure, one at a time, in any worker──► rows as text ──┐ stored by the page
//!                                                                                      ▼
//!                       results.csv, report as data, report.html ◄──results, report── rows
//! ```
//!
//! Converts between JavaScript and `embate_studies::runner::incremental`. Rows cross the boundary
//! as text and are stored unchanged, so that no digit is lost.

mod measure;
mod plan;
mod report;
mod results;

use embate_report::Report;
use embate_report::language::Language;
use embate_studies::runner::incremental::{self, IncrementalStudy, RunEnvironment, StudyError};
use wasm_bindgen::prelude::*;

embate_viewer::export_last_panic!();

/// Studies, their techniques, default options and limits, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalog() -> String {
    incremental::catalog()
}

/// Study that the page runs case by case.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Study(IncrementalStudy);

#[wasm_bindgen]
impl Study {
    /// Study of this name. The options are JSON with the names of the command line.
    ///
    /// # Errors
    /// An `Error` that says what to change.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, options: &str) -> Result<Study, JsError> {
        IncrementalStudy::new(name, options).map(Self).map_err(|error| js_error(&error))
    }
}

impl Study {
    /// Report of a JSON list of rows, one entry per case. The environment is JSON; an unknown
    /// language is English.
    fn report_of(&self, rows: &str, environment: &str, language: &str) -> Result<Report, JsError> {
        let language = language.parse().unwrap_or(Language::English);
        let environment: RunEnvironment = serde_json::from_str(environment)?;
        self.0.report(rows, &environment, language).map_err(|error| js_error(&error))
    }
}

fn js_error(error: &StudyError) -> JsError {
    JsError::new(&error.to_string())
}
