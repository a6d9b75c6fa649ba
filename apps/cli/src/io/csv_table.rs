//! CSV table of numbers: reads bytes into rows, or returns an error with the line number.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use embate_mesh::MAX_MAGNITUDE;

use embate_scene::io_error_message as reason;

use crate::failure::Failure;

/// Maximum line length in bytes. A file with longer lines is not a CSV file of numbers, and may be
/// endless.
const MAX_LINE_LENGTH: usize = 1 << 16;

/// Rows of `N` numbers, each with its line number.
pub(crate) type Rows<const N: usize> = Vec<(u64, [f32; N])>;

/// A CSV file whose header has been read.
#[derive(Debug)]
pub(crate) struct CsvTable {
    file: String,
    header: csv::StringRecord,
    reader: csv::Reader<BoundedLines>,
}

impl CsvTable {
    /// Opens the file and reads its header. `content` describes the expected content in error
    /// messages.
    pub(crate) fn open(path: &Path, content: &str) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let problem = |text: &str| Failure::Problem(format!("{file}: {text}"));
        let metadata = std::fs::metadata(path).map_err(|error| problem(&reason(&error)))?;
        if metadata.is_dir() {
            return Err(problem(&format!("is a folder; name a CSV file of {content}")));
        }
        let opened = File::open(path).map_err(|error| problem(&reason(&error)))?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(BoundedLines {
            file: opened,
            bytes: 0,
            since_break: 0,
        });
        let header = reader.headers().cloned();
        let header = header.map_err(|error| csv_error(&file, record_line(&reader), &error))?;
        if header.len() == 1 && header[0].contains(';') {
            return Err(Failure::Problem(format!(
                "{file}, line 1: columns are separated by commas, not by semicolons; save it with \
                 commas, and with points in the numbers"
            )));
        }
        Ok(Self { file, header, reader })
    }

    /// Whether the header has all of these columns.
    pub(crate) fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|column| self.header.iter().any(|name| name == *column))
    }

    /// An error in the header, which is line 1.
    pub(crate) fn header_problem(&self, problem: &str) -> Failure {
        Failure::Problem(format!("{}, line 1: {problem}", self.file))
    }

    /// An error in one line.
    pub(crate) fn problem_at(&self, line: u64, problem: &str) -> Failure {
        Failure::Problem(format!("{}, line {line}: {problem}", self.file))
    }

    /// Reads all rows. Columns may be in any order; further columns are ignored.
    pub(crate) fn read<const N: usize>(&mut self, columns: [&str; N]) -> Result<Rows<N>, Failure> {
        let mut indices = [0; N];
        for (index, column) in indices.iter_mut().zip(columns) {
            let mut found = self.header.iter().enumerate().filter(|(_, name)| *name == column);
            let header = columns.join(",");
            (*index, _) = found.next().ok_or_else(|| {
                self.header_problem(&format!("no column `{column}`; the header must be {header}"))
            })?;
            if found.next().is_some() {
                let problem =
                    format!("column `{column}` occurs twice; the header must be {header}");
                return Err(self.header_problem(&problem));
            }
        }
        let mut rows = Vec::new();
        let mut record = csv::StringRecord::new();
        loop {
            let more = self.reader.read_record(&mut record);
            let line = record_line(&self.reader);
            if !more.map_err(|error| csv_error(&self.file, line, &error))? {
                return Ok(rows);
            }
            let fields = indices.map(|index| &record[index]);
            let row =
                parse_numbers(columns, fields).map_err(|error| self.problem_at(line, &error))?;
            rows.push((line, row));
        }
    }
}

/// The line of the record that was read last. The `csv` crate's own position is where it started to
/// look for the record: before empty lines, and before the `\n` of a `\r\n`.
fn record_line(reader: &csv::Reader<BoundedLines>) -> u64 {
    let (at, source) = (reader.position(), reader.get_ref());
    let is_last_without_end = at.byte() == source.bytes && source.since_break > 0;
    if is_last_without_end { at.line() } else { at.line().saturating_sub(1).max(1) }
}

/// Reads a file whose lines are at most [`MAX_LINE_LENGTH`] bytes, with `\r\n` converted to `\n`.
#[derive(Debug)]
struct BoundedLines {
    file: File,
    /// Bytes read.
    bytes: u64,
    /// Bytes since the start of the current line.
    since_break: usize,
}

impl Read for BoundedLines {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // `\r\n` becomes `\n`, so that every line ends at its `\n`. One byte of the buffer is kept
        // free for the byte after a final `\r`.
        let capacity = into.len().max(2) - 1;
        let mut read = self.file.read(&mut into[..capacity])?;
        if into[..read].last() == Some(&b'\r') && read < into.len() {
            read += self.file.read(&mut into[read..=read])?;
        }
        let mut count = 0;
        for index in 0..read {
            if !into[index..read].starts_with(b"\r\n") {
                into[count] = into[index];
                count += 1;
            }
        }
        self.bytes += count as u64;
        for &byte in &into[..count] {
            self.since_break = if matches!(byte, b'\n' | b'\r') { 0 } else { self.since_break + 1 };
            if self.since_break > MAX_LINE_LENGTH {
                return Err(io::Error::other(
                    "a line of more than 65,536 bytes; is this a CSV file?",
                ));
            }
        }
        Ok(count)
    }
}

/// Parses the `X,Y,Z` of a flag.
pub(crate) fn parse_point(flag: &str, text: &str) -> Result<[f32; 3], Failure> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let fields: [&str; 3] = fields.try_into().map_err(|fields: Vec<&str>| {
        Failure::Usage(format!("{flag}: {} numbers given, 3 required: X,Y,Z", fields.len()))
    })?;
    parse_numbers(["x", "y", "z"], fields)
        .map_err(|error| Failure::Usage(format!("{flag}: {error}")))
}

/// Parses finite numbers within ±`MAX_MAGNITUDE`, in which products neither overflow nor underflow.
pub(crate) fn parse_numbers<const N: usize>(
    names: [&str; N],
    fields: [&str; N],
) -> Result<[f32; N], String> {
    let mut numbers = [0.0_f32; N];
    for ((number, field), name) in numbers.iter_mut().zip(fields).zip(names) {
        *number = field.parse().map_err(|_| format!("{name} is `{field}`, not a number"))?;
        if !number.is_finite() || number.abs() > MAX_MAGNITUDE {
            return Err(format!("{name} is {field}; it must be finite and within ±1e18"));
        }
    }
    Ok(numbers)
}

/// Converts an error of the `csv` crate, which names record and byte, to one that names the line.
fn csv_error(file: &str, line: u64, error: &csv::Error) -> Failure {
    Failure::Problem(match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => format!(
            "{file}, line {line}: {len} field{}, but the header has {expected_len}; every line \
             needs the same number",
            if *len == 1 { "" } else { "s" }
        ),
        csv::ErrorKind::Utf8 { .. } => {
            format!("{file}, line {line}: not UTF-8 text; is this a CSV file?")
        }
        _ => format!("{file}: {error}"),
    })
}
