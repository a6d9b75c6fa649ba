//! Inspection of the BVH: visits node and leaf boxes, parents before children.

use crate::raycast::NodeBounds;
use crate::raycast::bvh::Bvh;
use crate::raycast::bvh::node::{self, NodeRef, WIDTH};

impl Bvh {
    /// Calls `visit` for the nodes and leaves down to `depth`, parents before children; the root
    /// has depth 0. The subtree of a node for which `visit` returns false is skipped.
    #[doc(alias = "visit_boxes")]
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        let lines = self.lines.as_slice();
        let Some(root) = self.root else { return };
        let bounds = if root.is_leaf() {
            let lanes = 0..root.count() as usize;
            let triangles = lanes.filter_map(|lane| self.leaves().triangle(root, lane));
            triangles.map(|triangle| triangle.aabb()).reduce(|a, b| a.merged(&b))
        } else {
            node::node(lines, root).map(node::merged_bounds)
        };
        let Some(bounds) = bounds else { return };
        let mut stack =
            vec![(root, NodeBounds { bounds, depth: 0, triangles: leaf_triangle_count(root) })];
        while let Some((child, visited)) = stack.pop() {
            if !visit(visited) || visited.depth >= depth || child.is_leaf() {
                continue;
            }
            let Some(node) = node::node(lines, child) else { return };
            // Reversed, so that the first child is popped first.
            for lane in (0..WIDTH).rev() {
                let Some(bounds) = node::child_bounds(node, lane) else { continue };
                let child = NodeRef(node::child_refs(node)[lane].to_bits());
                let next = NodeBounds {
                    bounds,
                    depth: visited.depth + 1,
                    triangles: leaf_triangle_count(child),
                };
                stack.push((child, next));
            }
        }
    }
}

fn leaf_triangle_count(child: NodeRef) -> Option<u32> {
    child.is_leaf().then(|| child.count())
}
