//! SIMD ray–triangle intersection: eight triangles in structure-of-arrays layout.
//!
//! Most triangles are rejected by the signs of their edge functions. Eight are tested at once with
//! the operations of the scalar test in the same order, so that every lane equals
//! [`WatertightRay::intersect_triangle`] bit for bit.
//!
//! Every function is `inline(always)` and none is a closure: vector code that is not inlined into
//! the caller that selected the instruction set runs ten times slower.
#![allow(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]

use core::mem::MaybeUninit;

use fearless_simd::{f32x8, prelude::*};

use crate::scalar::{simd_max, simd_min};
use crate::triangle::{MIN_AREA, MIN_AREA_RATIO};
use crate::{CullMode, Triangle, TriangleHit, WatertightRay, scalar};

/// Eight triangles in structure-of-arrays layout.
#[doc(alias = "TriangleBlock")]
pub trait TrianglesSoa {
    /// Coordinate `axis` of vertex `vertex` of the eight triangles. Both indices are below 3.
    fn row(&self, vertex: usize, axis: usize) -> &[f32; 8];

    /// Triangle of one lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    #[must_use]
    fn triangle(&self, lane: usize) -> Triangle {
        let mut triangle = Triangle([[0.0; 3]; 3]);
        for vertex in 0..3 {
            for axis in 0..3 {
                triangle.0[vertex][axis] = self.row(vertex, axis)[lane];
            }
        }
        triangle
    }

    /// [`WatertightRay::intersect_triangle`] for each lane of the bit mask `lanes`, bit for bit.
    /// Returns a mask of the lanes hit and the hits, written to `out`. `None` if the edge functions
    /// alone reject all lanes; the mask is 0 if `t` rejects the rest.
    ///
    /// The hits are not returned by value: the copy would cause a store-forwarding stall.
    #[inline(always)]
    #[must_use]
    fn hits<'p, S: Simd>(
        &self,
        simd: S,
        ray: &WatertightRay,
        lanes: u32,
        t_max: f32,
        out: &'p mut MaybeUninit<Hit8>,
    ) -> Option<(u32, &'p Hit8)> {
        let a = in_ray_frame(simd, self, 0, ray);
        let b = in_ray_frame(simd, self, 1, ray);
        let c = in_ray_frame(simd, self, 2, ray);
        let (wa, wb, wc) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
        let zero = f32x8::splat(simd, 0.0);
        // A NaN may hide a sign. Then the area is NaN, too, and the scalar test decides the lane.
        let minimum = simd_min(simd_min(wa, wb), wc);
        let maximum = simd_max(simd_max(wa, wb), wc);
        let any_back = minimum.simd_lt(zero).to_bitmask() as u32;
        let any_front = maximum.simd_gt(zero).to_bitmask() as u32;
        let culled = match ray.cull_mode {
            CullMode::None => 0,
            CullMode::BackFaces => 0xff,
        };
        let candidates = !(any_back & (any_front | culled)) & lanes;
        if candidates == 0 {
            return None;
        }
        let area = wa + wb + wc;
        let (u, v) = (wb / area, wc / area);
        let depth = a[2] + (u * (b[2] - a[2]) + v * (c[2] - a[2]));
        let t = depth * f32x8::splat(simd, ray.neg_inv_dominant);
        // Infinite `t` is not a hit, and a NaN at either end of the range rejects all.
        let t_min = f32x8::splat(simd, ray.t_min);
        let t_max_finite = f32x8::splat(simd, scalar::min(f32::MAX, t_max));
        let hit = t_min.simd_le(t) & t.simd_le(t_max_finite);
        // Edge functions of candidates have no opposite signs: if their signs are not all equal,
        // one of them is 0.
        let same_sign = minimum.simd_gt(zero) | maximum.simd_lt(zero);
        let well_conditioned = area.abs().simd_ge(min_reliable_area(simd, &a, &b, &c));
        let ambiguous = candidates & !((same_sign & well_conditioned).to_bitmask() as u32);
        let certain = candidates & !ambiguous & hit.to_bitmask() as u32;
        let hits =
            out.write(Hit8 { t: (t + zero).into(), u: (u + zero).into(), v: (v + zero).into() });
        if ambiguous != 0 {
            // An edge function of 0, or a nearly edge-on triangle, is tested again by the
            // scalar test, which uses f64.
            let resolved = hits.resolve_exactly(self, ray, ambiguous, t_max);
            return Some((certain | resolved, hits));
        }
        Some((certain, hits))
    }
}

/// Hits of a ray with eight triangles. Aligned, because vectors across two pages are slow.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
#[doc(alias = "EightHits")]
pub struct Hit8 {
    t: [f32; 8],
    u: [f32; 8],
    v: [f32; 8],
}

impl Hit8 {
    /// Hit of a lane whose bit [`TrianglesSoa::hits`] returned.
    #[inline(always)]
    #[must_use]
    pub fn hit(&self, lane: usize, triangle: u32) -> TriangleHit {
        let lane = lane & 7;
        TriangleHit { t: self.t[lane], triangle, u: self.u[lane], v: self.v[lane] }
    }

    #[cold]
    #[inline(never)]
    fn resolve_exactly<T: TrianglesSoa + ?Sized>(
        &mut self,
        triangles: &T,
        ray: &WatertightRay,
        ambiguous: u32,
        t_max: f32,
    ) -> u32 {
        let mut lanes = 0;
        for lane in (0..8).filter(|lane| ambiguous >> lane & 1 == 1) {
            if let Some(hit) = ray.intersect_triangle(&triangles.triangle(lane), 0, t_max) {
                lanes |= 1 << lane;
                (self.t[lane], self.u[lane], self.v[lane]) = (hit.t, hit.u, hit.v);
            }
        }
        lanes
    }
}

/// Up to eight triangles: `vertices[vertex][axis][lane]`.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
#[doc(alias = "EightTriangles")]
pub struct Triangle8 {
    vertices: [[[f32; 8]; 3]; 3],
}

impl Triangle8 {
    /// Number of lanes.
    pub const LANES: usize = 8;

    /// Packs the first [`LANES`](Self::LANES) of `triangles`; unused lanes are degenerate.
    #[must_use]
    pub fn new(triangles: &[Triangle]) -> Self {
        let mut vertices = [[[0.0; 8]; 3]; 3];
        for (lane, triangle) in triangles.iter().take(Self::LANES).enumerate() {
            for vertex in 0..3 {
                for axis in 0..3 {
                    vertices[vertex][axis][lane] = triangle.0[vertex][axis];
                }
            }
        }
        Self { vertices }
    }
}

impl TrianglesSoa for Triangle8 {
    #[inline(always)]
    fn row(&self, vertex: usize, axis: usize) -> &[f32; 8] {
        // The index is below 3; `min` removes the bounds check.
        &self.vertices[vertex][axis.min(2)]
    }
}

#[inline(always)]
fn in_ray_frame<S: Simd>(
    simd: S,
    triangles: &(impl TrianglesSoa + ?Sized),
    vertex: usize,
    ray: &WatertightRay,
) -> [f32x8<S>; 3] {
    let [x, y, z] = ray.axes();
    let along = to_origin(simd, triangles.row(vertex, z), ray.origin[z]);
    [
        to_origin(simd, triangles.row(vertex, x), ray.origin[x])
            - f32x8::splat(simd, ray.shear[x]) * along,
        to_origin(simd, triangles.row(vertex, y), ray.origin[y])
            - f32x8::splat(simd, ray.shear[y]) * along,
        along,
    ]
}

#[inline(always)]
fn to_origin<S: Simd>(simd: S, row: &[f32; 8], origin: f32) -> f32x8<S> {
    f32x8::splat(simd, origin) - f32x8::simd_from(simd, *row)
}

#[inline(always)]
fn edge<S: Simd>(from: &[f32x8<S>; 3], to: &[f32x8<S>; 3]) -> f32x8<S> {
    from[0] * to[1] - from[1] * to[0]
}

/// As in the scalar test.
#[inline(always)]
fn min_reliable_area<S: Simd>(
    simd: S,
    a: &[f32x8<S>; 3],
    b: &[f32x8<S>; 3],
    c: &[f32x8<S>; 3],
) -> f32x8<S> {
    let x = simd_max(simd_max(a[0].abs(), b[0].abs()), c[0].abs());
    let y = simd_max(simd_max(a[1].abs(), b[1].abs()), c[1].abs());
    x * y * f32x8::splat(simd, MIN_AREA_RATIO) + f32x8::splat(simd, MIN_AREA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn lanes_equal_the_scalar_test() {
        let triangles: Vec<Triangle> = (0..8)
            .map(|lane| {
                let (x, flipped) = (lane as f32 * 2.0, lane % 2 == 1);
                let [b, c] = [[x + 1.0, 0.0, 5.0], [x, 1.0, 5.0]];
                Triangle(if flipped { [[x, 0.0, 5.0], c, b] } else { [[x, 0.0, 5.0], b, c] })
            })
            .collect();
        let block = Triangle8::new(&triangles);
        for (lane, triangle) in triangles.iter().enumerate() {
            assert_eq!(block.triangle(lane), *triangle);
            // Inside, on a vertex, on an edge, and outside.
            for (x, y) in [(0.25, 0.25), (0.0, 0.0), (0.5, 0.5), (1.5, 0.5)] {
                let ray = Ray::new([lane as f32 * 2.0 + x, y, 0.0], [0.0, -0.0, 1.0]);
                for ray in [ray, ray.with_backface_culling()] {
                    let ray = WatertightRay::new(&ray);
                    let level = Level::new();
                    let t_max = f32::INFINITY;
                    let mut out = MaybeUninit::uninit();
                    let hits =
                        dispatch!(level, simd => block.hits(simd, &ray, 0xff, t_max, &mut out));
                    for (other, triangle) in (0..).zip(&triangles) {
                        let found = hits.filter(|(lanes, _)| lanes >> other & 1 == 1);
                        let found = found.map(|(_, hits)| hits.hit(other as usize, other));
                        assert_eq!(
                            found,
                            ray.intersect_triangle(triangle, other, t_max),
                            "lane {other}"
                        );
                    }
                }
            }
        }
    }
}
