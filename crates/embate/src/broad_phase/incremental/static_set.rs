//! Static set: tiles of boxes that have not moved for a while, queried by moving boxes.
//!
//! Static boxes stay in tiles and bins, as
//! [`TiledSweepAndPrune`](crate::broad_phase::TiledSweepAndPrune) sorts them. Each frame only the
//! moving boxes are assigned to tiles, as query boxes.

use embate_geom::Aabb;
use fearless_simd::{Level, Simd, dispatch};

use crate::broad_phase::tiled_sweep::binning::{
    TileAssignments, is_within_budget, oversized_budget,
};
use crate::broad_phase::tiled_sweep::layout::{InputStatistics, TileLayout};
use crate::broad_phase::tiled_sweep::slab::Slab;
use crate::broad_phase::tiled_sweep::tile::Tile;
use crate::broad_phase::{NoStats, OverlapPair};

/// Static boxes by size class, from small to large.
#[derive(Clone, Debug)]
pub(crate) struct StaticSet<const D: usize> {
    simd_level: Level,
    classes: Vec<SizeClass<D>>,
    assignments: TileAssignments,
    slab: Slab<D>,
}

#[derive(Clone, Debug)]
struct SizeClass<const D: usize> {
    layout: TileLayout<D>,
    tiles: Vec<Tile<D>>,
}

impl<const D: usize> StaticSet<D> {
    pub(crate) fn new() -> Self {
        Self {
            simd_level: Level::new(),
            classes: Vec::new(),
            assignments: TileAssignments::default(),
            slab: Slab::new(),
        }
    }

    /// Replaces the contents by the boxes `ids`.
    pub(crate) fn rebuild(&mut self, boxes: &[Aabb<D>], mut ids: Vec<u32>) {
        self.classes.clear();
        let (simd_level, slab) = (self.simd_level, &mut self.slab);
        while let Some(statistics) =
            InputStatistics::sample(ids.len(), |index| &boxes[ids[index] as usize])
        {
            let statistics = statistics.for_query_boxes();
            let mut layout = TileLayout::best(&statistics);
            while !assign_tiles(&mut self.assignments, simd_level, &layout, boxes, &ids) {
                layout = layout.coarser(&statistics);
            }
            let mut tiles = Vec::new();
            for number in 0..layout.slab_count() {
                let first = tiles.len();
                tiles.resize_with(layout.tiles_of_slab(number).end as usize, Tile::new);
                let parts = core::slice::from_ref(&self.assignments);
                dispatch!(simd_level, simd => {
                    slab.scatter(simd, &layout, number, boxes, parts);
                    slab.fill_tiles(&layout, &mut tiles[first..]);
                });
            }
            ids.clear();
            ids.extend_from_slice(self.assignments.oversized_ids());
            self.classes.push(SizeClass { layout, tiles });
        }
        // The buffers for all static boxes are larger than the moving boxes will need.
        self.assignments = TileAssignments::default();
        self.slab = Slab::new();
    }

    /// Removes a box; `bounds` is the box as it was inserted.
    pub(crate) fn remove(&mut self, id: u32, bounds: &Aabb<D>) {
        let simd_level = self.simd_level;
        for SizeClass { layout, tiles } in &mut self.classes {
            let (range, bin) = dispatch!(simd_level, simd => {
                (layout.tile_range(simd, bounds), layout.bin_of(simd, bounds.min[0]))
            });
            // A box that is oversized for this class is in a coarser one.
            if !range.is_oversized() {
                for tile in range.tiles(layout.tiles_per_row()) {
                    tiles[tile].remove(id, bin);
                }
                return;
            }
        }
    }

    /// Appends every pair of a moving box with a static one.
    pub(crate) fn query_movers(
        &mut self,
        boxes: &[Aabb<D>],
        movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        let (simd_level, slab) = (self.simd_level, &mut self.slab);
        for SizeClass { layout, tiles } in &self.classes {
            let by_bin = dispatch!(simd_level, simd => sort_by_bin(simd, layout, boxes, movers));
            // All at once, unless the oversized ones exceed their budget: then in halves.
            let mut parts = vec![&by_bin[..]];
            while let Some(part) = parts.pop() {
                if !assign_tiles(&mut self.assignments, simd_level, layout, boxes, part) {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                    continue;
                }
                for number in 0..layout.slab_count() {
                    let slab_tiles = layout.tiles_of_slab(number);
                    let slab_tiles = &tiles[slab_tiles.start as usize..slab_tiles.end as usize];
                    let parts = core::slice::from_ref(&self.assignments);
                    dispatch!(simd_level, simd => {
                        slab.scatter(simd, layout, number, boxes, parts);
                        slab.query_tiles(simd, layout, slab_tiles, pairs, &mut NoStats);
                    });
                }
            }
        }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        let tiles: usize =
            self.classes.iter().flat_map(|class| &class.tiles).map(Tile::memory_usage).sum();
        let headers: usize = self.classes.iter().map(|class| class.tiles.capacity()).sum();
        headers * size_of::<Tile<D>>()
            + tiles
            + self.assignments.memory_usage()
            + self.slab.memory_usage()
    }
}

/// Assigns the boxes `ids` to tiles; `false` if the oversized ones exceed their budget.
fn assign_tiles<const D: usize>(
    assignments: &mut TileAssignments,
    simd_level: Level,
    layout: &TileLayout<D>,
    boxes: &[Aabb<D>],
    ids: &[u32],
) -> bool {
    let budget = oversized_budget(ids.len());
    assignments.assign_tiles_with_ids(simd_level, layout, boxes, ids, budget);
    is_within_budget(core::slice::from_ref(assignments), budget)
}

/// The moving boxes in order of their bins along x, so that successive queries test the same static
/// boxes while they are cached: a counting sort.
#[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
#[inline(always)]
fn sort_by_bin<S: Simd, const D: usize>(
    simd: S,
    layout: &TileLayout<D>,
    boxes: &[Aabb<D>],
    movers: &[u32],
) -> Vec<u32> {
    let mut ends = vec![0_u32; layout.bin_count() + 1];
    let mut bins = Vec::with_capacity(movers.len());
    for &id in movers {
        let bin = layout.bin_of(simd, boxes[id as usize].min[0]);
        ends[bin + 1] += 1;
        bins.push(bin);
    }
    for bin in 1..ends.len() {
        ends[bin] += ends[bin - 1];
    }
    let mut sorted = vec![0; movers.len()];
    for (&id, bin) in movers.iter().zip(bins) {
        sorted[ends[bin] as usize] = id;
        ends[bin] += 1;
    }
    sorted
}
