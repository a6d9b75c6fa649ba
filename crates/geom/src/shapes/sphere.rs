//! A ball about its own origin.

use super::{
    InvalidShape, MassProperties, Obb, ShapeHit, guarded_aabb,
    hit::{Stretch, WideRay},
    invalid::{checked_scale, checked_size},
};
use crate::{Aabb, Ball, Mat3, Pose, Ray, Vec3, Wide};

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
    /// What it weighs.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        let squared = self.radius * self.radius;
        MassProperties {
            volume: 4.0 / 3.0 * core::f32::consts::PI * squared * self.radius,
            centroid: Vec3::ZERO,
            inertia_per_mass: Mat3::diagonal(Vec3::splat(0.4 * squared)),
        }
    }

    /// The tightest box around it.
    #[must_use]
    pub fn obb(&self) -> Obb {
        Obb { pose: Pose::IDENTITY, half: Vec3::splat(self.radius) }
    }

    /// Itself, as bounds.
    #[must_use]
    pub fn bounding_sphere(&self) -> Ball<3> {
        Ball { center: [0.0; 3], radius: self.radius }
    }

    /// Whether a point lies inside or on the surface; a NaN does not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        Wide::from(point).length() <= f64::from(self.radius)
    }

    /// Where a ray enters it; where the ray begins, if that is inside.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let wide = WideRay::of(ray)?;
        wide.hit(ray, Stretch::in_ball(&wide, Wide::ZERO, f64::from(self.radius))?)
    }

    /// Larger or smaller.
    ///
    /// # Errors
    /// [`InvalidShape`] if the factor is not a finite number above 0, or the result out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, InvalidShape> {
        Self::new(self.radius * checked_scale(factor)?)
    }
}
