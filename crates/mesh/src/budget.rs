//! Memory bound of the loader, relative to the file size.
//!
//! The bound holds whatever sizes the file declares. In formats where every triangle takes at least
//! one byte of the file, parsers count first and reserve exactly. In glTF, where a few bytes can
//! declare any number of copies, each reservation is charged to a [`Budget`] first.

use crate::error::{MemoryUsage, MeshFormatError, ParseError};

/// Loading takes at most this many times the file's bytes, plus [`MEMORY_OVERHEAD`].
///
/// The tightest valid case is a PLY polygon of one-byte indices: 12 bytes of triangle for each
/// byte, plus the file itself, makes 13.
#[doc(alias = "MEMORY_FACTOR")]
pub const MAX_MEMORY_PER_BYTE: u64 = 16;

/// Allowance in bytes beyond [`MAX_MEMORY_PER_BYTE`]: buffers of readers and decoders.
#[doc(alias = "MEMORY_SLACK")]
pub const MEMORY_OVERHEAD: u64 = 1 << 20;

/// Bytes allowed and used so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    allowed: u64,
    used: u64,
}

impl Budget {
    /// Budget of a file of `bytes`, all of which are already in memory.
    pub(crate) fn of_file(bytes: u64) -> Self {
        let allowed = bytes.saturating_mul(MAX_MEMORY_PER_BYTE).saturating_add(MEMORY_OVERHEAD);
        Self { allowed, used: bytes }
    }

    /// Extends the budget by a further file, already in memory.
    pub(crate) fn add_file(&mut self, bytes: u64) {
        self.allowed = self.allowed.saturating_add(bytes.saturating_mul(MAX_MEMORY_PER_BYTE));
        self.used = self.used.saturating_add(bytes);
    }

    /// Takes `bytes`; an error if they exceed the budget.
    pub(crate) fn charge(&mut self, bytes: u64, usage: MemoryUsage) -> Result<(), ParseError> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.allowed {
            return Err(ParseError::OverMemory { usage, needed, allowed: self.allowed });
        }
        self.used = needed;
        Ok(())
    }
}

/// Vector with capacity for exactly `count` items, a number that comes from a file.
pub(crate) fn reserve<T>(count: u64) -> Result<Vec<T>, ParseError> {
    let mut items = Vec::new();
    let reserved = usize::try_from(count).is_ok_and(|count| items.try_reserve_exact(count).is_ok());
    if reserved {
        Ok(items)
    } else {
        let bytes = count.saturating_mul(size_of::<T>() as u64);
        Err(ParseError::whole(MeshFormatError::AllocationFailed { bytes }))
    }
}
