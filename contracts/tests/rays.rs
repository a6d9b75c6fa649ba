//! Difficult rays: watertightness, accuracy and conservative pruning, at 1/100 of the size of the
//! soak.

use embate::geometry::{RaySlabs, TriangleHit, WatertightRay};
use embate::raycast::{BruteForce, RayIndex};
use embate::{Ray, Triangle};
use embate_contracts::aimed_rays::{RayOutcome, aimed_rays, integer_wall};
use embate_replica::lorenzi2014::UnitCubeMap;
use embate_scene::generators::{Family, random_rays, random_triangles};
use embate_scene::random::Random;

#[test]
fn aimed_rays_do_not_leak_and_structures_equal_brute_force() {
    let outcome = aimed_rays(1_000_000, &|_| ());
    assert_eq!(outcome, RayOutcome { rays: 1_000_000, leaks: 0, differences: 0 });
}

#[test]
fn axis_parallel_rays_hit_an_integer_wall_everywhere() {
    let (rays, misses) = integer_wall(16);
    assert_eq!(misses, 0, "of {rays}");
}

/// Two-sided Möller–Trumbore test in f64: `t`, and the smallest barycentric weight.
fn reference_hit(ray: &Ray<3>, triangle: &Triangle) -> Option<(f64, f64)> {
    let [a, b, c] = triangle.0.map(|vertex| vertex.map(f64::from));
    let (origin, direction) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let (e1, e2) = (minus(b, a), minus(c, a));
    let p = cross(direction, e2);
    let det = dot(e1, p);
    let r = minus(origin, a);
    let q = cross(r, e1);
    let (u, v, t) = (dot(r, p) / det, dot(direction, q) / det, dot(e2, q) / det);
    let inside = u.min(v).min(1.0 - u - v);
    inside.is_finite().then_some((t, inside))
}

#[test]
fn hits_equal_those_of_an_f64_reference() {
    let mut random = Random::new(21);
    let mesh = random_triangles(Family::Medium, 500, &mut random);
    let rays = random_rays(UnitCubeMap::IDENTITY, 1_000, &mut random);
    let mut hits = 0;
    for ray in &rays {
        let found = BruteForce::new(&mesh).all_hits(ray);
        for (index, triangle) in (0..).zip(mesh.iter_triangles()) {
            let Some((t, inside)) = reference_hit(ray, &triangle) else { continue };
            let hit = found.iter().find(|hit| hit.triangle == index);
            // Within rounding of an edge or of the origin, hit and miss are both right.
            if inside.abs() > 1e-4 && t.abs() > 1e-3 {
                assert_eq!(hit.is_some(), inside > 0.0 && t > 0.0, "{ray:?} {triangle:?}");
            }
            if let Some(hit) = hit {
                assert!((f64::from(hit.t) - t).abs() <= 1e-3 * t.abs().max(1.0), "{hit:?} {t}");
                hits += 1;
            }
        }
    }
    assert!(hits > 1_000, "{hits}");
}

/// Conservative pruning: a box that contains the padded box of a triangle is entered before the
/// padded `t` of its hit, for any edge-on, thin, near or distant triangle.
#[test]
fn padded_box_is_entered_before_the_padded_t_of_a_hit() {
    let mut random = Random::new(22);
    let mut hits = 0;
    for round in 0..2_000_000_u32 {
        let reach = [1.0, 1e-6, 1e6, 1e3][round as usize % 4];
        let flat = [1.0, 1e-7, 0.0][round as usize % 3];
        let mut vertex = || {
            let side = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
            [side[0] * reach, side[1], random.between(-1.0, 1.0) * flat]
        };
        let triangle = Triangle([vertex(), vertex(), vertex()]);
        let min = triangle.aabb().min;
        let target = core::array::from_fn(|axis| {
            min[axis] + triangle.aabb().extents()[axis] * random.unit()
        });
        let origin =
            core::array::from_fn(|_| random.between(-2.0, 2.0) * [1.0, 1e-3][round as usize % 2]);
        let ray = Ray { t_max: f32::INFINITY, ..Ray::segment(origin, target) };
        let Some(hit) = WatertightRay::new(&ray).intersect_triangle(&triangle, 0, ray.t_max) else {
            continue;
        };
        hits += 1;
        let growth = random.unit() * random.unit();
        for bounds in [triangle.padded_aabb(), triangle.padded_aabb().loosened(growth)] {
            let interval =
                bounds.intersect_ray(&RaySlabs::new(&ray), 0.0, TriangleHit::padded_t(hit.t));
            assert!(interval.is_some(), "{ray:?} {triangle:?} {hit:?}");
        }
    }
    assert!(hits > 100_000, "{hits}");
}
