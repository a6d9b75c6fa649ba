//! Snapshots of a simulation: in memory, and as versioned bytes that are checked when read.
//!
//! ```text
//! "EMBL"  version  config  bounds  time  bodies (a snapshot of the engine)  pairs  events
//! last steps of the integrator  checksum
//! ```
//!
//! Version 2 has neither integrator nor last steps; it is read as of semi-implicit Euler.
//!
//! A snapshot in memory holds the [`Parts`] of the user's own. Its bytes only hold which there are:
//! [`Snapshot::from_bytes_with_parts`] takes them from its caller.
//!
//! Guarantee: bytes that no simulation wrote yield an error, never a panic, and memory proportional
//! to their number.

use embate::dynamics::{self, BodyId, BoundaryMode, ContactEvent, Settings, World, WorldBounds};
use embate::narrow_phase::{ContactPoint, MAX_MANIFOLD_POINTS};
use thiserror::Error;

use super::bytes::{Reader, Writer};
use super::candidate_pair::{CandidatePair, Contact};
use super::config::{BroadPhase, Config, OctreeLimits, Response};
use super::integrator::{IntegratorKind, LastSteps};
use super::pair_finder::PairFinder;
use super::parts::Parts;
use super::simulator::Simulator;

const MAGIC: [u8; 4] = *b"EMBL";
/// Magic number of a snapshot of `dynamics::World`.
const ENGINE_MAGIC: [u8; 4] = *b"EMBW";
/// Changes with the format, and with what a step makes of it.
const VERSION: u32 = 3;
/// Oldest version that is read: the one before integrators became exchangeable.
const OLDEST_VERSION: u32 = 2;
/// Broad phase that is not in [`BroadPhase::ALL`]: [`BroadPhase::AUTO`].
const AUTO: u8 = u8::MAX;

/// State of a simulation: [`Simulator::restore`] continues from it with the same bits. Shapes are
/// shared, not copied.
#[derive(Clone, Debug)]
pub struct Snapshot {
    world: dynamics::Snapshot,
    bounds: Option<WorldBounds>,
    config: Config,
    parts: Parts,
    time: f64,
    pairs: Vec<CandidatePair>,
    events: Vec<ContactEvent>,
    ended: Vec<ContactEvent>,
    last_steps: LastSteps,
}

/// Why bytes are not a snapshot of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Something else.
    #[error(
        "these bytes are not a snapshot of the Lasch simulator: they do not begin with \"EMBL\""
    )]
    Unknown,
    /// A snapshot of `embate::dynamics::World`. Until the replica got its own type, its states were
    /// saved as such.
    #[error(
        "this snapshot is of an engine world, or of an Embate in which the engine ran the study's \
         method; run the scene again from the start"
    )]
    EngineSnapshot,
    /// Another version of the format.
    #[error(
        "the snapshot has version {found}, this Embate reads versions {OLDEST_VERSION} to {VERSION}; use the Embate that wrote it"
    )]
    Version {
        /// Version of the bytes.
        found: u32,
    },
    /// The checksum does not match.
    #[error("the snapshot is damaged: its checksum does not match; copy it again from its source")]
    Damaged,
    /// Bytes of a simulation with a part of its user's own, read without that part.
    #[error(
        "the simulation of this snapshot has its own {part}, which is not in its bytes; read it by \
         Snapshot::from_bytes_with_parts"
    )]
    UserPart {
        /// Which part, in English.
        part: &'static str,
    },
    /// The bodies are not valid.
    #[error("the bodies of the snapshot: {0}")]
    Bodies(#[from] dynamics::SnapshotError),
    /// A value that no simulation has.
    #[error("the snapshot is invalid at byte {at}: {reason}")]
    Invalid {
        /// Offset in the bytes.
        at: usize,
        /// Reason, in English.
        reason: &'static str,
    },
}

impl SnapshotError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "lasch-snapshot.unknown",
            Self::EngineSnapshot => "lasch-snapshot.engine-snapshot",
            Self::Version { .. } => "lasch-snapshot.version",
            Self::Damaged => "lasch-snapshot.damaged",
            Self::UserPart { .. } => "lasch-snapshot.user-part",
            Self::Bodies(_) => "lasch-snapshot.bodies",
            Self::Invalid { .. } => "lasch-snapshot.invalid",
        }
    }
}

impl Simulator {
    /// The current state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            world: self.world.snapshot(),
            bounds: self.settings.bounds,
            config: self.config,
            parts: self.parts.clone(),
            time: self.time,
            pairs: self.pairs.clone(),
            events: self.events.clone(),
            ended: self.ended.clone(),
            last_steps: self.last_steps.clone(),
        }
    }

    /// Returns to a snapshot. Bodies inserted since are gone, removed ones are back under their
    /// ids. Ids of bodies inserted from then on are ones that this simulation never used.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.world.restore(&snapshot.world);
        self.settings = Settings { bounds: snapshot.bounds, ..*self.world.settings() };
        self.config = snapshot.config;
        self.parts = snapshot.parts.clone();
        self.time = snapshot.time;
        self.pairs.clone_from(&snapshot.pairs);
        self.events.clone_from(&snapshot.events);
        self.ended.clone_from(&snapshot.ended);
        self.last_steps.clone_from(&snapshot.last_steps);
        self.states_are_stale = true;
        self.pair_finder = PairFinder::default();
    }

    /// A simulation in the state of `snapshot`.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let world = World::from_snapshot(&snapshot.world);
        let settings = *world.settings();
        let mut simulator = Self::from_world(world, settings, snapshot.config);
        simulator.restore(snapshot);
        simulator
    }
}

impl Snapshot {
    /// Serializes the snapshot.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings}, shapes::Sphere};
    /// use embate_replica::lasch::{Config, Simulator, Snapshot};
    ///
    /// let mut simulator = Simulator::new(Settings::default(), Config::PUBLISHED)?;
    /// simulator.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// let bytes = simulator.snapshot().to_bytes();
    /// let mut other = Simulator::from_snapshot(&Snapshot::from_bytes(&bytes)?);
    /// simulator.step();
    /// other.step();
    /// assert_eq!(simulator.state_hash(), other.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw(&MAGIC);
        out.u32(VERSION);
        let Config { broad_phase, integrator, response, tolerance, position_iterations, octree } =
            self.config;
        let number = BroadPhase::ALL.iter().position(|&other| other == broad_phase);
        out.u8(number.map_or(AUTO, |number| number as u8));
        out.u8(u8::from(response == Response::Impulse));
        out.f32(tolerance);
        out.u8(position_iterations);
        out.u8(octree.max_depth);
        out.f32(octree.min_cell_size);
        let number = IntegratorKind::ALL.iter().position(|&other| other == integrator);
        out.u8(number.unwrap_or_default() as u8);
        out.u8(self.parts.bits());
        out.u8(u8::from(self.bounds.is_some()));
        if let Some(WorldBounds { min, max, mode }) = self.bounds {
            out.vec3(min);
            out.vec3(max);
            out.u8(u8::from(mode == BoundaryMode::Open));
        }
        out.u64(self.time.to_bits());
        let world = self.world.to_bytes();
        out.count(world.len());
        out.raw(&world);
        out.count(self.pairs.len());
        for pair in &self.pairs {
            write_pair(&mut out, pair);
        }
        write_events(&mut out, &self.events);
        write_events(&mut out, &self.ended);
        self.last_steps.write(&mut out);
        let sum = checksum(&out.bytes);
        out.u64(sum);
        out.bytes
    }

    /// Whether `bytes` begin with the magic number of a snapshot of this simulator.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`SnapshotError`] if the bytes are anything else; [`SnapshotError::UserPart`] if the
    /// simulation had [`Parts`] of its user's own.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Self::from_bytes_with_parts(bytes, &Parts::new())
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote of a simulation with parts of its user's own.
    /// Of `parts`, those are taken that the simulation had; that they are the same is up to the
    /// caller.
    ///
    /// # Errors
    /// [`SnapshotError`] if the bytes are anything else; [`SnapshotError::UserPart`] if the
    /// simulation had a part that is not among `parts`.
    pub fn from_bytes_with_parts(bytes: &[u8], parts: &Parts) -> Result<Self, SnapshotError> {
        match bytes.first_chunk::<4>() {
            Some(&MAGIC) => {}
            Some(&ENGINE_MAGIC) => return Err(SnapshotError::EngineSnapshot),
            _ => return Err(SnapshotError::Unknown),
        }
        let mut input = Reader::new(bytes);
        input.raw(4)?;
        let found = input.u32()?;
        if !(OLDEST_VERSION..=VERSION).contains(&found) {
            return Err(SnapshotError::Version { found });
        }
        let Some((content, sum)) = bytes.split_last_chunk::<8>() else {
            return Err(SnapshotError::Damaged);
        };
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(SnapshotError::Damaged);
        }
        let mut input = Reader::new(content);
        input.raw(8)?;
        let config = read_config(&mut input, found)?;
        let bits = if found >= 3 { input.u8()? } else { 0 };
        input.require(bits < 8, "unknown parts")?;
        let parts = parts.of_bits(bits).map_err(|part| SnapshotError::UserPart { part })?;
        let bounds = if input.bool()? { Some(read_bounds(&mut input)?) } else { None };
        let time = input.f64()?;
        let length = input.count(1)?;
        let world = dynamics::Snapshot::from_bytes(input.raw(length)?)?;
        let stored = World::from_snapshot(&world);
        let settings = Settings { bounds, ..*stored.settings() };
        let is_storage = stored.settings().bounds.is_none() && stored.joints().next().is_none();
        input.require(is_storage, "the bodies are those of another simulation")?;
        input.require(settings.validate().is_ok(), "the bounds are not valid")?;
        let pairs = read_pairs(&mut input, &stored)?;
        let (events, ended) = (read_events(&mut input)?, read_events(&mut input)?);
        let last_steps =
            if found >= 3 { LastSteps::read(&mut input, &stored)? } else { LastSteps::default() };
        input.end()?;
        Ok(Self { world, bounds, config, parts, time, pairs, events, ended, last_steps })
    }
}

fn read_config(input: &mut Reader<'_>, version: u32) -> Result<Config, SnapshotError> {
    let broad_phase = match input.u8()? {
        AUTO => BroadPhase::AUTO,
        number => match BroadPhase::ALL.get(usize::from(number)) {
            Some(&broad_phase) => broad_phase,
            None => return input.error("unknown broad phase"),
        },
    };
    let response = if input.bool()? { Response::Impulse } else { Response::Positions };
    let (tolerance, position_iterations) = (input.f32()?, input.u8()?);
    let octree = OctreeLimits { max_depth: input.u8()?, min_cell_size: input.f32()? };
    let integrator = if version < 3 {
        IntegratorKind::SemiImplicitEuler
    } else if let Some(&integrator) = IntegratorKind::ALL.get(usize::from(input.u8()?)) {
        integrator
    } else {
        return input.error("unknown integrator");
    };
    let config =
        Config { broad_phase, integrator, response, tolerance, position_iterations, octree };
    input.require(config.validate().is_ok(), "the configuration is out of range")?;
    Ok(config)
}

fn read_bounds(input: &mut Reader<'_>) -> Result<WorldBounds, SnapshotError> {
    let (min, max) = (input.vec3()?, input.vec3()?);
    let mode = if input.bool()? { BoundaryMode::Open } else { BoundaryMode::Solid };
    Ok(WorldBounds { min, max, mode })
}

fn write_pair(out: &mut Writer, pair: &CandidatePair) {
    // Ids and sensor flag follow from the bodies.
    pair.bodies.iter().for_each(|&index| out.u32(index));
    out.u8(u8::from(pair.needs_update));
    out.u8(u8::from(pair.is_touching));
    out.vec3(pair.approach_velocity);
    out.u8(pair.contact.map_or(0, |contact| contact.point_count));
    if let Some(contact) = &pair.contact {
        out.vec3(contact.normal);
        contact.sub_shapes.iter().for_each(|&part| out.u32(part));
        out.f32(contact.impulse);
        for &ContactPoint { position, penetration, feature_id } in contact.points() {
            out.vec3(position);
            out.f32(penetration);
            out.u32(feature_id);
        }
    }
}

fn read_pairs(input: &mut Reader<'_>, world: &World) -> Result<Vec<CandidatePair>, SnapshotError> {
    let ids: Vec<BodyId> = world.bodies().map(|body| body.id()).collect();
    let id_of = |index: u32| {
        ids.binary_search_by_key(&index, |id| id.index()).ok().map(|number| ids[number])
    };
    let count = input.count(23)?;
    let mut pairs: Vec<CandidatePair> = Vec::with_capacity(count);
    for _ in 0..count {
        let bodies = [input.u32()?, input.u32()?];
        let in_order =
            bodies[0] < bodies[1] && pairs.last().is_none_or(|last| last.bodies < bodies);
        input.require(in_order, "pairs are not sorted")?;
        let ids = id_of(bodies[0]).zip(id_of(bodies[1]));
        let pair = ids.and_then(|(a, b)| CandidatePair::new(world, [a, b]));
        let Some(mut pair) = pair else {
            return input.error("a pair of bodies that never touch");
        };
        (pair.needs_update, pair.is_touching) = (input.bool()?, input.bool()?);
        pair.approach_velocity = input.vec3()?;
        pair.contact = read_contact(input)?;
        pairs.push(pair);
    }
    Ok(pairs)
}

fn read_contact(input: &mut Reader<'_>) -> Result<Option<Contact>, SnapshotError> {
    let point_count = input.u8()?;
    if point_count == 0 {
        return Ok(None);
    }
    let is_possible = usize::from(point_count) <= MAX_MANIFOLD_POINTS;
    input.require(is_possible, "a contact has more than four points")?;
    let normal = input.vec3()?;
    let is_unit = (normal.length_squared() - 1.0).abs() <= 1e-3;
    input.require(is_unit, "a normal is not of unit length")?;
    let sub_shapes = [input.u32()?, input.u32()?];
    let impulse = input.f32()?;
    let mut points = [ContactPoint::default(); MAX_MANIFOLD_POINTS];
    for point in points.iter_mut().take(usize::from(point_count)) {
        *point = ContactPoint {
            position: input.vec3()?,
            penetration: input.f32()?,
            feature_id: input.u32()?,
        };
    }
    Ok(Some(Contact { normal, sub_shapes, points, point_count, impulse }))
}

fn write_events(out: &mut Writer, events: &[ContactEvent]) {
    out.count(events.len());
    for event in events {
        out.u8(match *event {
            ContactEvent::Begin { sensor, .. } => u8::from(sensor),
            ContactEvent::End { sensor, .. } => 2 + u8::from(sensor),
            ContactEvent::Hit { .. } => 4,
        });
        event.bodies().iter().for_each(|id| out.u64(id.to_bits()));
        if let ContactEvent::Hit { bodies: _, point, normal, approach_speed, normal_impulse } =
            *event
        {
            out.vec3(point);
            out.vec3(normal);
            out.f32(approach_speed);
            out.f32(normal_impulse);
        }
    }
}

fn read_events(input: &mut Reader<'_>) -> Result<Vec<ContactEvent>, SnapshotError> {
    let count = input.count(17)?;
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let kind = input.u8()?;
        let bodies = [BodyId::from_bits(input.u64()?), BodyId::from_bits(input.u64()?)];
        events.push(match kind {
            0 | 1 => ContactEvent::Begin { bodies, sensor: kind == 1 },
            2 | 3 => ContactEvent::End { bodies, sensor: kind == 3 },
            4 => ContactEvent::Hit {
                bodies,
                point: input.vec3()?,
                normal: input.vec3()?,
                approach_speed: input.f32()?,
                normal_impulse: input.f32()?,
            },
            _ => return input.error("unknown event"),
        });
    }
    Ok(events)
}

/// FNV-1a, against accidental damage.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
