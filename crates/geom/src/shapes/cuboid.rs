//! Cuboid: a box around the local origin with edges along the local axes.

use crate::shapes::{
    MassProperties, Obb, PointProjection, RayIntersection, ShapeError, ShapeLength,
    error::{checked_point, checked_scale, checked_size},
    padded_aabb,
    ray_intersection::{Interval, RayF64},
    rotated_half_extents, with_sign_of,
};
use crate::{Aabb, BoundingSphere, DVec3, Mat3, Pose, Ray, Vec3};

/// Solid box centered at the origin; a [`Pose`] makes it an oriented box.
///
/// ```
/// use embate_geom::{Vec3, shapes::Cuboid};
///
/// let (pose, cuboid) = Cuboid::from_min_max([1.0, 0.0, 0.0], [3.0, 1.0, 1.0])?;
/// assert_eq!(pose.position, Vec3::new(2.0, 0.5, 0.5));
/// assert_eq!(cuboid.half_extents(), Vec3::new(1.0, 0.5, 0.5));
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Box")]
pub struct Cuboid {
    half_extents: Vec3,
}

impl Cuboid {
    /// Box with these half-extents: the distances from the center to the faces.
    ///
    /// # Errors
    /// [`ShapeError::Size`] if one of them is NaN or out of range.
    pub fn new(half_extents: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let half_extents = half_extents.into();
        Ok(Self {
            half_extents: Vec3::new(
                checked_size(ShapeLength::HalfExtentX, half_extents.x)?,
                checked_size(ShapeLength::HalfExtentY, half_extents.y)?,
                checked_size(ShapeLength::HalfExtentZ, half_extents.z)?,
            ),
        })
    }

    /// Box between two opposite corners, and its pose.
    ///
    /// # Errors
    /// [`ShapeError`] if a corner is not finite or too far from the origin, or `max` is not greater
    /// than `min` on every axis.
    #[doc(alias = "from_corners")]
    pub fn from_min_max(
        min: impl Into<Vec3>,
        max: impl Into<Vec3>,
    ) -> Result<(Pose, Self), ShapeError> {
        let min = checked_point("corner", min.into())?;
        let max = checked_point("corner", max.into())?;
        let cuboid = Self::new((max - min) * 0.5)?;
        Ok((Pose::from_translation((min + max) * 0.5), cuboid))
    }

    /// Box by its least corner and its edge lengths, and its pose.
    ///
    /// # Errors
    /// [`ShapeError`] if the corner is not finite or too far from the origin, or an edge length is
    /// NaN or out of range.
    #[doc(alias = "from_edges")]
    pub fn from_min_size(
        min: impl Into<Vec3>,
        size: impl Into<Vec3>,
    ) -> Result<(Pose, Self), ShapeError> {
        let (min, size) = (checked_point("corner", min.into())?, size.into());
        let cuboid = Self::new(size * 0.5)?;
        Ok((Pose::from_translation(min + size * 0.5), cuboid))
    }

    /// Distances from the center to the faces.
    #[inline]
    #[must_use]
    #[doc(alias = "half")]
    pub const fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// Support point: the vertex farthest along `direction`; among equally far ones, the one with
    /// the greater coordinates.
    #[inline]
    #[must_use]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into();
        Vec3::new(
            with_sign_of(self.half_extents.x, direction.x),
            with_sign_of(self.half_extents.y, direction.y),
            with_sign_of(self.half_extents.z, direction.z),
        )
    }

    /// World AABB, conservative.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        padded_aabb(pose, pose.position, rotated_half_extents(pose, self.half_extents))
    }

    /// Volume, center of mass and inertia.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        let Vec3 { x, y, z } = self.half_extents;
        let (xx, yy, zz) = (x * x / 3.0, y * y / 3.0, z * z / 3.0);
        MassProperties {
            volume: 8.0 * x * y * z,
            center_of_mass: Vec3::ZERO,
            unit_inertia: Mat3::from_diagonal(Vec3::new(yy + zz, xx + zz, xx + yy)),
        }
    }

    /// Smallest oriented bounding box: this box.
    #[must_use]
    pub fn obb(&self) -> Obb {
        Obb { pose: Pose::IDENTITY, half_extents: self.half_extents }
    }

    /// Smallest bounding sphere.
    #[must_use]
    pub fn bounding_sphere(&self) -> BoundingSphere<3> {
        BoundingSphere {
            center: [0.0; 3],
            radius: self.half_extents.length() * (1.0 + 2.0 * f32::EPSILON),
        }
    }

    /// Whether `point` lies inside or on the surface; `false` for NaN.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let point = point.abs();
        point.x <= self.half_extents.x
            && point.y <= self.half_extents.y
            && point.z <= self.half_extents.z
    }

    /// Closest point on the surface, with signed distance. Equally near faces: the first axis, then
    /// the positive side.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::Cuboid};
    ///
    /// let projection = Cuboid::new([1.0, 1.0, 1.0])?.project_point(Vec3::new(0.0, -0.5, 0.0));
    /// assert_eq!((projection.point, projection.distance), (-Vec3::Y, -0.5));
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
        if !self.contains_point(point) {
            let closest = point.max(-self.half_extents).min(self.half_extents);
            let offset = query - DVec3::from(closest);
            let closest = DVec3::from(closest);
            return PointProjection::rounded(closest, offset.normalize(), offset.length());
        }
        let distance =
            |axis: usize| f64::from(point[axis].abs()) - f64::from(self.half_extents[axis]);
        let nearest =
            (1..3).fold(0, |best, axis| if distance(axis) > distance(best) { axis } else { best });
        let mut closest = point;
        closest[nearest] = with_sign_of(self.half_extents[nearest], point[nearest]);
        let mut normal = Vec3::ZERO;
        normal[nearest] = with_sign_of(1.0, point[nearest]);
        PointProjection::rounded(DVec3::from(closest), DVec3::from(normal), distance(nearest))
    }

    /// First intersection with a ray; the ray's start if that lies inside.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let ray_f64 = RayF64::new(ray)?;
        let mut inside = Interval::WHOLE_LINE;
        for axis in Vec3::AXES {
            for normal in [axis, -axis] {
                let half_extent = f64::from(self.half_extents.dot(axis));
                let normal = DVec3::from(normal);
                let distance = ray_f64.origin.dot(normal) - half_extent;
                inside = inside.clip(distance, ray_f64.direction.dot(normal), normal)?;
            }
        }
        ray_f64.first_hit(ray, inside)
    }

    /// This box scaled along each axis.
    ///
    /// # Errors
    /// [`ShapeError`] if a factor is not finite and positive, or the result is out of range.
    pub fn scaled(&self, factors: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let factors = factors.into();
        for factor in factors.to_array() {
            checked_scale(factor)?;
        }
        Self::new(self.half_extents.mul_elements(factors))
    }
}
