//! Pair diff: added and removed pairs between two sorted pair lists.

use core::cmp::Ordering;

use crate::broad_phase::OverlapPair;

/// Fills `added` with the pairs only in `current`, and `removed` with those only in `previous`.
/// Input and output are sorted and free of duplicates.
pub(super) fn diff(
    previous: &[OverlapPair],
    current: &[OverlapPair],
    added: &mut Vec<OverlapPair>,
    removed: &mut Vec<OverlapPair>,
) {
    added.clear();
    removed.clear();
    let (mut old, mut new) = (0, 0);
    while old < previous.len() && new < current.len() {
        match previous[old].cmp(&current[new]) {
            Ordering::Equal => (old, new) = (old + 1, new + 1),
            Ordering::Less => {
                removed.push(previous[old]);
                old += 1;
            }
            Ordering::Greater => {
                added.push(current[new]);
                new += 1;
            }
        }
    }
    removed.extend_from_slice(&previous[old..]);
    added.extend_from_slice(&current[new..]);
}
