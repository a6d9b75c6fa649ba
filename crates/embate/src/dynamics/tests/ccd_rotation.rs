//! Bodies that spin fast, pass through each other's holes, or fly past what watches.

use embate_geom::{Pose, Vec3, scalar};

use super::*;
use crate::motion::{Event, Groups, JointPlan, Method};
use crate::shapes::{Compound, Shape};

/// A rod that turns by half a radian a step passed balls by that it never came near.
#[test]
fn a_rod_that_a_hinge_drives_misses_none_of_a_thousand_balls() {
    let mut world = weightless();
    let hook = world.add(BodyPlan::still(sphere(0.01))).unwrap();
    let plan = BodyPlan::moving(cuboid(1.0, 0.05, 0.05), 100.0);
    let rod = world.add(plan.with_angular_velocity(Vec3::Z * 30.0)).unwrap();
    let hinge = JointPlan::hinge(hook, rod, Vec3::ZERO, Vec3::Z).with_motor(30.0, 1e6);
    world.join(hinge).unwrap();
    let alone = Groups { of: 2, with: 1 };
    let balls: Vec<BodyId> = (0..1000_u16)
        .map(|number| {
            let angle = 0.35 + 2.4 * f32::from(number % 97) / 97.0;
            let (sin, cos) = scalar::sin_cos(angle);
            let at = Vec3::new(cos, sin, 0.0) * (0.25 + 0.7 * f32::from(number % 89) / 89.0);
            let ball = BodyPlan::moving(sphere(0.03), 1e-3).at(at).with_groups(alone);
            world.add(ball).unwrap()
        })
        .collect();
    let mut touched = Vec::new();
    for _ in 0..7 {
        world.step();
        let begun = world.events().iter().filter(|event| matches!(event, Event::Begun { .. }));
        touched.extend(begun.map(Event::bodies).filter(|bodies| bodies[0] == rod));
    }
    let missed = balls.iter().filter(|&&ball| !touched.contains(&[rod, ball])).count();
    assert_eq!(missed, 0);
    // Balls that spin saw its middle go round them, and held it back.
    assert!(position(&world, rod).length() < 1e-3, "{:?}", position(&world, rod));
}

/// It spins about its own length: what bounds its approach is ten times as fast as it is. The search gave up, and it
/// was let go on.
#[test]
fn a_rod_that_spins_about_itself_is_stopped_where_it_hits() {
    let mut world = weightless();
    let plate = world.add(BodyPlan::still(cuboid(2.0, 0.005, 2.0))).unwrap();
    let plan = BodyPlan::moving(cuboid(1.0, 0.02, 0.02), 1.0).at(Vec3::Y * 0.15);
    let plan = plan.with_angular_velocity(Vec3::X * 150.0).with_velocity(Vec3::Y * -10.0);
    let rod = world.add(plan).unwrap();
    world.step();
    let begun = Event::Begun { bodies: [plate, rod], sensor: false };
    assert!(world.events().contains(&begun), "{:?}", world.events());
    steps(&mut world, 30);
    assert!(position(&world, rod).y > 0.02, "{:?}", position(&world, rod));
}

fn ring() -> Compound {
    let bar = |x: f32, z: f32, at: Vec3| (Pose::at(at), Shape::from(cuboid(x, 0.05, z)));
    let parts = vec![
        bar(0.1, 0.5, Vec3::X * 0.4),
        bar(0.1, 0.5, Vec3::X * -0.4),
        bar(0.3, 0.1, Vec3::Z * 0.4),
        bar(0.3, 0.1, Vec3::Z * -0.4),
    ];
    Compound::new(parts).unwrap()
}

/// It was stopped in the air where its empty middle met the top of the peg.
#[test]
fn a_ring_falls_over_a_peg() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let peg = BodyPlan::still(cuboid(0.1, 1.0, 0.1)).at(Vec3::Y);
    world.add(peg).unwrap();
    let ring = world.add(BodyPlan::moving(ring(), 1.0).at(Vec3::Y * 3.0)).unwrap();
    let mut free = 3.0;
    for step in 1..=35_u8 {
        world.step();
        let time = f32::from(step) / 60.0;
        free = 3.0 - 0.5 * G * time * time;
        assert!((position(&world, ring).y - free).abs() < 1e-3, "{:?}", position(&world, ring));
    }
    assert!(free < 1.5);
    steps(&mut world, 120);
    assert!((position(&world, ring).y - 0.05).abs() < 0.01, "{:?}", position(&world, ring));
}

#[test]
fn a_bullet_is_seen_by_a_thin_sensor_that_it_passes_within_a_step() {
    for method in [Method::Soft, Method::Elastic] {
        let settings = Settings { gravity: Vec3::ZERO, method, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let gate = BodyPlan::still(cuboid(0.01, 1.0, 1.0)).as_sensor();
        let gate = world.add(gate.at(Vec3::X * 7.0)).unwrap();
        let unseen = BodyPlan::still(cuboid(0.01, 1.0, 1.0)).as_sensor();
        world.add(unseen.at(Vec3::X * 19.0)).unwrap();
        let wall = BodyPlan::still(cuboid(0.01, 1.0, 1.0)).at(Vec3::X * 18.0);
        let wall = world.add(wall).unwrap();
        let plan = BodyPlan::moving(sphere(0.02), 0.01).with_velocity(Vec3::X * 300.0);
        let bullet = world.add(plan).unwrap();
        let mut told = Vec::new();
        for _ in 0..10 {
            world.step();
            told.extend(world.events().iter().filter(|event| !matches!(event, Event::Hit { .. })));
        }
        let bodies = [gate, bullet];
        let touched = Event::Begun { bodies: [wall, bullet], sensor: false };
        let seen = [Event::Begun { bodies, sensor: true }, Event::Ended { bodies, sensor: true }];
        assert_eq!(told.iter().filter(|event| seen.contains(event)).count(), 2, "{told:?}");
        assert!(told.contains(&touched), "{told:?}");
        assert!(
            told.iter().all(|event| seen.contains(event)
                || *event == touched
                || matches!(event, Event::Ended { sensor: false, .. })),
            "{told:?}"
        );
    }
}

/// A bowl of one mesh: its floor was near, so its wall was not looked for.
#[test]
fn a_fast_body_that_slides_along_the_floor_of_a_mesh_is_stopped_by_its_wall() {
    use crate::shapes::MeshShape;
    let corners = [[-9.0, 0.0, -5.0], [4.0, 0.0, -5.0], [4.0, 3.0, -5.0]];
    let mut points = corners.to_vec();
    points.extend(corners.map(|[x, y, _]| [x, y, 5.0]));
    let triangles = vec![[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]];
    let mesh = embate_mesh::TriangleMesh::new(points, triangles).unwrap();
    for speed in [20.0, 100.0, 300.0] {
        for start in 0..20_u8 {
            let mut world = world();
            let bowl = MeshShape::new(mesh.clone()).unwrap();
            world.add(BodyPlan::still(bowl).with_friction(0.0)).unwrap();
            let x = -5.0 + f32::from(start) * 0.05;
            let plan = BodyPlan::moving(sphere(0.05), 1.0).at(Vec3::new(x, 0.051, 0.0));
            let ball = world.add(plan.with_friction(0.0).with_velocity(Vec3::X * speed)).unwrap();
            let mut deepest = 0.0_f32;
            let mut hit = false;
            for _ in 0..60 {
                world.step();
                let at = position(&world, ball).x;
                deepest = if at > deepest { at } else { deepest };
                hit |= world.events().iter().any(|event| matches!(event, Event::Hit { .. }))
                    || velocity(&world, ball).x < 0.5 * speed;
            }
            assert!(deepest < 3.97 && hit, "{speed} m/s from {x}: {deepest}, {hit}");
        }
    }
}
