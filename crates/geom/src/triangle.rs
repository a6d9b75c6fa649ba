//! Watertight ray–triangle intersection (Woop, Benthin, Wald 2013).
//!
//! Guarantee: watertight. A ray through a shared edge or vertex of a closed mesh hits at least one
//! of the adjacent triangles, for two reasons:
//!
//! - Each vertex is sheared into the ray's frame by operations on that vertex and the ray alone, so
//!   adjacent triangles compute the same edge:
//!
//! ```text
//!        world                      ray frame: the ray is the z axis, hits are at (0, 0)
//!      b ●───● c                          b ●───● c        edge function of an edge p → q:
//!       ╱ ╲ ╱    ray ──►     shear         ╱ ╲ ╱           p.x q.y − p.y q.x
//!    a ●───● d              ───────►    a ●───● d          > 0: (0, 0) is to its left
//! ```
//!
//! - The sign of an edge function is exact: rounding is monotonic, so a difference of two rounded
//!   products can only err by being 0, and then it is recomputed in f64, where it is exact.
//!
//! Guarantee: prunable. Every hit lies in the padded AABB of its triangle
//! ([`Triangle::padded_aabb`]) up to a few roundings of its distance: the ray enters the box at
//! some `t` no later than [`TriangleHit::padded_t`] of the reported one. A tree whose boxes contain
//! the padded AABBs may therefore prune by them and returns the same hit as brute force, bit for
//! bit. The derivation is in `docs/robustness.md`.
#![allow(clippy::inline_always, reason = "measured hot path; code generation depends on inlining")]

use core::hint::select_unpredictable;

use crate::{Aabb, CullMode, DVec3, Ray, Vec3, predicates, scalar};

/// Padding of a triangle's AABB relative to its longest side: bounds the distance of a reported hit
/// from the triangle, by f32 barycentric weights of well-conditioned triangles (6,147 ε) and by the
/// rounded projection.
const PADDING_RATIO: f32 = 8_192.0 * f32::EPSILON;

/// Threshold for recomputing the weights in f64: twice the projected area, relative to the largest
/// product in an edge function. Below it the triangle is nearly edge-on or a sliver, and f32
/// weights could be mostly rounding error.
pub(crate) const MIN_AREA_RATIO: f32 = 1.0 / 512.0;
/// Absolute part of that threshold: products below it are subnormal and have lost bits.
pub(crate) const MIN_AREA: f32 = 64.0 * f32::MIN_POSITIVE;

/// Axes of the ray frame, by the dominant axis of the direction and its sign.
const RAY_FRAME_AXES: [[[u32; 4]; 2]; 3] =
    [[[1, 2, 0, 0], [2, 1, 0, 0]], [[2, 0, 1, 0], [0, 2, 1, 0]], [[0, 1, 2, 0], [1, 0, 2, 0]]];

/// Triangle by its three vertices, counter-clockwise seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle(pub [[f32; 3]; 3]);

/// Intersection of a ray with a triangle of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Hit")]
#[doc(alias = "RayIntersection")]
pub struct TriangleHit {
    /// Ray parameter, in units of the direction's length.
    pub t: f32,
    /// Index of the triangle in the mesh.
    #[doc(alias = "primID")]
    pub triangle: u32,
    /// Barycentric weight of the second vertex: the hit is at `(1 − u − v)·a + u·b + v·c`.
    pub u: f32,
    /// Barycentric weight of the third vertex.
    pub v: f32,
}

impl TriangleHit {
    /// Whether this hit precedes `other`: smaller `t`, or equal `t` and smaller triangle index.
    #[inline]
    #[must_use]
    #[doc(alias = "precedes")]
    pub fn is_before(&self, other: &Self) -> bool {
        self.t < other.t || (self.t == other.t && self.triangle < other.triangle)
    }

    /// Relative error bound of `t`: the padded AABB of a hit's triangle may end before the reported
    /// `t` or begin after it by at most 10 ε of `t` (`docs/robustness.md`); the rest covers the
    /// rounding of applying the bound.
    #[doc(alias = "MARGIN")]
    pub const T_ERROR_BOUND: f32 = 18.0 * f32::EPSILON;

    /// Pruning distance: a box entered after this contains no hit with a reported parameter up to
    /// `t`.
    #[inline(always)]
    #[must_use]
    #[doc(alias = "beyond")]
    pub fn padded_t(t: f32) -> f32 {
        t + t.abs() * Self::T_ERROR_BOUND
    }
}

impl Triangle {
    /// Unit normal of the front, from which the vertices run counter-clockwise; `None` if the
    /// triangle [is degenerate](Self::is_degenerate).
    ///
    /// ```
    /// use embate_geom::{Triangle, Vec3};
    ///
    /// let triangle = Triangle([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    /// assert_eq!(triangle.unit_normal(), Some(Vec3::Z));
    /// ```
    #[must_use]
    #[doc(alias = "normal")]
    pub fn unit_normal(&self) -> Option<Vec3> {
        if self.is_degenerate() {
            return None;
        }
        // In f64: the edges of a sliver are nearly parallel, and f32 would lose the normal.
        let [a, b, c] = self.0.map(|vertex| DVec3::from(Vec3::from(vertex)));
        let normal = (b - a).cross(c - a);
        let length = normal.length();
        let component = |component: f64| (component / length) as f32;
        let [x, y, z] = [normal.x, normal.y, normal.z].map(component);
        (length > 0.0).then(|| Vec3::new(x, y, z))
    }

    /// AABB of the vertices.
    #[inline]
    #[must_use]
    #[doc(alias = "bounds")]
    pub fn aabb(&self) -> Aabb<3> {
        let [a, b, c] = &self.0;
        Aabb { min: *a, max: *a }.with_point(b).with_point(c)
    }

    /// AABB for pruning: [`aabb`](Self::aabb) grown by the rounding error of the triangle test. A
    /// tighter box would lose hits.
    #[inline]
    #[must_use]
    #[doc(alias = "guarded_bounds")]
    pub fn padded_aabb(&self) -> Aabb<3> {
        let mut bounds = self.aabb();
        let padding = self.aabb_padding();
        for axis in 0..3 {
            // One ulp of the coordinate in addition: it would absorb the padding of a small
            // triangle far from the origin.
            let (min, max) = (&mut bounds.min[axis], &mut bounds.max[axis]);
            *min -= padding + min.abs() * f32::EPSILON;
            *max += padding + max.abs() * f32::EPSILON;
        }
        bounds
    }

    /// Minimum padding of a box around this triangle, or around a part of it, such that the box
    /// contains every hit in that part.
    #[inline]
    #[must_use]
    #[doc(alias = "guard")]
    pub fn aabb_padding(&self) -> f32 {
        self.aabb().max_extent() * PADDING_RATIO
    }

    /// Whether the area is exactly 0.
    #[must_use]
    pub fn is_degenerate(&self) -> bool {
        let [a, b, c] = self.0;
        predicates::are_collinear(a, b, c)
    }
}

/// Ray with precomputed shear for watertight triangle tests.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "ShearedRay")]
pub struct WatertightRay {
    /// Axes of the ray frame: `axes[2]` is the dominant axis of the direction; the other two are
    /// ordered such that the frame has the handedness of the world and keeps the winding. The
    /// fourth element pads them to one vector.
    pub(crate) axes: [u32; 4],
    /// Origin of the ray in world axes. Four elements, so that indexing needs no bounds check.
    pub(crate) origin: [f32; 4],
    /// Direction per unit of the dominant axis, in world axes. The fourth element is −1 over the
    /// dominant component, from which [`neg_inv_dominant`](Self::neg_inv_dominant) is computed.
    pub(crate) shear: [f32; 4],
    /// −1 over the direction component of the dominant axis; NaN if that is infinite.
    pub(crate) neg_inv_dominant: f32,
    /// Finite, or NaN.
    pub(crate) t_min: f32,
    pub(crate) cull_mode: CullMode,
}

impl WatertightRay {
    /// Computes the shear, so that a triangle test needs no division before a hit.
    #[inline(always)]
    #[must_use]
    pub fn new(ray: &Ray<3>) -> Self {
        let [dx, dy, dz] = ray.direction;
        // Branch-free: directions are effectively random, and half of the branches would be
        // mispredicted.
        let is_longer = dy.abs() > dx.abs();
        let is_longest = dz.abs() > scalar::max(dx.abs(), dy.abs());
        let dominant = select_unpredictable(is_longest, 2, usize::from(is_longer));
        // Indexed in place: a copy of the direction would be stored first and cause a forwarding
        // stall.
        let along = ray.direction[dominant];
        // Four lanes: one vector division.
        let shear = [dx / along, dy / along, dz / along, -1.0 / along];
        let [x, y, z] = ray.origin;
        Self {
            axes: RAY_FRAME_AXES[dominant][usize::from(along < 0.0)],
            origin: [x, y, z, 0.0],
            shear,
            // 1 / ∞ is 0 and would put every hit at t = 0; adding 0 · ∞ = NaN makes every test
            // miss.
            neg_inv_dominant: shear[3] + 0.0 * along,
            t_min: scalar::max(-f32::MAX, ray.t_min),
            cull_mode: ray.cull_mode,
        }
    }

    /// Hit with `triangle` in `t_min..=t_max`, if any; `index` is stored in the result. `t_max` is
    /// a parameter because a traversal lowers it as it finds closer hits.
    #[inline]
    #[must_use]
    #[doc(alias = "hit")]
    pub fn intersect_triangle(
        &self,
        triangle: &Triangle,
        index: u32,
        t_max: f32,
    ) -> Option<TriangleHit> {
        let [a, b, c] = triangle.0.map(|point| self.in_ray_frame(&point));
        let [u, v] = self.weights(&a, &b, &c)?;
        // This form is exact for a triangle perpendicular to the dominant axis.
        let depth = a[2] + (u * (b[2] - a[2]) + v * (c[2] - a[2]));
        let t = depth * self.neg_inv_dominant;
        // Adding 0 turns -0 into 0: equal hits must have equal bits.
        let hit = TriangleHit { t: t + 0.0, triangle: index, u: u + 0.0, v: v + 0.0 };
        (self.t_min <= t && t <= scalar::min(f32::MAX, t_max)).then_some(hit)
    }

    /// Barycentric weights of the second and third vertex; `None` if the ray misses the triangle,
    /// is in its plane, or hits a culled back face.
    #[inline]
    fn weights(&self, a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> Option<[f32; 2]> {
        let (wa, wb, wc) = (edge(c, b), edge(a, c), edge(b, a));
        let any_front = wa > 0.0 || wb > 0.0 || wc > 0.0;
        let any_back = wa < 0.0 || wb < 0.0 || wc < 0.0;
        // Nonzero signs are exact, so most triangles are rejected here; only a 0 is ambiguous.
        if !self.accepts_signs(any_front, any_back) {
            return None;
        }
        let area = wa + wb + wc;
        let is_well_conditioned = area.abs() >= min_reliable_area(a, b, c);
        if wa == 0.0 || wb == 0.0 || wc == 0.0 || !is_well_conditioned {
            return self.weights_exact(a, b, c);
        }
        // All three have the same sign, so the sum is not 0 and each quotient is in 0..=1: products
        // with them stay in the range of f32.
        Some([wb / area, wc / area])
    }

    /// [`weights`](Self::weights) in f64, where a product of two f32 is exact: signs are exact, and
    /// every weight is accurate to 1 ulp.
    #[cold]
    fn weights_exact(&self, a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> Option<[f32; 2]> {
        let weight = [edge_exact(c, b), edge_exact(a, c), edge_exact(b, a)];
        let any_front = weight.iter().any(|&w| w > 0.0);
        let any_back = weight.iter().any(|&w| w < 0.0);
        let area = weight[0] + weight[1] + weight[2];
        (self.accepts_signs(any_front, any_back) && area != 0.0)
            .then(|| [(weight[1] / area) as f32, (weight[2] / area) as f32])
    }

    #[inline]
    fn accepts_signs(&self, any_front: bool, any_back: bool) -> bool {
        match self.cull_mode {
            CullMode::None => !(any_front && any_back),
            CullMode::BackFaces => !any_back,
        }
    }

    #[inline(always)]
    pub(crate) fn axes(&self) -> [usize; 3] {
        let [x, y, z, _] = self.axes;
        // Values are below 3; the mask removes bounds checks on arrays of four.
        [x as usize & 3, y as usize & 3, z as usize & 3]
    }

    /// Sheared vector from a point to the ray's origin, in the ray frame. In this direction the
    /// point can be the memory operand of the subtraction.
    #[inline]
    fn in_ray_frame(&self, point: &[f32; 3]) -> [f32; 3] {
        let [x, y, z] = self.axes();
        let along = self.origin[z] - point[z];
        [
            (self.origin[x] - point[x]) - self.shear[x] * along,
            (self.origin[y] - point[y]) - self.shear[y] * along,
            along,
        ]
    }
}

/// Edge function: twice the signed area of the triangle `(0, from, to)`.
#[inline]
fn edge(from: &[f32; 3], to: &[f32; 3]) -> f32 {
    from[0] * to[1] - from[1] * to[0]
}

/// Twice the projected area below which f32 weights are unreliable.
#[inline]
fn min_reliable_area(a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> f32 {
    let max_abs =
        |axis: usize| scalar::max(scalar::max(a[axis].abs(), b[axis].abs()), c[axis].abs());
    max_abs(0) * max_abs(1) * MIN_AREA_RATIO + MIN_AREA
}

fn edge_exact(from: &[f32; 3], to: &[f32; 3]) -> f64 {
    f64::from(from[0]) * f64::from(to[1]) - f64::from(from[1]) * f64::from(to[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Triangle = Triangle([[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [0.0, 4.0, 5.0]]);

    fn hit(ray: &Ray<3>, triangle: &Triangle) -> Option<TriangleHit> {
        WatertightRay::new(ray).intersect_triangle(triangle, 7, ray.t_max)
    }

    #[test]
    fn hit_has_parameter_triangle_and_weights() {
        let ray = Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(hit(&ray, &FLOOR), Some(TriangleHit { t: 5.0, triangle: 7, u: 0.25, v: 0.5 }));
    }

    #[test]
    fn parameter_is_in_units_of_the_direction_length() {
        let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 10.0]);
        assert_eq!(hit(&ray, &FLOOR).unwrap().t, 0.5);
    }

    #[test]
    fn range_is_inclusive_at_both_ends() {
        let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        assert!(hit(&ray.with_range(5.0, 5.0), &FLOOR).is_some());
        assert!(hit(&ray.with_range(0.0, 4.999), &FLOOR).is_none());
        assert!(hit(&ray.with_range(5.001, 9.0), &FLOOR).is_none());
        let away = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, -1.0]);
        assert!(hit(&away, &FLOOR).is_none());
        assert_eq!(hit(&away.with_range(-9.0, 9.0), &FLOOR).unwrap().t, -5.0);
    }

    /// The AABB of the triangle contains the origin, so that only its own `t` can reject it.
    #[test]
    fn slanted_triangle_behind_the_origin_is_missed() {
        let slanted = Triangle([[-9.0, -9.0, -9.0], [9.0, -9.0, 7.0], [-9.0, 9.0, 7.0]]);
        let ray = Ray::new([0.0, 0.0, 8.0], [0.0, 0.0, 1.0]);
        assert!(hit(&ray, &slanted).is_none());
        assert!(hit(&ray.with_range(-1.0, 1.0), &slanted).is_some());
    }

    #[test]
    fn back_faces_are_hit_unless_culled() {
        for axis in 0..3 {
            let permute = |p: [f32; 3]| [p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]];
            let floor = Triangle(FLOOR.0.map(permute));
            let from_back = Ray::new(permute([1.0, 1.0, 0.0]), permute([0.0, 0.0, 1.0]));
            let from_front = Ray::new(permute([1.0, 1.0, 9.0]), permute([0.0, 0.0, -1.0]));
            assert!(hit(&from_back, &floor).is_some() && hit(&from_front, &floor).is_some());
            assert!(hit(&from_back.with_backface_culling(), &floor).is_none(), "axis {axis}");
            assert!(hit(&from_front.with_backface_culling(), &floor).is_some(), "axis {axis}");
        }
    }

    #[test]
    fn edges_and_vertices_are_hit() {
        for (x, y) in [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (2.0, 2.0), (0.0, 1.0), (3.0, 0.0)] {
            for zero in [0.0, -0.0] {
                let ray = Ray::new([x, y, 0.0], [zero, zero, 1.0]);
                assert_eq!(hit(&ray, &FLOOR).map(|h| h.t), Some(5.0), "at ({x}, {y})");
            }
        }
    }

    #[test]
    fn edge_on_and_degenerate_triangles_are_missed() {
        let along = Ray::new([-1.0, 1.0, 5.0], [1.0, 0.0, 0.0]);
        assert!(hit(&along, &FLOOR).is_none());
        let needle = Triangle([[0.0, 0.0, 5.0], [2.0, 2.0, 5.0], [4.0, 4.0, 5.0]]);
        assert!(hit(&Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]), &needle).is_none());
        assert!(needle.is_degenerate() && !FLOOR.is_degenerate());
    }

    #[test]
    fn ray_without_direction_or_with_nan_hits_nothing() {
        for direction in [[0.0; 3], [f32::NAN, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0]] {
            assert!(hit(&Ray::new([1.0, 1.0, 0.0], direction), &FLOOR).is_none());
        }
        assert!(hit(&Ray::new([f32::NAN, 1.0, 0.0], [0.0, 0.0, 1.0]), &FLOOR).is_none());
    }

    #[test]
    fn triangles_at_the_limits_of_the_domain_are_hit() {
        for scale in [1e-18, 1e-9, 1.0, 1e9, 1e17] {
            let scaled = |p: [f32; 3]| p.map(|c| c * scale);
            let floor = Triangle(FLOOR.0.map(scaled));
            let ray = Ray::new(scaled([1.0, 1.0, 0.0]), scaled([0.0, 0.0, 1.0]));
            let t = hit(&ray, &floor).map(|h| h.t);
            assert!(t.is_some_and(|t| (t - 5.0).abs() < 1e-5), "scale {scale}: {t:?}");
        }
    }
}
