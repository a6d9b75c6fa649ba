//! `embate study simulator`: broad phases, narrow phase and collision response in running
//! simulations.

use embate_studies::studies::simulator::{Plan, Row, disagreements, terminal_tables};

use super::args::StudyRequest;
use super::{StudySession, folder_failure, options, usage_error};
use crate::failure::Failure;

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    let plan = options(request)?.simulator_plan().map_err(usage_error)?;
    let seed = request.seed.unwrap_or(1);
    let mut session = StudySession::open(request, "simulator", plan.parameters(), seed)?;
    let cases = plan.cases();
    session.log_resume_state(Plan::finished_cases(&cases, &session.folder), cases.len());
    let work = cases.iter().map(|case| plan.work(case)).sum();
    let rows = session.measure(work, |folder, progress| plan.run(&cases, folder, progress))?;
    plan.write_outputs(&session.folder, &rows, request.lang).map_err(folder_failure)?;
    session.print_tables(&terminal_tables(&rows, request.lang))?;
    require_agreement(&rows, &session)
}

/// Fails if a broad phase changes the simulation or a pair test is wrong.
fn require_agreement(rows: &[Row], session: &StudySession) -> Result<(), Failure> {
    let [steps, answers] = disagreements(rows);
    if steps + answers > 0 {
        return Err(Failure::Problem(format!(
            "{steps} steps differ from the brute-force simulation, and {answers} pair tests are \
             wrong; see the column disagreements in {}",
            session.results_path().display()
        )));
    }
    Ok(())
}
