//! Panic message: the last panic's text and location, for the page.
//!
//! In a browser every panic is the same trap, "unreachable". The hook stores the message in memory
//! that stays readable after the trap, so that a user can report it.

use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, PoisonError};

static LAST: Mutex<String> = Mutex::new(String::new());

/// Installs a panic hook that keeps the message of the last panic.
pub fn install_panic_hook() {
    panic::set_hook(Box::new(keep));
}

/// Message and location of the last panic; empty if there was none.
#[must_use]
pub fn last_panic() -> String {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn keep(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let words = words.unwrap_or("no words");
    let location = info.location().map(|at| format!(" ({}, line {})", at.file(), at.line()));
    let text = format!("{words}{}", location.unwrap_or_default());
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// What every module of the page exports: the words of the last panic since it was loaded, as
/// `lastPanic`. A macro, because a module exports only what its own crate says; that crate depends
/// on `wasm-bindgen`.
#[macro_export]
macro_rules! export_last_panic {
    () => {
        /// Runs when the module is loaded.
        #[::wasm_bindgen::prelude::wasm_bindgen(start)]
        fn install_panic_hook() {
            $crate::panic_message::install_panic_hook();
        }

        /// Message and location of the last panic; empty if there was none.
        #[::wasm_bindgen::prelude::wasm_bindgen(js_name = lastPanic)]
        #[must_use]
        pub fn last_panic() -> String {
            $crate::panic_message::last_panic()
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the page reported only "unreachable" after a panic of the engine.
    #[test]
    fn panic_message_and_location_are_kept() {
        install_panic_hook();
        assert_eq!(last_panic(), "");
        let objects = [1, 2, 3];
        let beyond = objects.len() + std::hint::black_box(4);
        panic::catch_unwind(|| objects[beyond]).unwrap_err();
        let said = last_panic();
        assert!(
            said.contains("index out of bounds") && said.contains("but the index is 7"),
            "{said}"
        );
        assert!(said.contains("panic_message.rs, line "), "{said}");
        drop(panic::take_hook());
    }
}
