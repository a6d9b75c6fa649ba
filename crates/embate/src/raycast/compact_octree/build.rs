//! Builder of the compact octree: collapses the cells of the octree and quantizes their boxes.

use embate_mesh::TriangleMesh;

use crate::raycast::bvh::{BinaryNode, CollapsePlan, LeafCost, NodeRef, PrimRef, WIDTH};
use crate::raycast::compact_octree::node::{CompactNode, EncodedChild, leaf_ref};
use crate::raycast::octree::build_cells;

/// Time of a leaf relative to a node visit. Fetching vertices makes a leaf cost more than this; the
/// low value makes fuller leaves, and so fewer nodes.
const LEAF_COST: f32 = 0.9;

/// Memory per reference: its id and its share of the nodes above, with leaves of the default size.
const BYTES_PER_PRIM_REF: usize = 8;

/// Trade-off of memory and time.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildParams {
    /// Triangles of the largest leaf.
    pub(super) leaf_size: usize,
    /// Memory budget in bytes per triangle; spatial splits use what whole triangles leave of it.
    pub(super) budget: usize,
}

/// A built octree.
pub(super) struct CompactTree {
    pub(super) nodes: Box<[CompactNode]>,
    pub(super) triangle_ids: Box<[u32]>,
    pub(super) root: Option<NodeRef>,
}

pub(super) fn build(mesh: &TriangleMesh, params: BuildParams) -> CompactTree {
    let spare = |triangles: usize| {
        let spare_bytes = params.budget.saturating_sub(BYTES_PER_PRIM_REF);
        spare_bytes.saturating_mul(triangles) / BYTES_PER_PRIM_REF
    };
    let (prims, nodes) = build_cells(mesh, spare);
    if nodes.is_empty() {
        return CompactTree { nodes: Box::default(), triangle_ids: Box::default(), root: None };
    }
    let leaf_cost = LeafCost::indexed(LEAF_COST, params.leaf_size as u32);
    let plan = CollapsePlan::new(&nodes, leaf_cost);
    let mut writer = NodeWriter {
        prims: &prims,
        binary_nodes: &nodes,
        plan: &plan,
        nodes: Vec::new(),
        triangle_ids: Vec::with_capacity(prims.len()),
    };
    let root = if plan.is_leaf(0) {
        leaf_ref(0, writer.write_leaf(0) as usize)
    } else {
        writer.nodes.push(CompactNode::EMPTY);
        writer.write_node(0, 0);
        NodeRef::node(0)
    };
    CompactTree {
        nodes: writer.nodes.into(),
        triangle_ids: writer.triangle_ids.into(),
        root: Some(root),
    }
}

struct NodeWriter<'a> {
    prims: &'a [PrimRef],
    binary_nodes: &'a [BinaryNode],
    plan: &'a CollapsePlan,
    nodes: Vec<CompactNode>,
    triangle_ids: Vec<u32>,
}

impl NodeWriter<'_> {
    /// Encodes the wide node of binary node `index` into `slot`, and the nodes below it behind the
    /// last one.
    fn write_node(&mut self, index: usize, slot: usize) {
        let (first_child, first_id) = (self.nodes.len(), self.triangle_ids.len());
        let children = self.plan.children(self.binary_nodes, index);
        let mut encoded = [EncodedChild { bounds: self.bounds(index), triangles: 0 }; WIDTH];
        let mut len = 0;
        // Inner children keep their order: most triangles first.
        for child in children.iter().filter(|&child| !self.plan.is_leaf(child)) {
            encoded[len] = EncodedChild { bounds: self.bounds(child), triangles: 0 };
            len += 1;
        }
        self.nodes.resize(first_child + len, CompactNode::EMPTY);
        for child in children.iter().filter(|&child| self.plan.is_leaf(child)) {
            let triangles = self.write_leaf(child);
            encoded[len] = EncodedChild { bounds: self.bounds(child), triangles };
            len += 1;
        }
        self.nodes[slot] =
            CompactNode::encode(&encoded[..len], first_child as u32, first_id as u32);
        let inner = children.iter().filter(|&child| !self.plan.is_leaf(child));
        for (child, slot) in inner.zip(first_child..) {
            self.write_node(child, slot);
        }
    }

    /// Appends the ids of a leaf, ascending and each once, and returns their number.
    fn write_leaf(&mut self, index: usize) -> u32 {
        let BinaryNode { first_prim, prim_count, .. } = self.binary_nodes[index];
        let prims = &self.prims[first_prim as usize..][..prim_count as usize];
        let first = self.triangle_ids.len();
        self.triangle_ids.extend(prims.iter().map(PrimRef::prim_id));
        self.triangle_ids[first..].sort_unstable();
        // Two parts of one triangle can be in one leaf.
        let mut end = first;
        for position in first..self.triangle_ids.len() {
            let id = self.triangle_ids[position];
            if end == first || self.triangle_ids[end - 1] != id {
                self.triangle_ids[end] = id;
                end += 1;
            }
        }
        self.triangle_ids.truncate(end);
        (end - first) as u32
    }

    fn bounds(&self, index: usize) -> embate_geom::Aabb<3> {
        self.binary_nodes[index].bounds.bounds()
    }
}
