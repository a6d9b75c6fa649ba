//! Runs the cases of study A that are not yet in the journal.
//!
//! The twins get a new scene for each ray, as published. Ours answer the same rays on ten scenes a
//! size: their builds are dearer, and their answers are judged by our own brute force there.

use embate::{Ray, TriangleMesh};
use embate_studies::replica::lorenzi2014::UnitCubeMap;
use embate_studies::structure::RayStructure;

use super::plan::{Case, Plan};
use super::row::Row;
use super::tally::{Tally, Task, cast, rows};
use crate::random::Random;
use crate::run_folder::{RunFolder, RunFolderError};
use crate::scenes::{Family, random_rays, random_triangles};
use crate::studies::host::{Host, system_clock};
use crate::studies::resumable;

/// Scenes of one size that our own structures are measured on.
const SCENES_OF_OURS: u32 = 10;

/// What a run tells while it goes on, from any thread.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// This case is measured next.
    Begin(&'a Case<'a>),
    /// So much of [`Plan::work`] is done.
    Work(u64),
}

/// Runs what the journal does not have yet and returns every row, in the order of the plan.
///
/// # Errors
/// If the journal cannot be written, or no thread started.
pub fn run(
    plan: &Plan,
    cases: &[Case<'_>],
    folder: &mut RunFolder,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<Vec<Row>, RunFolderError> {
    let measure = |case: &Case<'_>| {
        progress(Progress::Begin(case));
        let advanced = |work| progress(Progress::Work(work));
        measured(plan, case, &Host { clock: system_clock, advanced: &advanced })
    };
    let skip = |case: &Case<'_>| progress(Progress::Work(plan.work(case)));
    resumable::run(cases, plan.threads, folder, measure, skip)
}

/// How many of the cases the journal has already.
#[must_use]
pub fn finished_cases(cases: &[Case<'_>], folder: &RunFolder) -> usize {
    resumable::finished_cases::<Row>(cases, folder)
}

/// All rows of one case; the host is told of [`Plan::work`] done.
#[must_use]
pub fn measured(plan: &Plan, case: &Case<'_>, host: &Host<'_>) -> Vec<Row> {
    let tallies = plan.techniques_needed().into_iter().map(|t| Tally::new(t, plan, case));
    let (mut twins, mut ours): (Vec<_>, Vec<_>) =
        tallies.partition(|tally| tally.technique.reference() == RayStructure::LorenziBruteForce);
    match *case {
        Case::Random { family, triangles } => {
            let source = RandomCase { seed: plan.seed, family, triangles };
            let fit = UnitCubeMap::IDENTITY;
            for number in 0..plan.rays {
                let rays = [source.ray(number)];
                let mesh = &source.scene(number);
                cast(&mut twins, &Task { host, plan, mesh, fit, rays: &rays });
            }
            for scene_number in 0..SCENES_OF_OURS.min(plan.rays) {
                let rays = (scene_number..plan.rays).step_by(SCENES_OF_OURS as usize);
                let rays: Vec<Ray<3>> = rays.map(|number| source.ray(number)).collect();
                let mesh = &source.scene(scene_number);
                cast(&mut ours, &Task { host, plan, mesh, fit, rays: &rays });
            }
        }
        Case::Model { mesh, .. } => {
            let fit = UnitCubeMap::of(mesh);
            let mut random = Random::for_purpose(plan.seed, &[RAYS_OF_MODELS]);
            let rays = random_rays(fit, plan.rays, &mut random);
            let task = Task { host, plan, mesh, fit, rays: &rays };
            cast(&mut twins, &task);
            cast(&mut ours, &task);
        }
    }
    twins.append(&mut ours);
    rows(plan, case, &twins)
}

/// Streams of random numbers under one seed; their values are arbitrary but fixed for ever.
const SCENES: u64 = 1;
const RAYS: u64 = 2;
const RAYS_OF_MODELS: u64 = 3;

struct RandomCase {
    seed: u64,
    family: Family,
    triangles: u32,
}

impl RandomCase {
    fn stream(&self, purpose: u64, number: u32) -> Random {
        let size = u64::from(self.triangles);
        let edge = self.family.edge() as u64;
        Random::for_purpose(self.seed, &[purpose, edge, size, u64::from(number)])
    }

    fn scene(&self, number: u32) -> TriangleMesh {
        random_triangles(self.family, self.triangles, &mut self.stream(SCENES, number))
    }

    fn ray(&self, number: u32) -> Ray<3> {
        random_rays(UnitCubeMap::IDENTITY, 1, &mut self.stream(RAYS, number))[0]
    }
}
