//! `embate study broad2d` and `broad3d`: which broad phase holds the frame rate?

use embate_lab::scenes::Bounds;
use embate_lab::studies::broad::{Effort, Plan, Row, Technique, Unfit, broad2d, broad3d};

use crate::args::{StudyRequest, WorldSize};
use crate::failure::Failure;
use crate::study::{Sitting, folder_failure, parsed, threads};

pub(crate) fn run_2d(request: &StudyRequest) -> Result<(), Failure> {
    let asked = &request.broad;
    let changes = broad2d::plan::Request {
        experiment: asked.experiment,
        world: sides(asked.world.as_ref(), "broad2d has two sides; give WxH")?,
        objects: asked.objects.clone(),
        bounds: asked.bounds,
        size: asked.size,
        speed: asked.speed,
        cell_sizes: asked.cell_size.clone(),
    };
    let base = if request.quick { broad2d::plan::quick() } else { broad2d::plan::published() };
    let plan = broad2d::plan::plan(&changes, effort(request, &base)?);
    run(request, &plan.map_err(|Unfit(line)| Failure::Misuse(line))?)
}

pub(crate) fn run_3d(request: &StudyRequest) -> Result<(), Failure> {
    let asked = &request.broad;
    let of_2d = [
        ("--experiment", asked.experiment.is_some()),
        ("--cell-size", asked.cell_size.is_some()),
        ("--bounds circle", asked.bounds == Some(Bounds::Circle)),
    ];
    if let Some((flag, _)) = of_2d.iter().find(|(_, given)| *given) {
        return Err(Failure::Misuse(format!("{flag} belongs to study broad2d alone")));
    }
    let changes = broad3d::plan::Request {
        world: sides(asked.world.as_ref(), "broad3d has three sides; give WxHxD")?,
        objects: asked.objects.clone(),
        size: asked.size,
        speed: asked.speed,
    };
    let base = broad3d::plan::published();
    let base = if request.quick { Effort { seeds: 1, ..base } } else { base };
    let plan = broad3d::plan::plan(&changes, effort(request, &base)?, request.quick);
    run(request, &plan.map_err(|Unfit(line)| Failure::Misuse(line))?)
}

fn run<const D: usize>(request: &StudyRequest, plan: &Plan<D>) -> Result<(), Failure> {
    let mut sitting = Sitting::open(request, plan.name, plan.parameters(), plan.effort.seed)?;
    let cases = plan.cases();
    sitting.tell_what_is_there(Plan::finished_cases(&cases, &sitting.folder), cases.len());
    let work = cases.iter().map(|case| plan.work(case)).sum();
    let rows = sitting.measure(work, |folder, progress| plan.run(&cases, folder, progress))?;
    plan.write_outputs(&sitting.folder, &rows, request.lang).map_err(folder_failure)?;
    sitting.show(&plan.terminal_tables(&rows, request.lang))?;
    require_agreement(&rows, &sitting)
}

/// As many sides as the study's worlds have.
fn sides<const D: usize>(
    world: Option<&WorldSize>,
    advice: &str,
) -> Result<Option<[f32; D]>, Failure> {
    let Some(WorldSize(sides)) = world else { return Ok(None) };
    let sides = <[f32; D]>::try_from(sides.as_slice());
    sides.map(Some).map_err(|_| Failure::Misuse(format!("--world: {advice}")))
}

fn effort(request: &StudyRequest, base: &Effort) -> Result<Effort, Failure> {
    Ok(Effort {
        frames: request.broad.frames.or(base.frames),
        seed: request.seed.unwrap_or(base.seed),
        seeds: request.broad.seeds.unwrap_or(base.seeds),
        repeats: request.repeats.unwrap_or(base.repeats),
        techniques: techniques(request, &base.techniques)?,
        threads: threads(request)?,
    })
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
