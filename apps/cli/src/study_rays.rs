//! `embate study rays`: study A.

use std::path::Path;

use embate_lab::studies::rays::plan::{CASE_NAMES, Models, Plan};
use embate_lab::studies::rays::run::{self, Progress};
use embate_lab::studies::rays::{disagreements, report, table};
use embate_lab::studies::resumable::Keyed;

use crate::args::StudyRequest;
use crate::failure::Failure;
use crate::study::{Sitting, asked, folder_failure, misuse};
use crate::{meshes, progress};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    let plan = plan(request)?;
    let mut sitting = Sitting::open(request, "rays", plan.parameters(), plan.seed)?;
    let models = Models::new();
    let cases = plan.cases(&models);
    sitting.tell_what_is_there(run::finished_cases(&cases, &sitting.folder), cases.len());
    let bar = progress::Bar::new(cases.iter().map(|case| plan.work(case)).sum());
    let rows = run::run(&plan, &cases, &mut sitting.folder, &|progress| match progress {
        Progress::Begin(case) => bar.say(case.key()),
        Progress::Work(work) => bar.advance(work),
    });
    drop(bar);
    let rows = rows.map_err(folder_failure)?;
    sitting.folder.finish().map_err(folder_failure)?;
    report::write_outputs(&sitting.folder, &rows, sitting.folder.info(), request.lang)
        .map_err(folder_failure)?;
    sitting.show(&table::terminal_tables(&rows, request.lang))?;
    let errors = disagreements(&rows);
    if errors > 0 {
        return Err(Failure::Problem(format!(
            "{errors} answers differ from brute force; see the column errors in {}",
            sitting.results().display()
        )));
    }
    Ok(())
}

fn plan(request: &StudyRequest) -> Result<Plan, Failure> {
    let mut plan = asked(request)?.of_rays().map_err(misuse)?;
    for path in &request.rays.mesh {
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
