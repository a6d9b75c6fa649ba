//! Containment, ray casts and transforms of a hull.

use crate::shapes::convex_hull::ConvexHull;
use crate::{
    DVec3, Ray, Rotation, Vec3,
    shapes::{
        RayIntersection, ShapeError,
        error::checked_scale,
        ray_intersection::{Interval, RayF64},
    },
};

impl ConvexHull {
    /// Whether `point` lies inside or on the surface; `false` for NaN.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let point = DVec3::from(point);
        self.faces.iter().all(|face| DVec3::from(face.normal).dot(point) <= f64::from(face.offset))
    }

    /// First intersection with a ray; the ray's start if that lies inside.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let ray_f64 = RayF64::new(ray)?;
        let mut inside = Interval::WHOLE_LINE;
        for face in &self.faces {
            let normal = DVec3::from(face.normal);
            let distance = ray_f64.origin.dot(normal) - f64::from(face.offset);
            inside = inside.clip(distance, ray_f64.direction.dot(normal), normal)?;
        }
        ray_f64.first_hit(ray, inside)
    }

    /// This hull translated in its local frame.
    ///
    /// # Errors
    /// [`ShapeError`] if a vertex leaves the range, or rounding makes all of them coplanar.
    pub fn translated(&self, offset: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let offset = offset.into();
        self.mapped(|vertex| vertex + offset)
    }

    /// This hull rotated about the local origin.
    ///
    /// # Errors
    /// [`ShapeError`] if a vertex leaves the range, or rounding makes all of them coplanar.
    pub fn rotated(&self, rotation: Rotation) -> Result<Self, ShapeError> {
        self.mapped(|vertex| rotation.rotate(vertex))
    }

    /// This hull scaled along each axis about the local origin.
    ///
    /// # Errors
    /// [`ShapeError`] if a factor is not finite and positive, a vertex leaves the range, or
    /// rounding makes all of them coplanar.
    pub fn scaled(&self, factors: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let factors = factors.into();
        for factor in factors.to_array() {
            checked_scale(factor)?;
        }
        self.mapped(|vertex| vertex.mul_elements(factors))
    }

    fn mapped(&self, map: impl Fn(Vec3) -> Vec3) -> Result<Self, ShapeError> {
        let points: Vec<Vec3> = self.vertices.iter().map(|&vertex| map(vertex)).collect();
        Self::new(&points)
    }
}
