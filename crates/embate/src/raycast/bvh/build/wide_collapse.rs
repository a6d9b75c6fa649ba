//! Which eight nodes of the binary tree become the children of one wide node?
//!
//! The choice that costs the least, found bottom up (Ylitie, Karras, Laine 2017): for every node, what its
//! subtree costs if it may take 1 … 7 of a wide node's places. A ray is taken to visit a box in
//! proportion to its surface; a visit costs 1 for a node, and for a leaf of up to eight triangles what its kind costs.

use core::cmp::Reverse;

use super::binary::BinaryNode;
use super::leaves::COMPACT_LINES;
use super::node::{LEAF_LINES, NODE_LINES, WIDTH};

/// What a kind of leaf costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafCost {
    /// Of testing it, against visiting a node.
    time: f32,
    lines: u32,
}

pub(super) const LEAF: LeafCost = LeafCost { time: 0.9, lines: LEAF_LINES as u32 };
/// (Its corners are gathered first, and a test takes longer; but taken for dearer, more leaves of fewer triangles are made,
/// and this is the tree that is to take the least memory.)
pub(super) const COMPACT_LEAF: LeafCost = LeafCost { time: LEAF.time, lines: COMPACT_LINES as u32 };
/// Parts of the tree from this many nodes on are planned by two threads.
const WORTH_A_THREAD: usize = 4_096;

/// All the triangles in one leaf.
const ONE_LEAF: u8 = 0;
const FEWER: u8 = 255;
const ONE_NODE: u8 = 254;

/// The cheapest way to lay out every subtree.
pub(super) struct Plan(Vec<Ways>);

/// The ways to lay out one subtree, by the places it takes in a wide node. One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Ways {
    /// What a ray has to do below, by places less one.
    costs: [f32; WIDTH - 1],
    /// The lines it takes.
    lines: [u32; WIDTH - 1],
    /// How many places the first child gets, if the subtree takes this many (last entry: if it is a node
    /// of its own); [`FEWER`] if fewer places cost less.
    of_first: [u8; WIDTH],
}

impl Ways {
    const NONE: Self =
        Self { costs: [0.0; WIDTH - 1], lines: [0; WIDTH - 1], of_first: [FEWER; WIDTH] };

    fn bundle(node: &BinaryNode, leaf: LeafCost) -> Self {
        let mut ways = Self::NONE;
        ways.costs = [node.bounds.area() * leaf.time; WIDTH - 1];
        ways.lines = [leaf.lines; WIDTH - 1];
        ways.of_first[0] = ONE_LEAF;
        ways
    }

    fn joined(node: &BinaryNode, leaf: LeafCost, first: &Self, second: &Self) -> Self {
        let area = node.bounds.area();
        let mut ways = Self::NONE;
        for places in 2..=WIDTH {
            // (Sums may overflow on the largest meshes; any split is then as good as another.)
            let (mut least, mut best) = (f32::INFINITY, 1);
            for of_first in 1..places {
                let cost = first.costs[of_first - 1] + second.costs[places - of_first - 1];
                if cost < least {
                    (least, best) = (cost, of_first);
                }
            }
            let lines = first.lines[best - 1] + second.lines[places - best - 1];
            ways.of_first[places - 1] = best as u8;
            let place = if places < WIDTH { places - 1 } else { 0 };
            ways.costs[place] = least;
            ways.lines[place] = lines;
        }
        ways.costs[0] += area;
        ways.lines[0] += NODE_LINES as u32;
        ways.of_first[0] = ONE_NODE;
        if node.count as usize <= WIDTH && area * leaf.time <= ways.costs[0] {
            (ways.of_first[0], ways.costs[0], ways.lines[0]) =
                (ONE_LEAF, area * leaf.time, leaf.lines);
        }
        for places in 2..WIDTH {
            if ways.costs[places - 2] <= ways.costs[places - 1] {
                ways.costs[places - 1] = ways.costs[places - 2];
                ways.lines[places - 1] = ways.lines[places - 2];
                ways.of_first[places - 1] = FEWER;
            }
        }
        ways
    }
}

impl Plan {
    pub(super) fn new(nodes: &[BinaryNode], leaf: LeafCost) -> Self {
        let mut ways = vec![Ways::NONE; nodes.len()];
        decide(nodes, leaf, 0, &mut ways);
        Self(ways)
    }

    pub(super) fn is_leaf(&self, place: usize) -> bool {
        self.0[place].of_first[0] == ONE_LEAF
    }

    /// The lines of what is at and below a place that is a leaf or a wide node.
    pub(super) fn lines(&self, place: usize) -> usize {
        self.0[place].lines[0] as usize
    }

    /// The children of the wide node that `place` becomes, those of most triangles first: a search for any hit
    /// begins with the last, which takes the least time and hits nearly as often.
    pub(super) fn children(&self, nodes: &[BinaryNode], place: usize) -> Children {
        let mut children = Children { places: [0; WIDTH], len: 0 };
        let of_first = usize::from(self.0[place].of_first[WIDTH - 1]);
        self.gather(nodes, place + 1, of_first, &mut children);
        self.gather(nodes, nodes[place].second as usize, WIDTH - of_first, &mut children);
        children.places[..children.len].sort_by_key(|&child| Reverse(nodes[child].count));
        children
    }

    fn gather(&self, nodes: &[BinaryNode], place: usize, places: usize, children: &mut Children) {
        let of_first = &self.0[place].of_first;
        let mut places = places;
        while places > 1 && of_first[places - 1] == FEWER {
            places -= 1;
        }
        if places == 1 {
            children.places[children.len] = place;
            children.len += 1;
            return;
        }
        let of_first = usize::from(of_first[places - 1]);
        self.gather(nodes, place + 1, of_first, children);
        self.gather(nodes, nodes[place].second as usize, places - of_first, children);
    }
}

/// Decides for the subtree whose nodes begin at `first`, as many as there are `ways`: the whole of it follows
/// its root.
fn decide(nodes: &[BinaryNode], leaf: LeafCost, first: usize, ways: &mut [Ways]) {
    if ways.len() >= WORTH_A_THREAD {
        let second = nodes[first].second as usize;
        let (root, below) = ways.split_at_mut(1);
        let (of_first, of_second) = below.split_at_mut(second - first - 1);
        rayon::join(
            || decide(nodes, leaf, first + 1, of_first),
            || decide(nodes, leaf, second, of_second),
        );
        root[0] = Ways::joined(&nodes[first], leaf, &of_first[0], &of_second[0]);
        return;
    }
    // Children come after their parents.
    for place in (0..ways.len()).rev() {
        let node = &nodes[first + place];
        ways[place] = if node.is_bundle() {
            Ways::bundle(node, leaf)
        } else {
            Ways::joined(node, leaf, &ways[place + 1], &ways[node.second as usize - first])
        };
    }
}

/// Up to eight places of the binary tree.
pub(super) struct Children {
    places: [usize; WIDTH],
    len: usize,
}

impl Children {
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.places[..self.len].iter().copied()
    }
}
