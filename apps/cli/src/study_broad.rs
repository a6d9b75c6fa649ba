//! `embate study broad2d` and `broad3d`: which broad phase holds the frame rate?

use embate_lab::studies::broad::{Measures, Plan, Row, Told, disagreements};

use crate::args::StudyRequest;
use crate::failure::Failure;
use crate::study::{Sitting, asked, folder_failure, misuse};

pub(crate) fn run_2d(request: &StudyRequest) -> Result<(), Failure> {
    run(request, &asked(request)?.of_broad2d().map_err(misuse)?)
}

pub(crate) fn run_3d(request: &StudyRequest) -> Result<(), Failure> {
    run(request, &asked(request)?.of_broad3d().map_err(misuse)?)
}

fn run<const D: usize>(request: &StudyRequest, plan: &Plan<D>) -> Result<(), Failure>
where
    Plan<D>: Measures<D> + Told,
{
    let mut sitting = Sitting::open(request, plan.name, plan.parameters(), plan.effort.seed)?;
    let cases = plan.cases();
    sitting.tell_what_is_there(Plan::finished_cases(&cases, &sitting.folder), cases.len());
    let work = cases.iter().map(|case| plan.work(case)).sum();
    let rows = sitting.measure(work, |folder, progress| plan.run(&cases, folder, progress))?;
    plan.write_outputs(&sitting.folder, &rows, request.lang).map_err(folder_failure)?;
    sitting.show(&plan.terminal_tables(&rows, request.lang))?;
    require_agreement(&rows, &sitting)
}

fn require_agreement(rows: &[Row], sitting: &Sitting) -> Result<(), Failure> {
    let [missed, wrong] = disagreements(rows);
    if missed + wrong > 0 {
        return Err(Failure::Problem(format!(
            "{missed} pairs were missed and {wrong} told that do not overlap; see the column \
             missed_pairs in {}",
            sitting.results().display()
        )));
    }
    Ok(())
}
