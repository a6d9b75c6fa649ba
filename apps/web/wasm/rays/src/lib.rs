//! Wasm module of the rays view.
//!
//! Converts between JavaScript and `embate_viewer::raycast_inspector`. Arrays are copied into
//! JavaScript memory, so that they stay valid when the memory of this module grows.

use embate::Ray;
use embate_viewer::heat_map::{self, Metric};
use embate_viewer::raycast_inspector::{
    self, FLOATS_PER_VISIT, HeatMapJob, HeatMapRequest, RaycastInspector, RenderMesh, Traversal,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

embate_viewer::export_last_panic!();

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Scenes, structures and limits, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalog() -> String {
    raycast_inspector::catalog()
}

/// Color scale of heat maps from cold to hot, 4 bytes per step.
#[wasm_bindgen(js_name = heatScale)]
#[must_use]
pub fn heat_scale(steps: u32) -> Vec<u8> {
    let last = steps.saturating_sub(1).max(1) as f32;
    (0..steps).flat_map(|step| opaque(heat_map::color(step as f32 / last))).collect()
}

/// Position of a value on the color scale, from 0 to 1.
#[wasm_bindgen(js_name = heatShade)]
#[must_use]
pub fn heat_shade(value: u32, max: u32) -> f32 {
    heat_map::shade(value, max)
}

fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// A mesh and its acceleration structures.
#[wasm_bindgen]
#[derive(Debug)]
pub struct MeshInspector {
    inspector: RaycastInspector,
    render_mesh: RenderMesh,
    traversal: Traversal,
    heat_maps: Option<HeatMapJob>,
}

#[wasm_bindgen]
impl MeshInspector {
    /// The mesh in the bytes of a file; its name is used in messages.
    ///
    /// # Errors
    /// An `Error` of one line: file, location, reason, advice.
    pub fn open(bytes: &[u8], name: &str) -> Result<MeshInspector, JsError> {
        Self::of(RaycastInspector::open(bytes, name))
    }

    /// A generated scene; a random one has this number of triangles, from this seed.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn scene(name: &str, triangles: u32, seed: u32) -> Result<MeshInspector, JsError> {
        Self::of(RaycastInspector::scene(name, triangles, seed.into()))
    }

    fn of(opened: Result<RaycastInspector, String>) -> Result<MeshInspector, JsError> {
        let mut inspector = opened.map_err(|error| JsError::new(&error))?;
        inspector.set_clock(|| now() / 1e3);
        Ok(Self {
            inspector,
            render_mesh: RenderMesh::default(),
            traversal: Traversal::default(),
            heat_maps: None,
        })
    }

    /// The mesh as the bytes of a file: `ply`, `obj` or `txt`.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn save(&self, format: &str) -> Result<Vec<u8>, JsError> {
        self.inspector.save(format).map_err(|error| JsError::new(&error))
    }

    /// Properties of the mesh, as JSON.
    #[must_use]
    pub fn facts(&self) -> String {
        json(self.inspector.facts())
    }

    /// Creates the render mesh, which the next two functions return, once each.
    #[wasm_bindgen(js_name = updateRenderMesh)]
    pub fn update_render_mesh(&mut self) {
        self.render_mesh = self.inspector.render_mesh();
    }

    /// Vertices, 6 numbers each: position and normal.
    #[wasm_bindgen(js_name = takeVertices)]
    pub fn take_vertices(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.render_mesh.vertices)
    }

    /// Triangles, 3 vertex indices each.
    #[wasm_bindgen(js_name = takeTriangles)]
    pub fn take_triangles(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.render_mesh.triangles)
    }

    /// Builds a structure unless it is built; returns its summary as JSON.
    ///
    /// # Errors
    /// If there is no structure of this name.
    pub fn build(&mut self, name: &str) -> Result<String, JsError> {
        self.inspector
            .build(name)
            .map(|summary| json(&summary))
            .map_err(|error| JsError::new(&error))
    }

    /// Triangles on each level of the octree of Lorenzi 2014, as JSON; `undefined` until it is
    /// built.
    #[must_use]
    pub fn levels(&self) -> Option<String> {
        self.inspector.levels().map(|levels| json(&levels))
    }

    /// Benchmarks each structure for this duration; returns the recommendation as JSON.
    #[must_use]
    pub fn advice(&self, milliseconds: f64) -> String {
        self.inspector.advice(milliseconds / 1e3)
    }

    /// Boxes of a structure's tree down to a depth, 6 numbers each.
    #[must_use]
    pub fn boxes(&self, name: &str, depth: u32) -> Vec<f32> {
        self.inspector.boxes(name, depth)
    }

    /// Hit and counts of a ray (6 numbers) in each structure, as JSON.
    #[must_use]
    pub fn cast(&self, numbers: &[f32]) -> String {
        json(&self.inspector.cast(&ray(numbers)))
    }

    /// Closest hit of a ray, as JSON; `undefined` if there is none.
    #[must_use]
    pub fn pick(&self, numbers: &[f32]) -> Option<String> {
        self.inspector.pick(&ray(numbers)).map(|hit| json(&hit))
    }

    /// Visibility between two points, as JSON; `undefined` if they are equal.
    #[must_use]
    pub fn visibility(&self, from: &[f32], to: &[f32]) -> Option<String> {
        self.inspector.visibility(three(from, 0), three(to, 0)).map(|visibility| json(&visibility))
    }

    /// Traces a ray through one structure; returns one row per visited node.
    pub fn trace(&mut self, name: &str, numbers: &[f32]) -> Vec<f32> {
        self.traversal = self.inspector.trace(name, &ray(numbers));
        self.traversal.rows()
    }

    /// Length of such a row.
    #[wasm_bindgen(getter, js_name = floatsPerVisit)]
    #[must_use]
    pub fn floats_per_visit(&self) -> u32 {
        FLOATS_PER_VISIT as u32
    }

    /// Triangles tested during the last trace, in order, at most `max`.
    #[must_use]
    pub fn tested(&self, max: u32) -> Vec<u32> {
        self.traversal.tested.iter().take(max as usize).copied().collect()
    }

    /// Starts heat maps of all built structures. Metrics: `tests`, `cells`.
    ///
    /// # Errors
    /// If camera, size or metric is invalid.
    #[wasm_bindgen(js_name = startHeatMaps)]
    pub fn start_heat_maps(
        &mut self,
        camera: &[f32],
        fov: f32,
        width: u32,
        height: u32,
        metric: &str,
    ) -> Result<(), JsError> {
        let metric = Metric::ALL.into_iter().find(|each| each.name() == metric);
        let metric = metric.ok_or_else(|| JsError::new("there is no such metric"))?;
        let (eye, at) = (three(camera, 0), three(camera, 3));
        let request = HeatMapRequest { eye, at, fov, size: [width, height], metric };
        let job =
            HeatMapJob::new(&self.inspector, &request).map_err(|error| JsError::new(&error))?;
        self.heat_maps = Some(job);
        Ok(())
    }

    /// Computes heat maps for about this duration; returns true when they are complete.
    #[wasm_bindgen(js_name = advanceHeatMaps)]
    pub fn advance_heat_maps(&mut self, milliseconds: f64) -> bool {
        let end = now() + milliseconds;
        let Some(job) = &mut self.heat_maps else { return true };
        job.advance(&self.inspector, || now() >= end)
    }

    /// Progress and totals of the heat maps, as JSON.
    #[wasm_bindgen(js_name = heatMapSummary)]
    #[must_use]
    pub fn heat_map_summary(&self) -> Option<String> {
        self.heat_maps.as_ref().map(HeatMapJob::summary)
    }

    /// Values of one heat map.
    #[wasm_bindgen(js_name = heatMapValues)]
    #[must_use]
    pub fn heat_map_values(&self, index: u32) -> Vec<u32> {
        self.heat_maps.as_ref().map_or_else(Vec::new, |job| job.heat(index as usize).to_vec())
    }

    /// Pixels of one heat map, 4 bytes each, on the common color scale.
    #[wasm_bindgen(js_name = heatMapPixels)]
    #[must_use]
    pub fn heat_map_pixels(&self, index: u32) -> Vec<u8> {
        let Some(job) = &self.heat_maps else { return Vec::new() };
        let max = job.max_heat();
        let pixel = |&value: &u32| opaque(heat_map::color(heat_map::shade(value, max)));
        job.heat(index as usize).iter().flat_map(pixel).collect()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Three numbers from an index on; missing numbers are 0.
fn three(numbers: &[f32], from: usize) -> [f32; 3] {
    core::array::from_fn(|axis| numbers.get(from + axis).copied().unwrap_or(0.0))
}

/// Origin and direction.
fn ray(numbers: &[f32]) -> Ray<3> {
    Ray::new(three(numbers, 0), three(numbers, 3))
}
