//! What a world is asked, against a plain loop over its bodies.

use embate_geom::{Aabb, Pose, Ray, Rotation, Vec3};

use super::*;
use crate::contacts::{self, Motion};
use crate::motion::{Body, Bounds, Filter, Groups, RayHit};
use crate::shapes::{Capsule, Compound, Hull, Shape};

/// Numbers from 0 to 1, the same every time.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        let mut one = || (self.number() - 0.5) * 2.0 * size;
        Vec3::new(one(), one(), one())
    }

    fn rotation(&mut self) -> Rotation {
        let axis = self.vector(1.0) + Vec3::X * 1e-3;
        Rotation::about(axis, self.number() * 6.0).unwrap()
    }

    fn shape(&mut self) -> Shape {
        let size = 0.1 + self.number();
        match (self.number() * 5.0) as u32 {
            0 => sphere(size).into(),
            1 => cuboid(size, 0.3, 0.7 * size).into(),
            2 => Capsule::new(size, 0.3).unwrap().into(),
            3 => Hull::cylinder(size, 0.4, 7).unwrap().into(),
            _ => {
                let at = Pose::at(self.vector(0.7));
                let parts = vec![(at, sphere(0.3).into()), (Pose::IDENTITY, cube().into())];
                Shape::from(Compound::new(parts).unwrap())
            }
        }
    }
}

fn crowd(random: &mut Random, count: usize) -> World {
    let bounds = Some(Bounds::bouncing(Vec3::splat(-20.0), Vec3::splat(20.0)));
    let mut world = World::new(Settings { bounds, ..Settings::default() }).unwrap();
    let mut ids = Vec::new();
    for index in 0..count {
        let shape = random.shape();
        let plan =
            if index % 3 == 0 { BodyPlan::still(shape) } else { BodyPlan::moving(shape, 1.0) };
        let plan = plan.at(random.vector(9.0)).turned(random.rotation());
        let plan = plan.with_velocity(random.vector(5.0)).with_restitution(0.7);
        let plan = plan.with_groups(Groups { of: 1 << (index % 4), with: u32::MAX });
        let plan = if index % 17 == 0 { plan.as_sensor() } else { plan };
        ids.push(world.add(plan).unwrap());
    }
    for id in ids.into_iter().step_by(9) {
        world.remove(id);
    }
    world
}

fn filters(world: &World) -> [Filter; 4] {
    let first = world.bodies().next().map(|body| body.id());
    let all = Filter::default();
    [
        all,
        Filter { sensors: true, ..all },
        Filter { without: first, ..all },
        Filter { groups: Groups { of: 1, with: 0b101 }, ..all },
    ]
}

fn passes(body: &Body<'_>, filter: &Filter) -> bool {
    let groups = body.groups();
    filter.without != Some(body.id())
        && (filter.sensors || !body.is_sensor())
        && groups.of & filter.groups.with != 0
        && groups.with & filter.groups.of != 0
}

fn asked<'a>(world: &'a World, filter: &'a Filter) -> impl Iterator<Item = Body<'a>> {
    world.bodies().filter(|body| passes(body, filter))
}

fn rays_agree(world: &World, random: &mut Random, filter: &Filter) {
    let ray = Ray::new(random.vector(12.0).to_array(), random.vector(1.0).to_array());
    let ray = if random.number() < 0.3 { ray.within(0.0, 6.0) } else { ray };
    let mut expected: Vec<RayHit> = asked(world, filter)
        .filter_map(|body| {
            let hit = body.shape().ray_hit(&body.pose(), &ray)?;
            let point = Vec3::from(ray.origin) + Vec3::from(ray.direction) * hit.t;
            Some(RayHit { body: body.id(), t: hit.t, point, normal: hit.normal })
        })
        .collect();
    expected.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.body.cmp(&b.body)));
    assert_eq!(world.ray_all(&ray, filter), expected);
    assert_eq!(world.ray(&ray, filter), expected.first().copied());
    assert_eq!(world.ray_meets_any(&ray, filter), !expected.is_empty());
}

fn shapes_agree(world: &World, random: &mut Random, filter: &Filter) {
    let shape = random.shape();
    let pose = Pose { rotation: random.rotation(), position: random.vector(12.0) };
    let touched: Vec<BodyId> = asked(world, filter)
        .filter(|body| contacts::touching(&shape, &pose, body.shape(), &body.pose()))
        .map(|body| body.id())
        .collect();
    assert_eq!(world.overlapping(&shape, &pose, filter), touched);

    let nearest = asked(world, filter)
        .map(|body| (body.id(), contacts::separation(&shape, &pose, body.shape(), &body.pose())))
        .reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
    let near = world.nearest_to(&shape, &pose, filter);
    assert_eq!(near.map(|near| near.body), nearest.map(|(id, _)| id));
    if let (Some(near), Some((_, apart))) = (near, nearest) {
        assert_eq!((near.distance, near.point), (apart.distance, apart.points[1]));
    }

    let spin = if random.number() < 0.5 { Vec3::ZERO } else { random.vector(3.0) };
    let motion = Motion::new(pose, random.vector(15.0), spin);
    let first = asked(world, filter)
        .filter_map(|body| {
            let rests = Motion::resting(body.pose());
            let impact = contacts::time_of_impact(&shape, &motion, body.shape(), &rests, 0.0)?;
            Some((body.id(), impact))
        })
        .reduce(|a, b| if b.1.time < a.1.time { b } else { a });
    let hit = world.cast(&shape, &motion, filter);
    assert_eq!(hit.map(|hit| (hit.body, hit.impact)), first);
}

#[test]
fn every_answer_is_that_of_a_loop_over_all_bodies() {
    let mut random = Random(7);
    for count in [0, 1, 20, 150] {
        let mut world = crowd(&mut random, count);
        for _ in 0..6 {
            let filters = filters(&world);
            for round in 0..40 {
                let filter = &filters[round % 4];
                rays_agree(&world, &mut random, filter);
                shapes_agree(&world, &mut random, filter);
            }
            steps(&mut world, 3);
        }
    }
}

#[test]
fn questions_change_nothing_that_moves() {
    let run = |ask: bool| {
        let mut world = crowd(&mut Random(3), 60);
        for step in 0..120 {
            world.step();
            if ask && step % 3 == 0 {
                let _ = world.nearest(Vec3::ZERO, &Filter::default());
                let _ = world.ray(&Ray::new([0.0; 3], [1.0, 0.2, 0.1]), &Filter::default());
            }
        }
        world.state_hash()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn a_body_that_was_added_moved_or_removed_is_found_where_it_is() {
    let mut world = world();
    let all = Filter::default();
    assert!(world.nearest(Vec3::ZERO, &all).is_none());
    let ball = world.add(BodyPlan::still(sphere(1.0))).unwrap();
    let here = Aabb { min: [-2.0; 3], max: [2.0; 3] };
    assert_eq!(world.overlapping_box(&here, &all), [ball]);
    world.change(ball).unwrap().set_pose(Pose::at(Vec3::X * 9.0)).unwrap();
    assert!(world.overlapping_box(&here, &all).is_empty());
    world.change(ball).unwrap().set_pose(Pose::IDENTITY).unwrap();
    let before = world.snapshot();
    world.remove(ball);
    assert!(world.overlapping_box(&here, &all).is_empty());
    world.restore(&before);
    assert_eq!(world.overlapping_box(&here, &all), [ball]);
}

#[test]
fn a_question_that_makes_no_sense_finds_nothing() {
    let mut world = world();
    world.add(BodyPlan::still(sphere(1.0))).unwrap();
    let (all, nan) = (Filter::default(), Vec3::splat(f32::NAN));
    assert!(world.ray(&Ray::new([f32::NAN; 3], [1.0; 3]), &all).is_none());
    assert!(world.ray(&Ray::new([0.0; 3], [0.0; 3]), &all).is_none());
    assert!(world.nearest(nan, &all).is_none());
    assert!(world.overlapping_box(&Aabb { min: [1.0; 3], max: [-1.0; 3] }, &all).is_empty());
    assert!(world.overlapping(&sphere(1.0).into(), &Pose::at(nan), &all).is_empty());
    let motion = Motion::sliding(Pose::at(nan), Vec3::X);
    assert!(world.cast(&sphere(1.0).into(), &motion, &all).is_none());
    let motion = Motion::sliding(Pose::IDENTITY, Vec3::X * f32::INFINITY);
    assert!(world.cast(&sphere(1.0).into(), &motion, &all).is_none());
}
