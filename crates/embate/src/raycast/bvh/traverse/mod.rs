//! In which order are nodes visited, and when does a search end?
//!
//! Nearest child first, the others wait on a stack; what waits beyond the nearest hit is dropped when its
//! turn comes. Every child that is crossed is fetched ahead: a ray's time is mostly waiting for memory.
#![allow(clippy::inline_always)]

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{Hit, Ray, ShearedRay};
use fearless_simd::prelude::*;

use super::Bvh;
use super::leaves::Leaves;
use super::node::{self, Child, Enter, Line, Row, WIDTH};
use super::planes::{LaneRay, PlaneRay};
use super::stack::{Pending, Stack};
use crate::rays::{RayObserver, Unobserved};

/// The nearest of the hits that were found.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub(super) hit: Option<Hit>,
    /// Of the hit; the largest there is if there is none.
    triangle: u32,
    /// How far hits still count.
    pub(super) reach: f32,
}

impl Nearest {
    #[inline(always)]
    pub(super) fn within(reach: f32) -> Self {
        Self { hit: None, triangle: u32::MAX, reach }
    }

    /// Looks at a hit within reach, and tells what the reach is then.
    #[inline(always)]
    pub(super) fn take(&mut self, hit: Hit) -> f32 {
        debug_assert!(hit.t <= self.reach, "a hit beyond reach");
        // As [`Hit::precedes`], of hits within reach; whether there was one before would have to be guessed.
        if hit.t < self.reach || hit.triangle < self.triangle {
            *self = Self { hit: Some(hit), triangle: hit.triangle, reach: hit.t };
        }
        self.reach
    }
}

impl Bvh {
    /// The nearest hit; of equal `t`, the smaller triangle number.
    #[inline(always)]
    pub(super) fn closest<S: Simd>(&self, simd: S, ray: &Ray<3>) -> Option<Hit> {
        let mut nearest = Nearest::within(ray.t_max);
        let mut found = |hit: Hit| ControlFlow::Continue(nearest.take(hit));
        self.search::<S, _, true>(simd, ray, &mut Unobserved, &mut found);
        nearest.hit
    }

    /// Whether anything is hit.
    #[inline(always)]
    pub(super) fn any<S: Simd, O: RayObserver>(
        &self,
        simd: S,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> bool {
        let mut any = false;
        let mut found = |_| {
            any = true;
            ControlFlow::Break(())
        };
        self.search::<S, O, false>(simd, ray, observer, &mut found);
        any
    }

    /// Tells `found` of the ray's hits until it breaks off. `NEAREST_FIRST` sorts the children of a node;
    /// a search that any hit ends is faster without.
    #[inline(always)]
    pub(super) fn search<S: Simd, O: RayObserver, const NEAREST_FIRST: bool>(
        &self,
        simd: S,
        ray: &Ray<3>,
        observer: &mut O,
        found: &mut impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        if !O::WATCHES {
            let (planes, is_fused) = PlaneRay::fused(simd, ray);
            if is_fused {
                let lanes = LaneRay::new(simd, &planes);
                self.search_along::<S, O, NEAREST_FIRST, true>(simd, ray, &lanes, observer, found);
                return;
            }
        }
        // (Others would cross even the boxes that are not there.)
        if ray.leads_somewhere() {
            let lanes = LaneRay::new(simd, &PlaneRay::unfused(simd, ray));
            self.search_along::<S, O, NEAREST_FIRST, false>(simd, ray, &lanes, observer, found);
        }
    }

    #[inline(always)]
    fn search_along<S: Simd, O: RayObserver, const NEAREST_FIRST: bool, const FUSED: bool>(
        &self,
        simd: S,
        ray: &Ray<3>,
        lanes: &LaneRay<S, FUSED>,
        observer: &mut O,
        found: &mut impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let Some(mut child) = self.root else { return };
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut at_leaves = AtLeaves { ray: ShearedRay::new(ray), leaves, found };
        let mut reach = ray.t_max;
        let mut end = Hit::beyond(reach);
        let mut stack = Stack::new();
        let mut enter_row = Enter([0.0; WIDTH]);
        loop {
            // Nodes have a loop of their own, without a call in it: what is kept in registers stays there.
            while !child.is_leaf() && stack.has_room() {
                let Some(node) = node::node(lines, child) else { return };
                observer.enter(|| node::hull(node));
                let (enter, crossed) = lanes.crossings(simd, node, end);
                let near = if NEAREST_FIRST {
                    enter.store_slice(&mut enter_row.0);
                    nearest_first(lines, &enter_row, crossed, node::children(node), &mut stack)
                } else {
                    as_they_come(lines, crossed, node::children(node), &mut stack)
                };
                child = match near {
                    Some(near) => near,
                    None => stack.pop::<NEAREST_FIRST>(end),
                };
            }
            if !child.is_leaf() {
                stack.spill();
                continue;
            }
            if child != Child::NONE {
                if O::WATCHES {
                    at_leaves.tell(child, observer);
                }
                match at_leaves.test(simd, child, reach) {
                    ControlFlow::Continue(nearer) => (reach, end) = (nearer, Hit::beyond(nearer)),
                    ControlFlow::Break(()) => return,
                }
            } else if !stack.refill() {
                return;
            }
            child = stack.pop::<NEAREST_FIRST>(end);
        }
    }
}

/// The nearest of the crossed children; the others pushed, farthest first.
#[inline(always)]
fn nearest_first(
    lines: &[Line],
    enter: &Enter,
    mut crossed: u32,
    children: &Row,
    stack: &mut Stack,
) -> Option<Child> {
    if crossed == 0 {
        return None;
    }
    let mut a = take(enter, &mut crossed, children);
    // Also a child that is visited at once: before it is known whether it is a node or a leaf.
    node::fetch_ahead(lines, a.child());
    if crossed == 0 {
        return Some(a.child());
    }
    let mut b = take(enter, &mut crossed, children);
    node::fetch_ahead(lines, b.child());
    order(&mut a, &mut b);
    if crossed == 0 {
        stack.push(b);
        return Some(a.child());
    }
    let mut c = take(enter, &mut crossed, children);
    node::fetch_ahead(lines, c.child());
    order(&mut a, &mut c);
    order(&mut b, &mut c);
    if crossed == 0 {
        stack.push(c);
        stack.push(b);
        return Some(a.child());
    }
    Some(many_nearest_first(lines, enter, crossed, children, stack, [a, b, c]))
}

#[inline(always)]
fn many_nearest_first(
    lines: &[Line],
    enter: &Enter,
    mut crossed: u32,
    children: &Row,
    stack: &mut Stack,
    [a, b, c]: [Pending; 3],
) -> Child {
    // Sorted as they come: nearly always four or five.
    let mut sorted = [a; 8];
    (sorted[1], sorted[2]) = (b, c);
    let mut len = 3;
    while crossed != 0 {
        let next = take(enter, &mut crossed, children);
        node::fetch_ahead(lines, next.child());
        let mut place = len;
        while place > 0 && sorted[(place - 1) & 7] > next {
            sorted[place & 7] = sorted[(place - 1) & 7];
            place -= 1;
        }
        sorted[place & 7] = next;
        len += 1;
    }
    for &pending in sorted[1..len].iter().rev() {
        stack.push(pending);
    }
    sorted[0].child()
}

/// The last of the crossed children, which is the smallest; the others pushed. (Where they are entered does not matter to who
/// stops at the first hit.)
#[inline(always)]
fn as_they_come(
    lines: &[Line],
    mut crossed: u32,
    children: &Row,
    stack: &mut Stack,
) -> Option<Child> {
    if crossed == 0 {
        return None;
    }
    loop {
        let lane = crossed.trailing_zeros() as usize & 7;
        crossed &= crossed - 1;
        let next = Child(children[lane].to_bits());
        node::fetch_ahead(lines, next);
        if crossed == 0 {
            return Some(next);
        }
        stack.push(Pending::new(f32::NEG_INFINITY, next));
    }
}

/// What a search needs at leaves, in one place: who calls hands over two words. Aligned, and with it the whole frame of who
/// keeps it on the stack: vectors there that lie across two lines, or pages, made rays a tenth slower, or not, as the caller's stack
/// happened to lie.
#[repr(align(64))]
struct AtLeaves<'a, F> {
    ray: ShearedRay,
    leaves: Leaves<'a>,
    found: &'a mut F,
}

impl<F: FnMut(Hit) -> ControlFlow<(), f32>> AtLeaves<'_, F> {
    /// [`test_leaf`] in a function of its own: in the loop its registers are the nodes', and rays a twelfth slower.
    #[inline(never)]
    fn test<S: Simd>(&mut self, simd: S, child: Child, reach: f32) -> ControlFlow<(), f32> {
        simd.vectorize(
            #[inline(always)]
            move || test_leaf(simd, &self.ray, (&self.leaves, child), reach, self.found),
        )
    }

    /// Tells of every triangle of a leaf.
    fn tell(&self, child: Child, observer: &mut impl RayObserver) {
        if let Some(numbers) = self.leaves.numbers(child) {
            for &number in &numbers[..child.count() as usize] {
                observer.test(number.to_bits());
            }
        }
    }
}

#[inline(always)]
pub(super) fn test_leaf<S: Simd>(
    simd: S,
    ray: &ShearedRay,
    (leaves, child): (&Leaves<'_>, Child),
    mut reach: f32,
    found: &mut impl FnMut(Hit) -> ControlFlow<(), f32>,
) -> ControlFlow<(), f32> {
    let mut place = MaybeUninit::uninit();
    let Some((mut left, hits, numbers)) = leaves.hits(simd, child, ray, reach, &mut place) else {
        return ControlFlow::Continue(reach);
    };
    while left != 0 {
        let lane = left.trailing_zeros() as usize & 7;
        left &= left - 1;
        let hit = hits.hit(lane, numbers[lane].to_bits());
        if hit.t <= reach {
            reach = found(hit)?;
        }
    }
    ControlFlow::Continue(reach)
}

/// The child of the lowest set bit, which is cleared.
#[inline(always)]
fn take(enter: &Enter, crossed: &mut u32, children: &Row) -> Pending {
    let lane = crossed.trailing_zeros() as usize & 7;
    *crossed &= *crossed - 1;
    Pending::new(enter.0[lane], Child(children[lane].to_bits()))
}

#[inline(always)]
fn order(a: &mut Pending, b: &mut Pending) {
    let (low, high) = (core::cmp::min(*a, *b), core::cmp::max(*a, *b));
    (*a, *b) = (low, high);
}
