//! What does the JavaScript around a module say more if the module comes in two parts?

use crate::split::{FETCH, FIRST};

/// Where wasm-bindgen begins to list what it gives to the module.
const GIVEN: &str = "const import0 = {";

/// The script that can put in the rest; `None` if it is not as wasm-bindgen writes it.
pub(crate) fn script(text: &str) -> Option<String> {
    let (before, after) = text.split_once(GIVEN)?;
    Some(format!(
        "{before}{GIVEN}
        {FETCH}: putInRest,{after}
let restBytes;
export function giveRest(bytes) {{
    restBytes = bytes;
}}

function putInRest() {{
    const rest = new WebAssembly.Module(restBytes());
    new WebAssembly.Instance(rest, {{ {FIRST}: wasm }});
}}
"
    ))
}

#[expect(clippy::unnecessary_wraps, reason = "as the other")]
pub(crate) fn types(text: &str) -> Option<String> {
    Some(format!(
        "{text}
/**
 * The module is in two parts. Whoever can give the bytes of the second at once says so before the first is begun.
 */
export function giveRest(bytes: () => BufferSource): void;
"
    ))
}
