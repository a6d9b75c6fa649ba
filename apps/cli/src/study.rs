//! `embate study`: runs a published study, shows how far it is, and says where the report lies.

use std::path::PathBuf;

use embate_lab::run_folder::{RunFolder, RunFolderError, RunInfo};
use embate_lab::studies::asked::{Asked, OwnWorld};
use embate_lab::studies::broad::{Progress, Unfit};
use serde_json::{Map, Value};

use crate::args::{Study, StudyRequest, WorldSize};
use crate::failure::{Failure, print, remark};
use crate::progress::Bar;
use crate::{study_broad, study_rays, study_simulator};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    refuse_flags_of_others(request)?;
    match request.study {
        Study::Rays => study_rays::run(request),
        Study::Broad2d => study_broad::run_2d(request),
        Study::Broad3d => study_broad::run_3d(request),
        Study::Simulator => study_simulator::run(request),
        Study::All => {
            // One that finds a problem does not keep the others from running.
            let studies =
                [study_rays::run, study_broad::run_2d, study_broad::run_3d, study_simulator::run];
            let done = studies.map(|study| study(request));
            done.into_iter().collect()
        }
    }
}

/// A folder open for the rows of one study.
pub(crate) struct Sitting {
    pub(crate) folder: RunFolder,
    out: PathBuf,
}

impl Sitting {
    pub(crate) fn open(
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

    pub(crate) fn tell_what_is_there(&self, finished: usize, cases: usize) {
        if finished > 0 {
            remark(&format!("resuming: {finished} of {cases} cases are already measured"));
        }
        let damaged = self.folder.dropped_records();
        if damaged > 0 {
            remark(&format!("the journal was damaged: {damaged} cases are measured again"));
        }
    }

    /// Runs what is not measured yet, showing how much of `work` is done, and returns every row.
    pub(crate) fn measure<Row>(
        &mut self,
        work: u64,
        run: impl FnOnce(&mut RunFolder, &(dyn Fn(Progress) + Sync)) -> Result<Vec<Row>, RunFolderError>,
    ) -> Result<Vec<Row>, Failure> {
        let bar = Bar::new(work);
        let rows = run(&mut self.folder, &|progress| match progress {
            Progress::Begin(case) => bar.say(case),
            Progress::Work(work) => bar.advance(work),
        });
        drop(bar);
        let rows = rows.map_err(folder_failure)?;
        self.folder.finish().map_err(folder_failure)?;
        Ok(rows)
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.out.join("results.csv")
    }

    pub(crate) fn show(&self, tables: &str) -> Result<(), Failure> {
        print(tables)?;
        print(&format!("\nreport: {}\n", self.out.join("report.html").display()))
    }
}

/// Cases at a time.
fn threads(request: &StudyRequest) -> Result<usize, Failure> {
    let threads = request.threads.map_or(1, usize::from);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > cores {
        return Err(Failure::Misuse(format!(
            "--threads {threads}: with more than the {cores} cores there are, times would mean nothing"
        )));
    }
    Ok(threads)
}

/// What was asked, as the studies understand it.
pub(crate) fn asked(request: &StudyRequest) -> Result<Asked, Failure> {
    let (rays, broad) = (&request.rays, &request.broad);
    Ok(Asked {
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
        own: OwnWorld {
            sides: broad.world.as_ref().map(|WorldSize(sides)| sides.clone()),
            bounds: broad.bounds,
            size: broad.size,
            speed: broad.speed,
            cell_sizes: broad.cell_size.clone(),
        },
    })
}

pub(crate) fn misuse(Unfit(line): Unfit) -> Failure {
    Failure::Misuse(line)
}

/// A flag that would be passed over in silence is a misunderstanding.
fn refuse_flags_of_others(request: &StudyRequest) -> Result<(), Failure> {
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
    let refuse = |flags: &[(&str, bool)], studies: &str| match flags.iter().find(|flag| flag.1) {
        Some((flag, _)) => {
            Err(Failure::Misuse(format!("{flag} belongs to study {studies}; name it")))
        }
        None => Ok(()),
    };
    match request.study {
        Study::Rays => refuse(&of_broad, "broad2d or broad3d"),
        Study::Broad2d | Study::Broad3d => refuse(&of_rays, "rays"),
        Study::Simulator => {
            refuse(&of_rays, "rays")?;
            refuse(&of_broad, "broad2d or broad3d")
        }
        Study::All => {
            refuse(&of_rays, "rays")?;
            refuse(&of_broad, "broad2d or broad3d")?;
            refuse(
                &[("--technique", request.technique.is_some())],
                "rays, broad2d, broad3d or simulator",
            )
        }
    }
}

pub(crate) fn folder_failure(error: RunFolderError) -> Failure {
    if error.is_misuse() { Failure::Misuse(error.to_string()) } else { Failure::problem(error) }
}
