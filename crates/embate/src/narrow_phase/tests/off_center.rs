//! Bodies that do not lie about their own origin.

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{Cuboid, Hull},
};

use super::{PairCache, contact, contact_cached, separation};
use crate::shapes::{Compound, Shape};

/// A point on a grid that is exact wherever it is moved to below.
fn exact(point: Vec3) -> Vec3 {
    Vec3::from(point.to_array().map(|c| (c * 1024.0).round() / 1024.0))
}

fn cube(turn: Rotation, middle: Vec3) -> Shape {
    let side = |bit: u32| if bit & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2));
    let corners: Vec<Vec3> = (0..8).map(|bits| exact(turn.turn(corner(bits))) + middle).collect();
    Hull::new(&corners).unwrap().into()
}

/// Tolerances were parts of the distance to the hull's own origin: 8,192 away two unit cubes were told 0.17 wrong.
#[test]
fn hulls_in_coordinates_of_the_world_are_as_exact_as_about_their_origin() {
    for (shift, allowed) in [(16.0, 5e-5), (128.0, 2e-4), (1024.0, 2e-3), (8192.0, 2e-2)] {
        let shift = Vec3::X * shift;
        for case in 0..200_u8 {
            let t = f32::from(case);
            let turn = Rotation::about(Vec3::new(1.0, 0.1 * t, 3.0 - 0.2 * t), 0.37 * t).unwrap();
            let out = Rotation::about(Vec3::new(0.3, 1.0, 0.05 * t), 0.71 * t).unwrap();
            let way = exact(out.turn(Vec3::X) * (0.9 + 0.0025 * t));
            let told = |shift: Vec3| {
                let (a, b) = (cube(Rotation::IDENTITY, shift), cube(turn, shift + way));
                separation(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY).distance
            };
            let (near, far) = (told(Vec3::ZERO), told(shift));
            assert!((near - far).abs() <= allowed, "{case} at {shift:?}: {near}, {far}");
        }
    }
}

/// Points were kept while the bodies slid by a part of their distance to the origin.
#[test]
fn a_cache_knows_how_large_a_hull_far_from_its_origin_is() {
    let shift = Vec3::X * 1000.0;
    let (a, b) =
        (cube(Rotation::IDENTITY, shift), cube(Rotation::IDENTITY, shift + exact(Vec3::Y * 0.99)));
    let mut cache = PairCache::new();
    for _ in 0..3 {
        let _ = contact_cached(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY, 0.0, &mut cache);
    }
    for way in [Vec3::X * 0.03, Vec3::Y * 0.005, Vec3::Y * 0.03] {
        let moved = Pose::at(way);
        let kept = contact_cached(&a, &Pose::IDENTITY, &b, &moved, 0.0, &mut { cache });
        assert_eq!(kept, contact(&a, &Pose::IDENTITY, &b, &moved, 0.0), "{way:?}");
    }
}

/// All parts were asked against all parts: twelve seconds for two thousand.
#[test]
fn of_two_compounds_of_many_parts_the_nearest_two_are_found_as_by_asking_all() {
    let sheet = |count: u16, y: f32| {
        let part = Shape::from(Cuboid::new(Vec3::splat(0.1)).unwrap());
        let place = |part: u16| {
            let (x, z) = (f32::from(part % 40) * 0.3, f32::from(part / 40) * 0.3);
            Pose::at(Vec3::new(x, y + 0.01 * ((x * 7.0 + z) % 3.0), z))
        };
        (0..count).map(|index| (place(index), part.clone())).collect::<Vec<_>>()
    };
    for (lift, turn) in [(0.5, 0.3), (0.25, 0.1), (0.1, 0.5), (5.0, 1.0)] {
        let (below, above) = (sheet(400, 0.0), sheet(200, 0.0));
        let rotation = Rotation::about(Vec3::new(0.1, 1.0, 0.05), turn).unwrap();
        let pose = Pose { rotation, position: Vec3::new(0.05, lift, 0.05) };
        let [a, b] =
            [&below, &above].map(|parts| Shape::from(Compound::new(parts.clone()).unwrap()));
        let told = separation(&a, &Pose::IDENTITY, &b, &pose);
        let mut least = f32::INFINITY;
        for (pose_a, part_a) in &below {
            for index in 0..above.len() as u32 {
                let Shape::Compound(whole) = &b else { unreachable!() };
                let pose_b = whole.part_pose(&pose, index);
                let next = separation(part_a, pose_a, &above[index as usize].1, &pose_b).distance;
                least = if next < least { next } else { least };
            }
        }
        assert!((told.distance - least).abs() < 1e-6, "{lift}: {told:?}, {least}");
    }
}
