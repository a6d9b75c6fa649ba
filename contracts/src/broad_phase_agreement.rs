//! Agreement of all broad phases, at sizes where brute force takes hours.
//!
//! With one or several threads all structures find the same pairs. The structures share no code
//! that orders boxes, so a common error would have to occur several times.

use embate::Aabb;
use embate::broad_phase::{
    AabbSlice, BroadPhase, BroadPhaseKind, OctreeBroadPhase, OverlapPair, TiledSweepAndPrune,
    sort_pairs,
};
use embate_replica::lasch::OctreeLimits;

use crate::box_scenes::{KINDS, boxes};

/// Result of a comparison of all broad phases with the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Number of boxes, over all kinds.
    pub boxes: u64,
    /// Overlapping pairs among them.
    pub pairs: u64,
    /// Number of results compared with the first.
    pub results: u64,
    /// Number of results that differ.
    pub differences: u64,
}

/// Compares all structures on `count` boxes of each kind, in 2D and 3D. Calls `on_kind` before each
/// kind.
pub fn compare_broad_phases(count: u32, on_kind: &dyn Fn(&str)) -> Agreement {
    let mut outcome = Agreement::default();
    for kind in KINDS {
        let count = match kind {
            // All pairs overlap.
            "identical" | "denormal" => count.min(3_000),
            // A giant box overlaps thousands, and so does each box of one plane.
            "heavy" | "flat" => count.div_ceil(10),
            _ => count,
        };
        on_kind(kind);
        compare(&boxes::<2>(kind, count, 11), &mut outcome);
        compare(&boxes::<3>(kind, count, 12), &mut outcome);
    }
    outcome
}

fn compare<const D: usize>(boxes: &[Aabb<D>], outcome: &mut Agreement) {
    let boxes = AabbSlice::new(boxes).expect("scenes are valid");
    let sorted = |find: &mut dyn FnMut(&mut Vec<OverlapPair>)| {
        let mut pairs = Vec::new();
        find(&mut pairs);
        sort_pairs(&mut pairs, boxes.len() as u32);
        pairs
    };
    let expected =
        sorted(&mut |pairs| TiledSweepAndPrune::with_threads(1).find_pairs(boxes, pairs));
    outcome.boxes += boxes.len() as u64;
    outcome.pairs += expected.len() as u64;
    let mut check = |pairs: &[OverlapPair]| {
        outcome.results += 1;
        outcome.differences += u64::from(pairs != expected);
    };
    for threads in [2, 3] {
        check(&sorted(&mut |pairs| {
            TiledSweepAndPrune::with_threads(threads).find_pairs(boxes, pairs);
        }));
    }
    let skipped = [BroadPhaseKind::BruteForce, BroadPhaseKind::TiledSweep];
    for kind in BroadPhaseKind::ALL.into_iter().filter(|kind| !skipped.contains(kind)) {
        check(&sorted(&mut |pairs| kind.create(boxes.len()).find_pairs(boxes, pairs)));
    }
    // The study's octree, of strict cells. A box that a plane of an upper level cuts is compared
    // with every box below, so the limits matter for the time, not for the pairs.
    let mut strict = OctreeBroadPhase::with_config(OctreeLimits::DEFAULT.strict());
    check(&sorted(&mut |pairs| strict.find_pairs(boxes, pairs)));
}
