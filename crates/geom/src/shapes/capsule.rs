//! Capsule: a segment on the local y axis, swept by a sphere.

use crate::shapes::{
    MAX_SIZE, MassProperties, Obb, PointProjection, RayIntersection, ShapeError, ShapeLength,
    error::{checked_point, checked_scale, checked_size},
    padded_aabb,
    ray_intersection::{Interval, RayF64},
    with_sign_of,
};
use crate::{Aabb, BoundingSphere, DVec3, Mat3, Pose, Ray, Rotation, Vec3};

/// All points within `radius` of the segment from `(0, −half_height, 0)` to `(0, half_height, 0)`.
///
/// ```
/// use embate_geom::{Vec3, shapes::Capsule};
///
/// let capsule = Capsule::new(1.0, 0.25)?;
/// assert_eq!(capsule.support_point(Vec3::Y), Vec3::new(0.0, 1.25, 0.0));
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    half_height: f32,
    radius: f32,
}

impl Capsule {
    /// Capsule by half the length of its segment, which may be 0, and its radius.
    ///
    /// # Errors
    /// [`ShapeError`] if either is NaN or out of range.
    pub fn new(half_height: f32, radius: f32) -> Result<Self, ShapeError> {
        if !(0.0..=MAX_SIZE).contains(&half_height) {
            return Err(ShapeError::HalfHeight { value: half_height });
        }
        // Adding 0 turns −0 into 0.
        Ok(Self {
            half_height: half_height + 0.0,
            radius: checked_size(ShapeLength::Radius, radius)?,
        })
    }

    /// Capsule around the segment from `start` to `end`, and its pose. The local y axis points from
    /// `start` to `end`; if they coincide, the rotation is the identity.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::Capsule};
    ///
    /// let (pose, capsule) = Capsule::from_segment([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], 0.5)?;
    /// assert_eq!((capsule.half_height(), pose.position), (2.0, Vec3::new(3.0, 0.0, 0.0)));
    /// let end = pose.transform_point(capsule.half_segment());
    /// assert!((end - Vec3::new(5.0, 0.0, 0.0)).length() < 1e-6);
    /// # Ok::<(), embate_geom::shapes::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ShapeError`] if an endpoint is not finite or too far from the origin, or the half-height
    /// or radius is out of range.
    #[doc(alias = "new_between")]
    pub fn from_segment(
        start: impl Into<Vec3>,
        end: impl Into<Vec3>,
        radius: f32,
    ) -> Result<(Pose, Self), ShapeError> {
        let start = DVec3::from(checked_point("endpoint", start.into())?);
        let end = DVec3::from(checked_point("endpoint", end.into())?);
        let axis = end - start;
        let capsule = Self::new((axis.length() * 0.5) as f32, radius)?;
        let rotation = axis
            .try_normalize_f32()
            .and_then(|axis| Rotation::from_rotation_arc(Vec3::Y, axis))
            .unwrap_or(Rotation::IDENTITY);
        Ok((Pose::new(((start + end) * 0.5).as_vec3(), rotation), capsule))
    }

    /// Half the length of the segment, without the hemispherical caps.
    #[inline]
    #[must_use]
    pub const fn half_height(&self) -> f32 {
        self.half_height
    }

    /// Radius of the cylinder and of the caps.
    #[inline]
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Upper end of the segment; the lower end is its negative.
    #[inline]
    #[must_use]
    #[doc(alias = "tip")]
    pub const fn half_segment(&self) -> Vec3 {
        Vec3::new(0.0, self.half_height, 0.0)
    }

    /// Support point: the point farthest along `direction`, which may have any length. Without a
    /// direction, the point beside the upper end on the side of +x.
    #[inline]
    #[must_use]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into();
        let end = Vec3::new(0.0, with_sign_of(self.half_height, direction.y), 0.0);
        end + direction.try_normalize().unwrap_or(Vec3::X) * self.radius
    }

    /// World AABB, conservative.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        // By the matrix: its columns have length 1 even if the quaternion has drifted.
        let half_segment = (pose.rotation.to_matrix().columns[1] * self.half_height).abs();
        padded_aabb(pose, pose.position, half_segment + Vec3::splat(self.radius))
    }

    /// Volume, center of mass and inertia: a cylinder and two hemispheres.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        let (h, r) = (f64::from(self.half_height), f64::from(self.radius));
        let cylinder = 2.0 * core::f64::consts::PI * r * r * h;
        let caps = 4.0 / 3.0 * core::f64::consts::PI * r * r * r;
        let volume = cylinder + caps;
        // The centroid of a hemisphere lies 3/8 r from its flat side.
        let about_axis = (cylinder * r * r / 2.0 + caps * 0.4 * r * r) / volume;
        let across = (cylinder * (h * h / 3.0 + r * r / 4.0)
            + caps * (0.4 * r * r + h * h + 0.75 * h * r))
            / volume;
        let (about_axis, across) = (about_axis as f32, across as f32);
        MassProperties {
            volume: volume as f32,
            center_of_mass: Vec3::ZERO,
            unit_inertia: Mat3::from_diagonal(Vec3::new(across, about_axis, across)),
        }
    }

    /// Smallest oriented bounding box.
    #[must_use]
    pub fn obb(&self) -> Obb {
        let half_extents = Vec3::new(self.radius, self.half_height + self.radius, self.radius);
        Obb { pose: Pose::IDENTITY, half_extents }
    }

    /// Smallest bounding sphere.
    #[must_use]
    pub fn bounding_sphere(&self) -> BoundingSphere<3> {
        let radius = (self.half_height + self.radius) * (1.0 + f32::EPSILON);
        BoundingSphere { center: [0.0; 3], radius }
    }

    /// Whether `point` lies inside or on the surface; `false` for NaN.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let beyond_end = point.y.abs() - self.half_height;
        let offset = Vec3::new(point.x, if beyond_end <= 0.0 { 0.0 } else { beyond_end }, point.z);
        DVec3::from(offset).length() <= f64::from(self.radius)
    }

    /// Closest point on the surface, with signed distance. On the segment the normal is the x axis.
    ///
    /// `is_inside` is exact in f64; [`contains_point`](Self::contains_point) may differ by one
    /// rounding of the y coordinate.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::Capsule};
    ///
    /// let projection = Capsule::new(1.0, 0.5)?.project_point(Vec3::new(3.0, 0.25, 0.0));
    /// assert_eq!((projection.point, projection.distance), (Vec3::new(0.5, 0.25, 0.0), 2.5));
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
        let beyond_end = f64::from(point.y.abs()) - f64::from(self.half_height);
        let beyond_end = if beyond_end <= 0.0 { 0.0 } else { beyond_end };
        let along = if point.y < 0.0 { -beyond_end } else { beyond_end };
        let query = DVec3::from(point);
        let offset = DVec3 { y: along, ..query };
        PointProjection::around_core(query, offset, f64::from(self.radius), DVec3::from(Vec3::X))
    }

    /// First intersection with a ray; the ray's start if that lies inside.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let ray_f64 = RayF64::new(ray)?;
        let radius = f64::from(self.radius);
        let half_segment = DVec3::from(self.half_segment());
        // The capsule is convex: its interval runs from the first entry into a part to the last
        // exit.
        let parts = [
            self.interval_in_cylinder(&ray_f64),
            Interval::in_sphere(&ray_f64, half_segment, radius),
            Interval::in_sphere(&ray_f64, half_segment * -1.0, radius),
        ];
        let inside = parts.into_iter().flatten().reduce(|a, b| Interval {
            exit: if a.exit > b.exit { a.exit } else { b.exit },
            ..if a.enter <= b.enter { a } else { b }
        })?;
        ray_f64.first_hit(ray, inside)
    }

    /// Interval inside the cylinder between the caps.
    fn interval_in_cylinder(self, ray: &RayF64) -> Option<Interval> {
        let up = DVec3::from(Vec3::Y);
        let horizontal = |vector: DVec3| DVec3 { y: 0.0, ..vector };
        let (origin, direction) = (horizontal(ray.origin), horizontal(ray.direction));
        let inside = if direction == DVec3::ZERO {
            // Parallel to the axis: only the end planes clip.
            (origin.length() <= f64::from(self.radius)).then_some(Interval::WHOLE_LINE)
        } else {
            let horizontal_ray = RayF64 { origin, direction };
            Interval::in_sphere(&horizontal_ray, DVec3::ZERO, f64::from(self.radius))
        };
        let (height, slope) = (ray.origin.y, ray.direction.y);
        let half_height = f64::from(self.half_height);
        inside?.clip(height - half_height, slope, up)?.clip(
            -height - half_height,
            -slope,
            up * -1.0,
        )
    }

    /// This capsule scaled by `factor`.
    ///
    /// # Errors
    /// [`ShapeError`] if the factor is not finite and positive, or the result is out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, ShapeError> {
        let factor = checked_scale(factor)?;
        Self::new(self.half_height * factor, self.radius * factor)
    }
}
