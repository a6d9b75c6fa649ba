//! Every pair, eight at a time: simple, and the judge of all other structures.

use fearless_simd::{Level, Simd, dispatch};

use super::block::{BoxBlock, LANES};
use super::{Boxes, Pair, PairFinder, PairObserver};

/// Tests every box against all that follow it. Pairs come out sorted.
#[derive(Clone, Debug, Default)]
pub struct Brute<const D: usize> {
    blocks: Vec<BoxBlock<D>>,
}

impl<const D: usize> Brute<D> {
    /// Holds nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn test_all<S: Simd>(&self, simd: S, boxes: Boxes<'_, D>, pairs: &mut Vec<Pair>) {
        for (a, bounds) in boxes.iter().enumerate() {
            // The first block holds the box itself and some before it; those lanes are masked.
            let mut later = 0xfe << (a % LANES);
            for (number, block) in self.blocks.iter().enumerate().skip(a / LANES) {
                let mut overlapping = block.overlapping(simd, bounds) & later;
                later = 0xff;
                while overlapping != 0 {
                    let b = number * LANES + overlapping.trailing_zeros() as usize;
                    overlapping &= overlapping - 1;
                    pairs.push([a as u32, b as u32]);
                }
            }
        }
    }
}

impl<const D: usize> PairFinder<D> for Brute<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        self.blocks.clear();
        self.blocks.extend(boxes.chunks(LANES).map(|chunk| {
            let mut block = BoxBlock::EMPTY;
            for (lane, bounds) in chunk.iter().enumerate() {
                block.set(lane, bounds);
            }
            block
        }));
        let count = boxes.len() as u64;
        observer.test(count * count.saturating_sub(1) / 2);
        if observer.watches() {
            observer.tested_among(0..count as u32);
        }
        let level = Level::new();
        dispatch!(level, simd => self.test_all(simd, boxes, pairs));
    }

    fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<BoxBlock<D>>()
    }
}
