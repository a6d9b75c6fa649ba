//! `embate study`: repeats a published study in a resumable run folder and writes its report.

pub(crate) mod args;

use std::path::{Path, PathBuf};

use embate_report::Table;
use embate_studies::runner::config::InvalidConfig;
use embate_studies::runner::resume::{self, Progress};
use embate_studies::runner::run_folder::{RunFolder, RunFolderError, RunInfo};
use embate_studies::runner::write_outputs::write_outputs;
use embate_studies::studies::rays::plan::{CASE_NAMES, Plan as RaysPlan};
use embate_studies::{Disagreements, Study};

use crate::failure::Failure;
use crate::io::mesh_file;
use crate::io::output::{log, print};
use crate::progress::Bar;
use args::{StudyName, StudyRequest};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    request.config.check_belongs_to(request.study.text()).map_err(usage_error)?;
    if !request.mesh.is_empty() && request.study != StudyName::Rays {
        return Err(Failure::Usage(
            "--mesh belongs to study rays; name that study, or leave the flag out".to_owned(),
        ));
    }
    check_threads(request)?;
    match request.study {
        StudyName::All => {
            use StudyName::{Broad2d, Broad3d, Rays, Simulator};
            // All studies run, even if one reports a problem.
            let results = [Rays, Broad2d, Broad3d, Simulator].map(|name| run_one(request, name));
            results.into_iter().collect()
        }
        name => run_one(request, name),
    }
}

fn run_one(request: &StudyRequest, name: StudyName) -> Result<(), Failure> {
    let config = &request.config;
    match name {
        StudyName::Rays => run_study(request, &rays_plan(request)?),
        StudyName::Broad2d => run_study(request, &config.broad2d_plan().map_err(usage_error)?),
        StudyName::Broad3d => run_study(request, &config.broad3d_plan().map_err(usage_error)?),
        StudyName::Simulator => run_study(request, &config.simulator_plan().map_err(usage_error)?),
        StudyName::All => run(request),
    }
}

fn run_study<S: Study>(request: &StudyRequest, study: &S) -> Result<(), Failure> {
    let out = output_folder(request, study.name());
    let info = RunInfo::new(study.name(), study.parameters(), study.seed(), request.lang);
    let mut folder = RunFolder::open(&out, &info, request.fresh).map_err(folder_failure)?;
    log_resume_state(study, &folder);
    let bar = Bar::new(study.cases().iter().map(|case| study.work(case)).sum());
    let rows = resume::run(study, &mut folder, &|progress| match progress {
        Progress::Begin(case) => bar.set_message(case),
        Progress::Work(work) => bar.advance(work),
    });
    drop(bar);
    let rows = rows.map_err(folder_failure)?;
    folder.finish().map_err(folder_failure)?;
    write_outputs(study, &folder, &rows, request.lang).map_err(folder_failure)?;
    let tables = study.terminal_tables(&rows, request.lang);
    print(&tables.iter().map(Table::in_terminal).collect::<Vec<_>>().join("\n"))?;
    print(&format!("\nreport: {}\n", out.join("report.html").display()))?;
    let Disagreements { count, description, column } = study.disagreements(&rows);
    if count > 0 {
        let results = out.join("results.csv");
        return Err(Failure::Problem(format!(
            "{description}; see the column {column} in {}",
            results.display()
        )));
    }
    Ok(())
}

fn output_folder(request: &StudyRequest, study: &str) -> PathBuf {
    match &request.out {
        Some(out) if request.study == StudyName::All => out.join(study),
        Some(out) => out.clone(),
        None => PathBuf::from("embate-out").join(study),
    }
}

fn log_resume_state(study: &impl Study, folder: &RunFolder) {
    let finished = resume::finished_cases(study, folder);
    if finished > 0 {
        let cases = study.cases().len();
        log(&format!("resuming: {finished} of {cases} cases are already measured"));
    }
    let damaged = folder.dropped_records();
    if damaged > 0 {
        log(&format!("the journal was damaged: {damaged} cases are measured again"));
    }
}

fn check_threads(request: &StudyRequest) -> Result<(), Failure> {
    let threads = request.config.threads.unwrap_or(1);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > cores {
        return Err(Failure::Usage(format!(
            "--threads {threads}: this machine has {cores} cores, and times measured with more \
             threads would be meaningless; give at most {cores}"
        )));
    }
    Ok(())
}

/// The plan of study `rays`, with the user's meshes.
fn rays_plan(request: &StudyRequest) -> Result<RaysPlan, Failure> {
    let mut plan = request.config.rays_plan().map_err(usage_error)?;
    for path in &request.mesh {
        let name = case_name(path);
        let is_taken = plan.meshes.iter().any(|(other, _)| *other == name);
        if is_taken || CASE_NAMES.contains(&name.as_str()) {
            return Err(Failure::Usage(format!(
                "--mesh {}: there is already a case named {name}; rename the file",
                path.display()
            )));
        }
        plan.meshes.push((name, mesh_file::load_nonempty(path, &request.limits)?.mesh));
    }
    Ok(plan)
}

fn case_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn usage_error(InvalidConfig(line): InvalidConfig) -> Failure {
    Failure::Usage(line)
}

fn folder_failure(error: RunFolderError) -> Failure {
    if error.is_misuse() { Failure::Usage(error.to_string()) } else { Failure::problem(error) }
}
