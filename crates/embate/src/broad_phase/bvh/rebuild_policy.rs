//! When is a tree worn out?
//!
//! Boxes that move stretch their nodes, boxes that go leave them half empty, and a query then looks into
//! more nodes than it should have to. A worn tree is built anew, in the same memory.

use embate_geom::Aabb;

use super::Tree;
use super::node::girth;

/// How good the tree was when it was last built, how often it was looked at since, and how
/// much has changed after that.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wear {
    built: Quality,
    changes: u32,
    looks: u32,
}

/// What a query can expect to cost, for each box held.
#[derive(Clone, Copy, Debug, Default)]
struct Quality {
    /// The girth of all nodes: how many of them a query will meet.
    girth: f64,
    /// Nodes: how many are only partly filled.
    nodes: f64,
}

/// A tree is built anew when a query can expect to cost this many times what it did.
const WORN_OUT: f64 = 2.0;

/// Nor does a tree grow older than this many looks: one box at the end of the world has a girth beside
/// which no wear of the others would show. So rarely, building costs a change next to nothing.
const OLD: u32 = 16;

/// A tree of fewer boxes is looked at only after this many changes.
const FEW: u32 = 64;

impl<const D: usize> Tree<D> {
    pub(super) fn renew_wear(&mut self) {
        self.wear = Wear { built: self.quality(), changes: 0, looks: 0 };
    }

    /// Builds the tree anew when it is worn out. To know that, all nodes are looked at: once after as
    /// many changes as there are boxes, so that neither the looking nor the building costs a change more
    /// than a few steps.
    pub(super) fn note_changes(&mut self, changes: u32) {
        self.wear.changes = self.wear.changes.saturating_add(changes);
        if self.wear.changes < self.len.max(FEW) {
            return;
        }
        self.wear.changes = 0;
        self.wear.looks += 1;
        let (now, built) = (self.quality(), self.wear.built);
        let worn = now.girth > WORN_OUT * built.girth || now.nodes > WORN_OUT * built.nodes;
        if worn || self.wear.looks >= OLD {
            self.build_of_itself();
        }
    }

    /// From the boxes it holds, in the order of their ids: of the past nothing is left.
    fn build_of_itself(&mut self) {
        let held = |id: u32| self.get(id).map(|bounds| (id, bounds));
        let (ids, boxes): (Vec<u32>, Vec<Aabb<D>>) =
            (0..self.places.len() as u32).filter_map(held).unzip();
        self.places.truncate(ids.last().map_or(0, |&last| last as usize + 1));
        self.fill(&boxes, |index| ids[index as usize]);
    }

    fn quality(&self) -> Quality {
        let mut quality = Quality::default();
        for node in self.nodes.iter().filter(|node| node.count > 0) {
            quality.nodes += 1.0;
            if node.height > 0 {
                let girths = (0..node.count()).map(|lane| f64::from(girth(&node.get(lane))));
                quality.girth += girths.sum::<f64>();
            }
        }
        let held = f64::from(self.len.max(1));
        Quality { girth: quality.girth / held, nodes: quality.nodes / held }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::Boxes;

    /// Numbers from 0 to 1 in no order to speak of.
    fn scattered(seed: u32) -> f32 {
        (seed.wrapping_mul(0x9e37_79b9) ^ seed.wrapping_mul(0x85eb_ca6b) >> 13) as f32 / 4e9
    }

    fn square(id: u32, round: u32) -> Aabb<2> {
        let min = [0, 1].map(|axis| scattered((round * 5_000 + id) * 2 + axis) * 100.0);
        Aabb { min, max: min.map(|c| c + 1.0) }
    }

    #[test]
    fn a_tree_whose_boxes_wander_stays_nearly_as_good_as_one_built_anew() {
        let squares: Vec<Aabb<2>> = (0..1_000).map(|id| square(id, 0)).collect();
        let mut tree = Tree::build(Boxes::new(&squares).unwrap());
        for round in 1..20 {
            for id in 0..1_000 {
                let (now, to) = (tree.get(id).unwrap(), square(id, round));
                let part = |a: f32, b: f32| a + (b - a) * 0.3;
                let min = core::array::from_fn(|axis| part(now.min[axis], to.min[axis]));
                tree.move_to(id, Aabb { min, max: min.map(|c| c + 1.0) }).unwrap();
            }
            let now: Vec<Aabb<2>> = (0..1_000).map(|id| tree.get(id).unwrap()).collect();
            let anew = Tree::build(Boxes::new(&now).unwrap()).quality();
            // Twice by the rule, and as much again within the round after a look.
            assert!(tree.quality().girth < 4.0 * anew.girth, "{:?} {anew:?}", tree.quality());
        }
    }

    #[test]
    fn a_box_at_the_end_of_the_world_does_not_hide_the_wear_of_the_others_for_long() {
        let mut squares: Vec<Aabb<2>> = (0..500).map(|id| square(id, 0)).collect();
        squares.push(Aabb { min: [1e18; 2], max: [1e18; 2] });
        let mut tree = Tree::build(Boxes::new(&squares).unwrap());
        squares.pop();
        let mut hidden = 0;
        for round in 1..=OLD {
            squares = (0..500).map(|id| square(id, round)).collect();
            tree.refit(Boxes::new(&squares).unwrap());
            hidden += u32::from(tree.wear.looks > 0);
        }
        assert_eq!((hidden, tree.wear.looks), (OLD - 1, 0), "only age can show it");
        tree.remove(500);
        let anew = Tree::build(Boxes::new(&squares).unwrap()).quality();
        assert!(tree.quality().girth < 1.5 * anew.girth);
    }

    #[test]
    fn nodes_left_half_empty_are_filled_again() {
        let squares: Vec<Aabb<2>> = (0..4_000).map(|id| square(id, 0)).collect();
        let mut tree = Tree::build(Boxes::new(&squares).unwrap());
        let before = tree.quality().nodes;
        for id in (0..4_000).filter(|id| id % 10 != 0) {
            tree.remove(id);
        }
        assert_eq!(tree.len(), 400);
        // Twice by the rule, and more since the last look.
        assert!(tree.quality().nodes < 3.0 * before, "{:?} {before}", tree.quality());
        assert!(tree.nodes.len() < 400, "{} nodes", tree.nodes.len());
    }

    #[test]
    fn a_tree_grown_box_by_box_is_as_good_as_one_built_at_once() {
        let squares: Vec<Aabb<2>> = (0..2_000).map(|id| square(id, 0)).collect();
        let mut grown = Tree::new();
        for (id, &bounds) in (0..).zip(&squares) {
            grown.insert(id, bounds).unwrap();
        }
        let built = Tree::build(Boxes::new(&squares).unwrap());
        assert!(grown.quality().girth < 1.5 * built.quality().girth);
        assert!(grown.quality().nodes < 1.5 * built.quality().nodes);
    }
}
