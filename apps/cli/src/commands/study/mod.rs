//! `embate study`: repeats a published study in a resumable run folder and writes its report.

pub(crate) mod args;
mod broad_phase;
mod rays;
mod simulator;

use std::path::PathBuf;

use embate_studies::runner::config::{CustomWorld, StudyConfig};
use embate_studies::runner::run_folder::{RunFolder, RunFolderError, RunInfo};
use embate_studies::studies::broad_phase::{InvalidConfig, Progress};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::io::output::{log, print};
use crate::progress::Bar;
use args::{Study, StudyRequest, WorldSize};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    reject_flags_of_other_studies(request)?;
    match request.study {
        Study::Rays => rays::run(request),
        Study::Broad2d => broad_phase::run_2d(request),
        Study::Broad3d => broad_phase::run_3d(request),
        Study::Simulator => simulator::run(request),
        Study::All => {
            // All studies run, even if one reports a problem.
            let studies = [rays::run, broad_phase::run_2d, broad_phase::run_3d, simulator::run];
            let results = studies.map(|study| study(request));
            results.into_iter().collect()
        }
    }
}

/// Progress callback of a study.
type ProgressFn<'a> = dyn Fn(Progress) + Sync + 'a;

/// A study with its open run folder.
struct StudySession {
    folder: RunFolder,
    out: PathBuf,
}

impl StudySession {
    fn open(
        request: &StudyRequest,
        study: &str,
        parameters: Map<String, Value>,
        seed: u64,
    ) -> Result<Self, Failure> {
        let out = match &request.out {
            Some(out) if request.study == Study::All => out.join(study),
            Some(out) => out.clone(),
            None => PathBuf::from("embate-out").join(study),
        };
        let info = RunInfo::new(study, parameters, seed, request.lang);
        let folder = RunFolder::open(&out, &info, request.fresh).map_err(folder_failure)?;
        Ok(Self { folder, out })
    }

    fn log_resume_state(&self, finished: usize, cases: usize) {
        if finished > 0 {
            log(&format!("resuming: {finished} of {cases} cases are already measured"));
        }
        let damaged = self.folder.dropped_records();
        if damaged > 0 {
            log(&format!("the journal was damaged: {damaged} cases are measured again"));
        }
    }

    /// Measures the cases that are not in the journal, with a progress bar of `work`, and returns
    /// all rows.
    fn measure<Row>(
        &mut self,
        work: u64,
        run: impl FnOnce(&mut RunFolder, &ProgressFn<'_>) -> Result<Vec<Row>, RunFolderError>,
    ) -> Result<Vec<Row>, Failure> {
        let bar = Bar::new(work);
        let rows = run(&mut self.folder, &|progress| match progress {
            Progress::Begin(case) => bar.set_message(case),
            Progress::Work(work) => bar.advance(work),
        });
        drop(bar);
        let rows = rows.map_err(folder_failure)?;
        self.folder.finish().map_err(folder_failure)?;
        Ok(rows)
    }

    fn results_path(&self) -> PathBuf {
        self.out.join("results.csv")
    }

    fn print_tables(&self, tables: &str) -> Result<(), Failure> {
        print(tables)?;
        print(&format!("\nreport: {}\n", self.out.join("report.html").display()))
    }
}

/// Number of cases measured in parallel.
fn threads(request: &StudyRequest) -> Result<usize, Failure> {
    let threads = request.threads.map_or(1, usize::from);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > cores {
        return Err(Failure::Usage(format!(
            "--threads {threads}: this machine has {cores} cores, and times measured with more \
             threads would be meaningless; give at most {cores}"
        )));
    }
    Ok(threads)
}

/// The study library's options of a request.
fn options(request: &StudyRequest) -> Result<StudyConfig, Failure> {
    let (rays, broad) = (&request.rays, &request.broad);
    Ok(StudyConfig {
        quick: request.quick,
        seed: request.seed,
        repeats: request.repeats,
        technique: request.technique.clone(),
        threads: Some(threads(request)?),
        sizes: rays.sizes.clone(),
        families: rays.families.clone(),
        rays: rays.ray_count,
        depth: rays.depth,
        experiment: broad.experiment,
        objects: broad.objects.clone(),
        frames: broad.frames,
        seeds: broad.seeds,
        custom: CustomWorld {
            sides: broad.world.as_ref().map(|WorldSize(sides)| sides.clone()),
            bounds: broad.bounds,
            size: broad.size,
            speed: broad.speed,
            cell_sizes: broad.cell_size.clone(),
        },
    })
}

fn usage_error(InvalidConfig(line): InvalidConfig) -> Failure {
    Failure::Usage(line)
}

/// Rejects flags that the requested study would ignore.
fn reject_flags_of_other_studies(request: &StudyRequest) -> Result<(), Failure> {
    let (rays, broad) = (&request.rays, &request.broad);
    let of_rays = [
        ("--sizes", rays.sizes.is_some()),
        ("--families", rays.families.is_some()),
        ("--rays", rays.ray_count.is_some()),
        ("--depth", rays.depth.is_some()),
        ("--mesh", !rays.mesh.is_empty()),
    ];
    let of_broad = [
        ("--experiment", broad.experiment.is_some()),
        ("--world", broad.world.is_some()),
        ("--objects", broad.objects.is_some()),
        ("--bounds", broad.bounds.is_some()),
        ("--size", broad.size.is_some()),
        ("--speed", broad.speed.is_some()),
        ("--cell-size", broad.cell_size.is_some()),
        ("--frames", broad.frames.is_some()),
        ("--seeds", broad.seeds.is_some()),
    ];
    let reject = |flags: &[(&str, bool)], studies: &str| match flags.iter().find(|flag| flag.1) {
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} belongs to study {studies}; name that study, or leave the flag out"
        ))),
        None => Ok(()),
    };
    match request.study {
        Study::Rays => reject(&of_broad, "broad2d or broad3d"),
        Study::Broad2d | Study::Broad3d => reject(&of_rays, "rays"),
        Study::Simulator => {
            reject(&of_rays, "rays")?;
            reject(&of_broad, "broad2d or broad3d")
        }
        Study::All => {
            reject(&of_rays, "rays")?;
            reject(&of_broad, "broad2d or broad3d")?;
            reject(
                &[("--technique", request.technique.is_some())],
                "rays, broad2d, broad3d or simulator",
            )
        }
    }
}

fn folder_failure(error: RunFolderError) -> Failure {
    if error.is_misuse() { Failure::Usage(error.to_string()) } else { Failure::problem(error) }
}
