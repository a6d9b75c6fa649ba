//! Results of measured rows: `results.csv`, and the report as data.

use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::{Study, js_error};

#[wasm_bindgen]
impl Study {
    /// `results.csv` of a JSON list of rows, one entry per case.
    ///
    /// # Errors
    /// An `Error` if the text is no such list.
    pub fn csv(&self, rows: &str) -> Result<String, JsError> {
        self.0.csv(rows).map_err(|error| js_error(&error))
    }

    /// The report as JSON, and the number of answers that differ from the reference:
    /// `{"report":…,"disagreements":0}`.
    ///
    /// # Errors
    /// As [`csv`](Self::csv).
    pub fn results(
        &self,
        rows: &str,
        environment: &str,
        language: &str,
    ) -> Result<String, JsError> {
        let report = self.report_of(rows, environment, language)?;
        let disagreements = self.0.disagreements(rows).map_err(|error| js_error(&error))?;
        Ok(json!({ "report": report, "disagreements": disagreements }).to_string())
    }
}
