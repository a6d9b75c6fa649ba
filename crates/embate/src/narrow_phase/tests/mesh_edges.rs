//! Internal edges: contacts of bodies that slide over, rest on and lie between triangles of a mesh.

use embate_geom::{
    Pose, Rotation, Vec3, scalar,
    shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Sphere},
};
use embate_mesh::TriangleMesh;
use embate_test_util::Rng;

use crate::narrow_phase::{
    Manifold, closest_points, contact_manifold, contact_manifolds, intersects,
};
use crate::shapes::{Compound, Shape, TriMesh};

/// Ground of 12 × 12 squares, each split into two triangles along a random diagonal. Inner vertices
/// are displaced horizontally and raised by `height`; the whole is rotated.
fn ground(seed: u64, rotation: Rotation, height: impl Fn(f32, f32) -> f32) -> Shape {
    const CELLS: u32 = 12;
    const ROW: u32 = CELLS + 1;
    let mut rng = Rng::new(seed);
    let mut points = Vec::new();
    for z in 0..ROW {
        for x in 0..ROW {
            let inner = (1..CELLS).contains(&x) && (1..CELLS).contains(&z);
            let mut jitter = || if inner { rng.between(-0.2, 0.2) } else { 0.0 };
            let (x, z) = (x as f32 - 6.0 + jitter(), z as f32 - 6.0 + jitter());
            points.push(rotation.rotate(Vec3::new(x, height(x, z), z)).to_array());
        }
    }
    let mut triangles = Vec::new();
    for cell in 0..CELLS * CELLS {
        let vertex = cell / CELLS * ROW + cell % CELLS;
        let [a, b, c, d] = [vertex, vertex + 1, vertex + ROW, vertex + ROW + 1];
        let pair = if rng.coin() { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] };
        triangles.extend(pair);
    }
    TriMesh::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

fn cuboid() -> Shape {
    Cuboid::new(Vec3::new(0.7, 0.5, 0.4)).unwrap().into()
}

/// Shapes, the rotations in which they lie on the ground, and the heights of their centers.
fn bodies() -> Vec<(Shape, Rotation, f32)> {
    let lying = Rotation::from_axis_angle(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let on_edge = Rotation::from_axis_angle(Vec3::X, core::f32::consts::FRAC_PI_4).unwrap();
    vec![
        (cuboid(), Rotation::IDENTITY, 0.5),
        (Cuboid::new(Vec3::splat(0.5)).unwrap().into(), on_edge, 0.5_f32.sqrt()),
        (Sphere::new(0.5).unwrap().into(), Rotation::IDENTITY, 0.5),
        (Capsule::new(0.6, 0.3).unwrap().into(), lying, 0.3),
        (Capsule::new(0.6, 0.3).unwrap().into(), Rotation::IDENTITY, 0.9),
        (ConvexHull::cylinder(0.4, 0.6, 12).unwrap().into(), Rotation::IDENTITY, 0.4),
        (ConvexHull::cylinder(0.4, 0.6, 12).unwrap().into(), lying, 0.6),
    ]
}

/// Slides a body over the ground in 1,000 steps, at a constant penetration, with a slow rotation.
fn slide(
    mesh: &Shape,
    rotation: Rotation,
    (body, lying, height): &(Shape, Rotation, f32),
    depth: f32,
    mut check: impl FnMut(u32, &Pose, &[Manifold]),
) {
    let mut manifolds = Vec::new();
    for step in 0..1_000_u32 {
        let time = step as f32 * 1e-3;
        let yaw = Rotation::from_axis_angle(Vec3::Y, 0.2 + 2.0 * time).unwrap();
        let position = Vec3::new(-4.3 + 8.5 * time, height - depth, -3.7 + 7.1 * time);
        let pose = Pose { rotation: rotation * yaw * *lying, position: rotation.rotate(position) };
        let pose = Pose { rotation: pose.rotation.renormalize(), ..pose };
        manifolds.clear();
        contact_manifolds(body, &pose, mesh, &Pose::IDENTITY, 0.02, &mut manifolds);
        check(step, &pose, &manifolds);
    }
}

#[test]
fn sliding_over_coplanar_triangles_gives_no_ghost_contacts() {
    let tilted = Rotation::from_axis_angle(Vec3::new(1.0, 0.3, -0.5), 0.7).unwrap();
    for (seed, rotation) in [(1, Rotation::IDENTITY), (2, Rotation::IDENTITY), (3, tilted)] {
        let mesh = ground(seed, rotation, |_, _| 0.0);
        let up = rotation.rotate(Vec3::Y);
        for body in bodies() {
            for depth in [0.01, 0.1, -0.005] {
                slide(&mesh, rotation, &body, depth, |step, _, manifolds| {
                    let context = || format!("{:?} step {step} depth {depth}", body.0);
                    assert!(!manifolds.is_empty(), "{}", context());
                    let mut deepest = f32::NEG_INFINITY;
                    for manifold in manifolds {
                        let error = (manifold.normal + up).length();
                        assert!(error < 2e-6, "{}: {manifold:?}", context());
                        deepest = scalar::max(deepest, manifold.max_penetration());
                    }
                    assert!((deepest - depth).abs() < 1e-5, "{}: {deepest}", context());
                });
            }
        }
    }
}

/// A dome and a bowl: every contact normal lies within the normals of the triangle and of those
/// that share a vertex with it.
#[test]
fn normals_on_a_curved_mesh_stay_within_those_of_neighbors() {
    for curvature in [0.01, -0.01] {
        let height = |x: f32, z: f32| curvature * (x * x + z * z);
        let mesh = ground(5, Rotation::IDENTITY, height);
        let Shape::TriMesh(shape) = &mesh else { unreachable!() };
        for (body, lying, height_above) in bodies() {
            let mut manifolds = Vec::new();
            for step in 0..1_000_u32 {
                let time = step as f32 * 1e-3;
                let (x, z) = (-4.3 + 8.5 * time, -3.7 + 7.1 * time);
                let position = Vec3::new(x, height(x, z) + height_above - 0.02, z);
                let yaw = Rotation::from_axis_angle(Vec3::Y, 2.0 * time).unwrap();
                let pose = Pose { rotation: yaw * lying, position };
                manifolds.clear();
                contact_manifolds(&body, &pose, &mesh, &Pose::IDENTITY, 0.02, &mut manifolds);
                assert!(!manifolds.is_empty(), "{body:?} step {step}");
                for manifold in &manifolds {
                    let face_normal = shape.triangle_normal(manifold.sub_shapes[1]).unwrap();
                    let vertices = shape.mesh().triangles()[manifold.sub_shapes[1] as usize];
                    let min_cosine = (0..shape.mesh().triangles().len() as u32)
                        .filter(|&other| {
                            let others = shape.mesh().triangles()[other as usize];
                            others.iter().any(|vertex| vertices.contains(vertex))
                        })
                        .filter_map(|other| shape.triangle_normal(other))
                        .fold(1.0, |min_cosine, normal| {
                            scalar::min(min_cosine, normal.dot(face_normal))
                        });
                    let cosine = -manifold.normal.dot(face_normal);
                    assert!(
                        cosine > min_cosine - 1e-4,
                        "{body:?} step {step}: {cosine} {min_cosine} {manifold:?}"
                    );
                }
            }
        }
    }
}

/// In the corner of a room, the contacts are with floor and wall, and none is between.
#[test]
fn body_in_a_room_corner_touches_only_floor_and_wall() {
    let points = [
        [0.0, 0.0, -5.0],
        [0.0, 0.0, 5.0],
        [5.0, 0.0, -5.0],
        [5.0, 0.0, 5.0],
        [0.0, 5.0, -5.0],
        [0.0, 5.0, 5.0],
    ];
    let triangles = vec![[0, 1, 2], [1, 3, 2], [0, 4, 1], [1, 4, 5]];
    let room = TriMesh::new(TriangleMesh::new(points.to_vec(), triangles).unwrap()).unwrap();
    assert_eq!((room.triangle_normal(0), room.triangle_normal(2)), (Some(Vec3::Y), Some(Vec3::X)));
    let room = Shape::from(room);
    for step in 0..20 {
        let rotation = Rotation::from_axis_angle(Vec3::Y, 0.08 * step as f32).unwrap();
        for (body, sphere_x) in [(cuboid(), 0.0), (Sphere::new(0.5).unwrap().into(), 0.49)] {
            // So close to the wall that a vertex, or the surface of the sphere, penetrates by 0.01.
            let axes = rotation.to_matrix().columns;
            let half_width = (0.7 * axes[0].x).abs() + (0.4 * axes[2].x).abs() - 0.01;
            let x = if sphere_x > 0.0 { sphere_x } else { half_width };
            let pose = Pose { rotation, position: Vec3::new(x, 0.49, 0.3) };
            let mut manifolds = Vec::new();
            contact_manifolds(&body, &pose, &room, &Pose::IDENTITY, 0.0, &mut manifolds);
            let (mut floor, mut wall) = (false, false);
            for manifold in &manifolds {
                floor |= (manifold.normal + Vec3::Y).length() < 1e-6;
                wall |= (manifold.normal + Vec3::X).length() < 1e-6;
                let is_axis_normal = manifold.normal == -Vec3::Y || manifold.normal == -Vec3::X;
                assert!(is_axis_normal, "{body:?}: {manifold:?}");
                assert!((manifold.max_penetration() - 0.01).abs() < 1e-5, "{body:?}: {manifold:?}");
            }
            assert!(floor && wall, "{body:?} step {step}: {manifolds:?}");
        }
    }
}

/// Two slopes that rise from the z axis; if `closed`, with a wall below their end at z = 2.
fn valley(sin: f32, closed: bool) -> Shape {
    let cos = (1.0 - sin * sin).sqrt();
    let points = [-1.0_f32, 0.0, 1.0].into_iter().flat_map(|x| {
        let side = move |z: f32| [2.0 * cos * x, 2.0 * sin * x.abs(), z];
        [side(-2.0), side(2.0), [2.0 * cos * x, -2.0, 2.0]]
    });
    let mut triangles = vec![[0, 1, 4], [0, 4, 3], [3, 4, 7], [3, 7, 6]];
    if closed {
        triangles.extend([[1, 2, 5], [1, 5, 4], [4, 5, 8], [4, 8, 7]]);
    }
    TriMesh::new(TriangleMesh::new(points.collect(), triangles).unwrap()).unwrap().into()
}

/// Regression: one slope was removed as redundant if the resolution of the other cleared it, so
/// that a sphere between them rocked from side to side.
#[test]
fn rounded_body_in_a_valley_touches_both_sides_at_any_depth() {
    let (sin, cos) = (0.45, (1.0_f32 - 0.45 * 0.45).sqrt());
    let (valley, radius) = (valley(sin, false), 0.4);
    let lying = Rotation::from_axis_angle(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let rounded: [Shape; 2] =
        [Sphere::new(radius).unwrap().into(), Capsule::new(0.3, radius).unwrap().into()];
    let rotation = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), 2.0).unwrap();
    let elsewhere = Pose { rotation, position: Vec3::new(30.0, -20.0, 50.0) };
    for (body, mesh_pose) in
        rounded.iter().flat_map(|body| [(body, Pose::IDENTITY), (body, elsewhere)])
    {
        for (left, right) in (1..20).flat_map(|left| (1..20).map(move |right| (left, right))) {
            let depths = [left, right].map(|depth| 2.5e-5 * depth as f32);
            let [one, other] = depths.map(|depth| radius - depth);
            let at = Vec3::new((one - other) / (2.0 * sin), (one + other) / (2.0 * cos), 0.1);
            let pose = Pose {
                rotation: mesh_pose.rotation * lying,
                position: mesh_pose.transform_point(at),
            };
            let mut manifolds = Vec::new();
            contact_manifolds(body, &pose, &valley, &mesh_pose, 0.0, &mut manifolds);
            for (side, depth) in [sin, -sin].into_iter().zip(depths) {
                let normal = mesh_pose.rotation.rotate(Vec3::new(side, cos, 0.0));
                let contact =
                    manifolds.iter().find(|contact| (contact.normal + normal).length() < 1e-5);
                let error = contact.map(|contact| (contact.max_penetration() - depth).abs());
                assert!(
                    error.is_some_and(|error| error < 2e-5),
                    "{body} {depths:?}: {manifolds:?}"
                );
            }
        }
    }
}

/// Half beyond the end of the valley, the box is supported by the slopes alone. The wall below must
/// not push it back by the overhang.
#[test]
fn box_overhanging_the_end_of_a_valley_is_not_pushed_back() {
    let (sin, body) = (0.087, Shape::from(Cuboid::new(Vec3::splat(0.5)).unwrap()));
    let slope = sin / (1.0_f32 - sin * sin).sqrt();
    let pose = Pose::from_translation(Vec3::new(0.0, 0.5 + 0.5 * slope - 5e-4, 1.9));
    let mut manifolds = Vec::new();
    contact_manifolds(&body, &pose, &valley(sin, true), &Pose::IDENTITY, 0.0, &mut manifolds);
    assert!(manifolds.len() >= 2, "{manifolds:?}");
    for manifold in manifolds {
        assert!(
            manifold.normal.z.abs() < 1e-3 && manifold.max_penetration() < 1e-3,
            "{manifold:?}"
        );
    }
}

/// A convex edge is active: a sphere on it is pushed straight up, by one contact.
#[test]
fn convex_edge_gives_one_contact_towards_the_sphere_center() {
    let roof = ground(7, Rotation::IDENTITY, |x, _| -0.5 * x.abs());
    let sphere = Shape::from(Sphere::new(0.5).unwrap());
    // Displaced vertices bend the edge at x = 0: the normal is only roughly vertical.
    let mut manifolds = Vec::new();
    contact_manifolds(
        &sphere,
        &Pose::from_translation(Vec3::new(0.0, 0.3, 0.0)),
        &roof,
        &Pose::IDENTITY,
        0.0,
        &mut manifolds,
    );
    assert!(!manifolds.is_empty());
    for manifold in &manifolds {
        assert!((manifold.normal.length() - 1.0).abs() < 1e-6);
        assert!(-manifold.normal.y > 0.75, "{manifold:?}");
    }
    let roof_strip = |height: f32| {
        let points = [
            [-1.0, height, -1.0],
            [-1.0, height, 1.0],
            [0.0, 0.0, -1.0],
            [0.0, 0.0, 1.0],
            [1.0, height, -1.0],
            [1.0, height, 1.0],
        ];
        let triangles = vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
        Shape::from(TriMesh::new(TriangleMesh::new(points.to_vec(), triangles).unwrap()).unwrap())
    };
    manifolds.clear();
    contact_manifolds(
        &sphere,
        &Pose::from_translation(Vec3::new(0.0, 0.49, 0.5)),
        &roof_strip(-1.0),
        &Pose::IDENTITY,
        0.0,
        &mut manifolds,
    );
    assert_eq!(manifolds.len(), 1, "{manifolds:?}");
    assert!(
        (manifolds[0].normal + Vec3::Y).length() < 1e-6
            && (manifolds[0].max_penetration() - 0.01).abs() < 1e-6
    );
}

#[test]
fn mesh_queries_are_symmetric_to_the_bit() {
    let rotation = Rotation::from_axis_angle(Vec3::new(0.2, 1.0, 0.4), 0.4).unwrap();
    let pose = Pose { rotation, position: Vec3::new(3.0, -2.0, 1.0) };
    let bumpy = ground(11, Rotation::IDENTITY, |x, z| 0.3 * scalar::sin_cos(x + 0.7 * z).0);
    let parts = vec![
        (Pose::from_translation(Vec3::new(0.4, 0.0, 0.0)), cuboid()),
        (Pose::IDENTITY, cuboid()),
    ];
    let mut shapes: Vec<Shape> = bodies().into_iter().map(|(body, _, _)| body).collect();
    shapes.push(Compound::new(parts).unwrap().into());
    shapes.push(HalfSpace::new(Vec3::new(0.1, 1.0, 0.2)).unwrap().into());
    shapes.push(ground(12, rotation, |_, _| 0.0));
    let mut rng = Rng::new(3);
    for body in &shapes {
        for _ in 0..60 {
            let mut signed = || rng.signed_unit();
            let rotation =
                Rotation::from_axis_angle(Vec3::new(signed(), signed(), signed()), 3.0 * signed())
                    .unwrap();
            let offset = Vec3::new(3.0 * signed(), 0.8 * signed(), 3.0 * signed());
            let other = Pose { rotation, position: pose.transform_point(offset) };
            let (mut forward, mut backward) = (Vec::new(), Vec::new());
            contact_manifolds(body, &other, &bumpy, &pose, 0.05, &mut forward);
            contact_manifolds(&bumpy, &pose, body, &other, 0.05, &mut backward);
            let flipped: Vec<Manifold> = backward.iter().map(|m| m.flipped()).collect();
            assert_eq!(forward, flipped, "{body:?}");
            for manifold in &forward {
                assert!((manifold.normal.length() - 1.0).abs() < 1e-6, "{body:?}: {manifold:?}");
                assert!(
                    manifold
                        .points()
                        .iter()
                        .all(|p| p.penetration >= -0.05 && p.position.is_finite())
                );
            }
            let closest = closest_points(body, &other, &bumpy, &pose);
            assert_eq!(closest, closest_points(&bumpy, &pose, body, &other).flipped());
            assert!((closest.normal.length() - 1.0).abs() < 1e-6, "{body:?}: {closest:?}");
            let overlaps = intersects(body, &other, &bumpy, &pose);
            assert_eq!(overlaps, intersects(&bumpy, &pose, body, &other));
            if closest.distance.abs() > 1e-5 {
                assert_eq!(overlaps, closest.distance < 0.0, "{body:?}: {closest:?}");
            }
            if closest.distance > 0.051 {
                assert!(forward.is_empty(), "{body:?}: {closest:?} {forward:?}");
            }
        }
    }
}

/// Distances and contacts over a flat mesh are those of its plane.
#[test]
fn flat_mesh_matches_a_half_space() {
    let (mesh, plane) =
        (ground(4, Rotation::IDENTITY, |_, _| 0.0), Shape::from(HalfSpace::new(Vec3::Y).unwrap()));
    let mut rng = Rng::new(9);
    for (body, _, _) in bodies() {
        for _ in 0..200 {
            let mut signed = || rng.signed_unit();
            let rotation =
                Rotation::from_axis_angle(Vec3::new(signed(), signed(), signed()), 3.0 * signed())
                    .unwrap();
            let position = Vec3::new(3.0 * signed(), 1.2 + 0.6 * signed(), 3.0 * signed());
            let pose = Pose { rotation, position };
            let (on_mesh, on_plane) = (
                closest_points(&body, &pose, &mesh, &Pose::IDENTITY),
                closest_points(&body, &pose, &plane, &Pose::IDENTITY),
            );
            if on_plane.distance > 0.0 {
                assert!(
                    (on_mesh.distance - on_plane.distance).abs() < 1e-5,
                    "{body:?} {on_mesh:?} {on_plane:?}"
                );
                assert!((on_mesh.normal - on_plane.normal).length() < 1e-3, "{body:?} {on_mesh:?}");
            }
            let deepest = contact_manifold(&body, &pose, &mesh, &Pose::IDENTITY, 0.1);
            let expected = contact_manifold(&body, &pose, &plane, &Pose::IDENTITY, 0.1);
            assert_eq!(deepest.is_some(), expected.is_some(), "{body:?} {deepest:?} {expected:?}");
            if let (Some(deepest), Some(expected)) = (deepest, expected) {
                assert!(
                    (deepest.max_penetration() - expected.max_penetration()).abs() < 1e-5,
                    "{body:?} {deepest:?}"
                );
                assert!((deepest.normal - expected.normal).length() < 1e-5, "{body:?} {deepest:?}");
            }
        }
    }
}

/// Convex and concave ground: a separated body within the margin has a contact at its distance.
#[test]
fn contacts_within_the_margin_are_found_over_hills() {
    let hills = ground(31, Rotation::IDENTITY, |x, z| {
        0.25 * scalar::sin_cos(0.9 * x + 0.3).0 * scalar::sin_cos(0.7 * z).1
    });
    let mut rng = Rng::new(17);
    for (body, _, _) in bodies() {
        for _ in 0..400 {
            let mut signed = || rng.signed_unit();
            let rotation =
                Rotation::from_axis_angle(Vec3::new(signed(), signed(), signed()), 3.0 * signed())
                    .unwrap();
            let mut pose =
                Pose { rotation, position: Vec3::new(4.0 * signed(), 3.0, 4.0 * signed()) };
            let gap = 0.01 + 0.005 * signed();
            for _ in 0..6 {
                let closest = closest_points(&body, &pose, &hills, &Pose::IDENTITY);
                pose.position.y -= closest.distance - gap;
            }
            let closest = closest_points(&body, &pose, &hills, &Pose::IDENTITY);
            if closest.distance > 1e-4 && closest.distance < 0.019 {
                let manifold = contact_manifold(&body, &pose, &hills, &Pose::IDENTITY, 0.02);
                let Some(manifold) = manifold else { panic!("{body:?} {pose:?}: {closest:?}") };
                let error = (manifold.max_penetration() + closest.distance).abs();
                assert!(error < 1e-4, "{body:?} {pose:?}: {closest:?} {manifold:?}");
            }
        }
    }
}

/// Meshes that intersect, separated meshes, and a mesh near a half-space.
#[test]
fn mesh_mesh_and_mesh_half_space_queries() {
    let flat = ground(21, Rotation::IDENTITY, |_, _| 0.0);
    let upright = Rotation::from_axis_angle(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let wall = ground(22, upright, |_, _| 0.0);
    let at = |y: f32| Pose::from_translation(Vec3::new(0.0, y, 0.0));
    assert!(intersects(&flat, &at(0.0), &wall, &at(0.0)));
    assert!(!intersects(&flat, &at(0.0), &wall, &at(6.5)));
    let closest = closest_points(&flat, &at(0.0), &wall, &at(6.5));
    assert!((closest.distance - 0.5).abs() < 1e-5 && (closest.normal - Vec3::Y).length() < 1e-5);
    let closest = closest_points(&flat, &at(0.0), &flat, &at(2.0));
    assert!((closest.distance - 2.0).abs() < 1e-5, "{closest:?}");
    let below = Shape::from(HalfSpace::new(Vec3::Y).unwrap());
    let closest = closest_points(&below, &at(0.0), &wall, &at(7.0));
    assert!((closest.distance - 1.0).abs() < 1e-5, "{closest:?}");
    let mut manifolds = Vec::new();
    contact_manifolds(&below, &at(0.0), &wall, &at(5.99), 0.0, &mut manifolds);
    assert!(!manifolds.is_empty());
    for manifold in &manifolds {
        assert!((manifold.max_penetration() - 0.01).abs() < 1e-5, "{manifold:?}");
        assert_eq!(manifold.normal, Vec3::Y);
    }
}
