//! `embate study simulator`: how do broad phases, pair tests and methods behave inside running worlds?

use embate_lab::studies::simulator::{Plan, Row, disagreements, terminal_tables};

use crate::args::StudyRequest;
use crate::failure::Failure;
use crate::study::{Sitting, asked, folder_failure, misuse};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    let plan = asked(request)?.of_simulator().map_err(misuse)?;
    let seed = request.seed.unwrap_or(1);
    let mut sitting = Sitting::open(request, "simulator", plan.parameters(), seed)?;
    let cases = plan.cases();
    sitting.tell_what_is_there(Plan::finished_cases(&cases, &sitting.folder), cases.len());
    let work = cases.iter().map(|case| plan.work(case)).sum();
    let rows = sitting.measure(work, |folder, progress| plan.run(&cases, folder, progress))?;
    plan.write_outputs(&sitting.folder, &rows, request.lang).map_err(folder_failure)?;
    sitting.show(&terminal_tables(&rows, request.lang))?;
    require_agreement(&rows, &sitting)
}

/// Worlds that part, or a pair test that is wrong, are a problem and not a result.
fn require_agreement(rows: &[Row], sitting: &Sitting) -> Result<(), Failure> {
    let [steps, answers] = disagreements(rows);
    if steps + answers > 0 {
        return Err(Failure::Problem(format!(
            "{steps} steps ended otherwise than with brute force, and {answers} pair tests were wrong; see the \
             column disagreements in {}",
            sitting.results().display()
        )));
    }
    Ok(())
}
