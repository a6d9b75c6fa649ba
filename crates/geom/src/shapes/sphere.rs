//! Sphere around the local origin.

use crate::shapes::{
    MassProperties, Obb, PointProjection, RayIntersection, ShapeError, ShapeLength,
    error::{checked_scale, checked_size},
    padded_aabb,
    ray_intersection::{Interval, RayF64},
};
use crate::{Aabb, BoundingSphere, DVec3, Mat3, Pose, Ray, Vec3};

/// Solid sphere around the origin.
///
/// ```
/// use embate_geom::{Vec3, shapes::Sphere};
///
/// let sphere = Sphere::new(0.5)?;
/// assert_eq!(sphere.support_point(Vec3::new(0.0, 3.0, 0.0)), Vec3::new(0.0, 0.5, 0.0));
/// assert!(Sphere::new(-1.0).is_err());
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Ball")]
pub struct Sphere {
    radius: f32,
}

impl Sphere {
    /// Sphere of this radius.
    ///
    /// # Errors
    /// [`ShapeError::Size`] if the radius is NaN or out of range.
    pub fn new(radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { radius: checked_size(ShapeLength::Radius, radius)? })
    }

    /// Radius.
    #[inline]
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Support point: the point farthest along `direction`, which may have any length. Without a
    /// direction, the point on the x axis.
    #[inline]
    #[must_use]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into();
        direction.try_normalize().unwrap_or(Vec3::X) * self.radius
    }

    /// World AABB, conservative.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        padded_aabb(pose, pose.position, Vec3::splat(self.radius))
    }

    /// Volume, center of mass and inertia.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        let radius_squared = self.radius * self.radius;
        MassProperties {
            volume: 4.0 / 3.0 * core::f32::consts::PI * radius_squared * self.radius,
            center_of_mass: Vec3::ZERO,
            unit_inertia: Mat3::from_diagonal(Vec3::splat(0.4 * radius_squared)),
        }
    }

    /// Smallest oriented bounding box.
    #[must_use]
    pub fn obb(&self) -> Obb {
        Obb { pose: Pose::IDENTITY, half_extents: Vec3::splat(self.radius) }
    }

    /// Smallest bounding sphere: this sphere.
    #[must_use]
    pub fn bounding_sphere(&self) -> BoundingSphere<3> {
        BoundingSphere { center: [0.0; 3], radius: self.radius }
    }

    /// Whether `point` lies inside or on the surface; `false` for NaN.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        DVec3::from(point).length() <= f64::from(self.radius)
    }

    /// Closest point on the surface, with signed distance. At the center the normal is the x axis.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::Sphere};
    ///
    /// let projection = Sphere::new(2.0)?.project_point(Vec3::Y * 5.0);
    /// assert_eq!((projection.point, projection.distance), (Vec3::Y * 2.0, 3.0));
    /// # Ok::<(), embate_geom::shapes::ShapeError>(())
    /// ```
    #[must_use]
    #[doc(alias = "closest_point")]
    #[doc(alias = "distance_to_point")]
    pub fn project_point(&self, point: impl Into<Vec3>) -> PointProjection {
        let point = point.into();
        if !point.is_finite() {
            return PointProjection::UNDEFINED;
        }
        let query = DVec3::from(point);
        PointProjection::around_core(query, query, f64::from(self.radius), DVec3::from(Vec3::X))
    }

    /// First intersection with a ray; the ray's start if that lies inside.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let ray_f64 = RayF64::new(ray)?;
        let inside = Interval::in_sphere(&ray_f64, DVec3::ZERO, f64::from(self.radius))?;
        ray_f64.first_hit(ray, inside)
    }

    /// This sphere scaled by `factor`.
    ///
    /// # Errors
    /// [`ShapeError`] if the factor is not finite and positive, or the result is out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, ShapeError> {
        Self::new(self.radius * checked_scale(factor)?)
    }
}
