//! Time of impact of convex shapes, half-spaces, meshes and compounds.

use std::sync::Arc;

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Sphere},
};
use embate_mesh::TriangleMesh;

use crate::narrow_phase::{Sweep, TimeOfImpact, closest_points, time_of_impact};
use crate::shapes::{Compound, Shape, TriMesh};

fn sphere(radius: f32) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn cube(half_extent: f32) -> Shape {
    Cuboid::new(Vec3::splat(half_extent)).unwrap().into()
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

#[track_caller]
fn impact_both_ways(a: &Shape, sweep_a: &Sweep, b: &Shape, sweep_b: &Sweep) -> TimeOfImpact {
    let impact =
        time_of_impact(a, sweep_a, b, sweep_b, 0.0).expect("the shapes touch during the sweep");
    let swapped =
        time_of_impact(b, sweep_b, a, sweep_a, 0.0).expect("the shapes touch during the sweep");
    assert_eq!(impact, swapped.flipped());
    assert!((impact.normal.length() - 1.0).abs() < 1e-6, "{impact:?}");
    impact
}

#[test]
fn spheres_touch_at_their_surfaces() {
    let a = Sweep::linear(at(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0));
    let b = Sweep::linear(at(5.0, 0.0, 0.0), Vec3::new(-4.0, 0.0, 0.0));
    let impact = impact_both_ways(&sphere(0.5), &a, &sphere(0.5), &b);
    assert!((impact.fraction - 0.5).abs() < 1e-6, "{impact:?}");
    assert_eq!(impact.normal, Vec3::X);
    assert!((impact.witness_points[0] - Vec3::new(2.5, 0.0, 0.0)).length() < 1e-5, "{impact:?}");
    assert!(!impact.initially_overlapping);
    let away = Sweep::linear(at(5.0, 0.0, 0.0), Vec3::new(4.0, 1.0, 0.0));
    assert_eq!(time_of_impact(&sphere(0.5), &a, &sphere(0.5), &away, 0.0), None);
    let early = time_of_impact(&sphere(0.5), &a, &sphere(0.5), &b, 1.0).unwrap();
    assert!((early.fraction - 0.375).abs() < 1e-6, "{early:?}");
}

#[test]
fn initial_overlap_is_reported() {
    let stationary = Sweep::stationary(Pose::IDENTITY);
    for (x, depth) in [(0.9, 0.1), (1.0, 0.0), (1e-3, 0.999)] {
        let moving = Sweep::new(at(x, 0.0, 0.0), Vec3::X, Vec3::Y);
        let impact = impact_both_ways(&cube(0.5), &stationary, &cube(0.5), &moving);
        assert!(impact.initially_overlapping && impact.fraction == 0.0, "{impact:?}");
        let offset = impact.witness_points[0] - impact.witness_points[1];
        assert!((offset.dot(impact.normal) - depth).abs() < 1e-6, "{impact:?}");
        assert!((impact.penetration - depth).abs() < 1e-6, "{impact:?}");
    }
}

#[test]
fn translation_by_the_initial_penetration_separates_the_shapes() {
    let round = Shape::from(Capsule::new(0.4, 0.3).unwrap());
    let pair = [(at(-1.0, 0.0, 0.0), cube(0.5)), (at(1.0, 0.0, 0.0), sphere(0.5))];
    let compound = Shape::from(Compound::new(pair.to_vec()).unwrap());
    for shape in [sphere(0.5), cube(0.5), round, compound] {
        let stationary = Sweep::stationary(Pose::IDENTITY);
        let start = at(0.65, 0.3, 0.1);
        let sweep = Sweep::linear(start, Vec3::X * 3.0);
        let impact = impact_both_ways(&shape, &stationary, &cube(0.4), &sweep);
        assert!(impact.initially_overlapping && impact.penetration > 0.0, "{impact:?}");
        let apart = impact.normal * (impact.penetration + 1e-5);
        let separated = Pose { position: start.position + apart, ..start };
        let distance = closest_points(&shape, &Pose::IDENTITY, &cube(0.4), &separated).distance;
        assert!(distance > 0.0, "{impact:?}, {distance}");
    }
}

#[test]
fn later_impact_has_no_penetration() {
    let stationary = Sweep::stationary(at(5.0, 0.0, 0.0));
    let sweep = Sweep::linear(Pose::IDENTITY, Vec3::X * 10.0);
    let impact = impact_both_ways(&cube(0.5), &sweep, &sphere(0.5), &stationary);
    assert_eq!((impact.initially_overlapping, impact.penetration), (false, 0.0));
    // Within the distance of the query, but not in contact.
    let near = Sweep::stationary(at(1.05, 0.0, 0.0));
    let impact = time_of_impact(&cube(0.5), &sweep, &sphere(0.5), &near, 0.1).unwrap();
    assert_eq!((impact.initially_overlapping, impact.penetration), (true, 0.0));
}

#[test]
fn rotating_capsule_hits_a_sphere() {
    let capsule = Shape::from(Capsule::new(2.0, 0.1).unwrap());
    let rotating = Sweep::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 0.0, -2.0));
    let stationary = Sweep::stationary(at(1.5, 0.0, 0.0));
    let impact = impact_both_ways(&capsule, &rotating, &sphere(0.5), &stationary);
    // It rotates from y towards x, until the axis of the capsule is 0.6 from the center of the
    // sphere.
    let angle = core::f64::consts::FRAC_PI_2 - 0.411_516_846_067_488_06;
    assert!((f64::from(impact.fraction) - angle / 2.0).abs() < 1e-6, "{impact:?}");
    assert!(f64::from(impact.fraction) <= angle / 2.0);
}

/// A center of mass away from the origin, as of a hammer.
#[test]
fn sweep_rotates_about_the_given_center() {
    let stick = Shape::from(Cuboid::new(Vec3::new(1.0, 0.1, 0.1)).unwrap());
    let rotating = Sweep {
        local_center: Vec3::new(-1.0, 0.0, 0.0),
        ..Sweep::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0))
    };
    // At a distance of 1.5 from the center of rotation, at an angle of 45°.
    let target = Sweep::stationary(at(-1.0 + 1.5 * 0.5_f32.sqrt(), 1.5 * 0.5_f32.sqrt(), 0.0));
    let impact = impact_both_ways(&stick, &rotating, &sphere(0.1), &target);
    let expected = core::f32::consts::FRAC_PI_4 - 0.2 / 1.5;
    assert!((impact.fraction - expected).abs() < 2e-3, "{impact:?}");
}

#[test]
fn rotating_box_hits_the_ground_with_a_vertex() {
    let ground = Shape::from(HalfSpace::new(Vec3::Y).unwrap());
    let falling = Sweep::new(
        at(0.0, 2.0, 0.0),
        Vec3::new(0.0, -2.0, 0.0),
        Vec3::Z * core::f32::consts::FRAC_PI_4,
    );
    for body in [cube(0.5), hull_cube()] {
        let impact = impact_both_ways(&ground, &Sweep::stationary(Pose::IDENTITY), &body, &falling);
        let pose = falling.pose_at(impact.fraction);
        let height = pose.transform_point(Vec3::new(-0.5, -0.5, 0.5)).y;
        assert!(height.abs() < 1e-5, "{impact:?} {height}");
        assert_eq!(impact.normal, Vec3::Y);
    }
}

fn hull_cube() -> Shape {
    let vertex = |bits: u32| {
        let side = |axis: u32| if bits >> axis & 1 == 1 { 0.5 } else { -0.5 };
        Vec3::new(side(0), side(1), side(2))
    };
    ConvexHull::new(&(0..8).map(vertex).collect::<Vec<_>>()).unwrap().into()
}

/// A rotating half-space is fast far from its origin.
#[test]
fn rotating_half_space_hits_a_sphere() {
    let ground = Shape::from(HalfSpace::new(Vec3::Y).unwrap());
    let rotating = Sweep::new(Pose::IDENTITY, Vec3::ZERO, Vec3::Z * 0.5);
    let stationary = Sweep::stationary(at(100.0, 10.0, 0.0));
    let impact = impact_both_ways(&ground, &rotating, &sphere(1.0), &stationary);
    // Angle of the line through the origin at a distance of 1 from the center of the sphere.
    let angle = asin(10.0 / 10_100.0_f64.sqrt()) - asin(1.0 / 10_100.0_f64.sqrt());
    assert!((f64::from(impact.fraction) - angle / 0.5).abs() < 1e-6, "{impact:?} {angle}");
}

fn asin(sine: f64) -> f64 {
    embate_geom::scalar::atan2_f64(sine, (1.0 - sine * sine).sqrt())
}

fn floor(cells: u32, size: f32) -> Shape {
    let at = |i: u32| (i as f32 / cells as f32 - 0.5) * size;
    let points = (0..=cells).flat_map(|z| (0..=cells).map(move |x| [at(x), 0.0, at(z)])).collect();
    let row = cells + 1;
    let triangles = (0..cells * cells)
        .flat_map(|cell| {
            let vertex = cell / cells * row + cell % cells;
            [[vertex, vertex + row, vertex + 1], [vertex + 1, vertex + row, vertex + row + 1]]
        })
        .collect();
    TriMesh::new(TriangleMesh::new(points, triangles).unwrap()).unwrap().into()
}

#[test]
fn flat_mesh_is_hit_like_its_plane() {
    let (mesh, half_space) = (floor(40, 20.0), Shape::from(HalfSpace::new(Vec3::Y).unwrap()));
    let stationary = Sweep::stationary(at(0.0, 0.0, 0.0));
    for (body, angle) in
        [(sphere(0.3), 0.0), (cube(0.3), 0.0), (cube(0.3), 2.0), (hull_cube(), 6.0)]
    {
        for sideways in [0.0, 3.0, 14.0] {
            let translation = Vec3::new(sideways, -4.0, 0.4 * sideways);
            let falling =
                Sweep::new(at(-5.0, 3.0, 0.1), translation, Vec3::new(angle, 0.5 * angle, 0.1));
            let on_mesh = impact_both_ways(&body, &falling, &mesh, &stationary);
            let on_plane = impact_both_ways(&body, &falling, &half_space, &stationary);
            assert!(
                (on_mesh.fraction - on_plane.fraction).abs() < 1e-6,
                "{on_mesh:?} {on_plane:?}"
            );
            assert!((on_mesh.normal + Vec3::Y).length() < 1e-4, "{on_mesh:?}");
        }
    }
    // No impact beside the floor.
    let beside = Sweep::linear(at(11.0, 3.0, 0.0), Vec3::new(0.0, -9.0, 0.0));
    assert_eq!(time_of_impact(&sphere(0.3), &beside, &mesh, &stationary, 0.0), None);
    // The floor may move and rotate instead of the sphere.
    let rising = Sweep::new(Pose::IDENTITY, Vec3::new(0.0, 4.0, 0.0), Vec3::Y * 3.0);
    let stationary = Sweep::stationary(at(1.0, 3.0, 2.0));
    let impact = impact_both_ways(&mesh, &rising, &sphere(0.3), &stationary);
    assert!((impact.fraction - 0.675).abs() < 1e-6, "{impact:?}");
}

#[test]
fn impact_reports_sub_shapes_of_a_compound() {
    let parts = vec![(at(0.0, 0.0, 0.0), cube(0.2)), (at(3.0, 0.0, 0.0), sphere(0.5))];
    let compound = Shape::Compound(Arc::new(Compound::new(parts).unwrap()));
    let rotating = Sweep::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0));
    let stationary = Sweep::stationary(at(0.0, 3.0, 0.0));
    // After 90° the sphere of the compound would be there; it takes less than 1 radian to touch a
    // large one.
    let impact = impact_both_ways(&compound, &rotating, &sphere(1.5), &stationary);
    assert_eq!(impact.sub_shapes, [1, 0]);
    let initial_distance =
        2.0 * 3.0 * embate_geom::scalar::sin_cos_f64(core::f64::consts::FRAC_PI_4 / 2.0).0;
    assert!(initial_distance > 2.0, "the shapes overlap at the start");
    let on_floor = impact_both_ways(
        &compound,
        &rotating,
        &floor(10, 40.0),
        &Sweep::stationary(at(0.0, 2.0, 0.0)),
    );
    assert_eq!(on_floor.sub_shapes[0], 1);
    assert!(on_floor.fraction < 0.55, "{on_floor:?}");
}

#[test]
fn sweeps_out_of_range_hit_nothing() {
    let stationary = Sweep::stationary(Pose::IDENTITY);
    for invalid in [f32::NAN, f32::INFINITY, 1e30] {
        for sweep in [
            Sweep::linear(at(3.0, 0.0, 0.0), Vec3::X * invalid),
            Sweep::new(at(3.0, 0.0, 0.0), Vec3::X, Vec3::X * invalid),
            Sweep::stationary(at(invalid, 0.0, 0.0)),
        ] {
            assert_eq!(time_of_impact(&cube(1.0), &stationary, &cube(1.0), &sweep, 0.0), None);
        }
    }
    // For very fast rotation the fraction is too early rather than too late.
    let rotating = Sweep::new(at(3.0, 0.0, 0.0), -Vec3::X, Vec3::Z * 1e6);
    let impact = time_of_impact(&cube(1.0), &stationary, &cube(1.0), &rotating, 0.0).unwrap();
    assert!(impact.fraction <= 1.0 - 0.414, "{impact:?}");
}

#[test]
fn precision_is_kept_far_from_the_origin() {
    let far = Vec3::splat(10_000.0);
    let rotation = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.5).unwrap();
    let a = Sweep::new(Pose { rotation, position: far }, Vec3::ZERO, Vec3::X);
    let b = Sweep::linear(
        Pose::from_translation(far + Vec3::new(4.0, 0.0, 0.0)),
        Vec3::new(-4.0, 0.0, 0.0),
    );
    let near_origin = |sweep: &Sweep| Sweep {
        start: Pose { position: sweep.start.position - far, ..sweep.start },
        ..*sweep
    };
    let far_impact = impact_both_ways(&cube(0.5), &a, &sphere(0.5), &b);
    let near_impact =
        impact_both_ways(&cube(0.5), &near_origin(&a), &sphere(0.5), &near_origin(&b));
    assert_eq!(
        (far_impact.fraction, far_impact.normal),
        (near_impact.fraction, near_impact.normal)
    );
}

/// Regression: every triangle below the body took hundreds of distance queries in each of the 32
/// intervals, 9 s in total.
#[test]
fn fast_rotation_above_a_large_mesh_stays_cheap() {
    const CELLS: u32 = 64;
    const ROW: u32 = CELLS + 1;
    let coordinate = |index: u32| (index as f32 / CELLS as f32 - 0.5) * 20.0;
    let points =
        (0..ROW * ROW).map(|index| [coordinate(index % ROW), 0.0, coordinate(index / ROW)]);
    let triangles = (0..CELLS * CELLS).flat_map(|cell| {
        let vertex = cell / CELLS * ROW + cell % CELLS;
        [[vertex, vertex + ROW, vertex + 1], [vertex + 1, vertex + ROW, vertex + ROW + 1]]
    });
    let mesh = TriangleMesh::new(points.collect(), triangles.collect()).unwrap();
    let floor = Shape::from(TriMesh::new(mesh).unwrap());
    let stationary = Sweep::stationary(Pose::IDENTITY);
    for size in [0.5, 5.0] {
        let sweep = |height: f32, down: f32| {
            let translation = Vec3::new(3.0, -down, 0.0);
            Sweep::new(at(0.0, height, 0.0), translation, Vec3::new(300.0, 1000.0, 0.0))
        };
        let rotating = sweep(2.0 * size, 0.0);
        assert_eq!(
            time_of_impact(&cube(size), &rotating, &floor, &stationary, 0.0),
            None,
            "size {size}"
        );
        // With this rotation axis the vertices reach 1.5386 times the size down. The impact is at
        // most one rotation later than the earliest possible.
        let falling = sweep(2.0 * size, size);
        let impact = impact_both_ways(&cube(size), &falling, &floor, &stationary);
        assert!(impact.fraction > 0.26 && impact.fraction < 0.468, "size {size}: {impact:?}");
    }
}
