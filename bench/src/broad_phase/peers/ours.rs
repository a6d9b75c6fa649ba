//! Broad phases of Embate.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BroadPhaseKind, IncrementalBroadPhase, OverlapPair,
    PairSorter, ProxyId, TiledSweepAndPrune,
};
use embate_replica::goncales2016;

use super::Peer;

/// Name of the broad phase that is the reference of all ratios.
const REFERENCE: &str = "auto";

/// The kind `auto`.
pub fn reference() -> BroadPhaseKind {
    BroadPhaseKind::from_name(REFERENCE).expect("auto is a name of the engine")
}

/// A broad phase of Embate.
pub struct Ours<const D: usize> {
    name: &'static str,
    broad_phase: AnyBroadPhase<D>,
    /// Used if only some boxes move, as `auto` recommends.
    incremental: Option<IncrementalBroadPhase<D>>,
    threads: usize,
    sorter: Option<PairSorter>,
}

impl<const D: usize> Ours<D> {
    /// On one thread, like the peers.
    pub fn new(kind: BroadPhaseKind, boxes: usize) -> Self {
        Self {
            name: kind.name(),
            broad_phase: with_threads(kind, boxes, 1),
            incremental: None,
            threads: 1,
            sorter: None,
        }
    }

    /// The default, `auto`.
    pub fn reference(boxes: usize) -> Self {
        let incremental = Some(IncrementalBroadPhase::with_threads(1));
        Self { name: REFERENCE, incremental, ..Self::new(reference(), boxes) }
    }

    /// `auto` on several threads.
    pub fn threaded(boxes: usize, threads: usize) -> Self {
        let broad_phase = with_threads(reference(), boxes, threads);
        let incremental = Some(IncrementalBroadPhase::with_threads(threads));
        Self { name: "auto-threads", broad_phase, incremental, threads, sorter: None }
    }

    /// `auto` with sorted pairs.
    pub fn sorted(boxes: usize) -> Self {
        Self {
            name: "auto-sorted",
            sorter: Some(PairSorter::default()),
            ..Self::new(reference(), boxes)
        }
    }
}

/// A broad phase on a number of threads; by default the sweep uses all cores.
fn with_threads<const D: usize>(
    kind: BroadPhaseKind,
    boxes: usize,
    threads: usize,
) -> AnyBroadPhase<D> {
    match kind.create(boxes) {
        AnyBroadPhase::TiledSweep(_) => {
            AnyBroadPhase::TiledSweep(TiledSweepAndPrune::with_threads(threads))
        }
        other => other,
    }
}

impl<const D: usize> Peer<D> for Ours<D> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        self.broad_phase.find_pairs(AabbSlice::new(boxes).expect("scenes are valid"), pairs);
        if let Some(sorter) = &mut self.sorter {
            sorter.sort(pairs, boxes.len() as u32);
        }
    }

    /// The incremental broad phase, as recommended for few moving boxes; it also reports added and
    /// removed pairs, and sorts.
    fn frame_with_movers(
        &mut self,
        boxes: &[Aabb<D>],
        movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        let Some(incremental) = &mut self.incremental else { return self.frame(boxes, pairs) };
        if incremental.is_empty() {
            for b in boxes {
                incremental.insert(*b).expect("scenes are valid");
            }
        } else {
            for &mover in movers {
                incremental
                    .set_aabb(ProxyId(mover), boxes[mover as usize])
                    .expect("the proxy exists");
            }
        }
        incremental.update_pairs();
        for part in incremental.resting_and_moving_pairs() {
            pairs.extend_from_slice(part);
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn bytes(&self) -> Option<usize> {
        Some(
            self.broad_phase.memory_usage()
                + self.incremental.as_ref().map_or(0, IncrementalBroadPhase::memory_usage),
        )
    }
}

/// Brute force of Gonçales et al. 2016, one pair at a time.
pub struct GoncalesBruteForce;

impl Peer<2> for GoncalesBruteForce {
    fn name(&self) -> &'static str {
        "study-brute"
    }

    fn frame(&mut self, boxes: &[Aabb<2>], pairs: &mut Vec<OverlapPair>) {
        let _counts = goncales2016::brute_force(boxes, pairs);
    }

    fn bytes(&self) -> Option<usize> {
        Some(0)
    }
}
