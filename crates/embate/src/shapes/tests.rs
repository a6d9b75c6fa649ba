//! Queries of every shape type, and meshes compared with the hulls they enclose.

use embate_geom::{Aabb, Pose, Ray, Rotation, Vec3};
use embate_mesh::TriangleMesh;

use crate::shapes::*;

/// Surface of a hull as a mesh shape.
fn surface_of(hull: &ConvexHull) -> TriMesh {
    let positions = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let triangles = hull.faces().iter().flat_map(|face| {
        let vertices = hull.face_vertices(face);
        (1..vertices.len() - 1).map(|i| [vertices[0], vertices[i], vertices[i + 1]])
    });
    TriMesh::new(TriangleMesh::new(positions, triangles.collect()).unwrap()).unwrap()
}

fn octahedron() -> ConvexHull {
    let vertices: Vec<Vec3> = Vec3::AXES.iter().flat_map(|&axis| [axis, -axis]).collect();
    ConvexHull::new(&vertices).unwrap()
}

/// Rays through vertices, along edges and in faces are the hard cases of crossing counts.
#[test]
fn mesh_contains_exactly_the_points_of_its_solid() {
    let mesh = surface_of(&octahedron());
    let mut inside = 0;
    for x in -10..=10_i8 {
        for y in -10..=10_i8 {
            for z in -10..=10_i8 {
                let point = Vec3::new(f32::from(x), f32::from(y), f32::from(z)) / 8.0;
                let expected = x.abs() + y.abs() + z.abs() <= 8;
                assert_eq!(mesh.contains_point(point), expected, "{point:?}");
                inside += u32::from(expected);
            }
        }
    }
    assert_eq!(inside, 833);
    assert!(!mesh.contains_point(Vec3::splat(f32::NAN)));
}

#[test]
fn mesh_has_the_mass_properties_of_the_hull_it_encloses() {
    let hull = ConvexHull::cone(1.0, 0.5, 13).unwrap();
    let (mesh, solid) = (surface_of(&hull).mass_properties().unwrap(), hull.mass_properties());
    assert!((mesh.volume - solid.volume).abs() < 1e-6);
    assert!((mesh.center_of_mass - solid.center_of_mass).length() < 1e-6);
    assert!((mesh.unit_inertia * Vec3::X - solid.unit_inertia * Vec3::X).length() < 1e-6);
}

#[test]
fn ray_hits_mesh_where_it_hits_its_solid_and_from_inside_where_it_exits() {
    let cuboid = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    let vertices: Vec<Vec3> = (0..8_u32)
        .map(|bits| {
            let sign = |bit: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
            cuboid.half_extents().mul_elements(Vec3::new(sign(0), sign(1), sign(2)))
        })
        .collect();
    let mesh = surface_of(&ConvexHull::new(&vertices).unwrap());
    let ray = Ray::new([-5.0, 0.25, 0.5], [2.0, 0.0, 0.0]);
    assert_eq!(mesh.cast_ray(&ray), cuboid.cast_ray(&ray));
    let from_inside = Ray::new([0.0; 3], [2.0, 0.0, 0.0]);
    assert_eq!(mesh.cast_ray(&from_inside), Some(RayIntersection { t: 0.5, normal: -Vec3::X }));
    assert_eq!(mesh.cast_ray(&from_inside.with_backface_culling()), None);
    assert_eq!(mesh.cast_ray(&ray.with_range(0.0, 1.9)), None);
}

fn one_of_each() -> Vec<Shape> {
    let sphere = Shape::from(Sphere::new(0.5).unwrap());
    let parts = vec![
        (Pose::from_translation(Vec3::X), sphere.clone()),
        (Pose::from_translation(-Vec3::X), sphere.clone()),
    ];
    vec![
        sphere,
        Cuboid::new(Vec3::new(0.5, 1.0, 0.25)).unwrap().into(),
        Capsule::new(0.5, 0.25).unwrap().into(),
        octahedron().into(),
        surface_of(&octahedron()).into(),
        Compound::new(parts).unwrap().into(),
    ]
}

#[test]
fn queries_agree_at_every_pose() {
    let rotation = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 1.1).unwrap();
    let pose = Pose { rotation, position: Vec3::new(3.0, -4.0, 5.0) };
    for shape in one_of_each() {
        let mass = shape.mass_properties().unwrap();
        assert_eq!(shape.volume(), Some(mass.volume));
        assert_eq!(
            (shape.center_of_mass(), shape.inertia(2.0)),
            (Some(mass.center_of_mass), Some(mass.inertia(2.0)))
        );
        let sphere = shape.bounding_sphere().unwrap();
        let obb = shape.obb().unwrap();
        let bounds = shape.aabb(&pose);
        for direction in [Vec3::X, Vec3::new(-1.0, 0.3, 0.7), Vec3::new(0.1, -2.0, 0.4)] {
            let farthest = shape.support_point(direction).unwrap();
            assert!((farthest - Vec3::from(sphere.center)).length() <= sphere.radius * 1.00001);
            assert!(
                obb.contains_point(farthest * 0.99999),
                "{} {obb:?} {farthest:?}",
                shape.type_name()
            );
            let world = pose.transform_point(farthest);
            assert!(bounds.overlaps(&Aabb { min: world.to_array(), max: world.to_array() }));
            assert!(
                shape.contains_point(&pose, pose.transform_point(farthest * 0.999)),
                "{}",
                shape.type_name()
            );
            assert!(
                !shape.contains_point(&pose, pose.transform_point(farthest * 1.001)),
                "{}",
                shape.type_name()
            );
        }
        // Along −x, from well outside.
        let local = Ray::new([9.0, 0.01, 0.02], [-1.0, 0.0, 0.0]);
        let world = Ray::new(
            pose.transform_point(Vec3::from(local.origin)).to_array(),
            pose.rotation.rotate(Vec3::from(local.direction)).to_array(),
        );
        let here = shape.cast_ray(&Pose::IDENTITY, &local).unwrap();
        let there = shape.cast_ray(&pose, &world).unwrap();
        assert!((here.t - there.t).abs() < 1e-4, "{}", shape.type_name());
        assert!((rotation.rotate(here.normal) - there.normal).length() < 1e-4);
    }
}

#[test]
fn scaled_and_transformed_shapes_have_the_expected_volume_and_center_of_mass() {
    let rotation = Rotation::from_axis_angle(Vec3::Z, 0.5).unwrap();
    let pose = Pose { rotation, position: Vec3::new(1.0, 2.0, 3.0) };
    for shape in one_of_each() {
        let volume = shape.volume().unwrap();
        let double = shape.scaled(2.0).unwrap();
        assert!((double.volume().unwrap() / volume - 8.0).abs() < 1e-4, "{}", shape.type_name());
        let transformed = shape.transformed(&pose).unwrap();
        assert!(
            (transformed.volume().unwrap() / volume - 1.0).abs() < 1e-4,
            "{}",
            shape.type_name()
        );
        let expected = pose.transform_point(shape.center_of_mass().unwrap());
        assert!(
            (transformed.center_of_mass().unwrap() - expected).length() < 1e-5,
            "{}",
            shape.type_name()
        );
        for bad in [0.0, -1.0, f32::NAN, 1e30] {
            assert!(shape.scaled(bad).is_err(), "{} by {bad}", shape.type_name());
        }
    }
}

#[test]
fn half_space_has_no_bounds_and_no_mass() {
    let ground = Shape::from(HalfSpace::new(Vec3::Y).unwrap());
    assert_eq!(
        (ground.mass_properties(), ground.obb(), ground.bounding_sphere()),
        (None, None, None)
    );
    assert_eq!(ground.support_point(Vec3::Y), None);
    let bounds = ground.aabb(&Pose::from_translation(Vec3::Y * 3.0));
    assert!(crate::broad_phase::AabbSlice::new(&[bounds]).is_ok() && bounds.max[1] == 3.0);
    assert!(ground.contains_point(&Pose::from_translation(Vec3::Y * 3.0), Vec3::Y * 2.9));
    assert!(ground.transformed(&Pose::from_translation(Vec3::Y)).is_err());
    let hit = ground
        .cast_ray(&Pose::from_translation(Vec3::Y), &Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]));
    assert_eq!(hit, Some(RayIntersection { t: 4.0, normal: Vec3::Y }));
}

/// Regression: an unused vertex enlarged the bounding sphere and box by a factor of 1,000.
#[test]
fn unused_vertex_does_not_enlarge_the_bounding_volumes() {
    let plain = surface_of(&octahedron());
    let mut positions = plain.mesh().positions().to_vec();
    positions.push([1000.0; 3]);
    let with_unused = TriangleMesh::new(positions, plain.mesh().triangles().to_vec()).unwrap();
    let [plain, with_unused] = [plain, TriMesh::new(with_unused).unwrap()].map(Shape::from);
    assert_eq!(plain.bounding_sphere(), with_unused.bounding_sphere());
    assert_eq!(plain.obb(), with_unused.obb());
}
