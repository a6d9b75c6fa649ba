//! The replica of Lorenzi 2014 reproduces the published counts, which do not depend on the machine;
//! its structures agree with each other.

use embate::raycast::{RayIndex, TraversalStats};
use embate_replica::lorenzi2014::{
    BruteForce, LiteralBruteForce, LiteralOctree, MAX_LEVELS, Octree, OctreeAffinity, UnitCubeMap,
};
use embate_scene::generators::{Family, house, random_rays, random_triangles};
use embate_scene::random::Random;

const TRIANGLES: u32 = 1_000;
const SCENES: u64 = 10_000;

struct Means {
    tested_percent: f64,
    level_percent: [f64; 6],
    disagreements: u32,
}

/// A new scene for each ray, as in the study.
fn means(family: Family) -> Means {
    let mut counts = TraversalStats::default();
    let mut levels = [0_u64; 6];
    let mut disagreements = 0;
    for scene in 0..SCENES {
        let mut random = Random::for_purpose(11, &[scene]);
        let mesh = random_triangles(family, TRIANGLES, &mut random);
        let ray = random_rays(UnitCubeMap::IDENTITY, 1, &mut random)[0];
        let octree = Octree::with_map(&mesh, UnitCubeMap::IDENTITY, 6);
        let brute = BruteForce::with_map(&mesh, UnitCubeMap::IDENTITY);
        let answer = octree.closest_hit_observed(&ray, &mut counts);
        disagreements += u32::from(answer != brute.closest_hit(&ray));
        for (sum, n) in levels.iter_mut().zip(octree.triangles_per_level()) {
            *sum += u64::from(n);
        }
    }
    let percent = |n: u64| 100.0 * n as f64 / (SCENES * u64::from(TRIANGLES)) as f64;
    Means {
        tested_percent: percent(counts.triangle_tests),
        level_percent: levels.map(percent),
        disagreements,
    }
}

#[test]
fn octree_tests_the_published_share_of_triangles() {
    for (family, published, band) in
        [(Family::Low, 98.95, 0.3), (Family::Medium, 66.45, 0.5), (Family::High, 15.91, 0.3)]
    {
        let means = means(family);
        let difference = (means.tested_percent - published).abs();
        assert!(difference <= band, "{family:?}: {} against {published}", means.tested_percent);
        assert_eq!(means.disagreements, 0, "{family:?}");
    }
}

#[test]
fn small_triangles_sink_to_the_published_levels() {
    let published = [7.7, 14.2, 23.8, 32.1, 20.3, 1.9];
    for (ours, published) in means(Family::High).level_percent.into_iter().zip(published) {
        assert!((ours - published).abs() <= 0.3, "{ours} against {published}");
    }
}

#[test]
fn random_families_have_low_medium_and_high_affinity() {
    for (family, affinity) in [
        (Family::Low, OctreeAffinity::Low),
        (Family::Medium, OctreeAffinity::Medium),
        (Family::High, OctreeAffinity::High),
    ] {
        let mesh = random_triangles(family, 5_000, &mut Random::new(5));
        let octree = Octree::with_map(&mesh, UnitCubeMap::IDENTITY, 6);
        assert_eq!(OctreeAffinity::of(&octree.triangles_per_level()), affinity);
    }
}

/// Mesh and ray are both mapped into the study's cube, so neither position nor size of the mesh
/// matters.
#[test]
fn translated_and_scaled_mesh_yields_the_same_hits() {
    let mesh = random_triangles(Family::Medium, 500, &mut Random::new(9));
    let scale_and_shift = |p: &[f32; 3]| [p[0] * 8.0 + 1024.0, p[1] * 8.0 - 512.0, p[2] * 8.0];
    let far = embate::TriangleMesh::new(
        mesh.positions().iter().map(scale_and_shift).collect(),
        mesh.triangles().to_vec(),
    )
    .unwrap();
    let (near_index, far_index) = (Octree::new(&mesh), Octree::new(&far));
    for ray in random_rays(UnitCubeMap::of(&mesh), 1_000, &mut Random::new(10)) {
        let far_ray = embate::Ray::new(
            scale_and_shift(&ray.origin),
            ray.direction.map(|component| component * 8.0),
        );
        let (near, far) = (near_index.closest_hit(&ray), far_index.closest_hit(&far_ray));
        assert_eq!(near.map(|h| h.triangle), far.map(|h| h.triangle));
        if let (Some(near), Some(far)) = (near, far) {
            assert!((near.t - far.t).abs() <= 1e-3 * (1.0 + near.t), "{near:?} {far:?}");
        }
    }
}

/// A new scene for each ray: the program's nodes, divisions and early discard change its cost, not
/// its hits and counts.
#[test]
fn literal_structures_return_the_hits_and_counts_of_the_counted_ones() {
    for scene in 0..1_000 {
        let mut random = Random::for_purpose(12, &[scene]);
        let family = Family::ALL[scene as usize % 3];
        let mesh = random_triangles(family, 1 + scene as u32, &mut random);
        let (map, levels) = (UnitCubeMap::IDENTITY, 1 + scene as usize % 6);
        let octree = Octree::with_map(&mesh, map, levels);
        let literal = LiteralOctree::with_map(&mesh, map, levels);
        let brute = BruteForce::with_map(&mesh, map);
        let literal_brute = LiteralBruteForce::with_map(&mesh, map);
        assert_eq!(literal.memory_usage(), octree.memory_usage());
        for ray in random_rays(map, 4, &mut random) {
            let (mut counted, mut counted_literal) = <(TraversalStats, TraversalStats)>::default();
            let hit = octree.closest_hit_observed(&ray, &mut counted);
            assert_eq!(literal.closest_hit_observed(&ray, &mut counted_literal), hit);
            assert_eq!(counted_literal, counted);
            assert_eq!(
                [octree.candidates(&ray), literal.candidates(&ray)],
                [counted.triangle_tests as usize; 2]
            );
            assert_eq!(literal_brute.all_hits(&ray), brute.all_hits(&ray));
            assert_eq!(brute.closest_hit(&ray), hit);
        }
    }
}

/// Rays in the split planes, along the axes and with zero components, where the published slab test
/// divides 0 by 0.
#[test]
fn literal_octree_enters_the_same_cells_for_axis_parallel_rays() {
    let mesh = house();
    let (octree, literal) = (Octree::new(&mesh), LiteralOctree::new(&mesh));
    let map = UnitCubeMap::of(&mesh);
    for place in [0.0, 12.5, 25.0, 26.0, 50.0, 99.0, 101.0] {
        for axis in 0..3 {
            for sign in [1.0, -1.0, 0.0, -0.0] {
                let (mut origin, mut direction) = ([place, 50.0, place], [-0.0, 0.0, -0.0]);
                (origin[axis], direction[axis]) = (-10.0 * sign, sign);
                let ray = map.ray_to_mesh_units(origin, direction);
                let (mut counted, mut counted_literal) =
                    <(TraversalStats, TraversalStats)>::default();
                let hit = octree.closest_hit_observed(&ray, &mut counted);
                assert_eq!(literal.closest_hit_observed(&ray, &mut counted_literal), hit);
                assert_eq!(counted_literal, counted, "{origin:?} {direction:?}");
            }
        }
    }
}

/// From 7 levels on only cells with triangles and their ancestors exist.
#[test]
fn octree_of_every_depth_returns_the_hits_of_brute_force() {
    for (seed, family) in (20..).zip(Family::ALL) {
        let mesh = random_triangles(family, 2_000, &mut Random::new(seed));
        let map = UnitCubeMap::IDENTITY;
        let brute = BruteForce::with_map(&mesh, map);
        let rays = random_rays(map, 300, &mut Random::new(seed));
        let hits: Vec<_> = rays.iter().map(|ray| brute.all_hits(ray)).collect();
        let mut tested = u64::MAX;
        for levels in 1..=MAX_LEVELS {
            let octree = Octree::with_map(&mesh, map, levels);
            let mut counts = TraversalStats::default();
            for (ray, hits) in rays.iter().zip(&hits) {
                assert_eq!(octree.all_hits_observed(ray, &mut counts), *hits, "{levels} levels");
                assert_eq!(octree.closest_hit(ray), brute.closest_hit(ray));
            }
            let per_level = octree.triangles_per_level();
            assert_eq!((per_level.len(), per_level.iter().sum::<u32>()), (levels, 2_000));
            assert!(counts.triangle_tests <= tested, "a further level never adds a test");
            tested = counts.triangle_tests;
        }
    }
}
