//! The study of moving worlds, in any dimension.

use std::io;

use embate_replica::structure::PairStructure;
use embate_report::language::Language;
use embate_report::{Report, Table};
use embate_scene::generators::MovingWorld;
use serde_json::{Map, Value};

use super::measure::{Candidate, Task, measure};
use super::plan::{Case, Measurement, MovingWorldStudy, Plan, Scene};
use super::row::{Row, results_csv};
use super::{STUDY_GRID, capacity};
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
        if let Measurement::Capacity { fps, .. } = case.scene.measurement {
            return self.measure_capacity(case, fps, context);
        }
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
            reported: &self.techniques(scene),
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
        let mut all = vec![PairStructure::REFERENCE];
        if scene.measurement == Measurement::Frames {
            all.push(self.study);
        }
        let requested = self.techniques(scene);
        let others = requested.into_iter().filter(|technique| !all.contains(technique));
        let others: Vec<_> = others.collect();
        all.extend(others);
        scene.candidates(&all)
    }

    /// The techniques with a row in the results of a scene.
    fn techniques(&self, scene: &Scene<D>) -> Vec<PairStructure> {
        match scene.measurement {
            Measurement::Coherence => PairStructure::COHERENCE.to_vec(),
            Measurement::Frames | Measurement::Capacity { .. } => self.budget.techniques.clone(),
        }
    }

    /// The capacity of every technique. Progress is counted by techniques.
    fn measure_capacity(&self, case: &Case<'_, D>, fps: u32, context: &RunContext<'_>) -> Vec<Row>
    where
        Self: MovingWorldStudy<D>,
    {
        let total = self.work(case);
        let [reference, ..] = *case.scene.candidates(&[PairStructure::REFERENCE]) else {
            return Vec::new();
        };
        let budget_ms = 1e3 / f64::from(fps);
        let task = capacity::Task { scene: case.scene, seed: case.seed, budget_ms, reference };
        let candidates = case.scene.candidates(&self.techniques(case.scene));
        let silent = &RunContext { clock: context.clock, on_progress: &|_| {} };
        let build = |candidate: &Candidate, scene: &Scene<D>, world: &MovingWorld<D>| {
            self.detector(candidate, scene, world)
        };
        let count = candidates.len() as u64;
        let mut truths = capacity::Truths::new();
        let measured = (1..=count).zip(&candidates).map(|(number, candidate)| {
            let row = capacity::measure(&task, candidate, &build, &mut truths, silent);
            (context.on_progress)(total * number / count - total * (number - 1) / count);
            row
        });
        measured.collect()
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
