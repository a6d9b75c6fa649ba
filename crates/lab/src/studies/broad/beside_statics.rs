//! How are pairs found where most things never move? What rests is put into a structure once; in each
//! frame only the movers are looked at, among themselves and against what rests.
//!
//! Movers come first in the list of objects, so a mover's number is its place among the movers, and an
//! obstacle's is its place among the obstacles plus the number of movers.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, BroadPhase, BroadPhaseObserver, DynamicBvh, LooseOctree, NoStats, OctreeConfig,
    OverlapPair, SweepAndPrune, SweepAxis,
};

use super::detector::{Detector, Frame};
use super::notes::Notes;
use crate::scenes::MovingWorld;

/// Study B's way: the octree holds the obstacles, a sweep along the axis of largest variance finds the
/// pairs among the movers.
pub(super) struct OctreeBesideSweep {
    obstacles: LooseOctree<3>,
    movers: SweepAndPrune,
}

/// The same with two trees: one of the obstacles, built once, one of the movers, built anew.
pub(super) struct TwoTrees {
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
    pub(super) fn new(world: &MovingWorld<3>, sides: [f32; 3]) -> Self {
        let root = Aabb { min: [0.0; 3], max: sides };
        let mut obstacles = LooseOctree::new(root, OctreeConfig::default()).expect(VALID);
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
        notes: Option<&mut Notes>,
    ) {
        let movers = &frame.boxes[..frame.movers as usize];
        match notes {
            None => self.search(movers, pairs, &mut NoStats),
            Some(notes) => self.search(movers, pairs, notes),
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
    pub(super) fn new(world: &MovingWorld<3>) -> Self {
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
        notes: Option<&mut Notes>,
    ) {
        let movers = &frame.boxes[..frame.movers as usize];
        match notes {
            None => self.search(movers, pairs, &mut NoStats),
            Some(notes) => self.search(movers, pairs, notes),
        }
    }

    fn bytes(&self) -> usize {
        self.obstacles.memory_usage() + self.movers.memory_usage()
    }

    fn counts_for_free(&self) -> bool {
        false
    }
}
