//! Every technique finds the pairs that brute force finds: no more, no fewer, none twice.

use embate::pairs::{
    AnyPairFinder, Boxes, Brute, Grid, Octree, OctreePairs, OctreeRule, Pair, PairFinder,
    SortSweep, SweepAxis, TiledSweep, Tree, overlapping_balls, overlapping_pairs,
};
use embate::{Aabb, Ball};
use embate_contracts::agreeing_pairs::agreement;
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_lab::random::Random;

/// By the definition alone: no lanes, no order but the boxes' own.
fn judge<const D: usize>(boxes: &[Aabb<D>]) -> Vec<Pair> {
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

fn brute<const D: usize>(boxes: &[Aabb<D>]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    Brute::new().find(Boxes::new(boxes).unwrap(), &mut pairs);
    pairs
}

#[track_caller]
fn assert_finds<const D: usize>(
    finder: &mut impl PairFinder<D>,
    boxes: &[Aabb<D>],
    expected: &[Pair],
    what: &str,
) {
    let mut pairs = Vec::new();
    finder.find(Boxes::new(boxes).unwrap(), &mut pairs);
    pairs.sort_unstable();
    assert_eq!(pairs.len(), expected.len(), "{what}");
    assert!(pairs == expected, "{what}");
}

fn every_technique_on<const D: usize>(kind: &str, count: u32, seed: u64) {
    let boxes: Vec<Aabb<D>> = boxes(kind, count, seed);
    // Where the definition would take too long, brute force stands in: it was held to it before.
    let by_definition = count <= 2_000;
    let expected = if by_definition { judge(&boxes) } else { brute(&boxes) };
    let what = |technique: &str| format!("{technique}, {D}D, {count} boxes, {kind}, seed {seed}");
    if by_definition {
        assert_finds(&mut Brute::new(), &boxes, &expected, &what("brute"));
    }
    assert_finds(&mut TiledSweep::new(), &boxes, &expected, &what("tiled sweep"));
    assert_finds(&mut Tree::new(), &boxes, &expected, &what("tree"));
    assert_finds(&mut Grid::new(), &boxes, &expected, &what("grid"));
    assert_finds(&mut OctreePairs::new(2.0), &boxes, &expected, &what("loose octree"));
    // Flat boxes all lie across the edges of large strict cells.
    if by_definition {
        assert_finds(&mut OctreePairs::new(1.0), &boxes, &expected, &what("strict octree"));
    }
    // A cell much larger than the boxes is brute force, and takes as long.
    for side in [1e-3, 0.1, 1.0, if by_definition { 1e6 } else { 10.0 }] {
        let mut grid = Grid::with_cell(side).unwrap();
        assert_finds(&mut grid, &boxes, &expected, &what(&format!("grid of cells of {side}")));
    }
    // Along an axis on which all boxes are one above the other, a plain sweep tests every pair.
    let axes = if by_definition { 0..D } else { 1..2 };
    for axis in axes {
        let mut sweep = SortSweep::new(SweepAxis::Fixed(axis));
        assert_finds(&mut sweep, &boxes, &expected, &what("sweep"));
    }
    assert!(overlapping_pairs(&boxes).unwrap() == expected, "{}", what("overlapping_pairs"));
}

/// So many pairs that fewer boxes say as much.
fn all_overlap(kind: &str) -> bool {
    ["identical", "denormal"].contains(&kind)
}

#[test]
fn every_technique_equals_brute_force_on_every_kind_of_boxes() {
    for kind in KINDS {
        for (count, seeds) in [(1, 1), (2, 2), (7, 3), (60, 10), (300, 5), (2_000, 2)] {
            // All pairs of identical boxes are many; fewer of them say as much.
            let count = if all_overlap(kind) { count.min(300) } else { count };
            for seed in 0..seeds {
                every_technique_on::<2>(kind, count, seed);
                every_technique_on::<3>(kind, count, seed);
            }
        }
    }
}

#[test]
fn eight_thousand_boxes_of_every_kind_give_the_same_pairs_in_2d() {
    for kind in KINDS.into_iter().filter(|kind| !all_overlap(kind)) {
        every_technique_on::<2>(kind, 8_000, 1);
    }
}

#[test]
fn eight_thousand_boxes_of_every_kind_give_the_same_pairs_in_3d() {
    for kind in KINDS.into_iter().filter(|kind| !all_overlap(kind)) {
        every_technique_on::<3>(kind, 8_000, 1);
    }
}

#[test]
fn circles_and_spheres_give_the_pairs_of_the_definition() {
    fn check<const D: usize>(kind: &str) {
        let boxes: Vec<Aabb<D>> = boxes(kind, 1_500, 4);
        let ball = |b: &Aabb<D>| Ball { center: b.min, radius: (b.max[0] - b.min[0]) * 0.6 };
        let balls: Vec<Ball<D>> = boxes.iter().map(ball).collect();
        let mut expected = Vec::new();
        for (a, ball) in (0_u32..).zip(&balls) {
            let later = (a + 1..).zip(&balls[a as usize + 1..]);
            expected.extend(later.filter(|(_, other)| ball.overlaps(other)).map(|(b, _)| [a, b]));
        }
        assert!(overlapping_balls(&balls).unwrap() == expected, "{kind}, {D}D");
    }
    for kind in KINDS.into_iter().filter(|kind| !all_overlap(kind) && *kind != "stray") {
        check::<2>(kind);
        check::<3>(kind);
    }
}

/// A finder keeps its memory from frame to frame; nothing of an earlier frame may show in a later one.
#[test]
fn a_finder_forgets_the_frame_before() {
    let (mut tiled, mut sweep) = (TiledSweep::new(), SortSweep::new(SweepAxis::LargestVariance));
    let mut tree = Tree::new();
    let (mut grid, mut octree) = (Grid::new(), OctreePairs::new(2.0));
    for (frame, kind) in KINDS.into_iter().chain(KINDS.into_iter().rev()).enumerate() {
        let boxes: Vec<Aabb<3>> = boxes(kind, [900, 50, 400][frame % 3], frame as u64);
        let expected = judge(&boxes);
        assert_finds(&mut tiled, &boxes, &expected, kind);
        assert_finds(&mut tree, &boxes, &expected, kind);
        assert_finds(&mut sweep, &boxes, &expected, kind);
        assert_finds(&mut grid, &boxes, &expected, kind);
        assert_finds(&mut octree, &boxes, &expected, kind);
    }
}

/// Added, moved, removed and asked in any order, an octree tells what a plain list tells.
#[test]
fn an_octree_equals_a_plain_list_whatever_is_done_to_it() {
    fn check<const D: usize>(rule: OctreeRule, seed: u64) {
        // Half of every kind's boxes lie outside this root, or far outside.
        let root = Aabb { min: [2.0; D], max: [20.0; D] };
        let mut octree = Octree::new(root, rule).unwrap();
        let mut list: Vec<Option<Aabb<D>>> = vec![None; 300];
        let pool: Vec<Aabb<D>> = KINDS.iter().flat_map(|kind| boxes(kind, 300, seed)).collect();
        let mut random = Random::for_purpose(seed, &[D as u64, 7]);
        for step in 0..4_000 {
            let id = random.below(300);
            let bounds = pool[random.below(pool.len() as u32) as usize];
            let held = &mut list[id as usize];
            match random.below(4) {
                0 => {
                    octree.add(id, bounds).unwrap();
                    *held = Some(bounds);
                }
                1 => {
                    assert_eq!(octree.move_to(id, bounds), Ok(held.is_some()));
                    *held = held.map(|_| bounds);
                }
                2 => assert_eq!(octree.remove(id), held.take()),
                _ => {
                    let mut met = Vec::new();
                    octree.query_box(&bounds, |id| met.push(id));
                    met.sort_unstable();
                    let meets = |held: &Option<Aabb<D>>| held.is_some_and(|h| h.overlaps(&bounds));
                    let named = (0..300).zip(&list).filter(|(_, held)| meets(held));
                    assert_eq!(met, named.map(|(id, _)| id).collect::<Vec<u32>>());
                }
            }
            if step % 250 == 0 {
                let held: Vec<(u32, Aabb<D>)> =
                    (0..300).zip(&list).filter_map(|(id, held)| Some((id, (*held)?))).collect();
                let bounds: Vec<Aabb<D>> = held.iter().map(|(_, bounds)| *bounds).collect();
                let named = |pair: Pair| pair.map(|place| held[place as usize].0);
                let expected: Vec<Pair> = judge(&bounds).into_iter().map(named).collect();
                assert!(octree.self_pairs() == expected, "{D}D, {rule:?}, step {step}");
                assert_eq!(octree.len(), held.len());
            }
        }
        (0..300).for_each(|id| assert_eq!(octree.remove(id), list[id as usize]));
        assert_eq!((octree.len(), octree.cells()), (0, 1));
    }
    for (seed, loose) in [1.0, 1.3, 2.0, 4.0].into_iter().enumerate() {
        for (max_depth, smallest_cell) in [(0, 0.0), (3, 0.0), (10, 0.5), (64, 0.0)] {
            let rule = OctreeRule { max_depth, smallest_cell, loose };
            check::<2>(rule, seed as u64);
            check::<3>(rule, seed as u64);
        }
    }
}

#[test]
fn neither_the_pairs_nor_their_order_depend_on_the_number_of_threads() {
    for kind in ["uniform", "heavy", "clustered"] {
        let boxes: Vec<Aabb<3>> = boxes(kind, 220_000, 9);
        let find = |mut finder: AnyPairFinder<3>| {
            let mut pairs = Vec::new();
            finder.find(Boxes::new(&boxes).unwrap(), &mut pairs);
            pairs
        };
        let expected = find(AnyPairFinder::TiledSweep(TiledSweep::with_threads(1)));
        for threads in [2, 3, 7] {
            let pairs = find(AnyPairFinder::TiledSweep(TiledSweep::with_threads(threads)));
            assert!(pairs == expected, "{kind}, {threads} threads");
        }
    }
}

/// `cargo xtask soak pairs` runs the same with a million of each kind.
#[test]
fn all_techniques_agree_on_thirty_thousand_boxes_of_every_kind() {
    let outcome = agreement(30_000, &|_| {});
    assert_eq!(outcome.differences, 0, "{outcome:?}");
}

/// Plates that reach hundreds of tiles, all among the first boxes: whether there is room for their places
/// was once asked of each thread's share, and the order of pairs told how many threads there were.
#[test]
fn large_boxes_in_the_first_half_do_not_tell_the_number_of_threads() {
    let mut boxes: Vec<Aabb<3>> = boxes("uniform", 220_000, 5);
    let side = boxes.iter().fold(0.0, |side, b| if b.max[1] > side { b.max[1] } else { side });
    for b in boxes.iter_mut().take(3_000).skip(1).step_by(2) {
        (b.min[1], b.min[2], b.max[1], b.max[2]) = (0.0, 0.0, side, side);
        b.max[0] = b.min[0];
    }
    let find = |threads: usize| {
        let mut pairs = Vec::new();
        TiledSweep::with_threads(threads).find(Boxes::new(&boxes).unwrap(), &mut pairs);
        pairs
    };
    let expected = find(1);
    assert!(find(2) == expected && find(5) == expected);
}
