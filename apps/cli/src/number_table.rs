//! Bytes of a CSV file → rows of numbers, or an error that names the line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use embate_mesh::MAX_MAGNITUDE;

use embate_lab::reason::reason;

use crate::failure::Failure;

/// No line of numbers is longer. What has longer ones is something else, perhaps without an end.
const LONGEST_LINE: usize = 1 << 16;

/// Rows of `N` numbers each, with the line each came from.
pub(crate) type Rows<const N: usize> = Vec<(u64, [f32; N])>;

/// A CSV file whose header has been read.
#[derive(Debug)]
pub(crate) struct NumberTable {
    file: String,
    header: csv::StringRecord,
    reader: csv::Reader<ShortLines>,
}

impl NumberTable {
    /// Opens the file and reads its header. `what` says what the file should hold, for messages.
    pub(crate) fn open(path: &Path, what: &str) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let problem = |text: &str| Failure::Problem(format!("{file}: {text}"));
        let metadata = std::fs::metadata(path).map_err(|error| problem(&reason(&error)))?;
        if metadata.is_dir() {
            return Err(problem(&format!("is a folder; name a CSV file of {what}")));
        }
        let opened = File::open(path).map_err(|error| problem(&reason(&error)))?;
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(ShortLines { file: opened, since_break: 0 });
        let header = reader.headers().map_err(|error| problem(&csv_error(&error)))?.clone();
        Ok(Self { file, header, reader })
    }

    /// Whether the header names every one of these columns.
    pub(crate) fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|column| self.header.iter().any(|name| name == *column))
    }

    /// An error at the header, which is line 1.
    pub(crate) fn header_problem(&self, problem: &str) -> Failure {
        Failure::Problem(format!("{}, line 1: {problem}", self.file))
    }

    /// An error at one line.
    pub(crate) fn problem_at(&self, line: u64, problem: &str) -> Failure {
        Failure::Problem(format!("{}, line {line}: {problem}", self.file))
    }

    /// Reads all rows. Columns may stand in any order, and further ones are ignored.
    pub(crate) fn read<const N: usize>(&mut self, columns: [&str; N]) -> Result<Rows<N>, Failure> {
        let mut places = [0; N];
        for (place, column) in places.iter_mut().zip(columns) {
            let mut found = self.header.iter().enumerate().filter(|(_, name)| *name == column);
            let header = columns.join(",");
            (*place, _) = found.next().ok_or_else(|| {
                self.header_problem(&format!("no column `{column}`; the header must be {header}"))
            })?;
            if found.next().is_some() {
                let problem =
                    format!("column `{column}` stands twice; the header must be {header}");
                return Err(self.header_problem(&problem));
            }
        }
        let mut rows = Vec::new();
        let mut record = csv::StringRecord::new();
        loop {
            let more = self.reader.read_record(&mut record);
            let more = more.map_err(|error| {
                Failure::Problem(format!("{}: {}", self.file, csv_error(&error)))
            })?;
            if !more {
                return Ok(rows);
            }
            let line = record.position().map_or(0, csv::Position::line);
            let fields = places.map(|place| &record[place]);
            let row = numbers(columns, fields).map_err(|error| self.problem_at(line, &error))?;
            rows.push((line, row));
        }
    }
}

/// A file's bytes, as long as they are lines.
#[derive(Debug)]
struct ShortLines {
    file: File,
    /// Bytes since the last line began.
    since_break: usize,
}

impl Read for ShortLines {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(into)?;
        for &byte in &into[..count] {
            self.since_break = if matches!(byte, b'\n' | b'\r') { 0 } else { self.since_break + 1 };
            if self.since_break > LONGEST_LINE {
                return Err(io::Error::other(
                    "a line of more than 65,536 bytes; is this a CSV file?",
                ));
            }
        }
        Ok(count)
    }
}

/// Reads the `X,Y,Z` of a flag.
pub(crate) fn point(flag: &str, text: &str) -> Result<[f32; 3], Failure> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let fields: [&str; 3] = fields.try_into().map_err(|fields: Vec<&str>| {
        Failure::Misuse(format!("{flag}: {} numbers given, three needed: X,Y,Z", fields.len()))
    })?;
    numbers(["x", "y", "z"], fields).map_err(|error| Failure::Misuse(format!("{flag}: {error}")))
}

/// Numbers from text: finite and within the range that nothing is lost in.
pub(crate) fn numbers<const N: usize>(
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

/// The csv crate's messages tell the record and the byte; a person looks for the line.
fn csv_error(error: &csv::Error) -> String {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(0, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            format!("line {}: {len} fields, but the header has {expected_len}", line(pos))
        }
        csv::ErrorKind::Utf8 { pos, .. } => {
            format!("line {}: not UTF-8 text; is this a CSV file?", line(pos))
        }
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}
