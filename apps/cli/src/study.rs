//! `embate study`: runs a published study, shows how far it is, and says where the report lies.

use std::path::{Path, PathBuf};

use embate_lab::run_folder::{RunFolder, RunFolderError, RunInfo};
use embate_lab::studies::rays::plan::{CASE_NAMES, Models, Plan};
use embate_lab::studies::rays::run::{self, Progress};
use embate_lab::studies::rays::{report, table};
use embate_lab::studies::resumable::Keyed;

use crate::args::{Study, StudyRequest};
use crate::failure::{Failure, print, remark};
use crate::{meshes, progress};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    match request.study {
        Study::Rays | Study::All => run_rays(request),
    }
}

fn run_rays(request: &StudyRequest) -> Result<(), Failure> {
    let plan = plan(request)?;
    let out = request.out.clone().unwrap_or_else(|| PathBuf::from("embate-out/rays"));
    let info = RunInfo::new("rays", plan.parameters(), plan.seed, request.lang);
    let mut folder = RunFolder::open(&out, &info, request.fresh).map_err(folder_failure)?;

    let models = Models::new();
    let cases = plan.cases(&models);
    let finished = run::finished_cases(&cases, &folder);
    if finished > 0 {
        remark(&format!("resuming: {finished} of {} cases are already measured", cases.len()));
    }
    let damaged = folder.dropped_records();
    if damaged > 0 {
        remark(&format!("the journal was damaged: {damaged} cases are measured again"));
    }
    let bar = progress::Bar::new(cases.iter().map(|case| plan.work(case)).sum());
    let rows = run::run(&plan, &cases, &mut folder, &|progress| match progress {
        Progress::Begin(case) => bar.say(case.key()),
        Progress::Work(work) => bar.advance(work),
    });
    drop(bar);
    let rows = rows.map_err(folder_failure)?;
    folder.finish().map_err(folder_failure)?;
    report::write_outputs(&folder, &rows, folder.info(), request.lang).map_err(folder_failure)?;

    print(&table::terminal_tables(&rows, request.lang))?;
    print(&format!("\nreport: {}\n", out.join("report.html").display()))?;
    let errors: u64 = rows.iter().map(|row| row.errors).sum();
    if errors > 0 {
        return Err(Failure::Problem(format!(
            "{errors} answers differ from brute force; see the column errors in {}",
            out.join("results.csv").display()
        )));
    }
    Ok(())
}

fn plan(request: &StudyRequest) -> Result<Plan, Failure> {
    let base = if request.quick { Plan::quick() } else { Plan::published() };
    let asked = &request.rays;
    let mut plan = Plan {
        sizes: asked.sizes.clone().unwrap_or(base.sizes),
        families: asked.families.clone().unwrap_or(base.families),
        rays: asked.ray_count.unwrap_or(base.rays),
        depth: asked.depth.map_or(base.depth, usize::from),
        seed: request.seed.unwrap_or(base.seed),
        repeats: request.repeats.unwrap_or(base.repeats),
        techniques: request.technique.clone().unwrap_or(base.techniques),
        threads: request.threads.map_or(base.threads, usize::from),
        meshes: Vec::new(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if plan.threads > cores {
        return Err(Failure::Misuse(format!(
            "--threads {}: with more than the {cores} cores there are, times would mean nothing",
            plan.threads
        )));
    }
    plan.drop_repetitions();
    for path in &asked.mesh {
        let name = case_name(path);
        let taken = plan.meshes.iter().any(|(other, _)| *other == name);
        if taken || CASE_NAMES.contains(&name.as_str()) {
            return Err(Failure::Misuse(format!(
                "--mesh {}: a case named {name} is there already; rename the file",
                path.display()
            )));
        }
        plan.meshes.push((name, meshes::load_filled(path, &request.limits)?.mesh));
    }
    Ok(plan)
}

fn case_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn folder_failure(error: RunFolderError) -> Failure {
    if error.is_misuse() { Failure::Misuse(error.to_string()) } else { Failure::problem(error) }
}
