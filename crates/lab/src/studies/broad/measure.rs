//! How fast, how many tests, how many misses: one world, technique after technique.
//!
//! Techniques take turns of a few frames each, so that whatever else the machine does meets them alike,
//! while each still finds its own memory in the caches as it would in a program. Each moves a world of
//! its own; moving is not timed. What it finds in a frame is compared with what brute force found there.
//! Before the first frame each sees the world once, untimed and uncounted: what reserves memory or learns
//! from the frame before is then as it is in every later frame.

use std::cmp::Ordering;

use embate::broad_phase::{OverlapPair, sort_pairs};
use embate::{Aabb, geometry::BoundingSphere};

use super::detector::{Detector, Frame};
use super::notes::Notes;
use super::row::Row;
use crate::scenes::{Bounds, MovingWorld};
use crate::statistics::median;
use crate::studies::host::Host;
use embate_studies::structure::PairStructure;

/// Frames a technique measures before it is the next one's turn.
const TURN: u32 = 20;

/// A technique, with the size of its cells where that is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contestant {
    pub(crate) technique: PairStructure,
    pub(crate) cell_size: Option<f32>,
}

/// What is measured on one world.
pub(super) struct Task<'a, const D: usize> {
    pub(super) case: &'a str,
    pub(super) world: &'a MovingWorld<D>,
    pub(super) bounds: Bounds,
    pub(super) frames: u32,
    pub(super) repeats: u32,
    pub(super) seed: u64,
    /// Of whom a row is wanted.
    pub(super) reported: &'a [PairStructure],
    /// What `speedup_over_study` compares with.
    pub(super) study: PairStructure,
}

/// What is summed up for one contestant over the frames.
#[derive(Clone, Debug)]
struct Tally {
    contestant: Contestant,
    seconds_of_repeats: Vec<f64>,
    notes: Notes,
    pairs: u64,
    missed: u64,
    wrong: u64,
    bytes: usize,
}

/// What a contestant measures before it is the next one's turn.
struct Turn {
    frames: u32,
    /// Only then is anything counted and judged.
    is_first_repeat: bool,
}

/// One contestant at work.
struct Runner<const D: usize> {
    world: MovingWorld<D>,
    timed: Box<dyn Detector<D>>,
    /// Does the same untimed, and counts.
    watched: Option<Box<dyn Detector<D>>>,
    pairs: Vec<OverlapPair>,
}

/// Measures every contestant; the first must be the judge. The host is told of frames done by all.
pub(super) fn measure<const D: usize>(
    task: &Task<'_, D>,
    contestants: &[Contestant],
    build: &dyn Fn(&Contestant) -> Box<dyn Detector<D>>,
    host: &Host<'_>,
) -> Vec<Row> {
    debug_assert_eq!(contestants[0].technique, PairStructure::REFERENCE);
    let mut tallies: Vec<Tally> = contestants.iter().map(|c| Tally::new(*c)).collect();
    for repeat in 0..task.repeats {
        let is_first = repeat == 0;
        let mut runners: Vec<Runner<D>> = contestants
            .iter()
            .map(|contestant| {
                let timed = build(contestant);
                let watched = (is_first && !timed.counts_for_free()).then(|| build(contestant));
                let mut runner =
                    Runner { world: task.world.clone(), timed, watched, pairs: Vec::new() };
                // Brute force learns nothing, and takes long.
                if contestant.technique != contestant.technique.own_brute_force() {
                    runner.look_once(task);
                }
                runner
            })
            .collect();
        for tally in &mut tallies {
            tally.seconds_of_repeats.push(0.0);
        }
        let mut frame = 0;
        while frame < task.frames {
            let turn = TURN.min(task.frames - frame);
            let share = Turn { frames: turn, is_first_repeat: is_first };
            let mut truth: Vec<Vec<OverlapPair>> = Vec::new();
            for (runner, tally) in runners.iter_mut().zip(&mut tallies) {
                runner.take_turn(task, host, &share, tally, &mut truth);
            }
            frame += turn;
            (host.advanced)(turn.into());
        }
        for (runner, tally) in runners.iter().zip(&mut tallies) {
            tally.bytes = runner.timed.bytes();
        }
    }
    rows(task, &tallies)
}

impl<const D: usize> Runner<D> {
    fn look_once(&mut self, task: &Task<'_, D>) {
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        let frame = self.frame(task, &mut boxes, &mut balls);
        self.timed.find(&frame, &mut Vec::new(), None);
        if let Some(watched) = &mut self.watched {
            watched.find(&frame, &mut Vec::new(), None);
        }
    }

    /// Where everything is now.
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
        host: &Host<'_>,
        &Turn { frames, is_first_repeat }: &Turn,
        tally: &mut Tally,
        truth: &mut Vec<Vec<OverlapPair>>,
    ) {
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        let is_judge = tally.contestant.technique == PairStructure::REFERENCE;
        for number in 0..frames as usize {
            self.world.step();
            let frame = self.frame(task, &mut boxes, &mut balls);
            self.pairs.clear();
            let free = is_first_repeat && self.watched.is_none();
            let notes = free.then_some(&mut tally.notes);
            let find = || self.timed.find(&frame, &mut self.pairs, notes);
            let ((), seconds) = host.time(find);
            if let Some(sum) = tally.seconds_of_repeats.last_mut() {
                *sum += seconds;
            }
            if !is_first_repeat {
                continue;
            }
            tally.pairs += self.pairs.len() as u64;
            sort_pairs(&mut self.pairs, frame.objects() as u32);
            if is_judge {
                truth.push(self.pairs.clone());
            } else if self.pairs != truth[number] {
                let (missed, wrong) = differences(&truth[number], &self.pairs);
                tally.missed += missed;
                tally.wrong += wrong;
            }
            if let Some(watched) = &mut self.watched {
                self.pairs.clear();
                watched.find(&frame, &mut self.pairs, Some(&mut tally.notes));
            }
        }
    }
}

impl Tally {
    fn new(contestant: Contestant) -> Self {
        Self {
            contestant,
            seconds_of_repeats: Vec::new(),
            notes: Notes::default(),
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

/// Pairs of `truth` that are not in `told`, and the reverse. Both are sorted.
fn differences(truth: &[OverlapPair], told: &[OverlapPair]) -> (u64, u64) {
    let (mut missed, mut wrong) = (0, 0);
    let (mut truth, mut told) = (truth.iter().peekable(), told.iter().peekable());
    loop {
        let order = match (truth.peek(), told.peek()) {
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
            told.next();
        }
    }
}

fn rows<const D: usize>(task: &Task<'_, D>, tallies: &[Tally]) -> Vec<Row> {
    let frames = f64::from(task.frames);
    let objects = task.world.len() as u32;
    let ms_of = |technique: PairStructure| {
        let tally = tallies.iter().find(|tally| tally.contestant.technique == technique);
        tally.map(|tally| tally.ms(task.frames))
    };
    let row = |tally: &Tally| {
        let Contestant { technique, cell_size } = tally.contestant;
        let ms = tally.ms(task.frames);
        let places = tally.notes.counts.cell_entries as f64;
        Row {
            case: task.case.to_owned(),
            technique: technique.name().to_owned(),
            bounds: task.bounds.name().to_owned(),
            objects,
            cell_size,
            frames: task.frames,
            seed: task.seed,
            tests_per_frame: tally.notes.counts.overlap_tests as f64 / frames,
            pairs_per_frame: tally.pairs as f64 / frames,
            ms_per_frame: ms,
            ms_repeats: tally.ms_repeats(task.frames),
            bytes: tally.bytes as u64,
            cells_per_object: (places > 0.0).then(|| places / frames / f64::from(objects)),
            speedup_over_brute: ms_of(technique.own_brute_force()).map(|brute| brute / ms),
            speedup_over_study: ms_of(task.study).map(|study| study / ms),
            missed_pairs: tally.missed,
            wrong_pairs: tally.wrong,
        }
    };
    let is_reported = |tally: &&Tally| task.reported.contains(&tally.contestant.technique);
    let order = |technique: &PairStructure| {
        task.reported.iter().position(|reported| reported == technique).unwrap_or(usize::MAX)
    };
    let mut reported: Vec<&Tally> = tallies.iter().filter(is_reported).collect();
    reported.sort_by_key(|tally| order(&tally.contestant.technique));
    reported.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_and_wrong_pairs_are_told_apart() {
        let truth = [[0, 1], [0, 2], [3, 4]];
        assert_eq!(differences(&truth, &truth), (0, 0));
        assert_eq!(differences(&truth, &[[0, 2]]), (2, 0));
        assert_eq!(differences(&truth, &[[0, 1], [0, 2], [1, 2], [3, 4]]), (0, 1));
        assert_eq!(differences(&truth, &[[0, 1], [2, 3]]), (2, 1));
        assert_eq!(differences(&[], &[[0, 1]]), (0, 1));
    }
}
