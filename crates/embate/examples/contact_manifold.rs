//! Narrow phase: contact manifold, closest points and time of impact of a box and a sphere.
//!
//! `cargo run -p embate --example contact_manifold`

use embate::narrow_phase::{Sweep, closest_points, contact_manifold, time_of_impact};
use embate::shapes::{Cuboid, Shape, ShapeError, Sphere};
use embate::{Pose, Rotation, Vec3};

fn main() -> Result<(), ShapeError> {
    let floor = Shape::from(Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?);
    let cuboid = Shape::from(Cuboid::new(Vec3::splat(0.5))?);
    let sphere = Shape::from(Sphere::new(0.25)?);

    let rotation = Rotation::from_axis_angle(Vec3::Y, 0.4).unwrap_or_default();
    let resting = Pose { rotation, position: Vec3::new(0.0, 0.99, 0.0) };
    if let Some(manifold) = contact_manifold(&floor, &Pose::IDENTITY, &cuboid, &resting, 0.0) {
        println!("{} contact points, normal {:?}", manifold.points().len(), manifold.normal);
        for point in manifold.points() {
            println!(
                "  position {:?}, penetration {}, feature id {:#010x}",
                point.position, point.penetration, point.feature_id
            );
        }
    }

    let above = Pose::from_translation(Vec3::new(0.1, 4.0, 0.0));
    let closest = closest_points(&cuboid, &resting, &sphere, &above);
    println!("distance {} to the sphere, closest point {:?}", closest.distance, closest.points[1]);

    // The sphere falls by 4 and rotates by 3 rad during the sweep; it hits the box on the way.
    let falling = Sweep::new(above, Vec3::new(0.0, -4.0, 0.0), Vec3::new(0.0, 0.0, 3.0));
    let stationary = Sweep::stationary(resting);
    if let Some(impact) = time_of_impact(&cuboid, &stationary, &sphere, &falling, 0.0) {
        println!("impact at {} of the sweep, at {:?}", impact.fraction, impact.witness_points[0]);
    }
    Ok(())
}
