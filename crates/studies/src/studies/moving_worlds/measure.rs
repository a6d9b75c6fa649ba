//! Measurement of one world: time, tests and missed pairs of every technique.
//!
//! Techniques alternate after a few frames, so that disturbances of the machine affect all alike
//! while each still finds its memory in the caches as in a program. Each moves its own copy of the
//! world; moving is not timed. Its pairs of a frame are compared with those of brute force. Before
//! the first frame each runs once, untimed and uncounted: memory is then reserved, and temporal
//! coherence established, as in every later frame.

use std::cmp::Ordering;

use embate::broad_phase::{OverlapPair, sort_pairs};
use embate::{Aabb, geometry::BoundingSphere};
use embate_replica::structure::PairStructure;
use embate_scene::generators::{Bounds, MovingWorld};

use super::detector::{Detector, Frame};
use super::row::Row;
use super::search_log::SearchLog;
use crate::runner::run_context::RunContext;
use crate::statistics::median;

/// Frames that a technique measures per turn.
const FRAMES_PER_TURN: u32 = 20;

/// A technique, with the size of its cells where that is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Technique.
    pub technique: PairStructure,
    /// Edge of a grid's cells; `None` where the technique chooses it or has no grid.
    pub cell_size: Option<f32>,
}

/// The measurement of one world.
pub(crate) struct Task<'a, const D: usize> {
    pub(crate) case: &'a str,
    pub(crate) world: &'a MovingWorld<D>,
    pub(crate) bounds: Bounds,
    pub(crate) frames: u32,
    pub(crate) repeats: u32,
    pub(crate) seed: u64,
    /// Techniques with a row in the results.
    pub(crate) reported: &'a [PairStructure],
    /// Baseline of `speedup_over_study`.
    pub(crate) study: PairStructure,
}

/// Totals of one candidate over the frames.
#[derive(Clone, Debug)]
struct Tally {
    candidate: Candidate,
    seconds_of_repeats: Vec<f64>,
    log: SearchLog,
    pairs: u64,
    missed: u64,
    wrong: u64,
    bytes: usize,
}

/// Frames that a candidate measures per turn.
struct Turn {
    frames: u32,
    /// Only in the first repeat pairs are counted and compared.
    is_first_repeat: bool,
}

/// One candidate with its world.
struct Runner<const D: usize> {
    world: MovingWorld<D>,
    timed: Box<dyn Detector<D>>,
    /// The same detector, untimed, with counters.
    counted: Option<Box<dyn Detector<D>>>,
    pairs: Vec<OverlapPair>,
}

/// Measures every candidate; the first must be the reference. Progress counts frames done by all.
pub(crate) fn measure<const D: usize>(
    task: &Task<'_, D>,
    candidates: &[Candidate],
    build: &dyn Fn(&Candidate) -> Box<dyn Detector<D>>,
    context: &RunContext<'_>,
) -> Vec<Row> {
    debug_assert_eq!(candidates[0].technique, PairStructure::REFERENCE);
    let mut tallies: Vec<Tally> = candidates.iter().map(|c| Tally::new(*c)).collect();
    for repeat in 0..task.repeats {
        let is_first = repeat == 0;
        let mut runners: Vec<Runner<D>> = candidates
            .iter()
            .map(|candidate| {
                let timed = build(candidate);
                let counted = (is_first && !timed.counts_for_free()).then(|| build(candidate));
                let mut runner =
                    Runner { world: task.world.clone(), timed, counted, pairs: Vec::new() };
                // Brute force has no state, and takes long.
                if candidate.technique != candidate.technique.own_brute_force() {
                    runner.warm_up(task);
                }
                runner
            })
            .collect();
        for tally in &mut tallies {
            tally.seconds_of_repeats.push(0.0);
        }
        let mut frame = 0;
        while frame < task.frames {
            let turn = FRAMES_PER_TURN.min(task.frames - frame);
            let share = Turn { frames: turn, is_first_repeat: is_first };
            let mut truth: Vec<Vec<OverlapPair>> = Vec::new();
            for (runner, tally) in runners.iter_mut().zip(&mut tallies) {
                runner.take_turn(task, context, &share, tally, &mut truth);
            }
            frame += turn;
            (context.on_progress)(turn.into());
        }
        for (runner, tally) in runners.iter().zip(&mut tallies) {
            tally.bytes = runner.timed.bytes();
        }
    }
    rows(task, &tallies)
}

impl<const D: usize> Runner<D> {
    fn warm_up(&mut self, task: &Task<'_, D>) {
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        let frame = self.frame(task, &mut boxes, &mut balls);
        self.timed.find(&frame, &mut Vec::new(), None);
        if let Some(counted) = &mut self.counted {
            counted.find(&frame, &mut Vec::new(), None);
        }
    }

    /// Bounds of the objects at their present positions.
    fn frame<'a>(
        &self,
        task: &Task<'_, D>,
        boxes: &'a mut Vec<Aabb<D>>,
        balls: &'a mut Vec<BoundingSphere<D>>,
    ) -> Frame<'a, D> {
        match task.bounds {
            Bounds::Aabb => self.world.boxes(boxes),
            Bounds::Circle => self.world.balls(balls),
        }
        Frame { boxes, balls, movers: self.world.movers() as u32 }
    }

    fn take_turn(
        &mut self,
        task: &Task<'_, D>,
        context: &RunContext<'_>,
        &Turn { frames, is_first_repeat }: &Turn,
        tally: &mut Tally,
        truth: &mut Vec<Vec<OverlapPair>>,
    ) {
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        let is_reference = tally.candidate.technique == PairStructure::REFERENCE;
        for number in 0..frames as usize {
            self.world.step();
            let frame = self.frame(task, &mut boxes, &mut balls);
            self.pairs.clear();
            let free = is_first_repeat && self.counted.is_none();
            let log = free.then_some(&mut tally.log);
            let find = || self.timed.find(&frame, &mut self.pairs, log);
            let ((), seconds) = context.time(find);
            if let Some(sum) = tally.seconds_of_repeats.last_mut() {
                *sum += seconds;
            }
            if !is_first_repeat {
                continue;
            }
            tally.pairs += self.pairs.len() as u64;
            sort_pairs(&mut self.pairs, frame.objects() as u32);
            if is_reference {
                truth.push(self.pairs.clone());
            } else if self.pairs != truth[number] {
                let (missed, wrong) = differences(&truth[number], &self.pairs);
                tally.missed += missed;
                tally.wrong += wrong;
            }
            if let Some(counted) = &mut self.counted {
                self.pairs.clear();
                counted.find(&frame, &mut self.pairs, Some(&mut tally.log));
            }
        }
    }
}

impl Tally {
    fn new(candidate: Candidate) -> Self {
        Self {
            candidate,
            seconds_of_repeats: Vec::new(),
            log: SearchLog::default(),
            pairs: 0,
            missed: 0,
            wrong: 0,
            bytes: 0,
        }
    }

    fn ms_repeats(&self, frames: u32) -> Vec<f64> {
        self.seconds_of_repeats.iter().map(|s| s * 1e3 / f64::from(frames)).collect()
    }

    fn ms(&self, frames: u32) -> f64 {
        median(&self.ms_repeats(frames)).unwrap_or(f64::NAN)
    }
}

/// Pairs of `truth` that are not in `found`, and the reverse. Both are sorted.
pub(super) fn differences(truth: &[OverlapPair], found: &[OverlapPair]) -> (u64, u64) {
    let (mut missed, mut wrong) = (0, 0);
    let (mut truth, mut found) = (truth.iter().peekable(), found.iter().peekable());
    loop {
        let order = match (truth.peek(), found.peek()) {
            (None, None) => return (missed, wrong),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        missed += u64::from(order.is_lt());
        wrong += u64::from(order.is_gt());
        if order.is_le() {
            truth.next();
        }
        if order.is_ge() {
            found.next();
        }
    }
}

fn rows<const D: usize>(task: &Task<'_, D>, tallies: &[Tally]) -> Vec<Row> {
    let frames = f64::from(task.frames);
    let objects = task.world.len() as u32;
    let ms_of = |technique: PairStructure| {
        let tally = tallies.iter().find(|tally| tally.candidate.technique == technique);
        tally.map(|tally| tally.ms(task.frames))
    };
    let row = |tally: &Tally| {
        let Candidate { technique, cell_size } = tally.candidate;
        let ms = tally.ms(task.frames);
        let entries = tally.log.counts.cell_entries as f64;
        Row {
            case: task.case.to_owned(),
            technique: technique.name().to_owned(),
            bounds: task.bounds.name().to_owned(),
            objects,
            cell_size,
            frames: task.frames,
            seed: task.seed,
            tests_per_frame: tally.log.counts.overlap_tests as f64 / frames,
            pairs_per_frame: tally.pairs as f64 / frames,
            ms_per_frame: ms,
            ms_repeats: tally.ms_repeats(task.frames),
            bytes: tally.bytes as u64,
            cells_per_object: (entries > 0.0).then(|| entries / frames / f64::from(objects)),
            speedup_over_brute: ms_of(technique.own_brute_force()).map(|brute| brute / ms),
            speedup_over_study: ms_of(task.study).map(|study| study / ms),
            missed_pairs: tally.missed,
            wrong_pairs: tally.wrong,
        }
    };
    let is_reported = |tally: &&Tally| task.reported.contains(&tally.candidate.technique);
    let order = |technique: &PairStructure| {
        task.reported.iter().position(|reported| reported == technique).unwrap_or(usize::MAX)
    };
    let mut reported: Vec<&Tally> = tallies.iter().filter(is_reported).collect();
    reported.sort_by_key(|tally| order(&tally.candidate.technique));
    reported.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_and_wrong_pairs_are_counted_separately() {
        let truth = [[0, 1], [0, 2], [3, 4]];
        assert_eq!(differences(&truth, &truth), (0, 0));
        assert_eq!(differences(&truth, &[[0, 2]]), (2, 0));
        assert_eq!(differences(&truth, &[[0, 1], [0, 2], [1, 2], [3, 4]]), (0, 1));
        assert_eq!(differences(&truth, &[[0, 1], [2, 3]]), (2, 1));
        assert_eq!(differences(&[], &[[0, 1]]), (0, 1));
    }
}
