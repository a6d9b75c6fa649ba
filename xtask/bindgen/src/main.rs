//! `embate-bindgen MODULE.wasm FOLDER`: writes into the folder what a page imports to use the module:
//! its JavaScript, its TypeScript types and the module itself.
//!
//! This is `wasm-bindgen --target web` as a library call, so that nobody has to install that command.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("embate-bindgen: give MODULE.wasm and FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    // What a browser never reads is left out of what it loads.
    bindgen.input_path(module).typescript(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("embate-bindgen: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
