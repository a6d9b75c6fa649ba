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
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(ShortLines {
            file: opened,
            bytes: 0,
            since_break: 0,
        });
        let header = reader.headers().cloned();
        let header = header.map_err(|error| csv_error(&file, line_read(&reader), &error))?;
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
            let line = line_read(&self.reader);
            if !more.map_err(|error| csv_error(&self.file, line, &error))? {
                return Ok(rows);
            }
            let fields = places.map(|place| &record[place]);
            let row = numbers(columns, fields).map_err(|error| self.problem_at(line, &error))?;
            rows.push((line, row));
        }
    }
}

/// The line of the record that was read last. (The crate tells where it began to look for it: before empty lines, and
/// before the second half of Windows' line ends.)
fn line_read(reader: &csv::Reader<ShortLines>) -> u64 {
    let (at, source) = (reader.position(), reader.get_ref());
    let is_last_without_end = at.byte() == source.bytes && source.since_break > 0;
    if is_last_without_end { at.line() } else { at.line().saturating_sub(1).max(1) }
}

/// A file's bytes, as long as they are lines.
#[derive(Debug)]
struct ShortLines {
    file: File,
    /// Bytes read.
    bytes: u64,
    /// Bytes since the last line began.
    since_break: usize,
}

impl Read for ShortLines {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // Windows' line ends lose their first half, so that every line ends at its `\n`; there is room to see what follows.
        let room = into.len().max(2) - 1;
        let mut read = self.file.read(&mut into[..room])?;
        if into[..read].last() == Some(&b'\r') && read < into.len() {
            read += self.file.read(&mut into[read..=read])?;
        }
        let mut count = 0;
        for place in 0..read {
            if !into[place..read].starts_with(b"\r\n") {
                into[count] = into[place];
                count += 1;
            }
        }
        self.bytes += count as u64;
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
fn csv_error(file: &str, line: u64, error: &csv::Error) -> Failure {
    Failure::Problem(match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => format!(
            "{file}, line {line}: {len} field{}, but the header has {expected_len}; every line needs as many",
            if *len == 1 { "" } else { "s" }
        ),
        csv::ErrorKind::Utf8 { .. } => {
            format!("{file}, line {line}: not UTF-8 text; is this a CSV file?")
        }
        _ => format!("{file}: {error}"),
    })
}
