//! Instances against the definition: brute force over every instance in its local frame.

use embate_geom::{CullMode, Pose, Rotation, Vec3};
use embate_mesh::TriangleMesh;
use embate_test_util::Rng;

use crate::raycast::instances::*;
use crate::raycast::{BruteForce, RayIndex};

/// Coordinates uniform in `-size..size`.
fn random_point(rng: &mut Rng, size: f32) -> [f32; 3] {
    rng.point(-size, size)
}

fn random_rotation(rng: &mut Rng) -> Rotation {
    let axis = random_point(rng, 1.0);
    Rotation::from_axis_angle(Vec3::from(axis), rng.between(-4.0, 4.0)).unwrap()
}

fn random_pose(rng: &mut Rng, size: f32) -> Affine {
    let position = Vec3::from(random_point(rng, size));
    Affine::from_pose(&Pose { rotation: random_rotation(rng), position }).unwrap()
}

/// Octahedron around the origin, subdivided towards the unit sphere.
fn sphere_mesh(subdivisions: u32) -> TriangleMesh {
    let vertices: [[f32; 3]; 6] =
        [[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]];
    let faces =
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mut triangles: Vec<[[f32; 3]; 3]> =
        faces.iter().map(|face| face.map(|vertex| vertices[vertex])).collect();
    let midpoint = |a: [f32; 3], b: [f32; 3]| {
        let sum = Vec3::from(a) + Vec3::from(b);
        sum.try_normalize().unwrap().to_array()
    };
    for _ in 0..subdivisions {
        let subdivide = |&[a, b, c]: &[[f32; 3]; 3]| {
            let (ab, bc, ca) = (midpoint(a, b), midpoint(b, c), midpoint(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.iter().flat_map(subdivide).collect();
    }
    let count = triangles.len() as u32;
    let indices = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(triangles.concat(), indices).unwrap()
}

fn reference_hits(instances: &Instances, ray: &Ray<3>) -> Vec<InstanceHit> {
    let mut hits = Vec::new();
    for instance in 0..instances.len() as u32 {
        let (index, transform) = instances.get(instance).unwrap();
        let found = BruteForce::new(index.mesh()).all_hits(&transform.inverse_transform_ray(ray));
        hits.extend(found.into_iter().map(|hit| InstanceHit { instance, hit }));
    }
    hits.sort_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.ids().cmp(&b.ids())));
    hits
}

fn bits(hit: &InstanceHit) -> [u32; 5] {
    let TriangleHit { t, triangle, u, v } = hit.hit;
    [hit.instance, triangle, t.to_bits(), u.to_bits(), v.to_bits()]
}

/// Compares all queries with the reference; returns the number of hits.
#[track_caller]
fn assert_equals_reference(instances: &Instances, rays: &[Ray<3>]) -> usize {
    let mut hits = 0;
    let (closest_batch, any_batch) = (instances.closest_hits(rays), instances.any_hits(rays));
    for (index, ray) in rays.iter().enumerate() {
        let expected: Vec<_> = reference_hits(instances, ray).iter().map(bits).collect();
        let found: Vec<_> = instances.all_hits(ray).iter().map(bits).collect();
        assert_eq!(found, expected, "{ray:?}");
        let closest = instances.closest_hit(ray);
        assert_eq!(closest.as_ref().map(bits), expected.first().copied(), "{ray:?}");
        assert_eq!(closest_batch[index], closest, "{ray:?}");
        assert_eq!([instances.any_hit(ray), any_batch[index]], [closest.is_some(); 2], "{ray:?}");
        hits += expected.len();
    }
    hits
}

/// Random rays, rays at vertices, parallel to an axis, with various ranges. Origins are uniform in
/// `-size..size`.
fn mixed_rays(instances: &Instances, size: f32, count: u32, rng: &mut Rng) -> Vec<Ray<3>> {
    (0..count)
        .map(|i| {
            let instance = i % instances.len() as u32;
            let (index, transform) = instances.get(instance).unwrap();
            let positions = index.mesh().positions();
            let target = transform.transform_point(positions[i as usize % positions.len()]);
            let origin = random_point(rng, size);
            let at_vertex = Ray { t_max: f32::INFINITY, ..Ray::segment(origin, target) };
            match i % 6 {
                0 => Ray::new(origin, random_point(rng, 1.0)),
                1 => at_vertex,
                2 => at_vertex.with_range(rng.between(-1.0, 1.0), 1.0 + rng.between(-1.0, 1.0)),
                3 => at_vertex.with_backface_culling(),
                4 => Ray::new([origin[0], target[1], target[2]], [1.0, 0.0, -0.0]),
                _ => Ray::segment(origin, target),
            }
        })
        .collect()
}

#[test]
fn rigid_instances_equal_the_reference_also_after_set_transforms() {
    let mut rng = Rng::new(1);
    let meshes = [0, 2].map(|subdivisions| Arc::new(TriangleIndex::new(sphere_mesh(subdivisions))));
    let placements: Vec<_> =
        (0..60).map(|i| (meshes[i % 2].clone(), random_pose(&mut rng, 6.0))).collect();
    let mut instances = Instances::new(placements);
    let rays = mixed_rays(&instances, 9.0, 600, &mut rng);
    assert!(assert_equals_reference(&instances, &rays) > 1_000);
    // Moves every second instance.
    instances.set_transforms((0..30).map(|i| (2 * i, random_pose(&mut rng, 3.0))));
    let rays = mixed_rays(&instances, 9.0, 600, &mut rng);
    assert!(assert_equals_reference(&instances, &rays) > 1_000);
}

#[test]
fn scaled_mirrored_and_sheared_instances_equal_the_reference() {
    let mut rng = Rng::new(2);
    let mesh = Arc::new(TriangleIndex::new(sphere_mesh(1)));
    for size in [1e-4, 1.0, 1e5] {
        let placements: Vec<_> = std::iter::repeat_with(|| {
            let basis = [(); 3].map(|()| random_point(&mut rng, size));
            Affine::new(basis, random_point(&mut rng, 3.0 * size)).ok()
        })
        .filter_map(|transform| Some((mesh.clone(), transform?)))
        .take(40)
        .collect();
        let instances = Instances::new(placements);
        let rays = mixed_rays(&instances, 5.0 * size, 400, &mut rng);
        assert!(assert_equals_reference(&instances, &rays) > 500);
    }
}

/// Far from the origin the local and the world frame round differently: the TLAS boxes must be
/// grown by that error.
#[test]
fn rays_from_far_away_lose_no_hit() {
    let mut rng = Rng::new(3);
    let mesh = Arc::new(TriangleIndex::new(sphere_mesh(2)));
    for (shift, distance) in [(0.0, 1e6), (3e5, 1.0), (3e5, 1e6), (1e6, 1e3)] {
        let placements: Vec<_> = (0..20)
            .map(|_| {
                let rotation = random_rotation(&mut rng);
                let position = Vec3::from(random_point(&mut rng, 4.0).map(|c| c + shift));
                (mesh.clone(), Affine::from_pose(&Pose { rotation, position }).unwrap())
            })
            .collect();
        let instances = Instances::new(placements);
        let mut rays = mixed_rays(&instances, distance, 300, &mut rng);
        for ray in &mut rays {
            ray.origin = ray.origin.map(|c| c + shift);
        }
        assert_equals_reference(&instances, &rays);
        // Tangential to the sides of the boxes.
        let tangents: Vec<Ray<3>> = (0..20)
            .map(|instance| {
                let (_, transform) = instances.get(instance).unwrap();
                let mut origin = transform.transform_point([0.0; 3]);
                origin[0] -= distance;
                origin[1] += 1.0;
                Ray::new(origin, [1.0, 0.0, 0.0])
            })
            .collect();
        assert_equals_reference(&instances, &tangents);
    }
}

#[test]
fn closed_instance_is_watertight() {
    let mut rng = Rng::new(4);
    let mesh = Arc::new(TriangleIndex::new(sphere_mesh(2)));
    for _ in 0..50 {
        let transform = random_pose(&mut rng, 100.0);
        let instances = Instances::new([(mesh.clone(), transform)]);
        for &vertex in mesh.mesh().positions() {
            let from = transform.transform_point([0.1, -0.2, 0.05]);
            let ray = Ray::segment(from, transform.transform_point(vertex));
            let ray = Ray { t_max: f32::INFINITY, ..ray };
            assert!(instances.closest_hit(&ray).is_some(), "{transform:?} {vertex:?}");
        }
    }
}

#[test]
fn smallest_instance_index_wins_among_coincident_instances() {
    let mesh = Arc::new(TriangleIndex::new(sphere_mesh(0)));
    let instances = Instances::new((0..5).map(|_| (mesh.clone(), Affine::IDENTITY)));
    let ray = Ray::new([0.1, 0.2, -5.0], [0.0, 0.0, 1.0]);
    let closest = instances.closest_hit(&ray).unwrap();
    assert_eq!(closest.instance, 0);
    let filtered = instances.closest_hit_filtered(&ray, |hit| hit.instance > 2).unwrap();
    assert_eq!((filtered.instance, filtered.hit), (3, closest.hit));
    assert_eq!(instances.all_hits(&ray).len(), 10);
}

#[test]
fn mirrored_instance_keeps_its_front_faces_outside() {
    let mesh = Arc::new(TriangleIndex::new(sphere_mesh(1)));
    let mirrored =
        Affine::new([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let instances = Instances::new([(mesh, mirrored)]);
    let ray = Ray::new([0.1, 0.2, -5.0], [0.0, 0.0, 1.0]).with_backface_culling();
    assert_eq!(ray.cull_mode, CullMode::BackFaces);
    assert!(instances.closest_hit(&ray).unwrap().hit.t < 5.0);
    assert_eq!(instances.all_hits(&ray).len(), 1);
}

#[test]
fn empty_scenes_and_nan_rays_have_no_hits() {
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    let empty = Arc::new(TriangleIndex::new(TriangleMesh::default()));
    for instances in [Instances::default(), Instances::new([(empty, Affine::IDENTITY)])] {
        assert_eq!(instances.closest_hit(&ray), None);
        assert!(instances.is_visible([0.0; 3], [1.0; 3]));
    }
    let sphere = Arc::new(TriangleIndex::new(sphere_mesh(0)));
    let instances = Instances::new([(sphere, Affine::IDENTITY)]);
    assert!(!instances.any_hit(&Ray::new([f32::NAN; 3], [0.0, 0.0, 1.0])));
    assert!(!instances.is_visible([f32::NAN; 3], [0.0; 3]));
}
