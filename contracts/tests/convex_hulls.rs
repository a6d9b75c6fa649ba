//! A hull is what it should be: closed, convex, around all its points, made of nothing but them.
//!
//! That is proof enough of its volume too: a convex solid whose corners are among the points and which
//! leaves none of them outside is the hull of the points, and there is no other.

use std::collections::HashMap;

use embate::Vec3;
use embate::shapes::{Hull, InvalidShape};
use embate_contracts::contact_reference::{Point, Turn};
use embate_contracts::contact_scenes::{any_direction, any_turn};
use embate_lab::random::Random;

/// What [`Hull`] promises, by the largest coordinates of its points.
fn promised(points: &[Vec3], normal: Point) -> f64 {
    let mut reach = [0.0_f64; 3];
    for point in points {
        for axis in 0..3 {
            reach[axis] = reach[axis].max(f64::from(point[axis].abs()));
        }
    }
    let sum: f64 = (0..3).map(|axis| normal.0[axis].abs() * reach[axis]).sum();
    4.0 * f64::from(f32::EPSILON) * sum
}

/// The volume, once everything else about the hull is found right.
#[track_caller]
fn checked_volume(name: &str, points: &[Vec3]) -> f64 {
    let hull = Hull::new(points).unwrap_or_else(|why| panic!("{name}: {why}"));
    let corner = |index: u32| Point::of(hull.vertices()[index as usize]);
    let (corners, edges, faces) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(
        corners + faces,
        edges + 2,
        "{name}: {corners} corners, {edges} edges, {faces} faces"
    );

    for vertex in hull.vertices() {
        assert!(points.contains(vertex), "{name}: {vertex:?} is none of the points");
    }
    // Every edge is walked once in each direction, by the two faces it names.
    let mut walked: HashMap<[u32; 2], u32> = HashMap::new();
    let mut volume = 0.0;
    for (number, face) in (0..).zip(hull.faces()) {
        let ring = hull.corners(face);
        assert!(ring.len() >= 3, "{name}: face {number} has {} corners", ring.len());
        let normal = Point::of(face.normal);
        assert!((normal.length() - 1.0).abs() < 1e-6, "{name}: {normal:?}");
        for (place, &from) in ring.iter().enumerate() {
            let to = ring[(place + 1) % ring.len()];
            assert_eq!(walked.insert([from, to], number), None, "{name}: {from}–{to} walked twice");
        }
        let area = (1..ring.len() - 1).fold(Point::ZERO, |area, place| {
            let (b, c) = (corner(ring[place]), corner(ring[place + 1]));
            volume += corner(ring[0]).dot(b.cross(c)) / 6.0;
            area + (b - corner(ring[0])).cross(c - corner(ring[0]))
        });
        assert!(area.dot(normal) > 0.0, "{name}: face {number} runs the wrong way round");
        // One unit of rounding more than promised: the face's normal is itself rounded.
        let tolerance = 1.5 * promised(points, normal);
        let offset = f64::from(face.offset);
        for &index in ring {
            let below = offset - normal.dot(corner(index));
            assert!(below.abs() <= 2.0 * tolerance, "{name}: face {number} is bent by {below:e}");
        }
        for point in points {
            let above = normal.dot(Point::of(*point)) - offset;
            assert!(above <= tolerance, "{name}: {point:?} is outside face {number} by {above:e}");
        }
    }
    assert_eq!(walked.len(), 2 * edges, "{name}");
    for edge in hull.edges() {
        let [from, to] = edge.vertices;
        assert_eq!(walked.get(&[from, to]), Some(&edge.faces[0]), "{name}");
        assert_eq!(walked.get(&[to, from]), Some(&edge.faces[1]), "{name}");
    }
    volume
}

fn turned(points: &[Point], turn: Turn, size: f64, at: Point) -> Vec<Vec3> {
    points.iter().map(|p| (turn.turn(*p * size) + at).rounded()).collect()
}

/// Every hull at several sizes, turned and moved; volumes within a thousandth, or what f32 leaves of them.
#[track_caller]
fn volumes(name: &str, points: &[Point], expected: f64) {
    let mut random = Random::new(4);
    for size in [1.0, 1e-3, 1e4] {
        for turn in [Turn::NONE, any_turn(&mut random)] {
            for at in [Point::ZERO, any_direction(&mut random) * size] {
                let points = turned(points, turn, size, at);
                let volume = checked_volume(&format!("{name} of size {size}"), &points);
                let relative = volume / (expected * size * size * size) - 1.0;
                assert!(relative.abs() < 1e-3, "{name} of size {size}: off by {relative:e}");
            }
        }
    }
}

fn cube_corners() -> Vec<Point> {
    let side = |corner: u32, axis: usize| f64::from(2 * (corner >> axis & 1)) - 1.0;
    (0..8).map(|corner| Point(core::array::from_fn(|axis| side(corner, axis)))).collect()
}

#[test]
fn a_hundred_thousand_points_on_a_sphere_make_a_ball() {
    let mut random = Random::new(1);
    let points: Vec<Vec3> = (0..100_000).map(|_| any_direction(&mut random).rounded()).collect();
    let hull = Hull::new(&points).unwrap();
    assert!(hull.vertices().len() > 50_000, "{} corners", hull.vertices().len());
    // Every point against every face would take minutes; the corners against their neighbours will do,
    // and every point against its own support.
    let (corners, edges, faces) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(corners + faces, edges + 2);
    let height = |face: u32, vertex: u32| {
        let face = &hull.faces()[face as usize];
        Point::of(face.normal).dot(Point::of(hull.vertices()[vertex as usize]))
            - f64::from(face.offset)
    };
    let tolerance = 16.0 * f64::from(f32::EPSILON);
    for edge in hull.edges() {
        for [one, other] in [[0, 1], [1, 0]] {
            let ring = hull.corners(&hull.faces()[edge.faces[other] as usize]);
            for &vertex in ring {
                assert!(height(edge.faces[one], vertex) <= tolerance);
            }
        }
    }
    for point in points.iter().step_by(100) {
        let direction = Point::of(*point);
        let support = Point::of(hull.support(*point));
        assert!(direction.dot(support) >= direction.dot(direction) - tolerance);
    }
    let mut volume = 0.0;
    for face in hull.faces() {
        let ring = hull.corners(face);
        let corner = |place: usize| Point::of(hull.vertices()[ring[place] as usize]);
        for place in 1..ring.len() - 1 {
            volume += corner(0).dot(corner(place).cross(corner(place + 1))) / 6.0;
        }
    }
    let ball = 4.0 / 3.0 * core::f64::consts::PI;
    assert!(volume < ball && volume > ball * (1.0 - 3e-4), "{volume}");
}

#[test]
fn two_thousand_points_on_a_sphere_are_all_inside_every_face() {
    let mut random = Random::new(2);
    let points: Vec<Point> = (0..2_000).map(|_| any_direction(&mut random)).collect();
    let volume = checked_volume("sphere", &turned(&points, Turn::NONE, 1.0, Point::ZERO));
    let ball = 4.0 / 3.0 * core::f64::consts::PI;
    assert!(volume < ball && volume > ball * 0.99, "{volume}");
}

#[test]
fn a_cube_with_fifty_more_points_on_each_face_is_a_cube() {
    let mut random = Random::new(3);
    let mut points = cube_corners();
    for face in 0..6_usize {
        for _ in 0..50 {
            let mut point: [f64; 3] = core::array::from_fn(|_| random.unit_f64() * 2.0 - 1.0);
            point[face / 2] = [-1.0, 1.0][face % 2];
            points.push(Point(point));
        }
    }
    volumes("cube with points on its faces", &points, 8.0);
    let hull = Hull::new(&turned(&points, Turn::NONE, 1.0, Point::ZERO)).unwrap();
    assert_eq!((hull.vertices().len(), hull.faces().len()), (8, 6));
}

#[test]
fn a_lattice_is_a_cube_and_duplicates_change_nothing() {
    let mut points = Vec::new();
    for x in 0..9 {
        for y in 0..9 {
            points.extend((0..9).map(|z| Point([x, y, z].map(|c| f64::from(c) / 4.0 - 1.0))));
        }
    }
    volumes("lattice", &points, 8.0);
    let twice: Vec<Point> = cube_corners().into_iter().flat_map(|p| [p, p, p]).collect();
    volumes("cube thrice", &twice, 8.0);
}

#[test]
fn a_thousand_nearly_coplanar_points_make_a_valid_hull() {
    for (seed, thickness) in [(1, 1e-2), (2, 1e-3), (3, 1e-4), (4, 1e-5)] {
        let mut random = Random::new(seed);
        let between = |random: &mut Random| random.unit_f64() * 2.0 - 1.0;
        let points: Vec<Point> = (0..1_000)
            .map(|_| {
                let [x, y, z] = core::array::from_fn(|_| between(&mut random));
                Point::new(x, y, z * thickness)
            })
            .collect();
        for turn in [Turn::NONE, any_turn(&mut random)] {
            for size in [1.0, 1e3] {
                let points = turned(&points, turn, size, Point::ZERO);
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
            let points = turned(&points, any_turn(&mut random), 1.0, Point::ZERO);
            // Four points of so thin a body may well lie in one plane.
            match Hull::new(&points) {
                Ok(_) => drop(checked_volume(&format!("{x} × {y} × {z}"), &points)),
                Err(why) => assert!(matches!(why, InvalidShape::Flat { .. }), "{why}"),
            }
        }
    }
}

#[test]
fn random_hulls_of_every_number_of_points_are_valid() {
    let mut random = Random::new(6);
    for count in 4..120 {
        let points: Vec<Point> =
            (0..count).map(|_| any_direction(&mut random) * random.unit_f64()).collect();
        checked_volume("ball of points", &turned(&points, Turn::NONE, 3.0, Point::ZERO));
    }
}

#[test]
fn round_hulls_have_the_volume_of_their_prisms() {
    for sides in [3, 4, 5, 16, 33] {
        let angle = core::f64::consts::TAU / f64::from(sides);
        let area = f64::from(sides) / 2.0 * 4.0 * libm::sin(angle);
        for (hull, expected) in [
            (Hull::cylinder(1.5, 2.0, sides), area * 3.0),
            (Hull::cone(1.5, 2.0, sides), area * 1.0),
        ] {
            let hull = hull.unwrap();
            let volume = checked_volume("round", hull.vertices());
            assert!((volume / expected - 1.0).abs() < 1e-4, "{sides}: {volume} {expected}");
        }
    }
}

#[test]
fn what_encloses_nothing_is_refused_and_says_why() {
    let line: Vec<Vec3> = (0..50).map(|i| Vec3::new(1.0, 2.0, 3.0) * i as f32).collect();
    let mut random = Random::new(7);
    let turn = any_turn(&mut random);
    let flat = |_| Point::new(random.unit_f64(), random.unit_f64(), 0.0);
    let flat: Vec<Point> = (0..1_000).map(flat).collect();
    let refused = |points: &[Vec3]| Hull::new(points).expect_err("this is no hull");
    assert_eq!(refused(&[]), InvalidShape::NoPoints);
    assert!(matches!(refused(&line[..3]), InvalidShape::TooFewPoints { count: 3 }));
    assert!(matches!(refused(&line), InvalidShape::OneLine { .. }));
    assert!(matches!(refused(&[Vec3::X; 20]), InvalidShape::OnePlace { .. }));
    for turn in [Turn::NONE, turn] {
        let points = turned(&flat, turn, 5.0, Point::ZERO);
        assert!(matches!(refused(&points), InvalidShape::Flat { .. }));
    }
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30] {
        let mut points = turned(&cube_corners(), turn, 1.0, Point::ZERO);
        points[5].y = bad;
        let why = refused(&points).to_string();
        assert!(why.contains("point 5"), "{why}");
    }
}
