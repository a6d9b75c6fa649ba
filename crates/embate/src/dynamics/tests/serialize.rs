//! Serialization of snapshots, and the state hash.

use embate_geom::{Aabb, Pose, Rotation, Vec3};

use crate::TriangleMesh;
use crate::dynamics::BodyError;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::joint::JointIndex;
use crate::dynamics::narrow_phase::contact_pair::{ContactPair, ContactPairState};
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::tests::*;
use crate::dynamics::{
    JointDef, JointError, JointSide, LockedAxes, Snapshot, SnapshotDefect, SnapshotError,
    SolverKind, WorldBounds,
};
use crate::shapes::{Capsule, Compound, ConvexHull, Shape, TriMesh};

/// A world with every type of shape, body and joint; its bodies fly, rest and sleep.
fn mixed_world(solver: SolverKind) -> World {
    let bounds = Some(WorldBounds::solid(Vec3::splat(-20.0), Vec3::splat(20.0)));
    let mut world = World::new(Settings { bounds, solver, ..Settings::default() }).unwrap();
    let height = |x: i32, z: i32| (x * x + z * z) as f32 * 0.05;
    let vertex = |i: i32| (i % 5 - 2, i / 5 - 2);
    let positions =
        (0..25).map(vertex).map(|(x, z)| [x as f32 * 3.0, height(x, z), z as f32 * 3.0]);
    let cells = (0..16_u32).map(|i| i % 4 + i / 4 * 5);
    let triangles = cells.flat_map(|c| [[c, c + 5, c + 1], [c + 1, c + 5, c + 6]]);
    let ground = TriangleMesh::new(positions.collect(), triangles.collect()).unwrap();
    world.insert_body(BodyDef::fixed(TriMesh::new(ground).unwrap())).unwrap();
    let parts = vec![
        (Pose::from_translation(Vec3::X * 0.4), sphere(0.3).into()),
        (Pose::IDENTITY, cuboid(0.4, 0.1, 0.1).into()),
    ];
    let shapes: [Shape; 5] = [
        sphere(0.3).into(),
        cuboid(0.3, 0.2, 0.4).into(),
        Capsule::new(0.3, 0.2).unwrap().into(),
        ConvexHull::cylinder(0.3, 0.3, 9).unwrap().into(),
        Compound::new(parts).unwrap().into(),
    ];
    let mut ids = Vec::new();
    for index in 0..40_u16 {
        let [x, y, z] = [index % 4, index / 16, index / 4 % 4].map(|i| f32::from(i) * 1.3 - 2.0);
        let rotation =
            Rotation::from_axis_angle(Vec3::new(1.0, -2.0, 0.5), f32::from(index)).unwrap();
        let def = BodyDef::dynamic(shapes[usize::from(index) % 5].clone(), 1.0 + f32::from(index));
        let def = def
            .position(Vec3::new(x, y + 4.0, z))
            .rotation(rotation)
            .linear_damping(0.1)
            .angular_damping(0.2);
        let def = def.restitution(f32::from(index % 3) * 0.4);
        let def = if index == 7 { def.locked_axes(LockedAxes::PLANE_XY) } else { def };
        let pitch_locked = LockedAxes { translation: [false; 3], rotation: [true, false, false] };
        let def = if index == 11 {
            BodyDef::dynamic(cube(), 1.0)
                .position(def.pose.position)
                .rotation(rotation)
                .locked_axes(pitch_locked)
        } else {
            def
        };
        let def = def.sensor(index == 9);
        ids.push(world.insert_body(def).unwrap());
    }
    let lift = BodyDef::kinematic(cube())
        .position(Vec3::new(0.0, 0.0, 6.0))
        .linear_velocity(Vec3::Y * 0.1);
    world.insert_body(lift).unwrap();
    if solver == SolverKind::SoftStep {
        for group in ids.chunks_exact(8) {
            let at = |index: usize| position(&world, group[index]);
            let joint_defs = [
                JointDef::spherical(group[0], group[1], at(0)),
                JointDef::revolute(group[2], group[3], at(2), Vec3::Y).limits(-1.0, 2.0),
                JointDef::spring(group[4], group[5], at(4), at(5), 50.0, 1.0),
                JointDef::prismatic(group[6], group[7], at(6), Vec3::X).motor(1.0, 5.0),
            ];
            for def in joint_defs {
                let joint = world.insert_joint(def).unwrap();
                if group[0] == ids[8] {
                    world.remove_joint(joint);
                }
            }
        }
    }
    world.remove_body(ids[5]);
    world.remove_body(ids[20]);
    world
}

const SOLVERS: [SolverKind; 2] = [SolverKind::SoftStep, SolverKind::EventDriven];

#[test]
fn deserialized_world_continues_bit_for_bit() {
    for solver in SOLVERS {
        let mut world = mixed_world(solver);
        let mut step_count = 0;
        for saved_at in [0, 1, 17, 60, 200] {
            steps(&mut world, saved_at - step_count);
            step_count = saved_at;
            let bytes = world.snapshot().to_bytes();
            let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
            // Serialization round-trips.
            assert_eq!(other.snapshot().to_bytes(), bytes);
            assert_eq!(other.events(), world.events());
            let mut original = world.clone();
            for step in 0..80 {
                original.step();
                other.step();
                assert_eq!(
                    original.state_hash(),
                    other.state_hash(),
                    "{solver:?}: saved at step {saved_at}, {step} steps later"
                );
                assert_eq!(original.events(), other.events());
            }
        }
    }
}

#[test]
fn world_restored_to_an_earlier_step_repeats_its_steps() {
    for solver in SOLVERS {
        let mut world = mixed_world(solver);
        let mut saved = None;
        let mut hashes = Vec::new();
        for step in 0..150 {
            if step == 53 {
                saved = Some(world.snapshot().to_bytes());
            }
            world.step();
            hashes.push(world.state_hash());
        }
        world.restore(&Snapshot::from_bytes(&saved.unwrap()).unwrap());
        for &hash in &hashes[53..] {
            world.step();
            assert_eq!(world.state_hash(), hash);
        }
    }
}

#[test]
fn corrupt_bytes_are_rejected_without_panic() {
    let mut world = mixed_world(SolverKind::SoftStep);
    steps(&mut world, 60);
    let bytes = world.snapshot().to_bytes();
    assert_eq!(Snapshot::from_bytes(b"").unwrap_err(), SnapshotError::BadMagic);
    assert_eq!(Snapshot::from_bytes(b"{}").unwrap_err(), SnapshotError::BadMagic);
    for length in (0..bytes.len()).step_by(97) {
        assert!(Snapshot::from_bytes(&bytes[..length]).is_err());
    }
    let mut newer = bytes.clone();
    newer[4] = 99;
    assert_eq!(
        Snapshot::from_bytes(&newer).unwrap_err(),
        SnapshotError::UnsupportedVersion { found: 99 }
    );
    let mut flipped = bytes.clone();
    flipped[100] ^= 1;
    assert_eq!(Snapshot::from_bytes(&flipped).unwrap_err(), SnapshotError::ChecksumMismatch);
}

/// FNV-1a, the checksum of the format.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The format is stable: a change of these hashes requires a new format version.
#[test]
fn bytes_of_format_version_4_are_unchanged() {
    let hashes = [SolverKind::SoftStep, SolverKind::EventDriven].map(|solver| {
        let mut world = mixed_world(solver);
        [0, 60].map(|step_count| {
            steps(&mut world, step_count);
            let bytes = world.snapshot().to_bytes();
            assert_eq!(bytes[4..8], 4_u32.to_le_bytes());
            fnv1a(&bytes)
        })
    });
    let expected = [
        [0x493b_e1e1_0f61_6eb2, 0x0eff_9447_e3ca_8033],
        [0x4eb6_617d_8ead_d56e, 0x03b7_9dd0_6efe_5857],
    ];
    assert_eq!(hashes, expected);
}

/// Corrupt values under a valid checksum.
#[test]
fn forged_bytes_are_rejected_or_yield_a_world_that_runs() {
    let mut world = mixed_world(SolverKind::SoftStep);
    steps(&mut world, 40);
    let bytes = world.snapshot().to_bytes();
    let content = &bytes[..bytes.len() - 8];
    let mut rng = Rng::new(1);
    let mut accepted = 0;
    for case in 0..600 {
        let mut forged = content.to_vec();
        for _ in 0..=case % 3 {
            let offset = 8 + rng.below(forged.len() - 8);
            match case % 4 {
                0 => forged[offset] ^= 1 << rng.below(8),
                1 => forged[offset] = 0xff,
                2 => forged.truncate(offset.max(9)),
                _ => {
                    let offset = offset & !3;
                    // 0, −NaN, ∞, NaN, and the smallest subnormal.
                    let word = [0, u32::MAX, 0x7f80_0000, 0x7fc0_0000, 1][rng.below(5)];
                    if let Some(bytes) = forged.get_mut(offset..offset + 4) {
                        bytes.copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
        let checksum = fnv1a(&forged);
        forged.extend_from_slice(&checksum.to_le_bytes());
        if let Ok(snapshot) = Snapshot::from_bytes(&forged) {
            accepted += 1;
            if case % 8 == 0 {
                let mut world = World::from_snapshot(&snapshot);
                steps(&mut world, 3);
            }
        }
    }
    assert!(accepted > 50, "most single-bit changes yield another valid world: {accepted}");
}

#[test]
fn snapshot_is_compact_and_stores_shared_shapes_once() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    for index in 0..1000_u16 {
        let [x, y, z] = [index % 10, index / 100, index / 10 % 10].map(|i| f32::from(i) * 1.01);
        world
            .insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::new(x, y + 0.5, z)))
            .unwrap();
    }
    let base = world.snapshot().to_bytes().len();
    assert!(base < 150 * 1000, "{base} bytes for 1,000 bodies without contacts");
    // A hull shared by 100 bodies is stored once.
    let hull = Shape::from(ConvexHull::cylinder(1.0, 1.0, 500).unwrap());
    for index in 0..100_u16 {
        let at = Vec3::new(f32::from(index) * 3.0, 50.0, 0.0);
        world.insert_body(BodyDef::dynamic(hull.clone(), 1.0).position(at)).unwrap();
    }
    let added = world.snapshot().to_bytes().len() - base;
    assert!(added < 100 * 150 + 1000 * 12 + 100, "{added} bytes");
}

/// Regression: an id issued after the snapshot referred to the next body inserted after the
/// restore.
#[test]
fn id_issued_after_a_snapshot_is_invalid_after_the_restore() {
    let mut world = world();
    let first = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    let removed = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    let before = world.snapshot();
    world.remove_body(removed);
    let discarded =
        [(); 3].map(|()| world.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap());
    let joint = world.insert_joint(JointDef::spherical(first, discarded[0], Vec3::ZERO)).unwrap();
    for _ in 0..2 {
        world.restore(&before);
        assert!(world.body(removed).is_some(), "a restored body has its former id");
        world.remove_body(removed);
        let new = [(); 3].map(|()| world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap());
        for id in discarded {
            assert!(world.body(id).is_none() && !new.contains(&id), "{id:?}");
        }
        let other = world.insert_joint(JointDef::spherical(first, new[0], Vec3::ZERO)).unwrap();
        assert!(other != joint && world.joint(joint).is_none());
    }
    // The ids issued before do not affect the simulation.
    let mut other = World::from_snapshot(&before);
    world.restore(&before);
    for world in [&mut world, &mut other] {
        world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 3.0)).unwrap();
        world.step();
    }
    assert_eq!(world.state_hash(), other.state_hash());
}

/// Regression: the original world emitted an end event, the restored one never did.
#[test]
fn restore_just_after_a_teleport_ends_the_contact() {
    let mut world = world();
    add_ground(&mut world, 0.5);
    let lower = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 0.5)).unwrap();
    let upper = world.insert_body(BodyDef::dynamic(cube(), 1.0).position(Vec3::Y * 1.5)).unwrap();
    steps(&mut world, 30);
    world
        .body_mut(upper)
        .unwrap()
        .set_pose(Pose::from_translation(Vec3::new(50.0, 9.0, 0.0)))
        .unwrap();
    let bytes = world.snapshot().to_bytes();
    let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    for _ in 0..3 {
        world.step();
        other.step();
        assert_eq!(world.events(), other.events());
        assert_eq!(world.step_stats().candidate_pairs, other.step_stats().candidate_pairs);
        assert_eq!(world.state_hash(), other.state_hash());
    }
    assert!(world.body(lower).is_some());
}

/// Regression: worlds that differed in an external force had the same hash and diverged in the next
/// step.
#[test]
fn state_hash_includes_external_forces() {
    let mut world = world();
    let body = world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    let mut pushed = world.clone();
    pushed.body_mut(body).unwrap().apply_force(Vec3::X).unwrap();
    assert_ne!(world.state_hash(), pushed.state_hash());
}

/// Regression: the hash omitted `needs_update` and the sleep references; worlds of equal hash fell
/// asleep at different times.
#[test]
fn state_hash_includes_all_state_that_the_next_step_reads() {
    const BODY: BodyIndex = BodyIndex(1);
    fn pair(world: &mut World) -> &mut ContactPair {
        &mut world.narrow_phase_mut().pairs_mut()[0]
    }
    fn edit_pair(world: &mut World, edit: fn(&mut ContactPairState<'_>)) {
        let before = pair(world).clone();
        let mut state = before.state();
        edit(&mut state);
        pair(world).restore_state(&state);
    }
    fn manifold(world: &mut World) -> &mut PersistentManifold {
        &mut pair(world).manifolds_mut()[0]
    }
    let mut world = world();
    add_ground(&mut world, 0.5);
    let def = BodyDef::dynamic(cube(), 1.0);
    world.insert_body(def.clone().position(Vec3::Y * 0.5)).unwrap();
    let hanging = world.insert_body(def.clone().position(Vec3::new(4.0, 3.0, 0.0))).unwrap();
    let support =
        world.insert_body(BodyDef::fixed(sphere(0.1)).position(Vec3::new(4.0, 4.0, 0.0))).unwrap();
    world.insert_joint(JointDef::spherical(support, hanging, Vec3::new(4.0, 4.0, 0.0))).unwrap();
    steps(&mut world, 20);
    assert!(
        world.body_set().sleep_timer(BODY) > 0.0
            && world.narrow_phase_mut().pairs()[0].recycle_reference().is_some()
    );
    let changes: [fn(&mut World); 24] = [
        |world| world.body_set_mut().com_pose_mut(BODY).center_of_mass.x += 1e-3,
        |world| {
            world.body_set_mut().com_pose_mut(BODY).rotation =
                Rotation::from_axis_angle(Vec3::X, 1e-3).unwrap();
        },
        |world| world.body_set_mut().state_mut(BODY).linear_velocity.y += 1e-3,
        |world| world.body_set_mut().state_mut(BODY).angular_velocity.z += 1e-3,
        |world| world.body_set_mut().forces_mut(BODY).force.x += 1e-3,
        |world| world.body_set_mut().forces_mut(BODY).torque.x += 1e-3,
        |world| *world.body_set_mut().sleep_timer_mut(BODY) += 1e-3,
        |world| world.body_set_mut().sleep_reference_mut(BODY).pose.center_of_mass.y += 1e-3,
        |world| {
            world.body_set_mut().sleep_reference_mut(BODY).pose.rotation =
                Rotation::from_axis_angle(Vec3::X, 1e-3).unwrap();
        },
        |world| world.body_set_mut().sleep_reference_mut(BODY).linear_velocity.y += 1e-3,
        |world| world.body_set_mut().sleep_reference_mut(BODY).angular_velocity.y += 1e-3,
        |world| edit_pair(world, |state| state.needs_update = true),
        |world| edit_pair(world, |state| state.is_touching = false),
        |world| edit_pair(world, |state| state.recycle_reference = None),
        |world| {
            edit_pair(world, |state| {
                state.recycle_reference.as_mut().unwrap().centers[1].x += 1e-3;
            });
        },
        |world| manifold(world).manifold.normal.x += 1e-3,
        |world| manifold(world).time_to_contact += 1e-3,
        |world| manifold(world).points[0].normal_impulse += 1e-3,
        |world| manifold(world).anchors[3].penetration += 1e-3,
        |world| manifold(world).anchors[3].position.x += 1e-3,
        |world| manifold(world).tangent_impulse.x += 1e-3,
        |world| manifold(world).torsional_impulse += 1e-3,
        |world| manifold(world).rolling_impulse.x += 1e-3,
        |world| world.joint_set_mut().get_mut(JointIndex(0)).unwrap().impulses[0].x += 1e-3,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut other = world.clone();
        change(&mut other);
        assert_ne!(world.state_hash(), other.state_hash(), "change {number}");
    }
}

/// Regression: fat AABBs of ±1e18 made a pair of every two bodies.
#[test]
fn fat_aabb_beyond_the_reach_of_its_body_is_rejected() {
    let mut world = world();
    world.insert_body(BodyDef::dynamic(cube(), 1.0)).unwrap();
    let mut snapshot = world.snapshot();
    assert!(Snapshot::from_bytes(&snapshot.to_bytes()).is_ok());
    snapshot.fat_aabbs[0].1 = Aabb { min: [-1e9; 3], max: [1e9; 3] };
    let error = Snapshot::from_bytes(&snapshot.to_bytes()).unwrap_err();
    let expected = SnapshotDefect::FatAabbTooLarge;
    assert!(
        matches!(error, SnapshotError::InvalidValue { defect, .. } if defect == expected),
        "{error}"
    );
}

fn round_trip(world: &World) -> Result<Snapshot, SnapshotError> {
    Snapshot::from_bytes(&world.snapshot().to_bytes())
}

/// Regression: the lock was accepted, but the snapshot of the world was then rejected.
#[test]
fn lock_that_a_far_anchor_does_not_allow_is_rejected_and_the_snapshot_is_readable() {
    let mut world = zero_gravity_world();
    let support = world.insert_body(BodyDef::fixed(sphere(0.1))).unwrap();
    let body =
        world.insert_body(BodyDef::dynamic(sphere(0.1), 1.0).position(Vec3::X * 500.0)).unwrap();
    world.insert_joint(JointDef::spherical(support, body, Vec3::ZERO)).unwrap();
    let y_locked = LockedAxes { translation: [false, true, false], rotation: [false; 3] };
    let before = world.state_hash();
    let error = world.body_mut(body).unwrap().set_locked_axes(y_locked).unwrap_err();
    let is_too_far =
        matches!(error, BodyError::Joint(JointError::AnchorTooFar { side: JointSide::Second, .. }));
    assert!(is_too_far, "{error}");
    assert!(error.to_string().contains("500 m"), "{error}");
    assert_eq!(world.state_hash(), before);
    assert!(round_trip(&world).is_ok());
    // The limit on the lever arm does not apply to a body whose rotation is locked.
    world
        .body_mut(body)
        .unwrap()
        .set_locked_axes(LockedAxes { rotation: [true; 3], ..y_locked })
        .unwrap();
    assert!(world.body_mut(body).unwrap().set_locked_axes(y_locked).is_err());
    steps(&mut world, 5);
    assert!(round_trip(&world).is_ok());
}

/// The inertia about a free axis depends on the orientation.
#[test]
fn snapshot_of_a_jointed_needle_with_locks_is_readable_in_any_orientation() {
    let mut world = zero_gravity_world();
    let support = world.insert_body(BodyDef::fixed(sphere(0.1))).unwrap();
    let locks = LockedAxes { translation: [false; 3], rotation: [true, false, false] };
    let def = BodyDef::dynamic(cuboid(1.0, 0.01, 0.01), 1.0).locked_axes(locks);
    let body = world.insert_body(def.angular_velocity(Vec3::Z)).unwrap();
    let first_rejected = (1..10_000_u16).map(f32::from).find(|&arm| {
        world.clone().insert_joint(JointDef::spherical(support, body, Vec3::Y * arm)).is_err()
    });
    let arm = first_rejected.unwrap() - 1.0;
    assert!(arm > 10.0, "{arm} m");
    world.insert_joint(JointDef::spherical(support, body, Vec3::Y * arm)).unwrap();
    for _ in 0..120 {
        world.step();
        assert!(round_trip(&world).is_ok());
    }
}

#[test]
fn snapshot_of_a_joint_at_the_maximum_arm_is_readable_in_any_orientation() {
    let mut world = zero_gravity_world();
    let support = world.insert_body(BodyDef::fixed(sphere(0.1))).unwrap();
    let body = BodyDef::dynamic(cuboid(0.3, 0.2, 0.1), 1.0).angular_velocity(Vec3::splat(1.0));
    let body = world.insert_body(body).unwrap();
    let (mut accepted, mut rejected) = (1.0_f32, 1e6_f32);
    while rejected - accepted > 1e-6 * rejected {
        let arm = 0.5 * (accepted + rejected);
        let is_accepted =
            world.clone().insert_joint(JointDef::spherical(support, body, Vec3::X * arm)).is_ok();
        if is_accepted {
            accepted = arm;
        } else {
            rejected = arm;
        }
    }
    world.insert_joint(JointDef::spherical(support, body, Vec3::X * accepted)).unwrap();
    for _ in 0..20 {
        world.step();
        assert!(round_trip(&world).is_ok());
    }
}

/// Regression: fat AABBs are enlarged for rotation, which exceeded the bound in worlds with a low
/// maximum speed.
#[test]
fn snapshot_of_a_rotating_rod_with_low_maximum_speed_is_readable() {
    let settings = Settings { gravity: Vec3::ZERO, max_linear_speed: 1.0, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let rod = BodyDef::dynamic(cuboid(10.0, 0.1, 0.1), 1.0);
    world.insert_body(rod.angular_velocity(Vec3::Z * 60.0)).unwrap();
    for _ in 0..30 {
        world.step();
        assert!(round_trip(&world).is_ok());
    }
}

/// Regression: contacts accelerated bodies beyond the maximum speed after integration, and the next
/// fat AABB exceeded the bound.
#[test]
fn speed_gained_from_contacts_is_clamped_and_the_snapshot_is_readable() {
    let settings = Settings { max_linear_speed: 2.0, time_step: 0.1, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    add_ground(&mut world, 0.5);
    for index in 0..8 {
        let at = Vec3::new(0.01 * index as f32, 0.3, 0.0);
        let def = BodyDef::dynamic(cuboid(0.5, 0.01, 0.1), 0.1 + index as f32).position(at);
        world.insert_body(def.restitution(1.0).angular_velocity(Vec3::splat(1e3))).unwrap();
    }
    for _ in 0..120 {
        world.step();
        assert!(world.bodies().all(|body| body.linear_velocity().length() <= 2.0 * (1.0 + 1e-6)));
        assert!(round_trip(&world).is_ok());
    }
}
