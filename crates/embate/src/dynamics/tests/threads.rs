//! Determinism across worker counts and SIMD widths.

use embate_geom::{Rotation, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{JointDef, MAX_WORKERS};
use crate::shapes::{ConvexHull, Shape};

/// A pile of 900 bodies above the ground; every fifth has restitution if `bouncy`.
fn pile(worker_count: u32, bouncy: bool, shape: impl Fn(usize) -> Shape) -> World {
    let settings = Settings { worker_count, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    add_ground(&mut world, 0.6);
    for index in 0..900 {
        let (x, y, z) = (index % 9, index / 81, index / 9 % 9);
        let rotation =
            Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), index as f32 * 0.1).unwrap();
        let def = BodyDef::dynamic(shape(index), 1.0 + (index % 3) as f32).rotation(rotation);
        // Layers are offset from each other, so that the pile collapses.
        let offset = 0.1 * (y % 3) as f32;
        let at = Vec3::new(x as f32 * 1.1 + offset, y as f32 * 1.2 + 1.0, z as f32 * 1.1 - offset);
        let restitution = if bouncy && index % 5 == 0 { 0.4 } else { 0.0 };
        world.insert_body(def.position(at).friction(0.5).restitution(restitution)).unwrap();
    }
    world
}

/// Scene 0: boxes; scene 1: hulls; scene 2: spheres and boxes.
fn shape(scene: usize, index: usize) -> Shape {
    let hull = || {
        let tip = 0.3 + 0.02 * (index % 7) as f32;
        let vertices = [
            [tip, 0.0, 0.0],
            [-0.4, 0.1, 0.0],
            [0.0, 0.5, 0.1],
            [0.1, -0.4, 0.0],
            [0.0, 0.1, 0.5],
            [0.0, 0.0, -0.45],
            [0.2, 0.3, -0.3],
        ];
        ConvexHull::new(&vertices.map(Vec3::from)).unwrap().into()
    };
    match (scene, index % 2) {
        (0, _) | (2, 0) => cuboid(0.4, 0.45, 0.5).into(),
        (1, _) => hull(),
        _ => sphere(0.45).into(),
    }
}

/// The baseline level is that of a CPU with only the SIMD instructions that its architecture
/// guarantees.
#[test]
fn baseline_simd_gives_the_same_bits_as_the_widest() {
    for scene in 0..3 {
        let hashes = [fearless_simd::Level::new(), fearless_simd::Level::baseline()].map(|level| {
            let mut world = pile(1, true, |index| shape(scene, index));
            world.scratch_mut().simd_level = level;
            steps(&mut world, 60);
            world.state_hash()
        });
        assert_eq!(hashes[0], hashes[1], "scene {scene}");
    }
}

/// Runs in a pool of `worker_count` threads, even if the machine has fewer processors.
fn with_threads<R: Send>(worker_count: u32, run: impl FnOnce() -> R + Send) -> R {
    crate::parallel::on_pool(worker_count as usize, run)
}

fn hash_after(
    step_count: usize,
    worker_count: u32,
    new_world: impl Fn(u32) -> World + Sync,
) -> u64 {
    with_threads(worker_count, || {
        let mut world = new_world(worker_count);
        steps(&mut world, step_count);
        world.state_hash()
    })
}

#[test]
fn worker_counts_one_two_three_and_eight_give_the_same_bits() {
    for (scene, bouncy) in [(0, false), (1, true), (2, false)] {
        let new_world = |worker_count| pile(worker_count, bouncy, |index| shape(scene, index));
        let hashes = [1, 2, 3, 8].map(|worker_count| hash_after(80, worker_count, new_world));
        assert_eq!(hashes, [hashes[0]; 4], "scene {scene}");
    }
}

/// One worker leads the solver if there are joints; a board under hundreds of bodies has more
/// contacts than graph colors.
#[test]
fn joints_and_overflow_constraints_give_the_same_bits_for_any_worker_count() {
    let new_world = |worker_count| {
        let mut world = pile(worker_count, false, |index| shape(0, index));
        let board =
            BodyDef::dynamic(cuboid(8.0, 0.2, 8.0), 50.0).position(Vec3::new(4.5, 0.3, 4.5));
        world.insert_body(board).unwrap();
        let bodies: Vec<BodyId> = world.bodies().map(|body| body.id()).collect();
        for pair in bodies[1..].chunks_exact(2).step_by(7) {
            let anchor = world.body(pair[0]).unwrap().position();
            world.insert_joint(JointDef::spherical(pair[0], pair[1], anchor)).unwrap();
        }
        world
    };
    let hashes = [1, 2, 3].map(|worker_count| hash_after(60, worker_count, new_world));
    assert_eq!(hashes, [hashes[0]; 3]);
}

#[test]
fn changing_the_worker_count_during_a_simulation_keeps_the_bits() {
    let hashes = |worker_counts: [u32; 6]| {
        with_threads(4, || {
            let mut world = pile(1, true, |index| shape(2, index));
            worker_counts.map(|worker_count| {
                world.set_worker_count(worker_count).unwrap();
                assert_eq!(world.settings().worker_count, worker_count);
                steps(&mut world, 15);
                world.state_hash()
            })
        })
    };
    let serial = hashes([1; 6]);
    assert_eq!(serial, hashes([1, 4, 2, 1, 3, 4]));
    assert_eq!(serial, hashes([4, 1, 4, 1, 4, 1]));
}

#[test]
fn invalid_worker_count_is_rejected_and_the_world_continues_unchanged() {
    let mut world = pile(2, false, |index| shape(0, index));
    let mut reference = world.clone();
    steps(&mut world, 5);
    steps(&mut reference, 5);
    let before = world.state_hash();
    for invalid in [0, MAX_WORKERS + 1] {
        assert!(world.set_worker_count(invalid).is_err(), "{invalid} workers");
    }
    assert_eq!(world.settings().worker_count, 2);
    assert_eq!(world.state_hash(), before);
    steps(&mut world, 5);
    steps(&mut reference, 5);
    assert_eq!(world.state_hash(), reference.state_hash());
}
