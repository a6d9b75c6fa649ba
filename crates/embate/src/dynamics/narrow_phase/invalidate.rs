//! Contact invalidation: which pairs an edit of the world removes, adds, wakes or marks for update.
//!
//! Guarantee: only the pairs that the edit affects. All others keep their impulses, emit no events
//! and stay asleep.

use crate::broad_phase::OverlapPair;
use crate::dynamics::contact_events::ContactEvent;
use crate::dynamics::island;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::world::World;

impl World {
    /// Wakes a body and all bodies that it has a contact pair with; sensors wake no body.
    pub(crate) fn wake_touching(&mut self, index: usize) {
        let is_affected =
            |pair: &&ContactPair| !pair.sensor && pair.bodies.contains(&(index as u32));
        let neighbors =
            self.contact_pairs.live_pairs().filter(is_affected).flat_map(|pair| pair.bodies);
        let woken: Vec<usize> = neighbors.map(|body| body as usize).chain([index]).collect();
        island::wake_bodies(&mut self.bodies, woken);
    }

    /// Marks all pairs of a body for update in the next step, even if neither body is awake.
    pub(crate) fn mark_pairs_for_update(&mut self, index: usize) {
        let pairs = self.contact_pairs.pairs.iter_mut();
        for pair in pairs.filter(|pair| pair.bodies.contains(&(index as u32))) {
            pair.needs_update = true;
        }
    }

    /// Removes all pairs of a body that is about to be removed, and wakes the bodies that it
    /// touched.
    pub(crate) fn mark_pairs_removed(&mut self, index: usize) {
        let (mut woken, end_events) = (vec![index], &mut self.ended);
        self.contact_pairs.mark_pairs_removed(index as u32, |pair| {
            if pair.began_touching {
                end_events.push(ContactEvent::End { bodies: pair.ids, sensor: pair.sensor });
            }
            if !pair.sensor {
                woken.extend(pair.bodies.map(|body| body as usize));
            }
        });
        island::wake_bodies(&mut self.bodies, woken);
    }

    /// Removes the pairs that satisfy `predicate`, with an end event for each that touched.
    pub(crate) fn remove_pairs_where(&mut self, predicate: impl Fn(&ContactPair) -> bool) {
        let end_events = &mut self.ended;
        self.contact_pairs.pairs.retain(|pair| {
            let is_removed = predicate(pair);
            if is_removed && pair.began_touching {
                end_events.push(ContactEvent::End { bodies: pair.ids, sensor: pair.sensor });
            }
            !is_removed
        });
    }

    /// Removes the pair of two bodies, if it exists, with an end event if it touched.
    pub(crate) fn remove_pair(&mut self, bodies: OverlapPair) {
        if let Ok(pair_index) = self.contact_pairs.find_pair(bodies) {
            let pair = self.contact_pairs.pairs.remove(pair_index);
            if pair.began_touching {
                self.ended.push(ContactEvent::End { bodies: pair.ids, sensor: pair.sensor });
            }
        }
    }

    /// Adds the pair of two bodies whose contacts were disabled, if their fat AABBs overlap and the
    /// pair is not filtered.
    pub(crate) fn try_add_pair(&mut self, indices: [usize; 2]) {
        let [a, b] = indices.map(|index| index as u32);
        let bodies = [a.min(b), a.max(b)];
        if self.broad_phase.fat_aabbs_overlap(indices)
            && let Err(insertion_point) = self.contact_pairs.find_pair(bodies)
            && let Some(pair) = ContactPair::of(&self.bodies, bodies)
        {
            self.contact_pairs.pairs.insert(insertion_point, pair);
        }
    }

    /// Removes all pairs of a body whose type or sensor flag has changed, and adds those that are
    /// valid now.
    pub(crate) fn recreate_pairs(&mut self, index: usize) {
        self.remove_pairs_where(|pair| pair.bodies.contains(&(index as u32)));
        self.refilter_body(index);
    }

    /// Applies a changed collision filter: removes the pairs that it rejects, adds those that it
    /// newly allows.
    pub(crate) fn refilter_body(&mut self, index: usize) {
        let is_affected = |pair: &ContactPair| pair.bodies.contains(&(index as u32));
        let rejected: Vec<_> = self
            .contact_pairs
            .pairs
            .iter()
            .filter(|pair| {
                is_affected(pair) && ContactPair::of(&self.bodies, pair.bodies).is_none()
            })
            .map(|pair| pair.bodies)
            .collect();
        for &body in rejected.iter().flatten() {
            island::wake_body(&mut self.bodies, body as usize);
        }
        self.remove_pairs_where(|pair| rejected.binary_search(&pair.bodies).is_ok());
        for other in 0..self.bodies.data.len() {
            if other != index && self.bodies.is_alive(other) {
                self.try_add_pair([index, other]);
            }
        }
    }
}
