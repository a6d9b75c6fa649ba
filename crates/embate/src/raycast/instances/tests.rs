//! Against the definition: every instance asked by brute force, in its own frame.

use embate_geom::{Faces, Pose, Rotation, Vec3};
use embate_mesh::TriangleMesh;

use super::*;
use crate::rays::noise::Noise;
use crate::rays::{Brute, RayIndex};

fn turned(noise: &mut Noise) -> Rotation {
    let axis = noise.point(1.0);
    Rotation::about(Vec3::from(axis), noise.between(-4.0, 4.0)).unwrap()
}

/// An octahedron around the origin, each face cut in four `cuts` times.
fn ball(cuts: u32) -> TriangleMesh {
    let corners: [[f32; 3]; 6] =
        [[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]];
    let faces =
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mut triangles: Vec<[[f32; 3]; 3]> =
        faces.iter().map(|face| face.map(|corner| corners[corner])).collect();
    let middle = |a: [f32; 3], b: [f32; 3]| {
        let sum = Vec3::from(a) + Vec3::from(b);
        sum.normalised().unwrap().to_array()
    };
    for _ in 0..cuts {
        let four = |&[a, b, c]: &[[f32; 3]; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.iter().flat_map(four).collect();
    }
    let count = triangles.len() as u32;
    let numbers = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(triangles.concat(), numbers).unwrap()
}

/// The answer by the definition alone.
fn judge(instances: &Instances, ray: &Ray<3>) -> Vec<InstanceHit> {
    let mut hits = Vec::new();
    for instance in 0..instances.len() as u32 {
        let (index, affine) = instances.get(instance).unwrap();
        let found = Brute::new(index.mesh()).all_hits(&affine.local_ray(ray));
        hits.extend(found.into_iter().map(|hit| InstanceHit { instance, hit }));
    }
    hits.sort_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.numbers().cmp(&b.numbers())));
    hits
}

fn bits(hit: &InstanceHit) -> [u32; 5] {
    let Hit { t, triangle, u, v } = hit.hit;
    [hit.instance, triangle, t.to_bits(), u.to_bits(), v.to_bits()]
}

#[track_caller]
fn assert_agrees(instances: &Instances, rays: &[Ray<3>]) -> usize {
    let mut hits = 0;
    let (closest, any) = (instances.closest_hits(rays), instances.any_hits(rays));
    for (number, ray) in rays.iter().enumerate() {
        let expected: Vec<_> = judge(instances, ray).iter().map(bits).collect();
        let found: Vec<_> = instances.all_hits(ray).iter().map(bits).collect();
        assert_eq!(found, expected, "{ray:?}");
        let nearest = instances.closest_hit(ray);
        assert_eq!(nearest.as_ref().map(bits), expected.first().copied(), "{ray:?}");
        assert_eq!(closest[number], nearest, "{ray:?}");
        assert_eq!((instances.any_hit(ray), any[number]), (nearest.is_some(), nearest.is_some()));
        hits += expected.len();
    }
    hits
}

/// Rays from around to anywhere, at vertices, along axes, of all ranges.
fn rays(instances: &Instances, reach: f32, count: u32, noise: &mut Noise) -> Vec<Ray<3>> {
    (0..count)
        .map(|number| {
            let instance = number % instances.len() as u32;
            let (index, affine) = instances.get(instance).unwrap();
            let positions = index.mesh().positions();
            let target = affine.point(positions[number as usize % positions.len()]);
            let origin = noise.point(reach);
            let at = Ray { t_max: f32::INFINITY, ..Ray::between(origin, target) };
            match number % 6 {
                0 => Ray::new(origin, noise.point(1.0)),
                1 => at,
                2 => at.within(noise.between(-1.0, 1.0), 1.0 + noise.between(-1.0, 1.0)),
                3 => at.culling_back_faces(),
                4 => Ray::new([origin[0], target[1], target[2]], [1.0, 0.0, -0.0]),
                _ => Ray::between(origin, target),
            }
        })
        .collect()
}

#[test]
fn rigid_instances_answer_as_each_on_its_own() {
    let mut noise = Noise(1);
    let meshes = [0, 2].map(|cuts| Arc::new(TriangleIndex::new(ball(cuts))));
    let placements: Vec<_> = (0..60)
        .map(|i| {
            let position = Vec3::from(noise.point(6.0));
            let pose = Pose { rotation: turned(&mut noise), position };
            (meshes[i % 2].clone(), Affine::rigid(&pose).unwrap())
        })
        .collect();
    let mut instances = Instances::new(placements);
    let cast = rays(&instances, 9.0, 600, &mut noise);
    assert!(assert_agrees(&instances, &cast) > 1_000);
    // Half of them elsewhere.
    instances.place((0..30).map(|i| {
        let position = Vec3::from(noise.point(3.0));
        (2 * i, Affine::rigid(&Pose { rotation: turned(&mut noise), position }).unwrap())
    }));
    let cast = rays(&instances, 9.0, 600, &mut noise);
    assert!(assert_agrees(&instances, &cast) > 1_000);
}

#[test]
fn scaled_mirrored_and_sheared_instances_do_as_well() {
    let mut noise = Noise(2);
    let mesh = Arc::new(TriangleIndex::new(ball(1)));
    for size in [1e-4, 1.0, 1e5] {
        let placements: Vec<_> = std::iter::repeat_with(|| {
            let axes = [noise.point(size), noise.point(size), noise.point(size)];
            (mesh.clone(), Affine::new(axes, noise.point(3.0 * size)).ok())
        })
        .filter_map(|(mesh, affine)| Some((mesh, affine?)))
        .take(40)
        .collect();
        let instances = Instances::new(placements);
        let cast = rays(&instances, 5.0 * size, 400, &mut noise);
        assert!(assert_agrees(&instances, &cast) > 500);
    }
}

/// Far from the origin one frame rounds what the other does not: the boxes must be grown by that.
#[test]
fn rays_from_far_away_lose_nothing() {
    let mut noise = Noise(3);
    let mesh = Arc::new(TriangleIndex::new(ball(2)));
    for (shift, reach) in [(0.0, 1e6), (3e5, 1.0), (3e5, 1e6), (1e6, 1e3)] {
        let placements: Vec<_> = (0..20)
            .map(|_| {
                let rotation = turned(&mut noise);
                let at = noise.point(4.0).map(|c| c + shift);
                (mesh.clone(), Affine::rigid(&Pose { rotation, position: Vec3::from(at) }).unwrap())
            })
            .collect();
        let instances = Instances::new(placements);
        let mut cast = rays(&instances, reach, 300, &mut noise);
        for ray in &mut cast {
            ray.origin = ray.origin.map(|c| c + shift);
        }
        assert_agrees(&instances, &cast);
        // Along the very sides of their boxes.
        let tangents: Vec<Ray<3>> = (0..20)
            .map(|number| {
                let (_, affine) = instances.get(number).unwrap();
                let mut origin = affine.point([0.0; 3]);
                origin[0] -= reach;
                origin[1] += 1.0;
                Ray::new(origin, [1.0, 0.0, 0.0])
            })
            .collect();
        assert_agrees(&instances, &tangents);
    }
}

#[test]
fn no_ray_leaves_a_closed_instance() {
    let mut noise = Noise(4);
    let mesh = Arc::new(TriangleIndex::new(ball(2)));
    for _ in 0..50 {
        let position = Vec3::from(noise.point(100.0));
        let pose = Pose { rotation: turned(&mut noise), position };
        let instances = Instances::new([(mesh.clone(), Affine::rigid(&pose).unwrap())]);
        let affine = *instances.get(0).unwrap().1;
        for &vertex in mesh.mesh().positions() {
            let ray = Ray::between(affine.point([0.1, -0.2, 0.05]), affine.point(vertex));
            let beyond = Ray { t_max: f32::INFINITY, ..ray };
            assert!(instances.closest_hit(&beyond).is_some(), "{pose:?} {vertex:?}");
        }
    }
}

#[test]
fn of_instances_in_one_place_the_first_is_told() {
    let mesh = Arc::new(TriangleIndex::new(ball(0)));
    let instances = Instances::new((0..5).map(|_| (mesh.clone(), Affine::IDENTITY)));
    let ray = Ray::new([0.1, 0.2, -5.0], [0.0, 0.0, 1.0]);
    let nearest = instances.closest_hit(&ray).unwrap();
    assert_eq!(nearest.instance, 0);
    let others = instances.closest_hit_where(&ray, |hit| hit.instance > 2).unwrap();
    assert_eq!((others.instance, others.hit), (3, nearest.hit));
    assert_eq!(instances.all_hits(&ray).len(), 10);
}

#[test]
fn a_mirrored_mesh_shows_its_outside_to_the_outside() {
    let mesh = Arc::new(TriangleIndex::new(ball(1)));
    let mirrored =
        Affine::new([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let instances = Instances::new([(mesh, mirrored)]);
    let outside = Ray::new([0.1, 0.2, -5.0], [0.0, 0.0, 1.0]).culling_back_faces();
    assert_eq!(outside.faces, Faces::Front);
    assert!(instances.closest_hit(&outside).unwrap().hit.t < 5.0);
    assert_eq!(instances.all_hits(&outside).len(), 1);
}

#[test]
fn nothing_is_hit_where_nothing_is() {
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    let empty = Arc::new(TriangleIndex::new(TriangleMesh::default()));
    for instances in [Instances::default(), Instances::new([(empty, Affine::IDENTITY)])] {
        assert_eq!(instances.closest_hit(&ray), None);
        assert!(instances.is_visible([0.0; 3], [1.0; 3]));
    }
    let ball = Arc::new(TriangleIndex::new(ball(0)));
    let instances = Instances::new([(ball, Affine::IDENTITY)]);
    assert!(!instances.any_hit(&Ray::new([f32::NAN; 3], [0.0, 0.0, 1.0])));
    assert!(!instances.is_visible([f32::NAN; 3], [0.0; 3]));
}
