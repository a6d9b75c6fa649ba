//! Snapshot and restore of a world.

use embate_geom::Aabb;

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::broad_phase::BroadPhaseProxies;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::snapshot::Snapshot;
use crate::dynamics::world::World;

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
            narrow_phase: NarrowPhase::of(self.narrow_phase.live_pairs().cloned().collect()),
            joints: self.joints.clone(),
            events: self.events.clone(),
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
        let Snapshot { settings, bodies, fat_aabbs, narrow_phase, joints, events, time } = snapshot;
        self.settings = *settings;
        self.bodies.restore(bodies);
        self.joints.restore(joints);
        self.narrow_phase = narrow_phase.clone();
        self.events = events.clone();
        self.time = *time;
        self.end_separated_pairs(fat_aabbs);
        self.broad_phase = BroadPhaseProxies::from_proxies(fat_aabbs);
        self.query_tree.invalidate();
    }

    /// Ends the pairs of bodies that were teleported just before the snapshot: the rebuilt broad
    /// phase does not know the pairs of the fat AABBs before the teleport, and would never report
    /// their end.
    fn end_separated_pairs(&mut self, fat_aabbs: &[(BodyIndex, Aabb<3>)]) {
        let fat_aabb = |body: BodyIndex| {
            let found = fat_aabbs.binary_search_by_key(&body, |entry| entry.0).ok()?;
            Some(&fat_aabbs[found].1)
        };
        self.narrow_phase.remove_pairs_where(&mut self.events, |pair| {
            let [a, b] = pair.bodies().map(fat_aabb);
            !a.zip(b).is_some_and(|(a, b)| a.overlaps(b))
        });
    }
}
