//! Embate's own ways of finding pairs.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BroadPhaseKind, IncrementalBroadPhase, OverlapPair,
    PairSorter, ProxyId, TiledSweepAndPrune,
};
use embate_studies::replica::goncales2016;

use super::Peer;

/// The name of the form that all ratios refer to.
const REFERENCE: &str = "auto";

/// What `auto` stands for today.
pub fn reference() -> BroadPhaseKind {
    BroadPhaseKind::from_name(REFERENCE).expect("auto is a name of the engine")
}

/// One structure of ours.
pub struct Ours<const D: usize> {
    name: &'static str,
    finder: AnyBroadPhase<D>,
    /// Kept from frame to frame where some boxes rest, if this is what `auto` would do.
    world: Option<IncrementalBroadPhase<D>>,
    threads: usize,
    sorter: Option<PairSorter>,
}

impl<const D: usize> Ours<D> {
    /// On one thread, as the peers are.
    pub fn new(technique: BroadPhaseKind, boxes: usize) -> Self {
        Self {
            name: technique.name(),
            finder: on_threads(technique, boxes, 1),
            world: None,
            threads: 1,
            sorter: None,
        }
    }

    /// The structure that suits most inputs.
    pub fn reference(boxes: usize) -> Self {
        let world = Some(IncrementalBroadPhase::with_threads(1));
        Self { name: REFERENCE, world, ..Self::new(reference(), boxes) }
    }

    /// The same, on as many threads as there are.
    pub fn threaded(boxes: usize, threads: usize) -> Self {
        let finder = on_threads(reference(), boxes, threads);
        let world = Some(IncrementalBroadPhase::with_threads(threads));
        Self { name: "auto-threads", finder, world, threads, sorter: None }
    }

    /// The same, its pairs sorted as well.
    pub fn sorted(boxes: usize) -> Self {
        Self {
            name: "auto-sorted",
            sorter: Some(PairSorter::default()),
            ..Self::new(reference(), boxes)
        }
    }
}

/// Left to itself a sweep takes all threads of the machine.
fn on_threads<const D: usize>(
    technique: BroadPhaseKind,
    boxes: usize,
    threads: usize,
) -> AnyBroadPhase<D> {
    match technique.create(boxes) {
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
        self.finder.find_pairs(AabbSlice::new(boxes).expect("scenes are valid"), pairs);
        if let Some(sorter) = &mut self.sorter {
            sorter.sort(pairs, boxes.len() as u32);
        }
    }

    /// What `auto` advises where little moves; it tells which pairs began and ended as well, and sorts.
    fn frame_with_movers(
        &mut self,
        boxes: &[Aabb<D>],
        movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        let Some(world) = &mut self.world else { return self.frame(boxes, pairs) };
        if world.is_empty() {
            for b in boxes {
                world.insert(*b).expect("scenes are valid");
            }
        } else {
            for &mover in movers {
                world.set_aabb(ProxyId(mover), boxes[mover as usize]).expect("it was added");
            }
        }
        world.update_pairs();
        for part in world.resting_and_moving_pairs() {
            pairs.extend_from_slice(part);
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn bytes(&self) -> Option<usize> {
        Some(
            self.finder.memory_usage()
                + self.world.as_ref().map_or(0, IncrementalBroadPhase::memory_usage),
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
