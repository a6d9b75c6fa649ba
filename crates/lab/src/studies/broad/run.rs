//! Runs the worlds of a study that are not yet in the journal.

use super::Progress;
use super::measure::{Contestant, Task, measure};
use super::plan::{Build, Case, Measures, Plan, Scene};
use super::row::Row;
use crate::run_folder::{RunFolder, RunFolderError};
use crate::studies::host::{Host, system_clock};
use crate::studies::resumable::{self, Keyed};
use embate_studies::structure::PairStructure;

impl<const D: usize> Plan<D>
where
    Self: Measures<D>,
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
            let advanced = |work| progress(Progress::Work(work));
            self.measured(case, &Host { clock: system_clock, advanced: &advanced })
        };
        let skip = |case: &Case<'_, D>| progress(Progress::Work(self.work(case)));
        resumable::run(cases, self.effort.threads, folder, measure, skip)
    }

    /// All rows, with nobody watching.
    #[cfg(test)]
    pub(crate) fn all_rows(&self) -> Vec<Row> {
        let host = Host { clock: system_clock, advanced: &|_| {} };
        self.cases().iter().flat_map(|case| self.measured(case, &host)).collect()
    }
}

impl<const D: usize> Plan<D> {
    /// How many of the cases the journal has already.
    #[must_use]
    pub fn finished_cases(cases: &[Case<'_, D>], folder: &RunFolder) -> usize {
        resumable::finished_cases::<Row>(cases, folder)
    }

    /// All rows of one case, by detectors that are made so.
    pub(super) fn measured_by(
        &self,
        build: Build<D>,
        case: &Case<'_, D>,
        host: &Host<'_>,
    ) -> Vec<Row> {
        let work = case.work_of_a_frame();
        let advanced = |frames| (host.advanced)(frames * work);
        self.rows(build, case, &Host { clock: host.clock, advanced: &advanced })
    }

    /// The same; the host is told of frames.
    fn rows(&self, build: Build<D>, case: &Case<'_, D>, host: &Host<'_>) -> Vec<Row> {
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
        let build = |contestant: &Contestant| build(contestant, scene, &world);
        measure(&task, &self.contestants(scene), &build, host)
    }

    /// The judge, what every speedup is over, and those asked for.
    fn contestants(&self, scene: &Scene<D>) -> Vec<Contestant> {
        let needed = [PairStructure::REFERENCE, self.study];
        let asked = self.effort.techniques.iter().copied();
        let others = asked.filter(|technique| !needed.contains(technique));
        scene.contestants(&needed.into_iter().chain(others).collect::<Vec<_>>())
    }
}
