//! 3D-DDA (Amanatides, Woo 1987) over intervals: the cells along a ray, in order of entry.
//!
//! A plane between two cells is crossed at the parameter τ = (plane − origin) / direction. The DDA
//! of the paper steps from one cell to the next at the smallest τ of the three axes. Near an edge
//! or a corner of a cell, rounding can choose another order of the planes than a hit would need.
//! Here a crossing is an interval, from [`early`] to [`late`]: from the early end on, the cell
//! behind the plane is entered; after the late end, the cell before it has been left. A *window* of
//! cells per axis is entered and not left, nearly always a single one:
//!
//! ```text
//!       axis x  cell 0 ├──early──╪──late──┤ cell 1        t ──►
//!       axis y  cell 5 ├────early──╪──late────┤ cell 6
//!       windows  (0,5)   (0-1,5)  (0-1,5-6)  (1,5-6)  (1,6)
//! ```
//!
//! When an axis enters a cell, the new cells are those of its product with the windows of the other
//! two axes. So each cell is visited at most once, and four at the crossing of an edge in doubt.
//!
//! # No hit is lost
//! Let `t` be the reported parameter of a hit and B the padded AABB of its triangle, or the padded
//! triangle. By `docs/robustness.md` there is on each axis a parameter `s` with
//! |s − t| ≤ 10 ε |t| at which the exact ray is, on this axis, within the padding of one point P of
//! the triangle. These three coordinates are in some cell c, and the triangle is listed in c: by
//! the AABB, because `CellPlanes::cell_of` is monotonic, and by the overlap test, because the
//! enlarged cell contains P. On each axis the ray reaches c no later than `s`, so τ ≤ s for the
//! plane of entry, and `early(τ) ≤ t`: τ is computed in f64 with an error below 2⁻⁵⁰ of itself, and
//! the margin of 18 ε exceeds 10 ε by more than that. In the same way `late(τ) ≥ t` for the plane
//! of exit. At `t`, c is therefore in all three windows, so it is visited before the first entry
//! beyond `t`. A traversal may stop when the next entry is beyond the closest hit: no hit of equal
//! `t` is missed either.
#![allow(clippy::inline_always, reason = "measured hot path; code generation depends on inlining")]

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit};

use crate::raycast::grid::CellPlanes;

/// Absolute part of the margin: a subnormal `t` has lost bits.
const ABSOLUTE_MARGIN: f64 = f32::MIN_POSITIVE as f64;

fn margin(t: f64) -> f64 {
    t.abs() * f64::from(TriangleHit::T_ERROR_BOUND) + ABSOLUTE_MARGIN
}

/// Lower end of the interval of a crossing. Monotonic.
#[inline(always)]
fn early(t: f64) -> f64 {
    t - margin(t)
}

/// Upper end of the interval of a crossing. Monotonic.
#[inline(always)]
fn late(t: f64) -> f64 {
    t + margin(t)
}

/// Sweep along one axis. The window of cells is `oldest..=newest` in the direction of the ray.
struct AxisSweep<'a> {
    planes: &'a [f32],
    origin: f64,
    inv_direction: f64,
    is_negative: bool,
    /// Last cell entered.
    newest: usize,
    /// First cell not left.
    oldest: usize,
    /// Early end of the crossing into the next cell; infinite without one.
    next_entry: f64,
    /// Late end of the crossing out of `oldest`.
    exit: f64,
}

impl<'a> AxisSweep<'a> {
    fn new(planes: &'a [f32], origin: f32, direction: f32) -> Self {
        let (origin, direction) = (f64::from(origin), f64::from(direction));
        Self {
            planes,
            origin,
            inv_direction: 1.0 / direction,
            is_negative: direction < 0.0,
            newest: 0,
            oldest: 0,
            next_entry: f64::INFINITY,
            exit: f64::INFINITY,
        }
    }

    /// Parameter at which a plane is crossed.
    #[inline(always)]
    fn crossing(&self, plane: usize) -> f64 {
        let plane = self.planes.get(plane).copied().unwrap_or_default();
        (f64::from(plane) - self.origin) * self.inv_direction
    }

    /// The planes through which the ray enters and leaves a cell.
    #[inline(always)]
    fn entry_plane(&self, cell: usize) -> usize {
        cell + usize::from(self.is_negative)
    }

    #[inline(always)]
    fn exit_plane(&self, cell: usize) -> usize {
        cell + usize::from(!self.is_negative)
    }

    /// The next cell in the direction of the ray, and the one before.
    #[inline(always)]
    fn next(&self, cell: usize) -> usize {
        if self.is_negative { cell.wrapping_sub(1) } else { cell + 1 }
    }

    fn previous(&self, cell: usize) -> usize {
        if self.is_negative { cell + 1 } else { cell.wrapping_sub(1) }
    }

    fn first_cell(&self) -> usize {
        if self.is_negative { self.planes.len() - 2 } else { 0 }
    }

    fn last_cell(&self) -> usize {
        if self.is_negative { 0 } else { self.planes.len() - 2 }
    }

    /// Sets the window at `start`; `guess` is a cell of the ray near there.
    fn start_at(&mut self, start: f64, guess: usize) {
        let (first, last) = (self.first_cell(), self.last_cell());
        let is_entered = |cell: usize| early(self.crossing(self.entry_plane(cell))) <= start;
        let is_left = |cell: usize| late(self.crossing(self.exit_plane(cell))) < start;
        let mut newest = guess;
        while newest != first && !is_entered(newest) {
            newest = self.previous(newest);
        }
        while newest != last && is_entered(self.next(newest)) {
            newest = self.next(newest);
        }
        let mut oldest = newest;
        while oldest != first && !is_left(self.previous(oldest)) {
            oldest = self.previous(oldest);
        }
        (self.newest, self.oldest) = (newest, oldest);
        self.update_next_entry();
        self.exit = late(self.crossing(self.exit_plane(oldest)));
    }

    #[inline(always)]
    fn update_next_entry(&mut self) {
        self.next_entry = if self.newest == self.last_cell() {
            f64::INFINITY
        } else {
            early(self.crossing(self.exit_plane(self.newest)))
        };
    }

    #[inline(always)]
    fn enter_next(&mut self) {
        self.newest = self.next(self.newest);
        self.update_next_entry();
    }

    /// Removes the cells that were left before `t` from the window.
    #[inline(always)]
    fn leave_until(&mut self, t: f64) {
        while self.exit < t && self.oldest != self.newest {
            self.oldest = self.next(self.oldest);
            self.exit = late(self.crossing(self.exit_plane(self.oldest)));
        }
    }
}

/// Sweep along a ray through the grid.
pub(super) struct GridSweep<'a> {
    axes: [AxisSweep<'a>; 3],
    /// Parameter beyond which the ray has left the grid.
    end: f64,
    /// Axis that entered its newest cell last; `None` at the start.
    entered: Option<usize>,
}

impl<'a> GridSweep<'a> {
    /// The sweep at its first cells; `None` if the ray misses the grid or is not valid.
    pub(super) fn new(cells: &'a CellPlanes, ray: &Ray<3>) -> Option<Self> {
        if !ray.is_valid() || cells.count(0) == 0 {
            return None;
        }
        let mut axes: [AxisSweep<'a>; 3] = core::array::from_fn(|axis| {
            AxisSweep::new(&cells.planes[axis], ray.origin[axis], ray.direction[axis])
        });
        let (mut start, mut end) = (f64::from(ray.t_min), f64::from(ray.t_max));
        for axis in 0..3 {
            let sweep = &axes[axis];
            if ray.direction[axis] == 0.0 {
                let planes = &*cells.planes[axis];
                let is_inside =
                    planes[0] <= ray.origin[axis] && ray.origin[axis] <= planes[planes.len() - 1];
                if !is_inside {
                    return None;
                }
                continue;
            }
            let entry = early(sweep.crossing(sweep.entry_plane(sweep.first_cell())));
            let exit = late(sweep.crossing(sweep.exit_plane(sweep.last_cell())));
            start = if entry > start { entry } else { start };
            end = if exit < end { exit } else { end };
        }
        if start > end {
            return None;
        }
        for axis in 0..3 {
            let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
            if direction == 0.0 {
                let cell = cells.cell_of(axis, origin);
                (axes[axis].newest, axes[axis].oldest) = (cell, cell);
            } else {
                let point = f64::from(origin) + f64::from(direction) * start;
                axes[axis].start_at(start, cells.guess_cell(axis, point));
            }
        }
        Some(Self { axes, end, entered: None })
    }

    /// Calls `visit` with the cells that were entered at the last step.
    #[inline(always)]
    pub(super) fn try_for_each_entered_cell(
        &self,
        mut visit: impl FnMut([usize; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [x, y, z] = &self.axes;
        let first = |axis: usize, sweep: &AxisSweep<'_>| {
            if self.entered == Some(axis) { sweep.newest } else { sweep.oldest }
        };
        let mut cell = [0, 0, first(2, z)];
        loop {
            cell[1] = first(1, y);
            loop {
                cell[0] = first(0, x);
                loop {
                    visit(cell)?;
                    if cell[0] == x.newest {
                        break;
                    }
                    cell[0] = x.next(cell[0]);
                }
                if cell[1] == y.newest {
                    break;
                }
                cell[1] = y.next(cell[1]);
            }
            if cell[2] == z.newest {
                return ControlFlow::Continue(());
            }
            cell[2] = z.next(cell[2]);
        }
    }

    /// Steps to the next entry; false if there is none up to `t_max`.
    #[inline(always)]
    pub(super) fn advance(&mut self, t_max: f64) -> bool {
        let [x, y, z] = &mut self.axes;
        let (axis, entry) = if x.next_entry < y.next_entry {
            if x.next_entry < z.next_entry { (0, x.next_entry) } else { (2, z.next_entry) }
        } else if y.next_entry < z.next_entry {
            (1, y.next_entry)
        } else {
            (2, z.next_entry)
        };
        // An infinite entry is beyond every finite `end`.
        if entry > self.end || entry > t_max || entry == f64::INFINITY {
            return false;
        }
        match axis {
            0 => x.enter_next(),
            1 => y.enter_next(),
            _ => z.enter_next(),
        }
        x.leave_until(entry);
        y.leave_until(entry);
        z.leave_until(entry);
        self.entered = Some(axis);
        true
    }
}
