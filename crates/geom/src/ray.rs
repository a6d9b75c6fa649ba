//! What is a ray, and what of it is worth computing once?

use crate::Hit;

/// Which side of a triangle a ray can hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faces {
    /// Both sides.
    #[default]
    Both,
    /// Only the side from which the vertices run counter-clockwise; back faces are culled.
    Front,
}

/// Every point `origin + t · direction` with `t_min <= t <= t_max`.
///
/// The direction is used as given, never normalised (normalising underflows small components and
/// loses hits), so `t` counts in lengths of the direction. A direction that is zero or not finite
/// hits nothing. Magnitudes from 1e-18 to 1e18 are handled without loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<const D: usize> {
    /// Where `t` is 0.
    pub origin: [f32; D],
    /// How far one unit of `t` goes.
    pub direction: [f32; D],
    /// Hits before this are not counted; 0 unless asked otherwise.
    pub t_min: f32,
    /// Hits after this are not counted; infinite unless asked otherwise.
    pub t_max: f32,
    /// Whether back faces count.
    pub faces: Faces,
}

impl<const D: usize> Ray<D> {
    /// The half-line from `origin` along `direction`, hitting both faces.
    #[must_use]
    pub fn new(origin: [f32; D], direction: [f32; D]) -> Self {
        Self { origin, direction, t_min: 0.0, t_max: f32::INFINITY, faces: Faces::Both }
    }

    /// The segment between two points: `t` runs from 0 at `from` to 1 at `to`.
    #[must_use]
    pub fn between(from: [f32; D], to: [f32; D]) -> Self {
        let direction = core::array::from_fn(|axis| to[axis] - from[axis]);
        Self { t_max: 1.0, ..Self::new(from, direction) }
    }

    /// The same ray, counting only hits with `t_min <= t <= t_max`.
    #[must_use]
    pub fn within(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// The same ray, blind to back faces.
    #[must_use]
    pub fn culling_back_faces(self) -> Self {
        Self { faces: Faces::Front, ..self }
    }

    /// Whether it can meet anything: its origin and direction finite, the direction not zero, and no
    /// end of its range NaN.
    #[must_use]
    pub fn leads_somewhere(&self) -> bool {
        self.origin.iter().chain(&self.direction).all(|c| c.is_finite())
            && self.direction.iter().any(|&c| c != 0.0)
            && self.t_min <= self.t_max
    }

    /// The point at `t`.
    #[must_use]
    pub fn at(&self, t: f32) -> [f32; D] {
        core::array::from_fn(|axis| self.origin[axis] + t * self.direction[axis])
    }
}

/// A ray prepared for many box tests ([`Aabb::crossing`](crate::Aabb::crossing)).
#[derive(Clone, Copy, Debug)]
pub struct SlabRay<const D: usize> {
    /// Of the ray.
    pub origin: [f32; D],
    /// One over each component of the direction; infinite for a zero.
    pub inv_direction: [f32; D],
    /// Whether the ray runs against an axis, by the sign bit of its direction.
    pub backwards: [bool; D],
}

impl<const D: usize> SlabRay<D> {
    /// What the far `t` of a slab is multiplied by, where it is not negative and where it is: so that no
    /// rounding ends a crossing too early.
    pub const FAR_FACTORS: (f32, f32) = (1.0 + Hit::MARGIN, 1.0 - Hit::MARGIN);

    /// Divides once, so that each box costs multiplications only.
    #[inline]
    #[must_use]
    pub fn new(ray: &Ray<D>) -> Self {
        // The sign bit, not `< 0.0`: 1 / -0.0 is -∞, so -0.0 must count as backwards.
        let backwards = ray.direction.map(f32::is_sign_negative);
        Self { origin: ray.origin, inv_direction: ray.direction.map(f32::recip), backwards }
    }
}
