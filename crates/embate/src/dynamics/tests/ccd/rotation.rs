//! Continuous collision of rotating and hollow bodies, along mesh floors, and with sensors.

use embate_geom::{Pose, Vec3, scalar};

use crate::dynamics::tests::*;
use crate::dynamics::{CollisionFilter, ContactEvent, JointDef, SolverKind};
use crate::shapes::{Compound, Shape};

/// Regression: a rod rotating by 0.5 rad per step passed spheres without touching them.
#[test]
fn motor_driven_rod_hits_each_of_a_thousand_spheres() {
    let mut world = zero_gravity_world();
    let support = world.insert_body(BodyDef::fixed(sphere(0.01))).unwrap();
    let def = BodyDef::dynamic(cuboid(1.0, 0.05, 0.05), 100.0);
    let rod = world.insert_body(def.angular_velocity(Vec3::Z * 30.0)).unwrap();
    let hinge = JointDef::revolute(support, rod, Vec3::ZERO, Vec3::Z).motor(30.0, 1e6);
    world.insert_joint(hinge).unwrap();
    let only_rod = CollisionFilter { category: 2, mask: 1 };
    let spheres: Vec<BodyId> = (0..1000_u16)
        .map(|number| {
            let angle = 0.35 + 2.4 * f32::from(number % 97) / 97.0;
            let (sin, cos) = scalar::sin_cos(angle);
            let at = Vec3::new(cos, sin, 0.0) * (0.25 + 0.7 * f32::from(number % 89) / 89.0);
            let def = BodyDef::dynamic(sphere(0.03), 1e-3).position(at).collision_filter(only_rod);
            world.insert_body(def).unwrap()
        })
        .collect();
    let mut touched = Vec::new();
    for _ in 0..7 {
        world.step();
        let begin_events =
            world.events().iter().filter(|event| matches!(event, ContactEvent::Begin { .. }));
        touched.extend(begin_events.map(ContactEvent::bodies).filter(|bodies| bodies[0] == rod));
    }
    let missed = spheres.iter().filter(|&&sphere| !touched.contains(&[rod, sphere])).count();
    assert_eq!(missed, 0);
    // Regression: in the frame of a rotating sphere the center of the rod moves, and the rod was
    // clamped.
    assert!(position(&world, rod).length() < 1e-3, "{:?}", position(&world, rod));
}

/// Regression: for a rod rotating about its length, the bound on the approach speed is ten times
/// the actual speed; conservative advancement did not converge, and the rod tunneled.
#[test]
fn rod_rotating_about_its_length_is_stopped_at_the_plate() {
    let mut world = zero_gravity_world();
    let plate = world.insert_body(BodyDef::fixed(cuboid(2.0, 0.005, 2.0))).unwrap();
    let def = BodyDef::dynamic(cuboid(1.0, 0.02, 0.02), 1.0).position(Vec3::Y * 0.15);
    let def = def.angular_velocity(Vec3::X * 150.0).linear_velocity(Vec3::Y * -10.0);
    let rod = world.insert_body(def).unwrap();
    world.step();
    let begin = ContactEvent::Begin { bodies: [plate, rod], sensor: false };
    assert!(world.events().contains(&begin), "{:?}", world.events());
    steps(&mut world, 30);
    assert!(position(&world, rod).y > 0.02, "{:?}", position(&world, rod));
}

fn ring() -> Compound {
    let bar =
        |x: f32, z: f32, at: Vec3| (Pose::from_translation(at), Shape::from(cuboid(x, 0.05, z)));
    let parts = vec![
        bar(0.1, 0.5, Vec3::X * 0.4),
        bar(0.1, 0.5, Vec3::X * -0.4),
        bar(0.3, 0.1, Vec3::Z * 0.4),
        bar(0.3, 0.1, Vec3::Z * -0.4),
    ];
    Compound::new(parts).unwrap()
}

/// Regression: the ring stopped in midair where its hollow center reached the top of the peg.
#[test]
fn ring_falls_freely_over_a_peg() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let peg = BodyDef::fixed(cuboid(0.1, 1.0, 0.1)).position(Vec3::Y);
    world.insert_body(peg).unwrap();
    let ring = world.insert_body(BodyDef::dynamic(ring(), 1.0).position(Vec3::Y * 3.0)).unwrap();
    let mut expected = 3.0;
    for step in 1..=35_u8 {
        world.step();
        let time = f32::from(step) / 60.0;
        expected = 3.0 - 0.5 * G * time * time;
        assert!((position(&world, ring).y - expected).abs() < 1e-3, "{:?}", position(&world, ring));
    }
    assert!(expected < 1.5);
    steps(&mut world, 120);
    assert!((position(&world, ring).y - 0.05).abs() < 0.01, "{:?}", position(&world, ring));
}

#[test]
fn thin_sensor_detects_a_bullet_that_passes_within_one_step() {
    for solver in [SolverKind::SoftStep, SolverKind::EventDriven] {
        let settings = Settings { gravity: Vec3::ZERO, solver, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let sensor = BodyDef::fixed(cuboid(0.01, 1.0, 1.0)).sensor(true);
        let sensor = world.insert_body(sensor.position(Vec3::X * 7.0)).unwrap();
        let behind_wall = BodyDef::fixed(cuboid(0.01, 1.0, 1.0)).sensor(true);
        world.insert_body(behind_wall.position(Vec3::X * 19.0)).unwrap();
        let wall = BodyDef::fixed(cuboid(0.01, 1.0, 1.0)).position(Vec3::X * 18.0);
        let wall = world.insert_body(wall).unwrap();
        let def = BodyDef::dynamic(sphere(0.02), 0.01).linear_velocity(Vec3::X * 300.0);
        let bullet = world.insert_body(def).unwrap();
        let mut events = Vec::new();
        for _ in 0..10 {
            world.step();
            events.extend(
                world.events().iter().filter(|event| !matches!(event, ContactEvent::Hit { .. })),
            );
        }
        let bodies = [sensor, bullet];
        let wall_hit = ContactEvent::Begin { bodies: [wall, bullet], sensor: false };
        let detected = [
            ContactEvent::Begin { bodies, sensor: true },
            ContactEvent::End { bodies, sensor: true },
        ];
        assert_eq!(events.iter().filter(|event| detected.contains(event)).count(), 2, "{events:?}");
        assert!(events.contains(&wall_hit), "{events:?}");
        assert!(
            events.iter().all(|event| detected.contains(event)
                || *event == wall_hit
                || matches!(event, ContactEvent::End { sensor: false, .. })),
            "{events:?}"
        );
    }
}

/// Regression: floor and wall belong to one mesh; contact with the floor suppressed the speculative
/// contact with the wall.
#[test]
fn fast_body_sliding_on_a_mesh_floor_is_stopped_by_the_mesh_wall() {
    use crate::shapes::TriMesh;
    let profile = [[-9.0, 0.0, -5.0], [4.0, 0.0, -5.0], [4.0, 3.0, -5.0]];
    let mut vertices = profile.to_vec();
    vertices.extend(profile.map(|[x, y, _]| [x, y, 5.0]));
    let triangles = vec![[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]];
    let mesh = embate_mesh::TriangleMesh::new(vertices, triangles).unwrap();
    for speed in [20.0, 100.0, 300.0] {
        for start in 0..20_u8 {
            let mut world = world();
            let floor_and_wall = TriMesh::new(mesh.clone()).unwrap();
            world.insert_body(BodyDef::fixed(floor_and_wall).friction(0.0)).unwrap();
            let x = -5.0 + f32::from(start) * 0.05;
            let def = BodyDef::dynamic(sphere(0.05), 1.0).position(Vec3::new(x, 0.051, 0.0));
            let body =
                world.insert_body(def.friction(0.0).linear_velocity(Vec3::X * speed)).unwrap();
            let mut max_x = 0.0_f32;
            let mut hit = false;
            for _ in 0..60 {
                world.step();
                let x = position(&world, body).x;
                max_x = if x > max_x { x } else { max_x };
                hit |= world.events().iter().any(|event| matches!(event, ContactEvent::Hit { .. }))
                    || velocity(&world, body).x < 0.5 * speed;
            }
            assert!(max_x < 3.97 && hit, "{speed} m/s from x = {x}: reached {max_x}, hit: {hit}");
        }
    }
}
