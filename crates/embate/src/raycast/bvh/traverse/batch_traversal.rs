//! How are many rays answered by one core? Several at a time.
//!
//! A ray spends most of its time waiting for the next node to come from memory, and for the processor to learn that it
//! guessed wrongly what comes next. Here each ray visits one node, asks for its next, and while that is on its
//! way the others have their turn; and nodes, leaves and ends have rounds of their own, so that there is nothing to guess.
//! Rays along an axis, or with a range that begins before their origin, fly after the others, among themselves.
#![allow(clippy::inline_always)]

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray, ShearedRay};
use fearless_simd::prelude::*;

use super::Bvh;
use super::leaves::Leaves;
use super::node::{self, Child, Enter, Line, WIDTH};
use super::pile::{Crossed, Pile};
use super::planes::{FUSES, LaneRay, PlaneRay};
use super::search::{Nearest, test_leaf};
use crate::rays::Unobserved;

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
    /// The number of the ray.
    ray: usize,
    planes: PlaneRay,
    sheared: ShearedRay,
    nearest: Nearest,
    /// How far boxes still count.
    end: f32,
    next: Child,
    pile: Pile,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Flight>() == 512, "a ray on its way takes as much again");

impl Flight {
    /// One that no ray has begun.
    fn new<S: Simd>(simd: S) -> Self {
        let ray = Ray::new([0.0; 3], [1.0; 3]);
        Self {
            ray: 0,
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
        (self.ray, self.planes) = (number, planes);
        self.sheared = ShearedRay::new(ray);
        (self.nearest, self.end) = (Nearest::within(ray.t_max), Hit::beyond(ray.t_max));
        self.next = root;
        self.pile.clear();
    }

    /// Visits the node that is next, and tells what is next then: [`Child::NONE`] if nothing is.
    #[inline(always)]
    fn visit_node<S: Simd, const ANY: bool, const FUSED: bool>(
        &mut self,
        simd: S,
        lines: &[Line],
    ) -> Child {
        let Some(node) = node::node(lines, self.next) else {
            self.next = Child::NONE;
            return Child::NONE;
        };
        let lanes = LaneRay::<S, FUSED>::new(simd, &self.planes);
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
    first: usize,
    /// Whether there are any whose planes are crossed in the other way, and which do not fly among these.
    others: bool,
}

impl Waiting<'_> {
    /// The number of the next that flies.
    #[inline(always)]
    fn take_off<S: Simd, const FUSED: bool>(&mut self, simd: S) -> Option<(usize, PlaneRay)> {
        loop {
            let (number, ray) = (self.first, self.rays.get(self.first)?);
            self.first += 1;
            let (planes, is_fused) = PlaneRay::fused(simd, ray);
            if is_fused && FUSED {
                return Some((number, planes));
            }
            if !is_fused && !FUSED && ray.leads_somewhere() {
                return Some((number, PlaneRay::unfused(simd, ray)));
            }
            self.others = true;
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
    #[inline(always)]
    fn answer_alone<S: Simd, const ANY: bool>(&self, simd: S, ray: &Ray<3>) -> Option<Hit> {
        if !ANY {
            return self.closest(simd, ray);
        }
        let mut any = None;
        let mut found = |hit| {
            any = Some(hit);
            ControlFlow::Break(())
        };
        self.search::<S, _, false>(simd, ray, &mut Unobserved, &mut found);
        any
    }

    /// The closest hit of each ray, or with `ANY` whichever is found first. Answers are none before.
    #[inline(always)]
    pub(super) fn answer_each<S: Simd, const ANY: bool>(
        &self,
        simd: S,
        rays: &[Ray<3>],
        answers: &mut [Option<Hit>],
    ) {
        if rays.len() < WORTH_FLYING {
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = self.answer_alone::<S, ANY>(simd, ray);
            }
            return;
        }
        if !FUSES || self.fly::<S, ANY, true>(simd, rays, answers) {
            self.fly::<S, ANY, false>(simd, rays, answers);
        }
    }

    /// Answers those whose planes are crossed in one way, and tells whether there are others.
    #[inline(always)]
    fn fly<S: Simd, const ANY: bool, const FUSED: bool>(
        &self,
        simd: S,
        rays: &[Ray<3>],
        answers: &mut [Option<Hit>],
    ) -> bool {
        let Some(root) = self.root else { return false };
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut waiting = Waiting { rays, first: 0, others: false };
        let mut flights: [Flight; IN_FLIGHT] = core::array::from_fn(|_| Flight::new(simd));
        let mut now = Whereabouts::default();
        for (number, flight) in flights.iter_mut().enumerate() {
            if let Some((ray, planes)) = waiting.take_off::<S, FUSED>(simd) {
                flight.begin(root, ray, &rays[ray], planes);
                now.tell(number, root);
            }
        }
        while now != Whereabouts::default() {
            for number in core::mem::take(&mut now.at_nodes) {
                let next = flights[number].visit_node::<S, ANY, FUSED>(simd, lines);
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
                if let Some(far) = flight.pile.pop_far() {
                    flight.next = far;
                } else {
                    if let Some(answer) = answers.get_mut(flight.ray) {
                        *answer = flight.nearest.hit;
                    }
                    let Some((ray, planes)) = waiting.take_off::<S, FUSED>(simd) else { continue };
                    flight.begin(root, ray, &rays[ray], planes);
                }
                now.tell(number, flight.next);
            }
        }
        waiting.others
    }
}
