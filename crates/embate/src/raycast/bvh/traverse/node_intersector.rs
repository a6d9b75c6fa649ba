//! Node intersector: robust slab test of one ray against eight boxes.
//!
//! Rounding never rejects a box that contains a hit (Ize 2013). With ε = 2⁻²³: boxes are padded at
//! build by 8,192 ε (1/1024) of the longest side of the triangle plus ε of the coordinate
//! ([`Triangle::padded_aabb`](embate_geom::Triangle::padded_aabb)), which covers the error of the
//! hit point. A ray then enters the box of a hit at most 10 ε·t after its reported `t`, and leaves
//! it at most 7 ε·t before. Distances of far planes and the closest hit are enlarged by 18 ε·t, at
//! least 16 ε·t after rounding ([`TriangleHit::T_ERROR_BOUND`]), so no hit is lost. The proof is in
//! `docs/robustness.md`.
//!
//! The fused test also moves near and far distances apart by the rounding error of `origin * inv`,
//! which is large for a distant origin.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use embate_geom::scalar::{simd_max, simd_min};
use embate_geom::{Ray, TriangleHit};
use fearless_simd::{f32x4, f32x8, prelude::*};

use crate::raycast::bvh::node::{WIDTH, WideNode};

/// Whether the slab test may use fused multiply-add (FMA). WebAssembly has no such instruction: the
/// unfused test is as fast there, and one code path makes a smaller module. A processor without FMA
/// rounds twice, which [`BIAS_ERROR_BOUND`] covers.
pub(crate) const USE_FMA: bool = !cfg!(target_arch = "wasm32");

/// Error bound of the bias relative to `|origin * inv|`: two roundings of at most ε/2, of the
/// product and of its sum with the margin; without FMA three, also of the product with the plane.
const BIAS_ERROR_BOUND: f32 = 2.0 * f32::EPSILON;

/// A product below this bound cannot overflow when a margin is added.
const MAX_PRODUCT: f32 = 1e37;
/// Largest coordinate of a valid mesh.
const MAX_COORDINATE: f32 = 1e18;

/// Ray with precomputed values for the slab test, fused or not (see [`BroadcastRay`]). Axes are
/// padded to four lanes, so that all are prepared by one vector operation.
#[derive(Clone, Copy)]
pub(crate) struct TraversalRay {
    /// Reciprocal direction for near and far planes. The far one is enlarged by the error bound,
    /// unless negative `t` are allowed: then `t_exit` is increased by `|t_exit|` times the bound.
    inv: [[f32; 4]; 2],
    /// Fused: added after the multiplication. Unfused: the origin, subtracted before it.
    bias: [[f32; 4]; 2],
    /// Index of the first near plane of each axis among the 48 planes of a node. The far planes are
    /// in the other half of the same cache line.
    near_offsets: [u32; 3],
    t_min: f32,
    /// `t_min < 0`: hits behind the origin are accepted.
    allows_negative_t: bool,
}

impl TraversalRay {
    /// Prepares the fused slab test, and returns whether it applies to this ray.
    ///
    /// It requires [`USE_FMA`], `t_min >= 0` and products of reciprocal direction and coordinates
    /// below [`MAX_PRODUCT`], which excludes zero and tiny direction components, and values that
    /// are not finite: with an infinity or a NaN even an empty box, whose planes are infinite,
    /// would be hit. The result is a pair, not an `Option`, because the `Option` would be assembled
    /// in memory and stall.
    #[inline(always)]
    pub(crate) fn fused<S: Simd>(simd: S, ray: &Ray<3>) -> (Self, bool) {
        let (origin, direction) = (pad_to_four(simd, ray.origin), pad_to_four(simd, ray.direction));
        let inv = f32x4::splat(simd, 1.0) / direction;
        let inv_far = inv * f32x4::splat(simd, 1.0 + TriangleHit::T_ERROR_BOUND);
        let (near, far) = (origin * inv, origin * inv_far);
        // The products are rounded, with a large error if the origin is far away. Near planes are
        // moved towards the origin by more than that error, far planes away from it.
        let margin = f32x4::splat(simd, BIAS_ERROR_BOUND);
        let bias = [near.abs().mul_add(-margin, -near), far.abs().mul_add(margin, -far)];
        // Largest possible plane distance; infinite or NaN for a zero direction component. Adding
        // the direction excludes infinite ones, whose reciprocal is 0.
        let largest = inv_far.abs().mul_add(f32x4::splat(simd, MAX_COORDINATE), far.abs());
        let is_finite = (largest + direction.abs()).simd_lt(f32x4::splat(simd, MAX_PRODUCT));
        let traversal_ray = Self {
            inv: [inv.into(), inv_far.into()],
            bias: [bias[0].into(), bias[1].into()],
            near_offsets: near_plane_offsets(ray),
            t_min: ray.t_min,
            allows_negative_t: false,
        };
        (traversal_ray, USE_FMA && ray.t_min >= 0.0 && is_finite.all_true())
    }

    /// Prepares the unfused slab test, for any [valid](Ray::is_valid) ray.
    #[inline(always)]
    pub(crate) fn unfused<S: Simd>(simd: S, ray: &Ray<3>) -> Self {
        let inv = f32x4::splat(simd, 1.0) / pad_to_four(simd, ray.direction);
        let allows_negative_t = ray.t_min < 0.0;
        let far_scale = if allows_negative_t { 1.0 } else { 1.0 + TriangleHit::T_ERROR_BOUND };
        let inv_far = inv * f32x4::splat(simd, far_scale);
        Self {
            inv: [inv.into(), inv_far.into()],
            bias: [pad_to_four(simd, ray.origin).into(); 2],
            near_offsets: near_plane_offsets(ray),
            t_min: ray.t_min,
            allows_negative_t,
        }
    }
}

/// The max planes are near if the direction is negative. Decided by the sign bit, not `< 0.0`,
/// because 1 / -0.0 is -∞.
#[inline(always)]
fn near_plane_offsets(ray: &Ray<3>) -> [u32; 3] {
    let half = |c: f32| (c.to_bits() >> 31) * WIDTH as u32;
    let [x, y, z] = ray.direction;
    [half(x), 2 * WIDTH as u32 + half(y), 4 * WIDTH as u32 + half(z)]
}

/// The padding lane is 1, which stays finite in every operation.
#[inline(always)]
fn pad_to_four<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> f32x4<S> {
    f32x4::simd_from(simd, [x, y, z, 1.0])
}

/// A [`TraversalRay`] broadcast to eight lanes: once per single ray, at every node visit in a
/// batch.
///
/// `FUSED`: planes use FMA. It is faster, but rounds differently on machines without FMA, so a box
/// that the ray misses by a rounding error may be visited on one machine and not on another.
/// Observed traversals use the unfused test, so that their counts are the same everywhere.
/// [`TraversalRay::fused`] decides which rays may use the fused one.
#[derive(Clone, Copy)]
pub(crate) struct BroadcastRay<S: Simd, const FUSED: bool> {
    inv: [[f32x8<S>; 3]; 2],
    bias: [[f32x8<S>; 3]; 2],
    near_offsets: [u32; 3],
    t_min: f32x8<S>,
    allows_negative_t: bool,
}

impl<S: Simd, const FUSED: bool> BroadcastRay<S, FUSED> {
    #[inline(always)]
    pub(crate) fn new(simd: S, ray: &TraversalRay) -> Self {
        let TraversalRay { inv: [inv_near, inv_far], bias: [near, far], .. } = *ray;
        Self {
            inv: [splat_axes(simd, inv_near), splat_axes(simd, inv_far)],
            bias: [splat_axes(simd, near), splat_axes(simd, far)],
            near_offsets: ray.near_offsets,
            t_min: f32x8::splat(simd, ray.t_min),
            allows_negative_t: ray.allows_negative_t,
        }
    }

    /// `t_enter` (at least `t_min`) of each child box, and the mask of children with
    /// `t_enter <= t_exit` and `t_enter <= t_cull`, a [`TriangleHit::padded_t`].
    #[inline(always)]
    pub(crate) fn intersect_children(
        &self,
        simd: S,
        node: &WideNode,
        t_cull: f32,
    ) -> (f32x8<S>, u32) {
        let (x, y, z) =
            (self.slab(simd, node, 0), self.slab(simd, node, 1), self.slab(simd, node, 2));
        // Balanced reduction: two dependent steps instead of three. `simd_max(a, b)` returns `b`
        // if either is NaN. A ray in the plane of a face yields NaN on that axis, which then does
        // not clip; a NaN in `z` discards `y` as well. So the box may be visited in vain, but is
        // never missed.
        let t_enter = simd_max(simd_max(y.0, z.0), simd_max(x.0, self.t_min));
        let mut t_exit = simd_min(simd_min(y.1, z.1), simd_min(x.1, f32x8::splat(simd, t_cull)));
        if !FUSED && self.allows_negative_t {
            t_exit = t_exit + t_exit.abs() * f32x8::splat(simd, TriangleHit::T_ERROR_BOUND);
        }
        (t_enter, t_enter.simd_le(t_exit).to_bitmask() as u32)
    }

    /// Distances of the near and far planes of one axis.
    #[inline(always)]
    fn slab(&self, simd: S, node: &WideNode, axis: usize) -> (f32x8<S>, f32x8<S>) {
        // Offsets are multiples of 8 below 48. The mask lets the compiler drop the bounds check.
        let first = self.near_offsets[axis] as usize & 0b11_1000;
        let planes = node.as_flattened().as_flattened();
        let near = f32x8::from_slice(simd, &planes[first..first + WIDTH]);
        let first = first ^ WIDTH;
        let far = f32x8::from_slice(simd, &planes[first..first + WIDTH]);
        let (inv_near, inv_far) = (self.inv[0][axis], self.inv[1][axis]);
        let (bias_near, bias_far) = (self.bias[0][axis], self.bias[1][axis]);
        if FUSED {
            (near.mul_add(inv_near, bias_near), far.mul_add(inv_far, bias_far))
        } else {
            ((near - bias_near) * inv_near, (far - bias_far) * inv_far)
        }
    }
}

#[inline(always)]
fn splat_axes<S: Simd>(simd: S, [x, y, z, _]: [f32; 4]) -> [f32x8<S>; 3] {
    [f32x8::splat(simd, x), f32x8::splat(simd, y), f32x8::splat(simd, z)]
}

#[cfg(test)]
mod tests {
    use embate_geom::{Triangle, WatertightRay};
    use embate_test_util::Rng;
    use fearless_simd::Level;

    use super::*;
    use crate::raycast::bvh::node::{EMPTY_NODE, NodeRef, set_child};

    /// Hit masks of the fused test, where it applies, and of the unfused test.
    fn hit_masks(level: Level, ray: &Ray<3>, node: &WideNode, t_cull: f32) -> [u32; 2] {
        fearless_simd::dispatch!(level, simd => {
            let unfused = BroadcastRay::<_, false>::new(simd, &TraversalRay::unfused(simd, ray));
            let unfused_mask = unfused.intersect_children(simd, node, t_cull).1;
            match TraversalRay::fused(simd, ray) {
                (traversal_ray, true) => {
                    let fused = BroadcastRay::<_, true>::new(simd, &traversal_ray);
                    [fused.intersect_children(simd, node, t_cull).1, unfused_mask]
                }
                _ => [unfused_mask; 2],
            }
        })
    }

    /// Small triangles far from the ray origin and from zero, where rounding errors are largest.
    #[test]
    fn box_of_a_hit_triangle_is_hit_up_to_the_padded_t() {
        let mut rng = Rng::new(3);
        let mut between = |low, high| rng.between(low, high);
        let mut hits = 0;
        for round in 0..60_000_u32 {
            let far = [0.0, 10.0, 1e4, 3e5][round as usize % 4];
            let size = [1.0, 1e-2, 50.0][round as usize % 3];
            let center = [between(-far, far), between(-far, far), between(-far, far)];
            let mut vertex =
                || core::array::from_fn(|axis| center[axis] + size * between(-1.0, 1.0));
            let triangle = Triangle([vertex(), vertex(), vertex()]);
            let origin = core::array::from_fn(|_| between(-far - 1.0, far + 1.0));
            let ray = Ray { t_max: f32::INFINITY, ..Ray::segment(origin, center) };
            let Some(hit) = WatertightRay::new(&ray).intersect_triangle(&triangle, 0, ray.t_max)
            else {
                continue;
            };
            hits += 1;
            let mut node = EMPTY_NODE;
            set_child(&mut node, 5, &triangle.padded_aabb(), NodeRef::NONE);
            for level in [Level::new(), Level::baseline()] {
                let masks = hit_masks(level, &ray, &node, TriangleHit::padded_t(hit.t));
                assert_eq!(masks, [1 << 5; 2], "{ray:?} {triangle:?} {hit:?}");
            }
        }
        assert!(hits > 10_000, "{hits} hits");
    }

    #[test]
    fn empty_boxes_are_hit_by_no_valid_ray() {
        for x in [1e18, -1e18, 1e-30, 0.0, -0.0, 1.0] {
            for y in [1e-18, -1e-18, 1e-38, 0.0, -0.0, 1e18] {
                for t_min in [0.0, -5.0] {
                    let ray = Ray::new([x, y, 1.0], [y, x, 1.0]).with_range(t_min, f32::INFINITY);
                    for level in [Level::new(), Level::baseline()] {
                        assert_eq!(hit_masks(level, &ray, &EMPTY_NODE, f32::INFINITY), [0; 2]);
                    }
                }
            }
        }
    }
}
