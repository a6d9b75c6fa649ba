//! A rounded rod along its own y axis.

use super::{InvalidShape, MAX_SIZE, guarded_aabb, invalid::checked_size, with_sign_of};
use crate::{Aabb, Pose, Vec3};

/// All points up to a radius from the segment between `(0, −half_height, 0)` and `(0, half_height, 0)`.
///
/// ```
/// use embate_geom::{Vec3, shapes::Capsule};
///
/// let rod = Capsule::new(1.0, 0.25)?;
/// assert_eq!(rod.support(Vec3::Y), Vec3::new(0.0, 1.25, 0.0));
/// # Ok::<(), embate_geom::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    half_height: f32,
    radius: f32,
}

impl Capsule {
    /// By half the length of its segment, which may be 0, and its radius.
    ///
    /// # Errors
    /// [`InvalidShape`] if one of them is NaN or out of range.
    pub fn new(half_height: f32, radius: f32) -> Result<Self, InvalidShape> {
        if !(0.0..=MAX_SIZE).contains(&half_height) {
            return Err(InvalidShape::HalfHeight { value: half_height });
        }
        // Adding 0 makes of −0 a 0.
        Ok(Self { half_height: half_height + 0.0, radius: checked_size("radius", radius)? })
    }

    /// Half the length of the segment, without the round ends.
    #[inline]
    #[must_use]
    pub const fn half_height(&self) -> f32 {
        self.half_height
    }

    /// From the segment to the surface.
    #[inline]
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// The upper end of its segment; the lower is its opposite.
    #[inline]
    #[must_use]
    pub const fn tip(&self) -> Vec3 {
        Vec3::new(0.0, self.half_height, 0.0)
    }

    /// The point farthest along `direction`, which may have any length; without a direction, the one
    /// beside the upper end on the side of x.
    #[inline]
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let end = Vec3::new(0.0, with_sign_of(self.half_height, direction.y), 0.0);
        end + direction.normalised().unwrap_or(Vec3::X) * self.radius
    }

    /// A box around it in the world.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        let tip = pose.rotation.turn(self.tip()).abs();
        guarded_aabb(pose, pose.position, tip + Vec3::splat(self.radius))
    }
}
