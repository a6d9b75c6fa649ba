//! Eight-wide bounding volume hierarchy (BVH8): the structure for nearly every mesh.
//!
//! Its primitives are the triangles of one mesh. It is built once, by the surface area heuristic,
//! and can be refitted, but has no insertion or removal: these are in
//! [`DynamicBvh`](crate::broad_phase::DynamicBvh), over boxes.
//!
//! ```text
//!   triangles ──► binary BVH ──────────► BVH8 ────────────────► cache lines, depth first
//!                 binary_builder.rs      wide_collapse.rs       node_layout.rs
//!                 sah_binning.rs                                node.rs, leaf.rs
//!                 spatial_split.rs                              huge_page_buffer.rs
//!                 reinsertion.rs
//!
//!   one ray ──────► traverse/mod.rs, node_intersector.rs, traversal_stack.rs
//!   many rays ────► traverse/batch_traversal.rs, batch_stack.rs
//!   point, box, sphere ──► traverse/visit_by_distance.rs
//!   moved vertices ──────► refit.rs
//! ```
//!
//! Guarantee: results equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit. Leaf
//! boxes contain `Triangle::padded_aabb`, or the equally padded part of a triangle that a spatial
//! split clipped, and leaves hold the exact vertex coordinates of the mesh.

mod build;
mod huge_page_buffer;
mod leaf;
mod node;
mod quality;
mod refit;
mod serialize;
#[cfg(test)]
mod tests;
mod traverse;
mod visit_nodes;

use core::ops::ControlFlow;
use std::sync::Arc;

use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use crate::parallel;
use crate::raycast::{NoStats, RayIndex, TraversalObserver};
pub(super) use build::binary_builder::BinaryNode;
pub(super) use build::prim_ref::PrimRef;
pub(super) use build::wide_collapse::{CollapsePlan, LeafCost};
use huge_page_buffer::CacheLines;
use leaf::Leaves;
pub(super) use node::{AlignedRow8, NodeRef, WIDTH, WideNode, ZERO_LINE};
pub use quality::BuildQuality;
pub(super) use serialize::LINE_WORDS;
pub use serialize::TreeDefect;
pub(super) use traverse::ClosestHit;
use traverse::batch_traversal::MIN_BATCH;
pub(super) use traverse::node_intersector::{BroadcastRay, TraversalRay};
pub(super) use traverse::traversal_stack::{StackEntry, TraversalStack};

/// Rays per rayon task: large enough that the tail of a batch, where fewer rays are in flight than
/// the batch traversal can interleave, is a small part of it.
const RAYS_PER_TASK: usize = 2_048;

/// Eight-wide bounding volume hierarchy over a mesh, with a watertight triangle test.
#[doc(alias("accel", "blas", "bvh8", "acceleration structure"))]
#[derive(Clone, Debug)]
pub struct Bvh {
    lines: CacheLines,
    /// `None` if the mesh has no triangles.
    root: Option<NodeRef>,
    /// Vertex buffer of a compact tree ([`BuildQuality::Compact`]); other trees store vertices in
    /// their leaves.
    shared_vertices: Option<Arc<Vec<[f32; 3]>>>,
    level: Level,
}

impl Bvh {
    /// Builds the tree with [`BuildQuality::Medium`] on the current rayon pool. The tree does not
    /// depend on the number of threads.
    #[must_use]
    #[doc(alias = "new")]
    pub fn build(mesh: &TriangleMesh) -> Self {
        Self::build_with_quality(mesh, BuildQuality::Medium)
    }

    /// [`build`](Self::build) with another trade-off of build time, query time and memory.
    #[must_use]
    #[doc(alias = "with")]
    pub fn build_with_quality(mesh: &TriangleMesh, quality: BuildQuality) -> Self {
        build::node_layout::build(mesh, quality, Level::new())
    }

    /// Collapses a binary tree into a BVH8. Several primitive references may belong to one
    /// triangle; its hits are then reported several times.
    pub(super) fn from_binary_tree(
        mesh: &TriangleMesh,
        prims: &[PrimRef],
        nodes: &[BinaryNode],
    ) -> Self {
        build::node_layout::layout(mesh, prims, nodes, false, Level::new())
    }

    fn leaves(&self) -> Leaves<'_> {
        let vertices = self.shared_vertices.as_ref().map(|vertices| vertices.as_slice());
        Leaves { lines: self.lines.as_slice(), vertices }
    }

    /// The closest hit of each ray, in the order of `rays`; with `ANY`, the first hit found.
    fn trace_batch<const ANY: bool>(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        let mut results = vec![None; rays.len()];
        parallel::for_each_chunk(&mut results, RAYS_PER_TASK, |first, results| {
            let (level, rays) = (self.level, &rays[first..][..results.len()]);
            dispatch!(level, simd => self.closest_or_any_batch::<_, ANY>(simd, rays, results));
        });
        results
    }
}

impl RayIndex for Bvh {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let level = self.level;
        // Ordered, because `on_hit` may lower `t_max`.
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

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        if rays.len() < MIN_BATCH {
            return rays.iter().map(|ray| self.closest_hit(ray)).collect();
        }
        self.trace_batch::<false>(rays)
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        if rays.len() < MIN_BATCH {
            return rays.iter().map(|ray| self.any_hit(ray)).collect();
        }
        self.trace_batch::<true>(rays).iter().map(Option::is_some).collect()
    }

    fn memory_usage(&self) -> usize {
        let shared_vertices =
            self.shared_vertices.as_ref().map_or(0, |vertices| size_of_val(vertices.as_slice()));
        size_of_val(self.lines.as_slice()) + shared_vertices
    }
}
