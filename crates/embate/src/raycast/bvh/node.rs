//! How do nodes and leaves lie in memory?
//!
//! The whole tree is one list of cache lines. A node takes four of them, a leaf five:
//!
//! ```text
//!   line   node                                      leaf of up to eight triangles
//!   0      least x of 8 children │ greatest x        a.x of 8 triangles │ b.x
//!   1      least y               │ greatest y        a.y                │ b.y
//!   2      least z               │ greatest z        a.z                │ b.z
//!   3      which child           │ –                 c.x                │ c.y
//!   4                                                c.z                │ numbers in the mesh
//! ```
//!
//! So a child is fetched ahead without asking what it is, and a ray finds its axes by one multiplication.
#![allow(clippy::inline_always)]

use embate_geom::{Aabb, EightTriangles};
use embate_mesh::TriangleMesh;
use prefetch_index::prefetch_index;

/// Children of a node, and triangles of a leaf.
pub(super) const WIDTH: usize = 8;
pub(super) const NODE_LINES: usize = 4;
pub(super) const LEAF_LINES: usize = 5;

/// Eight numbers side by side; whole numbers are kept by their bits.
pub(super) type Row = [f32; WIDTH];

/// One cache line.
pub(super) type Line = [Row; 2];

pub(super) const ZERO: Line = [[0.0; WIDTH]; 2];
const NO_BOX: Line = [[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]];

pub(super) type Node = [Line; NODE_LINES];

/// A node without children: no ray crosses any of its boxes.
pub(super) const EMPTY_NODE: Node = [NO_BOX, NO_BOX, NO_BOX, ZERO];

/// Up to eight triangles; lanes without one hold a point.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a>(&'a [Line; LEAF_LINES]);

#[inline(always)]
pub(super) fn node(lines: &[Line], child: Child) -> Option<&Node> {
    lines.get(child.line()..child.line() + NODE_LINES)?.first_chunk()
}

#[inline(always)]
pub(super) fn leaf(lines: &[Line], child: Child) -> Option<Leaf<'_>> {
    Some(Leaf(lines.get(child.line()..child.line() + LEAF_LINES)?.first_chunk()?))
}

/// Asks memory for a child that will be visited soon. Nothing is read and nothing can fail; where the
/// machine has no such instruction (wasm) nothing happens.
#[inline(always)]
pub(super) fn fetch_ahead(lines: &[Line], child: Child) {
    for line in 0..LEAF_LINES {
        prefetch_index(lines, child.line() + line);
    }
}

/// The first line of a child, whether it is a leaf, and if so of how many triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child(pub(super) u32);

impl Child {
    const LEAF: u32 = 1 << 31;
    const COUNT_SHIFT: u32 = 28;
    /// Lines that can be told apart: 16 GiB, some 200 million triangles.
    pub(super) const MOST_LINES: usize = 1 << Self::COUNT_SHIFT;

    /// No child: line 1 is within the root. Counts as a leaf, and may be fetched ahead.
    pub(super) const NONE: Self = Self(Self::LEAF | 1);

    pub(super) fn node(line: usize) -> Self {
        Self(line as u32)
    }

    pub(super) fn leaf(line: usize, count: usize) -> Self {
        Self(Self::LEAF | ((count - 1) as u32) << Self::COUNT_SHIFT | line as u32)
    }

    #[inline(always)]
    pub(super) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    #[inline(always)]
    pub(super) fn line(self) -> usize {
        self.0 as usize & (Self::MOST_LINES - 1)
    }

    /// Triangles of a leaf.
    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        (self.0 >> Self::COUNT_SHIFT & 7) + 1
    }
}

pub(super) fn set_child(node: &mut Node, lane: usize, bounds: &Aabb<3>, child: Child) {
    for axis in 0..3 {
        node[axis][0][lane] = bounds.min[axis];
        node[axis][1][lane] = bounds.max[axis];
    }
    node[3][0][lane] = f32::from_bits(child.0);
}

#[inline(always)]
pub(super) fn children(node: &Node) -> &Row {
    &node[3][0]
}

/// The lines of a leaf with these triangles of the mesh.
pub(super) fn leaf_of(
    mesh: &TriangleMesh,
    members: impl Iterator<Item = u32>,
) -> [Line; LEAF_LINES] {
    let mut lines = [ZERO; LEAF_LINES];
    for (lane, number) in members.take(WIDTH).enumerate() {
        let triangle = mesh.triangle(number);
        for (corner, point) in triangle.0.iter().enumerate() {
            for (axis, &value) in point.iter().enumerate() {
                lines.as_flattened_mut()[row(corner, axis)][lane] = value;
            }
        }
        lines[4][1][lane] = f32::from_bits(number);
    }
    lines
}

/// Which row of a leaf: there is one for any axis below 4.
#[inline(always)]
fn row(corner: usize, axis: usize) -> usize {
    if corner < 2 { 2 * axis + corner } else { 6 + axis }
}

impl<'a> Leaf<'a> {
    /// Of the triangles, in the mesh.
    #[inline(always)]
    pub(super) fn numbers(self) -> &'a Row {
        &self.0[4][1]
    }
}

impl EightTriangles for Leaf<'_> {
    #[inline(always)]
    fn row(&self, corner: usize, axis: usize) -> &Row {
        &self.0.as_flattened()[row(corner, axis)]
    }
}

/// The box of one lane; `None` if it has no child.
pub(super) fn bounds(node: &Node, lane: usize) -> Option<Aabb<3>> {
    let side = |side: usize| core::array::from_fn(|axis| node[axis][side][lane]);
    let bounds = Aabb { min: side(0), max: side(1) };
    (bounds.min[0] <= bounds.max[0]).then_some(bounds)
}

/// The box around all children.
pub(super) fn hull(node: &Node) -> Aabb<3> {
    let boxes = (0..WIDTH).filter_map(|lane| bounds(node, lane));
    boxes.reduce(|a, b| a.joined(&b)).unwrap_or(Aabb { min: [0.0; 3], max: [0.0; 3] })
}

/// Where the children of a node are entered. (Aligned: a vector that lies across two lines, or pages, is slow.)
#[repr(align(64))]
pub(super) struct Enter(pub(super) Row);
