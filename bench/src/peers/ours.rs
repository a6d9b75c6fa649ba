//! Embate's own ways of finding pairs.

use embate::Aabb;
use embate::pairs::{
    AnyPairFinder, BoxId, Boxes, Pair, PairFinder, PairSorter, PairTechnique, TiledSweep, World,
    study_brute,
};

use super::Peer;

/// The name of the form that all ratios refer to.
const REFERENCE: &str = "auto";

/// What `auto` stands for today.
pub fn reference() -> PairTechnique {
    PairTechnique::from_name(REFERENCE).expect("auto is a name of the engine")
}

/// One structure of ours.
pub struct Ours<const D: usize> {
    name: &'static str,
    finder: AnyPairFinder<D>,
    /// Kept from frame to frame where some boxes rest, if this is what `auto` would do.
    world: Option<World<D>>,
    threads: usize,
    sorter: Option<PairSorter>,
}

impl<const D: usize> Ours<D> {
    /// On one thread, as the peers are.
    pub fn new(technique: PairTechnique, boxes: usize) -> Self {
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
        let world = Some(World::with_threads(1));
        Self { name: REFERENCE, world, ..Self::new(reference(), boxes) }
    }

    /// The same, on as many threads as there are.
    pub fn threaded(boxes: usize, threads: usize) -> Self {
        let finder = on_threads(reference(), boxes, threads);
        let world = Some(World::with_threads(threads));
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
    technique: PairTechnique,
    boxes: usize,
    threads: usize,
) -> AnyPairFinder<D> {
    match technique.finder(boxes) {
        AnyPairFinder::TiledSweep(_) => {
            AnyPairFinder::TiledSweep(TiledSweep::with_threads(threads))
        }
        other => other,
    }
}

impl<const D: usize> Peer<D> for Ours<D> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<Pair>) {
        self.finder.find(Boxes::new(boxes).expect("scenes are valid"), pairs);
        if let Some(sorter) = &mut self.sorter {
            sorter.sort(pairs, boxes.len() as u32);
        }
    }

    /// What `auto` advises where little moves; it tells which pairs began and ended as well, and sorts.
    fn frame_with_movers(&mut self, boxes: &[Aabb<D>], movers: &[u32], pairs: &mut Vec<Pair>) {
        let Some(world) = &mut self.world else { return self.frame(boxes, pairs) };
        if world.is_empty() {
            for b in boxes {
                world.add(*b).expect("scenes are valid");
            }
        } else {
            for &mover in movers {
                world.move_to(BoxId(mover), boxes[mover as usize]).expect("it was added");
            }
        }
        world.update();
        for part in world.pairs_by_motion() {
            pairs.extend_from_slice(part);
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.finder.bytes() + self.world.as_ref().map_or(0, World::bytes))
    }
}

/// Study C's brute force, one pair at a time.
pub struct StudyBrute;

impl Peer<2> for StudyBrute {
    fn name(&self) -> &'static str {
        "study-brute"
    }

    fn frame(&mut self, boxes: &[Aabb<2>], pairs: &mut Vec<Pair>) {
        let _counts = study_brute(boxes, pairs);
    }

    fn bytes(&self) -> Option<usize> {
        Some(0)
    }
}
