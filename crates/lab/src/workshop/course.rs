//! How does one go to another step, and stay able to turn round on the way?
//!
//! Whoever only wants to be there calls [`seek`](Workshop::seek). Whoever has to answer others meanwhile heads for a
//! step and approaches it a slice at a time; another step may be headed for at any moment.

use super::Workshop;
use super::error::OpenError;
use super::frames::Frame;

impl Workshop {
    /// The world as it was, or will be, at this step.
    pub fn seek(&mut self, step: u32) {
        self.head_for(step);
        // Only a recording that is done again can be refused, and that was not asked for here.
        let _ = self.approach(|| false);
    }

    /// From now on [`approach`](Self::approach) leads to this step, from the nearest state that is known.
    pub fn head_for(&mut self, step: u32) {
        let frame = self.frames.before(step);
        if step < self.step || frame.step > self.step {
            let frame = frame.clone();
            self.put(&frame);
        }
        self.goal = Some(step);
    }

    /// Goes on towards where it heads for until that is `enough`, which is asked after every step; true once it is
    /// there.
    ///
    /// # Errors
    /// If it is a recording that is done again, and does not come to what it came to.
    pub fn approach(&mut self, mut enough: impl FnMut() -> bool) -> Result<bool, OpenError> {
        while self.goal.is_some_and(|goal| self.step < goal) {
            self.step();
            if self.replay.as_ref().is_some_and(super::replay::Replay::failed) {
                break;
            }
            if enough() {
                return Ok(false);
            }
        }
        self.goal = None;
        // Nobody hears what happened on the way.
        self.strikes.clear();
        match self.replay.take() {
            Some(replay) => replay.check(self.state_hash()).map(|()| true),
            None => Ok(true),
        }
    }

    /// Stays here, wherever it was going; of a recording, that is its beginning.
    pub fn stay(&mut self) {
        self.goal = None;
        self.replay = None;
        self.strikes.clear();
    }

    /// The step that it is on the way to.
    #[must_use]
    pub fn goal(&self) -> Option<u32> {
        self.goal
    }

    /// The world of a frame, and what is due there.
    pub(super) fn put(&mut self, frame: &Frame) {
        if !frame.live_words_are(&self.live) {
            self.version += 1;
        }
        if !frame.live_bodies_are(&self.live) {
            self.shape_version += 1;
        }
        frame.put_into(&mut self.live);
        self.step = frame.step;
        self.done = frame.done;
        self.pull = frame.pull;
        self.do_what_is_due();
    }
}
