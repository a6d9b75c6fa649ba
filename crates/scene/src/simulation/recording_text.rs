//! Recording as text, for callers without files.

use std::path::Path;

use super::recording::{
    END, HEADER, RecordedScene, has_carriage_returns, read_hashes, with_line_feeds,
};
use crate::journal::Journal;

/// A scene as it was recorded, and the state after each of its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The scene's words.
    pub scene: String,
    /// After each step.
    pub hashes: Vec<u64>,
}

/// Why a text is not a recording that can be replayed without files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedError {
    /// Reason.
    Damaged(String),
    /// It has meshes.
    Meshes,
    /// The run did not end.
    Incomplete {
        /// Number of recorded steps.
        steps: usize,
    },
}

impl Recorded {
    /// Whether a text begins as a recording of `embate simulate` does.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.as_bytes().starts_with(HEADER) || has_carriage_returns(text.as_bytes())
    }

    /// Reads the text of a recording.
    ///
    /// # Errors
    /// [`RecordedError`]: damaged, incomplete, or with meshes.
    pub fn read(text: &str) -> Result<Self, RecordedError> {
        let damaged = RecordedError::Damaged;
        let bytes = with_line_feeds(text.as_bytes());
        let (records, rest) = Journal::records_of(&bytes, HEADER)
            .ok_or_else(|| damaged("it begins otherwise".to_owned()))?;
        // A kill leaves part of a line; a whole line that is no record was changed afterwards.
        if rest.contains(&b'\n') {
            return Err(damaged(format!("record {} is not what was written", records.len() + 1)));
        }
        let here = Path::new("recording");
        let opening =
            RecordedScene::of(&records, here).map_err(|error| damaged(error.to_string()))?;
        if !opening.meshes.is_empty() {
            return Err(RecordedError::Meshes);
        }
        let hashes = read_hashes(&records, here).map_err(|error| damaged(error.to_string()))?;
        if !rest.is_empty() || records.last().is_none_or(|record| record.key != END) {
            return Err(RecordedError::Incomplete { steps: hashes.len() });
        }
        Ok(Self { scene: opening.scene, hashes })
    }
}
