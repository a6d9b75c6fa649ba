//! Snapshots: the complete state of a world, from which it continues bit for bit.

pub(crate) mod serialize;

use embate_geom::Aabb;

use crate::dynamics::body::body_set::{BodySet, merge_next_generation};
use crate::dynamics::broad_phase::BroadPhaseProxies;
use crate::dynamics::contact_events::ContactEvent;
use crate::dynamics::joint::JointSet;
use crate::dynamics::narrow_phase::ContactPairs;
use crate::dynamics::settings::Settings;
use crate::dynamics::world::World;

/// State of a world at one time. [`World::restore`] continues from it bit for bit. Shapes are
/// shared with the world, not copied.
#[doc(alias = "rollback")]
#[doc(alias = "StateRecorder")]
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(crate) settings: Settings,
    pub(crate) bodies: BodySet,
    /// Fat AABBs with their body index, sorted by it.
    pub(crate) fat_aabbs: Vec<(u32, Aabb<3>)>,
    pub(crate) contact_pairs: ContactPairs,
    pub(crate) joints: JointSet,
    /// Events of the last step.
    pub(crate) events: Vec<ContactEvent>,
    /// End events caused by edits since the last step; the next step emits them.
    pub(crate) ended: Vec<ContactEvent>,
    /// Simulated time in seconds.
    pub(crate) time: f64,
}

impl World {
    /// Copies the present state.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// let before = world.snapshot();
    /// world.step();
    /// let after = world.state_hash();
    /// world.restore(&before);
    /// world.step();
    /// assert_eq!(world.state_hash(), after);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            settings: self.settings,
            bodies: self.bodies.clone(),
            fat_aabbs: self.broad_phase.fat_aabbs(),
            contact_pairs: ContactPairs::of(self.contact_pairs.live_pairs().cloned().collect()),
            joints: self.joints.clone(),
            events: self.events.clone(),
            ended: self.ended.clone(),
            time: self.time,
        }
    }

    /// Creates a world in the state of a snapshot.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut world = Self::empty(snapshot.settings);
        world.restore(snapshot);
        world
    }

    /// Returns to the state of a snapshot. Bodies inserted since are gone; bodies removed since
    /// exist again under their ids. Bodies and joints inserted later get ids that this world has
    /// never used, not even after the snapshot was taken.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let body_generations = core::mem::take(&mut self.bodies.next_generation);
        let joint_generations = core::mem::take(&mut self.joints.next_generation);
        self.settings = snapshot.settings;
        self.bodies = snapshot.bodies.clone();
        self.contact_pairs = snapshot.contact_pairs.clone();
        self.joints = snapshot.joints.clone();
        merge_next_generation(&mut self.bodies.next_generation, &body_generations);
        merge_next_generation(&mut self.joints.next_generation, &joint_generations);
        self.events.clone_from(&snapshot.events);
        self.ended.clone_from(&snapshot.ended);
        self.time = snapshot.time;
        self.end_separated_pairs(&snapshot.fat_aabbs);
        self.broad_phase = BroadPhaseProxies::from_proxies(&snapshot.fat_aabbs);
        self.query_tree.invalidate();
    }

    /// Ends the pairs of bodies that were teleported just before the snapshot: the rebuilt broad
    /// phase does not know the pairs of the fat AABBs before the teleport, and would never report
    /// their end.
    fn end_separated_pairs(&mut self, fat_aabbs: &[(u32, Aabb<3>)]) {
        let fat_aabb = |body: u32| {
            let found = fat_aabbs.binary_search_by_key(&body, |entry| entry.0).ok()?;
            Some(&fat_aabbs[found].1)
        };
        let ended = &mut self.ended;
        self.contact_pairs.pairs.retain(|pair| {
            let [a, b] = pair.bodies.map(fat_aabb);
            let overlap = a.zip(b).is_some_and(|(a, b)| a.overlaps(b));
            if !overlap && pair.began_touching {
                ended.push(ContactEvent::End { bodies: pair.ids, sensor: pair.sensor });
            }
            overlap
        });
    }
}
