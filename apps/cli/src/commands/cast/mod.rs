//! `embate cast`: closest, any or all hits of rays on a mesh.

pub(crate) mod args;
mod output;
mod report;

use std::io;
use std::time::Instant;

use embate::geometry::{CullMode, TriangleHit};
use embate::raycast::{NoStats, RayIndex, TraversalObserver, TraversalStats, TraversalTrace};
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::UnitCubeMap;
use embate_replica::structure::AnyRayStructure;
use embate_scene::generators::random_rays;
use embate_scene::random::Random;
use rayon::prelude::*;

use crate::failure::Failure;
use crate::io::output::{output_error, print};
use crate::io::{mesh_file, output_file, rays_file};
use crate::progress::Bar;
use args::CastRequest;
use output::HitRow;
use report::Report;
pub(crate) use report::warn_about_replica;

/// Rays per task of the thread pool; the progress bar advances by as many.
const CHUNK: usize = 4096;

/// Kind of ray query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    Closest,
    Any,
    All,
}

impl Query {
    fn from_request(request: &CastRequest) -> Self {
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

    /// The output rows of one ray: one row, or for an all-hits query one per hit.
    fn hit_rows<O: TraversalObserver>(
        self,
        index: &AnyRayStructure,
        (number, ray): (u32, &Ray<3>),
        observer: &mut O,
    ) -> Vec<HitRow> {
        let row = |is_hit: bool, hit: Option<TriangleHit>| HitRow { ray: number, is_hit, hit };
        match self {
            Self::Any => vec![row(index.any_hit_observed(ray, observer), None)],
            Self::Closest => {
                let hit = index.closest_hit_observed(ray, observer);
                vec![row(hit.is_some(), hit)]
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
    let (t_min, t_max) = (request.t_min, request.t_max);
    if t_min.is_nan() || t_max.is_nan() {
        return Err(Failure::Usage("--t-min and --t-max must be numbers, not NaN".into()));
    }
    if t_min > t_max {
        return Err(Failure::Usage(format!(
            "--t-min {t_min} is above --t-max {t_max}; give an interval"
        )));
    }
    let inputs = [Some(request.mesh.as_path()), request.rays.as_deref()];
    for (flag, out, extensions) in [
        ("--out", &request.out, &["csv", "parquet"][..]),
        ("--save-rays", &request.save_rays, &["csv"]),
    ] {
        output_file::reject_input_as_output(flag, out.as_deref(), &inputs)?;
        output_file::require_extension(flag, out.as_deref(), extensions)?;
    }
    if let (Some(out), Some(rays)) = (&request.out, &request.save_rays)
        && output_file::would_be_same(out, rays)
    {
        let out = out.display();
        return Err(Failure::Usage(format!(
            "--out and --save-rays both name {out}; name two files"
        )));
    }
    let loaded = mesh_file::load_nonempty(&request.mesh, &request.limits)?;
    let rays = rays_of_request(request, &loaded.mesh)?;
    if let Some(path) = &request.save_rays {
        output_file::write(path, |file| rays_file::write(file, &rays).map_err(|e| e.to_string()))?;
    }
    if let Some(traced) = request.trace
        && traced as usize >= rays.len()
    {
        let last = rays.len() - 1;
        return Err(Failure::Usage(format!(
            "--trace {traced}: rays are counted from 0, and the last is {last}; give one of these"
        )));
    }

    let pool = request.workers.pool()?;
    let clock = Instant::now();
    let index = pool.install(|| request.structure.build(&loaded.mesh));
    let build_s = clock.elapsed().as_secs_f64();
    let query = Query::from_request(request);
    let clock = Instant::now();
    let hits = pool.install(|| cast_all(query, &index, &rays));
    let query_s = clock.elapsed().as_secs_f64();
    // Counted in a second pass, so that the measured time is that of queries without statistics.
    let stats = request.json.then(|| pool.install(|| traversal_stats(query, &index, &rays)));
    let trace = request.trace.map(|number| {
        let mut trace = TraversalTrace::default();
        query.hit_rows(&index, (number, &rays[number as usize]), &mut trace);
        (number, trace)
    });

    if let Some(out) = &request.out {
        output::write_file(out, &hits)?;
    }
    let report = Report {
        request,
        query,
        loaded,
        rays: rays.len(),
        structure_used: index.structure(),
        hits,
        trace,
        bytes: index.memory_usage(),
        build_s,
        query_s,
    };
    if let Some(stats) = stats {
        return print(&report.to_json(stats)?);
    }
    if request.out.is_none() {
        let stdout = io::BufWriter::new(io::stdout().lock());
        output::write_csv(stdout, &report.hits).map_err(|error| output_error(&error))?;
    }
    report.log_summary();
    Ok(())
}

fn rays_of_request(request: &CastRequest, mesh: &TriangleMesh) -> Result<Vec<Ray<3>>, Failure> {
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

fn cast_all(query: Query, index: &AnyRayStructure, rays: &[Ray<3>]) -> Vec<HitRow> {
    let bar = Bar::new(rays.len() as u64);
    let cast_chunk = |(first, rays): (usize, &[Ray<3>])| {
        let numbered = (first as u32..).zip(rays);
        let row =
            |(ray, hit): (u32, Option<TriangleHit>)| HitRow { ray, is_hit: hit.is_some(), hit };
        let hits: Vec<HitRow> = match query {
            // Batch traversal keeps several rays in flight.
            Query::Closest => (first as u32..).zip(index.closest_hits(rays)).map(row).collect(),
            _ => numbered.flat_map(|ray| query.hit_rows(index, ray, &mut NoStats)).collect(),
        };
        bar.advance(rays.len() as u64);
        hits
    };
    let firsts = (0..rays.len()).into_par_iter().step_by(CHUNK);
    firsts.zip(rays.par_chunks(CHUNK)).flat_map_iter(cast_chunk).collect()
}

fn traversal_stats(query: Query, index: &AnyRayStructure, rays: &[Ray<3>]) -> TraversalStats {
    let stats_of_ray = |ray: &Ray<3>| {
        let mut stats = TraversalStats::default();
        query.hit_rows(index, (0, ray), &mut stats);
        stats
    };
    rays.par_iter().map(stats_of_ray).reduce(TraversalStats::default, |mut sum, stats| {
        sum += stats;
        sum
    })
}
