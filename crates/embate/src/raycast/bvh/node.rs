//! Node and leaf format of the BVH8: structure of arrays, in whole cache lines.
//!
//! The tree is one array of 64-byte cache lines. A node takes four lines, a leaf five; leaves of
//! the compact format, two lines of vertex indices, are in [`leaf`](crate::raycast::bvh::leaf):
//!
//! ```text
//!   line   node                             leaf of up to eight triangles (a, b, c)
//!   0      min x of 8 children │ max x      a.x of 8 triangles │ b.x
//!   1      min y               │ max y      a.y                │ b.y
//!   2      min z               │ max z      a.z                │ b.z
//!   3      child references    │ unused     c.x                │ c.y
//!   4                                       c.z                │ triangle indices
//! ```
//!
//! A child can be prefetched before its type is known, and the near and far planes of an axis are
//! at fixed offsets, chosen by the sign of the ray's direction.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use embate_geom::{Aabb, TrianglesSoa};
use embate_mesh::TriangleMesh;
use prefetch_index::prefetch_index;

/// Children per node, and triangles per leaf.
pub(crate) const WIDTH: usize = 8;
pub(super) const NODE_LINES: usize = 4;
pub(super) const LEAF_LINES: usize = 5;

/// One value per child or triangle. Integers are stored by their bits.
pub(crate) type Row8 = [f32; WIDTH];

/// One cache line of 64 bytes.
pub(crate) type CacheLine = [Row8; 2];

pub(crate) const ZERO_LINE: CacheLine = [[0.0; WIDTH]; 2];
const EMPTY_BOXES: CacheLine = [[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]];

pub(crate) type WideNode = [CacheLine; NODE_LINES];

/// Node without children: all boxes are inverted, so no ray hits them.
pub(super) const EMPTY_NODE: WideNode = [EMPTY_BOXES, EMPTY_BOXES, EMPTY_BOXES, ZERO_LINE];

/// Up to eight triangles. Unused lanes hold degenerate triangles at the origin, which the count in
/// the [`NodeRef`] excludes from the test.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a>(&'a [CacheLine; LEAF_LINES]);

#[inline(always)]
pub(super) fn node(lines: &[CacheLine], child: NodeRef) -> Option<&WideNode> {
    lines.get(child.line()..child.line() + NODE_LINES)?.first_chunk()
}

#[inline(always)]
pub(super) fn leaf(lines: &[CacheLine], child: NodeRef) -> Option<Leaf<'_>> {
    Some(Leaf(lines.get(child.line()..child.line() + LEAF_LINES)?.first_chunk()?))
}

/// Prefetches a node or leaf that is visited soon. Any reference is safe, also one out of bounds.
/// No operation on targets without a prefetch instruction (wasm).
#[inline(always)]
pub(super) fn prefetch(lines: &[CacheLine], child: NodeRef) {
    for line in 0..LEAF_LINES {
        prefetch_index(lines, child.line() + line);
    }
}

/// Encoded reference to a node or leaf: bit 31 = leaf, bits 28–30 = triangle count − 1 of a leaf,
/// bits 0–27 = index of its first cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeRef(pub(crate) u32);

impl NodeRef {
    const LEAF: u32 = 1 << 31;
    const COUNT_SHIFT: u32 = 28;
    /// Addressable cache lines: 16 GiB, about 200 million triangles.
    pub(crate) const MAX_LINES: usize = 1 << Self::COUNT_SHIFT;

    /// Returned by an empty stack; a missing child is an empty box with reference 0 instead.
    /// `is_leaf` is true for it, which ends the node loop, and it may be prefetched; no leaf starts
    /// at line 1, which is inside the root.
    pub(crate) const NONE: Self = Self(Self::LEAF | 1);

    pub(crate) fn node(line: usize) -> Self {
        Self(line as u32)
    }

    pub(crate) fn leaf(line: usize, count: usize) -> Self {
        Self(Self::LEAF | ((count - 1) as u32) << Self::COUNT_SHIFT | line as u32)
    }

    #[inline(always)]
    pub(crate) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    #[inline(always)]
    pub(crate) fn line(self) -> usize {
        self.0 as usize & (Self::MAX_LINES - 1)
    }

    /// Number of triangles of a leaf.
    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        (self.0 >> Self::COUNT_SHIFT & 7) + 1
    }
}

pub(super) fn set_child(node: &mut WideNode, lane: usize, bounds: &Aabb<3>, child: NodeRef) {
    for axis in 0..3 {
        node[axis][0][lane] = bounds.min[axis];
        node[axis][1][lane] = bounds.max[axis];
    }
    node[3][0][lane] = f32::from_bits(child.0);
}

/// The encoded [`NodeRef`] of each child.
#[inline(always)]
pub(super) fn child_refs(node: &WideNode) -> &Row8 {
    &node[3][0]
}

/// Encodes the given triangles of the mesh as a leaf.
pub(super) fn encode_leaf(
    mesh: &TriangleMesh,
    triangle_ids: impl Iterator<Item = u32>,
) -> [CacheLine; LEAF_LINES] {
    let mut lines = [ZERO_LINE; LEAF_LINES];
    for (lane, id) in triangle_ids.take(WIDTH).enumerate() {
        let triangle = mesh.triangle(id);
        for (vertex, point) in triangle.0.iter().enumerate() {
            for (axis, &value) in point.iter().enumerate() {
                lines.as_flattened_mut()[row_index(vertex, axis)][lane] = value;
            }
        }
        lines[4][1][lane] = f32::from_bits(id);
    }
    lines
}

/// Row of a vertex coordinate in a leaf. In bounds for every axis below 4.
#[inline(always)]
fn row_index(vertex: usize, axis: usize) -> usize {
    if vertex < 2 { 2 * axis + vertex } else { 6 + axis }
}

impl<'a> Leaf<'a> {
    /// Indices of the triangles in the mesh.
    #[inline(always)]
    pub(super) fn triangle_ids(self) -> &'a Row8 {
        &self.0[4][1]
    }
}

impl TrianglesSoa for Leaf<'_> {
    #[inline(always)]
    fn row(&self, vertex: usize, axis: usize) -> &Row8 {
        &self.0.as_flattened()[row_index(vertex, axis)]
    }
}

/// AABB of the child in `lane`; `None` for an unused lane.
pub(super) fn child_bounds(node: &WideNode, lane: usize) -> Option<Aabb<3>> {
    let side = |side: usize| core::array::from_fn(|axis| node[axis][side][lane]);
    let bounds = Aabb { min: side(0), max: side(1) };
    (bounds.min[0] <= bounds.max[0]).then_some(bounds)
}

/// AABB of all children.
pub(super) fn merged_bounds(node: &WideNode) -> Aabb<3> {
    let boxes = (0..WIDTH).filter_map(|lane| child_bounds(node, lane));
    boxes.reduce(|a, b| a.merged(&b)).unwrap_or(Aabb { min: [0.0; 3], max: [0.0; 3] })
}

/// A row aligned to a cache line: vector access across two lines or pages is slow.
#[repr(align(64))]
pub(crate) struct AlignedRow8(pub(crate) Row8);
