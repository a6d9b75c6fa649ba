use std::sync::Arc;

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{Capsule, Cuboid, Hull, Plane, Sphere},
};
use embate_mesh::TriangleMesh;

use super::*;
use crate::shapes::{Compound, MeshShape};

fn ball(radius: f32) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn cube(half: f32) -> Shape {
    Cuboid::new(Vec3::splat(half)).unwrap().into()
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::at(Vec3::new(x, y, z))
}

#[track_caller]
fn hit(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Impact {
    let found = time_of_impact(a, motion_a, b, motion_b, 0.0).expect("they meet");
    let round = time_of_impact(b, motion_b, a, motion_a, 0.0).expect("they meet");
    assert_eq!(found, round.turned_round());
    assert!((found.normal.length() - 1.0).abs() < 1e-6, "{found:?}");
    found
}

#[test]
fn balls_meet_where_their_surfaces_do() {
    let a = Motion::sliding(at(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0));
    let b = Motion::sliding(at(5.0, 0.0, 0.0), Vec3::new(-4.0, 0.0, 0.0));
    let found = hit(&ball(0.5), &a, &ball(0.5), &b);
    assert!((found.time - 0.5).abs() < 1e-6, "{found:?}");
    assert_eq!(found.normal, Vec3::X);
    assert!((found.points[0] - Vec3::new(2.5, 0.0, 0.0)).length() < 1e-5, "{found:?}");
    assert!(!found.at_start);
    let away = Motion::sliding(at(5.0, 0.0, 0.0), Vec3::new(4.0, 1.0, 0.0));
    assert_eq!(time_of_impact(&ball(0.5), &a, &ball(0.5), &away, 0.0), None);
    let early = time_of_impact(&ball(0.5), &a, &ball(0.5), &b, 1.0).unwrap();
    assert!((early.time - 0.375).abs() < 1e-6, "{early:?}");
}

#[test]
fn what_touches_at_the_start_is_told_so() {
    let rests = Motion::resting(Pose::IDENTITY);
    for (x, depth) in [(0.9, 0.1), (1.0, 0.0), (1e-3, 0.999)] {
        let moves = Motion::new(at(x, 0.0, 0.0), Vec3::X, Vec3::Y);
        let found = hit(&cube(0.5), &rests, &cube(0.5), &moves);
        assert!(found.at_start && found.time == 0.0, "{found:?}");
        let between = found.points[0] - found.points[1];
        assert!((between.dot(found.normal) - depth).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn a_turning_rod_strikes_with_its_end() {
    let rod = Shape::from(Capsule::new(2.0, 0.1).unwrap());
    let turns = Motion::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 0.0, -2.0));
    let rests = Motion::resting(at(1.5, 0.0, 0.0));
    let found = hit(&rod, &turns, &ball(0.5), &rests);
    // From y it turns towards x, until its side is 0.6 from the ball's middle.
    let angle = core::f64::consts::FRAC_PI_2 - 0.411_516_846_067_488_06;
    assert!((f64::from(found.time) - angle / 2.0).abs() < 1e-6, "{found:?}");
    assert!(f64::from(found.time) <= angle / 2.0);
}

/// A centre of mass that is not the origin: the hammer turns about its head.
#[test]
fn a_body_turns_about_the_centre_given() {
    let stick = Shape::from(Cuboid::new(Vec3::new(1.0, 0.1, 0.1)).unwrap());
    let turns = Motion {
        centre: Vec3::new(-1.0, 0.0, 0.0),
        ..Motion::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0))
    };
    // Two from the centre, an eighth of a turn up.
    let target = Motion::resting(at(-1.0 + 1.5 * 0.5_f32.sqrt(), 1.5 * 0.5_f32.sqrt(), 0.0));
    let found = hit(&stick, &turns, &ball(0.1), &target);
    let expected = core::f32::consts::FRAC_PI_4 - 0.2 / 1.5;
    assert!((found.time - expected).abs() < 2e-3, "{found:?}");
}

#[test]
fn a_spinning_box_falls_on_the_ground_with_its_corner() {
    let ground = Shape::from(Plane::new(Vec3::Y).unwrap());
    let falls = Motion::new(
        at(0.0, 2.0, 0.0),
        Vec3::new(0.0, -2.0, 0.0),
        Vec3::Z * core::f32::consts::FRAC_PI_4,
    );
    for body in [cube(0.5), hull_cube()] {
        let found = hit(&ground, &Motion::resting(Pose::IDENTITY), &body, &falls);
        let pose = falls.at(found.time);
        let lowest = pose.point(Vec3::new(-0.5, -0.5, 0.5)).y;
        assert!(lowest.abs() < 1e-5, "{found:?} {lowest}");
        assert_eq!(found.normal, Vec3::Y);
    }
}

fn hull_cube() -> Shape {
    let corner = |bits: u32| {
        let side = |axis: u32| if bits >> axis & 1 == 1 { 0.5 } else { -0.5 };
        Vec3::new(side(0), side(1), side(2))
    };
    Hull::new(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().into()
}

/// The ground itself may turn, and then its far parts are fast.
#[test]
fn a_half_space_that_turns_strikes_from_below() {
    let ground = Shape::from(Plane::new(Vec3::Y).unwrap());
    let turns = Motion::new(Pose::IDENTITY, Vec3::ZERO, Vec3::Z * 0.5);
    let rests = Motion::resting(at(100.0, 10.0, 0.0));
    let found = hit(&ground, &turns, &ball(1.0), &rests);
    // The slope of the line through the origin that comes within 1 of the middle.
    let angle = libm_asin(10.0 / 10_100.0_f64.sqrt()) - libm_asin(1.0 / 10_100.0_f64.sqrt());
    assert!((f64::from(found.time) - angle / 0.5).abs() < 1e-6, "{found:?} {angle}");
}

fn libm_asin(sine: f64) -> f64 {
    embate_geom::scalar::atan2_wide(sine, (1.0 - sine * sine).sqrt())
}

fn floor(cells: u32, size: f32) -> Shape {
    let at = |i: u32| (i as f32 / cells as f32 - 0.5) * size;
    let points = (0..=cells).flat_map(|z| (0..=cells).map(move |x| [at(x), 0.0, at(z)])).collect();
    let row = cells + 1;
    let triangles = (0..cells * cells)
        .flat_map(|cell| {
            let corner = cell / cells * row + cell % cells;
            [[corner, corner + row, corner + 1], [corner + 1, corner + row, corner + row + 1]]
        })
        .collect();
    MeshShape::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

#[test]
fn a_mesh_is_hit_where_its_plane_would_be() {
    let (mesh, slab) = (floor(40, 20.0), Shape::from(Plane::new(Vec3::Y).unwrap()));
    let rests = Motion::resting(at(0.0, 0.0, 0.0));
    for (body, spin) in [(ball(0.3), 0.0), (cube(0.3), 0.0), (cube(0.3), 2.0), (hull_cube(), 6.0)] {
        for across in [0.0, 3.0, 14.0] {
            let velocity = Vec3::new(across, -4.0, 0.4 * across);
            let falls = Motion::new(at(-5.0, 3.0, 0.1), velocity, Vec3::new(spin, 0.5 * spin, 0.1));
            let on_mesh = hit(&body, &falls, &mesh, &rests);
            let on_plane = hit(&body, &falls, &slab, &rests);
            assert!((on_mesh.time - on_plane.time).abs() < 1e-6, "{on_mesh:?} {on_plane:?}");
            assert!((on_mesh.normal + Vec3::Y).length() < 1e-4, "{on_mesh:?}");
        }
    }
    // Beside the floor there is nothing to hit.
    let past = Motion::sliding(at(11.0, 3.0, 0.0), Vec3::new(0.0, -9.0, 0.0));
    assert_eq!(time_of_impact(&ball(0.3), &past, &mesh, &rests, 0.0), None);
    // The floor may come to the ball as well, and turn.
    let rises = Motion::new(Pose::IDENTITY, Vec3::new(0.0, 4.0, 0.0), Vec3::Y * 3.0);
    let waits = Motion::resting(at(1.0, 3.0, 2.0));
    let found = hit(&mesh, &rises, &ball(0.3), &waits);
    assert!((found.time - 0.675).abs() < 1e-6, "{found:?}");
}

#[test]
fn parts_of_compounds_are_named() {
    let parts = vec![(at(0.0, 0.0, 0.0), cube(0.2)), (at(3.0, 0.0, 0.0), ball(0.5))];
    let compound = Shape::Compound(Arc::new(Compound::new(parts).unwrap()));
    let turns = Motion::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0));
    let rests = Motion::resting(at(0.0, 3.0, 0.0));
    // By a quarter of a turn the ball would be there; it takes less than 1 radian to touch a large one.
    let found = hit(&compound, &turns, &ball(1.5), &rests);
    assert_eq!(found.parts, [1, 0]);
    let apart = 2.0 * 3.0 * embate_geom::scalar::sin_cos_wide(core::f64::consts::FRAC_PI_4 / 2.0).0;
    assert!(apart > 2.0, "they begin apart");
    let both = hit(&compound, &turns, &floor(10, 40.0), &Motion::resting(at(0.0, 2.0, 0.0)));
    assert_eq!(both.parts[0], 1);
    assert!(both.time < 0.55, "{both:?}");
}

#[test]
fn motions_out_of_range_hit_nothing() {
    let rests = Motion::resting(Pose::IDENTITY);
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        for motion in [
            Motion::sliding(at(3.0, 0.0, 0.0), Vec3::X * bad),
            Motion::new(at(3.0, 0.0, 0.0), Vec3::X, Vec3::X * bad),
            Motion::resting(at(bad, 0.0, 0.0)),
        ] {
            assert_eq!(time_of_impact(&cube(1.0), &rests, &cube(1.0), &motion, 0.0), None);
        }
    }
    // What turns very fast is stopped early rather than late.
    let whirls = Motion::new(at(3.0, 0.0, 0.0), -Vec3::X, Vec3::Z * 1e6);
    let found = time_of_impact(&cube(1.0), &rests, &cube(1.0), &whirls, 0.0).unwrap();
    assert!(found.time <= 1.0 - 0.414, "{found:?}");
}

#[test]
fn nothing_is_lost_far_from_the_origin() {
    let far = Vec3::splat(10_000.0);
    let turn = Rotation::about(Vec3::new(1.0, 2.0, 3.0), 0.5).unwrap();
    let a = Motion::new(Pose { rotation: turn, position: far }, Vec3::ZERO, Vec3::X);
    let b = Motion::sliding(Pose::at(far + Vec3::new(4.0, 0.0, 0.0)), Vec3::new(-4.0, 0.0, 0.0));
    let here = |motion: &Motion| Motion {
        start: Pose { position: motion.start.position - far, ..motion.start },
        ..*motion
    };
    let there = hit(&cube(0.5), &a, &ball(0.5), &b);
    let near = hit(&cube(0.5), &here(&a), &ball(0.5), &here(&b));
    assert_eq!((there.time, there.normal), (near.time, near.normal));
}

/// Every triangle below it was searched hundreds of times in each of 32 stretches: nine seconds.
#[test]
fn what_spins_fast_over_a_large_mesh_is_answered_soon() {
    const CELLS: u32 = 64;
    const ROW: u32 = CELLS + 1;
    let along = |index: u32| (index as f32 / CELLS as f32 - 0.5) * 20.0;
    let points = (0..ROW * ROW).map(|index| [along(index % ROW), 0.0, along(index / ROW)]);
    let triangles = (0..CELLS * CELLS).flat_map(|cell| {
        let corner = cell / CELLS * ROW + cell % CELLS;
        [[corner, corner + ROW, corner + 1], [corner + 1, corner + ROW, corner + ROW + 1]]
    });
    let mesh = TriangleMesh::new(points.collect(), triangles.collect()).unwrap();
    let floor = Shape::from(MeshShape::new(mesh).unwrap());
    let rests = Motion::resting(Pose::IDENTITY);
    for size in [0.5, 5.0] {
        let spins = |height: f32, down: f32| {
            let velocity = Vec3::new(3.0, -down, 0.0);
            Motion::new(at(0.0, height, 0.0), velocity, Vec3::new(300.0, 1000.0, 0.0))
        };
        let whirl = spins(2.0 * size, 0.0);
        assert_eq!(time_of_impact(&cube(size), &whirl, &floor, &rests, 0.0), None, "{size}");
        // About this axis its corners come 1.5386 of its size down, at most a turn later than they could.
        let falls = spins(2.0 * size, size);
        let found = hit(&cube(size), &falls, &floor, &rests);
        assert!(found.time > 0.26 && found.time < 0.468, "{size}: {found:?}");
    }
}
