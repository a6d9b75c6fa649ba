//! What do the rows of a study say?
//!
//! Converts and forwards; everything else is in `embate_lab::studies::hosted`. Rows come as the text that was handed out,
//! so that no digit of them is lost on the way.

use embate_lab::language::Language;
use embate_lab::report::Report;
use embate_lab::studies::hosted::{self, Circumstances, Trouble};
use serde_json::json;
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

/// A study whose rows somebody has.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Study(hosted::Study);

#[wasm_bindgen]
impl Study {
    /// The study of this name, as asked for in JSON by the names of the command line.
    ///
    /// # Errors
    /// An `Error` that says what to change.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, asked: &str) -> Result<Study, JsError> {
        hosted::Study::new(name, asked).map(Self).map_err(|trouble| refusal(&trouble))
    }

    /// `results.csv` of a JSON list of what was measured, a case an entry.
    ///
    /// # Errors
    /// An `Error` if that is something else.
    pub fn csv(&self, rows: &str) -> Result<String, JsError> {
        self.0.csv(rows).map_err(|trouble| refusal(&trouble))
    }

    /// The report as JSON, and how many answers disagree: `{"report":…,"disagreements":0}`.
    ///
    /// # Errors
    /// As [`csv`](Self::csv).
    pub fn told(&self, rows: &str, around: &str, language: &str) -> Result<String, JsError> {
        let report = self.report(rows, around, language)?;
        let disagreements = self.0.disagreements(rows).map_err(|trouble| refusal(&trouble))?;
        Ok(json!({ "report": report, "disagreements": disagreements }).to_string())
    }

    fn report(&self, rows: &str, around: &str, language: &str) -> Result<Report, JsError> {
        let language = language.parse().unwrap_or(Language::English);
        let around: Circumstances = serde_json::from_str(around)?;
        self.0.report(rows, &around, language).map_err(|trouble| refusal(&trouble))
    }
}

fn refusal(trouble: &Trouble) -> JsError {
    JsError::new(&trouble.to_string())
}
