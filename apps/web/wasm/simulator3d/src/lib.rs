//! Wasm module of the 3D view.
//!
//! Converts between JavaScript and `embate_viewer::sandbox`. Arrays are copied into JavaScript
//! memory, so that they stay valid when the memory of this module grows.

mod edits;
mod render;

use embate::Vec3;
use embate_viewer::sandbox::{
    self, EditError, FLOATS_PER_BODY, FLOATS_PER_CONTACT, FLOATS_PER_IMPACT, OpenError, RenderMesh,
    RenderState, Sandbox, SeriesJob,
};
use wasm_bindgen::prelude::*;

embate_viewer::export_last_panic!();

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Presets, broad phases and limits, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalog() -> String {
    sandbox::catalog()
}

/// Scene JSON of a preset; `undefined` if there is no preset of this name.
#[wasm_bindgen]
#[must_use]
pub fn preset(name: &str, seed: u32) -> Option<String> {
    sandbox::preset(name).map(|preset| preset.text(seed))
}

/// World with its history and undo list.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Simulator {
    sandbox: Sandbox,
    render_state: RenderState,
    render_mesh: RenderMesh,
}

/// A CSV file with a row per step, in the making.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Series {
    job: SeriesJob,
}

#[wasm_bindgen]
impl Series {
    /// Computes rows for about this duration; returns true when all are there.
    pub fn advance(&mut self, milliseconds: f64) -> bool {
        let end = now() + milliseconds;
        self.job.advance(|| now() >= end)
    }

    /// The rows with their header, as `embate simulate --series` writes them.
    #[must_use]
    pub fn csv(&self) -> String {
        self.job.csv().to_owned()
    }
}

#[wasm_bindgen]
impl Simulator {
    /// World of a scene before its first step, or of a recording, whose end
    /// [`advance_seek`](Self::advance_seek) leads to.
    ///
    /// # Errors
    /// An `Error` whose message is the JSON of [`OpenError::to_json`].
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, name: &str) -> Result<Simulator, JsError> {
        let mut sandbox = Sandbox::open(text, name).map_err(|error| open_error(&error))?;
        sandbox.set_clock(|| now() / 1e3);
        Ok(Self {
            sandbox,
            render_state: RenderState::default(),
            render_mesh: RenderMesh::default(),
        })
    }

    /// Row lengths of bodies, contacts and impacts.
    #[wasm_bindgen(getter, js_name = rowLengths)]
    #[must_use]
    pub fn row_lengths(&self) -> Vec<u32> {
        [FLOATS_PER_BODY, FLOATS_PER_CONTACT, FLOATS_PER_IMPACT]
            .map(|length| length as u32)
            .to_vec()
    }

    /// A copy that continues from the current step with these settings, as
    /// [`change_settings`](Self::change_settings) takes them.
    ///
    /// # Errors
    /// Settings that are invalid or do not suit the scene.
    pub fn fork(&self, settings: &str) -> Result<Simulator, JsError> {
        let sandbox = self.sandbox.fork(settings).map_err(|error| edit_error(&error))?;
        let (render_state, render_mesh) = (RenderState::default(), RenderMesh::default());
        Ok(Self { sandbox, render_state, render_mesh })
    }

    /// Greatest distance between the positions of a body here and in a fork, mean distance of the
    /// dynamic bodies, and the key of the body with the greatest, if they differ.
    #[wasm_bindgen(js_name = positionDifference)]
    #[must_use]
    pub fn position_difference(&self, fork: &Simulator) -> Vec<f64> {
        let difference = self.sandbox.position_difference(&fork.sandbox);
        let key = difference.key.map(f64::from);
        [difference.max, difference.mean].into_iter().chain(key).collect()
    }

    /// One step.
    pub fn step(&mut self) {
        self.sandbox.step();
    }

    /// Sets the step that [`advance_seek`](Self::advance_seek) leads to.
    #[wasm_bindgen(js_name = setSeekTarget)]
    pub fn set_seek_target(&mut self, step: u32) {
        self.sandbox.set_seek_target(step);
    }

    /// Seeks for about this duration; returns true when the target is reached.
    ///
    /// # Errors
    /// As the constructor: a recording whose end state differs from the recorded one.
    #[wasm_bindgen(js_name = advanceSeek)]
    pub fn advance_seek(&mut self, milliseconds: f64) -> Result<bool, JsError> {
        let end = now() + milliseconds;
        self.sandbox.advance_seek(|| now() >= end).map_err(|error| open_error(&error))
    }

    /// Cancels the seek and stays at the current step.
    #[wasm_bindgen(js_name = cancelSeek)]
    pub fn cancel_seek(&mut self) {
        self.sandbox.cancel_seek();
    }

    /// Target of the seek, if there is one.
    #[wasm_bindgen(getter, js_name = seekTarget)]
    #[must_use]
    pub fn seek_target(&self) -> Option<u32> {
        self.sandbox.seek_target()
    }

    /// Whether the scene was not edited.
    #[wasm_bindgen(getter, js_name = isUnmodified)]
    #[must_use]
    pub fn is_unmodified(&self) -> bool {
        self.sandbox.is_unmodified()
    }

    /// Current step.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn at(&self) -> u32 {
        self.sandbox.at()
    }

    /// Highest step reached.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn last(&self) -> u32 {
        self.sandbox.last()
    }

    /// Increases with each change of bodies or settings.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn version(&self) -> u32 {
        self.sandbox.version()
    }

    /// Increases when [`update_render_mesh`](Self::update_render_mesh) would give other triangles.
    #[wasm_bindgen(getter, js_name = shapeVersion)]
    #[must_use]
    pub fn shape_version(&self) -> u32 {
        self.sandbox.shape_version()
    }

    /// Hash of every bit of all bodies, as `embate simulate` writes it.
    #[wasm_bindgen(getter, js_name = stateHash)]
    #[must_use]
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.sandbox.state_hash())
    }

    /// Scene JSON of the current state.
    #[wasm_bindgen(js_name = sceneJson)]
    #[must_use]
    pub fn scene_json(&self) -> String {
        self.sandbox.scene_json()
    }

    /// Recording: the initial scene, all edits up to now, and the resulting state.
    ///
    /// # Errors
    /// An `Error` whose message is the JSON of the error, if it has too many steps to be reopened.
    pub fn recording(&self) -> Result<String, JsError> {
        self.sandbox.recording().map_err(|error| JsError::new(&error.to_json().to_string()))
    }

    /// A series of every step so far, to be computed in slices.
    #[must_use]
    pub fn series(&self) -> Series {
        Series { job: self.sandbox.series() }
    }

    /// Settings of the world, as JSON.
    #[must_use]
    pub fn settings(&self) -> String {
        self.sandbox.settings_json()
    }

    /// Bodies as JSON: the properties that are constant during motion.
    #[must_use]
    pub fn bodies(&self) -> String {
        self.sandbox.bodies()
    }

    /// JSON of one body in its current state.
    #[must_use]
    pub fn body(&self, key: u32) -> Option<String> {
        self.sandbox.body(key)
    }

    /// One page of the contacts of all bodies, or of one body, as JSON.
    #[must_use]
    pub fn contacts(&self, key: Option<u32>, page: u32) -> String {
        self.sandbox.contacts(key, page)
    }

    /// Statistics: step, time, bodies, touching, asleep, pairs, contacts, islands, energy, kinetic
    /// energy, momentum (3), angular momentum (3), mean seconds of the four stages since the
    /// previous call, maximum penetration.
    pub fn stats(&mut self) -> Vec<f64> {
        let stats = self.sandbox.stats();
        let counts = [stats.bodies, stats.touching, stats.asleep].map(|count| count as f64);
        let pairs = [stats.pairs as f64, stats.contacts as f64, stats.islands as f64];
        [f64::from(stats.step), stats.time]
            .into_iter()
            .chain(counts)
            .chain(pairs)
            .chain([stats.energy, stats.kinetic])
            .chain(stats.momentum)
            .chain(stats.angular_momentum)
            .chain(stats.seconds)
            .chain([f64::from(stats.deepest)])
            .collect()
    }

    /// Impacts since the previous call, one row each.
    #[wasm_bindgen(js_name = takeImpacts)]
    pub fn take_impacts(&mut self) -> Vec<f32> {
        self.sandbox.take_impacts()
    }

    /// Closest hit of a ray: key of the body, x, y, z; empty if there is none.
    #[must_use]
    pub fn pick(&self, origin: &[f32], direction: &[f32]) -> Vec<f32> {
        let hit = self.sandbox.pick(vector(origin), vector(direction));
        hit.map_or_else(Vec::new, |(key, point)| {
            let [x, y, z] = point.to_array();
            vec![key as f32, x, y, z]
        })
    }
}

/// Three numbers; missing numbers are 0.
fn vector(numbers: &[f32]) -> Vec3 {
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
    Vec3::new(at(0), at(1), at(2))
}

/// Code, fields and location as JSON: the page translates the code.
fn open_error(error: &OpenError) -> JsError {
    JsError::new(&error.to_json().to_string())
}

/// Code and fields as JSON: the page translates the code.
fn edit_error(error: &EditError) -> JsError {
    JsError::new(&error.to_json().to_string())
}
