//! What went wrong, where, and what can the user do about it?

use std::fmt;
use std::io;

use crate::limits::Limit;
use crate::triangle_mesh::InvalidMesh;

/// Longest piece of a file quoted in a message: enough to recognise it, short enough to read.
const QUOTE_CHARS: usize = 40;

/// Why a file did not become a mesh. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file could not be opened or read.
    #[error("{file}: cannot be read: {cause}")]
    Unreadable {
        /// The file as the caller named it.
        file: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The content is none of the formats.
    #[error(
        "{file}: not a mesh we know; give it as OBJ, STL, PLY, glTF, GLB or nine numbers a triangle"
    )]
    Unrecognised {
        /// The file as the caller named it.
        file: String,
    },
    /// The format is known, but the content breaks its rules or ours.
    #[error("{file}{place}: {problem}")]
    Malformed {
        /// The file as the caller named it.
        file: String,
        /// Where in the file.
        place: Place,
        /// What is wrong, and what to do where there is something to do.
        problem: String,
    },
    /// The mesh is larger than the caller allows.
    #[error(
        "{file}: {found} {limit}, more than the limit of {allowed}; raise it with --max-{limit} if you trust the file"
    )]
    OverLimit {
        /// The file as the caller named it.
        file: String,
        /// Which limit.
        limit: Limit,
        /// What the file holds, or how far the count went before it was given up.
        found: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// The mesh would take out of all proportion to its file, as many instances of one part do.
    #[error(
        "{file}: {problem}, which takes {needed} bytes where a file this size may take {allowed}; write the copies out, or load the part alone"
    )]
    OverMemory {
        /// The file as the caller named it.
        file: String,
        /// What would be so large.
        problem: String,
        /// Bytes that would be needed.
        needed: u64,
        /// Bytes that are allowed.
        allowed: u64,
    },
}

/// A place in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0.
    Byte(u64),
    /// A part of a glTF document, for instance `accessors[3]`.
    Part(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
            Self::Part(part) => write!(f, ", {part}"),
        }
    }
}

/// What a parser found wrong. It knows offsets, but neither the file's name nor line numbers:
/// those are worked out once, when there is an error to tell.
#[derive(Debug)]
pub(crate) enum Fault {
    Malformed { spot: Spot, problem: String },
    OverLimit { limit: Limit, found: u64, allowed: u64 },
    OverMemory { problem: String, needed: u64, allowed: u64 },
    Unrecognised,
    Unreadable(io::Error),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Whole,
    /// An offset to be told as a line.
    Text(usize),
    /// An offset to be told as such.
    Binary(u64),
    Part(String),
}

impl Fault {
    pub(crate) fn whole(problem: impl Into<String>) -> Self {
        Self::Malformed { spot: Spot::Whole, problem: problem.into() }
    }

    pub(crate) fn text(offset: usize, problem: impl Into<String>) -> Self {
        Self::Malformed { spot: Spot::Text(offset), problem: problem.into() }
    }

    pub(crate) fn binary(offset: u64, problem: impl Into<String>) -> Self {
        Self::Malformed { spot: Spot::Binary(offset), problem: problem.into() }
    }

    pub(crate) fn part(part: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Malformed { spot: Spot::Part(part.into()), problem: problem.into() }
    }

    /// Adds what only the caller knows: the file's name, and its bytes to count lines in.
    pub(crate) fn in_file(self, name: &str, bytes: &[u8]) -> MeshError {
        let file = one_line(name);
        match self {
            Self::Malformed { spot, problem } => {
                let place = match spot {
                    Spot::Whole => Place::Whole,
                    Spot::Text(offset) => Place::Line(line_of(bytes, offset)),
                    Spot::Binary(offset) => Place::Byte(offset),
                    Spot::Part(part) => Place::Part(part),
                };
                MeshError::Malformed { file, place, problem: one_line(&problem) }
            }
            Self::OverLimit { limit, found, allowed } => {
                MeshError::OverLimit { file, limit, found, allowed }
            }
            Self::OverMemory { problem, needed, allowed } => {
                MeshError::OverMemory { file, problem, needed, allowed }
            }
            Self::Unrecognised => MeshError::Unrecognised { file },
            Self::Unreadable(cause) => MeshError::Unreadable { file, cause },
        }
    }
}

/// The parsers check with a place in hand; this is the net under them.
impl From<InvalidMesh> for Fault {
    fn from(invalid: InvalidMesh) -> Self {
        Self::whole(invalid.to_string())
    }
}

/// Quotes a piece of a file for a message: one line, printable, not too long.
pub(crate) fn quote(piece: &[u8]) -> String {
    // Four bytes is the longest character of UTF-8.
    let start = &piece[..piece.len().min(4 * QUOTE_CHARS)];
    let text = String::from_utf8_lossy(start);
    let mut quoted = String::from("`");
    quoted.extend(text.chars().take(QUOTE_CHARS));
    if start.len() < piece.len() || text.chars().nth(QUOTE_CHARS).is_some() {
        quoted.push('…');
    }
    quoted.push('`');
    one_line(&quoted)
}

/// A name or message may come from a hostile file: line breaks and control characters in it would
/// forge lines in a log.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// Lines end with `\n`, or with `\r` in files that have no `\n` at all.
fn line_of(bytes: &[u8], offset: usize) -> u64 {
    let before = &bytes[..offset.min(bytes.len())];
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    before.split(|&byte| byte == end).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_on_one_line_whatever_the_file_is_called() {
        let error =
            Fault::whole(format!("bad {}", quote(b"a\nb\x1b[31m"))).in_file("x\ny.obj", b"");
        assert_eq!(error.to_string(), "x\\ny.obj: bad `a\\nb\\u{1b}[31m`");
    }

    #[test]
    fn a_long_word_is_cut_and_broken_utf8_does_not_matter() {
        assert_eq!(quote(&[b'x'; 41]), format!("`{}…`", "x".repeat(40)));
        assert_eq!(quote(&[b'x'; 40]), format!("`{}`", "x".repeat(40)));
        assert_eq!(quote(b"\xff\xfe"), "`\u{fffd}\u{fffd}`");
    }

    #[test]
    fn lines_are_counted_by_line_feed_or_else_by_carriage_return() {
        assert_eq!(line_of(b"a\r\nb\r\nc", 6), 3);
        assert_eq!(line_of(b"a\rb\rc", 4), 3);
        assert_eq!(line_of(b"", 9), 1);
    }
}
