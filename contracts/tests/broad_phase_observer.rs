//! Whoever watches a search is told the truth: as many tests as were counted, every pair that was found
//! among them, and every box in the cells.

use std::collections::HashSet;

use embate::pairs::{
    AnyPairFinder, Boxes, Grid, OctreePairs, Pair, PairCounts, PairFinder, PairObserver,
    PairTechnique, SortSweep, StudyGrid, StudyShape, SweepAxis, TiledSweep, study_brute_observed,
};
use embate::{Aabb, Ball};
use embate_contracts::box_scenes::{KINDS, boxes};

/// Remembers everything it is told.
#[derive(Debug, Default)]
struct Witness {
    counts: PairCounts,
    told: u64,
    tested: HashSet<Pair>,
    listed: HashSet<u32>,
    cells: usize,
}

impl PairObserver for Witness {
    fn test(&mut self, pairs: u64) {
        self.counts.test(pairs);
    }

    fn enter(&mut self, cells: u64) {
        self.counts.enter(cells);
    }

    fn list(&mut self, places: u64) {
        self.counts.list(places);
    }

    fn watches(&self) -> bool {
        true
    }

    fn tested(&mut self, id: u32, others: impl Iterator<Item = u32>) {
        for other in others {
            assert_ne!(id, other, "nobody is tested against itself");
            self.told += 1;
            self.tested.insert([id.min(other), id.max(other)]);
        }
    }

    fn cell(&mut self, min: &[f32], max: &[f32], ids: impl Iterator<Item = u32>) {
        assert!(min.iter().zip(max).all(|(min, max)| min <= max));
        self.listed.extend(ids);
        self.cells += 1;
    }
}

impl Witness {
    #[track_caller]
    fn assert_truth(&self, boxes: usize, pairs: &[Pair], has_cells: bool, what: &str) {
        assert_eq!(self.told, self.counts.tests, "{what}: told, and counted");
        assert!(pairs.iter().all(|pair| self.tested.contains(pair)), "{what}: found untested");
        if has_cells {
            assert_eq!(self.listed.len(), boxes, "{what}: boxes in cells");
        } else {
            assert_eq!(self.cells, 0, "{what}");
        }
    }
}

fn watch<const D: usize>(
    finder: &mut impl PairFinder<D>,
    boxes: &[Aabb<D>],
    has_cells: bool,
    what: &str,
) {
    let bare = Boxes::new(boxes).unwrap();
    let (mut pairs, mut witness) = (Vec::new(), Witness::default());
    finder.find_observed(bare, &mut pairs, &mut witness);
    witness.assert_truth(boxes.len(), &pairs, has_cells, what);
}

fn every_technique_on<const D: usize>(kind: &str, count: u32) {
    let boxes: Vec<Aabb<D>> = boxes(kind, count, 5);
    let what = |name: &str| format!("{name}, {D}D, {count} boxes, {kind}");
    for technique in PairTechnique::ALL.into_iter().chain([PairTechnique::Auto]) {
        let mut finder: AnyPairFinder<D> = technique.finder(boxes.len());
        let is_brute = matches!(finder, AnyPairFinder::Brute(_) | AnyPairFinder::SortSweep(_));
        let falls_back = matches!(finder, AnyPairFinder::TiledSweep(_)) && boxes.len() < 250;
        watch(&mut finder, &boxes, !is_brute && !falls_back, &what(technique.name()));
    }
    for side in [0.1, 1.0, 10.0] {
        let mut grid = Grid::with_cell(side).unwrap();
        watch(&mut grid, &boxes, true, &what(&format!("grid of {side}")));
    }
    watch(&mut OctreePairs::new(1.0), &boxes, true, &what("strict octree"));
    watch(&mut SortSweep::new(SweepAxis::Fixed(1)), &boxes, false, &what("sweep"));
}

#[test]
fn what_is_told_is_what_was_counted() {
    for kind in KINDS {
        for count in [1, 60, 400] {
            every_technique_on::<2>(kind, count);
            every_technique_on::<3>(kind, count);
        }
    }
}

/// Giants are guests in the tiles of all others, over several size classes.
#[test]
fn guests_of_tiles_are_told_too() {
    for kind in ["heavy", "one-giant", "floor"] {
        watch(&mut TiledSweep::new(), &boxes::<2>(kind, 3_000, 8), true, kind);
        watch(&mut TiledSweep::new(), &boxes::<3>(kind, 3_000, 8), true, kind);
    }
}

#[test]
fn the_studys_techniques_tell_the_truth_too() {
    fn both<S: StudyShape>(objects: &[S], world: &Aabb<2>) {
        let (mut pairs, mut witness) = (Vec::new(), Witness::default());
        study_brute_observed(objects, &mut pairs, &mut witness);
        witness.assert_truth(objects.len(), &pairs, false, "study-brute");
        for cell_size in [0.7, 5.0] {
            let (mut pairs, mut witness) = (Vec::new(), Witness::default());
            let mut grid = StudyGrid::new(world, cell_size).unwrap();
            grid.find_observed(objects, &mut pairs, &mut witness);
            witness.assert_truth(objects.len(), &pairs, true, "study-grid");
            let [columns, rows] = grid.size();
            assert_eq!(witness.cells, (columns * rows) as usize);
        }
    }
    let boxes: Vec<Aabb<2>> = boxes("uniform", 300, 9);
    let world = Aabb::around(boxes.iter().flat_map(|b| [&b.min, &b.max])).unwrap();
    let ball = |b: &Aabb<2>| Ball { center: b.min, radius: 0.5 * (b.max[0] - b.min[0]) };
    both(&boxes, &world);
    both(&boxes.iter().map(ball).collect::<Vec<_>>(), &world);
}
