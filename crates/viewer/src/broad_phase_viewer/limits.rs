//! Limits of the parameters, and errors by form field.

use serde::{Serialize, Serializer};

use embate_studies::moving_worlds::limits::MAX_OBJECTS;

/// Edges of a world: what fits a pixel at least, and what an `f32` still cuts finely.
pub(super) const SIDE: [f64; 2] = [10.0, 100_000.0];
/// Objects in it: as many as a study takes.
pub(super) const OBJECTS: [f64; 2] = [1.0, MAX_OBJECTS as f64];
/// Sides of boxes, diameters of circles.
pub(super) const SIZE: [f64; 2] = [0.1, 100_000.0];
/// Units a second.
pub(super) const SPEED: [f64; 2] = [0.0, 100_000.0];
/// Edges of cells, where a technique does not choose them itself.
pub(super) const CELL: [f64; 2] = [0.1, 100_000.0];
/// Cells of the study's grid: it keeps a list for each and empties all of them in every frame. A
/// million are 12 MB, and take a frame's time.
pub(super) const MAX_CELLS: u32 = 1_000_000;
/// Limits of the seed: integers that a link can hold exactly.
pub(super) const SEED: [f64; 2] = [0.0, u32::MAX as f64];
/// Frames of an experiment; 10,000 are nearly three minutes of the world's time.
pub(super) const FRAMES: [f64; 2] = [1.0, 10_000.0];

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// Width of the world.
    Width,
    /// Height of the world.
    Height,
    /// Number of objects.
    Objects,
    /// Shape of the objects.
    Bounds,
    /// Minimum side of a box or diameter of a circle.
    MinSize,
    /// Maximum side or diameter.
    MaxSize,
    /// Minimum speed, in units per second.
    MinSpeed,
    /// Maximum speed, in units per second.
    MaxSpeed,
    /// Broad phase technique.
    Technique,
    /// Cell size of the technique.
    CellSize,
    /// Seed of all random numbers.
    Seed,
    /// The whole form: the text is not JSON, or has an unknown field.
    Parameters,
}

/// Error code, which the page translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormError {
    /// Missing, or not a number.
    NotANumber,
    /// Not an integer.
    NotWhole,
    /// Below the limit.
    TooSmall,
    /// Above the limit.
    TooLarge,
    /// Maximum below the minimum.
    BelowMinimum,
    /// Does not fit the world; the limit is the side that it must not exceed.
    LargerThanWorld,
    /// More pairs would overlap than a frame can hold; the limit is the most objects for such a
    /// world.
    TooCrowded,
    /// The world would have more cells than can be kept; the limit is the smallest size of cells
    /// for it.
    TooManyCells,
    /// Unknown name.
    Unknown,
}

/// Error of one field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FieldError {
    /// Invalid field.
    pub field: Field,
    /// Kind of the error.
    pub problem: FormError,
    /// Limit of the value, if a limit is exceeded.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "without_fraction")]
    pub limit: Option<f64>,
}

/// Errors of a form, at most one per field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, thiserror::Error)]
#[error("{}", self.to_json())]
pub struct FieldErrors {
    /// Errors in the order of the form.
    pub problems: Vec<FieldError>,
}

impl FieldErrors {
    /// `{"problems":[{"field":"maxSize","problem":"below-minimum","limit":6}]}`
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Whole limits without a fraction: people read them.
#[expect(clippy::ref_option, reason = "serde hands it over like this")]
fn without_fraction<S: Serializer>(limit: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match limit {
        Some(limit) if limit.fract() == 0.0 => serializer.serialize_u64(*limit as u64),
        limit => limit.serialize(serializer),
    }
}
