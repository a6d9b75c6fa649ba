//! Runs the worlds of study C that are not yet in the journal.

use embate::pairs::StudyGrid;

use super::plan::{Case, Plan, Scene};
use crate::run_folder::{RunFolder, RunFolderError};
use crate::studies::broad::Progress;
use crate::studies::broad::detector::{Detector, OfStudy, of_any_dimension};
use crate::studies::broad::measure::{Contestant, Task, measure};
use crate::studies::broad::row::Row;
use crate::studies::broad::technique::Technique;
use crate::studies::resumable::{self, Keyed};

/// Runs what the journal does not have yet and returns every row, in the order of the plan.
///
/// # Errors
/// If the journal cannot be written, or no thread started.
pub fn run(
    plan: &Plan,
    cases: &[Case<'_>],
    folder: &mut RunFolder,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Row>, RunFolderError> {
    let measure = |case: &Case<'_>| {
        progress(Progress::Begin(case.key()));
        let work = case.work_of_a_frame();
        rows(plan, case, &|frames| progress(Progress::Work(work * u64::from(frames))))
    };
    let skip = |case: &Case<'_>| progress(Progress::Work(plan.work(case)));
    resumable::run(cases, plan.effort.threads, folder, measure, skip)
}

/// How many of the cases the journal has already.
#[must_use]
pub fn finished_cases(cases: &[Case<'_>], folder: &RunFolder) -> usize {
    resumable::finished_cases::<Row>(cases, folder)
}

/// All rows of one case.
pub(super) fn rows(plan: &Plan, case: &Case<'_>, advanced: &dyn Fn(u32)) -> Vec<Row> {
    let scene = case.scene;
    let effort = &plan.effort;
    let task = Task {
        case: scene.case,
        world: &scene.world(case.seed),
        bounds: scene.bounds(),
        frames: effort.frames,
        repeats: effort.repeats,
        seed: case.seed,
        reported: &effort.techniques,
        study: Technique::StudyBrute,
    };
    let build = |contestant: &Contestant| detector(contestant, scene);
    measure(&task, &contestants(scene, &effort.techniques), &build, advanced)
}

/// The judge, what every speedup is over, and those asked for, with each of their cell sizes.
fn contestants(scene: &Scene, asked: &[Technique]) -> Vec<Contestant> {
    let needed = [Technique::JUDGE, Technique::StudyBrute];
    let others = asked.iter().copied().filter(|technique| !needed.contains(technique));
    let mut contestants = Vec::new();
    for technique in needed.into_iter().chain(others) {
        let chosen = technique == Technique::StudyGrid || scene.own_cells;
        if technique.has_cells() && chosen {
            let with = |&cell_size: &f32| Contestant { technique, cell_size: Some(cell_size) };
            contestants.extend(scene.cell_sizes.iter().map(with));
        } else {
            contestants.push(Contestant { technique, cell_size: None });
        }
    }
    contestants
}

fn detector(contestant: &Contestant, scene: &Scene) -> Box<dyn Detector<2>> {
    match (contestant.technique, contestant.cell_size) {
        (Technique::StudyGrid, Some(cell_size)) => {
            let grid = StudyGrid::new(&scene.extent(), cell_size);
            Box::new(OfStudy::Grid(grid.expect("the plan counted the cells")))
        }
        (technique, _) => {
            of_any_dimension(technique, scene.objects()).unwrap_or_else(|| Box::new(OfStudy::Brute))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Effort, Request};
    use super::*;

    fn run(request: &Request, frames: u32) -> Vec<Row> {
        let effort = Effort { frames, seeds: 1, ..Effort::quick() };
        let plan = Plan::new(request, effort).unwrap();
        plan.cases().iter().flat_map(|case| rows(&plan, case, &|_| {})).collect()
    }

    /// Counts depend on the seed alone. If one changes, so did the world or a technique.
    #[test]
    fn a_seed_gives_the_same_counts_for_ever() {
        let request =
            Request { experiment: Some(2), objects: Some(vec![500]), ..Request::default() };
        let rows = run(&request, 20);
        let tests: Vec<(&str, &str, f64, f64, u64)> = rows
            .iter()
            .filter(|row| row.technique.starts_with("study"))
            .map(|row| {
                let Row { technique, bounds, tests_per_frame, pairs_per_frame, .. } = row;
                (
                    technique.as_str(),
                    bounds.as_str(),
                    *tests_per_frame,
                    *pairs_per_frame,
                    row.missed_pairs,
                )
            })
            .collect();
        assert_eq!(
            tests,
            [
                ("study-brute", "aabb", 124_750.0, 93.75, 0),
                ("study-grid", "aabb", 780.2, 93.75, 0),
                ("study-brute", "circle", 124_750.0, 90.95, 0),
                ("study-grid", "circle", 751.35, 90.95, 0),
            ]
        );
    }

    #[test]
    fn ours_miss_no_pair_and_tell_none_that_is_not() {
        let request = Request {
            objects: Some(vec![1, 2, 40, 300]),
            world: Some([400.0, 300.0]),
            cell_sizes: Some(vec![7.0, 60.0]),
            ..Request::default()
        };
        let rows = run(&request, 25);
        assert!(rows.iter().all(|row| row.wrong_pairs == 0));
        let ours = rows.iter().filter(|row| row.technique != "study-grid");
        assert!(ours.clone().all(|row| row.missed_pairs == 0));
        let study = rows.iter().filter(|row| row.technique == "study-grid");
        assert!(study.clone().any(|row| row.missed_pairs > 0), "cells of 7 are too small");
        assert!(rows.iter().any(|row| row.pairs_per_frame > 50.0));
    }

    #[test]
    fn brute_force_tests_every_pair() {
        let request = Request { objects: Some(vec![10, 77]), ..Request::default() };
        for row in run(&request, 3).iter().filter(|row| row.technique.ends_with("brute")) {
            let n = f64::from(row.objects);
            assert_eq!(row.tests_per_frame, n * (n - 1.0) / 2.0);
        }
    }

    #[test]
    fn only_what_was_asked_for_is_reported() {
        let request = Request { objects: Some(vec![10]), ..Request::default() };
        let effort = Effort {
            frames: 2,
            seeds: 1,
            techniques: vec![Technique::StudyGrid],
            ..Effort::quick()
        };
        let plan = Plan::new(&request, effort).unwrap();
        let rows = rows(&plan, &plan.cases()[0], &|_| {});
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].technique.as_str(), rows[0].cell_size), ("study-grid", Some(100.0)));
        assert!(rows[0].speedup_over_brute.is_some() && rows[0].speedup_over_study.is_some());
    }
}
