//! Guarantees of the space partitions: the k-d tree and the BSP tree.

use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;
use embate_test_util::Rng;

use crate::parallel::on_pool;
use crate::raycast::test_meshes::{extreme_rays, height_field, mixed_rays, triangle_soup};
use crate::raycast::{
    AnyRayIndex, BruteForce, BspTree, KdTree, NodeBounds, RayIndex, RayIndexKind, TraversalStats,
    TraversalTrace,
};

const PARTITIONS: [RayIndexKind; 2] = [RayIndexKind::KdTree, RayIndexKind::Bsp];

fn bits(hit: &TriangleHit) -> [u32; 4] {
    [hit.triangle, hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits()]
}

#[track_caller]
fn assert_equals_brute_force(mesh: &TriangleMesh, rays: &[Ray<3>]) {
    let brute_force = BruteForce::new(mesh);
    for kind in PARTITIONS {
        let index = kind.build(mesh);
        for ray in rays {
            let expected: Vec<_> = brute_force.all_hits(ray).iter().map(bits).collect();
            let all: Vec<_> = index.all_hits(ray).iter().map(bits).collect();
            assert_eq!(all, expected, "{kind:?}: {ray:?}");
            let closest = index.closest_hit(ray).as_ref().map(bits);
            assert_eq!(closest, expected.first().copied(), "{kind:?}: {ray:?}");
            assert_eq!(index.any_hit(ray), !expected.is_empty(), "{kind:?}: {ray:?}");
            let mut stats = TraversalStats::default();
            let observed = index.closest_hit_observed(ray, &mut stats).as_ref().map(bits);
            assert_eq!(observed, closest, "{kind:?}: {ray:?}");
        }
    }
}

#[test]
fn partitions_equal_brute_force_on_a_surface_and_a_soup() {
    let rays = mixed_rays(600);
    assert_equals_brute_force(&height_field(20, 0.0, 1.0), &rays);
    let into_cube = |ray: &Ray<3>| Ray { origin: ray.origin.map(|c| 0.05 * c), ..*ray };
    assert_equals_brute_force(&triangle_soup(700), &rays.iter().map(into_cube).collect::<Vec<_>>());
}

#[test]
fn extreme_and_nan_rays_terminate_and_equal_brute_force() {
    assert_equals_brute_force(&height_field(20, 0.0, 1.0), &extreme_rays());
}

/// All vertices and edges lie in planes of the partition.
#[test]
fn rays_in_partition_planes_equal_brute_force() {
    let flat = height_field(16, 0.0, 1e-9);
    let positions = flat.positions().iter().map(|&[x, y, _]| [x, y, 2.0]).collect();
    let mesh = TriangleMesh::new(positions, flat.triangles().to_vec()).unwrap();
    let mut rays = Vec::new();
    for half_step in 0..=32_u8 {
        let place = f32::from(half_step) * 0.5;
        for zero in [0.0, -0.0] {
            rays.push(Ray::new([place, 7.0, 9.0], [zero, zero, -1.0]));
            rays.push(Ray::new([place, place, -9.0], [zero, zero, 1.0]));
            rays.push(Ray::new([-1.0, place, 2.0], [1.0, zero, zero]));
            rays.push(Ray::new([place, -1.0, 1.0], [zero, 1.0, 1.0]));
            let along = Ray::new([place, 3.5, 2.0], [zero, zero, 1.0]);
            rays.extend([along, along.with_range(-1.0, 1.0), along.with_range(0.0, 0.0)]);
        }
    }
    assert_equals_brute_force(&mesh, &rays);
}

#[test]
fn identical_triangles_and_points_are_one_hit_each() {
    let vertices = vec![[0.0, 0.0, 1.0], [4.0, 0.0, 1.5], [0.0, 4.0, 2.0], [1.0, 1.0, 1.0]];
    let triangles = (0..400).map(|i| if i % 4 == 3 { [3; 3] } else { [0, 1, 2] }).collect();
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    assert_equals_brute_force(&mesh, &[ray]);
    for kind in PARTITIONS {
        assert_eq!(kind.build(&mesh).all_hits(&ray).len(), 300, "{kind:?}");
    }
}

#[test]
fn partitions_do_not_depend_on_the_number_of_threads() {
    let mesh = triangle_soup(6_000);
    for kind in PARTITIONS {
        let nodes = |threads| {
            let index = on_pool(threads, || kind.build(&mesh));
            let mut nodes: Vec<NodeBounds> = Vec::new();
            index.visit_nodes(u32::MAX, |node| {
                nodes.push(node);
                true
            });
            (index.memory_usage(), nodes)
        };
        assert!(nodes(1) == nodes(3), "{kind:?}");
    }
}

/// Triangles in cubes of edge `size` in the unit cube.
fn soup_of_size(count: u32, size: f32) -> TriangleMesh {
    let mut rng = Rng::new(4);
    let mut vertices = Vec::new();
    for _ in 0..count {
        let corner = rng.point(0.0, 1.0);
        vertices.extend([(); 3].map(|()| {
            let offset = rng.point(0.0, size);
            core::array::from_fn(|axis| corner[axis] + offset[axis])
        }));
    }
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

fn references(index: &AnyRayIndex) -> usize {
    let mut references = 0;
    index.visit_nodes(u32::MAX, |node| {
        references += node.triangles.unwrap_or(0) as usize;
        true
    });
    references
}

#[test]
fn references_to_a_soup_stay_within_the_budget_and_save_triangle_tests() {
    let mesh = soup_of_size(2_000, 0.2);
    let rays = mixed_rays(100).into_iter();
    let rays: Vec<Ray<3>> =
        rays.map(|ray| Ray { origin: ray.origin.map(|c| 0.05 * c), ..ray }).collect();
    let builds: [fn(&TriangleMesh, usize) -> AnyRayIndex; 2] = [
        |mesh, limit| KdTree::with_max_references(mesh, limit).into(),
        |mesh, limit| BspTree::with_max_references(mesh, limit).into(),
    ];
    for build in builds {
        let [few, many] = [1, 16].map(|limit| {
            let index = build(&mesh, limit);
            let count = references(&index);
            assert!(count >= 2_000 && count <= 2_000 * limit, "{count}, {limit} per triangle");
            let mut stats = TraversalStats::default();
            for ray in &rays {
                index.closest_hit_observed(ray, &mut stats);
            }
            stats.triangle_tests
        });
        assert!(2 * many < few, "{many} tests, {few} without duplicates");
    }
}

#[test]
fn ray_ends_at_its_hit_and_visits_few_cells() {
    let mesh = height_field(100, 0.0, 1.0);
    for kind in PARTITIONS {
        let index = kind.build(&mesh);
        assert!(references(&index) < 4 * mesh.triangles().len(), "{kind:?}");
        let mut stats = TraversalStats::default();
        let ray = Ray::new([50.3, 50.6, 9.0], [0.0, 0.0, -1.0]);
        let hit = index.closest_hit_observed(&ray, &mut stats);
        assert!(hit.is_some_and(|hit| hit.t > 7.0));
        assert!((1..60).contains(&stats.nodes_visited), "{kind:?}: {stats:?}");
        assert!(stats.triangle_tests < 100, "{kind:?}: {stats:?}");
    }
}

/// Cells are halved by the observer, not stored.
#[test]
fn observed_cells_are_those_of_the_tree_from_the_root_on() {
    let mesh = height_field(30, 0.0, 1.0);
    for kind in PARTITIONS {
        let index = kind.build(&mesh);
        let mut cells = Vec::new();
        index.visit_nodes(u32::MAX, |node| {
            cells.push(node.bounds);
            true
        });
        let mut trace = TraversalTrace::default();
        index.all_hits_observed(&Ray::new([0.1, 0.2, 0.3], [1.0, 0.9, 0.02]), &mut trace);
        assert_eq!(trace.nodes[0], cells[0], "{kind:?}");
        assert!(trace.nodes.len() > 20, "{kind:?}: {} cells", trace.nodes.len());
        assert!(trace.nodes.iter().all(|cell| cells.contains(cell)), "{kind:?}");
    }
}
