//! BSP tree: binary space partitioning by planes of any orientation.
//!
//! ```text
//!        ╲   ┌──          build.rs      planes of the triangles themselves (auto-partition) or
//!   ──────╲──┘            partition.rs  axis-aligned medians, whichever divides better
//!          ╲              plane.rs      triangles on the plane are stored at its node, those
//!      a    ╲    b                      across it on both sides
//!            ╲            traverse.rs   near side, triangles on the plane, far side
//! ```
//!
//! For comparison with the literature, where it orders polygons for display without a depth buffer;
//! on surfaces [`Bvh`](crate::raycast::Bvh) is faster, smaller and built sooner
//! (`docs/decisions/0013-space-partitions.md`). Sources: Fuchs, Kedem and Naylor 1980 for the tree,
//! Naylor 1993 for the choice of planes. Triangles are not cut: the pieces of one would have to be
//! tested as the whole, to the bit.
//!
//! Guarantee: results equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit, because
//! every cell with a point near a hit lists the triangle
//! ([`cell_reference`](crate::raycast::cell_reference), `plane.rs`) and is visited
//! ([`ray_range`](crate::raycast::ray_range)).

mod build;
mod partition;
mod plane;
mod traverse;

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use crate::raycast::triangle_blocks::{BlockRange, TriangleBlocks};
use crate::raycast::{NoStats, NodeBounds, RayIndex, TraversalObserver};
use plane::Plane;

/// Bound of the depth, and so of the traversal stack.
const MAX_DEPTH: usize = 64;

/// BSP tree over a mesh. Watertight.
#[derive(Clone, Debug)]
#[doc(alias("bsp", "binary space partitioning", "auto-partition"))]
pub struct BspTree {
    /// Empty if the mesh has no triangles.
    nodes: Vec<BspNode>,
    blocks: TriangleBlocks,
    /// AABB of the mesh, padded.
    bounds: Aabb<3>,
}

#[derive(Clone, Copy, Debug)]
enum BspNode {
    Inner {
        plane: Plane,
        /// Triangles on the plane.
        coplanar: BlockRange,
        /// Bound of the distance of their hits from the plane, in lengths of its normal.
        thickness: f32,
        /// The child below the plane, followed by the child above.
        low_child: u32,
    },
    Leaf(BlockRange),
}

impl BspNode {
    /// The triangles tested at this node.
    fn triangles(&self) -> BlockRange {
        match *self {
            Self::Inner { coplanar: range, .. } | Self::Leaf(range) => range,
        }
    }
}

impl BspTree {
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
    /// The subtree of a cell for which `visit` returns false is skipped.
    ///
    /// The bounds are AABBs around the cells, which are convex polyhedra. A cell whose plane has
    /// triangles on it has a number of triangles, although it is divided.
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = vec![(0_u32, 0_u32, self.bounds)];
        while let Some((index, node_depth, bounds)) = stack.pop() {
            let node = self.nodes[index as usize];
            let is_inner = matches!(node, BspNode::Inner { .. });
            let count = node.triangles().count;
            let triangles = (!is_inner || count > 0).then_some(count);
            if !visit(NodeBounds { bounds, depth: node_depth, triangles }) || node_depth >= depth {
                continue;
            }
            if let BspNode::Inner { plane, low_child, .. } = node {
                let [low, high] = plane.halves(&bounds);
                // Reversed, so that the low child is popped first.
                stack.push((low_child + 1, node_depth + 1, high));
                stack.push((low_child, node_depth + 1, low));
            }
        }
    }
}

impl RayIndex for BspTree {
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
