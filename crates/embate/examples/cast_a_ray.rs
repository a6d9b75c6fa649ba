//! What does this ray hit? Once for the nearest, once for everything along it.

use embate::rays::{Brute, RayIndex};
use embate::{Ray, TriangleMesh};

fn main() -> Result<(), embate::InvalidMesh> {
    // Two walls across the z axis, one at 2 and one at 5.
    let mesh = TriangleMesh::new(
        vec![
            [-1.0, -1.0, 2.0],
            [3.0, -1.0, 2.0],
            [-1.0, 3.0, 2.0],
            [-1.0, -1.0, 5.0],
            [3.0, -1.0, 5.0],
            [-1.0, 3.0, 5.0],
        ],
        vec![[0, 1, 2], [3, 4, 5]],
    )?;
    let index = Brute::new(&mesh);
    let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]);

    let hit = index.closest_hit(&ray).expect("a wall stands in the way");
    println!("triangle {} at t = {}, point {:?}", hit.triangle, hit.t, ray.at(hit.t));
    for hit in index.all_hits(&ray) {
        println!("along the ray: triangle {} at t = {}", hit.triangle, hit.t);
    }
    let line_of_sight = Ray::between([0.0, 0.0, 3.0], [0.0, 0.0, 4.0]);
    println!("between the walls the view is free: {}", !index.any_hit(&line_of_sight));
    Ok(())
}
