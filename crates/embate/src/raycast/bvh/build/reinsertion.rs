//! Would a part of the tree be better off elsewhere?
//!
//! Splitting from the top never looks back. Here the nodes with the largest boxes are taken out one by one,
//! and the place is sought where each enlarges the boxes above it the least (Meister & Bittner 2018).
//! Places are sought for all of a round at once, on all threads; then those that gain the most are moved first,
//! and one that would get in another's way stays. So the tree is the same for any number of threads.

use rayon::prelude::*;

use super::binary::BinaryNode;
use super::wide_box::WideBox;

/// The tree while it changes: as it was, but that children know their parents and lie anywhere.
struct Tree(Vec<Item>);

#[derive(Clone, Copy)]
struct Item {
    bounds: WideBox,
    parent: u32,
    /// Both 0 for a bundle: the root is nobody's child.
    children: [u32; 2],
    first: u32,
    count: u32,
}

impl Item {
    fn is_bundle(&self) -> bool {
        self.children[0] == 0
    }
}

/// A better place.
#[derive(Clone, Copy)]
struct Move {
    /// By how much the sum of all areas becomes smaller.
    gain: f32,
    what: u32,
    /// What it will be beside.
    beside: u32,
}

/// A round that makes the sum of all areas (but the three topmost) smaller by less than this share of it is the last: on a scanned surface the
/// first is, and on buildings, whose walls are of all sizes, the sixth still is not.
const WORTH_ANOTHER: f64 = 0.003;

/// Moves parts of a tree, one in `every` of the largest in each of up to `rounds` rounds. The members are put in the
/// new order.
pub(super) fn improve(
    members: &mut Vec<WideBox>,
    nodes: Vec<BinaryNode>,
    every: usize,
    rounds: usize,
) -> Vec<BinaryNode> {
    let mut tree = Tree::new(&nodes);
    drop(nodes);
    for _ in 0..rounds {
        // (Where no box has an area there is nothing to win, and the share is NaN.)
        let is_worth_another = tree.improve(every) >= WORTH_ANOTHER;
        if !is_worth_another {
            break;
        }
    }
    tree.in_order(members)
}

impl Tree {
    fn new(nodes: &[BinaryNode]) -> Self {
        let mut items: Vec<Item> = nodes
            .iter()
            .map(|node| Item {
                bounds: node.bounds,
                parent: 0,
                children: [0; 2],
                first: node.first,
                count: node.count,
            })
            .collect();
        for (place, node) in (0..).zip(nodes) {
            if !node.is_bundle() {
                let children = [place + 1, node.second];
                items[place as usize].children = children;
                for &child in &children {
                    items[child as usize].parent = place;
                }
            }
        }
        Self(items)
    }

    fn item(&self, place: u32) -> &Item {
        &self.0[place as usize]
    }

    fn sibling(&self, place: u32) -> u32 {
        let [a, b] = self.item(self.item(place).parent).children;
        if a == place { b } else { a }
    }

    /// One round; tells by what share the sum of all areas became smaller.
    fn improve(&mut self, every: usize) -> f64 {
        let mut largest: Vec<(f32, u32)> = (1..self.0.len() as u32)
            .filter(|&place| self.item(place).parent != 0)
            .map(|place| (self.item(place).bounds.area(), place))
            .collect();
        let wanted = largest.len() / every.max(1);
        if wanted == 0 {
            return 0.0;
        }
        let total: f64 = largest.iter().map(|&(area, _)| f64::from(area)).sum();
        let by_area = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        largest.select_nth_unstable_by(wanted, by_area);
        largest.truncate(wanted);
        let mut moves: Vec<Move> =
            largest.par_iter().filter_map(|&(_, place)| self.better_place(place)).collect();
        moves.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.what.cmp(&b.what)));
        let mut touched = vec![false; self.0.len()];
        let mut won = 0.0;
        for Move { gain, what, beside } in moves {
            let concerned = [
                what,
                beside,
                self.sibling(what),
                self.item(what).parent,
                self.item(beside).parent,
            ];
            let is_free = concerned.iter().all(|&place| !touched[place as usize]);
            if is_free && self.item(what).parent != 0 && !self.is_below(beside, what) {
                for &place in &concerned {
                    touched[place as usize] = true;
                }
                self.reinsert(what, beside);
                won += f64::from(gain);
            }
        }
        won / total
    }

    /// Where a node's area adds the least. Places are looked at from the node's own upwards; below one that
    /// already costs more than the best so far there is none better.
    fn better_place(&self, what: u32) -> Option<Move> {
        let bounds = &self.item(what).bounds;
        let area = bounds.area();
        let parent = self.item(what).parent;
        let mut best = Move { gain: 0.0, what, beside: 0 };
        let mut pending: Vec<(f32, u32)> = Vec::new();
        // What is won by taking it out, up to the pivot.
        let mut won = self.item(parent).bounds.area();
        let (mut pivot, mut beside) = (parent, self.sibling(what));
        let mut left = self.item(beside).bounds;
        loop {
            pending.push((won, beside));
            while let Some((won, place)) = pending.pop() {
                if won - area <= best.gain {
                    continue;
                }
                let there = self.item(place);
                let gain = won - there.bounds.joined(bounds).area();
                if gain > best.gain {
                    (best.gain, best.beside) = (gain, place);
                }
                if !there.is_bundle() {
                    let won = gain + there.bounds.area();
                    pending.extend(there.children.map(|child| (won, child)));
                }
            }
            if pivot != parent {
                left = left.joined(&self.item(beside).bounds);
                won += self.item(pivot).bounds.area() - left.area();
            }
            if pivot == 0 {
                break;
            }
            beside = self.sibling(pivot);
            pivot = self.item(pivot).parent;
        }
        let is_elsewhere =
            best.beside != 0 && best.beside != self.sibling(what) && best.beside != parent;
        is_elsewhere.then_some(best)
    }

    fn is_below(&self, mut place: u32, what: u32) -> bool {
        while place != 0 {
            if place == what {
                return true;
            }
            place = self.item(place).parent;
        }
        false
    }

    /// Takes a node out and puts it beside another; its parent goes with it.
    fn reinsert(&mut self, what: u32, beside: u32) {
        let (sibling, parent) = (self.sibling(what), self.item(what).parent);
        let above = self.item(parent).parent;
        self.replace_child(above, parent, sibling);
        self.refit(above);
        let there = self.item(beside).parent;
        self.replace_child(there, beside, parent);
        self.0[parent as usize].children = [beside, what];
        self.0[beside as usize].parent = parent;
        self.refit(parent);
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        let children = &mut self.0[parent as usize].children;
        children[usize::from(children[1] == old)] = new;
        self.0[new as usize].parent = parent;
    }

    /// Boxes from `place` up to the root.
    fn refit(&mut self, mut place: u32) {
        loop {
            let [a, b] = self.item(place).children;
            self.0[place as usize].bounds = self.item(a).bounds.joined(&self.item(b).bounds);
            if place == 0 {
                return;
            }
            place = self.item(place).parent;
        }
    }

    /// Nodes and members depth first again.
    fn in_order(&self, members: &mut Vec<WideBox>) -> Vec<BinaryNode> {
        let mut nodes: Vec<BinaryNode> = Vec::with_capacity(self.0.len());
        let mut ordered = Vec::with_capacity(members.len());
        // Each with the place of whose second child it is.
        let mut pending = vec![(0_u32, None)];
        while let Some((place, second_of)) = pending.pop() {
            let item = self.item(place);
            let (first, own) = (ordered.len() as u32, nodes.len());
            if let Some(parent) = second_of {
                nodes[parent as usize].second = own as u32;
            }
            nodes.push(BinaryNode { bounds: item.bounds, first, count: item.count, second: 0 });
            if item.is_bundle() {
                ordered.extend_from_slice(&members[item.first as usize..][..item.count as usize]);
            } else {
                let [a, b] = item.children;
                pending.extend([(b, Some(own as u32)), (a, None)]);
            }
        }
        // What moved has left other counts behind.
        for place in (0..nodes.len()).rev() {
            if !nodes[place].is_bundle() {
                let second = nodes[place].second as usize;
                nodes[place].count = nodes[place + 1].count + nodes[second].count;
            }
        }
        *members = ordered;
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate_geom::Aabb;

    /// Boxes along a line, in an order that no builder would choose: neighbours are far apart in the tree.
    fn shuffled() -> (Vec<WideBox>, Vec<BinaryNode>) {
        let members: Vec<WideBox> = (0..64_u32)
            .map(|number| {
                let x = (number * 29 % 64) as f32;
                WideBox::new(&Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] }, number)
            })
            .collect();
        let mut nodes = Vec::new();
        halve(&members, 0, 64, &mut nodes);
        (members, nodes)
    }

    fn halve(members: &[WideBox], first: usize, count: usize, nodes: &mut Vec<BinaryNode>) {
        let bounds = WideBox::around(&members[first..first + count]);
        let place = nodes.len();
        let (start, len) = (first as u32, count as u32);
        nodes.push(BinaryNode { bounds, first: start, count: len, second: 0 });
        if count > 1 {
            halve(members, first, count / 2, nodes);
            nodes[place].second = nodes.len() as u32;
            halve(members, first + count / 2, count / 2, nodes);
        }
    }

    #[test]
    fn a_bad_tree_becomes_better_and_keeps_every_member() {
        let (mut members, nodes) = shuffled();
        let area = |nodes: &[BinaryNode]| -> f32 { nodes.iter().map(|n| n.bounds.area()).sum() };
        let before = area(&nodes);
        let nodes = improve(&mut members, nodes, 2, 6);
        assert!(area(&nodes) < 0.8 * before, "{} of {before}", area(&nodes));
        let mut numbers: Vec<u32> = members.iter().map(WideBox::number).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..64));
        for node in &nodes {
            let own = &members[node.first as usize..][..node.count as usize];
            assert_eq!(WideBox::around(own).bounds(), node.bounds.bounds());
        }
    }
}
