//! Pair tracker: pairs that touch, that began to touch, and that the technique missed.

use embate::broad_phase::{OverlapPair, PairSorter};

use super::impact_events::MAX_PER_KIND;
use super::pick::ObjectRect;

/// An object that overlaps another, as the technique found.
pub(super) const TOUCHING: u8 = 1;
/// An object that overlaps another, which the technique missed.
pub(super) const MISSED: u8 = 2;

/// The pairs of one frame, and what follows from them.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTracker {
    /// What the technique found; in order once settled.
    pub(super) found: Vec<OverlapPair>,
    /// What it found in the frame before, in order.
    previous: Vec<OverlapPair>,
    /// Pairs of the reference, where it differs from the technique.
    pub(super) truth: Vec<OverlapPair>,
    /// What there was and was not found, in order.
    pub(super) missed: Vec<OverlapPair>,
    /// By object: [`TOUCHING`], [`MISSED`].
    pub(super) flags: Vec<u8>,
    pub(super) touching: u32,
    /// Pairs that were not there in the frame before: the first of them, as many as are heard.
    pub(super) began: Vec<OverlapPair>,
    sorter: PairSorter,
}

impl PairTracker {
    /// Another frame begins: its pairs are not known yet.
    pub(super) fn begin_frame(&mut self) {
        core::mem::swap(&mut self.found, &mut self.previous);
        self.found.clear();
    }

    /// Another technique begins: what it finds was there before.
    pub(super) fn reset(&mut self) {
        self.previous.clear();
        self.began.clear();
    }

    /// Puts everything in order once the pairs are known; `has_reference` says that `truth` holds
    /// what there was to find.
    pub(super) fn settle(&mut self, objects: &[ObjectRect], has_reference: bool, is_first: bool) {
        let count = objects.len() as u32;
        self.sorter.sort(&mut self.found, count);
        self.missed.clear();
        if has_reference {
            self.sorter.sort(&mut self.truth, count);
            let missed = &mut self.missed;
            for_each_not_in(&self.truth, &self.found, |pair| missed.push(pair));
        }
        self.flags.clear();
        self.flags.resize(objects.len(), 0);
        for (pairs, flag) in [(&self.found, TOUCHING), (&self.missed, MISSED)] {
            for &[a, b] in pairs {
                self.flags[a as usize] |= flag;
                self.flags[b as usize] |= flag;
            }
        }
        self.touching = self.flags.iter().map(|flags| u32::from(flags & TOUCHING)).sum();
        self.began.clear();
        if !is_first {
            let began = &mut self.began;
            for_each_not_in(&self.found, &self.previous, |pair| {
                if began.len() < MAX_PER_KIND {
                    began.push(pair);
                }
            });
        }
    }
}

/// Partners of `object`, sorted if the pairs are: those with smaller ids have it as the second of a
/// pair, and those pairs come first.
pub(super) fn partners(pairs: &[OverlapPair], object: u32) -> Vec<u32> {
    let other = |&[a, b]: &OverlapPair| match object {
        _ if a == object => Some(b),
        _ if b == object => Some(a),
        _ => None,
    };
    pairs.iter().filter_map(other).collect()
}

/// Calls `found` for each pair of `these` that is not in `those`; both are sorted.
fn for_each_not_in(
    these: &[OverlapPair],
    those: &[OverlapPair],
    mut found: impl FnMut(OverlapPair),
) {
    let mut those = those.iter().peekable();
    for pair in these {
        while those.next_if(|other| *other < pair).is_some() {}
        if those.peek() != Some(&pair) {
            found(*pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32) -> ObjectRect {
        [[x, 0.0], [2.0, 2.0]]
    }

    #[test]
    fn missed_pair_flags_both_objects() {
        let objects = [square(0.0), square(1.0), square(2.0), square(9.0)];
        let mut pair_tracker = PairTracker {
            found: vec![[0, 1]],
            truth: vec![[1, 2], [0, 1], [0, 2]],
            ..PairTracker::default()
        };
        pair_tracker.settle(&objects, true, true);
        assert_eq!(pair_tracker.missed, [[0, 2], [1, 2]]);
        assert_eq!(pair_tracker.flags, [TOUCHING | MISSED, TOUCHING | MISSED, MISSED, 0]);
        assert_eq!((pair_tracker.touching, pair_tracker.began.len()), (2, 0));
    }

    #[test]
    fn pair_begins_once_per_overlap() {
        let objects = [square(0.0), square(1.0)];
        let mut pair_tracker = PairTracker::default();
        let mut began = |found: &[OverlapPair]| {
            pair_tracker.begin_frame();
            pair_tracker.found.extend(found);
            pair_tracker.settle(&objects, false, false);
            pair_tracker.began.clone()
        };
        assert!(began(&[]).is_empty());
        assert_eq!(began(&[[0, 1]]), [[0, 1]]);
        assert!(began(&[[0, 1]]).is_empty());
        assert!(began(&[]).is_empty());
        assert_eq!(began(&[[0, 1]]).len(), 1);
    }
}
