//! Numerical robustness: extreme sizes, large coordinates, degenerate shapes, drifted rotations.

use super::*;

#[test]
fn sizes_from_1e_minus_3_to_1e4_collide_in_one_pair() {
    let shapes = |size: f32| {
        [
            sphere(size),
            capsule(size, size),
            cuboid(size, size, size),
            box_hull(size, size, size),
            cylinder(size, size),
        ]
    };
    for large in &shapes(1e4) {
        for small in &shapes(1e-3) {
            // On top, just below the surface; a capsule extends to twice its size.
            let top = if matches!(large, Shape::Capsule(_)) { 2e4 } else { 1e4 };
            for height in [0.0, 0.5 * top, top, top + 0.01] {
                let manifold = query(large, &Pose::IDENTITY, small, &at(0.0, height, 0.0), 0.1);
                let penetration = manifold.map(|manifold| manifold.max_penetration());
                assert!(
                    penetration.is_some_and(|penetration| penetration > -0.02),
                    "{large} {small} {height}"
                );
            }
        }
    }
}

#[test]
fn results_are_invariant_under_a_common_rigid_motion() {
    let motion = Pose {
        rotation: Rotation::from_axis_angle(Vec3::new(3.0, -1.0, 2.0), 1.1).unwrap(),
        position: Vec3::new(2.0, -5.0, 3.0),
    };
    let transformed = |pose: &Pose| Pose {
        rotation: motion.rotation * pose.rotation,
        position: motion.transform_point(pose.position),
    };
    for a in &unit_shapes() {
        for b in &unit_shapes() {
            for x in [0.2, 0.6, 2.0] {
                let pose_a = rotated(at(0.1, 0.2, 0.3), Vec3::X, 25.0);
                let pose_b = rotated(at(x, 0.33, 0.25), Vec3::new(1.0, 2.0, 3.0), 40.0);
                let before = closest_points(a, &pose_a, b, &pose_b);
                let after = closest_points(a, &transformed(&pose_a), b, &transformed(&pose_b));
                assert!(
                    (before.distance - after.distance).abs() < 1e-5,
                    "{a} {b} {before:?} {after:?}"
                );
                let turned = motion.rotation.rotate(before.normal);
                assert!((turned - after.normal).length() < 1e-3, "{a} {b} {before:?} {after:?}");
            }
        }
    }
}

#[test]
fn results_keep_precision_ten_thousand_units_from_the_origin() {
    // Multiples of 1/1024 are exact there.
    let far = Vec3::new(10_000.0, -10_000.0, 10_000.0);
    for a in &unit_shapes() {
        for b in &unit_shapes() {
            for x in [0.125, 0.75, 1.5] {
                let pose = rotated(at(x, 0.25, 0.0625), Vec3::new(1.0, 2.0, 3.0), 40.0);
                let here = closest_points(a, &Pose::IDENTITY, b, &pose);
                let far_pose = Pose { position: pose.position + far, ..pose };
                let there = closest_points(a, &Pose::from_translation(far), b, &far_pose);
                assert_eq!(here.distance, there.distance, "{a} {b}");
                assert_eq!(here.normal, there.normal, "{a} {b}");
                for (near, distant) in here.points.iter().zip(there.points) {
                    assert!(
                        (*near + far - distant).length() < 2e-3,
                        "{a} {b} {near:?} {distant:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn out_of_range_pose_intersects_nothing() {
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        for a in unit_shapes() {
            let pose = at(bad, 0.0, 0.0);
            assert_eq!(contact_manifold(&a, &pose, &sphere(1.0), &Pose::IDENTITY, 1.0), None);
            assert!(!intersects(&a, &pose, &sphere(1.0), &Pose::IDENTITY));
            let closest = closest_points(&sphere(1.0), &Pose::IDENTITY, &a, &pose);
            assert_eq!((closest.distance, closest.normal), (f32::INFINITY, Vec3::Y));
        }
    }
}

#[test]
fn height_above_a_tilted_half_space_is_exact_far_from_its_origin() {
    for degrees in [28.6, -13.0, 61.7] {
        let tilt = rotated(Pose::IDENTITY, Vec3::Z, degrees);
        let [.., z, w] = tilt.rotation.to_array().map(f64::from);
        let (sin, cos) = (2.0 * z * w / (z * z + w * w), (w * w - z * z) / (z * z + w * w));
        for along in [10_000.0, -7_000.0] {
            let pose = at((along * cos) as f32, (along * sin) as f32, 0.0);
            let [x, y, _] = pose.position.to_array().map(f64::from);
            let height = -sin * x + cos * y - 0.5;
            let distance = closest_points(&sphere(0.5), &pose, &half_space(), &tilt).distance;
            assert!((f64::from(distance) - height).abs() < 1e-6, "{distance} for {height}");
        }
    }
}

#[test]
fn normals_have_unit_length_under_drifted_rotations() {
    let mut rotation = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap();
    let step = rotation;
    for _ in 0..2_000 {
        rotation = step * rotation;
    }
    let pose = Pose { rotation, position: Vec3::new(0.0, 0.9, 0.0) };
    for shape in [cuboid(0.5, 0.5, 0.5), cylinder(0.5, 0.4), capsule(0.5, 0.3)] {
        let manifold =
            contact_manifold(&shape, &pose, &cuboid(5.0, 0.5, 5.0), &Pose::IDENTITY, 1.0).unwrap();
        assert!(
            (manifold.normal.length() - 1.0).abs() < 1e-6,
            "{shape}: {}",
            manifold.normal.length()
        );
    }
}

#[test]
fn flat_and_needle_hulls_have_unit_normals() {
    let sheet = box_hull(1.0, 1e-5, 1.0);
    let needle = box_hull(1e-5, 1.0, 1e-5);
    for a in [&sheet, &needle] {
        for b in unit_shapes().iter().chain([&sheet, &needle]) {
            for x in [0.0, 0.3, 0.9, 1.5, 3.0] {
                for angle in [0.0, 1e-4, 30.0, 90.0] {
                    let pose = rotated(at(x, 0.1 * x, 0.0), Vec3::new(1.0, 2.0, 3.0), angle);
                    let _ = query(a, &Pose::IDENTITY, b, &pose, 0.01);
                }
            }
        }
    }
}
