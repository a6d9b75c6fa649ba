//! Snapshots in memory and as bytes.

use embate::dynamics::{self, BodyDef, Material, Settings, World};
use embate_geom::Vec3;

use super::super::{IntegratorKind, OctreeLimits, Snapshot, SnapshotError};
use super::*;

/// A room with all states a body can have: kinematic, sensor, locked, pushed, removed.
fn varied_room() -> Simulator {
    let octree = OctreeLimits { max_depth: 5, min_cell_size: 0.25 };
    let config = config(BroadPhase::AUTO, Response::Impulse, 0.02);
    let mut simulator = room(Config { octree, ..config });
    let lift = BodyDef::kinematic(cuboid(0.5, 0.1, 0.5)).linear_velocity(Vec3::Y * 0.3);
    simulator.insert_body(lift.position(Vec3::new(0.0, -4.0, 0.0))).unwrap();
    let sensor = BodyDef::fixed(sphere(2.0)).sensor(true);
    simulator.insert_body(sensor).unwrap();
    let ids: Vec<BodyId> = simulator.world().bodies().map(|body| body.id()).collect();
    simulator.remove_body(ids[5]);
    simulator.remove_body(ids[20]);
    simulator.edit_body(ids[6], |body| body.apply_force(Vec3::X * 30.0)).unwrap().unwrap();
    let material = Material { restitution: 1.0, ..Material::default() };
    simulator.edit_body(ids[7], |body| body.set_material(material)).unwrap().unwrap();
    simulator
}

#[test]
fn simulation_read_from_bytes_continues_with_the_same_bits() {
    let mut simulator = varied_room();
    let mut done = 0;
    for until in [0, 1, 17, 60, 200] {
        steps(&mut simulator, until - done);
        done = until;
        let bytes = simulator.snapshot().to_bytes();
        let mut other = Simulator::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
        assert_eq!(other.snapshot().to_bytes(), bytes);
        assert_eq!(other.events(), simulator.events());
        assert_eq!((other.time(), other.settings()), (simulator.time(), simulator.settings()));
        let mut here = simulator.clone();
        for step in 0..80 {
            here.step();
            other.step();
            assert_eq!(here.state_hash(), other.state_hash(), "{until} + {step}");
            assert_eq!(here.events(), other.events());
        }
    }
}

/// Recorded before integrators became exchangeable: recordings of earlier versions must replay.
#[test]
fn default_pipeline_keeps_its_bits() {
    let mut simulator = varied_room();
    let hashes = [1, 49, 150].map(|count| {
        steps(&mut simulator, count);
        simulator.state_hash()
    });
    assert_eq!(hashes, [9172960913094331973, 16600580268431535507, 3563436901518555880]);
}

#[test]
fn restored_simulation_repeats_its_steps() {
    let mut simulator = varied_room();
    steps(&mut simulator, 53);
    let snapshot = simulator.snapshot();
    let hashes: Vec<u64> = (0..90)
        .map(|_| {
            simulator.step();
            simulator.state_hash()
        })
        .collect();
    simulator.restore(&snapshot);
    for hash in hashes {
        simulator.step();
        assert_eq!(simulator.state_hash(), hash);
    }
}

/// The fat AABB of a body was that of its first position.
#[test]
fn snapshot_is_read_however_far_bodies_have_fallen() {
    let settings = Settings { max_linear_speed: 1.0, ..Settings::default() };
    let mut simulator = Simulator::new(settings, Config::PUBLISHED).unwrap();
    simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    steps(&mut simulator, 1200);
    let bytes = simulator.snapshot().to_bytes();
    let mut other = Simulator::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    simulator.step();
    other.step();
    assert_eq!(simulator.state_hash(), other.state_hash());
}

#[test]
fn damaged_bytes_are_rejected_without_panic() {
    let mut simulator = varied_room();
    simulator.config.integrator = IntegratorKind::Verlet;
    steps(&mut simulator, 60);
    let bytes = simulator.snapshot().to_bytes();
    assert_eq!(Snapshot::from_bytes(b"").unwrap_err(), SnapshotError::Unknown);
    for end in (0..bytes.len()).step_by(61) {
        assert!(Snapshot::from_bytes(&bytes[..end]).is_err(), "{end}");
    }
    // With a checksum that matches, values are checked one by one.
    for at in (8..bytes.len() - 8).step_by(7) {
        let mut forged = bytes[..bytes.len() - 8].to_vec();
        forged[at] ^= 0x5a;
        let sum = fnv1a(&forged);
        forged.extend_from_slice(&sum.to_le_bytes());
        if let Ok(snapshot) = Snapshot::from_bytes(&forged) {
            Simulator::from_snapshot(&snapshot).step();
        }
    }
}

/// Version 2 had neither integrators, nor parts, nor last steps.
#[test]
fn snapshot_of_the_version_before_integrators_is_read() {
    let mut simulator = varied_room();
    steps(&mut simulator, 30);
    let bytes = simulator.snapshot().to_bytes();
    // The configuration begins at byte 8: broad phase, response, tolerance, iterations, octree;
    // then integrator and parts. The list of last steps, empty, precedes the checksum.
    assert_eq!(
        (&bytes[20..22], &bytes[bytes.len() - 12..bytes.len() - 8]),
        (&[1, 0][..], &[0; 4][..])
    );
    let mut former = [&bytes[..20], &bytes[22..bytes.len() - 12]].concat();
    former[4] = 2;
    let sum = fnv1a(&former);
    former.extend_from_slice(&sum.to_le_bytes());
    let mut other = Simulator::from_snapshot(&Snapshot::from_bytes(&former).unwrap());
    assert_eq!(other.config(), simulator.config());
    for _ in 0..60 {
        simulator.step();
        other.step();
        assert_eq!(simulator.state_hash(), other.state_hash());
    }
    for version in [0, 1, 4] {
        former[4] = version;
        let found = version.into();
        assert_eq!(Snapshot::from_bytes(&former).unwrap_err(), SnapshotError::Version { found });
    }
}

#[test]
fn error_codes_are_unique() {
    let bodies = dynamics::SnapshotError::ChecksumMismatch;
    let codes = [
        SnapshotError::Unknown,
        SnapshotError::EngineSnapshot,
        SnapshotError::Version { found: 9 },
        SnapshotError::Damaged,
        SnapshotError::UserPart { part: "" },
        SnapshotError::Bodies(bodies),
        SnapshotError::Invalid { at: 1, reason: "" },
    ]
    .map(|error| error.code());
    let distinct: std::collections::BTreeSet<&str> = codes.into_iter().collect();
    assert_eq!(distinct.len(), codes.len());
}

/// Until the replica got a type of its own, it was solver 2 of an engine world.
#[test]
fn engine_snapshot_of_the_former_solver_is_rejected_with_advice() {
    let world = World::new(Settings::default()).unwrap();
    let bytes = world.snapshot().to_bytes();
    let error = Snapshot::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, SnapshotError::EngineSnapshot);
    assert!(error.to_string().contains("run the scene again"), "{error}");

    // The solver follows the magic number, the version and 37 bytes of settings.
    let mut former = bytes[..bytes.len() - 8].to_vec();
    assert_eq!(former[45], 0);
    former[45] = 2;
    let sum = fnv1a(&former);
    former.extend_from_slice(&sum.to_le_bytes());
    let error = dynamics::Snapshot::from_bytes(&former).unwrap_err();
    assert!(error.to_string().contains("run its scene again"), "{error}");
}

/// Each removed body left its broad-phase proxy behind.
#[test]
fn inserted_and_removed_bodies_do_not_accumulate() {
    let mut simulator = Simulator::new(Settings::default(), Config::PUBLISHED).unwrap();
    let size = |simulator: &Simulator| simulator.snapshot().to_bytes().len();
    simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
    let before = size(&simulator);
    for _ in 0..200 {
        let body = simulator.insert_body(BodyDef::dynamic(sphere(0.5), 1.0)).unwrap();
        simulator.step();
        assert!(simulator.remove_body(body));
    }
    simulator.step();
    assert!(size(&simulator) <= before + 32, "{} bytes were {before}", size(&simulator));
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
