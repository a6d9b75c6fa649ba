//! What may a page ask for, and what is wrong with what it asked?

use serde::{Serialize, Serializer};

use crate::studies::broad::limits::MOST_OBJECTS;

/// Edges of a world: what fits a pixel at least, and what an `f32` still cuts finely.
pub(super) const SIDE: [f64; 2] = [10.0, 100_000.0];
/// Objects in it: as many as a study takes.
pub(super) const OBJECTS: [f64; 2] = [1.0, MOST_OBJECTS as f64];
/// Sides of boxes, diameters of circles.
pub(super) const SIZE: [f64; 2] = [0.1, 100_000.0];
/// Units a second.
pub(super) const SPEED: [f64; 2] = [0.0, 100_000.0];
/// Edges of cells, where a technique does not choose them itself.
pub(super) const CELL: [f64; 2] = [0.1, 100_000.0];
/// Cells of the study's grid: it keeps a list for each and empties all of them in every frame. A million
/// are 12 MB, and take a frame's time.
pub(super) const MOST_CELLS: u32 = 1_000_000;
/// What a number in a link can be read back from.
pub(super) const SEED: [f64; 2] = [0.0, u32::MAX as f64];
/// Frames of an experiment; 10,000 are nearly three minutes of the world's time.
pub(super) const FRAMES: [f64; 2] = [1.0, 10_000.0];

/// What a page asks of a world, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// Edge of the world from left to right.
    Width,
    /// Edge of the world from top to bottom.
    Height,
    /// How many objects there are.
    Objects,
    /// Boxes or circles.
    Bounds,
    /// Smallest side of a box, smallest diameter of a circle.
    MinSize,
    /// Largest side or diameter.
    MaxSize,
    /// Slowest, in units a second.
    MinSpeed,
    /// Fastest, in units a second.
    MaxSpeed,
    /// Who finds the pairs.
    Technique,
    /// Edge of the technique's cells.
    CellSize,
    /// What everything is drawn from.
    Seed,
    /// All of it: the text is no JSON, or has a field that does not exist.
    Parameters,
}

/// What is wrong, as a code that a page translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// Missing, or not a number.
    NotANumber,
    /// Has a fraction.
    NotWhole,
    /// Below the limit.
    TooSmall,
    /// Above the limit.
    TooLarge,
    /// A largest value that is below the smallest one.
    BelowMinimum,
    /// Does not fit the world; the limit is the side that it must not exceed.
    LargerThanWorld,
    /// More pairs would overlap than a frame can hold; the limit is the most objects for such a world.
    TooCrowded,
    /// The world would have more cells than can be kept; the limit is the smallest size of cells for it.
    TooManyCells,
    /// No such word.
    Unknown,
}

/// One thing that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// Where.
    pub field: Field,
    /// What.
    pub problem: Trouble,
    /// What it should be at least or at most.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "plainly")]
    pub limit: Option<f64>,
}

/// Why a world is refused: at most one problem a field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, thiserror::Error)]
#[error("{}", self.to_json())]
pub struct Problems {
    /// In the order of the form.
    pub problems: Vec<Problem>,
}

impl Problems {
    /// `{"problems":[{"field":"maxSize","problem":"below-minimum","limit":6}]}`
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Whole limits without a fraction: people read them.
#[expect(clippy::ref_option, reason = "serde hands it over like this")]
fn plainly<S: Serializer>(limit: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match limit {
        Some(limit) if limit.fract() == 0.0 => serializer.serialize_u64(*limit as u64),
        limit => limit.serialize(serializer),
    }
}
