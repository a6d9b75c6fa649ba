//! The study of moving worlds, in any dimension.

use std::io;

use embate_replica::structure::PairStructure;
use embate_report::language::Language;
use embate_report::{Report, Table};
use serde_json::{Map, Value};

use super::STUDY_GRID;
use super::measure::{Candidate, Task, measure};
use super::plan::{Case, MovingWorldStudy, Plan, Scene};
use super::row::{Row, results_csv};
use crate::runner::run_context::RunContext;
use crate::runner::run_folder::RunInfo;
use crate::study::{Disagreements, Study};
use crate::study_kind::StudyKind;

impl<const D: usize> Study for Plan<D>
where
    Self: MovingWorldStudy<D>,
{
    type Case<'a> = Case<'a, D>;
    type Row = Row;

    fn kind(&self) -> StudyKind {
        self.kind
    }

    fn seed(&self) -> u64 {
        self.budget.seed
    }

    fn threads(&self) -> usize {
        self.budget.threads
    }

    fn parameters(&self) -> Map<String, Value> {
        Plan::parameters(self)
    }

    fn cases(&self) -> Vec<Case<'_, D>> {
        Plan::cases(self)
    }

    fn work(&self, case: &Case<'_, D>) -> u64 {
        case.work_of_a_frame() * u64::from(case.scene.frames) * u64::from(self.budget.repeats)
    }

    fn measure(&self, case: &Case<'_, D>, context: &RunContext<'_>) -> Vec<Row> {
        let work = case.work_of_a_frame();
        let on_progress = |frames| (context.on_progress)(frames * work);
        let context = &RunContext { clock: context.clock, on_progress: &on_progress };
        let scene = case.scene;
        let world = scene.world(case.seed);
        let task = Task {
            case: scene.case,
            world: &world,
            bounds: scene.bounds(),
            frames: scene.frames,
            repeats: self.budget.repeats,
            seed: case.seed,
            reported: &self.budget.techniques,
            study: self.study,
        };
        let build = |candidate: &Candidate| self.detector(candidate, scene, &world);
        measure(&task, &self.candidates(scene), &build, context)
    }

    fn csv(&self, rows: &[Row]) -> io::Result<Vec<u8>> {
        results_csv(rows)
    }

    fn terminal_tables(&self, rows: &[Row], language: Language) -> Vec<Table> {
        MovingWorldStudy::terminal_tables(self, rows, language)
    }

    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report {
        MovingWorldStudy::report(self, rows, info, language)
    }

    /// Only the study's grid may miss pairs, because the published one does.
    fn disagreements(&self, rows: &[Row]) -> Disagreements {
        let exact = rows.iter().filter(|row| row.technique != STUDY_GRID);
        let missed: u64 = exact.map(|row| row.missed_pairs).sum();
        let wrong: u64 = rows.iter().map(|row| row.wrong_pairs).sum();
        let description = format!(
            "{missed} overlapping pairs were missed and {wrong} pairs reported that do not overlap"
        );
        Disagreements { count: missed + wrong, description, column: "missed_pairs" }
    }
}

impl<const D: usize> Plan<D> {
    /// The reference, the baseline of speedups, and the requested techniques.
    fn candidates(&self, scene: &Scene<D>) -> Vec<Candidate> {
        let needed = [PairStructure::REFERENCE, self.study];
        let requested = self.budget.techniques.iter().copied();
        let others = requested.filter(|technique| !needed.contains(technique));
        scene.candidates(&needed.into_iter().chain(others).collect::<Vec<_>>())
    }

    /// All rows, without progress.
    #[cfg(test)]
    pub(crate) fn all_rows(&self) -> Vec<Row>
    where
        Self: MovingWorldStudy<D>,
    {
        use crate::runner::run_context::system_clock;
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        self.cases().iter().flat_map(|case| self.measure(case, &context)).collect()
    }
}
