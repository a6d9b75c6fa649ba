//! Behavior of contact manifolds, closest points and time of impact, by feature.

mod compound;
mod convex;
mod mesh_back_faces;
mod mesh_edges;
mod mesh_overhang;
mod mesh_penetration;
mod off_center;
mod precision;
mod time_of_impact;

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Sphere},
};

use crate::narrow_phase::{Manifold, closest_points, contact_manifold, intersects};
use crate::shapes::Shape;

fn sphere(radius: f32) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn capsule(half_height: f32, radius: f32) -> Shape {
    Capsule::new(half_height, radius).unwrap().into()
}

fn cuboid(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

/// A box as a hull.
fn box_hull(x: f32, y: f32, z: f32) -> Shape {
    let vertex = |bits: u32| {
        let sign = |bit: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
        Vec3::new(x * sign(0), y * sign(1), z * sign(2))
    };
    ConvexHull::new(&(0..8).map(vertex).collect::<Vec<_>>()).unwrap().into()
}

fn cylinder(half_height: f32, radius: f32) -> Shape {
    ConvexHull::cylinder(half_height, radius, 24).unwrap().into()
}

fn half_space() -> Shape {
    HalfSpace::new(Vec3::Y).unwrap().into()
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn rotated(pose: Pose, axis: Vec3, degrees: f32) -> Pose {
    Pose { rotation: Rotation::from_axis_angle(axis, degrees.to_radians()).unwrap(), ..pose }
}

/// One shape of each kind, of size about 1.
fn unit_shapes() -> Vec<Shape> {
    vec![
        sphere(0.5),
        capsule(0.5, 0.25),
        capsule(0.0, 0.5),
        cuboid(0.5, 0.4, 0.3),
        box_hull(0.5, 0.4, 0.3),
        cylinder(0.5, 0.4),
        ConvexHull::cone(0.5, 0.5, 9).unwrap().into(),
    ]
}

/// [`contact_manifold`] with checks: all queries in both orders agree, and all results are finite
/// and normalized.
fn query(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f32) -> Option<Manifold> {
    let manifold = contact_manifold(a, pose_a, b, pose_b, margin);
    let flipped = contact_manifold(b, pose_b, a, pose_a, margin).map(Manifold::flipped);
    let closest = closest_points(a, pose_a, b, pose_b);
    if (a, pose_a) != (b, pose_b) {
        assert_eq!(manifold, flipped, "{a} {pose_a:?} {b} {pose_b:?}");
        assert_eq!(closest, closest_points(b, pose_b, a, pose_a).flipped());
    }
    assert!(closest.distance.is_finite() && closest.points.iter().all(|point| point.is_finite()));
    assert!((closest.normal.length() - 1.0).abs() < 1e-6, "{a} {b} {closest:?}");
    assert_eq!(intersects(a, pose_a, b, pose_b), closest.distance <= 0.0, "{a} {b} {closest:?}");
    if let Some(manifold) = &manifold {
        assert!((manifold.normal.length() - 1.0).abs() < 1e-6, "{a} {b} {manifold:?}");
        assert!((1..=4).contains(&manifold.points().len()));
        for point in manifold.points() {
            assert!(
                point.position.is_finite() && point.penetration >= -margin,
                "{a} {b} {manifold:?}"
            );
        }
    }
    manifold
}
