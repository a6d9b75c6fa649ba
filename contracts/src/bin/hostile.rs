//! `hostile FOLDER`: writes the hostile mesh files for programs that are not Rust, such as the page's tests.
//!
//! `list.tsv` has a line for each: its file, its name, `packed` if it has to be made a gzip first, and what must come of it:
//! `mesh` and a number of triangles, `error` and the words after the name, `begins` and their beginning; `any` where the
//! answer depends on other files or on the caller's limits.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use embate_contracts::hostile::{Answer, corpus};
use embate_mesh::Limits;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("hostile: name a folder");
        return ExitCode::from(2);
    };
    match write(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hostile: {folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut list = String::new();
    for (number, make) in corpus().enumerate() {
        let file = make();
        let is_alone = file.beside.is_empty() && file.limits == Limits::default();
        let answer = match &file.answer {
            _ if !is_alone => "any\t".to_owned(),
            Answer::Mesh(_, triangles) => format!("mesh\t{triangles}"),
            Answer::Error(words) => format!("error\t{words}"),
            Answer::ErrorBeginning(words) => format!("begins\t{words}"),
        };
        let packed = if file.packed { "packed" } else { "" };
        writeln!(list, "{number}.bin\t{}\t{packed}\t{answer}", file.name)?;
        fs::write(folder.join(format!("{number}.bin")), &file.bytes)?;
    }
    Ok(fs::write(folder.join("list.tsv"), list)?)
}
