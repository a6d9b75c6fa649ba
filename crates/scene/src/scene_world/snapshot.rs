//! Snapshot of a scene's world, of either kind.

use embate::dynamics;
use embate_replica::lasch;
use thiserror::Error;

/// State of a [`SceneWorld`](super::SceneWorld).
#[derive(Clone, Debug)]
pub enum SceneSnapshot {
    /// Snapshot of an engine world.
    Engine(Box<dynamics::Snapshot>),
    /// Snapshot of a Lasch simulator.
    Lasch(Box<lasch::Snapshot>),
}

/// Error of bytes that are not a snapshot of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SceneSnapshotError {
    /// Error of an engine snapshot.
    #[error(transparent)]
    Engine(dynamics::SnapshotError),
    /// Error of a Lasch snapshot.
    #[error(transparent)]
    Lasch(lasch::SnapshotError),
}

impl SceneSnapshot {
    /// Serializes the snapshot; the bytes begin with the magic number of their kind.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Engine(snapshot) => snapshot.to_bytes(),
            Self::Lasch(snapshot) => snapshot.to_bytes(),
        }
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, and what the engine writes.
    ///
    /// # Errors
    /// [`SceneSnapshotError`] if the bytes are anything else, or of a Lasch simulation by an Embate
    /// in which that was a solver of the engine.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SceneSnapshotError> {
        if lasch::Snapshot::is_one(bytes) {
            return lasch::Snapshot::from_bytes(bytes)
                .map(|snapshot| Self::Lasch(Box::new(snapshot)))
                .map_err(SceneSnapshotError::Lasch);
        }
        dynamics::Snapshot::from_bytes(bytes)
            .map(|snapshot| Self::Engine(Box::new(snapshot)))
            .map_err(SceneSnapshotError::Engine)
    }
}
