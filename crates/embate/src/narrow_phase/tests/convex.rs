//! Manifolds and closest points of convex pairs: hard cases by name. `contracts/` compares the
//! penetrations and distances of all pairs with an exhaustive f64 search.

use embate_geom::{Pose, Rotation, Vec3};

use super::*;
use crate::narrow_phase::*;

#[test]
fn coincident_centers_have_a_unit_normal() {
    for a in &unit_shapes() {
        for b in &unit_shapes() {
            let manifold = query(a, &Pose::IDENTITY, b, &Pose::IDENTITY, 0.0).unwrap();
            assert!(manifold.max_penetration() > 0.25, "{a} {b} {manifold:?}");
        }
    }
}

#[test]
fn sphere_center_inside_is_pushed_out_through_the_nearest_face() {
    for solid in [cuboid(1.0, 2.0, 3.0), box_hull(1.0, 2.0, 3.0)] {
        let manifold =
            query(&sphere(0.5), &at(-0.9, 0.0, 0.0), &solid, &Pose::IDENTITY, 0.0).unwrap();
        assert_eq!(manifold.normal, Vec3::X);
        assert!((manifold.max_penetration() - 0.6).abs() < 1e-6, "{manifold:?}");
    }
}

#[test]
fn concentric_boxes_separate_along_the_shortest_axis() {
    let thin = cuboid(1.0, 0.1, 2.0);
    for other in [cuboid(0.5, 0.5, 0.5), box_hull(0.5, 0.5, 0.5)] {
        let manifold = query(&thin, &Pose::IDENTITY, &other, &Pose::IDENTITY, 0.0).unwrap();
        assert_eq!(manifold.normal.abs(), Vec3::Y);
        assert!((manifold.max_penetration() - 0.6).abs() < 1e-6, "{manifold:?}");
        assert_eq!(manifold.points().len(), 4);
    }
}

#[test]
fn exactly_touching_shapes_have_a_manifold() {
    for (a, b, distance) in [
        (sphere(0.5), sphere(0.25), 0.75),
        (sphere(0.5), cuboid(0.5, 0.5, 0.5), 1.0),
        (cuboid(0.5, 0.5, 0.5), cuboid(0.25, 1.0, 1.0), 0.75),
        (cuboid(0.5, 0.5, 0.5), box_hull(0.25, 1.0, 1.0), 0.75),
        (box_hull(0.5, 0.5, 0.5), box_hull(0.25, 1.0, 1.0), 0.75),
        (capsule(1.0, 0.25), box_hull(0.25, 1.0, 1.0), 0.5),
        (capsule(1.0, 0.25), cuboid(0.25, 1.0, 1.0), 0.5),
        (capsule(1.0, 0.25), capsule(0.5, 0.25), 0.5),
    ] {
        let manifold = query(&a, &Pose::IDENTITY, &b, &at(distance, 0.0, 0.0), 0.0);
        let manifold =
            manifold.unwrap_or_else(|| panic!("no manifold of {a} and {b} at distance {distance}"));
        assert_eq!(manifold.normal, Vec3::X, "{a} {b}");
        assert!(manifold.max_penetration().abs() < 1e-6, "{a} {b} {manifold:?}");
    }
}

#[test]
fn box_on_box_has_four_points_on_a_face_two_on_an_edge_one_on_a_vertex() {
    let floor = at(0.0, -1.0, 0.0);
    let about_z = Rotation::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_4).unwrap();
    let about_x = Rotation::from_axis_angle(Vec3::X, 0.615_479_7).unwrap();
    let on_vertex = Pose { rotation: about_x * about_z, position: Vec3::new(0.0, 0.865, 0.0) };
    for solid in [cuboid(0.5, 0.5, 0.5), box_hull(0.5, 0.5, 0.5)] {
        for below in [cuboid(5.0, 1.0, 5.0), box_hull(5.0, 1.0, 5.0)] {
            let count = |pose: &Pose| {
                let manifold = query(&below, &floor, &solid, pose, 0.001).unwrap();
                assert!((manifold.normal - Vec3::Y).length() < 1e-5, "{manifold:?}");
                assert!((manifold.max_penetration() - 0.001).abs() < 2e-4, "{manifold:?}");
                manifold.points().len()
            };
            assert_eq!(count(&at(0.0, 0.499, 0.0)), 4);
            assert_eq!(count(&rotated(at(0.3, 0.499, 0.1), Vec3::Y, 30.0)), 4);
            assert_eq!(count(&rotated(at(0.0, 0.706, 0.0), Vec3::X, 45.0)), 2);
            assert_eq!(count(&on_vertex), 1);
        }
        let count = |pose: &Pose| {
            query(&half_space(), &Pose::IDENTITY, &solid, pose, 0.001).unwrap().points().len()
        };
        assert_eq!(count(&at(0.0, 0.499, 0.0)), 4);
        assert_eq!(count(&rotated(at(0.0, 0.706, 0.0), Vec3::X, 45.0)), 2);
        assert_eq!(count(&on_vertex), 1);
    }
}

#[test]
fn lying_capsule_touches_at_both_ends() {
    let lying = rotated(at(0.0, 0.24, 0.0), Vec3::Z, 90.0);
    let floors = [cuboid(5.0, 1.0, 5.0), box_hull(5.0, 1.0, 5.0)];
    for below in floors {
        let manifold =
            query(&below, &at(0.0, -1.0, 0.0), &capsule(0.5, 0.25), &lying, 0.0).unwrap();
        assert_eq!(manifold.points().len(), 2);
        assert!((manifold.points()[0].penetration - 0.01).abs() < 1e-5, "{manifold:?}");
        assert!((manifold.points()[0].position - manifold.points()[1].position).length() > 0.99);
    }
    let manifold = query(&half_space(), &Pose::IDENTITY, &capsule(0.5, 0.25), &lying, 0.0).unwrap();
    assert_eq!(manifold.points().len(), 2);
    let second = rotated(at(0.1, 0.73, 0.0), Vec3::Z, 90.0);
    let manifold = query(&capsule(0.5, 0.25), &lying, &capsule(0.5, 0.25), &second, 0.0).unwrap();
    assert_eq!(manifold.points().len(), 2);
}

/// Regression: only the closer edge got a point, so that a body on it rocked from one edge to the
/// other.
#[test]
fn tilted_capsule_across_a_plank_touches_both_edges_with_constant_feature_ids() {
    let capsule_shape = capsule(1.0, 0.25);
    for plank in [cuboid(0.3, 0.5, 2.0), box_hull(0.3, 0.5, 2.0)] {
        let feature_ids = |degrees: f32, yaw: f32| {
            let lying = Rotation::from_axis_angle(Vec3::Z, (90.0 + degrees).to_radians()).unwrap();
            let turned = Rotation::from_axis_angle(Vec3::Y, yaw).unwrap();
            let pose = Pose { rotation: turned * lying, position: Vec3::Y * 0.745 };
            let closest = closest_points(&plank, &Pose::IDENTITY, &capsule_shape, &pose);
            let manifold = query(&plank, &Pose::IDENTITY, &capsule_shape, &pose, 0.02).unwrap();
            assert!(
                (manifold.max_penetration() + closest.distance).abs() < 1e-5,
                "{manifold:?} {closest:?}"
            );
            assert_eq!(manifold.points().len(), 2, "{plank} at {degrees}°: {manifold:?}");
            let ids: Vec<u32> = manifold.points().iter().map(|point| point.feature_id).collect();
            let [first, second] = [0, 1].map(|index| &manifold.points()[index]);
            let span = (first.position - second.position).length();
            assert!(span > 0.55, "{manifold:?}");
            // Along the capsule's normal the face falls away by the tilt.
            let penetration_difference = (first.penetration - second.penetration).abs();
            let tilt = degrees.to_radians().abs();
            assert!(
                (penetration_difference - span * tilt).abs() < 1e-4,
                "{penetration_difference} at {degrees}°: {manifold:?}"
            );
            ids
        };
        for yaw in [0.0, 0.3] {
            let level = feature_ids(0.0, yaw);
            for degrees in [-1.0, -0.3, -0.01, -1e-4, 1e-4, 0.01, 0.3, 1.0] {
                assert_eq!(feature_ids(degrees, yaw), level, "{plank} at {degrees}°");
            }
        }
    }
}

#[test]
fn capsule_just_outside_a_box_edge_touches_within_the_box() {
    let pose = at(1.000_000_1, 4.5, 1.000_001);
    let manifold = query(&cuboid(1.0, 1.0, 1.0), &Pose::IDENTITY, &capsule(5.5, 0.1), &pose, 0.0);
    let manifold = manifold.unwrap();
    assert_eq!(manifold.points().len(), 2, "{manifold:?}");
    assert!(manifold.points().iter().all(|point| point.position.y.abs() < 1.001), "{manifold:?}");
}

#[test]
fn margin_is_the_maximum_separation_of_a_manifold() {
    for a in &unit_shapes() {
        for b in &unit_shapes() {
            for angle in [0.0, 20.0, 77.0] {
                let pose = rotated(at(1.7, 0.3, -0.2), Vec3::new(1.0, 2.0, 3.0), angle);
                let distance = closest_points(a, &Pose::IDENTITY, b, &pose).distance;
                assert!(distance > 0.0);
                let manifold = query(a, &Pose::IDENTITY, b, &pose, distance + 1e-4);
                let penetration = manifold.map(|manifold| manifold.max_penetration());
                assert!(
                    penetration.is_some_and(|penetration| (penetration + distance).abs() < 1e-4),
                    "{a} {b} {penetration:?} {distance}"
                );
                assert_eq!(query(a, &Pose::IDENTITY, b, &pose, distance - 1e-4), None, "{a} {b}");
            }
        }
    }
}

#[test]
fn feature_ids_persist_over_a_thousand_small_moves() {
    let below = [cuboid(5.0, 1.0, 5.0), box_hull(5.0, 1.0, 5.0), cylinder(1.0, 5.0)];
    for solid in [cuboid(0.5, 0.5, 0.5), box_hull(0.5, 0.5, 0.5), cylinder(0.5, 0.5)] {
        for below in &below {
            let feature_ids = |step: u32| {
                // Rocks by less than 1e-3, slides and spins a little.
                let phase = step as f32 * 0.37;
                let sway = |rate: f32| embate_geom::scalar::sin_cos(phase * rate).0;
                let tilt = Vec3::new(1e-4 * sway(1.3), 1e-3 * sway(0.7), 1e-4 * sway(2.1));
                let pose = Pose {
                    rotation: Rotation::from_axis_angle(Vec3::Y, 0.3).unwrap().integrated(tilt),
                    position: Vec3::new(
                        0.01 * sway(0.3),
                        0.498 + 1e-3 * sway(1.7),
                        0.01 * sway(0.9),
                    ),
                };
                let manifold = query(below, &at(0.0, -1.0, 0.0), &solid, &pose, 0.01).unwrap();
                let mut feature_ids: Vec<u32> =
                    manifold.points().iter().map(|point| point.feature_id).collect();
                feature_ids.sort_unstable();
                feature_ids
            };
            let first = feature_ids(0);
            assert_eq!(first.len(), 4, "{below} {solid}");
            // A cylinder has more than four equally good vertices.
            if !matches!(&solid, Shape::ConvexHull(hull) if hull.vertices().len() > 8) {
                for step in 1..1000 {
                    assert_eq!(feature_ids(step), first, "{below} {solid} {step}");
                }
            }
        }
    }
}

/// Regression: the deepest vertex of each box lies beside the other; the witness points were that
/// vertex and its mirror image.
#[test]
fn partly_overlapping_boxes_have_witness_points_in_the_overlap() {
    for (a, b) in [
        (cuboid(1.0, 0.5, 1.0), cuboid(1.0, 0.5, 1.0)),
        (box_hull(1.0, 0.5, 1.0), cuboid(1.0, 0.5, 1.0)),
        (box_hull(1.0, 0.5, 1.0), box_hull(1.0, 0.5, 1.0)),
    ] {
        let over = at(1.5, 0.9, -1.5);
        let closest = closest_points(&a, &Pose::IDENTITY, &b, &over);
        assert!((closest.distance + 0.1).abs() < 1e-6 && closest.normal == Vec3::Y, "{closest:?}");
        let [on_a, on_b] = closest.points;
        assert!((on_a.y - 0.5).abs() < 1e-5 && (on_b.y - 0.4).abs() < 1e-5, "{closest:?}");
        for point in closest.points {
            assert!((0.499..=1.001).contains(&point.x), "{closest:?}");
            assert!((-1.001..=-0.499).contains(&point.z), "{closest:?}");
        }
    }
}

/// A flat tetrahedron has no interior, regardless of the signs of its four faces.
#[test]
fn crossed_thin_boxes_have_witness_points_on_both() {
    let blade = cuboid(2000.0, 27.9, 27.9);
    let plate = cuboid(341.0, 1.75, 460.0);
    for degrees in [10.0, 33.0, 45.0, 80.0] {
        let rotation = Rotation::from_axis_angle(Vec3::Z, 0.7).unwrap()
            * Rotation::from_axis_angle(Vec3::X, f32::to_radians(degrees)).unwrap();
        let pose = Pose { rotation, position: Vec3::new(100.0, 20.0, 30.0) };
        let closest = closest_points(&blade, &Pose::IDENTITY, &plate, &pose);
        let depth = -closest.distance;
        assert!(depth > 0.0, "{closest:?}");
        let on_plate = pose.inverse_transform_point(closest.points[1]).abs();
        assert!(on_plate.x < 341.1 && on_plate.y < 1.85 && on_plate.z < 460.1, "{closest:?}");
        let on_blade = closest.points[0].abs();
        assert!(on_blade.x < 2000.1 && on_blade.y < 28.0 && on_blade.z < 28.0, "{closest:?}");
    }
}

#[test]
fn manifold_cache_keeps_points_of_a_resting_body_and_drops_them_after_motion() {
    let (floor, crate_) = (cuboid(5.0, 1.0, 5.0), box_hull(0.5, 0.5, 0.5));
    let mut cache = ManifoldCache::new();
    let mut query_cached = |pose: &Pose| {
        contact_manifold_cached(&floor, &at(0.0, -1.0, 0.0), &crate_, pose, 0.02, &mut cache)
            .unwrap()
    };
    let resting = at(0.3, 0.499, 0.2);
    let manifolds = [query_cached(&resting), query_cached(&resting), query_cached(&resting)];
    assert!(manifolds[0] == manifolds[1] && manifolds[1] == manifolds[2]);
    let trembling = at(0.300_01, 0.499_02, 0.2);
    let reused = query_cached(&trembling);
    assert_eq!(reused.points().len(), 4);
    for (after, before) in reused.points().iter().zip(manifolds[0].points()) {
        assert_eq!(after.feature_id, before.feature_id);
        assert!(
            (after.penetration - before.penetration + 2e-5).abs() < 1e-6,
            "{after:?}, {before:?}"
        );
    }
    let moved = at(0.4, 0.49, 0.2);
    let uncached = contact_manifold(&floor, &at(0.0, -1.0, 0.0), &crate_, &moved, 0.02).unwrap();
    assert_eq!(query_cached(&moved), uncached);
}

/// Two shapes of every kind, separated or overlapping.
fn sample_pairs() -> impl Iterator<Item = (Shape, Pose, Shape, Pose)> {
    let poses = (0..40_u8).map(f32::from).map(|step| {
        let pose = at(1.3 - 0.07 * step, 0.1 * step - 0.5, 0.9 - 0.03 * step);
        rotated(pose, Vec3::new(1.0, step - 3.0, 2.0), 17.0 * step)
    });
    poses.flat_map(|pose| {
        let both = unit_shapes()
            .into_iter()
            .flat_map(|a| unit_shapes().into_iter().map(move |b| (a.clone(), b)));
        both.map(move |(a, b)| (a, rotated(at(0.1, 0.2, 0.3), Vec3::Z, 30.0), b, pose))
    })
}

#[test]
fn distance_limited_query_returns_the_same_result_or_none() {
    for (a, pose_a, b, pose_b) in sample_pairs() {
        let closest = closest_points(&a, &pose_a, &b, &pose_b);
        for max_distance in [0.0, 0.5 * closest.distance, closest.distance + 1e-4, 2.0] {
            match closest_points_within(&a, &pose_a, &b, &pose_b, max_distance) {
                Some(limited) => assert_eq!(limited, closest, "{a} {b} {pose_b:?}"),
                None => assert!(
                    closest.distance > max_distance - 1e-5,
                    "{a} {b} {pose_b:?} {max_distance}"
                ),
            }
        }
    }
}

#[test]
fn separating_axis_is_a_lower_bound_of_the_distance() {
    let mut known_axes = 0;
    for (a, pose_a, b, pose_b) in sample_pairs() {
        let (mut axis, mut flipped_axis) = (SeparatingAxis::UNKNOWN, SeparatingAxis::UNKNOWN);
        let manifold = contact_or_separating_axis(&a, &pose_a, &b, &pose_b, 0.02, &mut axis);
        contact_or_separating_axis(&b, &pose_b, &a, &pose_a, 0.02, &mut flipped_axis);
        if manifold.is_some() {
            assert_eq!(axis.separation, f32::NEG_INFINITY);
            continue;
        }
        if (&a, &pose_a) != (&b, &pose_b) && axis.separation > 0.0 {
            assert_eq!(
                (flipped_axis.normal, flipped_axis.separation),
                (-axis.normal, axis.separation),
                "{a} {b}"
            );
        }
        assert!(
            axis.separation <= closest_points(&a, &pose_a, &b, &pose_b).distance + 1e-5,
            "{a} {b}"
        );
        if axis.separation > 0.0 {
            known_axes += 1;
            // Along the axis, no point of A reaches a point of B.
            let extent = |shape: &Shape, pose: &Pose, normal: Vec3| {
                let support = shape.support_point(pose.rotation.inverse_rotate(normal)).unwrap();
                pose.transform_point(support).dot(normal)
            };
            let normal = axis.normal;
            let separation = -extent(&b, &pose_b, -normal) - extent(&a, &pose_a, normal);
            assert!((separation - axis.separation).abs() < 1e-5, "{a} {b} {axis:?} {separation}");
        }
    }
    assert!(known_axes > 100, "only {known_axes} separating axes found");
}
