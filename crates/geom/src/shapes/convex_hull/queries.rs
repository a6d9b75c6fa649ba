//! Is a point inside a hull, where does a ray enter it, and what becomes of it moved, turned or scaled?

use super::Hull;
use crate::{
    Ray, Rotation, Vec3, Wide,
    shapes::{
        InvalidShape, ShapeHit,
        hit::{Stretch, WideRay},
        invalid::checked_scale,
    },
};

impl Hull {
    /// Whether a point lies inside or on the surface; a NaN does not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let point = Wide::from(point);
        self.faces.iter().all(|face| Wide::from(face.normal).dot(point) <= f64::from(face.offset))
    }

    /// Where a ray enters it; where the ray begins, if that is inside.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let wide = WideRay::of(ray)?;
        let mut stretch = Stretch::WHOLE;
        for face in &self.faces {
            let normal = Wide::from(face.normal);
            let above = wide.origin.dot(normal) - f64::from(face.offset);
            stretch = stretch.cut(above, wide.direction.dot(normal), normal)?;
        }
        wide.hit(ray, stretch)
    }

    /// Moved within its own frame.
    ///
    /// # Errors
    /// [`InvalidShape`] if a corner leaves the range, or all fall into one plane by rounding.
    pub fn translated(&self, offset: Vec3) -> Result<Self, InvalidShape> {
        self.mapped(|vertex| vertex + offset)
    }

    /// Turned about the origin of its own frame.
    ///
    /// # Errors
    /// [`InvalidShape`] if a corner leaves the range, or all fall into one plane by rounding.
    pub fn rotated(&self, rotation: Rotation) -> Result<Self, InvalidShape> {
        self.mapped(|vertex| rotation.turn(vertex))
    }

    /// Larger or smaller along each axis, about the origin of its own frame.
    ///
    /// # Errors
    /// [`InvalidShape`] if a factor is not a finite number above 0, a corner leaves the range, or all fall
    /// into one plane by rounding.
    pub fn scaled(&self, factors: Vec3) -> Result<Self, InvalidShape> {
        for factor in factors.to_array() {
            checked_scale(factor)?;
        }
        self.mapped(|vertex| vertex.scaled_by(factors))
    }

    fn mapped(&self, map: impl Fn(Vec3) -> Vec3) -> Result<Self, InvalidShape> {
        let points: Vec<Vec3> = self.vertices.iter().map(|&vertex| map(vertex)).collect();
        Self::new(&points)
    }
}
