//! Contact manifolds: positions, number of points, persistence of feature ids, and caching.

use std::collections::{BTreeMap, BTreeSet};

use embate::narrow_phase::{
    Manifold, ManifoldCache, Sweep, closest_points, contact_manifold, contact_manifold_cached,
    intersects, time_of_impact,
};
use embate::shapes::{Capsule, Compound, ConvexHull, Cuboid, HalfSpace, Shape, Sphere};
use embate::{Pose, Rotation, Vec3};
use embate_contracts::contact_comparison::{ContactTally, TOLERANCE, compare_manifold};
use embate_contracts::contact_reference::{
    Point, Quaternion, Solid, Transform, separation_along_axis, true_separation,
};
use embate_contracts::contact_scenes::{
    Cast, HullPool, Scene, ShapeWithReference, any_direction, pose, random_rotation,
};
use embate_scene::random::Random;

fn sphere(radius: f32) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn cuboid(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

fn capsule(half_height: f32, radius: f32) -> Shape {
    Capsule::new(half_height, radius).unwrap().into()
}

fn ground() -> Shape {
    HalfSpace::new(Vec3::Y).unwrap().into()
}

/// A box represented as a convex hull.
fn hull_box(x: f32, y: f32, z: f32) -> Shape {
    let side = |vertex: u32, axis: u32| if vertex >> axis & 1 == 0 { -1.0 } else { 1.0 };
    let vertex = |i: u32| Vec3::new(side(i, 0) * x, side(i, 1) * y, side(i, 2) * z);
    ConvexHull::new(&(0..8).map(vertex).collect::<Vec<_>>()).unwrap().into()
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn rotated(axis: Vec3, angle: f32, position: Vec3) -> Pose {
    Pose { rotation: Rotation::from_axis_angle(axis, angle).unwrap(), position }
}

/// A rigid transform of both bodies keeps the distance and rotates the normal.
#[test]
fn closest_points_are_invariant_under_rigid_transforms() {
    let pool = HullPool::new(100);
    let mut random = Random::new(2);
    for number in 0..4_000 {
        let mut scene = Scene::new(&pool, 3, number);
        if scene.far {
            continue;
        }
        let query = |scene: &Scene| {
            let ([a, b], [pose_a, pose_b]) = (&scene.shapes, &scene.poses);
            closest_points(&a.shape, pose_a, &b.shape, pose_b)
        };
        let before = query(&scene);
        let (rotation, offset) =
            (random_rotation(&mut random), any_direction(&mut random) * scene.size());
        for moved in &mut scene.poses {
            let own = Quaternion(moved.rotation.to_array().map(f64::from));
            *moved = pose(own.then(rotation), rotation.rotate(Point::of(moved.position)) + offset);
        }
        let after = query(&scene);
        // Only the rounding of the poses may change the result.
        let tolerance = 1e-5 * scene.size() + 4.0 * scene.world_rounding();
        let changed = f64::from((after.distance - before.distance).abs());
        assert!(changed <= tolerance, "{number}: {before:?}, {after:?}");
        // Of several optimal normals another may be returned; each must attain the distance.
        let [a, b] = scene.solids();
        let along = rotation.rotate(Point::of(before.normal));
        let unit = along.unit().unwrap();
        let attained = separation_along_axis(&a, &b, unit);
        // A half-space has a single normal, which rotation and rounding change.
        if attained.is_finite() {
            let lost = true_separation(&a, &b).separation - attained;
            assert!(lost <= tolerance + TOLERANCE * scene.size(), "{number}: {lost:e}");
        }
    }
}

#[test]
fn distance_error_stays_below_1e_4_at_10_000_units_from_the_origin() {
    let shapes = [
        sphere(0.7),
        cuboid(0.5, 0.8, 0.3),
        capsule(0.6, 0.3),
        hull_box(0.4, 0.4, 0.9),
        ConvexHull::cylinder(0.6, 0.5, 12).unwrap().into(),
    ];
    let mut random = Random::new(5);
    let mut worst = 0.0_f64;
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            for _ in 0..150 {
                let far = any_direction(&mut random) * 10_000.0;
                let near = any_direction(&mut random) * (0.2 + 1.4 * random.unit_f64());
                let poses = [
                    pose(random_rotation(&mut random), far),
                    pose(random_rotation(&mut random), far + near),
                ];
                let solids: [Solid; 2] = core::array::from_fn(|body| {
                    let reference = ShapeWithReference::new([a, b][body].clone()).reference;
                    reference.placed(&Transform::of(&poses[body]))
                });
                let truth = true_separation(&solids[0], &solids[1]).separation;
                let closest = closest_points(a, &poses[0], b, &poses[1]);
                worst = worst.max((f64::from(closest.distance) - truth).abs());
                let between = Point::of(closest.points[1]) - Point::of(closest.points[0]);
                let along = between.dot(Point::of(closest.normal));
                // World-space points have the resolution of f32.
                assert!((along - truth).abs() < 2e-3, "{along} {truth}");
            }
        }
    }
    assert!(worst < 1e-4, "{worst:e}");
}

#[track_caller]
fn manifold(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f32) -> Manifold {
    contact_manifold(a, pose_a, b, pose_b, margin).expect("the bodies touch")
}

/// Ground as a box, as a hull and as a half-space.
fn grounds() -> Vec<(Shape, Pose)> {
    vec![
        (cuboid(5.0, 1.0, 5.0), at(0.0, -1.0, 0.0)),
        (hull_box(5.0, 1.0, 5.0), at(0.0, -1.0, 0.0)),
        (ground(), Pose::IDENTITY),
    ]
}

#[test]
fn box_has_four_points_on_a_face_two_on_an_edge_and_one_on_a_vertex() {
    let eighth = core::f32::consts::FRAC_PI_4;
    // Angle between an edge and the diagonal of a cube.
    let diagonal = 0.955_316_6;
    for (under, pose_under) in grounds() {
        for body in [cuboid(0.5, 0.5, 0.5), hull_box(0.5, 0.5, 0.5)] {
            for yaw in [0.0, 0.3, 0.7, 1.5] {
                let placed = |rotation: Rotation, height: f32| Pose {
                    rotation: Rotation::from_axis_angle(Vec3::Y, yaw).unwrap() * rotation,
                    position: Vec3::new(0.3, height, -0.2),
                };
                let edge = Rotation::from_axis_angle(Vec3::X, eighth).unwrap();
                let vertex =
                    Rotation::from_axis_angle(Vec3::new(1.0, 0.0, -1.0), diagonal).unwrap();
                for depth in [0.02, 0.001, -0.005] {
                    for (rotation, height, count) in [
                        (Rotation::IDENTITY, 0.5, 4),
                        (edge, 0.5_f32.sqrt(), 2),
                        (vertex, 0.75_f32.sqrt(), 1),
                    ] {
                        let pose = placed(rotation, height - depth);
                        let found = manifold(&under, &pose_under, &body, &pose, 0.01);
                        let context =
                            format!("{under:?} {body:?} yaw {yaw} depth {depth}: {found:?}");
                        assert_eq!(found.points().len(), count, "{context}");
                        assert!((found.normal - Vec3::Y).length() < 1e-4, "{context}");
                        for point in found.points() {
                            assert!((point.penetration - depth).abs() < 1e-4, "{context}");
                            assert!((point.position.y + depth / 2.0).abs() < 1e-4, "{context}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn capsule_has_two_points_lying_and_one_standing_and_cylinder_has_four() {
    let quarter = core::f32::consts::FRAC_PI_2;
    for (under, pose_under) in grounds() {
        let capsule = capsule(0.8, 0.2);
        let lying = rotated(Vec3::X, quarter, Vec3::new(0.1, 0.19, 0.2));
        let standing = at(0.1, 0.99, 0.2);
        let cylinder = Shape::from(ConvexHull::cylinder(0.5, 0.4, 16).unwrap());
        let upright = at(0.1, 0.49, 0.2);
        for (shape, pose, count) in
            [(&capsule, lying, 2), (&capsule, standing, 1), (&cylinder, upright, 4)]
        {
            let found = manifold(&under, &pose_under, shape, &pose, 0.01);
            assert_eq!(found.points().len(), count, "{under:?} {shape:?}: {found:?}");
            for point in found.points() {
                assert!((point.penetration - 0.01).abs() < 1e-4, "{under:?} {shape:?}: {found:?}");
            }
        }
    }
}

/// The reduction to four points must keep most of the area, or a standing body would tip.
#[test]
fn reduced_manifold_keeps_the_contact_area() {
    let area = |manifold: &Manifold| {
        // Sorted by angle about the center.
        let points: Vec<Point> = manifold.points().iter().map(|p| Point::of(p.position)).collect();
        let center =
            points.iter().fold(Point::ZERO, |sum, p| sum + *p) * (1.0 / points.len() as f64);
        let mut ring: Vec<Point> = points.iter().map(|p| *p - center).collect();
        ring.sort_by(|a, b| libm::atan2(a.0[2], a.0[0]).total_cmp(&libm::atan2(b.0[2], b.0[0])));
        let next = |i: usize| ring[(i + 1) % ring.len()];
        (0..ring.len()).map(|i| ring[i].cross(next(i)).length() / 2.0).sum::<f64>()
    };
    for (under, pose_under) in grounds() {
        for sides in [5, 6, 8, 16, 30] {
            let disc = Shape::from(ConvexHull::cylinder(0.3, 1.0, sides).unwrap());
            let full_area =
                f64::from(sides) / 2.0 * libm::sin(core::f64::consts::TAU / f64::from(sides));
            for yaw in 0..20 {
                let pose = rotated(Vec3::Y, yaw as f32 * 0.1, Vec3::new(0.0, 0.295, 0.0));
                let found = manifold(&under, &pose_under, &disc, &pose, 0.01);
                let ratio = area(&found) / full_area;
                assert!(ratio > 0.6, "{under:?}, {sides} sides, yaw {yaw}: {ratio:.3} {found:?}");
            }
        }
    }
    // Two crossed boxes: the overlap is a square, whose vertices are the points.
    let (long, pose) = (cuboid(2.0, 0.5, 0.5), at(0.0, 0.99, 0.0));
    let across = rotated(Vec3::Y, core::f32::consts::FRAC_PI_2, Vec3::ZERO);
    let found = manifold(&long, &across, &long, &pose, 0.01);
    assert!((area(&found) - 1.0).abs() < 1e-3, "{found:?}");
}

/// Calls `visit` with 1,000 randomly displaced and tilted poses of a body on the ground, and their
/// manifolds.
fn for_each_jittered_pose(
    (under, pose_under): &(Shape, Pose),
    (body, height): &(Shape, f32),
    mut visit: impl FnMut(u32, &Pose, &Manifold),
) {
    let mut random = Random::new(9);
    let mut jitter = |max: f32| random.between(-max, max);
    for step in 0..1_000 {
        let (x, z) = (0.3 + jitter(0.02), -0.2 + jitter(0.02));
        let rotation = Rotation::from_axis_angle(Vec3::Y, 0.4 + jitter(0.02)).unwrap()
            * Rotation::from_axis_angle(Vec3::X, jitter(0.003)).unwrap()
            * Rotation::from_axis_angle(Vec3::Z, jitter(0.003)).unwrap();
        // Deeper than the tilt lifts a vertex, so that all vertices stay in contact.
        let position = Vec3::new(x, height - 0.01 + jitter(0.001), z);
        let pose = Pose { rotation, position };
        visit(step, &pose, &manifold(under, pose_under, body, &pose, 0.02));
    }
}

#[test]
fn feature_ids_are_persistent_over_1_000_small_displacements() {
    let bodies = [
        (cuboid(0.5, 0.5, 0.5), 0.5),
        (hull_box(0.5, 0.5, 0.5), 0.5),
        (capsule(0.5, 0.25), 0.75),
        (sphere(0.5), 0.5),
    ];
    for ground in grounds() {
        for body in &bodies {
            let mut first: Option<BTreeSet<u32>> = None;
            for_each_jittered_pose(&ground, body, |step, _, found| {
                let features: BTreeSet<u32> = found.points().iter().map(|p| p.feature_id).collect();
                let expected = first.get_or_insert_with(|| features.clone());
                assert_eq!(*expected, features, "{ground:?} {body:?}, step {step}");
            });
        }
    }
}

/// Of a face with more than four vertices, four are kept, depending on the deepest one: rocking
/// exchanges one of them at a time.
#[test]
fn polygonal_foot_keeps_its_points_while_sliding_and_three_of_four_while_rocking() {
    for sides in [5, 7, 12] {
        let body = (Shape::from(ConvexHull::cylinder(0.5, 0.5, sides).unwrap()), 0.5);
        for ground in grounds() {
            let features = |found: &Manifold| -> BTreeSet<u32> {
                found.points().iter().map(|point| point.feature_id).collect()
            };
            let flat = manifold(&ground.0, &ground.1, &body.0, &at(0.3, 0.49, -0.2), 0.02);
            let flat = features(&flat);
            assert_eq!(flat.len(), 4);
            for_each_jittered_pose(&ground, &body, |step, pose, found| {
                let context = format!("{ground:?} {sides}, step {step}");
                assert!(flat.intersection(&features(found)).count() >= 3, "{context}: {found:?}");
                let upright = at(pose.position.x, pose.position.y, pose.position.z);
                let slid = manifold(&ground.0, &ground.1, &body.0, &upright, 0.02);
                assert_eq!(features(&slid), flat, "{context}: {slid:?}");
            });
        }
    }
}

/// The selected vertices of a face with more than four change, but an id always denotes the same
/// feature.
#[test]
fn feature_id_always_denotes_the_same_feature() {
    for sides in [5, 7, 12] {
        let body = (Shape::from(ConvexHull::cylinder(0.5, 0.5, sides).unwrap()), 0.5);
        for ground in grounds() {
            let mut known: BTreeMap<u32, Vec3> = BTreeMap::new();
            for_each_jittered_pose(&ground, &body, |step, pose, found| {
                for point in found.points() {
                    let local = pose.inverse_transform_point(point.position);
                    let before = *known.entry(point.feature_id).or_insert(local);
                    assert!((local - before).length() < 0.05, "{ground:?} {sides}, step {step}");
                }
            });
            assert!(known.len() <= sides as usize, "{known:?}");
        }
    }
}

/// Pairs, one body above the other, whose touching features are the same slightly separated and
/// slightly penetrating.
fn feature_pairs() -> Vec<(&'static str, [(Shape, Pose); 2])> {
    let eighth = core::f32::consts::FRAC_PI_4;
    let on_vertex = Rotation::from_axis_angle(Vec3::new(1.0, 0.0, -1.0), 0.955_316_6).unwrap();
    let (along_x, along_z) = (Vec3::X, Vec3::Z);
    let mut all = Vec::new();
    for make in [cuboid, hull_box] {
        let cube = || make(0.5, 0.5, 0.5);
        let root = 0.5_f32.sqrt();
        // Over the middle of an edge.
        let on_edge = rotated(along_x, eighth, Vec3::ZERO);
        let edge = [(cube(), on_edge), (cube(), rotated(along_z, eighth, Vec3::Y * (2.0 * root)))];
        all.push(("edge on edge", edge));
        let slanted = Rotation::from_axis_angle(Vec3::Y, 0.7).unwrap()
            * Rotation::from_axis_angle(along_z, eighth).unwrap();
        let slanted = Pose { rotation: slanted, position: Vec3::Y * (2.0 * root) };
        all.push(("slanted edge on edge", [(cube(), on_edge), (cube(), slanted)]));
        let standing =
            Pose { rotation: on_vertex, position: Vec3::new(0.1, 0.5 + 0.75_f32.sqrt(), 0.2) };
        all.push(("vertex on face", [(cube(), Pose::IDENTITY), (cube(), standing)]));
        let across = rotated(Vec3::Y, 1.2, Vec3::Y);
        let long = || make(2.0, 0.5, 0.4);
        all.push(("crossed boxes", [(long(), Pose::IDENTITY), (long(), across)]));
        all.push(("sphere on edge", [(cube(), on_edge), (sphere(0.3), at(0.1, root + 0.3, 0.0))]));
        let lying = rotated(along_z, core::f32::consts::FRAC_PI_2, Vec3::new(0.0, root + 0.2, 0.0));
        let across = Pose {
            rotation: Rotation::from_axis_angle(Vec3::Y, 0.9).unwrap() * lying.rotation,
            ..lying
        };
        all.push(("capsule across edge", [(cube(), on_edge), (capsule(0.4, 0.2), across)]));
    }
    all
}

/// The gap changes sign repeatedly, so that SAT and GJK alternate.
#[test]
fn feature_ids_are_persistent_while_bodies_separate_and_touch_1_000_times() {
    for (name, [(a, pose_a), (b, pose_b)]) in feature_pairs() {
        let mut random = Random::new(21);
        let mut jitter = |max: f32| random.between(-max, max);
        let mut first: Option<BTreeSet<u32>> = None;
        for step in 0..1_000 {
            let tilt = Rotation::from_axis_angle(Vec3::X, jitter(1e-4)).unwrap()
                * Rotation::from_axis_angle(Vec3::Z, jitter(1e-4)).unwrap()
                * Rotation::from_axis_angle(Vec3::Y, jitter(1e-3)).unwrap();
            let offset = Vec3::new(jitter(1e-3), jitter(2e-3), jitter(1e-3));
            let pose =
                Pose { rotation: tilt * pose_b.rotation, position: pose_b.position + offset };
            let found = manifold(&a, &pose_a, &b, &pose, 0.01);
            let features: BTreeSet<u32> = found.points().iter().map(|p| p.feature_id).collect();
            let expected = first.get_or_insert_with(|| features.clone());
            let context = || format!("{name}, {a:?}, step {step}, gap {}: {found:?}", offset.y);
            assert_eq!(*expected, features, "{}", context());
        }
    }
}

/// Faces with more vertices than the clipper holds are sampled, which must not affect the manifold.
#[test]
fn foot_with_up_to_1_024_vertices_has_four_points_in_any_tilt_direction() {
    for sides in [33, 48, 64, 200, 1_024] {
        let body = Shape::from(ConvexHull::cylinder(0.5, 0.5, sides).unwrap());
        for (under, pose_under) in grounds() {
            for tilt in 0..16 {
                let azimuth = tilt as f32 * 0.41;
                let (sin, cos) = (libm::sinf(azimuth), libm::cosf(azimuth));
                for angle in [0.0, 1e-4, 2e-3, 8e-3] {
                    let pose = rotated(Vec3::new(cos, 0.0, sin), angle, Vec3::new(0.1, 0.48, 0.2));
                    let found = manifold(&under, &pose_under, &body, &pose, 0.02);
                    let context = format!("{sides}, {under:?}, tilt {tilt}, {angle}: {found:?}");
                    assert_eq!(found.points().len(), 4, "{context}");
                    let deepest = 0.02 + 0.5 * f64::from(angle);
                    assert!(
                        (f64::from(found.max_penetration()) - deepest).abs()
                            < 2e-3 * f64::from(angle) + 1e-4,
                        "{context}"
                    );
                }
            }
        }
    }
}

/// A body that rotates about any point equals a compound with an offset part.
#[test]
fn time_of_impact_of_a_compound_part_equals_that_of_the_part_alone() {
    let pool = HullPool::new(60);
    let mut hits = 0;
    for number in 0..1_200 {
        let cast = Cast::new(&pool, 4, number);
        let mut random = Random::for_purpose(13, &[number]);
        let [a, b] = [0, 1].map(|body| &cast.shapes[body].shape);
        if [a, b].iter().any(|shape| matches!(shape, Shape::HalfSpace(_))) {
            continue;
        }
        let size = cast.size();
        let offset = (any_direction(&mut random) * (size * random.unit_f64())).rounded();
        let (alone, other) = (cast.sweep(1), cast.sweep(0));
        // The compound rotates about the same world-space point as the part alone.
        let part = Pose::from_translation(offset);
        let far = Pose::from_translation(
            offset + (any_direction(&mut random) * (300.0 * size)).rounded(),
        );
        let parts = vec![(far, sphere(size as f32 * 0.01)), (part, b.clone())];
        let compound = Shape::from(Compound::new(parts).unwrap());
        let start = Pose { position: alone.start.transform_point(-offset), ..alone.start };
        let sweep = Sweep { start, local_center: offset, ..alone };
        let impact = time_of_impact(a, &other, &compound, &sweep, cast.distance);
        let expected = time_of_impact(a, &other, b, &alone, cast.distance);
        let context = format!("{number}: {impact:?}, alone {expected:?}");
        let (Some(impact), Some(expected)) = (impact, expected) else {
            // A graze is decided by the rounding of the poses.
            let graze = impact.or(expected).is_none_or(|impact| {
                let pose = |sweep: &Sweep| sweep.pose_at(impact.fraction);
                let closest = closest_points(a, &pose(&other), b, &pose(&alone));
                f64::from((closest.distance - cast.distance).abs()) < 1e-5 * size
            });
            assert!(graze, "{context}");
            continue;
        };
        hits += 1;
        if !matches!(b, Shape::TriMesh(_)) {
            assert_eq!(impact.sub_shapes[1], 1, "{context}");
        }
        let speed = f64::from((other.translation - alone.translation).length())
            + size * f64::from(other.rotation_vector.length() + alone.rotation_vector.length());
        let difference = f64::from((impact.fraction - expected.fraction).abs()) * speed;
        assert!(
            difference < 2e-3 * size
                || impact.initially_overlapping == expected.initially_overlapping,
            "{context}"
        );
        assert!((impact.normal.length() - 1.0).abs() < 1e-6, "{context}");
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn manifold_exists_up_to_the_margin_and_not_beyond() {
    let shapes = [sphere(0.5), cuboid(0.5, 0.5, 0.5), hull_box(0.5, 0.5, 0.5), capsule(0.25, 0.25)];
    let all = shapes.iter().chain([&shapes[0]]);
    for a in all.clone() {
        for b in all.clone() {
            for margin in [0.0, 0.01, 0.1, 1.0] {
                for gap in [-0.2, -0.01, -0.0001, 0.0001, 0.009, 0.011, 0.09, 0.11, 0.99, 1.01] {
                    // One above the other: all have a half height of 0.5.
                    let pose_b = at(0.0, 1.0 + gap, 0.0);
                    let found = contact_manifold(a, &Pose::IDENTITY, b, &pose_b, margin);
                    let context = format!("{a:?} {b:?} margin {margin} gap {gap}: {found:?}");
                    assert_eq!(found.is_some(), gap <= margin, "{context}");
                    assert_eq!(intersects(a, &Pose::IDENTITY, b, &pose_b), gap < 0.0, "{context}");
                    if let Some(found) = found {
                        assert!((found.max_penetration() + gap).abs() < 1e-5, "{context}");
                        assert!((found.normal - Vec3::Y).length() < 1e-5, "{context}");
                    }
                }
            }
        }
    }
}

/// Displacements from the rounding of poses up to 1/100 of the size, with one cache for all pairs:
/// a stale entry of another pair must not affect the result.
#[test]
fn cached_manifold_equals_the_uncached_one_or_is_as_accurate() {
    let pool = HullPool::new(200);
    let mut cache = ManifoldCache::new();
    let (mut tally, mut reused) = (ContactTally::default(), 0);
    for number in 0..9_000 {
        let mut random = Random::for_purpose(12, &[number]);
        let mut scene = Scene::new(&pool, 5, number);
        let [a, b] = scene.shapes.clone();
        let margin = scene.size() as f32 * [0.0, 0.02][random.below(2) as usize];
        let displacement = [1e-7, 1e-6, 5e-6, 2e-5, 5e-5, 1e-3, 1e-2][random.below(7) as usize];
        for frame in 0..12 {
            let context =
                format!("{number}, frame {frame}, displacement {displacement} of the size");
            let [pose_a, pose_b] = scene.poses;
            let uncached = contact_manifold(&a.shape, &pose_a, &b.shape, &pose_b, margin);
            let mut query = || {
                contact_manifold_cached(&a.shape, &pose_a, &b.shape, &pose_b, margin, &mut cache)
            };
            let cached = query();
            assert_eq!(cached, query(), "{context}");
            if displacement > 1e-4 || frame == 0 {
                assert_eq!(cached, uncached, "{context}");
            }
            compare_manifold(&scene, margin, cached.as_ref(), &mut tally);
            reused += u64::from(cached.is_some() && cached != uncached);
            let rotation = Quaternion(pose_b.rotation.to_array().map(f64::from));
            let rotated =
                rotation.then(Quaternion::about(any_direction(&mut random), displacement));
            let offset = any_direction(&mut random) * (scene.smaller_size() * displacement);
            scene.poses[1] = pose(rotated, Point::of(pose_b.position) + offset);
        }
    }
    let findings: Vec<String> =
        tally.findings.iter().map(|f| format!("{}: {}\n", f.number, f.description)).collect();
    assert!(tally.wrong == 0, "{} of {} wrong\n{}", tally.wrong, tally.pairs, findings.concat());
    assert!(reused > 10_000, "only {reused} manifolds were reused");
}

/// Lasch returns a zero normal for coincident centers and for a center inside a box.
#[test]
fn concentric_bodies_have_a_unit_normal_and_the_right_penetration() {
    let shapes = [
        (sphere(0.5), 0.5),
        (cuboid(0.75, 1.0, 2.0), 0.75),
        (hull_box(0.75, 1.0, 2.0), 0.75),
        (capsule(2.0, 0.25), 0.25),
    ];
    for position in [Vec3::ZERO, Vec3::new(3.0, -4.0, 5.0), Vec3::splat(10_000.0)] {
        for rotation in
            [Rotation::IDENTITY, Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 1.0).unwrap()]
        {
            let pose = Pose { rotation, position };
            for (a, half_a) in &shapes {
                for (b, half_b) in &shapes {
                    let closest = closest_points(a, &pose, b, &pose);
                    let context = format!("{a:?} {b:?}: {closest:?}");
                    assert!((closest.normal.length() - 1.0).abs() < 1e-6, "{context}");
                    assert!((closest.distance + half_a + half_b).abs() < 1e-5, "{context}");
                    let found =
                        contact_manifold(a, &pose, b, &pose, 0.0).expect("the bodies overlap");
                    assert!(
                        (found.max_penetration() - half_a - half_b).abs() < 1e-5,
                        "{context}: {found:?}"
                    );
                    assert!((found.normal.length() - 1.0).abs() < 1e-6, "{context}: {found:?}");
                }
            }
        }
    }
}
