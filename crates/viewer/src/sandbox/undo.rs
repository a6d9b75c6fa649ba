//! Undo and redo.
//!
//! An undo replays the earlier actions from the nearest keyframe, which gives the same state bit
//! for bit. Only actions and their steps are stored for it.

use std::sync::Arc;

use super::Sandbox;
use super::action::{Action, RecordedAction};
use super::error::EditError;

/// Changes that can be taken back; more are not remembered.
const MAX_UNDO: usize = 60;
/// Changes of the same field that follow each other so quickly, in seconds, are one: a key held
/// down in a field makes thirty of them.
const MERGE_WINDOW_S: f64 = 1.0;

/// Where one was, and all that had been done and was still to come.
#[derive(Clone, Debug)]
struct UndoPoint {
    actions: Vec<RecordedAction>,
    step: u32,
    last: u32,
}

/// Undo and redo stacks.
#[derive(Debug, Default)]
pub(super) struct Undo {
    done: Vec<UndoPoint>,
    undone: Vec<UndoPoint>,
    /// What the last change concerned, and when it was made.
    latest: Option<(String, f64)>,
}

impl Sandbox {
    /// Takes the last change back; false if there is none. The step is the one at which it was
    /// made.
    pub fn undo(&mut self) -> bool {
        let began = self.begin_undo();
        let _ = self.advance_seek(|| false);
        began
    }

    /// Redoes the last undone edit; false if there is none.
    pub fn redo(&mut self) -> bool {
        let began = self.begin_redo();
        let _ = self.advance_seek(|| false);
        began
    }

    /// Begins an [`undo`](Self::undo), which [`advance_seek`](Self::advance_seek) completes.
    pub fn begin_undo(&mut self) -> bool {
        let Some(before) = self.undo.done.pop() else { return false };
        let now = self.undo_point();
        self.undo.undone.push(now);
        self.restore_undo_point(before);
        true
    }

    /// Begins a [`redo`](Self::redo), which [`advance_seek`](Self::advance_seek) completes.
    pub fn begin_redo(&mut self) -> bool {
        let Some(after) = self.undo.undone.pop() else { return false };
        let now = self.undo_point();
        self.undo.done.push(now);
        self.restore_undo_point(after);
        true
    }

    /// Numbers of edits that can be undone and redone.
    #[must_use]
    pub fn undoable(&self) -> (usize, usize) {
        (self.undo.done.len(), self.undo.undone.len())
    }

    /// Does something that can be taken back.
    pub(super) fn edit(&mut self, action: Action) -> Result<(), EditError> {
        let concerns = action.concerns();
        let now = self.clock.map(|clock| clock());
        let merges = self.undo.latest.as_ref().is_some_and(|(latest, at)| {
            *latest == concerns && now.is_some_and(|now| now - at < MERGE_WINDOW_S)
        });
        let before = (!merges).then(|| self.undo_point());
        self.perform(action)?;
        if let Some(before) = before {
            self.undo.done.push(before);
            if self.undo.done.len() > MAX_UNDO {
                self.undo.done.remove(0);
            }
        }
        self.undo.undone.clear();
        self.undo.latest = now.map(|now| (concerns, now));
        Ok(())
    }

    /// Ends merging: the next edit is an undo step of its own.
    pub(super) fn end_merge_window(&mut self) {
        self.undo.latest = None;
    }

    fn undo_point(&self) -> UndoPoint {
        UndoPoint { actions: self.actions.clone(), step: self.step, last: self.last }
    }

    fn restore_undo_point(&mut self, UndoPoint { actions, step, last }: UndoPoint) {
        let both = self.actions.iter().zip(&actions);
        let same = both.take_while(|(a, b)| Arc::ptr_eq(&a.action, &b.action)).count();
        self.frames.forget(same, actions.get(same).map(|next| next.step));
        self.actions = actions;
        self.last = last;
        self.undo.latest = None;
        let frame = self.frames.before(step).clone();
        self.put(&frame);
        self.version += 1;
        self.seek_target = Some(step);
    }
}
