//! Bodies that something sent elsewhere within a step than they went when it began.

use embate_geom::{Pose, Vec3};
use embate_mesh::TriangleMesh;

use super::*;
use crate::motion::{Event, Method};
use crate::shapes::{Compound, MeshShape, Shape};

const METHODS: [Method; 2] = [Method::Soft, Method::Elastic];

fn weightless_by(method: Method) -> World {
    World::new(Settings { gravity: Vec3::ZERO, method, ..Settings::default() }).unwrap()
}

/// 2 cm thick, across x.
fn wall(at: f32) -> BodyPlan {
    BodyPlan::still(cuboid(0.01, 40.0, 40.0)).at(Vec3::X * at)
}

#[test]
fn what_bounced_within_a_step_does_not_go_through_the_wall_behind_it() {
    for method in METHODS {
        for (restitution, speed) in [(0.3, 300.0), (0.8, 60.0), (1.0, 30.0), (1.0, 300.0)] {
            let mut world = weightless_by(method);
            world.add(wall(-0.26)).unwrap();
            world.add(wall(0.26)).unwrap();
            let ball = BodyPlan::moving(sphere(0.05), 0.1).with_restitution(restitution);
            let ball = world.add(ball.with_velocity(Vec3::X * speed)).unwrap();
            for _ in 0..120 {
                world.step();
                let at = position(&world, ball).x;
                assert!(at.abs() < 0.25, "{} {restitution} {speed}: {at}", method.name());
            }
        }
    }
}

#[test]
fn what_was_hit_within_a_step_does_not_go_through_the_wall_before_it() {
    for method in METHODS {
        for restitution in [0.0, 0.5, 1.0] {
            for (gap, speed) in [(0.03, 30.0), (0.03, 300.0), (0.5, 100.0), (1.0, 300.0)] {
                let mut world = weightless_by(method);
                world.add(wall(0.0)).unwrap();
                let ball = BodyPlan::moving(sphere(0.05), 0.1).with_restitution(restitution);
                let at = -0.06 - gap;
                let hit = world.add(ball.clone().at(Vec3::X * at)).unwrap();
                let ball = ball.at(Vec3::X * (at - 0.5)).with_velocity(Vec3::X * speed);
                let hitting = world.add(ball).unwrap();
                for _ in 0..30 {
                    world.step();
                    for body in [hit, hitting] {
                        let at = position(&world, body).x;
                        let name = method.name();
                        assert!(at < 0.0, "{name} {restitution} {gap} {speed}: {at}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_a_force_pushed_for_one_step_does_not_go_through_the_wall_before_it() {
    for method in METHODS {
        for force in [1e4, 1e5, 1e6] {
            let mut world = weightless_by(method);
            world.add(wall(0.0)).unwrap();
            let ball = world.add(BodyPlan::moving(sphere(0.05), 1.0).at(Vec3::X * -0.5)).unwrap();
            world.change(ball).unwrap().apply_force(Vec3::X * force).unwrap();
            steps(&mut world, 30);
            assert!(position(&world, ball).x < 0.0, "{} {force}", method.name());
        }
    }
}

#[test]
fn what_falls_in_long_steps_does_not_go_through_a_thin_floor() {
    for drop in 0..100 {
        let settings = Settings { time_step: 0.5, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        world.add(BodyPlan::still(cuboid(10.0, 0.01, 10.0)).at(Vec3::Y * -0.01)).unwrap();
        let height = 2.6 + 0.025 * drop as f32;
        let ball = BodyPlan::moving(sphere(0.1), 0.1).at(Vec3::Y * height);
        let ball = world.add(ball).unwrap();
        steps(&mut world, 30);
        assert!(position(&world, ball).y > 0.0, "from {height}");
    }
}

#[test]
fn what_was_hit_within_a_step_is_seen_by_the_sensor_that_it_flies_through() {
    let mut world = weightless();
    let gate = world.add(wall(2.0).as_sensor()).unwrap();
    let hit = world.add(BodyPlan::moving(sphere(0.05), 0.1).with_restitution(1.0)).unwrap();
    let ball = BodyPlan::moving(sphere(0.05), 0.1).with_restitution(1.0).at(Vec3::X * -0.5);
    world.add(ball.with_velocity(Vec3::X * 300.0)).unwrap();
    let mut told = Vec::new();
    for _ in 0..3 {
        world.step();
        told.extend_from_slice(world.events());
    }
    assert!(position(&world, hit).x > 3.0);
    assert!(told.contains(&Event::Begun { bodies: [gate, hit], sensor: true }), "{told:?}");
}

#[test]
fn what_strayed_goes_on_with_the_same_bits_from_a_snapshot_and_on_any_number_of_threads() {
    let bounce = |threads: u32, restore: bool| {
        let settings = Settings { threads, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut half = Vec3::splat(0.6);
                half[axis] = 0.01;
                let mut at = Vec3::ZERO;
                at[axis] = 0.51 * side;
                world.add(BodyPlan::still(cuboid(half.x, half.y, half.z)).at(at)).unwrap();
            }
        }
        for number in 0..27 {
            let cell = [number % 3, number / 3 % 3, number / 9].map(|cell| cell as f32 - 1.0);
            let at = Vec3::from(cell) * 0.2;
            let way = Vec3::new(cell[1] + 0.3, cell[2] - 0.2, cell[0] + 0.1);
            let ball = BodyPlan::moving(sphere(0.03), 0.1).with_restitution(0.9);
            world.add(ball.at(at).with_velocity(way * 80.0)).unwrap();
        }
        let mut hashes = Vec::new();
        for _ in 0..60 {
            world.step();
            if restore {
                world = World::from_snapshot(&world.snapshot());
            }
            hashes.push(world.state_hash());
            let inside = |at: Vec3| at.abs().largest() < 0.5;
            assert!(world.bodies().skip(6).all(|body| inside(body.position())));
        }
        hashes
    };
    let alone = bounce(1, false);
    assert_eq!(alone, bounce(3, false));
    assert_eq!(alone, bounce(1, true));
}

/// A floor that ends in a slope, 13 m long.
fn slide() -> MeshShape {
    let corners = [[-9.0, 0.0, -5.0], [4.0, 0.0, -5.0], [4.0, 3.0, -5.0]];
    let mut points = corners.to_vec();
    points.extend(corners.map(|[x, y, _]| [x, y, 5.0]));
    let triangles = vec![[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]];
    MeshShape::new(TriangleMesh::new(points, triangles).unwrap()).unwrap()
}

#[test]
fn what_is_empty_in_its_middle_does_not_slide_through_the_wall_of_its_mesh() {
    let bar = |x: f32, z: f32, at: Vec3| (Pose::at(at), Shape::from(cuboid(x, 0.05, z)));
    let ring = Compound::new(vec![
        bar(0.1, 0.5, Vec3::X * 0.4),
        bar(0.1, 0.5, Vec3::X * -0.4),
        bar(0.3, 0.1, Vec3::Z * 0.4),
        bar(0.3, 0.1, Vec3::Z * -0.4),
    ]);
    let ball = |x: f32| (Pose::at(Vec3::X * x), Shape::from(sphere(0.1)));
    let balls = Compound::new(vec![ball(0.3), ball(-0.3)]);
    for (shape, height) in [(ring.unwrap(), 0.051), (balls.unwrap(), 0.101)] {
        for speed in [20.0, 60.0, 300.0] {
            for start in 0..10 {
                let mut world = world();
                world.add(BodyPlan::still(slide()).with_friction(0.0)).unwrap();
                let at = Vec3::new(-5.0 + 0.2 * start as f32, height, 0.0);
                let body = BodyPlan::moving(shape.clone(), 1.0).at(at).with_friction(0.0);
                let body = world.add(body.with_velocity(Vec3::X * speed)).unwrap();
                for _ in 0..40 {
                    world.step();
                    let x = position(&world, body).x;
                    assert!(x < 4.0, "{speed} m/s from {at:?}: {x}");
                }
            }
        }
    }
}
