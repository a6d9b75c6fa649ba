//! What is still to be visited by a ray that flies among others?
//!
//! How many children a ray crosses is as good as random, and with many rays in turns the processor has nothing to guess
//! it by. So two are always taken without asking (three, where their order does not matter); more are rare. And below all that waits lies nobody's child, so
//! that nobody asks, either, whether there is anything to pop. (A ray that is alone is faster with a guess, which lets
//! the next node be read before the last is decided: [`Stack`](super::stack::Stack).)
#![allow(clippy::inline_always)]

use core::hint::select_unpredictable;

use super::node::{Child, Row, WIDTH};
use super::stack::Pending;

/// Some five cache lines a ray, so that those of all rays in flight stay in the first cache.
const SHORT: usize = 32;
/// How long the list is with nobody's child alone.
const EMPTY: usize = 1;
/// Places below this are looked at whether they are taken or not.
const FEW: usize = 4;
/// With more than this, there is not room for all the children of a node.
const NEARLY_FULL: usize = SHORT - WIDTH;

/// A short list, and what does not fit on it (never seen on a mesh, possible on a hostile one).
#[derive(Debug)]
pub(super) struct Pile {
    /// (Some more than are used, so that none need be checked.)
    short: [Pending; SHORT + 2],
    len: usize,
    /// What lies below.
    more: Vec<Pending>,
}

/// The children of a node that a ray crosses, a bit each, and where it enters them.
#[derive(Clone, Copy)]
pub(super) struct Crossed<'a> {
    pub(super) bits: u32,
    pub(super) enter: &'a Row,
    pub(super) children: &'a Row,
}

impl Crossed<'_> {
    /// The child of the lowest bit, which is cleared; some child if there is none.
    #[inline(always)]
    fn take(&mut self) -> Pending {
        let lane = self.bits.trailing_zeros() as usize & 7;
        self.bits &= self.bits.wrapping_sub(1);
        Pending::new(self.enter[lane], Child(self.children[lane].to_bits()))
    }
}

impl Pile {
    pub(super) fn new() -> Self {
        let nobody = Pending::new(f32::NEG_INFINITY, Child::NONE);
        Self { short: [nobody; SHORT + 2], len: EMPTY, more: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = EMPTY;
        self.more.clear();
    }

    /// The nearest of what is crossed, and the rest pushed; what was pushed last, if nothing is.
    #[inline(always)]
    pub(super) fn nearest(&mut self, mut crossed: Crossed<'_>) -> Child {
        let top = self.top();
        let count = crossed.bits.count_ones() as usize;
        let waiting = self.short[top.wrapping_sub(1) % SHORT].child();
        let a = crossed.take();
        let b = select_unpredictable(count < 2, a, crossed.take());
        let (far, mut near) = ordered(a, b);
        self.short[top] = far;
        if count > 2 {
            let (mid, nearest) = ordered(near, crossed.take());
            let (far, mid) = ordered(far, mid);
            (self.short[top], self.short[top + 1], self.short[top + 2]) = (far, mid, nearest);
            near = nearest;
            if crossed.bits != 0 {
                insert(&mut self.short, top, crossed);
                near = self.short[(top + count - 1) % SHORT];
            }
        }
        self.len = (top + count - 1).max(EMPTY);
        select_unpredictable(count == 0, waiting, near.child())
    }

    /// Pushes what is crossed as it comes.
    #[inline(always)]
    pub(super) fn push_in_order(&mut self, mut crossed: Crossed<'_>) {
        let top = self.top();
        let count = crossed.bits.count_ones() as usize;
        for place in 0..3 {
            self.short[top + place] = crossed.take();
        }
        if crossed.bits != 0 {
            append(&mut self.short, top, crossed);
        }
        self.len = top + count;
    }

    /// The last that was pushed and not popped, or [`Child::NONE`], without a guess whether there is any. What is on
    /// the heap is left there.
    #[inline(always)]
    pub(super) fn pop_short(&mut self) -> Child {
        let last = self.len.wrapping_sub(1) % SHORT;
        self.len = last.max(EMPTY);
        self.short[last].child()
    }

    /// What was put on the heap last.
    #[inline(always)]
    pub(super) fn pop_far(&mut self) -> Option<Child> {
        if self.more.is_empty() { None } else { pop_far(&mut self.more) }
    }

    /// Forgets those whose boxes begin beyond `end`. (Of what is on the heap a visit will find out.)
    #[inline(always)]
    pub(super) fn keep_within(&mut self, end: f32) {
        let mut kept = EMPTY;
        let mut keep = |place: usize, is_there: bool| {
            let pending = self.short[place % SHORT];
            self.short[kept % SHORT] = pending;
            kept += usize::from((pending.enter() <= end) & is_there);
        };
        // Nearly always there are fewer than this; how many, would have to be guessed.
        for place in EMPTY..FEW {
            keep(place, place < self.len);
        }
        for place in FEW..self.len {
            keep(place, true);
        }
        self.len = kept;
    }

    /// Where the next is to be written; there is room for all children of a node.
    #[inline(always)]
    fn top(&mut self) -> usize {
        if self.len > NEARLY_FULL {
            spill(self);
        }
        self.len % SHORT
    }
}

/// The farther one first.
#[inline(always)]
fn ordered(a: Pending, b: Pending) -> (Pending, Pending) {
    (core::cmp::max(a, b), core::cmp::min(a, b))
}

/// More than three, sorted among the three as they come: nearly always one or two.
#[inline(never)]
fn insert(short: &mut [Pending; SHORT + 2], first: usize, mut crossed: Crossed<'_>) {
    let mut end = first + 3;
    while crossed.bits != 0 {
        let next = crossed.take();
        let mut place = end;
        while place > first && short[(place - 1) % SHORT] < next {
            short[place % SHORT] = short[(place - 1) % SHORT];
            place -= 1;
        }
        short[place % SHORT] = next;
        end += 1;
    }
}

#[inline(never)]
fn append(short: &mut [Pending; SHORT + 2], first: usize, mut crossed: Crossed<'_>) {
    let mut end = first + 3;
    while crossed.bits != 0 {
        short[end % SHORT] = crossed.take();
        end += 1;
    }
}

/// All of the short list to the heap.
#[cold]
#[inline(never)]
fn spill(pile: &mut Pile) {
    pile.more.extend_from_slice(&pile.short[EMPTY..pile.len.min(SHORT)]);
    pile.len = EMPTY;
}

#[cold]
#[inline(never)]
fn pop_far(more: &mut Vec<Pending>) -> Option<Child> {
    more.pop().map(Pending::child)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILDREN: [u32; WIDTH] = [10, 11, 12, 13, 14, 15, 16, 17];
    const ENTER: Row = [3.0, 0.0, 7.0, 1.0, 2.0, 9.0, 0.5, 4.0];

    fn popped(pile: &mut Pile) -> Option<Child> {
        match pile.pop_short() {
            Child::NONE => pile.pop_far(),
            child => Some(child),
        }
    }

    #[test]
    fn whatever_is_crossed_is_popped_nearest_first() {
        for bits in 0..256_u32 {
            let children = CHILDREN.map(f32::from_bits);
            let mut pile = Pile::new();
            let nearest = pile.nearest(Crossed { bits, enter: &ENTER, children: &children });
            let mut expected: Vec<usize> =
                (0..WIDTH).filter(|lane| bits >> lane & 1 == 1).collect();
            expected.sort_by(|&a, &b| ENTER[a].total_cmp(&ENTER[b]));
            let expected: Vec<Child> = expected.iter().map(|&lane| Child(CHILDREN[lane])).collect();
            assert_eq!(nearest, expected.first().copied().unwrap_or(Child::NONE), "{bits:08b}");
            for &child in expected.iter().skip(1) {
                assert_eq!(pile.pop_short(), child, "{bits:08b}");
            }
            assert_eq!([pile.pop_short(), pile.pop_short()], [Child::NONE; 2]);
            assert_eq!(pile.pop_far(), None);
        }
    }

    #[test]
    fn what_does_not_fit_is_popped_after_the_rest_and_in_order() {
        let mut pile = Pile::new();
        let children: Row = core::array::from_fn(|lane| f32::from_bits(lane as u32 + 1));
        for _ in 0..20 {
            pile.push_in_order(Crossed { bits: 0xff, enter: &ENTER, children: &children });
        }
        for _ in 0..20 {
            for lane in (0..8).rev() {
                assert_eq!(popped(&mut pile), Some(Child(lane + 1)));
            }
        }
        assert_eq!(popped(&mut pile), None);
    }

    #[test]
    fn when_nothing_is_crossed_what_waits_is_next_also_after_all_went_to_the_heap() {
        let (mut pile, children) = (Pile::new(), CHILDREN.map(f32::from_bits));
        let all = Crossed { bits: 0xff, enter: &ENTER, children: &children };
        let nothing = Crossed { bits: 0, ..all };
        for _ in 0..3 {
            assert_eq!(pile.nearest(all), Child(11));
        }
        assert_eq!(pile.nearest(nothing), Child(16));
        assert_eq!(pile.nearest(all), Child(11));
        // Above these there is no room for eight more, whether they come or not.
        assert_eq!(pile.nearest(nothing), Child::NONE);
        let popped: Vec<u32> =
            core::iter::from_fn(|| popped(&mut pile)).map(|child| child.0).collect();
        let waited = [16, 13, 14, 10, 17, 12, 15];
        assert_eq!(popped, [&waited[..], &waited[1..], &waited, &waited].concat());
    }

    #[test]
    fn what_begins_beyond_a_hit_is_forgotten() {
        let (children, bits) = (CHILDREN.map(f32::from_bits), 0xff);
        let mut pile = Pile::new();
        assert_eq!(pile.nearest(Crossed { bits, enter: &ENTER, children: &children }).0, 11);
        pile.keep_within(2.0);
        let kept: Vec<u32> =
            core::iter::from_fn(|| popped(&mut pile)).map(|child| child.0).collect();
        assert_eq!(kept, [16, 13, 14]);
    }
}
