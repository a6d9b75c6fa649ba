//! What did the engine die of?
//!
//! To the browser every panic is the same trap, "unreachable". Here its own words are kept, in memory that
//! can still be read after it, so that the page can show them. A panic is our bug: whoever reports it
//! should have something to report.

use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, PoisonError};

static LAST: Mutex<String> = Mutex::new(String::new());

/// From now on the words of a panic are kept.
pub fn keep_panics() {
    panic::set_hook(Box::new(keep));
}

/// The words of the last panic and where it was; empty if there was none.
#[must_use]
pub fn last_panic() -> String {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn keep(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let words = words.unwrap_or("no words");
    let place = info.location().map(|at| format!(" ({}, line {})", at.file(), at.line()));
    let text = format!("{words}{}", place.unwrap_or_default());
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// What every module of the page exports: the words of the last panic since it was loaded, as `lastPanic`. A macro, because a
/// module exports only what its own crate says; that crate depends on `wasm-bindgen`.
#[macro_export]
macro_rules! export_last_panic {
    () => {
        /// Runs when the module is loaded.
        #[::wasm_bindgen::prelude::wasm_bindgen(start)]
        fn keep_panics() {
            $crate::last_words::keep_panics();
        }

        /// The words of the last panic and where it was; empty if there was none.
        #[::wasm_bindgen::prelude::wasm_bindgen(js_name = lastPanic)]
        #[must_use]
        pub fn last_panic() -> String {
            $crate::last_words::last_panic()
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page once said only "unreachable" of an engine that had panicked.
    #[test]
    fn a_panic_leaves_its_words_and_its_place() {
        keep_panics();
        assert_eq!(last_panic(), "");
        let objects = [1, 2, 3];
        let beyond = objects.len() + std::hint::black_box(4);
        panic::catch_unwind(|| objects[beyond]).unwrap_err();
        let said = last_panic();
        assert!(
            said.contains("index out of bounds") && said.contains("but the index is 7"),
            "{said}"
        );
        assert!(said.contains("last_words.rs, line "), "{said}");
        drop(panic::take_hook());
    }
}
