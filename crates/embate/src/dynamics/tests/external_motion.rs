//! Motion written by an external integrator.

use embate_geom::{Ray, Vec3};

use crate::dynamics::tests::*;
use crate::dynamics::{BodyMotion, ContactEvent, QueryFilter};

fn moved(body: BodyId, center_of_mass: Vec3) -> BodyMotion {
    let (linear_velocity, angular_velocity) = (Vec3::X, Vec3::Z);
    BodyMotion { body, center_of_mass, linear_velocity, angular_velocity }
}

#[test]
fn queries_and_contacts_follow_bodies_that_were_moved_externally() {
    let mut world = zero_gravity_world();
    let mover = world.insert_body(BodyDef::dynamic(sphere(0.5), 2.0)).unwrap();
    let post = world.insert_body(BodyDef::fixed(sphere(0.5)).position(Vec3::X * 50.0)).unwrap();
    let down = Ray::new([49.2, 9.0, 0.0], [0.0, -1.0, 0.0]);
    assert!(world.cast_ray(&down, &QueryFilter::default()).is_none());
    world.body_mut(mover).unwrap().apply_force(Vec3::Y).unwrap();
    assert_eq!(world.body(mover).unwrap().force(), Vec3::Y);

    world.set_motions(&[moved(mover, Vec3::X * 49.2), moved(post, Vec3::ZERO)]);
    let body = world.body(mover).unwrap();
    assert_eq!((body.position(), body.force()), (Vec3::X * 49.2, Vec3::ZERO));
    assert_eq!((body.linear_velocity(), body.angular_velocity()), (Vec3::X, Vec3::Z));
    assert_eq!(position(&world, post), Vec3::X * 50.0, "a fixed body does not move");
    let hit = world.cast_ray(&down, &QueryFilter::default());
    assert_eq!(hit.map(|hit| hit.body), Some(mover));
    world.step();
    let begin = ContactEvent::Begin { bodies: [mover, post], sensor: false };
    assert!(world.events().contains(&begin), "{:?}", world.events());
}

#[test]
fn motion_of_a_removed_body_is_skipped_and_nan_is_stored() {
    let mut world = world();
    let gone = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    world.remove_body(gone);
    let other = world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    world.set_motions(&[moved(gone, Vec3::X), moved(other, Vec3::Y * f32::NAN)]);
    assert!(!position(&world, other).is_finite());
    world.step();
}
