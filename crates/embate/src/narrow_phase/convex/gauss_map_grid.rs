//! Which arcs on the sphere of directions can cross a given one?
//!
//! Two edges part two bodies only if the arcs between the normals of their faces cross (`sat`). Of large hulls deep in
//! each other thousands of edges are open on both sides, and all against all would be millions of pairs. Arcs that
//! cross have a point in common, so they meet in a cell of a grid about the sphere.

use embate_geom::Vec3;

/// Cells along each axis. Arcs of a ball of 2,000 corners are about half as long as a cell.
const CELLS: u32 = 16;

/// An arc that reaches into more cells is held against all.
const LONG: u32 = 64;

/// Room for the rounding of the test whether arcs cross.
const ROOM: f32 = 1e-4;

/// Arcs by the cells that they reach into.
pub(super) struct Arcs {
    /// Sorted: a cell and an arc in it.
    placed: Vec<(u32, u32)>,
    long: Vec<u32>,
}

impl Arcs {
    /// Of arcs given by their ends, of length 1.
    pub(super) fn new(arcs: impl Iterator<Item = [Vec3; 2]>) -> Self {
        let (mut placed, mut long) = (Vec::new(), Vec::new());
        for (index, ends) in (0_u32..).zip(arcs) {
            let range = Range::of(ends);
            if range.count() > LONG {
                long.push(index);
            } else {
                range.each(|cell| placed.push((cell, index)));
            }
        }
        placed.sort_unstable();
        Self { placed, long }
    }

    /// Calls `ask` with every arc that may cross this one; with some of them more than once.
    pub(super) fn each_near(&self, ends: [Vec3; 2], mut ask: impl FnMut(u32)) {
        self.long.iter().for_each(|&index| ask(index));
        let range = Range::of(ends);
        if range.count() > CELLS * CELLS {
            self.placed.iter().for_each(|&(_, index)| ask(index));
            return;
        }
        range.each(|cell| {
            let from = self.placed.partition_point(|&(other, _)| other < cell);
            let here = self.placed[from..].iter().take_while(|&&(other, _)| other == cell);
            here.for_each(|&(_, index)| ask(index));
        });
    }
}

/// The cells that a box reaches into.
struct Range {
    low: [u32; 3],
    high: [u32; 3],
}

impl Range {
    /// Around an arc of no more than half a turn.
    fn of([from, to]: [Vec3; 2]) -> Self {
        // The arc leaves its chord by no more than this.
        let half = (to - from).length_squared() / 4.0;
        let bulge = if half < 1.0 { 1.0 - (1.0 - half).sqrt() } else { 1.0 };
        let room = Vec3::splat(bulge + ROOM);
        // Saturates.
        let cell = |along: f32| (((along + 1.0) * 0.5 * CELLS as f32) as u32).min(CELLS - 1);
        Self {
            low: (from.min(to) - room).to_array().map(cell),
            high: (from.max(to) + room).to_array().map(cell),
        }
    }

    fn count(&self) -> u32 {
        (0..3).map(|axis| self.high[axis] - self.low[axis] + 1).product()
    }

    fn each(&self, mut tell: impl FnMut(u32)) {
        for x in self.low[0]..=self.high[0] {
            for y in self.low[1]..=self.high[1] {
                for z in self.low[2]..=self.high[2] {
                    tell((x * CELLS + y) * CELLS + z);
                }
            }
        }
    }
}
