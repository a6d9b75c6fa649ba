//! Hierarchical grid: uniform grids whose cell sizes double from level to level.
//!
//! ```text
//!   ┌────┬────┬────┐   A box is listed once, in the cell of its min, on the level whose cells are
//!   │ ▭  │  ▭┼┼▭   │   at least as long as the box: it extends no farther than the next cell. It
//!   ├────┼────┼────┤   is tested against the boxes that follow in its own row, and those of later
//!   │   ▭┼   ▭│    │   rows.
//!   └────┴────┴────┘   Boxes of two levels: those of one level query the cells of the other, in
//!                      the direction that visits fewer rows of cells.
//! ```
//!
//! Guarantee: every overlapping pair once, for any mix of sizes. Boxes are stored in cell order, so
//! a row of cells is one contiguous range of boxes, tested eight at a time.
//!
//! After Ericson 2005, *Real-Time Collision Detection*, section 7.2.

pub(crate) mod level;
pub(crate) mod pair_buffer;
pub(crate) mod size_distribution;

use core::ops::Range;

use embate_geom::Aabb;
use fearless_simd::{Level, Simd, dispatch};

use crate::broad_phase::aabb8::{Aabb8, LANES};
use crate::broad_phase::grid::level::GridLevel;
use crate::broad_phase::grid::pair_buffer::GridPairBuffer;
use crate::broad_phase::grid::size_distribution::SizeDistribution;
use crate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, OverlapPair};

/// Maximum number of levels: each has cells twice as large as the one before, and no ratio of two
/// `f32` exceeds 2¹²⁸.
const MAX_LEVELS: usize = 129;

/// Hierarchical grid with as many levels as the box sizes need.
///
/// ```
/// use embate::{Aabb, broad_phase::{AabbSlice, HierarchicalGrid, BroadPhase}};
///
/// let boxes = [
///     Aabb { min: [0.0, 0.0], max: [2.0, 2.0] },
///     Aabb { min: [5.0, 5.0], max: [6.0, 6.0] },
///     Aabb { min: [2.0, 1.0], max: [900.0, 3.0] },
/// ];
/// let mut pairs = Vec::new();
/// HierarchicalGrid::with_cell_size(4.0).unwrap().find_pairs(AabbSlice::new(&boxes)?, &mut pairs);
/// assert_eq!(pairs, [[0, 2]]);
/// # Ok::<(), embate::broad_phase::AabbError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "Grid")]
#[doc(alias = "spatial hash")]
pub struct HierarchicalGrid<const D: usize> {
    simd_level: Level,
    /// Cell size of the finest level, if it was given.
    cell_size: Option<f32>,
    levels: Vec<GridLevel<D>>,
    /// Cell id of each box, in input order.
    cell_of_box: Vec<u32>,
    /// First slot of each cell, and one more at the end.
    cell_starts: Vec<u32>,
    /// Ids of the boxes in cell order: the box in each slot.
    ids: Vec<u32>,
    /// The boxes in the same order.
    blocks: Vec<Aabb8<D>>,
    pair_buffer: GridPairBuffer,
}

impl<const D: usize> Default for HierarchicalGrid<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> HierarchicalGrid<D> {
    /// Chooses the cell size of the finest level from the boxes of each frame.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new() -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self {
            simd_level: Level::new(),
            cell_size: None,
            levels: Vec::new(),
            cell_of_box: Vec::new(),
            cell_starts: Vec::new(),
            ids: Vec::new(),
            blocks: Vec::new(),
            pair_buffer: GridPairBuffer::default(),
        }
    }

    /// The finest level has cells of `cell_size`; larger boxes get coarser levels. `None` unless it
    /// is finite and positive.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    #[doc(alias = "with_cell")]
    pub fn with_cell_size(cell_size: f32) -> Option<Self> {
        // The reciprocal of a subnormal number can be infinite.
        let clamped = Some(embate_geom::scalar::max(cell_size, f32::MIN_POSITIVE));
        (cell_size.is_finite() && cell_size > 0.0)
            .then(|| Self { cell_size: clamped, ..Self::new() })
    }

    /// Stores every box in cell order: a counting sort by cell.
    fn sort_by_cell(&mut self, boxes: &[Aabb<D>]) {
        let distribution = SizeDistribution::sample(boxes);
        let cell_size =
            self.cell_size.unwrap_or_else(|| distribution.suggested_cell_size(boxes.len()));
        let level_of = self.create_levels(boxes, cell_size, &distribution);
        while self.assign_cells(boxes, cell_size, &level_of) {}

        let mut sum = 0;
        for start in &mut self.cell_starts {
            sum += *start;
            *start = sum;
        }
        for level in &mut self.levels {
            // Counts are now ends: the end of the preceding cell is the start of the level.
            let start = if level.cell_ids.start == 0 {
                0
            } else {
                self.cell_starts[level.cell_ids.start as usize - 1]
            };
            level.slots = start..self.cell_starts[level.cell_ids.end as usize - 1];
        }
        // Filled back to front, which turns each end into the start of its cell.
        self.ids.clear();
        self.ids.resize(boxes.len(), 0);
        for (id, &cell) in self.cell_of_box.iter().enumerate().rev() {
            let slot = &mut self.cell_starts[cell as usize];
            *slot -= 1;
            self.ids[*slot as usize] = id as u32;
        }
        self.blocks.clear();
        self.blocks.extend(self.ids.chunks(LANES).map(|ids| {
            let mut block = Aabb8::EMPTY;
            for (lane, &id) in ids.iter().enumerate() {
                block.set(lane, &boxes[id as usize]);
            }
            block
        }));
    }

    /// Creates one level for each cell size that some box needs; returns the index of the level for
    /// each number of [`doublings`].
    fn create_levels(
        &mut self,
        boxes: &[Aabb<D>],
        cell_size: f32,
        distribution: &SizeDistribution<D>,
    ) -> [u8; MAX_LEVELS] {
        let mut counts = [0; MAX_LEVELS];
        for bounds in boxes {
            counts[doublings(cell_size, bounds)] += 1;
        }
        self.levels.clear();
        let mut level_of = [0; MAX_LEVELS];
        let (mut level_cell_size, mut first_cell) = (cell_size, 0);
        for (doublings, &count) in counts.iter().enumerate() {
            if count > 0 {
                level_of[doublings] = self.levels.len() as u8;
                let level = GridLevel::new(count, level_cell_size, distribution, first_cell);
                first_cell = level.cell_ids.end;
                self.levels.push(level);
            }
            level_cell_size *= 2.0;
        }
        level_of
    }

    /// Computes the cell of each box and counts the boxes of each cell. Returns whether that must
    /// be repeated because an axis was disabled.
    fn assign_cells(
        &mut self,
        boxes: &[Aabb<D>],
        cell_size: f32,
        level_of: &[u8; MAX_LEVELS],
    ) -> bool {
        self.cell_starts.clear();
        let cells = self.levels.last().map_or(0, |level| level.cell_ids.end as usize);
        self.cell_starts.resize(cells + 1, 0);
        self.cell_of_box.clear();
        self.levels.iter_mut().for_each(|level| level.max_span = [0; D]);
        self.cell_of_box.extend(boxes.iter().map(|bounds| {
            let level = &mut self.levels[usize::from(level_of[doublings(cell_size, bounds)])];
            let range = level.cell_range(bounds);
            level.extend_max_span(&range);
            let cell = level.cell_id(&range);
            self.cell_starts[cell as usize] += 1;
            cell
        }));
        let too_large = self.levels.iter_mut().map(GridLevel::disable_axis_if_range_too_large);
        too_large.fold(false, |any, too_large| any | too_large)
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn find_all<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        pair_buffer: &mut GridPairBuffer,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        for (number, level) in self.levels.iter().enumerate() {
            self.find_within(simd, level, pair_buffer, pairs, observer);
            for coarser in &self.levels[number + 1..] {
                let (from, into) = cheaper_direction(level, coarser);
                self.find_across(simd, from, into, pair_buffer, pairs, observer);
            }
        }
    }

    /// Finds the pairs within one level.
    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn find_within<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        level: &GridLevel<D>,
        pair_buffer: &mut GridPairBuffer,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let mut spans = Vec::new();
        for slot in level.slots.clone() {
            let bounds = self.aabb_at(slot);
            let range = level.cell_range(&bounds);
            spans.clear();
            level.for_each_own_row_span(&range, |cells| spans.push(self.slots_of(cells, observer)));
            // The own cell starts with boxes already processed, and this one.
            spans[0].start = slot + 1;
            level.for_each_later_row_span(&range, |cells| {
                spans.push(self.slots_of(cells, observer));
            });
            for span in &spans {
                observer.count_overlap_tests(u64::from(span.end - span.start));
                if observer.wants_details() {
                    self.report_tests(slot, span, observer);
                }
                pair_buffer.test(simd, &self.blocks, slot, &bounds, span);
            }
            pair_buffer.flush_if_full(&self.ids, pairs);
        }
        pair_buffer.flush(&self.ids, pairs);
    }

    /// Finds the pairs between two levels.
    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn find_across<S: Simd, O: BroadPhaseObserver>(
        &self,
        simd: S,
        from: &GridLevel<D>,
        into: &GridLevel<D>,
        pair_buffer: &mut GridPairBuffer,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let mut spans = Vec::new();
        for slot in from.slots.clone() {
            let bounds = self.aabb_at(slot);
            spans.clear();
            into.for_each_span(&into.cell_range(&bounds), |cells| {
                spans.push(self.slots_of(cells, observer));
            });
            for span in &spans {
                observer.count_overlap_tests(u64::from(span.end - span.start));
                if observer.wants_details() {
                    self.report_tests(slot, span, observer);
                }
                pair_buffer.test(simd, &self.blocks, slot, &bounds, span);
            }
            pair_buffer.flush_if_full(&self.ids, pairs);
        }
        pair_buffer.flush(&self.ids, pairs);
    }

    /// Reports every occupied cell to the observer.
    fn report_cells<O: BroadPhaseObserver>(&self, observer: &mut O) {
        for level in &self.levels {
            let cell_aabb = |&slot: &u32| level.cell_aabb(&level.cell_range(&self.aabb_at(slot)));
            for cell in level.cell_ids.clone() {
                // Boxes a whole period apart share a list, but lie in different cells.
                let slots = self.cell_starts[cell as usize]..self.cell_starts[cell as usize + 1];
                for slot in slots.clone() {
                    let bounds = cell_aabb(&slot);
                    let is_here = |other: &u32| cell_aabb(other) == bounds;
                    if !(slots.start..slot).any(|earlier| is_here(&earlier)) {
                        let here = slots.clone().filter(is_here);
                        let ids = here.map(|slot| self.ids[slot as usize]);
                        observer.cell_visited(&bounds.min, &bounds.max, ids);
                    }
                }
            }
        }
    }

    /// Reports the tests of the box in `slot` against those in `span`.
    fn report_tests<O: BroadPhaseObserver>(&self, slot: u32, span: &Range<u32>, observer: &mut O) {
        let others = &self.ids[span.start as usize..span.end as usize];
        observer.overlap_test(self.ids[slot as usize], others.iter().copied());
    }

    /// Slots of the boxes listed in a range of cells.
    #[inline]
    fn slots_of<O: BroadPhaseObserver>(&self, cells: Range<u32>, observer: &mut O) -> Range<u32> {
        observer.count_cells_visited(u64::from(cells.end - cells.start));
        self.cell_starts[cells.start as usize]..self.cell_starts[cells.end as usize]
    }

    #[inline]
    fn aabb_at(&self, slot: u32) -> Aabb<D> {
        let (block, lane) = (&self.blocks[slot as usize / LANES], slot as usize % LANES);
        Aabb { min: block.min.map(|lanes| lanes[lane]), max: block.max.map(|lanes| lanes[lane]) }
    }
}

/// Of two levels, which queries which: `(from, into)`, the direction that visits fewer rows of
/// cells.
fn cheaper_direction<'a, const D: usize>(
    fine: &'a GridLevel<D>,
    coarse: &'a GridLevel<D>,
) -> (&'a GridLevel<D>, &'a GridLevel<D>) {
    let rows = |from: &GridLevel<D>, into: &GridLevel<D>| {
        from.slots.len() as f32 * into.estimated_rows(from.cell_size)
    };
    if rows(coarse, fine) < rows(fine, coarse) { (coarse, fine) } else { (fine, coarse) }
}

impl<const D: usize> BroadPhase<D> for HierarchicalGrid<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        if boxes.is_empty() {
            return;
        }
        self.sort_by_cell(&boxes);
        observer.count_cell_entries(boxes.len() as u64);
        if observer.wants_details() {
            self.report_cells(observer);
        }
        let simd_level = self.simd_level;
        let mut pair_buffer = core::mem::take(&mut self.pair_buffer);
        dispatch!(simd_level, simd => self.find_all(simd, &mut pair_buffer, pairs, observer));
        self.pair_buffer = pair_buffer;
    }

    fn memory_usage(&self) -> usize {
        let integers =
            self.cell_of_box.capacity() + self.cell_starts.capacity() + self.ids.capacity();
        integers * size_of::<u32>()
            + self.levels.capacity() * size_of::<GridLevel<D>>()
            + self.blocks.capacity() * size_of::<Aabb8<D>>()
            + self.pair_buffer.memory_usage()
    }
}

/// How often `cell_size` must double to be at least as long as the box.
#[inline]
fn doublings<const D: usize>(cell_size: f32, bounds: &Aabb<D>) -> usize {
    let ratio = bounds.max_extent() / cell_size;
    if ratio <= 1.0 {
        return 0;
    }
    // ⌈log2⌉: the exponent of the f32, plus one unless it is a power of two.
    let bits = ratio.to_bits();
    (bits >> 23) as usize - 127 + usize::from(bits & 0x7f_ffff != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::{BroadPhaseStats, BruteForceBroadPhase};

    fn lattice() -> Vec<Aabb<3>> {
        let min = |i: u32| [i % 20, i / 20 % 20, i / 400].map(|c| c as f32 * 1.25);
        (0..8_000).map(|i| Aabb { min: min(i), max: min(i).map(|least| least + 1.0) }).collect()
    }

    fn assert_equals_brute_force(
        boxes: &[Aabb<3>],
        mut grid: HierarchicalGrid<3>,
    ) -> BroadPhaseStats {
        let (mut pairs, mut expected) = (Vec::new(), Vec::new());
        let mut stats = BroadPhaseStats::default();
        grid.find_pairs_observed(AabbSlice::new(boxes).unwrap(), &mut pairs, &mut stats);
        BruteForceBroadPhase::new().find_pairs(AabbSlice::new(boxes).unwrap(), &mut expected);
        pairs.sort_unstable();
        assert!(pairs == expected, "{} pairs, expected {}", pairs.len(), expected.len());
        assert!(grid.memory_usage() < 80 * boxes.len() + 20_000, "{} bytes", grid.memory_usage());
        stats
    }

    #[test]
    fn distant_and_huge_boxes_cost_neither_memory_nor_tests() {
        let usual = assert_equals_brute_force(&lattice(), HierarchicalGrid::new()).overlap_tests;
        let mut boxes = lattice();
        boxes[7] = Aabb { min: [1e18; 3], max: [1e18; 3] };
        boxes[70] = Aabb { min: [-1e18; 3], max: [1e18; 3] };
        boxes[700] = Aabb { min: [-3e9, 0.0, 1e-20], max: [-2e9, 1e17, 1e-20] };
        let tests = assert_equals_brute_force(&boxes, HierarchicalGrid::new()).overlap_tests;
        assert!(tests < usual + 20_000, "{tests} tests, {usual} without these boxes");
    }

    /// Adjacent `f32` coordinates lie many cells apart: the axis is then not divided.
    #[test]
    fn cells_smaller_than_the_float_spacing_lose_no_pair() {
        for shift in [0.0, 1e7, 1e12] {
            let mut boxes = lattice();
            for b in &mut boxes {
                (b.min[1], b.max[1]) = (b.min[1] + shift, b.max[1] + shift);
            }
            for cell_size in [1e-45, 1e-20, 1e-6, 0.01] {
                let grid = HierarchicalGrid::with_cell_size(cell_size).unwrap();
                assert_equals_brute_force(&boxes, grid);
            }
        }
    }

    #[test]
    fn invalid_cell_size_is_rejected() {
        for cell_size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(HierarchicalGrid::<2>::with_cell_size(cell_size).is_none());
        }
    }
}
