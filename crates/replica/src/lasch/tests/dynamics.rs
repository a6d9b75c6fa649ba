//! The pipeline: broad phases, response, bounds, edits and events.

use embate::broad_phase::{BroadPhaseKind, SweepAxis};
use embate::dynamics::{
    BodyDef, CollisionFilter, ContactEvent, JointDef, JointError, LockedAxes, Settings, WorldBounds,
};
use embate_geom::{Pose, Vec3};

use super::super::{ConfigError, OctreeLimits};
use super::*;

const BRUTE_FORCE: BroadPhase = BroadPhase::Engine(BroadPhaseKind::BruteForce);

#[test]
fn every_broad_phase_yields_the_same_motion_bit_for_bit() {
    for response in Response::ALL {
        let mut results = Vec::new();
        for broad_phase in BroadPhase::ALL.into_iter().chain([BroadPhase::AUTO]) {
            let mut simulator = room(config(broad_phase, response, 0.01));
            steps(&mut simulator, 200);
            let stats = simulator.step_stats();
            results.push((simulator.state_hash(), stats.candidate_pairs, stats.manifold_pairs));
        }
        assert!(results.iter().all(|result| *result == results[0]), "{response:?}: {results:?}");
    }
}

#[test]
fn brute_force_tests_each_pair_of_movers_and_other_structures_test_fewer() {
    let tests = |broad_phase| {
        let mut simulator = room(config(broad_phase, Response::Impulse, 0.0));
        simulator.step();
        assert_eq!(simulator.overlap_tests(), None);
        simulator.count_overlap_tests(true);
        simulator.step();
        simulator.overlap_tests().unwrap()
    };
    let brute_force = tests(BRUTE_FORCE);
    assert!(brute_force >= 45 * 44 / 2, "{brute_force}");
    for broad_phase in BroadPhase::ALL.into_iter().skip(1) {
        assert!(tests(broad_phase) < brute_force, "{broad_phase:?}");
    }
}

/// Static bodies are in a strict octree too; cells affect the tests, not the motion.
#[test]
fn limits_of_the_strict_octree_change_the_tests_but_no_bit_of_the_motion() {
    let run = |max_depth, min_cell_size| {
        let octree = OctreeLimits { max_depth, min_cell_size };
        let strict = config(BroadPhase::StrictOctree, Response::Impulse, 0.01);
        let mut simulator = room(Config { octree, ..strict });
        simulator.count_overlap_tests(true);
        steps(&mut simulator, 30);
        (simulator.state_hash(), simulator.overlap_tests().unwrap())
    };
    let (deep, shallow, coarse) = (run(8, 0.0), run(1, 0.0), run(8, 3.0));
    assert!(deep.0 == shallow.0 && deep.0 == coarse.0);
    // Cells of at least 3 m in a room of 10 m are one level.
    assert!(deep.1 < shallow.1 && coarse.1 == shallow.1, "{deep:?} {coarse:?} {shallow:?}");
}

#[test]
fn two_spheres_get_the_impulse_of_the_formula() {
    for masses in [[1.0, 1.0], [1.0, 10.0], [100.0, 1.0]] {
        for e in [0.0, 0.5, 1.0] {
            let mut simulator = weightless(Config::PUBLISHED);
            let def = |mass: f32, x: f32, speed: f32| {
                let def = BodyDef::dynamic(sphere(0.5), mass).position(Vec3::X * x);
                def.linear_velocity(Vec3::X * speed).restitution(e)
            };
            let a = simulator.insert_body(def(masses[0], -2.0, 3.0)).unwrap();
            let b = simulator.insert_body(def(masses[1], 2.0, -1.0)).unwrap();
            let mut hits = 0;
            for _ in 0..240 {
                simulator.step();
                let is_hit = |event: &&ContactEvent| matches!(event, ContactEvent::Hit { .. });
                hits += simulator.events().iter().filter(is_hit).count();
            }
            let total = masses[0] + masses[1];
            let center = (3.0 * masses[0] - masses[1]) / total;
            let expected =
                [center - e * 4.0 * masses[1] / total, center + e * 4.0 * masses[0] / total];
            for (body, expected) in [a, b].into_iter().zip(expected) {
                let speed = velocity(&simulator, body).x;
                assert!((speed - expected).abs() < 1e-4, "{masses:?} {e}: {speed}, not {expected}");
            }
            assert_eq!(hits, 1);
        }
    }
}

#[test]
fn separating_pair_gets_neither_translation_nor_impulse() {
    for response in Response::ALL {
        let mut simulator = weightless(config(BRUTE_FORCE, response, 0.0));
        let def = |x: f32| BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * x);
        let a = simulator.insert_body(def(-0.4).linear_velocity(Vec3::X * -0.6)).unwrap();
        let b = simulator.insert_body(def(0.4)).unwrap();
        simulator.step();
        assert!((position(&simulator, a).x + 0.41).abs() < 1e-6);
        assert_eq!((position(&simulator, b).x, velocity(&simulator, b)), (0.4, Vec3::ZERO));
    }
}

#[test]
fn bodies_within_the_tolerance_touch() {
    let broad_phase = BroadPhase::Engine(BroadPhaseKind::TiledSweep);
    for (tolerance, touching) in [(0.0, 0), (0.09, 0), (0.11, 1)] {
        let mut simulator = weightless(config(broad_phase, Response::Impulse, tolerance));
        simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
        simulator.insert_body(BodyDef::fixed(sphere(0.5)).position(Vec3::X * 1.1)).unwrap();
        simulator.step();
        assert_eq!(simulator.step_stats().manifold_pairs, touching, "{tolerance}");
    }
}

/// Such contacts were counted, but no event was emitted.
#[test]
fn contact_within_the_tolerance_begins_and_ends() {
    for response in Response::ALL {
        let mut simulator = weightless(config(BRUTE_FORCE, response, 0.05));
        let one = simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
        let other = BodyDef::fixed(sphere(0.5)).position(Vec3::X * 1.02);
        let other = simulator.insert_body(other).unwrap();
        simulator.step();
        assert_eq!((simulator.step_stats().manifold_pairs, simulator.contacts().count()), (1, 1));
        let bodies = [one, other];
        assert_eq!(simulator.events(), [ContactEvent::Begin { bodies, sensor: false }]);
        let away = Pose::from_translation(Vec3::X * -0.1);
        simulator.set_body_pose(one, away).unwrap().unwrap();
        simulator.step();
        assert_eq!(simulator.events(), [ContactEvent::End { bodies, sensor: false }]);
    }
}

#[test]
fn sphere_leaves_open_bounds_and_bounces_off_solid_ones() {
    for (bounds, leaves) in [
        (WorldBounds::open(Vec3::splat(-1.0), Vec3::splat(1.0)), true),
        (WorldBounds::solid(Vec3::splat(-1.0), Vec3::splat(1.0)), false),
    ] {
        let settings =
            Settings { gravity: Vec3::ZERO, bounds: Some(bounds), ..Settings::default() };
        let mut simulator = Simulator::new(settings, Config::PUBLISHED).unwrap();
        let def = BodyDef::dynamic(sphere(0.2), 1.0).restitution(1.0);
        let body = simulator.insert_body(def.linear_velocity(Vec3::X * 3.0)).unwrap();
        assert_eq!(body.index(), 0, "walls are not bodies");
        steps(&mut simulator, 120);
        assert_eq!(position(&simulator, body).x > 1.0, leaves, "{bounds:?}");
        assert!((velocity(&simulator, body).x.abs() - 3.0).abs() < 1e-4);
    }
}

#[test]
fn static_bodies_can_be_inserted_moved_and_removed() {
    let mut simulator = Simulator::new(Settings::default(), Config::PUBLISHED).unwrap();
    let def = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::new(0.0, 2.0, 0.0));
    let body = simulator.insert_body(def).unwrap();
    simulator.step();
    let floor = simulator.insert_body(BodyDef::fixed(cuboid(5.0, 0.5, 5.0))).unwrap();
    steps(&mut simulator, 120);
    assert!((position(&simulator, body).y - 1.0).abs() < 0.01);
    let lower = Pose::from_translation(Vec3::Y * -1.0);
    simulator.set_body_pose(floor, lower).unwrap().unwrap();
    steps(&mut simulator, 120);
    assert!(position(&simulator, body).y.abs() < 0.01);
    assert!(simulator.remove_body(floor) && !simulator.remove_body(floor));
    steps(&mut simulator, 60);
    assert!(position(&simulator, body).y < -3.0);
}

#[test]
fn new_collision_filter_ends_the_contacts_it_excludes() {
    let mut simulator = weightless(config(BRUTE_FORCE, Response::Positions, 0.05));
    let one = simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    let other = simulator.insert_body(BodyDef::fixed(sphere(0.5)).position(Vec3::X)).unwrap();
    simulator.step();
    assert_eq!(simulator.contacts().count(), 1);
    let filter = CollisionFilter { category: 1, mask: 0 };
    simulator.edit_body(one, |body| body.set_collision_filter(filter)).unwrap();
    assert_eq!(simulator.contacts().count(), 0);
    simulator.step();
    let end = ContactEvent::End { bodies: [one, other], sensor: false };
    assert_eq!(simulator.events(), [end]);
}

/// The sphere gave all its speed to the locked body, which lost it.
#[test]
fn sphere_bounces_back_from_a_body_with_all_axes_locked() {
    let mut simulator = weightless(Config::PUBLISHED);
    let def = BodyDef::dynamic(sphere(0.5), 1.0).restitution(1.0);
    let locked = LockedAxes { translation: [true; 3], rotation: [true; 3] };
    let post = def.clone().position(Vec3::X * 3.0).locked_axes(locked);
    let post = simulator.insert_body(post).unwrap();
    let mover = simulator.insert_body(def.linear_velocity(Vec3::X * 3.0)).unwrap();
    steps(&mut simulator, 120);
    assert!((velocity(&simulator, mover) + Vec3::X * 3.0).length() < 1e-4);
    assert_eq!(position(&simulator, post), Vec3::X * 3.0);
    assert_eq!(velocity(&simulator, post), Vec3::ZERO);
}

#[test]
fn joints_and_invalid_configurations_are_rejected() {
    let mut simulator = weightless(Config::PUBLISHED);
    let a = simulator.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    let b = simulator.insert_body(BodyDef::dynamic(sphere(0.1), 1.0)).unwrap();
    let rejected = simulator.insert_joint(JointDef::spherical(a, b, Vec3::ZERO));
    assert_eq!(rejected, Err(JointError::SolverUnsupported { solver: "baseline" }));
    let axis = BroadPhase::SweepAndPrune(SweepAxis::Fixed(3));
    let octree = |max_depth, min_cell_size| Config {
        octree: OctreeLimits { max_depth, min_cell_size },
        ..Config::PUBLISHED
    };
    for config in [
        Config { tolerance: -1.0, ..Config::PUBLISHED },
        Config { tolerance: f32::NAN, ..Config::PUBLISHED },
        Config { broad_phase: axis, ..Config::PUBLISHED },
        Config { position_iterations: 0, ..Config::PUBLISHED },
        Config { position_iterations: 65, ..Config::PUBLISHED },
        octree(0, 0.0),
        octree(65, 0.0),
        octree(8, -1.0),
        octree(8, f32::NAN),
    ] {
        let rejected = Simulator::new(Settings::default(), config);
        let is_expected = match rejected {
            Err(ConfigError::Tolerance { .. }) => config.tolerance != 0.0,
            Err(ConfigError::PositionIterations { .. }) => config.position_iterations != 4,
            Err(ConfigError::OctreeDepth { .. }) => config.octree.max_depth != 8,
            Err(ConfigError::OctreeCellSize { .. }) => config.octree.min_cell_size != 0.0,
            Err(ConfigError::SweepAxis { axis: 3 }) => config.broad_phase == axis,
            _ => false,
        };
        assert!(is_expected, "{config:?}");
    }
    let bounds = Some(WorldBounds::solid(Vec3::X, Vec3::ZERO));
    let settings = Settings { bounds, ..Settings::default() };
    assert!(Simulator::new(settings, Config::PUBLISHED).is_err());
}
