//! Validated slice of AABBs: the input of every broad phase.

use core::ops::Deref;

use embate_geom::Aabb;
use embate_mesh::MAX_MAGNITUDE;

/// AABBs that were validated: every coordinate finite and within ±1e18, `min <= max` on each axis,
/// and at most 2³⁰ of them.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "Boxes")]
pub struct AabbSlice<'a, const D: usize>(&'a [Aabb<D>]);

/// Why a list of AABBs is rejected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias("InvalidBox", "InvalidAabb"))]
pub enum AabbError {
    /// A coordinate is NaN, infinite, or beyond ±1e18.
    #[error("box {index} has a coordinate of {value}; it must be finite and within ±1e18")]
    Coordinate {
        /// Index of the box.
        index: u32,
        /// The invalid coordinate.
        value: f32,
    },
    /// `min` exceeds `max` on an axis.
    #[error(
        "box {index} is inverted on axis {axis}: min {min} is greater than max {max}; swap them"
    )]
    Inverted {
        /// Index of the box.
        index: u32,
        /// Axis, from 0.
        axis: usize,
        /// `min` on that axis.
        min: f32,
        /// `max` on that axis.
        max: f32,
    },
    /// More than 2³⁰ boxes.
    #[error("{count} boxes exceed the limit of {MAX_BOXES}; split the scene")]
    TooMany {
        /// Number of boxes.
        count: usize,
    },
}

impl AabbError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Coordinate { .. } => "aabb.coordinate-out-of-range",
            Self::Inverted { .. } => "aabb.inverted",
            Self::TooMany { .. } => "aabb.too-many",
        }
    }
}

/// Two bits of a `u32` index are reserved for flags of the tiled sweep.
const MAX_BOXES: usize = 1 << 30;

/// Boxes validated between two branches.
const VALIDATION_CHUNK: usize = 64;

impl<'a, const D: usize> AabbSlice<'a, D> {
    /// Validates every box once.
    ///
    /// # Errors
    /// [`AabbError`] for the first invalid box.
    pub fn new(boxes: &'a [Aabb<D>]) -> Result<Self, AabbError> {
        if boxes.len() > MAX_BOXES {
            return Err(AabbError::TooMany { count: boxes.len() });
        }
        // In chunks without a branch inside: nearly all input is valid.
        for (number, chunk) in boxes.chunks(VALIDATION_CHUNK).enumerate() {
            if chunk.iter().fold(true, |valid, b| valid & is_valid(b)) {
                continue;
            }
            if let Some(within) = chunk.iter().position(|b| !is_valid(b)) {
                return Err(first_error(
                    (number * VALIDATION_CHUNK + within) as u32,
                    &chunk[within],
                ));
            }
        }
        Ok(Self(boxes))
    }
}

impl<const D: usize> AabbSlice<'_, D> {
    /// Validates one box of index `id`.
    ///
    /// # Errors
    /// [`AabbError`] if the box is invalid, or `id` is 2³⁰ or more.
    #[doc(alias = "check")]
    pub fn validate(id: u32, bounds: &Aabb<D>) -> Result<(), AabbError> {
        if id as usize >= MAX_BOXES {
            return Err(AabbError::TooMany { count: id as usize + 1 });
        }
        if is_valid(bounds) { Ok(()) } else { Err(first_error(id, bounds)) }
    }
}

impl<'a, const D: usize> AabbSlice<'a, D> {
    /// Boxes that were [validated](Self::validate) one by one.
    pub(super) fn from_validated(boxes: &'a [Aabb<D>]) -> Self {
        debug_assert!(Self::new(boxes).is_ok());
        Self(boxes)
    }
}

impl<const D: usize> Deref for AabbSlice<'_, D> {
    type Target = [Aabb<D>];

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

/// Validates the coordinates of one box; unlike [`AabbSlice::validate`], `index` may be any `u32`.
pub(super) fn validate_coordinates<const D: usize>(
    index: u32,
    bounds: &Aabb<D>,
) -> Result<(), AabbError> {
    if is_valid(bounds) { Ok(()) } else { Err(first_error(index, bounds)) }
}

#[expect(clippy::needless_bitwise_bool, reason = "a branch per comparison would cost more")]
fn is_valid<const D: usize>(b: &Aabb<D>) -> bool {
    let on_axis = |axis: usize| {
        (b.min[axis] >= -MAX_MAGNITUDE)
            & (b.min[axis] <= b.max[axis])
            & (b.max[axis] <= MAX_MAGNITUDE)
    };
    (0..D).fold(true, |valid, axis| valid & on_axis(axis))
}

fn first_error<const D: usize>(index: u32, b: &Aabb<D>) -> AabbError {
    for axis in 0..D {
        let (min, max) = (b.min[axis], b.max[axis]);
        for value in [min, max] {
            if !value.is_finite() || value.abs() > MAX_MAGNITUDE {
                return AabbError::Coordinate { index, value };
            }
        }
        if min > max {
            return AabbError::Inverted { index, axis, min, max };
        }
    }
    unreachable!("called only for boxes that failed validation")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_box_is_rejected_with_its_index() {
        let good = Aabb { min: [0.0; 2], max: [1.0; 2] };
        for (bad, axis) in [(f32::NAN, 0), (f32::INFINITY, 1), (-1e19, 0)] {
            let mut broken = good;
            broken.min[axis] = bad;
            let error = AabbSlice::new(&[good, good, broken]).map(|_| ()).unwrap_err();
            assert!(matches!(error, AabbError::Coordinate { index: 2, .. }), "{error}");
        }
        let inverted = Aabb { min: [0.0, 2.0], max: [1.0, 1.0] };
        let error = AabbSlice::new(&[inverted]).map(|_| ()).unwrap_err();
        assert_eq!(error, AabbError::Inverted { index: 0, axis: 1, min: 2.0, max: 1.0 });
    }

    #[test]
    fn point_box_and_empty_slice_are_valid() {
        assert!(AabbSlice::new(&[Aabb { min: [3.0; 3], max: [3.0; 3] }]).is_ok());
        assert!(AabbSlice::<2>::new(&[]).is_ok());
    }

    #[test]
    fn error_codes_are_unique() {
        let errors = [
            AabbError::Coordinate { index: 0, value: 0.0 },
            AabbError::Inverted { index: 0, axis: 0, min: 0.0, max: 0.0 },
            AabbError::TooMany { count: 0 },
        ];
        let mut codes = errors.map(|error| error.code()).to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), errors.len());
    }
}
