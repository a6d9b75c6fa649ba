//! A box that is turned as it likes: the tightest simple bounds of a shape.

use crate::{Pose, Vec3};

/// An oriented box, in the frame of the shape it bounds. Its sides may be thinner than a
/// [`Cuboid`](super::Cuboid)'s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Its middle and its axes.
    pub pose: Pose,
    /// From the middle to each side.
    pub half: Vec3,
}

impl Obb {
    /// The space it fills.
    #[must_use]
    pub fn volume(&self) -> f32 {
        8.0 * self.half.x * self.half.y * self.half.z
    }

    /// Whether a point lies inside or on its surface; a NaN does not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let local = self.pose.local_point(point).abs();
        local.x <= self.half.x && local.y <= self.half.y && local.z <= self.half.z
    }
}
