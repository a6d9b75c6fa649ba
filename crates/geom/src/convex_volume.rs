//! Convex volume as an intersection of half-spaces, for frustum culling and region queries.

use crate::Aabb;

/// Plane that bounds a [`ConvexVolume`]: the inside is `normal · p <= offset`. The normal points
/// outward and may have any length.
///
/// The solid shape with an infinite flat surface is [`HalfSpace`](crate::shapes::HalfSpace).
#[doc(alias = "HalfSpace")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<const D: usize> {
    /// Outward normal.
    pub normal: [f32; D],
    /// `normal · p` for points on the plane.
    pub offset: f32,
}

impl<const D: usize> Plane<D> {
    /// Plane through `point`.
    #[must_use]
    #[doc(alias = "through")]
    pub fn from_point_normal(point: &[f32; D], normal: [f32; D]) -> Self {
        let offset = (0..D).fold(0.0, |sum, axis| sum + normal[axis] * point[axis]);
        Self { normal, offset }
    }

    /// Overlap test of a box with the inside half-space: `true` if some corner is inside or on the
    /// plane, also for a box completely inside. `false` for NaN.
    ///
    /// Growing the box never turns `true` into `false`, to the bit, so a tree may prune by it.
    #[inline]
    #[must_use]
    #[doc(alias = "reaches")]
    pub fn intersects_aabb(&self, bounds: &Aabb<D>) -> bool {
        let mut min_dot = 0.0;
        for axis in 0..D {
            let innermost =
                if self.normal[axis] > 0.0 { bounds.min[axis] } else { bounds.max[axis] };
            min_dot += self.normal[axis] * innermost;
        }
        min_dot <= self.offset
    }
}

/// Convex volume: the intersection of the insides of several planes, such as a view frustum or a
/// selection region. Without planes it is all of space.
///
/// Magnitudes of normals, offsets and coordinates up to 1e18 are handled without overflow.
#[doc(alias = "ConvexRegion")]
#[doc(alias = "frustum")]
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexVolume<const D: usize> {
    planes: Vec<Plane<D>>,
}

impl<const D: usize> ConvexVolume<D> {
    /// Intersection of the insides of `planes`.
    #[must_use]
    pub fn new(planes: Vec<Plane<D>>) -> Self {
        Self { planes }
    }

    /// Bounding planes.
    #[must_use]
    #[doc(alias = "half_spaces")]
    pub fn planes(&self) -> &[Plane<D>] {
        &self.planes
    }

    /// Conservative overlap test of a box with the volume.
    ///
    /// `false` is certain up to the rounding of `normal · p`: the box is completely outside one of
    /// the planes. `true` may be wrong for a large box beyond an edge or a vertex of the volume
    /// that no single plane separates. `false` if a plane has a NaN.
    #[inline]
    #[must_use]
    #[doc(alias = "may_reach")]
    pub fn intersects_aabb(&self, bounds: &Aabb<D>) -> bool {
        self.planes.iter().all(|plane| plane.intersects_aabb(bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle with its right angle at the origin.
    fn triangle() -> ConvexVolume<2> {
        ConvexVolume::new(vec![
            Plane::from_point_normal(&[0.0, 0.0], [-1.0, 0.0]),
            Plane::from_point_normal(&[0.0, 0.0], [0.0, -1.0]),
            Plane::from_point_normal(&[2.0, 0.0], [1.0, 1.0]),
        ])
    }

    #[test]
    fn box_outside_one_plane_does_not_intersect() {
        let square = |x: f32, y: f32| Aabb { min: [x, y], max: [x + 1.0, y + 1.0] };
        assert!(triangle().intersects_aabb(&square(0.2, 0.2)), "inside");
        assert!(triangle().intersects_aabb(&square(1.0, 1.0)), "touches the hypotenuse");
        assert!(!triangle().intersects_aabb(&square(1.1, 1.0)), "beyond the hypotenuse");
        assert!(!triangle().intersects_aabb(&square(-1.1, 0.0)), "left of it");
        // Beyond the sharp vertex at (2, 0) but outside no single plane: a false positive.
        assert!(triangle().intersects_aabb(&Aabb { min: [1.5, -5.0], max: [9.0, 0.0] }));
    }

    #[test]
    fn nan_plane_intersects_nothing_and_no_planes_intersect_everything() {
        let unit = Aabb { min: [0.0; 3], max: [1.0; 3] };
        assert!(ConvexVolume::new(Vec::new()).intersects_aabb(&unit));
        let nan_normal = Plane { normal: [f32::NAN, 0.0, 0.0], offset: 1.0 };
        assert!(!ConvexVolume::new(vec![nan_normal]).intersects_aabb(&unit));
        let nan_offset = Plane { normal: [1.0, 0.0, 0.0], offset: f32::NAN };
        assert!(!ConvexVolume::new(vec![nan_offset]).intersects_aabb(&unit));
    }
}
