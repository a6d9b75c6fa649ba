//! BVH leaves: up to eight triangles, stored by value or, in a compact tree, by vertex index.
//!
//! ```text
//!   line   leaf (node.rs)         compact leaf
//!   0      a.x │ b.x              vertex index a of 8 triangles │ b
//!   1      …                      c                             │ triangle indices
//! ```
//!
//! A compact leaf takes two cache lines instead of five. Its vertices are gathered from a buffer
//! shared by all leaves. The values are those of the mesh, so hits are equal to the bit.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use core::mem::MaybeUninit;
use std::collections::HashMap;

use embate_geom::{Hit8, Triangle, Triangle8, TrianglesSoa, WatertightRay};
use embate_mesh::TriangleMesh;
use fearless_simd::prelude::*;

use crate::raycast::bvh::node::{self, CacheLine, LEAF_LINES, NodeRef, Row8, WIDTH, ZERO_LINE};

pub(super) const COMPACT_LEAF_LINES: usize = 2;

/// Read access to the leaves of a tree.
#[derive(Clone, Copy)]
pub(super) struct Leaves<'a> {
    /// All cache lines of the tree, nodes included.
    pub(super) lines: &'a [CacheLine],
    /// Vertex buffer of a compact tree.
    pub(super) vertices: Option<&'a [[f32; 3]]>,
}

impl<'a> Leaves<'a> {
    /// [`TrianglesSoa::hits`] of the leaf: hit mask, hits, and triangle indices in the mesh.
    #[inline(always)]
    pub(super) fn intersect<'p, S: Simd>(
        &self,
        simd: S,
        child: NodeRef,
        ray: &WatertightRay,
        t_max: f32,
        hit_storage: &'p mut MaybeUninit<Hit8>,
    ) -> Option<(u32, &'p Hit8, &'a Row8)> {
        let lane_mask = (1 << child.count()) - 1;
        if let Some(vertices) = self.vertices {
            let leaf = compact_leaf(self.lines, child)?;
            let block = gather_triangles(leaf, vertices, child.count() as usize);
            let (hit_mask, hits) = block.hits(simd, ray, lane_mask, t_max, hit_storage)?;
            return Some((hit_mask, hits, &leaf[1][1]));
        }
        let leaf = node::leaf(self.lines, child)?;
        let (hit_mask, hits) = leaf.hits(simd, ray, lane_mask, t_max, hit_storage)?;
        Some((hit_mask, hits, leaf.triangle_ids()))
    }

    /// Indices of the triangles in the mesh.
    #[inline(always)]
    pub(super) fn triangle_ids(&self, child: NodeRef) -> Option<&'a Row8> {
        if self.vertices.is_some() {
            return Some(&compact_leaf(self.lines, child)?[1][1]);
        }
        Some(node::leaf(self.lines, child)?.triangle_ids())
    }

    /// The triangle in `lane`.
    pub(super) fn triangle(self, child: NodeRef, lane: usize) -> Option<Triangle> {
        match self.vertices {
            Some(vertices) => {
                Some(gather_triangle(compact_leaf(self.lines, child)?, vertices, lane))
            }
            None => Some(node::leaf(self.lines, child)?.triangle(lane)),
        }
    }
}

#[inline(always)]
fn compact_leaf(lines: &[CacheLine], child: NodeRef) -> Option<&[CacheLine; COMPACT_LEAF_LINES]> {
    lines.get(child.line()..)?.first_chunk()
}

/// Not inlined: traversal of trees that are not compact must not pay for it.
#[inline(never)]
fn gather_triangles(
    leaf: &[CacheLine; COMPACT_LEAF_LINES],
    vertices: &[[f32; 3]],
    count: usize,
) -> Triangle8 {
    let mut triangles = [Triangle([[0.0; 3]; 3]); WIDTH];
    let count = count.min(WIDTH);
    for (lane, triangle) in triangles[..count].iter_mut().enumerate() {
        *triangle = gather_triangle(leaf, vertices, lane);
    }
    Triangle8::new(&triangles[..count])
}

#[inline(always)]
fn gather_triangle(
    leaf: &[CacheLine; COMPACT_LEAF_LINES],
    vertices: &[[f32; 3]],
    lane: usize,
) -> Triangle {
    let vertex =
        |row: &Row8| vertices.get(row[lane].to_bits() as usize).copied().unwrap_or_default();
    Triangle([vertex(&leaf[0][0]), vertex(&leaf[0][1]), vertex(&leaf[1][0])])
}

/// Encoder of the leaves of a tree over a mesh.
#[derive(Clone, Copy)]
pub(super) struct LeafWriter<'a> {
    pub(super) mesh: &'a TriangleMesh,
    /// Vertex buffer of a compact tree.
    pub(super) shared: Option<&'a SharedVertices>,
}

impl LeafWriter<'_> {
    /// Cache lines per leaf.
    pub(super) fn lines(self) -> usize {
        if self.shared.is_some() { COMPACT_LEAF_LINES } else { LEAF_LINES }
    }

    /// Encodes the given triangles into the [`lines`](Self::lines) cache lines of a leaf.
    pub(super) fn fill(self, lines: &mut [CacheLine], triangle_ids: impl Iterator<Item = u32>) {
        match self.shared {
            Some(shared) => lines.copy_from_slice(&shared.encode_leaf(self.mesh, triangle_ids)),
            None => lines.copy_from_slice(&node::encode_leaf(self.mesh, triangle_ids)),
        }
    }
}

/// Deduplicated vertex buffer of a mesh: bit-equal positions are stored once.
pub(super) struct SharedVertices {
    pub(super) vertices: Vec<[f32; 3]>,
    /// Index into `vertices` of each vertex of the mesh.
    remap: Vec<u32>,
}

impl SharedVertices {
    pub(super) fn new(mesh: &TriangleMesh) -> Self {
        let mut vertices = Vec::new();
        let mut index_of: HashMap<[u32; 3], u32> = HashMap::with_capacity(mesh.positions().len());
        let remap = mesh.positions().iter().map(|&position| {
            *index_of.entry(position.map(f32::to_bits)).or_insert_with(|| {
                vertices.push(position);
                vertices.len() as u32 - 1
            })
        });
        let remap = remap.collect();
        Self { vertices, remap }
    }

    /// Encodes the given triangles of the mesh as a compact leaf.
    pub(super) fn encode_leaf(
        &self,
        mesh: &TriangleMesh,
        triangle_ids: impl Iterator<Item = u32>,
    ) -> [CacheLine; COMPACT_LEAF_LINES] {
        let mut lines = [ZERO_LINE; COMPACT_LEAF_LINES];
        for (lane, id) in triangle_ids.take(WIDTH).enumerate() {
            let mesh_indices = mesh.triangles()[id as usize];
            for (vertex, mesh_index) in mesh_indices.into_iter().enumerate() {
                let index = self.remap[mesh_index as usize];
                lines[vertex / 2][vertex % 2][lane] = f32::from_bits(index);
            }
            lines[1][1][lane] = f32::from_bits(id);
        }
        lines
    }
}
