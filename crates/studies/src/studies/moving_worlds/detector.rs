//! Detector: the pairs of one frame by one technique.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BroadPhaseKind, HierarchicalGrid, OctreeBroadPhase,
    OverlapPair, SweepAndPrune, SweepAxis,
};
use embate::geometry::BoundingSphere;
use embate_replica::goncales2016::{Grid, brute_force_observed};
use embate_replica::lasch::OctreeLimits;
use embate_replica::structure::PairStructure;

use super::search_log::SearchLog;

/// Bounds of the objects in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a, const D: usize> {
    /// The objects, or none if they are circles.
    pub boxes: &'a [Aabb<D>],
    /// The objects, or none if they are boxes.
    pub balls: &'a [BoundingSphere<D>],
    /// Number of moving objects, which come first. Pairs of two static objects are not reported.
    pub movers: u32,
}

/// Finds the pairs of frame after frame.
pub trait Detector<const D: usize> {
    /// Appends each pair once, in any order, and logs the search if `log` is given.
    fn find(
        &mut self,
        frame: &Frame<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        log: Option<&mut SearchLog>,
    );

    /// Bytes held between frames.
    fn bytes(&self) -> usize;

    /// Whether counting does not slow it down.
    fn counts_for_free(&self) -> bool;

    /// The axis that the last search swept; `None` for other techniques.
    fn sweep_axis(&self) -> Option<usize> {
        None
    }
}

impl<const D: usize> Frame<'_, D> {
    pub(crate) fn objects(&self) -> usize {
        self.boxes.len().max(self.balls.len())
    }
}

/// The structures of Gonçales et al. 2016: they test AABBs or circles directly.
pub(crate) enum GoncalesDetector {
    BruteForce,
    Grid(Grid),
}

impl Detector<2> for GoncalesDetector {
    fn find(
        &mut self,
        frame: &Frame<'_, 2>,
        pairs: &mut Vec<OverlapPair>,
        log: Option<&mut SearchLog>,
    ) {
        let are_boxes = frame.balls.is_empty();
        let mut unused = SearchLog::default();
        let log = log.unwrap_or(&mut unused);
        match self {
            Self::BruteForce if are_boxes => brute_force_observed(frame.boxes, pairs, log),
            Self::BruteForce => brute_force_observed(frame.balls, pairs, log),
            Self::Grid(grid) if are_boxes => grid.find_pairs_observed(frame.boxes, pairs, log),
            Self::Grid(grid) => grid.find_pairs_observed(frame.balls, pairs, log),
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

/// A broad phase of the engine. Circles get a box each, and then the exact test.
pub(crate) struct EngineDetector<F, const D: usize> {
    finder: F,
    around: Vec<Aabb<D>>,
    is_brute: bool,
    sweep_axis: fn(&F) -> Option<usize>,
}

impl<F: BroadPhase<D>, const D: usize> Detector<D> for EngineDetector<F, D> {
    fn find(
        &mut self,
        frame: &Frame<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        log: Option<&mut SearchLog>,
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
        match log {
            None => self.finder.find_pairs(boxes, pairs),
            Some(log) => self.finder.find_pairs_observed(boxes, pairs, log),
        }
        if !are_boxes {
            let balls = frame.balls;
            pairs.retain(|&[a, b]| balls[a as usize].overlaps(&balls[b as usize]));
        }
        if (frame.movers as usize) < frame.objects() {
            // Moving objects come first, and the smaller id of a pair comes first.
            pairs.retain(|&[a, _]| a < frame.movers);
        }
    }

    fn bytes(&self) -> usize {
        self.finder.memory_usage() + self.around.capacity() * size_of::<Aabb<D>>()
    }

    fn counts_for_free(&self) -> bool {
        self.is_brute
    }

    fn sweep_axis(&self) -> Option<usize> {
        (self.sweep_axis)(&self.finder)
    }
}

pub(super) fn engine<F: BroadPhase<D> + 'static, const D: usize>(
    finder: F,
) -> Box<dyn Detector<D>> {
    Box::new(EngineDetector { finder, around: Vec::new(), is_brute: false, sweep_axis: |_| None })
}

fn sweep<const D: usize>(axis: SweepAxis) -> Box<dyn Detector<D>> {
    Box::new(EngineDetector {
        finder: SweepAndPrune::new(axis),
        around: Vec::new(),
        is_brute: false,
        sweep_axis: |finder| Some(finder.axis()),
    })
}

/// Detector of a technique that exists in both dimensions and finds the pairs of a frame by itself;
/// `None` for the others. Those of [`coherence_detector`](super::coherent_detector::coherence_detector)
/// are apart, so that the 2D view does not contain them.
pub(crate) fn of_any_dimension<const D: usize>(
    technique: PairStructure,
    cell_size: Option<f32>,
    objects: u32,
) -> Option<Box<dyn Detector<D>>> {
    match technique {
        PairStructure::GoncalesBruteForce
        | PairStructure::GoncalesGrid
        | PairStructure::FreshSweep
        | PairStructure::Incremental => None,
        PairStructure::SweepAndPrune(axis) => Some(sweep(axis)),
        PairStructure::StrictOctree => {
            Some(engine(OctreeBroadPhase::with_config(OctreeLimits::DEFAULT.strict())))
        }
        PairStructure::Engine(BroadPhaseKind::Grid) if cell_size.is_some() => {
            cell_size.and_then(HierarchicalGrid::with_cell_size).map(engine)
        }
        PairStructure::Engine(technique) => {
            let finder: AnyBroadPhase<D> = technique.create(objects as usize);
            let is_brute = technique == BroadPhaseKind::BruteForce;
            let (around, sweep_axis) = (Vec::new(), |_: &_| None);
            Some(Box::new(EngineDetector { finder, around, is_brute, sweep_axis }))
        }
    }
}
