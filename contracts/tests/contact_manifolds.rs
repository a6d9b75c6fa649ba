//! Where do bodies touch, in how many points, and what are these called from one moment to the next?

use std::collections::{BTreeMap, BTreeSet};

use embate::contacts::{
    Manifold, Motion, PairCache, contact, contact_cached, separation, time_of_impact, touching,
};
use embate::shapes::{Capsule, Compound, Cuboid, Hull, Plane, Shape, Sphere};
use embate::{Pose, Rotation, Vec3};
use embate_contracts::contact_reference::{Point, Turn, parting};
use embate_contracts::contact_scenes::{Cast, Scene, Stock, Twin, any_direction, any_turn, pose};
use embate_contracts::contact_trial::{TOLERANCE, Tally, ask_answer};
use embate_lab::random::Random;

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
    Plane::new(Vec3::Y).unwrap().into()
}

/// A box that the engine takes for any hull.
fn hull_box(x: f32, y: f32, z: f32) -> Shape {
    let side = |corner: u32, axis: u32| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |i: u32| Vec3::new(side(i, 0) * x, side(i, 1) * y, side(i, 2) * z);
    Hull::new(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().into()
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::at(Vec3::new(x, y, z))
}

fn turned(axis: Vec3, angle: f32, position: Vec3) -> Pose {
    Pose { rotation: Rotation::about(axis, angle).unwrap(), position }
}

/// Both bodies moved and turned together: the same distance, the normal turned with them.
#[test]
fn a_common_motion_moves_the_answer_along() {
    let stock = Stock::new(100);
    let mut random = Random::new(2);
    for number in 0..4_000 {
        let mut scene = Scene::new(&stock, 3, number);
        if scene.far {
            continue;
        }
        let asked = |scene: &Scene| {
            let ([a, b], [pose_a, pose_b]) = (&scene.twins, &scene.poses);
            separation(&a.shape, pose_a, &b.shape, pose_b)
        };
        let before = asked(&scene);
        let (turn, by) = (any_turn(&mut random), any_direction(&mut random) * scene.size());
        for moved in &mut scene.poses {
            let own = Turn(moved.rotation.to_array().map(f64::from));
            *moved = pose(own.then(turn), turn.turn(Point::of(moved.position)) + by);
        }
        let after = asked(&scene);
        // The poses were rounded on the way; nothing else may have changed.
        let tolerance = 1e-5 * scene.size() + 4.0 * scene.world_rounding();
        let changed = f64::from((after.distance - before.distance).abs());
        assert!(changed <= tolerance, "{number}: {before:?}, {after:?}");
        // Where several normals are as good another may be told; each must be worth the distance.
        let [a, b] = scene.solids();
        let along = turn.turn(Point::of(before.normal_ab));
        let unit = along.unit().unwrap();
        let worth = embate_contracts::contact_reference::gap_along(&a, &b, unit);
        // A half-space has one normal alone: turned and rounded, it is another.
        if worth.is_finite() {
            let lost = parting(&a, &b).separation - worth;
            assert!(lost <= tolerance + TOLERANCE * scene.size(), "{number}: {lost:e}");
        }
    }
}

#[test]
fn ten_thousand_units_away_the_error_stays_below_a_thousandth() {
    let shapes = [
        sphere(0.7),
        cuboid(0.5, 0.8, 0.3),
        capsule(0.6, 0.3),
        hull_box(0.4, 0.4, 0.9),
        Hull::cylinder(0.6, 0.5, 12).unwrap().into(),
    ];
    let mut random = Random::new(5);
    let mut worst = 0.0_f64;
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            for _ in 0..150 {
                let far = any_direction(&mut random) * 10_000.0;
                let near = any_direction(&mut random) * (0.2 + 1.4 * random.unit_f64());
                let poses =
                    [pose(any_turn(&mut random), far), pose(any_turn(&mut random), far + near)];
                let twins = [Twin::of(a.clone()), Twin::of(b.clone())];
                let place = |body: usize| {
                    let place = embate_contracts::contact_reference::Place::of(&poses[body]);
                    twins[body].form.placed(&place)
                };
                let truth = parting(&place(0), &place(1)).separation;
                let told = separation(a, &poses[0], b, &poses[1]);
                worst = worst.max((f64::from(told.distance) - truth).abs());
                let between = Point::of(told.points[1]) - Point::of(told.points[0]);
                let along = between.dot(Point::of(told.normal_ab));
                // The points themselves are known to a step of f32 there.
                assert!((along - truth).abs() < 2e-3, "{along} {truth}");
            }
        }
    }
    assert!(worst < 1e-4, "{worst:e}");
}

#[track_caller]
fn points(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f32) -> Manifold {
    contact(a, pose_a, b, pose_b, margin).expect("they touch")
}

/// Boxes as boxes and as hulls, and on the ground.
fn grounds() -> Vec<(Shape, Pose)> {
    vec![
        (cuboid(5.0, 1.0, 5.0), at(0.0, -1.0, 0.0)),
        (hull_box(5.0, 1.0, 5.0), at(0.0, -1.0, 0.0)),
        (ground(), Pose::IDENTITY),
    ]
}

#[test]
fn a_box_on_its_face_touches_in_four_points_on_its_edge_in_two_on_its_corner_in_one() {
    let eighth = core::f32::consts::FRAC_PI_4;
    // The angle between an edge and the diagonal of a cube.
    let diagonal = 0.955_316_6;
    for (under, pose_under) in grounds() {
        for body in [cuboid(0.5, 0.5, 0.5), hull_box(0.5, 0.5, 0.5)] {
            for spin in [0.0, 0.3, 0.7, 1.5] {
                let spun = |turn: Rotation, height: f32| Pose {
                    rotation: Rotation::about(Vec3::Y, spin).unwrap() * turn,
                    position: Vec3::new(0.3, height, -0.2),
                };
                let edge = Rotation::about(Vec3::X, eighth).unwrap();
                let corner = Rotation::about(Vec3::new(1.0, 0.0, -1.0), diagonal).unwrap();
                for depth in [0.02, 0.001, -0.005] {
                    for (turn, reach, count) in [
                        (Rotation::IDENTITY, 0.5, 4),
                        (edge, 0.5_f32.sqrt(), 2),
                        (corner, 0.75_f32.sqrt(), 1),
                    ] {
                        let pose = spun(turn, reach - depth);
                        let found = points(&under, &pose_under, &body, &pose, 0.01);
                        let what =
                            format!("{under:?} {body:?} spin {spin} depth {depth}: {found:?}");
                        assert_eq!(found.points().len(), count, "{what}");
                        assert!((found.normal - Vec3::Y).length() < 1e-4, "{what}");
                        for point in found.points() {
                            assert!((point.depth - depth).abs() < 1e-4, "{what}");
                            assert!((point.point.y + depth / 2.0).abs() < 1e-4, "{what}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn rods_lie_on_two_points_and_stand_on_one_and_cylinders_stand_on_four() {
    let quarter = core::f32::consts::FRAC_PI_2;
    for (under, pose_under) in grounds() {
        let rod = capsule(0.8, 0.2);
        let lying = turned(Vec3::X, quarter, Vec3::new(0.1, 0.19, 0.2));
        let standing = at(0.1, 0.99, 0.2);
        let cylinder = Shape::from(Hull::cylinder(0.5, 0.4, 16).unwrap());
        let upright = at(0.1, 0.49, 0.2);
        for (shape, pose, count) in [(&rod, lying, 2), (&rod, standing, 1), (&cylinder, upright, 4)]
        {
            let found = points(&under, &pose_under, shape, &pose, 0.01);
            assert_eq!(found.points().len(), count, "{under:?} {shape:?}: {found:?}");
            for point in found.points() {
                assert!((point.depth - 0.01).abs() < 1e-4, "{under:?} {shape:?}: {found:?}");
            }
        }
    }
}

/// Four points of many: they must span the area, or a body would tip where it should stand.
#[test]
fn four_points_keep_the_area_of_the_contact() {
    let area = |manifold: &Manifold| {
        // Sorted about their middle.
        let points: Vec<Point> = manifold.points().iter().map(|p| Point::of(p.point)).collect();
        let middle =
            points.iter().fold(Point::ZERO, |sum, p| sum + *p) * (1.0 / points.len() as f64);
        let mut round: Vec<Point> = points.iter().map(|p| *p - middle).collect();
        round.sort_by(|a, b| libm::atan2(a.0[2], a.0[0]).total_cmp(&libm::atan2(b.0[2], b.0[0])));
        let next = |i: usize| round[(i + 1) % round.len()];
        (0..round.len()).map(|i| round[i].cross(next(i)).length() / 2.0).sum::<f64>()
    };
    for (under, pose_under) in grounds() {
        for sides in [5, 6, 8, 16, 30] {
            let disc = Shape::from(Hull::cylinder(0.3, 1.0, sides).unwrap());
            let whole =
                f64::from(sides) / 2.0 * libm::sin(core::f64::consts::TAU / f64::from(sides));
            for spin in 0..20 {
                let pose = turned(Vec3::Y, spin as f32 * 0.1, Vec3::new(0.0, 0.295, 0.0));
                let found = points(&under, &pose_under, &disc, &pose, 0.01);
                let part = area(&found) / whole;
                assert!(part > 0.6, "{under:?}, {sides} sides, spin {spin}: {part:.3} {found:?}");
            }
        }
    }
    // Two boxes crosswise: the overlap is a square, whose corners are all there is to tell.
    let (long, pose) = (cuboid(2.0, 0.5, 0.5), at(0.0, 0.99, 0.0));
    let across = turned(Vec3::Y, core::f32::consts::FRAC_PI_2, Vec3::ZERO);
    let found = points(&long, &across, &long, &pose, 0.01);
    assert!((area(&found) - 1.0).abs() < 1e-3, "{found:?}");
}

/// A body on the ground, moved and tilted a little, a thousand times; what it touches with each time.
fn jittered(
    (under, pose_under): &(Shape, Pose),
    (body, height): &(Shape, f32),
    mut tell: impl FnMut(u32, &Pose, &Manifold),
) {
    let mut random = Random::new(9);
    let mut small = |by: f32| random.between(-by, by);
    for step in 0..1_000 {
        let (x, z) = (0.3 + small(0.02), -0.2 + small(0.02));
        let rotation = Rotation::about(Vec3::Y, 0.4 + small(0.02)).unwrap()
            * Rotation::about(Vec3::X, small(0.003)).unwrap()
            * Rotation::about(Vec3::Z, small(0.003)).unwrap();
        // Deeper than the tilt lifts a corner, so that all corners stay in.
        let position = Vec3::new(x, height - 0.01 + small(0.001), z);
        let pose = Pose { rotation, position };
        tell(step, &pose, &points(under, pose_under, body, &pose, 0.02));
    }
}

#[test]
fn feature_ids_stay_while_features_do_over_a_thousand_small_moves() {
    let bodies = [
        (cuboid(0.5, 0.5, 0.5), 0.5),
        (hull_box(0.5, 0.5, 0.5), 0.5),
        (capsule(0.5, 0.25), 0.75),
        (sphere(0.5), 0.5),
    ];
    for ground in grounds() {
        for body in &bodies {
            let mut first: Option<BTreeSet<u32>> = None;
            jittered(&ground, body, |step, _, found| {
                let features: BTreeSet<u32> = found.points().iter().map(|p| p.feature).collect();
                let expected = first.get_or_insert_with(|| features.clone());
                assert_eq!(*expected, features, "{ground:?} {body:?}, step {step}");
            });
        }
    }
}

/// Of a face with more than four corners four are told, and which depends on where it is deepest: rocking it
/// exchanges one of them at a time.
#[test]
fn a_foot_with_many_corners_keeps_its_points_while_it_slides_and_most_of_them_while_it_rocks() {
    for sides in [5, 7, 12] {
        let body = (Shape::from(Hull::cylinder(0.5, 0.5, sides).unwrap()), 0.5);
        for ground in grounds() {
            let features = |found: &Manifold| -> BTreeSet<u32> {
                found.points().iter().map(|point| point.feature).collect()
            };
            let flat = points(&ground.0, &ground.1, &body.0, &at(0.3, 0.49, -0.2), 0.02);
            let flat = features(&flat);
            assert_eq!(flat.len(), 4);
            jittered(&ground, &body, |step, pose, found| {
                let what = format!("{ground:?} {sides}, step {step}");
                assert!(flat.intersection(&features(found)).count() >= 3, "{what}: {found:?}");
                let upright = at(pose.position.x, pose.position.y, pose.position.z);
                let slid = points(&ground.0, &ground.1, &body.0, &upright, 0.02);
                assert_eq!(features(&slid), flat, "{what}: {slid:?}");
            });
        }
    }
}

/// Of a face with more than four corners now these are told, now those; an id names the same always.
#[test]
fn a_feature_id_names_the_same_part_of_a_body_whenever_it_comes() {
    for sides in [5, 7, 12] {
        let body = (Shape::from(Hull::cylinder(0.5, 0.5, sides).unwrap()), 0.5);
        for ground in grounds() {
            let mut known: BTreeMap<u32, Vec3> = BTreeMap::new();
            jittered(&ground, &body, |step, pose, found| {
                for point in found.points() {
                    let local = pose.local_point(point.point);
                    let before = *known.entry(point.feature).or_insert(local);
                    assert!((local - before).length() < 0.05, "{ground:?} {sides}, step {step}");
                }
            });
            assert!(known.len() <= sides as usize, "{known:?}");
        }
    }
}

/// Two bodies one above the other, in a way in which the same parts meet whether they are a little apart or a little
/// in each other.
fn meetings() -> Vec<(&'static str, [(Shape, Pose); 2])> {
    let eighth = core::f32::consts::FRAC_PI_4;
    let corner = Rotation::about(Vec3::new(1.0, 0.0, -1.0), 0.955_316_6).unwrap();
    let (along_x, along_z) = (Vec3::X, Vec3::Z);
    let mut all = Vec::new();
    for make in [cuboid, hull_box] {
        let cube = || make(0.5, 0.5, 0.5);
        let root = 0.5_f32.sqrt();
        // Over the middle of an edge, not over its end.
        let on_edge = turned(along_x, eighth, Vec3::ZERO);
        let edge = [(cube(), on_edge), (cube(), turned(along_z, eighth, Vec3::Y * (2.0 * root)))];
        all.push(("an edge on an edge", edge));
        let slanted =
            Rotation::about(Vec3::Y, 0.7).unwrap() * Rotation::about(along_z, eighth).unwrap();
        let slanted = Pose { rotation: slanted, position: Vec3::Y * (2.0 * root) };
        all.push(("an edge slanting over an edge", [(cube(), on_edge), (cube(), slanted)]));
        let standing =
            Pose { rotation: corner, position: Vec3::new(0.1, 0.5 + 0.75_f32.sqrt(), 0.2) };
        all.push(("a corner on a face", [(cube(), Pose::IDENTITY), (cube(), standing)]));
        let across = turned(Vec3::Y, 1.2, Vec3::Y);
        let long = || make(2.0, 0.5, 0.4);
        all.push(("crosswise", [(long(), Pose::IDENTITY), (long(), across)]));
        all.push((
            "a sphere on an edge",
            [(cube(), on_edge), (sphere(0.3), at(0.1, root + 0.3, 0.0))],
        ));
        let rod = turned(along_z, core::f32::consts::FRAC_PI_2, Vec3::new(0.0, root + 0.2, 0.0));
        let upright =
            Pose { rotation: Rotation::about(Vec3::Y, 0.9).unwrap() * rod.rotation, ..rod };
        all.push(("a rod across an edge", [(cube(), on_edge), (capsule(0.4, 0.2), upright)]));
    }
    all
}

/// The gap goes through 0 and back, so that now the axes, now the way between them tell where they touch.
#[test]
fn feature_ids_stay_while_two_bodies_part_and_touch_again_a_thousand_times() {
    for (name, [(a, pose_a), (b, pose_b)]) in meetings() {
        let mut random = Random::new(21);
        let mut small = |by: f32| random.between(-by, by);
        let mut first: Option<BTreeSet<u32>> = None;
        for step in 0..1_000 {
            let tilt = Rotation::about(Vec3::X, small(1e-4)).unwrap()
                * Rotation::about(Vec3::Z, small(1e-4)).unwrap()
                * Rotation::about(Vec3::Y, small(1e-3)).unwrap();
            let aside = Vec3::new(small(1e-3), small(2e-3), small(1e-3));
            let pose = Pose { rotation: tilt * pose_b.rotation, position: pose_b.position + aside };
            let found = points(&a, &pose_a, &b, &pose, 0.01);
            let features: BTreeSet<u32> = found.points().iter().map(|p| p.feature).collect();
            let expected = first.get_or_insert_with(|| features.clone());
            let what = || format!("{name}, {a:?}, step {step}, gap {}: {found:?}", aside.y);
            assert_eq!(*expected, features, "{}", what());
        }
    }
}

/// Of faces with so many corners some are laid over each other: it must not be seen.
#[test]
fn a_foot_with_very_many_corners_stands_on_four_points_whichever_way_it_leans() {
    for sides in [33, 48, 64, 200, 1_024] {
        let body = Shape::from(Hull::cylinder(0.5, 0.5, sides).unwrap());
        for (under, pose_under) in grounds() {
            for lean in 0..16 {
                let towards = lean as f32 * 0.41;
                let (sin, cos) = (libm::sinf(towards), libm::cosf(towards));
                for angle in [0.0, 1e-4, 2e-3, 8e-3] {
                    let pose = turned(Vec3::new(cos, 0.0, sin), angle, Vec3::new(0.1, 0.48, 0.2));
                    let found = points(&under, &pose_under, &body, &pose, 0.02);
                    let what = format!("{sides}, {under:?}, lean {lean}, {angle}: {found:?}");
                    assert_eq!(found.points().len(), 4, "{what}");
                    let deepest = 0.02 + 0.5 * f64::from(angle);
                    assert!(
                        (f64::from(found.depth()) - deepest).abs() < 2e-3 * f64::from(angle) + 1e-4,
                        "{what}"
                    );
                }
            }
        }
    }
}

/// A body that turns about any point is a compound whose only part lies aside.
#[test]
fn a_part_of_a_compound_is_struck_when_it_would_be_alone() {
    let stock = Stock::new(60);
    let mut struck = 0;
    for number in 0..1_200 {
        let cast = Cast::new(&stock, 4, number);
        let mut random = Random::for_purpose(13, &[number]);
        let [a, b] = [0, 1].map(|body| &cast.twins[body].shape);
        if [a, b].iter().any(|shape| matches!(shape, Shape::HalfSpace(_))) {
            continue;
        }
        let size = cast.size();
        let aside = (any_direction(&mut random) * (size * random.unit_f64())).rounded();
        let (alone, other) = (cast.motion(1), cast.motion(0));
        // The part lies aside in the compound, which turns about the same point of the world.
        let part = Pose::at(aside);
        let far = Pose::at(aside + (any_direction(&mut random) * (300.0 * size)).rounded());
        let parts = vec![(far, sphere(size as f32 * 0.01)), (part, b.clone())];
        let compound = Shape::from(Compound::new(parts).unwrap());
        let start = Pose { position: alone.start.point(-aside), ..alone.start };
        let motion = Motion { start, centre: aside, ..alone };
        let told = time_of_impact(a, &other, &compound, &motion, cast.distance);
        let expected = time_of_impact(a, &other, b, &alone, cast.distance);
        let what = format!("{number}: {told:?}, alone {expected:?}");
        let (Some(told), Some(expected)) = (told, expected) else {
            // Where they graze, rounding the poses decides.
            let graze = told.or(expected).is_none_or(|impact| {
                let pose = |motion: &Motion| motion.at(impact.time);
                let told = separation(a, &pose(&other), b, &pose(&alone));
                f64::from((told.distance - cast.distance).abs()) < 1e-5 * size
            });
            assert!(graze, "{what}");
            continue;
        };
        struck += 1;
        if !matches!(b, Shape::Mesh(_)) {
            assert_eq!(told.parts[1], 1, "{what}");
        }
        let speed = f64::from((other.velocity - alone.velocity).length())
            + size * f64::from(other.spin.length() + alone.spin.length());
        let apart = f64::from((told.time - expected.time).abs()) * speed;
        assert!(apart < 2e-3 * size || told.at_start == expected.at_start, "{what}");
        assert!((told.normal.length() - 1.0).abs() < 1e-6, "{what}");
    }
    assert!(struck > 500, "{struck}");
}

#[test]
fn contacts_are_told_up_to_the_margin_and_no_further() {
    let shapes = [sphere(0.5), cuboid(0.5, 0.5, 0.5), hull_box(0.5, 0.5, 0.5), capsule(0.25, 0.25)];
    let all = shapes.iter().chain([&shapes[0]]);
    for a in all.clone() {
        for b in all.clone() {
            for margin in [0.0, 0.01, 0.1, 1.0] {
                for gap in [-0.2, -0.01, -0.0001, 0.0001, 0.009, 0.011, 0.09, 0.11, 0.99, 1.01] {
                    // One above the other: all are half a unit high.
                    let pose_b = at(0.0, 1.0 + gap, 0.0);
                    let found = contact(a, &Pose::IDENTITY, b, &pose_b, margin);
                    let what = format!("{a:?} {b:?} margin {margin} gap {gap}: {found:?}");
                    assert_eq!(found.is_some(), gap <= margin, "{what}");
                    assert_eq!(touching(a, &Pose::IDENTITY, b, &pose_b), gap < 0.0, "{what}");
                    if let Some(found) = found {
                        assert!((found.depth() + gap).abs() < 1e-5, "{what}");
                        assert!((found.normal - Vec3::Y).length() < 1e-5, "{what}");
                    }
                }
            }
        }
    }
}

/// Bodies that move as little as their poses are rounded or as much as a hundredth of their size, and one
/// cache for all of them: what another pair has left in it does no harm.
#[test]
fn with_a_cache_bodies_are_told_the_same_or_what_is_as_good() {
    let stock = Stock::new(200);
    let mut cache = PairCache::new();
    let (mut tally, mut moved_along) = (Tally::default(), 0);
    for number in 0..9_000 {
        let mut random = Random::for_purpose(12, &[number]);
        let mut scene = Scene::new(&stock, 5, number);
        let [a, b] = scene.twins.clone();
        let margin = scene.size() as f32 * [0.0, 0.02][random.below(2) as usize];
        let small = [1e-7, 1e-6, 5e-6, 2e-5, 5e-5, 1e-3, 1e-2][random.below(7) as usize];
        for frame in 0..12 {
            let what = format!("{number}, frame {frame}, moved by {small} of the size");
            let [pose_a, pose_b] = scene.poses;
            let alone = contact(&a.shape, &pose_a, &b.shape, &pose_b, margin);
            let mut ask =
                || contact_cached(&a.shape, &pose_a, &b.shape, &pose_b, margin, &mut cache);
            let cached = ask();
            assert_eq!(cached, ask(), "{what}");
            if small > 1e-4 || frame == 0 {
                assert_eq!(cached, alone, "{what}");
            }
            ask_answer(&scene, margin, cached.as_ref(), &mut tally);
            moved_along += u64::from(cached.is_some() && cached != alone);
            let turn = Turn(pose_b.rotation.to_array().map(f64::from));
            let spun = turn.then(Turn::about(any_direction(&mut random), small));
            let way = any_direction(&mut random) * (scene.smaller() * small);
            scene.poses[1] = pose(spun, Point::of(pose_b.position) + way);
        }
    }
    let findings: Vec<String> =
        tally.findings.iter().map(|f| format!("{}: {}\n", f.number, f.what)).collect();
    assert!(tally.wrong == 0, "{} of {} wrong\n{}", tally.wrong, tally.pairs, findings.concat());
    assert!(moved_along > 10_000, "only {moved_along} were moved along");
}

/// The study's null normals: equal centres, and a centre inside a box.
#[test]
fn bodies_with_one_centre_have_a_normal_and_the_right_depth() {
    let shapes = [
        (sphere(0.5), 0.5),
        (cuboid(0.75, 1.0, 2.0), 0.75),
        (hull_box(0.75, 1.0, 2.0), 0.75),
        (capsule(2.0, 0.25), 0.25),
    ];
    for position in [Vec3::ZERO, Vec3::new(3.0, -4.0, 5.0), Vec3::splat(10_000.0)] {
        for turn in [Rotation::IDENTITY, Rotation::about(Vec3::new(1.0, 2.0, 3.0), 1.0).unwrap()] {
            let pose = Pose { rotation: turn, position };
            for (a, half_a) in &shapes {
                for (b, half_b) in &shapes {
                    let told = separation(a, &pose, b, &pose);
                    let what = format!("{a:?} {b:?}: {told:?}");
                    assert!((told.normal_ab.length() - 1.0).abs() < 1e-6, "{what}");
                    assert!((told.distance + half_a + half_b).abs() < 1e-5, "{what}");
                    let found = contact(a, &pose, b, &pose, 0.0).expect("they overlap");
                    assert!((found.depth() - half_a - half_b).abs() < 1e-5, "{what}: {found:?}");
                    assert!((found.normal.length() - 1.0).abs() < 1e-6, "{what}: {found:?}");
                }
            }
        }
    }
}
