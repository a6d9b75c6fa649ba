//! Narrow phase of a step: contact pairs, updated in parallel.
//!
//! A contact pair exists while the fat AABBs of its two bodies overlap. Each step recomputes its
//! manifolds, or [recycles](recycling) them.

pub(crate) mod contact_pair;
pub(crate) mod invalidate;
pub(crate) mod manifold;
pub(crate) mod recycling;

use core::sync::atomic::{AtomicU64, Ordering};

use crate::broad_phase::OverlapPair;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::parallel::worker_pool::parallel_for;

/// Minimum number of pairs per task: below, waking another worker costs more than it saves.
const MIN_PAIRS_PER_TASK: usize = 256;

/// All contact pairs of a world, sorted by body indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactPairs {
    pub(crate) pairs: Vec<ContactPair>,
    /// Set from the first removal of a body until [`compact`](Self::compact).
    pending_removal: Option<PendingRemoval>,
}

/// Pairs that are marked as removed, and an index of the pairs by body.
#[derive(Clone, Debug)]
struct PendingRemoval {
    /// Body index and pair index of each end of each pair, sorted.
    pairs_of_body: Vec<(u32, u32)>,
    /// By pair index: whether one of its bodies was removed.
    is_removed: Vec<bool>,
}

impl PendingRemoval {
    fn new(pairs: &[ContactPair]) -> Self {
        let entries = (0..)
            .zip(pairs)
            .flat_map(|(number, pair)| pair.bodies.into_iter().map(move |body| (body, number)));
        let mut pairs_of_body: Vec<(u32, u32)> = entries.collect();
        pairs_of_body.sort_unstable();
        Self { pairs_of_body, is_removed: vec![false; pairs.len()] }
    }
}

impl ContactPairs {
    /// `pairs` must be sorted by body indices.
    pub(crate) fn of(pairs: Vec<ContactPair>) -> Self {
        Self { pairs, pending_removal: None }
    }

    /// Marks all pairs of a body as removed and calls `on_removed` for each.
    /// [`compact`](Self::compact) drops them, so that removing k bodies costs one pass over the
    /// pairs, not k.
    pub(crate) fn mark_pairs_removed(
        &mut self,
        body_index: u32,
        mut on_removed: impl FnMut(&ContactPair),
    ) {
        let pairs = &mut self.pairs;
        let PendingRemoval { pairs_of_body, is_removed } =
            self.pending_removal.get_or_insert_with(|| PendingRemoval::new(pairs));
        let from = pairs_of_body.partition_point(|entry| entry.0 < body_index);
        let entries = pairs_of_body[from..].iter().take_while(|entry| entry.0 == body_index);
        for &(_, number) in entries {
            let number = number as usize;
            if !core::mem::replace(&mut is_removed[number], true) {
                on_removed(&pairs[number]);
                pairs[number].began_touching = false;
            }
        }
    }

    /// Drops the pairs that are marked as removed. Called before pairs are edited or counted.
    pub(crate) fn compact(&mut self) {
        if let Some(PendingRemoval { is_removed, .. }) = self.pending_removal.take() {
            let mut is_removed = is_removed.into_iter();
            self.pairs.retain(|_| is_removed.next() == Some(false));
        }
    }

    /// Pairs that are not marked as removed.
    pub(crate) fn live_pairs(&self) -> impl Iterator<Item = &ContactPair> {
        let is_removed = |number: usize| {
            self.pending_removal.as_ref().is_some_and(|pending| pending.is_removed[number])
        };
        self.pairs
            .iter()
            .enumerate()
            .filter(move |&(number, _)| !is_removed(number))
            .map(|(_, pair)| pair)
    }

    /// Binary search for a pair of body indices, the smaller first; `Err` is the insertion point.
    pub(crate) fn find_pair(&self, bodies: OverlapPair) -> Result<usize, usize> {
        self.pairs.binary_search_by_key(&bodies, |pair| pair.bodies)
    }

    /// Inserts the pairs that the broad phase added and drops those that it removed; both are
    /// sorted. Calls `on_end` for each dropped pair that touched.
    pub(crate) fn apply_broad_phase_changes(
        &mut self,
        bodies: &BodySet,
        added: &[OverlapPair],
        removed: &[OverlapPair],
        mut on_end: impl FnMut(&ContactPair),
    ) {
        if added.is_empty() && removed.is_empty() {
            return;
        }
        // A removed pair can be absent: its body was removed, or the pair was filtered.
        let mut removed = removed.iter().peekable();
        // An added pair can be present: all pairs of a restored world are added again.
        let mut added = added.iter().copied().peekable();
        let mut new_pairs = Vec::new();
        self.pairs.retain(|pair| {
            while let Some(earlier) = added.next_if(|added| *added < pair.bodies) {
                new_pairs.push(earlier);
            }
            while removed.next_if(|removed| **removed < pair.bodies).is_some() {}
            let is_removed = removed.next_if(|removed| **removed == pair.bodies).is_some();
            if is_removed && pair.began_touching {
                on_end(pair);
            } else if !is_removed {
                added.next_if_eq(&pair.bodies);
            }
            !is_removed
        });
        new_pairs.extend(added);
        let before = self.pairs.len();
        self.pairs.extend(new_pairs.into_iter().filter_map(|pair| ContactPair::of(bodies, pair)));
        if self.pairs.len() > before {
            // A merge of two sorted runs: the stable sort detects them.
            self.pairs.sort_by_key(|pair| pair.bodies);
        }
    }

    /// Updates the manifolds of all pairs that have an awake body or are marked for update. Returns
    /// the number of pairs with an awake body, and how many of these have a manifold.
    pub(crate) fn update_contacts(
        &mut self,
        bodies: &BodySet,
        speculative_distance: f32,
        time_step: f32,
        worker_count: usize,
    ) -> [u64; 2] {
        let counts = [const { AtomicU64::new(0) }; 2];
        parallel_for(worker_count, MIN_PAIRS_PER_TASK, &mut self.pairs, |_, pairs| {
            let mut scratch = Vec::new();
            let (mut awake_pairs, mut touching_pairs) = (0, 0);
            for pair in pairs {
                let is_awake = pair.bodies.iter().any(|&index| bodies.is_awake(index as usize));
                if pair.needs_update || is_awake {
                    pair.update(bodies, speculative_distance, time_step, &mut scratch);
                    if !pair.began_touching {
                        pair.record_approach_velocity(bodies);
                    }
                }
                awake_pairs += u64::from(is_awake);
                touching_pairs += u64::from(is_awake && !pair.manifolds.is_empty());
            }
            for (count, more) in counts.iter().zip([awake_pairs, touching_pairs]) {
                count.fetch_add(more, Ordering::Relaxed);
            }
        });
        counts.map(AtomicU64::into_inner)
    }
}
