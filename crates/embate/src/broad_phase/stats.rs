//! Statistics of a broad phase: overlap tests, cells visited, cell entries.

use core::ops::Range;

use crate::no_stats::NoStats;

/// Receives the work that a broad phase does. A generic parameter, not a flag: with [`NoStats`] the
/// calls compile to nothing.
///
/// The three `count_…` methods are always called. Which boxes were tested, and in which cells, is
/// reported only if [`wants_details`](Self::wants_details) is true: a visualization needs it, a
/// counter does not.
#[doc(alias = "PairObserver")]
pub trait BroadPhaseObserver {
    /// Adds `pairs` overlap tests between two boxes.
    #[doc(alias = "test")]
    fn count_overlap_tests(&mut self, pairs: u64);

    /// Adds `cells` visited cells, tiles or nodes.
    #[doc(alias = "enter")]
    fn count_cells_visited(&mut self, cells: u64);

    /// Adds `entries` references to boxes: one for each cell that lists a box.
    #[doc(alias = "list")]
    fn count_cell_entries(&mut self, entries: u64);

    /// Whether the methods below are called. Their arguments take time to compute.
    #[inline]
    #[doc(alias = "watches")]
    fn wants_details(&self) -> bool {
        false
    }

    /// Box `id` was tested against each of `others`. The total equals that of
    /// [`count_overlap_tests`](Self::count_overlap_tests).
    #[inline]
    #[doc(alias = "tested")]
    fn overlap_test(&mut self, id: u32, others: impl Iterator<Item = u32>) {
        let _ = (id, others);
    }

    /// Each of these boxes was tested against each of the others.
    #[inline]
    #[doc(alias = "tested_among")]
    fn overlap_tests_among(&mut self, ids: Range<u32>) {
        for id in ids.clone() {
            self.overlap_test(id, id + 1..ids.end);
        }
    }

    /// A visited cell, tile or node with the boxes it lists. `min` and `max` are infinite where the
    /// cell is unbounded. A cell may be reported more than once.
    #[inline]
    #[doc(alias = "cell")]
    fn cell_visited(&mut self, min: &[f32], max: &[f32], ids: impl Iterator<Item = u32>) {
        let _ = (min, max, ids);
    }
}

impl BroadPhaseObserver for NoStats {
    #[inline]
    fn count_overlap_tests(&mut self, _: u64) {}

    #[inline]
    fn count_cells_visited(&mut self, _: u64) {}

    #[inline]
    fn count_cell_entries(&mut self, _: u64) {}
}

/// Totals over one or more frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "PairCounts")]
pub struct BroadPhaseStats {
    /// Overlap tests between two boxes.
    #[doc(alias = "tests")]
    pub overlap_tests: u64,
    /// Cells, tiles or nodes visited.
    #[doc(alias = "cells")]
    pub cells_visited: u64,
    /// References to boxes in cells, tiles or leaves.
    #[doc(alias = "places")]
    pub cell_entries: u64,
}

impl BroadPhaseObserver for BroadPhaseStats {
    fn count_overlap_tests(&mut self, pairs: u64) {
        self.overlap_tests += pairs;
    }

    fn count_cells_visited(&mut self, cells: u64) {
        self.cells_visited += cells;
    }

    fn count_cell_entries(&mut self, entries: u64) {
        self.cell_entries += entries;
    }
}
