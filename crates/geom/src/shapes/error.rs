//! Errors of shape constructors, and the range checks behind them.

use core::fmt;

use thiserror::Error;

use crate::Vec3;

/// Smallest length of a shape, in m: products of six lengths stay within f32.
pub const MIN_SIZE: f32 = 1e-6;
/// Largest length of a shape, and largest coordinate of its points, in m.
pub const MAX_SIZE: f32 = 1e6;

/// Length of a shape that [`ShapeError::Size`] is about. `Display` writes it in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShapeLength {
    /// Radius of a sphere, capsule, cylinder or cone.
    Radius,
    /// Half-height of a capsule, cylinder or cone.
    HalfHeight,
    /// Half extent of a box along x.
    HalfExtentX,
    /// Half extent of a box along y.
    HalfExtentY,
    /// Half extent of a box along z.
    HalfExtentZ,
    /// Largest extent of the points of a convex hull.
    Extent,
}

impl ShapeLength {
    /// All lengths.
    pub const ALL: [Self; 6] = [
        Self::Radius,
        Self::HalfHeight,
        Self::HalfExtentX,
        Self::HalfExtentY,
        Self::HalfExtentZ,
        Self::Extent,
    ];

    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Radius => "radius",
            Self::HalfHeight => "half-height",
            Self::HalfExtentX => "half-extent-x",
            Self::HalfExtentY => "half-extent-y",
            Self::HalfExtentZ => "half-extent-z",
            Self::Extent => "extent",
        }
    }
}

impl fmt::Display for ShapeLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Radius => "radius",
            Self::HalfHeight => "half-height",
            Self::HalfExtentX => "half extent along x",
            Self::HalfExtentY => "half extent along y",
            Self::HalfExtentZ => "half extent along z",
            Self::Extent => "length",
        })
    }
}

/// Why a shape cannot be constructed, with advice.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
#[doc(alias = "InvalidShape")]
pub enum ShapeError {
    /// A length is NaN, too small or too large.
    #[error(
        "the {length} is {value}, but must lie between {MIN_SIZE:e} and {MAX_SIZE:e}: {}",
        size_advice(*.value)
    )]
    Size {
        /// Which length.
        length: ShapeLength,
        /// Value as given.
        value: f32,
    },
    /// The half-height of a capsule is NaN, negative or too large; unlike other lengths it may be
    /// 0.
    #[error(
        "the half-height is {value}, but must lie between 0 and {MAX_SIZE:e}: {}",
        size_advice(*.value)
    )]
    HalfHeight {
        /// Value as given.
        value: f32,
    },
    /// A corner or endpoint is NaN, infinite or too far from the origin.
    #[error("the {name} {point:?} must be finite and within ±{MAX_SIZE:e}")]
    PointOutOfRange {
        /// Role of the point: a corner of a box, an endpoint of a segment.
        name: &'static str,
        /// Point as given.
        point: [f32; 3],
    },
    /// A normal or axis is zero or not finite.
    #[error("the normal {normal:?} has no direction: give three finite numbers that are not all 0")]
    NoDirection {
        /// Normal as given.
        normal: [f32; 3],
    },
    /// A quaternion is zero or not finite.
    #[error(
        "the orientation {quaternion:?} has no direction: give four finite numbers x, y, z, w \
         that are not all 0"
    )]
    NoOrientation {
        /// Quaternion as given.
        quaternion: [f32; 4],
    },
    /// Vertices and triangles do not form a mesh.
    #[error("the mesh is not valid: {reason}")]
    Mesh {
        /// Its defect.
        reason: String,
    },
    /// A convex hull of no points.
    #[error("a hull of no points: give at least 4 that do not lie in one plane")]
    NoPoints,
    /// A convex hull of fewer than 4 points has no volume.
    #[error("a hull of {count} points has no volume: give at least 4 that do not lie in one plane")]
    TooFewPoints {
        /// Number of points given.
        count: usize,
    },
    /// More points than 32-bit indices.
    #[error("a hull of {count} points does not fit 32-bit indices: give at most {}", u32::MAX)]
    TooManyPoints {
        /// Number of points given.
        count: usize,
    },
    /// A point is NaN or infinite.
    #[error("point {index} is {point:?}: every coordinate must be a finite number")]
    NotFinite {
        /// Index of the point.
        index: usize,
        /// Point as given.
        point: [f32; 3],
    },
    /// A point is out of range.
    #[error(
        "point {index} is {point:?}: coordinates must lie within ±{MAX_SIZE:e}; scale the scene \
         down"
    )]
    #[doc(alias = "TooFar")]
    PointTooFar {
        /// Index of the point.
        index: usize,
        /// Point as given.
        point: [f32; 3],
    },
    /// All points coincide, up to rounding.
    #[error(
        "all {count} points coincide: a hull needs 4 that do not lie in one plane; for a round \
         body use a sphere"
    )]
    #[doc(alias = "OnePlace")]
    CoincidentPoints {
        /// Number of points given.
        count: usize,
    },
    /// All points are collinear, up to rounding.
    #[error(
        "all {count} points lie on one line: a hull needs 4 that do not lie in one plane; for a \
         rod use a capsule"
    )]
    #[doc(alias = "OneLine")]
    CollinearPoints {
        /// Number of points given.
        count: usize,
    },
    /// All points are coplanar, up to rounding.
    #[error(
        "all {count} points lie in one plane{}: give the hull some thickness, or use a thin box",
        within(*.thickness)
    )]
    #[doc(alias = "Flat")]
    CoplanarPoints {
        /// Number of points given.
        count: usize,
        /// Largest distance of a point from the plane.
        thickness: f32,
    },
    /// A cylinder or cone with too few or too many sides.
    #[error(
        "{sides} sides: a cylinder or cone must have 3 to {}",
        crate::shapes::convex_hull::MAX_SIDES
    )]
    Sides {
        /// Number of sides as given.
        sides: u32,
    },
    /// A mesh whose triangles are all degenerate.
    #[error("a mesh shape needs a triangle with an area: all {count} are degenerate")]
    NoTriangles {
        /// Number of triangles.
        count: usize,
    },
    /// A compound without parts.
    #[error("a compound of no shapes: give at least one")]
    NoParts,
    /// A compound with an unbounded part.
    #[error(
        "part {part} of the compound is a half-space, which is unbounded: give it a body of its own"
    )]
    #[doc(alias = "EndlessPart")]
    UnboundedPart {
        /// Index of the part.
        part: usize,
    },
    /// A compound with a part out of range.
    #[error(
        "part {part} of the compound is at {position:?}: coordinates must lie within ±{MAX_SIZE:e}"
    )]
    #[doc(alias = "PartTooFar")]
    PartOutOfRange {
        /// Index of the part.
        part: usize,
        /// Position of the part.
        position: [f32; 3],
    },
    /// A scale that is zero, negative or not finite.
    #[error("scaled by {factor}: a scale must be a finite number above 0")]
    Scale {
        /// Scale as given.
        factor: f32,
    },
}

/// The distance of points from a plane, unless it is 0.
fn within(thickness: f32) -> String {
    if thickness > 0.0 { format!(" (within {thickness:e})") } else { String::new() }
}

impl ShapeError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Size { .. } => "shape.size-out-of-range",
            Self::HalfHeight { .. } => "shape.half-height-out-of-range",
            Self::PointOutOfRange { .. } => "shape.point-out-of-range",
            Self::NoDirection { .. } => "shape.no-direction",
            Self::NoOrientation { .. } => "shape.no-orientation",
            Self::Mesh { .. } => "shape.invalid-mesh",
            Self::NoPoints => "shape.no-points",
            Self::TooFewPoints { .. } => "shape.too-few-points",
            Self::TooManyPoints { .. } => "shape.too-many-points",
            Self::NotFinite { .. } => "shape.point-not-finite",
            Self::PointTooFar { .. } => "shape.point-too-far",
            Self::CoincidentPoints { .. } => "shape.coincident-points",
            Self::CollinearPoints { .. } => "shape.collinear-points",
            Self::CoplanarPoints { .. } => "shape.coplanar-points",
            Self::Sides { .. } => "shape.side-count",
            Self::NoTriangles { .. } => "shape.no-triangles",
            Self::NoParts => "shape.no-parts",
            Self::UnboundedPart { .. } => "shape.unbounded-part",
            Self::PartOutOfRange { .. } => "shape.part-too-far",
            Self::Scale { .. } => "shape.invalid-scale",
        }
    }
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

/// `value` if it is a valid length.
pub(super) fn checked_size(length: ShapeLength, value: f32) -> Result<f32, ShapeError> {
    if (MIN_SIZE..=MAX_SIZE).contains(&value) {
        Ok(value)
    } else {
        Err(ShapeError::Size { length, value })
    }
}

/// `point` if it is finite and within [`MAX_SIZE`] on every axis.
pub(super) fn checked_point(name: &'static str, point: Vec3) -> Result<Vec3, ShapeError> {
    if point.to_array().iter().all(|coordinate| coordinate.abs() <= MAX_SIZE) {
        Ok(point)
    } else {
        Err(ShapeError::PointOutOfRange { name, point: point.to_array() })
    }
}

/// `factor` if it is finite and positive.
pub(super) fn checked_scale(factor: f32) -> Result<f32, ShapeError> {
    if factor > 0.0 && factor < f32::INFINITY {
        Ok(factor)
    } else {
        Err(ShapeError::Scale { factor })
    }
}
