//! Narrow phase of a step: contact pairs, updated in parallel.
//!
//! A contact pair exists while the fat AABBs of its two bodies overlap. Each step recomputes its
//! manifolds at the current poses, or [recycles](recycling) them. Where bodies can touch within the
//! step at points that these manifolds lack, the step adds
//! [speculative contacts](crate::dynamics::ccd).

pub(crate) mod contact_pair;
pub(crate) mod culling;
pub(crate) mod invalidate;
pub(crate) mod manifold;
pub(crate) mod recycling;

use std::sync::{Mutex, PoisonError};

use crate::dynamics::body::body_index::{BodyIndex, BodyPair, pair_key};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::BodyPairChanges;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::parallel::worker_pool::{lock, parallel_for};
use crate::dynamics::profile::PairCounts;
use crate::dynamics::solver::contact_constraint::ManifoldKey;
use crate::narrow_phase::SeparatingAxis;

/// Minimum number of contact pairs per task of any stage that loops over them: below, waking
/// another worker costs more than it saves.
pub(crate) const MIN_PAIRS_PER_TASK: usize = 256;

/// All contact pairs of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct NarrowPhase {
    /// Sorted by body indices.
    pairs: Vec<ContactPair>,
    /// Set from the first removal of a body until [`compact`](Self::compact).
    pending_removal: Option<PendingRemoval>,
}

/// Pairs that are marked as removed, and an index of the pairs by body.
#[derive(Clone, Debug)]
struct PendingRemoval {
    /// Body index and pair index of each end of each pair, sorted.
    pairs_of_body: Vec<(BodyIndex, u32)>,
    /// By pair index: whether one of its bodies was removed.
    is_removed: Vec<bool>,
}

impl PendingRemoval {
    fn new(pairs: &[ContactPair]) -> Self {
        let entries = (0..)
            .zip(pairs)
            .flat_map(|(number, pair)| pair.bodies.into_iter().map(move |body| (body, number)));
        let mut pairs_of_body: Vec<(BodyIndex, u32)> = entries.collect();
        pairs_of_body.sort_unstable();
        Self { pairs_of_body, is_removed: vec![false; pairs.len()] }
    }
}

impl NarrowPhase {
    /// `pairs` must be sorted by body indices.
    pub(crate) fn of(pairs: Vec<ContactPair>) -> Self {
        Self { pairs, ..Self::default() }
    }

    /// All pairs, sorted by body indices, with those that are marked as removed.
    #[inline]
    pub(crate) fn pairs(&self) -> &[ContactPair] {
        &self.pairs
    }

    /// All pairs, to update their manifolds and impulses.
    #[inline]
    pub(crate) fn pairs_mut(&mut self) -> &mut [ContactPair] {
        &mut self.pairs
    }

    /// Manifold of a constraint of this step.
    pub(crate) fn manifold_mut(&mut self, key: ManifoldKey) -> &mut PersistentManifold {
        &mut self.pairs[key.pair as usize].manifolds[key.manifold as usize]
    }

    /// Marks all pairs of a body as removed and calls `on_removed` for each.
    /// [`compact`](Self::compact) drops them, so that removing k bodies costs one pass over the
    /// pairs, not k.
    fn mark_pairs_removed(
        &mut self,
        body_index: BodyIndex,
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
                pairs[number].is_touching = false;
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
    fn find_pair(&self, bodies: BodyPair) -> Result<usize, usize> {
        self.pairs.binary_search_by_key(&pair_key(bodies), |pair| pair_key(pair.bodies))
    }

    /// Inserts the pairs that the broad phase added and drops those that it removed; both are
    /// sorted. Calls `on_end` for each dropped pair.
    pub(crate) fn apply_broad_phase_changes(
        &mut self,
        bodies: &BodySet,
        BodyPairChanges { added, removed }: BodyPairChanges<'_>,
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
            let key = pair_key(pair.bodies);
            while let Some(earlier) = added.next_if(|&added| pair_key(added) < key) {
                new_pairs.push(earlier);
            }
            while removed.next_if(|&&removed| pair_key(removed) < key).is_some() {}
            let is_removed = removed.next_if(|&&removed| pair_key(removed) == key).is_some();
            if is_removed {
                on_end(pair);
            } else {
                added.next_if_eq(&pair.bodies);
            }
            !is_removed
        });
        new_pairs.extend(added);
        let before = self.pairs.len();
        self.pairs.extend(new_pairs.into_iter().filter_map(|pair| ContactPair::of(bodies, pair)));
        if self.pairs.len() > before {
            // A merge of two sorted runs: the stable sort detects them.
            self.pairs.sort_by_key(|pair| pair_key(pair.bodies));
        }
    }

    /// Updates the manifolds of all pairs that have an awake body or are marked for update, at the
    /// current poses. Calls `add_speculative_contacts` for each pair that can touch within the step
    /// at points that its manifolds lack, with a separating axis. Returns the number of pairs with
    /// an awake body, and how many of these have a manifold.
    pub(crate) fn update_contacts(
        &mut self,
        bodies: &BodySet,
        speculative_distance: f32,
        time_step: f32,
        worker_count: usize,
        add_speculative_contacts: impl Fn(&mut ContactPair, &SeparatingAxis) + Sync,
    ) -> PairCounts {
        let counts = Mutex::new(PairCounts::default());
        parallel_for(worker_count, MIN_PAIRS_PER_TASK, &mut self.pairs, |_, pairs| {
            let mut scratch = Vec::new();
            let mut task_counts = PairCounts::default();
            for pair in pairs {
                let is_awake = pair.is_awake(bodies);
                if pair.needs_update || is_awake {
                    if let Some(separating_axis) =
                        pair.update(bodies, speculative_distance, time_step, &mut scratch)
                    {
                        add_speculative_contacts(pair, &separating_axis);
                    }
                    pair.record_approach_velocity(bodies);
                }
                task_counts.candidate_pairs += u64::from(is_awake);
                task_counts.manifold_pairs += u64::from(is_awake && !pair.manifolds.is_empty());
            }
            *lock(&counts) += task_counts;
        });
        counts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
