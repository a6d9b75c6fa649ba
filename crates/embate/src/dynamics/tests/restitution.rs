//! Restitution, conservation laws in collisions, tunneling of fast bodies, hit events.

use embate_geom::{Rotation, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{ContactEvent, Material, WorldBounds};

/// Velocities of two spheres after a head-on collision.
fn head_on_collision(masses: [f32; 2], speeds: [f32; 2], restitution: f32) -> [f32; 2] {
    let mut world = zero_gravity_world();
    let sphere_def = |mass: f32, speed: f32, x: f32| {
        let def = BodyDef::dynamic(sphere(0.5), mass).position(Vec3::X * x);
        def.linear_velocity(Vec3::X * speed).restitution(restitution)
    };
    let a = world.insert_body(sphere_def(masses[0], speeds[0], -2.0)).unwrap();
    let b = world.insert_body(sphere_def(masses[1], speeds[1], 2.0)).unwrap();
    steps(&mut world, 240);
    [a, b].map(|id| velocity(&world, id).x)
}

#[test]
fn spheres_separate_by_newtons_law_of_restitution() {
    for masses in [[1.0, 1.0], [1.0, 10.0], [100.0, 1.0], [1.0, 1000.0]] {
        for speeds in [[3.0, -1.0], [2.0, 0.0], [7.0, 2.0]] {
            for e in [0.0, 0.5, 1.0] {
                let after = head_on_collision(masses, speeds, e);
                let total = masses[0] + masses[1];
                let common = (masses[0] * speeds[0] + masses[1] * speeds[1]) / total;
                let approach = speeds[0] - speeds[1];
                let expected = [
                    common - e * approach * masses[1] / total,
                    common + e * approach * masses[0] / total,
                ];
                for (actual, expected_speed) in after.iter().zip(expected) {
                    assert!(
                        (actual - expected_speed).abs() < 1e-4 * approach,
                        "masses {masses:?}, speeds {speeds:?}, restitution {e}: \
                         {after:?}, expected {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn sphere_rebounds_to_e_squared_h() {
    for (e, height) in [(1.0_f32, 1.0), (0.8, 2.0), (0.5, 5.0), (0.9, 20.0)] {
        let mut world = world();
        add_ground(&mut world, 0.5);
        let def = BodyDef::dynamic(sphere(0.3), 1.0).restitution(e);
        let body = world.insert_body(def.position(Vec3::new(0.0, height + 0.3, 0.0))).unwrap();
        let mut apex = 0.0;
        let mut bounced = false;
        for _ in 0..600 {
            world.step();
            bounced |= velocity(&world, body).y > 0.0;
            let clearance = position(&world, body).y - 0.3;
            if bounced && clearance > apex {
                apex = clearance;
            }
            if bounced && velocity(&world, body).y < 0.0 {
                break;
            }
        }
        // Steps sample the apex to within ½ g (1/120 s)².
        assert!(
            (apex / (e * e * height) - 1.0).abs() < 0.005,
            "restitution {e}, dropped from {height} m: apex {apex} m"
        );
    }
}

#[test]
fn elastic_sphere_bounces_for_a_minute_without_losing_energy() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let def = BodyDef::dynamic(sphere(0.3), 1.0).restitution(1.0);
    world.insert_body(def.position(Vec3::new(0.0, 2.3, 0.0))).unwrap();
    let before = world.total_energy();
    steps(&mut world, 3600);
    let drift = world.total_energy() / before - 1.0;
    assert!(drift.abs() < 0.01, "relative energy drift {drift}");
}

/// One sphere hits a row of four touching ones: the last one leaves with its speed.
#[test]
fn newtons_cradle_transmits_the_impact_to_the_last_sphere() {
    let mut world = zero_gravity_world();
    let sphere_at =
        |x: f32| BodyDef::dynamic(sphere(0.5), 1.0).position(Vec3::X * x).restitution(1.0);
    let incoming = world.insert_body(sphere_at(-3.0).linear_velocity(Vec3::X * 2.0)).unwrap();
    let row: Vec<BodyId> =
        (0..4).map(|x| world.insert_body(sphere_at(x as f32)).unwrap()).collect();
    steps(&mut world, 120);
    assert!((velocity(&world, row[3]).x - 2.0).abs() < 1e-4);
    for at_rest in [incoming, row[0], row[1], row[2]] {
        assert!(velocity(&world, at_rest).length() < 1e-4, "{:?}", velocity(&world, at_rest));
    }
}

#[test]
fn box_landing_flat_rebounds_without_rotation() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let def = BodyDef::dynamic(cube(), 4.0).position(Vec3::new(0.0, 1.5, 0.0)).restitution(0.7);
    let body = world.insert_body(def).unwrap();
    steps(&mut world, 40);
    let body = world.body(body).unwrap();
    assert!(body.linear_velocity().y > 0.5 && body.angular_velocity().length() < 1e-3, "{body:?}");
}

#[test]
fn elastic_gas_in_solid_bounds_conserves_energy() {
    let mut world = World::new(Settings {
        gravity: Vec3::ZERO,
        bounds: Some(WorldBounds::solid(Vec3::splat(-3.0), Vec3::splat(3.0))),
        ..Settings::default()
    })
    .unwrap();
    for index in 0..125 {
        let [x, y, z] = [index % 5, index / 5 % 5, index / 25].map(|i| i as f32 - 2.0);
        let velocity = Vec3::new(3.0 * y - z, 2.0 * z - x * x, 4.0 * x - y * z);
        let def = BodyDef::dynamic(sphere(0.2), 1.0).position(Vec3::new(x, y, z));
        let def = def.linear_velocity(velocity).restitution(1.0).friction(0.0);
        world.insert_body(def).unwrap();
    }
    let before = world.total_energy();
    steps(&mut world, 1000);
    let drift = world.total_energy() / before - 1.0;
    assert!(drift.abs() < 1e-3, "relative energy drift {drift}");
    for body in world.bodies() {
        assert!(body.position().abs().max_element() < 3.0, "{body:?}");
    }
}

#[test]
fn collisions_conserve_momentum_to_rounding_and_angular_momentum_to_5e_4() {
    let mut world = zero_gravity_world();
    for index in 0..64 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| i as f32 * 2.0 - 3.0);
        let at = Vec3::new(x, y, z);
        let def =
            BodyDef::dynamic(cube(), 1.0 + index as f32).position(at).linear_velocity(at * -0.7);
        world.insert_body(def.angular_velocity(Vec3::new(y, z, x))).unwrap();
    }
    let (momentum, angular_momentum) = (world.linear_momentum(), world.angular_momentum());
    steps(&mut world, 240);
    for axis in 0..3 {
        // The magnitudes of all momenta sum to 6,000 kg·m/s: relative error 3e-7.
        assert!(
            (world.linear_momentum()[axis] - momentum[axis]).abs() < 2e-3,
            "{:?}",
            world.linear_momentum()
        );
        // Lever arms are those of the start of the step, hence more than rounding: 5e-4 of
        // 20,000 kg·m²/s.
        let error = (world.angular_momentum()[axis] - angular_momentum[axis]).abs();
        assert!(error < 10.0, "{:?}, was {angular_momentum:?}", world.angular_momentum());
    }
}

/// Shoots spheres and boxes of a few centimeters at 300 m/s from 1,000 directions at plates 2 cm
/// thick. Returns a description of each shot that tunneled.
fn tunneling_shots(plate: impl Fn() -> BodyDef) -> Vec<String> {
    let mut rng = Rng::new(7);
    let mut tunneled = Vec::new();
    for shot in 0..1000 {
        let mut world = zero_gravity_world();
        let plate = world.insert_body(plate()).unwrap();
        // Up to 80° from the normal of the plate.
        let slant = Rotation::from_axis_angle(Vec3::Y, 1.4 * rng.signed_unit()).unwrap();
        let direction = Rotation::from_axis_angle(Vec3::X, 6.0 * rng.unit())
            .unwrap()
            .rotate(slant.rotate(Vec3::X));
        let start = direction * -rng.between(1.0, 6.0);
        let def = if shot % 2 == 0 {
            BodyDef::dynamic(sphere(0.05), 0.1)
        } else {
            let rotation = random_rotation(&mut rng);
            BodyDef::dynamic(cuboid(0.05, 0.08, 0.03), 0.1).rotation(rotation)
        };
        let def = def.position(start).linear_velocity(direction * 300.0);
        let body = world.insert_body(def).unwrap();
        for _ in 0..20 {
            world.step();
            let local =
                world.body(plate).unwrap().pose().inverse_transform_point(position(&world, body));
            if local.x > 0.0 && local.y.abs() < 50.0 && local.z.abs() < 50.0 {
                tunneled.push(format!("shot {shot} from {start:?} is at {local:?}"));
                break;
            }
        }
    }
    tunneled
}

fn assert_no_shot_tunnels(plate: &BodyDef) {
    let tunneled = tunneling_shots(|| plate.clone());
    assert!(tunneled.is_empty(), "{} of 1000: {tunneled:#?}", tunneled.len());
}

#[test]
fn fast_bodies_do_not_tunnel_through_a_thin_fixed_plate() {
    assert_no_shot_tunnels(&BodyDef::fixed(cuboid(0.01, 50.0, 50.0)));
}

#[test]
fn fast_bodies_do_not_tunnel_through_a_thin_kinematic_plate() {
    for speed in [-30.0, 30.0] {
        let plate = BodyDef::kinematic(cuboid(0.01, 50.0, 50.0)).linear_velocity(Vec3::X * speed);
        assert_no_shot_tunnels(&plate);
    }
}

#[test]
fn fast_bodies_do_not_tunnel_through_a_thin_dynamic_plate() {
    let plate = BodyDef::dynamic(cuboid(0.01, 50.0, 50.0), 1000.0);
    assert_no_shot_tunnels(&plate.linear_velocity(Vec3::X * -10.0));
}

#[test]
fn hit_event_reports_approach_speed_and_impulse() {
    let mut world = world();
    let ground = add_ground(&mut world, 0.5);
    let def = BodyDef::dynamic(sphere(0.5), 2.0).position(Vec3::new(0.0, 5.5, 0.0));
    let bouncy = Material { restitution: 0.5, ..Material::default() };
    let body = world.insert_body(def.material(bouncy)).unwrap();
    let mut events = Vec::new();
    for _ in 0..90 {
        world.step();
        events.extend_from_slice(world.events());
    }
    let expected_speed = (2.0 * G * 5.0_f32).sqrt();
    assert_eq!(events[0], ContactEvent::Begin { bodies: [ground, body], sensor: false });
    let ContactEvent::Hit { bodies, approach_speed, normal_impulse, normal, .. } = events[1] else {
        panic!("{events:?}")
    };
    assert_eq!((bodies, normal), ([ground, body], Vec3::Y));
    assert!((approach_speed / expected_speed - 1.0).abs() < 0.02, "{approach_speed} m/s");
    let expected_impulse = 2.0 * 1.5 * expected_speed;
    assert!((normal_impulse / expected_impulse - 1.0).abs() < 0.02, "{normal_impulse} N·s");
    assert_eq!(events[2], ContactEvent::End { bodies: [ground, body], sensor: false });
}
