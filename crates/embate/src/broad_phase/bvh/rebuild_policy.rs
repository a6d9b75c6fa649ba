//! Rebuild policy: rebuilds the tree when its quality has degraded.
//!
//! Moving boxes enlarge their nodes and removed boxes leave them partly empty, so queries visit
//! more nodes than necessary. A degraded tree is rebuilt in the same buffers.

use embate_geom::Aabb;

use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::node::half_perimeter;

/// Quality at the last build, quality checks since then, and changes since the last check.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QualityTracker {
    at_build: Quality,
    changes: u32,
    checks: u32,
}

/// Expected cost of a query, per item.
#[derive(Clone, Copy, Debug, Default)]
struct Quality {
    /// Sum of the half perimeters of all nodes: how many of them a query visits.
    half_perimeter: f64,
    /// Number of nodes: rises as nodes become partly empty.
    nodes: f64,
}

/// The tree is rebuilt when the expected cost of a query exceeds that at the last build by this
/// factor.
const REBUILD_COST_RATIO: f64 = 2.0;

/// The tree is rebuilt after this many checks in any case: beside the half perimeter of one box
/// 1e18 away, degradation of the others does not show. At this rate the cost per change is
/// negligible.
const MAX_CHECKS: u32 = 16;

/// Minimum number of changes between two checks.
const MIN_CHANGES_PER_CHECK: u32 = 64;

impl<const D: usize> DynamicBvh<D> {
    pub(super) fn reset_quality(&mut self) {
        self.quality_tracker = QualityTracker { at_build: self.quality(), changes: 0, checks: 0 };
    }

    /// Rebuilds the tree if it has degraded. The check visits all nodes. It runs once per as many
    /// changes as there are boxes, so that check and rebuild cost amortized constant time per
    /// change.
    pub(super) fn record_changes(&mut self, changes: u32) {
        self.quality_tracker.changes = self.quality_tracker.changes.saturating_add(changes);
        if self.quality_tracker.changes < self.len.max(MIN_CHANGES_PER_CHECK) {
            return;
        }
        self.quality_tracker.changes = 0;
        self.quality_tracker.checks += 1;
        let (now, built) = (self.quality(), self.quality_tracker.at_build);
        let degraded = now.half_perimeter > REBUILD_COST_RATIO * built.half_perimeter
            || now.nodes > REBUILD_COST_RATIO * built.nodes;
        if degraded || self.quality_tracker.checks >= MAX_CHECKS {
            self.rebuild_in_place();
        }
    }

    /// Rebuilds from the current boxes in order of their ids: the result does not depend on the
    /// history.
    fn rebuild_in_place(&mut self) {
        let item = |id: u32| self.get(id).map(|bounds| (id, bounds));
        let (ids, boxes): (Vec<u32>, Vec<Aabb<D>>) =
            (0..self.item_slots.len() as u32).filter_map(item).unzip();
        self.item_slots.truncate(ids.last().map_or(0, |&last| last as usize + 1));
        self.build_from(&boxes, |index| ids[index as usize]);
    }

    fn quality(&self) -> Quality {
        let mut quality = Quality::default();
        for node in self.nodes.iter().filter(|node| node.count > 0) {
            quality.nodes += 1.0;
            if node.height > 0 {
                let half_perimeters =
                    (0..node.count()).map(|lane| f64::from(half_perimeter(&node.get(lane))));
                quality.half_perimeter += half_perimeters.sum::<f64>();
            }
        }
        let items = f64::from(self.len.max(1));
        Quality { half_perimeter: quality.half_perimeter / items, nodes: quality.nodes / items }
    }
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;
    use crate::broad_phase::AabbSlice;

    /// A unit square at a random position in a square of side 100, a function of both arguments.
    fn square(id: u32, round: u32) -> Aabb<2> {
        let mut rng = Rng::new(u64::from(round) << 32 | u64::from(id));
        let min = [rng.between(0.0, 100.0), rng.between(0.0, 100.0)];
        Aabb { min, max: min.map(|c| c + 1.0) }
    }

    fn built_quality(boxes: &[Aabb<2>]) -> Quality {
        DynamicBvh::build(AabbSlice::new(boxes).unwrap()).quality()
    }

    #[test]
    fn tree_of_moving_boxes_stays_within_a_factor_of_a_new_tree() {
        let squares: Vec<Aabb<2>> = (0..1_000).map(|id| square(id, 0)).collect();
        let mut tree = DynamicBvh::build(AabbSlice::new(&squares).unwrap());
        for round in 1..20 {
            for id in 0..1_000 {
                let (now, to) = (tree.get(id).unwrap(), square(id, round));
                let part = |a: f32, b: f32| a + (b - a) * 0.3;
                let min = core::array::from_fn(|axis| part(now.min[axis], to.min[axis]));
                tree.update(id, Aabb { min, max: min.map(|c| c + 1.0) }).unwrap();
            }
            let now: Vec<Aabb<2>> = (0..1_000).map(|id| tree.get(id).unwrap()).collect();
            let new = built_quality(&now);
            // A factor of 2 by the policy, and 2 again within the round after a check.
            assert!(
                tree.quality().half_perimeter < 4.0 * new.half_perimeter,
                "{:?} {new:?}",
                tree.quality()
            );
        }
    }

    #[test]
    fn distant_box_hides_degradation_for_at_most_max_checks() {
        let mut squares: Vec<Aabb<2>> = (0..500).map(|id| square(id, 0)).collect();
        squares.push(Aabb { min: [1e18; 2], max: [1e18; 2] });
        let mut tree = DynamicBvh::build(AabbSlice::new(&squares).unwrap());
        squares.pop();
        let mut hidden = 0;
        for round in 1..=MAX_CHECKS {
            squares = (0..500).map(|id| square(id, round)).collect();
            tree.refit(AabbSlice::new(&squares).unwrap());
            hidden += u32::from(tree.quality_tracker.checks > 0);
        }
        assert_eq!(
            (hidden, tree.quality_tracker.checks),
            (MAX_CHECKS - 1, 0),
            "only the number of checks triggers the rebuild"
        );
        tree.remove(500);
        assert!(tree.quality().half_perimeter < 1.5 * built_quality(&squares).half_perimeter);
    }

    #[test]
    fn tree_shrinks_after_removals() {
        let squares: Vec<Aabb<2>> = (0..4_000).map(|id| square(id, 0)).collect();
        let mut tree = DynamicBvh::build(AabbSlice::new(&squares).unwrap());
        let before = tree.quality().nodes;
        for id in (0..4_000).filter(|id| id % 10 != 0) {
            tree.remove(id);
        }
        assert_eq!(tree.len(), 400);
        // A factor of 2 by the policy, and more since the last check.
        assert!(tree.quality().nodes < 3.0 * before, "{:?} {before}", tree.quality());
        assert!(tree.nodes.len() < 400, "{} nodes", tree.nodes.len());
    }

    #[test]
    fn tree_of_single_insertions_is_nearly_as_good_as_a_built_one() {
        let squares: Vec<Aabb<2>> = (0..2_000).map(|id| square(id, 0)).collect();
        let mut grown = DynamicBvh::new();
        for (id, &bounds) in (0..).zip(&squares) {
            grown.insert(id, bounds).unwrap();
        }
        let built = built_quality(&squares);
        assert!(grown.quality().half_perimeter < 1.5 * built.half_perimeter);
        assert!(grown.quality().nodes < 1.5 * built.nodes);
    }
}
