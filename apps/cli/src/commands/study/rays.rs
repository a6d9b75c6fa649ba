//! `embate study rays`: Lorenzi 2014, ray casting with an octree.

use std::path::Path;

use embate_studies::runner::resume::CaseKey;
use embate_studies::studies::rays::plan::{CASE_NAMES, Models, Plan};
use embate_studies::studies::rays::run::{self, Progress};
use embate_studies::studies::rays::{disagreements, report, table};

use super::args::StudyRequest;
use super::{StudySession, folder_failure, options, usage_error};
use crate::failure::Failure;
use crate::io::mesh_file;
use crate::progress::Bar;

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    let plan = plan(request)?;
    let mut session = StudySession::open(request, "rays", plan.parameters(), plan.seed)?;
    let models = Models::new();
    let cases = plan.cases(&models);
    session.log_resume_state(run::finished_cases(&cases, &session.folder), cases.len());
    let bar = Bar::new(cases.iter().map(|case| plan.work(case)).sum());
    let rows = run::run(&plan, &cases, &mut session.folder, &|progress| match progress {
        Progress::Begin(case) => bar.set_message(case.key()),
        Progress::Work(work) => bar.advance(work),
    });
    drop(bar);
    let rows = rows.map_err(folder_failure)?;
    session.folder.finish().map_err(folder_failure)?;
    report::write_outputs(&session.folder, &rows, session.folder.info(), request.lang)
        .map_err(folder_failure)?;
    session.print_tables(&table::terminal_tables(&rows, request.lang))?;
    let errors = disagreements(&rows);
    if errors > 0 {
        return Err(Failure::Problem(format!(
            "{errors} hits differ from brute force; see the column errors in {}",
            session.results_path().display()
        )));
    }
    Ok(())
}

fn plan(request: &StudyRequest) -> Result<Plan, Failure> {
    let mut plan = options(request)?.rays_plan().map_err(usage_error)?;
    for path in &request.rays.mesh {
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
