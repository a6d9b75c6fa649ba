//! BVH serialization as 32-bit words.
//!
//! The cache lines are stored as they are, so loading is validation plus a copy. Guarantee of the
//! validation: every traversal terminates within the buffer, and leaves hold exactly the triangles
//! of the mesh. Whether node boxes contain their children is left to the checksum: wrong boxes lose
//! hits, but cause no other fault.

use std::sync::Arc;

use embate_mesh::TriangleMesh;
use fearless_simd::Level;
use thiserror::Error;

use crate::raycast::bvh::Bvh;
use crate::raycast::bvh::huge_page_buffer::CacheLines;
use crate::raycast::bvh::leaf::{LeafWriter, SharedVertices};
use crate::raycast::bvh::node::{
    self, CacheLine, LEAF_LINES, NODE_LINES, NodeRef, WIDTH, ZERO_LINE,
};

/// Maximum depth accepted. Builds reach a few dozen levels, on the worst meshes some hundreds.
const MAX_TREE_DEPTH: u32 = 1_024;

/// Words per cache line.
pub(crate) const LINE_WORDS: usize = 2 * WIDTH;

/// Rule that a serialized tree violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeDefect {
    /// The reserved word is not 0.
    #[error("the reserved word is not 0")]
    ReservedWord,
    /// Unknown structure code.
    #[error("unknown structure code")]
    UnknownStructure,
    /// A cache line is truncated.
    #[error("a cache line is truncated")]
    TruncatedLine,
    /// The mesh is empty but the tree is not.
    #[error("the mesh is empty but the tree is not")]
    TreeOverEmptyMesh,
    /// Cache lines are unreachable from the root.
    #[error("cache lines are unreachable from the root")]
    UnreachableLines,
    /// A triangle is in no leaf.
    #[error("a triangle is in no leaf")]
    MissingTriangle,
    /// Nodes are not in depth-first order.
    #[error("nodes are not in depth-first order")]
    NodeOrder,
    /// The depth exceeds 1024.
    #[error("the depth exceeds 1024")]
    TooDeep,
    /// A node exceeds the buffer.
    #[error("a node exceeds the buffer")]
    NodeOutOfBounds,
    /// A child box is invalid.
    #[error("a child box is invalid")]
    ChildBox,
    /// A leaf exceeds the buffer.
    #[error("a leaf exceeds the buffer")]
    LeafOutOfBounds,
    /// A leaf references a triangle that does not exist.
    #[error("a leaf references a triangle that does not exist")]
    UnknownTriangle,
    /// A leaf does not match the mesh.
    #[error("a leaf does not match the mesh")]
    LeafMismatch,
}

impl Bvh {
    /// The encoded root reference (0 for an empty tree) and the number of cache lines.
    pub(crate) fn serialized_root(&self) -> (u32, usize) {
        (self.root.map_or(0, |root| root.0), self.lines.as_slice().len())
    }

    /// Whether its leaves share a vertex buffer ([`BuildQuality::Compact`](super::BuildQuality)).
    pub(crate) fn is_compact(&self) -> bool {
        self.shared_vertices.is_some()
    }

    /// All cache lines as words.
    pub(crate) fn serialized_words(&self) -> impl Iterator<Item = u32> + '_ {
        self.lines.as_slice().iter().flatten().flatten().map(|word| word.to_bits())
    }

    /// Reconstructs a tree over `mesh`; on invalid words returns the defect.
    pub(crate) fn from_serialized(
        mesh: &TriangleMesh,
        root: u32,
        is_compact: bool,
        words: impl Iterator<Item = u32>,
    ) -> Result<Self, TreeDefect> {
        let level = Level::new();
        let mut lines: Vec<CacheLine> = Vec::with_capacity(words.size_hint().0 / LINE_WORDS);
        let mut words = words.map(f32::from_bits);
        while let Some(first) = words.next() {
            let mut line = [first; LINE_WORDS];
            for word in &mut line[1..] {
                *word = words.next().ok_or(TreeDefect::TruncatedLine)?;
            }
            lines.push(bytemuck::cast(line));
        }
        if mesh.triangles().is_empty() {
            let is_empty = lines.is_empty() && root == 0;
            let tree = Self {
                lines: CacheLines::new(0, |_| ()),
                root: None,
                shared_vertices: None,
                level,
            };
            return if is_empty { Ok(tree) } else { Err(TreeDefect::TreeOverEmptyMesh) };
        }
        let root = NodeRef(root);
        let shared = is_compact.then(|| SharedVertices::new(mesh));
        let leaves = LeafWriter { mesh, shared: shared.as_ref() };
        let mut validator = TreeValidator {
            leaves,
            lines: &lines,
            next_line: 0,
            is_referenced: vec![false; mesh.triangles().len()],
        };
        validator.validate(root, 0)?;
        if validator.next_line != lines.len() {
            return Err(TreeDefect::UnreachableLines);
        }
        if !validator.is_referenced.iter().all(|&is_referenced| is_referenced) {
            return Err(TreeDefect::MissingTriangle);
        }
        let shared_vertices = shared.map(|shared| Arc::new(shared.vertices));
        let lines = CacheLines::new(lines.len(), |target| target.copy_from_slice(&lines));
        Ok(Self { lines, root: Some(root), shared_vertices, level })
    }
}

/// Recursive validation of an untrusted tree.
struct TreeValidator<'a> {
    leaves: LeafWriter<'a>,
    lines: &'a [CacheLine],
    /// Where the next node or leaf must start. Depth-first order without gaps implies that each is
    /// reached once, so there are no cycles.
    next_line: usize,
    /// Per triangle: whether a leaf references it.
    is_referenced: Vec<bool>,
}

impl TreeValidator<'_> {
    fn validate(&mut self, child: NodeRef, depth: u32) -> Result<(), TreeDefect> {
        if child.line() != self.next_line {
            return Err(TreeDefect::NodeOrder);
        }
        if depth > MAX_TREE_DEPTH {
            return Err(TreeDefect::TooDeep);
        }
        if child.is_leaf() { self.validate_leaf(child) } else { self.validate_node(child, depth) }
    }

    fn validate_node(&mut self, child: NodeRef, depth: u32) -> Result<(), TreeDefect> {
        let node = *node::node(self.lines, child).ok_or(TreeDefect::NodeOutOfBounds)?;
        self.next_line += NODE_LINES;
        for lane in 0..WIDTH {
            let grandchild = NodeRef(node::child_refs(&node)[lane].to_bits());
            let side = |axis: usize| (node[axis][0][lane], node[axis][1][lane]);
            let is_box = |(min, max): (f32, f32)| min.is_finite() && max.is_finite() && min <= max;
            let is_empty = |side| side == (f32::INFINITY, f32::NEG_INFINITY);
            if (0..3).map(side).all(is_box) {
                self.validate(grandchild, depth + 1)?;
            } else if grandchild != NodeRef(0) || !(0..3).map(side).all(is_empty) {
                return Err(TreeDefect::ChildBox);
            }
        }
        Ok(())
    }

    fn validate_leaf(&mut self, child: NodeRef) -> Result<(), TreeDefect> {
        let leaf = self.lines.get(self.next_line..self.next_line + self.leaves.lines());
        let leaf = leaf.ok_or(TreeDefect::LeafOutOfBounds)?;
        self.next_line += leaf.len();
        // Triangle indices are the last row of both leaf formats.
        let triangle_ids = leaf.last().map_or([0; WIDTH], |line| line[1].map(f32::to_bits));
        let triangle_ids = &triangle_ids[..child.count() as usize];
        for &id in triangle_ids {
            let is_referenced = self.is_referenced.get_mut(id as usize);
            *is_referenced.ok_or(TreeDefect::UnknownTriangle)? = true;
        }
        let mut expected = [ZERO_LINE; LEAF_LINES];
        let expected = &mut expected[..leaf.len()];
        self.leaves.fill(expected, triangle_ids.iter().copied());
        if bytemuck::cast_slice::<CacheLine, u32>(leaf)
            != bytemuck::cast_slice::<CacheLine, u32>(expected)
        {
            return Err(TreeDefect::LeafMismatch);
        }
        Ok(())
    }
}
