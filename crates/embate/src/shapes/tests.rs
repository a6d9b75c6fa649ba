//! Every shape through the one type, and meshes against the hulls they enclose.

use embate_geom::{Aabb, Pose, Ray, Rotation, Vec3};
use embate_mesh::TriangleMesh;

use super::*;

/// The surface of a hull as a mesh.
fn surface_of(hull: &Hull) -> MeshShape {
    let positions = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let triangles = hull.faces().iter().flat_map(|face| {
        let corners = hull.corners(face);
        (1..corners.len() - 1).map(|corner| [corners[0], corners[corner], corners[corner + 1]])
    });
    MeshShape::new(TriangleMesh::new(positions, triangles.collect()).unwrap()).unwrap()
}

fn octahedron() -> Hull {
    let tips: Vec<Vec3> = Vec3::AXES.iter().flat_map(|&axis| [axis, -axis]).collect();
    Hull::new(&tips).unwrap()
}

/// Lines through corners, along edges and in faces are where counting crossings goes wrong.
#[test]
fn a_mesh_contains_exactly_the_points_that_its_solid_does() {
    let mesh = surface_of(&octahedron());
    let mut inside = 0;
    for x in -10..=10_i8 {
        for y in -10..=10_i8 {
            for z in -10..=10_i8 {
                let point = Vec3::new(f32::from(x), f32::from(y), f32::from(z)) / 8.0;
                let expected = x.abs() + y.abs() + z.abs() <= 8;
                assert_eq!(mesh.contains(point), expected, "{point:?}");
                inside += u32::from(expected);
            }
        }
    }
    assert_eq!(inside, 833);
    assert!(!mesh.contains(Vec3::splat(f32::NAN)));
}

#[test]
fn a_mesh_weighs_as_the_hull_it_encloses() {
    let hull = Hull::cone(1.0, 0.5, 13).unwrap();
    let (mesh, solid) = (surface_of(&hull).mass_properties().unwrap(), hull.mass_properties());
    assert!((mesh.volume - solid.volume).abs() < 1e-6);
    assert!((mesh.centroid - solid.centroid).length() < 1e-6);
    assert!((mesh.inertia_per_mass * Vec3::X - solid.inertia_per_mass * Vec3::X).length() < 1e-6);
}

#[test]
fn a_ray_meets_a_mesh_where_it_meets_its_solid_and_from_inside_where_it_leaves() {
    let cuboid = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    let corners: Vec<Vec3> = (0..8_u32)
        .map(|bits| {
            let sign = |bit: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
            cuboid.half().scaled_by(Vec3::new(sign(0), sign(1), sign(2)))
        })
        .collect();
    let mesh = surface_of(&Hull::new(&corners).unwrap());
    let ray = Ray::new([-5.0, 0.25, 0.5], [2.0, 0.0, 0.0]);
    assert_eq!(mesh.ray_hit(&ray), cuboid.ray_hit(&ray));
    let from_inside = Ray::new([0.0; 3], [2.0, 0.0, 0.0]);
    assert_eq!(mesh.ray_hit(&from_inside), Some(ShapeHit { t: 0.5, normal: -Vec3::X }));
    assert_eq!(mesh.ray_hit(&from_inside.culling_back_faces()), None);
    assert_eq!(mesh.ray_hit(&ray.within(0.0, 1.9)), None);
}

fn one_of_each() -> Vec<Shape> {
    let ball = Shape::from(Sphere::new(0.5).unwrap());
    let parts = vec![(Pose::at(Vec3::X), ball.clone()), (Pose::at(-Vec3::X), ball.clone())];
    vec![
        ball,
        Cuboid::new(Vec3::new(0.5, 1.0, 0.25)).unwrap().into(),
        Capsule::new(0.5, 0.25).unwrap().into(),
        octahedron().into(),
        surface_of(&octahedron()).into(),
        Compound::new(parts).unwrap().into(),
    ]
}

#[test]
fn a_shape_answers_alike_wherever_it_is() {
    let rotation = Rotation::about(Vec3::new(1.0, 2.0, 3.0), 1.1).unwrap();
    let pose = Pose { rotation, position: Vec3::new(3.0, -4.0, 5.0) };
    for shape in one_of_each() {
        let mass = shape.mass_properties().unwrap();
        assert_eq!(shape.volume(), Some(mass.volume));
        assert_eq!(
            (shape.centroid(), shape.inertia(2.0)),
            (Some(mass.centroid), Some(mass.inertia(2.0)))
        );
        let ball = shape.bounding_sphere().unwrap();
        let obb = shape.obb().unwrap();
        let bounds = shape.aabb(&pose);
        for direction in [Vec3::X, Vec3::new(-1.0, 0.3, 0.7), Vec3::new(0.1, -2.0, 0.4)] {
            let farthest = shape.support(direction).unwrap();
            assert!((farthest - Vec3::from(ball.center)).length() <= ball.radius * 1.00001);
            assert!(obb.contains(farthest * 0.99999), "{} {obb:?} {farthest:?}", shape.kind());
            let world = pose.point(farthest);
            assert!(bounds.overlaps(&Aabb { min: world.to_array(), max: world.to_array() }));
            assert!(shape.contains(&pose, pose.point(farthest * 0.999)), "{}", shape.kind());
            assert!(!shape.contains(&pose, pose.point(farthest * 1.001)), "{}", shape.kind());
        }
        // Towards the far side of x, from well outside.
        let local = Ray::new([9.0, 0.01, 0.02], [-1.0, 0.0, 0.0]);
        let world = Ray::new(
            pose.point(Vec3::from(local.origin)).to_array(),
            pose.rotation.turn(Vec3::from(local.direction)).to_array(),
        );
        let here = shape.ray_hit(&Pose::IDENTITY, &local).unwrap();
        let there = shape.ray_hit(&pose, &world).unwrap();
        assert!((here.t - there.t).abs() < 1e-4, "{}", shape.kind());
        assert!((rotation.turn(here.normal) - there.normal).length() < 1e-4);
    }
}

#[test]
fn a_scaled_or_placed_shape_has_the_volume_and_place_one_expects() {
    let rotation = Rotation::about(Vec3::Z, 0.5).unwrap();
    let pose = Pose { rotation, position: Vec3::new(1.0, 2.0, 3.0) };
    for shape in one_of_each() {
        let volume = shape.volume().unwrap();
        let double = shape.scaled(2.0).unwrap();
        assert!((double.volume().unwrap() / volume - 8.0).abs() < 1e-4, "{}", shape.kind());
        let placed = shape.placed(&pose).unwrap();
        assert!((placed.volume().unwrap() / volume - 1.0).abs() < 1e-4, "{}", shape.kind());
        let centroid = pose.point(shape.centroid().unwrap());
        assert!((placed.centroid().unwrap() - centroid).length() < 1e-5, "{}", shape.kind());
        for bad in [0.0, -1.0, f32::NAN, 1e30] {
            assert!(shape.scaled(bad).is_err(), "{} by {bad}", shape.kind());
        }
    }
}

#[test]
fn a_half_space_has_no_end_and_no_weight() {
    let ground = Shape::from(Plane::new(Vec3::Y).unwrap());
    assert_eq!(
        (ground.mass_properties(), ground.obb(), ground.bounding_sphere()),
        (None, None, None)
    );
    assert_eq!(ground.support(Vec3::Y), None);
    let bounds = ground.aabb(&Pose::at(Vec3::Y * 3.0));
    assert!(crate::pairs::Boxes::new(&[bounds]).is_ok() && bounds.max[1] == 3.0);
    assert!(ground.contains(&Pose::at(Vec3::Y * 3.0), Vec3::Y * 2.9));
    assert!(ground.placed(&Pose::at(Vec3::Y)).is_err());
    let hit = ground.ray_hit(&Pose::at(Vec3::Y), &Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]));
    assert_eq!(hit, Some(ShapeHit { t: 4.0, normal: Vec3::Y }));
}

/// A vertex of no triangle was within its ball and box, and made both a thousand times larger.
#[test]
fn a_vertex_that_no_triangle_uses_is_no_part_of_a_mesh() {
    let plain = surface_of(&octahedron());
    let mut positions = plain.mesh().positions().to_vec();
    positions.push([1000.0; 3]);
    let more = TriangleMesh::new(positions, plain.mesh().triangles().to_vec()).unwrap();
    let [plain, more] = [plain, MeshShape::new(more).unwrap()].map(Shape::from);
    assert_eq!(plain.bounding_sphere(), more.bounding_sphere());
    assert_eq!(plain.obb(), more.obb());
}
