//! Passes over all pairs, by both in turn; the best of each counts.

use std::hint::black_box;
use std::time::Instant;

use super::ours::Ours;
use super::parry::Parry;
use super::scenes::{FRAMES, MARGIN, Motion, Work};

/// An answer further off than this part of the size counts as wrong.
const WRONG: f64 = 1e-3;

/// What is asked of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Cold,
    Cached(Motion),
    Closest,
}

const QUERIES: [Query; 4] =
    [Query::Cold, Query::Cached(Motion::Moving), Query::Cached(Motion::Resting), Query::Closest];

impl Query {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Cached(Motion::Moving) => "moving",
            Self::Cached(Motion::Resting) => "resting",
            Self::Closest => "closest",
        }
    }
}

/// Distance, negative where deep; `None` for no contact.
pub type Answer = Option<f64>;

/// One who can be asked.
pub trait Peer {
    /// Asks about every pair in one frame. The sum keeps the answers from being left out.
    fn pass(&mut self, work: &Work, query: Query, frame: usize) -> f32;

    /// The answers for the first frame; with a cache, after all others.
    fn answers(&mut self, work: &Work, query: Query) -> Vec<Answer>;
}

/// What became of one query.
pub struct Figures {
    pub query: Query,
    /// Nanoseconds a pair: ours, parry's.
    pub nanoseconds: [f64; 2],
    pub wrong: [usize; 2],
    /// The worst error of a depth or distance, as a part of the size.
    pub worst: [f64; 2],
}

impl Figures {
    pub fn ratio(&self) -> f64 {
        self.nanoseconds[1] / self.nanoseconds[0]
    }

    pub fn line(&self, work: &Work) -> String {
        let [ours, parry] = self.nanoseconds;
        format!(
            "{},{},{},{},{FRAMES},{ours:.1},{parry:.1},{:.2},{},{},{:.1e},{:.1e}",
            work.kinds,
            work.state_name(),
            self.query.name(),
            work.pairs.len(),
            self.ratio(),
            self.wrong[0],
            self.wrong[1],
            self.worst[0],
            self.worst[1],
        )
    }
}

/// The best time of each over some repeats, by turns, in nanoseconds for each of `count`.
pub fn best_of(
    repeats: u32,
    number: usize,
    count: usize,
    mut pass: impl FnMut(usize) -> f32,
) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for repeat in 0..repeats as usize {
        // Each begins in its turn: to come after the other may be an advantage.
        for turn in 0..2 {
            let which = (turn + repeat + number) % 2;
            let clock = Instant::now();
            black_box(pass(which));
            best[which] = best[which].min(clock.elapsed().as_secs_f64() * 1e9 / count as f64);
        }
    }
    best
}

/// All queries of one kind and state.
pub fn measure(work: &Work, number: usize, repeats: u32) -> Vec<Figures> {
    let mut peers: [Box<dyn Peer>; 2] = [Box::new(Ours::new(work)), Box::new(Parry::new(work))];
    QUERIES
        .into_iter()
        .map(|query| {
            let mut best = [f64::INFINITY; 2];
            for repeat in 0..repeats as usize {
                // Each begins in its turn: to come after the other may be an advantage.
                for turn in 0..2 {
                    let which = (turn + repeat + number) % 2;
                    let clock = Instant::now();
                    for frame in 0..FRAMES {
                        black_box(peers[which].pass(work, query, frame));
                    }
                    let time = clock.elapsed().as_secs_f64() * 1e9;
                    best[which] = best[which].min(time / (FRAMES * work.pairs.len()) as f64);
                }
            }
            let judged = [0, 1].map(|which| judge(work, query, &peers[which].answers(work, query)));
            let (wrong, worst) = (judged.map(|j| j.0), judged.map(|j| j.1));
            let figures = Figures { query, nanoseconds: best, wrong, worst };
            if figures.wrong[0] > 0 {
                eprintln!("ours is wrong: {}", figures.line(work));
            }
            figures
        })
        .collect()
}

/// How many answers are wrong, and the worst error of the others and them.
fn judge(work: &Work, query: Query, answers: &[Answer]) -> (usize, f64) {
    let (mut wrong, mut worst) = (0, 0.0);
    for (pair, answer) in work.pairs.iter().zip(answers) {
        let limit = if query == Query::Closest { f64::INFINITY } else { MARGIN.into() };
        let near_the_limit = (pair.separation - limit).abs() < WRONG * pair.size;
        match answer {
            None if pair.separation <= limit && !near_the_limit => wrong += 1,
            None => {}
            // A cache may keep contacts beyond the margin; only their distance is judged.
            Some(distance) => {
                let error = (distance - pair.separation).abs() / pair.size;
                worst = f64::max(worst, error);
                // A peer that stops at the margin need not know how far beyond it a pair is.
                let beyond = pair.separation > limit && *distance >= limit;
                wrong += usize::from(error > WRONG && !beyond);
            }
        }
    }
    (wrong, worst)
}
