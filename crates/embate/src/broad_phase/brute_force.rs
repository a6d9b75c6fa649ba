//! Brute-force broad phase: all pairs, eight at a time. The reference for all other structures.

use fearless_simd::{Level, Simd, dispatch};

use crate::broad_phase::aabb8::{Aabb8, LANES};
use crate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, OverlapPair};

/// Tests every box against all boxes of a larger index. Pairs are emitted sorted.
#[derive(Clone, Debug, Default)]
#[doc(alias = "Brute")]
pub struct BruteForceBroadPhase<const D: usize> {
    blocks: Vec<Aabb8<D>>,
}

impl<const D: usize> BruteForceBroadPhase<D> {
    /// Allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn test_all<S: Simd>(&self, simd: S, boxes: AabbSlice<'_, D>, pairs: &mut Vec<OverlapPair>) {
        for (a, bounds) in boxes.iter().enumerate() {
            // The first block contains box `a` and boxes before it: mask those lanes.
            let mut later = 0xfe << (a % LANES);
            for (number, block) in self.blocks.iter().enumerate().skip(a / LANES) {
                let mut mask = block.overlap_mask(simd, bounds) & later;
                later = 0xff;
                while mask != 0 {
                    let b = number * LANES + mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    pairs.push([a as u32, b as u32]);
                }
            }
        }
    }
}

impl<const D: usize> BroadPhase<D> for BruteForceBroadPhase<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.blocks.clear();
        self.blocks.extend(boxes.chunks(LANES).map(|chunk| {
            let mut block = Aabb8::EMPTY;
            for (lane, bounds) in chunk.iter().enumerate() {
                block.set(lane, bounds);
            }
            block
        }));
        let count = boxes.len() as u64;
        observer.count_overlap_tests(count * count.saturating_sub(1) / 2);
        if observer.wants_details() {
            observer.overlap_tests_among(0..count as u32);
        }
        let simd_level = Level::new();
        dispatch!(simd_level, simd => self.test_all(simd, boxes, pairs));
    }

    fn memory_usage(&self) -> usize {
        self.blocks.capacity() * size_of::<Aabb8<D>>()
    }
}
