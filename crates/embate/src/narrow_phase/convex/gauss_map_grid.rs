//! Grid over the Gauss map: finds pairs of arcs that may intersect.
//!
//! Two edges define a separating axis only if the arcs between their face normals intersect on the
//! unit sphere (`sat`). Deeply overlapping large hulls have thousands of candidate edges each,
//! hence millions of pairs. Intersecting arcs share a point, so they share a cell of a uniform grid
//! around the sphere.

use embate_geom::Vec3;

/// Cells per axis. Arcs of a spherical hull of 2,000 vertices are about half as long as a cell.
const CELLS_PER_AXIS: u32 = 16;

/// An arc that overlaps more cells is tested against all others.
const MAX_CELLS_PER_ARC: u32 = 64;

/// Margin for the rounding of the arc intersection test.
const CROSSING_MARGIN: f32 = 1e-4;

/// Arcs indexed by the cells they overlap.
pub(crate) struct GaussMapGrid {
    /// Sorted pairs of cell and arc.
    entries: Vec<(u32, u32)>,
    long_arcs: Vec<u32>,
}

impl GaussMapGrid {
    /// Grid of arcs given by their endpoints, which are unit vectors.
    pub(crate) fn new(arcs: impl Iterator<Item = [Vec3; 2]>) -> Self {
        let (mut entries, mut long_arcs) = (Vec::new(), Vec::new());
        for (index, endpoints) in (0_u32..).zip(arcs) {
            let range = ArcCellRange::around_arc(endpoints);
            if range.count() > MAX_CELLS_PER_ARC {
                long_arcs.push(index);
            } else {
                range.for_each(|cell| entries.push((cell, index)));
            }
        }
        entries.sort_unstable();
        Self { entries, long_arcs }
    }

    /// Calls `visit` with every arc that may intersect this one; with some arcs more than once.
    pub(crate) fn for_each_near(&self, endpoints: [Vec3; 2], mut visit: impl FnMut(u32)) {
        self.long_arcs.iter().for_each(|&index| visit(index));
        let range = ArcCellRange::around_arc(endpoints);
        if range.count() > CELLS_PER_AXIS * CELLS_PER_AXIS {
            self.entries.iter().for_each(|&(_, index)| visit(index));
            return;
        }
        range.for_each(|cell| {
            let start = self.entries.partition_point(|&(other, _)| other < cell);
            let in_cell = self.entries[start..].iter().take_while(|&&(other, _)| other == cell);
            in_cell.for_each(|&(_, index)| visit(index));
        });
    }
}

/// The cells that a box overlaps.
struct ArcCellRange {
    low: [u32; 3],
    high: [u32; 3],
}

impl ArcCellRange {
    /// Bounds of an arc of at most 180°.
    fn around_arc([from, to]: [Vec3; 2]) -> Self {
        // The sagitta: the arc leaves its chord by at most `bulge`.
        let half_chord_squared = (to - from).length_squared() / 4.0;
        let bulge =
            if half_chord_squared < 1.0 { 1.0 - (1.0 - half_chord_squared).sqrt() } else { 1.0 };
        let margin = Vec3::splat(bulge + CROSSING_MARGIN);
        // The cast saturates.
        let cell = |coordinate: f32| {
            (((coordinate + 1.0) * 0.5 * CELLS_PER_AXIS as f32) as u32).min(CELLS_PER_AXIS - 1)
        };
        Self {
            low: (from.min(to) - margin).to_array().map(cell),
            high: (from.max(to) + margin).to_array().map(cell),
        }
    }

    fn count(&self) -> u32 {
        (0..3).map(|axis| self.high[axis] - self.low[axis] + 1).product()
    }

    fn for_each(&self, mut visit: impl FnMut(u32)) {
        for x in self.low[0]..=self.high[0] {
            for y in self.low[1]..=self.high[1] {
                for z in self.low[2]..=self.high[2] {
                    visit((x * CELLS_PER_AXIS + y) * CELLS_PER_AXIS + z);
                }
            }
        }
    }
}
