//! Capacity: the most objects for which a technique finds the pairs of a frame in time.
//!
//! The number of objects grows until the mean of a few frames exceeds the time of a frame, and is
//! then bisected. Moving is not timed. A number fails only if two measurements of it exceed the
//! time: a disturbance of the machine that lasts one measurement does not end the search.

use std::collections::BTreeMap;

use embate::Aabb;
use embate::broad_phase::{OverlapPair, sort_pairs};
use embate::geometry::BoundingSphere;
use embate_scene::generators::{Bounds, MovingWorld};

use super::detector::{Detector, Frame};
use super::limits;
use super::measure::{Candidate, differences};
use super::plan::Scene;
use super::row::Row;
use super::search_log::SearchLog;
use crate::runner::run_context::RunContext;

/// The search ends when the smallest number that fails exceeds the largest that holds by at most
/// this factor.
const RESOLUTION: f64 = 1.02;
/// Smallest and largest factor from one number to the next while all hold.
const GROWTH: [f64; 2] = [1.08, 4.0];

/// A detector of a candidate for a world.
pub(super) type Build<'a, const D: usize> =
    dyn Fn(&Candidate, &Scene<D>, &MovingWorld<D>) -> Box<dyn Detector<D>> + 'a;

/// The search of one seed and frame rate.
pub(super) struct Task<'a, const D: usize> {
    pub(super) scene: &'a Scene<D>,
    pub(super) seed: u64,
    /// Milliseconds of a frame.
    pub(super) budget_ms: f64,
    /// The technique that all are compared with.
    pub(super) reference: Candidate,
}

/// All pairs of the first frame, by number of objects: several techniques end at the same.
pub(super) type Truths = BTreeMap<u32, Vec<OverlapPair>>;

/// The largest number of objects that is tried: more pairs could not be compared.
pub(crate) fn most_objects<const D: usize>(scene: &Scene<D>) -> u32 {
    let fits = |objects: u32| {
        limits::expected_pairs(scene.world.sides, objects, scene.world.size) <= limits::MAX_PAIRS
    };
    let (mut held, mut failed) = (1, limits::MAX_OBJECTS + 1);
    while failed - held > 1 {
        let middle = held.midpoint(failed);
        *(if fits(middle) { &mut held } else { &mut failed }) = middle;
    }
    held
}

/// The row of a candidate, with its capacity as the number of objects.
pub(super) fn measure<const D: usize>(
    task: &Task<'_, D>,
    candidate: &Candidate,
    build: &Build<'_, D>,
    truths: &mut Truths,
    context: &RunContext<'_>,
) -> Row {
    let mut ms_of_held = 0.0;
    let cost = |objects: u32| {
        let trial = || mean_ms(task, candidate, objects, build, context);
        let mut ms = trial();
        if ms > task.budget_ms {
            ms = trial().min(ms);
        }
        if ms <= task.budget_ms {
            ms_of_held = ms;
        }
        ms / task.budget_ms
    };
    let most = most_objects(task.scene);
    let objects = largest(task.scene.objects().min(most), most, cost);
    let scene = with_objects(task.scene, objects);
    let mut world = scene.world(task.seed);
    world.step();
    let all = || find(&task.reference, &scene, &world, build).pairs;
    let truth = truths.entry(objects).or_insert_with(all);
    let found = find(candidate, &scene, &world, build);
    let (missed, wrong) = differences(truth, &found.pairs);
    let Found { log, pairs, bytes } = found;
    let entries = log.counts.cell_entries as f64;
    Row {
        case: scene.case.to_owned(),
        technique: candidate.technique.name().to_owned(),
        bounds: scene.bounds().name().to_owned(),
        objects,
        cell_size: candidate.cell_size,
        frames: scene.frames,
        seed: task.seed,
        tests_per_frame: log.counts.overlap_tests as f64,
        pairs_per_frame: pairs.len() as f64,
        ms_per_frame: ms_of_held,
        ms_repeats: vec![ms_of_held],
        bytes: bytes as u64,
        cells_per_object: (entries > 0.0).then(|| entries / f64::from(objects)),
        speedup_over_brute: None,
        speedup_over_study: None,
        missed_pairs: missed,
        wrong_pairs: wrong,
    }
}

/// The largest number up to `most` whose cost is at most 1, to [`RESOLUTION`]; 1 if none is. The
/// cost grows at most with the square of the number.
fn largest(start: u32, most: u32, mut cost: impl FnMut(u32) -> f64) -> u32 {
    let (mut held, mut objects) = (1, start);
    let mut failed = loop {
        let cost = cost(objects);
        if cost > 1.0 {
            break objects;
        }
        held = objects;
        if held == most {
            return most;
        }
        let growth = (1.0 / cost).sqrt().clamp(GROWTH[0], GROWTH[1]);
        objects = most.min((f64::from(objects) * growth).ceil() as u32);
    };
    while failed - held > 1 && f64::from(failed) > RESOLUTION * f64::from(held) {
        let middle = (f64::from(held) * f64::from(failed)).sqrt() as u32;
        let middle = middle.clamp(held + 1, failed - 1);
        *(if cost(middle) <= 1.0 { &mut held } else { &mut failed }) = middle;
    }
    held
}

fn with_objects<const D: usize>(scene: &Scene<D>, objects: u32) -> Scene<D> {
    let mut scene = scene.clone();
    scene.world.objects = objects;
    scene.world.movers = objects;
    scene
}

/// Milliseconds of a frame, mean over the frames of the scene. Ends early once the frames together
/// exceed their time.
fn mean_ms<const D: usize>(
    task: &Task<'_, D>,
    candidate: &Candidate,
    objects: u32,
    build: &Build<'_, D>,
    context: &RunContext<'_>,
) -> f64 {
    let scene = with_objects(task.scene, objects);
    let mut world = scene.world(task.seed);
    let mut detector = build(candidate, &scene, &world);
    let (mut boxes, mut balls, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let mut frame = |world: &MovingWorld<D>| {
        let frame = frame_of(world, scene.bounds(), &mut boxes, &mut balls);
        pairs.clear();
        let ((), seconds) = context.time(|| detector.find(&frame, &mut pairs, None));
        seconds * 1e3
    };
    // Brute force has no state; the others reserve their memory here.
    if candidate.technique != candidate.technique.own_brute_force() {
        frame(&world);
    }
    let mut sum = 0.0;
    for number in 1..=scene.frames {
        world.step();
        sum += frame(&world);
        if sum > task.budget_ms * f64::from(scene.frames) {
            return sum / f64::from(number);
        }
    }
    sum / f64::from(scene.frames)
}

fn frame_of<'a, const D: usize>(
    world: &MovingWorld<D>,
    bounds: Bounds,
    boxes: &'a mut Vec<Aabb<D>>,
    balls: &'a mut Vec<BoundingSphere<D>>,
) -> Frame<'a, D> {
    match bounds {
        Bounds::Aabb => world.boxes(boxes),
        Bounds::Circle => world.balls(balls),
    }
    Frame { boxes, balls, movers: world.movers() as u32 }
}

/// A counted search.
struct Found {
    log: SearchLog,
    /// Sorted.
    pairs: Vec<OverlapPair>,
    bytes: usize,
}

fn find<const D: usize>(
    candidate: &Candidate,
    scene: &Scene<D>,
    world: &MovingWorld<D>,
    build: &Build<'_, D>,
) -> Found {
    let (mut boxes, mut balls, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let frame = frame_of(world, scene.bounds(), &mut boxes, &mut balls);
    let mut detector = build(candidate, scene, world);
    let mut log = SearchLog::default();
    detector.find(&frame, &mut pairs, Some(&mut log));
    sort_pairs(&mut pairs, frame.objects() as u32);
    Found { log, pairs, bytes: detector.bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_finds_the_largest_number_within_the_resolution() {
        for limit in [1_u32, 3, 499, 500, 501, 5_000, 49_999] {
            for exponent in [1.0, 1.3, 2.0] {
                let mut tried = 0;
                let cost = |objects: u32| {
                    tried += 1;
                    (f64::from(objects) / (f64::from(limit) + 0.5)).powf(exponent)
                };
                let found = largest(500, 50_000, cost);
                assert!(found <= limit, "{found} of {limit}");
                assert!(
                    f64::from(found + 1) * RESOLUTION >= f64::from(limit),
                    "{found} of {limit}"
                );
                assert!(tried < 30, "{tried} for {limit}");
            }
        }
    }

    #[test]
    fn search_with_a_clock_that_stands_still_ends_at_the_most_objects() {
        let mut tried = 0;
        let found = largest(500, 50_000, |_| {
            tried += 1;
            0.0
        });
        assert_eq!((found, tried < 10), (50_000, true));
    }
}
