//! Ray-casting structures: bit-identical to brute force on difficult meshes and rays.

use embate::raycast::{BruteForce, BuildQuality, Bvh, RayIndex, RayIndexKind, TriangleIndex};
use embate::{Ray, TriangleMesh, geometry::TriangleHit};
use embate_contracts::aimed_rays::refitted_index;
use embate_contracts::closed_meshes;
use embate_scene::generators::{Family, house, random_triangles};
use embate_scene::random::Random;

/// Number of rays of every kind per mesh.
const RAYS: usize = 400;

fn bits(hit: &TriangleHit) -> [u32; 4] {
    [hit.triangle, hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits()]
}

#[track_caller]
fn assert_equals_brute_force(mesh_name: &str, mesh: &TriangleMesh, rays: &[Ray<3>]) {
    let brute = BruteForce::new(mesh);
    for kind in RayIndexKind::ALL {
        assert_same_hits(&brute, kind.name(), &kind.build(mesh), mesh_name, rays);
    }
    for preset in BuildQuality::ALL.into_iter().filter(|&preset| preset != BuildQuality::Medium) {
        assert_same_hits(
            &brute,
            preset.name(),
            &Bvh::build_with_quality(mesh, preset),
            mesh_name,
            rays,
        );
    }
}

#[track_caller]
fn assert_same_hits(
    brute: &BruteForce,
    name: &str,
    index: &impl RayIndex,
    mesh_name: &str,
    rays: &[Ray<3>],
) {
    let (batch, any_batch) = (index.closest_hits(rays), index.any_hits(rays));
    for (index_of_ray, ray) in rays.iter().enumerate() {
        let context = || format!("{name} on {mesh_name}: {ray:?}");
        let expected = brute.all_hits(ray);
        let found: Vec<_> = index.all_hits(ray).iter().map(bits).collect();
        assert_eq!(found, expected.iter().map(bits).collect::<Vec<_>>(), "{}", context());
        let closest = brute.closest_hit(ray);
        assert_eq!(closest.as_ref().map(bits), expected.first().map(bits), "{}", context());
        assert_eq!(
            index.closest_hit(ray).as_ref().map(bits),
            closest.as_ref().map(bits),
            "{}",
            context()
        );
        assert_eq!(index.any_hit(ray), closest.is_some(), "{}", context());
        let hit = batch[index_of_ray].as_ref().map(bits);
        assert_eq!(hit, closest.as_ref().map(bits), "in a batch: {}", context());
        assert_eq!(any_batch[index_of_ray], closest.is_some(), "in a batch: {}", context());
    }
}

/// [`assert_equals_brute_force`] for refitted and deserialized structures.
#[track_caller]
fn assert_refitted_and_deserialized_equal_brute_force(
    mesh_name: &str,
    mesh: &TriangleMesh,
    rays: &[Ray<3>],
) {
    let brute = BruteForce::new(mesh);
    let reloaded = |index: &TriangleIndex| TriangleIndex::from_bytes(&index.to_bytes()).unwrap();
    let refitted = refitted_index(mesh);
    let saved = RayIndexKind::STRUCTURES.map(|kind| {
        let index = TriangleIndex::build_with(mesh.clone(), |mesh| kind.build(mesh));
        (format!("{}, saved", kind.name()), reloaded(&index))
    });
    let of_bvh = [
        ("bvh, refitted and reloaded".to_owned(), reloaded(&refitted)),
        ("bvh, refitted".to_owned(), refitted),
    ];
    for (name, index) in saved.iter().chain(&of_bvh) {
        for ray in rays {
            let expected: Vec<_> = brute.all_hits(ray).iter().map(bits).collect();
            let found: Vec<_> = index.all_hits(ray).iter().map(bits).collect();
            assert_eq!(found, expected, "{name} on {mesh_name}: {ray:?}");
            let closest = index.closest_hit(ray).as_ref().map(bits);
            assert_eq!(closest, expected.first().copied(), "{name} on {mesh_name}: {ray:?}");
            assert_eq!(index.any_hit(ray), closest.is_some(), "{name} on {mesh_name}: {ray:?}");
        }
    }
}

/// Random rays, rays through vertices and edges, axis-parallel, in planes of faces, nearly edge-on,
/// and with all kinds of ranges.
fn rays(mesh: &TriangleMesh, random: &mut Random) -> Vec<Ray<3>> {
    let Some(bounds) = mesh.bounds() else {
        return vec![Ray::new([0.0; 3], [0.0, 0.0, 1.0])];
    };
    let mut rays = Vec::new();
    for number in 0..RAYS {
        let mut point = |overhang: f32| -> [f32; 3] {
            core::array::from_fn(|axis| {
                let (low, high) = (bounds.min[axis], bounds.max[axis]);
                let margin = (high - low) * overhang;
                random.between(low - margin, high + margin)
            })
        };
        let (origin, target) = (point(0.2), point(0.0));
        let [a, b, c] = mesh.triangle(random.below(mesh.triangles().len() as u32)).0;
        let share = random.unit();
        let on_edge = core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share);
        // In the plane of the triangle, from outside of it, up to an error of `off`.
        let mut in_plane = |reach: f32, off: f32| -> [f32; 3] {
            let (along, aside) = (random.between(-reach, reach), random.between(-reach, reach));
            core::array::from_fn(|axis| {
                let side = (b[axis] - a[axis]) * along + (c[axis] - a[axis]) * aside;
                a[axis] + side + side * random.between(-off, off)
            })
        };
        let edge_on = [0.0, 1e-6, 1e-4].map(|off| (in_plane(3.0, off), in_plane(0.6, 0.0)));
        let beyond = |to| Ray { t_max: f32::INFINITY, ..Ray::segment(origin, to) };
        rays.extend([beyond(target), beyond(a), beyond(on_edge), Ray::segment(a, b)]);
        // Axis-parallel through a vertex, with zeros of both signs.
        let (axis, zero) = (number % 3, if number % 2 == 0 { 0.0 } else { -0.0 });
        let (mut start, mut along) = (a, [zero; 3]);
        start[axis] = origin[axis];
        along[axis] = if number % 5 == 0 { -1.0 } else { 1.0 };
        rays.push(Ray::new(start, along));
        let (from, to) = (random.between(-1.0, 0.5), random.between(0.0, 1.5));
        rays.push(beyond(target).with_range(from, to));
        rays.push(beyond(target).with_range(f32::NEG_INFINITY, f32::INFINITY));
        rays.push(beyond(on_edge).with_backface_culling());
        for (from, to) in edge_on {
            rays.push(Ray { t_max: f32::INFINITY, ..Ray::segment(from, to) });
        }
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        rays.push(Ray::new([bad, 0.0, 0.0], [0.0, 0.0, 1.0]));
        rays.push(Ray::new(bounds.min, [1.0, bad, 0.0]));
        rays.push(Ray::new(bounds.min, [1.0; 3]).with_range(bad, 1.0));
        rays.push(Ray::new(bounds.min, [1.0; 3]).with_range(0.0, bad));
    }
    rays.push(Ray::new(bounds.min, [0.0; 3]));
    rays.push(Ray::new(bounds.min, [-0.0; 3]));
    rays
}

/// Triangle soup: unshared vertices given by `vertex`.
fn soup(count: u32, mut vertex: impl FnMut(u32) -> [f32; 3]) -> TriangleMesh {
    let positions = (0..3 * count).map(&mut vertex).collect();
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(positions, triangles).expect("finite and in range")
}

fn scaled(mesh: &TriangleMesh, scale: f32) -> TriangleMesh {
    let positions = mesh.positions().iter().map(|p| p.map(|c| c * scale)).collect();
    TriangleMesh::new(positions, mesh.triangles().to_vec()).expect("in range")
}

fn check(mesh_name: &str, mesh: &TriangleMesh, seed: u64) {
    let rays = rays(mesh, &mut Random::new(seed));
    assert_equals_brute_force(mesh_name, mesh, &rays);
    let some: Vec<Ray<3>> = rays.into_iter().step_by(5).collect();
    assert_refitted_and_deserialized_equal_brute_force(mesh_name, mesh, &some);
}

#[test]
fn structures_equal_brute_force_on_soups_of_small_and_large_triangles() {
    for (seed, family) in (0..).zip(Family::ALL) {
        for count in [1, 7, 8, 9, 65, 1_500] {
            let mesh = random_triangles(family, count, &mut Random::new(seed));
            check(&format!("{count} of {}", family.name()), &mesh, seed);
        }
    }
}

#[test]
fn structures_equal_brute_force_on_closed_meshes_and_the_house() {
    for shift in [[0.0; 3], [148_376.0, 1_234.0, -223_423.0]] {
        for closed in closed_meshes::all(shift) {
            check(&closed.name, &closed.mesh, 5);
        }
    }
    check("house", &house(), 6);
}

#[test]
fn structures_equal_brute_force_on_coincident_triangles() {
    let mut random = Random::new(7);
    let shapes: Vec<[f32; 3]> =
        (0..9).map(|_| core::array::from_fn(|_| random.between(-1.0, 1.0))).collect();
    check("a thousand copies of three", &soup(1_000, |i| shapes[i as usize % 9]), 8);
}

#[test]
fn structures_equal_brute_force_on_degenerate_triangles() {
    let mut random = Random::new(9);
    let points = soup(300, |i| [(i / 3) as f32, 0.0, 1.0]);
    check("points", &points, 10);
    let needles = soup(300, |i| [(i / 3 % 17) as f32, (i % 3) as f32, 1.0]);
    check("needles", &needles, 11);
    let flat = soup(500, |_| [random.between(0.0, 9.0), random.between(0.0, 9.0), 2.0]);
    check("a plane", &flat, 12);
    check("one repeated point", &soup(100, |_| [1.0, 2.0, 3.0]), 13);
}

#[test]
fn structures_equal_brute_force_on_extreme_sizes() {
    let mut random = Random::new(14);
    let spread = soup(900, |i| {
        let size = (0..i / 3 % 30).fold(1e-14, |size, _| size * 10.0);
        core::array::from_fn(|_| size * random.between(-1.0, 1.0))
    });
    check("thirty sizes", &spread, 15);
    let triangles = random_triangles(Family::High, 400, &mut random);
    let largest = triangles
        .positions()
        .iter()
        .flatten()
        .fold(0.0_f32, |a, c| if c.abs() > a { c.abs() } else { a });
    for scale in [1e-17 / largest, 9e17 / largest] {
        check(&format!("a soup of size {}", scale * largest), &scaled(&triangles, scale), 16);
    }
}

#[test]
fn structures_equal_brute_force_on_an_empty_mesh() {
    check("no triangles", &soup(0, |_| [0.0; 3]), 17);
}
