//! Every structure of ours answers as brute force does, to the bit, on meshes and rays of every awkward kind.

use embate::rays::{Brute, Bvh, Octree, Preset, RayIndex, RayTechnique, TriangleIndex};
use embate::{Hit, Ray, TriangleMesh};
use embate_contracts::aimed_rays::after_a_move;
use embate_contracts::closed_meshes;
use embate_lab::random::Random;
use embate_lab::scenes::{Family, house, random_triangles};

/// Each mesh is asked this many rays of every kind.
const RAYS: usize = 400;

fn bits(hit: &Hit) -> [u32; 4] {
    [hit.triangle, hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits()]
}

#[track_caller]
fn assert_equals_brute_force(what: &str, mesh: &TriangleMesh, rays: &[Ray<3>]) {
    let brute = Brute::new(mesh);
    for technique in RayTechnique::ALL.into_iter().filter(|t| t.judge() == RayTechnique::Brute) {
        assert_answers_as(&brute, technique.name(), &technique.build(mesh), what, rays);
    }
    for preset in Preset::ALL.into_iter().filter(|&preset| preset != Preset::Balanced) {
        assert_answers_as(&brute, preset.name(), &Bvh::with(mesh, preset), what, rays);
    }
}

#[track_caller]
fn assert_answers_as(
    brute: &Brute,
    name: &str,
    index: &impl RayIndex,
    what: &str,
    rays: &[Ray<3>],
) {
    let (batch, any_batch) = (index.closest_hits(rays), index.any_hits(rays));
    for (number, ray) in rays.iter().enumerate() {
        let who = || format!("{name} on {what}: {ray:?}");
        let expected = brute.all_hits(ray);
        let found: Vec<_> = index.all_hits(ray).iter().map(bits).collect();
        assert_eq!(found, expected.iter().map(bits).collect::<Vec<_>>(), "{}", who());
        let closest = brute.closest_hit(ray);
        assert_eq!(closest.as_ref().map(bits), expected.first().map(bits), "{}", who());
        assert_eq!(
            index.closest_hit(ray).as_ref().map(bits),
            closest.as_ref().map(bits),
            "{}",
            who()
        );
        assert_eq!(index.any_hit(ray), closest.is_some(), "{}", who());
        let answer = batch[number].as_ref().map(bits);
        assert_eq!(answer, closest.as_ref().map(bits), "in a batch: {}", who());
        assert_eq!(any_batch[number], closest.is_some(), "in a batch: {}", who());
    }
}

/// As [`assert_equals_brute_force`], of trees that followed moving vertices, or were saved and loaded.
#[track_caller]
fn assert_kept_ones_equal_brute_force(what: &str, mesh: &TriangleMesh, rays: &[Ray<3>]) {
    let brute = Brute::new(mesh);
    let again = |index: &TriangleIndex| TriangleIndex::from_bytes(&index.to_bytes()).unwrap();
    let moved = after_a_move(mesh);
    let kept = [
        ("bvh, saved", again(&TriangleIndex::by(Bvh::new, mesh.clone()))),
        ("octree, saved", again(&TriangleIndex::by(Octree::new, mesh.clone()))),
        ("bvh, moved and saved", again(&moved)),
        ("bvh, moved", moved),
    ];
    for (who, index) in &kept {
        for ray in rays {
            let expected: Vec<_> = brute.all_hits(ray).iter().map(bits).collect();
            let found: Vec<_> = index.all_hits(ray).iter().map(bits).collect();
            assert_eq!(found, expected, "{who} on {what}: {ray:?}");
            let closest = index.closest_hit(ray).as_ref().map(bits);
            assert_eq!(closest, expected.first().copied(), "{who} on {what}: {ray:?}");
            assert_eq!(index.any_hit(ray), closest.is_some(), "{who} on {what}: {ray:?}");
        }
    }
}

/// Random rays, rays through vertices and edges, along axes and faces, nearly edge-on, with ranges of all kinds.
fn rays(mesh: &TriangleMesh, random: &mut Random) -> Vec<Ray<3>> {
    let Some(bounds) = mesh.bounds() else {
        return vec![Ray::new([0.0; 3], [0.0, 0.0, 1.0])];
    };
    let mut rays = Vec::new();
    for number in 0..RAYS {
        let mut place = |overhang: f32| -> [f32; 3] {
            core::array::from_fn(|axis| {
                let (low, high) = (bounds.min[axis], bounds.max[axis]);
                let margin = (high - low) * overhang;
                random.between(low - margin, high + margin)
            })
        };
        let (origin, target) = (place(0.2), place(0.0));
        let [a, b, c] = mesh.triangle(random.below(mesh.triangles().len() as u32)).0;
        let share = random.unit();
        let on_edge = core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share);
        // Along the triangle, from outside of it, up to a rounding or a thousand.
        let mut in_plane = |reach: f32, off: f32| -> [f32; 3] {
            let (along, aside) = (random.between(-reach, reach), random.between(-reach, reach));
            core::array::from_fn(|axis| {
                let side = (b[axis] - a[axis]) * along + (c[axis] - a[axis]) * aside;
                a[axis] + side + side * random.between(-off, off)
            })
        };
        let edge_on = [0.0, 1e-6, 1e-4].map(|off| (in_plane(3.0, off), in_plane(0.6, 0.0)));
        let beyond = |to| Ray { t_max: f32::INFINITY, ..Ray::between(origin, to) };
        rays.extend([beyond(target), beyond(a), beyond(on_edge), Ray::between(a, b)]);
        // In the plane of a vertex, along an axis, with zeros of both signs.
        let (axis, zero) = (number % 3, if number % 2 == 0 { 0.0 } else { -0.0 });
        let (mut start, mut along) = (a, [zero; 3]);
        start[axis] = origin[axis];
        along[axis] = if number % 5 == 0 { -1.0 } else { 1.0 };
        rays.push(Ray::new(start, along));
        let (from, to) = (random.between(-1.0, 0.5), random.between(0.0, 1.5));
        rays.push(beyond(target).within(from, to));
        rays.push(beyond(target).within(f32::NEG_INFINITY, f32::INFINITY));
        rays.push(beyond(on_edge).culling_back_faces());
        for (from, to) in edge_on {
            rays.push(Ray { t_max: f32::INFINITY, ..Ray::between(from, to) });
        }
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        rays.push(Ray::new([bad, 0.0, 0.0], [0.0, 0.0, 1.0]));
        rays.push(Ray::new(bounds.min, [1.0, bad, 0.0]));
        rays.push(Ray::new(bounds.min, [1.0; 3]).within(bad, 1.0));
        rays.push(Ray::new(bounds.min, [1.0; 3]).within(0.0, bad));
    }
    rays.push(Ray::new(bounds.min, [0.0; 3]));
    rays.push(Ray::new(bounds.min, [-0.0; 3]));
    rays
}

/// Triangles whose corners `corner` gives, none shared.
fn loose(count: u32, mut corner: impl FnMut(u32) -> [f32; 3]) -> TriangleMesh {
    let positions = (0..3 * count).map(&mut corner).collect();
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(positions, triangles).expect("finite and in range")
}

fn scaled(mesh: &TriangleMesh, scale: f32) -> TriangleMesh {
    let positions = mesh.positions().iter().map(|p| p.map(|c| c * scale)).collect();
    TriangleMesh::new(positions, mesh.triangles().to_vec()).expect("in range")
}

fn check(what: &str, mesh: &TriangleMesh, seed: u64) {
    let rays = rays(mesh, &mut Random::new(seed));
    assert_equals_brute_force(what, mesh, &rays);
    let some: Vec<Ray<3>> = rays.into_iter().step_by(5).collect();
    assert_kept_ones_equal_brute_force(what, mesh, &some);
}

#[test]
fn on_soups_of_small_large_and_huge_triangles() {
    for (seed, family) in (0..).zip(Family::ALL) {
        for count in [1, 7, 8, 9, 65, 1_500] {
            let mesh = random_triangles(family, count, &mut Random::new(seed));
            check(&format!("{count} of {}", family.name()), &mesh, seed);
        }
    }
}

#[test]
fn on_closed_meshes_near_and_far_and_on_the_house() {
    for shift in [[0.0; 3], [148_376.0, 1_234.0, -223_423.0]] {
        for closed in closed_meshes::all(shift) {
            check(&closed.name, &closed.mesh, 5);
        }
    }
    check("house", &house(), 6);
}

#[test]
fn on_triangles_that_coincide() {
    let mut random = Random::new(7);
    let shapes: Vec<[f32; 3]> =
        (0..9).map(|_| core::array::from_fn(|_| random.between(-1.0, 1.0))).collect();
    check("a thousand copies of three", &loose(1_000, |i| shapes[i as usize % 9]), 8);
}

#[test]
fn on_triangles_without_area() {
    let mut random = Random::new(9);
    let points = loose(300, |i| [(i / 3) as f32, 0.0, 1.0]);
    check("points", &points, 10);
    let needles = loose(300, |i| [(i / 3 % 17) as f32, (i % 3) as f32, 1.0]);
    check("needles", &needles, 11);
    let flat = loose(500, |_| [random.between(0.0, 9.0), random.between(0.0, 9.0), 2.0]);
    check("a plane", &flat, 12);
    check("one point many times", &loose(100, |_| [1.0, 2.0, 3.0]), 13);
}

#[test]
fn on_sizes_that_differ_by_powers_of_ten_and_at_the_ends_of_the_domain() {
    let mut random = Random::new(14);
    let spread = loose(900, |i| {
        let size = (0..i / 3 % 30).fold(1e-14, |size, _| size * 10.0);
        core::array::from_fn(|_| size * random.between(-1.0, 1.0))
    });
    check("thirty sizes", &spread, 15);
    let soup = random_triangles(Family::High, 400, &mut random);
    let largest = soup
        .positions()
        .iter()
        .flatten()
        .fold(0.0_f32, |a, c| if c.abs() > a { c.abs() } else { a });
    for scale in [1e-17 / largest, 9e17 / largest] {
        check(&format!("a soup of size {}", scale * largest), &scaled(&soup, scale), 16);
    }
}

#[test]
fn on_nothing() {
    check("no triangles", &loose(0, |_| [0.0; 3]), 17);
}
