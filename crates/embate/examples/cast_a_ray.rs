//! Ray casts: closest hit, all hits along the ray, and a visibility test.
//!
//! `cargo run -p embate --example cast_a_ray`

use embate::raycast::TriangleIndex;
use embate::{MeshValidationError, Ray, TriangleMesh};

fn main() -> Result<(), MeshValidationError> {
    // Two triangles perpendicular to the z axis, at z = 2 and z = 5.
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
    let index = TriangleIndex::new(mesh);
    let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]);

    let hit = index.closest_hit(&ray).expect("the ray crosses both triangles");
    println!("triangle {} at t = {}, point {:?}", hit.triangle, hit.t, ray.point_at(hit.t));
    for hit in index.all_hits(&ray) {
        println!("along the ray: triangle {} at t = {}", hit.triangle, hit.t);
    }
    let visible = index.is_visible([0.0, 0.0, 3.0], [0.0, 0.0, 4.0]);
    println!("two points between the triangles see each other: {visible}");
    Ok(())
}
