//! Incremental broad phase: a moving box passes a row of static boxes; then BVH queries.
//!
//! `cargo run -p embate --example incremental_broad_phase`

use embate::broad_phase::{IncrementalBroadPhase, ProxyError};
use embate::{Aabb, Ray};

fn square(x: f32, size: f32) -> Aabb<2> {
    Aabb { min: [x, 0.0], max: [x + size, size] }
}

fn main() -> Result<(), ProxyError> {
    let mut broad_phase = IncrementalBroadPhase::new();
    for number in 0..5 {
        broad_phase.insert(square(3.0 * number as f32, 1.0))?;
    }
    let mover = broad_phase.insert(square(-2.0, 0.5))?;
    broad_phase.update_pairs();

    for frame in 1..=10 {
        broad_phase.set_aabb(mover, square(-2.0 + 0.8 * frame as f32, 0.5))?;
        let changes = broad_phase.update_pairs();
        for [a, b] in changes.added {
            println!("frame {frame}: pair {a}, {b} added");
        }
        for [a, b] in changes.removed {
            println!("frame {frame}: pair {a}, {b} removed");
        }
    }

    let tree = broad_phase.query_tree();
    let mut neighbors = Vec::new();
    tree.k_nearest(&[7.0, 4.0], 2, &mut neighbors);
    for neighbor in neighbors {
        println!("proxy {} at distance {}", neighbor.id, neighbor.distance_squared.sqrt());
    }
    let ray = Ray::new([20.0, 0.5], [-1.0, 0.0]);
    if let Some(hit) = tree.cast_ray(&ray) {
        println!("first proxy along the ray: {} at t = {}", hit.id, hit.t);
    }
    Ok(())
}
