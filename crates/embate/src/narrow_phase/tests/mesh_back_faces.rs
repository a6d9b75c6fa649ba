use embate_geom::{
    Pose, Rotation, Vec3, scalar,
    shapes::{Capsule, Cuboid, Hull, Sphere},
};
use embate_mesh::TriangleMesh;

use super::super::{Manifold, contact, contacts, separation, touching};
use crate::shapes::{MeshShape, Shape};

/// `SplitMix64`: what the poses below were found with.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1_u32 << 24) as f32
    }

    fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    fn rotation(&mut self) -> Rotation {
        let axis = Vec3::new(self.signed(), self.signed(), self.signed() + 1e-3);
        Rotation::about(axis, 6.0 * self.unit()).unwrap()
    }
}

/// Ten by ten cells of size 1 whose vertices are moved about, by `rough` at most upwards and downwards.
fn ground(seed: u64, rough: f32) -> Shape {
    const CELLS: u32 = 10;
    const ROW: u32 = CELLS + 1;
    let mut random = Random(seed);
    let mut points = Vec::new();
    for z in 0..ROW {
        for x in 0..ROW {
            let x = x as f32 - 5.0 + 0.3 * random.signed();
            let y = rough * random.signed();
            points.push([x, y, z as f32 - 5.0 + 0.3 * random.signed()]);
        }
    }
    let mut triangles = Vec::new();
    for cell in 0..CELLS * CELLS {
        let corner = cell / CELLS * ROW + cell % CELLS;
        let [a, b, c, d] = [corner, corner + 1, corner + ROW, corner + ROW + 1];
        triangles.extend(if random.unit() < 0.5 {
            [[a, c, b], [b, c, d]]
        } else {
            [[a, c, d], [a, d, b]]
        });
    }
    MeshShape::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

fn corners(half: Vec3) -> Vec<Vec3> {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2));
    (0..8).map(|bits| half.scaled_by(corner(bits))).collect()
}

/// A box of triangles.
fn hollow(half: Vec3) -> Shape {
    let hull = Hull::new(&corners(half)).unwrap();
    let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let triangles = hull.faces().iter().flat_map(|face| {
        let corners = hull.corners(face);
        (1..corners.len() - 1).map(move |index| [corners[0], corners[index], corners[index + 1]])
    });
    let mesh = TriangleMesh::new(vertices, triangles.collect()).unwrap();
    MeshShape::new(mesh).unwrap().into()
}

fn turned(quaternion: [f32; 4], position: Vec3) -> Pose {
    Pose { rotation: Rotation::from_quaternion(quaternion).unwrap(), position }
}

fn cuboid(x: f32, y: f32, z: f32) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

fn all(body: &Shape, pose: &Pose, mesh: &Shape, margin: f32) -> Vec<Manifold> {
    let mut found = Vec::new();
    contacts(body, pose, mesh, &Pose::IDENTITY, margin, &mut found);
    found
}

fn deepest(found: &[Manifold]) -> f32 {
    found.iter().fold(f32::NEG_INFINITY, |deepest, contact| scalar::max(deepest, contact.depth()))
}

/// The middle of the box is behind the plane of a triangle on the other side of a ridge, which told its depth there and
/// pushed it into the ground.
#[test]
fn past_a_ridge_a_triangle_told_a_box_apart_from_it_that_it_was_a_quarter_deep() {
    let place = Vec3::new(1.2467963, 1.194002, 0.74661934);
    let pose = turned([-0.046893645, 0.75805086, 0.00095639145, 0.65050673], place);
    let (body, mesh) = (cuboid(1.5, 0.90000004, 1.2), ground(1, 0.3));
    let told = separation(&body, &pose, &mesh, &Pose::IDENTITY);
    assert!((told.distance - 0.00698).abs() < 1e-4, "{told:?}");
    let found = all(&body, &pose, &mesh, 0.06);
    assert!((deepest(&found) + told.distance).abs() < 1e-4, "{found:?}");
}

/// Bodies of all kinds let down on rough ground: no depth where they are apart, something where they are not.
#[test]
fn on_rough_ground_no_depth_is_told_of_what_is_apart_and_no_touch_is_lost() {
    let mut random = Random(31);
    for case in 0..600_u16 {
        let rough = [0.05, 0.3, 1.0, 2.5][usize::from(case % 4)];
        let mesh = ground(u64::from(case / 100), rough);
        let size = [1.0, 0.3, 3.0][usize::from(case % 3)];
        let body: Shape = match case % 5 {
            0 => Sphere::new(0.5 * size).unwrap().into(),
            1 => cuboid(0.5 * size, 0.3 * size, 0.4 * size),
            2 => Capsule::new(0.4 * size, 0.2 * size).unwrap().into(),
            3 => Hull::cylinder(0.4 * size, 0.3 * size, 7).unwrap().into(),
            _ => Hull::new(&corners(Vec3::splat(0.4 * size))).unwrap().into(),
        };
        let position = Vec3::new(3.0 * random.signed(), 5.0 + rough, 3.0 * random.signed());
        let mut pose = Pose { rotation: random.rotation(), position };
        let wanted = [-0.02, -0.1, 0.005][usize::from(case / 5 % 3)] * size;
        for _ in 0..30 {
            let told = separation(&body, &pose, &mesh, &Pose::IDENTITY);
            if told.distance < 0.0 && wanted < 0.0 {
                break;
            }
            pose.position.y -= scalar::max(told.distance - wanted, 1e-4 * size);
        }
        let told = separation(&body, &pose, &mesh, &Pose::IDENTITY);
        let margin = 0.02 * size;
        let found = all(&body, &pose, &mesh, margin);
        let name = format!("{case}: {body} at {pose:?}, {told:?}, {found:?}");
        if told.distance > 1e-4 * size {
            assert!(deepest(&found) <= 0.0, "{name}");
        }
        if told.distance < margin - 1e-4 * size {
            assert!(!found.is_empty(), "{name}");
        }
        assert_eq!(touching(&body, &pose, &mesh, &Pose::IDENTITY), told.distance <= 0.0, "{name}");
    }
}

/// Each of the triangles about the corner left it to the others to speak.
#[test]
fn a_box_that_touched_the_corner_of_a_box_of_triangles_was_told_nothing() {
    let mesh = hollow(Vec3::new(1.0, 0.7, 0.5));
    let small = cuboid(0.15, 0.09, 0.12);
    let place = Vec3::new(-1.0671304, 0.7897792, -0.67536783);
    let pose = turned([0.08436622, -0.41609254, -0.3323991, -0.8421759], place);
    let found = all(&small, &pose, &mesh, 0.006);
    assert!((deepest(&found) - 0.00305).abs() < 1e-4, "{found:?}");
    let cube = Shape::from(Hull::new(&corners(Vec3::splat(0.8))).unwrap());
    let place = Vec3::new(-1.8875076, 1.2427446, -1.3523537);
    let pose = turned([0.3232352, -0.21696821, 0.19238171, -0.9007958], place);
    let found = all(&cube, &pose, &mesh, 0.0);
    assert!((deepest(&found) - 0.032).abs() < 1e-3, "{found:?}");
}

/// What rounding may take of coordinates in the world was added to a way, and a way that was free only for that was told.
#[test]
fn ten_thousand_away_a_ball_on_a_cube_of_triangles_was_told_half_its_depth() {
    let (mesh, ball) = (hollow(Vec3::splat(1.0)), Shape::from(Sphere::new(0.5).unwrap()));
    let far = Pose::at(Vec3::X * 10_000.0);
    let pose = Pose::at(Vec3::new(10001.482, 0.9303009, -1.0839689));
    let told = separation(&ball, &pose, &mesh, &far);
    assert!((told.distance + 0.01032).abs() < 1e-4, "{told:?}");
}

/// The second sheet's contact counted as told before: where points of the world are a thousandth apart.
#[test]
fn ten_thousand_away_of_two_sheets_the_deeper_contact_was_dropped() {
    let sheet = |y: f32| [[-5.0, y, -5.0], [0.0, y, 5.0], [5.0, y, -5.0]];
    let points = [sheet(0.0), sheet(0.006)].concat();
    let mesh = TriangleMesh::new(points, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let mesh = Shape::from(MeshShape::new(mesh).unwrap());
    let ball = Shape::from(Sphere::new(0.5).unwrap());
    for x in [0.0, 1_000.0, 10_000.0] {
        let [below, above] = [0.0, 0.49].map(|y| Pose::at(Vec3::new(x, y, 0.0)));
        let found = contact(&ball, &above, &mesh, &below, 0.0).unwrap();
        assert!((found.depth() - 0.016).abs() < 1e-5, "at {x}: {found:?}");
    }
}

/// Near all three of its lines, every point of a sliver was taken for its first corner.
#[test]
fn a_ball_at_the_end_of_a_sliver_was_told_nothing() {
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-6, 0.0]];
    let mesh = TriangleMesh::new(points, vec![[0, 1, 2]]).unwrap();
    let mesh = Shape::from(MeshShape::new(mesh).unwrap());
    for (x, depth) in [(1.05, 0.05), (-0.05, 0.05), (1.0, 0.1)] {
        for body in
            [Shape::from(Sphere::new(0.1).unwrap()), Shape::from(Capsule::new(0.3, 0.1).unwrap())]
        {
            let pose = Pose::at(Vec3::X * x);
            let found = contact(&body, &pose, &mesh, &Pose::IDENTITY, 0.0);
            let found = found.unwrap_or_else(|| panic!("{body} at {x}"));
            assert!((found.depth() - depth).abs() < 1e-5, "{body} at {x}: {found:?}");
        }
    }
}

/// Their distance was 0, but they were told not to touch.
#[test]
fn triangles_that_are_apart_by_rounding_alone_touch_whoever_asks() {
    let triangle = |y: f32| {
        let points = vec![[0.0, y, 0.0], [0.0, y, 1.0], [1.0, y, 0.0]];
        Shape::from(MeshShape::new(TriangleMesh::new(points, vec![[0, 1, 2]]).unwrap()).unwrap())
    };
    for y in [0.0, 1e-9, 1e-7, 3e-7, 1e-6, 1e-5] {
        let (a, b, here) = (triangle(0.0), triangle(y), Pose::IDENTITY);
        let told = separation(&a, &here, &b, &here);
        assert_eq!(touching(&a, &here, &b, &here), told.distance <= 0.0, "{y}: {told:?}");
        let found = contact(&a, &here, &b, &here, 0.0);
        assert_eq!(found.is_some(), told.distance <= 0.0, "{y}: {told:?}, {found:?}");
    }
}

/// Every two normals were asked whether one answers for the other, and for each all triangles: 24 seconds.
#[test]
fn a_box_around_a_ball_of_thousands_of_triangles_is_answered_soon() {
    let mut random = Random(3);
    let mut direction = || Vec3::new(random.signed(), random.signed(), random.signed());
    let points: Vec<Vec3> = (0..2_000).filter_map(|_| direction().normalised()).collect();
    let hull = Hull::new(&points).unwrap();
    let triangles = hull.faces().iter().map(|face| {
        let corners = hull.corners(face);
        [corners[0], corners[1], corners[2]]
    });
    let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let mesh = TriangleMesh::new(vertices, triangles.collect()).unwrap();
    let mesh = Shape::from(MeshShape::new(mesh).unwrap());
    let pose = Pose::at(Vec3::X * 0.1);
    let found = all(&cuboid(2.0, 2.0, 2.0), &pose, &mesh, 0.0);
    assert!(!found.is_empty());
    let told = separation(&cuboid(2.0, 2.0, 2.0), &pose, &mesh, &Pose::IDENTITY);
    assert!((told.distance + 2.9).abs() < 0.01, "{told:?}");
}
