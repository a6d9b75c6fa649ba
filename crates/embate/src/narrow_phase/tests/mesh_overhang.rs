//! Redundant contacts of bodies that overhang an edge of a mesh.
//!
//! Regression: the side face below an overhanging box reported the overhang as penetration and
//! dragged the box sideways until nothing overhung.

use embate_geom::{
    Pose, Rotation, Vec3, scalar,
    shapes::{Capsule, ConvexHull, Cuboid, Sphere},
};
use embate_mesh::TriangleMesh;

use crate::narrow_phase::{contact_manifold, contact_manifolds};
use crate::shapes::{Shape, TriMesh};

/// A mesh cube from −1 to 1, each face `rows` by `rows` squares split along either diagonal; inside
/// out on request.
fn mesh_cube(rows: u32, inside_out: bool) -> Shape {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3_usize {
        for side in [-1.0_f32, 1.0] {
            let start = points.len() as u32;
            for index in 0..(rows + 1) * (rows + 1) {
                let at = |step: u32| -1.0 + 2.0 * step as f32 / rows as f32;
                let mut point = [0.0; 3];
                point[axis] = side;
                point[(axis + 1) % 3] = at(index % (rows + 1));
                point[(axis + 2) % 3] = at(index / (rows + 1));
                points.push(point);
            }
            for cell in 0..rows * rows {
                let a = start + cell / rows * (rows + 1) + cell % rows;
                let (b, c, d) = (a + 1, a + rows + 1, a + rows + 2);
                let cut =
                    if cell % 2 == 0 { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] };
                let out = (side > 0.0) != inside_out;
                triangles.extend(cut.map(|[a, b, c]| if out { [a, b, c] } else { [a, c, b] }));
            }
        }
    }
    TriMesh::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

/// Shapes, the rotations in which they lie on the cube, and the heights of their centers.
fn bodies() -> Vec<(Shape, Rotation, f32)> {
    let lying = Rotation::from_axis_angle(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let octagon = ConvexHull::cylinder(0.5, 0.7, 8).unwrap();
    vec![
        (Cuboid::new(Vec3::splat(1.0)).unwrap().into(), Rotation::IDENTITY, 1.0),
        (Cuboid::new(Vec3::new(0.7, 0.5, 0.6)).unwrap().into(), Rotation::IDENTITY, 0.5),
        (octagon.into(), Rotation::IDENTITY, 0.5),
        (Capsule::new(0.6, 0.4).unwrap().into(), lying, 0.4),
        (Capsule::new(0.6, 0.4).unwrap().into(), Rotation::IDENTITY, 1.0),
        (Sphere::new(0.8).unwrap().into(), Rotation::IDENTITY, 0.8),
    ]
}

/// Rotations that bring each of the six faces to the top.
fn face_rotations() -> [Rotation; 6] {
    let quarter = core::f32::consts::FRAC_PI_2;
    [(Vec3::X, 0.0), (Vec3::X, 1.0), (Vec3::X, 2.0), (Vec3::X, 3.0), (Vec3::Z, 1.0), (Vec3::Z, 3.0)]
        .map(|(axis, count)| Rotation::from_axis_angle(axis, quarter * count).unwrap())
}

/// Over each of the 24 edges of the six faces, resting and up to a fifth of the body deep.
#[test]
fn overhanging_body_is_pushed_by_a_mesh_cube_as_by_a_solid_one() {
    let solid = Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap());
    let mut cases = 0;
    for mesh in [mesh_cube(1, false), mesh_cube(5, false), mesh_cube(1, true)] {
        for (body, rotation, height) in bodies() {
            for (face, face_rotation) in face_rotations().into_iter().enumerate() {
                for (side, overhang) in
                    (0..4).flat_map(|side| [0.1, 0.37, 0.9].map(|overhang| (side, overhang)))
                {
                    for ratio in [0.0, 0.01, 0.05, 0.1, 0.2] {
                        let depth = ratio * 2.0 * height;
                        let offset = [
                            (overhang, 0.13),
                            (0.13, overhang),
                            (-overhang, 0.13),
                            (0.13, -overhang),
                        ][side];
                        let up = 1.0 + height - depth;
                        let position = face_rotation.rotate(Vec3::new(offset.0, up, offset.1));
                        let rotation = (face_rotation * rotation).renormalize();
                        let pose = Pose { rotation, position };
                        let context = || {
                            format!(
                                "{} face {face} at {position:?} depth {depth}",
                                body.type_name()
                            )
                        };
                        let expected =
                            contact_manifold(&body, &pose, &solid, &Pose::IDENTITY, 0.01);
                        let expected = expected.unwrap_or_else(|| panic!("{}", context()));
                        let mut manifolds = Vec::new();
                        contact_manifolds(
                            &body,
                            &pose,
                            &mesh,
                            &Pose::IDENTITY,
                            0.01,
                            &mut manifolds,
                        );
                        let deepest =
                            manifolds.iter().fold(f32::NEG_INFINITY, |deepest, manifold| {
                                scalar::max(deepest, manifold.max_penetration())
                            });
                        let error = (deepest - expected.max_penetration()).abs();
                        assert!(error < 2e-4, "{}: {expected:?} {manifolds:?}", context());
                        for manifold in
                            manifolds.iter().filter(|manifold| manifold.max_penetration() > 2e-4)
                        {
                            let error = (manifold.normal - expected.normal).length();
                            assert!(error < 1e-3, "{}: {expected:?} {manifold:?}", context());
                        }
                        cases += 1;
                    }
                }
            }
        }
    }
    assert_eq!(cases, 3 * 6 * 6 * 12 * 5);
}

/// Regression: the normal was −z, with a depth of 0.1 but points 0.2 deep.
#[test]
fn cube_penetrating_the_top_of_a_mesh_cube_is_pushed_up() {
    let body = Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap());
    let pose = Pose::from_translation(Vec3::new(0.1, 1.9, 0.2));
    let mut manifolds = Vec::new();
    contact_manifolds(&body, &pose, &mesh_cube(1, false), &Pose::IDENTITY, 0.0, &mut manifolds);
    assert!(!manifolds.is_empty());
    for manifold in &manifolds {
        assert!((manifold.normal + Vec3::Y).length() < 1e-6, "{manifold:?}");
        assert!((manifold.max_penetration() - 0.1).abs() < 1e-5, "{manifold:?}");
    }
}
