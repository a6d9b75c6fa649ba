//! Snapshots as bytes.

use embate_geom::{Aabb, Pose, Rotation, Vec3};

use super::*;
use crate::TriangleMesh;
use crate::motion::{Bounds, InvalidSnapshot, JointPlan, Locks, Method, Snapshot};
use crate::shapes::{Capsule, Compound, Hull, MeshShape, Shape};

/// Every kind of shape, body and joint, resting, flying and asleep.
fn zoo(method: Method) -> World {
    let bounds = Some(Bounds::bouncing(Vec3::splat(-20.0), Vec3::splat(20.0)));
    let mut world = World::new(Settings { bounds, method, ..Settings::default() }).unwrap();
    let hill = |x: i32, z: i32| (x * x + z * z) as f32 * 0.05;
    let corner = |i: i32| (i % 5 - 2, i / 5 - 2);
    let positions = (0..25).map(corner).map(|(x, z)| [x as f32 * 3.0, hill(x, z), z as f32 * 3.0]);
    let cells = (0..16_u32).map(|i| i % 4 + i / 4 * 5);
    let triangles = cells.flat_map(|c| [[c, c + 5, c + 1], [c + 1, c + 5, c + 6]]);
    let ground = TriangleMesh::new(positions.collect(), triangles.collect()).unwrap();
    world.add(BodyPlan::still(MeshShape::new(ground).unwrap())).unwrap();
    let parts = vec![
        (Pose::at(Vec3::X * 0.4), sphere(0.3).into()),
        (Pose::IDENTITY, cuboid(0.4, 0.1, 0.1).into()),
    ];
    let shapes: [Shape; 5] = [
        sphere(0.3).into(),
        cuboid(0.3, 0.2, 0.4).into(),
        Capsule::new(0.3, 0.2).unwrap().into(),
        Hull::cylinder(0.3, 0.3, 9).unwrap().into(),
        Compound::new(parts).unwrap().into(),
    ];
    let mut ids = Vec::new();
    for index in 0..40_u16 {
        let [x, y, z] = [index % 4, index / 16, index / 4 % 4].map(|i| f32::from(i) * 1.3 - 2.0);
        let turn = Rotation::about(Vec3::new(1.0, -2.0, 0.5), f32::from(index)).unwrap();
        let plan = BodyPlan::moving(shapes[usize::from(index) % 5].clone(), 1.0 + f32::from(index));
        let plan = plan.at(Vec3::new(x, y + 4.0, z)).turned(turn).with_damping(0.1, 0.2);
        let plan = plan.with_restitution(f32::from(index % 3) * 0.4);
        let plan = if index == 7 { plan.with_locks(Locks::PLANAR) } else { plan };
        let spit = Locks { moving: [false; 3], turning: [true, false, false] };
        let plan = if index == 11 {
            BodyPlan::moving(cube(), 1.0).at(plan.pose.position).turned(turn).with_locks(spit)
        } else {
            plan
        };
        let plan = if index == 9 { plan.as_sensor() } else { plan };
        ids.push(world.add(plan).unwrap());
    }
    let lift = BodyPlan::driven(cube()).at(Vec3::new(0.0, 0.0, 6.0)).with_velocity(Vec3::Y * 0.1);
    world.add(lift).unwrap();
    if method == Method::Soft {
        for pair in ids.chunks_exact(8) {
            let at = |index: usize| position(&world, pair[index]);
            let plans = [
                JointPlan::ball(pair[0], pair[1], at(0)),
                JointPlan::hinge(pair[2], pair[3], at(2), Vec3::Y).with_limits(-1.0, 2.0),
                JointPlan::spring(pair[4], pair[5], at(4), at(5), 50.0, 1.0),
                JointPlan::slider(pair[6], pair[7], at(6), Vec3::X).with_motor(1.0, 5.0),
            ];
            for plan in plans {
                let joint = world.join(plan).unwrap();
                if pair[0] == ids[8] {
                    world.unjoin(joint);
                }
            }
        }
    }
    world.remove(ids[5]);
    world.remove(ids[20]);
    world
}

const METHODS: [Method; 3] = [Method::Soft, Method::Elastic, Method::STUDY];

#[test]
fn a_world_read_from_bytes_goes_on_with_the_same_bits() {
    for method in METHODS {
        let mut world = zoo(method);
        let mut passed = 0;
        for until in [0, 1, 17, 60, 200] {
            steps(&mut world, until - passed);
            passed = until;
            let bytes = world.snapshot().to_bytes();
            let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
            // What was written can be written again.
            assert_eq!(other.snapshot().to_bytes(), bytes);
            assert_eq!(other.events(), world.events());
            let mut here = world.clone();
            for step in 0..80 {
                here.step();
                other.step();
                assert_eq!(here.state_hash(), other.state_hash(), "{method:?}: {until} + {step}");
                assert_eq!(here.events(), other.events());
            }
        }
    }
}

#[test]
fn a_world_put_back_to_an_earlier_step_repeats_what_it_did() {
    for method in METHODS {
        let mut world = zoo(method);
        let mut kept = None;
        let mut hashes = Vec::new();
        for step in 0..150 {
            if step == 53 {
                kept = Some(world.snapshot().to_bytes());
            }
            world.step();
            hashes.push(world.state_hash());
        }
        world.restore(&Snapshot::from_bytes(&kept.unwrap()).unwrap());
        for &hash in &hashes[53..] {
            world.step();
            assert_eq!(world.state_hash(), hash);
        }
    }
}

#[test]
fn damaged_bytes_are_refused_and_nothing_panics() {
    let mut world = zoo(Method::Soft);
    steps(&mut world, 60);
    let bytes = world.snapshot().to_bytes();
    assert_eq!(Snapshot::from_bytes(b"").unwrap_err(), InvalidSnapshot::Unknown);
    assert_eq!(Snapshot::from_bytes(b"{}").unwrap_err(), InvalidSnapshot::Unknown);
    for cut in (0..bytes.len()).step_by(97) {
        assert!(Snapshot::from_bytes(&bytes[..cut]).is_err());
    }
    let mut newer = bytes.clone();
    newer[4] = 99;
    assert_eq!(Snapshot::from_bytes(&newer).unwrap_err(), InvalidSnapshot::Version { found: 99 });
    let mut flipped = bytes.clone();
    flipped[100] ^= 1;
    assert_eq!(Snapshot::from_bytes(&flipped).unwrap_err(), InvalidSnapshot::Damaged);
}

/// As above, but with a checksum that fits: by somebody who knows how.
#[test]
fn hostile_bytes_are_refused_or_make_a_world_that_runs() {
    let mut world = zoo(Method::Soft);
    steps(&mut world, 40);
    let bytes = world.snapshot().to_bytes();
    let body = &bytes[..bytes.len() - 8];
    let sum = |bytes: &[u8]| {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let mut random = 1_u64;
    let mut next = || {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize
    };
    let mut taken = 0;
    for round in 0..600 {
        let mut evil = body.to_vec();
        for _ in 0..=round % 3 {
            let at = 8 + next() % (evil.len() - 8);
            match round % 4 {
                0 => evil[at] ^= 1 << (next() % 8),
                1 => evil[at] = 0xff,
                2 => evil.truncate(at.max(9)),
                _ => {
                    let at = at & !3;
                    let word = [0, u32::MAX, 0x7f80_0000, 0x7fc0_0000, 1][next() % 5];
                    if let Some(bytes) = evil.get_mut(at..at + 4) {
                        bytes.copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
        let sum = sum(&evil);
        evil.extend_from_slice(&sum.to_le_bytes());
        if let Ok(snapshot) = Snapshot::from_bytes(&evil) {
            taken += 1;
            if round % 8 == 0 {
                let mut world = World::from_snapshot(&snapshot);
                steps(&mut world, 3);
            }
        }
    }
    assert!(taken > 50, "most changes of a digit make another world: {taken}");
}

#[test]
fn a_snapshot_is_small() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    for index in 0..1000_u16 {
        let [x, y, z] = [index % 10, index / 100, index / 10 % 10].map(|i| f32::from(i) * 1.01);
        world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::new(x, y + 0.5, z))).unwrap();
    }
    let fresh = world.snapshot().to_bytes().len();
    assert!(fresh < 150 * 1000, "{fresh} bytes for 1,000 bodies that touch nobody yet");
    // A hull that all have is there once.
    let hull = Shape::from(Hull::cylinder(1.0, 1.0, 500).unwrap());
    for index in 0..100_u16 {
        let at = Vec3::new(f32::from(index) * 3.0, 50.0, 0.0);
        world.add(BodyPlan::moving(hull.clone(), 1.0).at(at)).unwrap();
    }
    let more = world.snapshot().to_bytes().len() - fresh;
    assert!(more < 100 * 150 + 1000 * 12 + 100, "{more}");
}

/// An id that was given after a snapshot named whatever came next after the restore.
#[test]
fn an_id_given_after_a_snapshot_names_nobody_after_the_restore() {
    let mut world = world();
    let first = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    let gone = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    let before = world.snapshot();
    world.remove(gone);
    let lost = [(); 3].map(|()| world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap());
    let joint = world.join(JointPlan::ball(first, lost[0], Vec3::ZERO)).unwrap();
    for _ in 0..2 {
        world.restore(&before);
        assert!(world.body(gone).is_some(), "back under its name");
        world.remove(gone);
        let new = [(); 3].map(|()| world.add(BodyPlan::moving(cube(), 1.0)).unwrap());
        for id in lost {
            assert!(world.body(id).is_none() && !new.contains(&id), "{id:?}");
        }
        let other = world.join(JointPlan::ball(first, new[0], Vec3::ZERO)).unwrap();
        assert!(other != joint && world.joint(joint).is_none());
    }
    // What is added goes on alike all the same.
    let mut other = World::from_snapshot(&before);
    world.restore(&before);
    for world in [&mut world, &mut other] {
        world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 3.0)).unwrap();
        world.step();
    }
    assert_eq!(world.state_hash(), other.state_hash());
}

/// The pair was told to end by the world that went on, and never by the one that was restored.
#[test]
fn a_restore_just_after_a_teleport_ends_the_touch() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let stays = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 0.5)).unwrap();
    let goes = world.add(BodyPlan::moving(cube(), 1.0).at(Vec3::Y * 1.5)).unwrap();
    steps(&mut world, 30);
    world.change(goes).unwrap().set_pose(Pose::at(Vec3::new(50.0, 9.0, 0.0))).unwrap();
    let bytes = world.snapshot().to_bytes();
    let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    for _ in 0..3 {
        world.step();
        other.step();
        assert_eq!(world.events(), other.events());
        assert_eq!(world.last_step().pairs, other.last_step().pairs);
        assert_eq!(world.state_hash(), other.state_hash());
    }
    assert!(world.body(stays).is_some());
}

/// Two worlds that differ in what pushes a body had the same hash, and parted in the next step.
#[test]
fn a_hash_tells_what_will_matter() {
    let mut world = world();
    let body = world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    let mut pushed = world.clone();
    pushed.change(body).unwrap().apply_force(Vec3::X).unwrap();
    assert_ne!(world.state_hash(), pushed.state_hash());
}

/// It did not tell for whom a pair is new, nor where a body became calm: two worlds of one hash fell asleep at
/// different times.
#[test]
fn a_hash_tells_every_number_that_the_next_step_reads() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let plan = BodyPlan::moving(cube(), 1.0);
    world.add(plan.clone().at(Vec3::Y * 0.5)).unwrap();
    let hung = world.add(plan.clone().at(Vec3::new(4.0, 3.0, 0.0))).unwrap();
    let hook = world.add(BodyPlan::still(sphere(0.1)).at(Vec3::new(4.0, 4.0, 0.0))).unwrap();
    world.join(JointPlan::ball(hook, hung, Vec3::new(4.0, 4.0, 0.0))).unwrap();
    steps(&mut world, 20);
    assert!(world.bodies.calm[1] > 0.0 && world.touches.pairs[0].settled.is_some());
    let changes: [fn(&mut World); 24] = [
        |world| world.bodies.places[1].center.x += 1e-3,
        |world| world.bodies.places[1].rotation = Rotation::about(Vec3::X, 1e-3).unwrap(),
        |world| world.bodies.motions[1].velocity.y += 1e-3,
        |world| world.bodies.motions[1].spin.z += 1e-3,
        |world| world.bodies.pushes[1].force.x += 1e-3,
        |world| world.bodies.pushes[1].torque.x += 1e-3,
        |world| world.bodies.calm[1] += 1e-3,
        |world| world.bodies.calm_at[1].place.center.y += 1e-3,
        |world| world.bodies.calm_at[1].place.rotation = Rotation::about(Vec3::X, 1e-3).unwrap(),
        |world| world.bodies.calm_at[1].velocity.y += 1e-3,
        |world| world.bodies.calm_at[1].spin.y += 1e-3,
        |world| world.touches.pairs[0].anew = true,
        |world| world.touches.pairs[0].touching = false,
        |world| world.touches.pairs[0].settled = None,
        |world| world.touches.pairs[0].settled.as_mut().unwrap().centers[1].x += 1e-3,
        |world| world.touches.pairs[0].touches[0].manifold.normal.x += 1e-3,
        |world| world.touches.pairs[0].touches[0].ahead += 1e-3,
        |world| world.touches.pairs[0].touches[0].points[0].impulse += 1e-3,
        |world| world.touches.pairs[0].touches[0].found[3].depth += 1e-3,
        |world| world.touches.pairs[0].touches[0].found[3].point.x += 1e-3,
        |world| world.touches.pairs[0].touches[0].friction.x += 1e-3,
        |world| world.touches.pairs[0].touches[0].twist += 1e-3,
        |world| world.touches.pairs[0].touches[0].rolling.x += 1e-3,
        |world| world.joints.links[0].as_mut().unwrap().impulses[0].x += 1e-3,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut other = world.clone();
        change(&mut other);
        assert_ne!(world.state_hash(), other.state_hash(), "change {number}");
    }
}

/// Rooms of ±1e18 made a pair of every two bodies.
#[test]
fn a_room_that_no_body_needs_is_refused() {
    let mut world = world();
    world.add(BodyPlan::moving(cube(), 1.0)).unwrap();
    let mut snapshot = world.snapshot();
    assert!(Snapshot::from_bytes(&snapshot.to_bytes()).is_ok());
    snapshot.rooms[0].1 = Aabb { min: [-1e9; 3], max: [1e9; 3] };
    let told = Snapshot::from_bytes(&snapshot.to_bytes()).unwrap_err().to_string();
    assert!(told.contains("a room is larger"), "{told}");
}

/// Written and read, as a page's link does.
fn read_back(world: &World) -> Result<Snapshot, InvalidSnapshot> {
    Snapshot::from_bytes(&world.snapshot().to_bytes())
}

/// The lock was set without a word, and the world's own snapshot was refused.
#[test]
fn a_lock_that_a_far_joint_does_not_allow_is_refused_and_the_snapshot_is_read() {
    let mut world = weightless();
    let hook = world.add(BodyPlan::still(sphere(0.1))).unwrap();
    let body = world.add(BodyPlan::moving(sphere(0.1), 1.0).at(Vec3::X * 500.0)).unwrap();
    world.join(JointPlan::ball(hook, body, Vec3::ZERO)).unwrap();
    let one = Locks { moving: [false, true, false], turning: [false; 3] };
    let before = world.state_hash();
    let told = world.change(body).unwrap().set_locks(one).unwrap_err().to_string();
    assert!(told.contains("500 m from the centre of the second body"), "{told}");
    assert_eq!(world.state_hash(), before);
    assert!(read_back(&world).is_ok());
    // What cannot turn may be held from anywhere.
    world.change(body).unwrap().set_locks(Locks { turning: [true; 3], ..one }).unwrap();
    assert!(world.change(body).unwrap().set_locks(one).is_err());
    steps(&mut world, 5);
    assert!(read_back(&world).is_ok());
}

/// How easily it turns about the axis that is left depends on how it is turned.
#[test]
fn a_needle_with_locks_that_was_joined_is_read_however_it_has_turned() {
    let mut world = weightless();
    let hook = world.add(BodyPlan::still(sphere(0.1))).unwrap();
    let locks = Locks { moving: [false; 3], turning: [true, false, false] };
    let plan = BodyPlan::moving(cuboid(1.0, 0.01, 0.01), 1.0).with_locks(locks);
    let body = world.add(plan.with_angular_velocity(Vec3::Z)).unwrap();
    let most = (1..10_000_u16)
        .map(f32::from)
        .find(|&arm| world.clone().join(JointPlan::ball(hook, body, Vec3::Y * arm)).is_err());
    let arm = most.unwrap() - 1.0;
    assert!(arm > 10.0, "{arm}");
    world.join(JointPlan::ball(hook, body, Vec3::Y * arm)).unwrap();
    for _ in 0..120 {
        world.step();
        assert!(read_back(&world).is_ok());
    }
}

#[test]
fn a_joint_at_the_farthest_point_that_is_allowed_is_read_however_its_body_turns() {
    let mut world = weightless();
    let hook = world.add(BodyPlan::still(sphere(0.1))).unwrap();
    let body = BodyPlan::moving(cuboid(0.3, 0.2, 0.1), 1.0).with_angular_velocity(Vec3::splat(1.0));
    let body = world.add(body).unwrap();
    let (mut near, mut far) = (1.0_f32, 1e6_f32);
    while far - near > 1e-6 * far {
        let arm = 0.5 * (near + far);
        let joined = world.clone().join(JointPlan::ball(hook, body, Vec3::X * arm)).is_ok();
        if joined {
            near = arm;
        } else {
            far = arm;
        }
    }
    world.join(JointPlan::ball(hook, body, Vec3::X * near)).unwrap();
    for _ in 0..20 {
        world.step();
        assert!(read_back(&world).is_ok());
    }
}

/// A rod that spins has room to turn, which a slow world was not believed to need.
#[test]
fn a_long_rod_that_spins_in_a_slow_world_is_read() {
    let settings = Settings { gravity: Vec3::ZERO, max_speed: 1.0, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let rod = BodyPlan::moving(cuboid(10.0, 0.1, 0.1), 1.0);
    world.add(rod.with_angular_velocity(Vec3::Z * 60.0)).unwrap();
    for _ in 0..30 {
        world.step();
        assert!(read_back(&world).is_ok());
    }
}

/// The rooms of the study's worlds stayed where bodies were when they were added.
#[test]
fn the_snapshot_of_a_study_world_is_read_however_far_its_bodies_fell() {
    let settings = Settings { method: Method::STUDY, max_speed: 1.0, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    world.add(BodyPlan::moving(sphere(0.5), 1.0)).unwrap();
    steps(&mut world, 1200);
    let mut other = World::from_snapshot(&read_back(&world).unwrap());
    world.step();
    other.step();
    assert_eq!(world.state_hash(), other.state_hash());
}

/// A contact gave more than the largest speed after the bodies had moved, and the next room was larger than any.
#[test]
fn what_contacts_drive_beyond_the_largest_speed_is_cut_and_its_snapshot_read() {
    let settings = Settings { max_speed: 2.0, time_step: 0.1, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    add_ground(&mut world, 0.5);
    for number in 0..8 {
        let at = Vec3::new(0.01 * number as f32, 0.3, 0.0);
        let plan = BodyPlan::moving(cuboid(0.5, 0.01, 0.1), 0.1 + number as f32).at(at);
        world.add(plan.with_restitution(1.0).with_angular_velocity(Vec3::splat(1e3))).unwrap();
    }
    for _ in 0..120 {
        world.step();
        assert!(world.bodies().all(|body| body.velocity().length() <= 2.0 * (1.0 + 1e-6)));
        assert!(read_back(&world).is_ok());
    }
}
