//! A box about its own origin, its edges along its own axes; a pose turns it into an oriented one.

use super::{
    InvalidShape, MAX_SIZE, MassProperties, Obb, ShapeHit, guarded_aabb,
    hit::{Stretch, WideRay},
    invalid::{checked_scale, checked_size},
    turned_half, with_sign_of,
};
use crate::{Aabb, Ball, Mat3, Pose, Ray, Vec3, Wide};

/// A box with its middle in the origin.
///
/// ```
/// use embate_geom::{Vec3, shapes::Cuboid};
///
/// let (pose, crate_) = Cuboid::from_corners(Vec3::new(1.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 1.0))?;
/// assert_eq!((pose.position, crate_.half()), (Vec3::new(2.0, 0.5, 0.5), Vec3::new(1.0, 0.5, 0.5)));
/// # Ok::<(), embate_geom::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: Vec3,
}

impl Cuboid {
    /// By its half-widths.
    ///
    /// # Errors
    /// [`InvalidShape::Size`] if one of them is NaN or out of range.
    pub fn new(half: Vec3) -> Result<Self, InvalidShape> {
        Ok(Self {
            half: Vec3::new(
                checked_size("half-width along x", half.x)?,
                checked_size("half-width along y", half.y)?,
                checked_size("half-width along z", half.z)?,
            ),
        })
    }

    /// Between two corners: the box, and where it is.
    ///
    /// # Errors
    /// [`InvalidShape`] if a corner is not finite or too far out, or `max` is not beyond `min`.
    pub fn from_corners(min: Vec3, max: Vec3) -> Result<(Pose, Self), InvalidShape> {
        for corner in [min, max] {
            if !(corner.abs().x <= MAX_SIZE
                && corner.abs().y <= MAX_SIZE
                && corner.abs().z <= MAX_SIZE)
            {
                return Err(InvalidShape::Corner { corner: corner.to_array() });
            }
        }
        let cuboid = Self::new((max - min) * 0.5)?;
        Ok((Pose::at((min + max) * 0.5), cuboid))
    }

    /// From its least corner, by the lengths of its edges: the box, and where it is.
    ///
    /// # Errors
    /// [`InvalidShape`] if the corner is not finite or too far out, or an edge NaN or out of range.
    pub fn from_edges(min: Vec3, edges: Vec3) -> Result<(Pose, Self), InvalidShape> {
        if !(min.abs().x <= MAX_SIZE && min.abs().y <= MAX_SIZE && min.abs().z <= MAX_SIZE) {
            return Err(InvalidShape::Corner { corner: min.to_array() });
        }
        let cuboid = Self::new(edges * 0.5)?;
        Ok((Pose::at(min + edges * 0.5), cuboid))
    }

    /// From the middle to each face.
    #[inline]
    #[must_use]
    pub const fn half(&self) -> Vec3 {
        self.half
    }

    /// The corner farthest along `direction`; of equal ones, that with the greater coordinates.
    #[inline]
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        Vec3::new(
            with_sign_of(self.half.x, direction.x),
            with_sign_of(self.half.y, direction.y),
            with_sign_of(self.half.z, direction.z),
        )
    }

    /// A box around it in the world.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        guarded_aabb(pose, pose.position, turned_half(pose, self.half))
    }
    /// What it weighs.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        let Vec3 { x, y, z } = self.half;
        let (xx, yy, zz) = (x * x / 3.0, y * y / 3.0, z * z / 3.0);
        MassProperties {
            volume: 8.0 * x * y * z,
            centroid: Vec3::ZERO,
            inertia_per_mass: Mat3::diagonal(Vec3::new(yy + zz, xx + zz, xx + yy)),
        }
    }

    /// The tightest box around it: itself.
    #[must_use]
    pub fn obb(&self) -> Obb {
        Obb { pose: Pose::IDENTITY, half: self.half }
    }

    /// The smallest sphere around it.
    #[must_use]
    pub fn bounding_sphere(&self) -> Ball<3> {
        Ball { center: [0.0; 3], radius: self.half.length() * (1.0 + 2.0 * f32::EPSILON) }
    }

    /// Whether a point lies inside or on the surface; a NaN does not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let point = point.abs();
        point.x <= self.half.x && point.y <= self.half.y && point.z <= self.half.z
    }

    /// Where a ray enters it; where the ray begins, if that is inside.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let wide = WideRay::of(ray)?;
        let mut stretch = Stretch::WHOLE;
        for axis in Vec3::AXES {
            for normal in [axis, -axis] {
                let (half, normal) = (f64::from(self.half.dot(axis)), Wide::from(normal));
                let above = wide.origin.dot(normal) - half;
                stretch = stretch.cut(above, wide.direction.dot(normal), normal)?;
            }
        }
        wide.hit(ray, stretch)
    }

    /// Larger or smaller along each axis.
    ///
    /// # Errors
    /// [`InvalidShape`] if a factor is not a finite number above 0, or the result out of range.
    pub fn scaled(&self, factors: Vec3) -> Result<Self, InvalidShape> {
        for factor in factors.to_array() {
            checked_scale(factor)?;
        }
        Self::new(self.half.scaled_by(factors))
    }
}
