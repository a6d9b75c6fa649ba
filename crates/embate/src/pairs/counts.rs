//! What did a structure do to find the pairs?

/// Is told what a search does. A generic parameter, not a flag: with [`Unobserved`] the calls compile
/// to nothing.
pub trait PairObserver {
    /// So many pairs of boxes were tested against each other.
    fn test(&mut self, pairs: u64);

    /// So many cells, tiles or nodes were looked into.
    fn enter(&mut self, cells: u64);

    /// So many places hold a box, counted once for each cell that lists it.
    fn list(&mut self, places: u64);
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
