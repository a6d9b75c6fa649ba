//! Uniform grid with spatial hashing (Hastings, Mesit, Guha 2005), as Gonçales et al. 2016 use it.
//!
//! An object is listed in the cells of its four key points only. An object larger than a cell is
//! therefore missed by the cells between its key points:
//!
//! ```text
//!   ┌────┬────┬────┐
//!   │ ●──┼────┼──● │   the wide AABB is listed in four cells, at its corners;
//!   │ │  │ ▯  │  │ │   the small one in the middle cell is never tested against it
//!   │ ●──┼────┼──● │
//!   └────┴────┴────┘
//! ```
//!
//! A pair that shares two cells is tested twice and counted twice. Both faults are kept: the
//! published counts depend on them.

use embate::broad_phase::{BroadPhaseObserver, BroadPhaseStats, OverlapPair};
use embate_geom::Aabb;

use super::Shape;

/// Largest number of cells of a [`Grid`]: 64 million lists take 1.5 GB.
#[doc(alias = "MOST_STUDY_CELLS")]
pub const MAX_CELLS: u64 = 1 << 26;

/// The study's grid over a rectangular world.
#[doc(alias = "StudyGrid")]
#[derive(Clone, Debug)]
pub struct Grid {
    /// Minimum corner of the world.
    origin: [f32; 2],
    cell_size: f32,
    columns: u32,
    rows: u32,
    /// Objects listed in each cell, row by row.
    cells: Vec<Vec<u32>>,
}

impl Grid {
    /// A grid over `world`; `None` if the cell size is not positive and finite, or if there would
    /// be more than [`MAX_CELLS`] cells.
    #[must_use]
    pub fn new(world: &Aabb<2>, cell_size: f32) -> Option<Self> {
        if !cell_size.is_finite() || cell_size <= 0.0 {
            return None;
        }
        let [columns, rows] =
            world.extents().map(|side| (side / cell_size).ceil().clamp(1.0, 4e9) as u32);
        let cells = u64::from(columns) * u64::from(rows);
        (cells <= MAX_CELLS).then(|| Self {
            origin: world.min,
            cell_size,
            columns,
            rows,
            cells: vec![Vec::new(); cells as usize],
        })
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// The hash function. A point on the far edge, or beyond, belongs to the last cell.
    fn cell_of(&self, [x, y]: [f32; 2]) -> u32 {
        let column = ((x - self.origin[0]) / self.cell_size) as u32;
        let row = ((y - self.origin[1]) / self.cell_size) as u32;
        row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)
    }

    /// Lists every object, tests all pairs of each cell, and appends each pair found once, sorted.
    pub fn find_pairs<S: Shape>(
        &mut self,
        objects: &[S],
        pairs: &mut Vec<OverlapPair>,
    ) -> BroadPhaseStats {
        let mut stats = BroadPhaseStats::default();
        self.find_pairs_observed(objects, pairs, &mut stats);
        stats
    }

    /// [`find_pairs`](Self::find_pairs) with an observer.
    pub fn find_pairs_observed<S: Shape, O: BroadPhaseObserver>(
        &mut self,
        objects: &[S],
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.cells.iter_mut().for_each(Vec::clear);
        let mut entries = 0;
        for (id, object) in (0_u32..).zip(objects) {
            // Once per distinct cell of the key points.
            let mut listed = [u32::MAX; 4];
            for (number, point) in object.key_points().into_iter().enumerate() {
                let cell = self.cell_of(point);
                if !listed.contains(&cell) {
                    listed[number] = cell;
                    self.cells[cell as usize].push(id);
                    entries += 1;
                }
            }
        }
        let mut tests = 0;
        let mut found: Vec<OverlapPair> = Vec::new();
        for cell in &self.cells {
            for (index, &a) in cell.iter().enumerate() {
                for &b in &cell[index + 1..] {
                    tests += 1;
                    if objects[a as usize].overlaps(&objects[b as usize]) {
                        found.push([a, b]);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        pairs.append(&mut found);
        observer.count_overlap_tests(tests);
        observer.count_cells_visited(self.cells.len() as u64);
        observer.count_cell_entries(entries);
        if observer.wants_details() {
            self.report_cells(observer);
        }
    }

    /// Reports every cell, empty or not, and the tests made in it.
    fn report_cells<O: BroadPhaseObserver>(&self, observer: &mut O) {
        for (number, cell) in (0..).zip(&self.cells) {
            let position = [number % self.columns, number / self.columns];
            let edge = |axis: usize, offset: u32| {
                self.origin[axis] + (position[axis] + offset) as f32 * self.cell_size
            };
            observer.cell_visited(
                &[edge(0, 0), edge(1, 0)],
                &[edge(0, 1), edge(1, 1)],
                cell.iter().copied(),
            );
            for (index, &id) in cell.iter().enumerate() {
                observer.overlap_test(id, cell[index + 1..].iter().copied());
            }
        }
    }

    /// Bytes of the cells and their lists.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        let lists = self.cells.iter().map(|cell| cell.capacity() * size_of::<u32>());
        self.cells.capacity() * size_of::<Vec<u32>>() + lists.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::brute_force;
    use super::*;

    const WORLD: Aabb<2> = Aabb { min: [0.0; 2], max: [300.0; 2] };

    #[test]
    fn aabb_wider_than_a_cell_is_missed_in_the_cells_between_its_corners() {
        let wide = Aabb { min: [20.0, 20.0], max: [280.0, 80.0] };
        let small = Aabb { min: [140.0, 40.0], max: [160.0, 60.0] };
        let (mut missed, mut all) = (Vec::new(), Vec::new());
        let stats = Grid::new(&WORLD, 100.0).unwrap().find_pairs(&[wide, small], &mut missed);
        assert_eq!((missed.len(), stats.overlap_tests, stats.cell_entries), (0, 0, 3));
        assert_eq!(brute_force(&[wide, small], &mut all).overlap_tests, 1);
        assert_eq!(all, [[0, 1]]);
    }

    #[test]
    fn pair_that_shares_two_cells_is_tested_twice_and_reported_once() {
        let object = Aabb { min: [90.0, 10.0], max: [110.0, 30.0] };
        let mut pairs = Vec::new();
        let stats = Grid::new(&WORLD, 100.0).unwrap().find_pairs(&[object, object], &mut pairs);
        assert_eq!((stats.overlap_tests, stats.cell_entries), (2, 4));
        assert_eq!(pairs, [[0, 1]]);
    }

    #[test]
    fn point_on_the_far_edge_belongs_to_the_last_cell() {
        let grid = Grid::new(&WORLD, 100.0).unwrap();
        assert_eq!(grid.cell_of([300.0, 300.0]), 8);
        assert_eq!(Grid::new(&WORLD, 299.0).unwrap().size(), [2, 2]);
        assert_eq!(Grid::new(&WORLD, 1000.0).unwrap().size(), [1, 1]);
        assert!(Grid::new(&WORLD, 0.0).is_none() && Grid::new(&WORLD, 0.001).is_none());
    }
}
