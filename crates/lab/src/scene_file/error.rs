//! What is wrong with a scene file, and where?

use std::fmt;

/// Why a scene or a body was refused: one line with file, place, what is wrong and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file, or what stands for it.
    pub file: String,
    /// Line from 1 and column from 1, where the fault was noticed: at its end. `None` if it is not a
    /// matter of one place.
    pub place: Option<(usize, usize)>,
    /// What is wrong, and what to do.
    pub what: String,
}

impl SceneError {
    /// A fault of the whole file.
    pub(super) fn whole(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: None, what: what.into() }
    }

    /// A fault that the reader of JSON found, or that one of ours found while it read.
    pub(super) fn json(file: &str, error: &serde_json::Error) -> Self {
        let place = (error.line() > 0).then(|| (error.line(), error.column()));
        // Its own text ends with the place, which we tell first.
        let text = error.to_string();
        let what = match text.rsplit_once(" at line ") {
            Some((what, _)) if place.is_some() => what.to_owned(),
            _ => text,
        };
        Self { file: file.to_owned(), place, what }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.place {
            write!(f, ", line {line}, column {column}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for SceneError {}
