//! Experiment of the 2D study: the two published ones by number, the others by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One experiment of the 2D study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Experiment {
    /// 1 (cell sizes) or 2 (numbers of objects), as published.
    Published(u8),
    /// One that the study does not have.
    Own(OwnExperiment),
}

/// An experiment that the 2D study does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnExperiment {
    /// The most objects at 60 and at 30 frames per second.
    Capacity,
    /// Time by speed, with and without temporal coherence.
    Coherence,
}

impl Experiment {
    /// [`OwnExperiment::Capacity`].
    pub const CAPACITY: Self = Self::Own(OwnExperiment::Capacity);
    /// [`OwnExperiment::Coherence`].
    pub const COHERENCE: Self = Self::Own(OwnExperiment::Coherence);
}

impl fmt::Display for Experiment {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Published(number) => write!(text, "{number}"),
            Self::Own(OwnExperiment::Capacity) => write!(text, "capacity"),
            Self::Own(OwnExperiment::Coherence) => write!(text, "coherence"),
        }
    }
}

impl FromStr for Experiment {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "capacity" => Ok(Self::CAPACITY),
            "coherence" => Ok(Self::COHERENCE),
            number => number
                .parse()
                .map(Self::Published)
                .map_err(|_| "possible values: 1, 2, capacity, coherence".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_read_from_json_and_from_the_command_line() {
        for (json, name, experiment) in [
            ("1", "1", Experiment::Published(1)),
            ("2", "2", Experiment::Published(2)),
            (r#""capacity""#, "capacity", Experiment::CAPACITY),
            (r#""coherence""#, "coherence", Experiment::COHERENCE),
        ] {
            assert_eq!(serde_json::from_str::<Experiment>(json).unwrap(), experiment);
            assert_eq!(serde_json::to_string(&experiment).unwrap(), json);
            assert_eq!(name.parse(), Ok(experiment));
            assert_eq!(experiment.to_string(), name);
        }
        assert!("capacities".parse::<Experiment>().is_err());
    }
}
