//! Every shape against what geometry says of it.

use super::*;
use crate::{Ball, Mat3, Ray, Rotation};

const PI: f32 = core::f32::consts::PI;

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() <= 2e-5 * (1.0 + b.abs())
}

fn assert_diagonal(inertia: Mat3, diagonal: [f32; 3]) {
    let [a, b, c] = inertia.columns;
    let found = [a.x, b.y, c.z];
    assert!((0..3).all(|axis| close(found[axis], diagonal[axis])), "{found:?}, not {diagonal:?}");
    let rest = [a.y, a.z, b.x, b.z, c.x, c.y];
    assert!(rest.iter().all(|off| off.abs() < 1e-5), "{rest:?}");
}

fn box_hull(half: Vec3) -> Hull {
    let sign = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let corners: Vec<Vec3> = (0..8_u32)
        .map(|bits| half.scaled_by(Vec3::new(sign(bits), sign(bits >> 1), sign(bits >> 2))))
        .collect();
    Hull::new(&corners).unwrap()
}

#[test]
fn volumes_and_inertias_are_those_of_the_textbook() {
    let sphere = Sphere::new(2.0).unwrap().mass_properties();
    assert!(close(sphere.volume, 32.0 / 3.0 * PI));
    assert_diagonal(sphere.inertia(5.0), [8.0; 3]);

    let half = Vec3::new(1.0, 2.0, 3.0);
    for mass in [Cuboid::new(half).unwrap().mass_properties(), box_hull(half).mass_properties()] {
        assert!(close(mass.volume, 48.0) && mass.centroid.length() < 1e-6);
        // m/12 of the squares of the two other widths.
        assert_diagonal(mass.inertia(12.0), [16.0 + 36.0, 4.0 + 36.0, 4.0 + 16.0]);
    }

    // A capsule without a segment is a ball; one without a radius, nearly, is a rod.
    let ball = Capsule::new(0.0, 2.0).unwrap().mass_properties();
    assert!(close(ball.volume, 32.0 / 3.0 * PI));
    assert_diagonal(ball.inertia(5.0), [8.0; 3]);
    let rod = Capsule::new(1.0, 1e-4).unwrap().mass_properties();
    assert!((rod.inertia_per_mass.columns[0].x - 1.0 / 3.0).abs() < 1e-3);

    // The regular tetrahedron with edge √8: volume 8/3, inertia m a²/20.
    let tetrahedron = Hull::new(&[
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
fn a_cylinder_and_a_cone_of_many_sides_weigh_as_round_ones() {
    let (h, r) = (1.5, 0.5);
    let cylinder = Hull::cylinder(h, r, 256).unwrap();
    assert_eq!((cylinder.faces().len(), cylinder.vertices().len()), (258, 512));
    let mass = cylinder.mass_properties();
    assert!(
        (mass.volume / (2.0 * PI * r * r * h) - 1.0).abs() < 2e-4 && mass.centroid.length() < 1e-5
    );
    let across = r * r / 4.0 + h * h / 3.0;
    let inertia = mass.inertia_per_mass.columns;
    assert!((inertia[1].y - r * r / 2.0).abs() < 1e-4 && (inertia[0].x - across).abs() < 1e-4);

    let cone = Hull::cone(h, r, 256).unwrap();
    assert_eq!((cone.faces().len(), cone.vertices().len()), (257, 257));
    let mass = cone.mass_properties();
    assert!((mass.volume / (2.0 / 3.0 * PI * r * r * h) - 1.0).abs() < 2e-4);
    // A quarter of its height above its base.
    assert!((mass.centroid - Vec3::new(0.0, -h / 2.0, 0.0)).length() < 1e-4);
    let inertia = mass.inertia_per_mass.columns;
    assert!((inertia[1].y - 0.3 * r * r).abs() < 1e-4);
    let across = 0.15 * r * r + 3.0 / 80.0 * (2.0 * h) * (2.0 * h);
    assert!((inertia[0].x - across).abs() < 1e-4);
}

#[test]
fn a_moved_hull_has_the_same_inertia_about_its_centroid() {
    let hull = box_hull(Vec3::new(1.0, 2.0, 3.0));
    let offset = Vec3::new(50.0, -20.0, 7.0);
    let mass = hull.translated(offset).unwrap().mass_properties();
    assert!((mass.centroid - offset).length() < 1e-5);
    assert_diagonal(mass.inertia(12.0), [52.0, 40.0, 20.0]);
    let quarter = Rotation::about(Vec3::Z, PI / 2.0).unwrap();
    assert_diagonal(
        hull.rotated(quarter).unwrap().mass_properties().inertia(12.0),
        [40.0, 52.0, 20.0],
    );
    assert_diagonal(hull.mass_properties().turned(quarter).inertia(12.0), [40.0, 52.0, 20.0]);
    let doubled = hull.scaled(Vec3::new(1.0, 2.0, 1.0)).unwrap();
    assert!(close(doubled.mass_properties().volume, 96.0));
    assert!(hull.scaled(Vec3::new(1.0, -1.0, 1.0)).is_err());
}

#[test]
fn no_point_of_a_shape_lies_beyond_its_support_point_or_its_box() {
    let mut numbers = hull::tests::Numbers(1);
    let cylinder = Hull::cylinder(1.0, 0.5, 9).unwrap();
    let cuboid = Cuboid::new(Vec3::new(0.3, 1.0, 2.0)).unwrap();
    let (capsule, sphere) = (Capsule::new(1.0, 0.5).unwrap(), Sphere::new(0.7).unwrap());
    for _ in 0..2_000 {
        let (direction, inward) = (numbers.on_sphere() * 3.0, numbers.on_sphere());
        let rotation = Rotation::about(numbers.on_sphere(), numbers.between(0.0, 6.0)).unwrap();
        let pose = Pose { rotation, position: numbers.on_sphere() * 1e4 };
        let check = |farthest: Vec3, other: Vec3, bounds: &Aabb<3>| {
            assert!(farthest.dot(direction) >= other.dot(direction) - 1e-5);
            let placed = pose.point(farthest).to_array();
            assert!(bounds.overlaps(&Aabb { min: placed, max: placed }), "{bounds:?} {placed:?}");
        };
        check(sphere.support(direction), sphere.support(inward), &sphere.aabb(&pose));
        check(cuboid.support(direction), cuboid.support(inward), &cuboid.aabb(&pose));
        check(capsule.support(direction), capsule.support(inward), &capsule.aabb(&pose));
        check(cylinder.support(direction), cylinder.support(inward), &cylinder.aabb(&pose));
        let naive = (0..cylinder.vertices().len() as u32)
            .max_by(|&a, &b| {
                let along = |v: u32| cylinder.vertices()[v as usize].dot(direction);
                along(a).total_cmp(&along(b)).then(b.cmp(&a))
            })
            .unwrap();
        assert_eq!(cylinder.support_index(direction), naive);
    }
    assert_eq!(cylinder.support_index(Vec3::ZERO), 0);
    assert_eq!(cylinder.support_index(Vec3::splat(f32::NAN)), 0);
    assert_eq!(sphere.support(Vec3::ZERO), Vec3::X * 0.7);
}

#[test]
fn bounding_spheres_and_boxes_are_the_smallest() {
    let half = Vec3::new(1.0, 2.0, 2.0);
    let hull = box_hull(half).translated(Vec3::new(3.0, 0.0, 0.0)).unwrap();
    let Ball { center, radius } = hull.bounding_sphere();
    assert!((Vec3::from(center) - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-5 && close(radius, 3.0));
    assert!(close(Cuboid::new(half).unwrap().bounding_sphere().radius, 3.0));
    assert!(close(Capsule::new(2.0, 0.5).unwrap().bounding_sphere().radius, 2.5));

    let turn = Rotation::about(Vec3::new(1.0, 2.0, 0.3), 0.8).unwrap();
    let obb = hull.rotated(turn).unwrap().obb();
    assert!((obb.volume() / 32.0 - 1.0).abs() < 1e-4, "{obb:?}");
    let cylinder = Hull::cylinder(1.0, 0.5, 32).unwrap().rotated(turn).unwrap();
    let obb = cylinder.obb();
    assert!(obb.volume() < 2.001 && cylinder.vertices().iter().all(|&v| obb.contains(v)));
}

#[test]
fn every_bounding_sphere_and_box_holds_its_hull() {
    let mut numbers = hull::tests::Numbers(9);
    for _ in 0..300 {
        let count = 4 + (numbers.next() * 60.0) as usize;
        let squash = Vec3::new(1.0, numbers.between(0.001, 1.0), numbers.between(0.001, 1.0));
        let points: Vec<Vec3> =
            (0..count).map(|_| (numbers.on_sphere() * numbers.next()).scaled_by(squash)).collect();
        let Ok(hull) = Hull::new(&points) else { continue };
        let Ball { center, radius } = hull.bounding_sphere();
        let obb = hull.obb();
        let aabb = hull.aabb(&Pose::IDENTITY).size();
        assert!(obb.volume() <= aabb[0] * aabb[1] * aabb[2] * 1.0001);
        for &vertex in hull.vertices() {
            assert!((vertex - Vec3::from(center)).length() <= radius * 1.000_001);
            assert!(obb.contains(vertex), "{vertex:?} {obb:?}");
        }
        // No smaller than half the longest distance, and no larger than √(3/8) of it (Jung 1901).
        let longest =
            hull.vertices().iter().flat_map(|a| hull.vertices().iter().map(|b| (*a - *b).length()));
        let longest = longest.fold(0.0, crate::scalar::max);
        assert!(radius >= longest * 0.499_99 && radius <= longest * 0.612_5, "{radius} {longest}");
    }
}

#[test]
fn a_ray_enters_where_the_surface_is_and_sees_the_normal() {
    let cylinder = Hull::cylinder(1.0, 0.5, 8).unwrap();
    let down = Ray::new([0.1, 5.0, 0.1], [0.0, -2.0, 0.0]);
    let (cuboid, capsule) =
        (Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap(), Capsule::new(1.0, 0.5).unwrap());
    let up = |t: f32| Some(ShapeHit { t, normal: Vec3::Y });
    assert_eq!(cuboid.ray_hit(&down), up(2.0));
    assert_eq!(cylinder.ray_hit(&down), up(2.0));
    assert_eq!(Plane::new(Vec3::Y).unwrap().ray_hit(&down), up(2.5));
    let axis = Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(capsule.ray_hit(&axis), up(3.5));
    assert_eq!(Sphere::new(1.0).unwrap().ray_hit(&axis), up(4.0));
    let side = Ray::new([-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(capsule.ray_hit(&side), Some(ShapeHit { t: 2.5, normal: -Vec3::X }));
}

#[test]
fn a_ray_that_misses_ends_early_or_is_none_hits_nothing_and_one_from_inside_hits_at_once() {
    let sphere = Sphere::new(1.0).unwrap();
    let (cuboid, capsule) =
        (Cuboid::new(Vec3::splat(1.0)).unwrap(), Capsule::new(1.0, 1.0).unwrap());
    let hull = box_hull(Vec3::splat(1.0));
    let all = |ray: &Ray<3>| {
        [sphere.ray_hit(ray), cuboid.ray_hit(ray), capsule.ray_hit(ray), hull.ray_hit(ray)]
    };
    let towards = Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert!(all(&towards).iter().all(|hit| hit.is_some_and(|hit| hit.t == 4.0)));
    assert_eq!(all(&towards.within(0.0, 3.9)), [None; 4]);
    assert_eq!(all(&towards.within(6.1, 9.0)), [None; 4]);
    assert_eq!(all(&Ray::new([-5.0, 5.0, 0.0], [1.0, 0.0, 0.0])), [None; 4]);
    assert_eq!(all(&Ray::new([-5.0, 0.0, 0.0], [-1.0, 0.0, 0.0])), [None; 4]);
    assert_eq!(all(&Ray::new([0.0; 3], [0.0; 3])), [None; 4]);
    assert_eq!(all(&Ray::new([f32::NAN; 3], [1.0, 0.0, 0.0])), [None; 4]);
    let inside = Ray::new([0.5, 0.0, 0.0], [2.0, 0.0, 0.0]);
    assert_eq!(all(&inside), [Some(ShapeHit { t: 0.0, normal: -Vec3::X }); 4]);
    // A thousand radii away, f32 alone would not find it.
    let far = Ray::new([-1e6, 0.0, 0.999], [1.0, 0.0, 0.0]);
    assert!(sphere.ray_hit(&far).is_some());
}

#[test]
fn a_hit_lies_on_the_surface_and_the_inside_beyond_it() {
    let mut numbers = hull::tests::Numbers(4);
    let cone = Hull::cone(1.0, 0.8, 11).unwrap();
    let (cuboid, capsule) =
        (Cuboid::new(Vec3::new(0.5, 0.8, 0.2)).unwrap(), Capsule::new(0.4, 0.3).unwrap());
    let sphere = Sphere::new(0.6).unwrap();
    let mut hits = 0;
    for _ in 0..4_000 {
        let origin = numbers.on_sphere() * 3.0;
        let direction = numbers.on_sphere() * 0.9 - origin;
        let ray = Ray::new(origin.to_array(), direction.to_array());
        let mut check = |hit: Option<ShapeHit>, contains: &dyn Fn(Vec3) -> bool| {
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
        check(sphere.ray_hit(&ray), &|p| sphere.contains(p));
        check(cuboid.ray_hit(&ray), &|p| cuboid.contains(p));
        check(capsule.ray_hit(&ray), &|p| capsule.contains(p));
        check(cone.ray_hit(&ray), &|p| cone.contains(p));
    }
    assert!(hits > 3_000, "{hits}");
}

#[test]
fn a_point_on_the_surface_is_inside_and_one_beyond_or_nowhere_is_not() {
    let (sphere, capsule) = (Sphere::new(1.0).unwrap(), Capsule::new(1.0, 0.5).unwrap());
    let (cuboid, plane) = (Cuboid::new(Vec3::splat(1.0)).unwrap(), Plane::new(Vec3::Y).unwrap());
    let hull = box_hull(Vec3::splat(1.0));
    assert!(sphere.contains(Vec3::X) && !sphere.contains(Vec3::X * 1.000_001));
    assert!(capsule.contains(Vec3::Y * 1.5) && !capsule.contains(Vec3::Y * 1.500_001));
    assert!(cuboid.contains(Vec3::splat(1.0)) && !cuboid.contains(Vec3::new(0.0, 1.000_001, 0.0)));
    assert!(hull.contains(Vec3::splat(1.0)) && !hull.contains(Vec3::new(0.0, 1.000_001, 0.0)));
    assert!(plane.contains(Vec3::X) && !plane.contains(Vec3::Y));
    let nowhere = Vec3::splat(f32::NAN);
    assert!(!sphere.contains(nowhere) && !capsule.contains(nowhere) && !cuboid.contains(nowhere));
    assert!(!hull.contains(nowhere) && !plane.contains(nowhere));
}

#[test]
fn hostile_sizes_are_refused_with_advice() {
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
            Hull::cylinder(1.0, bad, 8).unwrap_err(),
            Hull::cone(bad, 1.0, 8).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains(advice), "{error}");
        }
    }
    assert!(Capsule::new(0.0, 1.0).is_ok() && Capsule::new(-0.1, 1.0).is_err());
    assert!(Capsule::new(f32::NAN, 1.0).is_err());
    for bad in [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::X * f32::INFINITY] {
        assert!(matches!(Plane::new(bad), Err(InvalidShape::NoDirection { .. })));
    }
    for sides in [0, 2, 1025, u32::MAX] {
        assert_eq!(Hull::cylinder(1.0, 1.0, sides), Err(InvalidShape::Sides { sides }));
    }
    let (low, high) = (Vec3::splat(-1.0), Vec3::splat(1.0));
    assert!(Cuboid::from_corners(high, low).is_err(), "upside down");
    assert!(Cuboid::from_corners(low, Vec3::splat(f32::NAN)).is_err());
    assert!(Cuboid::from_corners(Vec3::splat(f32::NEG_INFINITY), high).is_err());
    assert!(Cuboid::from_edges(low, Vec3::new(1.0, 0.0, 1.0)).is_err());
    let (pose, cuboid) = Cuboid::from_edges(low, Vec3::splat(2.0)).unwrap();
    assert_eq!((pose.position, cuboid.half()), (Vec3::ZERO, high));
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(
            Sphere::new(1.0).unwrap().scaled(factor),
            Err(InvalidShape::Scale { .. })
        ));
    }
    assert!(Sphere::new(1.0).unwrap().scaled(1e7).is_err());
}

/// Its box went by the rotation as it is, its axis by one of length 1: the tip was a metre outside.
#[test]
fn a_capsule_whose_rotation_has_drifted_stays_within_its_box() {
    let capsule = Capsule::new(1000.0, 0.01).unwrap();
    let rotation = Rotation::as_written([0.0, 0.0, 0.7067, 0.7067]).unwrap();
    let bounds = capsule.aabb(&Pose { rotation, position: Vec3::ZERO });
    let tip = rotation.matrix() * capsule.tip();
    assert!(bounds.min[0] <= tip.x && tip.x < -999.9, "{bounds:?}, {tip:?}");
}

/// It was told to be hit at infinity.
#[test]
fn what_is_farther_along_a_short_direction_than_f32_can_tell_is_not_hit() {
    let ray = Ray::new([-1e6, 0.0, 0.0], [1e-40, 0.0, 0.0]);
    assert_eq!(Sphere::new(1.0).unwrap().ray_hit(&ray), None);
    let down = Ray::new([0.0, 1e6, 0.0], [1.0, -1e-40, 0.0]);
    assert_eq!(Plane::new(Vec3::Y).unwrap().ray_hit(&down), None);
}
