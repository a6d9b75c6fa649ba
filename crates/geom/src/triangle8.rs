//! Which of eight triangles does a ray hit, and where?
//!
//! Nearly every triangle is missed, and the signs of its edge functions say so. A block takes eight of
//! those decisions at once, by the scalar test's own operations in its own order, so that a lane says what
//! [`ShearedRay::hit`] would, to the bit.
//!
//! Every function here is `inline(always)`, and none is a closure: vector code that is not inlined into
//! the caller that chose the instruction set runs ten times slower.
#![allow(clippy::inline_always)]

use core::mem::MaybeUninit;

use fearless_simd::{f32x8, prelude::*};

use crate::scalar::{max8, min8};
use crate::triangle::{EDGE_ON, LEAST_AREA};
use crate::{Faces, Hit, ShearedRay, Triangle, scalar};

/// Eight triangles that lie side by side in memory.
pub trait EightTriangles {
    /// One coordinate of one corner of each. Both numbers are below 3.
    fn row(&self, corner: usize, axis: usize) -> &[f32; 8];

    /// The triangle in one lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    #[must_use]
    fn triangle(&self, lane: usize) -> Triangle {
        let mut triangle = Triangle([[0.0; 3]; 3]);
        for corner in 0..3 {
            for axis in 0..3 {
                triangle.0[corner][axis] = self.row(corner, axis)[lane];
            }
        }
        triangle
    }

    /// [`ShearedRay::hit`] with each of the `lanes` (a bit each), to the bit; returns a bit for each lane
    /// that is hit (there may be none), and what tells of it, written to `place`. `None` if the ray passes beside all.
    ///
    /// (It is not returned by value because the copy would wait for what was just written.)
    #[inline(always)]
    #[must_use]
    fn hits<'p, S: Simd>(
        &self,
        simd: S,
        ray: &ShearedRay,
        lanes: u32,
        t_max: f32,
        place: &'p mut MaybeUninit<EightHits>,
    ) -> Option<(u32, &'p EightHits)> {
        let a = in_ray_frame(simd, self, 0, ray);
        let b = in_ray_frame(simd, self, 1, ray);
        let c = in_ray_frame(simd, self, 2, ray);
        let (wa, wb, wc) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
        let zero = f32x8::splat(simd, 0.0);
        // (A NaN may hide a sign. Then the area is NaN, too, and the scalar test settles the lane.)
        let least = min8(min8(wa, wb), wc);
        let most = max8(max8(wa, wb), wc);
        let any_back = least.simd_lt(zero).to_bitmask() as u32;
        let any_front = most.simd_gt(zero).to_bitmask() as u32;
        let culled = match ray.faces {
            Faces::Both => 0,
            Faces::Front => 0xff,
        };
        let candidates = !(any_back & (any_front | culled)) & lanes;
        if candidates == 0 {
            return None;
        }
        let area = wa + wb + wc;
        let (u, v) = (wb / area, wc / area);
        let depth = a[2] + (u * (b[2] - a[2]) + v * (c[2] - a[2]));
        let t = depth * f32x8::splat(simd, ray.back);
        // (Infinite ones are not hits, and a NaN at either end allows none.)
        let t_min = f32x8::splat(simd, ray.t_min);
        let t_max_finite = f32x8::splat(simd, scalar::min(f32::MAX, t_max));
        let hit = t_min.simd_le(t) & t.simd_le(t_max_finite);
        // Candidates have no two signs: unless all are of one, there is a 0 among them.
        let one_sign = least.simd_gt(zero) | most.simd_lt(zero);
        let seen_well = area.abs().simd_ge(doubtful_area(simd, &a, &b, &c));
        let doubtful = candidates & !((one_sign & seen_well).to_bitmask() as u32);
        let sure = candidates & !doubtful & hit.to_bitmask() as u32;
        let hits = place.write(EightHits {
            t: (t + zero).into(),
            u: (u + zero).into(),
            v: (v + zero).into(),
        });
        if doubtful != 0 {
            // An edge function of 0, or a triangle seen nearly edge-on, is done again in f64.
            let settled = hits.settle(self, ray, doubtful, t_max);
            return Some((sure | settled, hits));
        }
        Some((sure, hits))
    }
}

/// Where a ray meets eight triangles. (Aligned: lanes that lie across two pages are slow.)
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct EightHits {
    t: [f32; 8],
    u: [f32; 8],
    v: [f32; 8],
}

impl EightHits {
    /// The hit of a lane, one that [`EightTriangles::hits`] returned a bit for.
    #[inline(always)]
    #[must_use]
    pub fn hit(&self, lane: usize, triangle: u32) -> Hit {
        let lane = lane & 7;
        Hit { t: self.t[lane], triangle, u: self.u[lane], v: self.v[lane] }
    }

    #[cold]
    #[inline(never)]
    fn settle<T: EightTriangles + ?Sized>(
        &mut self,
        triangles: &T,
        ray: &ShearedRay,
        doubtful: u32,
        t_max: f32,
    ) -> u32 {
        let mut lanes = 0;
        for lane in (0..8).filter(|lane| doubtful >> lane & 1 == 1) {
            if let Some(hit) = ray.hit(&triangles.triangle(lane), 0, t_max) {
                lanes |= 1 << lane;
                (self.t[lane], self.u[lane], self.v[lane]) = (hit.t, hit.u, hit.v);
            }
        }
        lanes
    }
}

/// Up to eight triangles, side by side: `corners[corner][axis][lane]`.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct TriangleBlock {
    corners: [[[f32; 8]; 3]; 3],
}

impl TriangleBlock {
    /// Triangles a block holds.
    pub const LANES: usize = 8;

    /// Packs the first [`LANES`](Self::LANES) of `triangles`; lanes without one hold a point.
    #[must_use]
    pub fn new(triangles: &[Triangle]) -> Self {
        let mut corners = [[[0.0; 8]; 3]; 3];
        for (lane, triangle) in triangles.iter().take(Self::LANES).enumerate() {
            for corner in 0..3 {
                for axis in 0..3 {
                    corners[corner][axis][lane] = triangle.0[corner][axis];
                }
            }
        }
        Self { corners }
    }
}

impl EightTriangles for TriangleBlock {
    #[inline(always)]
    fn row(&self, corner: usize, axis: usize) -> &[f32; 8] {
        // (Below 3 it is; so that the compiler knows it too.)
        &self.corners[corner][axis.min(2)]
    }
}

#[inline(always)]
fn in_ray_frame<S: Simd>(
    simd: S,
    triangles: &(impl EightTriangles + ?Sized),
    corner: usize,
    ray: &ShearedRay,
) -> [f32x8<S>; 3] {
    let [x, y, z] = ray.axes();
    let along = to_origin(simd, triangles.row(corner, z), ray.origin[z]);
    [
        to_origin(simd, triangles.row(corner, x), ray.origin[x])
            - f32x8::splat(simd, ray.shear[x]) * along,
        to_origin(simd, triangles.row(corner, y), ray.origin[y])
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

/// As the scalar test's.
#[inline(always)]
fn doubtful_area<S: Simd>(
    simd: S,
    a: &[f32x8<S>; 3],
    b: &[f32x8<S>; 3],
    c: &[f32x8<S>; 3],
) -> f32x8<S> {
    let x = max8(max8(a[0].abs(), b[0].abs()), c[0].abs());
    let y = max8(max8(a[1].abs(), b[1].abs()), c[1].abs());
    x * y * f32x8::splat(simd, EDGE_ON) + f32x8::splat(simd, LEAST_AREA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn a_lane_is_hit_where_its_triangle_is() {
        let triangles: Vec<Triangle> = (0..8)
            .map(|lane| {
                let (x, turned) = (lane as f32 * 2.0, lane % 2 == 1);
                let [b, c] = [[x + 1.0, 0.0, 5.0], [x, 1.0, 5.0]];
                Triangle(if turned { [[x, 0.0, 5.0], c, b] } else { [[x, 0.0, 5.0], b, c] })
            })
            .collect();
        let block = TriangleBlock::new(&triangles);
        for (lane, triangle) in triangles.iter().enumerate() {
            assert_eq!(block.triangle(lane), *triangle);
            // Inside, on the corner, on an edge, and beside.
            for (x, y) in [(0.25, 0.25), (0.0, 0.0), (0.5, 0.5), (1.5, 0.5)] {
                let ray = Ray::new([lane as f32 * 2.0 + x, y, 0.0], [0.0, -0.0, 1.0]);
                for ray in [ray, ray.culling_back_faces()] {
                    let ray = ShearedRay::new(&ray);
                    let level = Level::new();
                    let t_max = f32::INFINITY;
                    let mut place = MaybeUninit::uninit();
                    let hits =
                        dispatch!(level, simd => block.hits(simd, &ray, 0xff, t_max, &mut place));
                    for (other, triangle) in (0..).zip(&triangles) {
                        let found = hits.filter(|(lanes, _)| lanes >> other & 1 == 1);
                        let found = found.map(|(_, hits)| hits.hit(other as usize, other));
                        assert_eq!(found, ray.hit(triangle, other, t_max), "lane {other}");
                    }
                }
            }
        }
    }
}
