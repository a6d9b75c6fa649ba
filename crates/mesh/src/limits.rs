//! How large may a mesh be before we refuse it?

use std::fmt;

use crate::error::Fault;

/// What a caller is ready to hold. The defaults admit every mesh of the usual scan archives and
/// stop what would exhaust a desktop machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, unpacked if it is a gzip, plus those of the buffers it names.
    pub max_bytes: u64,
    /// Vertices, after equal ones are merged in formats that repeat them.
    pub max_vertices: u64,
    /// Triangles, after polygons are cut into them.
    pub max_triangles: u64,
}

/// Names one of the [`Limits`].
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
    pub(crate) fn check(&self, limit: Limit, found: u64) -> Result<(), Fault> {
        let allowed = match limit {
            Limit::Bytes => self.max_bytes,
            // A mesh counts with u32, whatever the caller would hold.
            Limit::Vertices => self.max_vertices.min(u32::MAX.into()),
            Limit::Triangles => self.max_triangles.min(u32::MAX.into()),
        };
        if found <= allowed { Ok(()) } else { Err(Fault::OverLimit { limit, found, allowed }) }
    }
}
