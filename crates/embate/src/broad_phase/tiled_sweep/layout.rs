//! Into which tiles and bins is space cut, so that finding the pairs costs least?
//!
//! Every function here that holds vector code is `inline(always)`, and none is a closure: see block.rs.
#![allow(clippy::inline_always)]

use core::ops::Range;

use embate_geom::{Aabb, scalar};
use fearless_simd::{f32x4, prelude::*};

use super::sample;

/// Boxes looked at to learn how crowded they are, and of these, to learn how sizes are spread.
const SAMPLE: usize = 1024;
const SIZES: usize = 64;
/// Boxes that tell where most begin, and the share on each side that may lie anywhere: a floor or a
/// stray must not stretch the cells of all others.
const BEGINS: usize = 128;
const OUTLYING: f32 = 0.02;

/// What listing a box in a tile and testing one block of eight cost, in nanoseconds: only their ratio
/// matters. Measured on the uniform scenes of the benchmark.
const LISTING_COST: f32 = 25.0;
const BLOCK_COST: f32 = 4.0;

/// A box that reaches further than this many tiles on an axis is large: it would be listed too often.
const LARGE_REACH: u32 = 8;

/// Bins are this share of the mean size: finer ones hold fewer boxes to test in vain, but cost memory.
const BIN_SHARE: f32 = 0.5;

/// Cells a box, at most: more would mostly be empty.
const CELLS_A_BOX: f32 = 2.0;

/// Boxes in a slab, at most, where rows are not longer: copies of so many fit the second cache.
const BOXES_IN_A_SLAB: u32 = 16_384;

/// Cells along one axis, at most: bins are named by a `u16`.
const MOST_ON_AN_AXIS: f32 = 65_536.0;

/// How space is cut: axis 0 into bins, the others into tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<const D: usize> {
    /// By axis; the lanes beyond `D` are unused.
    origin: [f32; 4],
    inv_side: [f32; 4],
    /// The number of the last cell.
    last: [f32; 4],
    /// Bins on axis 0, tiles on the others.
    count: [u32; D],
    rows_in_a_slab_log2: u32,
    /// The side of tiles that was asked for.
    side: f32,
}

/// What is known of the boxes before space is cut: a sample of them says enough. Cells at the edge reach
/// on without end, so what the sample missed costs time at worst.
#[derive(Clone, Debug)]
pub(super) struct Survey<const D: usize> {
    boxes: usize,
    /// Where most boxes begin: from here, and as far as this.
    origin: [f32; D],
    extent: [f32; D],
    /// How much denser the place of a box is, on the mean, than if all were spread evenly; at least 1.
    crowding: f32,
    sizes: Vec<[f32; D]>,
}

impl<const D: usize> Survey<D> {
    /// Asks for some of the boxes `0..count`; `None` if there is none.
    pub(super) fn of<'a>(count: usize, get: impl Fn(usize) -> &'a Aabb<D> + Clone) -> Option<Self> {
        let sample = sample::places(count, SAMPLE).map(get);
        let sizes: Vec<[f32; D]> = sample.clone().take(SIZES).map(Aabb::size).collect();
        if sizes.is_empty() {
            return None;
        }
        let (mut origin, mut extent) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let mut begins: Vec<f32> = sample.clone().take(BEGINS).map(|b| b.min[axis]).collect();
            (origin[axis], extent[axis]) = sample::usual_range(&mut begins, OUTLYING);
        }
        let crowding = crowding(&origin, &extent, sample);
        Some(Self { boxes: count, origin, extent, crowding, sizes })
    }
}

/// Counts the sample in coarse cells: the chance that two boxes share one, against even spread.
fn crowding<'a, const D: usize>(
    origin: &[f32; D],
    extent: &[f32; D],
    sample: impl Iterator<Item = &'a Aabb<D>>,
) -> f32 {
    const SIDE: usize = 8;
    let mut counts = vec![0_u32; SIDE.pow(D as u32)];
    let mut cells = 1.0;
    for axis in 0..D {
        cells *= if extent[axis] > 0.0 { SIDE as f32 } else { 1.0 };
    }
    let mut sampled = 0.0;
    for b in sample {
        let mut cell = 0;
        for axis in 0..D {
            let share = (b.min[axis] - origin[axis]) / extent[axis] * SIDE as f32;
            cell = cell * SIDE + (share as usize).min(SIDE - 1);
        }
        counts[cell] += 1;
        sampled += 1.0;
    }
    let together: f32 = counts.iter().map(|&n| n as f32 * (n as f32 - 1.0)).sum();
    scalar::max(together / scalar::max(sampled * (sampled - 1.0), 1.0) * cells, 1.0)
}

impl<const D: usize> Survey<D> {
    /// The same for boxes that are asked by guests: these look back as far as they look ahead, so a box
    /// in a tile costs twice as many tests.
    pub(super) fn for_guests(mut self) -> Self {
        self.crowding *= 2.0;
        self
    }
}

impl<const D: usize> Layout<D> {
    /// Of several ways to cut, the one that promises to cost least.
    pub(super) fn best(survey: &Survey<D>) -> Self {
        let widest = |size: &[f32; D]| size[1..].iter().copied().fold(0.0, scalar::max);
        let mut widths: Vec<f32> = survey.sizes.iter().map(widest).collect();
        widths.sort_by(f32::total_cmp);
        let quantile = |share: f32| widths[(share * (widths.len() - 1) as f32) as usize];
        let mut best: Option<(f32, Self)> = None;
        for share in [0.1, 0.5, 0.9, 1.0] {
            for tiles in [2.0, 4.0, 6.0] {
                let layout = Self::with_side(survey, quantile(share) * tiles);
                let cost = layout.cost(survey);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, layout));
                }
            }
        }
        best.expect("several were tried").1
    }

    /// Tiles of about `side`, or larger where there would be too many.
    fn with_side(survey: &Survey<D>, side: f32) -> Self {
        let extent = survey.extent;
        let large = side * LARGE_REACH as f32;
        let small = survey.sizes.iter().filter(|size| size[1..].iter().all(|&s| s <= large));
        let (sum, count) =
            small.fold((0.0, 0.0), |(sum, count), size| (sum + size[0], count + 1.0));
        let mean_width = if count > 0.0 { sum / count } else { 0.0 };

        let mut sides = [side; D];
        sides[0] = mean_width * BIN_SHARE;
        let most = survey.boxes as f32 * CELLS_A_BOX + 16.0;
        let cells = |sides: &[f32; D]| -> f32 {
            (0..D).map(|axis| cells_along(extent[axis], sides[axis])).product()
        };
        // Too many cells, or sides of nothing: both end after a few doublings.
        while cells(&sides) > most {
            for axis in 0..D {
                // Never nothing, however small the extent: it has to grow.
                let least = scalar::max(extent[axis] / most, f32::MIN_POSITIVE);
                sides[axis] = scalar::max(sides[axis] * 1.25, least);
            }
        }
        let mut layout = Self {
            origin: [0.0; 4],
            inv_side: [0.0; 4],
            last: [0.0; 4],
            count: [1; D],
            rows_in_a_slab_log2: 0,
            side,
        };
        for axis in 0..D {
            let cells = scalar::min(cells_along(extent[axis], sides[axis]), MOST_ON_AN_AXIS);
            layout.origin[axis] = survey.origin[axis];
            layout.count[axis] = cells as u32;
            layout.last[axis] = cells - 1.0;
            if cells > 1.0 {
                // Finite, so that 0 · ∞ never asks for a cell.
                layout.inv_side[axis] = scalar::min(cells / extent[axis], f32::MAX);
            }
        }
        let boxes_in_a_row = survey.boxes as u32 / layout.count[D - 1];
        layout.rows_in_a_slab_log2 = (BOXES_IN_A_SLAB / boxes_in_a_row.max(1)).max(1).ilog2();
        layout
    }

    /// With tiles twice as large.
    pub(super) fn coarser(&self, survey: &Survey<D>) -> Self {
        Self::with_side(survey, 2.0 * scalar::max(self.side, f32::MIN_POSITIVE))
    }

    /// Nanoseconds that finding the pairs is expected to take, as far as the sample tells.
    fn cost(&self, survey: &Survey<D>) -> f32 {
        let extent = survey.extent;
        let tiles: f32 = self.count[1..].iter().map(|&n| n as f32).product();
        let boxes_a_sample = survey.boxes as f32 / survey.sizes.len() as f32;
        let (mut places, mut width, mut visits) = (0.0, 0.0, 0.0);
        for size in &survey.sizes {
            let reach: f32 = (1..D).map(|axis| 1.0 + size[axis] * self.inv_side[axis]).product();
            let reach = scalar::min(reach, tiles);
            let share = if extent[0] > 0.0 { scalar::min(size[0] / extent[0], 1.0) } else { 1.0 };
            let large = LARGE_REACH as f32;
            if (1..D).any(|axis| size[axis] * self.inv_side[axis] > large) {
                visits += reach * (1.0 + share);
            } else {
                places += reach;
                width += reach * (share + 1.0 / self.count[0] as f32);
            }
        }
        let in_a_tile = places * boxes_a_sample / tiles * survey.crowding;
        let blocks = 0.5 + in_a_tile * width / scalar::max(places, 1.0) / 8.0;
        let listed = places * boxes_a_sample * (LISTING_COST + BLOCK_COST * blocks);
        let crossed = visits * boxes_a_sample * (LISTING_COST + BLOCK_COST * in_a_tile / 8.0);
        listed + crossed + tiles * self.count[0] as f32
    }

    pub(super) fn bins(&self) -> usize {
        self.count[0] as usize
    }

    #[inline(always)]
    pub(super) fn tiles_in_a_row(&self) -> u32 {
        if D == 2 { 1 } else { self.count[1] }
    }

    pub(super) fn slabs(&self) -> usize {
        self.slab_of(self.count[D - 1] - 1) + 1
    }

    #[inline(always)]
    pub(super) fn slab_of(&self, row: u32) -> usize {
        (row >> self.rows_in_a_slab_log2) as usize
    }

    pub(super) fn tiles_of_slab(&self, slab: usize) -> Range<u32> {
        let first_row = (slab as u32) << self.rows_in_a_slab_log2;
        let end_row = (first_row + (1 << self.rows_in_a_slab_log2)).min(self.count[D - 1]);
        first_row * self.tiles_in_a_row()..end_row * self.tiles_in_a_row()
    }

    /// Where a tile is. Those at the edge reach on without end, and along x all do.
    pub(super) fn bounds_of_tile(&self, tile: u32) -> Aabb<D> {
        let mut bounds = Aabb { min: [f32::NEG_INFINITY; D], max: [f32::INFINITY; D] };
        let place = [tile / self.tiles_in_a_row(), tile % self.tiles_in_a_row()];
        for (axis, number) in (1..D).rev().zip(place) {
            let edge = |number: u32| self.origin[axis] + number as f32 / self.inv_side[axis];
            if number > 0 {
                bounds.min[axis] = edge(number);
            }
            if number + 1 < self.count[axis] {
                bounds.max[axis] = edge(number + 1);
            }
        }
        bounds
    }

    /// The tiles that a box reaches.
    #[inline(always)]
    pub(super) fn reach<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> Reach<D> {
        let [first, last] = self.cells(simd, bounds);
        let column = if D == 2 { 0 } else { first[1] as u32 };
        let tile = first[D - 1] as u32 * self.tiles_in_a_row() + column;
        Reach { tile, first, last }
    }

    /// The bin of a coordinate on axis 0.
    #[inline(always)]
    pub(super) fn bin<S: Simd>(&self, simd: S, x: f32) -> usize {
        self.cell(simd, [x; 4])[0] as usize
    }

    /// The bins of the least x (lower half) and the greatest (upper half).
    #[inline(always)]
    pub(super) fn bins_of<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> u32 {
        let x = f32x4::simd_from(simd, [bounds.min[0], bounds.max[0], 0.0, 0.0]);
        let bin = (x - f32x4::splat(simd, self.origin[0])) * f32x4::splat(simd, self.inv_side[0]);
        let bin = bin.max(f32x4::splat(simd, 0.0)).min(f32x4::splat(simd, self.last[0]));
        let bin: [i32; 4] = simd.cvt_i32_f32x4(bin).into();
        bin[0] as u32 | (bin[1] as u32) << 16
    }

    /// The cells of the least and the greatest corner.
    #[inline(always)]
    fn cells<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> [[i32; 4]; 2] {
        let (mut min, mut max) = ([0.0; 4], [0.0; 4]);
        min[..D].copy_from_slice(&bounds.min);
        max[..D].copy_from_slice(&bounds.max);
        [self.cell(simd, min), self.cell(simd, max)]
    }

    /// The cell of a corner. On no axis does it decrease as the coordinate grows, which is all that
    /// counts: two boxes that overlap share a cell.
    #[inline(always)]
    fn cell<S: Simd>(&self, simd: S, corner: [f32; 4]) -> [i32; 4] {
        let from_origin = f32x4::simd_from(simd, corner) - f32x4::simd_from(simd, self.origin);
        let cell = from_origin * f32x4::simd_from(simd, self.inv_side);
        let cell = cell.max(f32x4::splat(simd, 0.0)).min(f32x4::simd_from(simd, self.last));
        simd.cvt_i32_f32x4(cell).into()
    }
}

/// The tiles that a box reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<const D: usize> {
    tile: u32,
    first: [i32; 4],
    last: [i32; 4],
}

impl<const D: usize> Reach<D> {
    /// The first of them.
    #[inline(always)]
    pub(super) fn tile(&self) -> u32 {
        self.tile
    }

    #[inline(always)]
    pub(super) fn first_row(&self) -> u32 {
        self.first[D - 1] as u32
    }

    /// Columns and rows beyond the first.
    #[inline(always)]
    pub(super) fn more(&self) -> [u32; 2] {
        let columns = if D == 2 { 0 } else { self.last[1] - self.first[1] };
        [columns as u32, (self.last[D - 1] - self.first[D - 1]) as u32]
    }

    /// Each of them, in a layout of so many tiles in a row.
    pub(super) fn tiles(&self, in_a_row: u32) -> impl Iterator<Item = usize> {
        let ([columns, rows], first) = (self.more(), self.tile);
        (0..=rows).flat_map(move |row| {
            (0..=columns).map(move |column| (first + row * in_a_row + column) as usize)
        })
    }

    /// Does it reach further than the second column or row?
    #[inline(always)]
    pub(super) fn is_far(&self) -> bool {
        let [columns, rows] = self.more();
        columns.max(rows) > 1
    }

    /// Would listing this box in all its tiles cost too much?
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        let [columns, rows] = self.more();
        columns.max(rows) > LARGE_REACH
    }
}

fn cells_along(extent: f32, side: f32) -> f32 {
    let cells = if side > 0.0 { (extent / side).ceil() } else { f32::INFINITY };
    if extent > 0.0 { scalar::max(cells, 1.0) } else { 1.0 }
}
