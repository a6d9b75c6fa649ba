//! All overlapping pairs of one frame, fast: tiles, bins, and eight boxes at a time.
//!
//! ```text
//!  y ▲ ┌──────┬──────┬──────┐    1. The last D − 1 axes are cut into tiles. A box is listed in every
//!    │ │  ▭   │   ▭ ▭│▭     │       tile it reaches.
//!    │ ├──────┼──────┼──────┤    2. Inside a tile boxes are ordered by the bin of their least x: a
//!    │ │▭  ▭  │ ▭   ▭┼▭     │       counting sort, no comparisons.
//!    │ └──────┴──────┴──────┘    3. Each box is tested against those that follow, eight at a time, up
//!    └──────────────────────► x     to the last bin it reaches.
//!       │ │ │ │ │ │ │ │ │  bins
//! ```
//!
//! Promise: every overlapping pair once. Two boxes may meet in several tiles; the pair belongs to the
//! tile in which the later of their two beginnings lies, on every cut axis. So nothing has to be removed
//! afterwards: in a tile, a pair is passed over if both boxes begin before it on the same axis.
//!
//! Boxes much larger than a tile would be listed too often. They are tested against what is listed in
//! the tiles they reach, and then swept among themselves the same way, with larger tiles.

use core::ops::Range;

use embate_geom::{Aabb, scalar};
use fearless_simd::{Level, Simd, dispatch};

use super::block::{BoxBlock, LANES};
use super::tiles::{Layout, Survey};
use super::{Boxes, Brute, Pair, PairFinder, PairObserver};

/// Fewer boxes than this are tested each against each: cutting space would cost more.
const FEW: usize = 48;

/// Finds pairs by tiles, bins and lanes. The fastest structure for boxes that all move.
#[derive(Clone, Debug)]
pub struct TiledSweep<const D: usize> {
    level: Level,
    /// Where the listed boxes of each cell begin, tile by tile, bin by bin; one more at the end.
    cell_starts: Vec<u32>,
    listed: Vec<Listed<D>>,
    /// The tile being swept, side by side.
    blocks: Vec<BoxBlock<D>>,
    found: Vec<Found>,
    /// The greatest extent along axis 0 of a listed box: how far before a large box its partners begin.
    widest: f32,
    /// Where the large boxes of each tile begin.
    large_starts: Vec<u32>,
    large_listed: Vec<Listed<D>>,
}

/// A box in the list of a tile.
#[derive(Clone, Copy, Debug)]
struct Listed<const D: usize> {
    bounds: Aabb<D>,
    id: u32,
    /// On which cut axes it begins before this tile.
    begun: u32,
}

/// The lanes of one block that overlap one box of the tile.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    place: u32,
    block: u32,
    lanes: u32,
}

impl<const D: usize> Default for TiledSweep<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> TiledSweep<D> {
    /// Holds nothing yet.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new() -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self {
            level: Level::new(),
            cell_starts: Vec::new(),
            listed: Vec::new(),
            blocks: Vec::new(),
            found: Vec::new(),
            widest: 0.0,
            large_starts: Vec::new(),
            large_listed: Vec::new(),
        }
    }

    /// Sweeps the boxes named, and returns those that were too large to be listed.
    fn sweep_class<'a, O: PairObserver>(
        &mut self,
        boxes: impl Iterator<Item = (u32, &'a Aabb<D>)> + Clone,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) -> Vec<u32> {
        let bounds = boxes.clone().map(|(_, bounds)| bounds);
        let Some(survey) = Survey::of(bounds.clone()) else { return Vec::new() };
        let layout = Layout::best(&survey, bounds);
        let rows = 0..layout.rows();
        let large = self.list(&layout, &rows, boxes);
        let level = self.level;
        dispatch!(level, simd => self.sweep_tiles(simd, &layout, &rows, pairs, observer));
        large
    }

    /// Lists every box in its cells: a counting sort. Large ones only tile by tile.
    fn list<'a>(
        &mut self,
        layout: &Layout<D>,
        rows: &Range<u32>,
        boxes: impl Iterator<Item = (u32, &'a Aabb<D>)> + Clone,
    ) -> Vec<u32> {
        let bins = layout.bins();
        let tiles = rows.len() * layout.tiles_in_a_row();
        refill(&mut self.cell_starts, tiles * bins + 1);
        refill(&mut self.large_starts, tiles + 1);
        let mut large = Vec::new();
        self.widest = 0.0;
        let (starts, large_starts) = (&mut self.cell_starts[..], &mut self.large_starts[..]);
        for (id, bounds) in boxes.clone() {
            if layout.is_large(bounds) {
                large.push(id);
                layout.for_each_tile(bounds, rows, |tile, _| large_starts[tile] += 1);
            } else {
                let bin = layout.cell(0, bounds.min[0]) as usize;
                layout.for_each_tile(bounds, rows, |tile, _| starts[tile * bins + bin] += 1);
                self.widest = scalar::max(bounds.max[0] - bounds.min[0], self.widest);
            }
        }
        // Counts become ends; filling from the ends backwards turns them into starts.
        let empty = Listed { bounds: Aabb { min: [0.0; D], max: [0.0; D] }, id: 0, begun: 0 };
        make_room(&mut self.listed, counts_to_ends(starts), empty);
        make_room(&mut self.large_listed, counts_to_ends(large_starts), empty);
        let (listed, large_listed) = (&mut self.listed[..], &mut self.large_listed[..]);
        for (id, bounds) in boxes {
            let (bounds, id) = (*bounds, id);
            if layout.is_large(&bounds) {
                layout.for_each_tile(&bounds, rows, |tile, begun| {
                    let place = &mut large_starts[tile];
                    *place -= 1;
                    large_listed[*place as usize] = Listed { bounds, id, begun };
                });
            } else {
                let bin = layout.cell(0, bounds.min[0]) as usize;
                layout.for_each_tile(&bounds, rows, |tile, begun| {
                    let place = &mut starts[tile * bins + bin];
                    *place -= 1;
                    listed[*place as usize] = Listed { bounds, id, begun };
                });
            }
        }
        large
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn sweep_tiles<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        rows: &Range<u32>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let bins = layout.bins();
        for tile in 0..rows.len() * layout.tiles_in_a_row() {
            let starts = &self.cell_starts[tile * bins..=(tile + 1) * bins];
            let first = starts[0];
            let listed = &self.listed[first as usize..starts[bins] as usize];
            if listed.is_empty() {
                continue;
            }
            observer.enter(1);
            observer.list(listed.len() as u64);
            pack(listed, &mut self.blocks);

            let mut found = 0;
            for (place, own) in listed.iter().enumerate() {
                let last_bin = layout.cell(0, own.bounds.max[0]) as usize;
                let stop = (starts[last_bin + 1] - first) as usize;
                let blocks = place / LANES..stop.div_ceil(LANES);
                if self.found.len() < found + blocks.len() {
                    self.found.resize(2 * (found + blocks.len()), Found::default());
                }
                observer.test((stop - place - 1) as u64);
                // The first block holds the box itself and some before it.
                let mut later = 0xfe << (place % LANES);
                for (number, block) in blocks.clone().zip(&self.blocks[blocks]) {
                    let lanes = block.overlapping(simd, &own.bounds) & later;
                    later = 0xff;
                    // Written in any case, kept only if it holds something: no branch to guess.
                    self.found[found] = Found { place: place as u32, block: number as u32, lanes };
                    found += usize::from(lanes != 0);
                }
            }
            for hit in &self.found[..found] {
                push_pairs(&listed[hit.place as usize], listed, *hit, pairs);
            }

            let large = self.large_starts[tile] as usize..self.large_starts[tile + 1] as usize;
            for own in &self.large_listed[large] {
                let first_bin =
                    layout.cell(0, own.bounds.min[0] - reach_back(own, self.widest)) as usize;
                let last_bin = layout.cell(0, own.bounds.max[0]) as usize;
                let start = (starts[first_bin] - first) as usize;
                let stop = (starts[last_bin + 1] - first) as usize;
                observer.test((stop - start) as u64);
                let blocks = start / LANES..stop.div_ceil(LANES);
                for (block, number) in self.blocks[blocks.clone()].iter().zip(blocks.start as u32..)
                {
                    let lanes = block.overlapping(simd, &own.bounds);
                    if lanes != 0 {
                        push_pairs(own, listed, Found { place: 0, block: number, lanes }, pairs);
                    }
                }
            }
        }
    }
}

impl<const D: usize> PairFinder<D> for TiledSweep<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        if boxes.len() < FEW {
            return Brute::new().find_observed(boxes, pairs, observer);
        }
        let mut large = self.sweep_class((0..).zip(boxes.iter()), pairs, observer);
        while !large.is_empty() {
            let class = large.iter().map(|&id| (id, &boxes[id as usize]));
            large = self.sweep_class(class, pairs, observer);
        }
    }

    fn bytes(&self) -> usize {
        (self.cell_starts.capacity() + self.large_starts.capacity()) * size_of::<u32>()
            + (self.listed.capacity() + self.large_listed.capacity()) * size_of::<Listed<D>>()
            + self.blocks.capacity() * size_of::<BoxBlock<D>>()
            + self.found.capacity() * size_of::<Found>()
    }
}

/// Tells the pairs of one box with the lanes found, unless another tile owns them.
#[inline]
fn push_pairs<const D: usize>(
    own: &Listed<D>,
    listed: &[Listed<D>],
    found: Found,
    pairs: &mut Vec<Pair>,
) {
    let mut lanes = found.lanes;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let other = &listed[found.block as usize * LANES + lane];
        if own.begun & other.begun == 0 {
            pairs.push([own.id.min(other.id), own.id.max(other.id)]);
        }
    }
}

/// How far before a large box a listed one may begin and still reach it; rounded up.
fn reach_back<const D: usize>(large: &Listed<D>, widest: f32) -> f32 {
    widest + 4.0 * f32::EPSILON * (large.bounds.min[0].abs() + widest)
}

fn pack<const D: usize>(listed: &[Listed<D>], blocks: &mut Vec<BoxBlock<D>>) {
    make_room(blocks, listed.len().div_ceil(LANES), BoxBlock::EMPTY);
    for (chunk, block) in listed.chunks(LANES).zip(blocks) {
        if chunk.len() < LANES {
            *block = BoxBlock::EMPTY;
        }
        for (lane, own) in chunk.iter().enumerate() {
            block.set(lane, &own.bounds);
        }
    }
}

fn refill(counts: &mut Vec<u32>, length: usize) {
    counts.clear();
    counts.resize(length, 0);
}

/// Running sums; the last is the number of all.
fn counts_to_ends(counts: &mut [u32]) -> usize {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
    sum as usize
}

fn make_room<T: Copy>(items: &mut Vec<T>, length: usize, empty: T) {
    if items.len() < length {
        items.resize(length, empty);
    }
}
