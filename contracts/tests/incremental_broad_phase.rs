//! `IncrementalBroadPhase`: pairs equal those of a double loop, and changes their difference.

use std::collections::BTreeSet;

use embate::Aabb;
use embate::broad_phase::{IncrementalBroadPhase, OverlapPair, ProxyError, ProxyId};
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_test_util::Rng;

/// Reference: a double loop over the boxes.
fn reference_pairs<const D: usize>(
    broad_phase: &IncrementalBroadPhase<D>,
) -> BTreeSet<OverlapPair> {
    let live: Vec<(ProxyId, &Aabb<D>)> = broad_phase.iter().collect();
    let mut pairs = BTreeSet::new();
    for (index, (a, bounds)) in live.iter().enumerate() {
        let overlapping = live[index + 1..].iter().filter(|(_, other)| bounds.overlaps(other));
        pairs.extend(overlapping.map(|(b, _)| [a.0, b.0]));
    }
    pairs
}

/// Updates the pairs and compares pairs and changes with the reference.
fn check<const D: usize>(
    broad_phase: &mut IncrementalBroadPhase<D>,
    before: &mut BTreeSet<OverlapPair>,
    context: &str,
) {
    let expected = reference_pairs(broad_phase);
    let changes = broad_phase.update_pairs();
    let added: Vec<OverlapPair> = expected.difference(before).copied().collect();
    let removed: Vec<OverlapPair> = before.difference(&expected).copied().collect();
    assert!(changes.added == added, "{context}: added");
    assert!(changes.removed == removed, "{context}: removed");
    let pairs: Vec<OverlapPair> = broad_phase.pairs().collect();
    assert_eq!(pairs.len(), expected.len(), "{context}: each pair once");
    assert!(
        pairs.into_iter().collect::<BTreeSet<OverlapPair>>() == expected,
        "{context}: all pairs"
    );
    *before = expected;
}

fn displaced<const D: usize>(bounds: &Aabb<D>, rng: &mut Rng) -> Aabb<D> {
    let offset: [f32; D] = core::array::from_fn(|_| rng.between(-0.5, 0.5));
    Aabb {
        min: core::array::from_fn(|axis| bounds.min[axis] + offset[axis]),
        max: core::array::from_fn(|axis| bounds.max[axis] + offset[axis]),
    }
}

fn check_frames<const D: usize>(kind: &str, count: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut broad_phase = IncrementalBroadPhase::with_threads(2);
    let spare: Vec<Aabb<D>> = boxes(kind, count, seed + 1);
    let mut ids: Vec<ProxyId> = Vec::new();
    for b in boxes::<D>(kind, count, seed) {
        ids.push(broad_phase.insert(b).unwrap());
    }
    let mut before = BTreeSet::new();
    // Moving fraction per frame: small, so that the others become static; then large; then small
    // again.
    for (frame, moving_fraction) in
        [1.0, 0.1, 0.1, 0.1, 0.1, 0.02, 0.0, 0.7, 0.5, 0.0, 0.0, 0.3, 0.05, 0.05, 1.0]
            .into_iter()
            .enumerate()
    {
        for &id in &ids {
            if rng.unit() < moving_fraction {
                let moved = displaced(broad_phase.get(id).unwrap(), &mut rng);
                broad_phase.set_aabb(id, moved).unwrap();
            }
        }
        if frame % 3 == 2 {
            for _ in 0..count / 20 {
                let id = ids.swap_remove(rng.below(ids.len()));
                broad_phase.remove(id).unwrap();
                assert_eq!(broad_phase.remove(id), Err(ProxyError::Unknown(id)));
            }
            for b in &spare[..(count / 30) as usize] {
                ids.push(broad_phase.insert(displaced(b, &mut rng)).unwrap());
            }
        }
        assert_eq!(broad_phase.len(), ids.len());
        let query = spare[frame];
        let expected: Vec<u32> =
            broad_phase.iter().filter(|(_, b)| b.overlaps(&query)).map(|(id, _)| id.0).collect();
        let mut found = Vec::new();
        broad_phase.query_tree().query_aabb(&query, &mut found);
        assert_eq!(found, expected, "{D}D, {kind}, frame {frame}: a query");
        check(
            &mut broad_phase,
            &mut before,
            &format!("{D}D, {kind}, {count} boxes, frame {frame}"),
        );
    }
}

#[test]
fn pairs_and_changes_equal_the_reference_in_every_frame() {
    for kind in KINDS.into_iter().filter(|kind| !["identical", "denormal"].contains(kind)) {
        check_frames::<2>(kind, 700, 3);
        check_frames::<3>(kind, 700, 4);
    }
    check_frames::<2>("identical", 60, 5);
    check_frames::<3>("denormal", 60, 6);
}

#[test]
fn invalid_box_or_id_is_rejected_and_broad_phase_is_unchanged() {
    let mut broad_phase = IncrementalBroadPhase::<2>::new();
    assert!(broad_phase.update_pairs().added.is_empty());
    let bad = Aabb { min: [0.0, f32::NAN], max: [1.0, 1.0] };
    assert!(matches!(broad_phase.insert(bad), Err(ProxyError::Invalid(_))));
    assert!(broad_phase.is_empty());
    let id = broad_phase.insert(Aabb { min: [0.0; 2], max: [1.0; 2] }).unwrap();
    assert!(matches!(broad_phase.set_aabb(id, bad), Err(ProxyError::Invalid(_))));
    assert_eq!(broad_phase.get(id).unwrap().max, [1.0; 2]);
    let unknown = ProxyId(7);
    assert_eq!(
        broad_phase.set_aabb(unknown, *broad_phase.get(id).unwrap()),
        Err(ProxyError::Unknown(unknown))
    );
    assert_eq!(broad_phase.get(unknown), None);
    broad_phase.remove(id).unwrap();
    assert_eq!(broad_phase.get(id), None);
    assert!(broad_phase.is_empty());
}
