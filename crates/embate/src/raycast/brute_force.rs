//! Brute-force ray casting: all triangles, eight per SIMD test.
//!
//! Fast on a few hundred triangles and on soups that no tree separates. It is the reference for all
//! other structures.
//! Watertight: the intersection test of Woop, Benthin, Wald 2013.

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{Ray, Triangle, Triangle8, TriangleHit, TrianglesSoa, WatertightRay};
use embate_mesh::TriangleMesh;
use fearless_simd::{Level, Simd};

use crate::raycast::{NodeBounds, RayIndex, TraversalObserver};

/// All triangles of a mesh, tested in index order. Watertight.
#[derive(Clone, Debug)]
#[doc(alias = "Brute")]
pub struct BruteForce {
    blocks: Vec<Triangle8>,
    triangle_count: u32,
    level: Level,
}

impl BruteForce {
    /// Copies the triangles of `mesh` into blocks of eight (structure of arrays).
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        let triangles: Vec<Triangle> = mesh.iter_triangles().collect();
        Self {
            blocks: triangles.chunks(Triangle8::LANES).map(Triangle8::new).collect(),
            triangle_count: triangles.len() as u32,
            level: Level::new(),
        }
    }

    /// There are no nodes to visit: `visit` is not called.
    pub fn visit_nodes(&self, _depth: u32, _visit: impl FnMut(NodeBounds) -> bool) {}

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn visit_hits_simd<S: Simd, O: TraversalObserver>(
        &self,
        simd: S,
        ray: &Ray<3>,
        observer: &mut O,
        mut on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let watertight_ray = WatertightRay::new(ray);
        let mut t_max = ray.t_max;
        let mut hit_storage = MaybeUninit::uninit();
        for (first, block) in (0..self.triangle_count).step_by(Triangle8::LANES).zip(&self.blocks) {
            let lanes = (self.triangle_count - first).min(Triangle8::LANES as u32);
            for triangle in first..first + lanes {
                observer.test_triangle(triangle);
            }
            let hits = block.hits(simd, &watertight_ray, (1 << lanes) - 1, t_max, &mut hit_storage);
            let Some((mut hit_mask, hits)) = hits else { continue };
            while hit_mask != 0 {
                let lane = hit_mask.trailing_zeros();
                hit_mask &= hit_mask - 1;
                let hit = hits.hit(lane as usize, first + lane);
                if hit.t <= t_max {
                    match on_hit(hit) {
                        ControlFlow::Continue(new_t_max) => t_max = new_t_max,
                        ControlFlow::Break(()) => return,
                    }
                }
            }
        }
    }
}

impl RayIndex for BruteForce {
    /// Reports hits in order of triangle index.
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let level = self.level;
        dispatch!(level, simd => self.visit_hits_simd(simd, ray, observer, on_hit));
    }

    fn memory_usage(&self) -> usize {
        size_of_val(self.blocks.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raycast::TraversalStats;

    /// Triangles 0, 1, 2: the same at z = 2. Triangle 3: at z = 1.
    fn coincident_triangles() -> TriangleMesh {
        let at = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
        let positions = [at(2.0), at(1.0)].concat();
        TriangleMesh::new(positions, vec![[0, 1, 2], [0, 1, 2], [0, 1, 2], [3, 4, 5]]).unwrap()
    }

    #[test]
    fn smaller_triangle_index_wins_among_hits_of_equal_t() {
        let index = BruteForce::new(&coincident_triangles());
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(index.closest_hit(&ray).map(|hit| hit.triangle), Some(3));
        let beyond = ray.with_range(1.5, 9.0);
        assert_eq!(index.closest_hit(&beyond).map(|hit| hit.triangle), Some(0));
    }

    #[test]
    fn all_hits_are_sorted_by_t_then_triangle_index() {
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        let hits = BruteForce::new(&coincident_triangles()).all_hits(&ray);
        assert_eq!(hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), [3, 0, 1, 2]);
    }

    #[test]
    fn any_hit_stops_after_the_first_block_with_a_hit() {
        let mut stats = TraversalStats::default();
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        assert!(BruteForce::new(&coincident_triangles()).any_hit_observed(&ray, &mut stats));
        assert_eq!(stats, TraversalStats { triangle_tests: 4, nodes_visited: 0 });
    }

    #[test]
    fn batch_results_are_in_ray_order() {
        let index = BruteForce::new(&coincident_triangles());
        let rays: Vec<Ray<3>> =
            (0..2_000).map(|i| Ray::new([i as f32 / 1_000.0, 0.1, 0.0], [0.0, 0.0, 1.0])).collect();
        let expected: Vec<_> = rays.iter().map(|ray| index.closest_hit(ray)).collect();
        assert_eq!(index.closest_hits(&rays), expected);
        let any: Vec<bool> = expected.iter().map(Option::is_some).collect();
        assert_eq!(index.any_hits(&rays), any);
    }
}
