//! A world that lives on tells the pairs of a world made anew, and exactly what changed.

use std::collections::BTreeSet;

use embate::Aabb;
use embate::pairs::{BoxId, Pair, World, WorldError};
use embate_contracts::box_scenes::{KINDS, boxes};
use embate_lab::random::Random;

/// By the definition alone.
fn pairs_of<const D: usize>(world: &World<D>) -> BTreeSet<Pair> {
    let live: Vec<(BoxId, &Aabb<D>)> = world.iter().collect();
    let mut pairs = BTreeSet::new();
    for (place, (a, bounds)) in live.iter().enumerate() {
        let overlapping = live[place + 1..].iter().filter(|(_, other)| bounds.overlaps(other));
        pairs.extend(overlapping.map(|(b, _)| [a.0, b.0]));
    }
    pairs
}

/// Updates, and holds what is told against the definition.
fn check<const D: usize>(world: &mut World<D>, before: &mut BTreeSet<Pair>, what: &str) {
    let expected = pairs_of(world);
    let changes = world.update();
    let begun: Vec<Pair> = expected.difference(before).copied().collect();
    let ended: Vec<Pair> = before.difference(&expected).copied().collect();
    assert!(changes.begun == begun, "{what}: begun");
    assert!(changes.ended == ended, "{what}: ended");
    let told: Vec<Pair> = world.pairs().collect();
    assert_eq!(told.len(), expected.len(), "{what}: each pair once");
    assert!(told.into_iter().collect::<BTreeSet<Pair>>() == expected, "{what}: all pairs");
    *before = expected;
}

fn nudged<const D: usize>(bounds: &Aabb<D>, random: &mut Random) -> Aabb<D> {
    let by: [f32; D] = core::array::from_fn(|_| random.between(-0.5, 0.5));
    Aabb {
        min: core::array::from_fn(|axis| bounds.min[axis] + by[axis]),
        max: core::array::from_fn(|axis| bounds.max[axis] + by[axis]),
    }
}

fn live_on<const D: usize>(kind: &str, count: u32, seed: u64) {
    let mut random = Random::for_purpose(seed, &[7]);
    let mut world = World::with_threads(2);
    let spare: Vec<Aabb<D>> = boxes(kind, count, seed + 1);
    let mut ids: Vec<BoxId> = Vec::new();
    for b in boxes::<D>(kind, count, seed) {
        ids.push(world.add(b).unwrap());
    }
    let mut before = BTreeSet::new();
    // Shares that move: few, so that the others come to rest; then many; then few others.
    for (frame, share) in
        [1.0, 0.1, 0.1, 0.1, 0.1, 0.02, 0.0, 0.7, 0.5, 0.0, 0.0, 0.3, 0.05, 0.05, 1.0]
            .into_iter()
            .enumerate()
    {
        for &id in &ids {
            if random.unit() < share {
                let to = nudged(world.get(id).unwrap(), &mut random);
                world.move_to(id, to).unwrap();
            }
        }
        if frame % 3 == 2 {
            for _ in 0..count / 20 {
                let gone = ids.swap_remove(random.below(ids.len() as u32) as usize);
                world.remove(gone).unwrap();
                assert_eq!(world.remove(gone), Err(WorldError::Unknown(gone)));
            }
            for b in &spare[..(count / 30) as usize] {
                ids.push(world.add(nudged(b, &mut random)).unwrap());
            }
        }
        assert_eq!(world.len(), ids.len());
        let asked = spare[frame];
        let expected: Vec<u32> =
            world.iter().filter(|(_, b)| b.overlaps(&asked)).map(|(id, _)| id.0).collect();
        let mut found = Vec::new();
        world.tree().overlapping_box(&asked, &mut found);
        assert_eq!(found, expected, "{D}D, {kind}, frame {frame}: a query");
        check(&mut world, &mut before, &format!("{D}D, {kind}, {count} boxes, frame {frame}"));
    }
}

#[test]
fn a_world_that_lives_on_tells_the_pairs_of_one_made_anew() {
    for kind in KINDS.into_iter().filter(|kind| !["identical", "denormal"].contains(kind)) {
        live_on::<2>(kind, 700, 3);
        live_on::<3>(kind, 700, 4);
    }
    live_on::<2>("identical", 60, 5);
    live_on::<3>("denormal", 60, 6);
}

#[test]
fn a_world_refuses_what_is_no_box_and_stays_as_it_was() {
    let mut world = World::<2>::new();
    assert!(world.update().begun.is_empty());
    let bad = Aabb { min: [0.0, f32::NAN], max: [1.0, 1.0] };
    assert!(matches!(world.add(bad), Err(WorldError::Invalid(_))));
    assert!(world.is_empty());
    let id = world.add(Aabb { min: [0.0; 2], max: [1.0; 2] }).unwrap();
    assert!(matches!(world.move_to(id, bad), Err(WorldError::Invalid(_))));
    assert_eq!(world.get(id).unwrap().max, [1.0; 2]);
    let nobody = BoxId(7);
    assert_eq!(world.move_to(nobody, *world.get(id).unwrap()), Err(WorldError::Unknown(nobody)));
    assert_eq!(world.get(nobody), None);
    world.remove(id).unwrap();
    assert_eq!(world.get(id), None);
    assert!(world.is_empty());
}
