//! Compatibility of saved formats: indexes and snapshots written by earlier versions still load.
//!
//! The files under `saved/` were written before the engine's API was renamed (format versions of
//! November 2026). They are never regenerated: a change of a format adds files beside them.

use embate::Ray;
use embate::dynamics::{Snapshot, World};
use embate::raycast::{RayIndexKind, TriangleIndex};

/// Rays through a height field of 12 × 12 cells: straight down, oblique and horizontal.
fn rays() -> impl Iterator<Item = Ray<3>> {
    (0_u8..=48).flat_map(|x| {
        (0_u8..=48).flat_map(move |z| {
            let origin = [f32::from(x) * 0.25, 3.0, f32::from(z) * 0.25];
            [[0.0, -1.0, 0.0], [0.5, -1.0, 0.25], [1.0, -0.125, 0.0]]
                .map(|direction| Ray::new(origin, direction))
        })
    })
}

#[test]
fn saved_indexes_return_the_hits_of_brute_force() {
    let files: [(&[u8], RayIndexKind); 4] = [
        (include_bytes!("saved/brute-force.index"), RayIndexKind::BruteForce),
        (include_bytes!("saved/bvh.index"), RayIndexKind::Bvh),
        (include_bytes!("saved/bvh-compact.index"), RayIndexKind::Bvh),
        (include_bytes!("saved/octree.index"), RayIndexKind::Octree),
    ];
    let [reference, ..] = files.map(|(bytes, _)| TriangleIndex::from_bytes(bytes).unwrap());
    let mut hits = 0;
    for (bytes, kind) in files {
        let index = TriangleIndex::from_bytes(bytes).unwrap();
        assert_eq!(index.kind(), kind);
        assert_eq!(index.mesh(), reference.mesh(), "{kind:?}");
        for ray in rays() {
            let hit = index.closest_hit(&ray);
            assert_eq!(hit, reference.closest_hit(&ray), "{kind:?}, {ray:?}");
            hits += usize::from(hit.is_some());
        }
        assert_eq!(index.to_bytes(), bytes, "{kind:?} is written as before");
    }
    assert!(hits > 10_000, "{hits} hits");
}

#[test]
fn saved_world_continues_with_the_same_bits() {
    let snapshot = Snapshot::from_bytes(include_bytes!("saved/world.snapshot")).unwrap();
    let mut world = World::from_snapshot(&snapshot);
    assert_eq!(world.body_count(), 5);
    assert_eq!(world.state_hash(), 0x337E_E271_E837_CB3F);
    for _ in 0..120 {
        world.step();
    }
    assert_eq!(world.state_hash(), 0xCF50_CE85_CA79_9D04);
}
