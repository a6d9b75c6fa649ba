//! BVH refit: recomputes all boxes for moved vertices and keeps the topology.
//!
//! Boxes that were tight when the tree was built may grow and overlap. The degradation is measured
//! by the SAH cost, the same model the tree was built with.

use std::sync::Arc;

use embate_geom::Aabb;
use embate_mesh::TriangleMesh;

use crate::parallel;
use crate::raycast::bvh::Bvh;
use crate::raycast::bvh::huge_page_buffer::CacheLines;
use crate::raycast::bvh::leaf::{LeafWriter, Leaves, SharedVertices};
use crate::raycast::bvh::node::{self, CacheLine, NODE_LINES, NodeRef, WIDTH};

/// SAH cost of a leaf relative to a node visit, as in the wide collapse.
const LEAF_COST: f64 = 0.9;

/// Subtrees of at least this many cache lines are refitted by two threads.
const MIN_PARALLEL_LINES: usize = 16_384;

impl Bvh {
    /// Refits the tree to a mesh with the same triangles and moved vertices, on the current rayon
    /// pool, and returns the new [`sah_cost`](Self::sah_cost). Results equal those of
    /// [`BruteForce`](crate::raycast::BruteForce) on that mesh, to the bit.
    ///
    /// After spatial splits each leaf gets the box of its whole triangles: correct, but looser.
    pub(crate) fn refit(&mut self, mesh: &TriangleMesh) -> f64 {
        let Some(root) = self.root else { return 0.0 };
        let shared = self.shared_vertices.as_ref().map(|_| SharedVertices::new(mesh));
        let leaves = LeafWriter { mesh, shared: shared.as_ref() };
        let refitted = refit_subtree(self.lines.to_mut(), 0, root, leaves);
        self.shared_vertices = shared.map(|shared| Arc::new(shared.vertices));
        normalized_cost(&refitted)
    }

    /// SAH cost: the expected number of visits of a ray that hits the root box, 1 per node and
    /// [`LEAF_COST`] per leaf, each weighted by its surface area. The box of a leaf is that of its
    /// whole triangles.
    pub(crate) fn sah_cost(&self) -> f64 {
        let Some(root) = self.root else { return 0.0 };
        normalized_cost(&measure_subtree(self.leaves(), root))
    }
}

impl CacheLines {
    /// Mutable access, copy on write: clones keep their contents.
    fn to_mut(&mut self) -> &mut [CacheLine] {
        if let Self::Mapped { pages, .. } = self
            && Arc::get_mut(pages).is_none()
        {
            *self = Self::Heap(Arc::new(self.as_slice().to_vec()));
        }
        match self {
            Self::Heap(lines) => Arc::make_mut(lines).as_mut_slice(),
            Self::Mapped { pages, offset, byte_len } => {
                let pages = Arc::get_mut(pages).map_or(&mut [][..], |pages| &mut pages[..]);
                bytemuck::cast_slice_mut(&mut pages[*offset..*offset + *byte_len])
            }
        }
    }
}

/// Bounds and SAH cost of a subtree.
struct SubtreeCost {
    bounds: Option<Aabb<3>>,
    /// Sum over all its nodes and leaves of cost times half surface area.
    cost: f64,
}

/// Cost relative to the surface area of the root.
fn normalized_cost(root: &SubtreeCost) -> f64 {
    let area = root.bounds.as_ref().map_or(0.0, half_area);
    if area > 0.0 { root.cost / area } else { 0.0 }
}

/// Half surface area.
fn half_area(bounds: &Aabb<3>) -> f64 {
    let side = |axis: usize| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]);
    let [x, y, z] = core::array::from_fn(side);
    x * (y + z) + y * z
}

fn leaf_cost(bounds: Option<Aabb<3>>) -> SubtreeCost {
    SubtreeCost { cost: LEAF_COST * bounds.as_ref().map_or(0.0, half_area), bounds }
}

/// Cost of a node over the given children.
fn node_cost(children: &[Option<SubtreeCost>; WIDTH]) -> SubtreeCost {
    let present = children.iter().flatten();
    let bounds = present.clone().filter_map(|child| child.bounds).reduce(|a, b| a.merged(&b));
    let children_cost: f64 = present.map(|child| child.cost).sum();
    SubtreeCost { cost: children_cost + bounds.as_ref().map_or(0.0, half_area), bounds }
}

/// Refits the subtree of `child`. `lines` starts at line `first` of the tree.
fn refit_subtree(
    lines: &mut [CacheLine],
    first: usize,
    child: NodeRef,
    leaves: LeafWriter<'_>,
) -> SubtreeCost {
    let start = child.line() - first;
    if child.is_leaf() {
        let Some(leaf) = lines.get_mut(start..start + leaves.lines()) else {
            return leaf_cost(None);
        };
        // Triangle indices are the last row of both leaf formats.
        let triangle_ids = leaf.last().map_or([0; WIDTH], |line| line[1].map(f32::to_bits));
        let triangle_ids = &triangle_ids[..child.count() as usize];
        leaves.fill(leaf, triangle_ids.iter().copied());
        let boxes = triangle_ids.iter().map(|&id| leaves.mesh.triangle(id).padded_aabb());
        return leaf_cost(boxes.reduce(|a, b| a.merged(&b)));
    }
    let Some(&node) = lines[start..].first_chunk::<NODE_LINES>() else { return leaf_cost(None) };
    let child_ref = |lane: usize| {
        node::child_bounds(&node, lane).map(|_| NodeRef(node::child_refs(&node)[lane].to_bits()))
    };
    let children: [Option<NodeRef>; WIDTH] = core::array::from_fn(child_ref);
    // Depth-first layout: the lines of a child end where those of the next child start.
    let (_, below) = lines.split_at_mut(start + NODE_LINES);
    let costs = refit_children(below, first + start + NODE_LINES, &children, leaves);
    for (lane, cost) in costs.iter().enumerate() {
        if let (Some(child), Some(SubtreeCost { bounds: Some(bounds), .. })) =
            (children[lane], cost)
            && let Some(node) = lines[start..].first_chunk_mut()
        {
            node::set_child(node, lane, bounds, child);
        }
    }
    node_cost(&costs)
}

/// Refits children stored one after the other; a long range is shared by two threads.
fn refit_children(
    lines: &mut [CacheLine],
    first: usize,
    children: &[Option<NodeRef>; WIDTH],
    leaves: LeafWriter<'_>,
) -> [Option<SubtreeCost>; WIDTH] {
    let half = WIDTH / 2;
    let second_half = children[half..].iter().flatten().next().map(|child| child.line() - first);
    if let Some(second_half) = second_half
        && lines.len() >= MIN_PARALLEL_LINES
        && second_half <= lines.len()
    {
        let (low, high) = lines.split_at_mut(second_half);
        let (mut costs, high_costs) = parallel::join(
            || refit_lanes(low, first, children, 0..half, leaves),
            || refit_lanes(high, first + second_half, children, half..WIDTH, leaves),
        );
        for (cost, high_cost) in costs.iter_mut().zip(high_costs).skip(half) {
            *cost = high_cost;
        }
        return costs;
    }
    refit_lanes(lines, first, children, 0..WIDTH, leaves)
}

fn refit_lanes(
    lines: &mut [CacheLine],
    first: usize,
    children: &[Option<NodeRef>; WIDTH],
    lanes: core::ops::Range<usize>,
    leaves: LeafWriter<'_>,
) -> [Option<SubtreeCost>; WIDTH] {
    core::array::from_fn(|lane| {
        let child = children[lane].filter(|_| lanes.contains(&lane))?;
        Some(refit_subtree(lines, first, child, leaves))
    })
}

/// Bounds and cost of a subtree, as [`refit_subtree`] returns them, without changing it.
fn measure_subtree(leaves: Leaves<'_>, child: NodeRef) -> SubtreeCost {
    if child.is_leaf() {
        let triangles = (0..child.count() as usize).filter_map(|lane| leaves.triangle(child, lane));
        let boxes = triangles.map(|triangle| triangle.padded_aabb());
        return leaf_cost(boxes.reduce(|a, b| a.merged(&b)));
    }
    let Some(node) = node::node(leaves.lines, child) else { return leaf_cost(None) };
    let costs = core::array::from_fn(|lane| {
        node::child_bounds(node, lane)?;
        Some(measure_subtree(leaves, NodeRef(node::child_refs(node)[lane].to_bits())))
    });
    node_cost(&costs)
}
