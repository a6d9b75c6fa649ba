//! k-d tree by the surface area heuristic (SAH): axis-aligned planes that divide space.
//!
//! ```text
//!   ┌────┬──────┐   build.rs   planes of least expected cost (sah.rs); a triangle across a plane
//!   │    │  ┌───┤              is clipped and listed on both sides (cell_reference.rs)
//!   ├──┬─┴──┤   │   traverse.rs  near cell first; cells that begin beyond the hit are skipped
//!   └──┴────┴───┘
//! ```
//!
//! For comparison with the literature, where it was the standard structure of ray tracing before
//! BVHs; on surfaces [`Bvh`](crate::raycast::Bvh) is faster, smaller and built sooner
//! (`docs/decisions/0013-space-partitions.md`). Sources: Kaplan 1985 for the traversal, Wald
//! and Havran 2006 for the heuristic with perfect splits, Shevtsov, Soupikov and Kapustin 2007 for
//! its binned form.
//!
//! Guarantee: results equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit, because
//! every cell with a point near a hit lists the triangle
//! ([`cell_reference`](crate::raycast::cell_reference)) and is visited
//! ([`ray_range`](crate::raycast::ray_range)).

mod build;
mod sah;
mod traverse;

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use crate::raycast::triangle_blocks::{BlockRange, TriangleBlocks};
use crate::raycast::{NoStats, NodeBounds, RayIndex, TraversalObserver};

/// Bound of the depth, and so of the traversal stack.
const MAX_DEPTH: usize = 56;

/// k-d tree over a mesh. Watertight.
#[derive(Clone, Debug)]
#[doc(alias("kd", "kdtree", "space partitioning"))]
pub struct KdTree {
    /// Empty if the mesh has no triangles.
    nodes: Vec<KdNode>,
    blocks: TriangleBlocks,
    /// The root cell.
    bounds: Aabb<3>,
}

#[derive(Clone, Copy, Debug)]
enum KdNode {
    /// The child below the plane, followed by the child above.
    Inner {
        axis: u8,
        plane: f32,
        low_child: u32,
    },
    Leaf(BlockRange),
}

impl KdTree {
    /// Mean number of cells that may list a triangle, by default. Surfaces need about two, only
    /// soups use up the budget.
    pub const DEFAULT_REFERENCES_PER_TRIANGLE: usize = 16;

    /// Builds the tree on the current rayon pool. It does not depend on the number of threads.
    #[must_use]
    pub fn build(mesh: &TriangleMesh) -> Self {
        Self::with_max_references(mesh, Self::DEFAULT_REFERENCES_PER_TRIANGLE)
    }

    /// [`build`](Self::build) with at most `per_triangle` references to a triangle on average, at
    /// least one. A reference takes 40 to 320 bytes.
    #[must_use]
    pub fn with_max_references(mesh: &TriangleMesh, per_triangle: usize) -> Self {
        build::build(mesh, per_triangle)
    }

    /// Calls `visit` for the cells down to `depth`, parents before children; the root has depth 0.
    /// The subtree of a cell for which `visit` returns false is skipped. Empty cells are leaves
    /// without triangles.
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = vec![(0_u32, 0_u32, self.bounds)];
        while let Some((index, node_depth, bounds)) = stack.pop() {
            let node = self.nodes[index as usize];
            let triangles = match node {
                KdNode::Inner { .. } => None,
                KdNode::Leaf(range) => Some(range.count),
            };
            if !visit(NodeBounds { bounds, depth: node_depth, triangles }) || node_depth >= depth {
                continue;
            }
            if let KdNode::Inner { axis, plane, low_child } = node {
                let [low, high] = halves(bounds, usize::from(axis), plane);
                // Reversed, so that the low child is popped first.
                stack.push((low_child + 1, node_depth + 1, high));
                stack.push((low_child, node_depth + 1, low));
            }
        }
    }
}

/// The two parts of a cell.
fn halves(cell: Aabb<3>, axis: usize, plane: f32) -> [Aabb<3>; 2] {
    let (mut low, mut high) = (cell, cell);
    (low.max[axis], high.min[axis]) = (plane, plane);
    [low, high]
}

impl RayIndex for KdTree {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        self.traverse(ray, observer, &mut on_hit);
    }

    // These are not generic, so the traversal is compiled once, not in every crate that casts rays.
    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        self.closest_hit_observed(ray, &mut NoStats)
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.any_hit_observed(ray, &mut NoStats)
    }

    fn memory_usage(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + self.blocks.memory_usage()
    }
}
