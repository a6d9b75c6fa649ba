//! Errors of the sandbox: of an edit, and of a scene or recording that is opened.

use serde_json::{Value, json};
use thiserror::Error;

use embate_scene::json_number::number;
use embate_scene::scene_file::{SceneError, SceneErrorKind};

/// Why an edit was rejected; the world is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// Invalid keys or values.
    #[error(transparent)]
    Scene(#[from] SceneErrorKind),
    /// A body that does not exist, or that was removed.
    #[error("there is no such body any more")]
    UnknownBody,
    /// A body with the key of another one, in a recording.
    #[error("there is a body of this key already")]
    KeyTaken,
    /// No free place for a new body.
    #[error("there is no room for it; make the bounds wider, or delete another body")]
    NoRoom,
    /// A body too far away to be written in a scene.
    #[error(
        "{name} is more than {max:e} m away, where nothing can be changed; delete it, or go back to \
         before it left"
    )]
    TooFar {
        /// Name of the body, or its index.
        name: String,
        /// Maximum coordinate, in m.
        max: f32,
    },
    /// A ball thrown in no direction, or at right angles to the plane of a planar scene.
    #[error("the ball needs a direction")]
    NoDirection,
}

/// Why a scene or recording was not opened, or a recording not written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// An invalid scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// An invalid recording.
    #[error("{file}: {error}")]
    Recording {
        /// The file.
        file: String,
        /// Why.
        error: ReplayError,
    },
}

/// Error of a recording.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A recording of another format.
    #[error("the recording is of another kind; record it again")]
    Format,
    /// A recording without a scene.
    #[error("the recording has no scene; record it again")]
    NoScene,
    /// A recording within a recording.
    #[error("the scene of the recording is a recording itself; record it again")]
    Nested,
    /// No number of steps, or more than the maximum.
    #[error("the recording has more than {max} steps, or does not say how many; record it again")]
    Steps {
        /// Maximum number of steps.
        max: u64,
    },
    /// An action that cannot be read.
    #[error("action {index} of the recording cannot be read; record it again")]
    Action {
        /// Index of the action, from 0.
        index: usize,
    },
    /// Actions in the wrong order.
    #[error("the actions of the recording are not in order; record it again")]
    Order,
    /// No hash of the final state.
    #[error("the recording does not say how it ended; record it again")]
    NoHash,
    /// An action that the world rejects.
    #[error("{0}; record it again")]
    Edit(EditError),
    /// Another final state than the recorded one.
    #[error(
        "the recording departs: it ends in state {found:016x}, and was recorded to end in \
         {recorded:016x}, perhaps by another version; record it again"
    )]
    Departs {
        /// Hash of the final state.
        found: u64,
        /// The recorded hash.
        recorded: u64,
    },
    /// A damaged recording of `embate simulate`.
    #[error("a recording of `embate simulate`: it is damaged: {reason}; record it again")]
    Damaged {
        /// Reason.
        reason: String,
    },
    /// A recording of `embate simulate` with meshes.
    #[error(
        "a recording of `embate simulate`: it holds meshes, which only the program has; run `embate \
         replay` with it"
    )]
    Meshes,
    /// An incomplete recording of `embate simulate`.
    #[error(
        "a recording of `embate simulate`: it breaks off after step {steps}; run `embate simulate` \
         with it again, which goes on from there"
    )]
    Incomplete {
        /// Number of recorded steps.
        steps: usize,
    },
    /// More steps than a recording may have.
    #[error(
        "a recording has at most {max} steps, and this is step {step}; go back to an earlier one, or \
         save the scene as it stands"
    )]
    TooLong {
        /// Maximum number of steps.
        max: u64,
        /// The current step.
        step: u32,
    },
}

impl EditError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Scene(kind) => kind.code(),
            Self::UnknownBody => "edit.unknown-body",
            Self::KeyTaken => "edit.key-taken",
            Self::NoRoom => "edit.no-room",
            Self::TooFar { .. } => "edit.too-far",
            Self::NoDirection => "edit.no-direction",
        }
    }

    /// Code, fields and message as JSON, for a front end: `{"code":…,"message":…,"fields":{…}}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let fields = match self {
            Self::Scene(kind) => return kind.to_json(),
            Self::TooFar { name, max } => json!({ "name": name, "max": number(*max) }),
            _ => json!({}),
        };
        json!({ "code": self.code(), "message": self.to_string(), "fields": fields })
    }
}

impl ReplayError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format => "recording.format",
            Self::NoScene => "recording.no-scene",
            Self::Nested => "recording.nested",
            Self::Steps { .. } => "recording.steps",
            Self::Action { .. } => "recording.action",
            Self::Order => "recording.order",
            Self::NoHash => "recording.no-hash",
            Self::Edit(error) => error.code(),
            Self::Departs { .. } => "recording.departs",
            Self::Damaged { .. } => "recording.damaged",
            Self::Meshes => "recording.meshes",
            Self::Incomplete { .. } => "recording.incomplete",
            Self::TooLong { .. } => "recording.too-long",
        }
    }

    /// Code, fields and message as JSON, for a front end: `{"code":…,"message":…,"fields":{…}}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let fields = match self {
            Self::Edit(error) => return error.to_json(),
            Self::Steps { max } => json!({ "max": max }),
            Self::Action { index } => json!({ "index": index }),
            Self::Departs { found, recorded } => {
                let [found, recorded] = [found, recorded].map(|hash| format!("{hash:016x}"));
                json!({ "found": found, "recorded": recorded })
            }
            Self::Damaged { reason } => json!({ "reason": reason }),
            Self::Incomplete { steps } => json!({ "steps": steps }),
            Self::TooLong { max, step } => json!({ "max": max, "step": step }),
            _ => json!({}),
        };
        json!({ "code": self.code(), "message": self.to_string(), "fields": fields })
    }
}

impl OpenError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Scene(error) => error.code(),
            Self::Recording { error, .. } => error.code(),
        }
    }

    /// Line and column, both from 1, where the error is.
    #[must_use]
    pub fn location(&self) -> Option<(usize, usize)> {
        match self {
            Self::Scene(error) => error.location,
            Self::Recording { .. } => None,
        }
    }

    /// The error as JSON, for a front end, as [`SceneError::to_json`].
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Scene(error) => error.to_json(),
            Self::Recording { file, error } => {
                let mut json = error.to_json();
                json["file"] = file.as_str().into();
                json
            }
        }
    }

    pub(super) fn recording(file: &str, error: ReplayError) -> Self {
        Self::Recording { file: file.to_owned(), error }
    }
}
