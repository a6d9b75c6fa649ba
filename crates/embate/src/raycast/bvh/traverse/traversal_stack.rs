//! What is still to be visited?
//!
//! A list in place that is not cleared beforehand, which for every ray would cost as much as two nodes; what
//! does not fit (never seen on a mesh, possible on a hostile one) goes to the heap. Whoever searches says when, outside of
//! its inner loop: a call in there would take the ray out of the registers.
#![allow(clippy::inline_always)]

use arrayvec::ArrayVec;

use super::node::{Child, WIDTH};

const SHORT: usize = 48;

/// A child and where the ray enters its box, in one word that sorts by that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pending(u64);

impl Pending {
    /// `enter` sorts by its bits, which is right for rays that begin at `t >= 0`; for others the order
    /// of visits is arbitrary, and the answer the same.
    #[inline(always)]
    pub(super) fn new(enter: f32, child: Child) -> Self {
        Self(u64::from(enter.to_bits()) << 32 | u64::from(child.0))
    }

    #[inline(always)]
    pub(super) fn child(self) -> Child {
        Child(self.0 as u32)
    }

    #[inline(always)]
    pub(super) fn enter(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }
}

#[derive(Debug)]
pub(super) struct Stack {
    short: ArrayVec<Pending, SHORT>,
    more: Vec<Pending>,
}

impl Stack {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { short: ArrayVec::new(), more: Vec::new() }
    }

    /// Whether all children of a node can be pushed.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.short.len() <= SHORT - WIDTH
    }

    /// Pushes what there [`is room`](Self::has_room) for.
    #[inline(always)]
    pub(super) fn push(&mut self, pending: Pending) {
        let pushed = self.short.try_push(pending);
        debug_assert!(pushed.is_ok(), "no room");
    }

    /// The next of the list in place whose box begins up to `end`, or, where that was not told, wherever it begins;
    /// [`Child::NONE`] if there is none.
    #[inline(always)]
    pub(super) fn pop<const TOLD: bool>(&mut self, end: f32) -> Child {
        while let Some(pending) = self.short.pop() {
            if !TOLD || pending.enter() <= end {
                return pending.child();
            }
        }
        Child::NONE
    }

    /// Makes room: the whole list goes to the heap.
    #[cold]
    #[inline(never)]
    pub(super) fn spill(&mut self) {
        self.more.extend(self.short.drain(..));
    }

    /// Takes what was last put on the heap, when the list in place is empty; tells whether there was anything.
    #[inline(always)]
    pub(super) fn refill(&mut self) -> bool {
        !self.more.is_empty() && self.take_back()
    }

    #[cold]
    #[inline(never)]
    fn take_back(&mut self) -> bool {
        let first = self.more.len().saturating_sub(SHORT - WIDTH);
        self.short.extend(self.more.drain(first..));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_in_place_comes_back_in_order() {
        let mut stack = Stack::new();
        for number in 1..=1_000_u16 {
            if !stack.has_room() {
                stack.spill();
            }
            stack.push(Pending::new(f32::from(number), Child(u32::from(number))));
        }
        // The last hundred begin behind what is still of interest.
        let mut popped = Vec::new();
        loop {
            match stack.pop::<true>(900.0) {
                Child::NONE if stack.refill() => {}
                Child::NONE => break,
                child => popped.push(child.0),
            }
        }
        assert!(popped.into_iter().eq((1..=900).rev()));
    }
}
