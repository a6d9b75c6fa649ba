//! Where do nodes and leaves lie in memory? Depth first: what a ray visits next is near.

use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use super::{Bvh, Preset};
use super::binary::{self, BinaryNode, WideBox};
use super::collapse::Plan;
use super::node::{self, Child, EMPTY_NODE, Line, NODE_LINES};
use super::pages::Lines;

/// Ranges of so few triangles are not worth splitting: they end up in one leaf.
const BUNDLE: usize = 2;

pub(super) fn build(mesh: &TriangleMesh, preset: Preset, level: Level) -> Bvh {
    let mut order: Vec<WideBox> = mesh
        .corners()
        .zip(0..)
        .map(|(triangle, number)| WideBox::new(&triangle.guarded_bounds(), number))
        .collect();
    let tree = if order.is_empty() {
        Vec::new()
    } else {
        binary::build(level, &mut order, BUNDLE, preset.most_bins())
    };
    of(mesh, &order, &tree, level)
}

/// The layout of a binary tree over these members, of which several may be of one triangle.
pub(super) fn of(mesh: &TriangleMesh, order: &[WideBox], tree: &[BinaryNode], level: Level) -> Bvh {
    if tree.is_empty() {
        return Bvh { lines: Lines::new(Vec::new()), root: None, level };
    }
    let plan = Plan::new(tree);
    let mut layout = Layout { mesh, order, tree, plan: &plan, lines: Vec::new() };
    let root = Some(layout.place(0));
    Bvh { lines: Lines::new(layout.lines), root, level }
}

struct Layout<'a> {
    mesh: &'a TriangleMesh,
    order: &'a [WideBox],
    tree: &'a [BinaryNode],
    plan: &'a Plan,
    lines: Vec<Line>,
}

impl Layout<'_> {
    fn place(&mut self, place: usize) -> Child {
        if self.plan.is_leaf(place) { self.place_leaf(place) } else { self.place_node(place) }
    }

    fn place_node(&mut self, place: usize) -> Child {
        let line = self.lines.len();
        self.lines.extend(EMPTY_NODE);
        let mut node = EMPTY_NODE;
        for (lane, below) in self.plan.children(self.tree, place).iter().enumerate() {
            let child = self.place(below);
            node::set_child(&mut node, lane, &self.tree[below].bounds.bounds(), child);
        }
        self.lines[line..line + NODE_LINES].copy_from_slice(&node);
        Child::node(line)
    }

    fn place_leaf(&mut self, place: usize) -> Child {
        let BinaryNode { first, count, .. } = self.tree[place];
        let members = &self.order[first as usize..][..count as usize];
        let line = self.lines.len();
        self.lines.extend(node::leaf_of(self.mesh, members.iter().map(WideBox::number)));
        Child::leaf(line, members.len())
    }
}
