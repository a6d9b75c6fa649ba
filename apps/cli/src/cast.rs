//! `embate cast`: what does each ray hit?

use std::io;
use std::time::Instant;

use embate::rays::{AnyRayIndex, RayCounts, RayIndex, RayTrace, StudyFit};
use embate::{Faces, Hit, Ray};
use embate_lab::language::Language;
use embate_lab::random::Random;
use embate_lab::scenes::random_rays;
use embate_mesh::{LoadedMesh, TriangleMesh};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::CastRequest;
use crate::cast_output::{self, Answer};
use crate::failure::{Failure, output_error, print, remark};
use crate::{meshes, rays_file};

pub(crate) fn run(request: &CastRequest) -> Result<(), Failure> {
    let (least, most) = (request.t_min, request.t_max);
    if least > most || least.is_nan() || most.is_nan() {
        return Err(Failure::Misuse(format!("--t-min {least} is not below --t-max {most}")));
    }
    let loaded = meshes::load_filled(&request.mesh, &request.limits)?;
    let rays = rays(request, &loaded.mesh)?;
    if let Some(traced) = request.trace
        && traced as usize >= rays.len()
    {
        let count = rays.len();
        return Err(Failure::Misuse(format!(
            "--trace {traced}: there are {count} rays, counted from 0"
        )));
    }

    let clock = Instant::now();
    let index = request.structure.build(&loaded.mesh);
    let build_s = clock.elapsed().as_secs_f64();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(request.threads.map_or(0, usize::from))
        .build()
        .map_err(Failure::problem)?;
    let clock = Instant::now();
    let answers = pool.install(|| answer(request, &index, &rays));
    let query_s = clock.elapsed().as_secs_f64();

    let outcome = Outcome { request, loaded, rays, index, answers, build_s, query_s };
    if let Some(out) = &request.out {
        cast_output::write_file(out, &outcome.answers)?;
    }
    if request.json {
        let counts = pool.install(|| count(request, &outcome.index, &outcome.rays));
        return print(&format!("{:#}\n", outcome.to_json(counts)));
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
        random_rays(StudyFit::of(mesh), count, &mut Random::new(request.seed))
    };
    for ray in &mut rays {
        *ray = ray.within(request.t_min, request.t_max);
        ray.faces = if request.cull_back { Faces::Front } else { Faces::Both };
    }
    Ok(rays)
}

fn answer(request: &CastRequest, index: &AnyRayIndex, rays: &[Ray<3>]) -> Vec<Answer> {
    let numbered = |hits: Vec<Option<Hit>>| {
        let answers = (0..).zip(hits);
        answers.map(|(ray, place)| Answer { ray, hit: place.is_some(), place }).collect()
    };
    if request.any {
        let answers = (0..).zip(index.any_hits(rays));
        answers.map(|(ray, hit)| Answer { ray, hit, place: None }).collect()
    } else if request.all {
        let all: Vec<Vec<Hit>> = rays.par_iter().map(|ray| index.all_hits(ray)).collect();
        let rows_of = |(ray, hits): (u32, Vec<Hit>)| -> Vec<Answer> {
            if hits.is_empty() {
                return vec![Answer { ray, hit: false, place: None }];
            }
            hits.into_iter().map(|hit| Answer { ray, hit: true, place: Some(hit) }).collect()
        };
        (0..).zip(all).flat_map(rows_of).collect()
    } else {
        numbered(index.closest_hits(rays))
    }
}

/// Counts in a pass of its own, so that the times are those of uncounted queries.
fn count(request: &CastRequest, index: &AnyRayIndex, rays: &[Ray<3>]) -> RayCounts {
    let of_one = |ray: &Ray<3>| {
        let mut counts = RayCounts::default();
        if request.any {
            index.any_hit_observed(ray, &mut counts);
        } else if request.all {
            index.all_hits_observed(ray, &mut counts);
        } else {
            index.closest_hit_observed(ray, &mut counts);
        }
        counts
    };
    rays.par_iter().map(of_one).reduce(RayCounts::default, |mut sum, counts| {
        sum += counts;
        sum
    })
}

/// Everything there is to tell about a finished cast.
struct Outcome<'a> {
    request: &'a CastRequest,
    loaded: LoadedMesh,
    rays: Vec<Ray<3>>,
    index: AnyRayIndex,
    answers: Vec<Answer>,
    build_s: f64,
    query_s: f64,
}

impl Outcome<'_> {
    /// Rays that hit, however many times.
    fn rays_that_hit(&self) -> usize {
        let mut hits: Vec<u32> =
            self.answers.iter().filter(|answer| answer.hit).map(|answer| answer.ray).collect();
        hits.dedup();
        hits.len()
    }

    fn trace(&self) -> Option<(u32, RayTrace)> {
        let number = self.request.trace?;
        let ray = &self.rays[number as usize];
        let mut trace = RayTrace::default();
        if self.request.any {
            self.index.any_hit_observed(ray, &mut trace);
        } else if self.request.all {
            self.index.all_hits_observed(ray, &mut trace);
        } else {
            self.index.closest_hit_observed(ray, &mut trace);
        }
        Some((number, trace))
    }

    fn to_json(&self, counts: RayCounts) -> Value {
        let request = self.request;
        // JSON has no infinity: no upper end is null.
        let t_max = request.t_max.is_finite().then_some(request.t_max);
        let mut json = json!({
            "asked": {
                "command": "cast",
                "mesh": request.mesh.display().to_string(),
                "format": self.loaded.format.to_string(),
                "triangles": self.loaded.mesh.triangles().len(),
                "rays": self.rays.len(),
                "structure": request.structure.name(),
                "query": if request.any { "any" } else if request.all { "all" } else { "closest" },
                "t_min": request.t_min,
                "t_max": t_max,
                "cull_back": request.cull_back,
            },
            "counts": {
                "rays": self.rays.len(),
                "rays_hit": self.rays_that_hit(),
                "hits": self.answers.iter().filter(|answer| answer.hit).count(),
                "tests": counts.tests,
                "boxes": counts.boxes,
            },
            "times": { "build_s": self.build_s, "query_s": self.query_s },
            "memory": { "bytes": self.index.bytes() },
        });
        if let Some(out) = &request.out {
            json["out"] = out.display().to_string().into();
        } else {
            json["results"] = self.answers.iter().map(answer_json).collect();
        }
        if let Some((ray, trace)) = self.trace() {
            let cells = trace.boxes.iter().map(|cell| json!({ "min": cell.min, "max": cell.max }));
            json["trace"] = json!({
                "ray": ray,
                "cells": cells.collect::<Vec<_>>(),
                "triangles": trace.triangles,
            });
        }
        json
    }

    fn remark(&self) {
        let english = Language::English;
        let (rays, hits) = (self.rays.len(), self.rays_that_hit());
        let share = 100.0 * hits as f64 / rays.max(1) as f64;
        remark(&format!(
            "{} rays, {} hit ({share:.1} %); {} over {} triangles: built in {}, answered in {}",
            english.integer(rays as u64),
            english.integer(hits as u64),
            self.request.structure.name(),
            english.integer(self.loaded.mesh.triangles().len() as u64),
            english.duration(self.build_s),
            english.duration(self.query_s),
        ));
        if let Some(out) = &self.request.out {
            remark(&format!("answers: {}", out.display()));
        }
        if let Some((ray, trace)) = self.trace() {
            let (cells, tests) = (trace.boxes.len(), trace.triangles.len());
            remark(&format!("ray {ray}: {cells} cells entered, {tests} triangles tested"));
            for (number, cell) in trace.boxes.iter().enumerate() {
                remark(&format!("  cell {number}: {:?} to {:?}", cell.min, cell.max));
            }
            let triangles: Vec<String> = trace.triangles.iter().map(u32::to_string).collect();
            remark(&format!("  triangles: {}", triangles.join(" ")));
        }
    }
}

fn answer_json(answer: &Answer) -> Value {
    let Answer { ray, hit, place } = *answer;
    match place {
        Some(Hit { t, triangle, u, v }) => {
            json!({ "ray": ray, "hit": hit, "t": t, "triangle": triangle, "u": u, "v": v })
        }
        None => json!({ "ray": ray, "hit": hit }),
    }
}
