//! `embate study broad2d` and `broad3d`: which broad phase holds the frame rate?

use embate_lab::studies::broad::broad2d::plan::{Effort, Plan, Request};
use embate_lab::studies::broad::broad2d::{report, run, table};
use embate_lab::studies::broad::{Progress, Row, Technique, Unfit};

use crate::args::{StudyRequest, WorldSize};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::study::{Sitting, folder_failure, parsed, threads};

pub(crate) fn run_2d(request: &StudyRequest) -> Result<(), Failure> {
    let plan = plan_2d(request)?;
    let mut sitting = Sitting::open(request, "broad2d", plan.parameters(), plan.effort.seed)?;
    let cases = plan.cases();
    sitting.tell_what_is_there(run::finished_cases(&cases, &sitting.folder), cases.len());
    let bar = Bar::new(cases.iter().map(|case| plan.work(case)).sum());
    let rows = run::run(&plan, &cases, &mut sitting.folder, &|progress| tell(&bar, progress));
    drop(bar);
    let rows = rows.map_err(folder_failure)?;
    sitting.folder.finish().map_err(folder_failure)?;
    report::write_outputs(&sitting.folder, &rows, sitting.folder.info(), request.lang)
        .map_err(folder_failure)?;
    sitting.show(&table::terminal_tables(&rows, request.lang))?;
    require_agreement(&rows, &sitting)
}

fn plan_2d(request: &StudyRequest) -> Result<Plan, Failure> {
    let asked = &request.broad;
    let world = match &asked.world {
        None => None,
        Some(WorldSize(sides)) => {
            Some(<[f32; 2]>::try_from(sides.as_slice()).map_err(|_| {
                Failure::Misuse("--world: broad2d has two sides; give WxH".to_owned())
            })?)
        }
    };
    let changes = Request {
        experiment: asked.experiment,
        world,
        objects: asked.objects.clone(),
        bounds: asked.bounds,
        size: asked.size,
        speed: asked.speed,
        cell_sizes: asked.cell_size.clone(),
    };
    let base = if request.quick { Effort::quick() } else { Effort::published() };
    let effort = Effort {
        frames: asked.frames.unwrap_or(base.frames),
        seed: request.seed.unwrap_or(base.seed),
        seeds: asked.seeds.unwrap_or(base.seeds),
        repeats: request.repeats.unwrap_or(base.repeats),
        techniques: techniques(request, &base.techniques)?,
        threads: threads(request)?,
    };
    Plan::new(&changes, effort).map_err(|Unfit(line)| Failure::Misuse(line))
}

fn techniques(request: &StudyRequest, all: &[Technique]) -> Result<Vec<Technique>, Failure> {
    let Some(names) = &request.technique else { return Ok(all.to_vec()) };
    let asked = parsed(names, |name| {
        Technique::from_name(name, all).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|technique| technique.name()).collect();
            format!("there are: auto, {}", names.join(", "))
        })
    })?;
    Ok(Technique::in_order(all, &asked))
}

fn tell(bar: &Bar, progress: Progress) {
    match progress {
        Progress::Begin(case) => bar.say(case),
        Progress::Work(work) => bar.advance(work),
    }
}

/// Only the study's grid may miss pairs, because the published one does.
fn require_agreement(rows: &[Row], sitting: &Sitting) -> Result<(), Failure> {
    let missed = rows.iter().filter(|row| row.technique != Technique::StudyGrid.name());
    let missed: u64 = missed.map(|row| row.missed_pairs).sum();
    let wrong: u64 = rows.iter().map(|row| row.wrong_pairs).sum();
    if missed + wrong > 0 {
        return Err(Failure::Problem(format!(
            "{missed} pairs were missed and {wrong} told that do not overlap; see the column \
             missed_pairs in {}",
            sitting.results().display()
        )));
    }
    Ok(())
}
