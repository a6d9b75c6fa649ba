//! Impact queue: priority queue of the next impact of every contact within a sub-step.
//!
//! Ordered by time, then by contact index. An impact changes the impact times only of contacts that
//! share a body with it, and only these are rescheduled: a hundred spheres that bounce on a floor
//! do not affect each other.

use core::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::solver::contact_constraint::ContactConstraint;

/// Maximum impacts of one contact in a sub-step: a sphere that comes to rest would otherwise bounce
/// infinitely often (Zeno behavior). The last impact lets the bodies separate just fast enough to
/// be back at the end of the sub-step.
const MAX_IMPACTS_PER_CONTACT: u8 = 16;
/// Maximum manifold recomputations on the way to an impact: each adds two digits to its time.
pub(crate) const MAX_REFINEMENTS: u8 = 4;

/// Index of a contact in the list that the queue was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContactIndex(pub(crate) usize);

/// The next impact of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingImpact {
    /// Time of the impact, in seconds since the sub-step began; infinite if there is none in this
    /// sub-step.
    pub(crate) time: f64,
    /// Impacts that the contact may still have.
    pub(crate) remaining: u8,
    /// Manifold recomputations left until this impact, or until another impact changes the motion
    /// of its bodies.
    pub(crate) refinements: u8,
}

/// Entry of the heap. It is stale, and skipped, if its time is not that of the pending impact.
#[derive(Clone, Copy, Debug, PartialEq)]
struct QueueEntry {
    time: f64,
    contact: ContactIndex,
}

impl Eq for QueueEntry {}

impl Ord for QueueEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.contact.cmp(&other.contact))
    }
}

impl PartialOrd for QueueEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The next impact of every contact.
#[derive(Debug)]
pub(crate) struct ImpactQueue {
    /// Next impact of each contact.
    pending: Vec<PendingImpact>,
    heap: BinaryHeap<Reverse<QueueEntry>>,
    /// (body, contact) for the dynamic bodies of every contact, sorted.
    contacts_of_bodies: Vec<(BodyIndex, ContactIndex)>,
}

impl ImpactQueue {
    /// Schedules every contact at its `impact_time`.
    pub(crate) fn new(
        bodies: &BodySet,
        contacts: &[ContactConstraint],
        impact_time: impl Fn(&ContactConstraint) -> f64,
    ) -> Self {
        let pending: Vec<PendingImpact> = contacts
            .iter()
            .map(|contact| PendingImpact {
                time: impact_time(contact),
                remaining: MAX_IMPACTS_PER_CONTACT,
                refinements: MAX_REFINEMENTS,
            })
            .collect();
        let entry = |(contact, impact): (usize, &PendingImpact)| {
            Reverse(QueueEntry { time: impact.time, contact: ContactIndex(contact) })
        };
        let heap = pending.iter().enumerate().map(entry).collect();
        let body_contacts = contacts.iter().enumerate().flat_map(|(index, contact)| {
            contact.bodies.into_iter().map(move |body| (body, ContactIndex(index)))
        });
        let mut contacts_of_bodies: Vec<_> =
            body_contacts.filter(|&(body, _)| bodies.is_dynamic(body)).collect();
        contacts_of_bodies.sort_unstable();
        Self { pending, heap, contacts_of_bodies }
    }

    /// The contact with the earliest impact, of those that may still have one. It stays in the
    /// queue.
    pub(crate) fn first(&mut self) -> Option<(ContactIndex, PendingImpact)> {
        while let Some(Reverse(QueueEntry { time, contact })) = self.heap.peek() {
            let impact = self.pending[contact.0];
            if impact.remaining > 0 && impact.time.to_bits() == time.to_bits() {
                return Some((*contact, impact));
            }
            self.heap.pop();
        }
        None
    }

    /// Moves the next impact of a contact to another time.
    pub(crate) fn reschedule(&mut self, contact: ContactIndex, time: f64, refinements: u8) {
        let impact = &mut self.pending[contact.0];
        let is_queued = impact.time.to_bits() == time.to_bits();
        (impact.time, impact.refinements) = (time, refinements);
        if !is_queued {
            self.heap.push(Reverse(QueueEntry { time, contact }));
        }
    }

    /// Counts an impact of this contact against its maximum.
    pub(crate) fn consume(&mut self, contact: ContactIndex) {
        self.pending[contact.0].remaining -= 1;
    }

    /// Contacts that share a dynamic body with this one, itself included.
    pub(crate) fn affected_by(
        &self,
        contact: ContactIndex,
        contacts: &[ContactConstraint],
    ) -> Vec<ContactIndex> {
        let [a, b] = contacts[contact.0].bodies.map(|body| {
            let from = self.contacts_of_bodies.partition_point(|entry| entry.0 < body);
            let of_body =
                self.contacts_of_bodies[from..].iter().take_while(move |entry| entry.0 == body);
            of_body.map(|&(_, contact)| contact)
        });
        a.chain(b).collect()
    }
}
