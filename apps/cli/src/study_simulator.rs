//! `embate study simulator`: how do broad phases, pair tests and methods behave inside running worlds?

use embate_lab::studies::simulator::{Effort, Plan, Row, TECHNIQUES, terminal_tables};

use crate::args::StudyRequest;
use crate::failure::Failure;
use crate::study::{Sitting, folder_failure, parsed, threads};

pub(crate) fn run(request: &StudyRequest) -> Result<(), Failure> {
    let plan = Plan::new(effort(request)?);
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

fn effort(request: &StudyRequest) -> Result<Effort, Failure> {
    let base = Effort::new(request.quick);
    let asked = match &request.technique {
        None => base.techniques.clone(),
        Some(names) => {
            let asked = parsed(names, |name| {
                let known = TECHNIQUES.iter().find(|known| **known == name);
                known.copied().ok_or_else(|| format!("there are: {}", TECHNIQUES.join(", ")))
            })?;
            let in_order = TECHNIQUES.iter().filter(|name| asked.contains(*name));
            in_order.map(|name| (*name).to_owned()).collect()
        }
    };
    Ok(Effort {
        seed: request.seed.unwrap_or(base.seed),
        repeats: request.repeats.unwrap_or(base.repeats),
        techniques: asked,
        threads: threads(request)?,
        ..base
    })
}

/// Worlds that part, or a pair test that is wrong, are a problem and not a result.
fn require_agreement(rows: &[Row], sitting: &Sitting) -> Result<(), Failure> {
    let count = |part: &str| -> u64 {
        rows.iter().filter(|row| row.part == part).filter_map(|row| row.disagreements).sum()
    };
    let (steps, answers) = (count("broad"), count("pairs"));
    if steps + answers > 0 {
        return Err(Failure::Problem(format!(
            "{steps} steps ended otherwise than with brute force, and {answers} pair tests were wrong; see the \
             column disagreements in {}",
            sitting.results().display()
        )));
    }
    Ok(())
}
