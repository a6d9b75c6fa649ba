//! Recording of a sandbox: initial scene, every action with its step, and the final state hash.
//!
//! [Replay](super::replay) applies all of it again and must reach the same hash.

use embate::Vec3;
use embate_scene::scene_file::upgrade;
use serde_json::{Value, json};

use super::Sandbox;
use super::action::Action;
use super::error::ReplayError;
use super::json_value::{self, JsonObject};
use super::mouse_drag::Pull;
use super::replay::MAX_STEPS;
use super::scene_document::BodyJson;

/// What the file calls itself.
pub(super) const KIND: &str = "embate 1";

impl Sandbox {
    /// Initial scene, actions so far, and the hash of the current state.
    ///
    /// # Errors
    /// [`ReplayError::TooLong`] if it has more steps than a recording that is opened may have.
    pub fn recording(&self) -> Result<String, ReplayError> {
        if u64::from(self.step) > MAX_STEPS {
            return Err(ReplayError::TooLong { max: MAX_STEPS, step: self.step });
        }
        let actions = self.actions[..self.done].iter().map(|recorded| {
            let mut value = action_to_json(&recorded.action);
            value.insert("step".to_owned(), recorded.step.into());
            Value::Object(value)
        });
        let scene: Value = serde_json::from_str(&self.frames.first().text()).unwrap_or_default();
        let recording = json!({
            "recording": KIND,
            "scene": scene,
            "actions": actions.collect::<Vec<Value>>(),
            "step": self.step,
            "state_hash": format!("{:016x}", self.state_hash()),
        });
        Ok(format!("{recording}\n"))
    }
}

fn action_to_json(action: &Action) -> JsonObject {
    let value = match action {
        Action::Add(body) => json!({ "add": body.json, "key": body.key }),
        Action::Remove(key) => json!({ "remove": key }),
        Action::Change(body) => json!({ "change": body.json, "key": body.key }),
        Action::Rules(json) => json!({ "rules": json }),
        Action::Pull(None) => json!({ "pull": null }),
        Action::Pull(Some(Pull { key, held, target })) => {
            json!({ "pull": { "key": key, "held": json_value::vector(*held), "target": json_value::vector(*target) } })
        }
    };
    if let Value::Object(json) = value { json } else { JsonObject::new() }
}

/// Reads an action that [`action_to_json`] wrote, or an earlier version. Changes of a body are
/// upgraded when they are applied: they depend on its type at that time.
pub(super) fn action_from_json(value: &Value) -> Option<Action> {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let body = |json: &Value| {
        let json = json.as_object()?.clone();
        Some(BodyJson { key: number(value.get("key")?)?, json })
    };
    if let Some(json) = value.get("add") {
        let mut added = body(json)?;
        upgrade::upgrade_body(&mut added.json);
        return Some(Action::Add(added));
    }
    if let Some(json) = value.get("change") {
        return body(json).map(Action::Change);
    }
    if let Some(key) = value.get("remove") {
        return Some(Action::Remove(number(key)?));
    }
    if let Some(json) = value.get("rules") {
        let mut settings_json = json.as_object()?.clone();
        upgrade::upgrade_settings(&mut settings_json);
        return Some(Action::Rules(settings_json));
    }
    match value.get("pull")? {
        Value::Null => Some(Action::Pull(None)),
        Value::Object(pull) => {
            let [held, target]: [Vec3; 2] =
                ["held", "target"].map(|key| json_value::vector_of(pull, key));
            Some(Action::Pull(Some(Pull { key: number(pull.get("key")?)?, held, target })))
        }
        _ => None,
    }
}
