//! Reinsertion optimization of a binary BVH (Meister & Bittner 2018).
//!
//! A top-down builder never revisits a split. Here the nodes with the largest area are removed and
//! reinserted where they increase the area of their ancestors least. Positions are searched for all
//! candidates of a pass in parallel. They are then applied in order of gain, and one that conflicts
//! with an earlier one is dropped. The tree therefore does not depend on the number of threads.

use crate::parallel;
use crate::raycast::bvh::build::binary_builder::BinaryNode;
use crate::raycast::bvh::build::prim_ref::PrimRef;

/// The tree during optimization: nodes in any order, with parent links.
struct ReinsertionTree(Vec<ReinsertionNode>);

/// Parameters of [`optimize`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReinsertionParams {
    /// One in this many nodes, the largest ones, is a candidate in each pass.
    pub(crate) batch_divisor: usize,
    pub(crate) max_passes: usize,
}

#[derive(Clone, Copy)]
struct ReinsertionNode {
    bounds: PrimRef,
    parent: u32,
    /// Both 0 for a leaf: the root is never a child.
    children: [u32; 2],
    first_prim: u32,
    prim_count: u32,
}

impl ReinsertionNode {
    fn is_leaf(&self) -> bool {
        self.children[0] == 0
    }
}

/// A candidate move.
#[derive(Clone, Copy)]
struct Reinsertion {
    /// Decrease of the total surface area.
    gain: f32,
    node: u32,
    new_sibling: u32,
}

/// A pass that reduces the total area (without the top three nodes) by less than this fraction is
/// the last. On a scanned surface this is the first pass; on buildings, whose walls have all sizes,
/// the sixth pass still gains more.
const MIN_PASS_GAIN: f64 = 0.003;

/// Optimizes a tree and reorders its primitive references accordingly.
pub(crate) fn optimize(
    prims: &mut Vec<PrimRef>,
    nodes: Vec<BinaryNode>,
    params: ReinsertionParams,
) -> Vec<BinaryNode> {
    let mut tree = ReinsertionTree::new(&nodes);
    drop(nodes);
    for _ in 0..params.max_passes {
        // NaN if all boxes have zero area; the comparison is then false.
        let is_worth_another = tree.run_pass(params.batch_divisor) >= MIN_PASS_GAIN;
        if !is_worth_another {
            break;
        }
    }
    tree.to_binary_nodes(prims)
}

impl ReinsertionTree {
    fn new(nodes: &[BinaryNode]) -> Self {
        let mut linked: Vec<ReinsertionNode> = nodes
            .iter()
            .map(|node| ReinsertionNode {
                bounds: node.bounds,
                parent: 0,
                children: [0; 2],
                first_prim: node.first_prim,
                prim_count: node.prim_count,
            })
            .collect();
        for (index, node) in (0..).zip(nodes) {
            if !node.is_leaf() {
                let children = [index + 1, node.second_child];
                linked[index as usize].children = children;
                for &child in &children {
                    linked[child as usize].parent = index;
                }
            }
        }
        Self(linked)
    }

    fn node(&self, index: u32) -> &ReinsertionNode {
        &self.0[index as usize]
    }

    fn sibling(&self, index: u32) -> u32 {
        let [a, b] = self.node(self.node(index).parent).children;
        if a == index { b } else { a }
    }

    /// Runs one pass; returns the decrease of the total area relative to it.
    fn run_pass(&mut self, batch_divisor: usize) -> f64 {
        let mut candidates: Vec<(f32, u32)> = (1..self.0.len() as u32)
            .filter(|&index| self.node(index).parent != 0)
            .map(|index| (self.node(index).bounds.half_area(), index))
            .collect();
        let batch_size = candidates.len() / batch_divisor.max(1);
        if batch_size == 0 {
            return 0.0;
        }
        let total: f64 = candidates.iter().map(|&(area, _)| f64::from(area)).sum();
        let by_area = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        candidates.select_nth_unstable_by(batch_size, by_area);
        candidates.truncate(batch_size);
        let mut moves: Vec<Reinsertion> =
            parallel::filter_map(&candidates, |&(_, index)| self.find_reinsertion(index));
        moves.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
        let mut is_touched = vec![false; self.0.len()];
        let mut total_gain = 0.0;
        for Reinsertion { gain, node, new_sibling } in moves {
            let affected = [
                node,
                new_sibling,
                self.sibling(node),
                self.node(node).parent,
                self.node(new_sibling).parent,
            ];
            let is_free = affected.iter().all(|&index| !is_touched[index as usize]);
            if is_free && self.node(node).parent != 0 && !self.is_descendant(new_sibling, node) {
                for &index in &affected {
                    is_touched[index as usize] = true;
                }
                self.reinsert(node, new_sibling);
                total_gain += f64::from(gain);
            }
        }
        total_gain / total
    }

    /// The position where `node` adds the least area. Searches the subtrees of the siblings of all
    /// its ancestors, upwards; subtrees that cannot beat the best gain so far are pruned.
    fn find_reinsertion(&self, node: u32) -> Option<Reinsertion> {
        let bounds = &self.node(node).bounds;
        let area = bounds.half_area();
        let parent = self.node(node).parent;
        let mut best = Reinsertion { gain: 0.0, node, new_sibling: 0 };
        let mut stack: Vec<(f32, u32)> = Vec::new();
        // Area saved by the removal, on the path up to the pivot.
        let mut saved = self.node(parent).bounds.half_area();
        let (mut pivot, mut pivot_sibling) = (parent, self.sibling(node));
        // Bounds of the pivot without the node.
        let mut remaining = self.node(pivot_sibling).bounds;
        loop {
            stack.push((saved, pivot_sibling));
            while let Some((saved, index)) = stack.pop() {
                if saved - area <= best.gain {
                    continue;
                }
                let candidate = self.node(index);
                let gain = saved - candidate.bounds.merged(bounds).half_area();
                if gain > best.gain {
                    (best.gain, best.new_sibling) = (gain, index);
                }
                if !candidate.is_leaf() {
                    let saved = gain + candidate.bounds.half_area();
                    stack.extend(candidate.children.map(|child| (saved, child)));
                }
            }
            if pivot != parent {
                remaining = remaining.merged(&self.node(pivot_sibling).bounds);
                saved += self.node(pivot).bounds.half_area() - remaining.half_area();
            }
            if pivot == 0 {
                break;
            }
            pivot_sibling = self.sibling(pivot);
            pivot = self.node(pivot).parent;
        }
        let is_elsewhere = best.new_sibling != 0
            && best.new_sibling != self.sibling(node)
            && best.new_sibling != parent;
        is_elsewhere.then_some(best)
    }

    /// Whether `index` is `ancestor` or below it.
    fn is_descendant(&self, mut index: u32, ancestor: u32) -> bool {
        while index != 0 {
            if index == ancestor {
                return true;
            }
            index = self.node(index).parent;
        }
        false
    }

    /// Moves `node` beside `new_sibling`, reusing its parent as their common parent.
    fn reinsert(&mut self, node: u32, new_sibling: u32) {
        let (sibling, parent) = (self.sibling(node), self.node(node).parent);
        let grandparent = self.node(parent).parent;
        self.replace_child(grandparent, parent, sibling);
        self.refit(grandparent);
        let new_grandparent = self.node(new_sibling).parent;
        self.replace_child(new_grandparent, new_sibling, parent);
        self.0[parent as usize].children = [new_sibling, node];
        self.0[new_sibling as usize].parent = parent;
        self.refit(parent);
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        let children = &mut self.0[parent as usize].children;
        children[usize::from(children[1] == old)] = new;
        self.0[new as usize].parent = parent;
    }

    /// Recomputes the boxes from `index` up to the root.
    fn refit(&mut self, mut index: u32) {
        loop {
            let [a, b] = self.node(index).children;
            self.0[index as usize].bounds = self.node(a).bounds.merged(&self.node(b).bounds);
            if index == 0 {
                return;
            }
            index = self.node(index).parent;
        }
    }

    /// Restores depth-first order of nodes and primitives.
    fn to_binary_nodes(&self, prims: &mut Vec<PrimRef>) -> Vec<BinaryNode> {
        let mut nodes: Vec<BinaryNode> = Vec::with_capacity(self.0.len());
        let mut ordered = Vec::with_capacity(prims.len());
        // Node, and the parent whose second child it is.
        let mut stack = vec![(0_u32, None)];
        while let Some((index, second_child_of)) = stack.pop() {
            let node = self.node(index);
            let (first_prim, new_index) = (ordered.len() as u32, nodes.len());
            if let Some(parent) = second_child_of {
                nodes[parent as usize].second_child = new_index as u32;
            }
            nodes.push(BinaryNode {
                bounds: node.bounds,
                first_prim,
                prim_count: node.prim_count,
                second_child: 0,
            });
            if node.is_leaf() {
                ordered.extend_from_slice(
                    &prims[node.first_prim as usize..][..node.prim_count as usize],
                );
            } else {
                let [a, b] = node.children;
                stack.extend([(b, Some(new_index as u32)), (a, None)]);
            }
        }
        // Counts of inner nodes are stale after the moves.
        for index in (0..nodes.len()).rev() {
            if !nodes[index].is_leaf() {
                let second = nodes[index].second_child as usize;
                nodes[index].prim_count = nodes[index + 1].prim_count + nodes[second].prim_count;
            }
        }
        *prims = ordered;
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate_geom::Aabb;

    /// Boxes along a line in a poor order: neighbors are far apart in the tree.
    fn shuffled_tree() -> (Vec<PrimRef>, Vec<BinaryNode>) {
        let prims: Vec<PrimRef> = (0..64_u32)
            .map(|id| {
                let x = (id * 29 % 64) as f32;
                PrimRef::new(&Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] }, id)
            })
            .collect();
        let mut nodes = Vec::new();
        split_median(&prims, 0, 64, &mut nodes);
        (prims, nodes)
    }

    fn split_median(prims: &[PrimRef], first: usize, count: usize, nodes: &mut Vec<BinaryNode>) {
        let bounds = PrimRef::merge_all(&prims[first..first + count]);
        let index = nodes.len();
        let (first_prim, prim_count) = (first as u32, count as u32);
        nodes.push(BinaryNode { bounds, first_prim, prim_count, second_child: 0 });
        if count > 1 {
            split_median(prims, first, count / 2, nodes);
            nodes[index].second_child = nodes.len() as u32;
            split_median(prims, first + count / 2, count / 2, nodes);
        }
    }

    #[test]
    fn poor_tree_loses_area_and_keeps_every_prim() {
        let (mut prims, nodes) = shuffled_tree();
        let total_area =
            |nodes: &[BinaryNode]| -> f32 { nodes.iter().map(|n| n.bounds.half_area()).sum() };
        let before = total_area(&nodes);
        let params = ReinsertionParams { batch_divisor: 2, max_passes: 6 };
        let nodes = optimize(&mut prims, nodes, params);
        assert!(total_area(&nodes) < 0.8 * before, "{} of {before}", total_area(&nodes));
        let mut ids: Vec<u32> = prims.iter().map(PrimRef::prim_id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..64));
        for node in &nodes {
            let own = &prims[node.first_prim as usize..][..node.prim_count as usize];
            assert_eq!(PrimRef::merge_all(own).bounds(), node.bounds.bounds());
        }
    }
}
