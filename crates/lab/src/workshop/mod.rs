//! What does somebody build, run and look into in three dimensions?
//!
//! ```text
//! a scene's words ──open──► Workshop: step ► step ► … ──► look: poses, contacts, costs, sums
//!       ▲                      │   ▲
//!       └──words as it stands──┤   └─ seek: back and forth over frames that were kept
//!                              └─ add, change, remove, pull: each noted with its step, each undone
//! ```
//!
//! Everything a page shows of a 3D world is decided here: the reader is that of `embate simulate`, the world is
//! the engine's own. The shell around it converts, the page draws.
//!
//! Promises:
//! - the same words and the same actions give the same state, to the bit, on every platform;
//! - going back and forth over the steps changes nothing;
//! - what is refused changes nothing, and says why;
//! - what a change does not concern goes on as if nothing had happened: contacts, sleep, time; only what holds for all bodies and
//!   cannot be set, as the time step, the room or the method, and the shape of a body with a joint, make the world anew.

mod action;
mod catalogue;
mod change;
mod course;
mod document;
mod drawn;
mod edit;
mod error;
mod frames;
mod hand;
mod islands;
mod live;
mod look;
mod presets;
mod recording;
mod replay;
mod room;
mod told;
mod undo;
mod words;

pub use catalogue::catalogue;
pub use drawn::Drawn;
pub use error::{EditError, OpenError, ReplayError};
pub use look::{Figures, Look, NUMBERS_A_BODY, NUMBERS_A_CONTACT, NUMBERS_A_STRIKE};
pub use presets::{Preset, preset};
pub use room::Spot;

use embate::dynamics::{Clock, ContactEvent};
use embate::{Ray, Vec3};

use self::action::Recorded;
use self::frames::{Frame, Frames};
use self::hand::Pull;
use self::live::Live;
use self::look::Costs;
use self::replay::Replay;
use self::undo::Undo;

/// Hits that are kept until somebody asks, at most: more at once are one noise.
const MOST_STRIKES: usize = 64;

/// A world, its past, and what may still be taken back.
#[derive(Debug)]
pub struct Workshop {
    live: Live,
    step: u32,
    pull: Option<Pull>,
    /// Somebody's hand is there now: what pulls without one was noted, and its end may have been forgotten.
    is_held: bool,
    /// What was done, and before which step. All that was done before the present step comes first.
    actions: Vec<Recorded>,
    /// How many of them are done at the present step.
    done: usize,
    frames: Frames,
    /// The farthest step that was reached by what was done.
    last: u32,
    /// The step that it is on the way to.
    goal: Option<u32>,
    /// A recording that is being done again, and how it has to end.
    replay: Option<Replay>,
    undo: Undo,
    clock: Option<Clock>,
    costs: Costs,
    /// Hits since somebody asked.
    strikes: Vec<f32>,
    /// Grows whenever there are other bodies than before, or other rules.
    version: u32,
    /// Grows whenever other shapes are to be drawn.
    shape_version: u32,
}

impl Workshop {
    /// The world of a scene before its first step, or of a recording, on the way to where it ended:
    /// [`approach`](Self::approach) goes there. `name` is what messages call it.
    ///
    /// # Errors
    /// [`OpenError`]: an invalid scene, with line and column, or an invalid recording.
    pub fn open(text: &str, name: &str) -> Result<Self, OpenError> {
        match Replay::of(text, name)? {
            Some((live, actions, step, replay)) => {
                let mut workshop = Self::of(live);
                workshop.actions = actions;
                workshop.last = step;
                workshop.replay = Some(replay);
                workshop.do_what_is_due();
                workshop.head_for(step);
                Ok(workshop)
            }
            None => Ok(Self::of(Live::open(text, name)?)),
        }
    }

    /// Whether a text is a recording that the page saved, with all that was done.
    #[must_use]
    pub fn is_recording(text: &str) -> bool {
        replay::is_recording(text)
    }

    fn of(live: Live) -> Self {
        let mut workshop = Self {
            live,
            step: 0,
            pull: None,
            is_held: false,
            actions: Vec::new(),
            done: 0,
            frames: Frames::default(),
            last: 0,
            goal: None,
            replay: None,
            undo: Undo::default(),
            clock: None,
            costs: Costs::default(),
            strikes: Vec::new(),
            version: 1,
            shape_version: 1,
        };
        workshop.keep_frame();
        workshop
    }

    /// Steps are timed by this clock, and changes that follow each other quickly are told apart by it.
    pub fn use_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
        self.live.world.set_clock(clock);
    }

    /// One step on.
    pub fn step(&mut self) {
        // What was noted is done as it was noted; beyond that nothing pulls but a hand.
        if self.step == self.last {
            self.note_that_nobody_pulls();
        }
        if let Some(pull) = &self.pull {
            pull.act(&mut self.live);
        }
        self.live.world.step();
        self.step += 1;
        if self.step > self.last {
            self.last = self.step;
        }
        self.costs.add(self.live.world.step_stats().profile);
        self.note_strikes();
        if self.frames.wants(self.step, self.done) {
            self.keep_frame();
        }
        self.do_what_is_due();
    }

    /// Steps since the beginning.
    #[must_use]
    pub fn at(&self) -> u32 {
        self.step
    }

    /// The farthest step that one can go to without making new ones.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.last
    }

    /// Grows whenever there are other bodies than before, or other rules.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Grows whenever [`drawn`](Self::drawn) has other triangles: most changes leave all shapes as they are.
    #[must_use]
    pub fn shape_version(&self) -> u32 {
        self.shape_version
    }

    /// Whether nothing was done to it but to let it run.
    #[must_use]
    pub fn is_as_opened(&self) -> bool {
        self.actions.is_empty()
    }

    /// Of all bodies, every bit.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.live.world.state_hash()
    }

    /// The body that a ray meets first, by its key.
    #[must_use]
    pub fn pick(&self, origin: Vec3, direction: Vec3) -> Option<(u32, Vec3)> {
        let ray = Ray::new(origin.to_array(), direction.to_array());
        let hit =
            self.live.world.world().cast_ray(&ray, &embate::dynamics::QueryFilter::default())?;
        Some((self.live.key_of(hit.body)?, hit.point))
    }

    fn keep_frame(&mut self) {
        let frame = Frame::of(&self.live, self.step, self.done, self.pull);
        self.frames.keep(frame, self.step);
    }

    fn note_strikes(&mut self) {
        for event in self.live.world.events() {
            if let ContactEvent::Hit { bodies, point, impulse, .. } = event
                && self.strikes.len() < MOST_STRIKES * NUMBERS_A_STRIKE
            {
                self.strikes.extend(look::strike(&self.live.world, *bodies, *point, *impulse));
            }
        }
    }
}

#[cfg(test)]
mod tests;
