//! How does a world go back to where it was?

use embate_geom::Aabb;

use super::bodies::{Bodies, keep_given};
use super::broad::Broad;
use super::events::Event;
use super::joints::Joints;
use super::method::Method;
use super::settings::Settings;
use super::study::Study;
use super::touches::Touches;
use super::world::World;

/// A world as it was: [`World::restore`] goes on from there with the same bits. Shapes are shared, not copied.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) settings: Settings,
    pub(super) bodies: Bodies,
    pub(super) rooms: Vec<(u32, Aabb<3>)>,
    pub(super) touches: Touches,
    pub(super) joints: Joints,
    pub(super) events: Vec<Event>,
    pub(super) ended: Vec<Event>,
    pub(super) time: f64,
}

impl World {
    /// The world as it is now.
    ///
    /// ```
    /// use embate::{Vec3, motion::{BodyPlan, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.add(BodyPlan::moving(Sphere::new(0.5)?, 1.0))?;
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
            rooms: self.broad.rooms(),
            touches: Touches::of(self.touches.present().cloned().collect()),
            joints: self.joints.clone(),
            events: self.events.clone(),
            ended: self.ended.clone(),
            time: self.time,
        }
    }

    /// The world of a snapshot.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut world = Self::empty(snapshot.settings);
        world.restore(snapshot);
        world
    }

    /// Goes back to a snapshot: bodies that came since are gone, those that went are back under their names. What is
    /// added from then on gets names that this world never gave, not even after the snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let bodies_given = core::mem::take(&mut self.bodies.given);
        let joints_given = core::mem::take(&mut self.joints.given);
        self.settings = snapshot.settings;
        self.bodies = snapshot.bodies.clone();
        self.touches = snapshot.touches.clone();
        self.joints = snapshot.joints.clone();
        keep_given(&mut self.bodies.given, &bodies_given);
        keep_given(&mut self.joints.given, &joints_given);
        self.events.clone_from(&snapshot.events);
        self.ended.clone_from(&snapshot.ended);
        self.time = snapshot.time;
        // The study's chain keeps pairs of its own, and no rooms.
        if !matches!(self.settings.method, Method::Study { .. }) {
            self.end_parted(&snapshot.rooms);
        }
        self.broad = Broad::rebuilt(&snapshot.rooms);
        self.study = Study::of(self.settings.method);
        self.asked.forget();
    }

    /// Ends pairs whose bodies were put elsewhere just before the snapshot: a room that is new knows nothing of the
    /// pairs of the old one.
    fn end_parted(&mut self, rooms: &[(u32, Aabb<3>)]) {
        let room = |place: u32| {
            let at = rooms.binary_search_by_key(&place, |room| room.0).ok()?;
            Some(&rooms[at].1)
        };
        let ended = &mut self.ended;
        self.touches.pairs.retain(|pair| {
            let [a, b] = pair.bodies.map(room);
            let meet = a.zip(b).is_some_and(|(a, b)| a.overlaps(b));
            if !meet && pair.touching {
                ended.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
            }
            meet
        });
    }
}
