//! All overlapping pairs of one frame, fast: tiles, bins, and sixteen boxes at a time.
//!
//! ```text
//!  y ▲ ┌──────┬──────┬──────┐    1. The last D − 1 axes are cut into tiles. A box is listed in every
//!    │ │  ▭   │   ▭ ▭│▭     │       tile it reaches (placements.rs, slab.rs).
//!    │ ├──────┼──────┼──────┤    2. Inside a tile boxes are ordered by the bin of their least x: a
//!    │ │▭  ▭  │ ▭   ▭┼▭     │       counting sort, no comparisons (tile.rs).
//!    │ └──────┴──────┴──────┘    3. Each box is tested against those that follow, sixteen at a time, up
//!    └──────────────────────► x     to the last bin it reaches.
//!       │ │ │ │ │ │ │ │ │  bins
//! ```
//!
//! Promise: every overlapping pair once. Two boxes may meet in several tiles; the pair belongs to the
//! tile in which the later of their two beginnings lies, on every cut axis. So nothing has to be removed
//! afterwards: in a tile, a pair is passed over if both boxes begin before it on the same axis.
//!
//! Boxes much larger than a tile would be listed too often. They are tested against what is listed in
//! the tiles they reach, and then swept among themselves the same way, with larger tiles.

use core::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::{Level, dispatch};
use rayon::prelude::*;

use super::placements::{Placements, fit, room_for_large};
use super::slab::Slab;
use super::tiles::{Layout, Survey};
use super::{BRUTE_BELOW, Boxes, Brute, Pair, PairFinder, PairObserver, Unobserved};

/// From so many boxes on a second thread pays.
const PARALLEL_FROM: usize = 200_000;

/// WebAssembly has no threads: to say so here keeps all that would start them out of a page.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Finds pairs by tiles, bins and lanes. The fastest structure for boxes that all move.
#[derive(Clone, Debug)]
pub struct TiledSweep<const D: usize> {
    level: Level,
    threads: usize,
    /// One part of the boxes each, as many as threads took part in the last sweep; further ones wait.
    placements: Vec<Placements>,
    parts: usize,
    workers: Vec<Worker<D>>,
}

/// What one thread needs, and what it found.
#[derive(Clone, Debug)]
struct Worker<const D: usize> {
    slab: Slab<D>,
    pairs: Vec<Pair>,
    /// The slabs swept, and where the pairs of each end.
    ends: Vec<(usize, usize)>,
}

impl<const D: usize> Default for TiledSweep<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> TiledSweep<D> {
    /// Holds nothing yet; uses every thread where more than one pays.
    #[must_use]
    pub fn new() -> Self {
        Self::with_threads(if HAS_THREADS { rayon::current_num_threads() } else { 1 })
    }

    /// Uses at most so many threads. The answer, and its order, do not depend on them.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self { level: Level::new(), threads, placements: Vec::new(), parts: 0, workers: Vec::new() }
    }

    /// One like this that holds no memory.
    pub(super) fn clone_empty(&self) -> Self {
        Self::with_threads(self.threads)
    }

    /// Sweeps all boxes by one thread or several: `sweep` finds the pairs of one size class, and leaves
    /// the boxes that are too large for it.
    fn find_classes(
        &mut self,
        boxes: Boxes<'_, D>,
        mut sweep: impl FnMut(&mut Self, &Survey<D>, Boxes<'_, D>, Option<&[u32]>),
    ) {
        let Some(survey) = Survey::of(boxes.len(), |place| &boxes[place]) else { return };
        sweep(self, &survey, boxes, None);
        loop {
            let large: Vec<u32> = self.placements[..self.parts]
                .iter()
                .flat_map(Placements::large_ids)
                .copied()
                .collect();
            let large_box = |place: usize| &boxes[large[place] as usize];
            let Some(survey) = Survey::of(large.len(), large_box) else { return };
            sweep(self, &survey, boxes, Some(&large));
        }
    }

    /// Never fewer than before: memory is kept for the next sweep.
    fn make_parts(&mut self, parts: usize) {
        self.parts = parts;
        if self.placements.len() < parts {
            self.placements.resize_with(parts, Placements::default);
            self.workers.resize_with(parts, Worker::new);
        }
    }

    /// Places all boxes, or those of the class, each part by a thread of its own; and says in which tiles.
    fn place(
        &mut self,
        survey: &Survey<D>,
        boxes: Boxes<'_, D>,
        class: Option<&[u32]>,
    ) -> Layout<D> {
        let (level, parts) = (self.level, self.parts);
        let count = class.map_or(boxes.len(), <[u32]>::len);
        let room = room_for_large(count);
        let mut layout = Layout::best(survey);
        loop {
            let place_part = |(part, placements): (usize, &mut Placements)| {
                let range = part * count / parts..(part + 1) * count / parts;
                if let Some(ids) = class {
                    placements.place_named(level, &layout, &boxes, &ids[range], room);
                } else {
                    let first = range.start as u32;
                    placements.place_from(level, &layout, &boxes[range], first, room);
                }
            };
            if parts == 1 || !HAS_THREADS {
                place_part((0, &mut self.placements[0]));
            } else {
                self.placements[..parts].par_iter_mut().enumerate().for_each(place_part);
            }
            if fit(&self.placements[..parts], room) {
                return layout;
            }
            layout = layout.coarser(survey);
        }
    }

    fn sweep_by_one<O: PairObserver>(
        &mut self,
        survey: &Survey<D>,
        boxes: Boxes<'_, D>,
        class: Option<&[u32]>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        self.make_parts(1);
        let layout = &self.place(survey, boxes, class);
        let (level, parts, slab) = (self.level, &self.placements[..1], &mut self.workers[0].slab);
        for number in 0..layout.slabs() {
            dispatch!(level, simd => {
                slab.list(simd, layout, number, &boxes, parts);
                slab.sweep(simd, layout, pairs, observer);
            });
        }
    }

    fn sweep_by_many(
        &mut self,
        survey: &Survey<D>,
        boxes: Boxes<'_, D>,
        class: Option<&[u32]>,
        pairs: &mut Vec<Pair>,
    ) {
        self.make_parts(self.threads);
        let layout = &self.place(survey, boxes, class);
        let level = self.level;
        let next = AtomicUsize::new(0);
        let parts = &self.placements[..self.parts];
        self.workers.par_iter_mut().for_each(|worker| {
            worker.pairs.clear();
            worker.ends.clear();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= layout.slabs() {
                    return;
                }
                let Worker { slab, pairs, ends } = worker;
                dispatch!(level, simd => {
                    slab.list(simd, layout, number, &boxes, parts);
                    slab.sweep(simd, layout, pairs, &mut Unobserved);
                });
                ends.push((number, pairs.len()));
            }
        });
        self.gather(layout.slabs(), pairs);
    }

    /// Who swept a slab must not show: pairs are told in the order of slabs.
    fn gather(&self, slabs: usize, pairs: &mut Vec<Pair>) {
        let mut by_slab = vec![(0, 0..0); slabs];
        for (number, worker) in self.workers.iter().enumerate() {
            let mut start = 0;
            for &(slab, end) in &worker.ends {
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
        Self { slab: Slab::new(), pairs: Vec::new(), ends: Vec::new() }
    }

    fn bytes(&self) -> usize {
        self.slab.bytes()
            + self.pairs.capacity() * size_of::<Pair>()
            + self.ends.capacity() * size_of::<(usize, usize)>()
    }
}

impl<const D: usize> PairFinder<D> for TiledSweep<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        if boxes.len() < BRUTE_BELOW {
            return Brute::new().find_observed(boxes, pairs, observer);
        }
        self.find_classes(boxes, |this, survey, boxes, class| {
            this.sweep_by_one(survey, boxes, class, pairs, observer);
        });
    }

    fn find(&mut self, boxes: Boxes<'_, D>, pairs: &mut Vec<Pair>) {
        if !HAS_THREADS || self.threads < 2 || boxes.len() < PARALLEL_FROM {
            return self.find_observed(boxes, pairs, &mut Unobserved);
        }
        self.find_classes(boxes, |this, survey, boxes, class| {
            // Size classes of large boxes are small.
            if class.is_some_and(|ids| ids.len() < PARALLEL_FROM / 4) {
                this.sweep_by_one(survey, boxes, class, pairs, &mut Unobserved);
            } else {
                this.sweep_by_many(survey, boxes, class, pairs);
            }
        });
    }

    fn bytes(&self) -> usize {
        let placements: usize = self.placements.iter().map(Placements::bytes).sum();
        placements + self.workers.iter().map(Worker::bytes).sum::<usize>()
    }
}
