//! Errors of a study's options, each with a stable code and its fields.

use embate_report::language::Language;
use serde::Serialize;
use serde_json::{Map, Value};

/// Why the options make no study.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ConfigError {
    /// A number outside its range.
    #[error("--{option} {value}: give {min} to {}", integer(*.max))]
    OutOfRange {
        /// Name of the option.
        option: &'static str,
        /// The number.
        value: u64,
        /// Minimum.
        min: u64,
        /// Maximum.
        max: u64,
    },
    /// A technique that the study does not have.
    #[error("--technique {name}: this study has none such; there are: {}", known.join(", "))]
    UnknownTechnique {
        /// The name.
        name: String,
        /// The names of the study's techniques.
        known: Vec<&'static str>,
    },
    /// An option of another study.
    #[error(
        "--{option} belongs to study {}; name that study, or leave the flag out",
        studies.join(" or ")
    )]
    OtherStudy {
        /// Name of the option.
        option: String,
        /// The studies that have it.
        studies: Vec<&'static str>,
    },
    /// An option that would change the worlds of an experiment with fixed ones.
    #[error(
        "--{option}: experiment {experiment} has fixed worlds; choose experiment 1 or 2, or leave \
         the flag out"
    )]
    FixedWorlds {
        /// Name of the option.
        option: &'static str,
        /// Name of the experiment.
        experiment: String,
    },
    /// A world with the wrong number of sides.
    #[error("--world: this study's worlds have {sides} sides; give {}", if *sides == 2 { "WxH" } else { "WxHxD" })]
    WorldDimension {
        /// Number of sides.
        sides: usize,
    },
    /// A side of a world that is not positive, or too long.
    #[error("--world: {side} must be above 0 and at most {max}")]
    WorldSide {
        /// The side.
        side: f32,
        /// Maximum.
        max: f32,
    },
    /// Objects larger than the world.
    #[error("--size: objects of {size} do not fit a world of {side}")]
    SizeExceedsWorld {
        /// Largest size of an object.
        size: f32,
        /// The side of the world.
        side: f32,
    },
    /// Sizes that are not positive, or in the wrong order.
    #[error("--size {min}..{max}: give 0 < MIN <= MAX")]
    SizeOrder {
        /// Smallest size.
        min: f32,
        /// Largest size.
        max: f32,
    },
    /// Speeds that are negative, too large or in the wrong order.
    #[error("--speed {min}..{max}: give 0 <= MIN <= MAX, and at most {limit}")]
    SpeedOrder {
        /// Smallest speed.
        min: f32,
        /// Largest speed.
        max: f32,
        /// Maximum speed.
        limit: f32,
    },
    /// More overlapping pairs than can be compared.
    #[error(
        "--objects {objects}: about {} pairs would overlap in every frame, and at most {} can be \
         compared; give fewer or smaller objects, or a larger world",
        integer(*.pairs), integer(*.max)
    )]
    TooManyPairs {
        /// Number of objects.
        objects: u32,
        /// Expected overlapping pairs per frame.
        pairs: u64,
        /// Maximum.
        max: u64,
    },
    /// A cell edge that is not positive.
    #[error("--cell-size {size}: must be above 0")]
    CellSize {
        /// The edge.
        size: f32,
    },
    /// More cells than fit in memory.
    #[error(
        "--cell-size: a world of {width}x{height} would have more than {} cells; give larger ones",
        integer(*.max)
    )]
    TooManyCells {
        /// Width of the world.
        width: f32,
        /// Height of the world.
        height: f32,
        /// Maximum number of cells.
        max: u64,
    },
}

impl ConfigError {
    /// Stable code, for programs and for tables of texts.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutOfRange { .. } => "out-of-range",
            Self::UnknownTechnique { .. } => "unknown-technique",
            Self::OtherStudy { .. } => "other-study",
            Self::FixedWorlds { .. } => "fixed-worlds",
            Self::WorldDimension { .. } => "world-dimension",
            Self::WorldSide { .. } => "world-side",
            Self::SizeExceedsWorld { .. } => "size-exceeds-world",
            Self::SizeOrder { .. } => "size-order",
            Self::SpeedOrder { .. } => "speed-order",
            Self::TooManyPairs { .. } => "too-many-pairs",
            Self::CellSize { .. } => "cell-size",
            Self::TooManyCells { .. } => "too-many-cells",
        }
    }

    /// The fields of the error, by name.
    #[must_use]
    pub fn fields(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return Map::new() };
        fields.remove("code");
        fields
    }
}

fn integer(value: u64) -> String {
    Language::English.integer(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_fields_equal_the_serialized_error() {
        let error = ConfigError::OutOfRange { option: "rays", value: 0, min: 1, max: 10_000_000 };
        assert_eq!(error.to_string(), "--rays 0: give 1 to 10,000,000");
        let json = serde_json::to_value(&error).unwrap();
        assert_eq!(json["code"], error.code());
        assert_eq!(error.fields().keys().collect::<Vec<_>>(), ["max", "min", "option", "value"]);
    }
}
