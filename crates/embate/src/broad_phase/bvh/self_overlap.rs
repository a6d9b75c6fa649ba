//! Self-overlap traversal: overlapping pairs of one tree, or of two trees.

use fearless_simd::{Simd, dispatch};

use crate::broad_phase::aabb8::LANES;
use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::node::{BvhNode, EntrySlot};
use crate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, NoStats, OverlapPair};
use embate_geom::Aabb;

impl<const D: usize> DynamicBvh<D> {
    /// Appends every overlapping pair of its boxes once, the smaller id first.
    #[doc(alias = "self_pairs")]
    #[doc(alias = "leaf_pairs")]
    pub fn overlapping_pairs(&self, pairs: &mut Vec<OverlapPair>) {
        self.overlapping_pairs_observed(pairs, &mut NoStats);
    }

    /// [`overlapping_pairs`](Self::overlapping_pairs) with statistics: a visited cell is a node, or
    /// a pair of nodes.
    #[doc(alias = "self_pairs_observed")]
    pub fn overlapping_pairs_observed<O: BroadPhaseObserver>(
        &self,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        observer.count_cell_entries(u64::from(self.len));
        let simd_level = self.simd_level;
        dispatch!(simd_level, simd => self.traverse_self(simd, pairs, observer));
    }

    /// Appends every overlapping pair of a box of this tree and a box of `other`, once:
    /// `[id here, id there]`.
    #[doc(alias = "pairs_with")]
    pub fn overlapping_pairs_with(&self, other: &Self, pairs: &mut Vec<OverlapPair>) {
        self.overlapping_pairs_with_observed(other, pairs, &mut NoStats);
    }

    /// [`overlapping_pairs_with`](Self::overlapping_pairs_with) with statistics: a visited cell is
    /// a pair of nodes.
    #[doc(alias = "pairs_with_observed")]
    pub fn overlapping_pairs_with_observed<O: BroadPhaseObserver>(
        &self,
        other: &Self,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let simd_level = self.simd_level;
        dispatch!(simd_level, simd => self.traverse_with(simd, other, pairs, observer));
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn traverse_self<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let mut pending = vec![[self.root; 2]];
        while let Some([a, b]) = pending.pop() {
            if a != b {
                self.overlap_nodes(simd, self, [a, b], &mut pending, pairs, observer, true);
                continue;
            }
            observer.count_cells_visited(1);
            let node = &self.nodes[a as usize];
            let is_leaf = node.height == 0;
            let overlaps = if is_leaf { &mut *pairs } else { &mut pending };
            let count = node.count();
            if is_leaf {
                observer.count_overlap_tests((count * count.saturating_sub(1) / 2) as u64);
            }
            if observer.wants_details() {
                report_node(node, observer);
            }
            for lane in 0..count {
                // A child node must also be paired with itself; an item must not.
                let later = if is_leaf { 0xfe } else { 0xff } << lane;
                let mask = node.boxes.overlap_mask(simd, &node.get(lane)) & later;
                push_overlaps(node.children[lane], node, mask, is_leaf, overlaps);
            }
        }
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn traverse_with<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        other: &Self,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let mut pending = vec![[self.root, other.root]];
        while let Some(nodes) = pending.pop() {
            self.overlap_nodes(simd, other, nodes, &mut pending, pairs, observer, false);
        }
    }

    /// Finds the overlapping entries of node `a` here and node `b` of `other`: pushes them to
    /// `pairs` if both are leaves, else to `pending`.
    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[expect(clippy::too_many_arguments, reason = "the state of two loops that share this body")]
    #[inline(always)]
    fn overlap_nodes<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        other: &Self,
        [a, b]: OverlapPair,
        pending: &mut Vec<OverlapPair>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
        smaller_first: bool,
    ) {
        observer.count_cells_visited(1);
        let (first, second) = (&self.nodes[a as usize], &other.nodes[b as usize]);
        let mut mask = first.boxes.overlap_mask(simd, &other.bounds_of(second));
        if first.height > second.height {
            // Descend the taller tree alone, until both nodes have the same height.
            while mask != 0 {
                pending.push([first.children[pop_lane(&mut mask)], b]);
            }
            return;
        }
        if first.height < second.height {
            let mut mask = second.boxes.overlap_mask(simd, &self.bounds_of(first));
            while mask != 0 {
                pending.push([a, second.children[pop_lane(&mut mask)]]);
            }
            return;
        }
        let is_leaf = first.height == 0;
        let overlaps = if is_leaf { pairs } else { pending };
        if is_leaf {
            observer.count_overlap_tests(u64::from(mask.count_ones()) * second.count() as u64);
        }
        if is_leaf && observer.wants_details() {
            let mut lanes = mask;
            while lanes != 0 {
                observer.overlap_test(first.children[pop_lane(&mut lanes)], second.children());
            }
        }
        while mask != 0 {
            let lane = pop_lane(&mut mask);
            let lanes = second.boxes.overlap_mask(simd, &first.get(lane));
            push_overlaps(first.children[lane], second, lanes, is_leaf && smaller_first, overlaps);
        }
    }

    /// The AABB of a node, as stored in its parent.
    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn bounds_of(&self, node: &BvhNode<D>) -> Aabb<D> {
        if node.parent_slot == EntrySlot::NONE {
            node.bounds()
        } else {
            self.nodes[node.parent_slot.node()].get(node.parent_slot.lane())
        }
    }
}

/// Reports a node that is paired with itself, and the tests between its items if it is a leaf.
fn report_node<const D: usize, O: BroadPhaseObserver>(node: &BvhNode<D>, observer: &mut O) {
    let Aabb { min, max } = node.bounds();
    let is_leaf = node.height == 0;
    observer.cell_visited(&min, &max, node.children().filter(|_| is_leaf));
    if is_leaf {
        for (lane, id) in node.children().enumerate() {
            observer.overlap_test(id, node.children().skip(lane + 1));
        }
    }
}

/// Pairs `child` with the children in the lanes `mask` of a node.
#[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
#[inline(always)]
fn push_overlaps<const D: usize>(
    child: u32,
    node: &BvhNode<D>,
    mut mask: u32,
    smaller_first: bool,
    overlaps: &mut Vec<OverlapPair>,
) {
    while mask != 0 {
        let other = node.children[pop_lane(&mut mask)];
        overlaps.push(if smaller_first && other < child { [other, child] } else { [child, other] });
    }
}

/// Clears the lowest bit of the mask and returns its lane.
#[inline]
pub(super) fn pop_lane(mask: &mut u32) -> usize {
    let lane = mask.trailing_zeros() as usize;
    *mask &= *mask - 1;
    lane % LANES
}

/// Rebuilds the tree every frame, so that the pairs and their order are a function of the boxes
/// alone.
impl<const D: usize> BroadPhase<D> for DynamicBvh<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.rebuild(boxes);
        self.overlapping_pairs_observed(pairs, observer);
    }

    fn memory_usage(&self) -> usize {
        DynamicBvh::memory_usage(self)
    }
}
