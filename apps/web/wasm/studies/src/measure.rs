//! Measurement of a case.

use embate_studies::runner::run_context::RunContext;
use wasm_bindgen::prelude::*;

use crate::{Study, js_error};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;

    /// Receiver of progress.
    pub type Listener;

    #[wasm_bindgen(method)]
    fn advanced(this: &Listener, work: f64);
}

#[wasm_bindgen]
impl Study {
    /// Rows of a case, as JSON. Calls the listener's `advanced` with the work done since the
    /// previous call.
    ///
    /// # Errors
    /// An `Error` if there is no such case.
    pub fn measure(&self, case: u32, listener: &Listener) -> Result<String, JsError> {
        let advanced = |work: u64| listener.advanced(work as f64);
        let context = RunContext { clock: || now() / 1e3, on_progress: &advanced };
        self.0.measure(case as usize, &context).map_err(|error| js_error(&error))
    }
}
