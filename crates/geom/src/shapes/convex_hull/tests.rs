//! What every hull must be: closed, convex, right in its counts and its volume.

use super::*;
use crate::{Rotation, scalar};

/// Numbers from 0 to 1 that are the same everywhere (`SplitMix64`).
pub(in crate::shapes) struct Numbers(pub(in crate::shapes) u64);

impl Numbers {
    pub(in crate::shapes) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub(in crate::shapes) fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.next()
    }

    fn in_cube(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub(in crate::shapes) fn on_sphere(&mut self) -> Vec3 {
        loop {
            let point = self.in_cube();
            if point.length() < 1.0 && point.length() > 0.1 {
                return point.normalised().unwrap();
            }
        }
    }
}

fn volume(hull: &Hull) -> f64 {
    let mut six = 0.0;
    let first = Wide::from(hull.vertices()[0]);
    for face in hull.faces() {
        let corners = hull.corners(face);
        let at = |corner: usize| Wide::from(hull.vertices()[corners[corner] as usize]) - first;
        for corner in 1..corners.len() - 1 {
            six += at(0).dot(at(corner).cross(at(corner + 1)));
        }
    }
    six / 6.0
}

/// Checks everything that must hold of any hull, and that it holds `points`.
fn assert_valid(hull: &Hull, points: &[Vec3]) {
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(v + f, e + 2, "Euler: {v} vertices, {e} edges, {f} faces");
    let wide: Vec<Wide> = points.iter().map(|&p| Wide::from(p)).collect();
    let tolerance = Tolerance::of(&wide);
    let mut sides = Vec::new();
    for (index, face) in hull.faces().iter().enumerate() {
        let corners = hull.corners(face);
        assert!(corners.len() >= 3);
        assert!((face.normal.length() - 1.0).abs() < 1e-6, "{face:?}");
        for corner in 0..corners.len() {
            sides.push((corners[corner], corners[(corner + 1) % corners.len()], index as u32));
        }
    }
    assert_eq!(sides.len(), 2 * e);
    sides.sort_unstable();
    for edge in hull.edges() {
        let [from, to] = edge.vertices;
        assert!(sides.binary_search(&(from, to, edge.faces[0])).is_ok(), "{edge:?}");
        assert!(sides.binary_search(&(to, from, edge.faces[1])).is_ok(), "{edge:?}");
    }
    let mut meeting = vec![0; v];
    for face in hull.faces() {
        for &corner in hull.corners(face) {
            meeting[corner as usize] += 1;
        }
    }
    assert!(meeting.iter().all(|&faces| faces >= 3), "{meeting:?}");
    assert!(
        (hull.mass_properties().volume - volume(hull) as f32).abs() <= 1e-5 * volume(hull) as f32
    );
    if points.len() * f > 20_000_000 {
        return;
    }
    let worst = worst_fault(hull, &wide, &tolerance);
    assert!(worst <= 1.0, "off by {worst} of the promise");
}

/// How far, in what is promised, a point stands out of a face, a corner of a face lies below it, or a face is
/// bent inwards at a corner.
fn worst_fault(hull: &Hull, points: &[Wide], tolerance: &Tolerance) -> f64 {
    let mut worst = 0.0;
    let mut note =
        |off: f64, limit: f64| worst = if off / limit > worst { off / limit } else { worst };
    for face in hull.faces() {
        let normal = Wide::from(face.normal);
        let height = |point: Wide| point.dot(normal) - f64::from(face.offset);
        let limit = convex::promise(tolerance, normal);
        for &point in points {
            note(height(point), limit);
        }
        let corners = hull.corners(face);
        let at =
            |corner: usize| Wide::from(hull.vertices()[corners[corner % corners.len()] as usize]);
        for corner in 0..corners.len() {
            note(-height(at(corner)), limit);
            let (a, b, c) = (at(corner), at(corner + 1), at(corner + 2));
            let along = (c - a).unit();
            let out = along.cross(normal);
            note((a - b).dot(out), convex::promise(tolerance, out));
        }
    }
    worst
}

fn cube_corners() -> Vec<Vec3> {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2))).collect()
}

fn cube_with_points_on_its_faces(on_each: usize) -> Vec<Vec3> {
    let mut numbers = Numbers(7);
    let mut points = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for _ in 0..on_each {
                let mut point = numbers.in_cube();
                point[axis] = side;
                points.push(point);
            }
        }
    }
    points.extend(cube_corners());
    points
}

#[test]
fn a_cube_with_50_points_on_each_face_has_6_faces_12_edges_8_corners() {
    let points = cube_with_points_on_its_faces(50);
    let hull = Hull::new(&points).unwrap();
    assert_valid(&hull, &points);
    assert_eq!((hull.faces().len(), hull.edges().len(), hull.vertices().len()), (6, 12, 8));
    assert!((volume(&hull) - 8.0).abs() < 1e-9);
}

#[test]
fn a_turned_cube_with_points_on_its_faces_keeps_6_faces() {
    for angle in 1..50_u8 {
        let turn = Rotation::about(Vec3::new(1.0, 2.0, -0.5), f32::from(angle) * 0.13).unwrap();
        let points: Vec<Vec3> =
            cube_with_points_on_its_faces(50).into_iter().map(|p| turn.turn(p)).collect();
        let hull = Hull::new(&points).unwrap();
        assert_valid(&hull, &points);
        assert_eq!((hull.faces().len(), hull.edges().len(), hull.vertices().len()), (6, 12, 8));
        assert!((volume(&hull) - 8.0).abs() < 1e-5);
    }
}

#[test]
fn random_points_give_a_valid_hull() {
    let mut numbers = Numbers(3);
    for count in [4, 5, 8, 20, 100, 1000] {
        for _ in 0..20 {
            let points: Vec<Vec3> = (0..count).map(|_| numbers.in_cube()).collect();
            match Hull::new(&points) {
                Ok(hull) => assert_valid(&hull, &points),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn a_thousand_nearly_coplanar_points_give_a_valid_hull_with_the_right_volume() {
    let mut numbers = Numbers(11);
    for turned in [false, true] {
        let turn =
            Rotation::about(Vec3::new(0.3, 1.0, 0.2), if turned { 0.7 } else { 0.0 }).unwrap();
        let points: Vec<Vec3> = (0..1000)
            .map(|_| {
                Vec3::new(
                    numbers.between(-1.0, 1.0),
                    numbers.between(-1e-6, 1e-6),
                    numbers.between(-1.0, 1.0),
                )
            })
            .map(|p| turn.turn(p))
            .collect();
        let hull = Hull::new(&points).unwrap();
        assert_valid(&hull, &points);
        let volume = volume(&hull);
        assert!((4e-6..8.5e-6).contains(&volume), "{volume:e}");
    }
}

#[test]
fn the_hull_of_100_000_points_on_a_sphere_is_closed_and_has_its_volume() {
    let mut numbers = Numbers(5);
    let points: Vec<Vec3> = (0..100_000).map(|_| numbers.on_sphere()).collect();
    let hull = Hull::new(&points).unwrap();
    let missing = 1.0 - volume(&hull) / (4.0 / 3.0 * core::f64::consts::PI);
    // A random polytope on a sphere misses 12/n of its volume.
    assert!((1.1e-4..1.3e-4).contains(&missing), "{missing:e}");
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(v + f, e + 2);
}

/// Points that are hard on a hull: on a lattice, on few planes, lines and circles, all but doubled, in
/// needles and sheets; turned, moved and scaled.
fn hard_points(numbers: &mut Numbers) -> Vec<Vec3> {
    let pick = |numbers: &mut Numbers, count: u32| (numbers.next() * count as f32) as u32;
    let count = 4 + pick(numbers, 200);
    let kind = pick(numbers, 9);
    let lattice = 1 + pick(numbers, 6);
    let squash = [1.0, 1.0, 0.1, 1e-3, 1e-5][pick(numbers, 5) as usize];
    let turn = Rotation::about(numbers.on_sphere(), numbers.between(0.0, 6.0)).unwrap();
    let turned = pick(numbers, 2) == 1;
    let scale = [1e-3, 1.0, 1.0, 77.7, 1e4][pick(numbers, 5) as usize];
    let moved = [0.0, 0.0, 0.3, 100.0][pick(numbers, 4) as usize];
    let mut points: Vec<Vec3> = (0..count)
        .map(|_| match kind {
            0 => numbers.in_cube(),
            1 => numbers.on_sphere(),
            2 => {
                let mut on = || pick(numbers, lattice + 1) as f32 / lattice as f32;
                Vec3::new(on(), on(), on())
            }
            3 => {
                let mut point = numbers.in_cube();
                point[pick(numbers, 3) as usize] = 1.0 - 2.0 * pick(numbers, 2) as f32;
                point
            }
            4 => {
                let (sin, cos) =
                    scalar::sin_cos(pick(numbers, 64) as f32 / 64.0 * core::f32::consts::TAU);
                Vec3::new(cos, pick(numbers, 3) as f32, sin)
            }
            5 => {
                let near = numbers.in_cube() * 2e-7;
                cube_corners()[pick(numbers, 8) as usize] + near
            }
            6 => {
                let mut point = numbers.in_cube();
                let axis = pick(numbers, 3) as usize;
                point[axis] = 1.0;
                point[(axis + 1) % 3] = 1.0;
                point + numbers.in_cube() * 1e-7
            }
            7 => {
                let point = numbers.in_cube();
                Vec3::new(point.x, point.y, point.x * point.x + point.y * point.y)
            }
            _ => {
                let along = numbers.between(-1.0, 1.0);
                Vec3::new(along, along * along * 1e-6, numbers.between(-1e-6, 1e-6))
            }
        })
        .collect();
    for point in &mut points {
        point.y *= squash;
        if turned {
            *point = turn.turn(*point);
        }
        *point = (*point + Vec3::splat(moved)) * scale;
    }
    points
}

#[test]
fn hard_points_give_a_valid_hull_or_a_reason() {
    let mut refused = 0;
    for seed in 0..2_000 {
        let points = hard_points(&mut Numbers(seed));
        match Hull::new(&points) {
            Ok(hull) => {
                let check = std::panic::catch_unwind(|| assert_valid(&hull, &points));
                assert!(check.is_ok(), "seed {seed}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!((1..700).contains(&refused), "{refused} refused");
}

#[test]
fn what_encloses_nothing_is_refused_with_the_reason() {
    let corner = cube_corners();
    let refused = |points: &[Vec3]| Hull::new(points).unwrap_err();
    assert_eq!(refused(&[]), InvalidShape::NoPoints);
    for count in 1..4 {
        assert_eq!(refused(&corner[..count]), InvalidShape::TooFewPoints { count });
    }
    assert_eq!(refused(&[corner[3]; 50]), InvalidShape::OnePlace { count: 50 });
    let line: Vec<Vec3> =
        (0..50_u8).map(|step| corner[0] + Vec3::splat(0.1) * f32::from(step)).collect();
    assert_eq!(refused(&line), InvalidShape::OneLine { count: 50 });
    let mut numbers = Numbers(2);
    for angle in 0..50_u8 {
        let turn = Rotation::about(Vec3::new(1.0, 0.7, -0.2), f32::from(angle) * 0.1).unwrap();
        let flat: Vec<Vec3> = (0..100)
            .map(|_| {
                turn.turn(Vec3::new(numbers.between(-1.0, 1.0), 0.0, numbers.between(-1.0, 1.0)))
            })
            .collect();
        let error = refused(&flat);
        assert!(matches!(error, InvalidShape::Flat { count: 100, .. }), "{error}");
        assert!(error.to_string().contains("give the hull some thickness"));
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut points = corner.clone();
        points[5].y = bad;
        assert!(matches!(refused(&points), InvalidShape::NotFinite { index: 5, .. }));
    }
    let tiny: Vec<Vec3> = corner.iter().map(|&corner| corner * 1e-8).collect();
    assert!(refused(&tiny).to_string().contains("scale the scene up"));
    let mut points = corner.clone();
    points[2].z = 1e7;
    assert!(matches!(refused(&points), InvalidShape::TooFar { index: 2, .. }));
}

#[test]
fn duplicates_and_order_do_not_change_the_solid() {
    let mut points = cube_with_points_on_its_faces(20);
    points.extend(points.clone());
    let once = Hull::new(&points).unwrap();
    points.reverse();
    let again = Hull::new(&points).unwrap();
    for hull in [&once, &again] {
        assert_eq!((hull.faces().len(), hull.edges().len(), hull.vertices().len()), (6, 12, 8));
    }
    assert_eq!(once.mass_properties().volume, again.mass_properties().volume);
}

#[test]
fn the_hull_of_a_hull_is_itself() {
    for seed in 0..500 {
        if let Ok(hull) = Hull::new(&hard_points(&mut Numbers(seed))) {
            assert!(Hull::new(hull.vertices()) == Ok(hull), "seed {seed}");
        }
    }
}

#[test]
fn corners_keep_the_order_of_the_points() {
    let corners = cube_corners();
    assert_eq!(Hull::new(&corners).unwrap().vertices(), corners);
}
