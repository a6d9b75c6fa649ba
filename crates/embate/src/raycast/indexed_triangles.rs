//! Indexed leaf test: the triangles of a list of ids, fetched from the mesh, eight per SIMD test.
//!
//! Structures that store triangle ids instead of copies of vertices use it. The fetched values are
//! those of the mesh, so hits equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{TriangleHit, TrianglesSoa, WatertightRay};
use embate_mesh::TriangleMesh;
use fearless_simd::prelude::*;

/// Triangles per SIMD test.
const LANES: usize = 8;

/// Up to eight triangles of a mesh: `rows[3 * vertex + axis][lane]`. Unused lanes are degenerate.
#[repr(align(32))]
struct FetchedTriangles {
    rows: [[f32; LANES]; 9],
}

impl FetchedTriangles {
    /// Fetches the first eight of `ids`.
    #[inline(always)]
    fn new(mesh: &TriangleMesh, ids: &[u32]) -> Self {
        let (triangles, positions) = (mesh.triangles(), mesh.positions());
        let mut rows = [[0.0; LANES]; 9];
        for (lane, &id) in ids.iter().take(LANES).enumerate() {
            let indices = triangles.get(id as usize).copied().unwrap_or_default();
            for vertex in 0..3 {
                let position = positions.get(indices[vertex] as usize).copied().unwrap_or_default();
                for axis in 0..3 {
                    rows[3 * vertex + axis][lane] = position[axis];
                }
            }
        }
        Self { rows }
    }
}

impl TrianglesSoa for FetchedTriangles {
    #[inline(always)]
    fn row(&self, vertex: usize, axis: usize) -> &[f32; LANES] {
        // In bounds for every vertex and axis below 3; `min` removes the bounds check.
        &self.rows[(3 * vertex + axis).min(8)]
    }
}

/// Calls `on_hit` with the hits among the triangles `ids`; `Continue` carries the resulting
/// `t_max`.
#[inline(always)]
pub(super) fn intersect_indexed<S: Simd>(
    simd: S,
    mesh: &TriangleMesh,
    ids: &[u32],
    ray: &WatertightRay,
    mut t_max: f32,
    on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
) -> ControlFlow<(), f32> {
    for ids in ids.chunks(LANES) {
        let triangles = FetchedTriangles::new(mesh, ids);
        let mut hit_storage = MaybeUninit::uninit();
        let lanes = (1_u32 << ids.len()) - 1;
        let hits = triangles.hits(simd, ray, lanes, t_max, &mut hit_storage);
        let Some((mut hit_mask, hits)) = hits else { continue };
        while hit_mask != 0 {
            let lane = hit_mask.trailing_zeros() as usize & 7;
            hit_mask &= hit_mask - 1;
            let Some(&id) = ids.get(lane) else { break };
            let hit = hits.hit(lane, id);
            if hit.t <= t_max {
                t_max = on_hit(hit)?;
            }
        }
    }
    ControlFlow::Continue(t_max)
}

#[cfg(test)]
mod tests {
    use embate_geom::Ray;
    use fearless_simd::Level;

    use super::*;
    use crate::raycast::test_meshes::triangle_soup;
    use crate::raycast::{BruteForce, RayIndex};

    #[test]
    fn hits_of_listed_triangles_equal_brute_force() {
        let mesh = triangle_soup(100);
        let ray = Ray::new([0.5, 0.5, -1.0], [0.01, -0.02, 1.0]);
        let all = BruteForce::new(&mesh).all_hits(&ray);
        assert!(all.len() > 10);
        for count in [0, 1, 7, 8, 9, 17, 50] {
            let ids: Vec<u32> = (0..count).map(|i| i * 2).collect();
            let mut hits = Vec::new();
            let mut on_hit = |hit: TriangleHit| {
                hits.push(hit);
                ControlFlow::Continue(f32::INFINITY)
            };
            let watertight = WatertightRay::new(&ray);
            let level = Level::new();
            let t_max = dispatch!(level, simd => {
                intersect_indexed(simd, &mesh, &ids, &watertight, f32::INFINITY, &mut on_hit)
            });
            assert_eq!(t_max, ControlFlow::Continue(f32::INFINITY));
            crate::raycast::sort_hits(&mut hits);
            let expected: Vec<_> =
                all.iter().filter(|hit| ids.contains(&hit.triangle)).copied().collect();
            assert_eq!(hits, expected);
        }
    }
}
