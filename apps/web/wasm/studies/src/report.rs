//! Report of measured rows as one HTML file, with its charts.

use wasm_bindgen::prelude::*;

use crate::Study;

#[wasm_bindgen]
impl Study {
    /// `report.html` of a JSON list of rows, one entry per case.
    ///
    /// # Errors
    /// An `Error` if the text is no such list.
    pub fn report(&self, rows: &str, environment: &str, language: &str) -> Result<String, JsError> {
        Ok(self.report_of(rows, environment, language)?.html())
    }
}
