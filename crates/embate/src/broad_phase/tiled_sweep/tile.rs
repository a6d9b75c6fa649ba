//! Tile: its boxes sorted by bin, tested among themselves and against query boxes.
//!
//! Every function with SIMD code is `inline(always)`, and none is a closure: see `aabb8.rs`.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use core::ops::Range;

use embate_geom::{Aabb, scalar};
use fearless_simd::Simd;

use crate::broad_phase::aabb8::{Aabb8, LANES};
use crate::broad_phase::tiled_sweep::binning::ID_MASK;
use crate::broad_phase::tiled_sweep::layout::TileLayout;
use crate::broad_phase::tiled_sweep::pair_buffer::{HitMask, PairBuffer};
use crate::broad_phase::tiled_sweep::slab::TileEntry;
use crate::broad_phase::{BroadPhaseObserver, OverlapPair};

/// The boxes of one tile in order of their bins along x: small enough for the L1 cache.
#[derive(Clone, Debug)]
pub(crate) struct Tile<const D: usize> {
    /// End of each bin; during the counting sort, its next free index.
    bin_ends: Vec<u32>,
    blocks: Vec<Aabb8<D>>,
    /// The boxes of `blocks`, lane for lane.
    box_refs: Vec<BoxRef>,
    /// Largest extent along x: how far before a query box an overlapping box may start.
    max_width: f32,
}

/// A box in sweep order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxRef {
    pub(crate) id_and_flags: u32,
    last_bin: u32,
}

impl<const D: usize> Tile<D> {
    pub(crate) fn new() -> Self {
        Self { bin_ends: Vec::new(), blocks: Vec::new(), box_refs: Vec::new(), max_width: 0.0 }
    }

    /// Replaces the contents by `entries`, in bin order: a counting sort.
    #[inline(always)]
    pub(crate) fn fill(&mut self, bin_count: usize, entries: &[TileEntry<D>]) {
        self.bin_ends.clear();
        self.bin_ends.resize(bin_count, 0);
        let ends = &mut self.bin_ends[..];
        for entry in entries {
            ends[entry.first_bin()] += 1;
        }
        let mut sum = 0;
        for start in &mut *ends {
            sum += core::mem::replace(start, sum);
        }
        // Blocks are tested two at a time: one more follows the last box.
        let count = entries.len() / LANES + 2;
        if self.blocks.len() < count {
            // Exact: a static set has many persistent tiles.
            self.blocks.reserve_exact(count - self.blocks.len());
            self.box_refs.reserve_exact(count * LANES - self.box_refs.len());
            self.blocks.resize(count, Aabb8::EMPTY);
            self.box_refs.resize(count * LANES, BoxRef { id_and_flags: 0, last_bin: 0 });
        }
        let (blocks, box_refs) = (&mut self.blocks[..count], &mut self.box_refs[..count * LANES]);
        // Lanes beyond the last box must not retain boxes of an earlier tile.
        blocks[count - 2] = Aabb8::EMPTY;
        blocks[count - 1] = Aabb8::EMPTY;
        let mut max_width = 0.0;
        for entry in entries {
            let end = &mut ends[entry.first_bin()];
            let index = *end as usize;
            *end += 1;
            blocks[index / LANES].set(index % LANES, &entry.bounds);
            box_refs[index] =
                BoxRef { id_and_flags: entry.id_and_flags, last_bin: entry.last_bin() };
            max_width = scalar::max(entry.bounds.max[0] - entry.bounds.min[0], max_width);
        }
        self.max_width = max_width;
    }

    /// Tests every box against those that follow it. Flushes `pair_buffer` when full; the rest
    /// stays in it.
    #[inline(always)]
    pub(crate) fn sweep<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        pair_buffer: &mut PairBuffer,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let (blocks, ends) = (&self.blocks[..], &self.bin_ends[..]);
        let boxes = ends[ends.len() - 1] as usize;
        let mut count = pair_buffer.len();
        let box_refs = self.box_refs.chunks_exact(LANES);
        for (number, (block, box_refs)) in blocks.iter().zip(box_refs).enumerate() {
            let first = number * LANES;
            if first >= boxes {
                break;
            }
            pair_buffer.set_len(count);
            if pair_buffer.is_full() {
                pair_buffer.flush(&self.box_refs, pairs);
                count = 0;
            }
            for (lane, BoxRef { id_and_flags, last_bin }) in
                box_refs.iter().enumerate().take(boxes - first)
            {
                let bounds = block.get(lane);
                let stop = ends[*last_bin as usize] as usize;
                let block_pairs = (stop - first).div_ceil(2 * LANES);
                let rest = &blocks[number..number + 2 * block_pairs];
                pair_buffer.set_len(count);
                let hits = pair_buffer.reserve(block_pairs);
                observer.count_overlap_tests((stop - first - lane - 1) as u64);
                if observer.wants_details() {
                    observer.overlap_test(id_and_flags & ID_MASK, self.ids(first + lane + 1..stop));
                }
                // The first block contains the box itself and boxes before it.
                let mut later = 0xfffe << lane;
                for (at, two) in (0..).zip(rest.chunks_exact(2)) {
                    let mask = two[0].overlap_mask(simd, &bounds)
                        | two[1].overlap_mask(simd, &bounds) << LANES;
                    let mask = mask & later;
                    later = 0xffff;
                    // Always written, kept only if nonzero: no branch to mispredict.
                    let first = (first + at * 2 * LANES) as u32;
                    hits[count] = HitMask { id_and_flags: *id_and_flags, first, mask };
                    count += usize::from(mask != 0);
                }
            }
        }
        pair_buffer.set_len(count);
    }

    /// Tests a query box, which is not in the tile, against the boxes of the tile.
    #[inline(always)]
    pub(crate) fn test_query_box<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        layout: &TileLayout<D>,
        query: &TileEntry<D>,
        pair_buffer: &mut PairBuffer,
        observer: &mut O,
    ) {
        let blocks = self.candidate_blocks(simd, layout, query);
        // The last block may have unused lanes.
        let boxes = self.bin_ends[self.bin_ends.len() - 1] as usize;
        let candidates = blocks.start * LANES..boxes.min(blocks.end * LANES);
        observer.count_overlap_tests(candidates.len() as u64);
        if observer.wants_details() {
            observer.overlap_test(query.id_and_flags & ID_MASK, self.ids(candidates));
        }
        let mut count = pair_buffer.len();
        let block_pairs = blocks.len().div_ceil(2);
        let hits = pair_buffer.reserve(block_pairs);
        let rest = &self.blocks[blocks.start..blocks.start + 2 * block_pairs];
        for (at, two) in (0..).zip(rest.chunks_exact(2)) {
            let [even, odd] = [&two[0], &two[1]];
            let mask = even.overlap_mask(simd, &query.bounds)
                | odd.overlap_mask(simd, &query.bounds) << LANES;
            let first = ((blocks.start + at * 2) * LANES) as u32;
            hits[count] = HitMask { id_and_flags: query.id_and_flags, first, mask };
            count += usize::from(mask != 0);
        }
        pair_buffer.set_len(count);
    }

    /// The blocks that may contain a box that overlaps `query`.
    #[inline(always)]
    fn candidate_blocks<S: Simd>(
        &self,
        simd: S,
        layout: &TileLayout<D>,
        query: &TileEntry<D>,
    ) -> Range<usize> {
        let min = query.bounds.min[0];
        // Rounded outward, so that no candidate is lost.
        let margin = self.max_width + 4.0 * f32::EPSILON * (min.abs() + self.max_width);
        let start = self.bin_start(layout.bin_of(simd, min - margin));
        let end = self.bin_ends[query.last_bin() as usize] as usize;
        start / LANES..end.div_ceil(LANES)
    }

    fn bin_start(&self, bin: usize) -> usize {
        if bin == 0 { 0 } else { self.bin_ends[bin - 1] as usize }
    }

    /// Removes a box: its lane becomes unused and overlaps nothing.
    pub(crate) fn remove(&mut self, id: u32, bin: usize) {
        for index in self.bin_start(bin)..self.bin_ends[bin] as usize {
            if self.box_refs[index].id_and_flags & ID_MASK == id {
                self.blocks[index / LANES].set(
                    index % LANES,
                    &Aabb { min: [f32::INFINITY; D], max: [f32::NEG_INFINITY; D] },
                );
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bin_ends.last().is_none_or(|end| *end == 0)
    }

    /// Ids of the boxes in `range` of the sweep order.
    fn ids(&self, range: Range<usize>) -> impl Iterator<Item = u32> {
        self.box_refs[range].iter().map(|box_ref| box_ref.id_and_flags & ID_MASK)
    }

    pub(crate) fn box_refs(&self) -> &[BoxRef] {
        &self.box_refs
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.bin_ends.capacity() * size_of::<u32>()
            + self.blocks.capacity() * size_of::<Aabb8<D>>()
            + self.box_refs.capacity() * size_of::<BoxRef>()
    }
}
