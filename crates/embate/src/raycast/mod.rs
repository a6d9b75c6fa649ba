//! Ray casting against triangle meshes: acceleration structures and their queries.
//!
//! | structure | use | source |
//! |---|---|---|
//! | [`Bvh`] | nearly every mesh | Wald 2007; Ylitie, Karras, Laine 2017 |
//! | [`Octree`] | soups of large, mutually intersecting triangles | Meagher 1982; nodes as above |
//! | [`CompactOctree`] | large meshes in little memory | the octree; Ylitie, Karras, Laine 2017 |
//! | [`UniformGrid`] | comparison with the literature | Cleary, Wyvill 1988; Amanatides, Woo 1987 |
//! | [`BruteForce`] | a few triangles, and the reference for all other structures | |
//! | [`KdTree`] | comparison with the literature | Kaplan 1985; Wald, Havran 2006 |
//! | [`BspTree`] | comparison with the literature | Fuchs, Kedem, Naylor 1980 |
//!
//! [`TriangleIndex`] owns one mesh, picks the structure and offers all queries (a BLAS).
//! [`Instances`] places such meshes many times (a TLAS).
//!
//! All structures implement [`RayIndex`]. Guarantee: results equal those of [`BruteForce`] to the
//! bit, the same `t` and the same triangle; among hits of equal `t` the smaller triangle index
//! wins.

#[macro_use]
mod simd_dispatch;

mod auto;
mod brute_force;
mod bsp;
mod bvh;
mod cell_reference;
mod clip_triangle;
mod compact_octree;
mod grid;
mod indexed_triangles;
mod instances;
mod kd_tree;
mod octree;
#[cfg(test)]
mod partition_tests;
mod ray_range;
mod stats;
#[cfg(test)]
mod test_meshes;
#[cfg(test)]
mod test_rays;
mod triangle_blocks;
mod triangle_index;
mod visit_nodes;

pub use crate::no_stats::NoStats;
pub use auto::{AnyRayIndex, RayIndexKind};
pub use brute_force::BruteForce;
pub use bsp::BspTree;
pub use bvh::{BuildQuality, Bvh, TreeDefect};
pub use compact_octree::CompactOctree;
pub use grid::UniformGrid;
pub use instances::{Affine, InstanceHit, Instances, TransformError};
pub use kd_tree::KdTree;
pub use octree::Octree;
pub use stats::{TraversalObserver, TraversalStats, TraversalTrace};
pub use triangle_index::{
    DeserializeError, HitIter, MeshPointProjection, SphereCastHit, TriangleIndex, UpdateOutcome,
};
pub use visit_nodes::NodeBounds;

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit};

use crate::parallel;

/// Minimum number of rays per rayon task: amortizes the scheduling, still balances the load.
const MIN_RAYS_PER_TASK: usize = 256;

/// Sorts by `t`; of equal `t`, by triangle index. A function, so that the sort is compiled once.
fn sort_hits(hits: &mut [TriangleHit]) {
    hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
}

/// Acceleration structure over a triangle mesh for ray queries.
///
/// An implementation provides [`visit_hits`](Self::visit_hits); the queries are derived from it.
/// The `*_observed` variants report visited nodes and tested triangles to a [`TraversalObserver`].
/// The plain variants pass [`NoStats`], whose calls compile to nothing.
#[doc(alias("accel", "bvh", "intersector", "acceleration structure"))]
pub trait RayIndex: Sync {
    /// Calls `on_hit` with hits of the ray, in any order, until it returns `Break`.
    ///
    /// `on_hit` returns the new `t_max`: hits beyond it may be skipped. A hit may be reported more
    /// than once, with the same bits.
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    );

    /// Heap memory of the structure in bytes, without the mesh it was built from.
    #[doc(alias = "bytes")]
    fn memory_usage(&self) -> usize;

    /// The closest hit; of equal `t`, the one with the smaller triangle index.
    fn closest_hit_observed<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> Option<TriangleHit> {
        let mut closest: Option<TriangleHit> = None;
        self.visit_hits(ray, observer, |hit| {
            let nearest = closest.filter(|other| !hit.is_before(other)).unwrap_or(hit);
            closest = Some(nearest);
            ControlFlow::Continue(nearest.t)
        });
        closest
    }

    /// Whether the ray hits any triangle.
    fn any_hit_observed<O: TraversalObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        let mut any = false;
        self.visit_hits(ray, observer, |_| {
            any = true;
            ControlFlow::Break(())
        });
        any
    }

    /// All hits sorted by `t`; of equal `t`, by triangle index. Each triangle is listed once.
    fn all_hits_observed<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> Vec<TriangleHit> {
        let mut hits = Vec::new();
        self.visit_hits(ray, observer, |hit| {
            hits.push(hit);
            ControlFlow::Continue(ray.t_max)
        });
        sort_hits(&mut hits);
        // Equal bits, so equal hits are neighbors. With spatial splits a triangle is hit in every
        // leaf that references it.
        hits.dedup_by_key(|hit| hit.triangle);
        hits
    }

    /// [`closest_hit_observed`](Self::closest_hit_observed) without an observer.
    #[doc(alias = "intersect")]
    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        self.closest_hit_observed(ray, &mut NoStats)
    }

    /// [`any_hit_observed`](Self::any_hit_observed) without an observer.
    #[doc(alias = "occluded")]
    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.any_hit_observed(ray, &mut NoStats)
    }

    /// [`all_hits_observed`](Self::all_hits_observed) without an observer.
    fn all_hits(&self, ray: &Ray<3>) -> Vec<TriangleHit> {
        self.all_hits_observed(ray, &mut NoStats)
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order, in parallel on the current rayon
    /// pool.
    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        parallel::map(rays.len(), MIN_RAYS_PER_TASK, |index| self.closest_hit(&rays[index]))
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order, in parallel on the current rayon pool.
    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        parallel::map(rays.len(), MIN_RAYS_PER_TASK, |index| self.any_hit(&rays[index]))
    }
}
