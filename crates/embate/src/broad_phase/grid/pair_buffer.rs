//! Pair buffer of the grid: hit masks, decoded into pairs in a second loop.

use core::ops::Range;

use embate_geom::Aabb;
use fearless_simd::Simd;

use crate::broad_phase::OverlapPair;
use crate::broad_phase::aabb8::{Aabb8, LANES};

/// Above this many hits the buffer is flushed: they fit the L1 cache.
const FLUSH_THRESHOLD: usize = 1024;

/// Blocks with at least one overlap. Testing and decoding are two loops, so that the first has no
/// data-dependent branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridPairBuffer {
    hits: Vec<BlockHits>,
    len: usize,
}

/// The lanes of one block that overlap the box in `slot`.
#[derive(Clone, Copy, Debug, Default)]
struct BlockHits {
    slot: u32,
    block: u32,
    mask: u32,
}

impl GridPairBuffer {
    /// Tests the box in `slot` against those in the slots `span`.
    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    pub(crate) fn test<S: Simd, const D: usize>(
        &mut self,
        simd: S,
        blocks: &[Aabb8<D>],
        slot: u32,
        bounds: &Aabb<D>,
        span: &Range<u32>,
    ) {
        if span.is_empty() {
            return;
        }
        let (first, last) = (span.start as usize / LANES, (span.end - 1) as usize / LANES);
        let max_len = self.len + last - first + 1;
        if self.hits.len() < max_len {
            self.hits.resize(2 * max_len, BlockHits::default());
        }
        // The first and the last block may contain boxes outside the span.
        let mut wanted = 0xff << (span.start as usize % LANES);
        let until_end = 0xff >> (LANES - 1 - (span.end - 1) as usize % LANES);
        for (block, number) in blocks[first..=last].iter().zip(first..) {
            wanted &= if number == last { until_end } else { 0xff };
            let mask = block.overlap_mask(simd, bounds) & wanted;
            wanted = 0xff;
            // Always written, kept only if nonzero: no branch to mispredict.
            self.hits[self.len] = BlockHits { slot, block: number as u32, mask };
            self.len += usize::from(mask != 0);
        }
    }

    /// Flushes if the buffer is full. `ids` holds the id of the box in each slot.
    #[inline]
    pub(crate) fn flush_if_full(&mut self, ids: &[u32], pairs: &mut Vec<OverlapPair>) {
        if self.len > FLUSH_THRESHOLD {
            self.flush(ids, pairs);
        }
    }

    /// Decodes the hits, appends the pairs and empties the buffer.
    pub(crate) fn flush(&mut self, ids: &[u32], pairs: &mut Vec<OverlapPair>) {
        for hit in &self.hits[..self.len] {
            let id = ids[hit.slot as usize];
            let mut mask = hit.mask;
            while mask != 0 {
                let other = ids[hit.block as usize * LANES + mask.trailing_zeros() as usize];
                mask &= mask - 1;
                pairs.push([id.min(other), id.max(other)]);
            }
        }
        self.len = 0;
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.hits.capacity() * size_of::<BlockHits>()
    }
}
