//! World queries against brute force: a loop over all bodies.

use embate_geom::{Aabb, Pose, Ray, Vec3};

use crate::dynamics::tests::meshes::cube_mesh;
use crate::dynamics::tests::*;
use crate::dynamics::{Body, ClosestBody, CollisionFilter, QueryFilter, RayHit, WorldBounds};
use crate::narrow_phase::{self, Sweep};
use crate::shapes::{Capsule, Compound, ConvexHull, Shape};

fn random_shape(rng: &mut Rng) -> Shape {
    let size = 0.1 + rng.unit();
    match rng.below(5) {
        0 => sphere(size).into(),
        1 => cuboid(size, 0.3, 0.7 * size).into(),
        2 => Capsule::new(size, 0.3).unwrap().into(),
        3 => ConvexHull::cylinder(size, 0.4, 7).unwrap().into(),
        _ => {
            let offset = Pose::from_translation(random_vector(rng, 0.7));
            let parts = vec![(offset, sphere(0.3).into()), (Pose::IDENTITY, cube().into())];
            Shape::from(Compound::new(parts).unwrap())
        }
    }
}

/// Fixed and dynamic bodies and sensors of all shapes, of which every ninth was removed again.
fn random_world(rng: &mut Rng, count: usize) -> World {
    let bounds = Some(WorldBounds::solid(Vec3::splat(-20.0), Vec3::splat(20.0)));
    let mut world = World::new(Settings { bounds, ..Settings::default() }).unwrap();
    let mut ids = Vec::new();
    for index in 0..count {
        let shape = random_shape(rng);
        let def = if index % 3 == 0 { BodyDef::fixed(shape) } else { BodyDef::dynamic(shape, 1.0) };
        let def = def.position(random_vector(rng, 9.0)).rotation(random_rotation(rng));
        let def = def.linear_velocity(random_vector(rng, 5.0)).restitution(0.7);
        let def =
            def.collision_filter(CollisionFilter { category: 1 << (index % 4), mask: u32::MAX });
        let def = def.sensor(index % 17 == 0);
        ids.push(world.insert_body(def).unwrap());
    }
    for id in ids.into_iter().step_by(9) {
        world.remove_body(id);
    }
    world
}

fn filters(world: &World) -> [QueryFilter; 4] {
    let first = world.bodies().next().map(|body| body.id());
    let all = QueryFilter::default();
    [
        all,
        QueryFilter { include_sensors: true, ..all },
        QueryFilter { exclude_body: first, ..all },
        QueryFilter { collision_filter: CollisionFilter { category: 1, mask: 0b101 }, ..all },
    ]
}

fn passes_filter(body: &Body<'_>, filter: &QueryFilter) -> bool {
    let body_filter = body.collision_filter();
    filter.exclude_body != Some(body.id())
        && (filter.include_sensors || !body.is_sensor())
        && body_filter.category & filter.collision_filter.mask != 0
        && body_filter.mask & filter.collision_filter.category != 0
}

fn filtered_bodies<'a>(
    world: &'a World,
    filter: &'a QueryFilter,
) -> impl Iterator<Item = Body<'a>> {
    world.bodies().filter(|body| passes_filter(body, filter))
}

fn assert_ray_queries_match_brute_force(world: &World, rng: &mut Rng, filter: &QueryFilter) {
    let ray = Ray::new(rng.point(-12.0, 12.0), rng.point(-1.0, 1.0));
    let ray = if rng.unit() < 0.3 { ray.with_range(0.0, 6.0) } else { ray };
    let mut expected: Vec<RayHit> = filtered_bodies(world, filter)
        .filter_map(|body| {
            let hit = body.shape().cast_ray(&body.pose(), &ray)?;
            let point = Vec3::from(ray.origin) + Vec3::from(ray.direction) * hit.t;
            Some(RayHit { body: body.id(), t: hit.t, point, normal: hit.normal })
        })
        .collect();
    expected.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.body.cmp(&b.body)));
    assert_eq!(world.cast_ray_all(&ray, filter), expected);
    assert_eq!(world.cast_ray(&ray, filter), expected.first().copied());
    assert_eq!(world.cast_ray_any(&ray, filter), !expected.is_empty());
}

fn assert_point_queries_match_brute_force(world: &World, rng: &mut Rng, filter: &QueryFilter) {
    let point = random_vector(rng, 12.0);
    let expected = filtered_bodies(world, filter)
        .map(|body| {
            let projection = body.shape().project_point(&body.pose(), point);
            ClosestBody {
                body: body.id(),
                distance: projection.distance,
                point: projection.point,
                normal: -projection.normal,
            }
        })
        .reduce(|a, b| if b.distance < a.distance { b } else { a });
    assert_eq!(world.closest_body(point, filter), expected, "{point:?}");
}

fn assert_shape_queries_match_brute_force(world: &World, rng: &mut Rng, filter: &QueryFilter) {
    let shape = random_shape(rng);
    let pose = Pose { rotation: random_rotation(rng), position: random_vector(rng, 12.0) };
    let overlapping: Vec<BodyId> = filtered_bodies(world, filter)
        .filter(|body| narrow_phase::intersects(&shape, &pose, body.shape(), &body.pose()))
        .map(|body| body.id())
        .collect();
    assert_eq!(world.overlap_shape(&shape, &pose, filter), overlapping);

    let expected = filtered_bodies(world, filter)
        .map(|body| {
            (body.id(), narrow_phase::closest_points(&shape, &pose, body.shape(), &body.pose()))
        })
        .reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
    let closest = world.closest_body_to_shape(&shape, &pose, filter);
    assert_eq!(closest.map(|closest| closest.body), expected.map(|(id, _)| id));
    if let (Some(closest), Some((_, expected))) = (closest, expected) {
        assert_eq!((closest.distance, closest.point), (expected.distance, expected.points[1]));
    }

    let rotation_vector = if rng.coin() { Vec3::ZERO } else { random_vector(rng, 3.0) };
    let sweep = Sweep::new(pose, random_vector(rng, 15.0), rotation_vector);
    let expected = filtered_bodies(world, filter)
        .filter_map(|body| {
            let at_rest = Sweep::stationary(body.pose());
            let impact = narrow_phase::time_of_impact(&shape, &sweep, body.shape(), &at_rest, 0.0)?;
            Some((body.id(), impact))
        })
        .reduce(|a, b| if b.1.fraction < a.1.fraction { b } else { a });
    let hit = world.cast_shape(&shape, &sweep, filter);
    assert_eq!(hit.map(|hit| (hit.body, hit.impact)), expected);
}

#[test]
fn queries_equal_brute_force_bit_for_bit() {
    let mut rng = Rng::new(7);
    for count in [0, 1, 20, 150] {
        let mut world = random_world(&mut rng, count);
        for _ in 0..6 {
            let filters = filters(&world);
            for query in 0..40 {
                let filter = &filters[query % 4];
                assert_ray_queries_match_brute_force(&world, &mut rng, filter);
                assert_shape_queries_match_brute_force(&world, &mut rng, filter);
                assert_point_queries_match_brute_force(&world, &mut rng, filter);
            }
            steps(&mut world, 3);
        }
    }
}

#[test]
fn closest_body_to_a_point_is_exact() {
    let mut world = world();
    let body = BodyDef::fixed(cuboid(1.0, 2.0, 3.0)).position(Vec3::X * 5.0);
    let body = world.insert_body(body).unwrap();
    let outside_and_inside =
        [(0.0, 4.0, 4.0, Vec3::X), (4.25, -0.25, 4.0, Vec3::X), (6.5, 0.5, 6.0, -Vec3::X)];
    for (x, distance, surface_x, normal) in outside_and_inside {
        let closest = world.closest_body([x, 0.5, 0.25], &QueryFilter::default()).unwrap();
        let point = Vec3::new(surface_x, 0.5, 0.25);
        assert_eq!(closest, ClosestBody { body, distance, point, normal }, "x = {x}");
    }
}

/// Regression: the point was a small sphere, which collides with the triangles of a mesh alone, so
/// that the distance inside a closed mesh was positive.
#[test]
fn point_inside_a_closed_mesh_has_a_negative_distance() {
    let mut world = world();
    let body = world.insert_body(BodyDef::fixed(cube_mesh())).unwrap();
    let closest = world.closest_body([0.75, 0.25, 0.125], &QueryFilter::default());
    let point = Vec3::new(1.0, 0.25, 0.125);
    assert_eq!(closest, Some(ClosestBody { body, distance: -0.25, point, normal: -Vec3::X }));
}

/// Far from the origin, rounding of coordinates exceeds the distances.
#[test]
fn closest_body_far_from_the_origin_equals_brute_force() {
    let mut rng = Rng::new(8);
    let center = Vec3::new(3e4, -2e4, 1e4);
    let mut world = world();
    for _ in 0..200 {
        let def = BodyDef::fixed(random_shape(&mut rng)).rotation(random_rotation(&mut rng));
        world.insert_body(def.position(center + random_vector(&mut rng, 3.0))).unwrap();
    }
    for _ in 0..300 {
        let point = center + random_vector(&mut rng, 4.0);
        let bodies = world.bodies();
        let expected = bodies
            .map(|body| (body.shape().project_point(&body.pose(), point).distance, body.id()))
            .reduce(|a, b| if b.0 < a.0 { b } else { a });
        let closest = world.closest_body(point, &QueryFilter::default());
        assert_eq!(closest.map(|closest| (closest.distance, closest.body)), expected);
    }
}

#[test]
fn queries_do_not_change_the_simulation() {
    let run = |with_queries: bool| {
        let mut world = random_world(&mut Rng::new(3), 60);
        for step in 0..120 {
            world.step();
            if with_queries && step % 3 == 0 {
                let _ = world.closest_body(Vec3::ZERO, &QueryFilter::default());
                let _ =
                    world.cast_ray(&Ray::new([0.0; 3], [1.0, 0.2, 0.1]), &QueryFilter::default());
            }
        }
        world.state_hash()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn queries_find_bodies_after_insert_teleport_removal_and_restore() {
    let mut world = world();
    let all = QueryFilter::default();
    assert!(world.closest_body(Vec3::ZERO, &all).is_none());
    let body = world.insert_body(BodyDef::fixed(sphere(1.0))).unwrap();
    let origin = Aabb { min: [-2.0; 3], max: [2.0; 3] };
    assert_eq!(world.overlap_aabb(&origin, &all), [body]);
    world.body_mut(body).unwrap().set_pose(Pose::from_translation(Vec3::X * 9.0)).unwrap();
    assert!(world.overlap_aabb(&origin, &all).is_empty());
    world.body_mut(body).unwrap().set_pose(Pose::IDENTITY).unwrap();
    let before = world.snapshot();
    world.remove_body(body);
    assert!(world.overlap_aabb(&origin, &all).is_empty());
    world.restore(&before);
    assert_eq!(world.overlap_aabb(&origin, &all), [body]);
}

#[test]
fn invalid_queries_find_nothing() {
    let mut world = world();
    world.insert_body(BodyDef::fixed(sphere(1.0))).unwrap();
    let (all, nan) = (QueryFilter::default(), Vec3::splat(f32::NAN));
    assert!(world.cast_ray(&Ray::new([f32::NAN; 3], [1.0; 3]), &all).is_none());
    assert!(world.cast_ray(&Ray::new([0.0; 3], [0.0; 3]), &all).is_none());
    assert!(world.closest_body(nan, &all).is_none());
    assert!(world.overlap_aabb(&Aabb { min: [1.0; 3], max: [-1.0; 3] }, &all).is_empty());
    assert!(
        world.overlap_shape(&sphere(1.0).into(), &Pose::from_translation(nan), &all).is_empty()
    );
    let sweep = Sweep::linear(Pose::from_translation(nan), Vec3::X);
    assert!(world.cast_shape(&sphere(1.0).into(), &sweep, &all).is_none());
    let sweep = Sweep::linear(Pose::IDENTITY, Vec3::X * f32::INFINITY);
    assert!(world.cast_shape(&sphere(1.0).into(), &sweep, &all).is_none());
}
