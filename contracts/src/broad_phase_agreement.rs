//! Every technique finds the same pairs, on one thread or many, at sizes where brute force would take
//! hours: they share no code that orders boxes, so an error would have to be made several times over.

use embate::Aabb;
use embate::pairs::{Boxes, Pair, PairFinder, PairTechnique, TiledSweep, sort_pairs};

use crate::box_scenes::{KINDS, boxes};

/// What was tried, and how often a technique found other pairs than the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Boxes, over all kinds.
    pub boxes: u64,
    /// Overlapping pairs among them.
    pub pairs: u64,
    /// Answers held against the first.
    pub answers: u64,
    /// Answers that were not the same.
    pub differences: u64,
}

/// Tries every kind of boxes in 2D and 3D, `count` of each; `tell` hears what comes next.
pub fn agreement(count: u32, tell: &dyn Fn(&str)) -> Agreement {
    let mut outcome = Agreement::default();
    for kind in KINDS {
        let count = match kind {
            // All pairs overlap.
            "identical" | "denormal" => count.min(3_000),
            // Giants overlap thousands each, and so does what lies in one plane.
            "heavy" | "flat" => count.div_ceil(10),
            _ => count,
        };
        tell(kind);
        compare(&boxes::<2>(kind, count, 11), &mut outcome);
        compare(&boxes::<3>(kind, count, 12), &mut outcome);
    }
    outcome
}

fn compare<const D: usize>(boxes: &[Aabb<D>], outcome: &mut Agreement) {
    let boxes = Boxes::new(boxes).expect("scenes are valid");
    let find = |finder: &mut dyn FnMut(&mut Vec<Pair>)| {
        let mut pairs = Vec::new();
        finder(&mut pairs);
        sort_pairs(&mut pairs, boxes.len() as u32);
        pairs
    };
    let expected = find(&mut |pairs| TiledSweep::with_threads(1).find(boxes, pairs));
    outcome.boxes += boxes.len() as u64;
    outcome.pairs += expected.len() as u64;
    let mut judge = |pairs: &[Pair]| {
        outcome.answers += 1;
        outcome.differences += u64::from(pairs != expected);
    };
    for threads in [2, 3] {
        judge(&find(&mut |pairs| TiledSweep::with_threads(threads).find(boxes, pairs)));
    }
    let others = [PairTechnique::Brute, PairTechnique::Sweep];
    for technique in PairTechnique::ALL.into_iter().filter(|other| !others.contains(other)) {
        judge(&find(&mut |pairs| technique.finder(boxes.len()).find(boxes, pairs)));
    }
}
