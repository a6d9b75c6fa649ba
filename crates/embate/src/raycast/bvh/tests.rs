//! Guarantees of the BVH for every build quality and every SIMD level.

use crate::raycast::bvh::*;
use crate::raycast::test_meshes::{extreme_rays, height_field, mixed_rays, triangle_soup};
use crate::raycast::{AnyRayIndex, BruteForce, TraversalStats};

fn hit_bits(hit: Option<TriangleHit>) -> Option<(u32, u32)> {
    hit.map(|hit| (hit.t.to_bits(), hit.triangle))
}

#[test]
fn tree_does_not_depend_on_the_number_of_threads() {
    for mesh in [height_field(100, 0.0, 1.0), triangle_soup(6_000)] {
        for quality in BuildQuality::ALL {
            let build = |threads| {
                let build = || Bvh::build_with_quality(&mesh, quality);
                let bvh = parallel::on_pool(threads, build);
                let words = bvh.lines.as_slice().iter().flatten().flatten().copied();
                (bvh.root, words.map(f32::to_bits).collect::<Vec<_>>())
            };
            assert!(build(1) == build(3), "{}", quality.name());
        }
    }
}

#[test]
fn triangle_takes_less_than_100_bytes_and_compact_less_than_46() {
    let mesh = height_field(100, 0.0, 1.0);
    let bytes =
        |quality| Bvh::build_with_quality(&mesh, quality).memory_usage() / mesh.triangles().len();
    assert!((40..100).contains(&bytes(BuildQuality::Medium)), "{}", bytes(BuildQuality::Medium));
    assert!((20..46).contains(&bytes(BuildQuality::Compact)), "{}", bytes(BuildQuality::Compact));
}

/// In a soup nearly all triangles overlap; without a budget spatial splits would not end.
#[test]
fn spatial_splits_of_a_soup_stay_within_the_budget() {
    let mesh = triangle_soup(2_000);
    let bytes = |quality| Bvh::build_with_quality(&mesh, quality).memory_usage();
    let unsplit = bytes(BuildQuality::Low);
    assert!(bytes(BuildQuality::Medium) < unsplit * 5 / 4, "{}", bytes(BuildQuality::Medium));
    assert!(bytes(BuildQuality::High) < unsplit * 2, "{}", bytes(BuildQuality::High));
}

#[test]
fn spatial_splits_of_large_triangles_reduce_the_traversal_work() {
    // A height field under slanted triangles as large as all of it.
    let terrain = height_field(40, 0.0, 1.0);
    let mut positions = terrain.positions().to_vec();
    let mut triangles = terrain.triangles().to_vec();
    for roof in 0..30_u8 {
        let (first, lift) = (positions.len() as u32, f32::from(roof) * 0.03);
        positions.extend([[0.0, 0.0, -1.0 + lift], [40.0, 0.0, 3.0], [0.0, 40.0, 3.0 + lift]]);
        triangles.push([first, first + 1, first + 2]);
    }
    let mesh = TriangleMesh::new(positions, triangles).unwrap();
    let work = |quality| {
        let bvh = Bvh::build_with_quality(&mesh, quality);
        let mut stats = TraversalStats::default();
        for step in 0..400_u16 {
            let x = f32::from(step) * 0.1;
            let ray = Ray::new([x, 40.0 - x, 9.0], [0.1, 0.2, -1.0]);
            bvh.closest_hit_observed(&ray, &mut stats);
        }
        stats.nodes_visited + stats.triangle_tests
    };
    assert!(work(BuildQuality::High) < work(BuildQuality::Low));
}

/// Regression: overflowing products of origin and reciprocal direction, NaNs and infinities on
/// several axes made rays hit empty boxes, and the traversal restarted at the root forever.
#[test]
fn extreme_and_nan_rays_terminate_and_equal_brute_force() {
    let mesh = height_field(20, 0.0, 1.0);
    let brute_force = BruteForce::new(&mesh);
    let rays = extreme_rays();
    for level in [Level::new(), Level::baseline()] {
        let bvh = build::node_layout::build(&mesh, BuildQuality::Medium, level);
        let (batch, any_batch) = (bvh.closest_hits(&rays), bvh.any_hits(&rays));
        for (index, ray) in rays.iter().enumerate() {
            let expected = hit_bits(brute_force.closest_hit(ray));
            assert_eq!(hit_bits(bvh.closest_hit(ray)), expected, "{ray:?}");
            assert_eq!(hit_bits(batch[index]), expected, "{ray:?}");
            assert_eq!([bvh.any_hit(ray), any_batch[index]], [expected.is_some(); 2], "{ray:?}");
            let mut stats = TraversalStats::default();
            assert_eq!(hit_bits(bvh.closest_hit_observed(ray, &mut stats)), expected, "{ray:?}");
        }
    }
}

/// Closest-hit and any-hit batches on a single leaf, a medium and a compact tree, with the widest
/// and the baseline SIMD level.
#[test]
fn batches_of_any_size_equal_brute_force_on_every_simd_level() {
    let rays = mixed_rays(2_055);
    for (mesh, quality) in [
        (height_field(1, 0.0, 1.0), BuildQuality::Low),
        (height_field(20, 0.0, 1.0), BuildQuality::Medium),
        (height_field(20, 0.0, 1.0), BuildQuality::Compact),
    ] {
        let brute_force = BruteForce::new(&mesh);
        let expected: Vec<_> =
            rays.iter().map(|ray| hit_bits(brute_force.closest_hit(ray))).collect();
        for level in [Level::new(), Level::baseline()] {
            let bvh = build::node_layout::build(&mesh, quality, level);
            for size in [0, 1, 7, 8, 9, 31, 32, 33, 2_047, 2_048, 2_049, 2_055] {
                let (rays, expected) = (&rays[..size], &expected[..size]);
                let closest = bvh.closest_hits(rays);
                assert!(closest.into_iter().map(hit_bits).eq(expected.iter().copied()), "{size}");
                let any = bvh.any_hits(rays);
                assert!(any.into_iter().eq(expected.iter().map(Option::is_some)), "{size}");
            }
            for (ray, &expected) in rays.iter().zip(&expected) {
                assert_eq!(hit_bits(bvh.closest_hit(ray)), expected, "{ray:?}");
                assert_eq!(bvh.any_hit(ray), expected.is_some(), "{ray:?}");
            }
        }
    }
}

/// Regression: `AnyRayIndex` counted the ordered traversal of the default any-hit query.
#[test]
fn observed_any_hit_of_any_ray_index_has_the_counts_of_the_bvh() {
    let bvh = Bvh::build(&height_field(40, 0.0, 1.0));
    let index = AnyRayIndex::from(bvh.clone());
    for ray in mixed_rays(500) {
        let (mut expected, mut stats) = (TraversalStats::default(), TraversalStats::default());
        let is_hit = bvh.any_hit_observed(&ray, &mut expected);
        assert_eq!(index.any_hit_observed(&ray, &mut stats), is_hit, "{ray:?}");
        assert_eq!(stats, expected, "{ray:?}");
    }
}

/// Slivers with nearly equal boxes: the ray hits every box, misses all triangles but one, and the
/// traversal stacks spill to the heap.
#[test]
fn ray_that_overflows_the_traversal_stack_loses_no_hit() {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for index in 0..40_000_u32 {
        let (first, tilt) = (positions.len() as u32, index as f32 * 1e-4);
        let far = if index == 31_234 { [9.0, -9.0, 0.0] } else { [9.0, 9.0 + tilt, 9.0] };
        positions.extend([[-9.0, -9.0 - tilt, -9.0], [9.0, 9.0, 9.0 + tilt], far]);
        triangles.push([first, first + 1, first + 2]);
    }
    let mesh = TriangleMesh::new(positions, triangles).unwrap();
    let (bvh, brute_force) = (Bvh::build(&mesh), BruteForce::new(&mesh));
    let rays = vec![Ray::new([4.0, -3.0, -8.0], [0.01, 0.02, 1.0]); 40];
    let expected = brute_force.closest_hit(&rays[0]);
    assert_eq!(expected.map(|hit| hit.triangle), Some(31_234));
    assert_eq!(bvh.closest_hit(&rays[0]), expected);
    assert!(bvh.any_hit(&rays[0]) && bvh.any_hits(&rays).into_iter().all(|hit| hit));
    assert!(bvh.closest_hits(&rays).into_iter().all(|hit| hit == expected));
}

#[test]
fn vertical_ray_on_a_height_field_visits_few_nodes() {
    let bvh = Bvh::build(&height_field(100, 0.0, 1.0));
    let mut stats = TraversalStats::default();
    let hit = bvh.closest_hit_observed(&Ray::new([50.3, 50.6, 9.0], [0.0, 0.0, -1.0]), &mut stats);
    assert!(hit.is_some_and(|hit| hit.t > 7.0));
    assert!((1..20).contains(&stats.nodes_visited) && stats.triangle_tests < 100, "{stats:?}");
}
