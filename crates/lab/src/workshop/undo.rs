//! How is a change taken back?
//!
//! What was done before it is done again, from the nearest frame on: that gives the same state, to the bit. So nothing
//! of the world has to be kept for it, only what was done and when.

use std::sync::Arc;

use super::Workshop;
use super::action::{Action, Recorded};
use super::error::EditError;

/// Changes that can be taken back; more are not remembered.
const MOST_UNDONE: usize = 60;
/// Changes of the same field that follow each other so quickly, in seconds, are one: a key held down in a field makes
/// thirty of them.
const ONE_CHANGE_S: f64 = 1.0;

/// Where one was, and all that had been done and was still to come.
#[derive(Clone, Debug)]
struct Moment {
    actions: Vec<Recorded>,
    step: u32,
    last: u32,
}

/// What can be taken back, and what was.
#[derive(Debug, Default)]
pub(super) struct Undo {
    done: Vec<Moment>,
    undone: Vec<Moment>,
    /// What the last change concerned, and when it was made.
    latest: Option<(String, f64)>,
}

impl Workshop {
    /// Takes the last change back; false if there is none. The step is the one at which it was made.
    pub fn undo(&mut self) -> bool {
        let began = self.begin_undo();
        let _ = self.approach(|| false);
        began
    }

    /// Does again what was taken back; false if there is nothing.
    pub fn redo(&mut self) -> bool {
        let began = self.begin_redo();
        let _ = self.approach(|| false);
        began
    }

    /// As [`undo`](Self::undo), but [`approach`](Self::approach) goes there.
    pub fn begin_undo(&mut self) -> bool {
        let Some(before) = self.undo.done.pop() else { return false };
        let now = self.moment();
        self.undo.undone.push(now);
        self.go_to(before);
        true
    }

    /// As [`redo`](Self::redo), but [`approach`](Self::approach) goes there.
    pub fn begin_redo(&mut self) -> bool {
        let Some(after) = self.undo.undone.pop() else { return false };
        let now = self.moment();
        self.undo.done.push(now);
        self.go_to(after);
        true
    }

    /// How many changes can be taken back, and done again.
    #[must_use]
    pub fn undoable(&self) -> (usize, usize) {
        (self.undo.done.len(), self.undo.undone.len())
    }

    /// Does something that can be taken back.
    pub(super) fn change_by(&mut self, action: Action) -> Result<(), EditError> {
        let concerns = action.concerns();
        let now = self.clock.map(|clock| clock());
        let goes_on = self.undo.latest.as_ref().is_some_and(|(latest, at)| {
            *latest == concerns && now.is_some_and(|now| now - at < ONE_CHANGE_S)
        });
        let before = (!goes_on).then(|| self.moment());
        self.perform(action)?;
        if let Some(before) = before {
            self.undo.done.push(before);
            if self.undo.done.len() > MOST_UNDONE {
                self.undo.done.remove(0);
            }
        }
        self.undo.undone.clear();
        self.undo.latest = now.map(|now| (concerns, now));
        Ok(())
    }

    /// What is done next is no part of what was done before.
    pub(super) fn begin_another_change(&mut self) {
        self.undo.latest = None;
    }

    fn moment(&self) -> Moment {
        Moment { actions: self.actions.clone(), step: self.step, last: self.last }
    }

    fn go_to(&mut self, Moment { actions, step, last }: Moment) {
        let both = self.actions.iter().zip(&actions);
        let same = both.take_while(|(a, b)| Arc::ptr_eq(&a.action, &b.action)).count();
        self.frames.forget(same, actions.get(same).map(|next| next.step));
        self.actions = actions;
        self.last = last;
        self.undo.latest = None;
        let frame = self.frames.before(step).clone();
        self.put(&frame);
        self.version += 1;
        self.goal = Some(step);
    }
}
