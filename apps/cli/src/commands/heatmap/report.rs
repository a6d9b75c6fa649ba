//! Report of heat maps: one JSON object, or a table.

use embate::geometry::Camera;
use embate::raycast::TraversalStats;
use embate_mesh::LoadedMesh;
use embate_replica::structure::RayStructure;
use embate_report::language::Language;
use embate_viewer::heat_map::HeatMap;
use serde::Serialize;

use super::args::HeatmapRequest;
use crate::failure::Failure;
use crate::io::output::{Memory, Times, align_numbers, bare_table, json_text};

/// Heat map of one structure, with its costs.
#[derive(Debug)]
pub(crate) struct StructureMap {
    pub(crate) structure: RayStructure,
    pub(crate) map: HeatMap,
    pub(crate) times: Times,
    pub(crate) memory: Memory,
}

#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) request: &'a HeatmapRequest,
    pub(crate) loaded: LoadedMesh,
    pub(crate) camera: Camera,
    pub(crate) maps: Vec<StructureMap>,
}

// The JSON object as types: `serde_json::Value` would print an f32 with the digits of an f64, and
// the camera's numbers must reproduce the same picture.

#[derive(Serialize)]
struct Json {
    asked: RequestJson,
    /// Sum over all structures.
    counts: Counts,
    /// Sum over all structures.
    times: Times,
    /// Maximum over the structures, which are built one at a time.
    memory: Memory,
    structures: Vec<StructureJson>,
    out: String,
}

#[derive(Serialize)]
struct RequestJson {
    command: &'static str,
    mesh: String,
    format: String,
    triangles: usize,
    structures: Vec<&'static str>,
    metric: &'static str,
    width: u32,
    height: u32,
    eye: [f32; 3],
    at: [f32; 3],
    up: [f32; 3],
    fov: f32,
}

#[derive(Serialize)]
struct Counts {
    rays: usize,
    rays_hit: usize,
    tests: u64,
    boxes: u64,
}

#[derive(Serialize)]
struct StructureJson {
    name: &'static str,
    total: u64,
    mean: f64,
    max: u32,
    pixels_hit: usize,
    counts: Counts,
    times: Times,
    memory: Memory,
}

impl StructureMap {
    fn to_json(&self) -> StructureJson {
        let Self { structure, map, times, memory } = self;
        StructureJson {
            name: structure.name(),
            total: map.total(),
            mean: map.mean(),
            max: map.max(),
            pixels_hit: map.hits,
            counts: Counts::sum(core::slice::from_ref(self)),
            times: *times,
            memory: *memory,
        }
    }
}

impl Counts {
    fn sum(maps: &[StructureMap]) -> Self {
        let mut sum = TraversalStats::default();
        for entry in maps {
            sum += entry.map.counts;
        }
        Self {
            rays: maps.iter().map(|entry| entry.map.heat.len()).sum(),
            rays_hit: maps.iter().map(|entry| entry.map.hits).sum(),
            tests: sum.triangle_tests,
            boxes: sum.nodes_visited,
        }
    }
}

impl Report<'_> {
    pub(crate) fn to_json(&self) -> Result<String, Failure> {
        let Self { request, loaded, camera, maps } = self;
        let [width, height] = request.size.0;
        json_text(&Json {
            asked: RequestJson {
                command: "heatmap",
                mesh: request.mesh.display().to_string(),
                format: loaded.format.to_string(),
                triangles: loaded.mesh.triangles().len(),
                structures: maps.iter().map(|entry| entry.structure.name()).collect(),
                metric: request.metric.name(),
                width,
                height,
                eye: camera.eye,
                at: camera.target,
                up: camera.up,
                fov: request.fov,
            },
            counts: Counts::sum(maps),
            times: Times {
                build_s: maps.iter().map(|entry| entry.times.build_s).sum(),
                query_s: maps.iter().map(|entry| entry.times.query_s).sum(),
            },
            memory: Memory {
                bytes: maps.iter().map(|entry| entry.memory.bytes).max().unwrap_or(0),
            },
            structures: maps.iter().map(StructureMap::to_json).collect(),
            out: request.out.display().to_string(),
        })
    }

    pub(crate) fn table(&self) -> String {
        let english = Language::English;
        let metric = self.request.metric.name();
        let (mean, max) = (format!("{metric} per pixel"), format!("max {metric}"));
        let mut table = bare_table(&["structure", &mean, &max, "pixels hit"]);
        for StructureMap { structure, map, .. } in &self.maps {
            table.add_row([
                structure.name().to_owned(),
                format!("{:.2}", map.mean()),
                english.integer(u64::from(map.max())),
                english.integer(map.hits as u64),
            ]);
        }
        align_numbers(&mut table, 1);
        format!("{table}\n")
    }
}
