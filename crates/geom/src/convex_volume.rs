//! Is a box inside a convex region, or may it reach into it?

use crate::Aabb;

/// All points `p` with `normal · p <= offset`. The normal points out of it, and may have any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<const D: usize> {
    /// Away from what is inside.
    pub normal: [f32; D],
    /// `normal · p` of the points on the border.
    pub offset: f32,
}

impl<const D: usize> HalfSpace<D> {
    /// With `point` on its border.
    #[must_use]
    pub fn through(point: &[f32; D], normal: [f32; D]) -> Self {
        let offset = (0..D).fold(0.0, |sum, axis| sum + normal[axis] * point[axis]);
        Self { normal, offset }
    }

    /// Whether some corner of the box lies inside; on the border counts. With a NaN: no.
    ///
    /// Growing the box never turns a yes into a no, to the bit, so a tree may prune by it.
    #[inline]
    #[must_use]
    pub fn reaches(&self, bounds: &Aabb<D>) -> bool {
        let mut least = 0.0;
        for axis in 0..D {
            let inmost = if self.normal[axis] > 0.0 { bounds.min[axis] } else { bounds.max[axis] };
            least += self.normal[axis] * inmost;
        }
        least <= self.offset
    }
}

/// What lies inside all of several half-spaces: a view frustum, a selection drawn on a map. Of none, it
/// is all of space.
///
/// Magnitudes of normals, offsets and coordinates up to 1e18 are handled without overflow.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexRegion<const D: usize> {
    half_spaces: Vec<HalfSpace<D>>,
}

impl<const D: usize> ConvexRegion<D> {
    /// The common part of `half_spaces`.
    #[must_use]
    pub fn new(half_spaces: Vec<HalfSpace<D>>) -> Self {
        Self { half_spaces }
    }

    /// The half-spaces it is made of.
    #[must_use]
    pub fn half_spaces(&self) -> &[HalfSpace<D>] {
        &self.half_spaces
    }

    /// Whether the box may share a point with the region.
    ///
    /// No is certain, up to the rounding of `normal · p`: the box lies wholly behind one of the borders.
    /// Yes may be wrong for a large box past an edge or a corner, which no single border parts from the
    /// region. With a NaN in any half-space: no.
    #[inline]
    #[must_use]
    pub fn may_reach(&self, bounds: &Aabb<D>) -> bool {
        self.half_spaces.iter().all(|half_space| half_space.reaches(bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle with its right angle at the origin.
    fn triangle() -> ConvexRegion<2> {
        ConvexRegion::new(vec![
            HalfSpace::through(&[0.0, 0.0], [-1.0, 0.0]),
            HalfSpace::through(&[0.0, 0.0], [0.0, -1.0]),
            HalfSpace::through(&[2.0, 0.0], [1.0, 1.0]),
        ])
    }

    #[test]
    fn a_box_wholly_behind_one_border_is_not_in_the_region() {
        let square = |x: f32, y: f32| Aabb { min: [x, y], max: [x + 1.0, y + 1.0] };
        assert!(triangle().may_reach(&square(0.2, 0.2)), "inside");
        assert!(triangle().may_reach(&square(1.0, 1.0)), "touches the long side");
        assert!(!triangle().may_reach(&square(1.1, 1.0)), "past the long side");
        assert!(!triangle().may_reach(&square(-1.1, 0.0)), "left of it");
        // Past the sharp corner at (2, 0), but behind no single border: kept, though it need not be.
        assert!(triangle().may_reach(&Aabb { min: [1.5, -5.0], max: [9.0, 0.0] }));
    }

    #[test]
    fn a_nan_reaches_nothing_and_no_borders_reach_everything() {
        let unit = Aabb { min: [0.0; 3], max: [1.0; 3] };
        assert!(ConvexRegion::new(Vec::new()).may_reach(&unit));
        let lost = HalfSpace { normal: [f32::NAN, 0.0, 0.0], offset: 1.0 };
        assert!(!ConvexRegion::new(vec![lost]).may_reach(&unit));
        let lost = HalfSpace { normal: [1.0, 0.0, 0.0], offset: f32::NAN };
        assert!(!ConvexRegion::new(vec![lost]).may_reach(&unit));
    }
}
