//! Box forms: time of the operations that the study names, in each of the three forms.
//!
//! The same boxes, in the same order, in every form. Readings of the forms take turns, so that the
//! ratios of one turn share the state of the machine.

use std::hint::black_box;

use embate::Vec3;
use embate_replica::lasch::{BoxForm, CenterHalf, MinEdges, MinMax};
use embate_scene::random::Random;

use super::row::Row;
use super::stages::Stages;
use crate::runner::run_context::RunContext;

/// The three forms by their names, in the order of the study.
pub(super) const FORMS: [&str; 3] = [MinMax::NAME, CenterHalf::NAME, MinEdges::NAME];

/// A use of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Overlap test of two boxes.
    Overlap,
    /// Motion by a vector.
    Motion,
    /// Smallest box around two.
    Merge,
    /// Descent to the smallest octree cell that contains a box.
    Nodes,
    /// Clipping by a window.
    Window,
}

impl Operation {
    pub(super) const ALL: [Self; 5] =
        [Self::Overlap, Self::Motion, Self::Merge, Self::Nodes, Self::Window];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Motion => "motion",
            Self::Merge => "merge",
            Self::Nodes => "nodes",
            Self::Window => "window",
        }
    }
}

/// One operation on many boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoxCase {
    pub(super) operation: Operation,
    pub(super) boxes: u32,
    pub(super) seed: u64,
}

/// Readings per repeat, of which the shortest counts.
const ROUNDS: u32 = 5;
/// Minimum seconds of a reading, for clocks of coarse resolution, such as the 5 µs of browsers.
const LONG_ENOUGH: f64 = 1e-3;
/// Maximum repetitions of the operation on all boxes per reading, in case the clock stands still.
const MAX_TIMES: u32 = 1 << 12;
/// Edge of the world, in m.
const WORLD: f32 = 64.0;
/// Maximum depth of the descent.
const MAX_DEPTH: u32 = 8;

/// Boxes of one form.
struct Boxes<B> {
    all: Vec<B>,
    moves: Vec<Vec3>,
}

/// A form as an operation with a result, which is the same number for every form.
trait Measured {
    /// Performs the operation on all boxes `times` times; a count of results.
    fn run(&mut self, operation: Operation, times: u32) -> u64;
}

impl<B: BoxForm> Boxes<B> {
    fn new(corners: &[[Vec3; 2]], moves: &[Vec3]) -> Self {
        let all = corners.iter().map(|&[min, max]| B::from_min_max(min, max)).collect();
        Self { all, moves: moves.to_vec() }
    }

    /// Number of boxes that fulfill a condition with the next box.
    fn count(&self, is_counted: impl Fn(B, B) -> bool) -> u64 {
        let next = self.all.iter().skip(1).chain(self.all.first());
        self.all.iter().zip(next).map(|(&a, &b)| u64::from(is_counted(a, b))).sum()
    }

    /// Depth of the smallest cell that contains the box: an object that a dividing plane cuts stays.
    fn depth_of(root: B, object: B) -> u32 {
        let mut cell = root;
        for depth in 0..MAX_DEPTH {
            let child = (0..8).map(|octant| cell.octant(octant)).find(|c| c.contains(object));
            let Some(child) = child else { return depth };
            cell = child;
        }
        MAX_DEPTH
    }
}

impl<B: BoxForm> Measured for Boxes<B> {
    fn run(&mut self, operation: Operation, times: u32) -> u64 {
        let root = B::from_min_max(Vec3::ZERO, Vec3::splat(WORLD));
        let window = B::from_min_max(Vec3::splat(WORLD * 0.25), Vec3::splat(WORLD * 0.75));
        let mut results = 0;
        for turn in 0..times {
            let back = if turn % 2 == 0 { 1.0 } else { -1.0 };
            results = match operation {
                Operation::Overlap => self.count(B::overlaps),
                Operation::Merge => self.count(|a, b| !black_box(a.merged(b)).contains(root)),
                Operation::Window => self.count(|a, _| black_box(a.clipped(window)).is_some()),
                Operation::Nodes => {
                    self.all.iter().map(|&object| u64::from(Self::depth_of(root, object))).sum()
                }
                Operation::Motion => {
                    for (one, &by) in self.all.iter_mut().zip(&self.moves) {
                        *one = one.moved(by * back);
                    }
                    black_box(&mut self.all).len() as u64
                }
            };
            black_box(results);
        }
        results
    }
}

impl BoxCase {
    /// One row per requested form.
    pub(super) fn rows(&self, forms: &[&str], repeats: u32, context: &RunContext<'_>) -> Vec<Row> {
        let mut random = Random::for_purpose(self.seed, &[4]);
        // Whole coordinates: no form rounds, and all return the same results.
        let whole = |random: &mut Random, max: f32| random.between(0.0, max).floor();
        let mut point = |max: f32| {
            Vec3::new(whole(&mut random, max), whole(&mut random, max), whole(&mut random, max))
        };
        let corners: Vec<[Vec3; 2]> = (0..self.boxes)
            .map(|_| {
                let min = point(WORLD * 0.5 - 4.0) * 2.0;
                [min, min + point(4.0) * 2.0]
            })
            .collect();
        let moves: Vec<Vec3> = corners.iter().map(|_| point(4.0) * 2.0).collect();
        let mut boxes: [Box<dyn Measured>; 3] = [
            Box::new(Boxes::<MinMax>::new(&corners, &moves)),
            Box::new(Boxes::<CenterHalf>::new(&corners, &moves)),
            Box::new(Boxes::<MinEdges>::new(&corners, &moves)),
        ];
        let expected = boxes[0].run(self.operation, 1);
        let mut times = 1;
        while times < MAX_TIMES
            && context.time(|| boxes[0].run(self.operation, times)).1 < LONG_ENOUGH
        {
            times *= 2;
        }
        let mut nanoseconds: [Vec<f64>; 3] = Default::default();
        let mut wrong = [0; 3];
        let calls = f64::from(times) * f64::from(self.boxes.max(1));
        for _ in 0..repeats.max(1) {
            // Minimum over interleaved rounds: a disturbance only adds time.
            let mut best = [f64::INFINITY; 3];
            for _ in 0..ROUNDS {
                for (form, boxes) in boxes.iter_mut().enumerate() {
                    let (results, seconds) = context.time(|| boxes.run(self.operation, times));
                    best[form] = best[form].min(seconds * 1e9 / calls);
                    wrong[form] += u64::from(results != expected);
                }
            }
            for (readings, best) in nanoseconds.iter_mut().zip(best) {
                readings.push(best);
            }
        }
        (context.on_progress)(1);
        let rows = FORMS.iter().zip(nanoseconds).zip(wrong);
        rows.filter(|((form, _), _)| forms.contains(form))
            .map(|((form, readings), wrong)| self.row(form, readings, wrong))
            .collect()
    }

    fn row(&self, form: &str, readings: Vec<f64>, wrong: u64) -> Row {
        let best = readings.iter().copied().fold(f64::INFINITY, f64::min);
        Row {
            part: "boxes".to_owned(),
            case: self.operation.name().to_owned(),
            technique: form.to_owned(),
            bodies: self.boxes,
            steps: self.boxes,
            seed: self.seed,
            ms: Stages { narrow: Some(best * 1e-6), ..Stages::default() },
            disagreements: Some(wrong),
            ns_readings: readings,
            ..Row::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run_context::system_clock;

    #[test]
    fn every_form_gives_the_same_results_in_a_positive_time() {
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        for operation in Operation::ALL {
            let case = BoxCase { operation, boxes: 200, seed: 1 };
            let rows = case.rows(&FORMS, 2, &context);
            assert_eq!(rows.len(), 3);
            for row in rows {
                assert_eq!((row.disagreements, row.ns_readings.len()), (Some(0), 2), "{row:?}");
                assert!(row.ms.narrow.is_some_and(|ms| ms > 0.0), "{row:?}");
            }
        }
        let case = BoxCase { operation: Operation::Overlap, boxes: 200, seed: 1 };
        assert_eq!(case.rows(&["min-edges"], 1, &context).len(), 1);
    }

    #[test]
    fn measurement_ends_with_a_clock_that_stands_still() {
        let context = RunContext { clock: || 1.0, on_progress: &|_| {} };
        let case = BoxCase { operation: Operation::Motion, boxes: 10, seed: 1 };
        assert!(case.rows(&FORMS, 1, &context).iter().all(|row| row.ms.narrow == Some(0.0)));
    }
}
