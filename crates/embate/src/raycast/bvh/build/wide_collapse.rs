//! Wide collapse: the cheapest conversion of a binary BVH into a BVH8 (Ylitie, Karras, Laine 2017).
//!
//! Dynamic programming, bottom up: for every binary node the cost of its subtree if it may take 1
//! to 7 child slots of a wide node. SAH cost model: the probability of a visit is proportional to
//! the surface area; a node visit costs 1, a leaf of up to eight triangles [`LeafCost`].

use core::cmp::Reverse;

use crate::parallel;
use crate::raycast::bvh::build::binary_builder::BinaryNode;
use crate::raycast::bvh::leaf::COMPACT_LEAF_LINES;
use crate::raycast::bvh::node::{LEAF_LINES, NODE_LINES, WIDTH};

/// Cost of a leaf format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafCost {
    /// Time of a leaf test relative to a node visit.
    cost: f32,
    /// Cache lines per leaf.
    lines: u32,
    /// Largest leaf.
    max_triangles: u32,
}

impl LeafCost {
    /// Leaves of triangle ids, outside of the cache lines of a tree, with at most eight triangles.
    pub(crate) fn indexed(cost: f32, max_triangles: u32) -> Self {
        Self { cost, lines: 0, max_triangles: max_triangles.clamp(1, WIDTH as u32) }
    }
}

pub(crate) const LEAF_COST: LeafCost =
    LeafCost { cost: 0.9, lines: LEAF_LINES as u32, max_triangles: WIDTH as u32 };
/// A compact leaf takes longer to test, because its vertices are gathered first. A higher cost
/// would however make more and smaller leaves, and this format is for the least memory.
pub(crate) const COMPACT_LEAF_COST: LeafCost =
    LeafCost { lines: COMPACT_LEAF_LINES as u32, ..LEAF_COST };
/// Subtrees of at least this many nodes are processed by two threads.
const MIN_PARALLEL_NODES: usize = 4_096;

/// Decisions stored in [`NodeCosts::first_child_slots`] besides a number of slots.
const AS_LEAF: u8 = 0;
const FEWER_SLOTS: u8 = 255;
const AS_NODE: u8 = 254;

/// The cheapest collapse of every subtree.
pub(crate) struct CollapsePlan(Vec<NodeCosts>);

/// Costs of one subtree by the number of child slots it takes. One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct NodeCosts {
    /// SAH cost with `index + 1` slots.
    costs: [f32; WIDTH - 1],
    /// Cache lines with `index + 1` slots.
    lines: [u32; WIDTH - 1],
    /// Slots of the first child if the subtree takes `index + 1` slots (last entry: if it is a wide
    /// node itself). [`FEWER_SLOTS`] if fewer slots cost less. Entry 0 is [`AS_LEAF`] or
    /// [`AS_NODE`].
    first_child_slots: [u8; WIDTH],
}

impl NodeCosts {
    const NONE: Self = Self {
        costs: [0.0; WIDTH - 1],
        lines: [0; WIDTH - 1],
        first_child_slots: [FEWER_SLOTS; WIDTH],
    };

    fn leaf(node: &BinaryNode, leaf: LeafCost) -> Self {
        let mut result = Self::NONE;
        result.costs = [node.bounds.half_area() * leaf.cost; WIDTH - 1];
        result.lines = [leaf.lines; WIDTH - 1];
        result.first_child_slots[0] = AS_LEAF;
        result
    }

    fn inner(node: &BinaryNode, leaf: LeafCost, first: &Self, second: &Self) -> Self {
        let area = node.bounds.half_area();
        let mut result = Self::NONE;
        for slots in 2..=WIDTH {
            // Sums may overflow on the largest meshes; every distribution is then equally good.
            let (mut least_cost, mut best) = (f32::INFINITY, 1);
            for first_slots in 1..slots {
                let cost = first.costs[first_slots - 1] + second.costs[slots - first_slots - 1];
                if cost < least_cost {
                    (least_cost, best) = (cost, first_slots);
                }
            }
            let lines = first.lines[best - 1] + second.lines[slots - best - 1];
            result.first_child_slots[slots - 1] = best as u8;
            let index = if slots < WIDTH { slots - 1 } else { 0 };
            result.costs[index] = least_cost;
            result.lines[index] = lines;
        }
        result.costs[0] += area;
        result.lines[0] += NODE_LINES as u32;
        result.first_child_slots[0] = AS_NODE;
        if node.prim_count <= leaf.max_triangles && area * leaf.cost <= result.costs[0] {
            (result.first_child_slots[0], result.costs[0], result.lines[0]) =
                (AS_LEAF, area * leaf.cost, leaf.lines);
        }
        for slots in 2..WIDTH {
            if result.costs[slots - 2] <= result.costs[slots - 1] {
                result.costs[slots - 1] = result.costs[slots - 2];
                result.lines[slots - 1] = result.lines[slots - 2];
                result.first_child_slots[slots - 1] = FEWER_SLOTS;
            }
        }
        result
    }
}

impl CollapsePlan {
    pub(crate) fn new(nodes: &[BinaryNode], leaf: LeafCost) -> Self {
        let mut costs = vec![NodeCosts::NONE; nodes.len()];
        compute_costs(nodes, leaf, 0, &mut costs);
        Self(costs)
    }

    pub(crate) fn is_leaf(&self, index: usize) -> bool {
        self.0[index].first_child_slots[0] == AS_LEAF
    }

    /// Cache lines of the subtree of a node that becomes a leaf or a wide node.
    pub(crate) fn lines(&self, index: usize) -> usize {
        self.0[index].lines[0] as usize
    }

    /// Children of the wide node that binary node `index` becomes, those with the most triangles
    /// first. An any-hit query starts with the last child, which takes the least time and is hit
    /// nearly as often.
    pub(crate) fn children(&self, nodes: &[BinaryNode], index: usize) -> WideChildren {
        let mut children = WideChildren { nodes: [0; WIDTH], len: 0 };
        let first_slots = usize::from(self.0[index].first_child_slots[WIDTH - 1]);
        let second_child = nodes[index].second_child as usize;
        self.collect_children(nodes, index + 1, first_slots, &mut children);
        self.collect_children(nodes, second_child, WIDTH - first_slots, &mut children);
        children.nodes[..children.len].sort_by_key(|&child| Reverse(nodes[child].prim_count));
        children
    }

    fn collect_children(
        &self,
        nodes: &[BinaryNode],
        index: usize,
        mut slots: usize,
        children: &mut WideChildren,
    ) {
        let first_child_slots = &self.0[index].first_child_slots;
        while slots > 1 && first_child_slots[slots - 1] == FEWER_SLOTS {
            slots -= 1;
        }
        if slots == 1 {
            children.nodes[children.len] = index;
            children.len += 1;
            return;
        }
        let first_slots = usize::from(first_child_slots[slots - 1]);
        let second_child = nodes[index].second_child as usize;
        self.collect_children(nodes, index + 1, first_slots, children);
        self.collect_children(nodes, second_child, slots - first_slots, children);
    }
}

/// Computes the costs of the subtree rooted at node `first`, which consists of the next
/// `costs.len()` nodes.
fn compute_costs(nodes: &[BinaryNode], leaf: LeafCost, first: usize, costs: &mut [NodeCosts]) {
    if costs.len() >= MIN_PARALLEL_NODES {
        let second_child = nodes[first].second_child as usize;
        let (root, below) = costs.split_at_mut(1);
        let (first_costs, second_costs) = below.split_at_mut(second_child - first - 1);
        parallel::join(
            || compute_costs(nodes, leaf, first + 1, first_costs),
            || compute_costs(nodes, leaf, second_child, second_costs),
        );
        root[0] = NodeCosts::inner(&nodes[first], leaf, &first_costs[0], &second_costs[0]);
        return;
    }
    // Children follow their parents.
    for index in (0..costs.len()).rev() {
        let node = &nodes[first + index];
        costs[index] = if node.is_leaf() {
            NodeCosts::leaf(node, leaf)
        } else {
            let second_child = node.second_child as usize - first;
            NodeCosts::inner(node, leaf, &costs[index + 1], &costs[second_child])
        };
    }
}

/// Indices of up to eight binary nodes.
pub(crate) struct WideChildren {
    nodes: [usize; WIDTH],
    len: usize,
}

impl WideChildren {
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes[..self.len].iter().copied()
    }
}
