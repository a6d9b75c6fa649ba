//! Single-ray traversal of the BVH8: front to back for the closest hit, unordered for any hit.
//!
//! ```text
//! TriangleIndex::closest_hit ─► AnyRayIndex (auto.rs) ─► Bvh::closest_hit
//!   ─► dispatch_hot! (simd_dispatch.rs): one copy of the traversal per SIMD level
//!     ─► traverse_closest ─► traverse: prepares the ray of the slab test (TraversalRay, then
//!                 BroadcastRay): `fused` computes plane · inv + bias in one
//!                 operation (FMA if the CPU has it), `unfused` (plane − origin) · inv
//!     ─► traverse_with: prepares the ray of the triangle test (WatertightRay), then the loop:
//!          node   intersect_children (node_intersector.rs): slab test against 8 child boxes
//!                 push_sorted: the nearest hit child is next, the others go to the stack
//!          leaf   intersect_leaf: watertight test of up to 8 triangles (Woop et al. 2013,
//!                 embate_geom: triangle.rs, triangle8.rs); a compact leaf first gathers its
//!                 vertices (leaf.rs); a closer hit lowers `t_max`
//!          stack  pop (traversal_stack.rs) culls entries beyond `t_cull`, the padded `t_max`
//!
//! TriangleIndex::any_hit ─► … ─► traverse_any ─► traverse: the same loop, which ends at the first
//!                 hit, without the sort and the culling of `pop`
//! All-hits and filtered queries ─► RayIndex::visit_hits ─► traverse, ordered
//! TriangleIndex::closest_hits, any_hits ─► … ─► Bvh::trace_batch, from MIN_BATCH (8) rays on, in
//!                 chunks of 2,048 rays (RAYS_PER_TASK), each a rayon task
//!   ─► closest_or_any_batch (batch_traversal.rs): interleaves 32 rays, one node each in turn
//! ```
//!
//! A node is four cache lines: 6 × 8 planes in f32 and 8 references (`node.rs`). A reference holds
//! the index of a cache line, a leaf bit and the triangle count of a leaf; the count excludes the
//! unused lanes of a leaf from the test. `NodeRef::NONE`, returned by an empty stack, has the leaf
//! bit as well, so one test ends the loop over nodes. A stack entry packs `t_enter` and a reference
//! into one `u64`, which sorts by distance. Every hit child is prefetched: memory latency
//! dominates the time of a ray.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

pub(crate) mod batch_stack;
pub(crate) mod batch_traversal;
pub(crate) mod node_intersector;
pub(crate) mod traversal_stack;
pub(crate) mod visit_by_distance;

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit, WatertightRay};
use fearless_simd::prelude::*;

use crate::raycast::bvh::Bvh;
use crate::raycast::bvh::leaf::Leaves;
use crate::raycast::bvh::node::{self, AlignedRow8, CacheLine, NodeRef, Row8, WIDTH};
use crate::raycast::bvh::traverse::node_intersector::{BroadcastRay, TraversalRay};
use crate::raycast::bvh::traverse::traversal_stack::{StackEntry, TraversalStack};
use crate::raycast::{NoStats, TraversalObserver};

/// Running closest hit of a ray.
#[derive(Clone, Copy)]
pub(crate) struct ClosestHit {
    pub(crate) hit: Option<TriangleHit>,
    /// Triangle of `hit`; `u32::MAX` without one.
    triangle: u32,
    /// `t` of `hit`, or of the end of the ray: hits beyond are ignored.
    pub(crate) t_max: f32,
}

impl ClosestHit {
    #[inline(always)]
    pub(crate) fn new(t_max: f32) -> Self {
        Self { hit: None, triangle: u32::MAX, t_max }
    }

    /// Keeps the closer of the recorded hit and `hit` (`hit.t <= t_max`), of equal `t` the smaller
    /// triangle index, and returns the new `t_max`.
    #[inline(always)]
    pub(crate) fn update(&mut self, hit: TriangleHit) -> f32 {
        debug_assert!(hit.t <= self.t_max, "hit beyond t_max");
        // Equivalent to [`TriangleHit::is_before`] for t <= t_max, without an unpredictable branch
        // on whether there was a hit before.
        if hit.t < self.t_max || hit.triangle < self.triangle {
            *self = Self { hit: Some(hit), triangle: hit.triangle, t_max: hit.t };
        }
        self.t_max
    }
}

impl Bvh {
    /// The closest hit; of equal `t`, the one with the smaller triangle index.
    #[inline(always)]
    pub(crate) fn traverse_closest<S: Simd>(&self, simd: S, ray: &Ray<3>) -> Option<TriangleHit> {
        let mut closest = ClosestHit::new(ray.t_max);
        let mut on_hit = |hit: TriangleHit| ControlFlow::Continue(closest.update(hit));
        self.traverse::<S, _, true>(simd, ray, &mut NoStats, &mut on_hit);
        closest.hit
    }

    /// Whether the ray hits any triangle.
    #[inline(always)]
    pub(crate) fn traverse_any<S: Simd, O: TraversalObserver>(
        &self,
        simd: S,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> bool {
        let mut any = false;
        let mut on_hit = |_| {
            any = true;
            ControlFlow::Break(())
        };
        self.traverse::<S, O, false>(simd, ray, observer, &mut on_hit);
        any
    }

    /// Calls `on_hit` with the hits of the ray until it returns `Break`; `Continue` carries the new
    /// `t_max`. `ORDERED` visits children nearest first; an any-hit query is faster without the
    /// sort. A triangle that a spatial split put into several leaves may be reported several times.
    #[inline(always)]
    pub(crate) fn traverse<S: Simd, O: TraversalObserver, const ORDERED: bool>(
        &self,
        simd: S,
        ray: &Ray<3>,
        observer: &mut O,
        on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        // Observed traversals use the unfused test so that counts are the same on every machine.
        if !O::WANTS_DETAILS {
            let (traversal_ray, is_fused) = TraversalRay::fused(simd, ray);
            if is_fused {
                let broadcast = BroadcastRay::new(simd, &traversal_ray);
                self.traverse_with::<S, O, ORDERED, true>(simd, ray, &broadcast, observer, on_hit);
                return;
            }
        }
        // NaN distances would hit the empty boxes of unused lanes, whose reference 0 is the root.
        if ray.is_valid() {
            let broadcast = BroadcastRay::new(simd, &TraversalRay::unfused(simd, ray));
            self.traverse_with::<S, O, ORDERED, false>(simd, ray, &broadcast, observer, on_hit);
        }
    }

    #[inline(always)]
    fn traverse_with<S: Simd, O: TraversalObserver, const ORDERED: bool, const FUSED: bool>(
        &self,
        simd: S,
        ray: &Ray<3>,
        broadcast: &BroadcastRay<S, FUSED>,
        observer: &mut O,
        on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let Some(mut child) = self.root else { return };
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut leaf_visitor = LeafVisitor { ray: WatertightRay::new(ray), leaves, on_hit };
        let mut t_max = ray.t_max;
        let mut t_cull = TriangleHit::padded_t(t_max);
        let mut stack = TraversalStack::new();
        let mut t_enter_row = AlignedRow8([0.0; WIDTH]);
        loop {
            // Inner loop over nodes only, free of calls: the ray stays in registers.
            while !child.is_leaf() && stack.can_push_children() {
                // Out of bounds only if the tree is invalid: loading an index checks every
                // reference.
                let Some(node) = node::node(lines, child) else { return };
                observer.visit_node(|| node::merged_bounds(node));
                let (t_enter, hit_mask) = broadcast.intersect_children(simd, node, t_cull);
                let nearest = if ORDERED {
                    t_enter.store_slice(&mut t_enter_row.0);
                    push_sorted(lines, &t_enter_row, hit_mask, node::child_refs(node), &mut stack)
                } else {
                    push_unsorted(lines, hit_mask, node::child_refs(node), &mut stack)
                };
                child = match nearest {
                    Some(nearest) => nearest,
                    None => stack.pop::<ORDERED>(t_cull),
                };
            }
            if !child.is_leaf() {
                // The stack has no room for the children of a node.
                stack.spill();
                continue;
            }
            if child != NodeRef::NONE {
                if O::WANTS_DETAILS {
                    leaf_visitor.observe(child, observer);
                }
                match leaf_visitor.intersect(simd, child, t_max) {
                    ControlFlow::Continue(new_t_max) => {
                        (t_max, t_cull) = (new_t_max, TriangleHit::padded_t(new_t_max));
                    }
                    ControlFlow::Break(()) => return,
                }
            } else if !stack.refill() {
                // `NONE`: the stack is empty, and nothing was spilled.
                return;
            }
            child = stack.pop::<ORDERED>(t_cull);
        }
    }
}

/// Returns the nearest hit child and pushes the others, farthest first.
#[inline(always)]
fn push_sorted(
    lines: &[CacheLine],
    t_enter: &AlignedRow8,
    mut hit_mask: u32,
    children: &Row8,
    stack: &mut TraversalStack,
) -> Option<NodeRef> {
    if hit_mask == 0 {
        return None;
    }
    let mut a = take_lowest(t_enter, &mut hit_mask, children);
    // Prefetched even if it is visited next: the nearest child is known only after the sort.
    node::prefetch(lines, a.child());
    if hit_mask == 0 {
        return Some(a.child());
    }
    let mut b = take_lowest(t_enter, &mut hit_mask, children);
    node::prefetch(lines, b.child());
    sort_pair(&mut a, &mut b);
    if hit_mask == 0 {
        stack.push(b);
        return Some(a.child());
    }
    let mut c = take_lowest(t_enter, &mut hit_mask, children);
    node::prefetch(lines, c.child());
    sort_pair(&mut a, &mut c);
    sort_pair(&mut b, &mut c);
    if hit_mask == 0 {
        stack.push(c);
        stack.push(b);
        return Some(a.child());
    }
    Some(push_many_sorted(lines, t_enter, hit_mask, children, stack, [a, b, c]))
}

#[inline(always)]
fn push_many_sorted(
    lines: &[CacheLine],
    t_enter: &AlignedRow8,
    mut hit_mask: u32,
    children: &Row8,
    stack: &mut TraversalStack,
    [a, b, c]: [StackEntry; 3],
) -> NodeRef {
    // Insertion sort: of nodes with more than three hit children, nearly all have four or five.
    let mut sorted = [a; 8];
    (sorted[1], sorted[2]) = (b, c);
    let mut len = 3;
    while hit_mask != 0 {
        let next = take_lowest(t_enter, &mut hit_mask, children);
        node::prefetch(lines, next.child());
        let mut slot = len;
        while slot > 0 && sorted[(slot - 1) & 7] > next {
            sorted[slot & 7] = sorted[(slot - 1) & 7];
            slot -= 1;
        }
        sorted[slot & 7] = next;
        len += 1;
    }
    for &entry in sorted[1..len].iter().rev() {
        stack.push(entry);
    }
    sorted[0].child()
}

/// Returns the last hit child, which has the fewest triangles (the builder sorts the children by
/// descending triangle count), and pushes the others. Their distance is irrelevant for an any-hit
/// query.
#[inline(always)]
fn push_unsorted(
    lines: &[CacheLine],
    mut hit_mask: u32,
    children: &Row8,
    stack: &mut TraversalStack,
) -> Option<NodeRef> {
    if hit_mask == 0 {
        return None;
    }
    loop {
        let lane = hit_mask.trailing_zeros() as usize & 7;
        hit_mask &= hit_mask - 1;
        let next = NodeRef(children[lane].to_bits());
        node::prefetch(lines, next);
        if hit_mask == 0 {
            return Some(next);
        }
        stack.push(StackEntry::new(f32::NEG_INFINITY, next));
    }
}

/// State of the leaf tests of one ray, in one struct so that a call passes few arguments.
///
/// The alignment extends to the stack frame that holds it. Without it, vectors crossed cache lines
/// or pages depending on the position of the caller's stack, and rays were up to 10 % slower.
#[repr(align(64))]
struct LeafVisitor<'a, F> {
    ray: WatertightRay,
    leaves: Leaves<'a>,
    on_hit: &'a mut F,
}

impl<F: FnMut(TriangleHit) -> ControlFlow<(), f32>> LeafVisitor<'_, F> {
    /// [`intersect_leaf`] out of line: inlined it competes with the node loop for registers, and
    /// rays are 8 % slower.
    #[inline(never)]
    fn intersect<S: Simd>(&mut self, simd: S, child: NodeRef, t_max: f32) -> ControlFlow<(), f32> {
        simd.vectorize(
            #[inline(always)]
            move || intersect_leaf(simd, &self.ray, &self.leaves, child, t_max, self.on_hit),
        )
    }

    /// Reports every triangle of a leaf.
    fn observe(&self, child: NodeRef, observer: &mut impl TraversalObserver) {
        if let Some(triangle_ids) = self.leaves.triangle_ids(child) {
            for &id in &triangle_ids[..child.count() as usize] {
                observer.test_triangle(id.to_bits());
            }
        }
    }
}

/// Calls `on_hit` with the hits in a leaf and returns the resulting `t_max`.
#[inline(always)]
pub(crate) fn intersect_leaf<S: Simd>(
    simd: S,
    ray: &WatertightRay,
    leaves: &Leaves<'_>,
    child: NodeRef,
    mut t_max: f32,
    on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
) -> ControlFlow<(), f32> {
    let mut hit_storage = MaybeUninit::uninit();
    let Some((mut hit_mask, hits, triangle_ids)) =
        leaves.intersect(simd, child, ray, t_max, &mut hit_storage)
    else {
        return ControlFlow::Continue(t_max);
    };
    while hit_mask != 0 {
        let lane = hit_mask.trailing_zeros() as usize & 7;
        hit_mask &= hit_mask - 1;
        let hit = hits.hit(lane, triangle_ids[lane].to_bits());
        if hit.t <= t_max {
            t_max = on_hit(hit)?;
        }
    }
    ControlFlow::Continue(t_max)
}

/// Entry of the lowest set bit, which is cleared.
#[inline(always)]
fn take_lowest(t_enter: &AlignedRow8, hit_mask: &mut u32, children: &Row8) -> StackEntry {
    let lane = hit_mask.trailing_zeros() as usize & 7;
    *hit_mask &= *hit_mask - 1;
    StackEntry::new(t_enter.0[lane], NodeRef(children[lane].to_bits()))
}

#[inline(always)]
fn sort_pair(a: &mut StackEntry, b: &mut StackEntry) {
    let (low, high) = (core::cmp::min(*a, *b), core::cmp::max(*a, *b));
    (*a, *b) = (low, high);
}
