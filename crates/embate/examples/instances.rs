//! One mesh in many places, a mesh whose vertices move, and an index that is kept as bytes.

use std::sync::Arc;

use embate::rays::{Affine, Instances, TriangleIndex};
use embate::{Pose, Ray, Rotation, TriangleMesh, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A sail: a square of two triangles, standing on the origin.
    let sail =
        |lean: f32| vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, lean], [-1.0, 2.0, lean]];
    let mesh = TriangleMesh::new(sail(0.0), vec![[0, 1, 2], [0, 2, 3]])?;

    // Built once, shipped as bytes, loaded where it is needed; damaged bytes are an error.
    let bytes = TriangleIndex::new(mesh).to_bytes();
    let index = Arc::new(TriangleIndex::from_bytes(&bytes)?);
    println!("{} bytes, answered by {}", bytes.len(), index.structure().name());

    // A hundred sails in a row, each turned a little more; the mesh is held once.
    let placed = (0..100).map(|number| {
        let rotation = Rotation::about(Vec3::Y, number as f32 * 0.01).unwrap_or_default();
        let position = Vec3::new(0.0, 0.0, 3.0 * number as f32);
        Ok((index.clone(), Affine::rigid(&Pose { rotation, position })?))
    });
    let fleet = Instances::new(placed.collect::<Result<Vec<_>, embate::rays::InvalidAffine>>()?);
    let ray = Ray::new([0.3, 1.0, 7.0], [0.0, 0.0, 1.0]);
    let first = fleet.closest_hit(&ray).expect("sails stand in the way");
    println!("sail {} at t = {}", first.instance, first.hit.t);
    println!("{} sails along the ray", fleet.all_hits(&ray).len());

    // One sail in the wind: its tree follows, and is built anew when that pays.
    let mut moving = TriangleIndex::clone(&index);
    for step in 1..=3 {
        let done = moving.update(&sail(0.5 * step as f32), 1_000)?;
        let hit = moving.closest_hit(&Ray::new([0.3, 1.0, -5.0], [0.0, 0.0, 1.0]));
        println!("step {step}: {done:?}, hit at {:?}", hit.map(|hit| hit.t));
    }
    Ok(())
}
