//! Size limits of a mesh, chosen by the caller.

use std::fmt;

use crate::error::ParseError;

/// Size limits of a mesh. The defaults admit every mesh of the usual scan archives and reject those
/// that would exhaust a desktop machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum bytes of the file, decompressed if it is a gzip, plus those of its external buffers.
    pub max_bytes: u64,
    /// Maximum vertices, after welding in formats that repeat them.
    pub max_vertices: u64,
    /// Maximum triangles, after triangulation of polygons.
    pub max_triangles: u64,
}

/// One of the [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_bytes`]
    Bytes,
    /// [`Limits::max_vertices`]
    Vertices,
    /// [`Limits::max_triangles`]
    Triangles,
}

impl Default for Limits {
    fn default() -> Self {
        // 200 million triangles over 100 million vertices are 3.6 GB in memory.
        Self { max_bytes: 4 << 30, max_vertices: 200_000_000, max_triangles: 200_000_000 }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes",
            Self::Vertices => "vertices",
            Self::Triangles => "triangles",
        })
    }
}

impl Limits {
    /// An error if `found` exceeds the limit.
    pub(crate) fn check(&self, limit: Limit, found: u64) -> Result<(), ParseError> {
        let allowed = match limit {
            Limit::Bytes => self.max_bytes,
            // A mesh has 32-bit indices, whatever the caller allows.
            Limit::Vertices => self.max_vertices.min(u32::MAX.into()),
            Limit::Triangles => self.max_triangles.min(u32::MAX.into()),
        };
        if found <= allowed { Ok(()) } else { Err(ParseError::OverLimit { limit, found, allowed }) }
    }
}
