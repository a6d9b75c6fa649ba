//! Contact invalidation: which pairs an edit of the world removes, adds, wakes or marks for update.
//!
//! Guarantee: only the pairs that the edit affects. All others keep their impulses, emit no events
//! and stay asleep.

use crate::dynamics::body::body_index::{BodyIndex, BodyPair};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::BroadPhaseProxies;
use crate::dynamics::contact_events::ContactEvents;
use crate::dynamics::island;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;

impl NarrowPhase {
    /// Wakes a body and all bodies that it has a contact pair with; sensors wake no body.
    pub(crate) fn wake_touching(&self, bodies: &mut BodySet, index: BodyIndex) {
        let is_affected = |pair: &&ContactPair| !pair.sensor && pair.bodies.contains(&index);
        let neighbors = self.live_pairs().filter(is_affected).flat_map(|pair| pair.bodies);
        let woken = neighbors.chain([index]);
        island::wake_bodies(bodies, woken);
    }

    /// Marks all pairs of a body for update in the next step, even if neither body is awake.
    pub(crate) fn mark_pairs_for_update(&mut self, index: BodyIndex) {
        for pair in self.pairs.iter_mut().filter(|pair| pair.bodies.contains(&index)) {
            pair.needs_update = true;
        }
    }

    /// Combines the materials of the pairs of a body again.
    pub(crate) fn update_materials(&mut self, bodies: &BodySet, index: BodyIndex) {
        for pair in self.pairs.iter_mut().filter(|pair| pair.bodies.contains(&index)) {
            let [a, b] = pair.bodies.map(|body| bodies.data(body));
            pair.material = a.contact_material(b);
        }
    }

    /// Removes all pairs of a body that is about to be removed, and wakes the bodies that it
    /// touched.
    pub(crate) fn remove_pairs_of_body(
        &mut self,
        bodies: &mut BodySet,
        events: &mut ContactEvents,
        index: BodyIndex,
    ) {
        let mut woken = vec![index];
        self.mark_pairs_removed(index, |pair| {
            events.end_pair_by_edit(pair);
            if !pair.sensor {
                woken.extend(pair.bodies);
            }
        });
        island::wake_bodies(bodies, woken);
    }

    /// Removes the pairs that satisfy `predicate`, with an end event for each that touched.
    pub(crate) fn remove_pairs_where(
        &mut self,
        events: &mut ContactEvents,
        predicate: impl Fn(&ContactPair) -> bool,
    ) {
        self.pairs.retain(|pair| {
            let is_removed = predicate(pair);
            if is_removed {
                events.end_pair_by_edit(pair);
            }
            !is_removed
        });
    }

    /// Removes the pair of two bodies, if it exists, with an end event if it touched.
    pub(crate) fn remove_pair(&mut self, events: &mut ContactEvents, bodies: BodyPair) {
        if let Ok(pair_index) = self.find_pair(bodies) {
            events.end_pair_by_edit(&self.pairs.remove(pair_index));
        }
    }

    /// Adds the pair of two bodies whose contacts were disabled, if their fat AABBs overlap and the
    /// pair is not filtered.
    pub(crate) fn try_add_pair(
        &mut self,
        bodies: &BodySet,
        broad_phase: &BroadPhaseProxies,
        indices: [BodyIndex; 2],
    ) {
        let pair = BodyIndex::sorted_pair(indices);
        if broad_phase.fat_aabbs_overlap(indices)
            && let Err(insertion_point) = self.find_pair(pair)
            && let Some(pair) = ContactPair::of(bodies, pair)
        {
            self.pairs.insert(insertion_point, pair);
        }
    }

    /// Removes all pairs of a body whose type or sensor flag has changed, and adds those that are
    /// valid now.
    pub(crate) fn recreate_pairs(
        &mut self,
        bodies: &mut BodySet,
        broad_phase: &BroadPhaseProxies,
        events: &mut ContactEvents,
        index: BodyIndex,
    ) {
        self.remove_pairs_where(events, |pair| pair.bodies.contains(&index));
        self.refilter_body(bodies, broad_phase, events, index);
    }

    /// Applies a changed collision filter: removes the pairs that it rejects, adds those that it
    /// newly allows.
    pub(crate) fn refilter_body(
        &mut self,
        bodies: &mut BodySet,
        broad_phase: &BroadPhaseProxies,
        events: &mut ContactEvents,
        index: BodyIndex,
    ) {
        let is_rejected = |pair: &&ContactPair| {
            pair.bodies.contains(&index) && ContactPair::of(bodies, pair.bodies).is_none()
        };
        let rejected: Vec<_> =
            self.pairs.iter().filter(is_rejected).map(|pair| pair.bodies).collect();
        for &body in rejected.iter().flatten() {
            island::wake_body(bodies, body);
        }
        self.remove_pairs_where(events, |pair| rejected.binary_search(&pair.bodies).is_ok());
        for other in bodies.slot_indices() {
            if other != index && bodies.is_alive(other) {
                self.try_add_pair(bodies, broad_phase, [index, other]);
            }
        }
    }
}
