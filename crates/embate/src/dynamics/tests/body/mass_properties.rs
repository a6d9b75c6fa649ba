//! Mass by density, inertia tensor, angular impulse.

use embate_geom::Pose;
use embate_mesh::TriangleMesh;

use crate::dynamics::tests::*;
use crate::dynamics::{BodyError, Quantity};
use crate::shapes::{Capsule, Compound, Shape, ShapeType, TriMesh};

fn open_mesh() -> Shape {
    let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    TriMesh::new(TriangleMesh::new(vertices, vec![[0, 1, 2]]).unwrap()).unwrap().into()
}

#[test]
fn mass_is_density_times_volume() {
    let mut world = world();
    let pair = vec![
        (Pose::from_translation(Vec3::X * -1.0), cube().into()),
        (Pose::from_translation(Vec3::X * 1.0), sphere(0.5).into()),
    ];
    let shapes: [Shape; 4] = [
        sphere(0.5).into(),
        cube().into(),
        Capsule::new(0.4, 0.3).unwrap().into(),
        Compound::new(pair).unwrap().into(),
    ];
    for shape in shapes {
        let mass = 250.0 * shape.volume().unwrap();
        let body = world.insert_body(BodyDef::dynamic_with_density(shape.clone(), 250.0)).unwrap();
        let same = world.insert_body(BodyDef::dynamic(shape, mass)).unwrap();
        let [body, same] = [body, same].map(|id| world.body(id).unwrap());
        assert_eq!(body.mass(), mass);
        assert_eq!(body.inertia(), same.inertia());
    }
}

#[test]
fn density_of_a_shape_without_volume_is_rejected() {
    let mut world = world();
    let ground = HalfSpace::new(Vec3::Y).unwrap().into();
    for (shape, shape_type) in [(ground, ShapeType::HalfSpace), (open_mesh(), ShapeType::TriMesh)] {
        let error = world.insert_body(BodyDef::dynamic_with_density(shape, 1.0)).unwrap_err();
        assert_eq!(error, BodyError::NoVolume { shape: shape_type });
    }
}

#[test]
fn density_out_of_range_is_rejected() {
    let mut world = world();
    for density in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = world.insert_body(BodyDef::dynamic_with_density(cube(), density)).unwrap_err();
        assert!(
            matches!(error, BodyError::OutOfRange { quantity: Quantity::Density, .. }),
            "{error}"
        );
    }
    let error = world.insert_body(BodyDef::dynamic_with_density(sphere(1e4), 1e12)).unwrap_err();
    assert!(matches!(error, BodyError::Mass { .. }), "{error}");
    assert!(world.is_empty());
}

#[test]
fn inertia_is_the_local_tensor_in_world_axes() {
    let mut world = zero_gravity_world();
    let quarter_turn = Rotation::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2).unwrap();
    let plank = BodyDef::dynamic(cuboid(3.0, 0.5, 0.1), 12.0).rotation(quarter_turn);
    let plank = world.insert_body(plank).unwrap();
    let body = world.body(plank).unwrap();
    // m (b² + c²) / 3 with half extents.
    let principal = Vec3::new(0.25 + 0.01, 9.0 + 0.01, 9.0 + 0.25) * 4.0;
    for axis in 0..3 {
        let local = body.local_inertia() * Vec3::AXES[axis];
        assert!((local - Vec3::AXES[axis] * principal[axis]).length() < 1e-4, "{local:?}");
    }
    let about_y = body.inertia() * Vec3::Y;
    assert!((about_y - Vec3::Y * principal.x).length() < 1e-3, "{about_y:?}");
    let fixed = world.insert_body(BodyDef::fixed(cube())).unwrap();
    assert_eq!(world.body(fixed).unwrap().inertia() * Vec3::X, Vec3::ZERO);
}

#[test]
fn angular_velocity_after_an_impulse_follows_from_the_inertia() {
    let mut world = zero_gravity_world();
    let body = world.insert_body(BodyDef::dynamic(cuboid(1.0, 2.0, 0.5), 3.0)).unwrap();
    let impulse = Vec3::new(1.0, -2.0, 0.5);
    world.body_mut(body).unwrap().apply_angular_impulse(impulse).unwrap();
    let body = world.body(body).unwrap();
    assert!((body.inertia() * body.angular_velocity() - impulse).length() < 1e-5);
    assert_eq!(body.linear_velocity(), Vec3::ZERO);
}
