//! Physics world: insertion, removal and inspection of bodies, contacts and contact events.
//!
//! The fields of [`World`] are private to this folder. All other folders of
//! [`dynamics`](crate::dynamics) get the parts that they read or write, never the world:
//!
//! ```text
//! step                     order of the stages
//! body_mut                 validated edits of one body
//! edits, joints            changes of bodies and joints, and the contacts that these invalidate
//! queries                  ray and shape casts, overlaps, closest bodies
//! snapshot, state_hash     copies and comparison of the whole state
//! diagnostics              energy and momentum
//! external_motion          motion computed outside of the engine
//! ```

pub(super) mod body_mut;
mod diagnostics;
mod edits;
pub(super) mod external_motion;
mod joints;
mod queries;
mod snapshot;
mod state_hash;
mod step;

use embate_geom::{Aabb, Vec3};

use crate::broad_phase::AabbSlice;
use crate::dynamics::body::body_def::{BodyDef, BodyId};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_ref::Body;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::body::error::{BodyError, check_speed};
use crate::dynamics::broad_phase::{self, BroadPhaseProxies};
use crate::dynamics::contact_events::{ContactEvent, ContactEvents, ContactManifold};
use crate::dynamics::island;
use crate::dynamics::joint::JointSet;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::profile::{Clock, StepProfile, StepStats};
use crate::dynamics::query::query_tree::QueryTree;
use crate::dynamics::settings::{BoundaryMode, Settings, SettingsError, WorldBounds};
use crate::dynamics::solver::step_scratch::StepScratch;
use crate::dynamics::world::body_mut::BodyMut;
use crate::shapes::HalfSpace;

/// Physics world of rigid bodies, joints and contacts.
///
/// ```
/// use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// let ball = BodyDef::dynamic(Sphere::new(0.5)?, 1.0).position(Vec3::new(0.0, 10.0, 0.0));
/// let ball = world.insert_body(ball)?;
/// for _ in 0..60 {
///     world.step();
/// }
/// let fallen = 10.0 - world.body(ball).unwrap().position().y;
/// assert!((fallen - 0.5 * 9.81).abs() < 1e-3);
///
/// world.remove_body(ball);
/// assert!(world.body(ball).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "PhysicsWorld")]
#[doc(alias = "b2World")]
#[doc(alias = "PhysicsSystem")]
pub struct World {
    settings: Settings,
    bodies: BodySet,
    broad_phase: BroadPhaseProxies,
    narrow_phase: NarrowPhase,
    joints: JointSet,
    events: ContactEvents,
    /// Simulated time, in seconds.
    time: f64,
    /// Buffers of a step, kept for their allocations.
    scratch: StepScratch,
    /// BVH for the scene queries; the step does not read it.
    query_tree: QueryTree,
    profile: StepProfile,
}

impl World {
    /// Creates a world without bodies. [Solid](BoundaryMode::Solid) bounds add six hidden boundary
    /// planes.
    ///
    /// # Errors
    /// [`SettingsError`] if a setting is out of range.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.validate()?;
        let mut world = Self::empty(settings);
        if let Some(bounds) = settings.bounds
            && bounds.mode == BoundaryMode::Solid
        {
            world.add_boundary_planes(bounds);
        }
        Ok(world)
    }

    /// Creates a world without bodies or boundary planes.
    fn empty(settings: Settings) -> Self {
        Self {
            settings,
            bodies: BodySet::default(),
            broad_phase: BroadPhaseProxies::new(),
            narrow_phase: NarrowPhase::default(),
            joints: JointSet::default(),
            events: ContactEvents::default(),
            time: 0.0,
            scratch: StepScratch::default(),
            query_tree: QueryTree::default(),
            profile: StepProfile::default(),
        }
    }

    /// Adds the six boundary planes: half-spaces whose normals face inwards.
    fn add_boundary_planes(&mut self, WorldBounds { min, max, .. }: WorldBounds) {
        for axis in 0..3 {
            for (normal, corner) in [(Vec3::AXES[axis], min), (-Vec3::AXES[axis], max)] {
                let mut position = Vec3::ZERO;
                position[axis] = corner[axis];
                let Ok(plane) = HalfSpace::new(normal) else { continue };
                let def = BodyDef::fixed(plane).position(position).friction(0.0);
                if let Ok(id) = self.insert_body(def) {
                    self.bodies.set_world_boundary(BodyIndex(id.index), true);
                }
            }
        }
    }

    /// The settings of this world.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the gravity, in m/s², and wakes all bodies.
    ///
    /// # Errors
    /// [`SettingsError`] if a component is not finite or exceeds 1e6; the world is unchanged.
    pub fn set_gravity(&mut self, gravity: impl Into<Vec3>) -> Result<(), SettingsError> {
        let gravity = gravity.into();
        let settings = Settings { gravity, ..self.settings };
        settings.validate()?;
        self.settings = settings;
        let all = self.bodies.slot_indices();
        island::wake_bodies(&mut self.bodies, all);
        Ok(())
    }

    /// Sets the maximum number of worker threads of a step. The results do not depend on it, bit
    /// for bit.
    ///
    /// # Errors
    /// [`SettingsError`] if it is not in `1..=MAX_WORKERS`; the world is unchanged.
    #[doc(alias = "threads")]
    #[doc(alias = "set_threads")]
    pub fn set_worker_count(&mut self, worker_count: u32) -> Result<(), SettingsError> {
        let settings = Settings { worker_count, ..self.settings };
        settings.validate()?;
        self.settings = settings;
        Ok(())
    }

    /// Simulated time, in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Inserts a body. Sleeping islands that it touches wake in the next step, unless it is a
    /// sensor.
    ///
    /// # Errors
    /// [`BodyError`] if the definition is invalid; the world is unchanged.
    #[doc(alias = "add")]
    #[doc(alias = "create_body")]
    pub fn insert_body(&mut self, def: BodyDef) -> Result<BodyId, BodyError> {
        let mass = def.validate()?;
        check_speed(def.linear_velocity, self.settings.max_linear_speed)?;
        let index = self.bodies.add(def, mass);
        let time_step = self.settings.time_step;
        let margin = self.settings.speculative_distance();
        let swept = broad_phase::swept_aabb(&self.bodies, index, margin, time_step);
        let fat_aabb = broad_phase::fatten(&swept, &self.bodies, index, time_step);
        if let Err(invalid) = AabbSlice::validate(index.0, &fat_aabb) {
            self.bodies.remove(index);
            return Err(invalid.into());
        }
        self.broad_phase.insert(index, fat_aabb);
        self.query_tree.invalidate();
        Ok(self.bodies.id(index))
    }

    /// Removes a body and its joints; the bodies that it touched wake. Returns whether `id` was
    /// valid.
    #[doc(alias = "destroy_body")]
    #[doc(alias = "remove")]
    pub fn remove_body(&mut self, id: BodyId) -> bool {
        let Some(index) = self.index_of(id) else { return false };
        self.remove_joints_of(index);
        self.narrow_phase.remove_pairs_of_body(&mut self.bodies, &mut self.events, index);
        self.query_tree.invalidate();
        self.broad_phase.remove(index);
        self.bodies.remove(index);
        true
    }

    /// Read access to a body; `None` if it was removed.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<Body<'_>> {
        self.index_of(id).map(|body_index| Body { bodies: &self.bodies, body_index })
    }

    /// Wakes a body and returns write access to it; `None` if it was removed.
    ///
    /// ```
    /// use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings { gravity: Vec3::ZERO, ..Settings::default() })?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 2.0))?;
    /// world.body_mut(ball).unwrap().apply_impulse(Vec3::X)?;
    /// assert_eq!(world.body(ball).unwrap().linear_velocity(), Vec3::X * 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "change")]
    pub fn body_mut(&mut self, id: BodyId) -> Option<BodyMut<'_>> {
        let body_index = self.index_of(id)?;
        self.narrow_phase.compact();
        island::wake_body(&mut self.bodies, body_index);
        Some(BodyMut { world: self, body_index })
    }

    /// Iterates over all bodies in the order of [`BodyId::index`].
    pub fn bodies(&self) -> impl Iterator<Item = Body<'_>> {
        let visible = self.bodies.iter().filter(|(_, data)| !data.is_world_boundary);
        visible.map(|(body_index, _)| Body { bodies: &self.bodies, body_index })
    }

    /// Number of bodies.
    #[must_use]
    #[doc(alias = "len")]
    pub fn body_count(&self) -> usize {
        let boundaries = self.bodies.iter().filter(|(_, data)| data.is_world_boundary);
        self.bodies.len() - boundaries.count()
    }

    /// Whether the world has no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.body_count() == 0
    }

    /// Fat AABBs of the broad phase, in the order of [`bodies`](Self::bodies). A fat AABB contains
    /// the body, its motion during one step and the speculative margin of its contacts. The narrow
    /// phase keeps one contact pair for each two overlapping fat AABBs.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let settings = Settings { linear_slop: 1.0, ..Settings::default() };
    /// let mut world = World::new(settings)?;
    /// world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// assert!(world.fat_aabbs().all(|aabb| aabb.max[0] > 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "rooms")]
    pub fn fat_aabbs(&self) -> impl Iterator<Item = Aabb<3>> {
        let margin = self.settings.speculative_distance();
        self.bodies().map(move |body| {
            let swept_aabb = || {
                broad_phase::swept_aabb(
                    &self.bodies,
                    body.body_index,
                    margin,
                    self.settings.time_step,
                )
            };
            self.broad_phase.fat_aabb(body.body_index).copied().unwrap_or_else(swept_aabb)
        })
    }

    /// Contact manifolds as of the last step, in the order of [`BodyId::index`].
    pub fn contacts(&self) -> impl Iterator<Item = ContactManifold> {
        let touching = self.narrow_phase.pairs().iter().filter(|pair| pair.is_touching());
        touching.flat_map(|pair| {
            pair.manifolds().iter().map(|manifold| ContactManifold::new(pair, manifold))
        })
    }

    /// Contact events of the last step, in the order of [`BodyId::index`]. Events of the same two
    /// bodies are in chronological order.
    #[must_use]
    #[doc(alias = "contact_events")]
    pub fn events(&self) -> &[ContactEvent] {
        self.events.current()
    }

    /// Counters and stage times of the last step.
    #[doc(alias = "last_step")]
    #[doc(alias = "GetProfile")]
    #[doc(alias = "GetCounters")]
    #[must_use]
    pub fn step_stats(&self) -> &StepStats {
        self.profile.stats()
    }

    /// Times all further steps with `clock` instead of the system clock.
    ///
    /// ```
    /// use embate::dynamics::{Settings, World};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.set_clock(|| 5.0);
    /// world.step();
    /// assert_eq!(world.step_stats().profile.total(), 0.0); // this clock never advances
    /// # Ok::<(), embate::dynamics::SettingsError>(())
    /// ```
    #[doc(alias = "use_clock")]
    pub fn set_clock(&mut self, clock: Clock) {
        self.profile.set_clock(clock);
    }

    fn index_of(&self, id: BodyId) -> Option<BodyIndex> {
        self.bodies.find(id).filter(|&index| !self.bodies.data(index).is_world_boundary)
    }
}

/// Access for tests that write invalid or single values.
#[cfg(test)]
impl World {
    pub(super) fn body_set(&self) -> &BodySet {
        &self.bodies
    }

    pub(super) fn body_set_mut(&mut self) -> &mut BodySet {
        &mut self.bodies
    }

    pub(super) fn narrow_phase_mut(&mut self) -> &mut NarrowPhase {
        &mut self.narrow_phase
    }

    pub(super) fn scratch_mut(&mut self) -> &mut StepScratch {
        &mut self.scratch
    }

    pub(super) fn joint_set_mut(&mut self) -> &mut JointSet {
        &mut self.joints
    }
}
