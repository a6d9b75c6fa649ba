//! Numbers at the ends of what is allowed.

use embate_geom::{Pose, Ray, Vec3};

use super::*;
use crate::motion::{Filter, Locks, Material};

/// Its rotation was NaN from then on, and every question of the world was answered with nothing.
#[test]
fn an_impulse_that_would_leave_the_range_of_numbers_is_refused() {
    let mut world = weightless();
    let light = world.add(BodyPlan::moving(sphere(0.05), 1e-9)).unwrap();
    let other = world.add(BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * 5.0)).unwrap();
    let before = world.state_hash();
    let far = Vec3::Y * 1e12;
    let mut change = world.change(light).unwrap();
    assert!(change.apply_impulse_at(Vec3::X * 1e15, far).is_err());
    assert!(change.apply_impulse(Vec3::X * 1e15).is_err());
    assert!(change.apply_force_at(Vec3::X * 1e15, far).is_err());
    assert!(change.apply_force(Vec3::X * 1e15).is_err());
    assert!(change.apply_torque(Vec3::X * 1e15).is_err());
    let told = change.apply_impulse(Vec3::X).unwrap_err().to_string();
    assert!(told.starts_with("the velocity is [1000000"), "{told}");
    assert_eq!(world.state_hash(), before);
    assert!(world.change(light).unwrap().apply_force(Vec3::X * 1e-3).is_ok());
    steps(&mut world, 3);
    assert!(world.body(light).unwrap().pose().is_finite());
    let ray = Ray::new([5.0, 9.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(world.ray(&ray, &Filter::default()).map(|hit| hit.body), Some(other));
}

/// It was Ok, and all but a fiftieth of the speed was gone after the next step.
#[test]
fn an_impulse_to_more_than_the_largest_speed_or_spin_is_refused() {
    let mut world = weightless();
    let body = world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    let before = world.state_hash();
    let mut change = world.change(body).unwrap();
    let told = change.apply_impulse(Vec3::X * 5e5).unwrap_err().to_string();
    assert!(told.contains("faster than the 10000 m/s of this world"), "{told}");
    let told = change.apply_impulse_at(Vec3::X * 9e3, Vec3::Y * 0.5).unwrap_err().to_string();
    assert!(told.starts_with("the angular velocity after the impulse"), "{told}");
    assert_eq!(world.state_hash(), before);
    // As fast as may be, and back.
    world.change(body).unwrap().apply_impulse(Vec3::X * 1e4).unwrap();
    steps(&mut world, 2);
    assert_eq!(velocity(&world, body), Vec3::X * 1e4);
    world.change(body).unwrap().apply_impulse(Vec3::X * -1e4).unwrap();
    assert_eq!(velocity(&world, body), Vec3::ZERO);
}

/// Strides of a radian and more did not find their middles.
#[test]
fn the_fastest_spin_keeps_its_energy_in_the_longest_step() {
    let settings =
        Settings { gravity: Vec3::ZERO, time_step: 1.0, substeps: 1, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let spin = Vec3::new(1e4, 9e3, -3e3);
    let plan = BodyPlan::moving(cuboid(0.5, 0.2, 0.1), 1.0).with_angular_velocity(spin);
    let body = world.add(plan).unwrap();
    let before = world.body(body).unwrap().kinetic_energy();
    steps(&mut world, 5);
    let after = world.body(body).unwrap().kinetic_energy();
    assert!((after / before - 1.0).abs() < 1e-5, "{before} J became {after} J");
}

/// One box that is out of range hid all bodies.
#[test]
fn a_body_that_flies_out_of_range_hides_no_other_from_questions() {
    let mut world = weightless();
    let lost = world.add(BodyPlan::moving(sphere(0.05), 1.0)).unwrap();
    let other = world.add(BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * 5.0)).unwrap();
    // As if something had gone wrong with it.
    world.bodies.poses[lost.index as usize] = Pose::at(Vec3::X * f32::NAN);
    let ray = Ray::new([5.0, 9.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(world.ray(&ray, &Filter::default()).map(|hit| hit.body), Some(other));
}

#[test]
fn forces_and_torques_act_for_one_step() {
    let mut world = weightless();
    let body = world.add(BodyPlan::moving(cube(), 2.0)).unwrap();
    let mut change = world.change(body).unwrap();
    change.apply_force(Vec3::X * 60.0).unwrap();
    change.apply_force(Vec3::X * 60.0).unwrap();
    change.apply_torque(Vec3::Z * 20.0).unwrap();
    steps(&mut world, 2);
    let body = world.body(body).unwrap();
    assert!((body.velocity() - Vec3::X).length() < 1e-5, "{:?}", body.velocity());
    // I = m/6: 60 rad/s² for a sixtieth of a second.
    assert!((body.angular_velocity() - Vec3::Z).length() < 1e-4, "{:?}", body.angular_velocity());
}

#[test]
fn damping_gravity_mass_and_material_can_be_changed_on_the_way() {
    let mut world = world();
    let ball = |x: f32| BodyPlan::moving(sphere(0.5), 1.0).at(Vec3::X * x);
    let damped = world.add(ball(0.0).with_velocity(Vec3::Z * 4.0)).unwrap();
    let light = world.add(ball(9.0)).unwrap();
    world.change(damped).unwrap().set_damping(1.0, 0.0).unwrap();
    world.change(light).unwrap().set_gravity_scale(0.0).unwrap();
    steps(&mut world, 60);
    // v' = −v for a second; steps of first order are off by h/2.
    let left = velocity(&world, damped).z;
    assert!((left / (4.0 / core::f32::consts::E) - 1.0).abs() < 0.003, "{left}");
    assert_eq!(velocity(&world, light), Vec3::ZERO);

    world.set_gravity(Vec3::ZERO).unwrap();
    world.change(light).unwrap().set_mass(3.0).unwrap();
    world.change(light).unwrap().apply_impulse(Vec3::Y * 6.0).unwrap();
    assert_eq!(velocity(&world, light), Vec3::Y * 2.0);
    let bouncy = Material { restitution: 1.0, ..Material::default() };
    world.change(light).unwrap().set_material(bouncy).unwrap();
    let at = position(&world, light);
    world.add(BodyPlan::still(cuboid(1.0, 0.5, 1.0)).at(at + Vec3::Y * 2.0)).unwrap();
    steps(&mut world, 60);
    assert!((velocity(&world, light) + Vec3::Y * 2.0).length() < 1e-4);
    assert!(world.set_gravity(Vec3::Y * f32::NAN).is_err());
}

#[test]
fn other_gravity_wakes_everybody() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let body = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5)).unwrap();
    steps(&mut world, 120);
    assert!(world.body(body).unwrap().is_asleep());
    world.set_gravity(Vec3::Y).unwrap();
    steps(&mut world, 60);
    assert!((position(&world, body).y - 1.0).abs() < 0.01, "{:?}", position(&world, body));
}

/// Touches beyond the colours of a body are solved one by one.
#[test]
fn a_plate_rests_on_forty_balls() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    for index in 0..40_u8 {
        let (x, z) = (f32::from(index % 8) - 3.5, f32::from(index / 8) - 2.0);
        world.add(BodyPlan::moving(sphere(0.3), 1.0).at(Vec3::new(x, 0.3, z))).unwrap();
    }
    let plan = BodyPlan::moving(cuboid(4.0, 0.1, 2.5), 40.0).at(Vec3::Y * 0.7);
    let plate = world.add(plan).unwrap();
    steps(&mut world, 300);
    let body = world.body(plate).unwrap();
    assert!((body.position() - Vec3::Y * 0.7).length() < 0.01, "{:?}", body.position());
    assert!(body.pose().rotation.turn(Vec3::Y).y > 0.9999);
    assert_eq!(world.contacts().filter(|contact| contact.bodies.contains(&plate)).count(), 40);
}

#[test]
fn steps_of_changing_length_let_a_stack_stand_and_a_ball_fall() {
    let mut world = World::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    add_ground(&mut world, 0.6);
    let boxes: Vec<BodyId> = (0..5)
        .map(|level| {
            let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * (level as f32 + 0.5));
            world.add(plan).unwrap()
        })
        .collect();
    let ball = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::new(9.0, 1e3, 0.0))).unwrap();
    for number in 0..600 {
        let length = [1.0 / 60.0, 1.0 / 240.0, 1.0 / 30.0, 1.0 / 90.0, 1.0 / 45.0][number % 5];
        world.step_by(length).unwrap();
    }
    let time = world.time() as f32;
    let fallen = 1e3 - position(&world, ball).y;
    assert!((fallen / (0.5 * G * time * time) - 1.0).abs() < 1e-4, "{fallen} in {time} s");
    let top = position(&world, boxes[4]);
    assert!((top - Vec3::Y * 4.5).length() < 0.05, "{top:?}");
}

#[test]
fn a_step_of_a_second_leaves_all_numbers_finite() {
    let mut world = World::new(Settings { time_step: 1.0, ..Settings::default() }).unwrap();
    add_ground(&mut world, 0.5);
    for level in 0..5 {
        let plan = BodyPlan::moving(cube(), 1.0).at(Vec3::Y * (level as f32 + 0.5));
        world.add(plan.with_locks(Locks::PLANAR)).unwrap();
    }
    steps(&mut world, 60);
    assert!(world.bodies().all(|body| body.pose().is_finite() && body.velocity().is_finite()));
    assert!(world.bodies().all(|body| body.position().y > -1.0));
}

/// A place that is no number became one at the end of the world, and looked as good as any.
#[test]
fn a_place_that_is_no_number_is_not_hidden() {
    use crate::motion::integrate::within_reach;
    assert!(!within_reach(Vec3::new(f32::NAN, 0.0, 0.0)).is_finite());
    assert_eq!(within_reach(Vec3::X * 2e12), Vec3::X * 1e12);
    let mut world = weightless();
    let body = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    world.bodies.motions[body.index as usize].moved = Vec3::Y * f32::NAN;
    world.step();
    assert!(!position(&world, body).is_finite());
}
