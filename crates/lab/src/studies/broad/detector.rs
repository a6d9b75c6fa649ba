//! How does a technique find the pairs of one frame?

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BroadPhaseKind, HierarchicalGrid, OverlapPair,
    SweepAndPrune,
};
use embate::geometry::BoundingSphere;
use embate_studies::replica::goncales2016::{Grid, brute_force_observed};
use embate_studies::structure::PairStructure;

use super::notes::Notes;

/// Where everything is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a, const D: usize> {
    /// The objects, or none if they are circles.
    pub(crate) boxes: &'a [Aabb<D>],
    /// The objects, or none if they are boxes.
    pub(crate) balls: &'a [BoundingSphere<D>],
    /// How many of the objects, the first ones, move. Pairs of which neither moves are nobody's concern.
    pub(crate) movers: u32,
}

/// Finds the pairs of frame after frame.
pub(crate) trait Detector<const D: usize> {
    /// Appends each pair once, in any order, and notes what it took if asked to.
    fn find(
        &mut self,
        frame: &Frame<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        notes: Option<&mut Notes>,
    );

    /// Bytes held between frames.
    fn bytes(&self) -> usize;

    /// Whether counting does not slow it down.
    fn counts_for_free(&self) -> bool;
}

impl<const D: usize> Frame<'_, D> {
    pub(super) fn objects(&self) -> usize {
        self.boxes.len().max(self.balls.len())
    }
}

/// The structures of Gonçales et al. 2016: they test AABBs or circles directly.
pub(super) enum GoncalesDetector {
    BruteForce,
    Grid(Grid),
}

impl Detector<2> for GoncalesDetector {
    fn find(
        &mut self,
        frame: &Frame<'_, 2>,
        pairs: &mut Vec<OverlapPair>,
        notes: Option<&mut Notes>,
    ) {
        let are_boxes = frame.balls.is_empty();
        let mut nobodys = Notes::default();
        let notes = notes.unwrap_or(&mut nobodys);
        match self {
            Self::BruteForce if are_boxes => brute_force_observed(frame.boxes, pairs, notes),
            Self::BruteForce => brute_force_observed(frame.balls, pairs, notes),
            Self::Grid(grid) if are_boxes => grid.find_pairs_observed(frame.boxes, pairs, notes),
            Self::Grid(grid) => grid.find_pairs_observed(frame.balls, pairs, notes),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::BruteForce => 0,
            Self::Grid(grid) => grid.memory_usage(),
        }
    }

    fn counts_for_free(&self) -> bool {
        true
    }
}

/// A finder of ours. Circles get a box around each, and then the exact test.
pub(super) struct Ours<F, const D: usize> {
    finder: F,
    around: Vec<Aabb<D>>,
    is_brute: bool,
}

impl<F: BroadPhase<D>, const D: usize> Detector<D> for Ours<F, D> {
    fn find(
        &mut self,
        frame: &Frame<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        notes: Option<&mut Notes>,
    ) {
        let are_boxes = frame.balls.is_empty();
        let boxes = if are_boxes {
            frame.boxes
        } else {
            self.around.clear();
            self.around.extend(frame.balls.iter().map(BoundingSphere::padded_aabb));
            &self.around
        };
        let Ok(boxes) = AabbSlice::new(boxes) else {
            unreachable!("a world is finite, and its objects have a size")
        };
        match notes {
            None => self.finder.find_pairs(boxes, pairs),
            Some(notes) => self.finder.find_pairs_observed(boxes, pairs, notes),
        }
        if !are_boxes {
            let balls = frame.balls;
            pairs.retain(|&[a, b]| balls[a as usize].overlaps(&balls[b as usize]));
        }
        if (frame.movers as usize) < frame.objects() {
            // The first ones move, and the smaller number comes first.
            pairs.retain(|&[a, _]| a < frame.movers);
        }
    }

    fn bytes(&self) -> usize {
        self.finder.memory_usage() + self.around.capacity() * size_of::<Aabb<D>>()
    }

    fn counts_for_free(&self) -> bool {
        self.is_brute
    }
}

fn ours<F: BroadPhase<D> + 'static, const D: usize>(finder: F) -> Box<dyn Detector<D>> {
    Box::new(Ours { finder, around: Vec::new(), is_brute: false })
}

/// What finds pairs in `D` dimensions, for techniques that are the same in both.
pub(super) fn of_any_dimension<const D: usize>(
    technique: PairStructure,
    cell_size: Option<f32>,
    objects: u32,
) -> Option<Box<dyn Detector<D>>> {
    match technique {
        PairStructure::GoncalesBruteForce | PairStructure::GoncalesGrid => None,
        PairStructure::SweepAndPrune(axis) => Some(ours(SweepAndPrune::new(axis))),
        PairStructure::Engine(BroadPhaseKind::Grid) if cell_size.is_some() => {
            cell_size.and_then(HierarchicalGrid::with_cell_size).map(ours)
        }
        PairStructure::Engine(technique) => {
            let finder: AnyBroadPhase<D> = technique.create(objects as usize);
            let is_brute = technique == BroadPhaseKind::BruteForce;
            Some(Box::new(Ours { finder, around: Vec::new(), is_brute }))
        }
    }
}
