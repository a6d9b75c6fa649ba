//! Who touches whom as things move? A ball rolls through a row of crates; then the world is asked.

use embate::pairs::{World, WorldError};
use embate::{Aabb, Ray};

fn square(x: f32, size: f32) -> Aabb<2> {
    Aabb { min: [x, 0.0], max: [x + size, size] }
}

fn main() -> Result<(), WorldError> {
    let mut world = World::new();
    for number in 0..5 {
        world.add(square(3.0 * number as f32, 1.0))?;
    }
    let ball = world.add(square(-2.0, 0.5))?;
    world.update();

    for frame in 1..=10 {
        world.move_to(ball, square(-2.0 + 0.8 * frame as f32, 0.5))?;
        let changes = world.update();
        for [a, b] in changes.begun {
            println!("frame {frame}: {a} and {b} touch");
        }
        for [a, b] in changes.ended {
            println!("frame {frame}: {a} and {b} part");
        }
    }

    let tree = world.tree();
    let mut nearest = Vec::new();
    tree.nearest(&[7.0, 4.0], 2, &mut nearest);
    for near in nearest {
        println!("near the lamp: {} at a distance of {}", near.id, near.distance_squared.sqrt());
    }
    let ray = Ray::new([20.0, 0.5], [-1.0, 0.0]);
    if let Some(first) = tree.closest(&ray) {
        println!("seen from the right: {} at t = {}", first.id, first.t);
    }
    Ok(())
}
