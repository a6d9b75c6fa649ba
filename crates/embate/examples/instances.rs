//! Instances (TLAS over BLAS): one mesh at many poses, serialization, and refit of a deforming
//! mesh.
//!
//! `cargo run -p embate --example instances`

use std::sync::Arc;

use embate::raycast::{Affine, Instances, TransformError, TriangleIndex};
use embate::{Pose, Ray, Rotation, TriangleMesh, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A quad of two triangles in the xy plane; `shear` displaces its upper edge along z.
    let quad =
        |shear: f32| vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, shear], [-1.0, 2.0, shear]];
    let mesh = TriangleMesh::new(quad(0.0), vec![[0, 1, 2], [0, 2, 3]])?;

    // Serialized and deserialized; corrupt bytes are an error.
    let bytes = TriangleIndex::new(mesh).to_bytes();
    let index = Arc::new(TriangleIndex::from_bytes(&bytes)?);
    println!("{} bytes, structure {}", bytes.len(), index.kind().name());

    // 100 instances in a row with increasing rotation; the mesh is stored once.
    let placements = (0..100).map(|number| {
        let rotation = Rotation::from_axis_angle(Vec3::Y, number as f32 * 0.01).unwrap_or_default();
        let position = Vec3::new(0.0, 0.0, 3.0 * number as f32);
        Ok((index.clone(), Affine::from_pose(&Pose { rotation, position })?))
    });
    let scene = Instances::new(placements.collect::<Result<Vec<_>, TransformError>>()?);
    let ray = Ray::new([0.3, 1.0, 7.0], [0.0, 0.0, 1.0]);
    let closest = scene.closest_hit(&ray).expect("the ray crosses the row");
    println!("instance {} at t = {}", closest.instance, closest.hit.t);
    println!("{} hits along the ray", scene.all_hits(&ray).len());

    // A deforming mesh: the BVH is refitted, and rebuilt when that pays for 1,000 rays.
    let mut deforming = TriangleIndex::clone(&index);
    for step in 1..=3 {
        let outcome = deforming.update_or_rebuild(&quad(0.5 * step as f32), 1_000)?;
        let hit = deforming.closest_hit(&Ray::new([0.3, 1.0, -5.0], [0.0, 0.0, 1.0]));
        println!("step {step}: {outcome:?}, t = {:?}", hit.map(|hit| hit.t));
    }
    Ok(())
}
