//! Which pairs belong to the tiles of this slab?
//!
//! A slab is some rows of tiles whose boxes, copied once into the order of tiles, fit the cache.
//!
//! Every function here that holds vector code is `inline(always)`, and none is a closure: see block.rs.
#![allow(clippy::inline_always)]

use core::ops::Range;

use embate_geom::Aabb;
use fearless_simd::Simd;

use super::finds::Finds;
use super::placements::{ID, Placement, Placements};
use super::tile::Tile;
use super::tiles::Layout;
use super::{Pair, PairObserver};

/// The slab being swept.
#[derive(Clone, Debug)]
pub(super) struct Slab<const D: usize> {
    /// The number of its first tile.
    first_tile: u32,
    listed: Lists<D>,
    large: Lists<D>,
    tile: Tile<D>,
    finds: Finds,
}

/// Boxes by tile.
#[derive(Clone, Debug)]
struct Lists<const D: usize> {
    /// Where each tile's list begins.
    starts: Vec<u32>,
    /// Where it ends.
    ends: Vec<u32>,
    boxes: Vec<Listed<D>>,
}

/// A box in the list of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<const D: usize> {
    pub(super) bounds: Aabb<D>,
    /// See [`Placement::mark`].
    pub(super) mark: u32,
    /// Bins of its least x (lower half) and greatest x (upper half).
    bins: u32,
}

impl<const D: usize> Slab<D> {
    pub(super) fn new() -> Self {
        Self {
            first_tile: 0,
            listed: Lists::new(),
            large: Lists::new(),
            tile: Tile::new(),
            finds: Finds::default(),
        }
    }

    /// Copies the boxes of one slab into the order of tiles. The placements come in parts, each of later
    /// boxes than the one before.
    #[inline(always)]
    pub(super) fn list<S: Simd>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        slab: usize,
        boxes: &[Aabb<D>],
        parts: &[Placements],
    ) {
        let tiles = layout.tiles_of_slab(slab);
        self.first_tile = tiles.start;
        self.listed.clear(tiles.len());
        self.large.clear(tiles.len());
        for part in parts {
            self.listed.count(&tiles, part.listed(slab));
            self.large.count(&tiles, part.large(slab));
        }
        self.listed.make_room();
        self.large.make_room();
        for part in parts {
            self.listed.put(simd, layout, &tiles, part.listed(slab), boxes);
            self.large.put(simd, layout, &tiles, part.large(slab), boxes);
        }
    }

    /// Appends the pairs among the boxes listed.
    #[inline(always)]
    pub(super) fn sweep<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let Self { first_tile, listed, large, tile, finds } = self;
        for number in 0..listed.starts.len() {
            let own = listed.of(number);
            if own.is_empty() {
                continue;
            }
            observer.enter(1);
            observer.list(own.len() as u64);
            if observer.watches() {
                let Aabb { min, max } = layout.bounds_of_tile(*first_tile + number as u32);
                let ids = own.iter().chain(large.of(number)).map(|listed| listed.mark & ID);
                observer.cell(&min, &max, ids);
            }
            tile.fill(layout.bins(), own);
            tile.test_each(simd, finds, pairs, observer);
            for guest in large.of(number) {
                tile.test_guest(simd, layout, guest, finds, observer);
                if finds.are_many() {
                    finds.tell(tile.names(), pairs);
                }
            }
            finds.tell(tile.names(), pairs);
        }
    }

    /// Fills lasting tiles with the boxes listed.
    #[inline(always)]
    pub(super) fn settle(&self, layout: &Layout<D>, tiles: &mut [Tile<D>]) {
        for (number, tile) in tiles.iter_mut().enumerate() {
            let listed = self.listed.of(number);
            // An empty tile needs no memory.
            if !listed.is_empty() {
                tile.fill(layout.bins(), listed);
            }
        }
    }

    /// Appends the pairs of the boxes listed with those settled in `tiles`.
    #[inline(always)]
    pub(super) fn visit<S: Simd, O: PairObserver>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        tiles: &[Tile<D>],
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let Self { listed, large, finds, .. } = self;
        let filled = tiles.iter().enumerate().filter(|(_, tile)| !tile.is_empty());
        for (number, tile) in filled {
            for guest in listed.of(number).iter().chain(large.of(number)) {
                tile.test_guest(simd, layout, guest, finds, observer);
                if finds.are_many() {
                    finds.tell(tile.names(), pairs);
                }
            }
            finds.tell(tile.names(), pairs);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.listed.bytes() + self.large.bytes() + self.tile.bytes() + self.finds.bytes()
    }
}

impl<const D: usize> Lists<D> {
    fn new() -> Self {
        Self { starts: Vec::new(), ends: Vec::new(), boxes: Vec::new() }
    }

    fn clear(&mut self, tiles: usize) {
        self.starts.clear();
        self.starts.resize(tiles, 0);
    }

    fn count(&mut self, tiles: &Range<u32>, placements: &[Placement]) {
        let counts = &mut self.starts[..];
        for placement in placements {
            counts[(placement.tile - tiles.start) as usize] += 1;
        }
    }

    /// Counts become starts.
    fn make_room(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += core::mem::replace(start, sum);
        }
        self.ends.clear();
        self.ends.extend_from_slice(&self.starts);
        if self.boxes.len() < sum as usize {
            self.boxes.resize(sum as usize, Listed::NONE);
        }
    }

    #[inline(always)]
    fn put<S: Simd>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        tiles: &Range<u32>,
        placements: &[Placement],
        boxes: &[Aabb<D>],
    ) {
        let (ends, places) = (&mut self.ends[..], &mut self.boxes[..]);
        for &Placement { tile, mark } in placements {
            let bounds = &boxes[(mark & ID) as usize];
            let end = &mut ends[(tile - tiles.start) as usize];
            // Field by field: a whole value would be put together on the stack first.
            let place = &mut places[*end as usize];
            *end += 1;
            place.bounds = *bounds;
            place.mark = mark;
            place.bins = layout.bins_of(simd, bounds);
        }
    }

    fn of(&self, tile: usize) -> &[Listed<D>] {
        &self.boxes[self.starts[tile] as usize..self.ends[tile] as usize]
    }

    fn bytes(&self) -> usize {
        (self.starts.capacity() + self.ends.capacity()) * size_of::<u32>()
            + self.boxes.capacity() * size_of::<Listed<D>>()
    }
}

impl<const D: usize> Listed<D> {
    const NONE: Self = Self { bounds: Aabb { min: [0.0; D], max: [0.0; D] }, mark: 0, bins: 0 };

    #[inline(always)]
    pub(super) fn first_bin(&self) -> usize {
        (self.bins & 0xffff) as usize
    }

    #[inline(always)]
    pub(super) fn last_bin(&self) -> u32 {
        self.bins >> 16
    }
}
