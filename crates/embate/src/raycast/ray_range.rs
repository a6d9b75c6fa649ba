//! Padded ray ranges: the parameters `t` at which a ray may be in a half-space or a box.
//!
//! A space partition visits the cells that a ray passes, so it has to keep every cell in which a
//! hit may be reported. Let Q be a point beside a triangle as in
//! [`cell_reference`](crate::raycast::cell_reference). On each axis the ray passes Q at a parameter
//! between `t − 7 ε |t|` and `t + 10 ε |t|`, where `t` is the reported one (`docs/robustness.md`).
//! Ranges are computed in f64, where rounding is negligible, and extended by 18 ε in the direction
//! that keeps more.
//!
//! Guarantee: the range of a half-space or box that contains Q contains the reported `t`.

use embate_geom::{Aabb, Ray, TriangleHit};

/// Relative padding of a parameter.
const T_PADDING: f64 = TriangleHit::T_ERROR_BOUND as f64;
/// Absolute padding of a parameter: a reported `t` may have underflowed.
const MIN_T_PADDING: f64 = f32::MIN_POSITIVE as f64;
/// Bound of the rounding errors of a sum of four f64 products, relative to the sum of their
/// magnitudes.
const SUM_ERROR: f64 = 8.0 * f64::EPSILON;

/// Part of a ray: the parameters from `enter` to `exit`, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayRange {
    pub(super) enter: f64,
    pub(super) exit: f64,
}

impl RayRange {
    pub(super) const EMPTY: Self = Self { enter: f64::INFINITY, exit: f64::NEG_INFINITY };

    fn ending_at(self, limit: f64) -> Self {
        Self { exit: if limit < self.exit { limit } else { self.exit }, ..self }
    }

    fn beginning_at(self, limit: f64) -> Self {
        Self { enter: if limit > self.enter { limit } else { self.enter }, ..self }
    }

    pub(super) fn is_empty(self) -> bool {
        self.enter > self.exit
    }

    fn max_abs(self) -> f64 {
        let (enter, exit) = (self.enter.abs(), self.exit.abs());
        if enter > exit { enter } else { exit }
    }
}

fn lowered(t: f64) -> f64 {
    t - (t.abs() * T_PADDING + MIN_T_PADDING)
}

fn raised(t: f64) -> f64 {
    t + (t.abs() * T_PADDING + MIN_T_PADDING)
}

/// A valid ray in f64, with its reciprocal direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartitionRay {
    origin: [f64; 3],
    direction: [f64; 3],
    inv_direction: [f64; 3],
}

/// Ranges of a ray on the two sides of a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideRanges {
    /// Below and above the plane.
    pub(super) ranges: [RayRange; 2],
    /// Index of the side that the ray passes first.
    pub(super) near: usize,
}

impl PartitionRay {
    pub(super) fn new(ray: &Ray<3>) -> Self {
        let direction = ray.direction.map(f64::from);
        Self {
            origin: ray.origin.map(f64::from),
            direction,
            inv_direction: direction.map(|component| 1.0 / component),
        }
    }

    /// The range in which `ray`, from which this was made, may have hits in `bounds`.
    pub(super) fn range_in_box(&self, ray: &Ray<3>, bounds: &Aabb<3>) -> RayRange {
        let mut range = RayRange { enter: f64::from(ray.t_min), exit: f64::from(ray.t_max) };
        for axis in 0..3 {
            range = self.split_at(axis, bounds.min[axis], range).ranges[1];
            range = self.split_at(axis, bounds.max[axis], range).ranges[0];
        }
        range
    }

    /// Ranges below and above an axis-aligned plane.
    #[inline]
    pub(super) fn split_at(&self, axis: usize, plane: f32, range: RayRange) -> SideRanges {
        let distance = f64::from(plane) - self.origin[axis];
        if self.direction[axis] == 0.0 {
            // The ray is parallel to the plane: on one side, or in the plane and on both.
            let or_empty = |is_kept| if is_kept { range } else { RayRange::EMPTY };
            return SideRanges {
                ranges: [or_empty(distance >= 0.0), or_empty(distance <= 0.0)],
                near: 0,
            };
        }
        let t = distance * self.inv_direction[axis];
        let (first, second) = (range.ending_at(raised(t)), range.beginning_at(lowered(t)));
        if self.direction[axis] > 0.0 {
            SideRanges { ranges: [first, second], near: 0 }
        } else {
            SideRanges { ranges: [second, first], near: 1 }
        }
    }

    /// The ray relative to a plane of any orientation.
    #[inline]
    pub(super) fn relative_to(&self, normal: [f32; 3], offset: f64) -> PlaneRay {
        let normal = normal.map(f64::from);
        let (mut distance, mut rate) = (-offset, 0.0);
        let (mut distance_error, mut spread) = (offset.abs(), 0.0);
        for axis in 0..3 {
            let (product, change) =
                (normal[axis] * self.origin[axis], normal[axis] * self.direction[axis]);
            distance += product;
            rate += change;
            distance_error += product.abs();
            spread += change.abs();
        }
        PlaneRay {
            distance,
            rate,
            distance_error: distance_error * SUM_ERROR,
            spread: spread * T_PADDING,
        }
    }
}

/// Signed distance of a ray from a plane, in lengths of its normal: `distance + t · rate`.
///
/// The distance of Q differs from that of the ray at the reported `t` by at most `spread · |t|`:
/// the error of `t` on each axis, times the rate on that axis. Rates of several axes can cancel, so
/// the error may be larger than `rate` suggests.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneRay {
    distance: f64,
    pub(super) rate: f64,
    distance_error: f64,
    spread: f64,
}

impl PlaneRay {
    /// Ranges below and above the plane.
    #[inline]
    pub(super) fn split(&self, range: RayRange) -> SideRanges {
        SideRanges {
            ranges: [self.range_below(0.0, range), self.flipped().range_below(0.0, range)],
            near: usize::from(self.rate < 0.0),
        }
    }

    /// Range within `thickness` of the plane.
    pub(super) fn range_within(&self, thickness: f64, range: RayRange) -> RayRange {
        self.flipped().range_below(thickness, self.range_below(thickness, range))
    }

    fn flipped(&self) -> Self {
        Self { distance: -self.distance, rate: -self.rate, ..*self }
    }

    /// The part of `range` in which Q can be at most `height` above the plane:
    /// `distance + t · rate <= height + spread · |t|`.
    fn range_below(&self, height: f64, range: RayRange) -> RayRange {
        let Self { rate, spread, .. } = *self;
        let reserve = height + self.distance_error - self.distance;
        if rate.abs() <= spread {
            // Nearly parallel: all or nothing. Not `<`, because infinity times 0 is NaN, which must
            // keep the range.
            let change = (rate.abs() + spread) * range.max_abs();
            return if reserve < -change { RayRange::EMPTY } else { range };
        }
        // Below where `t · rate − spread · |t| <= reserve`, which has one boundary, of the sign of
        // `reserve / rate`. Where `rate` and `spread` nearly cancel, the rounding is covered by
        // `spread`, which is larger than the error of `t` requires, otherwise by the padding.
        if rate > 0.0 {
            let t = reserve / (if reserve >= 0.0 { rate - spread } else { rate + spread });
            range.ending_at(raised_by_rounding(t))
        } else {
            let t = reserve / (if reserve >= 0.0 { rate + spread } else { rate - spread });
            range.beginning_at(-raised_by_rounding(-t))
        }
    }
}

fn raised_by_rounding(t: f64) -> f64 {
    t + (t.abs() * SUM_ERROR + MIN_T_PADDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: RayRange = RayRange { enter: -1e30, exit: 1e30 };

    #[test]
    fn sides_of_a_plane_overlap_by_the_padding_in_both_directions() {
        for (direction, near) in [(2.0, 0), (-2.0, 1)] {
            let ray = PartitionRay::new(&Ray::new([1.0, 0.0, 0.0], [direction, 1.0, 0.0]));
            for plane in [5.0_f32, -7.0] {
                let t = (f64::from(plane) - 1.0) / f64::from(direction);
                let axis = ray.split_at(0, plane, WHOLE);
                let oblique = ray.relative_to([1.0, 0.0, 0.0], f64::from(plane)).split(WHOLE);
                for sides in [axis, oblique] {
                    assert_eq!(sides.near, near);
                    let (first, second) = (sides.ranges[near], sides.ranges[1 - near]);
                    let padding = t.abs() * 16.0 * f64::from(f32::EPSILON);
                    assert!(first.exit > t + padding && first.exit < t + 2.0 * padding);
                    assert!(second.enter < t - padding && second.enter > t - 2.0 * padding);
                }
            }
        }
    }

    #[test]
    fn ray_parallel_to_a_plane_is_on_one_side_and_in_the_plane_on_both() {
        for zero in [0.0, -0.0] {
            let ray = PartitionRay::new(&Ray::new([1.0, 2.0, 3.0], [zero, 1.0, zero]));
            let is_kept = |plane: f32| {
                let normal = ray.relative_to([1.0, 0.0, 0.0], f64::from(plane)).split(WHOLE);
                let axis = ray.split_at(0, plane, WHOLE);
                assert_eq!(
                    axis.ranges.map(RayRange::is_empty),
                    normal.ranges.map(RayRange::is_empty)
                );
                axis.ranges.map(|range| !range.is_empty())
            };
            assert_eq!(is_kept(2.0), [true, false]);
            assert_eq!(is_kept(1.0), [true, true]);
            assert_eq!(is_kept(0.0), [false, true]);
        }
    }

    /// The rates of the axes cancel: the error of `t` on one axis moves the ray across the plane.
    #[test]
    fn ray_nearly_in_an_oblique_plane_is_on_both_sides() {
        let ray = PartitionRay::new(&Ray::new([1e-7, 0.0, 0.0], [1.0, -1.0, 0.0]));
        let plane = ray.relative_to([1.0, 1.0, 0.0], 0.0);
        let near = plane.split(RayRange { enter: 0.0, exit: 0.01 });
        assert_eq!(near.ranges.map(RayRange::is_empty), [true, false]);
        let far = plane.split(RayRange { enter: 0.0, exit: 10.0 });
        assert_eq!(far.ranges.map(RayRange::is_empty), [false, false]);
    }

    #[test]
    fn range_in_a_box_is_cut_to_the_range_of_the_ray() {
        let bounds = Aabb { min: [2.0, -1.0, -1.0], max: [4.0, 1.0, 1.0] };
        let range = |ray: Ray<3>| PartitionRay::new(&ray).range_in_box(&ray, &bounds);
        let through = range(Ray::new([0.0; 3], [1.0, 0.0, 0.0]));
        assert!((through.enter - 2.0).abs() < 1e-5 && (through.exit - 4.0).abs() < 1e-5);
        assert!(range(Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_range(0.0, 1.9)).is_empty());
        assert!(range(Ray::new([0.0, 1.5, 0.0], [1.0, 0.0, 0.0])).is_empty());
        let behind = range(Ray::new([9.0, 0.0, 0.0], [1.0, 0.0, 0.0]).with_range(-9.0, 0.0));
        assert!((behind.enter + 7.0).abs() < 1e-4 && (behind.exit + 5.0).abs() < 1e-4);
    }
}
