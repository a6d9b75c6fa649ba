//! How does a world go back to where it was?

use embate_geom::Aabb;

use super::bodies::Bodies;
use super::broad::Broad;
use super::events::Event;
use super::joints::Joints;
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
            touches: self.touches.clone(),
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

    /// Goes back to a snapshot: bodies that came since are gone, those that went are back.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.settings = snapshot.settings;
        self.bodies = snapshot.bodies.clone();
        self.touches = snapshot.touches.clone();
        self.joints = snapshot.joints.clone();
        self.events.clone_from(&snapshot.events);
        self.ended.clone_from(&snapshot.ended);
        self.time = snapshot.time;
        self.broad = Broad::rebuilt(&snapshot.rooms);
        self.study = Study::of(self.settings.method);
        self.asked.forget();
    }
}
