//! What is in a leaf? Up to eight triangles, by their corners' values or, in a compact tree, by their numbers in a
//! list of corners that all leaves share.
//!
//! ```text
//!   line   leaf (node.rs)         compact leaf: numbers of the corners
//!   0      a.x │ b.x              a │ b        of 8 triangles
//!   1      …                      c │ numbers of the triangles in the mesh
//! ```
//!
//! Two lines instead of five; what is gathered from the list has the mesh's own values, so hits are the same to the
//! bit.
#![allow(clippy::inline_always)]

use core::mem::MaybeUninit;
use std::collections::HashMap;

use embate_geom::{EightHits, EightTriangles, ShearedRay, Triangle, TriangleBlock};
use embate_mesh::TriangleMesh;
use fearless_simd::prelude::*;

use super::node::{self, Child, LEAF_LINES, Line, Row, WIDTH, ZERO};

pub(super) const COMPACT_LINES: usize = 2;

/// The lines of a tree, and the corners that its leaves share if it is a compact one.
#[derive(Clone, Copy)]
pub(super) struct Leaves<'a> {
    pub(super) lines: &'a [Line],
    pub(super) corners: Option<&'a [[f32; 3]]>,
}

impl<'a> Leaves<'a> {
    /// [`EightTriangles::hits`] of the leaf, and the triangles' numbers in the mesh.
    #[inline(always)]
    pub(super) fn hits<'p, S: Simd>(
        &self,
        simd: S,
        child: Child,
        ray: &ShearedRay,
        t_max: f32,
        place: &'p mut MaybeUninit<EightHits>,
    ) -> Option<(u32, &'p EightHits, &'a Row)> {
        let lanes = (1 << child.count()) - 1;
        if let Some(corners) = self.corners {
            let leaf = compact(self.lines, child)?;
            let block = gathered(leaf, corners, child.count() as usize);
            let (hit, hits) = block.hits(simd, ray, lanes, t_max, place)?;
            return Some((hit, hits, &leaf[1][1]));
        }
        let leaf = node::leaf(self.lines, child)?;
        let (hit, hits) = leaf.hits(simd, ray, lanes, t_max, place)?;
        Some((hit, hits, leaf.numbers()))
    }

    /// The triangles' numbers in the mesh.
    #[inline(always)]
    pub(super) fn numbers(&self, child: Child) -> Option<&'a Row> {
        if self.corners.is_some() {
            return Some(&compact(self.lines, child)?[1][1]);
        }
        Some(node::leaf(self.lines, child)?.numbers())
    }

    /// One of the triangles.
    pub(super) fn triangle(self, child: Child, lane: usize) -> Option<Triangle> {
        match self.corners {
            Some(corners) => Some(triangle(compact(self.lines, child)?, corners, lane)),
            None => Some(node::leaf(self.lines, child)?.triangle(lane)),
        }
    }
}

#[inline(always)]
fn compact(lines: &[Line], child: Child) -> Option<&[Line; COMPACT_LINES]> {
    lines.get(child.line()..)?.first_chunk()
}

/// (Apart: whoever has the values in the leaf pays nothing for it.)
#[inline(never)]
fn gathered(leaf: &[Line; COMPACT_LINES], corners: &[[f32; 3]], count: usize) -> TriangleBlock {
    let mut triangles = [Triangle([[0.0; 3]; 3]); WIDTH];
    let count = count.min(WIDTH);
    for (lane, place) in triangles[..count].iter_mut().enumerate() {
        *place = triangle(leaf, corners, lane);
    }
    TriangleBlock::new(&triangles[..count])
}

#[inline(always)]
fn triangle(leaf: &[Line; COMPACT_LINES], corners: &[[f32; 3]], lane: usize) -> Triangle {
    let corner = |row: &Row| corners.get(row[lane].to_bits() as usize).copied().unwrap_or_default();
    Triangle([corner(&leaf[0][0]), corner(&leaf[0][1]), corner(&leaf[1][0])])
}

/// What the leaves of a tree over a mesh hold.
#[derive(Clone, Copy)]
pub(super) struct LeafMaker<'a> {
    pub(super) mesh: &'a TriangleMesh,
    /// Of a compact tree.
    pub(super) shared: Option<&'a SharedCorners>,
}

impl LeafMaker<'_> {
    /// How many lines a leaf takes.
    pub(super) fn lines(self) -> usize {
        if self.shared.is_some() { COMPACT_LINES } else { LEAF_LINES }
    }

    /// Fills the lines of a leaf with these triangles; there are as many as a leaf takes.
    pub(super) fn fill(self, lines: &mut [Line], members: impl Iterator<Item = u32>) {
        match self.shared {
            Some(shared) => lines.copy_from_slice(&shared.leaf_of(self.mesh, members)),
            None => lines.copy_from_slice(&node::leaf_of(self.mesh, members)),
        }
    }
}

/// The corners of a mesh, each once, whatever the mesh has; and which of them each of its corners is.
pub(super) struct SharedCorners {
    pub(super) corners: Vec<[f32; 3]>,
    number: Vec<u32>,
}

impl SharedCorners {
    pub(super) fn new(mesh: &TriangleMesh) -> Self {
        let mut corners = Vec::new();
        let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(mesh.positions().len());
        let number = mesh.positions().iter().map(|&corner| {
            *known.entry(corner.map(f32::to_bits)).or_insert_with(|| {
                corners.push(corner);
                corners.len() as u32 - 1
            })
        });
        let number = number.collect();
        Self { corners, number }
    }

    /// The lines of a compact leaf with these triangles of the mesh.
    pub(super) fn leaf_of(
        &self,
        mesh: &TriangleMesh,
        members: impl Iterator<Item = u32>,
    ) -> [Line; COMPACT_LINES] {
        let mut lines = [ZERO; COMPACT_LINES];
        for (lane, number) in members.take(WIDTH).enumerate() {
            let corners = mesh.triangles()[number as usize];
            for (corner, of_mesh) in corners.into_iter().enumerate() {
                let shared = self.number[of_mesh as usize];
                lines[corner / 2][corner % 2][lane] = f32::from_bits(shared);
            }
            lines[1][1][lane] = f32::from_bits(number);
        }
        lines
    }
}
