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
    listed: Lists<D>,
    large: Lists<D>,
    tile: Tile<D>,
    found: Vec<Found>,
}

/// Boxes by tile.
#[derive(Clone, Debug, Default)]
struct Lists<const D: usize> {
    /// Where each tile's boxes begin; one more at the end.
    starts: Vec<u32>,
    boxes: Vec<Listed<D>>,
}

/// The tile being swept: small enough to stay in the nearest cache.
#[derive(Clone, Debug, Default)]
struct Tile<const D: usize> {
    /// Where each bin's boxes begin; one more at the end.
    bin_starts: Vec<u32>,
    /// In order of bins.
    boxes: Vec<Listed<D>>,
    /// The same boxes, side by side.
    blocks: Vec<BoxBlock<D>>,
    /// The greatest extent along axis 0: how far before a large box its partners may begin.
    widest: f32,
}

/// A box in the list of a tile.
#[derive(Clone, Copy, Debug)]
struct Listed<const D: usize> {
    bounds: Aabb<D>,
    id: u32,
    /// On which cut axes it begins before this tile.
    begun: u32,
}

impl<const D: usize> Listed<D> {
    const NONE: Self = Self { bounds: Aabb { min: [0.0; D], max: [0.0; D] }, id: 0, begun: 0 };
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
            listed: Lists { starts: Vec::new(), boxes: Vec::new() },
            large: Lists { starts: Vec::new(), boxes: Vec::new() },
            tile: Tile {
                bin_starts: Vec::new(),
                boxes: Vec::new(),
                blocks: Vec::new(),
                widest: 0.0,
            },
            found: Vec::new(),
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
        let tiles = rows.len() * layout.tiles_in_a_row();
        let level = self.level;
        dispatch!(level, simd => self.sweep_tiles(simd, &layout, tiles, pairs, observer));
        large
    }

    /// Lists every box in the tiles it reaches; returns the large ones, which are listed apart.
    fn list<'a>(
        &mut self,
        layout: &Layout<D>,
        rows: &Range<u32>,
        boxes: impl Iterator<Item = (u32, &'a Aabb<D>)> + Clone,
    ) -> Vec<u32> {
        let tiles = rows.len() * layout.tiles_in_a_row();
        let (listed, large) = (&mut self.listed, &mut self.large);
        listed.clear(tiles);
        large.clear(tiles);
        let mut large_ids = Vec::new();
        for (id, bounds) in boxes.clone() {
            if layout.is_large(bounds) {
                large_ids.push(id);
                layout.for_each_tile(bounds, rows, |tile, _| large.starts[tile] += 1);
            } else {
                layout.for_each_tile(bounds, rows, |tile, _| listed.starts[tile] += 1);
            }
        }
        listed.make_room();
        large.make_room();
        for (id, &bounds) in boxes {
            let lists = if layout.is_large(&bounds) { &mut *large } else { &mut *listed };
            layout.for_each_tile(&bounds, rows, |tile, begun| {
                lists.put(tile, Listed { bounds, id, begun });
            });
        }
        large_ids
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn sweep_tiles<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        tiles: usize,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        for number in 0..tiles {
            let listed = self.listed.of(number);
            if listed.is_empty() {
                continue;
            }
            observer.enter(1);
            observer.list(listed.len() as u64);
            let tile = &mut self.tile;
            tile.fill(layout, listed);
            let mut found = 0;
            for (place, own) in tile.boxes[..listed.len()].iter().enumerate() {
                let stop = tile.end_of_bin(layout, own.bounds.max[0]);
                let blocks = place / LANES..stop.div_ceil(LANES);
                if self.found.len() < found + blocks.len() {
                    self.found.resize(2 * (found + blocks.len()), Found::default());
                }
                observer.test((stop - place - 1) as u64);
                // The first block holds the box itself and some before it.
                let mut later = 0xfe << (place % LANES);
                for (number, block) in blocks.clone().zip(&tile.blocks[blocks]) {
                    let lanes = block.overlapping(simd, &own.bounds) & later;
                    later = 0xff;
                    // Written in any case, kept only if it holds something: no branch to guess.
                    self.found[found] = Found { place: place as u32, block: number as u32, lanes };
                    found += usize::from(lanes != 0);
                }
            }
            for hit in &self.found[..found] {
                push_pairs(&tile.boxes[hit.place as usize], &tile.boxes, *hit, pairs);
            }
            for own in self.large.of(number) {
                let blocks = tile.blocks_reached(layout, own);
                observer.test((blocks.len() * LANES) as u64);
                for (block, number) in tile.blocks[blocks.clone()].iter().zip(blocks.start as u32..)
                {
                    let lanes = block.overlapping(simd, &own.bounds);
                    if lanes != 0 {
                        push_pairs(
                            own,
                            &tile.boxes,
                            Found { place: 0, block: number, lanes },
                            pairs,
                        );
                    }
                }
            }
        }
    }
}

impl<const D: usize> Lists<D> {
    fn clear(&mut self, tiles: usize) {
        self.starts.clear();
        self.starts.resize(tiles + 1, 0);
    }

    /// Turns the counts in `starts` into ends; as each tile is filled from its end, they become starts.
    fn make_room(&mut self) {
        let length = counts_to_ends(&mut self.starts);
        make_room(&mut self.boxes, length, Listed::NONE);
    }

    #[inline]
    fn put(&mut self, tile: usize, listed: Listed<D>) {
        let place = &mut self.starts[tile];
        *place -= 1;
        self.boxes[*place as usize] = listed;
    }

    fn of(&self, tile: usize) -> &[Listed<D>] {
        &self.boxes[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

impl<const D: usize> Tile<D> {
    /// Orders the boxes of one tile by bins: a counting sort.
    fn fill(&mut self, layout: &Layout<D>, listed: &[Listed<D>]) {
        self.bin_starts.clear();
        self.bin_starts.resize(layout.bins() + 1, 0);
        for own in listed {
            self.bin_starts[layout.cell(0, own.bounds.min[0]) as usize] += 1;
        }
        counts_to_ends(&mut self.bin_starts);
        make_room(&mut self.boxes, listed.len(), Listed::NONE);
        make_room(&mut self.blocks, listed.len().div_ceil(LANES), BoxBlock::EMPTY);
        // Lanes of the last block beyond the last box must not answer for an earlier tile's.
        if let Some(last) = self.blocks.get_mut(listed.len() / LANES) {
            *last = BoxBlock::EMPTY;
        }
        self.widest = 0.0;
        for own in listed {
            let start = &mut self.bin_starts[layout.cell(0, own.bounds.min[0]) as usize];
            *start -= 1;
            let place = *start as usize;
            self.boxes[place] = *own;
            self.blocks[place / LANES].set(place % LANES, &own.bounds);
            self.widest = scalar::max(own.bounds.max[0] - own.bounds.min[0], self.widest);
        }
    }

    /// How many boxes begin in the bin of `x` or before.
    #[inline]
    fn end_of_bin(&self, layout: &Layout<D>, x: f32) -> usize {
        self.bin_starts[layout.cell(0, x) as usize + 1] as usize
    }

    /// The blocks that may hold a partner of a large box.
    fn blocks_reached(&self, layout: &Layout<D>, large: &Listed<D>) -> Range<usize> {
        let begin = large.bounds.min[0];
        // Rounded away from the box, so that no rounding loses a partner.
        let reach = self.widest + 4.0 * f32::EPSILON * (begin.abs() + self.widest);
        let start = self.bin_starts[layout.cell(0, begin - reach) as usize] as usize;
        let end = self.end_of_bin(layout, large.bounds.max[0]);
        start / LANES..end.div_ceil(LANES)
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
        let lists = |lists: &Lists<D>| {
            lists.starts.capacity() * size_of::<u32>()
                + lists.boxes.capacity() * size_of::<Listed<D>>()
        };
        lists(&self.listed)
            + lists(&self.large)
            + self.tile.bin_starts.capacity() * size_of::<u32>()
            + self.tile.boxes.capacity() * size_of::<Listed<D>>()
            + self.tile.blocks.capacity() * size_of::<BoxBlock<D>>()
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
