//! Replay of a recording: the same hashes, or the first step that differs.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::recording::{
    END, HEADER, RecordedScene, check_regular_file, read_hashes, with_line_feeds,
};
use super::{RecordingError, Simulation};
use crate::journal::Journal;
use crate::scene_file::Scene;

/// Ten million steps, or as much of meshes.
pub(super) const MAX_BYTES: u64 = 1 << 30;

/// A recording to be replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The recorded scene.
    pub scene: Scene,
    /// The file that it was recorded from.
    pub file: String,
    /// The version of embate that recorded it.
    pub version: String,
    /// How each step ended.
    pub hashes: Vec<u64>,
    /// Whether the run that recorded it came to its end.
    pub is_whole: bool,
}

/// The first step that ended otherwise than it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Counted from 1.
    pub step: u32,
    /// The recorded state.
    pub recorded: u64,
    /// The state now.
    pub found: u64,
}

impl Replay {
    /// Reads a recording.
    ///
    /// # Errors
    /// [`RecordingError`].
    pub fn load(path: &Path) -> Result<Self, RecordingError> {
        let bytes = whole(path)?;
        let bytes = with_line_feeds(&bytes);
        let (records, rest) = Journal::records_of(&bytes, HEADER)
            .ok_or_else(|| RecordingError::NotARecording { path: PathBuf::from(path) })?;
        // A kill leaves part of a line; a whole line that is no record was changed afterwards.
        if rest.contains(&b'\n') {
            let what = format!("record {} is not what was written", records.len() + 1);
            return Err(RecordingError::Damaged { path: path.to_owned(), what });
        }
        let opening = RecordedScene::of(&records, path)?;
        let ended = records.last().is_some_and(|record| record.key == END);
        Ok(Self {
            scene: opening.scene(path)?,
            hashes: read_hashes(&records, path)?,
            is_whole: rest.is_empty() && ended,
            file: opening.file,
            version: opening.embate,
        })
    }

    /// Goes through the recording with a simulation of its scene; stops at the first step that
    /// departs. `on_step` is called after each step.
    pub fn follow(&self, run: &mut Simulation<'_>, on_step: impl Fn()) -> Option<Departure> {
        for &recorded in &self.hashes {
            let found = run.step();
            if found != recorded {
                return Some(Departure { step: run.steps(), recorded, found });
            }
            on_step();
        }
        None
    }
}

fn whole(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let failed = |source| RecordingError::Io { path: path.to_owned(), source };
    check_regular_file(path)?;
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        let found = path.metadata().map_or(bytes.len() as u64, |metadata| metadata.len());
        return Err(RecordingError::TooLarge { path: path.to_owned(), found, max: MAX_BYTES });
    }
    Ok(bytes)
}
