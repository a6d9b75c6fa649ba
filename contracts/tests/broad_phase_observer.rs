//! `BroadPhaseObserver`: the detailed tests equal the counted ones and include every pair found,
//! and the visited cells contain every box.

use std::collections::HashSet;

use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BroadPhaseKind, BroadPhaseObserver, BroadPhaseStats,
    HierarchicalGrid, OctreeBroadPhase, OverlapPair, SweepAndPrune, SweepAxis, TiledSweepAndPrune,
};
use embate::{Aabb, geometry::BoundingSphere};
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_replica::goncales2016;

/// Records every event.
#[derive(Debug, Default)]
struct RecordingObserver {
    counts: BroadPhaseStats,
    detailed_tests: u64,
    tested: HashSet<OverlapPair>,
    listed: HashSet<u32>,
    cells: usize,
}

impl BroadPhaseObserver for RecordingObserver {
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
        true
    }

    fn overlap_test(&mut self, id: u32, others: impl Iterator<Item = u32>) {
        for other in others {
            assert_ne!(id, other, "a box is tested against itself");
            self.detailed_tests += 1;
            self.tested.insert([id.min(other), id.max(other)]);
        }
    }

    fn cell_visited(&mut self, min: &[f32], max: &[f32], ids: impl Iterator<Item = u32>) {
        assert!(min.iter().zip(max).all(|(min, max)| min <= max));
        self.listed.extend(ids);
        self.cells += 1;
    }
}

impl RecordingObserver {
    #[track_caller]
    fn assert_consistent(
        &self,
        boxes: usize,
        pairs: &[OverlapPair],
        has_cells: bool,
        context: &str,
    ) {
        assert_eq!(self.detailed_tests, self.counts.overlap_tests, "{context}: detailed, counted");
        assert!(
            pairs.iter().all(|pair| self.tested.contains(pair)),
            "{context}: pair without a test"
        );
        if has_cells {
            assert_eq!(self.listed.len(), boxes, "{context}: boxes in cells");
        } else {
            assert_eq!(self.cells, 0, "{context}");
        }
    }
}

fn check<const D: usize>(
    broad_phase: &mut impl BroadPhase<D>,
    boxes: &[Aabb<D>],
    has_cells: bool,
    context: &str,
) {
    let slice = AabbSlice::new(boxes).unwrap();
    let (mut pairs, mut observer) = (Vec::new(), RecordingObserver::default());
    broad_phase.find_pairs_observed(slice, &mut pairs, &mut observer);
    observer.assert_consistent(boxes.len(), &pairs, has_cells, context);
}

fn check_all_structures<const D: usize>(kind: &str, count: u32) {
    let boxes: Vec<Aabb<D>> = boxes(kind, count, 5);
    let context = |name: &str| format!("{name}, {D}D, {count} boxes, {kind}");
    for structure in BroadPhaseKind::ALL.into_iter().chain([BroadPhaseKind::Auto]) {
        let mut broad_phase: AnyBroadPhase<D> = structure.create(boxes.len());
        let has_no_cells =
            matches!(broad_phase, AnyBroadPhase::BruteForce(_) | AnyBroadPhase::SweepAndPrune(_));
        let falls_back = matches!(broad_phase, AnyBroadPhase::TiledSweep(_)) && boxes.len() < 250;
        check(&mut broad_phase, &boxes, !has_no_cells && !falls_back, &context(structure.name()));
    }
    for side in [0.1, 1.0, 10.0] {
        let mut grid = HierarchicalGrid::with_cell_size(side).unwrap();
        check(&mut grid, &boxes, true, &context(&format!("grid of {side}")));
    }
    check(&mut OctreeBroadPhase::new(1.0), &boxes, true, &context("strict octree"));
    check(&mut SweepAndPrune::new(SweepAxis::Fixed(1)), &boxes, false, &context("sweep"));
}

#[test]
fn detailed_tests_equal_counted_tests() {
    for kind in KINDS {
        for count in [1, 60, 400] {
            check_all_structures::<2>(kind, count);
            check_all_structures::<3>(kind, count);
        }
    }
}

/// Oversized boxes are tested against the tiles of the others, over several size classes.
#[test]
fn tests_of_oversized_boxes_are_observed() {
    for kind in ["heavy", "one-giant", "floor"] {
        check(&mut TiledSweepAndPrune::new(), &boxes::<2>(kind, 3_000, 8), true, kind);
        check(&mut TiledSweepAndPrune::new(), &boxes::<3>(kind, 3_000, 8), true, kind);
    }
}

#[test]
fn observers_of_the_goncales_replica_see_every_test() {
    fn both<S: goncales2016::Shape>(objects: &[S], world: &Aabb<2>) {
        let (mut pairs, mut observer) = (Vec::new(), RecordingObserver::default());
        goncales2016::brute_force_observed(objects, &mut pairs, &mut observer);
        observer.assert_consistent(objects.len(), &pairs, false, "study-brute");
        for cell_size in [0.7, 5.0] {
            let (mut pairs, mut observer) = (Vec::new(), RecordingObserver::default());
            let mut grid = goncales2016::Grid::new(world, cell_size).unwrap();
            grid.find_pairs_observed(objects, &mut pairs, &mut observer);
            observer.assert_consistent(objects.len(), &pairs, true, "study-grid");
            let [columns, rows] = grid.size();
            assert_eq!(observer.cells, (columns * rows) as usize);
        }
    }
    let boxes: Vec<Aabb<2>> = boxes("uniform", 300, 9);
    let world = Aabb::from_points(boxes.iter().flat_map(|b| [&b.min, &b.max])).unwrap();
    let to_circle =
        |b: &Aabb<2>| BoundingSphere { center: b.min, radius: 0.5 * (b.max[0] - b.min[0]) };
    both(&boxes, &world);
    both(&boxes.iter().map(to_circle).collect::<Vec<_>>(), &world);
}
