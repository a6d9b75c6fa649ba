//! Invariants of every hull: closed, convex, correct counts and volume.

use embate_test_util::Rng;

use crate::shapes::convex_hull::*;
use crate::{Rotation, scalar};

fn in_cube(rng: &mut Rng) -> Vec3 {
    rng.point(-1.0, 1.0).into()
}

fn on_sphere(rng: &mut Rng) -> Vec3 {
    rng.unit_vector().into()
}

fn volume(hull: &ConvexHull) -> f64 {
    let mut six_fold = 0.0;
    let first = DVec3::from(hull.vertices()[0]);
    for face in hull.faces() {
        let indices = hull.face_vertices(face);
        let at = |index: usize| DVec3::from(hull.vertices()[indices[index] as usize]) - first;
        for index in 1..indices.len() - 1 {
            six_fold += at(0).dot(at(index).cross(at(index + 1)));
        }
    }
    six_fold / 6.0
}

/// Checks all invariants of a hull, and that it contains `points`.
fn assert_valid(hull: &ConvexHull, points: &[Vec3]) {
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(v + f, e + 2, "Euler: {v} vertices, {e} edges, {f} faces");
    let points_f64: Vec<DVec3> = points.iter().map(|&p| DVec3::from(p)).collect();
    let tolerance = Tolerance::of_points(&points_f64);
    let mut half_edges = Vec::new();
    for (index, face) in hull.faces().iter().enumerate() {
        let indices = hull.face_vertices(face);
        assert!(indices.len() >= 3);
        assert!((face.normal.length() - 1.0).abs() < 1e-6, "{face:?}");
        for (slot, &from) in indices.iter().enumerate() {
            half_edges.push((from, indices[(slot + 1) % indices.len()], index as u32));
        }
    }
    assert_eq!(half_edges.len(), 2 * e);
    half_edges.sort_unstable();
    for edge in hull.edges() {
        let [from, to] = edge.vertices;
        assert!(half_edges.binary_search(&(from, to, edge.faces[0])).is_ok(), "{edge:?}");
        assert!(half_edges.binary_search(&(to, from, edge.faces[1])).is_ok(), "{edge:?}");
    }
    let mut valence = vec![0; v];
    for face in hull.faces() {
        for &vertex in hull.face_vertices(face) {
            valence[vertex as usize] += 1;
        }
    }
    assert!(valence.iter().all(|&faces| faces >= 3), "{valence:?}");
    assert!(
        (hull.mass_properties().volume - volume(hull) as f32).abs() <= 1e-5 * volume(hull) as f32
    );
    if points.len() * f > 20_000_000 {
        return;
    }
    let worst = max_violation(hull, &points_f64, &tolerance);
    assert!(worst <= 1.0, "deviates by {worst} times the guaranteed tolerance");
}

/// Largest deviation relative to the guaranteed tolerance: a point above a face, a vertex of a face
/// below its plane, or a face that is concave at a vertex.
fn max_violation(hull: &ConvexHull, points: &[DVec3], tolerance: &Tolerance) -> f64 {
    let mut worst = 0.0;
    let mut record = |deviation: f64, limit: f64| {
        worst = if deviation / limit > worst { deviation / limit } else { worst };
    };
    for face in hull.faces() {
        let normal = DVec3::from(face.normal);
        let height = |point: DVec3| point.dot(normal) - f64::from(face.offset);
        let limit = validate::convexity_tolerance(tolerance, normal);
        for &point in points {
            record(height(point), limit);
        }
        let indices = hull.face_vertices(face);
        let at =
            |index: usize| DVec3::from(hull.vertices()[indices[index % indices.len()] as usize]);
        for index in 0..indices.len() {
            record(-height(at(index)), limit);
            let (a, b, c) = (at(index), at(index + 1), at(index + 2));
            let along = (c - a).normalize();
            let outward = along.cross(normal);
            record((a - b).dot(outward), validate::convexity_tolerance(tolerance, outward));
        }
    }
    worst
}

fn cube_vertices() -> Vec<Vec3> {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2))).collect()
}

fn cube_with_points_on_its_faces(per_face: usize) -> Vec<Vec3> {
    let mut rng = Rng::new(7);
    let mut points = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for _ in 0..per_face {
                let mut point = in_cube(&mut rng);
                point[axis] = side;
                points.push(point);
            }
        }
    }
    points.extend(cube_vertices());
    points
}

#[test]
fn cube_with_50_points_on_each_face_has_6_faces_12_edges_8_vertices() {
    let points = cube_with_points_on_its_faces(50);
    let hull = ConvexHull::new(&points).unwrap();
    assert_valid(&hull, &points);
    assert_eq!((hull.faces().len(), hull.edges().len(), hull.vertices().len()), (6, 12, 8));
    assert!((volume(&hull) - 8.0).abs() < 1e-9);
}

#[test]
fn rotated_cube_with_points_on_its_faces_keeps_6_faces() {
    for angle in 1..50_u8 {
        let rotation =
            Rotation::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), f32::from(angle) * 0.13).unwrap();
        let points: Vec<Vec3> =
            cube_with_points_on_its_faces(50).into_iter().map(|p| rotation.rotate(p)).collect();
        let hull = ConvexHull::new(&points).unwrap();
        assert_valid(&hull, &points);
        assert_eq!((hull.faces().len(), hull.edges().len(), hull.vertices().len()), (6, 12, 8));
        assert!((volume(&hull) - 8.0).abs() < 1e-5);
    }
}

#[test]
fn random_points_give_a_valid_hull() {
    let mut rng = Rng::new(3);
    for count in [4, 5, 8, 20, 100, 1000] {
        for _ in 0..20 {
            let points: Vec<Vec3> = (0..count).map(|_| in_cube(&mut rng)).collect();
            match ConvexHull::new(&points) {
                Ok(hull) => assert_valid(&hull, &points),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn thousand_nearly_coplanar_points_give_a_valid_hull_of_correct_volume() {
    let mut rng = Rng::new(11);
    for is_rotated in [false, true] {
        let rotation =
            Rotation::from_axis_angle(Vec3::new(0.3, 1.0, 0.2), if is_rotated { 0.7 } else { 0.0 })
                .unwrap();
        let points: Vec<Vec3> = (0..1000)
            .map(|_| {
                Vec3::new(rng.between(-1.0, 1.0), rng.between(-1e-6, 1e-6), rng.between(-1.0, 1.0))
            })
            .map(|p| rotation.rotate(p))
            .collect();
        let hull = ConvexHull::new(&points).unwrap();
        assert_valid(&hull, &points);
        let volume = volume(&hull);
        assert!((4e-6..8.5e-6).contains(&volume), "{volume:e}");
    }
}

#[test]
fn hull_of_100_000_points_on_a_sphere_is_closed_and_nearly_as_large() {
    let mut rng = Rng::new(5);
    let points: Vec<Vec3> = (0..100_000).map(|_| on_sphere(&mut rng)).collect();
    let hull = ConvexHull::new(&points).unwrap();
    let missing = 1.0 - volume(&hull) / (4.0 / 3.0 * core::f64::consts::PI);
    // Expected missing volume of a random inscribed polytope: 12/n.
    assert!((1.1e-4..1.3e-4).contains(&missing), "{missing:e}");
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(v + f, e + 2);
}

/// Degenerate point sets: lattices, points on few planes, lines and circles, near duplicates,
/// needles and sheets; rotated, translated and scaled.
fn degenerate_points(rng: &mut Rng) -> Vec<Vec3> {
    let pick = |rng: &mut Rng, count: u32| (rng.unit() * count as f32) as u32;
    let count = 4 + pick(rng, 200);
    let kind = pick(rng, 9);
    let lattice = 1 + pick(rng, 6);
    let squash = [1.0, 1.0, 0.1, 1e-3, 1e-5][pick(rng, 5) as usize];
    let rotation = Rotation::from_axis_angle(on_sphere(rng), rng.between(0.0, 6.0)).unwrap();
    let is_rotated = pick(rng, 2) == 1;
    let scale = [1e-3, 1.0, 1.0, 77.7, 1e4][pick(rng, 5) as usize];
    let offset = [0.0, 0.0, 0.3, 100.0][pick(rng, 4) as usize];
    let mut points: Vec<Vec3> = (0..count)
        .map(|_| match kind {
            0 => in_cube(rng),
            1 => on_sphere(rng),
            2 => {
                let mut coordinate = || pick(rng, lattice + 1) as f32 / lattice as f32;
                Vec3::new(coordinate(), coordinate(), coordinate())
            }
            3 => {
                let mut point = in_cube(rng);
                point[pick(rng, 3) as usize] = 1.0 - 2.0 * pick(rng, 2) as f32;
                point
            }
            4 => {
                let (sin, cos) =
                    scalar::sin_cos(pick(rng, 64) as f32 / 64.0 * core::f32::consts::TAU);
                Vec3::new(cos, pick(rng, 3) as f32, sin)
            }
            5 => {
                let near = in_cube(rng) * 2e-7;
                cube_vertices()[pick(rng, 8) as usize] + near
            }
            6 => {
                let mut point = in_cube(rng);
                let axis = pick(rng, 3) as usize;
                point[axis] = 1.0;
                point[(axis + 1) % 3] = 1.0;
                point + in_cube(rng) * 1e-7
            }
            7 => {
                let point = in_cube(rng);
                Vec3::new(point.x, point.y, point.x * point.x + point.y * point.y)
            }
            _ => {
                let along = rng.between(-1.0, 1.0);
                Vec3::new(along, along * along * 1e-6, rng.between(-1e-6, 1e-6))
            }
        })
        .collect();
    for point in &mut points {
        point.y *= squash;
        if is_rotated {
            *point = rotation.rotate(*point);
        }
        *point = (*point + Vec3::splat(offset)) * scale;
    }
    points
}

#[test]
fn degenerate_points_give_a_valid_hull_or_an_error() {
    let mut rejected = 0;
    for seed in 0..2_000 {
        let points = degenerate_points(&mut Rng::new(seed));
        match ConvexHull::new(&points) {
            Ok(hull) => {
                let check = std::panic::catch_unwind(|| assert_valid(&hull, &points));
                assert!(check.is_ok(), "seed {seed}");
            }
            Err(_) => rejected += 1,
        }
    }
    assert!((1..700).contains(&rejected), "{rejected} rejected");
}

#[test]
fn degenerate_input_is_rejected_with_the_reason() {
    let cube = cube_vertices();
    let error = |points: &[Vec3]| ConvexHull::new(points).unwrap_err();
    assert_eq!(error(&[]), ShapeError::NoPoints);
    for count in 1..4 {
        assert_eq!(error(&cube[..count]), ShapeError::TooFewPoints { count });
    }
    assert_eq!(error(&[cube[3]; 50]), ShapeError::CoincidentPoints { count: 50 });
    let line: Vec<Vec3> =
        (0..50_u8).map(|step| cube[0] + Vec3::splat(0.1) * f32::from(step)).collect();
    assert_eq!(error(&line), ShapeError::CollinearPoints { count: 50 });
    let mut rng = Rng::new(2);
    for angle in 0..50_u8 {
        let rotation =
            Rotation::from_axis_angle(Vec3::new(1.0, 0.7, -0.2), f32::from(angle) * 0.1).unwrap();
        let flat: Vec<Vec3> = (0..100)
            .map(|_| {
                rotation.rotate(Vec3::new(rng.between(-1.0, 1.0), 0.0, rng.between(-1.0, 1.0)))
            })
            .collect();
        let flat_error = error(&flat);
        assert!(
            matches!(flat_error, ShapeError::CoplanarPoints { count: 100, .. }),
            "{flat_error}"
        );
        assert!(flat_error.to_string().contains("give the hull some thickness"));
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut points = cube.clone();
        points[5].y = bad;
        assert!(matches!(error(&points), ShapeError::NotFinite { index: 5, .. }));
    }
    let tiny: Vec<Vec3> = cube.iter().map(|&vertex| vertex * 1e-8).collect();
    assert!(error(&tiny).to_string().contains("scale the scene up"));
    let mut points = cube.clone();
    points[2].z = 1e7;
    assert!(matches!(error(&points), ShapeError::PointTooFar { index: 2, .. }));
}

#[test]
fn duplicates_and_order_do_not_change_the_solid() {
    let mut points = cube_with_points_on_its_faces(20);
    points.extend(points.clone());
    let once = ConvexHull::new(&points).unwrap();
    points.reverse();
    let again = ConvexHull::new(&points).unwrap();
    for hull in [&once, &again] {
        assert_eq!((hull.faces().len(), hull.edges().len(), hull.vertices().len()), (6, 12, 8));
    }
    assert_eq!(once.mass_properties().volume, again.mass_properties().volume);
}

#[test]
fn hull_of_hull_vertices_is_the_same_hull() {
    for seed in 0..500 {
        if let Ok(hull) = ConvexHull::new(&degenerate_points(&mut Rng::new(seed))) {
            assert!(ConvexHull::new(hull.vertices()) == Ok(hull), "seed {seed}");
        }
    }
}

#[test]
fn vertices_keep_the_order_of_the_points() {
    let cube = cube_vertices();
    assert_eq!(ConvexHull::new(&cube).unwrap().vertices(), cube);
}
