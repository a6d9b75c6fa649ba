//! Detectors that use temporal coherence, or deliberately not: the incremental broad phase, and a
//! sweep that forgets its order.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, BroadPhase, BroadPhaseObserver, IncrementalBroadPhase, OverlapPair, ProxyId,
    SweepAndPrune, SweepAxis,
};
use embate_replica::structure::PairStructure;

use super::detector::{Detector, engine};

/// Detector of a technique that only the experiment on temporal coherence compares; `None` for the
/// others.
pub(crate) fn coherence_detector<const D: usize>(
    technique: PairStructure,
) -> Option<Box<dyn Detector<D>>> {
    match technique {
        PairStructure::FreshSweep => Some(engine(FreshSweep::new())),
        PairStructure::Incremental => Some(engine(Incremental::new())),
        _ => None,
    }
}

/// Sort and sweep along the axis of largest variance that sorts from scratch in every frame.
#[derive(Clone, Debug)]
struct FreshSweep(SweepAndPrune);

impl FreshSweep {
    fn new() -> Self {
        Self(SweepAndPrune::new(SweepAxis::LargestVariance))
    }
}

impl<const D: usize> BroadPhase<D> for FreshSweep {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.0.reset_order();
        self.0.find_pairs_observed(boxes, pairs, observer);
    }

    fn memory_usage(&self) -> usize {
        BroadPhase::<D>::memory_usage(&self.0)
    }
}

/// The incremental broad phase, updated with the boxes that differ from those of the frame before.
/// Its tests are not counted.
#[derive(Clone, Debug)]
struct Incremental<const D: usize>(IncrementalBroadPhase<D>);

impl<const D: usize> Incremental<D> {
    fn new() -> Self {
        Self(IncrementalBroadPhase::new())
    }
}

impl<const D: usize> BroadPhase<D> for Incremental<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        _observer: &mut O,
    ) {
        if self.0.len() == boxes.len() {
            for (id, bounds) in (0..).map(ProxyId).zip(boxes.iter()) {
                let has_moved = self.0.get(id).is_some_and(|before| differs(before, bounds));
                if has_moved && self.0.set_aabb(id, *bounds).is_err() {
                    unreachable!("the slice has valid boxes only");
                }
            }
        } else {
            self.0 = IncrementalBroadPhase::new();
            for bounds in boxes.iter() {
                if self.0.insert(*bounds).is_err() {
                    unreachable!("the slice has valid boxes only");
                }
            }
        }
        self.0.update_pairs();
        pairs.extend(self.0.pairs());
    }

    fn memory_usage(&self) -> usize {
        self.0.memory_usage()
    }
}

fn differs<const D: usize>(one: &Aabb<D>, other: &Aabb<D>) -> bool {
    one.min != other.min || one.max != other.max
}
