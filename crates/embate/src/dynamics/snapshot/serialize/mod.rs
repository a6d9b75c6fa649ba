//! A world as bytes: small, versioned, and checked when read.
//!
//! ```text
//! "EMBW"  version  settings  time  shapes  bodies  rooms  joints  pairs  events  checksum
//! ```
//!
//! Numbers are little-endian and keep their bits. Each shape is written once, however many bodies have it. What
//! follows from something else is not written: masses from shapes, inertias from turns, materials of pairs from
//! their bodies.
//!
//! Promise: bytes that no world wrote give an error, never a panic, and reading takes memory in proportion to
//! their number: a count is believed only if so many bytes are left. (A step of what was read is as dear as the
//! bodies make it: those that all overlap are as many pairs as any world would have.)

mod bodies;
mod bytes;
mod events;
mod joints;
mod settings;
mod shapes;
mod touches;

use bytes::{In, Out};
use thiserror::Error;

use super::snapshot::Snapshot;

const MAGIC: [u8; 4] = *b"EMBW";
/// Changes whenever the bytes or what a step makes of them do.
const VERSION: u32 = 4;

/// Why bytes are no snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidSnapshot {
    /// Something else altogether.
    #[error("these bytes are no snapshot of a world: they do not begin with \"EMBW\"")]
    Unknown,
    /// Of another version of Embate.
    #[error(
        "the snapshot is of version {found}, but this Embate reads version {VERSION}: use the one that wrote it"
    )]
    Version {
        /// Which.
        found: u32,
    },
    /// Cut off or changed.
    #[error("the snapshot is damaged: its checksum does not fit; take it from its source again")]
    Damaged,
    /// A value that no world has.
    #[error("the snapshot is wrong at byte {at}: {what}")]
    Wrong {
        /// Where.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

impl Snapshot {
    /// As bytes, to be kept or sent.
    ///
    /// ```
    /// use embate::{Vec3, motion::{BodyPlan, Settings, Snapshot, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.add(BodyPlan::moving(Sphere::new(0.5)?, 1.0))?;
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
        let mut out = Out::new();
        out.raw(&MAGIC);
        out.u32(VERSION);
        settings::write(&mut out, &self.settings);
        out.f64(self.time);
        bodies::write(&mut out, &self.bodies);
        bodies::write_rooms(&mut out, &self.rooms);
        joints::write(&mut out, &self.joints);
        touches::write(&mut out, &self.touches);
        events::write(&mut out, &self.events);
        events::write(&mut out, &self.ended);
        let sum = checksum(out.bytes());
        out.raw(&sum.to_le_bytes());
        out.into_bytes()
    }

    /// From the bytes of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// [`InvalidSnapshot`] says what is wrong with them, and where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidSnapshot> {
        if bytes.get(..4) != Some(&MAGIC) {
            return Err(InvalidSnapshot::Unknown);
        }
        let mut input = In::new(bytes);
        input.skip(4)?;
        let found = input.u32()?;
        if found != VERSION {
            return Err(InvalidSnapshot::Version { found });
        }
        let Some((body, sum)) = bytes.split_last_chunk::<8>() else {
            return Err(InvalidSnapshot::Damaged);
        };
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(InvalidSnapshot::Damaged);
        }
        let mut input = In::new(body);
        input.skip(8)?;
        let settings = settings::read(&mut input)?;
        let time = input.finite_f64()?;
        let mut bodies = bodies::read(&mut input)?;
        let rooms = bodies::read_rooms(&mut input, &bodies, &settings)?;
        let joints = joints::read(&mut input, &bodies)?;
        bodies.untouchable = joints.untouchable();
        let touches = touches::read(&mut input, &bodies)?;
        let events = events::read(&mut input)?;
        let ended = events::read(&mut input)?;
        input.end()?;
        Ok(Self { settings, bodies, rooms, touches, joints, events, ended, time })
    }
}

/// FNV-1a: finds what happens to bytes on their way, not what somebody does to them.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
