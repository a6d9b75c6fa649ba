//! Back-face validation, duplicate contacts, and precision of mesh contacts far from the origin.

use embate_geom::{
    Pose, Rotation, Vec3, scalar,
    shapes::{Capsule, ConvexHull, Cuboid, Sphere},
};
use embate_mesh::TriangleMesh;
use embate_test_util::Rng;

use crate::narrow_phase::{
    Manifold, closest_points, contact_manifold, contact_manifolds, intersects,
};
use crate::shapes::{Shape, TriMesh};

fn random_rotation(rng: &mut Rng) -> Rotation {
    let axis = Vec3::new(rng.signed_unit(), rng.signed_unit(), rng.signed_unit() + 1e-3);
    Rotation::from_axis_angle(axis, 6.0 * rng.unit()).unwrap()
}

/// Ground of 10 × 10 cells of size 1 with displaced vertices, vertically by at most `roughness`.
fn ground(seed: u64, roughness: f32) -> Shape {
    const CELLS: u32 = 10;
    const ROW: u32 = CELLS + 1;
    let mut rng = Rng::new(seed);
    let mut points = Vec::new();
    for z in 0..ROW {
        for x in 0..ROW {
            let x = x as f32 - 5.0 + 0.3 * rng.signed_unit();
            let y = roughness * rng.signed_unit();
            points.push([x, y, z as f32 - 5.0 + 0.3 * rng.signed_unit()]);
        }
    }
    let mut triangles = Vec::new();
    for cell in 0..CELLS * CELLS {
        let vertex = cell / CELLS * ROW + cell % CELLS;
        let [a, b, c, d] = [vertex, vertex + 1, vertex + ROW, vertex + ROW + 1];
        triangles.extend(if rng.unit() < 0.5 {
            [[a, c, b], [b, c, d]]
        } else {
            [[a, c, d], [a, d, b]]
        });
    }
    TriMesh::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

fn box_vertices(half: Vec3) -> Vec<Vec3> {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let signs = |bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2));
    (0..8).map(|bits| half.mul_elements(signs(bits))).collect()
}

/// A mesh of the faces of a box.
fn mesh_box(half: Vec3) -> Shape {
    let hull = ConvexHull::new(&box_vertices(half)).unwrap();
    let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let triangles = hull.faces().iter().flat_map(|face| {
        let vertices = hull.face_vertices(face);
        (1..vertices.len() - 1)
            .map(move |index| [vertices[0], vertices[index], vertices[index + 1]])
    });
    let mesh = TriangleMesh::new(vertices, triangles.collect()).unwrap();
    TriMesh::new(mesh).unwrap().into()
}

fn posed(quaternion: [f32; 4], position: Vec3) -> Pose {
    Pose { rotation: Rotation::from_quaternion(quaternion).unwrap(), position }
}

fn cuboid(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

fn all_manifolds(body: &Shape, pose: &Pose, mesh: &Shape, margin: f32) -> Vec<Manifold> {
    let mut manifolds = Vec::new();
    contact_manifolds(body, pose, mesh, &Pose::IDENTITY, margin, &mut manifolds);
    manifolds
}

fn deepest(manifolds: &[Manifold]) -> f32 {
    manifolds
        .iter()
        .fold(f32::NEG_INFINITY, |deepest, contact| scalar::max(deepest, contact.max_penetration()))
}

/// Regression: the center of the box lies behind the plane of a triangle beyond a convex edge. That
/// triangle reported a back-face penetration of 0.25 and pushed it into the ground.
#[test]
fn separated_box_beyond_a_convex_edge_has_no_back_face_penetration() {
    let position = Vec3::new(1.2467963, 1.194002, 0.74661934);
    let pose = posed([-0.046893645, 0.75805086, 0.00095639145, 0.65050673], position);
    let (body, mesh) = (cuboid(1.5, 0.90000004, 1.2), ground(1, 0.3));
    let closest = closest_points(&body, &pose, &mesh, &Pose::IDENTITY);
    assert!((closest.distance - 0.00698).abs() < 1e-4, "{closest:?}");
    let manifolds = all_manifolds(&body, &pose, &mesh, 0.06);
    assert!((deepest(&manifolds) + closest.distance).abs() < 1e-4, "{manifolds:?}");
}

/// Shapes of all types lowered onto rough ground: no penetration where they are separated, and at
/// least one contact where they touch.
#[test]
fn contacts_on_rough_ground_agree_with_closest_points() {
    let mut rng = Rng::new(31);
    for case in 0..600_u16 {
        let roughness = [0.05, 0.3, 1.0, 2.5][usize::from(case % 4)];
        let mesh = ground(u64::from(case / 100), roughness);
        let size = [1.0, 0.3, 3.0][usize::from(case % 3)];
        let body: Shape = match case % 5 {
            0 => Sphere::new(0.5 * size).unwrap().into(),
            1 => cuboid(0.5 * size, 0.3 * size, 0.4 * size),
            2 => Capsule::new(0.4 * size, 0.2 * size).unwrap().into(),
            3 => ConvexHull::cylinder(0.4 * size, 0.3 * size, 7).unwrap().into(),
            _ => ConvexHull::new(&box_vertices(Vec3::splat(0.4 * size))).unwrap().into(),
        };
        let position = Vec3::new(3.0 * rng.signed_unit(), 5.0 + roughness, 3.0 * rng.signed_unit());
        let mut pose = Pose { rotation: random_rotation(&mut rng), position };
        let target = [-0.02, -0.1, 0.005][usize::from(case / 5 % 3)] * size;
        for _ in 0..30 {
            let closest = closest_points(&body, &pose, &mesh, &Pose::IDENTITY);
            if closest.distance < 0.0 && target < 0.0 {
                break;
            }
            pose.position.y -= scalar::max(closest.distance - target, 1e-4 * size);
        }
        let closest = closest_points(&body, &pose, &mesh, &Pose::IDENTITY);
        let margin = 0.02 * size;
        let manifolds = all_manifolds(&body, &pose, &mesh, margin);
        let context = format!("{case}: {body} at {pose:?}, {closest:?}, {manifolds:?}");
        if closest.distance > 1e-4 * size {
            assert!(deepest(&manifolds) <= 0.0, "{context}");
        }
        if closest.distance < margin - 1e-4 * size {
            assert!(!manifolds.is_empty(), "{context}");
        }
        assert_eq!(
            intersects(&body, &pose, &mesh, &Pose::IDENTITY),
            closest.distance <= 0.0,
            "{context}"
        );
    }
}

/// Regression: each triangle at the vertex deferred to the others, and no contact was returned.
#[test]
fn box_touching_a_mesh_vertex_has_a_contact() {
    let mesh = mesh_box(Vec3::new(1.0, 0.7, 0.5));
    let small_box = cuboid(0.15, 0.09, 0.12);
    let position = Vec3::new(-1.0671304, 0.7897792, -0.67536783);
    let pose = posed([0.08436622, -0.41609254, -0.3323991, -0.8421759], position);
    let manifolds = all_manifolds(&small_box, &pose, &mesh, 0.006);
    assert!((deepest(&manifolds) - 0.00305).abs() < 1e-4, "{manifolds:?}");
    let cube = Shape::from(ConvexHull::new(&box_vertices(Vec3::splat(0.8))).unwrap());
    let position = Vec3::new(-1.8875076, 1.2427446, -1.3523537);
    let pose = posed([0.3232352, -0.21696821, 0.19238171, -0.9007958], position);
    let manifolds = all_manifolds(&cube, &pose, &mesh, 0.0);
    assert!((deepest(&manifolds) - 0.032).abs() < 1e-3, "{manifolds:?}");
}

/// Regression: a displacement was extended by the rounding error of world coordinates. A direction
/// that was clear only because of that extension was returned, with half the depth.
#[test]
fn sphere_depth_on_a_mesh_is_accurate_far_from_the_origin() {
    let (mesh, sphere) = (mesh_box(Vec3::splat(1.0)), Shape::from(Sphere::new(0.5).unwrap()));
    let mesh_pose = Pose::from_translation(Vec3::X * 10_000.0);
    let pose = Pose::from_translation(Vec3::new(10001.482, 0.9303009, -1.0839689));
    let closest = closest_points(&sphere, &pose, &mesh, &mesh_pose);
    assert!((closest.distance + 0.01032).abs() < 1e-4, "{closest:?}");
}

/// Regression: the contact of the second sheet counted as a duplicate, since world positions are
/// 1e-3 apart there.
#[test]
fn deeper_contact_of_two_sheets_is_kept_far_from_the_origin() {
    let sheet = |y: f32| [[-5.0, y, -5.0], [0.0, y, 5.0], [5.0, y, -5.0]];
    let points = [sheet(0.0), sheet(0.006)].concat();
    let mesh = TriangleMesh::new(points, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let mesh = Shape::from(TriMesh::new(mesh).unwrap());
    let sphere = Shape::from(Sphere::new(0.5).unwrap());
    for x in [0.0, 1_000.0, 10_000.0] {
        let [below, above] = [0.0, 0.49].map(|y| Pose::from_translation(Vec3::new(x, y, 0.0)));
        let manifold = contact_manifold(&sphere, &above, &mesh, &below, 0.0).unwrap();
        assert!((manifold.max_penetration() - 0.016).abs() < 1e-5, "at {x}: {manifold:?}");
    }
}

/// Regression: every point of a sliver is near all three edges, and was taken for its first vertex.
#[test]
fn rounded_shape_at_the_end_of_a_sliver_has_a_contact() {
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-6, 0.0]];
    let mesh = TriangleMesh::new(points, vec![[0, 1, 2]]).unwrap();
    let mesh = Shape::from(TriMesh::new(mesh).unwrap());
    for (x, depth) in [(1.05, 0.05), (-0.05, 0.05), (1.0, 0.1)] {
        for body in
            [Shape::from(Sphere::new(0.1).unwrap()), Shape::from(Capsule::new(0.3, 0.1).unwrap())]
        {
            let pose = Pose::from_translation(Vec3::X * x);
            let manifold = contact_manifold(&body, &pose, &mesh, &Pose::IDENTITY, 0.0);
            let manifold = manifold.unwrap_or_else(|| panic!("{body} at {x}"));
            assert!(
                (manifold.max_penetration() - depth).abs() < 1e-5,
                "{body} at {x}: {manifold:?}"
            );
        }
    }
}

/// Regression: the distance was 0, but `intersects` returned `false`.
#[test]
fn all_queries_agree_on_triangles_separated_by_rounding() {
    let triangle = |y: f32| {
        let points = vec![[0.0, y, 0.0], [0.0, y, 1.0], [1.0, y, 0.0]];
        Shape::from(TriMesh::new(TriangleMesh::new(points, vec![[0, 1, 2]]).unwrap()).unwrap())
    };
    for y in [0.0, 1e-9, 1e-7, 3e-7, 1e-6, 1e-5] {
        let (a, b, origin) = (triangle(0.0), triangle(y), Pose::IDENTITY);
        let closest = closest_points(&a, &origin, &b, &origin);
        assert_eq!(
            intersects(&a, &origin, &b, &origin),
            closest.distance <= 0.0,
            "{y}: {closest:?}"
        );
        let manifold = contact_manifold(&a, &origin, &b, &origin, 0.0);
        assert_eq!(manifold.is_some(), closest.distance <= 0.0, "{y}: {closest:?}, {manifold:?}");
    }
}

/// Regression: every pair of normals was tested for redundancy against all triangles: 24 s.
#[test]
fn box_around_a_mesh_of_thousands_of_triangles_is_not_quadratic() {
    let mut rng = Rng::new(3);
    let mut direction = || Vec3::new(rng.signed_unit(), rng.signed_unit(), rng.signed_unit());
    let points: Vec<Vec3> = (0..2_000).filter_map(|_| direction().try_normalize()).collect();
    let hull = ConvexHull::new(&points).unwrap();
    let triangles = hull.faces().iter().map(|face| {
        let vertices = hull.face_vertices(face);
        [vertices[0], vertices[1], vertices[2]]
    });
    let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let mesh = TriangleMesh::new(vertices, triangles.collect()).unwrap();
    let mesh = Shape::from(TriMesh::new(mesh).unwrap());
    let pose = Pose::from_translation(Vec3::X * 0.1);
    let manifolds = all_manifolds(&cuboid(2.0, 2.0, 2.0), &pose, &mesh, 0.0);
    assert!(!manifolds.is_empty());
    let closest = closest_points(&cuboid(2.0, 2.0, 2.0), &pose, &mesh, &Pose::IDENTITY);
    assert!((closest.distance + 2.9).abs() < 0.01, "{closest:?}");
}
