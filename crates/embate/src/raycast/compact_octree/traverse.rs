//! Traversal of the compact octree: the loop of `bvh/traverse`, which decodes every node it visits.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit, WatertightRay};
use fearless_simd::prelude::*;
use prefetch_index::prefetch_index;

use crate::raycast::bvh::{
    AlignedRow8, BroadcastRay, ClosestHit, NodeRef, StackEntry, TraversalRay, TraversalStack, WIDTH,
};
use crate::raycast::compact_octree::CompactOctree;
use crate::raycast::compact_octree::node::{CompactNode, DecodedPlanes, first_id};
use crate::raycast::indexed_triangles::intersect_eight;
use crate::raycast::{NoStats, TraversalObserver};

impl CompactOctree {
    #[inline(always)]
    pub(super) fn traverse_closest<S: Simd>(&self, simd: S, ray: &Ray<3>) -> Option<TriangleHit> {
        let mut closest = ClosestHit::new(ray.t_max);
        let mut on_hit = |hit: TriangleHit| ControlFlow::Continue(closest.update(hit));
        self.traverse::<S, _, true>(simd, ray, &mut NoStats, &mut on_hit);
        closest.hit
    }

    #[inline(always)]
    pub(super) fn traverse_any<S: Simd, O: TraversalObserver>(
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
    /// `t_max`. `ORDERED` visits children nearest first.
    #[inline(always)]
    pub(super) fn traverse<S: Simd, O: TraversalObserver, const ORDERED: bool>(
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
        let mut leaf_visitor = LeafVisitor { ray: WatertightRay::new(ray), octree: self, on_hit };
        let mut t_max = ray.t_max;
        let mut t_cull = TriangleHit::padded_t(t_max);
        let mut stack = TraversalStack::new();
        let mut t_enter_row = AlignedRow8([0.0; WIDTH]);
        let mut planes = DecodedPlanes::ZERO;
        loop {
            while !child.is_leaf() && stack.can_push_children() {
                let Some(node) = self.nodes.get(child.line()) else { return };
                observer.visit_node(|| node.bounds());
                node.decode(simd, &mut planes);
                let (t_enter, hit_mask) = broadcast.intersect_children(simd, &planes.0, t_cull);
                // Lanes without a child have arbitrary planes.
                let hit_mask = hit_mask & node.child_mask();
                t_enter.store_slice(&mut t_enter_row.0);
                let nearest = self.push::<ORDERED>(node, hit_mask, &t_enter_row, &mut stack);
                child = match nearest {
                    Some(nearest) => nearest,
                    None => stack.pop::<ORDERED>(t_cull),
                };
            }
            if !child.is_leaf() {
                stack.spill();
                continue;
            }
            if child != NodeRef::NONE {
                if O::WANTS_DETAILS {
                    for &id in self.leaf_ids(child) {
                        observer.test_triangle(id);
                    }
                }
                match leaf_visitor.intersect(simd, child, t_max) {
                    ControlFlow::Continue(new_t_max) => {
                        (t_max, t_cull) = (new_t_max, TriangleHit::padded_t(new_t_max));
                    }
                    ControlFlow::Break(()) => return,
                }
            } else if !stack.refill() {
                return;
            }
            child = stack.pop::<ORDERED>(t_cull);
        }
    }

    /// Ids of the triangles of a leaf.
    #[inline(always)]
    fn leaf_ids(&self, leaf: NodeRef) -> &[u32] {
        let first = first_id(leaf);
        self.triangle_ids.get(first..first + leaf.count() as usize).unwrap_or_default()
    }

    /// Returns the nearest hit child and pushes the others, farthest first; unordered, the last
    /// one, which has the fewest triangles.
    #[inline(always)]
    fn push<const ORDERED: bool>(
        &self,
        node: &CompactNode,
        mut hit_mask: u32,
        t_enter: &AlignedRow8,
        stack: &mut TraversalStack,
    ) -> Option<NodeRef> {
        if hit_mask == 0 {
            return None;
        }
        let mut nearest = self.take_lowest::<ORDERED>(node, &mut hit_mask, t_enter);
        if !ORDERED {
            while hit_mask != 0 {
                stack.push(nearest);
                nearest = self.take_lowest::<ORDERED>(node, &mut hit_mask, t_enter);
            }
            return Some(nearest.child());
        }
        if hit_mask == 0 {
            return Some(nearest.child());
        }
        let second = self.take_lowest::<ORDERED>(node, &mut hit_mask, t_enter);
        let (mut near, far) = (core::cmp::min(nearest, second), core::cmp::max(nearest, second));
        if hit_mask == 0 {
            stack.push(far);
            return Some(near.child());
        }
        // Insertion sort, ascending.
        let mut sorted = [near; WIDTH];
        sorted[1] = far;
        let mut len = 2;
        while hit_mask != 0 {
            let next = self.take_lowest::<ORDERED>(node, &mut hit_mask, t_enter);
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
        near = sorted[0];
        Some(near.child())
    }

    /// Entry of the lowest set bit, which is cleared. Prefetches the child.
    #[inline(always)]
    fn take_lowest<const ORDERED: bool>(
        &self,
        node: &CompactNode,
        hit_mask: &mut u32,
        t_enter: &AlignedRow8,
    ) -> StackEntry {
        let lane = hit_mask.trailing_zeros() as usize & 7;
        *hit_mask &= *hit_mask - 1;
        let child = node.child(lane);
        if child.is_leaf() {
            prefetch_index(&self.triangle_ids, first_id(child));
        } else {
            // A node touches two cache lines, nearly always.
            prefetch_index(&self.nodes, child.line());
            prefetch_index(&self.nodes, child.line() + 1);
        }
        let t_enter = if ORDERED { t_enter.0[lane] } else { f32::NEG_INFINITY };
        StackEntry::new(t_enter, child)
    }
}

/// State of the leaf tests of one ray. Aligned for the reason given in `bvh/traverse`.
#[repr(align(64))]
struct LeafVisitor<'a, F> {
    ray: WatertightRay,
    octree: &'a CompactOctree,
    on_hit: &'a mut F,
}

impl<F: FnMut(TriangleHit) -> ControlFlow<(), f32>> LeafVisitor<'_, F> {
    /// Tests the triangles of a leaf, out of line: inlined it would compete with the node loop for
    /// registers.
    #[inline(never)]
    fn intersect<S: Simd>(&mut self, simd: S, leaf: NodeRef, t_max: f32) -> ControlFlow<(), f32> {
        simd.vectorize(
            #[inline(always)]
            move || {
                let ids = self.octree.leaf_ids(leaf);
                intersect_eight(simd, &self.octree.mesh, ids, &self.ray, t_max, self.on_hit)
            },
        )
    }
}
