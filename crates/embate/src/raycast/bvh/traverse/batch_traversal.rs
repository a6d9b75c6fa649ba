//! Batch traversal: many rays, coherent or not, interleaved on one core (a ray stream in Embree's
//! terms).
//!
//! A single ray spends most of its time on cache misses and branch mispredictions. Here
//! [`RAYS_IN_FLIGHT`] rays are traversed in turn: each visits one node, prefetches its next node
//! and yields. Nodes, leaves and finished rays are processed in separate phases, so the branches
//! are predictable. Rays with a zero direction component, a negative `t_min` or numbers that
//! overflow cannot use the FMA slab test; they are deferred to a second pass of their own.
//!
//! The rays in flight use a branch-free stack instead of that of a single ray: interleaved, their
//! pushes are unpredictable ([`batch_stack`](crate::raycast::bvh::traverse::batch_stack)). It is
//! culled at each closer hit, not at `pop`.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit, WatertightRay};
use fearless_simd::prelude::*;

use crate::raycast::bvh::Bvh;
use crate::raycast::bvh::leaf::Leaves;
use crate::raycast::bvh::node::{self, AlignedRow8, CacheLine, NodeRef, WIDTH};
use crate::raycast::bvh::traverse::batch_stack::{BatchStack, ChildHits};
use crate::raycast::bvh::traverse::node_intersector::{BroadcastRay, TraversalRay, USE_FMA};
use crate::raycast::bvh::traverse::{ClosestHit, intersect_leaf};

/// Rays interleaved: enough for a prefetch to complete between two turns of a ray, few enough for
/// the state of all of them to fit into the L1 cache. One bit each in a `u32`.
const RAYS_IN_FLIGHT: usize = 32;
/// Leaves and finished rays are processed once this many rays are waiting there, or none is at a
/// node. Nodes then follow nodes and leaves follow leaves, and the remaining rays still hide the
/// memory latency.
const PHASE_SWITCH_THRESHOLD: u32 = RAYS_IN_FLIGHT as u32 / 2;
/// Smaller batches are traversed ray by ray: initializing the slots would cost more than it saves.
pub(crate) const MIN_BATCH: usize = RAYS_IN_FLIGHT / 4;

/// Traversal state of a ray in flight. Aligned so that no value crosses a cache line and indexing
/// needs no multiplication.
#[repr(align(512))]
struct ActiveRay {
    /// Position of the ray in the batch.
    ray_id: usize,
    traversal_ray: TraversalRay,
    watertight_ray: WatertightRay,
    closest: ClosestHit,
    /// Padded `t_max`: boxes entered beyond it are culled.
    t_cull: f32,
    next: NodeRef,
    stack: BatchStack,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<ActiveRay>() == 512, "state of a ray must be 512 bytes");

impl ActiveRay {
    /// Unused slot.
    fn new<S: Simd>(simd: S) -> Self {
        let ray = Ray::new([0.0; 3], [1.0; 3]);
        Self {
            ray_id: 0,
            traversal_ray: TraversalRay::unfused(simd, &ray),
            watertight_ray: WatertightRay::new(&ray),
            closest: ClosestHit::new(0.0),
            t_cull: 0.0,
            next: NodeRef::NONE,
            stack: BatchStack::new(),
        }
    }

    #[inline(always)]
    fn start(&mut self, root: NodeRef, ray_id: usize, ray: &Ray<3>, traversal_ray: TraversalRay) {
        (self.ray_id, self.traversal_ray) = (ray_id, traversal_ray);
        self.watertight_ray = WatertightRay::new(ray);
        (self.closest, self.t_cull) =
            (ClosestHit::new(ray.t_max), TriangleHit::padded_t(ray.t_max));
        self.next = root;
        self.stack.clear();
    }

    /// Visits the next node and returns its successor, [`NodeRef::NONE`] if the inline stack is
    /// empty.
    #[inline(always)]
    fn visit_node<S: Simd, const ANY: bool, const FUSED: bool>(
        &mut self,
        simd: S,
        lines: &[CacheLine],
    ) -> NodeRef {
        let Some(node) = node::node(lines, self.next) else {
            self.next = NodeRef::NONE;
            return NodeRef::NONE;
        };
        let broadcast = BroadcastRay::<S, FUSED>::new(simd, &self.traversal_ray);
        let (t_enter, mask) = broadcast.intersect_children(simd, node, self.t_cull);
        let mut row = AlignedRow8([0.0; WIDTH]);
        t_enter.store_slice(&mut row.0);
        let hits = ChildHits { mask, t_enter: &row.0, children: node::child_refs(node) };
        self.next = if ANY {
            self.stack.push_unsorted(hits);
            self.stack.pop_inline()
        } else {
            self.stack.push_and_pop_nearest(hits)
        };
        self.next
    }

    /// Visits the next leaf and returns its successor, [`NodeRef::NONE`] if the inline stack is
    /// empty.
    #[inline(always)]
    fn visit_leaf<S: Simd, const ANY: bool>(&mut self, simd: S, leaves: &Leaves<'_>) -> NodeRef {
        let (old_t_max, closest) = (self.closest.t_max, &mut self.closest);
        let mut on_hit = |hit: TriangleHit| {
            let t_max = closest.update(hit);
            if ANY { ControlFlow::Break(()) } else { ControlFlow::Continue(t_max) }
        };
        match intersect_leaf(simd, &self.watertight_ray, leaves, self.next, old_t_max, &mut on_hit)
        {
            ControlFlow::Continue(t_max) => {
                if t_max < old_t_max {
                    self.t_cull = TriangleHit::padded_t(t_max);
                    self.stack.cull_beyond(self.t_cull);
                }
            }
            ControlFlow::Break(()) => self.stack.clear(),
        }
        self.next = self.stack.pop_inline();
        self.next
    }
}

/// Rays of the batch that are not started yet.
struct PendingRays<'a> {
    rays: &'a [Ray<3>],
    next: usize,
    /// Whether valid rays were left to the pass with the unfused slab test.
    has_deferred: bool,
}

impl PendingRays<'_> {
    /// Position and slab-test state of the next ray that uses the `FUSED` or unfused test.
    #[inline(always)]
    fn take_next<S: Simd, const FUSED: bool>(&mut self, simd: S) -> Option<(usize, TraversalRay)> {
        loop {
            let (ray_id, ray) = (self.next, self.rays.get(self.next)?);
            self.next += 1;
            let (traversal_ray, is_fused) = TraversalRay::fused(simd, ray);
            if is_fused && FUSED {
                return Some((ray_id, traversal_ray));
            }
            // A ray that is not valid hits nothing: no pass is needed for it.
            if !is_fused && ray.is_valid() {
                if !FUSED {
                    return Some((ray_id, TraversalRay::unfused(simd, ray)));
                }
                self.has_deferred = true;
            }
        }
    }
}

/// Set of slots of rays in flight, one bit each.
#[derive(Default, PartialEq, Eq)]
struct ActiveRaySet(u32);

impl ActiveRaySet {
    /// Branch-free: the condition is unpredictable.
    #[inline(always)]
    fn insert_if(&mut self, condition: bool, slot: usize) {
        self.0 |= u32::from(condition) << slot;
    }

    fn reached_threshold(&self) -> bool {
        self.0.count_ones() >= PHASE_SWITCH_THRESHOLD
    }
}

impl Iterator for ActiveRaySet {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let slot = self.0.trailing_zeros() as usize % RAYS_IN_FLIGHT;
        let is_any = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        is_any.then_some(slot)
    }
}

/// Slots by traversal phase.
#[derive(Default, PartialEq, Eq)]
struct RayPhases {
    at_nodes: ActiveRaySet,
    /// Next is a leaf, or the inline stack is empty.
    at_leaf_or_end: ActiveRaySet,
}

impl RayPhases {
    #[inline(always)]
    fn insert(&mut self, slot: usize, next: NodeRef) {
        self.at_nodes.insert_if(!next.is_leaf(), slot);
        self.at_leaf_or_end.insert_if(next.is_leaf(), slot);
    }
}

impl Bvh {
    /// The closest hit of each ray, or with `ANY` the first hit found. `results` must be all
    /// `None`.
    #[inline(always)]
    pub(crate) fn closest_or_any_batch<S: Simd, const ANY: bool>(
        &self,
        simd: S,
        rays: &[Ray<3>],
        results: &mut [Option<TriangleHit>],
    ) {
        if !USE_FMA || self.traverse_batch::<S, ANY, true>(simd, rays, results) {
            self.traverse_batch::<S, ANY, false>(simd, rays, results);
        }
    }

    /// Traverses the rays that use the `FUSED` or unfused slab test; returns whether valid rays
    /// were left to the unfused one.
    #[inline(always)]
    fn traverse_batch<S: Simd, const ANY: bool, const FUSED: bool>(
        &self,
        simd: S,
        rays: &[Ray<3>],
        results: &mut [Option<TriangleHit>],
    ) -> bool {
        let Some(root) = self.root else { return false };
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut pending = PendingRays { rays, next: 0, has_deferred: false };
        let mut active: [ActiveRay; RAYS_IN_FLIGHT] =
            core::array::from_fn(|_| ActiveRay::new(simd));
        let mut phases = RayPhases::default();
        for (slot, ray) in active.iter_mut().enumerate() {
            if let Some((ray_id, traversal_ray)) = pending.take_next::<S, FUSED>(simd) {
                ray.start(root, ray_id, &rays[ray_id], traversal_ray);
                phases.insert(slot, root);
            }
        }
        while phases != RayPhases::default() {
            for slot in core::mem::take(&mut phases.at_nodes) {
                let next = active[slot].visit_node::<S, ANY, FUSED>(simd, lines);
                node::prefetch(lines, next);
                phases.insert(slot, next);
            }
            if !phases.at_leaf_or_end.reached_threshold()
                && phases.at_nodes != ActiveRaySet::default()
            {
                continue;
            }
            let (mut at_leaf, mut at_end) = (ActiveRaySet::default(), ActiveRaySet::default());
            for slot in core::mem::take(&mut phases.at_leaf_or_end) {
                let is_at_end = active[slot].next == NodeRef::NONE;
                at_leaf.insert_if(!is_at_end, slot);
                at_end.insert_if(is_at_end, slot);
            }
            for slot in at_leaf {
                let next = active[slot].visit_leaf::<S, ANY>(simd, &leaves);
                node::prefetch(lines, next);
                phases.insert(slot, next);
            }
            for slot in at_end {
                let ray = &mut active[slot];
                if let Some(spilled) = ray.stack.pop_spilled() {
                    ray.next = spilled;
                } else {
                    if let Some(result) = results.get_mut(ray.ray_id) {
                        *result = ray.closest.hit;
                    }
                    let Some((ray_id, traversal_ray)) = pending.take_next::<S, FUSED>(simd) else {
                        continue;
                    };
                    ray.start(root, ray_id, &rays[ray_id], traversal_ray);
                }
                phases.insert(slot, ray.next);
            }
        }
        pending.has_deferred
    }
}
