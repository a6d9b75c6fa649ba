//! Seek: another step, from the nearest keyframe.
//!
//! [`seek`](Sandbox::seek) blocks until it is reached. A caller that must stay responsive sets a
//! target and advances toward it in slices; the target may change at any time.

use super::Sandbox;
use super::error::OpenError;
use super::keyframes::Keyframe;

impl Sandbox {
    /// Moves to a step, backward or forward.
    pub fn seek(&mut self, step: u32) {
        self.set_seek_target(step);
        // Only a replay can fail, and this is not one.
        let _ = self.advance_seek(|| false);
    }

    /// Sets the target of [`advance_seek`](Self::advance_seek), starting at the nearest stored
    /// state.
    pub fn set_seek_target(&mut self, step: u32) {
        let frame = self.frames.before(step);
        if step < self.step || frame.step > self.step {
            let frame = frame.clone();
            self.put(&frame);
        }
        self.seek_target = Some(step);
    }

    /// Steps toward the target until `is_time_up`, which is called after every step; true once the
    /// target is reached.
    ///
    /// # Errors
    /// If a replay does not reach its recorded state.
    pub fn advance_seek(
        &mut self,
        mut is_time_up: impl FnMut() -> bool,
    ) -> Result<bool, OpenError> {
        while self.seek_target.is_some_and(|seek_target| self.step < seek_target) {
            self.step();
            if self.replay.as_ref().is_some_and(super::replay::Replay::failed) {
                break;
            }
            if is_time_up() {
                return Ok(false);
            }
        }
        self.seek_target = None;
        // Impacts on the way are not played.
        self.impacts.clear();
        match self.replay.take() {
            Some(replay) => replay.check(self.state_hash()).map(|()| true),
            None => Ok(true),
        }
    }

    /// Stays here, wherever it was going; of a recording, that is its beginning.
    pub fn cancel_seek(&mut self) {
        self.seek_target = None;
        self.replay = None;
        self.impacts.clear();
    }

    /// The step that it is on the way to.
    #[must_use]
    pub fn seek_target(&self) -> Option<u32> {
        self.seek_target
    }

    /// Restores a keyframe and applies the actions that are due there.
    pub(super) fn put(&mut self, frame: &Keyframe) {
        if !frame.has_document_of(&self.scene) {
            self.version += 1;
        }
        if !frame.has_bodies_of(&self.scene) {
            self.shape_version += 1;
        }
        frame.restore_into(&mut self.scene);
        self.step = frame.step;
        self.done = frame.done;
        self.pull = frame.pull;
        self.apply_pending_actions();
    }
}
