//! Bounding circle and sphere.

use crate::Aabb;

/// Bounding circle (`D = 2`) or sphere (`D = 3`). Invariant of every one Embate creates: finite,
/// and the radius is not negative.
#[doc(alias = "Ball")]
#[doc(alias = "circle")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere<const D: usize> {
    /// Center.
    pub center: [f32; D],
    /// Radius.
    pub radius: f32,
}

impl<const D: usize> BoundingSphere<D> {
    /// Whether two spheres share a point; touching counts.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut distance_squared = 0.0;
        for axis in 0..D {
            let offset = self.center[axis] - other.center[axis];
            distance_squared += offset * offset;
        }
        let radii = self.radius + other.radius;
        distance_squared <= radii * radii
    }

    /// Whether the sphere shares a point with a box; touching counts. `false` for a negative or NaN
    /// radius.
    #[inline]
    #[must_use]
    #[doc(alias = "overlaps_box")]
    pub fn intersects_aabb(&self, bounds: &Aabb<D>) -> bool {
        self.radius >= 0.0 && bounds.distance_squared(&self.center) <= self.radius * self.radius
    }

    /// AABB of the sphere, padded so that the boxes of two spheres that [overlap](Self::overlaps)
    /// always overlap: squares and sums have an error below 4 ε of the radius, corners below 2 ε of
    /// their magnitude.
    #[inline]
    #[must_use]
    #[doc(alias = "guarded_bounds")]
    pub fn padded_aabb(&self) -> Aabb<D> {
        let half_extent = |axis: usize| {
            let magnitude = self.center[axis].abs() + self.radius;
            self.radius + f32::EPSILON * (4.0 * self.radius + 2.0 * magnitude)
        };
        Aabb {
            min: core::array::from_fn(|axis| self.center[axis] - half_extent(axis)),
            max: core::array::from_fn(|axis| self.center[axis] + half_extent(axis)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_spheres_overlap_and_so_do_their_boxes() {
        // 0.3 − 0.2 rounds to just above 0.1: unpadded boxes would be disjoint.
        let (a, b) = (
            BoundingSphere { center: [0.0, 0.0], radius: 0.1 },
            BoundingSphere { center: [0.3, 0.0], radius: 0.2 },
        );
        assert!(a.overlaps(&b) && a.padded_aabb().overlaps(&b.padded_aabb()));
        let separate = BoundingSphere { center: [0.31, 0.0], radius: 0.2 };
        assert!(!a.overlaps(&separate));
    }

    #[test]
    fn sphere_intersects_the_box_it_touches() {
        let unit = Aabb { min: [0.0; 2], max: [1.0; 2] };
        let at = |x: f32, y: f32, radius: f32| BoundingSphere { center: [x, y], radius };
        assert!(
            at(0.5, 0.5, 0.0).intersects_aabb(&unit) && at(3.0, 0.5, 2.0).intersects_aabb(&unit)
        );
        assert!(!at(3.0, 3.0, 2.5).intersects_aabb(&unit), "only its AABB overlaps");
        assert!(!at(0.5, 0.5, -1.0).intersects_aabb(&unit));
        assert!(!at(f32::NAN, 0.5, 1.0).intersects_aabb(&unit));
    }

    #[test]
    fn boxes_of_spheres_that_barely_touch_always_overlap() {
        for step in 1..20_000_u32 {
            let (x, radius) = (step as f32 * 0.137, 0.01 + step as f32 * 0.000_31);
            let a = BoundingSphere { center: [x, 5.0, -x], radius };
            let other = radius * 0.7;
            for nudge in [0.999_999_9, 1.0, 1.000_000_1, 1.000_000_2] {
                let b = BoundingSphere {
                    center: [x + (radius + other) * nudge, 5.0, -x],
                    radius: other,
                };
                let boxes = a.padded_aabb().overlaps(&b.padded_aabb());
                assert!(boxes || !a.overlaps(&b), "{a:?} {b:?}");
            }
        }
    }
}
