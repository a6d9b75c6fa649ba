//! What is an axis-aligned box, and does a ray cross it?

use crate::{SlabRay, scalar};

/// An axis-aligned box. Invariant of every box Embate makes: finite, and `min <= max` on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// The least corner.
    pub min: [f32; D],
    /// The greatest corner.
    pub max: [f32; D],
}

impl<const D: usize> Aabb<D> {
    /// The smallest box around `points`; `None` if there are none.
    #[must_use]
    pub fn around<'a>(points: impl IntoIterator<Item = &'a [f32; D]>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = *points.next()?;
        Some(points.fold(Self { min: first, max: first }, Self::with))
    }

    /// This box grown to hold `point`.
    #[inline]
    #[must_use]
    pub fn with(mut self, point: &[f32; D]) -> Self {
        for (axis, &coordinate) in point.iter().enumerate() {
            self.min[axis] = scalar::min(coordinate, self.min[axis]);
            self.max[axis] = scalar::max(coordinate, self.max[axis]);
        }
        self
    }

    /// This box moved outwards by `margin` on every side.
    #[inline]
    #[must_use]
    pub fn grown(mut self, margin: f32) -> Self {
        for axis in 0..D {
            self.min[axis] -= margin;
            self.max[axis] += margin;
        }
        self
    }

    /// Whether two boxes share a point; touching counts.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..D).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// The smallest box around two.
    #[inline]
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        self.with(&other.min).with(&other.max)
    }

    /// Squared distance from `point` to the nearest point of this box: 0 inside, NaN if `point` has a
    /// NaN. Growing the box never raises it, to the bit, so a tree may prune by it.
    #[inline]
    #[must_use]
    pub fn distance_squared(&self, point: &[f32; D]) -> f32 {
        let mut sum = 0.0;
        for axis in 0..D {
            let below = self.min[axis] - point[axis];
            let above = point[axis] - self.max[axis];
            // A NaN fails both comparisons and goes into the sum.
            let outside = if above <= 0.0 { 0.0 } else { above };
            let apart = if below > 0.0 { below } else { outside };
            sum += apart * apart;
        }
        sum
    }

    /// Edge lengths.
    #[must_use]
    pub fn size(&self) -> [f32; D] {
        core::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }

    /// The longest edge.
    #[must_use]
    pub fn longest_side(&self) -> f32 {
        self.size().into_iter().fold(0.0, scalar::max)
    }

    /// Returns the stretch `(enter, leave)` of the ray inside this box, cut to `t_min..=t_max`.
    ///
    /// May keep a box that the ray misses by a rounding, never drops one it meets. Growing the box
    /// never raises `enter` or lowers `leave`, to the bit: every step rounds monotonically. That is
    /// what lets a tree prune what it enters [`beyond`](crate::Hit::beyond) a hit and still answer exactly as brute force does.
    #[inline]
    #[must_use]
    pub fn crossing(&self, ray: &SlabRay<D>, t_min: f32, t_max: f32) -> Option<(f32, f32)> {
        let (mut enter, mut leave) = (t_min, t_max);
        let (before, behind) = SlabRay::<D>::FAR_FACTORS;
        for axis in 0..D {
            let t_min_plane = (self.min[axis] - ray.origin[axis]) * ray.inv_direction[axis];
            let t_max_plane = (self.max[axis] - ray.origin[axis]) * ray.inv_direction[axis];
            let (near, far) = if ray.backwards[axis] {
                (t_max_plane, t_min_plane)
            } else {
                (t_min_plane, t_max_plane)
            };
            // A ray lying in a face gives 0 * ∞ = NaN. Both comparisons are then false, so this
            // axis cuts nothing and the box is kept. `f32::max` would hide that rule.
            let far = far * if far < 0.0 { behind } else { before };
            enter = if near > enter { near } else { enter };
            leave = if far < leave { far } else { leave };
        }
        (enter <= leave).then_some((enter, leave))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;

    const UNIT: Aabb<3> = Aabb { min: [0.0; 3], max: [1.0; 3] };

    fn crossing(bounds: &Aabb<3>, ray: &Ray<3>) -> Option<(f32, f32)> {
        bounds.crossing(&SlabRay::new(ray), ray.t_min, ray.t_max)
    }

    /// The classic trap: a zero direction component with the origin exactly on a face.
    #[test]
    fn a_ray_lying_in_a_face_crosses_the_box() {
        for axis in 0..3 {
            for (face, zero) in [(0.0, 0.0), (0.0, -0.0), (1.0, 0.0), (1.0, -0.0)] {
                let (mut origin, mut direction) = ([0.5; 3], [zero; 3]);
                origin[axis] = face;
                origin[(axis + 1) % 3] = -3.0;
                direction[(axis + 1) % 3] = 1.0;
                let crossing = crossing(&UNIT, &Ray::new(origin, direction));
                assert!(
                    matches!(crossing, Some((3.0, 4.0..4.00001))),
                    "axis {axis}, face {face}, zero {zero:?}: {crossing:?}"
                );
            }
        }
    }

    #[test]
    fn a_box_beside_or_behind_the_ray_is_not_crossed() {
        assert!(crossing(&UNIT, &Ray::new([1.5, 0.5, -1.0], [0.0, 0.0, 1.0])).is_none());
        let behind = Ray::new([0.5, 0.5, 2.0], [0.0, 0.0, 1.0]);
        assert!(crossing(&UNIT, &behind).is_none());
        assert!(crossing(&UNIT, &behind.within(-1.5, 0.0)).is_some());
    }

    #[test]
    fn the_stretch_is_cut_to_the_range_of_the_ray() {
        let ray = Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]);
        assert_eq!(crossing(&UNIT, &ray.within(1.25, 1.5)), Some((1.25, 1.5)));
        assert_eq!(crossing(&UNIT, &ray.within(0.0, 0.5)), None);
    }

    #[test]
    fn distance_is_nothing_inside_and_unknown_from_nowhere() {
        assert_eq!(UNIT.distance_squared(&[0.5, 0.0, 1.0]), 0.0);
        assert_eq!(UNIT.distance_squared(&[-3.0, 0.5, 5.0]), 25.0);
        assert!(UNIT.distance_squared(&[0.5, f32::NAN, 0.5]).is_nan());
        assert_eq!(UNIT.distance_squared(&[f32::NEG_INFINITY, 0.5, 0.5]), f32::INFINITY);
    }

    #[test]
    fn a_box_around_nothing_does_not_exist() {
        assert_eq!(Aabb::<2>::around([]), None);
        let points = [[3.0, -1.0], [1.0, 4.0]];
        assert_eq!(Aabb::around(&points), Some(Aabb { min: [1.0, -1.0], max: [3.0, 4.0] }));
    }
}
