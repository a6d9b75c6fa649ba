//! Queries of `DynamicBvh`: after any sequence of edits they return the bits of a loop over the
//! boxes.

use embate::broad_phase::{AabbError, AabbSlice, DynamicBvh, Neighbor, OverlapPair, RayLeafHit};
use embate::{
    Aabb, Ray,
    geometry::{BoundingSphere, Camera, ConvexVolume, Plane, RaySlabs},
};
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_test_util::Rng;

/// Expected content of a tree: boxes by id, with gaps.
type Boxes<const D: usize> = Vec<Option<Aabb<D>>>;

fn all<const D: usize>(expected_boxes: &Boxes<D>) -> impl Iterator<Item = (u32, &Aabb<D>)> {
    (0..).zip(expected_boxes).filter_map(|(id, bounds)| Some((id, bounds.as_ref()?)))
}

fn ids_where<const D: usize>(
    expected_boxes: &Boxes<D>,
    holds: impl Fn(&Aabb<D>) -> bool,
) -> Vec<u32> {
    all(expected_boxes).filter(|(_, bounds)| holds(bounds)).map(|(id, _)| id).collect()
}

fn leaf_hits<const D: usize>(expected_boxes: &Boxes<D>, ray: &Ray<D>) -> Vec<RayLeafHit> {
    let slabs = RaySlabs::new(ray);
    let enter = |bounds: &Aabb<D>| Some(bounds.intersect_ray(&slabs, ray.t_min, ray.t_max)?.0);
    let mut hits: Vec<RayLeafHit> = all(expected_boxes)
        .filter_map(|(id, bounds)| Some(RayLeafHit { id, t: enter(bounds)? }))
        .collect();
    hits.sort_by(RayLeafHit::order);
    hits
}

fn k_nearest<const D: usize>(
    expected_boxes: &Boxes<D>,
    point: &[f32; D],
    k: usize,
) -> Vec<Neighbor> {
    let mut near: Vec<Neighbor> = all(expected_boxes)
        .map(|(id, bounds)| Neighbor { id, distance_squared: bounds.distance_squared(point) })
        .collect();
    near.sort_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared).then(a.id.cmp(&b.id)));
    near.truncate(k);
    near
}

fn overlapping_pairs<const D: usize>(expected_boxes: &Boxes<D>) -> Vec<OverlapPair> {
    let mut pairs = Vec::new();
    for (a, bounds) in all(expected_boxes) {
        let later = all(expected_boxes).filter(|&(b, other)| b > a && bounds.overlaps(other));
        pairs.extend(later.map(|(b, _)| [a, b]));
    }
    pairs
}

/// Half-spaces with random normals near one of the boxes.
fn convex_volume<const D: usize>(rng: &mut Rng, around: &Aabb<D>, planes: u32) -> ConvexVolume<D> {
    let mut half_space = || {
        let normal = core::array::from_fn(|_| rng.between(-1.0, 1.0));
        let plane = Plane::from_point_normal(&around.max, normal);
        Plane { offset: plane.offset + rng.between(0.0, 2.0), ..plane }
    };
    ConvexVolume::new((0..planes).map(|_| half_space()).collect())
}

/// Compares all queries with loops, near some of the boxes and at a distance from all of them.
#[track_caller]
fn assert_queries_equal_loops<const D: usize>(
    tree: &DynamicBvh<D>,
    expected_boxes: &Boxes<D>,
    seed: u64,
    context: &str,
) {
    let mut rng = Rng::new(seed);
    assert_eq!(tree.len(), all(expected_boxes).count(), "{context}");
    let bounds = all(expected_boxes).map(|(_, bounds)| *bounds).reduce(|all, own| all.merged(&own));
    assert_eq!(tree.bounds(), bounds, "{context}");
    for round in 0..12 {
        let target = match rng.below(expected_boxes.len()) {
            _ if round % 4 == 3 => Aabb { min: [-3.25; D], max: [-1.5; D] },
            id => expected_boxes[id].unwrap_or(Aabb { min: [0.0; D], max: [1.0; D] }),
        };
        let size = target.max_extent() + if round % 2 == 0 { 0.0 } else { 2.0 };
        let context = format!("{context}, {D}D, round {round} around {target:?}");

        let mut found = vec![u32::MAX];
        tree.query_aabb(&target.loosened(size), &mut found);
        assert_eq!(found.remove(0), u32::MAX, "existing entries are kept: {context}");
        assert_eq!(
            found,
            ids_where(expected_boxes, |b| b.overlaps(&target.loosened(size))),
            "box: {context}"
        );

        found.clear();
        let sphere = BoundingSphere { center: target.max.map(|c| c + size), radius: size * 1.5 };
        tree.query_sphere(&sphere, &mut found);
        assert_eq!(
            found,
            ids_where(expected_boxes, |b| sphere.intersects_aabb(b)),
            "sphere: {context}"
        );

        found.clear();
        let volume = convex_volume(&mut rng, &target, round % 5);
        tree.query_convex(&volume, &mut found);
        assert_eq!(
            found,
            ids_where(expected_boxes, |b| volume.intersects_aabb(b)),
            "volume: {context}"
        );

        let mut origin = target.min.map(|c| c + rng.between(-5.0, 0.0));
        let direction = core::array::from_fn(|axis| target.max[axis] - origin[axis]);
        let mut ray = Ray::new(origin, direction).with_range(rng.between(-2.0, 0.5), 30.0);
        if round % 3 == 0 {
            // Axis-parallel and in the plane of a face: 0 × ∞ in the slab test.
            origin[0] = target.min[0];
            ray = Ray::new(origin, core::array::from_fn(|axis| f32::from(u8::from(axis == 1))));
        }
        let expected = leaf_hits(expected_boxes, &ray);
        let mut hits = Vec::new();
        tree.cast_ray_all(&ray, &mut hits);
        assert_eq!(hits, expected, "ray {ray:?}: {context}");
        assert_eq!(tree.cast_ray(&ray), expected.first().copied(), "closest {ray:?}: {context}");

        let mut near = Vec::new();
        for k in [1, 5, 40] {
            near.clear();
            tree.k_nearest(&origin, k, &mut near);
            assert_eq!(
                near,
                k_nearest(expected_boxes, &origin, k),
                "{k} nearest to {origin:?}: {context}"
            );
        }
    }
}

fn build<const D: usize>(boxes: &[Aabb<D>]) -> (DynamicBvh<D>, Boxes<D>) {
    (DynamicBvh::build(AabbSlice::new(boxes).unwrap()), boxes.iter().copied().map(Some).collect())
}

fn tree_pairs<const D: usize>(tree: &DynamicBvh<D>) -> Vec<OverlapPair> {
    let mut pairs = Vec::new();
    tree.overlapping_pairs(&mut pairs);
    pairs.sort_unstable();
    pairs
}

#[test]
fn queries_equal_loops_for_every_kind_of_boxes() {
    fn check<const D: usize>(kind: &str) {
        for (count, seeds) in [(1, 1), (2, 1), (8, 2), (9, 2), (70, 5), (3_000, 2)] {
            for seed in 0..seeds {
                let (tree, expected_boxes) = build::<D>(&boxes(kind, count, seed));
                assert_queries_equal_loops(&tree, &expected_boxes, seed, kind);
            }
        }
    }
    for kind in KINDS {
        check::<2>(kind);
        check::<3>(kind);
    }
}

#[test]
fn queries_equal_loops_after_thousands_of_edits() {
    fn check<const D: usize>(kind: &str, seed: u64) {
        let scene: Vec<Aabb<D>> = boxes(kind, 400, seed);
        let mut rng = Rng::new(seed + D as u64);
        // Half of the boxes are in the initial tree.
        let (mut tree, mut expected_boxes) = build(&scene[..200]);
        expected_boxes.resize(scene.len(), None);
        for edit in 1..=4_000 {
            let id = rng.below(scene.len()) as u32;
            let slot = &mut expected_boxes[id as usize];
            let target = scene[rng.below(scene.len())];
            match rng.below(8) {
                0 | 1 => {
                    tree.insert(id, target).unwrap();
                    *slot = Some(target);
                }
                // For 1,000 edits removals prevail, until the tree is nearly empty.
                2 | 3 => assert_eq!(tree.remove(id), slot.take()),
                4 if (1_500..2_500).contains(&edit) => {
                    assert_eq!(tree.remove(id), slot.take());
                }
                4 => {
                    assert_eq!(tree.update(id, target), Ok(slot.is_some()));
                    *slot = slot.map(|_| target);
                }
                _ => {
                    let step: [f32; D] = core::array::from_fn(|_| rng.between(-0.5, 0.5));
                    let moved = slot.map(|b| Aabb {
                        min: core::array::from_fn(|axis| b.min[axis] + step[axis]),
                        max: core::array::from_fn(|axis| b.max[axis] + step[axis]),
                    });
                    if let Some(bounds) = moved {
                        assert_eq!(tree.update(id, bounds), Ok(true));
                    }
                    *slot = moved;
                }
            }
            if edit % 250 == 0 {
                let context = format!("{kind}, seed {seed}, after {edit} edits");
                assert_eq!(tree_pairs(&tree), overlapping_pairs(&expected_boxes), "{context}");
                assert_queries_equal_loops(&tree, &expected_boxes, edit, &context);
            }
        }
        for id in 0..expected_boxes.len() as u32 {
            assert_eq!(tree.get(id), expected_boxes[id as usize]);
            tree.remove(id);
        }
        assert!(tree.is_empty() && tree.bounds().is_none() && tree_pairs(&tree).is_empty());
    }
    for kind in KINDS {
        check::<2>(kind, 1);
        check::<3>(kind, 2);
    }
}

#[test]
fn tree_built_by_insertion_finds_the_pairs_of_a_bulk_build() {
    for kind in KINDS.into_iter().filter(|kind| *kind != "identical") {
        let boxes: Vec<Aabb<3>> = boxes(kind, 5_000, 3);
        let mut inserted = DynamicBvh::new();
        for (id, &bounds) in (0..).zip(&boxes) {
            inserted.insert(id, bounds).unwrap();
        }
        let built = DynamicBvh::build(AabbSlice::new(&boxes).unwrap());
        assert!(tree_pairs(&inserted) == tree_pairs(&built), "{kind}");
    }
}

#[test]
fn refitted_tree_contains_the_new_boxes() {
    for kind in KINDS {
        let (mut before, after): (Vec<Aabb<2>>, Vec<Aabb<2>>) =
            (boxes(kind, 300, 1), boxes("uniform", 300, 2));
        let (mut tree, _) = build(&before);
        tree.insert(400, before[0]).unwrap();
        tree.remove(7);
        tree.refit(AabbSlice::new(&after).unwrap());
        let mut expected_boxes: Boxes<2> = after.into_iter().map(Some).collect();
        expected_boxes[7] = None;
        expected_boxes.resize(401, None);
        expected_boxes[400] = Some(before.swap_remove(0));
        assert_queries_equal_loops(&tree, &expected_boxes, 5, kind);
        assert_eq!(tree_pairs(&tree), overlapping_pairs(&expected_boxes), "{kind}");
    }
}

#[test]
fn pairs_of_two_trees_equal_loops_for_any_heights() {
    fn check<const D: usize>(kind: &str, counts: [u32; 2]) {
        let [first, second]: [Vec<Aabb<D>>; 2] = [0, 1].map(|i| boxes(kind, counts[i], i as u64));
        let (a, _) = build(&first);
        let (b, _) = build(&second);
        let mut pairs = Vec::new();
        a.overlapping_pairs_with(&b, &mut pairs);
        pairs.sort_unstable();
        let mut expected = Vec::new();
        for (i, own) in (0..).zip(&first) {
            let others = (0..).zip(&second).filter(|(_, other)| own.overlaps(other));
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
fn queries_of_an_empty_tree_find_nothing() {
    let tree = DynamicBvh::<3>::new();
    let (mut found, mut hits, mut near) = (Vec::new(), Vec::new(), Vec::new());
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    tree.query_aabb(&everything, &mut found);
    tree.query_sphere(&BoundingSphere { center: [0.0; 3], radius: f32::INFINITY }, &mut found);
    tree.query_convex(&ConvexVolume::new(Vec::new()), &mut found);
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    tree.cast_ray_all(&ray, &mut hits);
    tree.k_nearest(&[0.0; 3], 10, &mut near);
    assert!(found.is_empty() && hits.is_empty() && near.is_empty());
    assert_eq!((tree.cast_ray(&ray), tree.bounds(), tree.get(0)), (None, None, None));
    let mut pairs = tree_pairs(&tree);
    tree.overlapping_pairs_with(&build(&boxes("uniform", 100, 0)).0, &mut pairs);
    assert!(pairs.is_empty());
}

#[test]
fn queries_with_nan_find_nothing() {
    let (tree, _) = build::<2>(&boxes("uniform", 500, 0));
    let (mut found, mut hits, mut near) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..2 {
        let mut with_nan = [5.0; 2];
        with_nan[axis] = f32::NAN;
        tree.query_aabb(&Aabb { min: with_nan, max: [9.0; 2] }, &mut found);
        tree.query_aabb(&Aabb { min: [0.0; 2], max: with_nan }, &mut found);
        tree.query_sphere(&BoundingSphere { center: with_nan, radius: 9.0 }, &mut found);
        let half_space = Plane { normal: with_nan, offset: 1e9 };
        tree.query_convex(&ConvexVolume::new(vec![half_space]), &mut found);
        for ray in [Ray::new(with_nan, [1.0; 2]), Ray::new([0.0; 2], with_nan)] {
            tree.cast_ray_all(&ray, &mut hits);
            hits.extend(tree.cast_ray(&ray));
        }
        tree.k_nearest(&with_nan, 3, &mut near);
    }
    for radius in [f32::NAN, -1.0] {
        tree.query_sphere(&BoundingSphere { center: [5.0; 2], radius }, &mut found);
    }
    for (t_min, t_max) in [(f32::NAN, 1.0), (0.0, f32::NAN), (2.0, 1.0)] {
        hits.extend(tree.cast_ray(&Ray::new([0.0; 2], [1.0; 2]).with_range(t_min, t_max)));
    }
    tree.cast_ray_all(&Ray::new([5.0; 2], [0.0; 2]), &mut hits);
    tree.k_nearest(&[5.0; 2], 0, &mut near);
    assert!(found.is_empty() && hits.is_empty() && near.is_empty());
}

#[test]
fn infinite_queries_find_everything_and_infinitely_distant_ones_nothing() {
    let (tree, expected_boxes) = build::<3>(&boxes("uniform", 300, 0));
    let all_ids: Vec<u32> = (0..300).collect();
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let mut found = Vec::new();
    tree.query_aabb(&everything, &mut found);
    assert_eq!(found, all_ids);
    found.clear();
    tree.query_sphere(&BoundingSphere { center: [0.0; 3], radius: f32::INFINITY }, &mut found);
    assert_eq!(found, all_ids);
    found.clear();
    tree.query_sphere(&BoundingSphere { center: [f32::INFINITY; 3], radius: 1e9 }, &mut found);
    assert!(found.is_empty());
    let mut near = Vec::new();
    tree.k_nearest(&[f32::INFINITY, 0.0, 0.0], 3, &mut near);
    assert!(near.is_empty());
    // Finite, but every squared distance overflows: ties go to the smaller ids.
    tree.k_nearest(&[1e38; 3], 3, &mut near);
    assert_eq!(near, k_nearest(&expected_boxes, &[1e38; 3], 3));
}

#[test]
fn frustum_query_finds_the_boxes_that_intersect_the_frustum() {
    let (tree, expected_boxes) = build::<3>(&boxes("uniform", 2_000, 4));
    for eye in [[-5.0, 3.0, 8.0], [8.0, 8.0, 8.0], [30.0, 2.0, 1.0]] {
        let camera = Camera {
            eye,
            target: [7.0, 6.0, 5.0],
            up: [0.0, 1.0, 0.0],
            vertical_fov: 0.7,
            aspect: 1.5,
            near: 0.5,
            far: 18.0,
        };
        let frustum = camera.frustum().unwrap();
        let mut visible = Vec::new();
        tree.query_convex(&frustum, &mut visible);
        assert_eq!(visible, ids_where(&expected_boxes, |b| frustum.intersects_aabb(b)));
        assert!(!visible.is_empty() && visible.len() < 1_500, "{eye:?}: {}", visible.len());
    }
}

#[test]
fn invalid_box_is_rejected_with_its_id_and_tree_is_unchanged() {
    let scene: Vec<Aabb<2>> = boxes("uniform", 50, 0);
    let (mut tree, expected_boxes) = build(&scene);
    let bad = Aabb { min: [0.0, f32::NAN], max: [1.0; 2] };
    assert!(matches!(tree.insert(60, bad), Err(AabbError::Coordinate { index: 60, .. })));
    assert!(matches!(tree.update(7, bad), Err(AabbError::Coordinate { index: 7, .. })));
    let inverted = Aabb { min: [2.0, 0.0], max: [1.0; 2] };
    let error = tree.insert(7, inverted);
    assert_eq!(error, Err(AabbError::Inverted { index: 7, axis: 0, min: 2.0, max: 1.0 }));
    assert!(matches!(tree.insert(u32::MAX, scene[0]), Err(AabbError::TooMany { .. })));
    assert_eq!((tree.remove(u32::MAX), tree.update(60, scene[0])), (None, Ok(false)));
    assert_queries_equal_loops(&tree, &expected_boxes, 1, "after rejected edits");
}

/// Identical Morton codes must not degrade the build or the depth of the tree.
#[test]
fn tree_of_20_000_identical_boxes_can_be_built_queried_and_emptied() {
    let bounds = Aabb { min: [3.5; 3], max: [4.5; 3] };
    let mut tree = DynamicBvh::build(AabbSlice::new(&vec![bounds; 20_000]).unwrap());
    let mut inserted = DynamicBvh::new();
    for id in 0..20_000 {
        inserted.insert(id, bounds).unwrap();
    }
    let point = Aabb { min: [4.5; 3], max: [4.5; 3] };
    for tree in [&mut tree, &mut inserted] {
        let mut found = Vec::new();
        tree.query_aabb(&point, &mut found);
        assert!(found.iter().copied().eq(0..20_000));
        for id in 0..20_000 {
            assert_eq!(tree.remove(id), Some(bounds));
        }
        assert!(tree.is_empty());
    }
}

/// Regression: a root with a chain of single children was left empty, and the next insertion was
/// lost.
#[test]
fn tree_accepts_boxes_after_removals_in_any_order() {
    let all: Vec<Aabb<2>> = boxes("uniform", 60, 3);
    for seed in 0..40 {
        let mut tree = DynamicBvh::build(AabbSlice::new(&all).unwrap());
        let mut rng = Rng::new(seed);
        let mut remaining: Vec<u32> = (0..60).collect();
        while !remaining.is_empty() {
            let id = remaining.swap_remove(rng.below(remaining.len()));
            assert!(tree.remove(id).is_some());
        }
        tree.insert(5, all[5]).unwrap();
        let mut found = Vec::new();
        tree.query_aabb(&all[5], &mut found);
        assert_eq!(found, [5], "seed {seed}");
    }
}
