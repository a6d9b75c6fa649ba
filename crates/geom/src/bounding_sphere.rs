//! What is a circle or a sphere, and do two of them overlap?

use crate::Aabb;

/// A circle (`D = 2`) or a sphere (`D = 3`). Invariant of every one Embate makes: finite, and the radius
/// is not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<const D: usize> {
    /// The middle.
    pub center: [f32; D],
    /// From the middle to the rim.
    pub radius: f32,
}

impl<const D: usize> Ball<D> {
    /// Whether two share a point; touching counts.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut distance_squared = 0.0;
        for axis in 0..D {
            let apart = self.center[axis] - other.center[axis];
            distance_squared += apart * apart;
        }
        let reach = self.radius + other.radius;
        distance_squared <= reach * reach
    }

    /// Whether it shares a point with a box; touching counts. A negative or NaN radius shares none.
    #[inline]
    #[must_use]
    pub fn overlaps_box(&self, bounds: &Aabb<D>) -> bool {
        self.radius >= 0.0 && bounds.distance_squared(&self.center) <= self.radius * self.radius
    }

    /// A box around it, grown so that no rounding parts the boxes of two balls that
    /// [`overlap`](Self::overlaps): squares and sums round by less than 4 ε of the radius, and corners
    /// by less than 2 ε of their distance from 0.
    #[inline]
    #[must_use]
    pub fn guarded_bounds(&self) -> Aabb<D> {
        let around = |axis: usize| {
            let from_zero = self.center[axis].abs() + self.radius;
            self.radius + f32::EPSILON * (4.0 * self.radius + 2.0 * from_zero)
        };
        Aabb {
            min: core::array::from_fn(|axis| self.center[axis] - around(axis)),
            max: core::array::from_fn(|axis| self.center[axis] + around(axis)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_balls_overlap_and_so_do_their_boxes() {
        // 0.3 − 0.2 rounds to just above 0.1: plain boxes would miss each other.
        let (a, b) =
            (Ball { center: [0.0, 0.0], radius: 0.1 }, Ball { center: [0.3, 0.0], radius: 0.2 });
        assert!(a.overlaps(&b) && a.guarded_bounds().overlaps(&b.guarded_bounds()));
        let apart = Ball { center: [0.31, 0.0], radius: 0.2 };
        assert!(!a.overlaps(&apart));
    }

    #[test]
    fn a_ball_overlaps_the_box_it_touches() {
        let unit = Aabb { min: [0.0; 2], max: [1.0; 2] };
        let at = |x: f32, y: f32, radius: f32| Ball { center: [x, y], radius };
        assert!(at(0.5, 0.5, 0.0).overlaps_box(&unit) && at(3.0, 0.5, 2.0).overlaps_box(&unit));
        assert!(!at(3.0, 3.0, 2.5).overlaps_box(&unit), "its box overlaps, it does not");
        assert!(!at(0.5, 0.5, -1.0).overlaps_box(&unit));
        assert!(!at(f32::NAN, 0.5, 1.0).overlaps_box(&unit));
    }

    #[test]
    fn boxes_of_balls_that_just_touch_always_overlap() {
        for step in 1..20_000_u32 {
            let (x, radius) = (step as f32 * 0.137, 0.01 + step as f32 * 0.000_31);
            let a = Ball { center: [x, 5.0, -x], radius };
            let other = radius * 0.7;
            for nudge in [0.999_999_9, 1.0, 1.000_000_1, 1.000_000_2] {
                let b = Ball { center: [x + (radius + other) * nudge, 5.0, -x], radius: other };
                let boxes = a.guarded_bounds().overlaps(&b.guarded_bounds());
                assert!(boxes || !a.overlaps(&b), "{a:?} {b:?}");
            }
        }
    }
}
