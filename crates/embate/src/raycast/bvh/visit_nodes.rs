//! What does the tree look like? Its boxes, parents first.

use super::Bvh;
use super::node::{self, Child, WIDTH};
use crate::rays::TreeBox;

impl Bvh {
    /// Tells `visit` of the boxes down to `depth`, the root's being 0; those below one for which it answers false are
    /// left out.
    pub fn visit_boxes(&self, depth: u32, mut visit: impl FnMut(TreeBox) -> bool) {
        let lines = self.lines.as_slice();
        let Some(root) = self.root else { return };
        let bounds = if root.is_leaf() {
            let lanes = 0..root.count() as usize;
            let triangles = lanes.filter_map(|lane| self.leaves().triangle(root, lane));
            triangles.map(|triangle| triangle.bounds()).reduce(|a, b| a.joined(&b))
        } else {
            node::node(lines, root).map(node::hull)
        };
        let Some(bounds) = bounds else { return };
        let mut pending = vec![(root, TreeBox { bounds, depth: 0, triangles: members(root) })];
        while let Some((child, told)) = pending.pop() {
            if !visit(told) || told.depth >= depth || child.is_leaf() {
                continue;
            }
            let Some(node) = node::node(lines, child) else { return };
            // The first child is told first.
            for lane in (0..WIDTH).rev() {
                let Some(bounds) = node::bounds(node, lane) else { continue };
                let child = Child(node::children(node)[lane].to_bits());
                let told = TreeBox { bounds, depth: told.depth + 1, triangles: members(child) };
                pending.push((child, told));
            }
        }
    }
}

fn members(child: Child) -> Option<u32> {
    child.is_leaf().then(|| child.count())
}
