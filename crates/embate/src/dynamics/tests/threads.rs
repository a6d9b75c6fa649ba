//! Worlds that are shared out to several threads.

use embate_geom::{Rotation, Vec3};

use super::*;
use crate::motion::JointPlan;
use crate::shapes::{Hull, Shape};

fn pile(threads: u32, bouncy: bool, shape: impl Fn(usize) -> Shape) -> World {
    let settings = Settings { threads, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    add_ground(&mut world, 0.6);
    for number in 0..900 {
        let (x, y, z) = (number % 9, number / 81, number / 9 % 9);
        let turn = Rotation::about(Vec3::new(1.0, 2.0, 3.0), number as f32 * 0.1).unwrap();
        let plan = BodyPlan::moving(shape(number), 1.0 + (number % 3) as f32).turned(turn);
        // A little aside from floor to floor, so that the pile falls over itself.
        let aside = 0.1 * (y % 3) as f32;
        let at = Vec3::new(x as f32 * 1.1 + aside, y as f32 * 1.2 + 1.0, z as f32 * 1.1 - aside);
        let bounce = if bouncy && number % 5 == 0 { 0.4 } else { 0.0 };
        world.add(plan.at(at).with_friction(0.5).with_restitution(bounce)).unwrap();
    }
    world
}

/// Boxes; hulls; balls and boxes on each other.
fn shape(scene: usize, number: usize) -> Shape {
    let ball = || Sphere::new(0.45).unwrap().into();
    let hull = || {
        let tip = 0.3 + 0.02 * (number % 7) as f32;
        let corners = [[tip, 0.0, 0.0], [-0.4, 0.1, 0.0], [0.0, 0.5, 0.1], [0.1, -0.4, 0.0]];
        let more = [[0.0, 0.1, 0.5], [0.0, 0.0, -0.45], [0.2, 0.3, -0.3]];
        let corners: Vec<Vec3> = corners.into_iter().chain(more).map(Vec3::from).collect();
        Hull::new(&corners).unwrap().into()
    };
    match (scene, number % 2) {
        (0, _) | (2, 0) => cuboid(0.4, 0.45, 0.5).into(),
        (1, _) => hull(),
        _ => ball(),
    }
}

/// As on a machine that has no wider lanes than every one of its kind has.
#[test]
fn narrow_lanes_give_the_same_bits_as_wide_ones() {
    for scene in 0..3 {
        let hashes = [fearless_simd::Level::new(), fearless_simd::Level::baseline()].map(|level| {
            let mut world = pile(1, true, |number| shape(scene, number));
            world.level = level;
            steps(&mut world, 60);
            world.state_hash()
        });
        assert_eq!(hashes[0], hashes[1], "scene {scene}");
    }
}

/// After so many steps on as many threads as asked for, even on a machine that has fewer processors.
fn hash_after(number: usize, threads: u32, world: impl Fn(u32) -> World + Sync) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().unwrap();
    pool.install(|| {
        let mut world = world(threads);
        steps(&mut world, number);
        world.state_hash()
    })
}

#[test]
fn one_two_three_and_eight_threads_give_the_same_bits() {
    for (scene, bouncy) in [(0, false), (1, true), (2, false)] {
        let world = |threads| pile(threads, bouncy, |number| shape(scene, number));
        let hashes = [1, 2, 3, 8].map(|threads| hash_after(80, threads, world));
        assert_eq!(hashes, [hashes[0]; 4], "scene {scene}");
    }
}

/// Who is joined is led by one thread; a board under hundreds has more touches than there are colours.
#[test]
fn joints_and_a_board_under_hundreds_move_alike_on_any_number_of_threads() {
    let world = |threads| {
        let mut world = pile(threads, false, |number| shape(0, number));
        let board = BodyPlan::moving(cuboid(8.0, 0.2, 8.0), 50.0).at(Vec3::new(4.5, 0.3, 4.5));
        world.add(board).unwrap();
        let bodies: Vec<BodyId> = world.bodies().map(|body| body.id()).collect();
        for pair in bodies[1..].chunks_exact(2).step_by(7) {
            let between = world.body(pair[0]).unwrap().position();
            world.join(JointPlan::ball(pair[0], pair[1], between)).unwrap();
        }
        world
    };
    let hashes = [1, 2, 3].map(|threads| hash_after(60, threads, world));
    assert_eq!(hashes, [hashes[0]; 3]);
}
