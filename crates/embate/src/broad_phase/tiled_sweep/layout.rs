//! Tile layout: sizes of tiles and bins, chosen by a cost model over a sample of the boxes.
//!
//! Every function with SIMD code is `inline(always)`, and none is a closure: see `aabb8.rs`.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use core::ops::Range;

use embate_geom::{Aabb, scalar};
use fearless_simd::{f32x4, prelude::*};

use crate::broad_phase::sample;

/// Number of boxes sampled for the clustering index, and of these, for the distribution of sizes.
const CLUSTERING_SAMPLES: usize = 1024;
const SIZE_SAMPLES: usize = 64;
/// Number of boxes sampled for the range of `min`, and the fraction ignored at each end: a floor or
/// a stray box must not enlarge the cells of all others.
const RANGE_SAMPLES: usize = 128;
const RANGE_OUTLIER_FRACTION: f32 = 0.02;

/// Cost of an entry of a tile, and of testing one block of eight boxes. Only the ratio matters.
/// Measured on the uniform scenes of the benchmark.
const ENTRY_COST_NS: f32 = 25.0;
const BLOCK_TEST_COST_NS: f32 = 4.0;

/// A box that overlaps more than this many tiles beyond the first on an axis is oversized: it would
/// get too many entries.
const MAX_EXTRA_TILES: u32 = 8;

/// Bin width as a fraction of the mean box width: finer bins save tests, but cost memory.
const BIN_WIDTH_FRACTION: f32 = 0.5;

/// Maximum number of cells (bins × tiles) per box: more would mostly be empty.
const MAX_CELLS_PER_BOX: f32 = 2.0;

/// Number of boxes per slab, unless one row has more: copies of this many fit the L2 cache.
const MAX_BOXES_PER_SLAB: u32 = 16_384;

/// Maximum number of cells along an axis: bins are stored as `u16`.
const MAX_CELLS_PER_AXIS: f32 = 65_536.0;

/// Division of space: axis 0 into bins, the others into tiles. The outermost cells are unbounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileLayout<const D: usize> {
    /// By axis; lanes beyond `D` are unused.
    origin: [f32; 4],
    inv_cell_size: [f32; 4],
    /// Index of the last cell.
    last_cell: [f32; 4],
    /// Bins on axis 0, tiles on the others.
    cell_count: [u32; D],
    rows_per_slab_log2: u32,
    requested_tile_size: f32,
}

/// Statistics of the input, from a sample. The outermost cells are unbounded, so a box that the
/// sample missed costs time, never correctness.
#[derive(Clone, Debug)]
pub(crate) struct InputStatistics<const D: usize> {
    boxes: usize,
    /// Trimmed range of the boxes' `min`: start and extent.
    origin: [f32; D],
    extent: [f32; D],
    /// Mean density at a box relative to a uniform distribution; at least 1.
    clustering: f32,
    sizes: Vec<[f32; D]>,
}

impl<const D: usize> InputStatistics<D> {
    /// Samples the boxes `0..count`; `None` if there are none.
    pub(crate) fn sample<'a>(
        count: usize,
        get: impl Fn(usize) -> &'a Aabb<D> + Clone,
    ) -> Option<Self> {
        let sample = sample::sample_indices(count, CLUSTERING_SAMPLES).map(get);
        let sizes: Vec<[f32; D]> = sample.clone().take(SIZE_SAMPLES).map(Aabb::extents).collect();
        if sizes.is_empty() {
            return None;
        }
        let (mut origin, mut extent) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let mut minima: Vec<f32> =
                sample.clone().take(RANGE_SAMPLES).map(|b| b.min[axis]).collect();
            (origin[axis], extent[axis]) =
                sample::trimmed_range(&mut minima, RANGE_OUTLIER_FRACTION);
        }
        let clustering = clustering_index(&origin, &extent, sample);
        Some(Self { boxes: count, origin, extent, clustering, sizes })
    }
}

/// Morisita's index of dispersion (Morisita 1959) over a coarse grid: the probability that two
/// sampled boxes share a cell, divided by that of a uniform distribution. Clamped to at least 1.
fn clustering_index<'a, const D: usize>(
    origin: &[f32; D],
    extent: &[f32; D],
    sample: impl Iterator<Item = &'a Aabb<D>>,
) -> f32 {
    const CELLS_PER_AXIS: usize = 8;
    let mut counts = vec![0_u32; CELLS_PER_AXIS.pow(D as u32)];
    let mut cells = 1.0;
    for axis in 0..D {
        cells *= if extent[axis] > 0.0 { CELLS_PER_AXIS as f32 } else { 1.0 };
    }
    let mut sampled = 0.0;
    for b in sample {
        let mut cell = 0;
        for axis in 0..D {
            let coordinate = (b.min[axis] - origin[axis]) / extent[axis] * CELLS_PER_AXIS as f32;
            cell = cell * CELLS_PER_AXIS + (coordinate as usize).min(CELLS_PER_AXIS - 1);
        }
        counts[cell] += 1;
        sampled += 1.0;
    }
    let together: f32 = counts.iter().map(|&n| n as f32 * (n as f32 - 1.0)).sum();
    scalar::max(together / scalar::max(sampled * (sampled - 1.0), 1.0) * cells, 1.0)
}

impl<const D: usize> InputStatistics<D> {
    /// For static tiles tested by query boxes: these look back as far as ahead, so an entry costs
    /// twice as many tests.
    pub(crate) fn for_query_boxes(mut self) -> Self {
        self.clustering *= 2.0;
        self
    }
}

impl<const D: usize> TileLayout<D> {
    /// The candidate layout of least estimated cost.
    pub(crate) fn best(statistics: &InputStatistics<D>) -> Self {
        let widest = |size: &[f32; D]| size[1..].iter().copied().fold(0.0, scalar::max);
        let mut widths: Vec<f32> = statistics.sizes.iter().map(widest).collect();
        widths.sort_by(f32::total_cmp);
        let quantile = |fraction: f32| widths[(fraction * (widths.len() - 1) as f32) as usize];
        let mut best: Option<(f32, Self)> = None;
        for fraction in [0.1, 0.5, 0.9, 1.0] {
            for factor in [2.0, 4.0, 6.0] {
                let layout = Self::with_tile_size(statistics, quantile(fraction) * factor);
                let cost = layout.estimated_cost(statistics);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, layout));
                }
            }
        }
        best.expect("twelve candidates").1
    }

    /// Tiles of about `tile_size`, or larger if that gave too many cells.
    fn with_tile_size(statistics: &InputStatistics<D>, tile_size: f32) -> Self {
        let extent = statistics.extent;
        let max_size = tile_size * MAX_EXTRA_TILES as f32;
        let regular =
            statistics.sizes.iter().filter(|size| size[1..].iter().all(|&s| s <= max_size));
        let (sum, count) =
            regular.fold((0.0, 0.0), |(sum, count), size| (sum + size[0], count + 1.0));
        let mean_width = if count > 0.0 { sum / count } else { 0.0 };

        let mut cell_size = [tile_size; D];
        cell_size[0] = mean_width * BIN_WIDTH_FRACTION;
        let max_cells = statistics.boxes as f32 * MAX_CELLS_PER_BOX + 16.0;
        let cells = |cell_size: &[f32; D]| -> f32 {
            (0..D).map(|axis| cells_along(extent[axis], cell_size[axis])).product()
        };
        // Too many cells, or cells of size 0: terminates after a few iterations.
        while cells(&cell_size) > max_cells {
            for axis in 0..D {
                // Positive even if the extent underflows: the size has to grow.
                let least = scalar::max(extent[axis] / max_cells, f32::MIN_POSITIVE);
                cell_size[axis] = scalar::max(cell_size[axis] * 1.25, least);
            }
        }
        let mut layout = Self {
            origin: [0.0; 4],
            inv_cell_size: [0.0; 4],
            last_cell: [0.0; 4],
            cell_count: [1; D],
            rows_per_slab_log2: 0,
            requested_tile_size: tile_size,
        };
        for axis in 0..D {
            let cells = scalar::min(cells_along(extent[axis], cell_size[axis]), MAX_CELLS_PER_AXIS);
            layout.origin[axis] = statistics.origin[axis];
            layout.cell_count[axis] = cells as u32;
            layout.last_cell[axis] = cells - 1.0;
            if cells > 1.0 {
                // Finite, so that 0 · ∞ = NaN cannot occur.
                layout.inv_cell_size[axis] = scalar::min(cells / extent[axis], f32::MAX);
            }
        }
        let boxes_per_row = statistics.boxes as u32 / layout.cell_count[D - 1];
        layout.rows_per_slab_log2 = (MAX_BOXES_PER_SLAB / boxes_per_row.max(1)).max(1).ilog2();
        layout
    }

    /// The layout with tiles of twice the size.
    pub(crate) fn coarser(&self, statistics: &InputStatistics<D>) -> Self {
        let tile_size = 2.0 * scalar::max(self.requested_tile_size, f32::MIN_POSITIVE);
        Self::with_tile_size(statistics, tile_size)
    }

    /// Estimated time to find the pairs, in nanoseconds.
    fn estimated_cost(&self, statistics: &InputStatistics<D>) -> f32 {
        let extent = statistics.extent;
        let tiles: f32 = self.cell_count[1..].iter().map(|&n| n as f32).product();
        let boxes_per_sample = statistics.boxes as f32 / statistics.sizes.len() as f32;
        let (mut entries, mut width, mut queries) = (0.0, 0.0, 0.0);
        for size in &statistics.sizes {
            let overlapped: f32 =
                (1..D).map(|axis| 1.0 + size[axis] * self.inv_cell_size[axis]).product();
            let overlapped = scalar::min(overlapped, tiles);
            let fraction =
                if extent[0] > 0.0 { scalar::min(size[0] / extent[0], 1.0) } else { 1.0 };
            let max_extra = MAX_EXTRA_TILES as f32;
            if (1..D).any(|axis| size[axis] * self.inv_cell_size[axis] > max_extra) {
                queries += overlapped * (1.0 + fraction);
            } else {
                entries += overlapped;
                width += overlapped * (fraction + 1.0 / self.cell_count[0] as f32);
            }
        }
        let boxes_per_tile = entries * boxes_per_sample / tiles * statistics.clustering;
        let blocks = 0.5 + boxes_per_tile * width / scalar::max(entries, 1.0) / 8.0;
        let entry_cost = entries * boxes_per_sample * (ENTRY_COST_NS + BLOCK_TEST_COST_NS * blocks);
        let query_cost = queries
            * boxes_per_sample
            * (ENTRY_COST_NS + BLOCK_TEST_COST_NS * boxes_per_tile / 8.0);
        entry_cost + query_cost + tiles * self.cell_count[0] as f32
    }

    pub(crate) fn bin_count(&self) -> usize {
        self.cell_count[0] as usize
    }

    #[inline(always)]
    pub(crate) fn tiles_per_row(&self) -> u32 {
        if D == 2 { 1 } else { self.cell_count[1] }
    }

    pub(crate) fn slab_count(&self) -> usize {
        self.slab_of_row(self.cell_count[D - 1] - 1) + 1
    }

    #[inline(always)]
    pub(crate) fn slab_of_row(&self, row: u32) -> usize {
        (row >> self.rows_per_slab_log2) as usize
    }

    pub(crate) fn tiles_of_slab(&self, slab: usize) -> Range<u32> {
        let first_row = (slab as u32) << self.rows_per_slab_log2;
        let end_row = (first_row + (1 << self.rows_per_slab_log2)).min(self.cell_count[D - 1]);
        first_row * self.tiles_per_row()..end_row * self.tiles_per_row()
    }

    /// Bounds of a tile: infinite along x, and beyond the outermost tiles.
    pub(crate) fn tile_aabb(&self, tile: u32) -> Aabb<D> {
        let mut bounds = Aabb { min: [f32::NEG_INFINITY; D], max: [f32::INFINITY; D] };
        let row_and_column = [tile / self.tiles_per_row(), tile % self.tiles_per_row()];
        for (axis, number) in (1..D).rev().zip(row_and_column) {
            let plane = |number: u32| self.origin[axis] + number as f32 / self.inv_cell_size[axis];
            if number > 0 {
                bounds.min[axis] = plane(number);
            }
            if number + 1 < self.cell_count[axis] {
                bounds.max[axis] = plane(number + 1);
            }
        }
        bounds
    }

    /// The tiles that a box overlaps.
    #[inline(always)]
    pub(crate) fn tile_range<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> TileRange<D> {
        let [first, last] = self.cells_of(simd, bounds);
        let column = if D == 2 { 0 } else { first[1] as u32 };
        let first_tile = first[D - 1] as u32 * self.tiles_per_row() + column;
        TileRange { first_tile, first, last }
    }

    /// The bin of a coordinate on axis 0.
    #[inline(always)]
    pub(crate) fn bin_of<S: Simd>(&self, simd: S, x: f32) -> usize {
        self.cell_of(simd, [x; 4])[0] as usize
    }

    /// The bins of min x (lower 16 bits) and max x (upper 16 bits).
    #[inline(always)]
    pub(crate) fn packed_bins<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> u32 {
        let x = f32x4::simd_from(simd, [bounds.min[0], bounds.max[0], 0.0, 0.0]);
        let bin =
            (x - f32x4::splat(simd, self.origin[0])) * f32x4::splat(simd, self.inv_cell_size[0]);
        let bin = bin.max(f32x4::splat(simd, 0.0)).min(f32x4::splat(simd, self.last_cell[0]));
        let bin: [i32; 4] = simd.cvt_i32_f32x4(bin).into();
        bin[0] as u32 | (bin[1] as u32) << 16
    }

    /// The cells of `min` and `max`.
    #[inline(always)]
    fn cells_of<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> [[i32; 4]; 2] {
        let (mut min, mut max) = ([0.0; 4], [0.0; 4]);
        min[..D].copy_from_slice(&bounds.min);
        max[..D].copy_from_slice(&bounds.max);
        [self.cell_of(simd, min), self.cell_of(simd, max)]
    }

    /// The cell of a point, clamped to the layout. Monotonic in every coordinate despite rounding,
    /// which suffices: two boxes that overlap share a cell.
    #[inline(always)]
    fn cell_of<S: Simd>(&self, simd: S, point: [f32; 4]) -> [i32; 4] {
        let from_origin = f32x4::simd_from(simd, point) - f32x4::simd_from(simd, self.origin);
        let cell = from_origin * f32x4::simd_from(simd, self.inv_cell_size);
        let cell = cell.max(f32x4::splat(simd, 0.0)).min(f32x4::simd_from(simd, self.last_cell));
        simd.cvt_i32_f32x4(cell).into()
    }
}

/// The rectangle of tiles that a box overlaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileRange<const D: usize> {
    first_tile: u32,
    /// Cells of the box's `min` and `max`.
    first: [i32; 4],
    last: [i32; 4],
}

impl<const D: usize> TileRange<D> {
    #[inline(always)]
    pub(crate) fn first_tile(&self) -> u32 {
        self.first_tile
    }

    #[inline(always)]
    pub(crate) fn first_row(&self) -> u32 {
        self.first[D - 1] as u32
    }

    /// Number of columns and rows beyond the first.
    #[inline(always)]
    pub(crate) fn extra_tiles(&self) -> [u32; 2] {
        let columns = if D == 2 { 0 } else { self.last[1] - self.first[1] };
        [columns as u32, (self.last[D - 1] - self.first[D - 1]) as u32]
    }

    /// Indices of all tiles of the range.
    pub(crate) fn tiles(&self, tiles_per_row: u32) -> impl Iterator<Item = usize> {
        let ([columns, rows], first) = (self.extra_tiles(), self.first_tile);
        (0..=rows).flat_map(move |row| {
            (0..=columns).map(move |column| (first + row * tiles_per_row + column) as usize)
        })
    }

    /// Whether the box overlaps more than two columns or rows.
    #[inline(always)]
    pub(crate) fn exceeds_two_tiles(&self) -> bool {
        let [columns, rows] = self.extra_tiles();
        columns.max(rows) > 1
    }

    /// Whether the box overlaps too many tiles to get an entry in each.
    #[inline(always)]
    pub(crate) fn is_oversized(&self) -> bool {
        let [columns, rows] = self.extra_tiles();
        columns.max(rows) > MAX_EXTRA_TILES
    }
}

fn cells_along(extent: f32, cell_size: f32) -> f32 {
    let cells = if cell_size > 0.0 { (extent / cell_size).ceil() } else { f32::INFINITY };
    if extent > 0.0 { scalar::max(cells, 1.0) } else { 1.0 }
}
