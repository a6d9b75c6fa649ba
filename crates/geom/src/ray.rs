//! Rays, and the reciprocals a slab test needs.

use crate::TriangleHit;

/// Back-face culling of a ray.
#[doc(alias = "Faces")]
#[doc(alias = "RayCullingMode")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CullMode {
    /// Both sides of a triangle are hit.
    #[default]
    None,
    /// Back faces are culled: only the side from which the vertices run counter-clockwise is hit.
    BackFaces,
}

/// Ray, half-line or segment: the points `origin + t · direction` with `t_min <= t <= t_max`.
///
/// The direction is never normalized (normalization underflows small components and would lose
/// hits), so `t` is in units of its length. A zero or non-finite direction hits nothing. Magnitudes
/// from 1e-18 to 1e18 are handled without loss.
///
/// In a type, `Ray` is `Ray<3>`:
///
/// ```
/// # use embate_geom::Ray;
/// let rays: Vec<Ray> = vec![Ray::new([0.0; 3], [0.0, 0.0, 1.0])];
/// # assert!(rays[0].is_valid());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<const D: usize = 3> {
    /// Origin: the point at `t = 0`.
    pub origin: [f32; D],
    /// Direction: the displacement per unit of `t`. Any length.
    pub direction: [f32; D],
    /// Start of the range; hits before it are ignored. Default 0.
    pub t_min: f32,
    /// End of the range; hits after it are ignored. Default infinity.
    pub t_max: f32,
    /// Back-face culling. Default none.
    pub cull_mode: CullMode,
}

impl<const D: usize> Ray<D> {
    /// Half-line from `origin` along `direction`, without culling.
    #[must_use]
    pub fn new(origin: impl Into<[f32; D]>, direction: impl Into<[f32; D]>) -> Self {
        Self {
            origin: origin.into(),
            direction: direction.into(),
            t_min: 0.0,
            t_max: f32::INFINITY,
            cull_mode: CullMode::None,
        }
    }

    /// Segment between two points: `t` runs from 0 at `from` to 1 at `to`.
    #[must_use]
    #[doc(alias = "between")]
    pub fn segment(from: impl Into<[f32; D]>, to: impl Into<[f32; D]>) -> Self {
        let (from, to) = (from.into(), to.into());
        let direction: [f32; D] = core::array::from_fn(|axis| to[axis] - from[axis]);
        Self { t_max: 1.0, ..Self::new(from, direction) }
    }

    /// The same ray with the range `t_min <= t <= t_max`.
    #[must_use]
    #[doc(alias = "within")]
    pub fn with_range(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// The same ray with back faces culled.
    #[must_use]
    #[doc(alias = "culling_back_faces")]
    pub fn with_backface_culling(self) -> Self {
        Self { cull_mode: CullMode::BackFaces, ..self }
    }

    /// Whether the ray can hit anything: finite origin, finite nonzero direction, and a range that
    /// is not empty and has no NaN.
    #[must_use]
    #[doc(alias = "has_direction")]
    #[doc(alias = "leads_somewhere")]
    pub fn is_valid(&self) -> bool {
        self.origin.iter().chain(&self.direction).all(|c| c.is_finite())
            && self.direction.iter().any(|&c| c != 0.0)
            && self.t_min <= self.t_max
    }

    /// Point at parameter `t`.
    #[must_use]
    #[doc(alias = "at")]
    pub fn point_at(&self, t: f32) -> [f32; D] {
        core::array::from_fn(|axis| self.origin[axis] + t * self.direction[axis])
    }
}

/// Ray with precomputed reciprocals for slab tests
/// ([`Aabb::intersect_ray`](crate::Aabb::intersect_ray)).
#[doc(alias = "SlabRay")]
#[derive(Clone, Copy, Debug)]
pub struct RaySlabs<const D: usize> {
    /// Origin of the ray.
    pub origin: [f32; D],
    /// Reciprocal of each direction component; infinite for a zero.
    pub inv_direction: [f32; D],
    /// Sign bit of each direction component.
    #[doc(alias = "backwards")]
    pub is_negative: [bool; D],
}

impl<const D: usize> RaySlabs<D> {
    /// Factors for the far `t` of a slab, for nonnegative and negative values: they bound the
    /// rounding error, so that no interval ends too early (Ize 2013).
    #[doc(alias = "FAR_FACTORS")]
    pub const ROBUST_FAR_FACTORS: (f32, f32) =
        (1.0 + TriangleHit::T_ERROR_BOUND, 1.0 - TriangleHit::T_ERROR_BOUND);

    /// Computes the reciprocals, so that each box test needs no division.
    #[inline]
    #[must_use]
    pub fn new(ray: &Ray<D>) -> Self {
        // The sign bit, not `< 0.0`: 1 / -0.0 is -∞, so -0.0 must count as negative.
        let is_negative = ray.direction.map(f32::is_sign_negative);
        Self { origin: ray.origin, inv_direction: ray.direction.map(f32::recip), is_negative }
    }
}
