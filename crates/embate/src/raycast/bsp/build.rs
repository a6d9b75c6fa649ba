//! Builder of the BSP tree: divides cells until one block of triangles is left in each.

use embate_geom::{Aabb, Triangle};
use embate_mesh::TriangleMesh;

use crate::parallel;
use crate::raycast::bsp::partition::{find_plane, is_division};
use crate::raycast::bsp::plane::{Plane, Side};
use crate::raycast::bsp::{BspNode, BspTree, MAX_DEPTH};
use crate::raycast::cell_reference::{CellReference, max_references};
use crate::raycast::triangle_blocks::{BLOCK_SIZE, BlockRange, TriangleBlocks};

/// Cells with at least this many references are built by two threads.
const MIN_PARALLEL_REFERENCES: usize = 4_096;

pub(super) fn build(mesh: &TriangleMesh, per_triangle: usize) -> BspTree {
    let triangles: Vec<Triangle> = mesh.iter_triangles().collect();
    let references = CellReference::all(mesh);
    let mut tree = BspTree {
        nodes: Vec::new(),
        blocks: TriangleBlocks::new(),
        bounds: Aabb { min: [0.0; 3], max: [0.0; 3] },
    };
    let Some(bounds) = CellReference::merged_bounds(&references) else { return tree };
    tree.bounds = bounds;
    let spare = max_references(triangles.len(), per_triangle).saturating_sub(triangles.len());
    let depth = max_depth(triangles.len());
    let root = BspBuilder { triangles: &triangles }.build_cell(references, depth, spare);
    tree.nodes.push(BspNode::Leaf(BlockRange::default()));
    flatten(&root, 0, &triangles, &mut tree);
    tree.nodes.shrink_to_fit();
    tree.blocks.shrink_to_fit();
    tree
}

/// Twice the depth of a balanced tree, and some more for small ones.
fn max_depth(triangles: usize) -> usize {
    (8 + 2 * triangles.max(1).ilog2() as usize).min(MAX_DEPTH)
}

/// A built part of the tree.
enum Subtree {
    Leaf(Vec<u32>),
    Inner { plane: Plane, coplanar: Vec<u32>, thickness: f64, children: Box<[Self; 2]> },
}

/// References divided by a plane.
#[derive(Default)]
struct Partition {
    low: Vec<CellReference>,
    high: Vec<CellReference>,
    coplanar: Vec<u32>,
    /// Largest distance of a hit of a triangle on the plane.
    thickness: f64,
}

#[derive(Clone, Copy)]
struct BspBuilder<'a> {
    triangles: &'a [Triangle],
}

impl BspBuilder<'_> {
    /// The subtree of a cell, at most `depth` levels deep. It adds at most `spare` references.
    fn build_cell(self, references: Vec<CellReference>, depth: usize, spare: usize) -> Subtree {
        let Some((plane, partition)) = self.partition(&references, depth, spare) else {
            return Subtree::Leaf(references.iter().map(|reference| reference.triangle).collect());
        };
        let Partition { low, high, coplanar, thickness } = partition;
        let (before, after) = (references.len(), low.len() + high.len());
        drop(references);
        let spare = spare.saturating_sub((after + coplanar.len()).saturating_sub(before));
        let low_spare = (spare as u128 * low.len() as u128 / after.max(1) as u128) as usize;
        let high_spare = spare - low_spare;
        let build_low = || self.build_cell(low, depth - 1, low_spare);
        let build_high = || self.build_cell(high, depth - 1, high_spare);
        let (low, high) = if before < MIN_PARALLEL_REFERENCES {
            (build_low(), build_high())
        } else {
            parallel::join(build_low, build_high)
        };
        Subtree::Inner { plane, coplanar, thickness, children: Box::new([low, high]) }
    }

    /// The best plane and what it divides; `None` if the cell stays a leaf.
    fn partition(
        self,
        references: &[CellReference],
        depth: usize,
        spare: usize,
    ) -> Option<(Plane, Partition)> {
        let count = references.len();
        if count <= BLOCK_SIZE || depth == 0 {
            return None;
        }
        let plane = find_plane(references, self.triangles)?;
        let partition = self.divide(references, &plane);
        let Partition { low, high, coplanar, .. } = &partition;
        // The plane was chosen on a sample, and may be of no use to all.
        let is_useful = is_division(low.len().max(high.len()), count);
        let added = (low.len() + high.len() + coplanar.len()).saturating_sub(count);
        (is_useful && added <= spare).then_some((plane, partition))
    }

    fn divide(self, references: &[CellReference], plane: &Plane) -> Partition {
        let mut partition = Partition::default();
        for reference in references {
            match plane.side(reference, &self.triangles[reference.triangle as usize]) {
                Side::Low => partition.low.push(*reference),
                Side::High => partition.high.push(*reference),
                Side::On(thickness) => {
                    partition.coplanar.push(reference.triangle);
                    if thickness > partition.thickness {
                        partition.thickness = thickness;
                    }
                }
                // Bounds are clipped by axis-aligned planes only: an AABB is hardly smaller for an
                // oblique one.
                Side::Both => {
                    let position = plane.offset as f32;
                    let split = |axis| reference.split(self.triangles, axis, position);
                    let [below, above] = plane.axis().map_or([Some(*reference); 2], split);
                    partition.low.extend(below);
                    partition.high.extend(above);
                }
            }
        }
        partition
    }
}

/// Writes a subtree to the node `index` and behind the nodes that exist, depth first.
fn flatten(subtree: &Subtree, index: usize, triangles: &[Triangle], tree: &mut BspTree) {
    match subtree {
        Subtree::Leaf(ids) => tree.nodes[index] = BspNode::Leaf(tree.blocks.push(triangles, ids)),
        Subtree::Inner { plane, coplanar, thickness, children } => {
            let low_child = tree.nodes.len();
            tree.nodes.extend([BspNode::Leaf(BlockRange::default()); 2]);
            tree.nodes[index] = BspNode::Inner {
                plane: *plane,
                coplanar: tree.blocks.push(triangles, coplanar),
                thickness: (*thickness as f32).next_up(),
                low_child: low_child as u32,
            };
            for (child, index) in children.iter().zip(low_child..) {
                flatten(child, index, triangles, tree);
            }
        }
    }
}
