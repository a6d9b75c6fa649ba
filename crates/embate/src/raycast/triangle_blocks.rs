//! Leaf triangles of space partitions: blocks of eight in structure-of-arrays layout, tested at
//! once.
//!
//! The SIMD level is dispatched per block, out of line. So the traversal around it is compiled once
//! per query, not once per SIMD level (`docs/decisions/0012-compile-times.md`).

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{Hit8, Triangle, Triangle8, TriangleHit, TrianglesSoa, WatertightRay};
use fearless_simd::Level;

use crate::raycast::TraversalObserver;

/// Triangles per block.
pub(super) const BLOCK_SIZE: usize = Triangle8::LANES;

/// Up to eight triangles with their indices in the mesh.
#[derive(Clone, Debug)]
struct TriangleBlock {
    triangles: Triangle8,
    ids: [u32; BLOCK_SIZE],
}

/// The triangles of one leaf: consecutive blocks, the last of which may be partly used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockRange {
    first: u32,
    /// Number of triangles.
    pub(super) count: u32,
}

/// The triangles of all leaves of a tree.
#[derive(Clone, Debug)]
pub(super) struct TriangleBlocks {
    blocks: Vec<TriangleBlock>,
    level: Level,
}

impl TriangleBlocks {
    pub(super) fn new() -> Self {
        Self { blocks: Vec::new(), level: Level::new() }
    }

    /// Appends the triangles of a leaf.
    pub(super) fn push(&mut self, triangles: &[Triangle], ids: &[u32]) -> BlockRange {
        let first = self.blocks.len() as u32;
        for ids in ids.chunks(BLOCK_SIZE) {
            let block_triangles: Vec<Triangle> =
                ids.iter().map(|&id| triangles[id as usize]).collect();
            let mut block_ids = [u32::MAX; BLOCK_SIZE];
            block_ids[..ids.len()].copy_from_slice(ids);
            let triangles = Triangle8::new(&block_triangles);
            self.blocks.push(TriangleBlock { triangles, ids: block_ids });
        }
        BlockRange { first, count: ids.len() as u32 }
    }

    /// Frees memory reserved for further leaves.
    pub(super) fn shrink_to_fit(&mut self) {
        self.blocks.shrink_to_fit();
    }

    /// Tests the triangles of a leaf, calls `on_hit` with the hits and lowers `t_max` to what it
    /// returns.
    #[inline]
    pub(super) fn intersect<O: TraversalObserver>(
        &self,
        range: BlockRange,
        ray: &WatertightRay,
        t_max: &mut f32,
        observer: &mut O,
        on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut left = range.count as usize;
        for block in &self.blocks[range.first as usize..] {
            if left == 0 {
                break;
            }
            let lanes = left.min(BLOCK_SIZE);
            left -= lanes;
            for &id in &block.ids[..lanes] {
                observer.test_triangle(id);
            }
            let mut hit_storage = MaybeUninit::uninit();
            let lane_mask = (1 << lanes) - 1;
            let hits = block_hits(self.level, block, ray, lane_mask, *t_max, &mut hit_storage);
            let Some((mut hit_mask, hits)) = hits else { continue };
            while hit_mask != 0 {
                let lane = hit_mask.trailing_zeros() as usize & (BLOCK_SIZE - 1);
                hit_mask &= hit_mask - 1;
                let hit = hits.hit(lane, block.ids[lane]);
                if hit.t <= *t_max {
                    *t_max = on_hit(hit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Heap memory in bytes.
    pub(super) fn memory_usage(&self) -> usize {
        size_of_val(self.blocks.as_slice())
    }
}

/// [`TrianglesSoa::hits`] of a block.
#[inline(never)]
fn block_hits<'p>(
    level: Level,
    block: &TriangleBlock,
    ray: &WatertightRay,
    lane_mask: u32,
    t_max: f32,
    hit_storage: &'p mut MaybeUninit<Hit8>,
) -> Option<(u32, &'p Hit8)> {
    dispatch!(level, simd => block.triangles.hits(simd, ray, lane_mask, t_max, hit_storage))
}
