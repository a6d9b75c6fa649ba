//! Continuous collision after the solve: bodies whose velocity changes within a step.

use embate_geom::{Pose, Vec3};
use embate_mesh::TriangleMesh;

use crate::dynamics::tests::*;
use crate::dynamics::{ContactEvent, SolverKind};
use crate::shapes::{Compound, Shape, TriMesh};

const SOLVERS: [SolverKind; 2] = [SolverKind::SoftStep, SolverKind::EventDriven];

fn zero_gravity_world_with(solver: SolverKind) -> World {
    World::new(Settings { gravity: Vec3::ZERO, solver, ..Settings::default() }).unwrap()
}

/// Fixed wall, 2 cm thick, perpendicular to x.
fn wall(x: f32) -> BodyDef {
    BodyDef::fixed(cuboid(0.01, 40.0, 40.0)).position(Vec3::X * x)
}

#[test]
fn body_that_bounces_within_a_step_does_not_tunnel_through_the_wall_behind_it() {
    for solver in SOLVERS {
        for (restitution, speed) in [(0.3, 300.0), (0.8, 60.0), (1.0, 30.0), (1.0, 300.0)] {
            let mut world = zero_gravity_world_with(solver);
            world.insert_body(wall(-0.26)).unwrap();
            world.insert_body(wall(0.26)).unwrap();
            let def = BodyDef::dynamic(sphere(0.05), 0.1).restitution(restitution);
            let body = world.insert_body(def.linear_velocity(Vec3::X * speed)).unwrap();
            for _ in 0..120 {
                world.step();
                let x = position(&world, body).x;
                let case = format!("{}, restitution {restitution}, {speed} m/s", solver.name());
                assert!(x.abs() < 0.25, "{case}: x = {x}");
            }
        }
    }
}

#[test]
fn body_hit_within_a_step_does_not_tunnel_through_the_wall_ahead() {
    for solver in SOLVERS {
        for restitution in [0.0, 0.5, 1.0] {
            for (gap, speed) in [(0.03, 30.0), (0.03, 300.0), (0.5, 100.0), (1.0, 300.0)] {
                let mut world = zero_gravity_world_with(solver);
                world.insert_body(wall(0.0)).unwrap();
                let def = BodyDef::dynamic(sphere(0.05), 0.1).restitution(restitution);
                let x = -0.06 - gap;
                let target = world.insert_body(def.clone().position(Vec3::X * x)).unwrap();
                let def = def.position(Vec3::X * (x - 0.5)).linear_velocity(Vec3::X * speed);
                let projectile = world.insert_body(def).unwrap();
                for _ in 0..30 {
                    world.step();
                    for body in [target, projectile] {
                        let x = position(&world, body).x;
                        let case = format!("{}, restitution {restitution}", solver.name());
                        assert!(x < 0.0, "{case}, gap {gap} m, {speed} m/s: x = {x}");
                    }
                }
            }
        }
    }
}

#[test]
fn body_pushed_by_a_force_for_one_step_does_not_tunnel() {
    for solver in SOLVERS {
        for force in [1e4, 1e5, 1e6] {
            let mut world = zero_gravity_world_with(solver);
            world.insert_body(wall(0.0)).unwrap();
            let body = world
                .insert_body(BodyDef::dynamic(sphere(0.05), 1.0).position(Vec3::X * -0.5))
                .unwrap();
            world.body_mut(body).unwrap().apply_force(Vec3::X * force).unwrap();
            steps(&mut world, 30);
            assert!(position(&world, body).x < 0.0, "{}, {force} N", solver.name());
        }
    }
}

#[test]
fn body_falling_in_long_steps_does_not_tunnel_through_a_thin_floor() {
    for drop in 0..100 {
        let settings = Settings { time_step: 0.5, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        world
            .insert_body(BodyDef::fixed(cuboid(10.0, 0.01, 10.0)).position(Vec3::Y * -0.01))
            .unwrap();
        let height = 2.6 + 0.025 * drop as f32;
        let def = BodyDef::dynamic(sphere(0.1), 0.1).position(Vec3::Y * height);
        let body = world.insert_body(def).unwrap();
        steps(&mut world, 30);
        assert!(position(&world, body).y > 0.0, "dropped from {height} m");
    }
}

#[test]
fn sensor_detects_a_body_that_was_hit_within_the_step() {
    let mut world = zero_gravity_world();
    let sensor = world.insert_body(wall(2.0).sensor(true)).unwrap();
    let target = world.insert_body(BodyDef::dynamic(sphere(0.05), 0.1).restitution(1.0)).unwrap();
    let projectile = BodyDef::dynamic(sphere(0.05), 0.1).restitution(1.0).position(Vec3::X * -0.5);
    world.insert_body(projectile.linear_velocity(Vec3::X * 300.0)).unwrap();
    let mut events = Vec::new();
    for _ in 0..3 {
        world.step();
        events.extend_from_slice(world.events());
    }
    assert!(position(&world, target).x > 3.0);
    let begin = ContactEvent::Begin { bodies: [sensor, target], sensor: true };
    assert!(events.contains(&begin), "{events:?}");
}

#[test]
fn ccd_is_deterministic_across_snapshots_and_worker_counts() {
    let state_hashes = |worker_count: u32, restore: bool| {
        let settings = Settings { worker_count, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut half_extents = Vec3::splat(0.6);
                half_extents[axis] = 0.01;
                let mut at = Vec3::ZERO;
                at[axis] = 0.51 * side;
                world
                    .insert_body(
                        BodyDef::fixed(cuboid(half_extents.x, half_extents.y, half_extents.z))
                            .position(at),
                    )
                    .unwrap();
            }
        }
        for index in 0..27 {
            let cell = [index % 3, index / 3 % 3, index / 9].map(|cell| cell as f32 - 1.0);
            let at = Vec3::from(cell) * 0.2;
            let direction = Vec3::new(cell[1] + 0.3, cell[2] - 0.2, cell[0] + 0.1);
            let def = BodyDef::dynamic(sphere(0.03), 0.1).restitution(0.9);
            world.insert_body(def.position(at).linear_velocity(direction * 80.0)).unwrap();
        }
        let mut hashes = Vec::new();
        for _ in 0..60 {
            world.step();
            if restore {
                world = World::from_snapshot(&world.snapshot());
            }
            hashes.push(world.state_hash());
            let is_inside = |at: Vec3| at.abs().max_element() < 0.5;
            assert!(world.bodies().skip(6).all(|body| is_inside(body.position())));
        }
        hashes
    };
    let serial = state_hashes(1, false);
    assert_eq!(serial, state_hashes(3, false), "three workers");
    assert_eq!(serial, state_hashes(1, true), "restored after each step");
}

/// A mesh of a floor, 13 m long, that ends at a wall of 3 m.
fn floor_with_wall() -> TriMesh {
    let profile = [[-9.0, 0.0, -5.0], [4.0, 0.0, -5.0], [4.0, 3.0, -5.0]];
    let mut vertices = profile.to_vec();
    vertices.extend(profile.map(|[x, y, _]| [x, y, 5.0]));
    let triangles = vec![[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]];
    TriMesh::new(TriangleMesh::new(vertices, triangles).unwrap()).unwrap()
}

#[test]
fn hollow_body_does_not_tunnel_through_mesh_wall() {
    let bar =
        |x: f32, z: f32, at: Vec3| (Pose::from_translation(at), Shape::from(cuboid(x, 0.05, z)));
    let ring = Compound::new(vec![
        bar(0.1, 0.5, Vec3::X * 0.4),
        bar(0.1, 0.5, Vec3::X * -0.4),
        bar(0.3, 0.1, Vec3::Z * 0.4),
        bar(0.3, 0.1, Vec3::Z * -0.4),
    ]);
    let sphere_at = |x: f32| (Pose::from_translation(Vec3::X * x), Shape::from(sphere(0.1)));
    let dumbbell = Compound::new(vec![sphere_at(0.3), sphere_at(-0.3)]);
    for (shape, height) in [(ring.unwrap(), 0.051), (dumbbell.unwrap(), 0.101)] {
        for speed in [20.0, 60.0, 300.0] {
            for start in 0..10 {
                let mut world = world();
                world.insert_body(BodyDef::fixed(floor_with_wall()).friction(0.0)).unwrap();
                let at = Vec3::new(-5.0 + 0.2 * start as f32, height, 0.0);
                let body = BodyDef::dynamic(shape.clone(), 1.0).position(at).friction(0.0);
                let body = world.insert_body(body.linear_velocity(Vec3::X * speed)).unwrap();
                for _ in 0..40 {
                    world.step();
                    let x = position(&world, body).x;
                    assert!(x < 4.0, "{speed} m/s from {at:?}: x = {x}");
                }
            }
        }
    }
}
