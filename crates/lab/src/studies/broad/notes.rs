//! What does a search tell while it goes on?

use core::ops::Range;

use embate::broad_phase::{BroadPhaseObserver, BroadPhaseStats};

/// What was counted, and what was seen if somebody looked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) counts: BroadPhaseStats,
    pub(crate) sight: Option<Sight>,
}

/// What somebody saw who looked at the cells, or at one object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// Look at this object alone.
    pub(crate) object: Option<u32>,
    /// Least and greatest corners of the cells that list something; of those that list the object, if one
    /// is looked at.
    pub(crate) cells: Vec<[[f32; 2]; 2]>,
    /// Those that list nothing.
    pub(crate) empty_cells: Vec<[[f32; 2]; 2]>,
    /// With whom the object was tested, as often as it was.
    pub(crate) tested: Vec<u32>,
}

impl BroadPhaseObserver for Notes {
    fn count_overlap_tests(&mut self, pairs: u64) {
        self.counts.count_overlap_tests(pairs);
    }

    fn count_cells_visited(&mut self, cells: u64) {
        self.counts.count_cells_visited(cells);
    }

    fn count_cell_entries(&mut self, places: u64) {
        self.counts.count_cell_entries(places);
    }

    fn wants_details(&self) -> bool {
        self.sight.is_some()
    }

    fn overlap_test(&mut self, id: u32, others: impl Iterator<Item = u32>) {
        if let Some(Sight { object: Some(object), tested, .. }) = &mut self.sight {
            if id == *object {
                tested.extend(others);
            } else {
                tested.extend(others.filter(|other| other == object).map(|_| id));
            }
        }
    }

    /// Without a look at every pair: of a hundred thousand objects there are too many.
    fn overlap_tests_among(&mut self, ids: Range<u32>) {
        if let Some(Sight { object: Some(object), tested, .. }) = &mut self.sight
            && ids.contains(object)
        {
            tested.extend(ids.filter(|id| id != object));
        }
    }

    fn cell_visited(&mut self, min: &[f32], max: &[f32], mut ids: impl Iterator<Item = u32>) {
        let Some(sight) = &mut self.sight else { return };
        let cell = [[min[0], min[1]], [max[0], max[1]]];
        match sight.object {
            Some(object) if ids.any(|id| id == object) => sight.cells.push(cell),
            Some(_) => {}
            None if ids.next().is_some() => sight.cells.push(cell),
            None => sight.empty_cells.push(cell),
        }
    }
}
