//! Where do nodes and leaves lie in memory? Depth first: what a ray visits next is near.

use std::sync::Arc;

use embate_mesh::TriangleMesh;
use fearless_simd::Level;
use rayon::prelude::*;

use super::binary::{BinaryNode, Builder};
use super::collapse::{COMPACT_LEAF, LEAF, Plan};
use super::leaves::{LeafMaker, SharedCorners};
use super::node::{self, Child, EMPTY_NODE, Line, NODE_LINES, WIDTH};
use super::pages::Lines;
use super::reinsert;
use super::wide_box::WideBox;
use super::{Bvh, Preset};

/// Parts of the tree from this many lines on are laid out by several threads.
const WORTH_A_THREAD: usize = 16_384;

pub(super) fn build(mesh: &TriangleMesh, preset: Preset, level: Level) -> Bvh {
    let count = mesh.triangles().len();
    let boxes = |number: u32| match mesh.triangles().get(number as usize) {
        Some(_) => WideBox::new(&mesh.triangle(number).guarded_bounds(), number),
        None => WideBox::NOTHING,
    };
    let room = (count + preset.room_for_cuts(count)) as u32;
    let mut members: Vec<WideBox> =
        (0..room).into_par_iter().with_min_len(WORTH_A_THREAD).map(boxes).collect();
    let builder = Builder { mesh, level, most_bins: preset.most_bins(), bundle: preset.bundle() };
    let mut tree = builder.build(&mut members, count);
    if let Some((every, rounds)) = preset.reinsertion()
        && !tree.is_empty()
    {
        tree = reinsert::improve(&mut members, tree, every, rounds);
    }
    of(mesh, &members, &tree, preset == Preset::Compact, level)
}

/// The layout of a binary tree over these members, of which several may be of one triangle.
pub(super) fn of(
    mesh: &TriangleMesh,
    members: &[WideBox],
    tree: &[BinaryNode],
    is_compact: bool,
    level: Level,
) -> Bvh {
    if tree.is_empty() {
        return Bvh { lines: Lines::new(0, |_| ()), root: None, corners: None, level };
    }
    let shared = is_compact.then(|| SharedCorners::new(mesh));
    let plan = Plan::new(tree, if is_compact { COMPACT_LEAF } else { LEAF });
    let leaves = LeafMaker { mesh, shared: shared.as_ref() };
    let layout = Layout { leaves, members, tree, plan: &plan };
    let lines = Lines::new(plan.lines(0), |lines| layout.place(0, lines, 0));
    let root = Some(layout.child(0, 0));
    Bvh { lines, root, corners: shared.map(|shared| Arc::new(shared.corners)), level }
}

#[derive(Clone, Copy)]
struct Layout<'a> {
    leaves: LeafMaker<'a>,
    members: &'a [WideBox],
    tree: &'a [BinaryNode],
    plan: &'a Plan,
}

impl Layout<'_> {
    /// How a place of the binary tree is referred to that begins at a line.
    fn child(self, place: usize, line: usize) -> Child {
        if self.plan.is_leaf(place) {
            Child::leaf(line, self.tree[place].count as usize)
        } else {
            Child::node(line)
        }
    }

    /// Fills the lines of what is at and below a place; the first of them is line `first` of the tree.
    fn place(self, place: usize, lines: &mut [Line], first: usize) {
        if self.plan.is_leaf(place) {
            let BinaryNode { first, count, .. } = self.tree[place];
            let members = &self.members[first as usize..][..count as usize];
            self.leaves.fill(lines, members.iter().map(WideBox::number));
            return;
        }
        let is_large = lines.len() >= WORTH_A_THREAD;
        let (own, mut below) = lines.split_at_mut(NODE_LINES);
        let mut node = EMPTY_NODE;
        let mut parts: [(usize, &mut [Line], usize); WIDTH] =
            core::array::from_fn(|_| (0, &mut [][..], 0));
        let (mut line, mut len) = (first + NODE_LINES, 0);
        let children = self.plan.children(self.tree, place);
        for (lane, child) in children.iter().enumerate() {
            node::set_child(
                &mut node,
                lane,
                &self.tree[child].bounds.bounds(),
                self.child(child, line),
            );
            let (of_child, rest) = below.split_at_mut(self.plan.lines(child));
            let next = line + of_child.len();
            parts[lane] = (child, of_child, line);
            (below, line, len) = (rest, next, lane + 1);
        }
        own.copy_from_slice(&node);
        let parts = &mut parts[..len];
        if is_large {
            parts.par_iter_mut().for_each(|(child, lines, line)| self.place(*child, lines, *line));
        } else {
            for (child, lines, line) in parts {
                self.place(*child, lines, *line);
            }
        }
    }
}
