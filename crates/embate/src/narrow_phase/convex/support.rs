//! Which corner of a convex core lies farthest along a direction?
//!
//! A core is what remains of a shape without its rounding: a sphere's is its middle, a capsule's its
//! segment, and a box or hull is its own.

use embate_geom::{
    Vec3,
    shapes::{Cuboid, Hull},
};

/// A convex core, given by the corner that is farthest along any direction.
pub(super) trait Support {
    /// The farthest corner along `direction`, which may have any length, and its index.
    fn corner_along(&self, direction: Vec3) -> (u32, Vec3);
}

/// A single point: the core of a sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point(pub(super) Vec3);

/// From `-0` to `+0`, about the origin: the core of a capsule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rod(pub(super) Vec3);

impl Support for Point {
    #[inline]
    fn corner_along(&self, _: Vec3) -> (u32, Vec3) {
        (0, self.0)
    }
}

impl Support for Rod {
    #[inline]
    fn corner_along(&self, direction: Vec3) -> (u32, Vec3) {
        if self.0.dot(direction) < 0.0 { (0, -self.0) } else { (1, self.0) }
    }
}

impl Support for Cuboid {
    /// Bit `axis` of the index is set on the positive side.
    #[inline]
    fn corner_along(&self, direction: Vec3) -> (u32, Vec3) {
        let half = self.half();
        let negative = direction.to_array().map(|component| component < 0.0);
        let index =
            u32::from(!negative[0]) | u32::from(!negative[1]) << 1 | u32::from(!negative[2]) << 2;
        let signed = |axis: usize| if negative[axis] { -half[axis] } else { half[axis] };
        (index, Vec3::new(signed(0), signed(1), signed(2)))
    }
}

impl Support for Hull {
    #[inline]
    fn corner_along(&self, direction: Vec3) -> (u32, Vec3) {
        let index = self.support_index(direction);
        (index, self.vertices()[index as usize])
    }
}
