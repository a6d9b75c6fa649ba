//! Which pairs belong to this tile?
//!
//! Every function here that holds vector code is `inline(always)`, and none is a closure: see block.rs.
#![allow(clippy::inline_always)]

use core::ops::Range;

use embate_geom::scalar;
use fearless_simd::Simd;

use super::block::{BoxBlock, LANES};
use super::placements::ID;
use super::slab::Listed;
use super::tiles::Layout;
use super::{Pair, PairObserver};

/// The tile being swept: small enough to stay in the nearest cache.
#[derive(Clone, Debug)]
pub(super) struct Tile<const D: usize> {
    /// Where each bin's boxes end; while they are put there, where they begin.
    bin_ends: Vec<u32>,
    /// Boxes in the order of bins.
    blocks: Vec<BoxBlock<D>>,
    /// Who they are, lane for lane.
    names: Vec<[Name; LANES]>,
    /// The greatest extent along x: how far before a large box its partners may begin.
    widest: f32,
    found: Vec<Found>,
    told: Vec<Pair>,
}

/// A box in the order of the sweep.
#[derive(Clone, Copy, Debug)]
struct Name {
    mark: u32,
    last_bin: u32,
}

/// The lanes of one block that overlap one box.
#[derive(Clone, Copy, Debug)]
struct Found {
    mark: u32,
    block: u32,
    lanes: u32,
}

impl<const D: usize> Tile<D> {
    pub(super) fn new() -> Self {
        Self {
            bin_ends: Vec::new(),
            blocks: Vec::new(),
            names: Vec::new(),
            widest: 0.0,
            found: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Appends the pairs that belong to one tile.
    #[inline(always)]
    pub(super) fn sweep<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        listed: &[Listed<D>],
        large: &[Listed<D>],
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        self.fill(layout.bins(), listed);
        let found = self.test_each(simd, listed.len(), observer);
        tell(&self.found[..found], &self.names, &mut self.told, pairs);
        for own in large {
            let found = self.test_large(simd, layout, own, observer);
            tell(&self.found[..found], &self.names, &mut self.told, pairs);
        }
    }

    /// Orders boxes by bins: a counting sort.
    #[inline(always)]
    fn fill(&mut self, bins: usize, listed: &[Listed<D>]) {
        self.bin_ends.clear();
        self.bin_ends.resize(bins, 0);
        let ends = &mut self.bin_ends[..];
        for own in listed {
            ends[own.first_bin()] += 1;
        }
        let mut sum = 0;
        for start in &mut *ends {
            sum += core::mem::replace(start, sum);
        }
        let count = listed.len().div_ceil(LANES);
        if self.blocks.len() < count {
            self.blocks.resize(count, BoxBlock::EMPTY);
            self.names.resize(count, [Name { mark: 0, last_bin: 0 }; LANES]);
        }
        let (blocks, names) = (&mut self.blocks[..count], &mut self.names[..count]);
        // Lanes of the last block beyond the last box must not answer for an earlier tile's.
        blocks[count - 1] = BoxBlock::EMPTY;
        let mut widest = 0.0;
        for own in listed {
            let end = &mut ends[own.first_bin()];
            let place = *end as usize;
            *end += 1;
            blocks[place / LANES].set(place % LANES, &own.bounds);
            names[place / LANES][place % LANES] = Name { mark: own.mark, last_bin: own.last_bin() };
            widest = scalar::max(own.bounds.max[0] - own.bounds.min[0], widest);
        }
        self.widest = widest;
    }

    /// Tests every box against those that follow; returns how many blocks were `found`.
    #[inline(always)]
    fn test_each<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        boxes: usize,
        observer: &mut O,
    ) -> usize {
        let (blocks, ends, found) = (&self.blocks[..], &self.bin_ends[..], &mut self.found);
        let mut count = 0;
        for (number, (block, names)) in blocks.iter().zip(&self.names).enumerate() {
            let before = number * LANES;
            if before >= boxes {
                break;
            }
            for (lane, Name { mark, last_bin }) in names.iter().enumerate().take(boxes - before) {
                let own = block.get(lane);
                let stop = ends[*last_bin as usize] as usize;
                let rest = &blocks[number..stop.div_ceil(LANES)];
                make_room(found, count + rest.len(), Found::NONE);
                observer.test((stop - before - lane - 1) as u64);
                // The first block holds the box itself and some before it.
                let mut later = 0xfe << lane;
                let mut at = number as u32;
                let found = &mut found[..];
                for other in rest {
                    let lanes = other.overlapping(simd, &own) & later;
                    later = 0xff;
                    // Written in any case, kept only if it holds something: no branch to guess.
                    found[count] = Found { mark: *mark, block: at, lanes };
                    count += usize::from(lanes != 0);
                    at += 1;
                }
            }
        }
        count
    }

    /// Tests a large box, which is not among those of the tile; returns how many blocks were `found`.
    #[inline(always)]
    fn test_large<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        own: &Listed<D>,
        observer: &mut O,
    ) -> usize {
        let blocks = self.blocks_reached(simd, layout, own);
        observer.test((blocks.len() * LANES) as u64);
        make_room(&mut self.found, blocks.len(), Found::NONE);
        let mut count = 0;
        for (at, block) in (blocks.start as u32..).zip(&self.blocks[blocks]) {
            let lanes = block.overlapping(simd, &own.bounds);
            self.found[count] = Found { mark: own.mark, block: at, lanes };
            count += usize::from(lanes != 0);
        }
        count
    }

    /// The blocks that may hold a partner of a large box.
    #[inline(always)]
    fn blocks_reached<S: Simd>(
        &self,
        simd: S,
        layout: &Layout<D>,
        large: &Listed<D>,
    ) -> Range<usize> {
        let begin = large.bounds.min[0];
        // Rounded away from the box, so that no rounding loses a partner.
        let reach = self.widest + 4.0 * f32::EPSILON * (begin.abs() + self.widest);
        let bin = layout.bin(simd, begin - reach);
        let start = if bin == 0 { 0 } else { self.bin_ends[bin - 1] as usize };
        let end = self.bin_ends[large.last_bin() as usize] as usize;
        start / LANES..end.div_ceil(LANES)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bin_ends.capacity() * size_of::<u32>()
            + self.blocks.capacity() * size_of::<BoxBlock<D>>()
            + self.names.capacity() * size_of::<[Name; LANES]>()
            + self.found.capacity() * size_of::<Found>()
            + self.told.capacity() * size_of::<Pair>()
    }
}

impl Found {
    const NONE: Self = Self { mark: 0, block: 0, lanes: 0 };
}

/// Tells the pairs found, unless another tile owns them.
#[inline(always)]
fn tell(found: &[Found], names: &[[Name; LANES]], told: &mut Vec<Pair>, pairs: &mut Vec<Pair>) {
    make_room(told, found.len() * LANES, [0; 2]);
    let told = &mut told[..];
    let mut count = 0;
    for hit in found {
        let names = &names[hit.block as usize];
        let own = hit.mark & ID;
        let mut lanes = hit.lanes;
        while lanes != 0 {
            let other = names[lanes.trailing_zeros() as usize % LANES].mark;
            lanes &= lanes - 1;
            let owned = hit.mark & other & !ID == 0;
            let other = other & ID;
            told[count] = [own.min(other), own.max(other)];
            count += usize::from(owned);
        }
    }
    pairs.extend_from_slice(&told[..count]);
}

#[inline(always)]
fn make_room<T: Copy>(items: &mut Vec<T>, length: usize, empty: T) {
    if items.len() < length {
        items.resize(length * 2, empty);
    }
}
