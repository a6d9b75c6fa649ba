//! Report of a finished cast: one JSON object, or summary lines on stderr.

use embate::raycast::{TraversalStats, TraversalTrace};
use embate_mesh::LoadedMesh;
use embate_replica::structure::RayStructure;
use embate_report::language::Language;
use serde::Serialize;

use super::Query;
use super::args::CastRequest;
use super::output::HitRow;
use crate::failure::Failure;
use crate::io::output::{Memory, Times, json_text, log};

/// Maximum number of traced triangles in the text output.
const MAX_TRIANGLES_SHOWN: usize = 200;

#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) request: &'a CastRequest,
    pub(crate) query: Query,
    pub(crate) loaded: LoadedMesh,
    pub(crate) rays: usize,
    /// The requested structure, or the choice of `auto`.
    pub(crate) structure_used: RayStructure,
    pub(crate) hits: Vec<HitRow>,
    /// Index of the traced ray, and its trace.
    pub(crate) trace: Option<(u32, TraversalTrace)>,
    pub(crate) bytes: usize,
    pub(crate) build_s: f64,
    pub(crate) query_s: f64,
}

// The JSON object as types: `serde_json::Value` would print an f32 with the digits of an f64.

#[derive(Serialize)]
struct Json {
    asked: RequestJson,
    answered_by: &'static str,
    counts: Counts,
    times: Times,
    memory: Memory,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<HitJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace>,
}

#[derive(Serialize)]
struct RequestJson {
    command: &'static str,
    mesh: String,
    format: String,
    triangles: usize,
    rays: usize,
    structure: &'static str,
    query: &'static str,
    t_min: Option<f32>,
    /// An infinite interval end is null, since JSON has no infinity.
    t_max: Option<f32>,
    cull_back: bool,
}

#[derive(Serialize)]
struct Counts {
    rays: usize,
    rays_hit: usize,
    hits: usize,
    tests: u64,
    boxes: u64,
}

#[derive(Serialize)]
struct HitJson {
    ray: u32,
    hit: u8,
    t: Option<f32>,
    triangle: Option<u32>,
    u: Option<f32>,
    v: Option<f32>,
}

#[derive(Serialize)]
struct Trace {
    ray: u32,
    cells: Vec<Cell>,
    triangles: Vec<u32>,
}

#[derive(Serialize)]
struct Cell {
    min: [f32; 3],
    max: [f32; 3],
}

impl Report<'_> {
    /// Number of rays with at least one hit; rows are in ray order.
    fn rays_hit(&self) -> usize {
        let rays = self.hits.iter().filter(|row| row.is_hit).map(|row| row.ray);
        let mut rays: Vec<u32> = rays.collect();
        rays.dedup();
        rays.len()
    }

    pub(crate) fn to_json(&self, stats: TraversalStats) -> Result<String, Failure> {
        let request = self.request;
        let finite = |t: f32| t.is_finite().then_some(t);
        let json = Json {
            asked: RequestJson {
                command: "cast",
                mesh: request.mesh.display().to_string(),
                format: self.loaded.format.to_string(),
                triangles: self.loaded.mesh.triangles().len(),
                rays: self.rays,
                structure: request.structure.name(),
                query: self.query.name(),
                t_min: finite(request.t_min),
                t_max: finite(request.t_max),
                cull_back: request.cull_back,
            },
            answered_by: self.structure_used.name(),
            counts: Counts {
                rays: self.rays,
                rays_hit: self.rays_hit(),
                hits: self.hits.iter().filter(|row| row.is_hit).count(),
                tests: stats.triangle_tests,
                boxes: stats.nodes_visited,
            },
            times: Times { build_s: self.build_s, query_s: self.query_s },
            memory: Memory { bytes: self.bytes },
            out: request.out.as_ref().map(|out| out.display().to_string()),
            results: request.out.is_none().then(|| self.hits.iter().map(hit_json).collect()),
            trace: self.trace.as_ref().map(|(ray, trace)| Trace {
                ray: *ray,
                cells: trace.nodes.iter().map(|b| Cell { min: b.min, max: b.max }).collect(),
                triangles: trace.triangles.clone(),
            }),
        };
        json_text(&json)
    }

    pub(crate) fn log_summary(&self) {
        let english = Language::English;
        let hits = self.rays_hit();
        let share = 100.0 * hits as f64 / self.rays.max(1) as f64;
        log(&format!(
            "{} cast, {} hit ({share:.1}%); {} over {}: built in {}, queried in {}",
            counted(self.rays, "ray", "rays"),
            english.integer(hits as u64),
            self.structure_used.name(),
            counted(self.loaded.mesh.triangles().len(), "triangle", "triangles"),
            english.duration(self.build_s),
            english.duration(self.query_s),
        ));
        warn_about_replica(self.request.structure);
        if let Some(out) = &self.request.out {
            log(&format!("hits: {}", out.display()));
        }
        if let Some((ray, trace)) = &self.trace {
            let cells = counted(trace.nodes.len(), "cell", "cells");
            let tests = counted(trace.triangles.len(), "triangle", "triangles");
            log(&format!("ray {ray}: {cells} visited, {tests} tested"));
            for (number, cell) in trace.nodes.iter().enumerate() {
                log(&format!("  cell {number}: {:?} to {:?}", cell.min, cell.max));
            }
            let shown = trace.triangles.iter().take(MAX_TRIANGLES_SHOWN).map(u32::to_string);
            let shown: Vec<String> = shown.collect();
            let more = trace.triangles.len() - shown.len();
            let more = if more > 0 {
                format!(" and {more} more; --json lists all")
            } else {
                String::new()
            };
            log(&format!("  triangles: {}{more}", shown.join(" ")));
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{} {word}", Language::English.integer(count as u64))
}

fn hit_json(row: &HitRow) -> HitJson {
    let HitRow { ray, is_hit, hit } = *row;
    HitJson {
        ray,
        hit: u8::from(is_hit),
        t: hit.map(|hit| hit.t),
        triangle: hit.map(|hit| hit.triangle),
        u: hit.map(|hit| hit.u),
        v: hit.map(|hit| hit.v),
    }
}

/// Warns that the replicas of a study repeat its faults.
pub(crate) fn warn_about_replica(structure: RayStructure) {
    if structure.reference() == structure && matches!(structure, RayStructure::TestedBruteForce(_))
    {
        log(
            "note: this triangle test is not watertight: rays at edges and vertices may miss; use \
             --structure auto or brute-woop for watertight hits",
        );
    } else if structure.is_replica() {
        log(
            "note: this structure replicates Lorenzi 2014 with its faults: it reports hits behind \
             the origin and culls back faces and tiny triangles; use --structure auto for correct \
             hits",
        );
    }
}
