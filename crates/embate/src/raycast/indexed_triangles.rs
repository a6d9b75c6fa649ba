//! Indexed leaf test: the triangles of a list of ids, fetched from the mesh, eight per SIMD test.
//!
//! Structures that store triangle ids instead of copies of vertices use it. The fetched values are
//! those of the mesh, so hits equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{Hit8, TriangleHit, TrianglesSoa, WatertightRay};
use embate_mesh::TriangleMesh;
use fearless_simd::Level;
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

/// [`TrianglesSoa::hits`] of the first eight of `ids`.
#[inline(always)]
fn hits_of<'p, S: Simd>(
    simd: S,
    mesh: &TriangleMesh,
    ids: &[u32],
    ray: &WatertightRay,
    t_max: f32,
    hit_storage: &'p mut MaybeUninit<Hit8>,
) -> Option<(u32, &'p Hit8)> {
    let lanes = (1_u32 << ids.len().min(LANES)) - 1;
    FetchedTriangles::new(mesh, ids).hits(simd, ray, lanes, t_max, hit_storage)
}

/// [`hits_of`], dispatched here and out of line: a scalar traversal around it is compiled once per
/// query, not once per SIMD level (`docs/decisions/0012-compile-times.md`).
#[inline(never)]
fn dispatched_hits<'p>(
    level: Level,
    mesh: &TriangleMesh,
    ids: &[u32],
    ray: &WatertightRay,
    t_max: f32,
    hit_storage: &'p mut MaybeUninit<Hit8>,
) -> Option<(u32, &'p Hit8)> {
    dispatch!(level, simd => hits_of(simd, mesh, ids, ray, t_max, hit_storage))
}

/// Calls `on_hit` with the hits among the triangles `ids`, of which there are at most eight;
/// `Continue` carries the resulting `t_max`.
#[inline(always)]
pub(super) fn intersect_eight<S: Simd>(
    simd: S,
    mesh: &TriangleMesh,
    ids: &[u32],
    ray: &WatertightRay,
    t_max: f32,
    on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
) -> ControlFlow<(), f32> {
    let mut hit_storage = MaybeUninit::uninit();
    match hits_of(simd, mesh, ids, ray, t_max, &mut hit_storage) {
        Some((hit_mask, hits)) => report_hits(hit_mask, hits, ids, t_max, on_hit),
        None => ControlFlow::Continue(t_max),
    }
}

/// [`intersect_eight`] for any number of triangles, called from code that is not dispatched to a
/// SIMD level.
#[inline]
pub(super) fn intersect_list(
    level: Level,
    mesh: &TriangleMesh,
    ids: &[u32],
    ray: &WatertightRay,
    mut t_max: f32,
    on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
) -> ControlFlow<(), f32> {
    for ids in ids.chunks(LANES) {
        let mut hit_storage = MaybeUninit::uninit();
        let hits = dispatched_hits(level, mesh, ids, ray, t_max, &mut hit_storage);
        if let Some((hit_mask, hits)) = hits {
            t_max = report_hits(hit_mask, hits, ids, t_max, on_hit)?;
        }
    }
    ControlFlow::Continue(t_max)
}

#[inline(always)]
fn report_hits(
    mut hit_mask: u32,
    hits: &Hit8,
    ids: &[u32],
    mut t_max: f32,
    on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
) -> ControlFlow<(), f32> {
    while hit_mask != 0 {
        let lane = hit_mask.trailing_zeros() as usize & (LANES - 1);
        hit_mask &= hit_mask - 1;
        let Some(&id) = ids.get(lane) else { break };
        let hit = hits.hit(lane, id);
        if hit.t <= t_max {
            t_max = on_hit(hit)?;
        }
    }
    ControlFlow::Continue(t_max)
}

#[cfg(test)]
mod tests {
    use embate_geom::Ray;

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
            let t_max =
                intersect_list(Level::new(), &mesh, &ids, &watertight, f32::INFINITY, &mut on_hit);
            assert_eq!(t_max, ControlFlow::Continue(f32::INFINITY));
            crate::raycast::sort_hits(&mut hits);
            let expected: Vec<_> =
                all.iter().filter(|hit| ids.contains(&hit.triangle)).copied().collect();
            assert_eq!(hits, expected);
        }
    }
}
