//! What every hull must be: closed, convex, right in its counts and its volume.

use super::*;
use crate::Rotation;

/// Numbers from 0 to 1 that are the same everywhere (`SplitMix64`).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub(super) fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.next()
    }

    fn in_cube(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub(super) fn on_sphere(&mut self) -> Vec3 {
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
    for face in hull.faces() {
        let corners = hull.corners(face);
        let at = |corner: usize| Wide::from(hull.vertices()[corners[corner] as usize]);
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
    for edge in hull.edges() {
        let [from, to] = edge.vertices;
        assert!(sides.contains(&(from, to, edge.faces[0])), "{edge:?}");
        assert!(sides.contains(&(to, from, edge.faces[1])), "{edge:?}");
    }
    if points.len() * f > 20_000_000 {
        return;
    }
    for face in hull.faces() {
        let normal = Wide::from(face.normal);
        // Within the tolerance of the surface, and the rounding of normal and offset to f32.
        let limit = 4.0 * tolerance.along(normal);
        for &point in &wide {
            let out = point.dot(normal) - f64::from(face.offset);
            assert!(out <= limit, "{point:?} stands {out} out of {face:?}, more than {limit}");
        }
        for &corner in hull.corners(face) {
            let below =
                f64::from(face.offset) - Wide::from(hull.vertices()[corner as usize]).dot(normal);
            assert!(below <= limit, "{below} below {face:?}, more than {limit}");
        }
    }
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
    let start = std::time::Instant::now();
    let hull = Hull::new(&points).unwrap();
    println!(
        "{:?}: {} corners, {} faces",
        start.elapsed(),
        hull.vertices().len(),
        hull.faces().len()
    );
    let missing = 1.0 - volume(&hull) / (4.0 / 3.0 * core::f64::consts::PI);
    println!("{missing:e}");
    assert!((0.0..2e-4).contains(&missing));
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
    assert_eq!(v + f, e + 2);
}
