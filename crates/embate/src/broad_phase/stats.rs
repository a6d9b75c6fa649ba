//! What did a structure do to find the pairs?

use core::ops::Range;

/// Is told what a search does. A generic parameter, not a flag: with [`Unobserved`] the calls compile
/// to nothing.
///
/// Three numbers are always told. Who was tested against whom, and in which cells, is told only to an
/// observer that [`watches`](Self::watches): a lesson needs it, a count does not.
pub trait PairObserver {
    /// So many pairs of boxes were tested against each other.
    fn test(&mut self, pairs: u64);

    /// So many cells, tiles or nodes were looked into.
    fn enter(&mut self, cells: u64);

    /// So many places hold a box, counted once for each cell that lists it.
    fn list(&mut self, places: u64);

    /// Whether the methods below are to be called: what they are told takes time to put together.
    #[inline]
    fn watches(&self) -> bool {
        false
    }

    /// This box was tested against these, one by one: as many tests as [`test`](Self::test) counts.
    #[inline]
    fn tested(&mut self, id: u32, others: impl Iterator<Item = u32>) {
        let _ = (id, others);
    }

    /// Each of these boxes was tested against each of the others.
    #[inline]
    fn tested_among(&mut self, ids: Range<u32>) {
        for id in ids.clone() {
            self.tested(id, id + 1..ids.end);
        }
    }

    /// A cell, tile or node that was looked into, and the boxes it lists: its least and its greatest
    /// corner, infinite where it has no edge. Some are told more than once.
    #[inline]
    fn cell(&mut self, min: &[f32], max: &[f32], ids: impl Iterator<Item = u32>) {
        let _ = (min, max, ids);
    }
}

/// Watches nothing, costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl PairObserver for Unobserved {
    #[inline]
    fn test(&mut self, _: u64) {}

    #[inline]
    fn enter(&mut self, _: u64) {}

    #[inline]
    fn list(&mut self, _: u64) {}
}

/// Sums, for one frame or many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs of boxes tested.
    pub tests: u64,
    /// Cells, tiles or nodes looked into.
    pub cells: u64,
    /// Places that hold a box.
    pub places: u64,
}

impl PairObserver for PairCounts {
    fn test(&mut self, pairs: u64) {
        self.tests += pairs;
    }

    fn enter(&mut self, cells: u64) {
        self.cells += cells;
    }

    fn list(&mut self, places: u64) {
        self.places += places;
    }
}
