//! Study C's two techniques, as published (SOURCES C.2): every pair, and a grid by spatial hashing.
//!
//! The grid lists an object in the cells of four *key points*: the corners of a box, the extreme points
//! of a circle. An object larger than a cell is therefore missed by the cells between its key points:
//!
//! ```text
//!   ┌────┬────┬────┐
//!   │ ●──┼────┼──● │   the wide box is listed in four cells, at its corners;
//!   │ │  │ ▯  │  │ │   the small one in the middle cell is never tested against it
//!   │ ●──┼────┼──● │
//!   └────┴────┴────┘
//! ```
//!
//! A pair that shares two cells is tested twice, and counted twice. Both faults are kept: the published
//! counts need them.

use embate_geom::{Aabb, Ball};

use super::{Pair, PairCounts, PairObserver};

/// What bounds an object of study C.
pub trait StudyShape: Copy {
    /// The points whose cells list the object.
    fn key_points(&self) -> [[f32; 2]; 4];

    /// The study's test; the shapes are their own bounds, so it is the narrow phase too.
    fn overlaps(&self, other: &Self) -> bool;
}

impl StudyShape for Aabb<2> {
    fn key_points(&self) -> [[f32; 2]; 4] {
        let ([left, top], [right, bottom]) = (self.min, self.max);
        [[left, top], [right, top], [left, bottom], [right, bottom]]
    }

    fn overlaps(&self, other: &Self) -> bool {
        Aabb::overlaps(self, other)
    }
}

impl StudyShape for Ball<2> {
    fn key_points(&self) -> [[f32; 2]; 4] {
        let ([x, y], r) = (self.center, self.radius);
        [[x - r, y], [x + r, y], [x, y - r], [x, y + r]]
    }

    fn overlaps(&self, other: &Self) -> bool {
        Ball::overlaps(self, other)
    }
}

/// Every pair in turn, one at a time. Pairs come out sorted.
#[must_use]
pub fn study_brute<S: StudyShape>(objects: &[S], pairs: &mut Vec<Pair>) -> PairCounts {
    let mut counts = PairCounts::default();
    study_brute_observed(objects, pairs, &mut counts);
    counts
}

/// [`study_brute`], observed.
pub fn study_brute_observed<S: StudyShape, O: PairObserver>(
    objects: &[S],
    pairs: &mut Vec<Pair>,
    observer: &mut O,
) {
    let mut tests = 0;
    for (a, object) in (0_u32..).zip(objects) {
        for (b, other) in (a + 1..).zip(&objects[a as usize + 1..]) {
            tests += 1;
            if object.overlaps(other) {
                pairs.push([a, b]);
            }
        }
    }
    observer.test(tests);
    if observer.watches() {
        observer.tested_among(0..objects.len() as u32);
    }
}

/// The grid of study C over a world with its least corner at `origin`.
#[derive(Clone, Debug)]
pub struct StudyGrid {
    origin: [f32; 2],
    cell_size: f32,
    columns: u32,
    rows: u32,
    cells: Vec<Vec<u32>>,
}

/// Cells a study grid may have: 64 million lists are 1.5 GB.
pub const MOST_STUDY_CELLS: u64 = 1 << 26;

impl StudyGrid {
    /// A grid over `world`, or `None` if the cell size is not above 0 or there would be more than
    /// [`MOST_STUDY_CELLS`].
    #[must_use]
    pub fn new(world: &Aabb<2>, cell_size: f32) -> Option<Self> {
        if !cell_size.is_finite() || cell_size <= 0.0 {
            return None;
        }
        let [columns, rows] =
            world.size().map(|side| (side / cell_size).ceil().clamp(1.0, 4e9) as u32);
        let cells = u64::from(columns) * u64::from(rows);
        (cells <= MOST_STUDY_CELLS).then(|| Self {
            origin: world.min,
            cell_size,
            columns,
            rows,
            cells: vec![Vec::new(); cells as usize],
        })
    }

    /// Cells across and down.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// The hash function: a point on the far edge, or beyond, belongs to the last cell.
    fn cell_of(&self, [x, y]: [f32; 2]) -> u32 {
        let column = ((x - self.origin[0]) / self.cell_size) as u32;
        let row = ((y - self.origin[1]) / self.cell_size) as u32;
        row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)
    }

    /// Lists every object, tests all pairs of each cell, and appends every pair found, once, sorted.
    pub fn find<S: StudyShape>(&mut self, objects: &[S], pairs: &mut Vec<Pair>) -> PairCounts {
        let mut counts = PairCounts::default();
        self.find_observed(objects, pairs, &mut counts);
        counts
    }

    /// [`find`](Self::find), observed.
    pub fn find_observed<S: StudyShape, O: PairObserver>(
        &mut self,
        objects: &[S],
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        self.cells.iter_mut().for_each(Vec::clear);
        let mut places = 0;
        for (id, object) in (0_u32..).zip(objects) {
            // Once in each distinct cell of its key points.
            let mut listed = [u32::MAX; 4];
            for (number, point) in object.key_points().into_iter().enumerate() {
                let cell = self.cell_of(point);
                if !listed.contains(&cell) {
                    listed[number] = cell;
                    self.cells[cell as usize].push(id);
                    places += 1;
                }
            }
        }
        let mut tests = 0;
        let mut found: Vec<Pair> = Vec::new();
        for cell in &self.cells {
            for (place, &a) in cell.iter().enumerate() {
                for &b in &cell[place + 1..] {
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
        observer.test(tests);
        observer.enter(self.cells.len() as u64);
        observer.list(places);
        if observer.watches() {
            self.tell(observer);
        }
    }

    /// Tells every cell, empty or not, and the tests made there.
    fn tell<O: PairObserver>(&self, observer: &mut O) {
        for (number, cell) in (0..).zip(&self.cells) {
            let place = [number % self.columns, number / self.columns];
            let edge = |axis: usize, more: u32| {
                self.origin[axis] + (place[axis] + more) as f32 * self.cell_size
            };
            observer.cell(
                &[edge(0, 0), edge(1, 0)],
                &[edge(0, 1), edge(1, 1)],
                cell.iter().copied(),
            );
            for (place, &id) in cell.iter().enumerate() {
                observer.tested(id, cell[place + 1..].iter().copied());
            }
        }
    }

    /// Bytes held by the cells.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = self.cells.iter().map(|cell| cell.capacity() * size_of::<u32>());
        self.cells.capacity() * size_of::<Vec<u32>>() + lists.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Aabb<2> = Aabb { min: [0.0; 2], max: [300.0; 2] };

    #[test]
    fn a_box_wider_than_a_cell_is_missed_in_the_cells_between_its_corners() {
        let wide = Aabb { min: [20.0, 20.0], max: [280.0, 80.0] };
        let small = Aabb { min: [140.0, 40.0], max: [160.0, 60.0] };
        let (mut missed, mut all) = (Vec::new(), Vec::new());
        let counts = StudyGrid::new(&WORLD, 100.0).unwrap().find(&[wide, small], &mut missed);
        assert_eq!((missed.len(), counts.tests, counts.places), (0, 0, 3));
        assert_eq!(study_brute(&[wide, small], &mut all).tests, 1);
        assert_eq!(all, [[0, 1]]);
    }

    #[test]
    fn a_pair_that_shares_two_cells_is_tested_twice_and_told_once() {
        let object = Aabb { min: [90.0, 10.0], max: [110.0, 30.0] };
        let mut pairs = Vec::new();
        let counts = StudyGrid::new(&WORLD, 100.0).unwrap().find(&[object, object], &mut pairs);
        assert_eq!((counts.tests, counts.places), (2, 4));
        assert_eq!(pairs, [[0, 1]]);
    }

    #[test]
    fn a_point_on_the_far_edge_belongs_to_the_last_cell() {
        let grid = StudyGrid::new(&WORLD, 100.0).unwrap();
        assert_eq!(grid.cell_of([300.0, 300.0]), 8);
        assert_eq!(StudyGrid::new(&WORLD, 299.0).unwrap().size(), [2, 2]);
        assert_eq!(StudyGrid::new(&WORLD, 1000.0).unwrap().size(), [1, 1]);
        assert!(StudyGrid::new(&WORLD, 0.0).is_none() && StudyGrid::new(&WORLD, 0.001).is_none());
    }
}
