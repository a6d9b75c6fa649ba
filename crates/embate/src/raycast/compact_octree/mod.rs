//! Compact octree: cells with quantized boxes over the triangle ids of a shared mesh.
//!
//! ```text
//!   cells of the Octree ───► 8-wide nodes ───────────► nodes depth first, siblings adjacent
//!   octree/build.rs          bvh/build/wide_collapse   node.rs: 76 bytes for up to 8 children
//!                                                      build.rs: ids in the order of the leaves
//!   one ray ───► traverse.rs
//! ```
//!
//! The [`Octree`](crate::raycast::Octree) stores a box in 24 bytes and a triangle in 40; here a box
//! takes 6 bytes (Ylitie, Karras, Laine 2017) and a triangle 4: its id. Vertices are fetched from
//! the mesh, whose memory is shared.
//!
//! Guarantee: results equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit. A
//! decoded box contains the box that was encoded, and the decoded boxes get the slab test of
//! [`Bvh`](crate::raycast::Bvh).

mod build;
mod node;
#[cfg(test)]
mod tests;
mod traverse;

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, TriangleHit, scalar};
use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use crate::raycast::bvh::NodeRef;
use crate::raycast::compact_octree::build::BuildParams;
use crate::raycast::compact_octree::node::CompactNode;
use crate::raycast::{NoStats, NodeBounds, RayIndex, TraversalObserver};

/// Octree of little memory: a third of that of [`Octree`](crate::raycast::Octree) or less.
/// Watertight. It shares the memory of the mesh.
#[derive(Clone, Debug)]
#[doc(alias("sparse octree", "quantized", "compressed"))]
pub struct CompactOctree {
    mesh: TriangleMesh,
    nodes: Box<[CompactNode]>,
    triangle_ids: Box<[u32]>,
    /// `None` if the mesh has no triangles.
    root: Option<NodeRef>,
    level: Level,
}

impl CompactOctree {
    /// Default memory budget, in bytes per triangle.
    pub const DEFAULT_BYTES_PER_TRIANGLE: usize = 24;
    /// Default size of the largest leaf.
    pub const DEFAULT_LEAF_SIZE: usize = 8;

    /// Builds the octree on the current rayon pool. It does not depend on the number of threads.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::build_with(mesh, Self::DEFAULT_LEAF_SIZE, Self::DEFAULT_BYTES_PER_TRIANGLE)
    }

    /// [`new`](Self::new) with up to `leaf_size` triangles per leaf, from 2 to 8, within about
    /// `bytes_per_triangle`. Smaller leaves take more memory. A triangle takes 7 to 15 bytes; what
    /// is left of the budget is for spatial splits, as in
    /// [`Octree::with_memory_budget`](crate::raycast::Octree::with_memory_budget).
    #[must_use]
    pub fn build_with(mesh: &TriangleMesh, leaf_size: usize, bytes_per_triangle: usize) -> Self {
        let params = BuildParams { leaf_size, budget: bytes_per_triangle };
        let build::CompactTree { nodes, triangle_ids, root } = build::build(mesh, params);
        Self { mesh: mesh.clone(), nodes, triangle_ids, root, level: Level::new() }
    }

    /// Calls `visit` for the cells down to `depth`, parents before children; the root has depth 0.
    /// The subtree of a cell for which `visit` returns false is skipped.
    #[doc(alias = "visit_boxes")]
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        let Some(root) = self.root else { return };
        let bounds = if root.is_leaf() {
            self.mesh.bounds()
        } else {
            self.nodes.get(root.line()).map(CompactNode::bounds)
        };
        let Some(bounds) = bounds else { return };
        let mut stack = vec![(root, bounds, 0)];
        while let Some((child, bounds, child_depth)) = stack.pop() {
            let triangles = child.is_leaf().then(|| child.count());
            let visited = NodeBounds { bounds, depth: child_depth, triangles };
            if !visit(visited) || child_depth >= depth || child.is_leaf() {
                continue;
            }
            let Some(node) = self.nodes.get(child.line()) else { return };
            // Reversed, so that the first child is popped first.
            for lane in (0..node.child_count()).rev() {
                // The steps of a node can end a little beyond its own box in its parent.
                let child_bounds = intersection(&node.child_bounds(lane), &bounds);
                stack.push((node.child(lane), child_bounds, child_depth + 1));
            }
        }
    }
}

impl RayIndex for CompactOctree {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let level = self.level;
        dispatch!(level, simd => self.traverse::<_, O, true>(simd, ray, observer, &mut on_hit));
    }

    fn any_hit_observed<O: TraversalObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        let level = self.level;
        dispatch!(level, simd => self.traverse_any(simd, ray, observer))
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        dispatch_hot!(self.level, simd => self.traverse_closest(simd, ray))
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        dispatch_hot!(self.level, simd => self.traverse_any(simd, ray, &mut NoStats))
    }

    /// The mesh is not included.
    fn memory_usage(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.triangle_ids)
    }
}

/// The part of `inner` in `outer`.
fn intersection(inner: &Aabb<3>, outer: &Aabb<3>) -> Aabb<3> {
    Aabb {
        min: core::array::from_fn(|axis| scalar::max(inner.min[axis], outer.min[axis])),
        max: core::array::from_fn(|axis| scalar::min(inner.max[axis], outer.max[axis])),
    }
}

/// The smallest box that contains all; they are not empty.
fn merge_all(mut boxes: impl Iterator<Item = Aabb<3>>) -> Aabb<3> {
    let first = boxes.next().unwrap_or(Aabb { min: [0.0; 3], max: [0.0; 3] });
    boxes.fold(first, |all, bounds| all.merged(&bounds))
}
