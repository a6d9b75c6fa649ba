//! Which boxes of this tile overlap each other, and which overlap a guest?
//!
//! Every function here that holds vector code is `inline(always)`, and none is a closure: see block.rs.
#![allow(clippy::inline_always)]

use core::ops::Range;

use embate_geom::{Aabb, scalar};
use fearless_simd::Simd;

use super::block::{BoxBlock, LANES};
use super::finds::{Find, Finds};
use super::placements::ID;
use super::slab::Listed;
use super::tiles::Layout;
use super::{Pair, PairObserver};

/// The boxes of one tile in the order of bins along x: small enough to stay in the nearest cache.
#[derive(Clone, Debug)]
pub(super) struct Tile<const D: usize> {
    /// Where each bin's boxes end; while they are put there, where they begin.
    bin_ends: Vec<u32>,
    blocks: Vec<BoxBlock<D>>,
    /// Who they are, lane for lane.
    names: Vec<Name>,
    /// The greatest extent along x: how far before a guest its partners may begin.
    widest: f32,
}

/// A box in the order of the sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) mark: u32,
    last_bin: u32,
}

impl<const D: usize> Tile<D> {
    pub(super) fn new() -> Self {
        Self { bin_ends: Vec::new(), blocks: Vec::new(), names: Vec::new(), widest: 0.0 }
    }

    /// Takes these boxes in, in place of those before, and orders them by bins: a counting sort.
    #[inline(always)]
    pub(super) fn fill(&mut self, bins: usize, listed: &[Listed<D>]) {
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
        // Blocks are tested two by two: one more follows the last box.
        let count = listed.len() / LANES + 2;
        if self.blocks.len() < count {
            // To the point: of lasting tiles there are many.
            self.blocks.reserve_exact(count - self.blocks.len());
            self.names.reserve_exact(count * LANES - self.names.len());
            self.blocks.resize(count, BoxBlock::EMPTY);
            self.names.resize(count * LANES, Name { mark: 0, last_bin: 0 });
        }
        let (blocks, names) = (&mut self.blocks[..count], &mut self.names[..count * LANES]);
        // Lanes beyond the last box must not answer for an earlier tile's.
        blocks[count - 2] = BoxBlock::EMPTY;
        blocks[count - 1] = BoxBlock::EMPTY;
        let mut widest = 0.0;
        for own in listed {
            let end = &mut ends[own.first_bin()];
            let place = *end as usize;
            *end += 1;
            blocks[place / LANES].set(place % LANES, &own.bounds);
            names[place] = Name { mark: own.mark, last_bin: own.last_bin() };
            widest = scalar::max(own.bounds.max[0] - own.bounds.min[0], widest);
        }
        self.widest = widest;
    }

    /// Tests every box against those that follow; what is found and not yet told remains in `finds`.
    #[inline(always)]
    pub(super) fn test_each<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        finds: &mut Finds,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let (blocks, ends) = (&self.blocks[..], &self.bin_ends[..]);
        let boxes = ends[ends.len() - 1] as usize;
        let mut count = finds.count();
        let names = self.names.chunks_exact(LANES);
        for (number, (block, names)) in blocks.iter().zip(names).enumerate() {
            let before = number * LANES;
            if before >= boxes {
                break;
            }
            finds.keep(count);
            if finds.are_many() {
                finds.tell(&self.names, pairs);
                count = 0;
            }
            for (lane, Name { mark, last_bin }) in names.iter().enumerate().take(boxes - before) {
                let own = block.get(lane);
                let stop = ends[*last_bin as usize] as usize;
                let twos = (stop - before).div_ceil(2 * LANES);
                let rest = &blocks[number..number + 2 * twos];
                finds.keep(count);
                let found = finds.room_for(twos);
                observer.test((stop - before - lane - 1) as u64);
                if observer.watches() {
                    observer.tested(mark & ID, self.ids(before + lane + 1..stop));
                }
                // The first block holds the box itself and some before it.
                let mut later = 0xfffe << lane;
                for (at, two) in (0..).zip(rest.chunks_exact(2)) {
                    let lanes =
                        two[0].overlapping(simd, &own) | two[1].overlapping(simd, &own) << LANES;
                    let lanes = lanes & later;
                    later = 0xffff;
                    // Written in any case, kept only if it holds something: no branch to guess.
                    let place = (before + at * 2 * LANES) as u32;
                    found[count] = Find { mark: *mark, place, lanes };
                    count += usize::from(lanes != 0);
                }
            }
        }
        finds.keep(count);
    }

    /// Tests a guest, which is not among the boxes of the tile, against all of them.
    #[inline(always)]
    pub(super) fn test_guest<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        layout: &Layout<D>,
        guest: &Listed<D>,
        finds: &mut Finds,
        observer: &mut O,
    ) {
        let blocks = self.blocks_reached(simd, layout, guest);
        // The last block may have lanes without a box.
        let boxes = self.bin_ends[self.bin_ends.len() - 1] as usize;
        let places = blocks.start * LANES..boxes.min(blocks.end * LANES);
        observer.test(places.len() as u64);
        if observer.watches() {
            observer.tested(guest.mark & ID, self.ids(places));
        }
        let mut count = finds.count();
        let twos = blocks.len().div_ceil(2);
        let found = finds.room_for(twos);
        let rest = &self.blocks[blocks.start..blocks.start + 2 * twos];
        for (at, two) in (0..).zip(rest.chunks_exact(2)) {
            let [even, odd] = [&two[0], &two[1]];
            let lanes = even.overlapping(simd, &guest.bounds)
                | odd.overlapping(simd, &guest.bounds) << LANES;
            let place = ((blocks.start + at * 2) * LANES) as u32;
            found[count] = Find { mark: guest.mark, place, lanes };
            count += usize::from(lanes != 0);
        }
        finds.keep(count);
    }

    /// The blocks that may hold a partner of a guest.
    #[inline(always)]
    fn blocks_reached<S: Simd>(
        &self,
        simd: S,
        layout: &Layout<D>,
        guest: &Listed<D>,
    ) -> Range<usize> {
        let begin = guest.bounds.min[0];
        // Rounded away from the box, so that no rounding loses a partner.
        let reach = self.widest + 4.0 * f32::EPSILON * (begin.abs() + self.widest);
        let start = self.start_of_bin(layout.bin(simd, begin - reach));
        let end = self.bin_ends[guest.last_bin() as usize] as usize;
        start / LANES..end.div_ceil(LANES)
    }

    fn start_of_bin(&self, bin: usize) -> usize {
        if bin == 0 { 0 } else { self.bin_ends[bin - 1] as usize }
    }

    /// Takes a box out: its lane overlaps nothing any more.
    pub(super) fn take_out(&mut self, id: u32, bin: usize) {
        for place in self.start_of_bin(bin)..self.bin_ends[bin] as usize {
            if self.names[place].mark & ID == id {
                self.blocks[place / LANES].set(
                    place % LANES,
                    &Aabb { min: [f32::INFINITY; D], max: [f32::NEG_INFINITY; D] },
                );
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bin_ends.last().is_none_or(|end| *end == 0)
    }

    /// Who is at these places.
    fn ids(&self, places: Range<usize>) -> impl Iterator<Item = u32> {
        self.names[places].iter().map(|name| name.mark & ID)
    }

    pub(super) fn names(&self) -> &[Name] {
        &self.names
    }

    pub(super) fn bytes(&self) -> usize {
        self.bin_ends.capacity() * size_of::<u32>()
            + self.blocks.capacity() * size_of::<BoxBlock<D>>()
            + self.names.capacity() * size_of::<Name>()
    }
}
