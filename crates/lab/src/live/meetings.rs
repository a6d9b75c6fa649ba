//! Who touches whom now, who began to, and who touches unnoticed?

use embate::broad_phase::{OverlapPair, PairSorter};

use super::pick::Drawn;
use super::strikes::MOST_OF_A_KIND;

/// An object that overlaps another, as the technique found.
pub(super) const TOUCHING: u8 = 1;
/// An object that overlaps another, which the technique missed.
pub(super) const MISSED: u8 = 2;

/// The pairs of one frame, and what follows from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    /// What the technique found; in order once settled.
    pub(super) told: Vec<OverlapPair>,
    /// What it found in the frame before, in order.
    before: Vec<OverlapPair>,
    /// What there was to find, where that is not what was found.
    pub(super) truth: Vec<OverlapPair>,
    /// What there was and was not found, in order.
    pub(super) missed: Vec<OverlapPair>,
    /// By object: [`TOUCHING`], [`MISSED`].
    pub(super) flags: Vec<u8>,
    pub(super) touching: u32,
    /// Pairs that were not there in the frame before: the first of them, as many as are heard.
    pub(super) begun: Vec<OverlapPair>,
    sorter: PairSorter,
}

impl Meetings {
    /// Another frame begins: its pairs are not known yet.
    pub(super) fn turn(&mut self) {
        core::mem::swap(&mut self.told, &mut self.before);
        self.told.clear();
    }

    /// Another technique begins: what it finds was there before.
    pub(super) fn begin_anew(&mut self) {
        self.before.clear();
        self.begun.clear();
    }

    /// Puts everything in order once the pairs are known; `judged` says that `truth` holds what there was
    /// to find.
    pub(super) fn settle(&mut self, objects: &[Drawn], judged: bool, is_first: bool) {
        let count = objects.len() as u32;
        self.sorter.sort(&mut self.told, count);
        self.missed.clear();
        if judged {
            self.sorter.sort(&mut self.truth, count);
            let missed = &mut self.missed;
            for_each_not_in(&self.truth, &self.told, |pair| missed.push(pair));
        }
        self.flags.clear();
        self.flags.resize(objects.len(), 0);
        for (pairs, flag) in [(&self.told, TOUCHING), (&self.missed, MISSED)] {
            for &[a, b] in pairs {
                self.flags[a as usize] |= flag;
                self.flags[b as usize] |= flag;
            }
        }
        self.touching = self.flags.iter().map(|flags| u32::from(flags & TOUCHING)).sum();
        self.begun.clear();
        if !is_first {
            let begun = &mut self.begun;
            for_each_not_in(&self.told, &self.before, |pair| {
                if begun.len() < MOST_OF_A_KIND {
                    begun.push(pair);
                }
            });
        }
    }
}

/// Everybody who is paired with `object`, in order if the pairs are: those before it meet it as the second
/// of a pair, and those pairs come first.
pub(super) fn partners(pairs: &[OverlapPair], object: u32) -> Vec<u32> {
    let other = |&[a, b]: &OverlapPair| match object {
        _ if a == object => Some(b),
        _ if b == object => Some(a),
        _ => None,
    };
    pairs.iter().filter_map(other).collect()
}

/// Walks through two sorted lists at once.
fn for_each_not_in(
    these: &[OverlapPair],
    those: &[OverlapPair],
    mut tell: impl FnMut(OverlapPair),
) {
    let mut those = those.iter().peekable();
    for pair in these {
        while those.next_if(|other| *other < pair).is_some() {}
        if those.peek() != Some(&pair) {
            tell(*pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32) -> Drawn {
        [[x, 0.0], [2.0, 2.0]]
    }

    #[test]
    fn what_was_there_and_not_told_is_missed_and_both_partners_are_marked() {
        let objects = [square(0.0), square(1.0), square(2.0), square(9.0)];
        let mut meetings = Meetings {
            told: vec![[0, 1]],
            truth: vec![[1, 2], [0, 1], [0, 2]],
            ..Meetings::default()
        };
        meetings.settle(&objects, true, true);
        assert_eq!(meetings.missed, [[0, 2], [1, 2]]);
        assert_eq!(meetings.flags, [TOUCHING | MISSED, TOUCHING | MISSED, MISSED, 0]);
        assert_eq!((meetings.touching, meetings.begun.len()), (2, 0));
    }

    #[test]
    fn a_pair_begins_once() {
        let objects = [square(0.0), square(1.0)];
        let mut meetings = Meetings::default();
        let mut begun = |told: &[OverlapPair]| {
            meetings.turn();
            meetings.told.extend(told);
            meetings.settle(&objects, false, false);
            meetings.begun.clone()
        };
        assert!(begun(&[]).is_empty());
        assert_eq!(begun(&[[0, 1]]), [[0, 1]]);
        assert!(begun(&[[0, 1]]).is_empty());
        assert!(begun(&[]).is_empty());
        assert_eq!(begun(&[[0, 1]]).len(), 1);
    }
}
