//! A ball about its own origin.

use super::{InvalidShape, guarded_aabb, invalid::checked_size};
use crate::{Aabb, Pose, Vec3};

/// All points up to a radius from the origin.
///
/// ```
/// use embate_geom::{Vec3, shapes::Sphere};
///
/// let ball = Sphere::new(0.5)?;
/// assert_eq!(ball.support(Vec3::new(0.0, 3.0, 0.0)), Vec3::new(0.0, 0.5, 0.0));
/// assert!(Sphere::new(-1.0).is_err());
/// # Ok::<(), embate_geom::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f32,
}

impl Sphere {
    /// With this radius.
    ///
    /// # Errors
    /// [`InvalidShape::Size`] if the radius is NaN or out of range.
    pub fn new(radius: f32) -> Result<Self, InvalidShape> {
        Ok(Self { radius: checked_size("radius", radius)? })
    }

    /// From the middle to the surface.
    #[inline]
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// The point farthest along `direction`, which may have any length; without a direction, the one on
    /// the x axis.
    #[inline]
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        direction.normalised().unwrap_or(Vec3::X) * self.radius
    }

    /// A box around it in the world.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        guarded_aabb(pose, pose.position, Vec3::splat(self.radius))
    }
}
