//! How much memory may one file take?
//!
//! The bound holds whatever the file says of itself. Formats where every triangle costs the file
//! at least one byte keep it by counting first and reserving exactly; glTF, where a few bytes can
//! ask for any number of copies, charges a [`Budget`] before each reservation.

use crate::error::Fault;

/// Loading takes at most this many times the file's bytes, plus [`MEMORY_SLACK`].
///
/// The tightest honest case is a PLY polygon of one-byte indices: 12 bytes of triangle for each
/// byte, beside the file itself, makes 13.
pub const MEMORY_FACTOR: u64 = 16;

/// What small files may take beyond [`MEMORY_FACTOR`]: buffers of readers and decoders.
pub const MEMORY_SLACK: u64 = 1 << 20;

/// Bytes that may still be reserved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    allowed: u64,
    used: u64,
}

impl Budget {
    /// The budget of a file of `bytes`, all of which are in memory already.
    pub(crate) fn of_file(bytes: u64) -> Self {
        let allowed = bytes.saturating_mul(MEMORY_FACTOR).saturating_add(MEMORY_SLACK);
        Self { allowed, used: bytes }
    }

    /// Grants a file read later its share.
    pub(crate) fn add_file(&mut self, bytes: u64) {
        self.allowed = self.allowed.saturating_add(bytes.saturating_mul(MEMORY_FACTOR));
        self.used = self.used.saturating_add(bytes);
    }

    /// Takes `bytes` for `what`, or says that it is too much.
    pub(crate) fn charge(
        &mut self,
        bytes: u64,
        what: impl FnOnce() -> String,
    ) -> Result<(), Fault> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.allowed {
            return Err(Fault::OverMemory { problem: what(), needed, allowed: self.allowed });
        }
        self.used = needed;
        Ok(())
    }
}

/// A vector with room for exactly `count` items, whose number came from a file.
pub(crate) fn reserve<T>(count: u64) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    let room = usize::try_from(count).is_ok_and(|count| items.try_reserve_exact(count).is_ok());
    let bytes = count.saturating_mul(size_of::<T>() as u64);
    if room {
        Ok(items)
    } else {
        Err(Fault::whole(format!("this machine has no room for the {bytes} bytes of its mesh")))
    }
}
