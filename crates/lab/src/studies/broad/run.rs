//! Runs the worlds of a study that are not yet in the journal.

use super::Progress;
use super::measure::{Contestant, Task, measure};
use super::plan::{Case, Plan, Scene};
use super::row::Row;
use super::technique::Technique;
use crate::run_folder::{RunFolder, RunFolderError};
use crate::studies::resumable::{self, Keyed};

impl<const D: usize> Plan<D> {
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
            let work = case.work_of_a_frame();
            self.rows(case, &|frames| progress(Progress::Work(work * u64::from(frames))))
        };
        let skip = |case: &Case<'_, D>| progress(Progress::Work(self.work(case)));
        resumable::run(cases, self.effort.threads, folder, measure, skip)
    }

    /// How many of the cases the journal has already.
    #[must_use]
    pub fn finished_cases(cases: &[Case<'_, D>], folder: &RunFolder) -> usize {
        resumable::finished_cases::<Row>(cases, folder)
    }

    /// All rows of one case.
    pub(super) fn rows(&self, case: &Case<'_, D>, advanced: &dyn Fn(u32)) -> Vec<Row> {
        let scene = case.scene;
        let world = scene.world(case.seed);
        let task = Task {
            case: scene.case,
            world: &world,
            bounds: scene.bounds(),
            frames: scene.frames,
            repeats: self.effort.repeats,
            seed: case.seed,
            reported: &self.effort.techniques,
            study: self.study,
        };
        let build = |contestant: &Contestant| (self.build)(contestant, scene, &world);
        measure(&task, &self.contestants(scene), &build, advanced)
    }

    /// The judge, what every speedup is over, and those asked for.
    fn contestants(&self, scene: &Scene<D>) -> Vec<Contestant> {
        let needed = [Technique::JUDGE, self.study];
        let asked = self.effort.techniques.iter().copied();
        let others = asked.filter(|technique| !needed.contains(technique));
        scene.contestants(&needed.into_iter().chain(others).collect::<Vec<_>>())
    }

    /// All rows, with nobody watching.
    #[cfg(test)]
    pub(crate) fn all_rows(&self) -> Vec<Row> {
        self.cases().iter().flat_map(|case| self.rows(case, &|_| {})).collect()
    }
}
