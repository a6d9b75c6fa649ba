//! Snapshots: the complete state of a world, from which it continues bit for bit.

pub(crate) mod serialize;

use embate_geom::Aabb;

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::contact_events::ContactEvents;
use crate::dynamics::joint::JointSet;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::settings::Settings;

/// State of a world at one time. [`World::restore`](crate::dynamics::World::restore) continues from
/// it bit for bit. Shapes are shared with the world, not copied.
#[doc(alias = "rollback")]
#[doc(alias = "StateRecorder")]
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(crate) settings: Settings,
    pub(crate) bodies: BodySet,
    /// Fat AABBs with their body index, sorted by it.
    pub(crate) fat_aabbs: Vec<(BodyIndex, Aabb<3>)>,
    pub(crate) narrow_phase: NarrowPhase,
    pub(crate) joints: JointSet,
    pub(crate) events: ContactEvents,
    /// Simulated time in seconds.
    pub(crate) time: f64,
}
