//! Which of eight triangles can a ray hit?
//!
//! Nearly every triangle is missed, and the signs of its edge functions say so. A block takes eight of
//! those decisions at once, by the scalar test's own operations in its own order, so a lane says what
//! [`ShearedRay::hit`] would; what is left goes through that function itself.
//!
//! Every function here is `inline(always)`, and none is a closure: vector code that is not inlined into
//! the caller that chose the instruction set runs ten times slower.
#![allow(clippy::inline_always)]

use fearless_simd::{f32x8, prelude::*};

use crate::{Faces, ShearedRay, Triangle};

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

    /// The triangle in one lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline]
    #[must_use]
    pub fn triangle(&self, lane: usize) -> Triangle {
        Triangle(self.corners.map(|corner| corner.map(|coordinates| coordinates[lane])))
    }

    /// Bit `lane` is set if the ray's line may cross that triangle: never too few.
    #[inline(always)]
    #[must_use]
    pub fn candidates<S: Simd>(&self, simd: S, ray: &ShearedRay) -> u32 {
        let a = in_ray_frame(simd, &self.corners[0], ray);
        let b = in_ray_frame(simd, &self.corners[1], ray);
        let c = in_ray_frame(simd, &self.corners[2], ray);
        let (wa, wb, wc) = (edge(c, b), edge(a, c), edge(b, a));
        let zero = f32x8::splat(simd, 0.0);
        let any_back = wa.simd_lt(zero) | wb.simd_lt(zero) | wc.simd_lt(zero);
        let any_front = wa.simd_gt(zero) | wb.simd_gt(zero) | wc.simd_gt(zero);
        let unseen = match ray.faces {
            Faces::Both => any_back & any_front,
            Faces::Front => any_back,
        };
        !(unseen.to_bitmask() as u32) & 0xff
    }
}

#[inline(always)]
fn in_ray_frame<S: Simd>(
    simd: S,
    corner: &[[f32; 8]; 3],
    ray: &ShearedRay,
) -> (f32x8<S>, f32x8<S>) {
    let [x, y, z] = ray.axes;
    let along = f32x8::simd_from(simd, corner[z]) - f32x8::splat(simd, ray.origin[z]);
    let across_x = f32x8::simd_from(simd, corner[x]) - f32x8::splat(simd, ray.origin[x]);
    let across_y = f32x8::simd_from(simd, corner[y]) - f32x8::splat(simd, ray.origin[y]);
    (
        across_x - f32x8::splat(simd, ray.shear[0]) * along,
        across_y - f32x8::splat(simd, ray.shear[1]) * along,
    )
}

#[inline(always)]
fn edge<S: Simd>(from: (f32x8<S>, f32x8<S>), to: (f32x8<S>, f32x8<S>)) -> f32x8<S> {
    from.0 * to.1 - from.1 * to.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn a_lane_is_a_candidate_whenever_its_triangle_is_hit() {
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
                    let bits = dispatch!(level, simd => block.candidates(simd, &ray));
                    for (other, triangle) in triangles.iter().enumerate() {
                        let hit = ray.hit(triangle, 0, f32::INFINITY).is_some();
                        assert_eq!(bits >> other & 1 == 1, hit, "lane {other}, ray at {x}, {y}");
                    }
                }
            }
        }
    }
}
