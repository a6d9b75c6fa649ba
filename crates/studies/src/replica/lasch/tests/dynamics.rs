//! The study's chain.

use embate_geom::{Pose, Rotation, Vec3};

use super::*;
use crate::motion::{Bounds, Broad, Event, Method, Resolve};
use crate::pairs::PairTechnique;

fn chain(broad: Broad, resolve: Resolve, tolerance: f32) -> Method {
    Method::Study { broad, resolve, tolerance }
}

/// A room with some balls and boxes that fly about, and blocks that stand in their way.
fn room(method: Method) -> World {
    let settings = Settings {
        method,
        bounds: Some(Bounds::bouncing(Vec3::splat(-5.0), Vec3::splat(5.0))),
        ..Settings::default()
    };
    let mut world = World::new(settings).unwrap();
    for index in 0..60_u16 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| f32::from(i) * 2.4 - 3.6);
        let at = Vec3::new(x, y, z);
        let plan = match index % 4 {
            0 => BodyPlan::still(cuboid(0.3, 0.4, 0.5)),
            1 => BodyPlan::moving(cube(), 2.0),
            _ => BodyPlan::moving(sphere(0.4), 1.0),
        };
        let turn = Rotation::about(Vec3::new(1.0, 2.0, 3.0), f32::from(index)).unwrap();
        let velocity = Vec3::new(z + y, x - z, y * 2.0 - x);
        let plan = plan.at(at).turned(turn).with_velocity(velocity).with_restitution(0.8);
        world.add(plan).unwrap();
    }
    world
}

#[test]
fn every_broad_phase_gives_the_same_motion_to_the_bit() {
    for resolve in Resolve::ALL {
        let mut hashes = Vec::new();
        for broad in Broad::ALL.into_iter().chain([Broad::Technique(PairTechnique::Auto)]) {
            let mut world = room(chain(broad, resolve, 0.01));
            steps(&mut world, 200);
            hashes.push((world.state_hash(), world.last_step().pairs, world.last_step().contacts));
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{resolve:?}: {hashes:?}");
    }
}

#[test]
fn brute_force_counts_each_pair_of_moving_bodies_and_others_fewer() {
    let tests = |broad| {
        let mut world = room(chain(broad, Resolve::Impulse, 0.0));
        world.step();
        assert_eq!(world.last_step().tests, None);
        world.count_tests(true);
        world.step();
        world.last_step().tests.unwrap()
    };
    let brute = tests(Broad::Technique(PairTechnique::Brute));
    assert!(brute >= 45 * 44 / 2, "{brute}");
    for broad in Broad::ALL.into_iter().skip(1) {
        assert!(tests(broad) < brute, "{broad:?}");
    }
}

#[test]
fn two_balls_get_the_impulse_of_the_formula() {
    for masses in [[1.0, 1.0], [1.0, 10.0], [100.0, 1.0]] {
        for e in [0.0, 0.5, 1.0] {
            let settings =
                Settings { gravity: Vec3::ZERO, method: Method::STUDY, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            let ball = |mass: f32, x: f32, speed: f32| {
                let plan = BodyPlan::moving(sphere(0.5), mass).at(Vec3::X * x);
                plan.with_velocity(Vec3::X * speed).with_restitution(e)
            };
            let a = world.add(ball(masses[0], -2.0, 3.0)).unwrap();
            let b = world.add(ball(masses[1], 2.0, -1.0)).unwrap();
            let mut hits = 0;
            for _ in 0..240 {
                world.step();
                hits += world.events().iter().filter(|e| matches!(e, Event::Hit { .. })).count();
            }
            let total = masses[0] + masses[1];
            let middle = (3.0 * masses[0] - masses[1]) / total;
            let expected =
                [middle - e * 4.0 * masses[1] / total, middle + e * 4.0 * masses[0] / total];
            for (body, want) in [a, b].into_iter().zip(expected) {
                let got = velocity(&world, body).x;
                assert!((got - want).abs() < 1e-4, "{masses:?} {e}: {got}, not {want}");
            }
            assert_eq!(hits, 1);
        }
    }
}

#[test]
fn positions_alone_part_bodies_and_leave_their_velocities() {
    let method = chain(Broad::Technique(PairTechnique::Brute), Resolve::Positions, 0.0);
    let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let light = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * -0.4);
    let heavy = BodyPlan::moving(sphere(0.5), 3.0).at(Vec3::X * 0.4);
    let (light, heavy) = (world.add(light).unwrap(), world.add(heavy).unwrap());
    world.step();
    // Shared by inverse masses: 3/4 and 1/4 of 0.2.
    assert!((position(&world, light).x + 0.55).abs() < 1e-5);
    assert!((position(&world, heavy).x - 0.45).abs() < 1e-5);
    assert_eq!(velocity(&world, light), Vec3::ZERO);
}

#[test]
fn a_pair_that_parts_gets_neither_translation_nor_impulse() {
    for resolve in Resolve::ALL {
        let method = chain(Broad::Technique(PairTechnique::Brute), resolve, 0.0);
        let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let plan = |x: f32| BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * x);
        let a = world.add(plan(-0.4).with_velocity(Vec3::X * -0.6)).unwrap();
        let b = world.add(plan(0.4)).unwrap();
        world.step();
        assert!((position(&world, a).x + 0.41).abs() < 1e-6);
        assert_eq!((position(&world, b).x, velocity(&world, b)), (0.4, Vec3::ZERO));
    }
}

#[test]
fn within_the_tolerance_counts_as_touching() {
    for (tolerance, touches) in [(0.0, 0), (0.09, 0), (0.11, 1)] {
        let method = chain(Broad::Technique(PairTechnique::Sweep), Resolve::Impulse, tolerance);
        let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
        world.add(BodyPlan::still(sphere(0.5)).at(Vec3::X * 1.1)).unwrap();
        world.step();
        assert_eq!(world.last_step().contacts, touches, "{tolerance}");
    }
}

#[test]
fn a_ball_in_an_open_world_leaves_it_and_in_a_walled_one_does_not() {
    for (bounds, leaves) in [
        (Bounds::open(Vec3::splat(-1.0), Vec3::splat(1.0)), true),
        (Bounds::bouncing(Vec3::splat(-1.0), Vec3::splat(1.0)), false),
    ] {
        for method in [Method::STUDY, Method::Soft] {
            let settings = Settings {
                gravity: Vec3::ZERO,
                bounds: Some(bounds),
                method,
                ..Settings::default()
            };
            let mut world = World::new(settings).unwrap();
            let ball = BodyPlan::moving(sphere(0.2), 1.0).with_restitution(1.0);
            let ball = world.add(ball.with_velocity(Vec3::X * 3.0)).unwrap();
            steps(&mut world, 120);
            assert_eq!(position(&world, ball).x > 1.0, leaves, "{bounds:?}");
            assert!((velocity(&world, ball).x.abs() - 3.0).abs() < 1e-4);
        }
    }
}

#[test]
fn obstacles_may_come_and_go_and_be_moved() {
    let settings = Settings { method: Method::STUDY, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ball = BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::new(0.0, 2.0, 0.0));
    let ball = world.add(ball).unwrap();
    world.step();
    let floor = world.add(BodyPlan::still(cuboid(5.0, 0.5, 5.0))).unwrap();
    steps(&mut world, 120);
    assert!((position(&world, ball).y - 1.0).abs() < 0.01, "{:?}", position(&world, ball));
    let lower = embate_geom::Pose::at(Vec3::Y * -1.0);
    world.change(floor).unwrap().set_pose(lower).unwrap();
    steps(&mut world, 120);
    assert!(position(&world, ball).y.abs() < 0.01, "{:?}", position(&world, ball));
    world.remove(floor);
    steps(&mut world, 60);
    assert!(position(&world, ball).y < -3.0);
}

/// It counted in the report, and nobody was told.
#[test]
fn what_is_within_the_tolerance_is_told() {
    for resolve in Resolve::ALL {
        let method = chain(Broad::Technique(PairTechnique::Brute), resolve, 0.05);
        let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let one = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
        let other = world.add(BodyPlan::still(sphere(0.5)).at(Vec3::X * 1.02)).unwrap();
        world.step();
        assert_eq!((world.last_step().contacts, world.contacts().count()), (1, 1));
        assert_eq!(world.events(), [Event::Begun { bodies: [one, other], sensor: false }]);
        world.change(one).unwrap().set_pose(Pose::at(Vec3::X * -0.1)).unwrap();
        world.step();
        assert_eq!(world.events(), [Event::Ended { bodies: [one, other], sensor: false }]);
    }
}

/// Each left the name of its room behind.
#[test]
fn bodies_that_come_and_go_leave_nothing_in_a_study_world() {
    let mut world = World::new(Settings { method: Method::STUDY, ..Settings::default() }).unwrap();
    let size = |world: &World| world.snapshot().to_bytes().len();
    world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    let before = size(&world);
    for _ in 0..100 {
        let body = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
        world.step();
        world.remove(body);
        assert!(world.broad.rooms().is_empty());
    }
    world.step();
    assert!(size(&world) <= before + 16, "{} bytes were {before}", size(&world));
}
