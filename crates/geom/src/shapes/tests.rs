//! Queries of all shapes, checked against closed formulas and brute force.

use std::collections::BTreeSet;

use embate_test_util::Rng;

use crate::shapes::*;
use crate::{BoundingSphere, Mat3, Ray, Rotation};

const PI: f32 = core::f32::consts::PI;

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() <= 2e-5 * (1.0 + b.abs())
}

fn assert_diagonal(inertia: Mat3, diagonal: [f32; 3]) {
    let [a, b, c] = inertia.columns;
    let found = [a.x, b.y, c.z];
    assert!(
        (0..3).all(|axis| close(found[axis], diagonal[axis])),
        "{found:?}, expected {diagonal:?}"
    );
    let off_diagonal = [a.y, a.z, b.x, b.z, c.x, c.y];
    assert!(off_diagonal.iter().all(|value| value.abs() < 1e-5), "{off_diagonal:?}");
}

fn unit_vector(rng: &mut Rng) -> Vec3 {
    rng.unit_vector().into()
}

fn box_hull(half_extents: Vec3) -> ConvexHull {
    let sign = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let vertices: Vec<Vec3> = (0..8_u32)
        .map(|bits| Vec3::new(sign(bits), sign(bits >> 1), sign(bits >> 2)))
        .map(|signs| half_extents.mul_elements(signs))
        .collect();
    ConvexHull::new(&vertices).unwrap()
}

#[test]
fn volume_and_inertia_match_closed_formulas() {
    let sphere = Sphere::new(2.0).unwrap().mass_properties();
    assert!(close(sphere.volume, 32.0 / 3.0 * PI));
    assert_diagonal(sphere.inertia(5.0), [8.0; 3]);

    let half = Vec3::new(1.0, 2.0, 3.0);
    for mass in [Cuboid::new(half).unwrap().mass_properties(), box_hull(half).mass_properties()] {
        assert!(close(mass.volume, 48.0) && mass.center_of_mass.length() < 1e-6);
        // m/12 times the squares of the other two widths.
        assert_diagonal(mass.inertia(12.0), [16.0 + 36.0, 4.0 + 36.0, 4.0 + 16.0]);
    }

    // A capsule of half-height 0 is a sphere; one of nearly no radius is a rod.
    let sphere = Capsule::new(0.0, 2.0).unwrap().mass_properties();
    assert!(close(sphere.volume, 32.0 / 3.0 * PI));
    assert_diagonal(sphere.inertia(5.0), [8.0; 3]);
    assert_eq!(sphere.mass(2.0), 2.0 * sphere.volume);
    let rod = Capsule::new(1.0, 1e-4).unwrap().mass_properties();
    assert!((rod.unit_inertia.columns[0].x - 1.0 / 3.0).abs() < 1e-3);

    // The regular tetrahedron with edge √8: volume 8/3, inertia m a²/20.
    let tetrahedron = ConvexHull::new(&[
        Vec3::new(1.0, 1.0, 1.0),
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
    ])
    .unwrap()
    .mass_properties();
    assert!(close(tetrahedron.volume, 8.0 / 3.0));
    assert_diagonal(tetrahedron.inertia(20.0), [8.0; 3]);
}

#[test]
fn cylinder_and_cone_of_256_sides_approach_the_round_ones() {
    let (h, r) = (1.5, 0.5);
    let cylinder = ConvexHull::cylinder(h, r, 256).unwrap();
    assert_eq!((cylinder.faces().len(), cylinder.vertices().len()), (258, 512));
    let mass = cylinder.mass_properties();
    assert!(
        (mass.volume / (2.0 * PI * r * r * h) - 1.0).abs() < 2e-4
            && mass.center_of_mass.length() < 1e-5
    );
    let across = r * r / 4.0 + h * h / 3.0;
    let inertia = mass.unit_inertia.columns;
    assert!((inertia[1].y - r * r / 2.0).abs() < 1e-4 && (inertia[0].x - across).abs() < 1e-4);

    let cone = ConvexHull::cone(h, r, 256).unwrap();
    assert_eq!((cone.faces().len(), cone.vertices().len()), (257, 257));
    let mass = cone.mass_properties();
    assert!((mass.volume / (2.0 / 3.0 * PI * r * r * h) - 1.0).abs() < 2e-4);
    // The centroid lies 1/4 of the height above the base.
    assert!((mass.center_of_mass - Vec3::new(0.0, -h / 2.0, 0.0)).length() < 1e-4);
    let inertia = mass.unit_inertia.columns;
    assert!((inertia[1].y - 0.3 * r * r).abs() < 1e-4);
    let across = 0.15 * r * r + 3.0 / 80.0 * (2.0 * h) * (2.0 * h);
    assert!((inertia[0].x - across).abs() < 1e-4);
}

#[test]
fn translated_hull_has_the_same_inertia_about_its_centroid() {
    let hull = box_hull(Vec3::new(1.0, 2.0, 3.0));
    let offset = Vec3::new(50.0, -20.0, 7.0);
    let mass = hull.translated(offset).unwrap().mass_properties();
    assert!((mass.center_of_mass - offset).length() < 1e-5);
    assert_diagonal(mass.inertia(12.0), [52.0, 40.0, 20.0]);
    let quarter = Rotation::from_axis_angle(Vec3::Z, PI / 2.0).unwrap();
    assert_diagonal(
        hull.rotated(quarter).unwrap().mass_properties().inertia(12.0),
        [40.0, 52.0, 20.0],
    );
    assert_diagonal(hull.mass_properties().rotated(quarter).inertia(12.0), [40.0, 52.0, 20.0]);
    let doubled = hull.scaled(Vec3::new(1.0, 2.0, 1.0)).unwrap();
    assert!(close(doubled.mass_properties().volume, 96.0));
    assert!(hull.scaled(Vec3::new(1.0, -1.0, 1.0)).is_err());
}

#[test]
fn support_point_is_extremal_and_lies_in_the_aabb() {
    let mut rng = Rng::new(1);
    let cylinder = ConvexHull::cylinder(1.0, 0.5, 9).unwrap();
    let cuboid = Cuboid::new(Vec3::new(0.3, 1.0, 2.0)).unwrap();
    let (capsule, sphere) = (Capsule::new(1.0, 0.5).unwrap(), Sphere::new(0.7).unwrap());
    for _ in 0..2_000 {
        let (direction, other) = (unit_vector(&mut rng) * 3.0, unit_vector(&mut rng));
        let rotation =
            Rotation::from_axis_angle(unit_vector(&mut rng), rng.between(0.0, 6.0)).unwrap();
        let pose = Pose { rotation, position: unit_vector(&mut rng) * 1e4 };
        let check = |support: Vec3, other: Vec3, bounds: &Aabb<3>| {
            assert!(support.dot(direction) >= other.dot(direction) - 1e-5);
            let world = pose.transform_point(support).to_array();
            assert!(bounds.overlaps(&Aabb { min: world, max: world }), "{bounds:?} {world:?}");
        };
        check(sphere.support_point(direction), sphere.support_point(other), &sphere.aabb(&pose));
        check(cuboid.support_point(direction), cuboid.support_point(other), &cuboid.aabb(&pose));
        check(capsule.support_point(direction), capsule.support_point(other), &capsule.aabb(&pose));
        check(
            cylinder.support_point(direction),
            cylinder.support_point(other),
            &cylinder.aabb(&pose),
        );
        let brute_force = (0..cylinder.vertices().len() as u32)
            .max_by(|&a, &b| {
                let along = |v: u32| cylinder.vertices()[v as usize].dot(direction);
                along(a).total_cmp(&along(b)).then(b.cmp(&a))
            })
            .unwrap();
        assert_eq!(cylinder.support_index(direction), brute_force);
    }
    assert_eq!(cylinder.support_index(Vec3::ZERO), 0);
    assert_eq!(cylinder.support_index(Vec3::splat(f32::NAN)), 0);
    assert_eq!(sphere.support_point(Vec3::ZERO), Vec3::X * 0.7);
}

#[test]
fn bounding_spheres_and_obbs_are_tight() {
    let half = Vec3::new(1.0, 2.0, 2.0);
    let hull = box_hull(half).translated(Vec3::new(3.0, 0.0, 0.0)).unwrap();
    let BoundingSphere { center, radius } = hull.bounding_sphere();
    assert!((Vec3::from(center) - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-5 && close(radius, 3.0));
    assert!(close(Cuboid::new(half).unwrap().bounding_sphere().radius, 3.0));
    assert!(close(Capsule::new(2.0, 0.5).unwrap().bounding_sphere().radius, 2.5));

    let rotation = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 0.3), 0.8).unwrap();
    let obb = hull.rotated(rotation).unwrap().obb();
    assert!((obb.volume() / 32.0 - 1.0).abs() < 1e-4, "{obb:?}");
    let cylinder = ConvexHull::cylinder(1.0, 0.5, 32).unwrap().rotated(rotation).unwrap();
    let obb = cylinder.obb();
    assert!(obb.volume() < 2.001 && cylinder.vertices().iter().all(|&v| obb.contains_point(v)));
}

#[test]
fn bounding_sphere_and_obb_contain_the_hull() {
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        let count = 4 + (rng.unit() * 60.0) as usize;
        let squash = Vec3::new(1.0, rng.between(0.001, 1.0), rng.between(0.001, 1.0));
        let points: Vec<Vec3> =
            (0..count).map(|_| (unit_vector(&mut rng) * rng.unit()).mul_elements(squash)).collect();
        let Ok(hull) = ConvexHull::new(&points) else { continue };
        let BoundingSphere { center, radius } = hull.bounding_sphere();
        let obb = hull.obb();
        let aabb = hull.aabb(&Pose::IDENTITY).extents();
        assert!(obb.volume() <= aabb[0] * aabb[1] * aabb[2] * 1.0001);
        for &vertex in hull.vertices() {
            assert!((vertex - Vec3::from(center)).length() <= radius * 1.000_001);
            assert!(obb.contains_point(vertex), "{vertex:?} {obb:?}");
        }
        // Between 1/2 and √(3/8) of the diameter (Jung 1901).
        let distances =
            hull.vertices().iter().flat_map(|a| hull.vertices().iter().map(|b| (*a - *b).length()));
        let diameter = distances.fold(0.0, crate::scalar::max);
        assert!(
            radius >= diameter * 0.499_99 && radius <= diameter * 0.612_5,
            "{radius} {diameter}"
        );
    }
}

#[test]
fn ray_cast_returns_entry_parameter_and_outward_normal() {
    let cylinder = ConvexHull::cylinder(1.0, 0.5, 8).unwrap();
    let down = Ray::new([0.1, 5.0, 0.1], [0.0, -2.0, 0.0]);
    let (cuboid, capsule) =
        (Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap(), Capsule::new(1.0, 0.5).unwrap());
    let up = |t: f32| Some(RayIntersection { t, normal: Vec3::Y });
    assert_eq!(cuboid.cast_ray(&down), up(2.0));
    assert_eq!(cylinder.cast_ray(&down), up(2.0));
    assert_eq!(HalfSpace::new(Vec3::Y).unwrap().cast_ray(&down), up(2.5));
    let axis = Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(capsule.cast_ray(&axis), up(3.5));
    assert_eq!(Sphere::new(1.0).unwrap().cast_ray(&axis), up(4.0));
    let side = Ray::new([-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(capsule.cast_ray(&side), Some(RayIntersection { t: 2.5, normal: -Vec3::X }));
}

#[test]
fn ray_cast_respects_range_and_direction_and_hits_at_once_from_inside() {
    let sphere = Sphere::new(1.0).unwrap();
    let (cuboid, capsule) =
        (Cuboid::new(Vec3::splat(1.0)).unwrap(), Capsule::new(1.0, 1.0).unwrap());
    let hull = box_hull(Vec3::splat(1.0));
    let all = |ray: &Ray<3>| {
        [sphere.cast_ray(ray), cuboid.cast_ray(ray), capsule.cast_ray(ray), hull.cast_ray(ray)]
    };
    let toward = Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert!(all(&toward).iter().all(|hit| hit.is_some_and(|hit| hit.t == 4.0)));
    assert_eq!(all(&toward.with_range(0.0, 3.9)), [None; 4]);
    assert_eq!(all(&toward.with_range(6.1, 9.0)), [None; 4]);
    assert_eq!(all(&Ray::new([-5.0, 5.0, 0.0], [1.0, 0.0, 0.0])), [None; 4]);
    assert_eq!(all(&Ray::new([-5.0, 0.0, 0.0], [-1.0, 0.0, 0.0])), [None; 4]);
    assert_eq!(all(&Ray::new([0.0; 3], [0.0; 3])), [None; 4]);
    assert_eq!(all(&Ray::new([f32::NAN; 3], [1.0, 0.0, 0.0])), [None; 4]);
    let inside = Ray::new([0.5, 0.0, 0.0], [2.0, 0.0, 0.0]);
    assert_eq!(all(&inside), [Some(RayIntersection { t: 0.0, normal: -Vec3::X }); 4]);
    // At a million radii, arithmetic in f32 would miss it.
    let far = Ray::new([-1e6, 0.0, 0.999], [1.0, 0.0, 0.0]);
    assert!(sphere.cast_ray(&far).is_some());
}

#[test]
fn ray_hit_lies_on_the_surface_with_the_inside_behind_it() {
    let mut rng = Rng::new(4);
    let cone = ConvexHull::cone(1.0, 0.8, 11).unwrap();
    let (cuboid, capsule) =
        (Cuboid::new(Vec3::new(0.5, 0.8, 0.2)).unwrap(), Capsule::new(0.4, 0.3).unwrap());
    let sphere = Sphere::new(0.6).unwrap();
    let mut hits = 0;
    for _ in 0..4_000 {
        let origin = unit_vector(&mut rng) * 3.0;
        let direction = unit_vector(&mut rng) * 0.9 - origin;
        let ray = Ray::new(origin.to_array(), direction.to_array());
        let mut check = |hit: Option<RayIntersection>, contains: &dyn Fn(Vec3) -> bool| {
            let inside =
                (1..400).find(|&step| contains(origin + direction * (step as f32 / 300.0)));
            let Some(hit) = hit else {
                assert_eq!(inside, None);
                return;
            };
            hits += 1;
            assert!((hit.normal.length() - 1.0).abs() < 1e-6 && hit.normal.dot(direction) < 1e-5);
            let at = |t: f32| origin + direction * t;
            assert!(!contains(at(hit.t - 1e-3)));
            assert!(inside.is_none_or(|step| step as f32 / 300.0 >= hit.t - 1e-5));
            assert!(contains(at(hit.t) - hit.normal * 1e-5) || inside.is_none());
        };
        check(sphere.cast_ray(&ray), &|p| sphere.contains_point(p));
        check(cuboid.cast_ray(&ray), &|p| cuboid.contains_point(p));
        check(capsule.cast_ray(&ray), &|p| capsule.contains_point(p));
        check(cone.cast_ray(&ray), &|p| cone.contains_point(p));
    }
    assert!(hits > 3_000, "{hits}");
}

#[test]
fn surface_points_are_contained_and_nan_is_not() {
    let (sphere, capsule) = (Sphere::new(1.0).unwrap(), Capsule::new(1.0, 0.5).unwrap());
    let (cuboid, ground) =
        (Cuboid::new(Vec3::splat(1.0)).unwrap(), HalfSpace::new(Vec3::Y).unwrap());
    let hull = box_hull(Vec3::splat(1.0));
    assert!(sphere.contains_point(Vec3::X) && !sphere.contains_point(Vec3::X * 1.000_001));
    assert!(capsule.contains_point(Vec3::Y * 1.5) && !capsule.contains_point(Vec3::Y * 1.500_001));
    assert!(
        cuboid.contains_point(Vec3::splat(1.0))
            && !cuboid.contains_point(Vec3::new(0.0, 1.000_001, 0.0))
    );
    assert!(
        hull.contains_point(Vec3::splat(1.0))
            && !hull.contains_point(Vec3::new(0.0, 1.000_001, 0.0))
    );
    assert!(ground.contains_point(Vec3::X) && !ground.contains_point(Vec3::Y));
    let nan = Vec3::splat(f32::NAN);
    assert!(
        !sphere.contains_point(nan) && !capsule.contains_point(nan) && !cuboid.contains_point(nan)
    );
    assert!(!hull.contains_point(nan) && !ground.contains_point(nan));
}

#[test]
fn invalid_sizes_are_rejected_with_advice() {
    for (bad, advice) in [
        (0.0, "give a positive number"),
        (-1.0, "give a positive number"),
        (f32::NAN, "it is not a number"),
        (f32::INFINITY, "scale the scene down"),
        (1e-9, "scale the scene up"),
        (1e9, "scale the scene down"),
    ] {
        let errors = [
            Sphere::new(bad).unwrap_err(),
            Cuboid::new(Vec3::new(1.0, bad, 1.0)).unwrap_err(),
            Capsule::new(1.0, bad).unwrap_err(),
            ConvexHull::cylinder(1.0, bad, 8).unwrap_err(),
            ConvexHull::cone(bad, 1.0, 8).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains(advice), "{error}");
        }
    }
    assert!(Capsule::new(0.0, 1.0).is_ok() && Capsule::new(-0.1, 1.0).is_err());
    assert!(Capsule::new(f32::NAN, 1.0).is_err());
    for bad in [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::X * f32::INFINITY] {
        assert!(matches!(HalfSpace::new(bad), Err(ShapeError::NoDirection { .. })));
    }
    for sides in [0, 2, 1025, u32::MAX] {
        assert_eq!(ConvexHull::cylinder(1.0, 1.0, sides), Err(ShapeError::Sides { sides }));
    }
    let (low, high) = (Vec3::splat(-1.0), Vec3::splat(1.0));
    assert!(Cuboid::from_min_max(high, low).is_err(), "min and max swapped");
    assert!(Cuboid::from_min_max(low, Vec3::splat(f32::NAN)).is_err());
    assert!(Cuboid::from_min_max(Vec3::splat(f32::NEG_INFINITY), high).is_err());
    assert!(Cuboid::from_min_size(low, Vec3::new(1.0, 0.0, 1.0)).is_err());
    let (pose, cuboid) = Cuboid::from_min_size(low, Vec3::splat(2.0)).unwrap();
    assert_eq!((pose.position, cuboid.half_extents()), (Vec3::ZERO, high));
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(Sphere::new(1.0).unwrap().scaled(factor), Err(ShapeError::Scale { .. })));
    }
    assert!(Sphere::new(1.0).unwrap().scaled(1e7).is_err());
}

/// Regression: the AABB used the drifted quaternion, the axis a unit one; the end was 1 m outside.
#[test]
fn capsule_with_drifted_rotation_stays_in_its_aabb() {
    let capsule = Capsule::new(1000.0, 0.01).unwrap();
    let rotation = Rotation::from_unit_quaternion([0.0, 0.0, 0.7067, 0.7067]).unwrap();
    let bounds = capsule.aabb(&Pose { rotation, position: Vec3::ZERO });
    let end = rotation.to_matrix() * capsule.half_segment();
    assert!(bounds.min[0] <= end.x && end.x < -999.9, "{bounds:?}, {end:?}");
}

/// Regression: the hit was reported at t = ∞.
#[test]
fn hit_beyond_the_range_of_f32_is_a_miss() {
    let ray = Ray::new([-1e6, 0.0, 0.0], [1e-40, 0.0, 0.0]);
    assert_eq!(Sphere::new(1.0).unwrap().cast_ray(&ray), None);
    let down = Ray::new([0.0, 1e6, 0.0], [1.0, -1e-40, 0.0]);
    assert_eq!(HalfSpace::new(Vec3::Y).unwrap().cast_ray(&down), None);
}

#[test]
fn capsule_from_segment_ends_at_both_points() {
    let mut rng = Rng::new(6);
    for _ in 0..500 {
        let (start, end) = (Vec3::from(rng.point(-9.0, 9.0)), Vec3::from(rng.point(-9.0, 9.0)));
        let (pose, capsule) = Capsule::from_segment(start, end, 0.25).unwrap();
        assert!(close(capsule.half_height() * 2.0, start.distance(end)));
        assert!((pose.transform_point(capsule.half_segment()) - end).length() < 1e-5);
        assert!((pose.transform_point(-capsule.half_segment()) - start).length() < 1e-5);
    }
    // Opposite to the y axis: the rotation is a half turn.
    let (pose, capsule) = Capsule::from_segment(Vec3::Y, -Vec3::Y, 0.5).unwrap();
    assert!((pose.transform_point(capsule.half_segment()) + Vec3::Y).length() < 1e-6);
    let (pose, capsule) = Capsule::from_segment(Vec3::X, Vec3::X, 0.5).unwrap();
    assert_eq!((pose, capsule.half_height()), (Pose::from_translation(Vec3::X), 0.0));
}

#[test]
fn capsule_from_invalid_segment_is_rejected() {
    for point in [Vec3::splat(f32::NAN), Vec3::X * f32::INFINITY, Vec3::Y * 1.1e6] {
        let error = Capsule::from_segment(Vec3::ZERO, point, 1.0).unwrap_err();
        assert!(matches!(error, ShapeError::PointOutOfRange { name: "endpoint", .. }), "{error}");
        assert_eq!(Capsule::from_segment(point, Vec3::ZERO, 1.0).unwrap_err().code(), error.code());
    }
    assert!(Capsule::from_segment(Vec3::ZERO, Vec3::X, 0.0).is_err());
    let corner = Vec3::splat(1e6);
    let too_long = Capsule::from_segment(-corner, corner, 1.0);
    assert!(matches!(too_long, Err(ShapeError::HalfHeight { .. })));
}

#[test]
fn error_codes_are_unique() {
    let (point, quaternion) = ([0.0; 3], [0.0; 4]);
    let shape_errors = [
        ShapeError::Size { length: ShapeLength::Radius, value: 0.0 },
        ShapeError::HalfHeight { value: 0.0 },
        ShapeError::PointOutOfRange { name: "corner", point },
        ShapeError::NoDirection { normal: point },
        ShapeError::NoOrientation { quaternion },
        ShapeError::Mesh { reason: String::new() },
        ShapeError::NoPoints,
        ShapeError::TooFewPoints { count: 0 },
        ShapeError::TooManyPoints { count: 0 },
        ShapeError::NotFinite { index: 0, point },
        ShapeError::PointTooFar { index: 0, point },
        ShapeError::CoincidentPoints { count: 0 },
        ShapeError::CollinearPoints { count: 0 },
        ShapeError::CoplanarPoints { count: 0, thickness: 0.0 },
        ShapeError::Sides { sides: 0 },
        ShapeError::NoTriangles { count: 0 },
        ShapeError::NoParts,
        ShapeError::UnboundedPart { part: 0 },
        ShapeError::PartOutOfRange { part: 0, position: point },
        ShapeError::Scale { factor: 0.0 },
    ];
    let found = || String::new();
    let parse_errors = [
        ParseShapeError::Word { found: found(), expected: "", example: "" },
        ParseShapeError::Ended { expected: "", example: "" },
        ParseShapeError::TrailingText { found: found(), example: "" },
    ];
    let mut codes: Vec<_> = shape_errors.iter().map(ShapeError::code).collect();
    codes.extend(parse_errors.iter().map(ParseShapeError::code));
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len(), "{codes:?}");
    let invalid = ParseShapeError::Invalid(ShapeError::NoParts);
    assert_eq!(invalid.code(), ShapeError::NoParts.code());
}
