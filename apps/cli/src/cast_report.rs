//! What is told about a finished cast, beside the answers: one JSON object, or a remark on stderr.

use embate::raycast::{TraversalStats, TraversalTrace};
use embate_lab::language::Language;
use embate_mesh::LoadedMesh;
use embate_studies::structure::RayStructure;
use serde::Serialize;

use crate::args::CastRequest;
use crate::cast::Query;
use crate::cast_output::Answer;
use crate::costs::{self, Memory, Times};
use crate::failure::{Failure, remark};

/// Triangles of a trace that a person is shown.
const MOST_SHOWN: usize = 200;

/// Everything there is to tell.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    pub(crate) request: &'a CastRequest,
    pub(crate) query: Query,
    pub(crate) loaded: LoadedMesh,
    pub(crate) rays: usize,
    /// What was asked for, or what `auto` came to.
    pub(crate) answered_by: RayStructure,
    pub(crate) answers: Vec<Answer>,
    /// Which ray was traced, and what it met.
    pub(crate) trace: Option<(u32, TraversalTrace)>,
    pub(crate) bytes: usize,
    pub(crate) build_s: f64,
    pub(crate) query_s: f64,
}

// The JSON object, written out as types so that an f32 is printed as the f32 it is.

#[derive(Serialize)]
struct Json {
    asked: Asked,
    answered_by: &'static str,
    counts: Counts,
    times: Times,
    memory: Memory,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace>,
}

#[derive(Serialize)]
struct Asked {
    command: &'static str,
    mesh: String,
    format: String,
    triangles: usize,
    rays: usize,
    structure: &'static str,
    query: &'static str,
    t_min: Option<f32>,
    /// JSON has no infinity: no end is null.
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
struct Row {
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

impl Outcome<'_> {
    /// Rays that hit, however many times: answers come in ray order.
    fn rays_hit(&self) -> usize {
        let hits = self.answers.iter().filter(|answer| answer.hit).map(|answer| answer.ray);
        let mut hits: Vec<u32> = hits.collect();
        hits.dedup();
        hits.len()
    }

    pub(crate) fn to_json(&self, counts: TraversalStats) -> Result<String, Failure> {
        let request = self.request;
        let finite = |t: f32| t.is_finite().then_some(t);
        let json = Json {
            asked: Asked {
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
            answered_by: self.answered_by.name(),
            counts: Counts {
                rays: self.rays,
                rays_hit: self.rays_hit(),
                hits: self.answers.iter().filter(|answer| answer.hit).count(),
                tests: counts.triangle_tests,
                boxes: counts.nodes_visited,
            },
            times: Times { build_s: self.build_s, query_s: self.query_s },
            memory: Memory { bytes: self.bytes },
            out: request.out.as_ref().map(|out| out.display().to_string()),
            results: request.out.is_none().then(|| self.answers.iter().map(row).collect()),
            trace: self.trace.as_ref().map(|(ray, trace)| Trace {
                ray: *ray,
                cells: trace.nodes.iter().map(|b| Cell { min: b.min, max: b.max }).collect(),
                triangles: trace.triangles.clone(),
            }),
        };
        costs::to_text(&json)
    }

    pub(crate) fn remark(&self) {
        let english = Language::English;
        let hits = self.rays_hit();
        let share = 100.0 * hits as f64 / self.rays.max(1) as f64;
        remark(&format!(
            "{} cast, {} hit ({share:.1} %); {} over {}: built in {}, answered in {}",
            counted(self.rays, "ray", "rays"),
            english.integer(hits as u64),
            self.answered_by.name(),
            counted(self.loaded.mesh.triangles().len(), "triangle", "triangles"),
            english.duration(self.build_s),
            english.duration(self.query_s),
        ));
        remark_on_faults(self.request.structure);
        if let Some(out) = &self.request.out {
            remark(&format!("answers: {}", out.display()));
        }
        if let Some((ray, trace)) = &self.trace {
            let cells = counted(trace.nodes.len(), "cell", "cells");
            let tests = counted(trace.triangles.len(), "triangle", "triangles");
            remark(&format!("ray {ray}: {cells} entered, {tests} tested"));
            for (number, cell) in trace.nodes.iter().enumerate() {
                remark(&format!("  cell {number}: {:?} to {:?}", cell.min, cell.max));
            }
            let shown = trace.triangles.iter().take(MOST_SHOWN).map(u32::to_string);
            let shown: Vec<String> = shown.collect();
            let more = trace.triangles.len() - shown.len();
            let more = if more > 0 {
                format!(" and {more} more; --json tells all")
            } else {
                String::new()
            };
            remark(&format!("  triangles: {}{more}", shown.join(" ")));
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{} {word}", Language::English.integer(count as u64))
}

fn row(answer: &Answer) -> Row {
    let Answer { ray, hit, place } = *answer;
    Row {
        ray,
        hit: u8::from(hit),
        t: place.map(|hit| hit.t),
        triangle: place.map(|hit| hit.triangle),
        u: place.map(|hit| hit.u),
        v: place.map(|hit| hit.v),
    }
}

/// Whoever asks the study's structures is told that their answers are the study's.
pub(crate) fn remark_on_faults(structure: RayStructure) {
    if structure.reference() != RayStructure::BRUTE_FORCE {
        remark(
            "note: this structure repeats study A with its faults: hits behind the origin count, back \
             faces and tiny triangles do not; use auto for true answers",
        );
    }
}
