//! Whatever a tree of boxes is asked, and however it came to be, it answers as a plain loop over the
//! boxes does, to the bit.

use embate::pairs::{Boxes, Crossing, InvalidBox, Neighbour, Pair, Tree};
use embate::{Aabb, Ball, ConvexRegion, HalfSpace, Ray, SlabRay, View};
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_lab::random::Random;

/// The boxes that a tree should hold: by id, with gaps.
type Held<const D: usize> = Vec<Option<Aabb<D>>>;

fn all<const D: usize>(held: &Held<D>) -> impl Iterator<Item = (u32, &Aabb<D>)> {
    (0..).zip(held).filter_map(|(id, bounds)| Some((id, bounds.as_ref()?)))
}

fn ids_where<const D: usize>(held: &Held<D>, holds: impl Fn(&Aabb<D>) -> bool) -> Vec<u32> {
    all(held).filter(|(_, bounds)| holds(bounds)).map(|(id, _)| id).collect()
}

fn crossings<const D: usize>(held: &Held<D>, ray: &Ray<D>) -> Vec<Crossing> {
    let slabs = SlabRay::new(ray);
    let enter = |bounds: &Aabb<D>| Some(bounds.crossing(&slabs, ray.t_min, ray.t_max)?.0);
    let mut crossed: Vec<Crossing> =
        all(held).filter_map(|(id, bounds)| Some(Crossing { id, t: enter(bounds)? })).collect();
    crossed.sort_by(Crossing::order);
    crossed
}

fn nearest<const D: usize>(held: &Held<D>, point: &[f32; D], k: usize) -> Vec<Neighbour> {
    let mut near: Vec<Neighbour> = all(held)
        .map(|(id, bounds)| Neighbour { id, distance_squared: bounds.distance_squared(point) })
        .collect();
    near.sort_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared).then(a.id.cmp(&b.id)));
    near.truncate(k);
    near
}

fn pairs_by_definition<const D: usize>(held: &Held<D>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, bounds) in all(held) {
        let later = all(held).filter(|&(b, other)| b > a && bounds.overlaps(other));
        pairs.extend(later.map(|(b, _)| [a, b]));
    }
    pairs
}

/// Half-spaces with borders through one of the boxes, in random directions.
fn region<const D: usize>(random: &mut Random, around: &Aabb<D>, borders: u32) -> ConvexRegion<D> {
    let mut half_space = || {
        let normal = core::array::from_fn(|_| random.between(-1.0, 1.0));
        let out = HalfSpace::through(&around.max, normal);
        HalfSpace { offset: out.offset + random.between(0.0, 2.0), ..out }
    };
    ConvexRegion::new((0..borders).map(|_| half_space()).collect())
}

/// Asks everything around some of the boxes, where answers are, and somewhere else, where they are not.
#[track_caller]
fn assert_answers<const D: usize>(tree: &Tree<D>, held: &Held<D>, seed: u64, what: &str) {
    let mut random = Random::for_purpose(seed, &[7]);
    assert_eq!(tree.len(), all(held).count(), "{what}");
    let around = all(held).map(|(_, bounds)| *bounds).reduce(|all, own| all.joined(&own));
    assert_eq!(tree.bounds(), around, "{what}");
    for round in 0..12 {
        let target = match random.below(held.len() as u32) {
            _ if round % 4 == 3 => Aabb { min: [-3.25; D], max: [-1.5; D] },
            id => held[id as usize].unwrap_or(Aabb { min: [0.0; D], max: [1.0; D] }),
        };
        let size = target.longest_side() + if round % 2 == 0 { 0.0 } else { 2.0 };
        let what = format!("{what}, {D}D, round {round} around {target:?}");

        let mut found = vec![u32::MAX];
        tree.overlapping_box(&target.grown(size), &mut found);
        assert_eq!(found.remove(0), u32::MAX, "what was there before stays: {what}");
        assert_eq!(found, ids_where(held, |b| b.overlaps(&target.grown(size))), "box: {what}");

        found.clear();
        let ball = Ball { center: target.max.map(|c| c + size), radius: size * 1.5 };
        tree.overlapping_ball(&ball, &mut found);
        assert_eq!(found, ids_where(held, |b| ball.overlaps_box(b)), "ball: {what}");

        found.clear();
        let region = region(&mut random, &target, round % 5);
        tree.within_region(&region, &mut found);
        assert_eq!(found, ids_where(held, |b| region.may_reach(b)), "region: {what}");

        let mut origin = target.min.map(|c| c + random.between(-5.0, 0.0));
        let direction = core::array::from_fn(|axis| target.max[axis] - origin[axis]);
        let mut ray = Ray::new(origin, direction).within(random.between(-2.0, 0.5), 30.0);
        if round % 3 == 0 {
            // Along an axis, in the plane of a face: the hardest rays.
            origin[0] = target.min[0];
            ray = Ray::new(origin, core::array::from_fn(|axis| f32::from(u8::from(axis == 1))));
        }
        let expected = crossings(held, &ray);
        let mut crossed = Vec::new();
        tree.along_ray(&ray, &mut crossed);
        assert_eq!(crossed, expected, "ray {ray:?}: {what}");
        assert_eq!(tree.closest(&ray), expected.first().copied(), "closest {ray:?}: {what}");

        let mut near = Vec::new();
        for k in [1, 5, 40] {
            near.clear();
            tree.nearest(&origin, k, &mut near);
            assert_eq!(near, nearest(held, &origin, k), "{k} nearest to {origin:?}: {what}");
        }
    }
}

fn hold<const D: usize>(boxes: &[Aabb<D>]) -> (Tree<D>, Held<D>) {
    (Tree::build(Boxes::new(boxes).unwrap()), boxes.iter().copied().map(Some).collect())
}

fn self_pairs<const D: usize>(tree: &Tree<D>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    tree.self_pairs(&mut pairs);
    pairs.sort_unstable();
    pairs
}

#[test]
fn a_tree_of_every_kind_of_boxes_answers_as_a_plain_loop_does() {
    fn check<const D: usize>(kind: &str) {
        for (count, seeds) in [(1, 1), (2, 1), (8, 2), (9, 2), (70, 5), (3_000, 2)] {
            for seed in 0..seeds {
                let (tree, held) = hold::<D>(&boxes(kind, count, seed));
                assert_answers(&tree, &held, seed, kind);
            }
        }
    }
    for kind in KINDS {
        check::<2>(kind);
        check::<3>(kind);
    }
}

#[test]
fn a_tree_that_was_changed_a_thousand_times_answers_as_one_built_anew() {
    fn check<const D: usize>(kind: &str, seed: u64) {
        let scene: Vec<Aabb<D>> = boxes(kind, 400, seed);
        let mut random = Random::for_purpose(seed, &[D as u64]);
        // Half start in the tree; ids beyond them come and go.
        let (mut tree, mut held) = hold(&scene[..200]);
        held.resize(scene.len(), None);
        for change in 1..=4_000 {
            let id = random.below(scene.len() as u32);
            let place = &mut held[id as usize];
            let target = scene[random.below(scene.len() as u32) as usize];
            match random.below(8) {
                0 | 1 => {
                    tree.insert(id, target).unwrap();
                    *place = Some(target);
                }
                // For a while more goes than comes, until next to nothing is left.
                2 | 3 => assert_eq!(tree.remove(id), place.take()),
                4 if (1_500..2_500).contains(&change) => {
                    assert_eq!(tree.remove(id), place.take());
                }
                4 => {
                    assert_eq!(tree.move_to(id, target), Ok(place.is_some()));
                    *place = place.map(|_| target);
                }
                _ => {
                    let step: [f32; D] = core::array::from_fn(|_| random.between(-0.5, 0.5));
                    let near = place.map(|b| Aabb {
                        min: core::array::from_fn(|axis| b.min[axis] + step[axis]),
                        max: core::array::from_fn(|axis| b.max[axis] + step[axis]),
                    });
                    if let Some(bounds) = near {
                        assert_eq!(tree.move_to(id, bounds), Ok(true));
                    }
                    *place = near;
                }
            }
            if change % 250 == 0 {
                let what = format!("{kind}, seed {seed}, after {change} changes");
                assert_eq!(self_pairs(&tree), pairs_by_definition(&held), "{what}");
                assert_answers(&tree, &held, change, &what);
            }
        }
        for id in 0..held.len() as u32 {
            assert_eq!(tree.get(id), held[id as usize]);
            tree.remove(id);
        }
        assert!(tree.is_empty() && tree.bounds().is_none() && self_pairs(&tree).is_empty());
    }
    for kind in KINDS {
        check::<2>(kind, 1);
        check::<3>(kind, 2);
    }
}

#[test]
fn a_tree_grown_box_by_box_finds_the_pairs_of_one_built_at_once() {
    for kind in KINDS.into_iter().filter(|kind| *kind != "identical") {
        let boxes: Vec<Aabb<3>> = boxes(kind, 5_000, 3);
        let mut grown = Tree::new();
        for (id, &bounds) in (0..).zip(&boxes) {
            grown.insert(id, bounds).unwrap();
        }
        let built = Tree::build(Boxes::new(&boxes).unwrap());
        assert!(self_pairs(&grown) == self_pairs(&built), "{kind}");
    }
}

#[test]
fn a_refitted_tree_holds_the_boxes_where_they_are_now() {
    for kind in KINDS {
        let (mut before, after): (Vec<Aabb<2>>, Vec<Aabb<2>>) =
            (boxes(kind, 300, 1), boxes("uniform", 300, 2));
        let (mut tree, _) = hold(&before);
        tree.insert(400, before[0]).unwrap();
        tree.remove(7);
        tree.refit(Boxes::new(&after).unwrap());
        let mut held: Held<2> = after.into_iter().map(Some).collect();
        held[7] = None;
        held.resize(401, None);
        held[400] = Some(before.swap_remove(0));
        assert_answers(&tree, &held, 5, kind);
        assert_eq!(self_pairs(&tree), pairs_by_definition(&held), "{kind}");
    }
}

#[test]
fn two_trees_of_any_heights_are_joined() {
    fn check<const D: usize>(kind: &str, counts: [u32; 2]) {
        let [ours, its]: [Vec<Aabb<D>>; 2] = [0, 1].map(|i| boxes(kind, counts[i], i as u64));
        let (a, _) = hold(&ours);
        let (b, _) = hold(&its);
        let mut pairs = Vec::new();
        a.pairs_with(&b, &mut pairs);
        pairs.sort_unstable();
        let mut expected = Vec::new();
        for (i, own) in (0..).zip(&ours) {
            let others = (0..).zip(&its).filter(|(_, other)| own.overlaps(other));
            expected.extend(others.map(|(j, _)| [i, j]));
        }
        assert!(pairs == expected, "{kind}, {D}D, {counts:?}");
    }
    for kind in KINDS {
        for counts in [[1, 1], [3, 900], [900, 3], [500, 70], [300, 400]] {
            check::<2>(kind, counts);
            check::<3>(kind, counts);
        }
    }
}

#[test]
fn an_empty_tree_answers_every_query_with_nothing() {
    let tree = Tree::<3>::new();
    let (mut found, mut crossed, mut near) = (Vec::new(), Vec::new(), Vec::new());
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    tree.overlapping_box(&everything, &mut found);
    tree.overlapping_ball(&Ball { center: [0.0; 3], radius: f32::INFINITY }, &mut found);
    tree.within_region(&ConvexRegion::new(Vec::new()), &mut found);
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    tree.along_ray(&ray, &mut crossed);
    tree.nearest(&[0.0; 3], 10, &mut near);
    assert!(found.is_empty() && crossed.is_empty() && near.is_empty());
    assert_eq!((tree.closest(&ray), tree.bounds(), tree.get(0)), (None, None, None));
    let mut pairs = self_pairs(&tree);
    tree.pairs_with(&hold(&boxes("uniform", 100, 0)).0, &mut pairs);
    assert!(pairs.is_empty());
}

#[test]
fn a_query_with_a_nan_finds_nothing() {
    let (tree, _) = hold::<2>(&boxes("uniform", 500, 0));
    let (mut found, mut crossed, mut near) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..2 {
        let mut nowhere = [5.0; 2];
        nowhere[axis] = f32::NAN;
        tree.overlapping_box(&Aabb { min: nowhere, max: [9.0; 2] }, &mut found);
        tree.overlapping_box(&Aabb { min: [0.0; 2], max: nowhere }, &mut found);
        tree.overlapping_ball(&Ball { center: nowhere, radius: 9.0 }, &mut found);
        let half_space = HalfSpace { normal: nowhere, offset: 1e9 };
        tree.within_region(&ConvexRegion::new(vec![half_space]), &mut found);
        for ray in [Ray::new(nowhere, [1.0; 2]), Ray::new([0.0; 2], nowhere)] {
            tree.along_ray(&ray, &mut crossed);
            crossed.extend(tree.closest(&ray));
        }
        tree.nearest(&nowhere, 3, &mut near);
    }
    for radius in [f32::NAN, -1.0] {
        tree.overlapping_ball(&Ball { center: [5.0; 2], radius }, &mut found);
    }
    for (t_min, t_max) in [(f32::NAN, 1.0), (0.0, f32::NAN), (2.0, 1.0)] {
        crossed.extend(tree.closest(&Ray::new([0.0; 2], [1.0; 2]).within(t_min, t_max)));
    }
    tree.along_ray(&Ray::new([5.0; 2], [0.0; 2]), &mut crossed);
    tree.nearest(&[5.0; 2], 0, &mut near);
    assert!(found.is_empty() && crossed.is_empty() && near.is_empty());
}

#[test]
fn a_query_without_end_finds_everything_and_one_at_the_end_of_the_world_is_far_from_it() {
    let (tree, held) = hold::<3>(&boxes("uniform", 300, 0));
    let everyone: Vec<u32> = (0..300).collect();
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let mut found = Vec::new();
    tree.overlapping_box(&everything, &mut found);
    assert_eq!(found, everyone);
    found.clear();
    tree.overlapping_ball(&Ball { center: [0.0; 3], radius: f32::INFINITY }, &mut found);
    assert_eq!(found, everyone);
    found.clear();
    tree.overlapping_ball(&Ball { center: [f32::INFINITY; 3], radius: 1e9 }, &mut found);
    assert!(found.is_empty());
    let mut near = Vec::new();
    tree.nearest(&[f32::INFINITY, 0.0, 0.0], 3, &mut near);
    assert!(near.is_empty());
    // Finite, but so far that every squared distance overflows: of equals, the smaller ids.
    tree.nearest(&[1e38; 3], 3, &mut near);
    assert_eq!(near, nearest(&held, &[1e38; 3], 3));
}

#[test]
fn a_camera_sees_the_boxes_that_its_frustum_keeps() {
    let (tree, held) = hold::<3>(&boxes("uniform", 2_000, 4));
    for eye in [[-5.0, 3.0, 8.0], [8.0, 8.0, 8.0], [30.0, 2.0, 1.0]] {
        let camera = View {
            eye,
            at: [7.0, 6.0, 5.0],
            up: [0.0, 1.0, 0.0],
            vertical_fov: 0.7,
            aspect: 1.5,
            near: 0.5,
            far: 18.0,
        };
        let frustum = camera.frustum().unwrap();
        let mut seen = Vec::new();
        tree.within_region(&frustum, &mut seen);
        assert_eq!(seen, ids_where(&held, |b| frustum.may_reach(b)));
        assert!(!seen.is_empty() && seen.len() < 1_500, "{eye:?}: {}", seen.len());
    }
}

#[test]
fn a_bad_box_is_refused_by_its_id_and_changes_nothing() {
    let scene: Vec<Aabb<2>> = boxes("uniform", 50, 0);
    let (mut tree, held) = hold(&scene);
    let bad = Aabb { min: [0.0, f32::NAN], max: [1.0; 2] };
    assert!(matches!(tree.insert(60, bad), Err(InvalidBox::Coordinate { index: 60, .. })));
    assert!(matches!(tree.move_to(7, bad), Err(InvalidBox::Coordinate { index: 7, .. })));
    let upside_down = Aabb { min: [2.0, 0.0], max: [1.0; 2] };
    let refused = tree.insert(7, upside_down);
    assert_eq!(refused, Err(InvalidBox::Inverted { index: 7, axis: 0, min: 2.0, max: 1.0 }));
    assert!(matches!(tree.insert(u32::MAX, scene[0]), Err(InvalidBox::TooMany { .. })));
    assert_eq!((tree.remove(u32::MAX), tree.move_to(60, scene[0])), (None, Ok(false)));
    assert_answers(&tree, &held, 1, "after refusals");
}

/// Neither the order of codes nor the depth of the tree may depend on how many boxes are the same.
#[test]
fn twenty_thousand_identical_boxes_are_built_inserted_and_taken_out() {
    let one = Aabb { min: [3.5; 3], max: [4.5; 3] };
    let mut tree = Tree::build(Boxes::new(&vec![one; 20_000]).unwrap());
    let mut grown = Tree::new();
    for id in 0..20_000 {
        grown.insert(id, one).unwrap();
    }
    let point = Aabb { min: [4.5; 3], max: [4.5; 3] };
    for tree in [&mut tree, &mut grown] {
        let mut found = Vec::new();
        tree.overlapping_box(&point, &mut found);
        assert!(found.iter().copied().eq(0..20_000));
        for id in 0..20_000 {
            assert_eq!(tree.remove(id), Some(one));
        }
        assert!(tree.is_empty());
    }
}

/// A root whose one child had one child was once left behind without any, and lost what came next.
#[test]
fn a_tree_that_was_emptied_in_any_order_takes_boxes_again() {
    let all: Vec<Aabb<2>> = boxes("uniform", 60, 3);
    for seed in 0..40 {
        let mut tree = Tree::build(Boxes::new(&all).unwrap());
        let mut random = Random::for_purpose(seed, &[60]);
        let mut left: Vec<u32> = (0..60).collect();
        while !left.is_empty() {
            let id = left.swap_remove(random.below(left.len() as u32) as usize);
            assert!(tree.remove(id).is_some());
        }
        tree.insert(5, all[5]).unwrap();
        let mut found = Vec::new();
        tree.overlapping_box(&all[5], &mut found);
        assert_eq!(found, [5], "seed {seed}");
    }
}
