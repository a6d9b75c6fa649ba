//! Axis-aligned bounding box (AABB) with a conservative ray–AABB slab test.

use crate::{RaySlabs, scalar};

/// Axis-aligned bounding box in `D` dimensions, by default 3. Invariant of every box Embate creates: finite, and
/// `min <= max` on each axis.
#[doc(alias = "BoundingBox")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize = 3> {
    /// Lower corner.
    pub min: [f32; D],
    /// Upper corner.
    pub max: [f32; D],
}

impl<const D: usize> Aabb<D> {
    /// Smallest box that contains `points`; `None` if there are none.
    #[must_use]
    #[doc(alias = "around")]
    pub fn from_points<'a>(points: impl IntoIterator<Item = &'a [f32; D]>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = *points.next()?;
        Some(points.fold(Self { min: first, max: first }, Self::with_point))
    }

    /// Smallest box that contains this box and `point`.
    #[inline]
    #[must_use]
    #[doc(alias = "with")]
    pub fn with_point(mut self, point: &[f32; D]) -> Self {
        for (axis, &coordinate) in point.iter().enumerate() {
            self.min[axis] = scalar::min(coordinate, self.min[axis]);
            self.max[axis] = scalar::max(coordinate, self.max[axis]);
        }
        self
    }

    /// This box grown by `margin` on every side.
    #[inline]
    #[must_use]
    #[doc(alias = "grown")]
    #[doc(alias = "inflate")]
    pub fn loosened(mut self, margin: f32) -> Self {
        for axis in 0..D {
            self.min[axis] -= margin;
            self.max[axis] += margin;
        }
        self
    }

    /// Whether two boxes share a point; touching counts.
    #[inline]
    #[must_use]
    #[doc(alias = "intersects")]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..D).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Smallest box that contains both.
    #[inline]
    #[must_use]
    #[doc(alias = "union")]
    #[doc(alias = "joined")]
    pub fn merged(&self, other: &Self) -> Self {
        self.with_point(&other.min).with_point(&other.max)
    }

    /// Squared distance from `point` to the closest point of this box: 0 inside, NaN if `point` has
    /// a NaN. Growing the box never increases it, to the bit, so a tree may prune by it.
    #[inline]
    #[must_use]
    pub fn distance_squared(&self, point: &[f32; D]) -> f32 {
        let mut sum = 0.0;
        for axis in 0..D {
            let below = self.min[axis] - point[axis];
            let above = point[axis] - self.max[axis];
            // A NaN fails both comparisons and propagates into the sum.
            let outside = if above <= 0.0 { 0.0 } else { above };
            let distance = if below > 0.0 { below } else { outside };
            sum += distance * distance;
        }
        sum
    }

    /// Edge lengths: `max - min`.
    #[doc(alias = "size")]
    #[must_use]
    pub fn extents(&self) -> [f32; D] {
        core::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }

    /// Longest edge.
    #[must_use]
    #[doc(alias = "longest_side")]
    pub fn max_extent(&self) -> f32 {
        self.extents().into_iter().fold(0.0, scalar::max)
    }

    /// Slab test: the interval `(t_enter, t_exit)` of the ray inside this box, clipped to
    /// `t_min..=t_max`.
    ///
    /// Conservative: it may accept a box that the ray misses by a rounding error, never the
    /// reverse. Growing the box never increases `t_enter` or decreases `t_exit`, to the bit,
    /// because every operation rounds monotonically. A tree that prunes the boxes entered after
    /// [`padded_t`](crate::TriangleHit::padded_t) of its closest hit therefore returns the same hit
    /// as brute force.
    #[inline]
    #[must_use]
    #[doc(alias = "crossing")]
    pub fn intersect_ray(&self, ray: &RaySlabs<D>, t_min: f32, t_max: f32) -> Option<(f32, f32)> {
        let (mut t_enter, mut t_exit) = (t_min, t_max);
        let (factor, factor_negative) = RaySlabs::<D>::ROBUST_FAR_FACTORS;
        for axis in 0..D {
            let t_min_plane = (self.min[axis] - ray.origin[axis]) * ray.inv_direction[axis];
            let t_max_plane = (self.max[axis] - ray.origin[axis]) * ray.inv_direction[axis];
            let (near, far) = if ray.is_negative[axis] {
                (t_max_plane, t_min_plane)
            } else {
                (t_min_plane, t_max_plane)
            };
            // A ray in the plane of a face yields 0 * ∞ = NaN. Both comparisons are then false, so
            // this axis does not clip and the box is accepted. `f32::max` would hide that rule.
            let far = far * if far < 0.0 { factor_negative } else { factor };
            t_enter = if near > t_enter { near } else { t_enter };
            t_exit = if far < t_exit { far } else { t_exit };
        }
        (t_enter <= t_exit).then_some((t_enter, t_exit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;

    const UNIT: Aabb<3> = Aabb { min: [0.0; 3], max: [1.0; 3] };

    fn intersect(bounds: &Aabb<3>, ray: &Ray<3>) -> Option<(f32, f32)> {
        bounds.intersect_ray(&RaySlabs::new(ray), ray.t_min, ray.t_max)
    }

    /// Zero direction component with the origin exactly on a face: 0 * ∞ in the slab test.
    #[test]
    fn ray_in_the_plane_of_a_face_hits_the_box() {
        for axis in 0..3 {
            for (face, zero) in [(0.0, 0.0), (0.0, -0.0), (1.0, 0.0), (1.0, -0.0)] {
                let (mut origin, mut direction) = ([0.5; 3], [zero; 3]);
                origin[axis] = face;
                origin[(axis + 1) % 3] = -3.0;
                direction[(axis + 1) % 3] = 1.0;
                let interval = intersect(&UNIT, &Ray::new(origin, direction));
                assert!(
                    matches!(interval, Some((3.0, 4.0..4.00001))),
                    "axis {axis}, face {face}, zero {zero:?}: {interval:?}"
                );
            }
        }
    }

    #[test]
    fn box_beside_or_behind_the_ray_is_missed() {
        assert!(intersect(&UNIT, &Ray::new([1.5, 0.5, -1.0], [0.0, 0.0, 1.0])).is_none());
        let behind = Ray::new([0.5, 0.5, 2.0], [0.0, 0.0, 1.0]);
        assert!(intersect(&UNIT, &behind).is_none());
        assert!(intersect(&UNIT, &behind.with_range(-1.5, 0.0)).is_some());
    }

    #[test]
    fn interval_is_clipped_to_the_range_of_the_ray() {
        let ray = Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]);
        assert_eq!(intersect(&UNIT, &ray.with_range(1.25, 1.5)), Some((1.25, 1.5)));
        assert_eq!(intersect(&UNIT, &ray.with_range(0.0, 0.5)), None);
    }

    #[test]
    fn distance_is_zero_inside_and_nan_for_nan() {
        assert_eq!(UNIT.distance_squared(&[0.5, 0.0, 1.0]), 0.0);
        assert_eq!(UNIT.distance_squared(&[-3.0, 0.5, 5.0]), 25.0);
        assert!(UNIT.distance_squared(&[0.5, f32::NAN, 0.5]).is_nan());
        assert_eq!(UNIT.distance_squared(&[f32::NEG_INFINITY, 0.5, 0.5]), f32::INFINITY);
    }

    #[test]
    fn no_points_have_no_box() {
        assert_eq!(Aabb::<2>::from_points([]), None);
        let points = [[3.0, -1.0], [1.0, 4.0]];
        assert_eq!(Aabb::from_points(&points), Some(Aabb { min: [1.0, -1.0], max: [3.0, 4.0] }));
    }
}
