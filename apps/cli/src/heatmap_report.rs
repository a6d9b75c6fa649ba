//! What is told about heat maps, beside the picture: one JSON object, or a table.

use embate::geometry::Camera;
use embate::raycast::TraversalStats;
use embate_lab::heat_map::HeatMap;
use embate_lab::language::Language;
use embate_mesh::LoadedMesh;
use embate_studies::structure::RayStructure;
use serde::Serialize;

use crate::args::HeatmapRequest;
use crate::costs::{self, Memory, Times};
use crate::failure::Failure;
use crate::tables::{align_numbers, bare_table};

/// One structure's map, and what it took.
#[derive(Debug)]
pub(crate) struct MapOf {
    pub(crate) structure: RayStructure,
    pub(crate) map: HeatMap,
    pub(crate) times: Times,
    pub(crate) memory: Memory,
}

/// Everything there is to tell.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    pub(crate) request: &'a HeatmapRequest,
    pub(crate) loaded: LoadedMesh,
    pub(crate) view: Camera,
    pub(crate) maps: Vec<MapOf>,
}

// Written out as types so that an f32 is printed as the f32 it is: the same camera can be asked for again.

#[derive(Serialize)]
struct Json {
    asked: Asked,
    /// Of all structures together.
    counts: Counts,
    /// Of all structures together.
    times: Times,
    /// Of the largest: only one is held at a time.
    memory: Memory,
    structures: Vec<OfStructure>,
    out: String,
}

#[derive(Serialize)]
struct Asked {
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
struct OfStructure {
    name: &'static str,
    total: u64,
    mean: f64,
    max: u32,
    pixels_hit: usize,
    counts: Counts,
    times: Times,
    memory: Memory,
}

impl MapOf {
    fn to_json(&self) -> OfStructure {
        let Self { structure, map, times, memory } = self;
        OfStructure {
            name: structure.name(),
            total: map.total(),
            mean: map.mean(),
            max: map.most(),
            pixels_hit: map.hits,
            counts: Counts::of(core::slice::from_ref(self)),
            times: *times,
            memory: *memory,
        }
    }
}

impl Counts {
    fn of(maps: &[MapOf]) -> Self {
        let mut sum = TraversalStats::default();
        for of in maps {
            sum += of.map.counts;
        }
        Self {
            rays: maps.iter().map(|of| of.map.heat.len()).sum(),
            rays_hit: maps.iter().map(|of| of.map.hits).sum(),
            tests: sum.triangle_tests,
            boxes: sum.nodes_visited,
        }
    }
}

impl Outcome<'_> {
    pub(crate) fn to_json(&self) -> Result<String, Failure> {
        let Self { request, loaded, view, maps } = self;
        let [width, height] = request.size.0;
        costs::to_text(&Json {
            asked: Asked {
                command: "heatmap",
                mesh: request.mesh.display().to_string(),
                format: loaded.format.to_string(),
                triangles: loaded.mesh.triangles().len(),
                structures: maps.iter().map(|of| of.structure.name()).collect(),
                metric: request.metric.name(),
                width,
                height,
                eye: view.eye,
                at: view.target,
                up: view.up,
                fov: request.fov,
            },
            counts: Counts::of(maps),
            times: Times {
                build_s: maps.iter().map(|of| of.times.build_s).sum(),
                query_s: maps.iter().map(|of| of.times.query_s).sum(),
            },
            memory: Memory { bytes: maps.iter().map(|of| of.memory.bytes).max().unwrap_or(0) },
            structures: maps.iter().map(MapOf::to_json).collect(),
            out: request.out.display().to_string(),
        })
    }

    pub(crate) fn table(&self) -> String {
        let english = Language::English;
        let metric = self.request.metric.name();
        let (mean, most) = (format!("{metric} a pixel"), format!("most {metric}"));
        let mut table = bare_table(&["structure", &mean, &most, "pixels hit"]);
        for MapOf { structure, map, .. } in &self.maps {
            table.add_row([
                structure.name().to_owned(),
                format!("{:.2}", map.mean()),
                english.integer(u64::from(map.most())),
                english.integer(map.hits as u64),
            ]);
        }
        align_numbers(&mut table, 1);
        format!("{table}\n")
    }
}
