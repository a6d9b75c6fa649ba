//! `embate cast`: what does each ray hit?

use std::io;
use std::time::Instant;

use embate::geometry::{CullMode, TriangleHit};
use embate::raycast::{NoStats, RayIndex, TraversalObserver, TraversalStats, TraversalTrace};
use embate::{Ray, TriangleMesh};
use embate_lab::random::Random;
use embate_lab::scenes::random_rays;
use embate_studies::replica::lorenzi2014::UnitCubeMap;
use embate_studies::structure::AnyRayStructure;
use rayon::prelude::*;

use crate::args::CastRequest;
use crate::cast_output::{self, Answer};
use crate::cast_report::Outcome;
use crate::failure::{Failure, output_error, print};
use crate::progress::Bar;
use crate::{meshes, rays_file, threads, whole_file};

/// Rays between two reports to the progress bar.
const CHUNK: usize = 4096;

/// What is asked of each ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    Closest,
    Any,
    All,
}

impl Query {
    fn of(request: &CastRequest) -> Self {
        match (request.any, request.all) {
            (true, _) => Self::Any,
            (_, true) => Self::All,
            _ => Self::Closest,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Closest => "closest",
            Self::Any => "any",
            Self::All => "all",
        }
    }

    /// The rows that tell what one ray hits: one, or for all hits one each.
    fn answer<O: TraversalObserver>(
        self,
        index: &AnyRayStructure,
        (number, ray): (u32, &Ray<3>),
        observer: &mut O,
    ) -> Vec<Answer> {
        let row = |hit: bool, place: Option<TriangleHit>| Answer { ray: number, hit, place };
        match self {
            Self::Any => vec![row(index.any_hit_observed(ray, observer), None)],
            Self::Closest => {
                let place = index.closest_hit_observed(ray, observer);
                vec![row(place.is_some(), place)]
            }
            Self::All => {
                let hits = index.all_hits_observed(ray, observer);
                if hits.is_empty() {
                    return vec![row(false, None)];
                }
                hits.into_iter().map(|hit| row(true, Some(hit))).collect()
            }
        }
    }
}

pub(crate) fn run(request: &CastRequest) -> Result<(), Failure> {
    let (least, most) = (request.t_min, request.t_max);
    if least.is_nan() || most.is_nan() {
        return Err(Failure::Misuse("--t-min and --t-max must be numbers".into()));
    }
    if least > most {
        return Err(Failure::Misuse(format!("--t-min {least} is above --t-max {most}")));
    }
    let inputs = [Some(request.mesh.as_path()), request.rays.as_deref()];
    for (flag, out, kinds) in [
        ("--out", &request.out, &["csv", "parquet"][..]),
        ("--save-rays", &request.save_rays, &["csv"]),
    ] {
        whole_file::refuse_to_overwrite(flag, out.as_deref(), &inputs)?;
        whole_file::refuse_other_kinds(flag, out.as_deref(), kinds)?;
    }
    if let (Some(out), Some(rays)) = (&request.out, &request.save_rays)
        && whole_file::would_be_same(out, rays)
    {
        let out = out.display();
        return Err(Failure::Misuse(format!(
            "--out and --save-rays are both {out}, and one would be lost; name two files"
        )));
    }
    let loaded = meshes::load_filled(&request.mesh, &request.limits)?;
    let rays = rays(request, &loaded.mesh)?;
    if let Some(path) = &request.save_rays {
        whole_file::write(path, |file| rays_file::write(file, &rays).map_err(|e| e.to_string()))?;
    }
    if let Some(traced) = request.trace
        && traced as usize >= rays.len()
    {
        let last = rays.len() - 1;
        return Err(Failure::Misuse(format!(
            "--trace {traced}: rays are counted from 0, and the last is {last}"
        )));
    }

    let pool = threads::pool(request.threads)?;
    let clock = Instant::now();
    let index = pool.install(|| request.structure.build(&loaded.mesh));
    let build_s = clock.elapsed().as_secs_f64();
    let query = Query::of(request);
    let clock = Instant::now();
    let answers = pool.install(|| answer(query, &index, &rays));
    let query_s = clock.elapsed().as_secs_f64();
    // In a pass of its own, so that the time is that of uncounted queries.
    let counts = request.json.then(|| pool.install(|| count(query, &index, &rays)));
    let trace = request.trace.map(|number| {
        let mut trace = TraversalTrace::default();
        query.answer(&index, (number, &rays[number as usize]), &mut trace);
        (number, trace)
    });

    if let Some(out) = &request.out {
        cast_output::write_file(out, &answers)?;
    }
    let (rays, bytes, answered_by) = (rays.len(), index.memory_usage(), index.structure());
    let outcome = Outcome {
        request,
        query,
        loaded,
        rays,
        answered_by,
        answers,
        trace,
        bytes,
        build_s,
        query_s,
    };
    if let Some(counts) = counts {
        return print(&outcome.to_json(counts)?);
    }
    if request.out.is_none() {
        let stdout = io::BufWriter::new(io::stdout().lock());
        cast_output::write_csv(stdout, &outcome.answers).map_err(|error| output_error(&error))?;
    }
    outcome.remark();
    Ok(())
}

fn rays(request: &CastRequest, mesh: &TriangleMesh) -> Result<Vec<Ray<3>>, Failure> {
    let mut rays = if let Some(path) = &request.rays {
        rays_file::read(path)?
    } else if let Some(text) = &request.ray {
        vec![rays_file::parse_one(text)?]
    } else {
        let count = request.random.unwrap_or_default();
        random_rays(UnitCubeMap::of(mesh), count, &mut Random::new(request.seed))
    };
    for ray in &mut rays {
        *ray = ray.with_range(request.t_min, request.t_max);
        ray.cull_mode = if request.cull_back { CullMode::BackFaces } else { CullMode::None };
    }
    Ok(rays)
}

fn answer(query: Query, index: &AnyRayStructure, rays: &[Ray<3>]) -> Vec<Answer> {
    let bar = Bar::new(rays.len() as u64);
    let answer_chunk = |(first, rays): (usize, &[Ray<3>])| {
        let numbered = (first as u32..).zip(rays);
        let row =
            |(ray, place): (u32, Option<TriangleHit>)| Answer { ray, hit: place.is_some(), place };
        let answers: Vec<Answer> = match query {
            // Several rays under way at a time.
            Query::Closest => (first as u32..).zip(index.closest_hits(rays)).map(row).collect(),
            _ => numbered.flat_map(|ray| query.answer(index, ray, &mut NoStats)).collect(),
        };
        bar.advance(rays.len() as u64);
        answers
    };
    let firsts = (0..rays.len()).into_par_iter().step_by(CHUNK);
    firsts.zip(rays.par_chunks(CHUNK)).flat_map_iter(answer_chunk).collect()
}

fn count(query: Query, index: &AnyRayStructure, rays: &[Ray<3>]) -> TraversalStats {
    let of_one = |ray: &Ray<3>| {
        let mut counts = TraversalStats::default();
        query.answer(index, (0, ray), &mut counts);
        counts
    };
    rays.par_iter().map(of_one).reduce(TraversalStats::default, |mut sum, counts| {
        sum += counts;
        sum
    })
}
