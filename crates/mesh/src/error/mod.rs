//! Errors of the loader: file, location, problem, advice.

mod format;
mod gltf;
mod obj;
mod ply;
mod stl;
#[cfg(test)]
mod tests;

pub use format::MeshFormatError;
pub use gltf::GltfError;
pub use obj::ObjError;
pub use ply::PlyError;
pub use stl::StlError;

use std::fmt;
use std::io;

use crate::limits::Limit;
use crate::triangle_mesh::MeshValidationError;

/// Longest excerpt of a file in a message, in characters.
const EXCERPT_CHARS: usize = 40;

/// Why a file could not be loaded as a mesh. Every message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file could not be opened or read.
    #[error("{file}: {}", io_reason(.cause))]
    Unreadable {
        /// File name as given by the caller.
        file: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// The content is in none of the supported formats.
    #[error(
        "{file}: unknown mesh format; supported are OBJ, STL, PLY, glTF, GLB and triangle text \
         (nine numbers per triangle)"
    )]
    UnknownFormat {
        /// File name as given by the caller.
        file: String,
    },
    /// The content violates its format, or is not a valid mesh.
    #[error("{file}{location}: {error}")]
    Malformed {
        /// File name as given by the caller.
        file: String,
        /// Location in the file.
        location: SourceLocation,
        /// Problem and advice.
        error: MeshFormatError,
    },
    /// The mesh exceeds one of the caller's [`Limits`](crate::Limits).
    #[error(
        "{file}: {found} {limit}, more than the limit of {allowed}; raise `Limits::max_{limit}` \
         if you trust the file"
    )]
    OverLimit {
        /// File name as given by the caller.
        file: String,
        /// The exceeded limit.
        limit: Limit,
        /// Count in the file, or the count at which parsing stopped.
        found: u64,
        /// Allowed count.
        allowed: u64,
    },
    /// The mesh would need more memory than its file size allows, for instance by thousands of
    /// instances of one part.
    #[error(
        "{file}: {usage} would take {needed} bytes, but a file of this size may take {allowed}; \
         write the copies out, or load the part alone"
    )]
    OverMemory {
        /// File name as given by the caller.
        file: String,
        /// Use of the memory.
        usage: MemoryUsage,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed: [`MAX_MEMORY_PER_BYTE`](crate::MAX_MEMORY_PER_BYTE).
        allowed: u64,
    },
}

impl MeshError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "mesh.unreadable",
            Self::UnknownFormat { .. } => "mesh.unknown-format",
            Self::Malformed { error, .. } => error.code(),
            Self::OverLimit { .. } => "mesh.over-limit",
            Self::OverMemory { .. } => "mesh.over-memory",
        }
    }
}

/// Why a file cannot be read, with advice: the words of `embate_scene::io_error_message`, which
/// depends on this crate.
pub(crate) fn io_reason(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder; check the name".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "access is not permitted; choose a place you may use".to_owned()
        }
        io::ErrorKind::NotADirectory => {
            "a part of the path is a file, not a folder; name another".to_owned()
        }
        _ => format!("cannot be read: {cause}"),
    }
}

/// Location in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "Place")]
pub enum SourceLocation {
    /// The file as a whole.
    Whole,
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0.
    Byte(u64),
    /// A part of a glTF document, for instance `accessors[3]`.
    Part(String),
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
            Self::Part(part) => write!(f, ", {part}"),
        }
    }
}

/// Part of a glTF file that exceeds the memory bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryUsage {
    /// The parsed JSON document.
    Json,
    /// The table of buffers.
    BufferTable {
        /// Number of buffers.
        buffers: u64,
    },
    /// One decoded buffer.
    Buffer,
    /// The visited flags and roots of the node hierarchy.
    Nodes,
    /// The vertices and triangles of all mesh instances visited before the bound was exceeded.
    Instances {
        /// Number of mesh instances.
        instances: u64,
        /// Number of their triangles.
        triangles: u64,
    },
}

impl fmt::Display for MemoryUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json => f.write_str("the JSON"),
            Self::BufferTable { buffers } => write!(f, "a list of {buffers} buffers"),
            Self::Buffer => f.write_str("a buffer"),
            Self::Nodes => f.write_str("the nodes"),
            Self::Instances { instances, triangles } => {
                write!(f, "{instances} mesh instances of {triangles} triangles or more")
            }
        }
    }
}

/// Error of a parser, with a byte offset but neither the file name nor a line number: those
/// are added once, when an error is returned to the caller.
#[derive(Debug)]
pub(crate) enum ParseError {
    Malformed { offset: Offset, error: MeshFormatError },
    OverLimit { limit: Limit, found: u64, allowed: u64 },
    OverMemory { usage: MemoryUsage, needed: u64, allowed: u64 },
    UnknownFormat,
    Unreadable(io::Error),
}

/// Location within the parsed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Offset {
    Whole,
    /// Byte offset, reported as a line number.
    Text(usize),
    /// Byte offset, reported as such.
    Binary(u64),
    Part(String),
}

impl ParseError {
    pub(crate) fn whole(error: impl Into<MeshFormatError>) -> Self {
        Self::Malformed { offset: Offset::Whole, error: error.into() }
    }

    pub(crate) fn text(offset: usize, error: impl Into<MeshFormatError>) -> Self {
        Self::Malformed { offset: Offset::Text(offset), error: error.into() }
    }

    pub(crate) fn binary(offset: u64, error: impl Into<MeshFormatError>) -> Self {
        Self::Malformed { offset: Offset::Binary(offset), error: error.into() }
    }

    pub(crate) fn part(part: impl Into<String>, error: impl Into<MeshFormatError>) -> Self {
        Self::Malformed { offset: Offset::Part(part.into()), error: error.into() }
    }

    /// Adds the file name, and the line number counted in `bytes`.
    pub(crate) fn in_file(self, name: &str, bytes: &[u8]) -> MeshError {
        let file = escape_controls(name);
        match self {
            Self::Malformed { offset, error } => {
                let location = match offset {
                    Offset::Whole => SourceLocation::Whole,
                    Offset::Text(offset) => SourceLocation::Line(line_number(bytes, offset)),
                    Offset::Binary(offset) => SourceLocation::Byte(offset),
                    Offset::Part(part) => SourceLocation::Part(part),
                };
                MeshError::Malformed { file, location, error }
            }
            Self::OverLimit { limit, found, allowed } => {
                MeshError::OverLimit { file, limit, found, allowed }
            }
            Self::OverMemory { usage, needed, allowed } => {
                MeshError::OverMemory { file, usage, needed, allowed }
            }
            Self::UnknownFormat => MeshError::UnknownFormat { file },
            Self::Unreadable(cause) => MeshError::Unreadable { file, cause },
        }
    }
}

/// Parsers validate with a location at hand; this conversion covers the final check of the mesh.
impl From<MeshValidationError> for ParseError {
    fn from(invalid: MeshValidationError) -> Self {
        Self::whole(invalid)
    }
}

/// Excerpt of a file for a message: one line, printable, at most 40 characters.
pub(crate) fn excerpt(piece: &[u8]) -> String {
    // A UTF-8 character has at most four bytes.
    let start = &piece[..piece.len().min(4 * EXCERPT_CHARS)];
    let text = String::from_utf8_lossy(start);
    let mut excerpt: String = text.chars().take(EXCERPT_CHARS).collect();
    if start.len() < piece.len() || text.chars().nth(EXCERPT_CHARS).is_some() {
        excerpt.push('…');
    }
    escape_controls(&excerpt)
}

/// Escapes control characters: a name or excerpt of a hostile file could forge lines in a log.
pub(crate) fn escape_controls(text: &str) -> String {
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

/// Lines end with `\n`, or with `\r` in files without any `\n`.
fn line_number(bytes: &[u8], offset: usize) -> u64 {
    let before = &bytes[..offset.min(bytes.len())];
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    before.split(|&byte| byte == end).count() as u64
}
