//! Which eight nodes of the binary tree become the children of one wide node?
//!
//! The choice that costs the least, found bottom up (Ylitie, Karras, Laine 2017): for every node, what its
//! subtree costs if it may take 1 … 7 of a wide node's places. A ray is taken to visit a box in
//! proportion to its surface; a visit costs 1 for a node, [`LEAF`] for a leaf of up to eight triangles.

use super::binary::BinaryNode;
use super::node::WIDTH;

/// What testing a leaf costs, against visiting a node.
pub(super) const LEAF: f32 = 0.9;

/// The cheapest way to lay out every subtree.
pub(super) struct Plan {
    /// `costs[node][places - 1]`.
    costs: Vec<[f32; WIDTH - 1]>,
    /// How many places the first child gets, if the subtree takes this many (last entry: if it is a node
    /// of its own); [`FEWER`] if fewer places cost less.
    ways: Vec<[u8; WIDTH]>,
}

/// All the triangles in one leaf.
const ONE_LEAF: u8 = 0;
const FEWER: u8 = 255;
const ONE_NODE: u8 = 254;

impl Plan {
    pub(super) fn new(nodes: &[BinaryNode]) -> Self {
        let mut plan = Self {
            costs: vec![[0.0; WIDTH - 1]; nodes.len()],
            ways: vec![[FEWER; WIDTH]; nodes.len()],
        };
        // Children come after their parents.
        for place in (0..nodes.len()).rev() {
            plan.decide(nodes, place);
        }
        plan
    }

    fn decide(&mut self, nodes: &[BinaryNode], place: usize) {
        let node = &nodes[place];
        let area = node.bounds.area();
        let fits = node.count as usize <= WIDTH;
        let leaf = area * LEAF;
        if node.is_bundle() {
            self.costs[place] = [leaf; WIDTH - 1];
            self.ways[place][0] = ONE_LEAF;
            return;
        }
        let first = self.costs[place + 1];
        let second = self.costs[node.second as usize];
        let mut costs = [0.0; WIDTH - 1];
        let mut ways = [FEWER; WIDTH];
        for places in 2..=WIDTH {
            // (Sums may overflow on the largest meshes; any split is then as good as another.)
            let mut best = (f32::INFINITY, 1);
            for of_first in 1..places {
                let cost = first[of_first - 1] + second[places - of_first - 1];
                if cost < best.0 {
                    best = (cost, of_first as u8);
                }
            }
            ways[places - 1] = best.1;
            if places < WIDTH {
                costs[places - 1] = best.0;
            } else {
                costs[0] = best.0 + area;
            }
        }
        if fits && leaf <= costs[0] {
            (ways[0], costs[0]) = (ONE_LEAF, leaf);
        } else {
            ways[0] = ONE_NODE;
        }
        for places in 2..WIDTH {
            if costs[places - 2] <= costs[places - 1] {
                costs[places - 1] = costs[places - 2];
                ways[places - 1] = FEWER;
            }
        }
        self.costs[place] = costs;
        self.ways[place] = ways;
    }

    pub(super) fn is_leaf(&self, place: usize) -> bool {
        self.ways[place][0] == ONE_LEAF
    }

    /// The children of the wide node that `place` becomes, in the order of the binary tree.
    pub(super) fn children(&self, nodes: &[BinaryNode], place: usize) -> Children {
        let mut children = Children { places: [0; WIDTH], len: 0 };
        let of_first = usize::from(self.ways[place][WIDTH - 1]);
        self.gather(nodes, place + 1, of_first, &mut children);
        self.gather(nodes, nodes[place].second as usize, WIDTH - of_first, &mut children);
        children
    }

    fn gather(&self, nodes: &[BinaryNode], place: usize, places: usize, children: &mut Children) {
        let mut places = places;
        while places > 1 && self.ways[place][places - 1] == FEWER {
            places -= 1;
        }
        if places == 1 {
            children.places[children.len] = place;
            children.len += 1;
            return;
        }
        let of_first = usize::from(self.ways[place][places - 1]);
        self.gather(nodes, place + 1, of_first, children);
        self.gather(nodes, nodes[place].second as usize, places - of_first, children);
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
