//! Tests of the whole octree: equal to brute force, little memory, inspection.

use embate_geom::Ray;
use embate_mesh::TriangleMesh;

use super::*;
use crate::parallel::on_pool;
use crate::raycast::test_meshes::{height_field, triangle_soup};
use crate::raycast::test_rays::{
    assert_equals_brute_force, difficult_meshes, difficult_rays, sphere,
};
use crate::raycast::{Octree, TraversalStats};

#[test]
fn octree_equals_brute_force_on_difficult_meshes() {
    for (seed, (name, mesh)) in (0..).zip(difficult_meshes()) {
        let rays = difficult_rays(&mesh, seed);
        for leaf_size in [2, 4, 8] {
            let octree = CompactOctree::build_with(&mesh, leaf_size, 24);
            assert_equals_brute_force(name, &mesh, &octree, &rays);
        }
    }
}

#[test]
fn rays_from_inside_a_closed_mesh_hit_every_vertex_and_edge() {
    let mesh = sphere(20, 3.0, [5.0, -1.0, 2.0]);
    let octree = CompactOctree::new(&mesh);
    for triangle in mesh.iter_triangles() {
        let [a, b, _] = triangle.0;
        let middle = core::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
        for target in [a, middle] {
            let ray = Ray { t_max: f32::INFINITY, ..Ray::segment([5.2, -0.9, 1.7], target) };
            assert!(octree.closest_hit(&ray).is_some() && octree.any_hit(&ray), "{ray:?}");
        }
    }
}

#[test]
fn octree_takes_at_most_24_bytes_per_triangle_and_smaller_leaves_take_more() {
    for mesh in [height_field(100, 0.0, 1.0), sphere(60, 1.0, [0.0; 3])] {
        let bytes = [8, 4, 2].map(|leaf_size| {
            let octree = CompactOctree::build_with(&mesh, leaf_size, 24);
            octree.memory_usage() as f64 / mesh.triangles().len() as f64
        });
        assert!(bytes[0] <= 24.0 && bytes[0] < bytes[1] && bytes[1] < bytes[2], "{bytes:?}");
        let uncompressed = Octree::build(&mesh).memory_usage() as f64;
        assert!(bytes[0] * 3.0 < uncompressed / mesh.triangles().len() as f64, "{uncompressed}");
    }
}

#[test]
fn spatial_splits_of_a_soup_stay_in_the_budget_and_reduce_triangle_tests() {
    let mesh = triangle_soup(2_000);
    let mut previous = u64::MAX;
    for budget in [0, 16, 24, 100] {
        let octree = CompactOctree::build_with(&mesh, 8, budget);
        let bytes = octree.memory_usage() / 2_000;
        assert!(bytes <= budget.max(8), "{bytes} bytes per triangle of {budget}");
        let mut stats = TraversalStats::default();
        for i in 0..50_u8 {
            let ray = Ray::new([-0.1, 0.01 * f32::from(i), 0.55], [1.0, 0.02, -0.03]);
            octree.closest_hit_observed(&ray, &mut stats);
        }
        assert!(stats.triangle_tests < previous, "{} of {previous}", stats.triangle_tests);
        previous = stats.triangle_tests;
    }
}

#[test]
fn octree_shares_the_vertices_of_the_mesh() {
    let mesh = height_field(10, 0.0, 1.0);
    let octree = CompactOctree::new(&mesh);
    assert_eq!(octree.mesh.positions().as_ptr(), mesh.positions().as_ptr());
}

#[test]
fn leaves_without_splits_hold_every_triangle_once_and_boxes_contain_those_below() {
    let mesh = triangle_soup(900);
    let mut path: Vec<NodeBounds> = Vec::new();
    let (mut triangles, mut leaves) = (0, 0);
    CompactOctree::build_with(&mesh, 8, 0).visit_nodes(u32::MAX, |node| {
        path.truncate(node.depth as usize);
        if let Some(parent) = path.last() {
            assert_eq!(parent.bounds.merged(&node.bounds), parent.bounds, "{node:?}");
        }
        path.push(node);
        triangles += node.triangles.unwrap_or(0);
        leaves += u32::from(node.triangles.is_some());
        true
    });
    assert_eq!(triangles, 900);
    assert!(leaves > 100, "{leaves}");
    let mut nodes = 0;
    CompactOctree::new(&mesh).visit_nodes(0, |_| {
        nodes += 1;
        true
    });
    assert_eq!(nodes, 1);
}

#[test]
fn tree_of_one_leaf_has_no_nodes() {
    let octree = CompactOctree::new(&triangle_soup(2));
    assert_eq!(octree.memory_usage(), 2 * size_of::<u32>());
    let empty = CompactOctree::new(&TriangleMesh::default());
    assert_eq!(empty.memory_usage(), 0);
}

/// Slivers with nearly equal boxes: the ray hits every box, and the stack spills to the heap.
#[test]
fn ray_that_overflows_the_traversal_stack_loses_no_hit() {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for index in 0..20_000_u32 {
        let (first, tilt) = (positions.len() as u32, index as f32 * 1e-4);
        let far = if index == 11_234 { [9.0, -9.0, 0.0] } else { [9.0, 9.0 + tilt, 9.0] };
        positions.extend([[-9.0, -9.0 - tilt, -9.0], [9.0, 9.0, 9.0 + tilt], far]);
        triangles.push([first, first + 1, first + 2]);
    }
    let octree = CompactOctree::new(&TriangleMesh::new(positions, triangles).unwrap());
    let ray = Ray::new([4.0, -3.0, -8.0], [0.01, 0.02, 1.0]);
    assert_eq!(octree.closest_hit(&ray).map(|hit| hit.triangle), Some(11_234));
    assert!(octree.any_hit(&ray));
}

#[test]
fn vertical_ray_on_a_height_field_visits_few_nodes() {
    let octree = CompactOctree::new(&height_field(100, 0.0, 1.0));
    let mut stats = TraversalStats::default();
    let ray = Ray::new([50.3, 50.6, 9.0], [0.0, 0.0, -1.0]);
    assert!(octree.closest_hit_observed(&ray, &mut stats).is_some_and(|hit| hit.t > 7.0));
    assert!((1..30).contains(&stats.nodes_visited) && stats.triangle_tests < 100, "{stats:?}");
}

#[test]
fn octree_does_not_depend_on_the_number_of_threads() {
    let mesh = triangle_soup(6_000);
    let build = |threads| {
        let octree = on_pool(threads, || CompactOctree::new(&mesh));
        (octree.triangle_ids, octree.nodes.len())
    };
    assert_eq!(build(1), build(3));
}
