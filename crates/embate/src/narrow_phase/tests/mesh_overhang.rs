//! A box that overhung the edge of a cube of triangles was dragged sideways until it no longer did: the side
//! face, which it was above, took all that overhung for depth.

use embate_geom::{
    Pose, Rotation, Vec3, scalar,
    shapes::{Capsule, Cuboid, Hull, Sphere},
};
use embate_mesh::TriangleMesh;

use super::super::{contact, contacts};
use super::*;

/// A cube from −1 to 1 of triangles, each face `rows` by `rows` squares, cut one way or the other; inside out
/// if asked for.
fn cube(rows: u32, inside_out: bool) -> Shape {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3_usize {
        for side in [-1.0_f32, 1.0] {
            let start = points.len() as u32;
            for place in 0..(rows + 1) * (rows + 1) {
                let at = |step: u32| -1.0 + 2.0 * step as f32 / rows as f32;
                let mut point = [0.0; 3];
                point[axis] = side;
                point[(axis + 1) % 3] = at(place % (rows + 1));
                point[(axis + 2) % 3] = at(place / (rows + 1));
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
    MeshShape::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

/// Bodies, and how high their middles are over what they lie on.
fn bodies() -> Vec<(Shape, Rotation, f32)> {
    let lying = Rotation::about(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let octagon = Hull::cylinder(0.5, 0.7, 8).unwrap();
    vec![
        (Cuboid::new(Vec3::splat(1.0)).unwrap().into(), Rotation::IDENTITY, 1.0),
        (Cuboid::new(Vec3::new(0.7, 0.5, 0.6)).unwrap().into(), Rotation::IDENTITY, 0.5),
        (octagon.into(), Rotation::IDENTITY, 0.5),
        (Capsule::new(0.6, 0.4).unwrap().into(), lying, 0.4),
        (Capsule::new(0.6, 0.4).unwrap().into(), Rotation::IDENTITY, 1.0),
        (Sphere::new(0.8).unwrap().into(), Rotation::IDENTITY, 0.8),
    ]
}

/// Turns that bring each of the six faces to the top.
fn turns() -> [Rotation; 6] {
    let quarter = core::f32::consts::FRAC_PI_2;
    [(Vec3::X, 0.0), (Vec3::X, 1.0), (Vec3::X, 2.0), (Vec3::X, 3.0), (Vec3::Z, 1.0), (Vec3::Z, 3.0)]
        .map(|(axis, count)| Rotation::about(axis, quarter * count).unwrap())
}

/// Over each of the 24 edges of the six faces, lying and up to a fifth of the body deep.
#[test]
fn a_body_that_overhangs_any_edge_of_a_cube_of_triangles_is_pushed_as_by_a_box() {
    let solid = Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap());
    let mut asked = 0;
    for mesh in [cube(1, false), cube(5, false), cube(1, true)] {
        for (body, rotation, height) in bodies() {
            for (number, turn) in turns().into_iter().enumerate() {
                for (side, over) in
                    (0..4).flat_map(|side| [0.1, 0.37, 0.9].map(|over| (side, over)))
                {
                    for part in [0.0, 0.01, 0.05, 0.1, 0.2] {
                        let depth = part * 2.0 * height;
                        let aside =
                            [(over, 0.13), (0.13, over), (-over, 0.13), (0.13, -over)][side];
                        let up = 1.0 + height - depth;
                        let at = turn.turn(Vec3::new(aside.0, up, aside.1));
                        let rotation = (turn * rotation).renormalised();
                        let pose = Pose { rotation, position: at };
                        let what =
                            || format!("{} turn {number} at {at:?} depth {depth}", body.kind());
                        let truth = contact(&body, &pose, &solid, &Pose::IDENTITY, 0.01);
                        let truth = truth.unwrap_or_else(|| panic!("{}", what()));
                        let mut found = Vec::new();
                        contacts(&body, &pose, &mesh, &Pose::IDENTITY, 0.01, &mut found);
                        let deepest = found.iter().fold(f32::NEG_INFINITY, |deepest, manifold| {
                            scalar::max(deepest, manifold.depth())
                        });
                        let off = (deepest - truth.depth()).abs();
                        assert!(off < 2e-4, "{}: {truth:?} {found:?}", what());
                        for manifold in found.iter().filter(|manifold| manifold.depth() > 2e-4) {
                            let off = (manifold.normal - truth.normal).length();
                            assert!(off < 1e-3, "{}: {truth:?} {manifold:?}", what());
                        }
                        asked += 1;
                    }
                }
            }
        }
    }
    assert_eq!(asked, 3 * 6 * 6 * 12 * 5);
}

/// What was told: "0.1 deep", along −z, and points 0.2 deep.
#[test]
fn a_cube_a_tenth_in_the_top_of_a_cube_of_triangles_is_a_tenth_deep_along_y() {
    let body = Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap());
    let pose = Pose::at(Vec3::new(0.1, 1.9, 0.2));
    let mut found = Vec::new();
    contacts(&body, &pose, &cube(1, false), &Pose::IDENTITY, 0.0, &mut found);
    assert!(!found.is_empty());
    for manifold in &found {
        assert!((manifold.normal + Vec3::Y).length() < 1e-6, "{manifold:?}");
        assert!((manifold.depth() - 0.1).abs() < 1e-5, "{manifold:?}");
    }
}
