//! Shapes that are not centered at their local origin.

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{ConvexHull, Cuboid},
};

use crate::narrow_phase::{
    ManifoldCache, closest_points, contact_manifold, contact_manifold_cached,
};
use crate::shapes::{Compound, Shape};

/// Rounds to a grid that stays exact under the offsets below.
fn exact(point: Vec3) -> Vec3 {
    Vec3::from(point.to_array().map(|c| (c * 1024.0).round() / 1024.0))
}

fn cube(rotation: Rotation, center: Vec3) -> Shape {
    let side = |bit: u32| if bit & 1 == 1 { 0.5 } else { -0.5 };
    let vertex = |bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2));
    let vertices: Vec<Vec3> =
        (0..8).map(|bits| exact(rotation.rotate(vertex(bits))) + center).collect();
    ConvexHull::new(&vertices).unwrap().into()
}

/// Regression: tolerances were proportional to the distance from the hull's local origin; at 8,192
/// units the distance of two unit cubes was off by 0.17.
#[test]
fn hulls_far_from_their_local_origin_are_as_accurate_as_centered_ones() {
    for (shift, tolerance) in [(16.0, 5e-5), (128.0, 2e-4), (1024.0, 2e-3), (8192.0, 2e-2)] {
        let shift = Vec3::X * shift;
        for case in 0..200_u8 {
            let step = f32::from(case);
            let rotation = Rotation::from_axis_angle(
                Vec3::new(1.0, 0.1 * step, 3.0 - 0.2 * step),
                0.37 * step,
            )
            .unwrap();
            let direction =
                Rotation::from_axis_angle(Vec3::new(0.3, 1.0, 0.05 * step), 0.71 * step).unwrap();
            let offset = exact(direction.rotate(Vec3::X) * (0.9 + 0.0025 * step));
            let distance = |shift: Vec3| {
                let (a, b) = (cube(Rotation::IDENTITY, shift), cube(rotation, shift + offset));
                closest_points(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY).distance
            };
            let (near, far) = (distance(Vec3::ZERO), distance(shift));
            assert!((near - far).abs() <= tolerance, "{case} at {shift:?}: {near}, {far}");
        }
    }
}

/// Regression: points were kept while the bodies slid by a ratio of their distance from the origin.
#[test]
fn manifold_cache_scales_with_the_size_of_a_hull_not_with_its_offset() {
    let shift = Vec3::X * 1000.0;
    let (a, b) =
        (cube(Rotation::IDENTITY, shift), cube(Rotation::IDENTITY, shift + exact(Vec3::Y * 0.99)));
    let mut cache = ManifoldCache::new();
    for _ in 0..3 {
        let _ = contact_manifold_cached(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY, 0.0, &mut cache);
    }
    for translation in [Vec3::X * 0.03, Vec3::Y * 0.005, Vec3::Y * 0.03] {
        let moved = Pose::from_translation(translation);
        let cached = contact_manifold_cached(&a, &Pose::IDENTITY, &b, &moved, 0.0, &mut { cache });
        assert_eq!(
            cached,
            contact_manifold(&a, &Pose::IDENTITY, &b, &moved, 0.0),
            "{translation:?}"
        );
    }
}

/// Regression: all pairs of sub-shapes were tested, 12 s for 2,000 sub-shapes.
#[test]
fn closest_points_of_large_compounds_match_brute_force() {
    let sheet = |count: u16, y: f32| {
        let sub_shape = Shape::from(Cuboid::new(Vec3::splat(0.1)).unwrap());
        let pose_of = |sub_shape: u16| {
            let (x, z) = (f32::from(sub_shape % 40) * 0.3, f32::from(sub_shape / 40) * 0.3);
            Pose::from_translation(Vec3::new(x, y + 0.01 * ((x * 7.0 + z) % 3.0), z))
        };
        (0..count).map(|index| (pose_of(index), sub_shape.clone())).collect::<Vec<_>>()
    };
    for (lift, angle) in [(0.5, 0.3), (0.25, 0.1), (0.1, 0.5), (5.0, 1.0)] {
        let (below, above) = (sheet(400, 0.0), sheet(200, 0.0));
        let rotation = Rotation::from_axis_angle(Vec3::new(0.1, 1.0, 0.05), angle).unwrap();
        let pose = Pose { rotation, position: Vec3::new(0.05, lift, 0.05) };
        let [a, b] = [&below, &above]
            .map(|sub_shapes| Shape::from(Compound::new(sub_shapes.clone()).unwrap()));
        let closest = closest_points(&a, &Pose::IDENTITY, &b, &pose);
        let mut expected = f32::INFINITY;
        for (pose_a, shape_a) in &below {
            for index in 0..above.len() as u32 {
                let Shape::Compound(compound) = &b else { unreachable!() };
                let pose_b = compound.sub_shape_pose(&pose, index);
                let distance =
                    closest_points(shape_a, pose_a, &above[index as usize].1, &pose_b).distance;
                expected = if distance < expected { distance } else { expected };
            }
        }
        assert!((closest.distance - expected).abs() < 1e-6, "{lift}: {closest:?}, {expected}");
    }
}
