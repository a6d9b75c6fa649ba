//! Incremental broad phase: proxies that persist between frames, and a pair cache with its changes.
//!
//! ```text
//!            insert, set_aabb                   has not moved for a while
//!   ┌──────────────────────────► dynamic ─────────────────────────────────┐
//!   │                              │                                      ▼
//!  static: in persistent tiles     │ update_pairs: dynamic × dynamic      the static set
//!  (static_set.rs), with the       └─►             dynamic × static       is rebuilt
//!  pairs among them cached                         static × static: cached
//! ```
//!
//! The cost of an update is mostly proportional to the number of moving boxes.

pub(crate) mod query_tree;
pub(crate) mod static_set;

use embate_geom::Aabb;

use crate::broad_phase::incremental::query_tree::ProxyTree;
use crate::broad_phase::incremental::static_set::StaticSet;
use crate::broad_phase::pair_diff::diff;
use crate::broad_phase::{
    AabbError, AabbSlice, BroadPhase, DynamicBvh, OverlapPair, PairSorter, TiledSweepAndPrune,
};
use crate::parallel;

/// If more than this fraction of the boxes is dynamic, all are swept together: measured, a static
/// set no longer pays then.
pub(crate) const FULL_SWEEP_FRACTION: f32 = 0.4;

/// Id of a box in an [`IncrementalBroadPhase`]. Ids are reused after removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "BoxId")]
pub struct ProxyId(pub u32);

/// Why an operation on an [`IncrementalBroadPhase`] is rejected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[doc(alias = "WorldError")]
pub enum ProxyError {
    /// The box is not finite, beyond ±1e18, or inverted.
    #[error(transparent)]
    Invalid(#[from] AabbError),
    /// There is no proxy of this id.
    #[error("proxy {} does not exist; it was never inserted, or was removed", .0.0)]
    Unknown(ProxyId),
}

impl ProxyError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(error) => error.code(),
            Self::Unknown(_) => "proxy.unknown",
        }
    }
}

/// Broad phase over boxes that persist between frames (proxies).
///
/// ```
/// use embate::{Aabb, broad_phase::IncrementalBroadPhase};
///
/// let mut broad_phase = IncrementalBroadPhase::new();
/// let floor = broad_phase.insert(Aabb { min: [0.0, 0.0], max: [9.0, 1.0] })?;
/// let sphere = broad_phase.insert(Aabb { min: [4.0, 3.0], max: [5.0, 4.0] })?;
/// assert!(broad_phase.update_pairs().added.is_empty());
///
/// broad_phase.set_aabb(sphere, Aabb { min: [4.0, 0.5], max: [5.0, 1.5] })?;
/// assert_eq!(broad_phase.update_pairs().added, [[floor.0, sphere.0]]);
///
/// broad_phase.remove(floor)?;
/// assert_eq!(broad_phase.update_pairs().removed, [[floor.0, sphere.0]]);
/// # Ok::<(), embate::broad_phase::ProxyError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "World")]
#[doc(alias = "PairManager")]
#[doc(alias = "pair cache")]
pub struct IncrementalBroadPhase<const D: usize> {
    boxes: Vec<Aabb<D>>,
    states: Vec<ProxyState>,
    /// Ids that may be reused, and ids removed since the last update.
    free: Vec<u32>,
    removed: Vec<u32>,
    /// Ids of all dynamic boxes, and how many of them were inserted or moved since the last update.
    dynamic: Vec<u32>,
    moved_count: usize,
    static_set: StaticSet<D>,
    /// Pairs of two static boxes, and pairs with a dynamic box; each list sorted.
    static_pairs: Vec<OverlapPair>,
    dynamic_pairs: Vec<OverlapPair>,
    /// Whether a static box was moved or removed since the last update.
    static_dirty: bool,
    /// Sum over updates of dynamic boxes that did not move, since the static set was rebuilt.
    idle_cost: usize,
    sweep: TiledSweepAndPrune<D>,
    sorter: PairSorter,
    /// Copies of the dynamic boxes, contiguous.
    dynamic_boxes: Vec<Aabb<D>>,
    added_pairs: Vec<OverlapPair>,
    removed_pairs: Vec<OverlapPair>,
    query_tree: ProxyTree<D>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProxyState {
    Free,
    Static,
    /// Dynamic, but not moved since the last update.
    Idle,
    /// Dynamic, and inserted or moved since the last update.
    Moved,
}

/// Pair changes of one update. Both lists are sorted.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "Changes")]
pub struct PairChanges<'a> {
    /// Pairs that overlap now and did not at the previous update.
    #[doc(alias = "begun")]
    pub added: &'a [OverlapPair],
    /// Pairs that no longer overlap, or of which a box was removed.
    #[doc(alias = "ended")]
    pub removed: &'a [OverlapPair],
}

impl<const D: usize> Default for IncrementalBroadPhase<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> IncrementalBroadPhase<D> {
    /// Without proxies. Uses all threads of the current pool where that pays.
    #[must_use]
    pub fn new() -> Self {
        Self::with_threads(parallel::thread_count())
    }

    /// Without proxies. Uses at most `threads` threads.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        Self {
            boxes: Vec::new(),
            states: Vec::new(),
            free: Vec::new(),
            removed: Vec::new(),
            dynamic: Vec::new(),
            moved_count: 0,
            static_set: StaticSet::new(),
            static_pairs: Vec::new(),
            dynamic_pairs: Vec::new(),
            static_dirty: false,
            idle_cost: 0,
            sweep: TiledSweepAndPrune::with_threads(threads),
            sorter: PairSorter::default(),
            dynamic_boxes: Vec::new(),
            added_pairs: Vec::new(),
            removed_pairs: Vec::new(),
            query_tree: ProxyTree::new(),
        }
    }

    /// Number of proxies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.removed.len()
    }

    /// Whether there are no proxies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The box of a proxy; `None` if there is no such proxy.
    #[must_use]
    pub fn get(&self, id: ProxyId) -> Option<&Aabb<D>> {
        let state = *self.states.get(id.0 as usize)?;
        (state != ProxyState::Free).then(|| &self.boxes[id.0 as usize])
    }

    /// All proxies, ordered by id.
    pub fn iter(&self) -> impl Iterator<Item = (ProxyId, &Aabb<D>)> {
        let live = (0..).zip(&self.boxes).zip(&self.states);
        live.filter(|(_, state)| **state != ProxyState::Free)
            .map(|((id, bounds), _)| (ProxyId(id), bounds))
    }

    /// Inserts a box. The next [`update_pairs`](Self::update_pairs) adds its pairs.
    ///
    /// # Errors
    /// [`ProxyError::Invalid`] if the box is not finite, beyond ±1e18 or inverted; nothing changes.
    #[doc(alias = "add")]
    pub fn insert(&mut self, bounds: Aabb<D>) -> Result<ProxyId, ProxyError> {
        let id = self.free.last().copied().unwrap_or(self.boxes.len() as u32);
        AabbSlice::validate(id, &bounds)?;
        if self.free.pop().is_none() {
            self.boxes.push(bounds);
            self.states.push(ProxyState::Free);
        }
        self.boxes[id as usize] = bounds;
        self.states[id as usize] = ProxyState::Moved;
        self.dynamic.push(id);
        self.moved_count += 1;
        self.query_tree.mark_dirty(id);
        Ok(ProxyId(id))
    }

    /// Replaces the box of a proxy.
    ///
    /// # Errors
    /// [`ProxyError::Unknown`] if there is no such proxy, [`ProxyError::Invalid`] if the box is
    /// invalid; nothing changes.
    #[doc(alias = "move_to")]
    pub fn set_aabb(&mut self, id: ProxyId, bounds: Aabb<D>) -> Result<(), ProxyError> {
        let index = id.0 as usize;
        let state = self.states.get(index).copied().unwrap_or(ProxyState::Free);
        if state == ProxyState::Free {
            return Err(ProxyError::Unknown(id));
        }
        AabbSlice::validate(id.0, &bounds)?;
        if state == ProxyState::Static {
            self.static_set.remove(id.0, &self.boxes[index]);
            self.dynamic.push(id.0);
            self.static_dirty = true;
        }
        if state != ProxyState::Moved {
            self.states[index] = ProxyState::Moved;
            self.moved_count += 1;
        }
        self.boxes[index] = bounds;
        self.query_tree.mark_dirty(id.0);
        Ok(())
    }

    /// Removes a proxy. The next [`update_pairs`](Self::update_pairs) removes its pairs.
    ///
    /// # Errors
    /// [`ProxyError::Unknown`] if there is no such proxy.
    pub fn remove(&mut self, id: ProxyId) -> Result<(), ProxyError> {
        let index = id.0 as usize;
        match self.states.get(index) {
            None | Some(ProxyState::Free) => return Err(ProxyError::Unknown(id)),
            Some(ProxyState::Static) => {
                self.static_set.remove(id.0, &self.boxes[index]);
                self.static_dirty = true;
            }
            Some(ProxyState::Moved) => self.moved_count -= 1,
            Some(ProxyState::Idle) => {}
        }
        self.states[index] = ProxyState::Free;
        // Reusable only after the update that reports its removed pairs.
        self.removed.push(id.0);
        self.query_tree.mark_dirty(id.0);
        Ok(())
    }

    /// Updates the pair cache; returns the pairs added and removed since the previous update.
    #[doc(alias = "update")]
    pub fn update_pairs(&mut self) -> PairChanges<'_> {
        self.move_dirty_pairs_to_dynamic();
        let states = &self.states;
        self.dynamic.retain(|&id| states[id as usize] != ProxyState::Free);
        if self.dynamic.len() > self.dynamic_limit() && self.dynamic.len() < self.len() {
            self.move_all_to_dynamic();
        }
        let previous = core::mem::take(&mut self.dynamic_pairs);
        self.dynamic_pairs = self.find_dynamic_pairs();
        diff(&previous, &self.dynamic_pairs, &mut self.added_pairs, &mut self.removed_pairs);
        // The first update adds all pairs, later ones few.
        for changes in [&mut self.added_pairs, &mut self.removed_pairs] {
            changes.shrink_to(2 * changes.len());
        }
        self.free.append(&mut self.removed);

        self.idle_cost += self.dynamic.len() - self.moved_count;
        if self.idle_cost > self.len() && self.moved_count <= self.dynamic_limit() {
            self.move_idle_to_static();
        }
        for &id in &self.dynamic {
            self.states[id as usize] = ProxyState::Idle;
        }
        self.moved_count = 0;
        PairChanges { added: &self.added_pairs, removed: &self.removed_pairs }
    }

    /// All pairs as of the last update: first those of two static boxes, then those with a dynamic
    /// box, each part sorted.
    pub fn pairs(&self) -> impl Iterator<Item = OverlapPair> {
        self.resting_and_moving_pairs().into_iter().flatten().copied()
    }

    /// The two parts of [`pairs`](Self::pairs).
    #[must_use]
    #[doc(alias = "pairs_by_motion")]
    pub fn resting_and_moving_pairs(&self) -> [&[OverlapPair]; 2] {
        [&self.static_pairs, &self.dynamic_pairs]
    }

    /// A BVH over all current boxes, with proxy ids: for AABB, sphere, ray, frustum and k-nearest
    /// queries. Built by the first call, and updated lazily by later calls.
    ///
    /// ```
    /// use embate::{Aabb, broad_phase::IncrementalBroadPhase, geometry::BoundingSphere};
    ///
    /// let mut broad_phase = IncrementalBroadPhase::new();
    /// let near = broad_phase.insert(Aabb { min: [0.0, 0.0], max: [1.0, 1.0] })?;
    /// broad_phase.insert(Aabb { min: [9.0, 9.0], max: [10.0, 10.0] })?;
    /// let mut found = Vec::new();
    /// let sphere = BoundingSphere { center: [2.0, 0.5], radius: 1.5 };
    /// broad_phase.query_tree().query_sphere(&sphere, &mut found);
    /// assert_eq!(found, [near.0]);
    /// # Ok::<(), embate::broad_phase::ProxyError>(())
    /// ```
    #[doc(alias = "tree")]
    pub fn query_tree(&mut self) -> &DynamicBvh<D> {
        let states = &self.states;
        let is_live = |id: u32| states[id as usize] != ProxyState::Free;
        self.query_tree.tree(&self.boxes, is_live)
    }

    /// Bytes allocated, without the boxes and their pairs.
    #[must_use]
    #[doc(alias = "bytes")]
    pub fn memory_usage(&self) -> usize {
        let ids = self.free.capacity() + self.removed.capacity() + self.dynamic.capacity();
        let changes = self.added_pairs.capacity() + self.removed_pairs.capacity();
        self.states.capacity() * size_of::<ProxyState>()
            + ids * size_of::<u32>()
            + self.dynamic_boxes.capacity() * size_of::<Aabb<D>>()
            + changes * size_of::<OverlapPair>()
            + self.static_set.memory_usage()
            + self.sorter.memory_usage()
            + self.query_tree.memory_usage()
            + self.sweep.memory_usage()
    }

    fn dynamic_limit(&self) -> usize {
        (self.len() as f32 * FULL_SWEEP_FRACTION) as usize
    }

    /// Moves static pairs of which a box was moved or removed to the dynamic pairs.
    fn move_dirty_pairs_to_dynamic(&mut self) {
        if !core::mem::take(&mut self.static_dirty) {
            return;
        }
        let (states, dynamic_pairs) = (&self.states, &mut self.dynamic_pairs);
        self.static_pairs.retain(|pair| {
            let is_static = pair.iter().all(|&id| states[id as usize] == ProxyState::Static);
            if !is_static {
                dynamic_pairs.push(*pair);
            }
            is_static
        });
        self.sorter.sort(dynamic_pairs, self.boxes.len() as u32);
    }

    fn move_all_to_dynamic(&mut self) {
        self.static_set.rebuild(&self.boxes, Vec::new());
        self.dynamic.clear();
        for (id, state) in (0..).zip(&mut self.states) {
            if *state == ProxyState::Static {
                *state = ProxyState::Idle;
            }
            if *state != ProxyState::Free {
                self.dynamic.push(id);
            }
        }
        self.dynamic_pairs.append(&mut self.static_pairs);
        self.sorter.sort(&mut self.dynamic_pairs, self.boxes.len() as u32);
    }

    /// All pairs with a dynamic box, sorted.
    fn find_dynamic_pairs(&mut self) -> Vec<OverlapPair> {
        let mut pairs = Vec::with_capacity(self.dynamic_pairs.len() + self.dynamic.len());
        if self.dynamic.len() == self.boxes.len() {
            self.sweep.find_pairs(AabbSlice::from_validated(&self.boxes), &mut pairs);
        } else {
            self.dynamic_boxes.clear();
            self.dynamic_boxes.extend(self.dynamic.iter().map(|&id| self.boxes[id as usize]));
            self.sweep.find_pairs(AabbSlice::from_validated(&self.dynamic_boxes), &mut pairs);
            for pair in &mut pairs {
                let [a, b] = pair.map(|index| self.dynamic[index as usize]);
                *pair = [a.min(b), a.max(b)];
            }
            self.static_set.query_movers(&self.boxes, &self.dynamic, &mut pairs);
        }
        self.sorter.sort(&mut pairs, self.boxes.len() as u32);
        pairs
    }

    /// Moves all idle boxes, and the pairs among them, to the static set.
    fn move_idle_to_static(&mut self) {
        self.idle_cost = 0;
        let states = &mut self.states;
        self.dynamic.retain(|&id| {
            let moved = states[id as usize] == ProxyState::Moved;
            if !moved {
                states[id as usize] = ProxyState::Static;
            }
            moved
        });
        let static_pairs = &mut self.static_pairs;
        self.dynamic_pairs.retain(|pair| {
            let is_static = pair.iter().all(|&id| states[id as usize] == ProxyState::Static);
            if is_static {
                static_pairs.push(*pair);
            }
            !is_static
        });
        self.sorter.sort(static_pairs, self.boxes.len() as u32);
        let is_static = |id: &u32| self.states[*id as usize] == ProxyState::Static;
        let ids = (0..self.boxes.len() as u32).filter(is_static).collect();
        self.static_set.rebuild(&self.boxes, ids);
        // The buffers for all boxes are larger than the moving boxes will need.
        self.sweep = self.sweep.clone_empty();
        self.sorter = PairSorter::default();
        self.dynamic_boxes = Vec::new();
        self.dynamic.shrink_to_fit();
        self.dynamic_pairs.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_are_unique() {
        let errors = [
            ProxyError::Invalid(AabbError::Coordinate { index: 0, value: 0.0 }),
            ProxyError::Invalid(AabbError::Inverted { index: 0, axis: 0, min: 1.0, max: 0.0 }),
            ProxyError::Invalid(AabbError::TooMany { count: 0 }),
            ProxyError::Unknown(ProxyId(0)),
        ];
        let mut codes = errors.map(|error| error.code()).to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), errors.len());
    }
}
