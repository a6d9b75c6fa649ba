//! `embate study broad2d` and `broad3d`: broad phases of moving worlds.

use embate_studies::studies::broad_phase::{Measure, Plan, ReportRows, Row, disagreements};

use super::args::StudyRequest;
use super::{StudySession, folder_failure, options, usage_error};
use crate::failure::Failure;

pub(crate) fn run_2d(request: &StudyRequest) -> Result<(), Failure> {
    run(request, &options(request)?.broad2d_plan().map_err(usage_error)?)
}

pub(crate) fn run_3d(request: &StudyRequest) -> Result<(), Failure> {
    run(request, &options(request)?.broad3d_plan().map_err(usage_error)?)
}

fn run<const D: usize>(request: &StudyRequest, plan: &Plan<D>) -> Result<(), Failure>
where
    Plan<D>: Measure<D> + ReportRows,
{
    let mut session = StudySession::open(request, plan.name, plan.parameters(), plan.budget.seed)?;
    let cases = plan.cases();
    session.log_resume_state(Plan::finished_cases(&cases, &session.folder), cases.len());
    let work = cases.iter().map(|case| plan.work(case)).sum();
    let rows = session.measure(work, |folder, progress| plan.run(&cases, folder, progress))?;
    plan.write_outputs(&session.folder, &rows, request.lang).map_err(folder_failure)?;
    session.print_tables(&plan.terminal_tables(&rows, request.lang))?;
    require_agreement(&rows, &session)
}

fn require_agreement(rows: &[Row], session: &StudySession) -> Result<(), Failure> {
    let [missed, wrong] = disagreements(rows);
    if missed + wrong > 0 {
        return Err(Failure::Problem(format!(
            "{missed} overlapping pairs were missed and {wrong} pairs reported that do not \
             overlap; see the column missed_pairs in {}",
            session.results_path().display()
        )));
    }
    Ok(())
}
