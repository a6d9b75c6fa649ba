//! Branch-free traversal stack of one ray in a batch.
//!
//! The number of children hit at a node is close to random, and with many interleaved rays the
//! branch predictor has no history for it. Two children are therefore always processed without a
//! branch (three if unordered); more are rare. A sentinel at the bottom of the stack removes the
//! empty check from `pop`. A single ray is faster with branches, because prediction lets the next
//! node be loaded before the order is known:
//! [`TraversalStack`](crate::raycast::bvh::traverse::traversal_stack::TraversalStack).
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use core::hint::select_unpredictable;

use crate::raycast::bvh::node::{NodeRef, Row8, WIDTH};
use crate::raycast::bvh::traverse::traversal_stack::StackEntry;

/// About five cache lines per ray, so that the stacks of all rays in flight fit into the L1 cache.
const INLINE_CAPACITY: usize = 32;
/// Length of the stack with the sentinel only.
const EMPTY_LEN: usize = 1;
/// Slots below this index are processed unconditionally.
const UNROLLED_SLOTS: usize = 4;
/// Beyond this length the children of a node may not fit.
const MAX_LEN_BEFORE_PUSH: usize = INLINE_CAPACITY - WIDTH;

/// Fixed-size stack that spills to the heap. Spilling was never observed on a real mesh; a hostile
/// mesh can cause it.
#[derive(Debug)]
pub(crate) struct BatchStack {
    /// Two slots more than are used, so that writes need no bounds check.
    inline: [StackEntry; INLINE_CAPACITY + 2],
    len: usize,
    /// Entries below the inline ones.
    spilled: Vec<StackEntry>,
}

/// Children of a node hit by a ray: hit mask, entry distances and references by lane.
#[derive(Clone, Copy)]
pub(crate) struct ChildHits<'a> {
    pub(crate) mask: u32,
    pub(crate) t_enter: &'a Row8,
    pub(crate) children: &'a Row8,
}

impl ChildHits<'_> {
    /// Entry of the lowest set bit, which is cleared; an arbitrary entry if the mask is empty.
    #[inline(always)]
    fn take_lowest(&mut self) -> StackEntry {
        let lane = self.mask.trailing_zeros() as usize & 7;
        self.mask &= self.mask.wrapping_sub(1);
        StackEntry::new(self.t_enter[lane], NodeRef(self.children[lane].to_bits()))
    }
}

impl BatchStack {
    pub(crate) fn new() -> Self {
        let sentinel = StackEntry::new(f32::NEG_INFINITY, NodeRef::NONE);
        Self { inline: [sentinel; INLINE_CAPACITY + 2], len: EMPTY_LEN, spilled: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = EMPTY_LEN;
        self.spilled.clear();
    }

    /// Pushes the hit children sorted by distance and pops the nearest. If none was hit, pops the
    /// top of the stack.
    #[inline(always)]
    pub(crate) fn push_and_pop_nearest(&mut self, mut hits: ChildHits<'_>) -> NodeRef {
        let top = self.reserve_children();
        let count = hits.mask.count_ones() as usize;
        let previous = self.inline[top.wrapping_sub(1) % INLINE_CAPACITY].child();
        let a = hits.take_lowest();
        let b = select_unpredictable(count < 2, a, hits.take_lowest());
        let (far, mut near) = far_near(a, b);
        self.inline[top] = far;
        if count > 2 {
            let (mid, nearest) = far_near(near, hits.take_lowest());
            let (far, mid) = far_near(far, mid);
            (self.inline[top], self.inline[top + 1], self.inline[top + 2]) = (far, mid, nearest);
            near = nearest;
            if hits.mask != 0 {
                insert_sorted(&mut self.inline, top, hits);
                near = self.inline[(top + count - 1) % INLINE_CAPACITY];
            }
        }
        self.len = (top + count - 1).max(EMPTY_LEN);
        select_unpredictable(count == 0, previous, near.child())
    }

    /// Pushes the hit children in lane order.
    #[inline(always)]
    pub(crate) fn push_unsorted(&mut self, mut hits: ChildHits<'_>) {
        let top = self.reserve_children();
        let count = hits.mask.count_ones() as usize;
        for slot in 0..3 {
            self.inline[top + slot] = hits.take_lowest();
        }
        if hits.mask != 0 {
            append(&mut self.inline, top, hits);
        }
        self.len = top + count;
    }

    /// Pops the top inline entry without a branch; [`NodeRef::NONE`] if there is none. Ignores
    /// spilled entries.
    #[inline(always)]
    pub(crate) fn pop_inline(&mut self) -> NodeRef {
        let last = self.len.wrapping_sub(1) % INLINE_CAPACITY;
        self.len = last.max(EMPTY_LEN);
        self.inline[last].child()
    }

    /// Pops the top spilled entry.
    #[inline(always)]
    pub(crate) fn pop_spilled(&mut self) -> Option<NodeRef> {
        if self.spilled.is_empty() { None } else { pop_from_heap(&mut self.spilled) }
    }

    /// Removes inline entries whose box is entered beyond `t_cull`. Spilled entries are not
    /// culled: their children are, when they are visited.
    #[inline(always)]
    pub(crate) fn cull_beyond(&mut self, t_cull: f32) {
        let mut kept = EMPTY_LEN;
        let mut keep = |slot: usize, is_used: bool| {
            let entry = self.inline[slot % INLINE_CAPACITY];
            self.inline[kept % INLINE_CAPACITY] = entry;
            kept += usize::from((entry.t_enter() <= t_cull) & is_used);
        };
        // Unrolled without a branch on the length: it is nearly always below UNROLLED_SLOTS, and
        // its exact value is unpredictable.
        for slot in EMPTY_LEN..UNROLLED_SLOTS {
            keep(slot, slot < self.len);
        }
        for slot in UNROLLED_SLOTS..self.len {
            keep(slot, true);
        }
        self.len = kept;
    }

    /// Makes room for all children of a node and returns the slot of the next entry.
    #[inline(always)]
    fn reserve_children(&mut self) -> usize {
        if self.len > MAX_LEN_BEFORE_PUSH {
            spill(self);
        }
        self.len % INLINE_CAPACITY
    }
}

/// The entry with the larger distance first.
#[inline(always)]
fn far_near(a: StackEntry, b: StackEntry) -> (StackEntry, StackEntry) {
    (core::cmp::max(a, b), core::cmp::min(a, b))
}

/// Insertion sort of the fourth and further children into the three at `first`: nearly always one
/// or two.
#[inline(never)]
fn insert_sorted(
    slots: &mut [StackEntry; INLINE_CAPACITY + 2],
    first: usize,
    mut hits: ChildHits<'_>,
) {
    let mut end = first + 3;
    while hits.mask != 0 {
        let next = hits.take_lowest();
        let mut slot = end;
        while slot > first && slots[(slot - 1) % INLINE_CAPACITY] < next {
            slots[slot % INLINE_CAPACITY] = slots[(slot - 1) % INLINE_CAPACITY];
            slot -= 1;
        }
        slots[slot % INLINE_CAPACITY] = next;
        end += 1;
    }
}

#[inline(never)]
fn append(slots: &mut [StackEntry; INLINE_CAPACITY + 2], first: usize, mut hits: ChildHits<'_>) {
    let mut end = first + 3;
    while hits.mask != 0 {
        slots[end % INLINE_CAPACITY] = hits.take_lowest();
        end += 1;
    }
}

/// Moves all inline entries except the sentinel to the heap.
#[cold]
#[inline(never)]
fn spill(stack: &mut BatchStack) {
    stack.spilled.extend_from_slice(&stack.inline[EMPTY_LEN..stack.len.min(INLINE_CAPACITY)]);
    stack.len = EMPTY_LEN;
}

#[cold]
#[inline(never)]
fn pop_from_heap(spilled: &mut Vec<StackEntry>) -> Option<NodeRef> {
    spilled.pop().map(StackEntry::child)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILDREN: [u32; WIDTH] = [10, 11, 12, 13, 14, 15, 16, 17];
    const T_ENTER: Row8 = [3.0, 0.0, 7.0, 1.0, 2.0, 9.0, 0.5, 4.0];

    fn pop(stack: &mut BatchStack) -> Option<NodeRef> {
        match stack.pop_inline() {
            NodeRef::NONE => stack.pop_spilled(),
            child => Some(child),
        }
    }

    fn pop_all(stack: &mut BatchStack) -> Vec<u32> {
        core::iter::from_fn(|| pop(stack)).map(|child| child.0).collect()
    }

    #[test]
    fn hit_children_are_popped_nearest_first_for_every_mask() {
        for mask in 0..256_u32 {
            let children = CHILDREN.map(f32::from_bits);
            let mut stack = BatchStack::new();
            let hits = ChildHits { mask, t_enter: &T_ENTER, children: &children };
            let nearest = stack.push_and_pop_nearest(hits);
            let mut expected: Vec<usize> =
                (0..WIDTH).filter(|lane| mask >> lane & 1 == 1).collect();
            expected.sort_by(|&a, &b| T_ENTER[a].total_cmp(&T_ENTER[b]));
            let expected: Vec<NodeRef> =
                expected.iter().map(|&lane| NodeRef(CHILDREN[lane])).collect();
            assert_eq!(nearest, expected.first().copied().unwrap_or(NodeRef::NONE), "{mask:08b}");
            for &child in expected.iter().skip(1) {
                assert_eq!(stack.pop_inline(), child, "{mask:08b}");
            }
            assert_eq!([stack.pop_inline(), stack.pop_inline()], [NodeRef::NONE; 2]);
            assert_eq!(stack.pop_spilled(), None);
        }
    }

    #[test]
    fn spilled_entries_are_popped_last_and_in_order() {
        let mut stack = BatchStack::new();
        let children: Row8 = core::array::from_fn(|lane| f32::from_bits(lane as u32 + 1));
        for _ in 0..20 {
            stack.push_unsorted(ChildHits { mask: 0xff, t_enter: &T_ENTER, children: &children });
        }
        for _ in 0..20 {
            for lane in (0..8).rev() {
                assert_eq!(pop(&mut stack), Some(NodeRef(lane + 1)));
            }
        }
        assert_eq!(pop(&mut stack), None);
    }

    #[test]
    fn node_without_hits_pops_the_stack_also_after_a_spill() {
        let (mut stack, children) = (BatchStack::new(), CHILDREN.map(f32::from_bits));
        let all = ChildHits { mask: 0xff, t_enter: &T_ENTER, children: &children };
        let none = ChildHits { mask: 0, ..all };
        for _ in 0..3 {
            assert_eq!(stack.push_and_pop_nearest(all), NodeRef(11));
        }
        assert_eq!(stack.push_and_pop_nearest(none), NodeRef(16));
        assert_eq!(stack.push_and_pop_nearest(all), NodeRef(11));
        // Eight more would not fit, so the stack spills even though no child was hit.
        assert_eq!(stack.push_and_pop_nearest(none), NodeRef::NONE);
        let pushed = [16, 13, 14, 10, 17, 12, 15];
        let expected = [&pushed[..], &pushed[1..], &pushed, &pushed].concat();
        assert_eq!(pop_all(&mut stack), expected);
    }

    #[test]
    fn entries_beyond_the_hit_are_culled() {
        let children = CHILDREN.map(f32::from_bits);
        let mut stack = BatchStack::new();
        let hits = ChildHits { mask: 0xff, t_enter: &T_ENTER, children: &children };
        assert_eq!(stack.push_and_pop_nearest(hits).0, 11);
        stack.cull_beyond(2.0);
        assert_eq!(pop_all(&mut stack), [16, 13, 14]);
    }
}
