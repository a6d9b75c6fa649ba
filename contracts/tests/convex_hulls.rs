//! Convex hulls: closed, convex, containing all input points, with vertices among the input points.
//!
//! These properties determine the hull, and hence its volume, uniquely.

use std::collections::HashMap;

use embate::Vec3;
use embate::shapes::{ConvexHull, ShapeError};
use embate_contracts::contact_reference::{Point, Quaternion};
use embate_contracts::contact_scenes::{any_direction, random_rotation};
use embate_scene::random::Random;

/// Documented tolerance of [`ConvexHull`] along a normal, from the largest coordinates.
fn tolerance_along(points: &[Vec3], normal: Point) -> f64 {
    let mut max = [0.0_f64; 3];
    for point in points {
        for axis in 0..3 {
            max[axis] = max[axis].max(f64::from(point[axis].abs()));
        }
    }
    let sum: f64 = (0..3).map(|axis| normal.0[axis].abs() * max[axis]).sum();
    4.0 * f64::from(f32::EPSILON) * sum
}

/// Asserts all properties of the hull and returns its volume.
#[track_caller]
fn checked_volume(name: &str, points: &[Vec3]) -> f64 {
    let hull = ConvexHull::new(points).unwrap_or_else(|error| panic!("{name}: {error}"));
    let vertex = |index: u32| Point::of(hull.vertices()[index as usize]);
    let (vertices, edges, faces) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(
        vertices + faces,
        edges + 2,
        "{name}: {vertices} vertices, {edges} edges, {faces} faces"
    );

    for own in hull.vertices() {
        assert!(points.contains(own), "{name}: {own:?} is not an input point");
    }
    // Every edge occurs once in each direction, in the two faces it refers to.
    let mut directed_edges: HashMap<[u32; 2], u32> = HashMap::new();
    let mut volume = 0.0;
    for (number, face) in (0..).zip(hull.faces()) {
        let ring = hull.face_vertices(face);
        assert!(ring.len() >= 3, "{name}: face {number} has {} vertices", ring.len());
        let normal = Point::of(face.normal);
        assert!((normal.length() - 1.0).abs() < 1e-6, "{name}: {normal:?}");
        for (index, &from) in ring.iter().enumerate() {
            let to = ring[(index + 1) % ring.len()];
            assert_eq!(
                directed_edges.insert([from, to], number),
                None,
                "{name}: {from}–{to} occurs twice"
            );
        }
        let area = (1..ring.len() - 1).fold(Point::ZERO, |area, index| {
            let (b, c) = (vertex(ring[index]), vertex(ring[index + 1]));
            volume += vertex(ring[0]).dot(b.cross(c)) / 6.0;
            area + (b - vertex(ring[0])).cross(c - vertex(ring[0]))
        });
        assert!(area.dot(normal) > 0.0, "{name}: face {number} has the wrong winding");
        // 1.5 times the documented tolerance: the face normal is itself rounded.
        let tolerance = 1.5 * tolerance_along(points, normal);
        let offset = f64::from(face.offset);
        for &index in ring {
            let below = offset - normal.dot(vertex(index));
            assert!(below.abs() <= 2.0 * tolerance, "{name}: face {number} not planar: {below:e}");
        }
        for point in points {
            let above = normal.dot(Point::of(*point)) - offset;
            assert!(above <= tolerance, "{name}: {point:?} is outside face {number} by {above:e}");
        }
    }
    assert_eq!(directed_edges.len(), 2 * edges, "{name}");
    for edge in hull.edges() {
        let [from, to] = edge.vertices;
        assert_eq!(directed_edges.get(&[from, to]), Some(&edge.faces[0]), "{name}");
        assert_eq!(directed_edges.get(&[to, from]), Some(&edge.faces[1]), "{name}");
    }
    volume
}

fn transformed(points: &[Point], rotation: Quaternion, size: f64, at: Point) -> Vec<Vec3> {
    points.iter().map(|p| (rotation.rotate(*p * size) + at).rounded()).collect()
}

/// Checks the hull at several sizes, rotated and translated; volumes are accurate to 1e-3.
#[track_caller]
fn assert_volumes(name: &str, points: &[Point], expected: f64) {
    let mut random = Random::new(4);
    for size in [1.0, 1e-3, 1e4] {
        for rotation in [Quaternion::IDENTITY, random_rotation(&mut random)] {
            for at in [Point::ZERO, any_direction(&mut random) * size] {
                let points = transformed(points, rotation, size, at);
                let volume = checked_volume(&format!("{name} of size {size}"), &points);
                let relative = volume / (expected * size * size * size) - 1.0;
                assert!(relative.abs() < 1e-3, "{name} of size {size}: off by {relative:e}");
            }
        }
    }
}

fn cube_vertices() -> Vec<Point> {
    let side = |vertex: u32, axis: usize| f64::from(2 * (vertex >> axis & 1)) - 1.0;
    (0..8).map(|vertex| Point(core::array::from_fn(|axis| side(vertex, axis)))).collect()
}

#[test]
fn hull_of_100_000_points_on_a_sphere_is_valid_and_has_the_volume_of_the_ball() {
    let mut random = Random::new(1);
    let points: Vec<Vec3> = (0..100_000).map(|_| any_direction(&mut random).rounded()).collect();
    let hull = ConvexHull::new(&points).unwrap();
    assert!(hull.vertices().len() > 50_000, "{} vertices", hull.vertices().len());
    // All points against all faces would take minutes: vertices are tested against adjacent faces,
    // and every 100th point against its support point.
    let (vertices, edges, faces) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(vertices + faces, edges + 2);
    let height = |face: u32, vertex: u32| {
        let face = &hull.faces()[face as usize];
        Point::of(face.normal).dot(Point::of(hull.vertices()[vertex as usize]))
            - f64::from(face.offset)
    };
    let tolerance = 16.0 * f64::from(f32::EPSILON);
    for edge in hull.edges() {
        for [one, other] in [[0, 1], [1, 0]] {
            let ring = hull.face_vertices(&hull.faces()[edge.faces[other] as usize]);
            for &vertex in ring {
                assert!(height(edge.faces[one], vertex) <= tolerance);
            }
        }
    }
    for point in points.iter().step_by(100) {
        let direction = Point::of(*point);
        let support = Point::of(hull.support_point(*point));
        assert!(direction.dot(support) >= direction.dot(direction) - tolerance);
    }
    let mut volume = 0.0;
    for face in hull.faces() {
        let ring = hull.face_vertices(face);
        let vertex = |index: usize| Point::of(hull.vertices()[ring[index] as usize]);
        for index in 1..ring.len() - 1 {
            volume += vertex(0).dot(vertex(index).cross(vertex(index + 1))) / 6.0;
        }
    }
    let ball = 4.0 / 3.0 * core::f64::consts::PI;
    assert!(volume < ball && volume > ball * (1.0 - 3e-4), "{volume}");
}

#[test]
fn hull_of_2_000_points_on_a_sphere_contains_all_of_them() {
    let mut random = Random::new(2);
    let points: Vec<Point> = (0..2_000).map(|_| any_direction(&mut random)).collect();
    let volume =
        checked_volume("sphere", &transformed(&points, Quaternion::IDENTITY, 1.0, Point::ZERO));
    let ball = 4.0 / 3.0 * core::f64::consts::PI;
    assert!(volume < ball && volume > ball * 0.99, "{volume}");
}

#[test]
fn hull_of_a_cube_with_points_on_its_faces_is_the_cube() {
    let mut random = Random::new(3);
    let mut points = cube_vertices();
    for face in 0..6_usize {
        for _ in 0..50 {
            let mut point: [f64; 3] = core::array::from_fn(|_| random.unit_f64() * 2.0 - 1.0);
            point[face / 2] = [-1.0, 1.0][face % 2];
            points.push(Point(point));
        }
    }
    assert_volumes("cube with points on its faces", &points, 8.0);
    let hull =
        ConvexHull::new(&transformed(&points, Quaternion::IDENTITY, 1.0, Point::ZERO)).unwrap();
    assert_eq!((hull.vertices().len(), hull.faces().len()), (8, 6));
}

#[test]
fn hull_of_a_lattice_is_a_cube_and_duplicates_have_no_effect() {
    let mut points = Vec::new();
    for x in 0..9 {
        for y in 0..9 {
            points.extend((0..9).map(|z| Point([x, y, z].map(|c| f64::from(c) / 4.0 - 1.0))));
        }
    }
    assert_volumes("lattice", &points, 8.0);
    let tripled: Vec<Point> = cube_vertices().into_iter().flat_map(|p| [p, p, p]).collect();
    assert_volumes("tripled cube", &tripled, 8.0);
}

#[test]
fn hull_of_1_000_nearly_coplanar_points_is_valid() {
    for (seed, thickness) in [(1, 1e-2), (2, 1e-3), (3, 1e-4), (4, 1e-5)] {
        let mut random = Random::new(seed);
        let between = |random: &mut Random| random.unit_f64() * 2.0 - 1.0;
        let points: Vec<Point> = (0..1_000)
            .map(|_| {
                let [x, y, z] = core::array::from_fn(|_| between(&mut random));
                Point::new(x, y, z * thickness)
            })
            .collect();
        for rotation in [Quaternion::IDENTITY, random_rotation(&mut random)] {
            for size in [1.0, 1e3] {
                let points = transformed(&points, rotation, size, Point::ZERO);
                let volume = checked_volume(&format!("{thickness} thick"), &points);
                let slab = 8.0 * thickness * size * size * size;
                assert!(volume > 0.8 * slab && volume < 1.05 * slab, "{thickness}: {volume:e}");
            }
        }
    }
}

#[test]
fn thin_and_long_hulls_are_valid() {
    let mut random = Random::new(5);
    for [x, y, z] in [[1.0, 1e-3, 1.0], [1e-3, 1.0, 1e-3], [1.0, 1e-2, 1e-4], [1e4, 1e-1, 1e4]] {
        for round in 0..20 {
            let points: Vec<Point> = (0..4 + round * 3)
                .map(|_| {
                    let [a, b, c] = any_direction(&mut random).0;
                    Point::new(a * x, b * y, c * z)
                })
                .collect();
            let points = transformed(&points, random_rotation(&mut random), 1.0, Point::ZERO);
            // Four points of such a thin body may be coplanar.
            match ConvexHull::new(&points) {
                Ok(_) => drop(checked_volume(&format!("{x} × {y} × {z}"), &points)),
                Err(error) => {
                    assert!(matches!(error, ShapeError::CoplanarPoints { .. }), "{error}");
                }
            }
        }
    }
}

#[test]
fn hulls_of_4_to_119_random_points_are_valid() {
    let mut random = Random::new(6);
    for count in 4..120 {
        let points: Vec<Point> =
            (0..count).map(|_| any_direction(&mut random) * random.unit_f64()).collect();
        checked_volume(
            "ball of points",
            &transformed(&points, Quaternion::IDENTITY, 3.0, Point::ZERO),
        );
    }
}

#[test]
fn cylinder_and_cone_have_the_volume_of_prism_and_pyramid() {
    for sides in [3, 4, 5, 16, 33] {
        let angle = core::f64::consts::TAU / f64::from(sides);
        let area = f64::from(sides) / 2.0 * 4.0 * libm::sin(angle);
        for (hull, expected) in [
            (ConvexHull::cylinder(1.5, 2.0, sides), area * 3.0),
            (ConvexHull::cone(1.5, 2.0, sides), area * 1.0),
        ] {
            let hull = hull.unwrap();
            let volume = checked_volume("round", hull.vertices());
            assert!((volume / expected - 1.0).abs() < 1e-4, "{sides}: {volume} {expected}");
        }
    }
}

#[test]
fn degenerate_points_are_rejected_with_the_reason() {
    let line: Vec<Vec3> = (0..50).map(|i| Vec3::new(1.0, 2.0, 3.0) * i as f32).collect();
    let mut random = Random::new(7);
    let rotation = random_rotation(&mut random);
    let flat = |_| Point::new(random.unit_f64(), random.unit_f64(), 0.0);
    let flat: Vec<Point> = (0..1_000).map(flat).collect();
    let error_of = |points: &[Vec3]| ConvexHull::new(points).expect_err("degenerate points");
    assert_eq!(error_of(&[]), ShapeError::NoPoints);
    assert!(matches!(error_of(&line[..3]), ShapeError::TooFewPoints { count: 3 }));
    assert!(matches!(error_of(&line), ShapeError::CollinearPoints { .. }));
    assert!(matches!(error_of(&[Vec3::X; 20]), ShapeError::CoincidentPoints { .. }));
    for rotation in [Quaternion::IDENTITY, rotation] {
        let points = transformed(&flat, rotation, 5.0, Point::ZERO);
        assert!(matches!(error_of(&points), ShapeError::CoplanarPoints { .. }));
    }
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30] {
        let mut points = transformed(&cube_vertices(), rotation, 1.0, Point::ZERO);
        points[5].y = bad;
        let message = error_of(&points).to_string();
        assert!(message.contains("point 5"), "{message}");
    }
}
