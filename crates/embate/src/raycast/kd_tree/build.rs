//! Builder of the k-d tree: divides cells while that lowers the expected cost.

use embate_geom::{Aabb, Triangle};
use embate_mesh::TriangleMesh;

use crate::parallel;
use crate::raycast::cell_reference::{CellReference, max_references};
use crate::raycast::kd_tree::sah::{SplitPlane, find_split};
use crate::raycast::kd_tree::{KdNode, KdTree, MAX_DEPTH, halves};
use crate::raycast::triangle_blocks::{BlockRange, TriangleBlocks};

/// Cells with at least this many references are built by two threads.
const MIN_PARALLEL_REFERENCES: usize = 4_096;

pub(super) fn build(mesh: &TriangleMesh, per_triangle: usize) -> KdTree {
    let triangles: Vec<Triangle> = mesh.iter_triangles().collect();
    let references = CellReference::all(mesh);
    let mut tree = KdTree {
        nodes: Vec::new(),
        blocks: TriangleBlocks::new(),
        bounds: Aabb { min: [0.0; 3], max: [0.0; 3] },
    };
    let Some(bounds) = CellReference::merged_bounds(&references) else { return tree };
    tree.bounds = bounds;
    let spare = max_references(triangles.len(), per_triangle).saturating_sub(triangles.len());
    let depth = max_depth(triangles.len());
    let root = KdBuilder { triangles: &triangles }.build_cell(references, bounds, depth, spare);
    tree.nodes.push(KdNode::Leaf(BlockRange::default()));
    flatten(&root, 0, &triangles, &mut tree);
    tree.nodes.shrink_to_fit();
    tree.blocks.shrink_to_fit();
    tree
}

/// 8 + 1.3 log₂ n, as in pbrt (Pharr, Jakob, Humphreys 2016, section 4.4).
fn max_depth(triangles: usize) -> usize {
    (8 + triangles.max(1).ilog2() as usize * 13 / 10).min(MAX_DEPTH)
}

/// A built part of the tree.
enum Subtree {
    Leaf(Vec<u32>),
    Inner { axis: usize, plane: f32, children: Box<[Self; 2]> },
}

#[derive(Clone, Copy)]
struct KdBuilder<'a> {
    triangles: &'a [Triangle],
}

impl KdBuilder<'_> {
    /// The subtree of a cell, at most `depth` levels deep. It adds at most `spare` references.
    fn build_cell(
        self,
        references: Vec<CellReference>,
        cell: Aabb<3>,
        depth: usize,
        spare: usize,
    ) -> Subtree {
        let split = if depth == 0 { None } else { find_split(&references, &cell, spare) };
        let Some(SplitPlane { axis, plane, .. }) = split else {
            return Subtree::Leaf(references.iter().map(|reference| reference.triangle).collect());
        };
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for reference in &references {
            let [below, above] = reference.split(self.triangles, axis, plane);
            low.extend(below);
            high.extend(above);
        }
        let (before, after) = (references.len(), low.len() + high.len());
        drop(references);
        let spare = spare.saturating_sub(after.saturating_sub(before));
        let low_spare = (spare as u128 * low.len() as u128 / after.max(1) as u128) as usize;
        let high_spare = spare - low_spare;
        let [low_cell, high_cell] = halves(cell, axis, plane);
        let build_low = || self.build_cell(low, low_cell, depth - 1, low_spare);
        let build_high = || self.build_cell(high, high_cell, depth - 1, high_spare);
        let (low, high) = if before < MIN_PARALLEL_REFERENCES {
            (build_low(), build_high())
        } else {
            parallel::join(build_low, build_high)
        };
        Subtree::Inner { axis, plane, children: Box::new([low, high]) }
    }
}

/// Writes a subtree to the node `index` and behind the nodes that exist, depth first.
fn flatten(subtree: &Subtree, index: usize, triangles: &[Triangle], tree: &mut KdTree) {
    match subtree {
        Subtree::Leaf(ids) => tree.nodes[index] = KdNode::Leaf(tree.blocks.push(triangles, ids)),
        Subtree::Inner { axis, plane, children } => {
            let low_child = tree.nodes.len();
            tree.nodes.extend([KdNode::Leaf(BlockRange::default()); 2]);
            tree.nodes[index] =
                KdNode::Inner { axis: *axis as u8, plane: *plane, low_child: low_child as u32 };
            for (child, index) in children.iter().zip(low_child..) {
                flatten(child, index, triangles, tree);
            }
        }
    }
}
