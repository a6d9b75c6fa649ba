//! How are many rays answered by one core? Several at a time.
//!
//! A ray spends most of its time waiting for the next node to come from memory, and for the processor to learn that it
//! guessed wrongly what comes next. Here each ray visits one node, asks for its next, and while that is on its
//! way the others have their turn; and nodes and leaves have rounds of their own, so that there is nothing to guess.
#![allow(clippy::inline_always)]

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray, ShearedRay};
use fearless_simd::prelude::*;

use super::Bvh;
use super::leaves::Leaves;
use super::node::{self, Child, Enter, FUSES, LaneRay, Line, PlaneRay, WIDTH};
use super::pile::{Crossed, Pile};
use super::search::test_leaf;
use crate::rays::{RayIndex, Unobserved};

/// Rays on their way at a time: enough turns between two of one ray for its next node to arrive from
/// memory, and all of them still in the first cache.
const IN_FLIGHT: usize = 16;
/// Leaves are visited, and rays that came to their end make place for others, when so many are at either: a node follows a node then, and a leaf a leaf, and what
/// is left of the others' turns is still enough for memory to answer.
const ELSEWHERE_AT_ONCE: usize = IN_FLIGHT / 2;

/// A ray on its way. (Aligned: none of its numbers lies across two cache lines, and where it is takes no multiplication.)
#[repr(align(512))]
struct Flight {
    /// Which of the rays.
    number: usize,
    planes: PlaneRay,
    sheared: ShearedRay,
    /// How far hits still count, and how far boxes.
    reach: f32,
    end: f32,
    found: Hit,
    next: Child,
    pile: Pile,
}

impl Flight {
    fn new(root: Child, number: usize, ray: &Ray<3>, planes: PlaneRay) -> Self {
        Self {
            number,
            planes,
            sheared: ShearedRay::new(ray),
            reach: ray.t_max,
            end: Hit::beyond(ray.t_max),
            found: Hit::NONE,
            next: root,
            pile: Pile::new(),
        }
    }

    #[inline(always)]
    fn begin(&mut self, root: Child, number: usize, ray: &Ray<3>, planes: PlaneRay) {
        (self.number, self.planes) = (number, planes);
        self.sheared = ShearedRay::new(ray);
        (self.reach, self.end) = (ray.t_max, Hit::beyond(ray.t_max));
        (self.found, self.next) = (Hit::NONE, root);
        self.pile.clear();
    }

    /// Visits the node that is next, and tells what is next then: [`Child::NONE`] if nothing is.
    #[inline(always)]
    fn visit_node<S: Simd, const ANY: bool>(&mut self, simd: S, lines: &[Line]) -> Child {
        let Some(node) = node::node(lines, self.next) else {
            self.next = Child::NONE;
            return Child::NONE;
        };
        let lanes = LaneRay::<S, FUSES>::new(simd, &self.planes);
        let (enter, bits) = lanes.crossings(simd, node, self.end);
        let mut row = Enter([0.0; WIDTH]);
        enter.store_slice(&mut row.0);
        let crossed = Crossed { bits, enter: &row.0, children: node::children(node) };
        if ANY {
            self.pile.push_in_order(crossed);
        } else {
            self.pile.push_nearest_last(crossed);
        }
        self.next = self.pile.pop_short();
        self.next
    }

    /// Visits the leaf that is next, and tells what is next then: [`Child::NONE`] if nothing is.
    #[inline(always)]
    fn visit_leaf<S: Simd, const ANY: bool>(&mut self, simd: S, leaves: &Leaves<'_>) -> Child {
        let found = &mut self.found;
        let mut take = |hit: Hit| {
            if ANY {
                *found = hit;
                return ControlFlow::Break(());
            }
            if hit.precedes(found) {
                *found = hit;
            }
            ControlFlow::Continue(found.t)
        };
        let place = (leaves, self.next);
        match test_leaf(simd, &self.sheared, place, self.reach, &mut take) {
            ControlFlow::Continue(reach) => {
                if reach < self.reach {
                    (self.reach, self.end) = (reach, Hit::beyond(reach));
                    self.pile.keep_within(self.end);
                }
            }
            ControlFlow::Break(()) => self.pile.clear(),
        }
        self.next = self.pile.pop_short();
        self.next
    }
}

/// Rays that have not begun.
struct Waiting<'a> {
    rays: &'a [Ray<3>],
    next: usize,
}

impl Waiting<'_> {
    /// The next that flies. One that cannot fly among others, because its planes are not crossed as theirs are, is answered at
    /// once.
    #[inline(always)]
    fn next<S: Simd, const ANY: bool>(
        &mut self,
        simd: S,
        bvh: &Bvh,
        answers: &mut [Option<Hit>],
    ) -> Option<(usize, PlaneRay)> {
        loop {
            let (number, ray) = (self.next, self.rays.get(self.next)?);
            self.next += 1;
            if FUSES {
                let (planes, is_fused) = PlaneRay::fused(simd, ray);
                if is_fused {
                    return Some((number, planes));
                }
                answers[number] = bvh.answer_alone::<ANY>(ray);
            } else if ray.leads_somewhere() {
                return Some((number, PlaneRay::unfused(simd, ray)));
            }
        }
    }
}

/// Numbers of flights.
#[derive(Clone, Copy)]
struct Turns {
    of: [usize; IN_FLIGHT],
    len: usize,
}

impl Turns {
    const NONE: Self = Self { of: [0; IN_FLIGHT], len: 0 };

    /// Adds one, or not, without asking: what follows is as good as random.
    #[inline(always)]
    fn push_if(&mut self, wanted: bool, flight: usize) {
        self.of[self.len % IN_FLIGHT] = flight;
        self.len += usize::from(wanted);
    }
}

impl Bvh {
    /// The closest hit of a ray, or with `ANY` whichever is found first.
    #[inline(never)]
    fn answer_alone<const ANY: bool>(&self, ray: &Ray<3>) -> Option<Hit> {
        if !ANY {
            return self.closest_hit(ray);
        }
        let mut any = None;
        self.visit_hits(ray, &mut Unobserved, |hit| {
            any = Some(hit);
            ControlFlow::Break(())
        });
        any
    }

    /// The closest hit of each ray, or with `ANY` whichever is found first.
    #[inline(always)]
    pub(super) fn answer_each<S: Simd, const ANY: bool>(
        &self,
        simd: S,
        rays: &[Ray<3>],
        answers: &mut [Option<Hit>],
    ) {
        let Some(root) = self.root else { return };
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut waiting = Waiting { rays, next: 0 };
        let mut flights: Vec<Flight> = Vec::with_capacity(IN_FLIGHT);
        let (mut at_nodes, mut elsewhere) = (Turns::NONE, Turns::NONE);
        while flights.len() < IN_FLIGHT
            && let Some((number, planes)) = waiting.next::<S, ANY>(simd, self, answers)
        {
            at_nodes.push_if(!root.is_leaf(), flights.len());
            elsewhere.push_if(root.is_leaf(), flights.len());
            flights.push(Flight::new(root, number, &rays[number], planes));
        }
        while at_nodes.len + elsewhere.len > 0 {
            let turns = core::mem::take(&mut at_nodes.len);
            for turn in 0..turns {
                let number = at_nodes.of[turn % IN_FLIGHT];
                let next = flights[number].visit_node::<S, ANY>(simd, lines);
                node::fetch_ahead(lines, next);
                at_nodes.push_if(!next.is_leaf(), number);
                elsewhere.push_if(next.is_leaf(), number);
            }
            if elsewhere.len < ELSEWHERE_AT_ONCE && at_nodes.len > 0 {
                continue;
            }
            let (mut at_leaves, mut at_ends) = (Turns::NONE, Turns::NONE);
            let turns = core::mem::take(&mut elsewhere.len);
            for turn in 0..turns {
                let number = elsewhere.of[turn % IN_FLIGHT];
                let is_at_end = flights[number].next == Child::NONE;
                at_leaves.push_if(!is_at_end, number);
                at_ends.push_if(is_at_end, number);
            }
            for turn in 0..at_leaves.len {
                let number = at_leaves.of[turn % IN_FLIGHT];
                let next = flights[number].visit_leaf::<S, ANY>(simd, &leaves);
                node::fetch_ahead(lines, next);
                at_nodes.push_if(!next.is_leaf(), number);
                elsewhere.push_if(next.is_leaf(), number);
            }
            for turn in 0..at_ends.len {
                let number = at_ends.of[turn % IN_FLIGHT];
                let flight = &mut flights[number];
                if let Some(next) = flight.pile.pop_far() {
                    flight.next = next;
                } else {
                    if let Some(answer) = answers.get_mut(flight.number) {
                        *answer = flight.found.if_any();
                    }
                    let next = waiting.next::<S, ANY>(simd, self, answers);
                    let Some((ray, planes)) = next else { continue };
                    flight.begin(root, ray, &rays[ray], planes);
                }
                at_nodes.push_if(!flight.next.is_leaf(), number);
                elsewhere.push_if(flight.next.is_leaf(), number);
            }
        }
    }
}
