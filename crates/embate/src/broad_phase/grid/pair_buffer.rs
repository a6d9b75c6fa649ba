//! Which blocks overlap a box, and which pairs does that make?

use core::ops::Range;

use embate_geom::Aabb;
use fearless_simd::Simd;

use super::Pair;
use super::block::{BoxBlock, LANES};

/// Pairs are told whenever so many blocks wait: those that wait stay in the nearest cache.
const MANY: usize = 1024;

/// Blocks found to overlap something, not yet told as pairs: finding and telling are two loops, so that
/// the first has no branch that depends on what is found.
#[derive(Clone, Debug, Default)]
pub(super) struct GridFinds {
    blocks: Vec<FoundBlock>,
    count: usize,
}

/// The lanes of one block that overlap the box at `place`.
#[derive(Clone, Copy, Debug, Default)]
struct FoundBlock {
    place: u32,
    block: u32,
    lanes: u32,
}

impl GridFinds {
    /// Tests the box at `place` against those at the places of `span`.
    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    pub(super) fn test<S: Simd, const D: usize>(
        &mut self,
        simd: S,
        blocks: &[BoxBlock<D>],
        place: u32,
        bounds: &Aabb<D>,
        span: &Range<u32>,
    ) {
        if span.is_empty() {
            return;
        }
        let (first, last) = (span.start as usize / LANES, (span.end - 1) as usize / LANES);
        let most = self.count + last - first + 1;
        if self.blocks.len() < most {
            self.blocks.resize(2 * most, FoundBlock::default());
        }
        // The first and the last block may hold boxes outside the span.
        let mut wanted = 0xff << (span.start as usize % LANES);
        let until_end = 0xff >> (LANES - 1 - (span.end - 1) as usize % LANES);
        for (block, number) in blocks[first..=last].iter().zip(first..) {
            wanted &= if number == last { until_end } else { 0xff };
            let lanes = block.overlapping(simd, bounds) & wanted;
            wanted = 0xff;
            // Written in any case, kept only if it holds something: no branch to guess.
            self.blocks[self.count] = FoundBlock { place, block: number as u32, lanes };
            self.count += usize::from(lanes != 0);
        }
    }

    /// Tells the pairs if many wait. `ids` names the box at each place.
    #[inline]
    pub(super) fn tell_if_many(&mut self, ids: &[u32], pairs: &mut Vec<Pair>) {
        if self.count > MANY {
            self.tell(ids, pairs);
        }
    }

    /// Tells the pairs that wait.
    pub(super) fn tell(&mut self, ids: &[u32], pairs: &mut Vec<Pair>) {
        for found in &self.blocks[..self.count] {
            let id = ids[found.place as usize];
            let mut lanes = found.lanes;
            while lanes != 0 {
                let other = ids[found.block as usize * LANES + lanes.trailing_zeros() as usize];
                lanes &= lanes - 1;
                pairs.push([id.min(other), id.max(other)]);
            }
        }
        self.count = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<FoundBlock>()
    }
}
