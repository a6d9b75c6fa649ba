//! Top-down SAH builder of the binary BVH: binned object splits and spatial splits (SBVH).
//!
//! A split depends only on the primitives of its range, so the tree does not depend on the number
//! of threads.

use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use crate::parallel;
use crate::raycast::bvh::build::prim_ref::{CentroidBounds, PrimRef};
use crate::raycast::bvh::build::sah_binning::{PartitionResult, SahBins};
use crate::raycast::bvh::build::spatial_split;

/// Ranges of at least this size are built by two threads.
const MIN_PARALLEL_PRIMS: usize = 4_096;
/// Ranges up to this size are not split spatially: one leaf tests them all at once.
const LEAF_CAPACITY: usize = 8;
/// Spatial splits are tried only if the overlap of the object split exceeds this fraction of the
/// root area. Stich, Friedrich, Dietrich 2009 use 1e-5, which finds no better tree here and takes
/// twice the time.
const MIN_OVERLAP_TO_ROOT_AREA: f32 = 1e-3;
/// The overlap must also exceed this fraction of the area of the range; below, spatial splits save
/// nothing.
const MIN_OVERLAP_TO_NODE_AREA: f32 = 0.25;
/// A spatial split must cost less than this fraction of the object split: every reference it
/// duplicates takes memory.
const MAX_SPATIAL_COST_RATIO: f32 = 0.95;

/// Node of the binary BVH over `prim_count` primitive references from `first_prim`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryNode {
    pub(crate) bounds: PrimRef,
    pub(crate) first_prim: u32,
    pub(crate) prim_count: u32,
    /// Index of the second child; the first child follows its parent. 0 for a leaf.
    pub(crate) second_child: u32,
}

impl BinaryNode {
    /// The node with its primitives and children moved by the given offsets.
    pub(crate) fn offset_by(mut self, prims: u32, nodes: u32) -> Self {
        self.first_prim += prims;
        self.second_child += if self.is_leaf() { 0 } else { nodes };
        self
    }

    pub(crate) fn is_leaf(&self) -> bool {
        self.second_child == 0
    }
}

/// Configuration of a build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinarySahBuilder<'a> {
    pub(crate) mesh: &'a TriangleMesh,
    pub(crate) level: Level,
    /// Maximum number of SAH bins per axis.
    pub(crate) max_bins: usize,
    /// Ranges up to this size are not split.
    pub(crate) max_leaf_size: usize,
}

impl BinarySahBuilder<'_> {
    /// Builds the tree over the first `count` of `prims` and reorders them. The rest of `prims` is
    /// the budget of spatial splits. Parents precede their children.
    pub(crate) fn build(self, prims: &mut Vec<PrimRef>, count: usize) -> Vec<BinaryNode> {
        if count == 0 {
            return Vec::new();
        }
        let level = self.level;
        let bounds = dispatch!(level, simd => CentroidBounds::of_prims(simd, &prims[..count]));
        let root_area = bounds.bounds.half_area();
        let mut nodes = Vec::with_capacity(prims.len());
        let range = PrimRange { prims: prims.as_mut_slice(), count, offset: 0, bounds };
        TopDownBuild { builder: self, root_area }.build_subtree(range).flatten_into(&mut nodes);
        if prims.len() > count {
            compact(prims, &mut nodes);
        }
        nodes
    }
}

/// Removes the unused slots of the split budget, so that the primitives of a node are contiguous
/// again, and recomputes the counts.
fn compact(prims: &mut Vec<PrimRef>, nodes: &mut [BinaryNode]) {
    let mut len = 0;
    for node in nodes.iter_mut() {
        let (first, count) = (node.first_prim as usize, node.prim_count as usize);
        node.first_prim = len as u32;
        if node.is_leaf() {
            prims.copy_within(first..first + count, len);
            len += count;
        }
    }
    prims.truncate(len);
    // Children follow their parents.
    for index in (0..nodes.len()).rev() {
        if !nodes[index].is_leaf() {
            let second = nodes[index].second_child as usize;
            nodes[index].prim_count = nodes[index + 1].prim_count + nodes[second].prim_count;
        }
    }
}

/// Subtree built by one thread, or two subtrees under a common node.
enum BinarySubtree {
    Serial(Vec<BinaryNode>),
    Forked(BinaryNode, Box<[BinarySubtree; 2]>),
}

impl BinarySubtree {
    fn flatten_into(self, nodes: &mut Vec<BinaryNode>) {
        match self {
            Self::Serial(subtree) => {
                let offset = nodes.len() as u32;
                nodes.extend(subtree.into_iter().map(|node| node.offset_by(0, offset)));
            }
            Self::Forked(node, children) => {
                let index = nodes.len();
                nodes.push(node);
                let [first, second] = *children;
                first.flatten_into(nodes);
                nodes[index].second_child = nodes.len() as u32;
                second.flatten_into(nodes);
            }
        }
    }
}

/// Range of primitive references that become one subtree.
struct PrimRange<'a> {
    /// The references, followed by spare slots for spatial splits.
    prims: &'a mut [PrimRef],
    count: usize,
    /// Index of the first reference in the whole array.
    offset: u32,
    bounds: CentroidBounds,
}

impl PrimRange<'_> {
    fn node(&self) -> BinaryNode {
        let (bounds, first, count) = (self.bounds.bounds, self.offset, self.count as u32);
        BinaryNode { bounds, first_prim: first, prim_count: count, second_child: 0 }
    }

    fn spare_slots(&self) -> usize {
        self.prims.len() - self.count
    }

    /// Median split of the list. If all centroids coincide, every split is equally good.
    fn split_median(self, level: Level) -> [Self; 2] {
        let (low, high) = self.prims[..self.count].split_at(self.count / 2);
        let sides = dispatch!(level, simd => PartitionResult::measure(simd, low, high));
        self.split_at(&sides)
    }

    /// Splits the range into its two sides and distributes the spare slots in proportion to their
    /// sizes.
    fn split_at(self, sides: &PartitionResult) -> [Self; 2] {
        let PartitionResult { low_count: low, high_count: high, .. } = *sides;
        let low_spare = (self.spare_slots() as u64 * low as u64 / (low + high) as u64) as usize;
        // The high side moves back by the spare slots of the low side. Order is irrelevant, so only
        // the references in the way are moved, behind the others.
        let moved = low_spare.min(high);
        self.prims.copy_within(low..low + moved, low + low_spare + high - moved);
        let (low_prims, high_prims) = self.prims.split_at_mut(low + low_spare);
        let high_offset = self.offset + low_prims.len() as u32;
        [
            Self { prims: low_prims, count: low, offset: self.offset, bounds: sides.low_bounds },
            Self { prims: high_prims, count: high, offset: high_offset, bounds: sides.high_bounds },
        ]
    }
}

/// A build in progress.
#[derive(Clone, Copy)]
struct TopDownBuild<'a> {
    builder: BinarySahBuilder<'a>,
    root_area: f32,
}

impl TopDownBuild<'_> {
    fn build_subtree(self, range: PrimRange<'_>) -> BinarySubtree {
        let mut bins = SahBins::new();
        if range.count < MIN_PARALLEL_PRIMS {
            let mut nodes = Vec::with_capacity(range.prims.len());
            self.build_serial(range, &mut bins, &mut nodes);
            return BinarySubtree::Serial(nodes);
        }
        let node = range.node();
        let [low, high] = self.split(range, &mut bins);
        let (low, high) = parallel::join(|| self.build_subtree(low), || self.build_subtree(high));
        BinarySubtree::Forked(node, Box::new([low, high]))
    }

    fn build_serial(self, range: PrimRange<'_>, bins: &mut SahBins, nodes: &mut Vec<BinaryNode>) {
        let index = nodes.len();
        nodes.push(range.node());
        if range.count <= self.builder.max_leaf_size {
            return;
        }
        let [low, high] = self.split(range, bins);
        self.build_serial(low, bins, nodes);
        nodes[index].second_child = nodes.len() as u32;
        self.build_serial(high, bins, nodes);
    }

    /// Splits a range by the cheaper of the best object split and the best spatial split.
    fn split<'a>(self, mut range: PrimRange<'a>, bins: &mut SahBins) -> [PrimRange<'a>; 2] {
        let BinarySahBuilder { level, max_bins, .. } = self.builder;
        let (prims, centroids) = (&range.prims[..range.count], &range.bounds.centroids);
        let split = dispatch!(level, simd => bins.best_split(simd, prims, centroids, max_bins));
        let Some(split) = split else { return range.split_median(level) };
        let try_spatial = range.spare_slots() > 0 && range.count > LEAF_CAPACITY && {
            let overlap = bins.overlap(&split, range.count, max_bins);
            overlap > MIN_OVERLAP_TO_ROOT_AREA * self.root_area
                && overlap > MIN_OVERLAP_TO_NODE_AREA * range.bounds.bounds.half_area()
        };
        if try_spatial
            && let Some(sides) =
                self.try_spatial_split(&mut range, split.cost * MAX_SPATIAL_COST_RATIO)
        {
            return range.split_at(&sides);
        }
        let prims = &mut range.prims[..range.count];
        let sides = dispatch!(level, simd => split.partition(simd, prims));
        if sides.low_count == 0 || sides.high_count == 0 {
            range.split_median(level)
        } else {
            range.split_at(&sides)
        }
    }

    /// Performs the best spatial split if it costs less than `max_cost`.
    fn try_spatial_split(
        self,
        range: &mut PrimRange<'_>,
        max_cost: f32,
    ) -> Option<PartitionResult> {
        let BinarySahBuilder { mesh, level, .. } = self.builder;
        let (prims, spare) = (&range.prims[..range.count], range.spare_slots());
        let split = spatial_split::best_spatial_split(mesh, prims, &range.bounds.bounds, spare)?;
        if split.cost >= max_cost {
            return None;
        }
        let (low, high) = split.partition(mesh, prims);
        if low.is_empty() || high.is_empty() || low.len() + high.len() > range.prims.len() {
            return None;
        }
        range.count = low.len() + high.len();
        range.prims[..low.len()].copy_from_slice(&low);
        range.prims[low.len()..range.count].copy_from_slice(&high);
        Some(dispatch!(level, simd => PartitionResult::measure(simd, &low, &high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: with spare slots between two sides, a leaf over both read the spare slots.
    #[test]
    fn prims_of_a_node_are_contiguous_after_spatial_splits() {
        // Parallel needles along the diagonal: their boxes are large until they are split.
        let needles = (0..200_u16).flat_map(|needle| {
            let x = f32::from(needle) * 0.02;
            [[x, 0.0, 0.0], [x + 20.0, 20.0, 20.0], [x + 20.1, 20.0, 20.0]]
        });
        let triangles =
            (0..200).map(|needle| [3 * needle, 3 * needle + 1, 3 * needle + 2]).collect();
        let mesh = TriangleMesh::new(needles.collect(), triangles).unwrap();
        let mut prims: Vec<PrimRef> = mesh
            .iter_triangles()
            .zip(0..)
            .map(|(triangle, id)| PrimRef::new(&triangle.padded_aabb(), id))
            .collect();
        prims.resize(700, PrimRef::EMPTY);
        let builder =
            BinarySahBuilder { mesh: &mesh, level: Level::new(), max_bins: 32, max_leaf_size: 2 };
        let nodes = builder.build(&mut prims, 200);
        assert!(prims.len() > 200, "no spatial split");
        assert_eq!(nodes[0].prim_count as usize, prims.len());
        for node in &nodes {
            let own = &prims[node.first_prim as usize..][..node.prim_count as usize];
            assert_eq!(PrimRef::merge_all(own).bounds(), node.bounds.bounds());
        }
        let mut ids: Vec<u32> = prims.iter().map(PrimRef::prim_id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert!(ids.into_iter().eq(0..200));
    }
}
