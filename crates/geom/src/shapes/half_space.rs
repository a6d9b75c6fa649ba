//! Half-space: all points behind a plane through the local origin, such as the ground or a wall.

use crate::shapes::{
    PointProjection, RayIntersection, ShapeError,
    ray_intersection::{Interval, RayF64},
};
use crate::{Aabb, DVec3, Pose, Ray, Rotation, Vec3};

/// Extent of the AABB: the largest coordinate whose square stays within f32.
const AABB_EXTENT: f32 = 1e18;

/// All points `p` with `normal · p <= 0`: unbounded and solid on the side opposite to the normal.
///
/// An unbounded shape has no volume, centroid or support point.
///
/// ```
/// use embate_geom::{Vec3, shapes::HalfSpace};
///
/// let ground = HalfSpace::new([0.0, 2.0, 0.0])?;
/// assert_eq!(ground.normal(), Vec3::Y);
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Plane")]
pub struct HalfSpace {
    normal: Vec3,
}

impl HalfSpace {
    /// Half-space through the origin by its outward normal, of any length.
    ///
    /// # Errors
    /// [`ShapeError::NoDirection`] if the normal is zero, NaN or infinite.
    pub fn new(normal: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let normal = normal.into();
        // A normal of length 1 keeps its bits, so that text output reads back as the same shape.
        if (normal.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON {
            return Ok(Self { normal });
        }
        normal
            .try_normalize()
            .map(|normal| Self { normal })
            .ok_or(ShapeError::NoDirection { normal: normal.to_array() })
    }

    /// Outward unit normal.
    #[inline]
    #[must_use]
    pub const fn normal(&self) -> Vec3 {
        self.normal
    }

    /// World AABB: ±1e18 on every axis, except that an axis-aligned plane bounds its own axis.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        let mut bounds = Aabb { min: [-AABB_EXTENT; 3], max: [AABB_EXTENT; 3] };
        let normal = pose.rotation.rotate(self.normal);
        for axis in 0..3 {
            // Only if exactly aligned: with the smallest tilt the solid extends everywhere.
            if normal[(axis + 1) % 3] == 0.0 && normal[(axis + 2) % 3] == 0.0 {
                if normal[axis] > 0.0 {
                    bounds.max[axis] = pose.position[axis];
                } else {
                    bounds.min[axis] = pose.position[axis];
                }
            }
        }
        bounds
    }

    /// Whether `point` lies inside or on the surface; `false` for NaN.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        DVec3::from(self.normal).dot(DVec3::from(point)) <= 0.0
    }

    /// Closest point on the plane, with signed distance.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::HalfSpace};
    ///
    /// let projection = HalfSpace::new(Vec3::Y)?.project_point(Vec3::new(1.0, -3.0, 2.0));
    /// assert_eq!((projection.point, projection.distance), (Vec3::new(1.0, 0.0, 2.0), -3.0));
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
        // The stored normal has length 1 only up to rounding to f32.
        let (query, normal) = (DVec3::from(point), DVec3::from(self.normal));
        let distance = normal.dot(query) / normal.length();
        let normal = normal.normalize();
        PointProjection::rounded(query - normal * distance, normal, distance)
    }

    /// First intersection with a ray; the ray's start if that lies inside.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let (ray_f64, normal) = (RayF64::new(ray)?, DVec3::from(self.normal));
        let (distance, slope) = (ray_f64.origin.dot(normal), ray_f64.direction.dot(normal));
        ray_f64.first_hit(ray, Interval::WHOLE_LINE.clip(distance, slope, normal)?)
    }

    /// This half-space rotated about the origin.
    #[must_use]
    pub fn rotated(&self, rotation: Rotation) -> Self {
        let rotated = rotation.rotate(self.normal);
        Self { normal: rotated.try_normalize().unwrap_or(rotated) }
    }
}
