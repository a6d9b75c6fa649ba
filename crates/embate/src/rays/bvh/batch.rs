//! How are many rays answered by one core? Several at a time.
//!
//! A ray spends most of its time waiting for the next node to come from memory. Here each ray visits one
//! node or leaf, asks for its next, and while that is on its way the others have their turn.
#![allow(clippy::inline_always)]

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray, ShearedRay, SlabRay};
use fearless_simd::prelude::*;

use super::Bvh;
use super::leaves::Leaves;
use super::node::{self, Child, LaneRay};
use super::search::{as_they_come, nearest_first, test_leaf};
use super::stack::Stack;
use crate::rays::Unobserved;

/// Rays on their way at a time: enough turns between two of one ray for its next node to arrive from
/// memory, and all of them still in the first cache.
const IN_FLIGHT: usize = 16;

/// A ray on its way.
struct Flight {
    /// Which of the rays.
    number: usize,
    slabs: SlabRay<3>,
    t_min: f32,
    sheared: ShearedRay,
    /// How far hits still count.
    reach: f32,
    found: Option<Hit>,
    next: Child,
    stack: Stack,
}

impl Flight {
    fn new(root: Child, number: usize, ray: &Ray<3>) -> Self {
        let slabs = SlabRay::new(ray);
        Self {
            number,
            slabs,
            t_min: ray.t_min,
            sheared: ShearedRay::with_slabs(ray, &slabs),
            reach: ray.t_max,
            found: None,
            next: root,
            stack: Stack::new(),
        }
    }

    #[inline(always)]
    fn begin(&mut self, root: Child, number: usize, ray: &Ray<3>) {
        self.number = number;
        self.slabs = SlabRay::new(ray);
        self.t_min = ray.t_min;
        self.sheared = ShearedRay::with_slabs(ray, &self.slabs);
        (self.reach, self.found, self.next) = (ray.t_max, None, root);
        self.stack.clear();
    }

    /// Visits one node or leaf; breaks off when the answer is known.
    #[inline(always)]
    fn step<S: Simd, const ANY: bool>(&mut self, simd: S, leaves: &Leaves<'_>) -> ControlFlow<()> {
        let lines = leaves.lines;
        if self.next.is_leaf() {
            let Self { sheared, found, next, reach, .. } = self;
            let mut take = |hit: Hit| {
                if ANY {
                    *found = Some(hit);
                    return ControlFlow::Break(());
                }
                let nearest = found.filter(|other| !hit.precedes(other)).unwrap_or(hit);
                *found = Some(nearest);
                ControlFlow::Continue(nearest.t)
            };
            let place = (leaves, *next);
            *reach = test_leaf(simd, sheared, place, *reach, &mut Unobserved, &mut take)?;
        } else {
            let Some(here) = node::node(lines, self.next) else { return ControlFlow::Break(()) };
            let lanes = LaneRay::new(simd, &self.slabs, self.t_min);
            let (enter, crossed) = lanes.crossings(simd, here, node::beyond(self.reach));
            let (children, stack) = (node::children(here), &mut self.stack);
            let near = if ANY {
                as_they_come(lines, enter, crossed, children, stack)
            } else {
                nearest_first(lines, enter, crossed, children, stack)
            };
            if let Some(near) = near {
                node::fetch_ahead(lines, near);
                self.next = near;
                return ControlFlow::Continue(());
            }
        }
        match self.stack.pop_within(node::beyond(self.reach)) {
            Some(next) => {
                node::fetch_ahead(lines, next);
                self.next = next;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

impl Bvh {
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
        let mut waiting = rays.iter().enumerate().filter(|(_, ray)| ray.leads_somewhere());
        let first = waiting.by_ref().take(IN_FLIGHT);
        let mut flights: Vec<Flight> =
            first.map(|(number, ray)| Flight::new(root, number, ray)).collect();
        let mut turn = 0;
        while !flights.is_empty() {
            if turn >= flights.len() {
                turn = 0;
            }
            let flight = &mut flights[turn];
            if flight.step::<S, ANY>(simd, &leaves).is_continue() {
                turn += 1;
                continue;
            }
            if let Some(answer) = answers.get_mut(flight.number) {
                *answer = flight.found;
            }
            if let Some((number, ray)) = waiting.next() {
                flight.begin(root, number, ray);
                turn += 1;
            } else {
                flights.swap_remove(turn);
            }
        }
    }
}
