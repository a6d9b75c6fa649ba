//! How is a recording done again?
//!
//! Those of the page are read, with all that was done, and those of `embate simulate --record`, in which nothing is
//! done. Either has to come to the state that it came to.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::action::Recorded;
use super::error::{EditError, OpenError, ReplayError};
use super::live::Live;
use super::recording::{KIND, action_of};
use crate::scene_file::SceneError;
use crate::simulation::{Recorded as Simulated, RecordedError};

/// An hour and a half of the usual steps: more is done again by nobody.
pub(super) const MOST_STEPS: u64 = 300_000;

/// How a recording has to end.
#[derive(Debug)]
pub(super) struct Replay {
    name: String,
    hash: u64,
    refused: Option<EditError>,
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
    pub(super) fn of(text: &str, name: &str) -> Result<Option<Begun>, OpenError> {
        if Simulated::is_one(text) {
            return Self::of_program(text, name).map(Some);
        }
        if !is_recording(text) {
            return Ok(None);
        }
        let wrong = |error: ReplayError| OpenError::recording(name, error);
        let read: Text<'_> = serde_json::from_str(text).map_err(|_| wrong(ReplayError::Format))?;
        if read.recording.as_str() != Some(KIND) {
            return Err(wrong(ReplayError::Format));
        }
        let scene = read.scene.ok_or_else(|| wrong(ReplayError::NoScene))?;
        let step = read.step.filter(|step| *step <= MOST_STEPS);
        let step = step.ok_or_else(|| wrong(ReplayError::Steps { max: MOST_STEPS }))? as u32;
        if is_recording(scene.get()) {
            return Err(wrong(ReplayError::Nested));
        }
        let live =
            Live::open(scene.get(), name).map_err(|error| within(error, text, scene.get()))?;
        let mut actions: Vec<Recorded> = Vec::new();
        for (index, told) in read.actions.iter().enumerate() {
            let at = told.get("step").and_then(Value::as_u64).filter(|at| *at <= u64::from(step));
            let (Some(at), Some(action)) = (at, action_of(told)) else {
                return Err(wrong(ReplayError::Action { index }));
            };
            if actions.last().is_some_and(|last| u64::from(last.step) > at) {
                return Err(wrong(ReplayError::Order));
            }
            actions.push(Recorded { step: at as u32, action: Arc::new(action) });
        }
        let hash = read.state_hash.and_then(|hash| u64::from_str_radix(&hash, 16).ok());
        let hash = hash.ok_or_else(|| wrong(ReplayError::NoHash))?;
        Ok(Some((live, actions, step, Self { name: name.to_owned(), hash, refused: None })))
    }

    fn of_program(text: &str, name: &str) -> Result<Begun, OpenError> {
        let recorded = Simulated::read(text).map_err(|error| {
            let error = match error {
                RecordedError::Damaged(reason) => ReplayError::Damaged { reason },
                RecordedError::Meshes => ReplayError::Meshes,
                RecordedError::Incomplete { steps } => ReplayError::Incomplete { steps },
            };
            OpenError::recording(name, error)
        })?;
        // The text is within a record: lines and columns of the file differ.
        let live = Live::open(&recorded.scene, name)
            .map_err(|error| SceneError { location: None, ..error })?;
        let hash = recorded.hashes.last().copied().unwrap_or_else(|| live.world.state_hash());
        let replay = Self { name: name.to_owned(), hash, refused: None };
        Ok((live, Vec::new(), recorded.hashes.len() as u32, replay))
    }

    /// An action was not accepted.
    pub(super) fn refuse(&mut self, error: EditError) {
        self.refused.get_or_insert(error);
    }

    /// Whether it cannot end well any more.
    pub(super) fn failed(&self) -> bool {
        self.refused.is_some()
    }

    /// Whether it ended as it did.
    pub(super) fn check(self, hash: u64) -> Result<(), OpenError> {
        let error = match self.refused {
            Some(error) => ReplayError::Edit(error),
            None if hash == self.hash => return Ok(()),
            None => ReplayError::Departs { found: hash, recorded: self.hash },
        };
        Err(OpenError::recording(&self.name, error))
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

/// Of a scene that stands within a longer text: the place is told in the whole.
fn within(error: SceneError, text: &str, part: &str) -> SceneError {
    let begins = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let before = text.get(..begins).unwrap_or_default();
    let lines = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    let location =
        error.location.map(|(line, at)| (line + lines, if line == 1 { at + column } else { at }));
    SceneError { location, ..error }
}
