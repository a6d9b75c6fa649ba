//! Vector arguments: arrays and tuples are accepted wherever a vector is passed by value.

use std::sync::Arc;

use embate::dynamics::{BodyDef, JointDef, QueryFilter, Settings, World, WorldBounds};
use embate::narrow_phase::{Sweep, time_of_impact};
use embate::raycast::{Affine, Instances, TriangleIndex};
use embate::shapes::{Capsule, Cuboid, HalfSpace, Shape, Sphere};
use embate::{Pose, Ray, Rotation, TriangleMesh, Vec3};

#[test]
fn bodies_and_joints_accept_arrays() {
    let bounds = Some(WorldBounds::open([-50.0; 3], [50.0, 50.0, 50.0]));
    let mut world = World::new(Settings { bounds, ..Settings::default() }).unwrap();
    world.set_gravity([0.0, -1.0, 0.0]).unwrap();
    assert_eq!(world.settings().gravity, -Vec3::Y);
    let sphere = Sphere::new(0.5).unwrap();
    let a = BodyDef::dynamic(sphere, 2.0).position([1.0, 2.0, 3.0]);
    let a = a.linear_velocity((1.0, 0.0, 0.0)).angular_velocity([0.0, 1.0, 0.0]);
    let a = world.insert_body(a).unwrap();
    let b = BodyDef::dynamic(sphere, 1.0).pose(Pose::from_translation((1.0, 4.0, 3.0)));
    let b = world.insert_body(b).unwrap();
    for joint in [
        JointDef::spherical(a, b, [1.0, 3.0, 3.0]),
        JointDef::revolute(a, b, [1.0, 3.0, 3.0], [0.0, 1.0, 0.0]),
        JointDef::distance(a, b, [1.0, 2.5, 3.0], [1.0, 3.5, 3.0]),
    ] {
        world.insert_joint(joint).unwrap();
    }
    assert_eq!(world.body(a).unwrap().position(), Vec3::new(1.0, 2.0, 3.0));
    let mut body = world.body_mut(a).unwrap();
    body.set_linear_velocity([0.0, 0.0, 0.0]).unwrap();
    body.set_angular_velocity([0.0; 3]).unwrap();
    body.apply_impulse([4.0, 0.0, 0.0]).unwrap();
    body.apply_force([1.0, 0.0, 0.0]).unwrap();
    body.apply_force_at_point([1.0, 0.0, 0.0], Vec3::ZERO).unwrap();
    body.apply_torque((0.0, 0.1, 0.0)).unwrap();
    assert_eq!(world.body(a).unwrap().velocity_at_point([0.0; 3]), Vec3::X * 2.0);
    let closest = world.closest_body([1.0, 9.0, 3.0], &QueryFilter::default()).unwrap();
    assert_eq!(closest.body, b);
}

#[test]
fn queries_of_shapes_and_sweeps_accept_arrays() {
    let turned = Pose::from_rotation(Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.5).unwrap());
    let shapes: [Shape; 3] = [
        Cuboid::new([0.5, 0.5, 0.5]).unwrap().into(),
        Capsule::new(0.5, 0.25).unwrap().into(),
        HalfSpace::new([0.0, 1.0, 0.0]).unwrap().into(),
    ];
    for shape in shapes {
        assert!(shape.contains_point(&turned, [0.1, -0.1, 0.0]));
        let outside = shape.project_point(&turned, [0.0, 3.0, 0.0]);
        assert!(outside.distance > 0.0);
        let falling = Sweep::linear(Pose::from_translation([0.0, 5.0, 0.0]), [0.0, -9.0, 0.0]);
        let ball = Shape::from(Sphere::new(0.5).unwrap());
        let impact = time_of_impact(&ball, &falling, &shape, &Sweep::stationary(turned), 0.0);
        assert!(impact.is_some());
    }
}

#[test]
fn rays_and_meshes_accept_vectors_and_arrays() {
    let wall = vec![[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
    let index = TriangleIndex::new(TriangleMesh::new(wall, vec![[0, 1, 2]]).unwrap());
    let hit = index.closest_hit(&Ray::new(Vec3::ZERO, [0.0, 0.0, 1.0])).unwrap();
    assert_eq!(hit.t, 1.0);
    assert!(!index.is_visible(Vec3::ZERO, [0.0, 0.0, 2.0]));
    assert_eq!(index.closest_point(Vec3::ZERO), index.closest_point([0.0; 3]));
    let placed = Affine::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], Vec3::Z).unwrap();
    assert_eq!(placed.transform_point(Vec3::Z), Vec3::Z * 2.0);
    let instances = Instances::new([(Arc::new(index), placed)]);
    assert!(instances.is_visible([0.0; 3], Vec3::Z * 1.5));
    assert!(!instances.is_visible([0.0; 3], Vec3::Z * 2.5));
}
