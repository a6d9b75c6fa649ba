//! Penetrations of convex bodies and meshes: the way out and its witness points, also of casts that
//! start in overlap.

use embate_geom::{Pose, Vec3};
use embate_mesh::TriangleMesh;

use super::{at, box_hull, capsule, cuboid, rotated, sphere, unit_shapes};
use crate::narrow_phase::{ClosestPoints, Sweep, closest_points, intersects, time_of_impact};
use crate::shapes::{Compound, Shape, TriMesh};

/// A mesh of quads, two triangles each.
fn quads(quads: &[[[f32; 3]; 4]]) -> Shape {
    let first_vertices = (0..quads.len() as u32).map(|quad| 4 * quad);
    let triangles = first_vertices.flat_map(|v| [[v, v + 1, v + 2], [v, v + 2, v + 3]]).collect();
    let mesh = TriangleMesh::new(quads.concat(), triangles).unwrap();
    TriMesh::new(mesh).unwrap().into()
}

/// A horizontal square with the edge length `2 * half`.
fn level(y: f32, half: f32) -> [[f32; 3]; 4] {
    [[-half, y, -half], [-half, y, half], [half, y, half], [half, y, -half]]
}

/// The closest points of a body that overlaps a mesh, which must lie on both surfaces. The way out
/// must separate the two.
#[track_caller]
fn way_out(body: &Shape, pose: &Pose, mesh: &Shape) -> ClosestPoints {
    let closest = closest_points(body, pose, mesh, &Pose::IDENTITY);
    let context = format!("{body} {pose:?}: {closest:?}");
    assert_eq!(closest, closest_points(mesh, &Pose::IDENTITY, body, pose).flipped(), "{context}");
    assert!(closest.distance < 0.0, "{context}");
    let [on_body, on_mesh] = closest.points;
    let displacement = closest.normal * closest.distance;
    assert!((on_mesh - on_body - displacement).length() < 1e-6, "{context}");
    assert!(body.project_point(pose, on_body).distance.abs() < 1e-5, "{context}");
    let nearest = mesh.project_point(&Pose::IDENTITY, on_mesh).point;
    assert!((nearest - on_mesh).length() < 1e-5, "{context}");
    let beyond = closest.normal * (closest.distance - 1e-4);
    let moved = Pose { position: pose.position + beyond, ..*pose };
    assert!(!intersects(body, &moved, mesh, &Pose::IDENTITY), "{context}");
    closest
}

/// Regression: of a body between two walls that are narrower than itself, the way out of one wall
/// was reported, or one upwards, further into the slot.
#[test]
fn box_in_a_slot_narrower_than_itself_leaves_by_the_open_end() {
    let walls =
        [-0.09, 0.09].map(|x| [[x, 0.0, -1.0], [x, 0.0, 1.0], [x, 1.0, 1.0], [x, 1.0, -1.0]]);
    let ceiling = [-0.09, 0.09].map(|x: f32| {
        let far = 10.0 * x;
        [[far, 0.0, -1.0], [far, 0.0, 1.0], [x, 0.0, 1.0], [x, 0.0, -1.0]]
    });
    for mesh in [quads(&walls), quads(&[walls, ceiling].concat())] {
        for body in [cuboid(0.1, 0.1, 0.1), box_hull(0.1, 0.1, 0.1)] {
            for (y, depth) in [(0.05, 0.15), (-0.05, 0.05), (0.08, 0.18)] {
                let closest = way_out(&body, &at(0.0, y, 0.0), &mesh);
                assert!((closest.distance + depth).abs() < 1e-6, "{y}: {closest:?}");
                assert!((closest.normal - Vec3::Y).length() < 1e-6, "{y}: {closest:?}");
            }
        }
    }
}

#[test]
fn box_in_a_slot_of_its_own_width_slides_along_the_walls() {
    let walls =
        [-0.1, 0.1].map(|x| [[x, -1.0, -1.0], [x, -1.0, 1.0], [x, 1.0, 1.0], [x, 1.0, -1.0]]);
    let mesh = quads(&[walls[0], walls[1], level(0.0, 1.0)]);
    let body = cuboid(0.1, 0.1, 0.1);
    let closest = closest_points(&body, &at(0.0, 0.07, 0.0), &mesh, &Pose::IDENTITY);
    assert!((closest.distance + 0.03).abs() < 1e-6, "{closest:?}");
    assert!((closest.normal + Vec3::Y).length() < 1e-6, "{closest:?}");
}

#[test]
fn way_out_avoids_triangles_that_the_body_does_not_touch_yet() {
    // Upwards 0.3 would do, but 0.1 above the body there is a ceiling.
    let mesh = quads(&[level(0.0, 5.0), level(0.8, 1.0)]);
    for body in [cuboid(0.5, 0.5, 0.5), box_hull(0.5, 0.5, 0.5), sphere(0.5)] {
        let closest = way_out(&body, &at(0.0, 0.2, 0.0), &mesh);
        assert!((closest.distance + 0.7).abs() < 1e-5, "{closest:?}");
        assert!((closest.normal - Vec3::Y).length() < 1e-5, "{closest:?}");
    }
    let alone = way_out(&sphere(0.5), &at(0.0, 0.2, 0.0), &quads(&[level(0.0, 5.0)]));
    assert!((alone.distance + 0.3).abs() < 1e-6, "{alone:?}");
}

#[test]
fn way_out_of_a_valley_or_corner_clears_all_of_its_sides() {
    // y = |x|: both sides are penetrated by 1 − √½, and the way out is straight up.
    let side = |x: f32| [[0.0, 0.0, -9.0], [0.0, 0.0, 9.0], [x, 9.0, 9.0], [x, 9.0, -9.0]];
    let valley = quads(&[side(-9.0), side(9.0)]);
    let closest = way_out(&sphere(1.0), &at(0.0, 1.0, 0.0), &valley);
    assert!((closest.distance - (1.0 - core::f32::consts::SQRT_2)).abs() < 1e-5, "{closest:?}");
    assert!((closest.normal + Vec3::Y).length() < 1e-3, "{closest:?}");
    // Planes x = 0, y = 0 and z = 0, penetrated by 0.1, 0.2 and 0.3.
    let corner = quads(&[
        [[0.0; 3], [9.0, 0.0, 0.0], [9.0, 9.0, 0.0], [0.0, 9.0, 0.0]],
        [[0.0; 3], [0.0, 9.0, 0.0], [0.0, 9.0, 9.0], [0.0, 0.0, 9.0]],
        [[0.0; 3], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]],
    ]);
    for body in [sphere(1.0), cuboid(1.0, 1.0, 1.0), box_hull(1.0, 1.0, 1.0)] {
        let closest = way_out(&body, &at(0.9, 0.8, 0.7), &corner);
        let expected = Vec3::new(-0.1, -0.2, -0.3);
        assert!((closest.distance + expected.length()).abs() < 1e-5, "{closest:?}");
        assert!((closest.normal * -closest.distance - expected).length() < 1e-3, "{closest:?}");
    }
}

#[test]
fn every_shape_deep_in_a_fan_of_slivers_has_a_way_out() {
    let fan: Vec<[[f32; 3]; 4]> = (0..40_u8)
        .map(|sliver| {
            let (x, y) = (0.05 * f32::from(sliver) - 1.0, 0.2 * f32::from(sliver % 5) - 0.4);
            [[x, -1.0, y], [x + 1e-3, -1.0, y], [x + 0.01, 1.0, -y], [x, 1.0, -y]]
        })
        .collect();
    let (mesh, mut overlaps) = (quads(&fan), 0);
    for body in unit_shapes() {
        for step in 0..12_u8 {
            let t = f32::from(step);
            let pose =
                rotated(at(0.1 * t - 0.5, 0.3, 0.05 * t), Vec3::new(1.0, 0.2 * t, -1.0), 31.0 * t);
            if intersects(&body, &pose, &mesh, &Pose::IDENTITY) {
                way_out(&body, &pose, &mesh);
                overlaps += 1;
            }
        }
    }
    assert!(overlaps > 60, "{overlaps}");
}

/// Regression: a cast that starts in overlap named the first triangle that was tested, with its own
/// way out, which for a triangle met near an edge is sideways.
#[test]
fn cast_that_starts_inside_a_mesh_has_the_way_out_of_the_whole_mesh() {
    let floor = quads(&[level(0.0, 5.0)]);
    let stationary = Sweep::stationary(Pose::IDENTITY);
    for body in [capsule(0.5, 0.25), sphere(0.25), cuboid(0.3, 0.25, 0.3)] {
        for step in 0..24_u8 {
            let t = f32::from(step);
            // Along the diagonal of the floor, which its two triangles share, and across it.
            let start = rotated(
                at(0.4 * t - 4.5, 0.1, 0.4 * t - 4.5 + 0.02 * (t - 12.0)),
                Vec3::Y,
                15.0 * t,
            );
            let lying =
                if let Shape::Capsule(_) = body { rotated(start, Vec3::Z, 90.0) } else { start };
            let impact =
                time_of_impact(&body, &Sweep::linear(lying, Vec3::X), &floor, &stationary, 0.0)
                    .unwrap();
            assert!(impact.initially_overlapping && impact.fraction == 0.0, "{impact:?}");
            let closest = closest_points(&body, &lying, &floor, &Pose::IDENTITY);
            assert_eq!((impact.normal, impact.witness_points), (closest.normal, closest.points));
            assert_eq!(impact.penetration, -closest.distance);
            assert!((impact.normal + Vec3::Y).length() < 1e-6, "{body}: {impact:?}");
            assert!((impact.penetration - 0.15).abs() < 1e-6, "{body}: {impact:?}");
            let Shape::TriMesh(mesh) = &floor else { panic!() };
            let alone = mesh.triangle(impact.sub_shapes[1]).map(Vec3::to_array).to_vec();
            let alone = TriMesh::new(TriangleMesh::new(alone, vec![[0, 1, 2]]).unwrap()).unwrap();
            let point = impact.witness_points[1];
            let nearest = Shape::from(alone).project_point(&Pose::IDENTITY, point).point;
            assert!((nearest - point).length() < 1e-5, "{impact:?}");
        }
    }
}

#[test]
fn cast_that_starts_inside_a_compound_names_the_deepest_part() {
    let part = |x: f32, shape: Shape| (at(x, 0.0, 0.0), shape);
    let parts =
        vec![part(0.0, sphere(1.0)), part(1.5, sphere(1.0)), part(3.0, cuboid(1.0, 1.0, 1.0))];
    let compound = Shape::from(Compound::new(parts).unwrap());
    let (body, stationary) = (sphere(0.5), Sweep::stationary(Pose::IDENTITY));
    // Between two parts, deeper in the second of them.
    for (x, deepest) in [(0.5, 0), (0.9, 1), (1.9, 1), (2.6, 2)] {
        let moving = Sweep::linear(at(x, 0.2, 0.1), Vec3::X);
        let impact = time_of_impact(&body, &moving, &compound, &stationary, 0.0).unwrap();
        assert!(impact.initially_overlapping, "{impact:?}");
        assert_eq!(impact.sub_shapes, [0, deepest], "{x}: {impact:?}");
        let closest = closest_points(&body, &moving.start, &compound, &Pose::IDENTITY);
        assert_eq!((impact.normal, impact.penetration), (closest.normal, -closest.distance));
        let swapped = time_of_impact(&compound, &stationary, &body, &moving, 0.0).unwrap();
        assert_eq!(swapped.flipped(), impact);
    }
}
