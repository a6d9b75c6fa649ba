//! Broad phases: every structure finds exactly the pairs of brute force, each once.

use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BruteForceBroadPhase, DynamicBvh, HierarchicalGrid,
    LooseOctree, OctreeBroadPhase, OctreeConfig, OverlapPair, SweepAndPrune, SweepAxis,
    TiledSweepAndPrune, overlapping_pairs, overlapping_sphere_pairs,
};
use embate::{Aabb, geometry::BoundingSphere};
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_contracts::broad_phase_agreement::compare_broad_phases;
use embate_test_util::Rng;

/// Reference: a double loop over the boxes, without SIMD.
fn reference_pairs<const D: usize>(boxes: &[Aabb<D>]) -> Vec<OverlapPair> {
    let mut pairs = Vec::new();
    for (a, bounds) in (0_u32..).zip(boxes) {
        for (b, other) in (a + 1..).zip(&boxes[a as usize + 1..]) {
            if bounds.overlaps(other) {
                pairs.push([a, b]);
            }
        }
    }
    pairs
}

fn brute_force_pairs<const D: usize>(boxes: &[Aabb<D>]) -> Vec<OverlapPair> {
    let mut pairs = Vec::new();
    BruteForceBroadPhase::new().find_pairs(AabbSlice::new(boxes).unwrap(), &mut pairs);
    pairs
}

#[track_caller]
fn assert_finds<const D: usize>(
    broad_phase: &mut impl BroadPhase<D>,
    boxes: &[Aabb<D>],
    expected: &[OverlapPair],
    context: &str,
) {
    let mut pairs = Vec::new();
    broad_phase.find_pairs(AabbSlice::new(boxes).unwrap(), &mut pairs);
    pairs.sort_unstable();
    assert_eq!(pairs.len(), expected.len(), "{context}");
    assert!(pairs == expected, "{context}");
}

fn check_all_structures<const D: usize>(kind: &str, count: u32, seed: u64) {
    let boxes: Vec<Aabb<D>> = boxes(kind, count, seed);
    // For larger sizes brute force is the reference: it was compared with the double loop before.
    let is_small = count <= 2_000;
    let expected = if is_small { reference_pairs(&boxes) } else { brute_force_pairs(&boxes) };
    let context =
        |structure: &str| format!("{structure}, {D}D, {count} boxes, {kind}, seed {seed}");
    if is_small {
        assert_finds(&mut BruteForceBroadPhase::new(), &boxes, &expected, &context("brute"));
    }
    assert_finds(&mut TiledSweepAndPrune::new(), &boxes, &expected, &context("tiled sweep"));
    assert_finds(&mut DynamicBvh::new(), &boxes, &expected, &context("tree"));
    assert_finds(&mut HierarchicalGrid::new(), &boxes, &expected, &context("grid"));
    assert_finds(&mut OctreeBroadPhase::new(2.0), &boxes, &expected, &context("loose octree"));
    // Flat boxes all straddle large strict cells: quadratic.
    if is_small {
        assert_finds(&mut OctreeBroadPhase::new(1.0), &boxes, &expected, &context("strict octree"));
    }
    // With cells much larger than the boxes the grid is as slow as brute force.
    for side in [1e-3, 0.1, 1.0, if is_small { 1e6 } else { 10.0 }] {
        let mut grid = HierarchicalGrid::with_cell_size(side).unwrap();
        assert_finds(&mut grid, &boxes, &expected, &context(&format!("grid of cells of {side}")));
    }
    // Along an axis on which all boxes overlap, a plain sweep tests every pair.
    let axes = if is_small { 0..D } else { 1..2 };
    for axis in axes {
        let mut sweep = SweepAndPrune::new(SweepAxis::Fixed(axis));
        assert_finds(&mut sweep, &boxes, &expected, &context("sweep"));
    }
    assert!(overlapping_pairs(&boxes).unwrap() == expected, "{}", context("overlapping_pairs"));
}

/// Whether all boxes of a kind overlap, so that the number of pairs is quadratic.
fn all_overlap(kind: &str) -> bool {
    ["identical", "denormal"].contains(&kind)
}

#[test]
fn every_structure_equals_brute_force_on_every_kind_of_boxes() {
    for kind in KINDS {
        for (count, seeds) in [(1, 1), (2, 2), (7, 3), (60, 10), (300, 5), (2_000, 2)] {
            let count = if all_overlap(kind) { count.min(300) } else { count };
            for seed in 0..seeds {
                check_all_structures::<2>(kind, count, seed);
                check_all_structures::<3>(kind, count, seed);
            }
        }
    }
}

#[test]
fn structures_agree_on_8_000_boxes_of_every_kind_in_2d() {
    for kind in KINDS.into_iter().filter(|kind| !all_overlap(kind)) {
        check_all_structures::<2>(kind, 8_000, 1);
    }
}

#[test]
fn structures_agree_on_8_000_boxes_of_every_kind_in_3d() {
    for kind in KINDS.into_iter().filter(|kind| !all_overlap(kind)) {
        check_all_structures::<3>(kind, 8_000, 1);
    }
}

#[test]
fn sphere_pairs_equal_a_double_loop() {
    fn check<const D: usize>(kind: &str) {
        let boxes: Vec<Aabb<D>> = boxes(kind, 1_500, 4);
        let to_sphere =
            |b: &Aabb<D>| BoundingSphere { center: b.min, radius: (b.max[0] - b.min[0]) * 0.6 };
        let spheres: Vec<BoundingSphere<D>> = boxes.iter().map(to_sphere).collect();
        let mut expected = Vec::new();
        for (a, sphere) in (0_u32..).zip(&spheres) {
            let later = (a + 1..).zip(&spheres[a as usize + 1..]);
            expected.extend(later.filter(|(_, other)| sphere.overlaps(other)).map(|(b, _)| [a, b]));
        }
        assert!(overlapping_sphere_pairs(&spheres).unwrap() == expected, "{kind}, {D}D");
    }
    for kind in KINDS.into_iter().filter(|kind| !all_overlap(kind) && *kind != "stray") {
        check::<2>(kind);
        check::<3>(kind);
    }
}

/// A broad phase reuses its buffers from frame to frame; the result must not depend on earlier
/// frames.
#[test]
fn pairs_do_not_depend_on_earlier_frames() {
    let (mut tiled, mut sweep) =
        (TiledSweepAndPrune::new(), SweepAndPrune::new(SweepAxis::LargestVariance));
    let mut tree = DynamicBvh::new();
    let (mut grid, mut octree) = (HierarchicalGrid::new(), OctreeBroadPhase::new(2.0));
    for (frame, kind) in KINDS.into_iter().chain(KINDS.into_iter().rev()).enumerate() {
        let boxes: Vec<Aabb<3>> = boxes(kind, [900, 50, 400][frame % 3], frame as u64);
        let expected = reference_pairs(&boxes);
        assert_finds(&mut tiled, &boxes, &expected, kind);
        assert_finds(&mut tree, &boxes, &expected, kind);
        assert_finds(&mut sweep, &boxes, &expected, kind);
        assert_finds(&mut grid, &boxes, &expected, kind);
        assert_finds(&mut octree, &boxes, &expected, kind);
    }
}

/// Random insertions, updates, removals and queries.
#[test]
fn octree_equals_a_list_after_any_sequence_of_edits() {
    fn check<const D: usize>(config: OctreeConfig, seed: u64) {
        // Half of every kind's boxes lie outside this root, or far outside.
        let root = Aabb { min: [2.0; D], max: [20.0; D] };
        let mut octree = LooseOctree::new(root, config).unwrap();
        let mut list: Vec<Option<Aabb<D>>> = vec![None; 300];
        let pool: Vec<Aabb<D>> = KINDS.iter().flat_map(|kind| boxes(kind, 300, seed)).collect();
        let mut rng = Rng::new(seed + D as u64);
        for step in 0..4_000 {
            let id = rng.below(300) as u32;
            let bounds = pool[rng.below(pool.len())];
            let slot = &mut list[id as usize];
            match rng.below(4) {
                0 => {
                    octree.insert(id, bounds).unwrap();
                    *slot = Some(bounds);
                }
                1 => {
                    assert_eq!(octree.update(id, bounds), Ok(slot.is_some()));
                    *slot = slot.map(|_| bounds);
                }
                2 => assert_eq!(octree.remove(id), slot.take()),
                _ => {
                    let mut found = Vec::new();
                    octree.query_aabb(&bounds, |id| found.push(id));
                    found.sort_unstable();
                    let overlaps =
                        |slot: &Option<Aabb<D>>| slot.is_some_and(|own| own.overlaps(&bounds));
                    let expected = (0..300).zip(&list).filter(|(_, slot)| overlaps(slot));
                    assert_eq!(found, expected.map(|(id, _)| id).collect::<Vec<u32>>());
                }
            }
            if step % 250 == 0 {
                let stored: Vec<(u32, Aabb<D>)> =
                    (0..300).zip(&list).filter_map(|(id, slot)| Some((id, (*slot)?))).collect();
                let bounds: Vec<Aabb<D>> = stored.iter().map(|(_, bounds)| *bounds).collect();
                let with_ids = |pair: OverlapPair| pair.map(|index| stored[index as usize].0);
                let expected: Vec<OverlapPair> =
                    reference_pairs(&bounds).into_iter().map(with_ids).collect();
                assert!(octree.overlapping_pairs() == expected, "{D}D, {config:?}, step {step}");
                assert_eq!(octree.len(), stored.len());
            }
        }
        (0..300).for_each(|id| assert_eq!(octree.remove(id), list[id as usize]));
        assert_eq!((octree.len(), octree.node_count()), (0, 1));
    }
    for (seed, looseness) in [1.0, 1.3, 2.0, 4.0].into_iter().enumerate() {
        for (max_depth, min_cell_size) in [(0, 0.0), (3, 0.0), (10, 0.5), (64, 0.0)] {
            let config = OctreeConfig { max_depth, min_cell_size, looseness };
            check::<2>(config, seed as u64);
            check::<3>(config, seed as u64);
        }
    }
}

#[test]
fn pairs_and_their_order_do_not_depend_on_the_thread_count() {
    for kind in ["uniform", "heavy", "clustered"] {
        let boxes: Vec<Aabb<3>> = boxes(kind, 220_000, 9);
        let find = |mut broad_phase: AnyBroadPhase<3>| {
            let mut pairs = Vec::new();
            broad_phase.find_pairs(AabbSlice::new(&boxes).unwrap(), &mut pairs);
            pairs
        };
        let expected = find(AnyBroadPhase::TiledSweep(TiledSweepAndPrune::with_threads(1)));
        for threads in [2, 3, 7] {
            let pairs = find(AnyBroadPhase::TiledSweep(TiledSweepAndPrune::with_threads(threads)));
            assert!(pairs == expected, "{kind}, {threads} threads");
        }
    }
}

/// `cargo xtask soak pairs` runs the same with a million of each kind.
#[test]
fn structures_agree_on_30_000_boxes_of_every_kind() {
    let outcome = compare_broad_phases(30_000, &|_| {});
    assert_eq!(outcome.differences, 0, "{outcome:?}");
}

/// Regression: plates that overlap hundreds of tiles, all among the first boxes. The budget of tile
/// entries was applied per thread, so the order of the pairs depended on the thread count.
#[test]
fn oversized_boxes_in_the_first_half_do_not_change_the_order_of_pairs() {
    let mut boxes: Vec<Aabb<3>> = boxes("uniform", 220_000, 5);
    let side = boxes.iter().fold(0.0, |side, b| if b.max[1] > side { b.max[1] } else { side });
    for b in boxes.iter_mut().take(3_000).skip(1).step_by(2) {
        (b.min[1], b.min[2], b.max[1], b.max[2]) = (0.0, 0.0, side, side);
        b.max[0] = b.min[0];
    }
    let find = |threads: usize| {
        let mut pairs = Vec::new();
        TiledSweepAndPrune::with_threads(threads)
            .find_pairs(AabbSlice::new(&boxes).unwrap(), &mut pairs);
        pairs
    };
    let expected = find(1);
    assert!(find(2) == expected && find(5) == expected);
}
