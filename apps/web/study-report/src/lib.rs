//! How does a study become one file?
//!
//! Converts and forwards; everything else is in `embate_lab::studies::hosted`. A module of its own, because what draws the
//! charts of a file is as large as all else that the rows say (`study-told`): it is fetched by whoever takes a report home.

use embate_lab::language::Language;
use embate_lab::studies::hosted::{self, Circumstances, Trouble};
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

    /// `report.html` of a JSON list of what was measured, a case an entry.
    ///
    /// # Errors
    /// An `Error` if that is something else.
    pub fn html(&self, rows: &str, around: &str, language: &str) -> Result<String, JsError> {
        let language = language.parse().unwrap_or(Language::English);
        let around: Circumstances = serde_json::from_str(around)?;
        let report = self.0.report(rows, &around, language).map_err(|trouble| refusal(&trouble))?;
        Ok(report.html())
    }
}

fn refusal(trouble: &Trouble) -> JsError {
    JsError::new(&trouble.to_string())
}
