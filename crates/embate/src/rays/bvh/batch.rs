//! How are many rays answered by one core? Several at a time.
//!
//! A ray spends most of its time waiting for the next node to come from memory, and for the processor to learn that it
//! guessed wrongly what comes next. Here each ray visits one node, asks for its next, and while that is on its
//! way the others have their turn; and nodes, leaves and ends have rounds of their own, so that there is nothing to guess.
#![allow(clippy::inline_always)]

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray, ShearedRay};
use fearless_simd::prelude::*;

use super::Bvh;
use super::leaves::Leaves;
use super::node::{self, Child, Enter, FUSES, LaneRay, Line, PlaneRay, WIDTH};
use super::pile::{Crossed, Pile};
use super::search::{Nearest, test_leaf};
use crate::rays::{RayIndex, Unobserved};

/// Rays on their way at a time: enough turns between two of one ray for its next node to arrive from
/// memory, and all of them still in the first cache. (And a bit for each in a word.)
const IN_FLIGHT: usize = 32;
/// Leaves are visited, and rays that came to their end make place for others, when so many are at either: a node follows
/// a node then, and a leaf a leaf, and what is left of the others' turns is still enough for memory to answer.
const ELSEWHERE_AT_ONCE: u32 = IN_FLIGHT as u32 / 2;
/// Fewer are answered one by one: to make the others ready would take longer than is won.
const WORTH_FLYING: usize = IN_FLIGHT / 4;

/// A ray on its way. (Aligned: none of its numbers lies across two cache lines, and where it is takes no multiplication.)
#[repr(align(512))]
struct Flight {
    /// Which of the rays.
    number: usize,
    planes: PlaneRay,
    sheared: ShearedRay,
    nearest: Nearest,
    /// How far boxes still count.
    end: f32,
    next: Child,
    pile: Pile,
}

impl Flight {
    /// One that no ray has begun.
    fn new<S: Simd>(simd: S) -> Self {
        let ray = Ray::new([0.0; 3], [1.0; 3]);
        Self {
            number: 0,
            planes: PlaneRay::unfused(simd, &ray),
            sheared: ShearedRay::new(&ray),
            nearest: Nearest::within(0.0),
            end: 0.0,
            next: Child::NONE,
            pile: Pile::new(),
        }
    }

    #[inline(always)]
    fn begin(&mut self, root: Child, number: usize, ray: &Ray<3>, planes: PlaneRay) {
        (self.number, self.planes) = (number, planes);
        self.sheared = ShearedRay::new(ray);
        (self.nearest, self.end) = (Nearest::within(ray.t_max), Hit::beyond(ray.t_max));
        self.next = root;
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
        self.next = if ANY {
            self.pile.push_in_order(crossed);
            self.pile.pop_short()
        } else {
            self.pile.nearest(crossed)
        };
        self.next
    }

    /// Visits the leaf that is next, and tells what is next then: [`Child::NONE`] if nothing is.
    #[inline(always)]
    fn visit_leaf<S: Simd, const ANY: bool>(&mut self, simd: S, leaves: &Leaves<'_>) -> Child {
        let (before, nearest) = (self.nearest.reach, &mut self.nearest);
        let mut take = |hit: Hit| {
            let reach = nearest.take(hit);
            if ANY { ControlFlow::Break(()) } else { ControlFlow::Continue(reach) }
        };
        let place = (leaves, self.next);
        match test_leaf(simd, &self.sheared, place, before, &mut take) {
            ControlFlow::Continue(reach) => {
                if reach < before {
                    self.end = Hit::beyond(reach);
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

/// Flights, a bit each.
#[derive(Default, PartialEq, Eq)]
struct Flights(u32);

impl Flights {
    /// Adds one, or not, without asking: what follows is as good as random.
    #[inline(always)]
    fn add_if(&mut self, wanted: bool, flight: usize) {
        self.0 |= u32::from(wanted) << flight;
    }

    fn are_many(&self) -> bool {
        self.0.count_ones() >= ELSEWHERE_AT_ONCE
    }
}

impl Iterator for Flights {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let flight = self.0.trailing_zeros() as usize % IN_FLIGHT;
        let is_any = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        is_any.then_some(flight)
    }
}

/// Where the flights are.
#[derive(Default, PartialEq, Eq)]
struct Whereabouts {
    at_nodes: Flights,
    /// At a leaf, or at their end.
    elsewhere: Flights,
}

impl Whereabouts {
    #[inline(always)]
    fn tell(&mut self, flight: usize, next: Child) {
        self.at_nodes.add_if(!next.is_leaf(), flight);
        self.elsewhere.add_if(next.is_leaf(), flight);
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
        if rays.len() < WORTH_FLYING {
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = self.answer_alone::<ANY>(ray);
            }
            return;
        }
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut waiting = Waiting { rays, next: 0 };
        let mut flights: [Flight; IN_FLIGHT] = core::array::from_fn(|_| Flight::new(simd));
        let mut now = Whereabouts::default();
        for (number, flight) in flights.iter_mut().enumerate() {
            if let Some((ray, planes)) = waiting.next::<S, ANY>(simd, self, answers) {
                flight.begin(root, ray, &rays[ray], planes);
                now.tell(number, root);
            }
        }
        while now != Whereabouts::default() {
            for number in core::mem::take(&mut now.at_nodes) {
                let next = flights[number].visit_node::<S, ANY>(simd, lines);
                node::fetch_ahead(lines, next);
                now.tell(number, next);
            }
            if !now.elsewhere.are_many() && now.at_nodes != Flights::default() {
                continue;
            }
            let (mut at_leaves, mut at_ends) = (Flights::default(), Flights::default());
            for number in core::mem::take(&mut now.elsewhere) {
                let is_at_end = flights[number].next == Child::NONE;
                at_leaves.add_if(!is_at_end, number);
                at_ends.add_if(is_at_end, number);
            }
            for number in at_leaves {
                let next = flights[number].visit_leaf::<S, ANY>(simd, &leaves);
                node::fetch_ahead(lines, next);
                now.tell(number, next);
            }
            for number in at_ends {
                let flight = &mut flights[number];
                if let Some(next) = flight.pile.pop_far() {
                    flight.next = next;
                } else {
                    if let Some(answer) = answers.get_mut(flight.number) {
                        *answer = flight.nearest.hit;
                    }
                    let next = waiting.next::<S, ANY>(simd, self, answers);
                    let Some((ray, planes)) = next else { continue };
                    flight.begin(root, ray, &rays[ray], planes);
                }
                now.tell(number, flight.next);
            }
        }
    }
}
