//! Tests of the whole grid: equal to brute force, rays in cell planes and through cell corners,
//! bounded memory, inspection.

use embate_geom::Ray;
use embate_test_util::Rng;

use super::*;
use crate::raycast::test_meshes::{height_field, triangle_soup};
use crate::raycast::test_rays::{
    assert_equals_brute_force, difficult_meshes, difficult_rays, sphere,
};
use crate::raycast::{TraversalStats, TraversalTrace};

#[test]
fn grid_equals_brute_force_on_difficult_meshes() {
    for (seed, (name, mesh)) in (0..).zip(difficult_meshes()) {
        let rays = difficult_rays(&mesh, 100 + seed);
        for density in [0.1, UniformGrid::DEFAULT_DENSITY, 40.0] {
            let grid = UniformGrid::with_density(&mesh, density);
            assert_equals_brute_force(name, &mesh, &grid, &rays);
        }
    }
}

#[test]
fn rays_from_inside_a_closed_mesh_hit_every_vertex_and_edge() {
    let mesh = sphere(20, 3.0, [5.0, -1.0, 2.0]);
    let grid = UniformGrid::new(&mesh);
    for triangle in mesh.iter_triangles() {
        let [a, b, _] = triangle.0;
        let middle = core::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
        for target in [a, middle] {
            let ray = Ray { t_max: f32::INFINITY, ..Ray::segment([5.2, -0.9, 1.7], target) };
            assert!(grid.closest_hit(&ray).is_some() && grid.any_hit(&ray), "{ray:?}");
        }
    }
}

/// Point at which planes of the grid meet: on each axis one of them, or its neighbor in f32.
fn grid_corner(grid: &UniformGrid, rng: &mut Rng) -> [f32; 3] {
    core::array::from_fn(|axis| {
        let planes = &grid.cells.planes[axis];
        let plane = planes[rng.below(planes.len())];
        match rng.below(4) {
            0 => plane.next_up(),
            1 => plane.next_down(),
            _ => plane,
        }
    })
}

#[test]
fn rays_in_cell_planes_and_through_cell_corners_equal_brute_force() {
    let mut rng = Rng::new(8);
    for (name, mesh) in difficult_meshes() {
        let grid = UniformGrid::new(&mesh);
        if grid.resolution() == [0; 3] {
            continue;
        }
        let extent = mesh.bounds().map_or(1.0, |bounds| bounds.max_extent());
        let mut rays = Vec::new();
        for number in 0..200 {
            let (from, to) = (grid_corner(&grid, &mut rng), grid_corner(&grid, &mut rng));
            rays.push(Ray { t_max: f32::INFINITY, ..Ray::segment(from, to) });
            let zero = if rng.coin() { 0.0 } else { -0.0 };
            let sign = if rng.coin() { extent } else { -extent };
            let mut direction = [zero; 3];
            direction[number % 3] = sign;
            rays.push(Ray::new(from, direction).with_range(-2.0, 2.0));
            // Diagonal in a cell plane, then through cell corners if cells are cubes.
            direction[(number + 1) % 3] = sign;
            rays.push(Ray::new(from, direction).with_range(-2.0, f32::INFINITY));
            let cell: [f32; 3] = core::array::from_fn(|axis| {
                let planes = &grid.cells.planes[axis];
                (planes[1] - planes[0]) * if rng.coin() { 1.0 } else { -1.0 }
            });
            rays.push(Ray::new(from, cell).with_range(f32::NEG_INFINITY, f32::INFINITY));
        }
        assert_equals_brute_force(name, &mesh, &grid, &rays);
    }
}

/// Distances at which f32 parameters cannot resolve single cells.
#[test]
fn rays_from_far_away_equal_brute_force_and_end() {
    let mut rng = Rng::new(9);
    let mesh = height_field(30, -15.0, 3.0);
    let grid = UniformGrid::new(&mesh);
    let mut rays = Vec::new();
    for number in 0..2_000_u16 {
        let distance = (0..number % 13).fold(1e3, |distance: f32, _| distance * 10.0);
        let direction: [f32; 3] = rng.point(-1.0, 1.0);
        let target: [f32; 3] = rng.point(-10.0, 10.0);
        let origin = core::array::from_fn(|axis| target[axis] - distance * direction[axis]);
        rays.push(Ray::new(origin, direction));
        rays.push(Ray::new(target, direction.map(|c| c / distance)));
    }
    assert_equals_brute_force("a height field", &mesh, &grid, &rays);
}

#[test]
fn each_cell_is_visited_at_most_once_and_in_order_of_entry() {
    let mesh = triangle_soup(300);
    let grid = UniformGrid::new(&mesh);
    let mut rng = Rng::new(10);
    for _ in 0..300 {
        let direction: [f32; 3] = rng.point(-1.0, 1.0);
        let ray = Ray::new(rng.point(-0.5, 1.5), direction);
        let mut trace = TraversalTrace::default();
        grid.all_hits_observed(&ray, &mut trace);
        let mut previous = f32::NEG_INFINITY;
        for (number, cell) in trace.nodes.iter().enumerate() {
            assert!(!trace.nodes[..number].contains(cell), "{ray:?}: {cell:?} twice");
            let entry = (0..3).fold(0.0, |entry: f32, axis| {
                let plane = if direction[axis] < 0.0 { cell.max } else { cell.min };
                let t = (plane[axis] - ray.origin[axis]) / direction[axis];
                if t > entry { t } else { entry }
            });
            assert!(entry >= previous - 1e-4, "{ray:?}: {entry} after {previous}");
            previous = entry;
        }
    }
}

#[test]
fn traversal_ends_in_the_cell_of_the_closest_hit() {
    let grid = UniformGrid::new(&height_field(100, 0.0, 1.0));
    let mut stats = TraversalStats::default();
    let ray = Ray::new([50.3, 50.6, 900.0], [0.0, 0.0, -1.0]);
    assert!(grid.closest_hit_observed(&ray, &mut stats).is_some_and(|hit| hit.t > 7.0));
    assert!((1..10).contains(&stats.nodes_visited) && stats.triangle_tests < 50, "{stats:?}");
    let mut short = TraversalStats::default();
    assert!(grid.closest_hit_observed(&ray.with_range(0.0, 800.0), &mut short).is_none());
    assert_eq!(short.nodes_visited, 0, "the range ends before the grid");
}

#[test]
fn lists_of_a_soup_of_large_triangles_are_bounded() {
    let mesh = triangle_soup(3_000);
    let grid = UniformGrid::with_density(&mesh, 64.0);
    let bytes = grid.memory_usage() / 3_000;
    assert!(bytes <= 1_300, "{bytes} bytes per triangle");
}

#[test]
fn invalid_densities_are_clamped() {
    let mesh = height_field(20, 0.0, 1.0);
    let cells =
        |density| UniformGrid::with_density(&mesh, density).resolution().iter().product::<usize>();
    for density in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
        assert_eq!(cells(density), cells(1.0 / 64.0), "{density}");
    }
    assert_eq!(cells(f32::INFINITY), cells(64.0));
    assert!(cells(1.0 / 64.0) < cells(1.0) && cells(1.0) < cells(64.0));
}

#[test]
fn triangles_are_listed_where_they_are_and_not_in_the_whole_of_their_box() {
    let diagonal = vec![[0.0, 0.0, 0.0], [10.0, 10.0, 10.0], [10.0, 9.5, 10.0]];
    let mesh = TriangleMesh::new(diagonal, vec![[0, 1, 2]; 100]).unwrap();
    let grid = UniformGrid::with_density(&mesh, 2.5);
    let cells = grid.resolution().iter().product::<usize>();
    let mut listed = 0;
    grid.visit_nodes(1, |node| {
        listed += usize::from(node.depth == 1);
        true
    });
    assert!(listed * 5 < cells, "{listed} of {cells} cells");
}

#[test]
fn visited_cells_are_in_the_grid_and_can_be_skipped() {
    let grid = UniformGrid::new(&triangle_soup(100));
    let mut nodes = Vec::new();
    grid.visit_nodes(u32::MAX, |node| {
        nodes.push(node);
        true
    });
    assert_eq!((nodes[0].depth, nodes[0].triangles), (0, None));
    for node in &nodes[1..] {
        assert_eq!(nodes[0].bounds.merged(&node.bounds), nodes[0].bounds);
    }
    let references: u32 = nodes.iter().filter_map(|node| node.triangles).sum();
    assert_eq!(references as usize, grid.lists.id_count());
    let mut visited = 0;
    grid.visit_nodes(u32::MAX, |_| {
        visited += 1;
        false
    });
    assert_eq!(visited, 1);
    UniformGrid::new(&TriangleMesh::default()).visit_nodes(9, |_| unreachable!("no cells"));
}
