//! Into which tiles and bins is space cut, so that finding the pairs costs least?

use core::ops::Range;

use embate_geom::{Aabb, scalar};

/// Boxes looked at to learn how sizes are spread.
const SAMPLE: usize = 64;

/// What listing a box in a tile and testing one block of eight cost, in nanoseconds: only their ratio
/// matters. Measured on the uniform scenes of the benchmark.
const LISTING_COST: f32 = 25.0;
const BLOCK_COST: f32 = 4.0;

/// A box that reaches further than this many tiles on an axis is large: it would be listed too often.
const LARGE_REACH: f32 = 8.0;

/// Bins are this share of the mean size: finer ones hold fewer boxes to test in vain, but cost memory.
const BIN_SHARE: f32 = 0.5;

/// Cells a box, at most: more would mostly be empty.
const CELLS_A_BOX: f32 = 2.0;

/// How space is cut: axis 0 into bins, the others into tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<const D: usize> {
    origin: [f32; D],
    inv_side: [f32; D],
    /// Bins on axis 0, tiles on the others.
    count: [u32; D],
    /// Boxes larger than this on a tiled axis are not listed.
    large: [f32; D],
}

/// What is known of the boxes before space is cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey<const D: usize> {
    /// Around all least corners.
    least_corners: Aabb<D>,
    boxes: usize,
}

impl<const D: usize> Survey<D> {
    /// Looks at every box once; `None` if there is none.
    pub(super) fn of<'a>(boxes: impl Iterator<Item = &'a Aabb<D>>) -> Option<Self> {
        let mut count = 0;
        let least_corners =
            boxes.inspect(|_| count += 1).map(|b| b.min).fold(None, |all, min| {
                let all: Aabb<D> = all.unwrap_or(Aabb { min, max: min });
                Some(all.with(&min))
            })?;
        Some(Self { least_corners, boxes: count })
    }
}

impl<const D: usize> Layout<D> {
    /// Of several ways to cut, the one that promises to cost least.
    pub(super) fn best<'a>(survey: &Survey<D>, boxes: impl Iterator<Item = &'a Aabb<D>>) -> Self {
        let stride = survey.boxes.div_ceil(SAMPLE);
        let sizes: Vec<[f32; D]> = boxes.step_by(stride.max(1)).map(Aabb::size).collect();
        let mut widths: Vec<f32> =
            sizes.iter().map(|size| size[1..].iter().copied().fold(0.0, scalar::max)).collect();
        widths.sort_by(f32::total_cmp);
        let quantile = |share: f32| widths[(share * (widths.len() - 1) as f32) as usize];
        let mut best: Option<(f32, Self)> = None;
        for share in [0.1, 0.5, 0.9, 1.0] {
            for tiles in [2.0, 4.0, 6.0] {
                let layout = Self::with_side(survey, &sizes, quantile(share) * tiles);
                let cost = layout.cost(survey, &sizes);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, layout));
                }
            }
        }
        best.expect("several were tried").1
    }

    /// Tiles of about `side`, or larger where there would be too many.
    fn with_side(survey: &Survey<D>, sizes: &[[f32; D]], side: f32) -> Self {
        let extent = survey.least_corners.size();
        let large = side * LARGE_REACH;
        let small = sizes.iter().filter(|size| size[1..].iter().all(|&s| s <= large));
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
                let least = extent[axis] / most;
                sides[axis] = scalar::max(sides[axis] * 1.25, least);
            }
        }
        let mut layout = Self {
            origin: survey.least_corners.min,
            inv_side: [0.0; D],
            count: [1; D],
            large: [f32::INFINITY; D],
        };
        for axis in 0..D {
            let cells = cells_along(extent[axis], sides[axis]);
            layout.count[axis] = cells as u32;
            if cells > 1.0 {
                layout.inv_side[axis] = cells / extent[axis];
                layout.large[axis] = extent[axis] / cells * LARGE_REACH;
            }
        }
        layout.large[0] = f32::INFINITY;
        layout
    }

    /// Nanoseconds that finding the pairs is expected to take, if boxes are spread evenly.
    fn cost(&self, survey: &Survey<D>, sizes: &[[f32; D]]) -> f32 {
        let extent = survey.least_corners.size();
        let tiles: f32 = self.count[1..].iter().map(|&n| n as f32).product();
        let boxes_a_sample = survey.boxes as f32 / sizes.len() as f32;
        let (mut places, mut width, mut visits) = (0.0, 0.0, 0.0);
        for size in sizes {
            let reach: f32 = (1..D).map(|axis| 1.0 + size[axis] * self.inv_side[axis]).product();
            let reach = scalar::min(reach, tiles);
            let share = if extent[0] > 0.0 { scalar::min(size[0] / extent[0], 1.0) } else { 1.0 };
            if (1..D).any(|axis| size[axis] > self.large[axis]) {
                visits += reach * (1.0 + share);
            } else {
                places += reach;
                width += reach * (share + 1.0 / self.count[0] as f32);
            }
        }
        let in_a_tile = places * boxes_a_sample / tiles;
        let blocks = 0.5 + in_a_tile * width / scalar::max(places, 1.0) / 8.0;
        let listed = places * boxes_a_sample * (LISTING_COST + BLOCK_COST * blocks);
        let crossed = visits * boxes_a_sample * (LISTING_COST + BLOCK_COST * in_a_tile / 8.0);
        listed + crossed + tiles * self.count[0] as f32
    }

    pub(super) fn bins(&self) -> usize {
        self.count[0] as usize
    }

    /// Tiles along the last axis; a slab is a range of them.
    pub(super) fn rows(&self) -> u32 {
        self.count[D - 1]
    }

    /// Tiles in one row.
    pub(super) fn tiles_in_a_row(&self) -> usize {
        self.count[1..D - 1].iter().map(|&n| n as usize).product()
    }

    pub(super) fn is_large(&self, bounds: &Aabb<D>) -> bool {
        (1..D).any(|axis| bounds.max[axis] - bounds.min[axis] > self.large[axis])
    }

    /// The cell along one axis. Never decreases as `coordinate` grows, which is all that counts: two
    /// boxes that overlap share a cell.
    #[inline]
    pub(super) fn cell(&self, axis: usize, coordinate: f32) -> u32 {
        // A conversion of what lies below or beyond ends at 0 or at the largest number.
        let cell = ((coordinate - self.origin[axis]) * self.inv_side[axis]) as u32;
        cell.min(self.count[axis] - 1)
    }

    /// Every tile within `rows` that a box reaches, numbered from the first of those rows; and on which
    /// axes (by bits) the box begins before that tile.
    #[inline]
    pub(super) fn for_each_tile(
        &self,
        bounds: &Aabb<D>,
        rows: &Range<u32>,
        mut visit: impl FnMut(usize, u32),
    ) {
        let cells =
            |axis: usize| (self.cell(axis, bounds.min[axis]), self.cell(axis, bounds.max[axis]));
        let (first_row, last_row) = cells(D - 1);
        let row_bit = 1 << (D - 2);
        for row in first_row.max(rows.start)..=last_row.min(rows.end - 1) {
            let begun = if row > first_row { row_bit } else { 0 };
            let place = (row - rows.start) as usize;
            if D == 2 {
                visit(place, begun);
            } else {
                let (first, last) = cells(1);
                let base = place * self.count[1] as usize;
                visit(base + first as usize, begun);
                for tile in first + 1..=last {
                    visit(base + tile as usize, begun | 1);
                }
            }
        }
    }
}

fn cells_along(extent: f32, side: f32) -> f32 {
    let cells = if side > 0.0 { (extent / side).ceil() } else { f32::INFINITY };
    if extent > 0.0 { scalar::max(cells, 1.0) } else { 1.0 }
}
