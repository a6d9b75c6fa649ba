//! How are the cells halved until few triangles are left in each?

use embate_geom::{Aabb, Triangle};
use embate_mesh::TriangleMesh;

use super::cut::{Way, choose};
use crate::rays::bvh::{BinaryNode, WideBox};

/// So few are not halved further: they end up in one leaf.
const BUNDLE: usize = 2;
/// So few are not cut: one leaf tests them all at once.
pub(super) const ONE_LEAF: usize = 8;
/// Cells from this size on are halved by two threads.
const WORTH_A_THREAD: usize = 4_096;
/// What a triangle in a leaf takes, with its share of the nodes above.
const BYTES_A_MEMBER: usize = 85;
/// Cutting never makes more: half of what a tree's lines can hold.
const MOST_MEMBERS: usize = 1 << 27;
/// Halvings that separate nothing, before the list is halved instead of the cell: more than there are bits in a number.
const MOST_IDLE: usize = 3 * 160;

/// The members of all cells, cell by cell, and the binary tree over them, parents first.
pub(super) fn build(mesh: &TriangleMesh, budget: usize) -> (Vec<WideBox>, Vec<BinaryNode>) {
    let triangles: Vec<Triangle> = mesh.corners().collect();
    let members: Vec<WideBox> = triangles
        .iter()
        .zip(0..)
        .map(|(triangle, number)| {
            WideBox::new(&triangle.guarded_bounds(), number).with_area(area(triangle))
        })
        .collect();
    if members.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let spare = (budget / BYTES_A_MEMBER).saturating_sub(1).saturating_mul(members.len());
    let spare = spare.min(MOST_MEMBERS.saturating_sub(members.len()));
    let cell = cube_around(&WideBox::around(&members).bounds());
    let grown = Builder { triangles: &triangles }.grow(members, cell, spare);
    (grown.members, grown.nodes)
}

/// Cells are halves of halves of a cube, so that they stay nearly cubes.
fn cube_around(bounds: &Aabb<3>) -> Aabb<3> {
    let half = bounds.longest_side() * 0.5;
    let mut cube = *bounds;
    for axis in 0..3 {
        let middle = bounds.min[axis] * 0.5 + bounds.max[axis] * 0.5;
        let (min, max) = (middle - half, middle + half);
        cube.min[axis] = if min < bounds.min[axis] { min } else { bounds.min[axis] };
        cube.max[axis] = if max > bounds.max[axis] { max } else { bounds.max[axis] };
    }
    cube
}

fn area(triangle: &Triangle) -> f32 {
    let [a, b, c] = triangle.0.map(embate_geom::Vec3::from);
    (b - a).cross(c - a).length() * 0.5
}

/// A part of the octree.
struct Part {
    members: Vec<WideBox>,
    nodes: Vec<BinaryNode>,
}

impl Part {
    fn bundle(members: Vec<WideBox>) -> Self {
        let bounds = WideBox::around(&members);
        let node = BinaryNode { bounds, first: 0, count: members.len() as u32, second: 0 };
        Self { members, nodes: vec![node] }
    }

    /// Under a node of their own.
    fn joined(low: Self, high: Self) -> Self {
        let mut members = low.members;
        let mut nodes = Vec::with_capacity(1 + low.nodes.len() + high.nodes.len());
        let (below, before) = (members.len() as u32, 1 + low.nodes.len() as u32);
        members.extend(high.members);
        let bounds = low.nodes[0].bounds.joined(&high.nodes[0].bounds);
        nodes.push(BinaryNode { bounds, first: 0, count: members.len() as u32, second: before });
        nodes.extend(low.nodes.into_iter().map(|node| node.moved(0, 1)));
        nodes.extend(high.nodes.into_iter().map(|node| node.moved(below, before)));
        Self { members, nodes }
    }
}

#[derive(Clone, Copy)]
struct Builder<'a> {
    triangles: &'a [Triangle],
}

impl Builder<'_> {
    /// `spare` more members than there are may come from cutting.
    fn grow(self, members: Vec<WideBox>, cell: Aabb<3>, spare: usize) -> Part {
        if members.len() <= BUNDLE {
            return Part::bundle(members);
        }
        let Halved { low, high, low_cell, high_cell } = self.halve(&members, cell, spare);
        let (before, after) = (members.len(), low.len() + high.len());
        drop(members);
        let spare = spare.saturating_sub(after - before);
        let of_low = (spare as u128 * low.len() as u128 / after as u128) as usize;
        let of_high = spare - of_low;
        let (low, high) = if before < WORTH_A_THREAD {
            (self.grow(low, low_cell, of_low), self.grow(high, high_cell, of_high))
        } else {
            rayon::join(|| self.grow(low, low_cell, of_low), || self.grow(high, high_cell, of_high))
        };
        Part::joined(low, high)
    }

    /// Halves the cell until its halves differ.
    fn halve(self, members: &[WideBox], mut cell: Aabb<3>, spare: usize) -> Halved {
        for _ in 0..MOST_IDLE {
            let axis = longest_axis(&cell);
            let middle = cell.min[axis] * 0.5 + cell.max[axis] * 0.5;
            if !(cell.min[axis] < middle && middle < cell.max[axis]) {
                break;
            }
            let (mut low_cell, mut high_cell) = (cell, cell);
            (low_cell.max[axis], high_cell.min[axis]) = (middle, middle);
            let (low, high) = match choose(self.triangles, members, axis, middle, spare) {
                Way::Whole => members.iter().partition(|member| member.middle(axis) < 2.0 * middle),
                Way::Cut(low, high) => (low, high),
            };
            if high.is_empty() {
                cell = low_cell;
            } else if low.is_empty() {
                cell = high_cell;
            } else {
                return Halved { low, high, low_cell, high_cell };
            }
        }
        // All in one place: any cut is as good.
        let (low, high) = members.split_at(members.len() / 2);
        Halved { low: low.to_vec(), high: high.to_vec(), low_cell: cell, high_cell: cell }
    }
}

struct Halved {
    low: Vec<WideBox>,
    high: Vec<WideBox>,
    low_cell: Aabb<3>,
    high_cell: Aabb<3>,
}

fn longest_axis(cell: &Aabb<3>) -> usize {
    let side = |axis: usize| cell.max[axis] - cell.min[axis];
    (1..3).fold(0, |longest, axis| if side(axis) > side(longest) { axis } else { longest })
}
