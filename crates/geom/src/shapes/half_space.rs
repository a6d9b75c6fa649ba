//! Everything behind a plane: the ground, a wall.

use super::{
    InvalidShape, ShapeHit,
    hit::{Stretch, WideRay},
};
use crate::{Aabb, Pose, Ray, Rotation, Vec3, Wide};

/// Where its box ends: as far out as a box may reach and squares of coordinates stay within f32.
const FAR: f32 = 1e18;

/// All points `p` with `normal · p <= 0`: solid without end on the side that the normal points away from.
///
/// It has no size, so that it has no volume, centroid or support point either.
///
/// ```
/// use embate_geom::{Vec3, shapes::Plane};
///
/// let ground = Plane::new(Vec3::new(0.0, 2.0, 0.0))?;
/// assert_eq!(ground.normal(), Vec3::Y);
/// # Ok::<(), embate_geom::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: Vec3,
}

impl Plane {
    /// Through the origin, by the direction out of the solid, which may have any length.
    ///
    /// # Errors
    /// [`InvalidShape::NoDirection`] if it has no direction: zero, NaN or infinite.
    pub fn new(normal: Vec3) -> Result<Self, InvalidShape> {
        let refused = InvalidShape::NoDirection { normal: normal.to_array() };
        // One that has length 1 stays as it is, so that what was read back is what was written.
        if (normal.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON {
            return Ok(Self { normal });
        }
        normal.normalised().map(|normal| Self { normal }).ok_or(refused)
    }

    /// Out of the solid; of length 1.
    #[inline]
    #[must_use]
    pub const fn normal(&self) -> Vec3 {
        self.normal
    }

    /// A box around it in the world: all of space, but for the empty side of a plane square to an axis.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        let mut bounds = Aabb { min: [-FAR; 3], max: [FAR; 3] };
        let normal = pose.rotation.turn(self.normal);
        for axis in 0..3 {
            // Exactly along the axis: the least lean would reach everywhere.
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

    /// Whether a point lies inside or on the surface; a NaN does not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        Wide::from(self.normal).dot(Wide::from(point)) <= 0.0
    }

    /// Where a ray enters it; where the ray begins, if that is inside.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let (wide, normal) = (WideRay::of(ray)?, Wide::from(self.normal));
        let (above, along) = (wide.origin.dot(normal), wide.direction.dot(normal));
        wide.hit(ray, Stretch::WHOLE.cut(above, along, normal)?)
    }

    /// Turned about the origin.
    #[must_use]
    pub fn rotated(&self, rotation: Rotation) -> Self {
        let turned = rotation.turn(self.normal);
        Self { normal: turned.normalised().unwrap_or(turned) }
    }
}
