//! How are nine boxes shared between two nodes?

use core::ops::RangeInclusive;

use embate_geom::Aabb;

use super::node::girth;
use crate::pairs::block::LANES;

/// A box, and the item or the node it is around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    pub(super) bounds: Aabb<D>,
    pub(super) child: u32,
}

/// How many boxes the first of two nodes may get: neither is left with fewer than three, or the tree
/// would fill with nodes that are nearly empty.
const CUTS: RangeInclusive<usize> = 3..=LANES - 2;

/// Orders the entries along the axis, and returns the cut, for which the two boxes around them are
/// smallest (after Beckmann et al. 1990, the R*-tree).
pub(super) fn split<const D: usize>(entries: &mut [Entry<D>; LANES + 1]) -> usize {
    let mut best = (f32::INFINITY, *CUTS.start(), *entries);
    for axis in 0..D {
        let doubled_centre = |entry: &Entry<D>| entry.bounds.min[axis] + entry.bounds.max[axis];
        entries.sort_by(|a, b| doubled_centre(a).total_cmp(&doubled_centre(b)));
        for cut in CUTS {
            let (first, second) = entries.split_at(cut);
            let cost = girth(&around(first)) + girth(&around(second));
            if cost < best.0 {
                best = (cost, cut, *entries);
            }
        }
    }
    *entries = best.2;
    best.1
}

fn around<const D: usize>(entries: &[Entry<D>]) -> Aabb<D> {
    entries.iter().fold(entries[0].bounds, |all, entry| all.joined(&entry.bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_heaps_are_parted_where_the_gap_is() {
        let x = [10.0, 0.0, 11.0, 1.0, 12.0, 2.0, 13.0, 14.0, 15.0];
        let mut entries = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|child: u32| Entry {
            bounds: Aabb { min: [0.0, x[child as usize]], max: [1.0, x[child as usize]] },
            child,
        });
        assert_eq!(split(&mut entries), 3);
        assert_eq!(entries.map(|entry| entry.child), [1, 3, 5, 0, 2, 4, 6, 7, 8]);
    }
}
