//! Worlds that are shared out to several threads.

use embate_geom::{Rotation, Vec3};

use super::*;
use crate::shapes::{Hull, Shape};

fn pile(threads: u32, shape: impl Fn(usize) -> Shape) -> World {
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
        let bounce = if number % 5 == 0 { 0.4 } else { 0.0 };
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

#[test]
fn one_two_three_and_eight_threads_give_the_same_bits() {
    for scene in 0..3 {
        let hashes = [1, 2, 3, 8].map(|threads| {
            let mut world = pile(threads, |number| shape(scene, number));
            steps(&mut world, 100);
            world.state_hash()
        });
        assert_eq!(hashes, [hashes[0]; 4], "scene {scene}");
    }
}
