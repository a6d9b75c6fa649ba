//! Which boxes can be trusted?

use core::ops::Deref;

use embate_geom::Aabb;
use embate_mesh::MAX_MAGNITUDE;

/// Boxes that were checked: every corner finite and within ±1e18, `min <= max` on each axis, and few
/// enough for a `u32` to name each.
#[derive(Clone, Copy, Debug)]
pub struct Boxes<'a, const D: usize>(&'a [Aabb<D>]);

/// Why a list of boxes is refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidBox {
    /// A coordinate is NaN, infinite, or beyond ±1e18.
    #[error("box {index} has a coordinate of {value}; it must be finite and within ±1e18")]
    Coordinate {
        /// Which box.
        index: u32,
        /// The offending coordinate.
        value: f32,
    },
    /// The least corner lies above the greatest.
    #[error("box {index} is upside down on axis {axis}: its min {min} is above its max {max}")]
    Inverted {
        /// Which box.
        index: u32,
        /// On which axis.
        axis: usize,
        /// Its least coordinate there.
        min: f32,
        /// Its greatest coordinate there.
        max: f32,
    },
    /// More than 2³⁰ boxes.
    #[error("{count} boxes are too many; at most {MOST} can be told apart")]
    TooMany {
        /// How many there are.
        count: usize,
    },
}

/// Two bits of a `u32` are kept free for the structures' own marks.
const MOST: usize = 1 << 30;

impl<'a, const D: usize> Boxes<'a, D> {
    /// Checks every box once.
    ///
    /// # Errors
    /// [`InvalidBox`] names the first one that breaks the promise.
    pub fn new(boxes: &'a [Aabb<D>]) -> Result<Self, InvalidBox> {
        if boxes.len() > MOST {
            return Err(InvalidBox::TooMany { count: boxes.len() });
        }
        // By the chunk, and without a branch inside one: valid boxes are what nearly everyone brings.
        for (number, chunk) in boxes.chunks(64).enumerate() {
            if chunk.iter().fold(true, |valid, b| valid & is_valid(b)) {
                continue;
            }
            if let Some(within) = chunk.iter().position(|b| !is_valid(b)) {
                return Err(what_is_wrong((number * 64 + within) as u32, &chunk[within]));
            }
        }
        Ok(Self(boxes))
    }
}

impl<const D: usize> Boxes<'_, D> {
    /// The same check for one box, to be called `id`.
    ///
    /// # Errors
    /// [`InvalidBox`] says what is wrong with it.
    pub fn check(id: u32, bounds: &Aabb<D>) -> Result<(), InvalidBox> {
        if id as usize >= MOST {
            return Err(InvalidBox::TooMany { count: id as usize + 1 });
        }
        if is_valid(bounds) { Ok(()) } else { Err(what_is_wrong(id, bounds)) }
    }
}

impl<'a, const D: usize> Boxes<'a, D> {
    /// Boxes that were [checked](Self::check) one by one.
    pub(super) fn checked(boxes: &'a [Aabb<D>]) -> Self {
        debug_assert!(Self::new(boxes).is_ok());
        Self(boxes)
    }
}

impl<const D: usize> Deref for Boxes<'_, D> {
    type Target = [Aabb<D>];

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

/// The same door for one box, named by `index`.
pub(super) fn check<const D: usize>(index: u32, bounds: &Aabb<D>) -> Result<(), InvalidBox> {
    if is_valid(bounds) { Ok(()) } else { Err(what_is_wrong(index, bounds)) }
}

#[expect(clippy::needless_bitwise_bool, reason = "a branch for each side would cost more")]
fn is_valid<const D: usize>(b: &Aabb<D>) -> bool {
    let on_axis = |axis: usize| {
        (b.min[axis] >= -MAX_MAGNITUDE)
            & (b.min[axis] <= b.max[axis])
            & (b.max[axis] <= MAX_MAGNITUDE)
    };
    (0..D).fold(true, |valid, axis| valid & on_axis(axis))
}

fn what_is_wrong<const D: usize>(index: u32, b: &Aabb<D>) -> InvalidBox {
    for axis in 0..D {
        let (min, max) = (b.min[axis], b.max[axis]);
        for value in [min, max] {
            if !value.is_finite() || value.abs() > MAX_MAGNITUDE {
                return InvalidBox::Coordinate { index, value };
            }
        }
        if min > max {
            return InvalidBox::Inverted { index, axis, min, max };
        }
    }
    unreachable!("only boxes that failed the check are asked about")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_box_is_refused_by_its_index() {
        let good = Aabb { min: [0.0; 2], max: [1.0; 2] };
        for (bad, axis) in [(f32::NAN, 0), (f32::INFINITY, 1), (-1e19, 0)] {
            let mut broken = good;
            broken.min[axis] = bad;
            let refused = Boxes::new(&[good, good, broken]).map(|_| ()).unwrap_err();
            assert!(matches!(refused, InvalidBox::Coordinate { index: 2, .. }), "{refused}");
        }
        let upside_down = Aabb { min: [0.0, 2.0], max: [1.0, 1.0] };
        let refused = Boxes::new(&[upside_down]).map(|_| ()).unwrap_err();
        assert_eq!(refused, InvalidBox::Inverted { index: 0, axis: 1, min: 2.0, max: 1.0 });
    }

    #[test]
    fn a_box_without_extent_is_a_box() {
        assert!(Boxes::new(&[Aabb { min: [3.0; 3], max: [3.0; 3] }]).is_ok());
        assert!(Boxes::<2>::new(&[]).is_ok());
    }
}
