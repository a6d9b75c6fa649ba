//! Journal: an append-only file of records with checksums, for runs that can be killed.
//!
//! ```text
//! embate journal 1\n                                   header: kind of file
//! 1c291ca3 {"key":"random-low 100","value":{…}}\n      CRC-32 of the JSON, then the JSON
//! 5d41402a {"key":"random-low 200","va                 killed here: truncated on the next open
//! ```
//!
//! Guarantee: killed between any two bytes, or after a power loss that leaves zeros behind, opening
//! again yields every record whose `append` returned, and nothing else.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::io_error_message;

/// The first line. Without it, a file that happens to bear our name would be taken for a journal
/// damaged from its first byte, and emptied.
const HEADER: &[u8] = b"embate journal 1\n";

/// Eight hexadecimal digits and a space.
const CHECKSUM_BYTES: usize = 9;

/// One finished piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Names the work, for instance case, size and technique. The journal does not ask whether
    /// it is unique: where a key comes twice, callers take the later record.
    pub key: String,
    /// The result as JSON. Floats come back with the same bits; NaN and infinities come back as
    /// null, because JSON has no word for them.
    pub value: Value,
}

/// An append-only file of records, locked against a second run for as long as it is open.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// The first line of its kind of file.
    header: &'static [u8],
    /// Number of valid bytes; bytes beyond are never read again.
    length: u64,
    dropped: usize,
}

/// Error of opening or writing a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A second run on the same folder would interleave its rows with the first one's.
    #[error(
        "{}: another run is writing here; wait for it to end, or name another folder with --out",
        path.display()
    )]
    InUse {
        /// The journal.
        path: PathBuf,
    },
    /// The file does not begin as a journal does, so it is left alone.
    #[error(
        "{}: not a journal of embate; move it away, or name another folder with --out",
        path.display()
    )]
    NotAJournal {
        /// The file that bears a journal's name.
        path: PathBuf,
    },
    /// The value has no form in JSON, for instance a map whose keys are not strings.
    #[error("record `{key}` cannot be written as JSON: {source}")]
    Unwritable {
        /// The record's key.
        key: String,
        /// What the serializer said.
        source: serde_json::Error,
    },
    /// The disk, the rights or the path.
    #[error("{}: {}", path.display(), io_error_message(source))]
    Io {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Record {
    /// The value as the type that was appended.
    ///
    /// # Errors
    /// If the record was written by another version, whose rows had other fields.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(&self.value)
    }
}

impl Journal {
    /// Opens or creates the journal at `path`, cuts off a damaged tail, and returns the records
    /// before it in the order in which they were appended.
    ///
    /// # Errors
    /// [`JournalError::InUse`] if another process (or this one) has it open,
    /// [`JournalError::NotAJournal`] if the file is foreign, [`JournalError::Io`].
    pub fn open(path: &Path) -> Result<(Self, Vec<Record>), JournalError> {
        Self::open_as(path, HEADER)
    }

    /// Opens or creates a file of another kind, which has another first line.
    pub(crate) fn open_as(
        path: &Path,
        header: &'static [u8],
    ) -> Result<(Self, Vec<Record>), JournalError> {
        let io_error = |source| JournalError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io_error)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::InUse { path: path.to_owned() });
            }
            // Some network file systems have no locks. A run there is better than none.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io_error(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io_error)?;

        let mut journal = Self { file, path: path.to_owned(), header, length: 0, dropped: 0 };
        if !bytes.starts_with(header) {
            if !is_torn_header(&bytes, header) {
                return Err(JournalError::NotAJournal { path: path.to_owned() });
            }
            journal.clear()?;
            return Ok((journal, Vec::new()));
        }
        let (records, good_bytes) = verified_prefix(&bytes, header);
        journal.length = good_bytes as u64;
        if good_bytes < bytes.len() {
            journal.dropped = count_lines(&bytes[good_bytes..]);
            journal.cut_tail().map_err(io_error)?;
        }
        Ok((journal, records))
    }

    /// The records of a file of this first line, which is left as it is; and what follows them that
    /// is no record. `None` if it begins otherwise.
    pub(crate) fn records_of<'a>(
        bytes: &'a [u8],
        header: &[u8],
    ) -> Option<(Vec<Record>, &'a [u8])> {
        bytes.starts_with(header).then(|| {
            let (records, good_bytes) = verified_prefix(bytes, header);
            (records, &bytes[good_bytes..])
        })
    }

    /// Writes one record and waits until the disk has it.
    ///
    /// # Errors
    /// [`JournalError::Unwritable`] or [`JournalError::Io`]; the journal then holds what it held
    /// before, and may be appended to again (for instance when there is room on the disk).
    pub fn append<T: Serialize>(&mut self, key: &str, value: &T) -> Result<(), JournalError> {
        let line = line(key, value)
            .map_err(|source| JournalError::Unwritable { key: key.to_owned(), source })?;
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            // Whatever half of the line got through must not stand before the next one. If even
            // this fails, the next opening cuts it off.
            let _ = self.cut_tail();
            return Err(JournalError::Io { path: self.path.clone(), source });
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Forgets every record, and keeps the lock while doing so.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn clear(&mut self) -> Result<(), JournalError> {
        self.length = 0;
        self.cut_tail()
            .and_then(|()| self.file.write_all(self.header))
            .and_then(|()| self.file.sync_data())
            .map_err(|source| JournalError::Io { path: self.path.clone(), source })?;
        self.length = self.header.len() as u64;
        Ok(())
    }

    /// Number of records dropped on opening: damaged ones and those after a damaged one.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    fn cut_tail(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.sync_data()
    }
}

/// True of what a kill or a power loss can leave of a file that never got past its first line.
fn is_torn_header(bytes: &[u8], header: &[u8]) -> bool {
    let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    header.starts_with(&bytes[..bytes.len() - zeros])
}

/// The records up to the first that does not verify, and how many bytes they take with the header.
fn verified_prefix(bytes: &[u8], header: &[u8]) -> (Vec<Record>, usize) {
    let mut records = Vec::new();
    let mut good_bytes = header.len();
    for line in bytes[header.len()..].split_inclusive(|byte| *byte == b'\n') {
        let Some(record) = parse_line(line) else { break };
        records.push(record);
        good_bytes += line.len();
    }
    (records, good_bytes)
}

fn line<T: Serialize>(key: &str, value: &T) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Borrowed<'a, T> {
        key: &'a str,
        value: &'a T,
    }
    // Compact JSON escapes every line break, so a record is always exactly one line.
    let json = serde_json::to_string(&Borrowed { key, value })?;
    Ok(format!("{}{json}\n", checksum(json.as_bytes())).into_bytes())
}

fn checksum(json: &[u8]) -> String {
    format!("{:08x} ", crate::checksum::hash(json))
}

/// `None` unless the line is whole, down to its line break, and matches its checksum.
fn parse_line(line: &[u8]) -> Option<Record> {
    let line = line.strip_suffix(b"\n")?;
    let (written, json) = line.split_at_checked(CHECKSUM_BYTES)?;
    // Compared as text: reading the digits as a number would also accept "+1C291CA".
    if written != checksum(json).as_bytes() {
        return None;
    }
    serde_json::from_slice(json).ok()
}

fn count_lines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sample {
        note: String,
        seconds: f64,
    }

    fn sample(number: u32) -> Sample {
        // Line breaks, quotes, other scripts and a float with all its digits.
        Sample { note: format!("\"{number}\"\né ração"), seconds: 0.1 + f64::from(number) / 3.0 }
    }

    fn write_samples(path: &Path, count: u32) -> Vec<Record> {
        let (mut journal, _) = Journal::open(path).unwrap();
        for number in 0..count {
            journal.append(&format!("row {number}"), &sample(number)).unwrap();
        }
        drop(journal);
        Journal::open(path).unwrap().1
    }

    fn whole_lines(bytes: &[u8]) -> usize {
        bytes.split(|byte| *byte == b'\n').count() - 1
    }

    #[test]
    fn records_round_trip_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let records = write_samples(&folder.path().join("journal"), 50);
        assert_eq!(records.len(), 50);
        for (number, record) in (0..).zip(&records) {
            assert_eq!(record.key, format!("row {number}"));
            assert_eq!(record.read::<Sample>().unwrap(), sample(number));
        }
    }

    /// A run can be killed after any byte: the valid prefix is kept, and new records follow it.
    #[test]
    fn journal_truncated_at_any_byte_keeps_its_complete_records() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let records = write_samples(&path, 5);
        let bytes = fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let expected = whole_lines(&bytes[..length]).saturating_sub(1);

            let (mut journal, kept) = Journal::open(&path).unwrap();
            assert_eq!(kept, records[..expected], "cut at byte {length}");
            journal.append("after the cut", &sample(99)).unwrap();
            drop(journal);

            let (_, reopened) = Journal::open(&path).unwrap();
            assert_eq!(reopened.len(), expected + 1, "cut at byte {length}");
            assert_eq!(reopened[expected].key, "after the cut");
        }
    }

    #[test]
    fn trailing_zeros_are_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let records = write_samples(&path, 3);
        let bytes = fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            let mut damaged = bytes[..length].to_vec();
            damaged.resize(length + 4096, 0);
            fs::write(&path, &damaged).unwrap();
            let (_, kept) = Journal::open(&path).unwrap();
            assert_eq!(kept, records[..kept.len()], "zeros from byte {length}");
            let expected = whole_lines(&bytes[..length]).saturating_sub(1);
            assert_eq!(kept.len(), expected, "zeros from byte {length}");
        }
    }

    #[test]
    fn flipped_bit_drops_its_record_and_all_later_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let records = write_samples(&path, 4);
        let bytes = fs::read(&path).unwrap();
        for byte in HEADER.len()..bytes.len() {
            for bit in [0, 5] {
                let mut damaged = bytes.clone();
                damaged[byte] ^= 1 << bit;
                fs::write(&path, &damaged).unwrap();
                let (journal, kept) = Journal::open(&path).unwrap();
                assert_eq!(
                    kept,
                    records[..whole_lines(&bytes[..byte]) - 1],
                    "byte {byte}, bit {bit}"
                );
                assert!(journal.dropped() > 0);
            }
        }
        let mut damaged = bytes.clone();
        damaged[HEADER.len() + 12] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert_eq!(Journal::open(&path).unwrap().0.dropped(), 4);
    }

    #[test]
    fn open_journal_is_locked_until_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (first, _) = Journal::open(&path).unwrap();
        let refused = Journal::open(&path).unwrap_err();
        assert!(matches!(refused, JournalError::InUse { .. }), "{refused}");
        assert!(refused.to_string().contains("another run"));
        drop(first);
        assert!(Journal::open(&path).is_ok());
    }

    #[test]
    fn foreign_files_are_not_modified() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for diary in ["Dear diary,\n", "embate journal 2\n", "\0\0x"] {
            fs::write(&path, diary).unwrap();
            let refused = Journal::open(&path).unwrap_err();
            assert!(matches!(refused, JournalError::NotAJournal { .. }), "{refused}");
            assert_eq!(fs::read_to_string(&path).unwrap(), diary);
        }
    }

    #[test]
    fn cleared_journal_is_empty_and_still_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        write_samples(&path, 3);
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.clear().unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::InUse { .. })));
        journal.append("new", &1).unwrap();
        drop(journal);
        let (_, records) = Journal::open(&path).unwrap();
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].key, "new");
    }
}
