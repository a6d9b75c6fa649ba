//! Octree builder: halves cells until few triangles are left in each.

use embate_geom::{Aabb, Triangle};
use embate_mesh::TriangleMesh;

use crate::parallel;
use crate::raycast::bvh::{BinaryNode, PrimRef};
use crate::raycast::octree::split_heuristic::{SplitChoice, choose_split};

/// Cells with up to this many references are not halved.
const MAX_LEAF_SIZE: usize = 2;
/// Cells with up to this many references are not split spatially: one leaf tests them all at once.
pub(super) const LEAF_CAPACITY: usize = 8;
/// Cells with at least this many references are built by two threads.
const MIN_PARALLEL_PRIMS: usize = 4_096;
/// Upper bound of the references: half of the capacity of a tree.
const MAX_PRIM_REFS: usize = 1 << 27;
/// Halvings that separate nothing before the list is halved instead of the cell: three axes, each
/// more often than an `f32` has bits.
const MAX_EMPTY_HALVINGS: usize = 3 * 160;

/// Builds the cells: the references cell by cell, and the binary tree over them, parents first.
/// `spare` of the number of triangles: the references that spatial splits may add.
pub(in crate::raycast) fn build(
    mesh: &TriangleMesh,
    spare: impl FnOnce(usize) -> usize,
) -> (Vec<PrimRef>, Vec<BinaryNode>) {
    let triangles: Vec<Triangle> = mesh.iter_triangles().collect();
    let prims: Vec<PrimRef> = triangles
        .iter()
        .zip(0..)
        .map(|(triangle, id)| {
            PrimRef::new(&triangle.padded_aabb(), id).with_area(triangle_area(triangle))
        })
        .collect();
    if prims.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let spare = spare(prims.len()).min(MAX_PRIM_REFS.saturating_sub(prims.len()));
    let cell = enclosing_cube(&PrimRef::merge_all(&prims).bounds());
    let root = OctreeBuilder { triangles: &triangles }.build_subtree(prims, cell, spare);
    (root.prims, root.nodes)
}

/// The root cell. Halves of a cube, on the longest axis each, stay nearly cubic.
fn enclosing_cube(bounds: &Aabb<3>) -> Aabb<3> {
    let half = bounds.max_extent() * 0.5;
    let mut cube = *bounds;
    for axis in 0..3 {
        let center = bounds.min[axis] * 0.5 + bounds.max[axis] * 0.5;
        let (min, max) = (center - half, center + half);
        cube.min[axis] = if min < bounds.min[axis] { min } else { bounds.min[axis] };
        cube.max[axis] = if max > bounds.max[axis] { max } else { bounds.max[axis] };
    }
    cube
}

fn triangle_area(triangle: &Triangle) -> f32 {
    let [a, b, c] = triangle.0.map(embate_geom::Vec3::from);
    (b - a).cross(c - a).length() * 0.5
}

/// A built part of the octree.
struct OctreeSubtree {
    prims: Vec<PrimRef>,
    nodes: Vec<BinaryNode>,
}

impl OctreeSubtree {
    fn leaf(prims: Vec<PrimRef>) -> Self {
        let bounds = PrimRef::merge_all(&prims);
        let node =
            BinaryNode { bounds, first_prim: 0, prim_count: prims.len() as u32, second_child: 0 };
        Self { prims, nodes: vec![node] }
    }

    /// A node over two subtrees.
    fn inner(low: Self, high: Self) -> Self {
        let mut prims = low.prims;
        let mut nodes = Vec::with_capacity(1 + low.nodes.len() + high.nodes.len());
        let (prim_offset, node_offset) = (prims.len() as u32, 1 + low.nodes.len() as u32);
        prims.extend(high.prims);
        let bounds = low.nodes[0].bounds.merged(&high.nodes[0].bounds);
        nodes.push(BinaryNode {
            bounds,
            first_prim: 0,
            prim_count: prims.len() as u32,
            second_child: node_offset,
        });
        nodes.extend(low.nodes.into_iter().map(|node| node.offset_by(0, 1)));
        nodes.extend(high.nodes.into_iter().map(|node| node.offset_by(prim_offset, node_offset)));
        Self { prims, nodes }
    }
}

#[derive(Clone, Copy)]
struct OctreeBuilder<'a> {
    triangles: &'a [Triangle],
}

impl OctreeBuilder<'_> {
    /// Spatial splits may add up to `spare` references.
    fn build_subtree(self, prims: Vec<PrimRef>, cell: Aabb<3>, spare: usize) -> OctreeSubtree {
        if prims.len() <= MAX_LEAF_SIZE {
            return OctreeSubtree::leaf(prims);
        }
        let CellSplit { low, high, low_cell, high_cell } = self.split_cell(&prims, cell, spare);
        let (before, after) = (prims.len(), low.len() + high.len());
        drop(prims);
        let spare = spare.saturating_sub(after - before);
        let low_spare = (spare as u128 * low.len() as u128 / after as u128) as usize;
        let high_spare = spare - low_spare;
        let (low, high) = if before < MIN_PARALLEL_PRIMS {
            (
                self.build_subtree(low, low_cell, low_spare),
                self.build_subtree(high, high_cell, high_spare),
            )
        } else {
            parallel::join(
                || self.build_subtree(low, low_cell, low_spare),
                || self.build_subtree(high, high_cell, high_spare),
            )
        };
        OctreeSubtree::inner(low, high)
    }

    /// Halves the cell on its longest axis until both halves have references.
    fn split_cell(self, prims: &[PrimRef], mut cell: Aabb<3>, spare: usize) -> CellSplit {
        for _ in 0..MAX_EMPTY_HALVINGS {
            let axis = longest_axis(&cell);
            let plane = cell.min[axis] * 0.5 + cell.max[axis] * 0.5;
            if !(cell.min[axis] < plane && plane < cell.max[axis]) {
                break;
            }
            let (mut low_cell, mut high_cell) = (cell, cell);
            (low_cell.max[axis], high_cell.min[axis]) = (plane, plane);
            let (low, high) = match choose_split(self.triangles, prims, axis, plane, spare) {
                SplitChoice::Unsplit => {
                    prims.iter().partition(|prim| prim.doubled_center(axis) < 2.0 * plane)
                }
                SplitChoice::Split(low, high) => (low, high),
            };
            if high.is_empty() {
                cell = low_cell;
            } else if low.is_empty() {
                cell = high_cell;
            } else {
                return CellSplit { low, high, low_cell, high_cell };
            }
        }
        // All in one point: every split is equally good.
        let (low, high) = prims.split_at(prims.len() / 2);
        CellSplit { low: low.to_vec(), high: high.to_vec(), low_cell: cell, high_cell: cell }
    }
}

struct CellSplit {
    low: Vec<PrimRef>,
    high: Vec<PrimRef>,
    low_cell: Aabb<3>,
    high_cell: Aabb<3>,
}

fn longest_axis(cell: &Aabb<3>) -> usize {
    let side = |axis: usize| cell.max[axis] - cell.min[axis];
    (1..3).fold(0, |longest, axis| if side(axis) > side(longest) { axis } else { longest })
}
