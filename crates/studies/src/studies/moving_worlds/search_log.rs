//! Search log: counts and visited cells of one search.

use core::ops::Range;

use embate::broad_phase::{BroadPhaseObserver, BroadPhaseStats};
use embate::math::scalar;

/// Counters of a search, and its details if they are recorded.
#[derive(Clone, Debug, Default)]
pub struct SearchLog {
    /// Counters of the whole search.
    pub counts: BroadPhaseStats,
    /// Details, if they are recorded.
    pub view: Option<SearchView>,
}

/// Details of a search: visited cells, or the tests of one object.
#[derive(Clone, Debug, Default)]
pub struct SearchView {
    /// Object to inspect alone.
    pub object: Option<u32>,
    /// Minimum and maximum corners of the cells that list an object, or that list the inspected
    /// one.
    pub cells: Vec<[[f32; 2]; 2]>,
    /// Minimum and maximum corners of the empty cells.
    pub empty_cells: Vec<[[f32; 2]; 2]>,
    /// Ids of the objects tested against the inspected one, with repetitions.
    pub tested: Vec<u32>,
    /// Size of the cell that lists each object, if that is recorded: with one place for each.
    pub cell_sizes: Option<Vec<f32>>,
}

impl BroadPhaseObserver for SearchLog {
    fn count_overlap_tests(&mut self, pairs: u64) {
        self.counts.count_overlap_tests(pairs);
    }

    fn count_cells_visited(&mut self, cells: u64) {
        self.counts.count_cells_visited(cells);
    }

    fn count_cell_entries(&mut self, entries: u64) {
        self.counts.count_cell_entries(entries);
    }

    fn wants_details(&self) -> bool {
        self.view.is_some()
    }

    fn overlap_test(&mut self, id: u32, others: impl Iterator<Item = u32>) {
        if let Some(SearchView { object: Some(object), tested, .. }) = &mut self.view {
            if id == *object {
                tested.extend(others);
            } else {
                tested.extend(others.filter(|other| other == object).map(|_| id));
            }
        }
    }

    /// Without a look at every pair: of a hundred thousand objects there are too many.
    fn overlap_tests_among(&mut self, ids: Range<u32>) {
        if let Some(SearchView { object: Some(object), tested, .. }) = &mut self.view
            && ids.contains(object)
        {
            tested.extend(ids.filter(|id| id != object));
        }
    }

    fn cell_visited(&mut self, min: &[f32], max: &[f32], mut ids: impl Iterator<Item = u32>) {
        let Some(view) = &mut self.view else { return };
        if let Some(sizes) = &mut view.cell_sizes {
            let size = scalar::max(max[0] - min[0], max[1] - min[1]);
            ids.for_each(|id| sizes[id as usize] = size);
            return;
        }
        let cell = [[min[0], min[1]], [max[0], max[1]]];
        match view.object {
            Some(object) if ids.any(|id| id == object) => view.cells.push(cell),
            Some(_) => {}
            None if ids.next().is_some() => view.cells.push(cell),
            None => view.empty_cells.push(cell),
        }
    }
}
