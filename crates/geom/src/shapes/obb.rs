//! Oriented bounding box (OBB).

use crate::{Pose, Vec3};

/// Oriented bounding box, in the frame of the shape it bounds. Its half-extents may be smaller than
/// those of a [`Cuboid`](crate::shapes::Cuboid) can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Center and axes.
    pub pose: Pose,
    /// Distances from the center to the faces.
    #[doc(alias = "half")]
    pub half_extents: Vec3,
}

impl Obb {
    /// Volume.
    #[must_use]
    pub fn volume(&self) -> f32 {
        8.0 * self.half_extents.x * self.half_extents.y * self.half_extents.z
    }

    /// Whether `point` lies inside or on the surface; `false` for NaN.
    #[must_use]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let local = self.pose.inverse_transform_point(point).abs();
        local.x <= self.half_extents.x
            && local.y <= self.half_extents.y
            && local.z <= self.half_extents.z
    }
}
