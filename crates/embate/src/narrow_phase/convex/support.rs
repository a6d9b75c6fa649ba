//! Support mapping: the vertex of a convex core that is extremal along a direction.
//!
//! A core is a shape without its rounding radius: the center of a sphere, the segment of a capsule;
//! a box or hull is its own core.

use embate_geom::{
    Vec3,
    shapes::{ConvexHull, Cuboid},
};

/// A convex core, defined by its support mapping.
pub(crate) trait Support {
    /// Extremal vertex along `direction`, which may have any length: index and position.
    fn support_vertex(&self, direction: Vec3) -> (u32, Vec3);
}

/// A single point: the core of a sphere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointSupport(pub(crate) Vec3);

/// Segment from `-self.0` to `self.0`, centered at the origin: the core of a capsule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentSupport(pub(crate) Vec3);

impl Support for PointSupport {
    #[inline]
    fn support_vertex(&self, _: Vec3) -> (u32, Vec3) {
        (0, self.0)
    }
}

impl Support for SegmentSupport {
    #[inline]
    fn support_vertex(&self, direction: Vec3) -> (u32, Vec3) {
        if self.0.dot(direction) < 0.0 { (0, -self.0) } else { (1, self.0) }
    }
}

impl Support for Cuboid {
    /// Bit `axis` of the index is set on the positive side.
    #[inline]
    fn support_vertex(&self, direction: Vec3) -> (u32, Vec3) {
        let half = self.half_extents();
        let negative = direction.to_array().map(|component| component < 0.0);
        let index =
            u32::from(!negative[0]) | u32::from(!negative[1]) << 1 | u32::from(!negative[2]) << 2;
        let signed = |axis: usize| if negative[axis] { -half[axis] } else { half[axis] };
        (index, Vec3::new(signed(0), signed(1), signed(2)))
    }
}

impl Support for ConvexHull {
    #[inline]
    fn support_vertex(&self, direction: Vec3) -> (u32, Vec3) {
        let index = self.support_index(direction);
        (index, self.vertices()[index as usize])
    }
}
