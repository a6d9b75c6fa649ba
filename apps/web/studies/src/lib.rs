//! Which studies are there, and of which cases do they consist?
//!
//! Converts and forwards; everything else is in `embate_lab::studies::hosted`. A module of its own, because it is all
//! that a page needs to open: what measures (`study-bench`), tells of the rows (`study-told`) and writes the report
//! (`study-report`) is larger, and fetched when it is needed.

use embate_lab::studies::hosted::{self, Study};
use serde_json::json;
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

/// Studies, their techniques, what they measure unless told, and the limits of it, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalogue() -> String {
    hosted::catalogue()
}

/// What there is to measure of a study that is asked for in JSON by the names of the command line: every case in the order of
/// the report, with what it costs about; and how the command line is asked for the same. As JSON,
/// `{"cases":[{"key":…,"work":…}],"command":[…]}`.
///
/// # Errors
/// An `Error` that says what to change.
#[wasm_bindgen]
pub fn plan(study: &str, asked: &str) -> Result<String, JsError> {
    let study = Study::new(study, asked).map_err(|trouble| JsError::new(&trouble.to_string()))?;
    Ok(json!({ "cases": study.cases(), "command": study.command() }).to_string())
}
