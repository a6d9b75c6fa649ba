//! Terminal output: results on stdout, log lines on stderr, aligned tables, common JSON objects.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::failure::Failure;

/// Writes to stdout; unlike `print!`, a closed pipe is not a panic.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|e| output_error(&e))
}

/// Writes a line to stderr, where it does not mix with results. A closed stderr is ignored.
pub(crate) fn log(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Converts an error of writing to stdout.
pub(crate) fn output_error(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::OutputClosed
    } else {
        Failure::Problem(format!("standard output: {error}"))
    }
}

/// A table without lines; an empty header is left out.
pub(crate) fn bare_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if !header.is_empty() {
        table.set_header(header);
    }
    table
}

/// Aligns the columns from `first` on to the right.
pub(crate) fn align_numbers(table: &mut Table, first: usize) {
    for column in table.column_iter_mut().skip(first) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// The lines of a table without the padding of the last column, each with its line end.
pub(crate) fn trimmed(table: &Table) -> String {
    let lines: Vec<_> = table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// Characters of a name that are printed: a table with a name of megabytes would take minutes.
const NAME_LENGTH: usize = 80;

/// A name from a file, shortened and without control characters, which could be escape sequences.
pub(crate) fn printable(name: &str) -> String {
    let shown: String = name.chars().take(NAME_LENGTH).collect();
    let more = if shown.len() < name.len() { "…" } else { "" };
    format!("{}{more}", shown.replace(char::is_control, "\u{fffd}"))
}

/// JSON `times` of a ray query.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Times {
    pub(crate) build_s: f64,
    pub(crate) query_s: f64,
}

/// JSON `memory` of a ray query.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Memory {
    /// Of the acceleration structure, without the mesh.
    pub(crate) bytes: usize,
}

/// Serializes one JSON object with a line end.
pub(crate) fn json_text(report: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(report).map_err(Failure::problem)?;
    Ok(text + "\n")
}
