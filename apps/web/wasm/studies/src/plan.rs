//! Plan of a study: its cases before any is measured.

use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::Study;

#[wasm_bindgen]
impl Study {
    /// Every case in the order of the report, with its estimated cost, and the equivalent command
    /// line, as JSON: `{"cases":[{"key":…,"work":…}],"command":[…]}`.
    #[must_use]
    pub fn plan(&self) -> String {
        json!({ "cases": self.0.cases(), "command": self.0.command() }).to_string()
    }
}
