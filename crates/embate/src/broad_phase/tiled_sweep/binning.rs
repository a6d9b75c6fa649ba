//! Binning: assigns each box to the tiles it overlaps.
//!
//! Every function with SIMD code is `inline(always)`, and none is a closure: see `aabb8.rs`.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use embate_geom::Aabb;
use fearless_simd::{Level, Simd, dispatch};

use crate::broad_phase::tiled_sweep::layout::{TileLayout, TileRange};

/// Bits of [`TileAssignment::id_and_flags`]: set if the box starts before its tile on the column
/// axis or the row axis.
const STARTS_BEFORE_TILE: [u32; 2] = [1 << 30, 1 << 31];
/// The remaining bits: the index of the box. [`AabbSlice`](crate::broad_phase::AabbSlice) limits
/// the number of boxes to 2³⁰.
pub(crate) const ID_MASK: u32 = STARTS_BEFORE_TILE[0] - 1;

/// Maximum number of tile entries of oversized boxes, per box of the class.
const OVERSIZED_ENTRIES_PER_BOX: usize = 4;

/// A box and a tile it overlaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileAssignment {
    pub(crate) tile: u32,
    /// Index of the box, and on which tiled axes it starts before the tile.
    pub(crate) id_and_flags: u32,
}

/// Tile assignments by slab, in input order; those of oversized boxes apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileAssignments {
    regular: Vec<Bucket>,
    oversized: Vec<Bucket>,
    oversized_ids: Vec<u32>,
    /// Number of tiles that oversized boxes overlap, in total.
    oversized_entries: usize,
}

/// Maximum total of tile entries of oversized boxes in a class of `boxes`: more would dominate the
/// memory of the sweep.
pub(crate) fn oversized_budget(boxes: usize) -> usize {
    boxes * OVERSIZED_ENTRIES_PER_BOX + 1024
}

/// Whether the oversized boxes of all parts are within the budget. A single one always is, so that
/// halving a list or doubling the tile size terminates. A property of all parts together: it does
/// not depend on the number of parts.
pub(crate) fn is_within_budget(parts: &[TileAssignments], budget: usize) -> bool {
    let entries: usize = parts.iter().map(|part| part.oversized_entries).sum();
    let boxes: usize = parts.iter().map(|part| part.oversized_ids.len()).sum();
    entries <= budget || boxes <= 1
}

/// A buffer whose entries beyond `len` are stale.
#[derive(Clone, Debug, Default)]
struct Bucket {
    len: usize,
    entries: Vec<TileAssignment>,
}

impl TileAssignments {
    /// Assigns the boxes `ids` to the tiles they overlap. Stops early if the oversized boxes exceed
    /// `budget`; see [`is_within_budget`].
    pub(crate) fn assign_tiles_with_ids<const D: usize>(
        &mut self,
        simd_level: Level,
        layout: &TileLayout<D>,
        boxes: &[Aabb<D>],
        ids: &[u32],
        budget: usize,
    ) {
        let by_id = ids.iter().map(|&id| (id, &boxes[id as usize]));
        dispatch!(simd_level, simd => self.assign_tiles(simd, layout, by_id, budget));
    }

    /// [`assign_tiles_with_ids`](Self::assign_tiles_with_ids) for boxes numbered from `first`.
    pub(crate) fn assign_tiles_from<const D: usize>(
        &mut self,
        simd_level: Level,
        layout: &TileLayout<D>,
        boxes: &[Aabb<D>],
        first: u32,
        budget: usize,
    ) {
        let numbered = (first..).zip(boxes);
        dispatch!(simd_level, simd => self.assign_tiles(simd, layout, numbered, budget));
    }

    #[inline(always)]
    fn assign_tiles<'a, S: Simd, const D: usize>(
        &mut self,
        simd: S,
        layout: &TileLayout<D>,
        boxes: impl Iterator<Item = (u32, &'a Aabb<D>)>,
        budget: usize,
    ) {
        self.clear(layout.slab_count());
        for (id, bounds) in boxes {
            let range = layout.tile_range(simd, bounds);
            if range.is_oversized() {
                let [columns, rows] = range.extra_tiles().map(|extra| extra as usize + 1);
                self.oversized_entries += columns * rows;
                self.oversized_ids.push(id);
                if !is_within_budget(core::slice::from_ref(self), budget) {
                    return;
                }
                assign_each(&mut self.oversized, layout, &range, id);
            } else if range.exceeds_two_tiles() {
                assign_each(&mut self.regular, layout, &range, id);
            } else {
                assign_up_to_two(&mut self.regular, layout, &range, id);
            }
        }
    }

    fn clear(&mut self, slab_count: usize) {
        for buckets in [&mut self.regular, &mut self.oversized] {
            // Never shrinks: size classes alternate, and buffers are kept for the next frame.
            if buckets.len() < slab_count {
                buckets.resize(slab_count, Bucket::default());
            }
            for bucket in buckets {
                bucket.len = 0;
            }
        }
        self.oversized_ids.clear();
        self.oversized_entries = 0;
    }

    pub(crate) fn regular(&self, slab: usize) -> &[TileAssignment] {
        self.regular[slab].as_slice()
    }

    pub(crate) fn oversized(&self, slab: usize) -> &[TileAssignment] {
        self.oversized[slab].as_slice()
    }

    pub(crate) fn oversized_ids(&self) -> &[u32] {
        &self.oversized_ids
    }

    pub(crate) fn memory_usage(&self) -> usize {
        let entries: usize = self
            .regular
            .iter()
            .chain(&self.oversized)
            .map(|bucket| bucket.entries.capacity())
            .sum();
        let buckets = self.regular.capacity() + self.oversized.capacity();
        buckets * size_of::<Bucket>()
            + entries * size_of::<TileAssignment>()
            + self.oversized_ids.capacity() * size_of::<u32>()
    }
}

/// Assigns a box that overlaps one or two tiles per axis, as most do. Branch-free: all entries are
/// written, and the next box overwrites those that do not count.
#[inline(always)]
fn assign_up_to_two<const D: usize>(
    buckets: &mut [Bucket],
    layout: &TileLayout<D>,
    range: &TileRange<D>,
    id: u32,
) {
    let [columns, rows] = range.extra_tiles();
    let slab = layout.slab_of_row(range.first_row());
    buckets[slab].push_up_to_two::<D>(range.first_tile(), id, columns, 1);
    let slab = layout.slab_of_row(range.first_row() + rows);
    let tile = range.first_tile() + rows * layout.tiles_per_row();
    buckets[slab].push_up_to_two::<D>(tile, id | STARTS_BEFORE_TILE[1], columns, rows);
}

fn assign_each<const D: usize>(
    buckets: &mut [Bucket],
    layout: &TileLayout<D>,
    range: &TileRange<D>,
    id: u32,
) {
    let [columns, rows] = range.extra_tiles();
    for row in 0..=rows {
        let bucket = &mut buckets[layout.slab_of_row(range.first_row() + row)];
        for column in 0..=columns {
            let tile = range.first_tile() + row * layout.tiles_per_row() + column;
            let flags = [u32::from(column > 0) << 30, u32::from(row > 0) << 31];
            bucket.push_up_to_two::<2>(tile, id | flags[0] | flags[1], 0, 1);
        }
    }
}

impl Bucket {
    /// Pushes a tile and, if `columns` is 1, its neighbor in the row; neither if `wanted` is 0.
    #[inline(always)]
    fn push_up_to_two<const D: usize>(
        &mut self,
        tile: u32,
        id_and_flags: u32,
        columns: u32,
        wanted: u32,
    ) {
        if self.entries.len() < self.len + 2 {
            self.entries.resize(2 * self.len + 64, TileAssignment { tile: 0, id_and_flags: 0 });
        }
        let end = &mut self.entries[self.len..self.len + 2];
        end[0] = TileAssignment { tile, id_and_flags };
        if D == 3 {
            end[1] = TileAssignment {
                tile: tile + columns,
                id_and_flags: id_and_flags | STARTS_BEFORE_TILE[0],
            };
        }
        self.len += (wanted + (wanted & columns)) as usize;
    }

    fn as_slice(&self) -> &[TileAssignment] {
        &self.entries[..self.len]
    }
}
