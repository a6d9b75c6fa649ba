//! Position-based dynamics: rest, collisions, piles and overlaps.

use embate::broad_phase::BroadPhaseKind;
use embate::dynamics::{BodyDef, ContactEvent, ContactManifold, Settings, WorldBounds};
use embate_geom::{Vec3, scalar};

use super::*;

const BRUTE_FORCE: BroadPhase = BroadPhase::Engine(BroadPhaseKind::BruteForce);
const POSITIONS: Config = Config { response: Response::Positions, ..Config::PUBLISHED };

fn simulator() -> Simulator {
    Simulator::new(Settings::default(), POSITIONS).unwrap()
}

fn floor(simulator: &mut Simulator) {
    let floor = BodyDef::fixed(cuboid(20.0, 0.5, 20.0)).position(Vec3::Y * -0.5);
    simulator.insert_body(floor).unwrap();
}

fn max_speed(simulator: &Simulator) -> f32 {
    let speeds = simulator.world().bodies().map(|body| body.linear_velocity().length());
    speeds.fold(0.0, scalar::max)
}

/// Velocities were kept: the ball reached 49 m/s in 5 s, and then fell through the floor.
#[test]
fn ball_at_rest_stays_at_rest() {
    let mut simulator = simulator();
    floor(&mut simulator);
    let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 0.5);
    let ball = simulator.insert_body(ball).unwrap();
    for _ in 0..1_200 {
        simulator.step();
        let height = position(&simulator, ball).y;
        assert!((height - 0.5).abs() < 1e-4, "{height}");
        assert!(velocity(&simulator, ball).length() < 1e-3, "{:?}", velocity(&simulator, ball));
    }
}

#[test]
fn falling_ball_stops_on_the_floor_whatever_its_restitution() {
    for e in [0.0, 1.0] {
        let mut simulator = simulator();
        floor(&mut simulator);
        let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 3.0).restitution(e);
        let ball = simulator.insert_body(ball).unwrap();
        let mut hits = 0;
        for _ in 0..240 {
            simulator.step();
            let is_hit = |event: &&ContactEvent| matches!(event, ContactEvent::Hit { .. });
            hits += simulator.events().iter().filter(is_hit).count();
        }
        assert!((position(&simulator, ball).y - 0.5).abs() < 1e-4);
        assert!(velocity(&simulator, ball).length() < 1e-3);
        assert_eq!(hits, 1);
    }
}

#[test]
fn collision_is_inelastic_and_conserves_momentum() {
    for masses in [[1.0, 1.0], [10.0, 1.0], [1.0, 100.0]] {
        let mut simulator = weightless(POSITIONS);
        let def = |mass, x: f32, speed: f32| {
            let def = BodyDef::dynamic(sphere(0.5), mass).position(Vec3::X * x);
            def.linear_velocity(Vec3::X * speed).restitution(1.0)
        };
        let a = simulator.insert_body(def(masses[0], -1.0, 2.0)).unwrap();
        let b = simulator.insert_body(def(masses[1], 1.0, 0.0)).unwrap();
        steps(&mut simulator, 120);
        let expected = 2.0 * masses[0] / (masses[0] + masses[1]);
        for body in [a, b] {
            let speed = velocity(&simulator, body).x;
            assert!((speed - expected).abs() < 1e-4, "{masses:?}: {speed}, not {expected}");
        }
    }
}

#[test]
fn overlap_at_the_start_is_split_by_inverse_mass_without_velocity() {
    let mut simulator = weightless(config(BRUTE_FORCE, Response::Positions, 0.0));
    let light = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * -0.4);
    let heavy = BodyDef::dynamic(sphere(0.5), 3.0).position(Vec3::X * 0.4);
    let light = simulator.insert_body(light).unwrap();
    let heavy = simulator.insert_body(heavy).unwrap();
    simulator.step();
    // 3/4 and 1/4 of a penetration of 0.2.
    assert!((position(&simulator, light).x + 0.55).abs() < 1e-5);
    assert!((position(&simulator, heavy).x - 0.45).abs() < 1e-5);
    assert_eq!(velocity(&simulator, light), Vec3::ZERO);
    assert_eq!(velocity(&simulator, heavy), Vec3::ZERO);
}

#[test]
fn heap_of_overlapping_balls_does_not_explode() {
    let mut simulator = weightless(POSITIONS);
    for index in 0..27_u16 {
        let [x, y, z] = [index % 3, index / 3 % 3, index / 9].map(|i| f32::from(i) * 0.8);
        let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::new(x, y, z));
        simulator.insert_body(ball).unwrap();
    }
    for _ in 0..120 {
        simulator.step();
        assert!(max_speed(&simulator) < 0.5, "{}", max_speed(&simulator));
    }
    let contacts: Vec<_> = simulator.contacts().collect();
    let deepest = contacts.iter().flat_map(ContactManifold::points);
    let deepest = deepest.map(|point| point.penetration).fold(0.0, scalar::max);
    assert!(deepest < 1e-3, "{deepest}");
}

#[test]
fn stacks_in_solid_bounds_and_on_a_floor_come_to_rest() {
    // Heavy bodies on light ones converge more slowly.
    for (in_bounds, heavier, position_iterations) in
        [(false, 0.0, 4), (true, 0.0, 4), (false, 1.0, 64), (true, 1.0, 64)]
    {
        let bounds = WorldBounds::solid(Vec3::new(-1.5, 0.0, -1.5), Vec3::new(1.5, 20.0, 1.5));
        let bounds = in_bounds.then_some(bounds);
        let settings = Settings { bounds, ..Settings::default() };
        let config = Config { position_iterations, ..POSITIONS };
        let mut simulator = Simulator::new(settings, config).unwrap();
        if !in_bounds {
            floor(&mut simulator);
        }
        let mut cubes = Vec::new();
        for index in 0..20_u16 {
            let [x, layer, z] = [index % 2, index / 4, index / 2 % 2].map(f32::from);
            let at = Vec3::new(x * 1.3 - 0.65, 0.55 + layer * 1.1, z * 1.3 - 0.65);
            let cube = BodyDef::dynamic(cuboid(0.5, 0.5, 0.5), 1.0 + heavier * layer);
            cubes.push((simulator.insert_body(cube.position(at)).unwrap(), layer));
        }
        steps(&mut simulator, 600);
        let speed = max_speed(&simulator);
        let max_speed = if position_iterations == 4 { 0.1 } else { 0.002 };
        assert!(speed < max_speed, "bounds {in_bounds}, {position_iterations}: {speed}");
        for (cube, layer) in cubes {
            let height = position(&simulator, cube).y;
            assert!((height - 0.5 - layer).abs() < 0.01, "bounds {in_bounds}: {layer} {height}");
        }
    }
}

#[test]
fn kinematic_lift_carries_a_ball() {
    let mut simulator = simulator();
    let lift = BodyDef::kinematic(cuboid(1.0, 0.1, 1.0)).linear_velocity(Vec3::Y * 0.5);
    simulator.insert_body(lift).unwrap();
    let ball = BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::Y * 0.6);
    let ball = simulator.insert_body(ball).unwrap();
    steps(&mut simulator, 120);
    assert!((position(&simulator, ball).y - 1.6).abs() < 1e-3);
    assert!((velocity(&simulator, ball).y - 0.5).abs() < 1e-3);
}
