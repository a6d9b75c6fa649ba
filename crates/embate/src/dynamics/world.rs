//! The world that a user holds: bodies come, go and are asked about here.

use embate_geom::{Aabb, Pose, Rotation, Vec3};
use fearless_simd::Level;

use super::asked::Asked;
use super::bodies::Bodies;
use super::body::{BodyId, BodyPlan};
use super::broad::{self, Broad};
use super::checks::{InvalidBody, check_speed};
use super::colours::Blocks;
use super::events::{Contact, Event};
use super::integrate::Flight;
use super::islands;
use super::joints::Joints;
use super::method::Method;
use super::prepare::Constraint;
use super::report::{Clock, StepReport};
use super::settings::{Bounds, InvalidSettings, Settings, Walls};
use super::shared::Shared;
use super::study::Study;
use super::touches::Touches;
use super::view::{Body, BodyChange};
use crate::pairs::Boxes;
use crate::shapes::Plane;

/// Rigid bodies that move, touch and come to rest.
///
/// ```
/// use embate::{Vec3, motion::{BodyPlan, Settings, World}, shapes::Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// let ball = world.add(BodyPlan::moving(Sphere::new(0.5)?, 1.0).at(Vec3::new(0.0, 10.0, 0.0)))?;
/// for _ in 0..60 {
///     world.step();
/// }
/// let fallen = 10.0 - world.body(ball).unwrap().position().y;
/// assert!((fallen - 0.5 * 9.81).abs() < 1e-3);
///
/// world.remove(ball);
/// assert!(world.body(ball).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(super) settings: Settings,
    pub(super) bodies: Bodies,
    pub(super) broad: Broad,
    pub(super) touches: Touches,
    pub(super) joints: Joints,
    pub(super) events: Vec<Event>,
    /// Touches that ended because somebody changed the world: told with the next step.
    pub(super) ended: Vec<Event>,
    /// Time since the beginning, in seconds.
    pub(super) time: f64,
    /// Kept between steps for their memory alone.
    pub(super) blocks: Blocks,
    pub(super) shared: Shared,
    /// Touches that may bounce, apart.
    pub(super) bouncy: Vec<Constraint>,
    pub(super) flights: Vec<Flight>,
    pub(super) awake: Vec<u32>,
    /// For questions alone.
    pub(super) asked: Asked,
    /// Of the study's method alone.
    pub(super) study: Option<Study>,
    /// What the last step did.
    pub(super) report: StepReport,
    pub(super) counts_tests: bool,
    /// What steps are timed by, if not by the system's clock.
    pub(super) clock: Option<Clock>,
    /// The instructions that this machine has.
    pub(super) level: Level,
}

impl World {
    /// Empty, but for the walls if the settings have bounds.
    ///
    /// # Errors
    /// [`InvalidSettings`] says which setting is wrong.
    pub fn new(settings: Settings) -> Result<Self, InvalidSettings> {
        settings.check()?;
        let mut world = Self::empty(settings);
        if let Some(bounds) = settings.bounds
            && bounds.walls == Walls::Bounce
            && world.study.is_none()
        {
            world.wall_in(bounds);
        }
        Ok(world)
    }

    /// Without even walls.
    pub(super) fn empty(settings: Settings) -> Self {
        Self {
            settings,
            bodies: Bodies::default(),
            broad: Broad::new(),
            touches: Touches::default(),
            joints: Joints::default(),
            events: Vec::new(),
            ended: Vec::new(),
            time: 0.0,
            blocks: Blocks::default(),
            shared: Shared::default(),
            bouncy: Vec::new(),
            flights: Vec::new(),
            awake: Vec::new(),
            asked: Asked::default(),
            study: Study::of(settings.method),
            report: StepReport::default(),
            counts_tests: false,
            clock: None,
            level: Level::new(),
        }
    }

    /// Six half-spaces that face inwards.
    fn wall_in(&mut self, Bounds { min, max, .. }: Bounds) {
        for axis in 0..3 {
            for (normal, corner) in [(Vec3::AXES[axis], min), (-Vec3::AXES[axis], max)] {
                let mut position = Vec3::ZERO;
                position[axis] = corner[axis];
                let Ok(plane) = Plane::new(normal) else { continue };
                let plan = BodyPlan::still(plane).at(position).with_friction(0.0);
                if let Ok(id) = self.add(plan)
                    && let Some(nature) = &mut self.bodies.natures[id.index as usize]
                {
                    nature.wall = true;
                }
            }
        }
    }

    /// What holds for all bodies.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Gravity from now on. Wakes everybody.
    ///
    /// # Errors
    /// [`InvalidSettings`] if it is not finite; the world is as before.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), InvalidSettings> {
        let settings = Settings { gravity, ..self.settings };
        settings.check()?;
        self.settings = settings;
        let all = 0..self.bodies.natures.len();
        islands::wake_bodies(&mut self.bodies, all);
        Ok(())
    }

    /// Shares steps out to another number of threads, which changes no bit.
    ///
    /// # Errors
    /// [`InvalidSettings`], and nothing changes.
    pub fn set_threads(&mut self, threads: u32) -> Result<(), InvalidSettings> {
        let settings = Settings { threads, ..self.settings };
        settings.check()?;
        self.settings = settings;
        Ok(())
    }

    /// Time since the beginning, in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Adds a body. What sleeps where it is wakes; a sensor lets sleep.
    ///
    /// # Errors
    /// [`InvalidBody`] says what is wrong with it; the world is as before.
    pub fn add(&mut self, plan: BodyPlan) -> Result<BodyId, InvalidBody> {
        let mass = plan.check()?;
        check_speed(plan.velocity, self.settings.max_speed)?;
        let id = self.bodies.add(plan, mass);
        let place = id.index as usize;
        let (margin, time_step) = (self.settings.margin(), self.settings.time_step);
        let needed = broad::needed(&self.bodies, place, margin, time_step);
        let room = broad::with_room(&needed, &self.bodies, place, time_step);
        let checked = Boxes::check(place as u32, &room);
        if let Err(refused) = checked {
            self.bodies.remove(place);
            return Err(refused.into());
        }
        // The study's chain keeps pairs of its own.
        if self.study.is_none() {
            self.broad.add(place, room);
        }
        self.forget_places();
        Ok(id)
    }

    /// Takes a body away; false if there is none of this name. What it touched wakes.
    pub fn remove(&mut self, id: BodyId) -> bool {
        let Some(place) = self.find(id) else { return false };
        self.unjoin_all(place);
        self.let_go(place);
        self.forget_places();
        self.broad.remove(place);
        self.bodies.remove(place);
        true
    }

    /// A body of this name; `None` if it was removed.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<Body<'_>> {
        self.find(id).map(|place| Body { bodies: &self.bodies, place })
    }

    /// A body of this name to be changed; `None` if it was removed. It wakes.
    ///
    /// ```
    /// use embate::{Vec3, motion::{BodyPlan, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings { gravity: Vec3::ZERO, ..Settings::default() })?;
    /// let ball = world.add(BodyPlan::moving(Sphere::new(0.5)?, 2.0))?;
    /// world.change(ball).unwrap().apply_impulse(Vec3::X)?;
    /// assert_eq!(world.body(ball).unwrap().velocity(), Vec3::X * 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change(&mut self, id: BodyId) -> Option<BodyChange<'_>> {
        let place = self.find(id)?;
        self.touches.tidy();
        islands::wake_body(&mut self.bodies, place);
        Some(BodyChange { world: self, place })
    }

    /// Every body, in the order of their places.
    pub fn bodies(&self) -> impl Iterator<Item = Body<'_>> {
        let shown = |&place: &usize| self.bodies.natures[place].as_ref().is_some_and(|n| !n.wall);
        (0..self.bodies.natures.len())
            .filter(shown)
            .map(|place| Body { bodies: &self.bodies, place })
    }

    /// How many bodies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let walls = self.bodies.natures.iter().flatten().filter(|nature| nature.wall).count();
        self.bodies.len() - walls
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The box of each body within which others are looked for, in the order of [`bodies`](Self::bodies): it holds where
    /// the body is and goes in a step, with the margin of its contacts. Pairs of these that overlap are what a step
    /// has to look at, and to remember.
    ///
    /// ```
    /// use embate::{motion::{BodyPlan, Settings, World}, shapes::Sphere};
    ///
    /// let settings = Settings { slop: 1.0, ..Settings::default() };
    /// let mut world = World::new(settings)?;
    /// world.add(BodyPlan::moving(Sphere::new(0.5)?, 1.0))?;
    /// assert!(world.rooms().all(|room| room.max[0] > 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rooms(&self) -> impl Iterator<Item = Aabb<3>> {
        let margin = match self.settings.method {
            Method::Study { tolerance, .. } => tolerance,
            _ => self.settings.margin(),
        };
        self.bodies().map(move |body| {
            let needed =
                || broad::needed(&self.bodies, body.place, margin, self.settings.time_step);
            self.broad.room(body.place).copied().unwrap_or_else(needed)
        })
    }

    /// Where bodies touch, as of the last step, in the order of their places.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> {
        let touching = self.touches.pairs.iter().filter(|pair| pair.touching);
        touching.flat_map(|pair| pair.touches.iter().map(|touch| Contact::new(pair, touch)))
    }

    /// What happened in the last step, in the order of the bodies' places; of the same two bodies, in the order in
    /// which it happened.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn find(&self, id: BodyId) -> Option<usize> {
        self.bodies.find(id).filter(|&place| !self.bodies.nature(place).wall)
    }

    /// Puts a body elsewhere.
    pub(super) fn place_at(&mut self, place: usize, pose: Pose) -> Result<(), InvalidBody> {
        let nature = self.bodies.nature(place);
        let (margin, time_step) = (self.settings.margin(), self.settings.time_step);
        Boxes::check(place as u32, &nature.shape.aabb(&pose).grown(margin))?;
        let center = pose.point(nature.mass.centroid);
        let rotation: Rotation = pose.rotation;
        self.wake_neighbours(place);
        self.look_again(place);
        self.forget_places();
        self.bodies.places[place] = super::bodies::Place { center, rotation };
        self.bodies.poses[place] = pose;
        self.bodies.turn_inertia(place);
        if self.study.is_none() {
            self.broad.follow(&self.bodies, &[place as u32], (margin, time_step), 1);
        }
        Ok(())
    }
}
