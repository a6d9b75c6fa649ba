//! What can the page ask of a mesh and its rays?
//!
//! Converts and forwards; everything else is in `embate_lab::ray_bench`. Rows of numbers are copied into JavaScript's own
//! memory, so that nothing of theirs is lost when this module's grows.

use embate::Ray;
use embate_lab::heat_map::{self, Metric};
use embate_lab::ray_bench::{self, Drawn, HeatRequest, Heating, NUMBERS_A_VISIT, RayBench, Walk};
use serde::Serialize;
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Scenes, structures and limits, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalogue() -> String {
    ray_bench::catalogue()
}

/// The scale of heat maps from cold to hot, four bytes a step.
#[wasm_bindgen(js_name = heatScale)]
#[must_use]
pub fn heat_scale(steps: u32) -> Vec<u8> {
    let last = steps.saturating_sub(1).max(1) as f32;
    (0..steps).flat_map(|step| opaque(heat_map::colour(step as f32 / last))).collect()
}

/// Where a heat lies on the scale, from 0 to 1.
#[wasm_bindgen(js_name = heatShade)]
#[must_use]
pub fn heat_shade(heat: u32, most: u32) -> f32 {
    heat_map::shade(heat, most)
}

fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// A mesh and the structures over it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bench {
    mesh: RayBench,
    drawn: Drawn,
    walk: Walk,
    heating: Option<Heating>,
}

#[wasm_bindgen]
impl Bench {
    /// A mesh that the reader of files has read: its bytes are not this module's business.
    ///
    /// # Errors
    /// An `Error` that says in one line what is wrong.
    pub fn open(
        positions: &[f32],
        triangles: &[u32],
        name: &str,
        format: String,
        file_bytes: f64,
    ) -> Result<Bench, JsError> {
        Self::of(RayBench::of_numbers(positions, triangles, name, format, file_bytes as u64))
    }

    /// A scene of the studies; so many triangles from a seed where it is random.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn scene(name: &str, triangles: u32, seed: u32) -> Result<Bench, JsError> {
        Self::of(RayBench::scene(name, triangles, seed.into()))
    }

    fn of(mesh: Result<RayBench, String>) -> Result<Bench, JsError> {
        let mut mesh = mesh.map_err(|what| JsError::new(&what))?;
        mesh.use_clock(|| now() / 1e3);
        Ok(Self { mesh, drawn: Drawn::default(), walk: Walk::default(), heating: None })
    }

    /// What the mesh is like, as JSON.
    #[must_use]
    pub fn facts(&self) -> String {
        json(self.mesh.facts())
    }

    /// Makes what is drawn: what the two below tell, once.
    pub fn draw(&mut self) {
        self.drawn = self.mesh.drawn();
    }

    /// Six numbers a corner: place and normal.
    #[wasm_bindgen(js_name = takeVertices)]
    pub fn take_vertices(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.drawn.vertices)
    }

    /// Three corners a triangle.
    #[wasm_bindgen(js_name = takeTriangles)]
    pub fn take_triangles(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.drawn.triangles)
    }

    /// Builds a structure unless it is there; what it took, as JSON.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn build(&mut self, name: &str) -> Result<String, JsError> {
        self.mesh.build(name).map(|told| json(&told)).map_err(|what| JsError::new(&what))
    }

    /// Triangles on each level of study A's octree, as JSON; `undefined` until it is built.
    #[must_use]
    pub fn levels(&self) -> Option<String> {
        self.mesh.levels().map(|levels| json(&levels))
    }

    /// Tries each structure for so many milliseconds; what follows, as JSON.
    #[must_use]
    pub fn advice(&self, milliseconds: f64) -> String {
        self.mesh.advice(milliseconds / 1e3)
    }

    /// Six numbers a box of a structure's tree, down to a depth.
    #[must_use]
    pub fn boxes(&self, name: &str, depth: u32) -> Vec<f32> {
        self.mesh.boxes(name, depth)
    }

    /// What a ray of six numbers hits and takes in each structure, as JSON.
    #[must_use]
    pub fn cast(&self, numbers: &[f32]) -> String {
        json(&self.mesh.cast(&ray(numbers)))
    }

    /// What a ray meets first, as JSON; `undefined` if nothing.
    #[must_use]
    pub fn pick(&self, numbers: &[f32]) -> Option<String> {
        self.mesh.pick(&ray(numbers)).map(|place| json(&place))
    }

    /// Whether one point sees another, as JSON; `undefined` if they are one.
    #[must_use]
    pub fn sight(&self, from: &[f32], to: &[f32]) -> Option<String> {
        self.mesh.sight(three(from, 0), three(to, 0)).map(|sight| json(&sight))
    }

    /// Follows a ray through one structure: a row a box that it visits.
    pub fn walk(&mut self, name: &str, numbers: &[f32]) -> Vec<f32> {
        self.walk = self.mesh.walk(name, &ray(numbers));
        self.walk.rows()
    }

    /// Numbers in such a row.
    #[wasm_bindgen(getter, js_name = numbersAVisit)]
    #[must_use]
    pub fn numbers_a_visit(&self) -> u32 {
        NUMBERS_A_VISIT as u32
    }

    /// Triangles that were tested on the way, in order, at most so many.
    #[must_use]
    pub fn tested(&self, most: u32) -> Vec<u32> {
        self.walk.tested.iter().take(most as usize).copied().collect()
    }

    /// Begins heat maps of all structures that were built: of `tests`, or of `cells`.
    ///
    /// # Errors
    /// If there is no such picture.
    #[wasm_bindgen(js_name = beginHeat)]
    pub fn begin_heat(
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
        let request = HeatRequest { eye, at, fov, size: [width, height], metric };
        let heating = Heating::new(&self.mesh, &request).map_err(|what| JsError::new(&what))?;
        self.heating = Some(heating);
        Ok(())
    }

    /// Goes on with them for about so many milliseconds; true once all is done.
    #[wasm_bindgen(js_name = goOnHeating)]
    pub fn go_on_heating(&mut self, milliseconds: f64) -> bool {
        let end = now() + milliseconds;
        let Some(heating) = &mut self.heating else { return true };
        heating.go_on(&self.mesh, || now() >= end)
    }

    /// How far they are, and their sums, as JSON.
    #[wasm_bindgen(js_name = heatTold)]
    #[must_use]
    pub fn heat_told(&self) -> Option<String> {
        self.heating.as_ref().map(Heating::told)
    }

    /// The numbers of one of them.
    #[must_use]
    pub fn heat(&self, place: u32) -> Vec<u32> {
        self.heating.as_ref().map_or_else(Vec::new, |heating| heating.heat(place as usize).to_vec())
    }

    /// The pixels of one of them on the scale of all, four bytes each.
    #[wasm_bindgen(js_name = heatPixels)]
    #[must_use]
    pub fn heat_pixels(&self, place: u32) -> Vec<u8> {
        let Some(heating) = &self.heating else { return Vec::new() };
        let most = heating.most();
        let pixel = |&heat: &u32| opaque(heat_map::colour(heat_map::shade(heat, most)));
        heating.heat(place as usize).iter().flat_map(pixel).collect()
    }
}

fn json(told: &impl Serialize) -> String {
    serde_json::to_string(told).unwrap_or_default()
}

/// Three numbers from a place on; what is missing is 0.
fn three(numbers: &[f32], from: usize) -> [f32; 3] {
    core::array::from_fn(|axis| numbers.get(from + axis).copied().unwrap_or(0.0))
}

/// Origin and direction.
fn ray(numbers: &[f32]) -> Ray<3> {
    Ray::new(three(numbers, 0), three(numbers, 3))
}
