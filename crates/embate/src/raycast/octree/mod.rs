//! Octree of adaptive depth with spatial splits: the structure for triangle soups.
//!
//! ```text
//!   cells, halved on their longest axis    a triangle across the split plane
//!   ┌───────┬───┬─┬─┐                      is split and referenced by both halves, where that
//!   │       │   ├─┼─┤    build.rs          pays within the budget (soups); split_heuristic.rs
//!   │       ├───┼─┴─┤                      else goes whole to the half of its center (real
//!   └───────┴───┴───┘                      meshes), whose box grows around it
//! ```
//!
//! The cells are stored as a BVH8 and traversed like the [`Bvh`]: nearest first, culled by the
//! closest hit. On a soup the advantage is that cells are disjoint: a hit in one cell ends the
//! traversal, while the boxes of other trees overlap.
//!
//! Guarantee: results equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit, because
//! the parts of a triangle cover all its hits
//! ([`ClippedTriangle`](crate::raycast::clip_triangle::ClippedTriangle)).

mod build;
mod split_heuristic;

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use crate::raycast::bvh::Bvh;
use crate::raycast::{NodeBounds, RayIndex, TraversalObserver};

pub(super) use build::build as build_cells;

/// Memory per reference: its slot in a leaf and its share of the nodes above.
const BYTES_PER_PRIM_REF: usize = 85;

/// Octree of adaptive depth. Watertight.
#[derive(Clone, Debug)]
pub struct Octree {
    pub(super) tree: Bvh,
}

impl Octree {
    /// Default memory budget, in bytes per triangle.
    #[doc(alias = "BUDGET")]
    pub const DEFAULT_BYTES_PER_TRIANGLE: usize = 4 * 1024;

    /// Builds the octree on the current rayon pool. It does not depend on the number of threads.
    #[must_use]
    #[doc(alias = "new")]
    pub fn build(mesh: &TriangleMesh) -> Self {
        Self::with_memory_budget(mesh, Self::DEFAULT_BYTES_PER_TRIANGLE)
    }

    /// [`build`](Self::build) within about `bytes_per_triangle`. Only soups use up the budget. With
    /// a budget too small for spatial splits the octree has none.
    #[must_use]
    #[doc(alias = "within")]
    pub fn with_memory_budget(mesh: &TriangleMesh, bytes_per_triangle: usize) -> Self {
        let spare = |triangles: usize| {
            (bytes_per_triangle / BYTES_PER_PRIM_REF).saturating_sub(1).saturating_mul(triangles)
        };
        let (prims, nodes) = build::build(mesh, spare);
        Self { tree: Bvh::from_binary_tree(mesh, &prims, &nodes) }
    }

    /// Calls `visit` for the cells down to `depth`, parents before children; the root has depth 0.
    /// The subtree of a cell for which `visit` returns false is skipped.
    #[doc(alias = "visit_boxes")]
    pub fn visit_nodes(&self, depth: u32, visit: impl FnMut(NodeBounds) -> bool) {
        self.tree.visit_nodes(depth, visit);
    }
}

impl RayIndex for Octree {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        self.tree.visit_hits(ray, observer, on_hit);
    }

    fn all_hits_observed<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> Vec<TriangleHit> {
        self.tree.all_hits_observed(ray, observer)
    }

    fn any_hit_observed<O: TraversalObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        self.tree.any_hit_observed(ray, observer)
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        self.tree.closest_hit(ray)
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.tree.any_hit(ray)
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        self.tree.closest_hits(rays)
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.tree.any_hits(rays)
    }

    fn memory_usage(&self) -> usize {
        self.tree.memory_usage()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::on_pool;
    use crate::raycast::TraversalStats;
    use crate::raycast::test_meshes::triangle_soup;

    #[test]
    fn larger_budget_for_spatial_splits_reduces_triangle_tests() {
        let mesh = triangle_soup(600);
        let rays: Vec<Ray<3>> = (0..20_u8)
            .map(|i| Ray::new([-0.1, 0.3 + 0.02 * f32::from(i), 0.55], [1.0, 0.02, -0.03]))
            .collect();
        let triangle_tests = |octree: &Octree| {
            let mut stats = TraversalStats::default();
            for ray in &rays {
                assert!(octree.closest_hit_observed(ray, &mut stats).is_some());
            }
            stats.triangle_tests
        };
        let unsplit = Octree::with_memory_budget(&mesh, 0);
        let mut previous = triangle_tests(&unsplit);
        for budget in [512, 4_096] {
            let octree = Octree::with_memory_budget(&mesh, budget);
            let bytes = octree.memory_usage() / mesh.triangles().len();
            assert!(bytes > unsplit.memory_usage() / 600 && bytes <= budget, "{bytes} of {budget}");
            let tests = triangle_tests(&octree);
            assert!(tests < previous, "{tests} tests, {previous} with a smaller budget");
            previous = tests;
        }
    }

    #[test]
    fn triangle_in_several_cells_is_one_hit() {
        let octree = Octree::build(&triangle_soup(300));
        let hits = octree.all_hits(&Ray::new([0.5, 0.5, -0.5], [0.01, 0.02, 1.0]));
        let mut triangles: Vec<u32> = hits.iter().map(|hit| hit.triangle).collect();
        triangles.sort_unstable();
        triangles.dedup();
        assert!(
            hits.len() > 5 && triangles.len() == hits.len(),
            "{} of {}",
            triangles.len(),
            hits.len()
        );
    }

    #[test]
    fn octree_does_not_depend_on_the_number_of_threads() {
        let mesh = triangle_soup(5_000);
        let rays: Vec<Ray<3>> =
            (0..50).map(|i| Ray::new([i as f32 / 50.0, -0.1, 0.3], [0.1, 1.0, 0.2])).collect();
        let build = |threads| {
            let octree = on_pool(threads, || Octree::with_memory_budget(&mesh, 300));
            let mut stats = TraversalStats::default();
            for ray in &rays {
                octree.closest_hit_observed(ray, &mut stats);
            }
            (octree.memory_usage(), stats)
        };
        assert_eq!(build(1), build(3));
    }
}
