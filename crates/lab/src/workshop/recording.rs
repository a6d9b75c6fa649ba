//! How is what somebody did taken away?
//!
//! A recording is a file: the scene as it began, every action with its step, and the state that it
//! came to. [Opened](super::replay), all of it is done again, and has to come to the same state.

use embate::Vec3;
use serde_json::{Value, json};

use super::Workshop;
use super::action::Action;
use super::document::BodyWords;
use super::error::ReplayError;
use super::hand::Pull;
use super::replay::MOST_STEPS;
use super::words::{self, Words};
use crate::scene_file::upgrade;

/// What the file calls itself.
pub(super) const KIND: &str = "embate 1";

impl Workshop {
    /// The scene as it began, what was done up to now, and the state that it came to.
    ///
    /// # Errors
    /// [`ReplayError::TooLong`] if it has more steps than a recording that is opened may have.
    pub fn recording(&self) -> Result<String, ReplayError> {
        if u64::from(self.step) > MOST_STEPS {
            return Err(ReplayError::TooLong { max: MOST_STEPS, step: self.step });
        }
        let actions = self.actions[..self.done].iter().map(|recorded| {
            let mut told = told(&recorded.action);
            told.insert("step".to_owned(), recorded.step.into());
            Value::Object(told)
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

fn told(action: &Action) -> Words {
    let told = match action {
        Action::Add(body) => json!({ "add": body.words, "key": body.key }),
        Action::Remove(key) => json!({ "remove": key }),
        Action::Change(body) => json!({ "change": body.words, "key": body.key }),
        Action::Rules(words) => json!({ "rules": words }),
        Action::Pull(None) => json!({ "pull": null }),
        Action::Pull(Some(Pull { key, held, target })) => {
            json!({ "pull": { "key": key, "held": words::vector(*held), "target": words::vector(*target) } })
        }
    };
    if let Value::Object(words) = told { words } else { Words::new() }
}

/// Reads an action that [`told`] wrote, or an earlier version. Changes of a body are upgraded when
/// they are applied: they depend on its type at that time.
pub(super) fn action_of(told: &Value) -> Option<Action> {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let body = |words: &Value| {
        let words = words.as_object()?.clone();
        Some(BodyWords { key: number(told.get("key")?)?, words })
    };
    if let Some(words) = told.get("add") {
        let mut added = body(words)?;
        upgrade::upgrade_body(&mut added.words);
        return Some(Action::Add(added));
    }
    if let Some(words) = told.get("change") {
        return body(words).map(Action::Change);
    }
    if let Some(key) = told.get("remove") {
        return Some(Action::Remove(number(key)?));
    }
    if let Some(words) = told.get("rules") {
        let mut rules = words.as_object()?.clone();
        upgrade::upgrade_settings(&mut rules);
        return Some(Action::Rules(rules));
    }
    match told.get("pull")? {
        Value::Null => Some(Action::Pull(None)),
        Value::Object(pull) => {
            let [held, target]: [Vec3; 2] =
                ["held", "target"].map(|key| words::vector_of(pull, key));
            Some(Action::Pull(Some(Pull { key: number(pull.get("key")?)?, held, target })))
        }
        _ => None,
    }
}
