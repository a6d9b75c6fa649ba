//! `embate study`: repeats a published study in a resumable run folder and writes its report.

pub(crate) mod args;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use embate_report::Table;
use embate_studies::rays::plan::{RaysPlan, is_case_name};
use embate_studies::runner::config::ConfigError;
use embate_studies::runner::earlier_run::EarlierRun;
use embate_studies::runner::resume::{self, Progress};
use embate_studies::runner::run_folder::{RunFolder, RunFolderError, RunInfo};
use embate_studies::runner::write_outputs::write_outputs;
use embate_studies::{Disagreements, Study, StudyKind};

use crate::failure::Failure;
use crate::io::mesh_file;
use crate::io::output::{log, print};
use crate::progress::Bar;
use args::StudyRequest;

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    let (config, kind) = (&request.config, request.study.kind());
    kind.map_or_else(|| config.check_belongs_to_all(), |kind| config.check_belongs_to(kind))?;
    for (flag, paths) in [("--mesh", &request.mesh), ("--compare", &request.compare)] {
        if !paths.is_empty() && kind != Some(StudyKind::Rays) {
            return Err(Failure::Usage(format!(
                "{flag} belongs to study rays; name that study, or leave the flag out"
            )));
        }
    }
    check_threads(request)?;
    ctrlc::set_handler(stop).map_err(Failure::problem)?;
    match kind {
        Some(kind) => run_kind(request, kind),
        // All studies run, even if one reports a problem.
        None => StudyKind::ALL.map(|kind| run_kind(request, kind)).into_iter().collect(),
    }
}

fn run_kind(request: &StudyRequest, kind: StudyKind) -> Result<(), Failure> {
    let config = &request.config;
    match kind {
        StudyKind::Rays => run_study(request, &rays_plan(request)?),
        StudyKind::Broad2d => run_study(request, &config.broad2d_plan()?),
        StudyKind::Broad3d => run_study(request, &config.broad3d_plan()?),
        StudyKind::Simulator => run_study(request, &config.simulator_plan()?),
        StudyKind::TriangleTests => run_study(request, &config.triangle_tests_plan()?),
    }
}

fn run_study<S: Study>(request: &StudyRequest, study: &S) -> Result<(), Failure> {
    let name = study.kind().name();
    let out = output_folder(request, name);
    let info = RunInfo::new(name, study.parameters(), study.seed(), request.lang);
    let mut folder = RunFolder::open(&out, &info, request.fresh).map_err(folder_failure)?;
    log_resume_state(study, &folder);
    let bar = Bar::new(study.cases().iter().map(|case| study.work(case)).sum());
    let log_lines = CaseLog::new(resume::finished_cases(study, &folder), study.cases().len());
    let rows = resume::run(study, &mut folder, &|progress| match progress {
        Progress::Begin(case) => {
            log_lines.begin(&case);
            bar.set_message(case);
        }
        Progress::Work(work) => bar.advance(work),
    });
    drop(bar);
    let rows = rows.map_err(folder_failure)?;
    folder.finish().map_err(folder_failure)?;
    let report = write_outputs(study, &folder, &rows, request.lang).map_err(folder_failure)?;
    let tables = study.terminal_tables(&rows, request.lang);
    print(&tables.iter().map(Table::in_terminal).collect::<Vec<_>>().join("\n"))?;
    let findings = report.findings_in_terminal();
    let separator = if findings.is_empty() { "" } else { "\n" };
    print(&format!("{separator}{findings}\nreport: {}\n", out.join("report.html").display()))?;
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

/// Lines on stderr that name the case being measured, where stderr is no terminal and a progress
/// bar would not be seen.
struct CaseLog {
    is_enabled: bool,
    cases: usize,
    state: Mutex<CaseLogState>,
}

struct CaseLogState {
    begun: usize,
    last_line: Option<Instant>,
}

/// Minimum time between two lines: a quick study has many cases in a second.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

impl CaseLog {
    fn new(finished: usize, cases: usize) -> Self {
        let state = Mutex::new(CaseLogState { begun: finished, last_line: None });
        Self { is_enabled: !std::io::stderr().is_terminal(), cases, state }
    }

    fn begin(&self, case: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.begun += 1;
        if self.is_enabled && state.last_line.is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
            log(&format!("measuring case {} of {}: {case}", state.begun, self.cases));
            state.last_line = Some(Instant::now());
        }
    }
}

/// Exit code of a command that Ctrl-C ended, as shells report it.
const INTERRUPTED: i32 = 130;

/// Handler of Ctrl-C and SIGTERM: every finished case is on the disk already.
fn stop() {
    let arguments = std::env::args().filter(|argument| argument != "--fresh");
    let command: Vec<String> = arguments.map(|argument| shell_word(&argument)).collect();
    let command = command.join(" ");
    log(&format!("\nembate: stopped; finished cases are kept, and this continues: {command}"));
    std::process::exit(INTERRUPTED);
}

/// An argument as a shell reads it back.
fn shell_word(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./,:+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

fn output_folder(request: &StudyRequest, study: &str) -> PathBuf {
    match &request.out {
        Some(out) if request.study.kind().is_none() => out.join(study),
        Some(out) => out.clone(),
        None => PathBuf::from("embate-out").join(study),
    }
}

fn log_resume_state(study: &impl Study, folder: &RunFolder) {
    let finished = resume::finished_cases(study, folder);
    if finished > 0 {
        let cases = study.cases().len();
        let are = if finished == 1 { "is" } else { "are" };
        log(&format!("resuming: {finished} of {cases} cases {are} already measured"));
    }
    let damaged = folder.dropped_records();
    if damaged > 0 {
        let cases = if damaged == 1 { "case is" } else { "cases are" };
        log(&format!("the journal was damaged: {damaged} {cases} measured again"));
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
    let mut plan = request.config.rays_plan()?;
    for path in &request.mesh {
        let name = case_name(path);
        let is_taken = plan.meshes.iter().any(|(other, _)| *other == name);
        if is_taken || is_case_name(&name) {
            return Err(Failure::Usage(format!(
                "--mesh {}: there is already a case named {name}; rename the file",
                path.display()
            )));
        }
        plan.meshes.push((name, mesh_file::load_nonempty(path, &request.limits)?.mesh));
    }
    for folder in &request.compare {
        let earlier = EarlierRun::read(folder);
        plan.compare.push(earlier.map_err(|error| Failure::Usage(format!("--compare {error}")))?);
    }
    Ok(plan)
}

fn case_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Usage(error.to_string())
    }
}

fn folder_failure(error: RunFolderError) -> Failure {
    if error.is_misuse() { Failure::Usage(error.to_string()) } else { Failure::problem(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_with_spaces_or_quotes_are_quoted() {
        assert_eq!(shell_word("--sizes=100,200"), "--sizes=100,200");
        assert_eq!(shell_word("my folder"), "'my folder'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
