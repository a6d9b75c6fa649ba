//! A number by which damaged or changed bytes are told: their CRC-32.
//!
//! The crate that computes it fast holds 16 KB of tables that no packer makes smaller. What a page loads has a slow one,
//! with the same answers: it sums up recordings and meshes, once each.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crc32fast::{Hasher, hash};
#[cfg(target_arch = "wasm32")]
pub(crate) use small::{Hasher, hash};

#[cfg(any(test, target_arch = "wasm32"))]
mod small;
