//! Errors of recordings.

use std::io;
use std::path::{Path, PathBuf};

use crate::io_error_message;
use crate::journal::JournalError;
use crate::scene_file::SceneError;

/// Why a recording could not be made, resumed or replayed: one line with file, reason and
/// advice.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// Another run records into the same file.
    #[error("{}: another run records here; wait for it to end, or name another file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A file of another kind, which is left alone.
    #[error("{}: not a recording of embate; name another file", path.display())]
    NotARecording {
        /// The file.
        path: PathBuf,
    },
    /// A folder.
    #[error("{}: is a folder; name a recording in it", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// A recording with line ends of another system, which can be replayed but not continued.
    #[error(
        "{}: its lines end with CR LF, so that it can be replayed but not continued; save it with \
         LF line ends, or name another file",
        path.display()
    )]
    CarriageReturns {
        /// The file.
        path: PathBuf,
    },
    /// Beside the recording lies a file that is not the state of a run, where that would be kept.
    #[error(
        "{}: while it is made, its state is kept in {}, which is a file of another kind; name another file for the \
         recording",
        path.display(),
        state.display()
    )]
    NoRoomForState {
        /// The recording.
        path: PathBuf,
        /// The existing file.
        state: PathBuf,
    },
    /// A recording of another scene, or of the same before it was changed.
    #[error(
        "{}: holds the recording of another scene ({file}), or of this one before it was changed; name another \
         file, or remove it",
        path.display()
    )]
    OtherScene {
        /// The file.
        path: PathBuf,
        /// The scene that was recorded.
        file: String,
    },
    /// A recording whose beginning is lost.
    #[error("{}: the recording is damaged: {what}; record the scene again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Reason.
        what: String,
    },
    /// More than is worth holding.
    #[error("{}: {found} bytes are more than the {max} that a recording may have", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// The largest size.
        max: u64,
    },
    /// The run that was taken up again did not go as before.
    #[error(
        "{}: state hash of step {step} differs from the recording (found {found:016x}, recorded {recorded:016x}): this \
         build of embate moves the scene differently; name another file, or remove it",
        path.display()
    )]
    Departs {
        /// The file.
        path: PathBuf,
        /// The first step that differs, counted from 1.
        step: u32,
        /// The recorded hash.
        recorded: u64,
        /// The hash now.
        found: u64,
    },
    /// The recorded scene is none.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The disk, the rights or the path.
    #[error("{}: {}", path.display(), io_error_message(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl RecordingError {
    /// Whether the request is at fault, rather than the file or the machine.
    #[must_use]
    pub fn is_misuse(&self) -> bool {
        matches!(
            self,
            Self::InUse { .. }
                | Self::NotARecording { .. }
                | Self::Folder { .. }
                | Self::CarriageReturns { .. }
                | Self::NoRoomForState { .. }
                | Self::OtherScene { .. }
        )
    }

    /// In the words of recordings.
    pub(super) fn of_journal(path: &Path, error: JournalError) -> Self {
        let path = path.to_owned();
        match error {
            JournalError::InUse { .. } => Self::InUse { path },
            JournalError::NotAJournal { .. } => Self::NotARecording { path },
            JournalError::Unwritable { source, .. } => Self::Io { path, source: source.into() },
            JournalError::Io { source, .. } => Self::Io { path, source },
        }
    }
}
