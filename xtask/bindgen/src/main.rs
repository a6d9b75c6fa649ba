//! Makes what a page imports of a wasm module:
//!
//! ```text
//! embate-bindgen MODULE.wasm FOLDER         its JavaScript, its TypeScript types and the module itself
//! embate-bindgen mark MODULE.wasm MARKED    the same module, which notes what is run
//! embate-bindgen split FOLDER STEM RAN      the folder's module STEM_bg.wasm in two: what is run, by the list of
//!                                           places in the file RAN, and STEM_rest.wasm, fetched when it is missed
//! ```
//!
//! The first is `wasm-bindgen --target web` as a library call, so that nobody has to install that command.

mod glue;
mod outline;
mod split;
mod stretches;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments.as_slice() {
        [module, folder] => bind(module, folder),
        ["mark", module, marked] => mark(module, marked),
        ["split", folder, stem, ran] => split(Path::new(folder), stem, ran),
        _ => {
            eprintln!("embate-bindgen: give MODULE.wasm and FOLDER, or mark, or split");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("embate-bindgen: {}: {error:#}", arguments.join(" "));
            ExitCode::FAILURE
        }
    }
}

fn bind(module: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    // What a browser never reads is left out of what it loads.
    bindgen.input_path(module).typescript(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.web(true)?.generate(folder)?)
}

fn mark(module: &str, marked: &str) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(marked, split::marked(&fs::read(module)?)?)?)
}

fn split(folder: &Path, stem: &str, ran: &str) -> Result<(), Box<dyn Error>> {
    let module = folder.join(format!("{stem}_bg.wasm"));
    let places = fs::read_to_string(ran)?;
    let places = places.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let (first, rest) = split::split(&fs::read(&module)?, &places)?;
    fs::write(&module, first)?;
    fs::write(folder.join(format!("{stem}_rest.wasm")), rest)?;
    for (end, adapted) in [("js", glue::script as fn(&str) -> _), ("d.ts", glue::types)] {
        let file = folder.join(format!("{stem}.{end}"));
        let text =
            adapted(&fs::read_to_string(&file)?).ok_or("the glue is not what was expected")?;
        fs::write(file, text)?;
    }
    Ok(())
}
