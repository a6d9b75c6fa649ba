//! Which boxes of a tree overlap each other, or those of another tree?

use fearless_simd::{Simd, dispatch};

use super::Tree;
use super::node::{Node, Place};
use crate::pairs::block::LANES;
use crate::pairs::{Boxes, Pair, PairFinder, PairObserver, Unobserved};
use embate_geom::Aabb;

impl<const D: usize> Tree<D> {
    /// Appends every overlapping pair of its boxes once, by their ids, the smaller first.
    pub fn self_pairs(&self, pairs: &mut Vec<Pair>) {
        self.self_pairs_observed(pairs, &mut Unobserved);
    }

    /// [`self_pairs`](Self::self_pairs), observed: a cell is a node, or two nodes, looked into.
    pub fn self_pairs_observed<O: PairObserver>(&self, pairs: &mut Vec<Pair>, observer: &mut O) {
        observer.list(u64::from(self.len));
        let level = self.level;
        dispatch!(level, simd => self.join_self(simd, pairs, observer));
    }

    /// Appends every overlapping pair of a box here and a box of `other`: `[our id, its id]`, each once.
    pub fn pairs_with(&self, other: &Self, pairs: &mut Vec<Pair>) {
        self.pairs_with_observed(other, pairs, &mut Unobserved);
    }

    /// [`pairs_with`](Self::pairs_with), observed: a cell is two nodes looked into.
    pub fn pairs_with_observed<O: PairObserver>(
        &self,
        other: &Self,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let level = self.level;
        dispatch!(level, simd => self.join_other(simd, other, pairs, observer));
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn join_self<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let mut pending = vec![[self.root; 2]];
        while let Some([a, b]) = pending.pop() {
            if a != b {
                self.join_nodes(simd, self, [a, b], &mut pending, pairs, observer, true);
                continue;
            }
            observer.enter(1);
            let node = &self.nodes[a as usize];
            let is_leaf = node.height == 0;
            let meetings = if is_leaf { &mut *pairs } else { &mut pending };
            let count = node.count();
            if is_leaf {
                observer.test((count * count.saturating_sub(1) / 2) as u64);
            }
            if observer.watches() {
                tell_node(node, observer);
            }
            for lane in 0..count {
                // A node below must also be joined with itself; an item must not.
                let later = if is_leaf { 0xfe } else { 0xff } << lane;
                let lanes = node.boxes.overlapping(simd, &node.get(lane)) & later;
                push_meetings(node.children[lane], node, lanes, is_leaf, meetings);
            }
        }
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn join_other<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        other: &Self,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let mut pending = vec![[self.root, other.root]];
        while let Some(two) = pending.pop() {
            self.join_nodes(simd, other, two, &mut pending, pairs, observer, false);
        }
    }

    /// Tells which boxes of a node here and of a node of `other` overlap: to `pairs` if both are at
    /// height 0, else to `pending`.
    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[expect(clippy::too_many_arguments, reason = "the state of two loops that share this body")]
    #[inline(always)]
    fn join_nodes<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        other: &Self,
        [a, b]: Pair,
        pending: &mut Vec<Pair>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
        smaller_first: bool,
    ) {
        observer.enter(1);
        let (ours, its) = (&self.nodes[a as usize], &other.nodes[b as usize]);
        let mut reaching = ours.boxes.overlapping(simd, &other.bounds_of(its));
        if ours.height > its.height {
            // Down the taller tree alone, until both are equally high.
            while reaching != 0 {
                pending.push([ours.children[next_lane(&mut reaching)], b]);
            }
            return;
        }
        if ours.height < its.height {
            let mut lanes = its.boxes.overlapping(simd, &self.bounds_of(ours));
            while lanes != 0 {
                pending.push([a, its.children[next_lane(&mut lanes)]]);
            }
            return;
        }
        let is_leaf = ours.height == 0;
        let meetings = if is_leaf { pairs } else { pending };
        if is_leaf {
            observer.test(u64::from(reaching.count_ones()) * its.count() as u64);
        }
        if is_leaf && observer.watches() {
            let mut lanes = reaching;
            while lanes != 0 {
                observer.tested(ours.children[next_lane(&mut lanes)], its.items());
            }
        }
        while reaching != 0 {
            let lane = next_lane(&mut reaching);
            let lanes = its.boxes.overlapping(simd, &ours.get(lane));
            push_meetings(ours.children[lane], its, lanes, is_leaf && smaller_first, meetings);
        }
    }

    /// The box around a node, which its parent keeps.
    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn bounds_of(&self, node: &Node<D>) -> Aabb<D> {
        if node.place == Place::NOWHERE {
            node.bounds()
        } else {
            self.nodes[node.place.node()].get(node.place.lane())
        }
    }
}

/// A node that is joined with itself: what it lists, and whom it tests, if those are the caller's boxes.
fn tell_node<const D: usize, O: PairObserver>(node: &Node<D>, observer: &mut O) {
    let Aabb { min, max } = node.bounds();
    let is_leaf = node.height == 0;
    observer.cell(&min, &max, node.items().filter(|_| is_leaf));
    if is_leaf {
        for (lane, id) in node.items().enumerate() {
            observer.tested(id, node.items().skip(lane + 1));
        }
    }
}

/// Pairs `child` with what lies in some lanes of a node.
#[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
#[inline(always)]
fn push_meetings<const D: usize>(
    child: u32,
    node: &Node<D>,
    mut lanes: u32,
    smaller_first: bool,
    meetings: &mut Vec<Pair>,
) {
    while lanes != 0 {
        let other = node.children[next_lane(&mut lanes)];
        meetings.push(if smaller_first && other < child { [other, child] } else { [child, other] });
    }
}

/// Takes the first of the lanes out.
#[inline]
pub(super) fn next_lane(lanes: &mut u32) -> usize {
    let lane = lanes.trailing_zeros() as usize;
    *lanes &= *lanes - 1;
    lane % LANES
}

/// Each frame forgets what the tree held before and builds it anew, so that the answer and its order are
/// functions of the boxes alone.
impl<const D: usize> PairFinder<D> for Tree<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        self.build_anew(boxes);
        self.self_pairs_observed(pairs, observer);
    }

    fn bytes(&self) -> usize {
        Tree::bytes(self)
    }
}
