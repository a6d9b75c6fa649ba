//! Tiled sweep and prune: a sweep within each tile, by counting sort and SIMD.
//!
//! ```text
//!  y ▲ ┌──────┬──────┬──────┐    1. The last D − 1 axes are divided into tiles. A box gets an
//!    │ │  ▭   │   ▭ ▭│▭     │       entry in every tile it overlaps (binning.rs, slab.rs).
//!    │ ├──────┼──────┼──────┤    2. In a tile, boxes are ordered by the bin of their min x: a
//!    │ │▭  ▭  │ ▭   ▭┼▭     │       counting sort, no comparisons (tile.rs).
//!    │ └──────┴──────┴──────┘    3. Each box is tested against those that follow, sixteen at a
//!    └──────────────────────► x     time, up to the last bin it overlaps.
//!       │ │ │ │ │ │ │ │ │  bins
//! ```
//!
//! Guarantee: every overlapping pair once. Two boxes may share several tiles. The pair belongs to
//! the tile that contains, on every tiled axis, the larger of their two minima. No deduplication
//! pass is needed: a tile skips a pair if both boxes start before the tile on the same axis.
//!
//! Boxes much larger than a tile would get too many entries. They are *oversized*: each is tested
//! against the boxes of the tiles it overlaps, and the oversized boxes are then swept among
//! themselves with larger tiles, as the next *size class*.

pub(crate) mod binning;
pub(crate) mod layout;
pub(crate) mod pair_buffer;
pub(crate) mod slab;
pub(crate) mod tile;

use core::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::{Level, dispatch};

use crate::broad_phase::tiled_sweep::binning::{
    TileAssignments, is_within_budget, oversized_budget,
};
use crate::broad_phase::tiled_sweep::layout::{InputStatistics, TileLayout};
use crate::broad_phase::tiled_sweep::slab::Slab;
use crate::broad_phase::{
    AabbSlice, BRUTE_FORCE_MAX, BroadPhase, BroadPhaseObserver, BruteForceBroadPhase, NoStats,
    OverlapPair,
};
use crate::parallel::{self, HAS_THREADS};

/// From this many boxes on a second thread pays.
const PARALLEL_MIN_BOXES: usize = 200_000;

/// Sweep and prune in tiles, with counting sort by bin and SIMD tests. The fastest structure for
/// boxes that all move.
#[derive(Clone, Debug)]
#[doc(alias = "TiledSweep")]
#[doc(alias = "SAP")]
pub struct TiledSweepAndPrune<const D: usize> {
    simd_level: Level,
    threads: usize,
    /// One per part of the boxes; the last sweep used the first `part_count`, one per thread.
    assignments: Vec<TileAssignments>,
    part_count: usize,
    workers: Vec<Worker<D>>,
}

/// Buffers and results of one thread.
#[derive(Clone, Debug)]
struct Worker<const D: usize> {
    slab: Slab<D>,
    pairs: Vec<OverlapPair>,
    /// The slabs swept, and the end of the pairs of each: `(slab, end)`.
    slab_ends: Vec<(usize, usize)>,
}

impl<const D: usize> Default for TiledSweepAndPrune<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> TiledSweepAndPrune<D> {
    /// Allocates nothing. Uses all threads of the current pool from 200,000 boxes on.
    #[must_use]
    pub fn new() -> Self {
        Self::with_threads(parallel::thread_count())
    }

    /// Uses at most `threads` threads. Neither the pairs nor their order depend on it.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self {
            simd_level: Level::new(),
            threads,
            assignments: Vec::new(),
            part_count: 0,
            workers: Vec::new(),
        }
    }

    /// The same settings with empty buffers.
    pub(crate) fn clone_empty(&self) -> Self {
        Self::with_threads(self.threads)
    }

    /// Sweeps one size class after the other: `sweep` finds the pairs of one class and leaves the
    /// boxes that are oversized for it. The first class, `None`, is all boxes.
    fn sweep_size_classes(
        &mut self,
        boxes: AabbSlice<'_, D>,
        mut sweep: impl FnMut(&mut Self, &InputStatistics<D>, AabbSlice<'_, D>, Option<&[u32]>),
    ) {
        let Some(statistics) = InputStatistics::sample(boxes.len(), |index| &boxes[index]) else {
            return;
        };
        sweep(self, &statistics, boxes, None);
        loop {
            let oversized: Vec<u32> = self.assignments[..self.part_count]
                .iter()
                .flat_map(TileAssignments::oversized_ids)
                .copied()
                .collect();
            let oversized_box = |index: usize| &boxes[oversized[index] as usize];
            let Some(statistics) = InputStatistics::sample(oversized.len(), oversized_box) else {
                return;
            };
            sweep(self, &statistics, boxes, Some(&oversized));
        }
    }

    /// Never shrinks: buffers are kept for the next sweep.
    fn set_part_count(&mut self, part_count: usize) {
        self.part_count = part_count;
        if self.assignments.len() < part_count {
            self.assignments.resize_with(part_count, TileAssignments::default);
            self.workers.resize_with(part_count, Worker::new);
        }
    }

    /// Assigns the boxes of the class to tiles, one part per thread. Doubles the tile size until
    /// the oversized boxes fit their budget; returns the layout used.
    fn assign_tiles(
        &mut self,
        statistics: &InputStatistics<D>,
        boxes: AabbSlice<'_, D>,
        class: Option<&[u32]>,
    ) -> TileLayout<D> {
        let (simd_level, part_count) = (self.simd_level, self.part_count);
        let count = class.map_or(boxes.len(), <[u32]>::len);
        let budget = oversized_budget(count);
        let mut layout = TileLayout::best(statistics);
        loop {
            let assign_part = |part: usize, assignments: &mut TileAssignments| {
                let range = part * count / part_count..(part + 1) * count / part_count;
                if let Some(ids) = class {
                    let ids = &ids[range];
                    assignments.assign_tiles_with_ids(simd_level, &layout, &boxes, ids, budget);
                } else {
                    let first = range.start as u32;
                    let boxes = &boxes[range];
                    assignments.assign_tiles_from(simd_level, &layout, boxes, first, budget);
                }
            };
            if part_count == 1 || !HAS_THREADS {
                assign_part(0, &mut self.assignments[0]);
            } else {
                parallel::for_each(&mut self.assignments[..part_count], assign_part);
            }
            if is_within_budget(&self.assignments[..part_count], budget) {
                return layout;
            }
            layout = layout.coarser(statistics);
        }
    }

    fn sweep_serial<O: BroadPhaseObserver>(
        &mut self,
        statistics: &InputStatistics<D>,
        boxes: AabbSlice<'_, D>,
        class: Option<&[u32]>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.set_part_count(1);
        let layout = &self.assign_tiles(statistics, boxes, class);
        let (simd_level, parts) = (self.simd_level, &self.assignments[..1]);
        let slab = &mut self.workers[0].slab;
        for number in 0..layout.slab_count() {
            dispatch!(simd_level, simd => {
                slab.scatter(simd, layout, number, &boxes, parts);
                slab.sweep(simd, layout, pairs, observer);
            });
        }
    }

    fn sweep_parallel(
        &mut self,
        statistics: &InputStatistics<D>,
        boxes: AabbSlice<'_, D>,
        class: Option<&[u32]>,
        pairs: &mut Vec<OverlapPair>,
    ) {
        self.set_part_count(self.threads);
        let layout = &self.assign_tiles(statistics, boxes, class);
        let simd_level = self.simd_level;
        let next_slab = AtomicUsize::new(0);
        let parts = &self.assignments[..self.part_count];
        parallel::for_each(&mut self.workers, |_, worker| {
            worker.pairs.clear();
            worker.slab_ends.clear();
            loop {
                let number = next_slab.fetch_add(1, Ordering::Relaxed);
                if number >= layout.slab_count() {
                    return;
                }
                let Worker { slab, pairs, slab_ends } = worker;
                dispatch!(simd_level, simd => {
                    slab.scatter(simd, layout, number, &boxes, parts);
                    slab.sweep(simd, layout, pairs, &mut NoStats);
                });
                slab_ends.push((number, pairs.len()));
            }
        });
        self.append_by_slab(layout.slab_count(), pairs);
    }

    /// Appends the pairs of all workers in slab order, so that the schedule does not affect the
    /// order.
    fn append_by_slab(&self, slab_count: usize, pairs: &mut Vec<OverlapPair>) {
        let mut by_slab = vec![(0, 0..0); slab_count];
        for (number, worker) in self.workers.iter().enumerate() {
            let mut start = 0;
            for &(slab, end) in &worker.slab_ends {
                by_slab[slab] = (number, start..end);
                start = end;
            }
        }
        for (worker, range) in by_slab {
            pairs.extend_from_slice(&self.workers[worker].pairs[range]);
        }
    }
}

impl<const D: usize> Worker<D> {
    fn new() -> Self {
        Self { slab: Slab::new(), pairs: Vec::new(), slab_ends: Vec::new() }
    }

    fn memory_usage(&self) -> usize {
        self.slab.memory_usage()
            + self.pairs.capacity() * size_of::<OverlapPair>()
            + self.slab_ends.capacity() * size_of::<(usize, usize)>()
    }
}

impl<const D: usize> BroadPhase<D> for TiledSweepAndPrune<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        if boxes.len() < BRUTE_FORCE_MAX {
            return BruteForceBroadPhase::new().find_pairs_observed(boxes, pairs, observer);
        }
        self.sweep_size_classes(boxes, |this, statistics, boxes, class| {
            this.sweep_serial(statistics, boxes, class, pairs, observer);
        });
    }

    fn find_pairs(&mut self, boxes: AabbSlice<'_, D>, pairs: &mut Vec<OverlapPair>) {
        if !HAS_THREADS || self.threads < 2 || boxes.len() < PARALLEL_MIN_BOXES {
            return self.find_pairs_observed(boxes, pairs, &mut NoStats);
        }
        self.sweep_size_classes(boxes, |this, statistics, boxes, class| {
            // Classes of oversized boxes usually have few members.
            if class.is_some_and(|ids| ids.len() < PARALLEL_MIN_BOXES / 4) {
                this.sweep_serial(statistics, boxes, class, pairs, &mut NoStats);
            } else {
                this.sweep_parallel(statistics, boxes, class, pairs);
            }
        });
    }

    fn memory_usage(&self) -> usize {
        let assignments: usize = self.assignments.iter().map(TileAssignments::memory_usage).sum();
        assignments + self.workers.iter().map(Worker::memory_usage).sum::<usize>()
    }
}
