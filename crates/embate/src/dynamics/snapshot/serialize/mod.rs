//! Binary snapshot format: versioned, checksummed, validated when read.
//!
//! ```text
//! "EMBW" version settings time shapes bodies [body-extensions] fat-AABBs joints contact-pairs
//!        events checksum
//! ```
//!
//! Numbers are little-endian and keep their bits. Each distinct shape is written once. Derived
//! values are not written: masses follow from shapes, world-space inertia from rotations, materials
//! of pairs from their bodies.
//!
//! Guarantee: arbitrary bytes yield a valid snapshot or a [`SnapshotError`], never a panic. Memory
//! is proportional to the input: a count is rejected unless the remaining bytes can hold its
//! elements. The cost of a step is not bounded by the input size: n overlapping bodies make n² / 2
//! pairs, as in any world.

mod bodies;
mod body_extensions;
mod contacts;
mod defect;
mod events;
mod joints;
mod reader_writer;
mod settings;
mod shapes;

pub use defect::SnapshotDefect;
use reader_writer::{Reader, Writer};
use thiserror::Error;

use crate::dynamics::snapshot::Snapshot;

const MAGIC: [u8; 4] = *b"EMBW";
/// Format version without [body extensions](body_extensions). Incremented whenever the layout
/// changes, or the result of a step from the same bytes.
const VERSION: u32 = 4;
/// Format version with body extensions. A snapshot that has none is written as [`VERSION`], so that
/// older releases can read it.
const VERSION_WITH_EXTENSIONS: u32 = 5;
/// Magic and version.
const HEADER_BYTES: usize = 8;

/// Why bytes were rejected as a snapshot.
#[doc(alias = "InvalidSnapshot")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The magic number is missing.
    #[error(
        "not a world snapshot: the bytes do not start with \"EMBW\"; pass the output of \
         `Snapshot::to_bytes`"
    )]
    #[doc(alias("Unknown", "NotASnapshot"))]
    BadMagic,
    /// Written by another version of Embate.
    #[error(
        "snapshot format version {found} is not supported, only versions {VERSION} and \
         {VERSION_WITH_EXTENSIONS}: read it with the version of Embate that wrote it"
    )]
    #[doc(alias = "Version")]
    UnsupportedVersion {
        /// Version of the snapshot.
        found: u32,
    },
    /// Truncated or corrupt.
    #[error("snapshot checksum mismatch: the bytes are truncated or corrupt; get an intact copy")]
    #[doc(alias = "Damaged")]
    ChecksumMismatch,
    /// A value that no world has, under a valid checksum.
    #[error("invalid snapshot at byte {offset}: {defect}; write the snapshot again")]
    #[doc(alias = "Wrong")]
    InvalidValue {
        /// Byte offset at which reading stopped.
        offset: usize,
        /// Which rule the value violates.
        defect: SnapshotDefect,
    },
}

impl SnapshotError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadMagic => "snapshot.bad-magic",
            Self::UnsupportedVersion { .. } => "snapshot.unsupported-version",
            Self::ChecksumMismatch => "snapshot.checksum-mismatch",
            Self::InvalidValue { .. } => "snapshot.invalid-value",
        }
    }
}

impl Snapshot {
    /// Serializes the snapshot. The same state yields the same bytes on every platform.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, Snapshot, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// let bytes = world.snapshot().to_bytes();
    /// let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes)?);
    /// world.step();
    /// other.step();
    /// assert_eq!(world.state_hash(), other.state_hash());
    ///
    /// assert!(Snapshot::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new();
        out.raw(&MAGIC);
        let extensions = body_extensions::collect(&self.bodies);
        out.u32(if extensions.is_empty() { VERSION } else { VERSION_WITH_EXTENSIONS });
        settings::write(&mut out, &self.settings);
        out.f64(self.time);
        bodies::write(&mut out, &self.bodies);
        body_extensions::write(&mut out, &extensions);
        bodies::write_fat_aabbs(&mut out, &self.fat_aabbs);
        joints::write(&mut out, &self.joints);
        contacts::write(&mut out, &self.narrow_phase);
        events::write(&mut out, &self.events);
        let checksum = fnv1a(out.bytes());
        out.raw(&checksum.to_le_bytes());
        out.into_bytes()
    }

    /// Deserializes the output of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// [`SnapshotError`], with the byte offset if a value is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(SnapshotError::BadMagic);
        }
        let mut input = Reader::new(bytes);
        input.skip(MAGIC.len())?;
        let found = input.u32()?;
        if found != VERSION && found != VERSION_WITH_EXTENSIONS {
            return Err(SnapshotError::UnsupportedVersion { found });
        }
        let Some((content, checksum)) = bytes.split_last_chunk::<8>() else {
            return Err(SnapshotError::ChecksumMismatch);
        };
        if fnv1a(content) != u64::from_le_bytes(*checksum) {
            return Err(SnapshotError::ChecksumMismatch);
        }
        let mut input = Reader::new(content);
        input.skip(HEADER_BYTES)?;
        let settings = settings::read(&mut input)?;
        let time = input.finite_f64()?;
        let mut bodies = bodies::read(&mut input)?;
        if found == VERSION_WITH_EXTENSIONS {
            body_extensions::read(&mut input, &mut bodies)?;
        }
        let fat_aabbs = bodies::read_fat_aabbs(&mut input, &bodies, &settings)?;
        let joints = joints::read(&mut input, &bodies)?;
        bodies.set_joint_filters(joints.filtered_pairs().collect());
        let narrow_phase = contacts::read(&mut input, &bodies)?;
        let events = events::read(&mut input)?;
        input.expect_end()?;
        Ok(Self { settings, bodies, fat_aabbs, narrow_phase, joints, events, time })
    }
}

/// FNV-1a, 64 bits: detects accidental corruption, not tampering.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_are_unique() {
        let mut codes = [
            SnapshotError::BadMagic,
            SnapshotError::UnsupportedVersion { found: 3 },
            SnapshotError::ChecksumMismatch,
            SnapshotError::InvalidValue { offset: 8, defect: SnapshotDefect::NotANumber },
        ]
        .map(|error| error.code())
        .to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 4);
    }
}
