//! Static–dynamic split: static objects are put into a structure once; each frame tests only the
//! moving objects, among themselves and against the static ones.
//!
//! Moving objects come first in the list, so the id of a moving object is its index among them, and
//! the id of a static one is its index among the static ones plus the number of moving ones.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, BroadPhase, BroadPhaseObserver, DynamicBvh, LooseOctree, NoStats, OctreeConfig,
    OverlapPair, SweepAndPrune, SweepAxis,
};
use embate_scene::generators::MovingWorld;

use super::detector::{Detector, Frame};
use super::search_log::SearchLog;

/// As in Lasch: an octree holds the obstacles, a sweep along the axis of largest variance finds
/// the pairs among the movers. The study's octree is strict; the loose one is ours.
pub(crate) struct OctreeBesideSweep {
    obstacles: LooseOctree<3>,
    movers: SweepAndPrune,
}

/// The same with two trees: one of static objects, built once, one of moving objects, rebuilt.
pub(crate) struct TwoTrees {
    obstacles: DynamicBvh<3>,
    movers: DynamicBvh<3>,
}

const VALID: &str = "a world is finite, and its objects have a size";

fn boxes(world: &MovingWorld<3>) -> Vec<Aabb<3>> {
    let mut boxes = Vec::new();
    world.boxes(&mut boxes);
    boxes
}

impl OctreeBesideSweep {
    /// Builds the octree, over the whole world.
    pub(crate) fn new(world: &MovingWorld<3>, sides: [f32; 3], octree: OctreeConfig) -> Self {
        let root = Aabb { min: [0.0; 3], max: sides };
        let mut obstacles = LooseOctree::new(root, octree).expect(VALID);
        for (id, bounds) in (0..).zip(boxes(world)).skip(world.movers()) {
            obstacles.insert(id, bounds).expect(VALID);
        }
        Self { obstacles, movers: SweepAndPrune::new(SweepAxis::LargestVariance) }
    }

    fn search<O: BroadPhaseObserver>(
        &mut self,
        movers: &[Aabb<3>],
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.movers.find_pairs_observed(AabbSlice::new(movers).expect(VALID), pairs, observer);
        for (mover, bounds) in (0..).zip(movers) {
            self.obstacles.query_aabb_observed(bounds, |id| pairs.push([mover, id]), observer);
        }
    }
}

impl Detector<3> for OctreeBesideSweep {
    fn find(
        &mut self,
        frame: &Frame<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        log: Option<&mut SearchLog>,
    ) {
        let movers = &frame.boxes[..frame.movers as usize];
        match log {
            None => self.search(movers, pairs, &mut NoStats),
            Some(log) => self.search(movers, pairs, log),
        }
    }

    fn bytes(&self) -> usize {
        self.obstacles.memory_usage() + BroadPhase::<3>::memory_usage(&self.movers)
    }

    fn counts_for_free(&self) -> bool {
        false
    }
}

impl TwoTrees {
    /// Builds the tree of the obstacles.
    pub(crate) fn new(world: &MovingWorld<3>) -> Self {
        let boxes = boxes(world);
        let obstacles = DynamicBvh::build(AabbSlice::new(&boxes[world.movers()..]).expect(VALID));
        Self { obstacles, movers: DynamicBvh::new() }
    }

    fn search<O: BroadPhaseObserver>(
        &mut self,
        movers: &[Aabb<3>],
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.movers.rebuild(AabbSlice::new(movers).expect(VALID));
        self.movers.overlapping_pairs_observed(pairs, observer);
        let among_movers = pairs.len();
        self.movers.overlapping_pairs_with_observed(&self.obstacles, pairs, observer);
        for [_, obstacle] in &mut pairs[among_movers..] {
            *obstacle += movers.len() as u32;
        }
    }
}

impl Detector<3> for TwoTrees {
    fn find(
        &mut self,
        frame: &Frame<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        log: Option<&mut SearchLog>,
    ) {
        let movers = &frame.boxes[..frame.movers as usize];
        match log {
            None => self.search(movers, pairs, &mut NoStats),
            Some(log) => self.search(movers, pairs, log),
        }
    }

    fn bytes(&self) -> usize {
        self.obstacles.memory_usage() + self.movers.memory_usage()
    }

    fn counts_for_free(&self) -> bool {
        false
    }
}
