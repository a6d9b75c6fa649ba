//! What began, and what ended, from one sorted list of pairs to the next?

use core::cmp::Ordering;

use super::Pair;

/// Fills `begun` with what is only in `now`, and `ended` with what is only in `before`; all lists are
/// sorted, and hold a pair once.
pub(super) fn difference(
    before: &[Pair],
    now: &[Pair],
    begun: &mut Vec<Pair>,
    ended: &mut Vec<Pair>,
) {
    begun.clear();
    ended.clear();
    let (mut old, mut new) = (0, 0);
    while old < before.len() && new < now.len() {
        match before[old].cmp(&now[new]) {
            Ordering::Equal => (old, new) = (old + 1, new + 1),
            Ordering::Less => {
                ended.push(before[old]);
                old += 1;
            }
            Ordering::Greater => {
                begun.push(now[new]);
                new += 1;
            }
        }
    }
    ended.extend_from_slice(&before[old..]);
    begun.extend_from_slice(&now[new..]);
}
