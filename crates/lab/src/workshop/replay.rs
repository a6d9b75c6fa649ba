//! How is a recording done again?
//!
//! Those of the page are read, with all that was done, and those of `embate simulate --record`, in which nothing is
//! done. Either has to come to the state that it came to.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::action::Recorded;
use super::live::Live;
use super::recording::{KIND, action_of};
use crate::scene_file::SceneError;
use crate::simulation::Recorded as Simulated;

/// An hour and a half of the usual steps: more is done again by nobody.
pub(super) const MOST_STEPS: u64 = 300_000;

/// How a recording has to end.
#[derive(Debug)]
pub(super) struct Replay {
    name: String,
    hash: u64,
    refused: Option<String>,
}

/// The world as it began, what is to be done, up to which step, and how it has to end.
type Begun = (Live, Vec<Recorded>, u32, Replay);

/// The file that the page writes.
#[derive(Deserialize)]
struct Text<'a> {
    recording: Value,
    #[serde(borrow, default)]
    scene: Option<&'a RawValue>,
    #[serde(default)]
    actions: Vec<Value>,
    #[serde(default)]
    step: Option<u64>,
    #[serde(default)]
    state_hash: Option<String>,
}

impl Replay {
    /// Of a text that is a recording; `None` if it is a scene.
    pub(super) fn of(text: &str, name: &str) -> Result<Option<Begun>, SceneError> {
        if Simulated::is_one(text) {
            return Self::of_program(text, name).map(Some);
        }
        if !is_recording(text) {
            return Ok(None);
        }
        let wrong = |what: &str| wrong(name, what);
        let read: Text<'_> =
            serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
        if read.recording.as_str() != Some(KIND) {
            return Err(wrong("the recording is of another kind"));
        }
        let scene = read.scene.ok_or_else(|| wrong("the recording has no scene"))?;
        let step = read.step.filter(|step| *step <= MOST_STEPS).ok_or_else(|| {
            wrong("the recording has more steps than anybody waits for, or does not say how many")
        })? as u32;
        if is_recording(scene.get()) {
            return Err(wrong("the scene of the recording is a recording itself"));
        }
        let live =
            Live::open(scene.get(), name).map_err(|error| within(error, text, scene.get()))?;
        let mut actions: Vec<Recorded> = Vec::new();
        for told in &read.actions {
            let at = told.get("step").and_then(Value::as_u64).filter(|at| *at <= u64::from(step));
            let (Some(at), Some(action)) = (at, action_of(told)) else {
                return Err(wrong("an action of the recording cannot be read"));
            };
            if actions.last().is_some_and(|last| u64::from(last.step) > at) {
                return Err(wrong("the actions of the recording are not in order"));
            }
            actions.push(Recorded { step: at as u32, action: Arc::new(action) });
        }
        let hash = read.state_hash.and_then(|hash| u64::from_str_radix(&hash, 16).ok());
        let hash = hash.ok_or_else(|| wrong("the recording does not say how it ended"))?;
        Ok(Some((live, actions, step, Self { name: name.to_owned(), hash, refused: None })))
    }

    fn of_program(text: &str, name: &str) -> Result<Begun, SceneError> {
        let recorded = Simulated::read(text).map_err(|what| SceneError {
            file: name.to_owned(),
            place: None,
            what: format!("a recording of `embate simulate`: {what}"),
        })?;
        let live = Live::open(&recorded.scene, name)
            .map_err(|error| SceneError { place: None, ..error })?;
        let hash = recorded.hashes.last().copied().unwrap_or_else(|| live.world.state_hash());
        let replay = Self { name: name.to_owned(), hash, refused: None };
        Ok((live, Vec::new(), recorded.hashes.len() as u32, replay))
    }

    /// An action was not accepted.
    pub(super) fn refuse(&mut self, what: String) {
        self.refused.get_or_insert(what);
    }

    /// Whether it cannot end well any more.
    pub(super) fn failed(&self) -> bool {
        self.refused.is_some()
    }

    /// Whether it ended as it did.
    pub(super) fn check(self, hash: u64) -> Result<(), SceneError> {
        if let Some(what) = self.refused {
            return Err(wrong(&self.name, &what));
        }
        if hash != self.hash {
            return Err(wrong(
                &self.name,
                &format!(
                    "the recording departs: it ends in state {hash:016x}, and was recorded to end in {:016x}, perhaps by another version",
                    self.hash
                ),
            ));
        }
        Ok(())
    }
}

/// Whether a text is a recording of the page, not a scene.
pub(super) fn is_recording(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Any<'a> {
        #[serde(borrow, default)]
        recording: Option<&'a RawValue>,
    }
    text.contains("\"recording\"")
        && serde_json::from_str::<Any<'_>>(text).is_ok_and(|any| any.recording.is_some())
}

fn wrong(name: &str, what: &str) -> SceneError {
    let what = format!("{what}; record it again");
    SceneError { file: name.to_owned(), place: None, what }
}

/// Of a scene that stands within a longer text: the place is told in the whole.
fn within(error: SceneError, text: &str, part: &str) -> SceneError {
    let begins = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let before = text.get(..begins).unwrap_or_default();
    let lines = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let place =
        error.place.map(|(line, at)| (line + lines, if line == 1 { at + column } else { at }));
    SceneError { place, ..error }
}
