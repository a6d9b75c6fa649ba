//! What did somebody do to the world, and before which step?

use std::sync::Arc;

use super::Workshop;
use super::document::BodyWords;
use super::error::EditError;
use super::hand::Pull;
use super::words::Words;
use crate::scene_file::upgrade;

/// Done before the step of this number.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) step: u32,
    pub(super) action: Arc<Action>,
}

/// What can be done to a world that runs.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// A body comes.
    Add(BodyWords),
    /// A body goes.
    Remove(u32),
    /// A body gets these words; `null` stands for the usual value.
    Change(BodyWords),
    /// The same for what holds for all bodies.
    Rules(Words),
    /// A hand takes hold of a body, moves or lets go.
    Pull(Option<Pull>),
}

impl Action {
    /// What it is about: two in a row about the same field of the same body are one change to
    /// people. What comes and goes is always another.
    pub(super) fn concerns(&self) -> String {
        let keys = |words: &Words| words.keys().cloned().collect::<Vec<_>>().join(" ");
        match self {
            Self::Add(body) => format!("add {}", body.key),
            Self::Remove(key) => format!("remove {key}"),
            Self::Change(body) => format!("change {} {}", body.key, keys(&body.words)),
            Self::Rules(words) => format!("rules {}", keys(words)),
            Self::Pull(_) => "pull".to_owned(),
        }
    }
}

impl Workshop {
    /// Does it now, and notes it; what was to come after this step is forgotten. The world before
    /// it is kept: to take it back is quick then, and what the engine refuses halfway is as it was.
    pub(super) fn perform(&mut self, action: Action) -> Result<(), EditError> {
        let prepared = self.prepared(&action)?;
        // A hand moves with every picture, and nothing that it does is refused.
        let is_hand = matches!(action, Action::Pull(_));
        if !is_hand && !self.frames.has(self.step, self.done) {
            self.keep_frame();
        }
        if let Err(what) = self.apply(prepared) {
            if let Some(frame) = self.frames.of(self.step, self.done).cloned() {
                self.put(&frame);
            }
            return Err(what);
        }
        self.forget_what_follows();
        self.note(action);
        self.note_that_nobody_pulls();
        Ok(())
    }

    fn note(&mut self, action: Action) {
        self.actions.push(Recorded { step: self.step, action: Arc::new(action) });
        self.done = self.actions.len();
    }

    /// Lets go of a body that no hand holds: when that was done is forgotten, or was never noted.
    pub(super) fn note_that_nobody_pulls(&mut self) {
        if self.pull.is_some() && !self.is_held && self.done == self.actions.len() {
            self.pull = None;
            self.note(Action::Pull(None));
        }
    }

    pub(super) fn forget_what_follows(&mut self) {
        self.goal = None;
        self.actions.truncate(self.done);
        self.frames.forget(self.done, Some(self.step));
        self.last = self.step;
    }

    /// The action with the documented keys: that of an earlier version's recording may have others.
    fn upgraded(&self, action: &Arc<Action>) -> Arc<Action> {
        if let Action::Change(change) = &**action
            && let Some(place) = self.live.words.place_of(change.key)
        {
            let mut words = change.words.clone();
            upgrade::upgrade_body_change(&mut words, &self.live.words.bodies[place].words);
            if words != change.words {
                return Arc::new(Action::Change(BodyWords { key: change.key, words }));
            }
        }
        Arc::clone(action)
    }

    /// What was noted for this step is done again.
    pub(super) fn do_what_is_due(&mut self) {
        while let Some(next) = self.actions.get(self.done)
            && next.step <= self.step
        {
            let action = self.upgraded(&next.action);
            self.actions[self.done].action = Arc::clone(&action);
            self.done += 1;
            let done = self.prepared(&action).and_then(|prepared| self.apply(prepared));
            // What was accepted once is accepted in the same world again; what stands in a file may
            // not be.
            if let (Err(what), Some(replay)) = (done, &mut self.replay) {
                replay.refuse(what);
            }
        }
    }
}
