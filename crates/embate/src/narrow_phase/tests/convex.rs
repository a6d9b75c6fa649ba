//! Hard contacts by name. That depths and distances are right is judged against exhaustive search in f64,
//! over all kinds, in `contracts/`.

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{Capsule, Cuboid, Hull, Plane, Sphere},
};

use super::*;
use crate::shapes::Compound;

fn sphere(radius: f32) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn capsule(half_height: f32, radius: f32) -> Shape {
    Capsule::new(half_height, radius).unwrap().into()
}

fn cuboid(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

/// A box as a hull.
fn crate_hull(x: f32, y: f32, z: f32) -> Shape {
    let corner = |bits: u32| {
        let sign = |bit: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
        Vec3::new(x * sign(0), y * sign(1), z * sign(2))
    };
    Hull::new(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().into()
}

fn cylinder(half_height: f32, radius: f32) -> Shape {
    Hull::cylinder(half_height, radius, 24).unwrap().into()
}

fn ground() -> Shape {
    Plane::new(Vec3::Y).unwrap().into()
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::at(Vec3::new(x, y, z))
}

fn turned(pose: Pose, axis: Vec3, degrees: f32) -> Pose {
    Pose { rotation: Rotation::about(axis, degrees.to_radians()).unwrap(), ..pose }
}

/// One of each kind, about as large as 1.
fn kinds() -> Vec<Shape> {
    vec![
        sphere(0.5),
        capsule(0.5, 0.25),
        capsule(0.0, 0.5),
        cuboid(0.5, 0.4, 0.3),
        crate_hull(0.5, 0.4, 0.3),
        cylinder(0.5, 0.4),
        Hull::cone(0.5, 0.5, 9).unwrap().into(),
    ]
}

/// Asks everything both ways and looks at every number.
fn ask(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f32) -> Option<Manifold> {
    let found = contact(a, pose_a, b, pose_b, margin);
    let back = contact(b, pose_b, a, pose_a, margin).map(Manifold::turned_round);
    let apart = separation(a, pose_a, b, pose_b);
    if (a, pose_a) != (b, pose_b) {
        assert_eq!(found, back, "{a} {pose_a:?} {b} {pose_b:?}");
        assert_eq!(apart, separation(b, pose_b, a, pose_a).turned_round());
    }
    assert!(apart.distance.is_finite() && apart.points.iter().all(|point| point.is_finite()));
    assert!((apart.normal_ab.length() - 1.0).abs() < 1e-6, "{a} {b} {apart:?}");
    assert_eq!(touching(a, pose_a, b, pose_b), apart.distance <= 0.0, "{a} {b} {apart:?}");
    if let Some(manifold) = &found {
        assert!((manifold.normal.length() - 1.0).abs() < 1e-6, "{a} {b} {manifold:?}");
        assert!((1..=4).contains(&manifold.points().len()));
        for contact in manifold.points() {
            assert!(contact.point.is_finite() && contact.depth >= -margin, "{a} {b} {manifold:?}");
        }
    }
    found
}

#[test]
fn equal_middles_have_a_normal() {
    for a in &kinds() {
        for b in &kinds() {
            let manifold = ask(a, &Pose::IDENTITY, b, &Pose::IDENTITY, 0.0).unwrap();
            assert!(manifold.depth() > 0.25, "{a} {b} {manifold:?}");
        }
    }
}

#[test]
fn a_sphere_whose_middle_is_inside_leaves_by_the_nearest_face() {
    for solid in [cuboid(1.0, 2.0, 3.0), crate_hull(1.0, 2.0, 3.0)] {
        let found = ask(&sphere(0.5), &at(-0.9, 0.0, 0.0), &solid, &Pose::IDENTITY, 0.0).unwrap();
        assert_eq!(found.normal, Vec3::X);
        assert!((found.depth() - 0.6).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn concentric_boxes_part_along_the_shortest_axis() {
    let thin = cuboid(1.0, 0.1, 2.0);
    for other in [cuboid(0.5, 0.5, 0.5), crate_hull(0.5, 0.5, 0.5)] {
        let found = ask(&thin, &Pose::IDENTITY, &other, &Pose::IDENTITY, 0.0).unwrap();
        assert_eq!(found.normal.abs(), Vec3::Y);
        assert!((found.depth() - 0.6).abs() < 1e-6, "{found:?}");
        assert_eq!(found.points().len(), 4);
    }
}

#[test]
fn flat_and_needle_thin_hulls_have_unit_normals() {
    let sheet = crate_hull(1.0, 1e-5, 1.0);
    let needle = crate_hull(1e-5, 1.0, 1e-5);
    for a in [&sheet, &needle] {
        for b in kinds().iter().chain([&sheet, &needle]) {
            for x in [0.0, 0.3, 0.9, 1.5, 3.0] {
                for angle in [0.0, 1e-4, 30.0, 90.0] {
                    let pose = turned(at(x, 0.1 * x, 0.0), Vec3::new(1.0, 2.0, 3.0), angle);
                    let _ = ask(a, &Pose::IDENTITY, b, &pose, 0.01);
                }
            }
        }
    }
}

#[test]
fn sizes_from_a_thousandth_to_ten_thousand_meet_in_one_pair() {
    let shapes = |size: f32| {
        [
            sphere(size),
            capsule(size, size),
            cuboid(size, size, size),
            crate_hull(size, size, size),
            cylinder(size, size),
        ]
    };
    for large in &shapes(1e4) {
        for small in &shapes(1e-3) {
            // On top, just under the surface; a rod reaches up twice its size.
            let top = if matches!(large, Shape::Capsule(_)) { 2e4 } else { 1e4 };
            for height in [0.0, 0.5 * top, top, top + 0.01] {
                let found = ask(large, &Pose::IDENTITY, small, &at(0.0, height, 0.0), 0.1);
                let depth = found.map(|manifold| manifold.depth());
                assert!(depth.is_some_and(|depth| depth > -0.02), "{large} {small} {height}");
            }
        }
    }
}

#[test]
fn touching_exactly_counts_as_touching() {
    for (a, b, distance) in [
        (sphere(0.5), sphere(0.25), 0.75),
        (sphere(0.5), cuboid(0.5, 0.5, 0.5), 1.0),
        (cuboid(0.5, 0.5, 0.5), cuboid(0.25, 1.0, 1.0), 0.75),
        (cuboid(0.5, 0.5, 0.5), crate_hull(0.25, 1.0, 1.0), 0.75),
        (crate_hull(0.5, 0.5, 0.5), crate_hull(0.25, 1.0, 1.0), 0.75),
        (capsule(1.0, 0.25), crate_hull(0.25, 1.0, 1.0), 0.5),
        (capsule(1.0, 0.25), cuboid(0.25, 1.0, 1.0), 0.5),
        (capsule(1.0, 0.25), capsule(0.5, 0.25), 0.5),
    ] {
        let found = ask(&a, &Pose::IDENTITY, &b, &at(distance, 0.0, 0.0), 0.0);
        let found = found.unwrap_or_else(|| panic!("{a} {b} at {distance}"));
        assert_eq!(found.normal, Vec3::X, "{a} {b}");
        assert!(found.depth().abs() < 1e-6, "{a} {b} {found:?}");
    }
}

#[test]
fn a_box_on_a_box_touches_with_four_points_on_its_edge_with_two_on_its_corner_with_one() {
    let floor = at(0.0, -1.0, 0.0);
    let corner_down = Rotation::about(Vec3::Z, core::f32::consts::FRAC_PI_4).unwrap();
    let lean = Rotation::about(Vec3::X, 0.615_479_7).unwrap();
    let on_corner = Pose { rotation: lean * corner_down, position: Vec3::new(0.0, 0.865, 0.0) };
    for solid in [cuboid(0.5, 0.5, 0.5), crate_hull(0.5, 0.5, 0.5)] {
        for below in [cuboid(5.0, 1.0, 5.0), crate_hull(5.0, 1.0, 5.0)] {
            let count = |pose: &Pose| {
                let found = ask(&below, &floor, &solid, pose, 0.001).unwrap();
                assert!((found.normal - Vec3::Y).length() < 1e-5, "{found:?}");
                assert!((found.depth() - 0.001).abs() < 2e-4, "{found:?}");
                found.points().len()
            };
            assert_eq!(count(&at(0.0, 0.499, 0.0)), 4);
            assert_eq!(count(&turned(at(0.3, 0.499, 0.1), Vec3::Y, 30.0)), 4);
            assert_eq!(count(&turned(at(0.0, 0.706, 0.0), Vec3::X, 45.0)), 2);
            assert_eq!(count(&on_corner), 1);
        }
        let count = |pose: &Pose| ask(&ground(), &Pose::IDENTITY, &solid, pose, 0.001).unwrap();
        assert_eq!(count(&at(0.0, 0.499, 0.0)).points().len(), 4);
        assert_eq!(count(&turned(at(0.0, 0.706, 0.0), Vec3::X, 45.0)).points().len(), 2);
        assert_eq!(count(&on_corner).points().len(), 1);
    }
}

#[test]
fn a_capsule_lying_down_touches_with_both_ends() {
    let lying = turned(at(0.0, 0.24, 0.0), Vec3::Z, 90.0);
    let boxes = [cuboid(5.0, 1.0, 5.0), crate_hull(5.0, 1.0, 5.0)];
    for below in boxes {
        let found = ask(&below, &at(0.0, -1.0, 0.0), &capsule(0.5, 0.25), &lying, 0.0).unwrap();
        assert_eq!(found.points().len(), 2);
        assert!((found.points()[0].depth - 0.01).abs() < 1e-5, "{found:?}");
        assert!((found.points()[0].point - found.points()[1].point).length() > 0.99);
    }
    let found = ask(&ground(), &Pose::IDENTITY, &capsule(0.5, 0.25), &lying, 0.0).unwrap();
    assert_eq!(found.points().len(), 2);
    let beside = turned(at(0.1, 0.73, 0.0), Vec3::Z, 90.0);
    let found = ask(&capsule(0.5, 0.25), &lying, &capsule(0.5, 0.25), &beside, 0.0).unwrap();
    assert_eq!(found.points().len(), 2);
}

/// Only the rim that it was nearer to was told, so that a body on it rocked from one to the other.
#[test]
fn a_capsule_tilted_across_a_plank_touches_both_rims_and_calls_them_the_same() {
    let rod = capsule(1.0, 0.25);
    for plank in [cuboid(0.3, 0.5, 2.0), crate_hull(0.3, 0.5, 2.0)] {
        let told = |degrees: f32, spin: f32| {
            let lying = Rotation::about(Vec3::Z, (90.0 + degrees).to_radians()).unwrap();
            let aside = Rotation::about(Vec3::Y, spin).unwrap();
            let pose = Pose { rotation: aside * lying, position: Vec3::Y * 0.745 };
            let apart = separation(&plank, &Pose::IDENTITY, &rod, &pose);
            let found = ask(&plank, &Pose::IDENTITY, &rod, &pose, 0.02).unwrap();
            assert!((found.depth() + apart.distance).abs() < 1e-5, "{found:?} {apart:?}");
            assert_eq!(found.points().len(), 2, "{plank} at {degrees}°: {found:?}");
            let names: Vec<u32> = found.points().iter().map(|point| point.feature).collect();
            let [one, other] = [0, 1].map(|index| &found.points()[index]);
            let apart = (one.point - other.point).length();
            assert!(apart > 0.55, "{found:?}");
            // As seen along the rod's normal the plank falls away.
            let deeper = (one.depth - other.depth).abs();
            let tilt = degrees.to_radians().abs();
            assert!((deeper - apart * tilt).abs() < 1e-4, "{deeper} at {degrees}°: {found:?}");
            names
        };
        for spin in [0.0, 0.3] {
            let level = told(0.0, spin);
            for degrees in [-1.0, -0.3, -0.01, -1e-4, 1e-4, 0.01, 0.3, 1.0] {
                assert_eq!(told(degrees, spin), level, "{plank} at {degrees}°");
            }
        }
    }
}

#[test]
fn a_capsule_a_hair_beside_the_edge_of_a_box_touches_where_the_box_is() {
    let pose = at(1.000_000_1, 4.5, 1.000_001);
    let found = ask(&cuboid(1.0, 1.0, 1.0), &Pose::IDENTITY, &capsule(5.5, 0.1), &pose, 0.0);
    let found = found.unwrap();
    assert_eq!(found.points().len(), 2, "{found:?}");
    assert!(found.points().iter().all(|point| point.point.y.abs() < 1.001), "{found:?}");
}

#[test]
fn a_margin_reaches_as_far_as_it_says_and_no_farther() {
    for a in &kinds() {
        for b in &kinds() {
            for angle in [0.0, 20.0, 77.0] {
                let pose = turned(at(1.7, 0.3, -0.2), Vec3::new(1.0, 2.0, 3.0), angle);
                let distance = separation(a, &Pose::IDENTITY, b, &pose).distance;
                assert!(distance > 0.0);
                let found = ask(a, &Pose::IDENTITY, b, &pose, distance + 1e-4);
                let depth = found.map(|manifold| manifold.depth());
                assert!(
                    depth.is_some_and(|depth| (depth + distance).abs() < 1e-4),
                    "{a} {b} {depth:?} {distance}"
                );
                assert_eq!(ask(a, &Pose::IDENTITY, b, &pose, distance - 1e-4), None, "{a} {b}");
            }
        }
    }
}

#[test]
fn features_keep_their_names_over_a_thousand_small_moves() {
    let below = [cuboid(5.0, 1.0, 5.0), crate_hull(5.0, 1.0, 5.0), cylinder(1.0, 5.0)];
    for solid in [cuboid(0.5, 0.5, 0.5), crate_hull(0.5, 0.5, 0.5), cylinder(0.5, 0.5)] {
        for below in &below {
            let names = |step: u32| {
                // Rocks by less than a thousandth, slides and spins a little.
                let phase = step as f32 * 0.37;
                let sway = |rate: f32| embate_geom::scalar::sin_cos(phase * rate).0;
                let tilt = Vec3::new(1e-4 * sway(1.3), 1e-3 * sway(0.7), 1e-4 * sway(2.1));
                let pose = Pose {
                    rotation: Rotation::about(Vec3::Y, 0.3).unwrap().turned_by(tilt),
                    position: Vec3::new(
                        0.01 * sway(0.3),
                        0.498 + 1e-3 * sway(1.7),
                        0.01 * sway(0.9),
                    ),
                };
                let found = ask(below, &at(0.0, -1.0, 0.0), &solid, &pose, 0.01).unwrap();
                let mut names: Vec<u32> =
                    found.points().iter().map(|point| point.feature).collect();
                names.sort_unstable();
                names
            };
            let first = names(0);
            assert_eq!(first.len(), 4, "{below} {solid}");
            // A cylinder has more than four corners that are equally good.
            if !matches!(&solid, Shape::Hull(hull) if hull.vertices().len() > 8) {
                for step in 1..1000 {
                    assert_eq!(names(step), first, "{below} {solid} {step}");
                }
            }
        }
    }
}

#[test]
fn moving_both_bodies_together_moves_the_answer_with_them() {
    let together = Pose {
        rotation: Rotation::about(Vec3::new(3.0, -1.0, 2.0), 1.1).unwrap(),
        position: Vec3::new(2.0, -5.0, 3.0),
    };
    let moved = |pose: &Pose| Pose {
        rotation: together.rotation * pose.rotation,
        position: together.point(pose.position),
    };
    for a in &kinds() {
        for b in &kinds() {
            for x in [0.2, 0.6, 2.0] {
                let pose_a = turned(at(0.1, 0.2, 0.3), Vec3::X, 25.0);
                let pose_b = turned(at(x, 0.33, 0.25), Vec3::new(1.0, 2.0, 3.0), 40.0);
                let here = separation(a, &pose_a, b, &pose_b);
                let there = separation(a, &moved(&pose_a), b, &moved(&pose_b));
                assert!(
                    (here.distance - there.distance).abs() < 1e-5,
                    "{a} {b} {here:?} {there:?}"
                );
                let turned = together.rotation.turn(here.normal_ab);
                assert!((turned - there.normal_ab).length() < 1e-3, "{a} {b} {here:?} {there:?}");
            }
        }
    }
}

#[test]
fn ten_thousand_units_from_the_origin_little_is_lost() {
    // Steps of 1/1024 are exact there.
    let far = Vec3::new(10_000.0, -10_000.0, 10_000.0);
    for a in &kinds() {
        for b in &kinds() {
            for x in [0.125, 0.75, 1.5] {
                let pose = turned(at(x, 0.25, 0.0625), Vec3::new(1.0, 2.0, 3.0), 40.0);
                let here = separation(a, &Pose::IDENTITY, b, &pose);
                let far_pose = Pose { position: pose.position + far, ..pose };
                let there = separation(a, &Pose::at(far), b, &far_pose);
                assert_eq!(here.distance, there.distance, "{a} {b}");
                assert_eq!(here.normal_ab, there.normal_ab, "{a} {b}");
                for (one, other) in here.points.iter().zip(there.points) {
                    assert!((*one + far - other).length() < 2e-3, "{a} {b} {one:?} {other:?}");
                }
            }
        }
    }
}

#[test]
fn a_pose_out_of_range_touches_nothing() {
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        for a in kinds() {
            let pose = at(bad, 0.0, 0.0);
            assert_eq!(contact(&a, &pose, &sphere(1.0), &Pose::IDENTITY, 1.0), None);
            assert!(!touching(&a, &pose, &sphere(1.0), &Pose::IDENTITY));
            let apart = separation(&sphere(1.0), &Pose::IDENTITY, &a, &pose);
            assert_eq!((apart.distance, apart.normal_ab), (f32::INFINITY, Vec3::Y));
        }
    }
}

#[test]
fn the_parts_of_a_compound_touch_one_by_one() {
    let dumbbell = Shape::from(
        Compound::new(vec![
            (at(-1.0, 0.0, 0.0), sphere(0.5)),
            (at(1.0, 0.0, 0.0), sphere(0.5)),
            (Pose::IDENTITY, cuboid(1.0, 0.1, 0.1)),
        ])
        .unwrap(),
    );
    let floor = cuboid(5.0, 1.0, 5.0);
    let (pose, below) = (turned(at(0.0, 0.49, 0.0), Vec3::Y, 30.0), at(0.0, -1.0, 0.0));
    let mut found = Vec::new();
    contacts(&dumbbell, &pose, &floor, &below, 0.0, &mut found);
    assert_eq!(found.iter().map(|manifold| manifold.parts).collect::<Vec<_>>(), [[0, 0], [1, 0]]);
    let mut back = Vec::new();
    contacts(&floor, &below, &dumbbell, &pose, 0.0, &mut back);
    let turned: Vec<Manifold> = back.into_iter().map(Manifold::turned_round).collect();
    assert_eq!(found, turned);
    assert!(touching(&dumbbell, &pose, &floor, &below));
    assert!((separation(&dumbbell, &pose, &floor, &below).distance + 0.01).abs() < 1e-5);
    // Two of them, and the deepest of all contacts.
    let beside = turned_pose(&pose, 0.9);
    contacts(&dumbbell, &pose, &dumbbell, &beside, 0.2, &mut found);
    assert!(found.len() > 3);
    assert!(contact(&dumbbell, &pose, &dumbbell, &beside, 0.2).is_some());
}

fn turned_pose(pose: &Pose, z: f32) -> Pose {
    Pose { position: pose.position + Vec3::new(0.0, 0.0, z), ..*pose }
}

#[test]
fn compounds_at_one_pose_are_asked_in_one_order() {
    let pair = |part: Shape, x: f32| {
        let parts = vec![(at(x, 0.0, 0.0), part.clone()), (at(-x, 0.0, 0.0), part)];
        Shape::from(Compound::new(parts).unwrap())
    };
    // Both pairs of parts are equally deep: only the order of asking tells which is named.
    let (cubes, balls) = (pair(cuboid(0.5, 0.5, 0.5), -1.0), pair(sphere(0.4), 1.0));
    let pose = Pose::IDENTITY;
    let one = contact(&cubes, &pose, &balls, &pose, 0.0).unwrap();
    let other = contact(&balls, &pose, &cubes, &pose, 0.0).unwrap();
    assert_eq!(one, other.turned_round());
    let one = separation(&cubes, &pose, &balls, &pose);
    assert_eq!(one, separation(&balls, &pose, &cubes, &pose).turned_round());
}

#[test]
fn compounds_far_from_the_origin_keep_what_their_poses_tell() {
    let offset_box = |half: f32, x: f32| {
        let parts = vec![(at(x, -x, 0.5 * x), cuboid(half, half, half))];
        Shape::from(Compound::new(parts).unwrap())
    };
    let (a, b) = (offset_box(0.5, 0.7), offset_box(0.25, -0.3));
    let (pose_a, pose_b) = (turned(at(0.0, 0.0, 0.0), Vec3::Z, 30.0), at(1.75, -0.5, 0.25));
    let near = separation(&a, &pose_a, &b, &pose_b);
    let manifold = contact(&a, &pose_a, &b, &pose_b, 1.0).unwrap();
    for far in [Vec3::X * 8192.0, Vec3::splat(8192.0), Vec3::new(-8192.0, 4096.0, 8192.0)] {
        let moved = |pose: &Pose| Pose { position: pose.position + far, ..*pose };
        let (there_a, there_b) = (moved(&pose_a), moved(&pose_b));
        let there = separation(&a, &there_a, &b, &there_b);
        // These places are exact in f32: nothing is lost but by which body is asked first.
        assert!((there.distance - near.distance).abs() < 1e-6, "{far:?}");
        assert!((there.normal_ab - near.normal_ab).length() < 1e-6, "{far:?}");
        let found = contact(&a, &there_a, &b, &there_b, 1.0).unwrap();
        assert!((found.depth() - manifold.depth()).abs() < 1e-6, "{far:?}");
    }
}

#[test]
fn a_body_far_along_a_tilted_border_is_as_high_as_it_is() {
    for degrees in [28.6, -13.0, 61.7] {
        let tilt = turned(Pose::IDENTITY, Vec3::Z, degrees);
        let [.., z, w] = tilt.rotation.to_array().map(f64::from);
        let (sin, cos) = (2.0 * z * w / (z * z + w * w), (w * w - z * z) / (z * z + w * w));
        for along in [10_000.0, -7_000.0] {
            let place = at((along * cos) as f32, (along * sin) as f32, 0.0);
            let [x, y, _] = place.position.to_array().map(f64::from);
            let height = -sin * x + cos * y - 0.5;
            let told = separation(&sphere(0.5), &place, &ground(), &tilt).distance;
            assert!((f64::from(told) - height).abs() < 1e-6, "{told} for {height}");
        }
    }
}

#[test]
fn normals_have_length_1_though_rotations_have_drifted() {
    let mut rotation = Rotation::about(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap();
    let step = rotation;
    for _ in 0..2_000 {
        rotation = step * rotation;
    }
    let pose = Pose { rotation, position: Vec3::new(0.0, 0.9, 0.0) };
    for shape in [cuboid(0.5, 0.5, 0.5), cylinder(0.5, 0.4), capsule(0.5, 0.3)] {
        let found = contact(&shape, &pose, &cuboid(5.0, 0.5, 5.0), &Pose::IDENTITY, 1.0).unwrap();
        assert!((found.normal.length() - 1.0).abs() < 1e-6, "{shape}: {}", found.normal.length());
    }
}

/// The deepest corner of either is beside the other: the points were that corner and its mirror image.
#[test]
fn boxes_half_over_each_other_are_deepest_where_they_overlap() {
    for (a, b) in [
        (cuboid(1.0, 0.5, 1.0), cuboid(1.0, 0.5, 1.0)),
        (crate_hull(1.0, 0.5, 1.0), cuboid(1.0, 0.5, 1.0)),
        (crate_hull(1.0, 0.5, 1.0), crate_hull(1.0, 0.5, 1.0)),
    ] {
        let over = at(1.5, 0.9, -1.5);
        let told = separation(&a, &Pose::IDENTITY, &b, &over);
        assert!((told.distance + 0.1).abs() < 1e-6 && told.normal_ab == Vec3::Y, "{told:?}");
        let [on_a, on_b] = told.points;
        assert!((on_a.y - 0.5).abs() < 1e-5 && (on_b.y - 0.4).abs() < 1e-5, "{told:?}");
        for point in told.points {
            assert!((0.499..=1.001).contains(&point.x), "{told:?}");
            assert!((-1.001..=-0.499).contains(&point.z), "{told:?}");
        }
    }
}

/// A flat tetrahedron has no inside, whatever the signs of its four faces say.
#[test]
fn thin_boxes_crossing_like_swords_are_deepest_at_both() {
    let blade = cuboid(2000.0, 27.9, 27.9);
    let plate = cuboid(341.0, 1.75, 460.0);
    for degrees in [10.0, 33.0, 45.0, 80.0] {
        let rotation = Rotation::about(Vec3::Z, 0.7).unwrap()
            * Rotation::about(Vec3::X, f32::to_radians(degrees)).unwrap();
        let pose = Pose { rotation, position: Vec3::new(100.0, 20.0, 30.0) };
        let told = separation(&blade, &Pose::IDENTITY, &plate, &pose);
        let depth = -told.distance;
        assert!(depth > 0.0, "{told:?}");
        let on_plate = pose.local_point(told.points[1]).abs();
        assert!(on_plate.x < 341.1 && on_plate.y < 1.85 && on_plate.z < 460.1, "{told:?}");
        let on_blade = told.points[0].abs();
        assert!(on_blade.x < 2000.1 && on_blade.y < 28.0 && on_blade.z < 28.0, "{told:?}");
    }
}

#[test]
fn a_cache_keeps_the_points_of_a_body_that_trembles_and_lets_go_when_it_moves() {
    let (floor, crate_) = (cuboid(5.0, 1.0, 5.0), crate_hull(0.5, 0.5, 0.5));
    let mut cache = PairCache::new();
    let mut ask = |pose: &Pose| {
        contact_cached(&floor, &at(0.0, -1.0, 0.0), &crate_, pose, 0.02, &mut cache).unwrap()
    };
    let rests = at(0.3, 0.499, 0.2);
    let found = [ask(&rests), ask(&rests), ask(&rests)];
    assert!(found[0] == found[1] && found[1] == found[2]);
    let trembles = at(0.300_01, 0.499_02, 0.2);
    let along = ask(&trembles);
    assert_eq!(along.points().len(), 4);
    for (now, before) in along.points().iter().zip(found[0].points()) {
        assert_eq!(now.feature, before.feature);
        assert!((now.depth - before.depth + 2e-5).abs() < 1e-6, "{now:?}, {before:?}");
    }
    let moved = at(0.4, 0.49, 0.2);
    let alone = contact(&floor, &at(0.0, -1.0, 0.0), &crate_, &moved, 0.02).unwrap();
    assert_eq!(ask(&moved), alone);
}

/// Two shapes of every kind, some way apart or in each other.
fn pairs_apart() -> impl Iterator<Item = (Shape, Pose, Shape, Pose)> {
    let poses = (0..40_u8).map(f32::from).map(|step| {
        let pose = at(1.3 - 0.07 * step, 0.1 * step - 0.5, 0.9 - 0.03 * step);
        turned(pose, Vec3::new(1.0, step - 3.0, 2.0), 17.0 * step)
    });
    poses.flat_map(|pose| {
        let both =
            kinds().into_iter().flat_map(|a| kinds().into_iter().map(move |b| (a.clone(), b)));
        both.map(move |(a, b)| (a, turned(at(0.1, 0.2, 0.3), Vec3::Z, 30.0), b, pose))
    })
}

#[test]
fn who_asks_no_farther_than_so_far_is_told_the_same_distance_or_that_it_is_more() {
    for (a, pose_a, b, pose_b) in pairs_apart() {
        let told = separation(&a, &pose_a, &b, &pose_b);
        for beyond in [0.0, 0.5 * told.distance, told.distance + 1e-4, 2.0] {
            match separation_within(&a, &pose_a, &b, &pose_b, beyond) {
                Some(within) => assert_eq!(within, told, "{a} {b} {pose_b:?}"),
                None => assert!(told.distance > beyond - 1e-5, "{a} {b} {pose_b:?} {beyond}"),
            }
        }
    }
}

#[test]
fn a_gap_is_no_wider_than_bodies_are_apart() {
    let mut known = 0;
    for (a, pose_a, b, pose_b) in pairs_apart() {
        let (mut gap, mut back) = (Gap::UNKNOWN, Gap::UNKNOWN);
        let met = contact_or_gap(&a, &pose_a, &b, &pose_b, 0.02, &mut gap);
        contact_or_gap(&b, &pose_b, &a, &pose_a, 0.02, &mut back);
        if met.is_some() {
            assert_eq!(gap.width, f32::NEG_INFINITY);
            continue;
        }
        if (&a, &pose_a) != (&b, &pose_b) && gap.width > 0.0 {
            assert_eq!((back.normal_ab, back.width), (-gap.normal_ab, gap.width), "{a} {b}");
        }
        assert!(gap.width <= separation(&a, &pose_a, &b, &pose_b).distance + 1e-5, "{a} {b}");
        if gap.width > 0.0 {
            known += 1;
            // Along it, no point of A reaches a point of B.
            let reach = |shape: &Shape, pose: &Pose, normal: Vec3| {
                let farthest = shape.support(pose.rotation.turn_back(normal)).unwrap();
                pose.point(farthest).dot(normal)
            };
            let normal = gap.normal_ab;
            let apart = -reach(&b, &pose_b, -normal) - reach(&a, &pose_a, normal);
            assert!((apart - gap.width).abs() < 1e-5, "{a} {b} {gap:?} {apart}");
        }
    }
    assert!(known > 100, "{known}");
}
