//! Where do two bodies touch, how far apart are they, and when will they meet? A crate on a floor, and a ball above.

use embate::contacts::{Motion, contact, separation, time_of_impact};
use embate::shapes::{Cuboid, InvalidShape, Shape, Sphere};
use embate::{Pose, Rotation, Vec3};

fn main() -> Result<(), InvalidShape> {
    let floor = Shape::from(Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?);
    let crate_ = Shape::from(Cuboid::new(Vec3::splat(0.5))?);
    let ball = Shape::from(Sphere::new(0.25)?);

    let turn = Rotation::about(Vec3::Y, 0.4).unwrap_or_default();
    let on_the_floor = Pose { rotation: turn, position: Vec3::new(0.0, 0.99, 0.0) };
    if let Some(manifold) = contact(&floor, &Pose::IDENTITY, &crate_, &on_the_floor, 0.0) {
        println!(
            "the crate rests on {} points, normal {:?}",
            manifold.points().len(),
            manifold.normal
        );
        for point in manifold.points() {
            println!("  {:?}, {} deep, named {:#010x}", point.point, point.depth, point.feature);
        }
    }

    let above = Pose::at(Vec3::new(0.1, 4.0, 0.0));
    let told = separation(&crate_, &on_the_floor, &ball, &above);
    println!("the ball is {} above the crate, at {:?}", told.distance, told.points[1]);

    // It falls and turns; within the second it meets the crate.
    let falls = Motion::new(above, Vec3::new(0.0, -4.0, 0.0), Vec3::new(0.0, 0.0, 3.0));
    let rests = Motion::resting(on_the_floor);
    if let Some(impact) = time_of_impact(&crate_, &rests, &ball, &falls, 0.0) {
        println!("they meet after {} of the second, at {:?}", impact.time, impact.points[0]);
    }
    Ok(())
}
