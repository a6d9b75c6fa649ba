//! `hostile FOLDER`: writes the hostile mesh files for tests outside Rust, such as those of the
//! page.
//!
//! `list.tsv` has one line per file: file name, name, `packed` if it must be gzipped first, and the
//! expected result: `mesh` and the number of triangles, `error` and the message after the name,
//! `begins` and the start of the message; `any` if the result depends on other files or on the
//! caller's limits.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use embate_contracts::hostile::{LoadOutcome, corpus};
use embate_mesh::Limits;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("hostile: missing argument FOLDER");
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
        let is_self_contained = file.companions.is_empty() && file.limits == Limits::default();
        let expected = match &file.expected {
            _ if !is_self_contained => "any\t".to_owned(),
            LoadOutcome::Mesh(_, triangles) => format!("mesh\t{triangles}"),
            LoadOutcome::Error(message) => format!("error\t{message}"),
            LoadOutcome::ErrorPrefix(prefix) => format!("begins\t{prefix}"),
        };
        let packed = if file.packed { "packed" } else { "" };
        writeln!(list, "{number}.bin\t{}\t{packed}\t{expected}", file.name)?;
        fs::write(folder.join(format!("{number}.bin")), &file.bytes)?;
    }
    Ok(fs::write(folder.join("list.tsv"), list)?)
}
