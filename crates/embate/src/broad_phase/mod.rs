//! Broad phase: finds all pairs of AABBs that overlap.
//!
//! | structure | use it for | source |
//! |---|---|---|
//! | [`BruteForceBroadPhase`] | up to a few hundred boxes; the reference for all others | |
//! | [`SweepAndPrune`] | about a thousand boxes | Baraff 1992; Cohen et al. 1995 |
//! | [`TiledSweepAndPrune`] | any number of moving boxes | |
//! | [`DynamicBvh`] | mostly static worlds; AABB, sphere, ray, frustum and k-nearest queries | |
//! | [`HierarchicalGrid`] | boxes of similar size; inspecting cells | Ericson 2005, section 7.2 |
//! | [`LooseOctree`], [`OctreeBroadPhase`] | static obstacles | Ulrich 2000 |
//! | [`IncrementalBroadPhase`] | worlds that persist: proxies, added and removed pairs | |
//!
//! Guarantee: every [`BroadPhase`] finds the same set of pairs as [`BruteForceBroadPhase`],
//! each pair once.
//! Sorted, the lists are bit-identical. Touching boxes count as overlapping.
//!
//! ```
//! use embate::{Aabb, broad_phase::overlapping_pairs};
//!
//! let boxes = [
//!     Aabb { min: [0.0, 0.0], max: [2.0, 2.0] },
//!     Aabb { min: [5.0, 5.0], max: [6.0, 6.0] },
//!     Aabb { min: [2.0, 1.0], max: [3.0, 3.0] },
//! ];
//! assert_eq!(overlapping_pairs(&boxes)?, [[0, 2]]);
//! # Ok::<(), embate::broad_phase::AabbError>(())
//! ```

mod aabb8;
mod aabb_slice;
mod auto;
mod brute_force;
mod bvh;
mod grid;
mod groups;
mod incremental;
mod octree;
mod pair_diff;
mod pair_sort;
pub(crate) mod sample;
mod stats;
mod sweep_and_prune;
mod tiled_sweep;

pub use crate::no_stats::NoStats;
pub use aabb_slice::{AabbError, AabbSlice};
pub use auto::{AnyBroadPhase, BRUTE_FORCE_MAX, BroadPhaseKind};
pub use brute_force::BruteForceBroadPhase;
pub use bvh::{DynamicBvh, Neighbor, RayLeafHit};
pub use grid::HierarchicalGrid;
pub use groups::connected_groups;
pub(crate) use incremental::FULL_SWEEP_FRACTION;
pub use incremental::{IncrementalBroadPhase, PairChanges, ProxyError, ProxyId};
pub use octree::cells::OctreeConfig;
pub use octree::{LooseOctree, OctreeBroadPhase};
#[doc(hidden)]
pub use pair_sort::{PairSorter, sort_pairs};
pub use stats::{BroadPhaseObserver, BroadPhaseStats};
pub use sweep_and_prune::{SweepAndPrune, SweepAxis, center_variances};
pub use tiled_sweep::TiledSweepAndPrune;

use embate_geom::{Aabb, BoundingSphere};

/// Indices of two overlapping boxes, the smaller first.
#[doc(alias = "pair")]
#[doc(alias = "Pair")]
pub type OverlapPair = [u32; 2];

/// Finds all overlapping pairs of a frame.
///
/// An implementation keeps its buffers, and statistics such as the sweep axis, for the next frame.
#[doc(alias = "PairFinder")]
pub trait BroadPhase<const D: usize> {
    /// Appends every overlapping pair and counts the work done. The order of the pairs is a
    /// function of the boxes of this and the preceding frames alone.
    #[doc(alias = "find_observed")]
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    );

    /// Bytes kept between frames, without the caller's boxes and pairs.
    #[doc(alias = "bytes")]
    fn memory_usage(&self) -> usize;

    /// [`find_pairs_observed`](Self::find_pairs_observed) with [`NoStats`].
    #[doc(alias = "find")]
    fn find_pairs(&mut self, boxes: AabbSlice<'_, D>, pairs: &mut Vec<OverlapPair>) {
        self.find_pairs_observed(boxes, pairs, &mut NoStats);
    }
}

/// Every overlapping pair once, sorted. Chooses the structure by the number of boxes
/// ([`BroadPhaseKind::Auto`]).
///
/// # Errors
/// [`AabbError`] for the first box that is not finite, is beyond ±1e18 or is inverted.
pub fn overlapping_pairs<const D: usize>(boxes: &[Aabb<D>]) -> Result<Vec<OverlapPair>, AabbError> {
    let boxes = AabbSlice::new(boxes)?;
    let mut pairs = Vec::new();
    BroadPhaseKind::Auto.create(boxes.len()).find_pairs(boxes, &mut pairs);
    sort_pairs(&mut pairs, boxes.len() as u32);
    Ok(pairs)
}

/// Whether more than `limit` pairs overlap. Stops counting at the limit and stores no pairs, so the
/// memory used does not depend on the number of pairs.
///
/// ```
/// use embate::{Aabb, broad_phase::{AabbSlice, has_more_pairs_than}};
///
/// let heap = vec![Aabb { min: [0.0, 0.0], max: [1.0, 1.0] }; 100];
/// assert!(has_more_pairs_than(AabbSlice::new(&heap)?, 4_949));
/// assert!(!has_more_pairs_than(AabbSlice::new(&heap)?, 4_950));
/// # Ok::<(), embate::broad_phase::AabbError>(())
/// ```
#[must_use]
#[doc(alias = "overlaps_more_than")]
pub fn has_more_pairs_than<const D: usize>(boxes: AabbSlice<'_, D>, limit: u64) -> bool {
    let count = boxes.len() as u64;
    if count * count.saturating_sub(1) / 2 <= limit {
        return false;
    }
    let tree = DynamicBvh::build(boxes);
    let (mut found, mut overlaps) = (Vec::new(), 0);
    boxes.iter().any(|bounds| {
        found.clear();
        tree.query_aabb(bounds, &mut found);
        // Each pair is found from both of its boxes, and each box finds itself.
        overlaps += found.len() as u64 - 1;
        overlaps > limit.saturating_mul(2)
    })
}

/// Every overlapping pair of circles (`D = 2`) or spheres (`D = 3`) once, sorted.
///
/// # Errors
/// [`AabbError`] for the first sphere whose AABB is not finite, is beyond ±1e18 or is inverted (a
/// negative radius).
#[doc(alias = "overlapping_balls")]
pub fn overlapping_sphere_pairs<const D: usize>(
    spheres: &[BoundingSphere<D>],
) -> Result<Vec<OverlapPair>, AabbError> {
    let boxes: Vec<Aabb<D>> = spheres.iter().map(BoundingSphere::padded_aabb).collect();
    let mut pairs = overlapping_pairs(&boxes)?;
    pairs.retain(|&[a, b]| spheres[a as usize].overlaps(&spheres[b as usize]));
    Ok(pairs)
}
