//! Hard rays, at a hundredth of the soak's size.

use embate::rays::{Brute, RayIndex, StudyFit};
use embate::{Hit, Ray, ShearedRay, SlabRay, Triangle};
use embate_contracts::aimed_rays::{Outcome, aimed_rays, integer_wall};
use embate_lab::random::Random;
use embate_lab::scenes::{Family, random_rays, random_triangles};

#[test]
fn no_aimed_ray_leaks_and_every_structure_equals_brute_force() {
    let outcome = aimed_rays(1_000_000, &|_| ());
    assert_eq!(outcome, Outcome { rays: 1_000_000, leaks: 0, differences: 0 });
}

#[test]
fn axis_parallel_rays_through_an_integer_wall_all_hit_it() {
    let (rays, misses) = integer_wall(16);
    assert_eq!(misses, 0, "of {rays}");
}

/// Möller–Trumbore in f64, two-sided: the distance, and how far inside the outline the hit is.
fn reference_hit(ray: &Ray<3>, triangle: &Triangle) -> Option<(f64, f64)> {
    let [a, b, c] = triangle.0.map(|corner| corner.map(f64::from));
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
fn hits_lie_where_double_precision_puts_them() {
    let mut random = Random::new(21);
    let mesh = random_triangles(Family::Medium, 500, &mut random);
    let rays = random_rays(StudyFit::IDENTITY, 1_000, &mut random);
    let mut hits = 0;
    for ray in &rays {
        let found = Brute::new(&mesh).all_hits(ray);
        for (index, triangle) in (0..).zip(mesh.corners()) {
            let Some((t, inside)) = reference_hit(ray, &triangle) else { continue };
            let hit = found.iter().find(|hit| hit.triangle == index);
            // Within a rounding of the outline or of the origin either answer is right.
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

/// What a tree relies on: a box that holds a triangle's guarded box is entered before what is beyond the hit,
/// however edge-on, thin, near or far the triangle is.
#[test]
fn no_box_around_a_triangle_begins_beyond_its_hit() {
    let mut random = Random::new(22);
    let mut hits = 0;
    for round in 0..2_000_000_u32 {
        let reach = [1.0, 1e-6, 1e6, 1e3][round as usize % 4];
        let flat = [1.0, 1e-7, 0.0][round as usize % 3];
        let mut corner = || {
            let side = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
            [side[0] * reach, side[1], random.between(-1.0, 1.0) * flat]
        };
        let triangle = Triangle([corner(), corner(), corner()]);
        let inside = triangle.bounds().min;
        let aim = core::array::from_fn(|axis| {
            inside[axis] + triangle.bounds().size()[axis] * random.unit()
        });
        let origin =
            core::array::from_fn(|_| random.between(-2.0, 2.0) * [1.0, 1e-3][round as usize % 2]);
        let ray = Ray { t_max: f32::INFINITY, ..Ray::between(origin, aim) };
        let Some(hit) = ShearedRay::new(&ray).hit(&triangle, 0, ray.t_max) else { continue };
        hits += 1;
        let growth = random.unit() * random.unit();
        for bounds in [triangle.guarded_bounds(), triangle.guarded_bounds().grown(growth)] {
            let crossing = bounds.crossing(&SlabRay::new(&ray), 0.0, Hit::beyond(hit.t));
            assert!(crossing.is_some(), "{ray:?} {triangle:?} {hit:?}");
        }
    }
    assert!(hits > 100_000, "{hits}");
}
