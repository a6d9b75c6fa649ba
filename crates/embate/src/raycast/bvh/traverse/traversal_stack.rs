//! Traversal stack of a single ray.
//!
//! A fixed array that is not cleared beforehand: clearing it for every ray would cost as much as
//! two node visits. When the children of a node may not fit, all entries move to the heap; this was
//! never observed on a real mesh, but a hostile mesh can cause it. The traversal triggers the spill
//! outside of its inner loop, where a call would evict the ray from the registers.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use arrayvec::ArrayVec;

use crate::raycast::bvh::node::{NodeRef, WIDTH};

const INLINE_CAPACITY: usize = 48;

/// Entry distance (high half) and child reference (low half) in one word, ordered by distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StackEntry(u64);

impl StackEntry {
    /// The bits of `t_enter` sort correctly if it is not negative. For rays with `t_min < 0` the
    /// order of visits is arbitrary; results are the same.
    #[inline(always)]
    pub(crate) fn new(t_enter: f32, child: NodeRef) -> Self {
        Self(u64::from(t_enter.to_bits()) << 32 | u64::from(child.0))
    }

    #[inline(always)]
    pub(crate) fn child(self) -> NodeRef {
        NodeRef(self.0 as u32)
    }

    #[inline(always)]
    pub(crate) fn t_enter(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }
}

#[derive(Debug)]
pub(crate) struct TraversalStack {
    inline: ArrayVec<StackEntry, INLINE_CAPACITY>,
    spilled: Vec<StackEntry>,
}

impl TraversalStack {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { inline: ArrayVec::new(), spilled: Vec::new() }
    }

    /// Whether all children of a node fit.
    #[inline(always)]
    pub(crate) fn can_push_children(&self) -> bool {
        self.inline.len() <= INLINE_CAPACITY - WIDTH
    }

    /// Pushes an entry; requires [`can_push_children`](Self::can_push_children) at the node.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: StackEntry) {
        let pushed = self.inline.try_push(entry);
        debug_assert!(pushed.is_ok(), "stack overflow");
    }

    /// Pops the top inline entry, with `CULL` the first one that is not entered beyond `t_cull`;
    /// [`NodeRef::NONE`] if there is none. Any-hit queries do not cull: they end at the first hit.
    #[inline(always)]
    pub(crate) fn pop<const CULL: bool>(&mut self, t_cull: f32) -> NodeRef {
        while let Some(entry) = self.inline.pop() {
            if !CULL || entry.t_enter() <= t_cull {
                return entry.child();
            }
        }
        NodeRef::NONE
    }

    /// Moves all inline entries to the heap.
    #[cold]
    #[inline(never)]
    pub(crate) fn spill(&mut self) {
        self.spilled.extend(self.inline.drain(..));
    }

    /// Moves the top spilled entries back to the inline stack, which must be empty; returns whether
    /// there were any.
    #[inline(always)]
    pub(crate) fn refill(&mut self) -> bool {
        !self.spilled.is_empty() && self.refill_from_heap()
    }

    #[cold]
    #[inline(never)]
    fn refill_from_heap(&mut self) -> bool {
        let first = self.spilled.len().saturating_sub(INLINE_CAPACITY - WIDTH);
        self.inline.extend(self.spilled.drain(first..));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spilled_entries_are_popped_in_order() {
        let mut stack = TraversalStack::new();
        for id in 1..=1_000_u16 {
            if !stack.can_push_children() {
                stack.spill();
            }
            stack.push(StackEntry::new(f32::from(id), NodeRef(u32::from(id))));
        }
        // The last hundred are entered beyond t_cull.
        let mut popped = Vec::new();
        loop {
            match stack.pop::<true>(900.0) {
                NodeRef::NONE if stack.refill() => {}
                NodeRef::NONE => break,
                child => popped.push(child.0),
            }
        }
        assert!(popped.into_iter().eq((1..=900).rev()));
    }
}
