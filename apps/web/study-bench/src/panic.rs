//! What did the engine die of? The words are kept by `embate_lab::last_words`.

use embate_lab::last_words;
use wasm_bindgen::prelude::*;

/// Runs when the module is loaded.
#[wasm_bindgen(start)]
fn keep_panics() {
    last_words::keep_panics();
}

/// The words of the last panic and where it was; empty if there was none.
#[wasm_bindgen(js_name = lastPanic)]
#[must_use]
pub fn last_panic() -> String {
    last_words::last_panic()
}
