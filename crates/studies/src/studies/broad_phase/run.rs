//! Run: the worlds of a study that are not yet in the journal.

use embate_replica::structure::PairStructure;

use super::Progress;
use super::measure::{Candidate, Task, measure};
use super::plan::{Build, Case, Measure, Plan, Scene};
use super::row::Row;
use crate::runner::resume::{self, CaseKey};
use crate::runner::run_context::{RunContext, system_clock};
use crate::runner::run_folder::{RunFolder, RunFolderError};

impl<const D: usize> Plan<D>
where
    Self: Measure<D>,
{
    /// Runs what the journal does not have yet and returns every row, in the order of the plan.
    ///
    /// # Errors
    /// If the journal cannot be written, or no thread started.
    pub fn run(
        &self,
        cases: &[Case<'_, D>],
        folder: &mut RunFolder,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Row>, RunFolderError> {
        let measure = |case: &Case<'_, D>| {
            progress(Progress::Begin(case.key()));
            let on_progress = |work| progress(Progress::Work(work));
            self.measured(case, &RunContext { clock: system_clock, on_progress: &on_progress })
        };
        let skip = |case: &Case<'_, D>| progress(Progress::Work(self.work(case)));
        resume::run(cases, self.budget.threads, folder, measure, skip)
    }

    /// All rows, without progress.
    #[cfg(test)]
    pub(crate) fn all_rows(&self) -> Vec<Row> {
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        self.cases().iter().flat_map(|case| self.measured(case, &context)).collect()
    }
}

impl<const D: usize> Plan<D> {
    /// How many of the cases the journal has already.
    #[must_use]
    pub fn finished_cases(cases: &[Case<'_, D>], folder: &RunFolder) -> usize {
        resume::finished_cases::<Row>(cases, folder)
    }

    /// All rows of one case, by detectors that are made so.
    pub(crate) fn measured_by(
        &self,
        build: Build<D>,
        case: &Case<'_, D>,
        context: &RunContext<'_>,
    ) -> Vec<Row> {
        let work = case.work_of_a_frame();
        let on_progress = |frames| (context.on_progress)(frames * work);
        self.rows(build, case, &RunContext { clock: context.clock, on_progress: &on_progress })
    }

    /// The same; progress is in frames.
    fn rows(&self, build: Build<D>, case: &Case<'_, D>, context: &RunContext<'_>) -> Vec<Row> {
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
        let build = |candidate: &Candidate| build(candidate, scene, &world);
        measure(&task, &self.candidates(scene), &build, context)
    }

    /// The reference, the baseline of speedups, and the requested techniques.
    fn candidates(&self, scene: &Scene<D>) -> Vec<Candidate> {
        let needed = [PairStructure::REFERENCE, self.study];
        let asked = self.budget.techniques.iter().copied();
        let others = asked.filter(|technique| !needed.contains(technique));
        scene.candidates(&needed.into_iter().chain(others).collect::<Vec<_>>())
    }
}
