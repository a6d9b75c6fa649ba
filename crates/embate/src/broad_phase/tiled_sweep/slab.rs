//! Slab: rows of tiles whose boxes, copied into tile order, fit the L2 cache.
//!
//! Every function with SIMD code is `inline(always)`, and none is a closure: see `aabb8.rs`.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use core::ops::Range;

use embate_geom::Aabb;
use fearless_simd::Simd;

use crate::broad_phase::tiled_sweep::binning::{ID_MASK, TileAssignment, TileAssignments};
use crate::broad_phase::tiled_sweep::layout::TileLayout;
use crate::broad_phase::tiled_sweep::pair_buffer::PairBuffer;
use crate::broad_phase::tiled_sweep::tile::Tile;
use crate::broad_phase::{BroadPhaseObserver, OverlapPair};

/// The slab being swept.
#[derive(Clone, Debug)]
pub(crate) struct Slab<const D: usize> {
    /// Index of its first tile.
    first_tile: u32,
    regular: TileLists<D>,
    oversized: TileLists<D>,
    tile: Tile<D>,
    pair_buffer: PairBuffer,
}

/// Entries grouped by tile.
#[derive(Clone, Debug)]
struct TileLists<const D: usize> {
    /// Start and end of each tile's entries.
    starts: Vec<u32>,
    ends: Vec<u32>,
    entries: Vec<TileEntry<D>>,
}

/// Copy of a box in the list of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileEntry<const D: usize> {
    pub(crate) bounds: Aabb<D>,
    /// See [`TileAssignment::id_and_flags`].
    pub(crate) id_and_flags: u32,
    /// Bins of min x (lower 16 bits) and max x (upper 16 bits).
    packed_bins: u32,
}

impl<const D: usize> Slab<D> {
    pub(crate) fn new() -> Self {
        Self {
            first_tile: 0,
            regular: TileLists::new(),
            oversized: TileLists::new(),
            tile: Tile::new(),
            pair_buffer: PairBuffer::default(),
        }
    }

    /// Copies the boxes of slab `slab` into tile order. `parts` are in input order, so the order of
    /// entries does not depend on how many there are.
    #[inline(always)]
    pub(crate) fn scatter<S: Simd>(
        &mut self,
        simd: S,
        layout: &TileLayout<D>,
        slab: usize,
        boxes: &[Aabb<D>],
        parts: &[TileAssignments],
    ) {
        let tiles = layout.tiles_of_slab(slab);
        self.first_tile = tiles.start;
        self.regular.clear(tiles.len());
        self.oversized.clear(tiles.len());
        for part in parts {
            self.regular.count(&tiles, part.regular(slab));
            self.oversized.count(&tiles, part.oversized(slab));
        }
        self.regular.counts_to_starts();
        self.oversized.counts_to_starts();
        for part in parts {
            self.regular.scatter(simd, layout, &tiles, part.regular(slab), boxes);
            self.oversized.scatter(simd, layout, &tiles, part.oversized(slab), boxes);
        }
    }

    /// Appends the pairs of this slab: regular × regular and regular × oversized.
    #[inline(always)]
    pub(crate) fn sweep<S: Simd, O: BroadPhaseObserver>(
        &mut self,
        simd: S,
        layout: &TileLayout<D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let Self { first_tile, regular, oversized, tile, pair_buffer } = self;
        for number in 0..regular.starts.len() {
            let entries = regular.entries_of(number);
            if entries.is_empty() {
                continue;
            }
            observer.count_cells_visited(1);
            observer.count_cell_entries(entries.len() as u64);
            if observer.wants_details() {
                let Aabb { min, max } = layout.tile_aabb(*first_tile + number as u32);
                let all = entries.iter().chain(oversized.entries_of(number));
                let ids = all.map(|entry| entry.id_and_flags & ID_MASK);
                observer.cell_visited(&min, &max, ids);
            }
            tile.fill(layout.bin_count(), entries);
            tile.sweep(simd, pair_buffer, pairs, observer);
            for query in oversized.entries_of(number) {
                tile.test_query_box(simd, layout, query, pair_buffer, observer);
                if pair_buffer.is_full() {
                    pair_buffer.flush(tile.box_refs(), pairs);
                }
            }
            pair_buffer.flush(tile.box_refs(), pairs);
        }
    }

    /// Fills persistent tiles with the regular boxes of this slab.
    #[inline(always)]
    pub(crate) fn fill_tiles(&self, layout: &TileLayout<D>, tiles: &mut [Tile<D>]) {
        for (number, tile) in tiles.iter_mut().enumerate() {
            let entries = self.regular.entries_of(number);
            // An empty tile allocates nothing.
            if !entries.is_empty() {
                tile.fill(layout.bin_count(), entries);
            }
        }
    }

    /// Appends the pairs of this slab's boxes, all as query boxes, with those of the persistent
    /// `tiles`.
    #[inline(always)]
    pub(crate) fn query_tiles<S: Simd, O: BroadPhaseObserver>(
        &mut self,
        simd: S,
        layout: &TileLayout<D>,
        tiles: &[Tile<D>],
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let Self { regular, oversized, pair_buffer, .. } = self;
        let nonempty = tiles.iter().enumerate().filter(|(_, tile)| !tile.is_empty());
        for (number, tile) in nonempty {
            for query in regular.entries_of(number).iter().chain(oversized.entries_of(number)) {
                tile.test_query_box(simd, layout, query, pair_buffer, observer);
                if pair_buffer.is_full() {
                    pair_buffer.flush(tile.box_refs(), pairs);
                }
            }
            pair_buffer.flush(tile.box_refs(), pairs);
        }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.regular.memory_usage()
            + self.oversized.memory_usage()
            + self.tile.memory_usage()
            + self.pair_buffer.memory_usage()
    }
}

impl<const D: usize> TileLists<D> {
    fn new() -> Self {
        Self { starts: Vec::new(), ends: Vec::new(), entries: Vec::new() }
    }

    fn clear(&mut self, tiles: usize) {
        self.starts.clear();
        self.starts.resize(tiles, 0);
    }

    fn count(&mut self, tiles: &Range<u32>, assignments: &[TileAssignment]) {
        let counts = &mut self.starts[..];
        for assignment in assignments {
            counts[(assignment.tile - tiles.start) as usize] += 1;
        }
    }

    /// Exclusive prefix sum over the counts.
    fn counts_to_starts(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += core::mem::replace(start, sum);
        }
        self.ends.clear();
        self.ends.extend_from_slice(&self.starts);
        if self.entries.len() < sum as usize {
            self.entries.resize(sum as usize, TileEntry::NONE);
        }
    }

    #[inline(always)]
    fn scatter<S: Simd>(
        &mut self,
        simd: S,
        layout: &TileLayout<D>,
        tiles: &Range<u32>,
        assignments: &[TileAssignment],
        boxes: &[Aabb<D>],
    ) {
        let (ends, entries) = (&mut self.ends[..], &mut self.entries[..]);
        for &TileAssignment { tile, id_and_flags } in assignments {
            let bounds = &boxes[(id_and_flags & ID_MASK) as usize];
            let end = &mut ends[(tile - tiles.start) as usize];
            // Field by field: a whole value would be assembled on the stack first.
            let entry = &mut entries[*end as usize];
            *end += 1;
            entry.bounds = *bounds;
            entry.id_and_flags = id_and_flags;
            entry.packed_bins = layout.packed_bins(simd, bounds);
        }
    }

    fn entries_of(&self, tile: usize) -> &[TileEntry<D>] {
        &self.entries[self.starts[tile] as usize..self.ends[tile] as usize]
    }

    fn memory_usage(&self) -> usize {
        (self.starts.capacity() + self.ends.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<TileEntry<D>>()
    }
}

impl<const D: usize> TileEntry<D> {
    const NONE: Self =
        Self { bounds: Aabb { min: [0.0; D], max: [0.0; D] }, id_and_flags: 0, packed_bins: 0 };

    #[inline(always)]
    pub(crate) fn first_bin(&self) -> usize {
        (self.packed_bins & 0xffff) as usize
    }

    #[inline(always)]
    pub(crate) fn last_bin(&self) -> u32 {
        self.packed_bins >> 16
    }
}
