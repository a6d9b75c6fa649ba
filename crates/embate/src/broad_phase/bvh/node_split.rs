//! Node split: distributes nine entries over two nodes, as in an R*-tree.

use core::ops::RangeInclusive;

use embate_geom::Aabb;

use crate::broad_phase::aabb8::LANES;
use crate::broad_phase::bvh::node::half_perimeter;

/// A box, and the item or node it bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    pub(super) bounds: Aabb<D>,
    pub(super) child: u32,
}

/// Number of entries of the first node: each of the two gets at least three, or the tree would fill
/// with nearly empty nodes.
const FIRST_NODE_ENTRIES: RangeInclusive<usize> = 3..=LANES - 2;

/// Sorts the entries along the axis, and returns the index, that minimize the sum of the half
/// perimeters of both nodes (after Beckmann et al. 1990, the R*-tree).
pub(super) fn split<const D: usize>(entries: &mut [Entry<D>; LANES + 1]) -> usize {
    let mut best = (f32::INFINITY, *FIRST_NODE_ENTRIES.start(), *entries);
    for axis in 0..D {
        let doubled_center = |entry: &Entry<D>| entry.bounds.min[axis] + entry.bounds.max[axis];
        entries.sort_by(|a, b| doubled_center(a).total_cmp(&doubled_center(b)));
        for index in FIRST_NODE_ENTRIES {
            let (first, second) = entries.split_at(index);
            let cost = half_perimeter(&merged(first)) + half_perimeter(&merged(second));
            if cost < best.0 {
                best = (cost, index, *entries);
            }
        }
    }
    *entries = best.2;
    best.1
}

fn merged<const D: usize>(entries: &[Entry<D>]) -> Aabb<D> {
    entries.iter().fold(entries[0].bounds, |all, entry| all.merged(&entry.bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clusters_are_split_at_the_gap() {
        let x = [10.0, 0.0, 11.0, 1.0, 12.0, 2.0, 13.0, 14.0, 15.0];
        let mut entries = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|child: u32| Entry {
            bounds: Aabb { min: [0.0, x[child as usize]], max: [1.0, x[child as usize]] },
            child,
        });
        assert_eq!(split(&mut entries), 3);
        assert_eq!(entries.map(|entry| entry.child), [1, 3, 5, 0, 2, 4, 6, 7, 8]);
    }
}
