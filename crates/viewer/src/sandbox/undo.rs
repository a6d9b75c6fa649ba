//! Undo and redo.
//!
//! An undo replays the earlier actions from the nearest keyframe, which gives the same state bit
//! for bit. Only actions and their steps are stored for it.

use std::sync::Arc;

use serde_json::Value;

use super::Sandbox;
use super::action::{Action, RecordedAction};
use super::error::EditError;
use super::json_value::JsonObject;
use super::presets;

/// Maximum number of undo entries.
const MAX_UNDO: usize = 60;
/// Interval in s within which edits of the same field merge: a key that repeats in a field makes
/// thirty per second.
const MERGE_WINDOW_S: f64 = 1.0;

/// Step and actions before an edit, those of later steps included.
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
    /// Field and time of the last edit.
    latest: Option<(String, f64)>,
}

impl Sandbox {
    /// Undoes the last edit and returns to its step; false if there is none.
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

    /// Applies an edit as one undo entry. It makes the scene the user's own: the name and the
    /// description of a preset are dropped.
    pub(super) fn edit(&mut self, action: Action) -> Result<(), EditError> {
        let preset = presets::texts_of(&self.scene.document.head);
        self.interact(action)?;
        preset.map_or(Ok(()), |texts| self.drop_texts(texts))
    }

    /// Applies several edits as one undo entry; the first decides whether they are accepted.
    pub(super) fn edit_together(&mut self, actions: Vec<Action>) -> Result<(), EditError> {
        self.end_merge_window();
        let mut actions = actions.into_iter();
        let Some(first) = actions.next() else { return Ok(()) };
        self.edit(first)?;
        let rest = actions.try_for_each(|action| self.append(action));
        self.end_merge_window();
        rest
    }

    /// Applies an interaction as one undo entry: a push or a throw, after which the scene is still
    /// that of its preset.
    pub(super) fn interact(&mut self, action: Action) -> Result<(), EditError> {
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

    /// Applies a further action of the last undo entry.
    fn append(&mut self, action: Action) -> Result<(), EditError> {
        let resolved = self.resolve(&action)?;
        self.apply(resolved)?;
        self.note(action);
        Ok(())
    }

    /// Drops name and description where they are still those of the preset.
    fn drop_texts(&mut self, preset: &[(&'static str, Value); 2]) -> Result<(), EditError> {
        let head = &self.scene.document.head;
        let same = preset.iter().filter(|(key, text)| head.get(*key) == Some(text));
        let dropped: JsonObject = same.map(|(key, _)| ((*key).to_owned(), Value::Null)).collect();
        if dropped.is_empty() { Ok(()) } else { self.append(Action::Rules(dropped)) }
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
