//! Comparison of a ray structure with brute force, on difficult meshes and rays.

use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;
use embate_test_util::Rng;

use crate::raycast::test_meshes::{bumpy_terrain, triangle_soup};
use crate::raycast::{BruteForce, RayIndex, TraversalStats};

/// Rays of each kind per mesh.
const RAYS: usize = 30;

fn bits(hit: &TriangleHit) -> [u32; 4] {
    [hit.triangle, hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits()]
}

/// Every query of `index` returns the bits of brute force, also with an observer.
#[track_caller]
pub(super) fn assert_equals_brute_force(
    name: &str,
    mesh: &TriangleMesh,
    index: &impl RayIndex,
    rays: &[Ray<3>],
) {
    let brute_force = BruteForce::new(mesh);
    let (batch, any_batch) = (index.closest_hits(rays), index.any_hits(rays));
    for (number, ray) in rays.iter().enumerate() {
        let expected: Vec<_> = brute_force.all_hits(ray).iter().map(bits).collect();
        let found: Vec<_> = index.all_hits(ray).iter().map(bits).collect();
        assert_eq!(found, expected, "all hits on {name}: {ray:?}");
        let closest = brute_force.closest_hit(ray).as_ref().map(bits);
        let mut stats = TraversalStats::default();
        for hit in
            [index.closest_hit(ray), index.closest_hit_observed(ray, &mut stats), batch[number]]
        {
            assert_eq!(hit.as_ref().map(bits), closest, "closest hit on {name}: {ray:?}");
        }
        for is_hit in
            [index.any_hit(ray), index.any_hit_observed(ray, &mut stats), any_batch[number]]
        {
            assert_eq!(is_hit, closest.is_some(), "any hit on {name}: {ray:?}");
        }
    }
}

fn mesh_of(triangles: &[[[f32; 3]; 3]]) -> TriangleMesh {
    let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    TriangleMesh::new(triangles.concat(), indices.collect()).unwrap()
}

/// Closed sphere of `rings` × `2 rings` quadrilaterals around `center`.
pub(super) fn sphere(rings: u32, radius: f32, center: [f32; 3]) -> TriangleMesh {
    let segments = 2 * rings;
    let mut vertices = Vec::new();
    for ring in 0..=rings {
        let (sin_latitude, cos_latitude) =
            embate_geom::scalar::sin_cos(core::f32::consts::PI * ring as f32 / rings as f32);
        // All vertices of a pole are one point.
        let sin_latitude = if ring.is_multiple_of(rings) { 0.0 } else { sin_latitude };
        for segment in 0..segments {
            let (sin, cos) = embate_geom::scalar::sin_cos(
                core::f32::consts::TAU * segment as f32 / segments as f32,
            );
            let unit = [sin_latitude * cos, sin_latitude * sin, cos_latitude];
            vertices.push(core::array::from_fn(|axis| center[axis] + radius * unit[axis]));
        }
    }
    let triangles = (0..rings * segments).flat_map(|quad| {
        let (ring, segment) = (quad / segments, quad % segments);
        let at = |ring: u32, segment: u32| ring * segments + segment % segments;
        let [a, b] = [at(ring, segment), at(ring, segment + 1)];
        let [c, d] = [at(ring + 1, segment), at(ring + 1, segment + 1)];
        [[a, c, b], [b, c, d]]
    });
    TriangleMesh::new(vertices, triangles.collect()).unwrap()
}

/// Meshes that are empty, tiny, huge, flat, degenerate, coincident or of mixed sizes, by name.
pub(super) fn difficult_meshes() -> Vec<(&'static str, TriangleMesh)> {
    let mut rng = Rng::new(41);
    let flat_square: Vec<[[f32; 3]; 3]> = (0..400_u16)
        .map(|i| {
            let (x, y) = (f32::from(i % 20), f32::from(i / 20));
            [[x, y, 0.0], [x + 1.0, y, 0.0], [x, y + 1.0, 0.0]]
        })
        .collect();
    let coincident = [[[0.1, 0.2, 0.3], [1.1, 0.2, 0.4], [0.2, 0.9, 0.8]]; 300];
    let huge = [[-1e4, -1e4, 0.7], [1e4, -1e4, 0.1], [0.0, 2e4, 0.5]];
    let mut huge_and_tiny = vec![huge];
    huge_and_tiny.extend((0..500).map(|_| {
        let center: [f32; 3] = rng.point(0.0, 1.0);
        core::array::from_fn(|_| {
            let offset: [f32; 3] = rng.point(-0.02, 0.02);
            core::array::from_fn(|axis| center[axis] + offset[axis])
        })
    }));
    let degenerate: Vec<[[f32; 3]; 3]> = (0..200_u16)
        .map(|i| {
            let (x, y) = (f32::from(i % 14), f32::from(i / 14));
            match i % 4 {
                0 => [[x, y, 0.0]; 3],
                1 => [[x, y, 0.0], [x + 1.0, y, 0.0], [x + 2.0, y, 0.0]],
                2 => [[x, y, 0.0], [x + 1.0, y, 0.0], [x + 0.5, y + 1e-6, 0.0]],
                _ => [[x, y, 0.0], [x + 1.0, y, 0.3], [x, y + 1.0, 0.6]],
            }
        })
        .collect();
    let sizes: Vec<[[f32; 3]; 3]> = (0..450_u16)
        .map(|i| {
            let size = (0..i % 31).fold(1e-15, |size: f32, _| size * 10.0);
            core::array::from_fn(|_| rng.point(-1.0, 1.0).map(|c| c * size))
        })
        .collect();
    let far: Vec<[f32; 3]> = bumpy_terrain()
        .positions()
        .iter()
        .map(|[x, y, z]| [x + 148_376.0, y + 1_234.0, z - 223_423.0])
        .collect();
    let far = TriangleMesh::new(far, bumpy_terrain().triangles().to_vec()).unwrap();
    vec![
        ("an empty mesh", TriangleMesh::default()),
        ("one triangle", mesh_of(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]])),
        ("one point", mesh_of(&[[[1.0, 2.0, 3.0]; 3]; 20])),
        ("the origin", mesh_of(&[[[0.0; 3]; 3]; 20])),
        (
            "two triangles far apart",
            mesh_of(&[
                [[-9e17; 3], [-8e17, -9e17, -9e17], [-9e17, -8e17, -8e17]],
                [[9e17; 3], [8e17, 9e17, 9e17], [9e17, 8e17, 8e17]],
            ]),
        ),
        ("a soup", triangle_soup(700)),
        ("a terrain", bumpy_terrain()),
        ("a distant terrain", far),
        ("a sphere", sphere(12, 1.0, [0.0; 3])),
        ("a small sphere", sphere(9, 1e-15, [0.0; 3])),
        ("a large sphere", sphere(9, 1e15, [3e14, 0.0, -1e14])),
        ("a flat square", mesh_of(&flat_square)),
        ("equal triangles", mesh_of(&coincident)),
        ("one huge and many tiny triangles", mesh_of(&huge_and_tiny)),
        ("degenerate triangles", mesh_of(&degenerate)),
        ("thirty sizes", mesh_of(&sizes)),
    ]
}

/// Rays of all kinds: random, aimed at vertices and edges, axis-parallel, in planes of triangles,
/// from inside, outside and far away, with every range, and invalid.
pub(super) fn difficult_rays(mesh: &TriangleMesh, seed: u64) -> Vec<Ray<3>> {
    let Some(bounds) = mesh.bounds() else {
        return vec![Ray::new([0.0; 3], [0.0, 0.0, 1.0]), Ray::new([0.0; 3], [1.0; 3])];
    };
    let mut rng = Rng::new(seed);
    let mut rays = Vec::new();
    let extent = bounds.max_extent();
    for number in 0..RAYS {
        let mut point = |overhang: f32| -> [f32; 3] {
            core::array::from_fn(|axis| {
                let margin = (bounds.max[axis] - bounds.min[axis]) * overhang;
                rng.between(bounds.min[axis] - margin, bounds.max[axis] + margin)
            })
        };
        let (outside, inside, target) = (point(0.5), point(0.0), point(0.0));
        let [a, b, c] = mesh.triangle(rng.below(mesh.triangles().len()) as u32).0;
        let mix = |p: [f32; 3], q: [f32; 3], share: f32| -> [f32; 3] {
            core::array::from_fn(|axis| p[axis] + (q[axis] - p[axis]) * share)
        };
        let on_edge = mix(a, b, rng.unit());
        let in_triangle = mix(on_edge, c, rng.unit());
        let beyond = |from, to| Ray { t_max: f32::INFINITY, ..Ray::segment(from, to) };
        let distance = [10.0, 1e3, 1e6, 1e12][number % 4];
        let far = outside.map(|c| c + distance * extent * rng.signed_unit());
        for from in [outside, inside, far] {
            rays.extend([target, a, on_edge, in_triangle].map(|to| beyond(from, to)));
        }
        // From a point of the surface, and within the plane of a triangle.
        rays.extend([beyond(a, target), beyond(on_edge, outside), beyond(c, on_edge)]);
        rays.extend([Ray::segment(a, b), Ray::segment(outside, in_triangle)]);
        // Axis-parallel through a vertex or a random point, with zeros of both signs.
        let (axis, zero) = (number % 3, if number % 2 == 0 { 0.0 } else { -0.0 });
        let sign = if number % 4 < 2 { 1.0 } else { -1.0 };
        for through in [a, inside] {
            let (mut start, mut along) = (through, [zero; 3]);
            start[axis] = bounds.min[axis] - sign * extent;
            along[axis] = sign;
            rays.push(Ray::new(start, along).with_range(-9.0 * extent, f32::INFINITY));
            // In an axis-aligned plane.
            along[(axis + 1) % 3] = 0.5 * sign;
            rays.push(Ray::new(start, along));
        }
        let (from, to) = (rng.between(-1.0, 0.5), rng.between(0.0, 1.5));
        rays.push(beyond(outside, target).with_range(from, to));
        rays.push(beyond(inside, a).with_range(f32::NEG_INFINITY, f32::INFINITY));
        rays.push(beyond(inside, target).with_range(-1.0, 0.0));
        rays.push(beyond(outside, on_edge).with_backface_culling());
        // Directions of extreme length.
        let direction = Ray::segment(outside, in_triangle).direction;
        rays.push(Ray::new(outside, direction.map(|c| c * 1e-15)));
        let scale = if extent > 1e9 { 1.0 } else { 1e9 };
        rays.push(Ray::new(outside, direction.map(|c| c * scale)));
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        rays.push(Ray::new([bad, 0.0, 0.0], [0.0, 0.0, 1.0]));
        rays.push(Ray::new(bounds.min, [1.0, bad, 0.0]));
        rays.push(Ray::new(bounds.min, [1.0; 3]).with_range(bad, 1.0));
        rays.push(Ray::new(bounds.min, [1.0; 3]).with_range(0.0, bad));
    }
    for magnitude in [1e20, 1e38, f32::MAX, 1e-38, 1e-45] {
        rays.push(Ray::new([magnitude, -magnitude, 0.5], [-1.0, 1.0, 0.0]));
        rays.push(Ray::new(bounds.max, [magnitude, -magnitude, -1.0]));
        rays.push(Ray::new(bounds.max, [-magnitude; 3]).with_range(-magnitude, magnitude));
    }
    rays.push(Ray::new(bounds.min, [0.0; 3]));
    rays.push(Ray::new(bounds.min, [-0.0; 3]));
    rays
}
