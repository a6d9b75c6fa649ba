//! CRC-32 of bytes: detects damage and changes.
//!
//! The crate `crc32fast` has 16 KB of tables that do not compress. WebAssembly modules use a slower
//! implementation with the same results: there a recording or mesh is checked once.

#[cfg(not(target_arch = "wasm32"))]
use crc32fast as implementation;
#[cfg(target_arch = "wasm32")]
use small_table as implementation;

#[cfg(any(test, target_arch = "wasm32"))]
mod small_table;

/// Checksum of bytes that arrive in pieces.
#[derive(Clone, Debug)]
pub struct Hasher(implementation::Hasher);

impl Hasher {
    /// Checksum of no bytes yet.
    #[must_use]
    pub fn new() -> Self {
        Self(implementation::Hasher::new())
    }

    /// Appends bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Checksum of all bytes so far.
    #[must_use]
    pub fn finalize(self) -> u32 {
        self.0.finalize()
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

/// Checksum of these bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> u32 {
    implementation::hash(bytes)
}
