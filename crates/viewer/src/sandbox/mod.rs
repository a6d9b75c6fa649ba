//! Sandbox: a 3D scene that is edited while it runs, with seek, undo, recording and replay.
//!
//! ```text
//! scene JSON ──open──► Sandbox: step ► step ► … ──► render state: poses, contacts, costs, totals
//!       ▲                 │   ▲
//!       └─ current scene ─┤   └─ seek: back and forth over keyframes
//!                         └─ add, change, remove, pull: each recorded with its step, each undoable
//! ```
//!
//! The page's 3D world is decided here: scenes are read as by `embate simulate`, and the world is
//! the engine's. The wasm crate converts, the page draws.
//!
//! Guarantees:
//! - the same scene and the same actions give the same state, bit for bit, on every platform;
//! - seeking changes no state;
//! - a rejected edit changes nothing and returns a typed error;
//! - an edit leaves unaffected contacts, sleeping bodies and time alone; the world is rebuilt only
//!   for settings without a setter (time step, bounds, method) and for another shape of a body with a
//!   joint.

mod action;
mod apply_action;
mod catalog;
mod comparison;
mod edit_rules;
mod error;
mod islands;
mod json_value;
mod json_views;
mod keyframes;
mod mouse_drag;
mod near_groups;
mod octree_levels;
mod placement;
mod presets;
mod recording;
mod render_mesh;
mod render_state;
mod replay;
mod scene_document;
mod scene_instance;
mod seek;
mod series;
mod undo;

pub use catalog::catalog;
pub use comparison::PositionDifference;
pub use error::{EditError, OpenError, ReplayError};
pub use placement::PlacementTarget;
pub use presets::{Preset, preset};
pub use render_mesh::RenderMesh;
pub use render_state::{
    FLOATS_PER_BODY, FLOATS_PER_CONTACT, FLOATS_PER_IMPACT, RenderState, Stats,
};
pub use series::SeriesJob;

use embate::dynamics::{Clock, ContactEvent};
use embate::{Ray, Vec3};

use self::action::RecordedAction;
use self::keyframes::{Keyframe, Keyframes};
use self::mouse_drag::Pull;
use self::render_state::StageCosts;
use self::replay::Replay;
use self::scene_instance::SceneInstance;
use self::undo::Undo;

/// Maximum number of stored impacts: more at once are one noise.
const MAX_IMPACTS: usize = 64;

/// A world, its past, and what may still be taken back.
#[derive(Debug)]
pub struct Sandbox {
    scene: SceneInstance,
    step: u32,
    pull: Option<Pull>,
    /// Whether the mouse button is down now. A replayed pull has no button, and its end may be
    /// missing.
    is_held: bool,
    /// Actions with their steps; those before the current step come first.
    actions: Vec<RecordedAction>,
    /// How many of them are done at the present step.
    done: usize,
    frames: Keyframes,
    /// The last step reached with these actions.
    last: u32,
    /// The step that it is on the way to.
    seek_target: Option<u32>,
    /// A recording that is being done again, and how it has to end.
    replay: Option<Replay>,
    undo: Undo,
    clock: Option<Clock>,
    costs: StageCosts,
    /// Impacts since the last query.
    impacts: Vec<f32>,
    /// Grows whenever there are other bodies than before, or other rules.
    version: u32,
    /// Grows whenever other shapes are to be drawn.
    shape_version: u32,
}

impl Sandbox {
    /// The world of a scene before its first step, or of a recording, on the way to where it ended:
    /// [`advance_seek`](Self::advance_seek) goes there. `name` is what messages call it.
    ///
    /// # Errors
    /// [`OpenError`]: an invalid scene, with line and column, or an invalid recording.
    pub fn open(text: &str, name: &str) -> Result<Self, OpenError> {
        match Replay::of(text, name)? {
            Some((scene, actions, step, replay)) => {
                let mut sandbox = Self::of(scene);
                sandbox.actions = actions;
                sandbox.last = step;
                sandbox.replay = Some(replay);
                sandbox.apply_pending_actions();
                sandbox.set_seek_target(step);
                Ok(sandbox)
            }
            None => Ok(Self::of(SceneInstance::open(text, name)?)),
        }
    }

    /// Whether a text is a recording that the page saved, with all that was done.
    #[must_use]
    pub fn is_recording(text: &str) -> bool {
        replay::is_recording(text)
    }

    fn of(scene: SceneInstance) -> Self {
        let mut sandbox = Self {
            scene,
            step: 0,
            pull: None,
            is_held: false,
            actions: Vec::new(),
            done: 0,
            frames: Keyframes::default(),
            last: 0,
            seek_target: None,
            replay: None,
            undo: Undo::default(),
            clock: None,
            costs: StageCosts::default(),
            impacts: Vec::new(),
            version: 1,
            shape_version: 1,
        };
        sandbox.store_keyframe();
        sandbox
    }

    /// Clock of step times, and of the window in which edits of one field merge.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
        self.scene.world.set_clock(clock);
    }

    /// Advances by one step.
    pub fn step(&mut self) {
        // Recorded pulls are replayed as recorded; beyond them only a held button pulls.
        if self.step == self.last {
            self.release_unheld_body();
        }
        if let Some(pull) = &self.pull {
            pull.act(&mut self.scene);
        }
        self.scene.world.step();
        self.step += 1;
        if self.step > self.last {
            self.last = self.step;
        }
        self.costs.add(self.scene.world.step_stats().profile);
        self.record_impacts();
        if self.frames.wants(self.step, self.done) {
            self.store_keyframe();
        }
        self.apply_pending_actions();
    }

    /// Number of steps since the start.
    #[must_use]
    pub fn at(&self) -> u32 {
        self.step
    }

    /// Last step of the current timeline, reachable without new steps.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.last
    }

    /// Version of the bodies and settings, increased by every change of them.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Grows whenever [`render_mesh`](Self::render_mesh) has other triangles: most changes leave
    /// all shapes as they are.
    #[must_use]
    pub fn shape_version(&self) -> u32 {
        self.shape_version
    }

    /// Whether the scene was neither edited nor pulled.
    #[must_use]
    pub fn is_unmodified(&self) -> bool {
        self.actions.is_empty()
    }

    /// Hash of the exact state of all bodies.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.scene.world.state_hash()
    }

    /// Key of the first body hit by a ray, and the point of the hit.
    #[must_use]
    pub fn pick(&self, origin: Vec3, direction: Vec3) -> Option<(u32, Vec3)> {
        let ray = Ray::new(origin.to_array(), direction.to_array());
        let hit =
            self.scene.world.world().cast_ray(&ray, &embate::dynamics::QueryFilter::default())?;
        Some((self.scene.key_of(hit.body)?, hit.point))
    }

    fn store_keyframe(&mut self) {
        let frame = Keyframe::of(&self.scene, self.step, self.done, self.pull);
        self.frames.keep(frame, self.step);
    }

    fn record_impacts(&mut self) {
        for event in self.scene.world.events() {
            if let ContactEvent::Hit { bodies, point, normal_impulse, .. } = event
                && self.impacts.len() < MAX_IMPACTS * FLOATS_PER_IMPACT
            {
                self.impacts.extend(render_state::impact_row(
                    &self.scene.world,
                    *bodies,
                    *point,
                    *normal_impulse,
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests;
