//! Why can this not be a shape?

use thiserror::Error;

/// No shape is smaller: products of six lengths stay within f32.
pub const MIN_SIZE: f32 = 1e-6;
/// No shape is larger, and no point of it farther from its origin.
pub const MAX_SIZE: f32 = 1e6;

/// What is wrong with a shape, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidShape {
    /// A length that is NaN, too small or too large.
    #[error("the {name} is {value}, but must lie between {MIN_SIZE:e} and {MAX_SIZE:e}: {}", size_advice(*.value))]
    Size {
        /// Which length.
        name: &'static str,
        /// What it is.
        value: f32,
    },
    /// The half-height of a capsule, which alone may be 0.
    #[error("the half-height is {value}, but must lie between 0 and {MAX_SIZE:e}: {}", size_advice(*.value))]
    HalfHeight {
        /// What it is.
        value: f32,
    },
    /// A corner that is NaN, infinite or too far out.
    #[error("the corner {corner:?} must be finite and within ±{MAX_SIZE:e}")]
    Corner {
        /// The corner as given.
        corner: [f32; 3],
    },
    /// A normal or axis without a direction.
    #[error("the normal {normal:?} has no direction: give three finite numbers that are not all 0")]
    NoDirection {
        /// The normal as given.
        normal: [f32; 3],
    },
    /// A quaternion without a direction.
    #[error(
        "the orientation {quaternion:?} has no direction: give four finite numbers x, y, z, w that are not all 0"
    )]
    NoOrientation {
        /// The quaternion as given.
        quaternion: [f32; 4],
    },
    /// Vertices and triangles that are no mesh.
    #[error("the mesh is not valid: {reason}")]
    Mesh {
        /// What is wrong with it.
        reason: String,
    },
    /// A hull of nothing.
    #[error("a hull of no points: give at least 4 that do not lie in one plane")]
    NoPoints,
    /// A hull that cannot enclose anything.
    #[error(
        "a hull of {count} points encloses nothing: give at least 4 that do not lie in one plane"
    )]
    TooFewPoints {
        /// How many were given.
        count: usize,
    },
    /// More points than ids.
    #[error(
        "a hull of {count} points is more than this computer can name: give fewer than {}",
        u32::MAX
    )]
    TooManyPoints {
        /// How many were given.
        count: usize,
    },
    /// A point that is NaN or infinite.
    #[error("point {index} is {point:?}: every coordinate must be a finite number")]
    NotFinite {
        /// Which point, from 0.
        index: usize,
        /// The point as given.
        point: [f32; 3],
    },
    /// A point out of range.
    #[error(
        "point {index} is {point:?}: coordinates must lie within ±{MAX_SIZE:e}; scale the scene down"
    )]
    TooFar {
        /// Which point, from 0.
        index: usize,
        /// The point as given.
        point: [f32; 3],
    },
    /// All points in one place, but for rounding.
    #[error(
        "all {count} points lie in one place: a hull needs 4 that do not lie in one plane; for a round body use a sphere"
    )]
    OnePlace {
        /// How many were given.
        count: usize,
    },
    /// All points on one line, but for rounding.
    #[error(
        "all {count} points lie on one line: a hull needs 4 that do not lie in one plane; for a rod use a capsule"
    )]
    OneLine {
        /// How many were given.
        count: usize,
    },
    /// All points in one plane, but for rounding.
    #[error(
        "all {count} points lie in one plane (they stand out of it by {thickness:e} at most): give the hull some thickness, or use a thin box"
    )]
    Flat {
        /// How many were given.
        count: usize,
        /// How far the farthest lies from the plane.
        thickness: f32,
    },
    /// A round hull with too few or too many sides.
    #[error("{sides} sides: a cylinder or cone has from 3 to {} of them", super::hull::MAX_SIDES)]
    Sides {
        /// How many were asked for.
        sides: u32,
    },
    /// A mesh without a triangle that has an area.
    #[error("a mesh shape needs a triangle with an area: all {count} have none")]
    NoTriangles {
        /// How many there are.
        count: usize,
    },
    /// A compound of nothing.
    #[error("a compound of no shapes: give at least one")]
    NoParts,
    /// A compound with a part that it cannot hold.
    #[error(
        "part {part} of the compound is a half-space, which has no end: give it a body of its own"
    )]
    EndlessPart {
        /// Which part, from 0.
        part: usize,
    },
    /// A compound with a part nowhere.
    #[error(
        "part {part} of the compound is at {position:?}: coordinates must lie within ±{MAX_SIZE:e}"
    )]
    PartTooFar {
        /// Which part, from 0.
        part: usize,
        /// Where it was to be.
        position: [f32; 3],
    },
    /// A scale that would turn a shape inside out or flatten it.
    #[error("scaled by {factor}: a scale must be a finite number above 0")]
    Scale {
        /// The scale as given.
        factor: f32,
    },
}

fn size_advice(value: f32) -> &'static str {
    if value.is_nan() {
        "it is not a number"
    } else if value <= 0.0 {
        "give a positive number"
    } else if value < MIN_SIZE {
        "scale the scene up"
    } else {
        "scale the scene down"
    }
}

/// `value`, if a shape may be as large.
pub(super) fn checked_size(name: &'static str, value: f32) -> Result<f32, InvalidShape> {
    if (MIN_SIZE..=MAX_SIZE).contains(&value) {
        Ok(value)
    } else {
        Err(InvalidShape::Size { name, value })
    }
}

/// `factor`, if a shape can be scaled by it.
pub(super) fn checked_scale(factor: f32) -> Result<f32, InvalidShape> {
    if factor > 0.0 && factor < f32::INFINITY {
        Ok(factor)
    } else {
        Err(InvalidShape::Scale { factor })
    }
}
