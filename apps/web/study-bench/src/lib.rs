//! What do the cases of a study measure?
//!
//! Converts and forwards; everything else is in `embate_lab::studies::hosted`. Rows leave as text, to be kept as it is.

use embate_lab::studies::host::Host;
use embate_lab::studies::hosted::{self, Trouble};
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;

    /// Whoever hears how far a case is.
    pub type Listener;

    #[wasm_bindgen(method)]
    fn advanced(this: &Listener, work: f64);
}

/// A study that is run case by case.
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

    /// The rows of a case, as JSON. The listener's `advanced` is told what was done since it was told last.
    ///
    /// # Errors
    /// An `Error` if there is no such case.
    pub fn measure(&self, case: u32, listener: &Listener) -> Result<String, JsError> {
        let advanced = |work: u64| listener.advanced(work as f64);
        let host = Host { clock: || now() / 1e3, advanced: &advanced };
        self.0.measure(case as usize, &host).map_err(|trouble| refusal(&trouble))
    }
}

fn refusal(trouble: &Trouble) -> JsError {
    JsError::new(&trouble.to_string())
}
