//! What is still to be visited?
//!
//! A list in place that is not cleared beforehand, which for every ray would cost as much as two nodes; what
//! does not fit (never seen on a mesh, possible on a hostile one) goes to the heap.
#![allow(clippy::inline_always)]

use arrayvec::ArrayVec;

use super::node::Child;

const SHORT: usize = 48;

/// A child and where the ray enters its box, in one word that sorts by that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pending(u64);

impl Pending {
    /// Sorts before any child: none is at line 0, where the root is.
    pub(super) const NONE: Self = Self(0);

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

    #[inline(always)]
    pub(super) fn push(&mut self, pending: Pending) {
        if self.short.try_push(pending).is_err() {
            self.push_far(pending);
        }
    }

    #[cold]
    #[inline(never)]
    fn push_far(&mut self, pending: Pending) {
        self.more.push(pending);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Pending> {
        if self.short.is_full()
            && let Some(pending) = self.pop_far()
        {
            return Some(pending);
        }
        self.short.pop()
    }

    #[cold]
    #[inline(never)]
    fn pop_far(&mut self) -> Option<Pending> {
        self.more.pop()
    }

    /// The next whose box begins up to `end`.
    #[inline(always)]
    pub(super) fn pop_within(&mut self, end: f32) -> Option<Child> {
        loop {
            let pending = self.pop()?;
            if pending.enter() <= end {
                return Some(pending.child());
            }
        }
    }
}
