use embate_geom::{
    Pose, Rotation, Vec3, scalar,
    shapes::{Capsule, Cuboid, Hull, Plane, Sphere},
};
use embate_mesh::TriangleMesh;

use super::super::{contact, contacts, separation, touching};
use super::*;
use crate::shapes::Compound;

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 20
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() % (1 << 20)) as f32 / (1 << 20) as f32)
    }
}

/// A ground of 12 by 12 squares, each cut into two triangles along a random diagonal, its inner vertices
/// moved about, lifted by `height`, and turned as a whole.
fn ground(seed: u64, turn: Rotation, height: impl Fn(f32, f32) -> f32) -> Shape {
    const CELLS: u32 = 12;
    const ROW: u32 = CELLS + 1;
    let mut random = Random(seed);
    let mut points = Vec::new();
    for z in 0..ROW {
        for x in 0..ROW {
            let inner = (1..CELLS).contains(&x) && (1..CELLS).contains(&z);
            let mut jitter = || if inner { random.between(-0.2, 0.2) } else { 0.0 };
            let (x, z) = (x as f32 - 6.0 + jitter(), z as f32 - 6.0 + jitter());
            points.push(turn.turn(Vec3::new(x, height(x, z), z)).to_array());
        }
    }
    let mut triangles = Vec::new();
    for cell in 0..CELLS * CELLS {
        let corner = cell / CELLS * ROW + cell % CELLS;
        let [a, b, c, d] = [corner, corner + 1, corner + ROW, corner + ROW + 1];
        let pair = if random.bits().is_multiple_of(2) {
            [[a, c, b], [b, c, d]]
        } else {
            [[a, c, d], [a, d, b]]
        };
        triangles.extend(pair);
    }
    MeshShape::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

fn cuboid() -> Shape {
    Cuboid::new(Vec3::new(0.7, 0.5, 0.4)).unwrap().into()
}

/// Bodies and how high their middles are when they lie on the ground turned so.
fn bodies() -> Vec<(Shape, Rotation, f32)> {
    let lying = Rotation::about(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let on_edge = Rotation::about(Vec3::X, core::f32::consts::FRAC_PI_4).unwrap();
    vec![
        (cuboid(), Rotation::IDENTITY, 0.5),
        (Cuboid::new(Vec3::splat(0.5)).unwrap().into(), on_edge, 0.5_f32.sqrt()),
        (Sphere::new(0.5).unwrap().into(), Rotation::IDENTITY, 0.5),
        (Capsule::new(0.6, 0.3).unwrap().into(), lying, 0.3),
        (Capsule::new(0.6, 0.3).unwrap().into(), Rotation::IDENTITY, 0.9),
        (Hull::cylinder(0.4, 0.6, 12).unwrap().into(), Rotation::IDENTITY, 0.4),
        (Hull::cylinder(0.4, 0.6, 12).unwrap().into(), lying, 0.6),
    ]
}

/// Slides a body a thousand steps over the ground, sunk in by `depth`, turning slowly.
fn slide(
    mesh: &Shape,
    turn: Rotation,
    (body, lying, height): &(Shape, Rotation, f32),
    depth: f32,
    mut tell: impl FnMut(u32, &Pose, &[Manifold]),
) {
    let mut found = Vec::new();
    for step in 0..1_000_u32 {
        let time = step as f32 * 1e-3;
        let spin = Rotation::about(Vec3::Y, 0.2 + 2.0 * time).unwrap();
        let at = Vec3::new(-4.3 + 8.5 * time, height - depth, -3.7 + 7.1 * time);
        let pose = Pose { rotation: turn * spin * *lying, position: turn.turn(at) };
        let pose = Pose { rotation: pose.rotation.renormalised(), ..pose };
        found.clear();
        contacts(body, &pose, mesh, &Pose::IDENTITY, 0.02, &mut found);
        tell(step, &pose, &found);
    }
}

#[test]
fn a_body_that_slides_over_a_flat_mesh_feels_no_bump() {
    let tilted = Rotation::about(Vec3::new(1.0, 0.3, -0.5), 0.7).unwrap();
    for (seed, turn) in [(1, Rotation::IDENTITY), (2, Rotation::IDENTITY), (3, tilted)] {
        let mesh = ground(seed, turn, |_, _| 0.0);
        let up = turn.turn(Vec3::Y);
        for body in bodies() {
            for depth in [0.01, 0.1, -0.005] {
                slide(&mesh, turn, &body, depth, |step, _, found| {
                    let what = || format!("{:?} step {step} depth {depth}", body.0);
                    assert!(!found.is_empty(), "{}", what());
                    let mut deepest = f32::NEG_INFINITY;
                    for manifold in found {
                        let off = (manifold.normal + up).length();
                        assert!(off < 2e-6, "{}: {manifold:?}", what());
                        deepest = scalar::max(deepest, manifold.depth());
                    }
                    assert!((deepest - depth).abs() < 1e-5, "{}: {deepest}", what());
                });
            }
        }
    }
}

/// A dome and a bowl: every normal lies among those of the triangle and of those about its corners.
#[test]
fn on_a_gently_curved_mesh_normals_stay_among_those_of_the_neighbours() {
    for bend in [0.01, -0.01] {
        let height = |x: f32, z: f32| bend * (x * x + z * z);
        let mesh = ground(5, Rotation::IDENTITY, height);
        let Shape::Mesh(shape) = &mesh else { unreachable!() };
        for (body, lying, lift) in bodies() {
            let mut found = Vec::new();
            for step in 0..1_000_u32 {
                let time = step as f32 * 1e-3;
                let (x, z) = (-4.3 + 8.5 * time, -3.7 + 7.1 * time);
                let position = Vec3::new(x, height(x, z) + lift - 0.02, z);
                let spin = Rotation::about(Vec3::Y, 2.0 * time).unwrap();
                let pose = Pose { rotation: spin * lying, position };
                found.clear();
                contacts(&body, &pose, &mesh, &Pose::IDENTITY, 0.02, &mut found);
                assert!(!found.is_empty(), "{body:?} step {step}");
                for manifold in &found {
                    let own = shape.normal(manifold.parts[1]).unwrap();
                    let corners = shape.mesh().triangles()[manifold.parts[1] as usize];
                    let least = (0..shape.mesh().triangles().len() as u32)
                        .filter(|&other| {
                            let others = shape.mesh().triangles()[other as usize];
                            others.iter().any(|corner| corners.contains(corner))
                        })
                        .filter_map(|other| shape.normal(other))
                        .fold(1.0, |least, normal| scalar::min(least, normal.dot(own)));
                    let told = -manifold.normal.dot(own);
                    assert!(
                        told > least - 1e-4,
                        "{body:?} step {step}: {told} {least} {manifold:?}"
                    );
                }
            }
        }
    }
}

/// In the corner of a room, a box is pushed by floor and wall, and by nothing between.
#[test]
fn a_box_in_a_corner_touches_floor_and_wall_alone() {
    let points = [
        [0.0, 0.0, -5.0],
        [0.0, 0.0, 5.0],
        [5.0, 0.0, -5.0],
        [5.0, 0.0, 5.0],
        [0.0, 5.0, -5.0],
        [0.0, 5.0, 5.0],
    ];
    let triangles = vec![[0, 1, 2], [1, 3, 2], [0, 4, 1], [1, 4, 5]];
    let room = MeshShape::new(TriangleMesh::new(points.to_vec(), triangles).unwrap()).unwrap();
    assert_eq!((room.normal(0), room.normal(2)), (Some(Vec3::Y), Some(Vec3::X)));
    let room = Shape::from(room);
    for spin in 0..20 {
        let rotation = Rotation::about(Vec3::Y, 0.08 * spin as f32).unwrap();
        for (body, reach) in [(cuboid(), 0.0), (Sphere::new(0.5).unwrap().into(), 0.49)] {
            // As near to the wall as its corners are long, sunk in by a hundredth.
            let axes = rotation.matrix().columns;
            let wide = (0.7 * axes[0].x).abs() + (0.4 * axes[2].x).abs() - 0.01;
            let x = if reach > 0.0 { reach } else { wide };
            let pose = Pose { rotation, position: Vec3::new(x, 0.49, 0.3) };
            let mut found = Vec::new();
            contacts(&body, &pose, &room, &Pose::IDENTITY, 0.0, &mut found);
            let (mut floor, mut wall) = (false, false);
            for manifold in &found {
                floor |= (manifold.normal + Vec3::Y).length() < 1e-6;
                wall |= (manifold.normal + Vec3::X).length() < 1e-6;
                let known = manifold.normal == -Vec3::Y || manifold.normal == -Vec3::X;
                assert!(known, "{body:?}: {manifold:?}");
                assert!((manifold.depth() - 0.01).abs() < 1e-5, "{body:?}: {manifold:?}");
            }
            assert!(floor && wall, "{body:?} spin {spin}: {found:?}");
        }
    }
}

/// Two sides that rise from the z axis, and a wall under their end at z = 2 if it is to be closed.
fn valley(sin: f32, closed: bool) -> Shape {
    let cos = (1.0 - sin * sin).sqrt();
    let points = [-1.0_f32, 0.0, 1.0].into_iter().flat_map(|x| {
        let side = move |z: f32| [2.0 * cos * x, 2.0 * sin * x.abs(), z];
        [side(-2.0), side(2.0), [2.0 * cos * x, -2.0, 2.0]]
    });
    let mut triangles = vec![[0, 1, 4], [0, 4, 3], [3, 4, 7], [3, 7, 6]];
    if closed {
        triangles.extend([[1, 2, 5], [1, 5, 4], [4, 5, 8], [4, 8, 7]]);
    }
    MeshShape::new(TriangleMesh::new(points.collect(), triangles).unwrap()).unwrap().into()
}

/// Of two sides one was left out if the push of the other freed it, so that a ball in between rocked from side to side.
#[test]
fn what_is_round_in_an_open_valley_touches_both_sides_however_deep_it_is_in_each() {
    let (sin, cos) = (0.45, (1.0_f32 - 0.45 * 0.45).sqrt());
    let (valley, radius) = (valley(sin, false), 0.4);
    let lying = Rotation::about(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let round: [Shape; 2] =
        [Sphere::new(radius).unwrap().into(), Capsule::new(0.3, radius).unwrap().into()];
    let turned = Rotation::about(Vec3::new(1.0, 2.0, -0.5), 2.0).unwrap();
    let elsewhere = Pose { rotation: turned, position: Vec3::new(30.0, -20.0, 50.0) };
    for (body, mesh) in round.iter().flat_map(|body| [(body, Pose::IDENTITY), (body, elsewhere)]) {
        for (left, right) in (1..20).flat_map(|left| (1..20).map(move |right| (left, right))) {
            let depths = [left, right].map(|depth| 2.5e-5 * depth as f32);
            let [one, other] = depths.map(|depth| radius - depth);
            let at = Vec3::new((one - other) / (2.0 * sin), (one + other) / (2.0 * cos), 0.1);
            let pose = Pose { rotation: mesh.rotation * lying, position: mesh.point(at) };
            let mut found = Vec::new();
            contacts(body, &pose, &valley, &mesh, 0.0, &mut found);
            for (side, depth) in [sin, -sin].into_iter().zip(depths) {
                let normal = mesh.rotation.turn(Vec3::new(side, cos, 0.0));
                let told = found.iter().find(|told| (told.normal + normal).length() < 1e-5);
                let off = told.map(|told| (told.depth() - depth).abs());
                assert!(off.is_some_and(|off| off < 2e-5), "{body} {depths:?}: {found:?}");
            }
        }
    }
}

/// Half over the end of a valley, it is held by the sides alone: the wall below would push it back by all that overhangs.
#[test]
fn a_box_that_overhangs_the_end_of_a_valley_is_not_pushed_back_in() {
    let (sin, body) = (0.087, Shape::from(Cuboid::new(Vec3::splat(0.5)).unwrap()));
    let slope = sin / (1.0_f32 - sin * sin).sqrt();
    let pose = Pose::at(Vec3::new(0.0, 0.5 + 0.5 * slope - 5e-4, 1.9));
    let mut found = Vec::new();
    contacts(&body, &pose, &valley(sin, true), &Pose::IDENTITY, 0.0, &mut found);
    assert!(found.len() >= 2, "{found:?}");
    for told in found {
        assert!(told.normal.z.abs() < 1e-3 && told.depth() < 1e-3, "{told:?}");
    }
}

/// A ridge is there to be felt: a ball on it is pushed straight up, once.
#[test]
fn a_ridge_pushes_along_the_way_to_the_ball_and_once() {
    let roof = ground(7, Rotation::IDENTITY, |x, _| -0.5 * x.abs());
    let ball = Shape::from(Sphere::new(0.5).unwrap());
    // The squares are cut at x = 0 but for the jitter of the vertices there: look for the highest edge.
    let mut found = Vec::new();
    contacts(&ball, &Pose::at(Vec3::new(0.0, 0.3, 0.0)), &roof, &Pose::IDENTITY, 0.0, &mut found);
    assert!(!found.is_empty());
    for manifold in &found {
        assert!((manifold.normal.length() - 1.0).abs() < 1e-6);
        assert!(-manifold.normal.y > 0.75, "{manifold:?}");
    }
    let square = |height: f32| {
        let points = [
            [-1.0, height, -1.0],
            [-1.0, height, 1.0],
            [0.0, 0.0, -1.0],
            [0.0, 0.0, 1.0],
            [1.0, height, -1.0],
            [1.0, height, 1.0],
        ];
        let triangles = vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
        Shape::from(MeshShape::new(TriangleMesh::new(points.to_vec(), triangles).unwrap()).unwrap())
    };
    found.clear();
    contacts(
        &ball,
        &Pose::at(Vec3::new(0.0, 0.49, 0.5)),
        &square(-1.0),
        &Pose::IDENTITY,
        0.0,
        &mut found,
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].normal + Vec3::Y).length() < 1e-6 && (found[0].depth() - 0.01).abs() < 1e-6);
}

#[test]
fn asked_the_other_way_round_a_mesh_answers_the_same() {
    let turn = Rotation::about(Vec3::new(0.2, 1.0, 0.4), 0.4).unwrap();
    let pose = Pose { rotation: turn, position: Vec3::new(3.0, -2.0, 1.0) };
    let bumpy = ground(11, Rotation::IDENTITY, |x, z| 0.3 * scalar::sin_cos(x + 0.7 * z).0);
    let parts = vec![(Pose::at(Vec3::new(0.4, 0.0, 0.0)), cuboid()), (Pose::IDENTITY, cuboid())];
    let mut all: Vec<Shape> = bodies().into_iter().map(|(body, _, _)| body).collect();
    all.push(Compound::new(parts).unwrap().into());
    all.push(Plane::new(Vec3::new(0.1, 1.0, 0.2)).unwrap().into());
    all.push(ground(12, turn, |_, _| 0.0));
    let mut random = Random(3);
    for body in &all {
        for _ in 0..60 {
            let mut any = || random.between(-1.0, 1.0);
            let rotation = Rotation::about(Vec3::new(any(), any(), any()), 3.0 * any()).unwrap();
            let place = Vec3::new(3.0 * any(), 0.8 * any(), 3.0 * any());
            let other = Pose { rotation, position: pose.point(place) };
            let (mut one, mut two) = (Vec::new(), Vec::new());
            contacts(body, &other, &bumpy, &pose, 0.05, &mut one);
            contacts(&bumpy, &pose, body, &other, 0.05, &mut two);
            let turned: Vec<Manifold> = two.iter().map(|m| m.turned_round()).collect();
            assert_eq!(one, turned, "{body:?}");
            for manifold in &one {
                assert!((manifold.normal.length() - 1.0).abs() < 1e-6, "{body:?}: {manifold:?}");
                assert!(manifold.points().iter().all(|p| p.depth >= -0.05 && p.point.is_finite()));
            }
            let told = separation(body, &other, &bumpy, &pose);
            assert_eq!(told, separation(&bumpy, &pose, body, &other).turned_round());
            assert!((told.normal_ab.length() - 1.0).abs() < 1e-6, "{body:?}: {told:?}");
            let touches = touching(body, &other, &bumpy, &pose);
            assert_eq!(touches, touching(&bumpy, &pose, body, &other));
            if told.distance.abs() > 1e-5 {
                assert_eq!(touches, told.distance < 0.0, "{body:?}: {told:?}");
            }
            if told.distance > 0.051 {
                assert!(one.is_empty(), "{body:?}: {told:?} {one:?}");
            }
        }
    }
}

/// Over a flat mesh distance and contact are those of the plane.
#[test]
fn a_flat_mesh_is_as_far_as_its_plane() {
    let (mesh, plane) =
        (ground(4, Rotation::IDENTITY, |_, _| 0.0), Shape::from(Plane::new(Vec3::Y).unwrap()));
    let mut random = Random(9);
    for (body, _, _) in bodies() {
        for _ in 0..200 {
            let mut any = || random.between(-1.0, 1.0);
            let rotation = Rotation::about(Vec3::new(any(), any(), any()), 3.0 * any()).unwrap();
            let position = Vec3::new(3.0 * any(), 1.2 + 0.6 * any(), 3.0 * any());
            let pose = Pose { rotation, position };
            let (one, other) = (
                separation(&body, &pose, &mesh, &Pose::IDENTITY),
                separation(&body, &pose, &plane, &Pose::IDENTITY),
            );
            if other.distance > 0.0 {
                assert!((one.distance - other.distance).abs() < 1e-5, "{body:?} {one:?} {other:?}");
                assert!((one.normal_ab - other.normal_ab).length() < 1e-3, "{body:?} {one:?}");
            }
            let deepest = contact(&body, &pose, &mesh, &Pose::IDENTITY, 0.1);
            let expected = contact(&body, &pose, &plane, &Pose::IDENTITY, 0.1);
            assert_eq!(deepest.is_some(), expected.is_some(), "{body:?} {deepest:?} {expected:?}");
            if let (Some(deepest), Some(expected)) = (deepest, expected) {
                assert!((deepest.depth() - expected.depth()).abs() < 1e-5, "{body:?} {deepest:?}");
                assert!((deepest.normal - expected.normal).length() < 1e-5, "{body:?} {deepest:?}");
            }
        }
    }
}

/// Hills and hollows: what is apart and within the margin is told, and as far as it is.
#[test]
fn over_hills_no_contact_within_the_margin_is_lost() {
    let hills = ground(31, Rotation::IDENTITY, |x, z| {
        0.25 * scalar::sin_cos(0.9 * x + 0.3).0 * scalar::sin_cos(0.7 * z).1
    });
    let mut random = Random(17);
    for (body, _, _) in bodies() {
        for _ in 0..400 {
            let mut any = || random.between(-1.0, 1.0);
            let rotation = Rotation::about(Vec3::new(any(), any(), any()), 3.0 * any()).unwrap();
            let mut pose = Pose { rotation, position: Vec3::new(4.0 * any(), 3.0, 4.0 * any()) };
            let gap = 0.01 + 0.005 * any();
            for _ in 0..6 {
                let told = separation(&body, &pose, &hills, &Pose::IDENTITY);
                pose.position.y -= told.distance - gap;
            }
            let told = separation(&body, &pose, &hills, &Pose::IDENTITY);
            if told.distance > 1e-4 && told.distance < 0.019 {
                let found = contact(&body, &pose, &hills, &Pose::IDENTITY, 0.02);
                let Some(found) = found else { panic!("{body:?} {pose:?}: {told:?}") };
                let off = (found.depth() + told.distance).abs();
                assert!(off < 1e-4, "{body:?} {pose:?}: {told:?} {found:?}");
            }
        }
    }
}

/// Meshes that cross, that are apart, and a mesh within reach of a half-space.
#[test]
fn two_meshes_and_a_mesh_on_the_ground_are_told() {
    let flat = ground(21, Rotation::IDENTITY, |_, _| 0.0);
    let upright = Rotation::about(Vec3::X, core::f32::consts::FRAC_PI_2).unwrap();
    let wall = ground(22, upright, |_, _| 0.0);
    let at = |y: f32| Pose::at(Vec3::new(0.0, y, 0.0));
    assert!(touching(&flat, &at(0.0), &wall, &at(0.0)));
    assert!(!touching(&flat, &at(0.0), &wall, &at(6.5)));
    let told = separation(&flat, &at(0.0), &wall, &at(6.5));
    assert!((told.distance - 0.5).abs() < 1e-5 && (told.normal_ab - Vec3::Y).length() < 1e-5);
    let told = separation(&flat, &at(0.0), &flat, &at(2.0));
    assert!((told.distance - 2.0).abs() < 1e-5, "{told:?}");
    let below = Shape::from(Plane::new(Vec3::Y).unwrap());
    let told = separation(&below, &at(0.0), &wall, &at(7.0));
    assert!((told.distance - 1.0).abs() < 1e-5, "{told:?}");
    let mut found = Vec::new();
    contacts(&below, &at(0.0), &wall, &at(5.99), 0.0, &mut found);
    assert!(!found.is_empty());
    for manifold in &found {
        assert!((manifold.depth() - 0.01).abs() < 1e-5, "{manifold:?}");
        assert_eq!(manifold.normal, Vec3::Y);
    }
}
