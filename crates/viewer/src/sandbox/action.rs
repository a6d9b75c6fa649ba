//! Actions: edits of the world, each with the step before which it is applied.

use std::sync::Arc;

use embate_scene::scene_file::upgrade;

use super::Sandbox;
use super::error::EditError;
use super::json_value::JsonObject;
use super::mouse_drag::Pull;
use super::scene_document::BodyJson;

/// Done before the step of this number.
#[derive(Clone, Debug)]
pub(super) struct RecordedAction {
    pub(super) step: u32,
    pub(super) action: Arc<Action>,
}

/// What can be done to a world that runs.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// A body comes.
    Add(BodyJson),
    /// A body goes.
    Remove(u32),
    /// A body gets these words; `null` stands for the usual value.
    Change(BodyJson),
    /// Changes of settings of the whole scene.
    Rules(JsonObject),
    /// A hand takes hold of a body, moves or lets go.
    Pull(Option<Pull>),
}

impl Action {
    /// Key by which edits merge: consecutive edits of the same field of the same body are one undo
    /// step. Adding and removing never merge.
    pub(super) fn concerns(&self) -> String {
        let keys = |json: &JsonObject| json.keys().cloned().collect::<Vec<_>>().join(" ");
        match self {
            Self::Add(body) => format!("add {}", body.key),
            Self::Remove(key) => format!("remove {key}"),
            Self::Change(body) => format!("change {} {}", body.key, keys(&body.json)),
            Self::Rules(json) => format!("rules {}", keys(json)),
            Self::Pull(_) => "pull".to_owned(),
        }
    }
}

impl Sandbox {
    /// Applies and records an action; later actions are discarded. A keyframe is stored before it:
    /// for a quick undo, and to roll back an action that the engine rejects halfway.
    pub(super) fn perform(&mut self, action: Action) -> Result<(), EditError> {
        let resolved = self.resolve(&action)?;
        // A hand moves with every picture, and nothing that it does is refused.
        let is_drag = matches!(action, Action::Pull(_));
        if !is_drag && !self.frames.has(self.step, self.done) {
            self.store_keyframe();
        }
        if let Err(what) = self.apply(resolved) {
            if let Some(frame) = self.frames.of(self.step, self.done).cloned() {
                self.put(&frame);
            }
            return Err(what);
        }
        self.discard_future();
        self.note(action);
        self.release_unheld_body();
        Ok(())
    }

    pub(super) fn note(&mut self, action: Action) {
        self.actions.push(RecordedAction { step: self.step, action: Arc::new(action) });
        self.done = self.actions.len();
    }

    /// Lets go of a body that no hand holds: when that was done is forgotten, or was never noted.
    pub(super) fn release_unheld_body(&mut self) {
        if self.pull.is_some() && !self.is_held && self.done == self.actions.len() {
            self.pull = None;
            self.note(Action::Pull(None));
        }
    }

    pub(super) fn discard_future(&mut self) {
        self.seek_target = None;
        self.actions.truncate(self.done);
        self.frames.forget(self.done, Some(self.step));
        self.last = self.step;
    }

    /// The action with the documented keys: that of an earlier version's recording may have others.
    fn upgraded(&self, action: &Arc<Action>) -> Arc<Action> {
        if let Action::Change(change) = &**action
            && let Some(index) = self.scene.document.index_of(change.key)
        {
            let mut json = change.json.clone();
            upgrade::upgrade_body_change(&mut json, &self.scene.document.bodies[index].json);
            if json != change.json {
                return Arc::new(Action::Change(BodyJson { key: change.key, json }));
            }
        }
        Arc::clone(action)
    }

    /// Applies the recorded actions of this step.
    pub(super) fn apply_pending_actions(&mut self) {
        while let Some(next) = self.actions.get(self.done)
            && next.step <= self.step
        {
            let action = self.upgraded(&next.action);
            self.actions[self.done].action = Arc::clone(&action);
            self.done += 1;
            let done = self.resolve(&action).and_then(|resolved| self.apply(resolved));
            // An action of this session is accepted again in the same world; one of a file may be
            // rejected.
            if let (Err(what), Some(replay)) = (done, &mut self.replay) {
                replay.refuse(what);
            }
        }
    }
}
