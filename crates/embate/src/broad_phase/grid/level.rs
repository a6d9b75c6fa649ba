//! Into which cells does a layer of the grid cut space, and which of them does a box reach?
//!
//! A layer has no edge: it repeats itself, like a pattern on wallpaper, so that a bounded number of cells
//! covers any world. Boxes a whole period apart share a cell and are told apart by the test itself. One
//! box far away therefore neither costs memory nor makes the cells of all others large.

use core::ops::Range;

use embate_geom::{Aabb, scalar};

use super::spread::Spread;

/// Cells a box, at most: more would mostly be empty.
const CELLS_A_BOX: u64 = 2;

/// Fewest cells along an axis that is cut at all: a box and its neighbours on both sides must be told
/// apart from each other, and with three cells there would be nothing left to leave out.
const FEWEST_CELLS: u32 = 4;

/// The cells of one size.
#[derive(Clone, Debug)]
pub(super) struct Layer<const D: usize> {
    pub(super) side: f32,
    origin: [f32; D],
    /// 0 on an axis that is not cut.
    inv_side: [f32; D],
    /// Cells along each axis are a power of two: its exponent.
    bits: [u32; D],
    /// The furthest that a box of this layer reaches beyond the cell it begins in, in cells.
    pub(super) reach: [i64; D],
    /// Numbers of its cells among those of all layers.
    pub(super) cells: Range<u32>,
    /// Where its boxes are when all are in order of their cells.
    pub(super) places: Range<u32>,
}

/// The cells a box reaches, as they would be numbered if the pattern did not repeat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached<const D: usize> {
    first: [i64; D],
    last: [i64; D],
}

impl<const D: usize> Layer<D> {
    /// For so many boxes, with cells of this side.
    pub(super) fn new(boxes: u32, side: f32, spread: &Spread<D>, first_cell: u32) -> Self {
        let needed = spread.extent.map(|extent| extent / side + 1.0);
        let mut bits = [0; D];
        let most = u64::from(boxes) * CELLS_A_BOX;
        let cells = |bits: &[u32; D]| 1_u64 << bits.iter().sum::<u32>();
        // Each time cut the axis that lacks most.
        loop {
            let lack = |axis: usize| needed[axis] / (1_u64 << bits[axis]) as f32;
            let axis =
                (1..D).fold(0, |worst, axis| if lack(axis) > lack(worst) { axis } else { worst });
            let mut finer = bits;
            finer[axis] += if bits[axis] == 0 { FEWEST_CELLS.ilog2() } else { 1 };
            if lack(axis) <= 1.0 || cells(&finer) > most {
                break;
            }
            bits = finer;
        }
        let inv_side = bits.map(|bits| if bits == 0 { 0.0 } else { side.recip() });
        let cells = first_cell..first_cell + cells(&bits) as u32;
        Self { side, origin: spread.origin, inv_side, bits, reach: [0; D], cells, places: 0..0 }
    }

    /// Leaves uncut every axis along which boxes reach so far that a cell could be met twice; whether
    /// there was one. Only coordinates so large that neighbouring numbers lie cells apart do this.
    pub(super) fn leave_uncut_where_reach_is_too_far(&mut self) -> bool {
        let mut changed = false;
        for axis in 0..D {
            if self.bits[axis] > 0 && 2 * self.reach[axis] >= 1 << self.bits[axis] {
                (self.bits[axis], self.inv_side[axis]) = (0, 0.0);
                changed = true;
            }
        }
        changed
    }

    /// The cell along one axis. Never decreases as `coordinate` grows, which is all that counts: if a
    /// box begins within another, so do its cells.
    #[inline]
    fn cell_along(&self, axis: usize, coordinate: f32) -> i64 {
        // A conversion of what is too large ends at the largest number.
        ((coordinate - self.origin[axis]) * self.inv_side[axis]) as i64
    }

    #[inline]
    pub(super) fn reached(&self, bounds: &Aabb<D>) -> Reached<D> {
        Reached {
            first: core::array::from_fn(|axis| self.cell_along(axis, bounds.min[axis])),
            last: core::array::from_fn(|axis| self.cell_along(axis, bounds.max[axis])),
        }
    }

    /// Remembers how far a box of this layer reaches.
    #[inline]
    pub(super) fn stretch_reach(&mut self, reached: &Reached<D>) {
        for axis in 0..D {
            let reach = reached.last[axis].saturating_sub(reached.first[axis]);
            // Half of all numbers: twice it must be a number too.
            self.reach[axis] = self.reach[axis].max(reach.min(i64::MAX / 2));
        }
    }

    /// The number of the cell in which a box begins, which is the one that lists it.
    #[inline]
    pub(super) fn cell(&self, reached: &Reached<D>) -> u32 {
        let mut cell = 0;
        for axis in (0..D).rev() {
            cell = cell << self.bits[axis] | self.wrapped(axis, reached.first[axis]);
        }
        self.cells.start + cell
    }

    /// Where the cell is in which a box begins; without end on an axis that is not cut.
    pub(super) fn bounds_of_cell(&self, reached: &Reached<D>) -> Aabb<D> {
        let mut bounds = Aabb { min: [f32::NEG_INFINITY; D], max: [f32::INFINITY; D] };
        for axis in (0..D).filter(|&axis| self.bits[axis] > 0) {
            let number = reached.first[axis];
            let edge = |number: i64| self.origin[axis] + number as f32 / self.inv_side[axis];
            // Numbers are cut off towards 0: cell 0 has a second half before the origin.
            bounds.min[axis] = edge(if number > 0 { number } else { number.saturating_sub(1) });
            bounds.max[axis] = edge(if number < 0 { number } else { number.saturating_add(1) });
        }
        bounds
    }

    #[inline]
    fn wrapped(&self, axis: usize, cell: i64) -> u32 {
        cell as u32 & ((1 << self.bits[axis]) - 1)
    }

    /// All cells that may list a partner of a box of another layer, as ranges of cell numbers.
    #[inline]
    pub(super) fn for_each_span(&self, reached: &Reached<D>, mut visit: impl FnMut(Range<u32>)) {
        let from = |axis: usize| {
            self.window(
                axis,
                reached.first[axis].saturating_sub(self.reach[axis]),
                reached.last[axis],
            )
        };
        let (columns, rows) = (from(0), from(1));
        let planes = if D == 2 { (0, 1) } else { from(2) };
        for plane in 0..planes.1 {
            for row in 0..rows.1 {
                let row = self.row(rows.0.wrapping_add(row), planes.0.wrapping_add(plane));
                self.for_each_piece(row, columns, &mut visit);
            }
        }
    }

    /// The cells that may list a partner of a box of this layer which its own row does not: of two
    /// boxes, the one in the earlier row finds the other.
    #[inline]
    pub(super) fn for_each_later_span(
        &self,
        reached: &Reached<D>,
        mut visit: impl FnMut(Range<u32>),
    ) {
        let Reached { first, last } = reached;
        let columns = self.window(0, first[0].saturating_sub(self.reach[0]), last[0]);
        let row_of = |row: i64, plane: i64| self.row(row as u32, plane as u32);
        let plane = if D == 2 { 0 } else { first[2] };
        for ahead in 1..=last[1] - first[1] {
            self.for_each_piece(row_of(first[1] + ahead, plane), columns, &mut visit);
        }
        if D == 3 {
            for plane in 1..=last[2] - first[2] {
                for ahead in -self.reach[1]..=last[1] - first[1] {
                    let row = row_of(first[1].wrapping_add(ahead), first[2] + plane);
                    self.for_each_piece(row, columns, &mut visit);
                }
            }
        }
    }

    /// The cells from the one in which a box begins to the last it reaches in that row.
    #[inline]
    pub(super) fn for_each_own_span(
        &self,
        reached: &Reached<D>,
        mut visit: impl FnMut(Range<u32>),
    ) {
        let columns = self.window(0, reached.first[0], reached.last[0]);
        let plane = if D == 2 { 0 } else { reached.first[2] };
        self.for_each_piece(self.row(reached.first[1] as u32, plane as u32), columns, &mut visit);
    }

    /// How many rows of this layer a box of such a side reaches, or may.
    pub(super) fn rows_reached(&self, side: f32) -> f32 {
        let rows = |axis: usize| {
            let cells = side * self.inv_side[axis] + 2.0;
            scalar::min(cells, (1 << self.bits[axis]) as f32)
        };
        (1..D).map(rows).product()
    }

    /// The number of the first cell of a row.
    #[inline]
    fn row(&self, row: u32, plane: u32) -> u32 {
        let row = row & ((1 << self.bits[1]) - 1);
        let plane = if D == 2 { 0 } else { plane & ((1 << self.bits[2]) - 1) };
        self.cells.start + ((plane << self.bits[1] | row) << self.bits[0])
    }

    /// Where a stretch of cells begins, and how many it has: never more than there are.
    #[inline]
    fn window(&self, axis: usize, first: i64, last: i64) -> (u32, u32) {
        let count = 1 << self.bits[axis];
        let cells = last.wrapping_sub(first) as u64;
        if cells >= u64::from(count) - 1 {
            (0, count)
        } else {
            (self.wrapped(axis, first), cells as u32 + 1)
        }
    }

    /// A stretch of a row that passes its end goes on at its beginning.
    #[inline]
    fn for_each_piece(
        &self,
        row: u32,
        (first, length): (u32, u32),
        visit: &mut impl FnMut(Range<u32>),
    ) {
        let (end, count) = (first + length, 1 << self.bits[0]);
        if end <= count {
            visit(row + first..row + end);
        } else {
            visit(row + first..row + count);
            visit(row..row + end - count);
        }
    }
}
