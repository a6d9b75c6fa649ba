//! Grid level: cells of one size, with toroidal (wrap-around) addressing.
//!
//! A level is unbounded: cell coordinates are taken modulo a power of two, so a bounded number of
//! cells covers any world. Boxes a whole period apart share a cell; the overlap test separates
//! them. One box far away therefore neither costs memory nor enlarges the cells of all others.

use core::ops::Range;

use embate_geom::{Aabb, scalar};

use crate::broad_phase::grid::size_distribution::SizeDistribution;

/// Maximum number of cells per box: more would mostly be empty.
const MAX_CELLS_PER_BOX: u64 = 2;

/// Minimum number of cells along a divided axis: a cell and its neighbors on both sides must be
/// distinct, and with three cells there would be none left to skip.
const MIN_CELLS_PER_AXIS: u32 = 4;

/// The cells of one size.
#[derive(Clone, Debug)]
pub(crate) struct GridLevel<const D: usize> {
    pub(crate) cell_size: f32,
    origin: [f32; D],
    /// 0 on an undivided axis.
    inv_cell_size: [f32; D],
    /// log2 of the number of cells along each axis.
    cells_log2: [u32; D],
    /// The farthest that a box of this level extends beyond the cell of its `min`, in cells.
    pub(crate) max_span: [i64; D],
    /// Ids of its cells among those of all levels.
    pub(crate) cell_ids: Range<u32>,
    /// Range of its boxes in cell order.
    pub(crate) slots: Range<u32>,
}

/// Cells that a box overlaps, before wrap-around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellRange<const D: usize> {
    first: [i64; D],
    last: [i64; D],
}

/// Consecutive cells along one axis, after wrap-around.
#[derive(Clone, Copy, Debug)]
struct WrappedRange {
    first: u32,
    len: u32,
}

impl<const D: usize> GridLevel<D> {
    /// A level for `boxes` boxes with cells of `cell_size`, numbered from `first_cell`.
    pub(crate) fn new(
        boxes: u32,
        cell_size: f32,
        distribution: &SizeDistribution<D>,
        first_cell: u32,
    ) -> Self {
        let needed = distribution.extent.map(|extent| extent / cell_size + 1.0);
        let mut cells_log2 = [0; D];
        let max_cells = u64::from(boxes) * MAX_CELLS_PER_BOX;
        let cells = |cells_log2: &[u32; D]| 1_u64 << cells_log2.iter().sum::<u32>();
        // Repeatedly double the axis with the largest deficit.
        loop {
            let deficit = |axis: usize| needed[axis] / (1_u64 << cells_log2[axis]) as f32;
            let axis = (1..D)
                .fold(0, |worst, axis| if deficit(axis) > deficit(worst) { axis } else { worst });
            let mut finer = cells_log2;
            finer[axis] += if cells_log2[axis] == 0 { MIN_CELLS_PER_AXIS.ilog2() } else { 1 };
            if deficit(axis) <= 1.0 || cells(&finer) > max_cells {
                break;
            }
            cells_log2 = finer;
        }
        let inv_cell_size = cells_log2.map(|log2| if log2 == 0 { 0.0 } else { cell_size.recip() });
        let cell_ids = first_cell..first_cell + cells(&cells_log2) as u32;
        Self {
            cell_size,
            origin: distribution.origin,
            inv_cell_size,
            cells_log2,
            max_span: [0; D],
            cell_ids,
            slots: 0..0,
        }
    }

    /// Stops dividing every axis along which a box spans half of the cells or more, where
    /// wrap-around could visit a cell twice; returns whether there was one. Happens only for
    /// coordinates so large that adjacent `f32` values lie cells apart.
    pub(crate) fn disable_axis_if_range_too_large(&mut self) -> bool {
        let mut changed = false;
        for axis in 0..D {
            if self.cells_log2[axis] > 0 && 2 * self.max_span[axis] >= 1 << self.cells_log2[axis] {
                (self.cells_log2[axis], self.inv_cell_size[axis]) = (0, 0.0);
                changed = true;
            }
        }
        changed
    }

    /// Cell coordinate along one axis. Monotonic in `coordinate` despite rounding, which suffices:
    /// if a box starts within another, so does its range of cells.
    #[inline]
    fn cell_along(&self, axis: usize, coordinate: f32) -> i64 {
        // The conversion saturates.
        ((coordinate - self.origin[axis]) * self.inv_cell_size[axis]) as i64
    }

    #[inline]
    pub(crate) fn cell_range(&self, bounds: &Aabb<D>) -> CellRange<D> {
        CellRange {
            first: core::array::from_fn(|axis| self.cell_along(axis, bounds.min[axis])),
            last: core::array::from_fn(|axis| self.cell_along(axis, bounds.max[axis])),
        }
    }

    /// Extends `max_span` by the range of a box of this level.
    #[inline]
    pub(crate) fn extend_max_span(&mut self, range: &CellRange<D>) {
        for axis in 0..D {
            let span = range.last[axis].saturating_sub(range.first[axis]);
            // At most half of the maximum: twice the span must not overflow.
            self.max_span[axis] = self.max_span[axis].max(span.min(i64::MAX / 2));
        }
    }

    /// Id of the cell of a box's `min`, which is the cell that lists the box.
    #[inline]
    pub(crate) fn cell_id(&self, range: &CellRange<D>) -> u32 {
        let mut cell = 0;
        for axis in (0..D).rev() {
            cell = cell << self.cells_log2[axis] | self.wrap(axis, range.first[axis]);
        }
        self.cell_ids.start + cell
    }

    /// Bounds of the cell of a box's `min`; infinite on an undivided axis.
    pub(crate) fn cell_aabb(&self, range: &CellRange<D>) -> Aabb<D> {
        let mut bounds = Aabb { min: [f32::NEG_INFINITY; D], max: [f32::INFINITY; D] };
        for axis in (0..D).filter(|&axis| self.cells_log2[axis] > 0) {
            let number = range.first[axis];
            let plane = |number: i64| self.origin[axis] + number as f32 / self.inv_cell_size[axis];
            // Coordinates are truncated toward 0: cell 0 also covers the cell before the origin.
            bounds.min[axis] = plane(if number > 0 { number } else { number.saturating_sub(1) });
            bounds.max[axis] = plane(if number < 0 { number } else { number.saturating_add(1) });
        }
        bounds
    }

    #[inline]
    fn wrap(&self, axis: usize, cell: i64) -> u32 {
        cell as u32 & ((1 << self.cells_log2[axis]) - 1)
    }

    /// Visits all cells that may list a box overlapping a box of another level, as ranges of cell
    /// ids.
    #[inline]
    pub(crate) fn for_each_span(&self, range: &CellRange<D>, mut visit: impl FnMut(Range<u32>)) {
        let candidates = |axis: usize| {
            self.wrapped_range(
                axis,
                range.first[axis].saturating_sub(self.max_span[axis]),
                range.last[axis],
            )
        };
        let (columns, rows) = (candidates(0), candidates(1));
        let planes = if D == 2 { WrappedRange { first: 0, len: 1 } } else { candidates(2) };
        for plane in 0..planes.len {
            for row in 0..rows.len {
                let row =
                    self.row_start(rows.first.wrapping_add(row), planes.first.wrapping_add(plane));
                self.for_each_contiguous(row, columns, &mut visit);
            }
        }
    }

    /// Visits the cells of later rows that may list a box overlapping a box of this level: of two
    /// boxes in different rows, the one in the earlier row finds the other.
    #[inline]
    pub(crate) fn for_each_later_row_span(
        &self,
        range: &CellRange<D>,
        mut visit: impl FnMut(Range<u32>),
    ) {
        let CellRange { first, last } = range;
        let columns = self.wrapped_range(0, first[0].saturating_sub(self.max_span[0]), last[0]);
        let row_start = |row: i64, plane: i64| self.row_start(row as u32, plane as u32);
        let plane = if D == 2 { 0 } else { first[2] };
        for ahead in 1..=last[1] - first[1] {
            self.for_each_contiguous(row_start(first[1] + ahead, plane), columns, &mut visit);
        }
        if D == 3 {
            for plane in 1..=last[2] - first[2] {
                for ahead in -self.max_span[1]..=last[1] - first[1] {
                    let row = row_start(first[1].wrapping_add(ahead), first[2] + plane);
                    self.for_each_contiguous(row, columns, &mut visit);
                }
            }
        }
    }

    /// Visits the cells from that of a box's `min` to the last it overlaps in the same row.
    #[inline]
    pub(crate) fn for_each_own_row_span(
        &self,
        range: &CellRange<D>,
        mut visit: impl FnMut(Range<u32>),
    ) {
        let columns = self.wrapped_range(0, range.first[0], range.last[0]);
        let plane = if D == 2 { 0 } else { range.first[2] };
        let row = self.row_start(range.first[1] as u32, plane as u32);
        self.for_each_contiguous(row, columns, &mut visit);
    }

    /// Estimated number of rows of this level that a box of `size` overlaps.
    pub(crate) fn estimated_rows(&self, size: f32) -> f32 {
        let rows = |axis: usize| {
            let cells = size * self.inv_cell_size[axis] + 2.0;
            scalar::min(cells, (1 << self.cells_log2[axis]) as f32)
        };
        (1..D).map(rows).product()
    }

    /// Id of the first cell of a row.
    #[inline]
    fn row_start(&self, row: u32, plane: u32) -> u32 {
        let row = row & ((1 << self.cells_log2[1]) - 1);
        let plane = if D == 2 { 0 } else { plane & ((1 << self.cells_log2[2]) - 1) };
        self.cell_ids.start + ((plane << self.cells_log2[1] | row) << self.cells_log2[0])
    }

    /// The cells `first..=last` after wrap-around: each at most once.
    #[inline]
    fn wrapped_range(&self, axis: usize, first: i64, last: i64) -> WrappedRange {
        let count = 1 << self.cells_log2[axis];
        let cells = last.wrapping_sub(first) as u64;
        if cells >= u64::from(count) - 1 {
            WrappedRange { first: 0, len: count }
        } else {
            WrappedRange { first: self.wrap(axis, first), len: cells as u32 + 1 }
        }
    }

    /// Visits a range of columns of one row: one range of cell ids, or two if it wraps around.
    #[inline]
    fn for_each_contiguous(
        &self,
        row: u32,
        columns: WrappedRange,
        visit: &mut impl FnMut(Range<u32>),
    ) {
        let WrappedRange { first, len } = columns;
        let (end, count) = (first + len, 1 << self.cells_log2[0]);
        if end <= count {
            visit(row + first..row + end);
        } else {
            visit(row + first..row + count);
            visit(row..row + end - count);
        }
    }
}
