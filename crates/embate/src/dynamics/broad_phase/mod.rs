//! Broad phase of a step: proxies with fat AABBs, and the pairs whose fat AABBs overlap.
//!
//! Every body has a proxy. Its fat AABB is larger than needed, so that a resting or slow body stays
//! inside for many steps. Only a body that leaves its fat AABB gets a new one, and only then pairs
//! are added or removed.

mod fat_aabb;

use embate_geom::{Aabb, Pose};

use crate::broad_phase::{IncrementalBroadPhase, OverlapPair, ProxyId};
use crate::dynamics::body::body_index::{BodyIndex, BodyPair, BodyVec, pair_key};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::fat_aabb::{
    CachedContainment, containment_slack, contains, extend_along_velocity, rotation_margin,
    tight_aabb,
};
use crate::dynamics::parallel::worker_pool::parallel_for;

pub(crate) use fat_aabb::{AABB_ROUNDING, fatten, swept_aabb};

/// Minimum number of proxies per task: below, waking another worker costs more than it saves.
const MIN_PROXIES_PER_TASK: usize = 128;

/// Proxies of all bodies and their overlapping pairs.
#[derive(Clone, Debug)]
pub(crate) struct BroadPhaseProxies {
    proxies: IncrementalBroadPhase<3>,
    proxy_of_body: BodyVec<Option<ProxyId>>,
    /// By proxy id. The entry of a removed body is kept until its pairs are removed.
    body_of_proxy: Vec<BodyIndex>,
    /// The last containment test of a body in its fat AABB.
    containment: BodyVec<Option<CachedContainment>>,
    added: Vec<BodyPair>,
    removed: Vec<BodyPair>,
    /// Pairs of a restored world that overlapped when it was saved; added by its first update.
    restored_pairs: Vec<BodyPair>,
}

/// Pairs of bodies whose fat AABBs began or ceased to overlap, each sorted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPairChanges<'b> {
    pub(crate) added: &'b [BodyPair],
    pub(crate) removed: &'b [BodyPair],
}

impl BroadPhaseProxies {
    pub(crate) fn new() -> Self {
        Self {
            proxies: IncrementalBroadPhase::with_threads(1),
            proxy_of_body: BodyVec::default(),
            body_of_proxy: Vec::new(),
            containment: BodyVec::default(),
            added: Vec::new(),
            removed: Vec::new(),
            restored_pairs: Vec::new(),
        }
    }

    /// Discards the cached containment test of a body whose center of mass has changed: the cache
    /// measures the motion of the center of mass.
    pub(crate) fn discard_containment(&mut self, index: BodyIndex) {
        self.containment[index] = None;
    }

    /// Inserts the proxy of a new body. `fat_aabb` is valid.
    pub(crate) fn insert(&mut self, index: BodyIndex, fat_aabb: Aabb<3>) {
        let Ok(id) = self.proxies.insert(fat_aabb) else { return };
        self.proxy_of_body.grow(index.to_usize() + 1, None);
        self.containment.grow(index.to_usize() + 1, None);
        self.containment[index] = None;
        if self.body_of_proxy.len() <= id.0 as usize {
            self.body_of_proxy.resize(id.0 as usize + 1, BodyIndex(0));
        }
        self.proxy_of_body[index] = Some(id);
        self.body_of_proxy[id.0 as usize] = index;
    }

    /// Removes the proxy of a body; its pairs are removed by the next update.
    pub(crate) fn remove(&mut self, index: BodyIndex) {
        if let Some(id) = self.proxy_of_body.get_mut(index).and_then(Option::take) {
            // Every stored proxy id is valid, so this cannot fail.
            let _ = self.proxies.remove(id);
        }
    }

    /// Fat AABB of a body.
    pub(crate) fn fat_aabb(&self, index: BodyIndex) -> Option<&Aabb<3>> {
        self.proxies.get((*self.proxy_of_body.get(index)?)?)
    }

    /// Whether the fat AABBs of two bodies overlap.
    pub(crate) fn fat_aabbs_overlap(&self, [a, b]: [BodyIndex; 2]) -> bool {
        let fat_aabbs = self.fat_aabb(a).zip(self.fat_aabb(b));
        fat_aabbs.is_some_and(|(one, other)| one.overlaps(other))
    }

    /// Gives every awake body that left its fat AABB a new one.
    pub(crate) fn update_proxies(
        &mut self,
        bodies: &BodySet,
        awake: &[BodyIndex],
        speculative_distance: f32,
        time_step: f32,
        worker_count: usize,
    ) {
        let mut tight_aabbs: Vec<(BodyIndex, Option<Aabb<3>>)> =
            awake.iter().map(|&index| (index, None)).collect();
        let containment = &self.containment;
        parallel_for(worker_count, MIN_PROXIES_PER_TASK, &mut tight_aabbs, |_, task| {
            for &mut (index, ref mut aabb) in task {
                let rotation_margin = rotation_margin(bodies, index, time_step);
                let is_contained = rotation_margin <= 0.5 * speculative_distance
                    && containment[index]
                        .is_some_and(|cached| cached.still_contains(bodies, index, time_step));
                *aabb = (!is_contained)
                    .then(|| tight_aabb(bodies, index, speculative_distance, rotation_margin));
            }
        });
        for (index, tight) in tight_aabbs {
            let Some(tight) = tight else { continue };
            let swept = extend_along_velocity(tight, bodies, index, time_step);
            let (Some(id), Some(&fat)) = (self.proxy_of_body[index], self.fat_aabb(index)) else {
                continue;
            };
            let mut slack = containment_slack(&fat, &tight);
            if !contains(&fat, &swept) {
                let fat = fatten(&swept, bodies, index, time_step);
                // The proxy of a body beyond the supported range of coordinates keeps its AABB.
                let is_updated = self.proxies.set_aabb(id, fat).is_ok();
                slack =
                    if is_updated { containment_slack(&fat, &tight) } else { f32::NEG_INFINITY };
            }
            // The cache needs a bounding radius; unbounded shapes have none.
            let is_bounded = bodies.data(index).max_extent > 0.0;
            self.containment[index] =
                is_bounded.then_some(CachedContainment { pose: *bodies.com_pose(index), slack });
        }
    }

    /// Enlarges the fat AABB of each body of `indices` that leaves it by the displacement of this
    /// step, so that it contains both the old and the new position. Called before the poses are
    /// finalized. Returns whether any fat AABB was enlarged.
    pub(crate) fn enlarge_proxies(
        &mut self,
        bodies: &BodySet,
        indices: impl Iterator<Item = BodyIndex>,
        speculative_distance: f32,
    ) -> bool {
        let mut any_enlarged = false;
        for index in indices {
            let (Some(id), Some(fat)) = (self.proxy_of_body[index], self.fat_aabb(index)) else {
                continue;
            };
            let data = bodies.data(index);
            let rotation = bodies.com_pose(index).rotation;
            let center = bodies.com_pose(index).center_of_mass + bodies.state(index).delta_position;
            let end_pose =
                Pose { rotation, position: center - rotation.rotate(data.mass.center_of_mass) };
            let end_aabb = data.shape.aabb(&end_pose).loosened(0.5 * speculative_distance);
            if contains(fat, &end_aabb) {
                continue;
            }
            let merged = fat.merged(&end_aabb);
            // The proxy of a body beyond the supported range of coordinates keeps its AABB.
            if self.proxies.set_aabb(id, merged).is_ok() {
                self.containment[index] = None;
                any_enlarged = true;
            }
        }
        any_enlarged
    }

    /// Added and removed pairs of body indices since the last update, each sorted.
    pub(crate) fn update(&mut self) -> BodyPairChanges<'_> {
        let Self { proxies, body_of_proxy, added, removed, restored_pairs, .. } = self;
        let changes = proxies.update_pairs();
        let to_body_pairs = |proxy_pairs: &[OverlapPair], body_pairs: &mut Vec<BodyPair>| {
            body_pairs.clear();
            body_pairs.extend(proxy_pairs.iter().map(|pair| {
                BodyIndex::sorted_pair(pair.map(|proxy| body_of_proxy[proxy as usize]))
            }));
            body_pairs.sort_unstable_by_key(|&pair| pair_key(pair));
        };
        to_body_pairs(changes.added, added);
        to_body_pairs(changes.removed, removed);
        if !restored_pairs.is_empty() {
            let restored = restored_pairs.drain(..);
            added.extend(restored.filter(|pair| removed.binary_search(pair).is_err()));
            added.sort_unstable();
        }
        BodyPairChanges { added, removed }
    }

    /// Rebuilds the proxies of a snapshot from the fat AABBs of their bodies. The next update adds
    /// all their pairs.
    pub(crate) fn from_proxies(fat_aabbs: &[(BodyIndex, Aabb<3>)]) -> Self {
        let mut proxies = Self::new();
        for &(index, fat_aabb) in fat_aabbs {
            proxies.insert(index, fat_aabb);
        }
        // Updated before any body moves: a pair that was never added would never be removed.
        proxies.restored_pairs = proxies.update().added.to_vec();
        proxies
    }

    /// Body index and fat AABB of every proxy.
    pub(crate) fn fat_aabbs(&self) -> Vec<(BodyIndex, Aabb<3>)> {
        let indices = self.proxy_of_body.indices();
        indices.filter_map(|index| Some((index, *self.fat_aabb(index)?))).collect()
    }
}
