//! Generates the bindings of a wasm module: `embate-bindgen MODULE.wasm FOLDER` writes its
//! JavaScript, its TypeScript types and the module itself.
//!
//! Equals `wasm-bindgen --target web`, as a library call, so that the command need not be installed.

use std::error::Error;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("embate-bindgen: expected MODULE.wasm and FOLDER");
        return ExitCode::from(2);
    };
    match generate(module, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("embate-bindgen: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn generate(module: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    // Sections that a browser does not read are removed.
    bindgen.input_path(module).typescript(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.web(true)?.generate(folder)?)
}
