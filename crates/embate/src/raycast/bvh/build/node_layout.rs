//! Node layout: writes the collapsed tree depth first, so that nodes visited in sequence are close.

use std::sync::Arc;

use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use crate::parallel;
use crate::raycast::bvh::build::binary_builder::{BinaryNode, BinarySahBuilder};
use crate::raycast::bvh::build::prim_ref::PrimRef;
use crate::raycast::bvh::build::reinsertion;
use crate::raycast::bvh::build::wide_collapse::{COMPACT_LEAF_COST, CollapsePlan, LEAF_COST};
use crate::raycast::bvh::huge_page_buffer::CacheLines;
use crate::raycast::bvh::leaf::{LeafWriter, SharedVertices};
use crate::raycast::bvh::node::{self, CacheLine, EMPTY_NODE, NODE_LINES, NodeRef, WIDTH};
use crate::raycast::bvh::{BuildQuality, Bvh};

/// Subtrees of at least this many cache lines are written by several threads.
const MIN_PARALLEL_LINES: usize = 16_384;

pub(crate) fn build(mesh: &TriangleMesh, quality: BuildQuality, level: Level) -> Bvh {
    let count = mesh.triangles().len();
    let prim_ref = |index: usize| match mesh.triangles().get(index) {
        Some(_) => PrimRef::new(&mesh.triangle(index as u32).padded_aabb(), index as u32),
        None => PrimRef::EMPTY,
    };
    let capacity = count + quality.split_budget(count);
    let mut prims: Vec<PrimRef> = parallel::map(capacity, MIN_PARALLEL_LINES, prim_ref);
    let builder = BinarySahBuilder {
        mesh,
        level,
        max_bins: quality.max_bins(),
        max_leaf_size: quality.max_leaf_size(),
    };
    let mut nodes = builder.build(&mut prims, count);
    if let Some(params) = quality.reinsertion()
        && !nodes.is_empty()
    {
        nodes = reinsertion::optimize(&mut prims, nodes, params);
    }
    layout(mesh, &prims, &nodes, quality == BuildQuality::Compact, level)
}

/// Collapses and writes a binary BVH. Several references may belong to one triangle.
pub(crate) fn layout(
    mesh: &TriangleMesh,
    prims: &[PrimRef],
    nodes: &[BinaryNode],
    is_compact: bool,
    level: Level,
) -> Bvh {
    if nodes.is_empty() {
        return Bvh { lines: CacheLines::new(0, |_| ()), root: None, shared_vertices: None, level };
    }
    let shared = is_compact.then(|| SharedVertices::new(mesh));
    let plan = CollapsePlan::new(nodes, if is_compact { COMPACT_LEAF_COST } else { LEAF_COST });
    let leaves = LeafWriter { mesh, shared: shared.as_ref() };
    let writer = NodeWriter { leaves, prims, nodes, plan: &plan };
    let lines = CacheLines::new(plan.lines(0), |lines| writer.write_subtree(0, lines, 0));
    let root = Some(writer.node_ref(0, 0));
    Bvh { lines, root, shared_vertices: shared.map(|shared| Arc::new(shared.vertices)), level }
}

#[derive(Clone, Copy)]
struct NodeWriter<'a> {
    leaves: LeafWriter<'a>,
    prims: &'a [PrimRef],
    nodes: &'a [BinaryNode],
    plan: &'a CollapsePlan,
}

impl NodeWriter<'_> {
    /// Reference to binary node `index`, written at `line`.
    fn node_ref(self, index: usize, line: usize) -> NodeRef {
        if self.plan.is_leaf(index) {
            NodeRef::leaf(line, self.nodes[index].prim_count as usize)
        } else {
            NodeRef::node(line)
        }
    }

    /// Writes the subtree of binary node `index` into `lines`, which starts at line `first_line` of
    /// the tree.
    fn write_subtree(self, index: usize, lines: &mut [CacheLine], first_line: usize) {
        if self.plan.is_leaf(index) {
            let BinaryNode { first_prim, prim_count, .. } = self.nodes[index];
            let prims = &self.prims[first_prim as usize..][..prim_count as usize];
            self.leaves.fill(lines, prims.iter().map(PrimRef::prim_id));
            return;
        }
        let is_parallel = lines.len() >= MIN_PARALLEL_LINES;
        let (own_lines, mut below) = lines.split_at_mut(NODE_LINES);
        let mut node = EMPTY_NODE;
        let mut subtrees: [(usize, &mut [CacheLine], usize); WIDTH] =
            core::array::from_fn(|_| (0, &mut [][..], 0));
        let (mut line, mut len) = (first_line + NODE_LINES, 0);
        let children = self.plan.children(self.nodes, index);
        for (lane, child) in children.iter().enumerate() {
            node::set_child(
                &mut node,
                lane,
                &self.nodes[child].bounds.bounds(),
                self.node_ref(child, line),
            );
            let (child_lines, rest) = below.split_at_mut(self.plan.lines(child));
            let next_line = line + child_lines.len();
            subtrees[lane] = (child, child_lines, line);
            (below, line, len) = (rest, next_line, lane + 1);
        }
        own_lines.copy_from_slice(&node);
        let subtrees = &mut subtrees[..len];
        if is_parallel {
            parallel::for_each(subtrees, |_, (child, lines, line)| {
                self.write_subtree(*child, lines, *line);
            });
        } else {
            for (child, lines, line) in subtrees {
                self.write_subtree(*child, lines, *line);
            }
        }
    }
}
