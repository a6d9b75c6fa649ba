//! Replay of a recording.
//!
//! Recordings of the page contain actions; those of `embate simulate --record` contain none. Either
//! must end in the recorded state.

use std::sync::Arc;

use embate_scene::scene_file::SceneError;
use embate_scene::simulation::{Recorded, RecordedError};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::action::RecordedAction;
use super::error::{EditError, OpenError, ReplayError};
use super::recording::{KIND, action_from_json};
use super::scene_instance::SceneInstance;

/// Maximum number of steps: 83 minutes at 60 Hz.
pub(super) const MAX_STEPS: u64 = 300_000;

/// How a recording has to end.
#[derive(Debug)]
pub(super) struct Replay {
    name: String,
    hash: u64,
    refused: Option<EditError>,
}

/// Initial scene, actions, last step, and the replay with its expected end.
type OpenedRecording = (SceneInstance, Vec<RecordedAction>, u32, Replay);

/// The file that the page writes.
#[derive(Deserialize)]
struct RecordingFile<'a> {
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
    pub(super) fn of(text: &str, name: &str) -> Result<Option<OpenedRecording>, OpenError> {
        if Recorded::is_one(text) {
            return Self::of_command_line(text, name).map(Some);
        }
        if !is_recording(text) {
            return Ok(None);
        }
        let wrong = |error: ReplayError| OpenError::recording(name, error);
        let read: RecordingFile<'_> =
            serde_json::from_str(text).map_err(|_| wrong(ReplayError::Format))?;
        if read.recording.as_str() != Some(KIND) {
            return Err(wrong(ReplayError::Format));
        }
        let scene = read.scene.ok_or_else(|| wrong(ReplayError::NoScene))?;
        let step = read.step.filter(|step| *step <= MAX_STEPS);
        let step = step.ok_or_else(|| wrong(ReplayError::Steps { max: MAX_STEPS }))? as u32;
        if is_recording(scene.get()) {
            return Err(wrong(ReplayError::Nested));
        }
        let instance = SceneInstance::open(scene.get(), name)
            .map_err(|error| within(error, text, scene.get()))?;
        let mut actions: Vec<RecordedAction> = Vec::new();
        for (index, value) in read.actions.iter().enumerate() {
            let at = value.get("step").and_then(Value::as_u64).filter(|at| *at <= u64::from(step));
            let (Some(at), Some(action)) = (at, action_from_json(value)) else {
                return Err(wrong(ReplayError::Action { index }));
            };
            if actions.last().is_some_and(|last| u64::from(last.step) > at) {
                return Err(wrong(ReplayError::Order));
            }
            actions.push(RecordedAction { step: at as u32, action: Arc::new(action) });
        }
        let hash = read.state_hash.and_then(|hash| u64::from_str_radix(&hash, 16).ok());
        let hash = hash.ok_or_else(|| wrong(ReplayError::NoHash))?;
        Ok(Some((instance, actions, step, Self { name: name.to_owned(), hash, refused: None })))
    }

    fn of_command_line(text: &str, name: &str) -> Result<OpenedRecording, OpenError> {
        let recorded = Recorded::read(text).map_err(|error| {
            let error = match error {
                RecordedError::Damaged(reason) => ReplayError::Damaged { reason },
                RecordedError::Meshes => ReplayError::Meshes,
                RecordedError::Incomplete { steps } => ReplayError::Incomplete { steps },
            };
            OpenError::recording(name, error)
        })?;
        // The text is within a record: lines and columns of the file differ.
        let instance = SceneInstance::open(&recorded.scene, name)
            .map_err(|error| SceneError { location: None, ..error })?;
        let hash = recorded.hashes.last().copied().unwrap_or_else(|| instance.world.state_hash());
        let replay = Self { name: name.to_owned(), hash, refused: None };
        Ok((instance, Vec::new(), recorded.hashes.len() as u32, replay))
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

/// Moves the location of an error from the embedded scene to the whole text.
fn within(error: SceneError, text: &str, part: &str) -> SceneError {
    let begins = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let before = text.get(..begins).unwrap_or_default();
    let lines = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    let location =
        error.location.map(|(line, at)| (line + lines, if line == 1 { at + column } else { at }));
    SceneError { location, ..error }
}
