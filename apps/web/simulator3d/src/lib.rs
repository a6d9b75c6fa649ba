//! What can the page ask of a 3D world?
//!
//! Converts and forwards; everything else is in `embate_lab::workshop`. Rows of numbers are copied into
//! JavaScript's own memory, so that nothing of theirs is lost when this module's grows.

mod done;
mod seen;

use embate::Vec3;
use embate_lab::workshop::{
    self, Drawn, EditError, Look, NUMBERS_A_BODY, NUMBERS_A_CONTACT, NUMBERS_A_STRIKE, OpenError,
    Workshop,
};
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Presets, broad phases and limits, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalogue() -> String {
    workshop::catalogue()
}

/// The words of a preset; `undefined` if there is none of this name.
#[wasm_bindgen]
#[must_use]
pub fn preset(name: &str, seed: u32) -> Option<String> {
    workshop::preset(name).map(|preset| preset.text(seed))
}

/// A world, its past, and what may be taken back.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Simulator {
    workshop: Workshop,
    look: Look,
    drawn: Drawn,
}

#[wasm_bindgen]
impl Simulator {
    /// The world of a scene before its first step; or of a recording, to whose end [`approach`](Self::approach)
    /// leads.
    ///
    /// # Errors
    /// An `Error` whose message is the JSON of [`OpenError::to_json`].
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, name: &str) -> Result<Simulator, JsError> {
        let mut workshop = Workshop::open(text, name).map_err(|error| open_error(&error))?;
        workshop.use_clock(|| now() / 1e3);
        Ok(Self { workshop, look: Look::default(), drawn: Drawn::default() })
    }

    /// Numbers in a row of bodies, contacts and hits.
    #[wasm_bindgen(getter, js_name = rowLengths)]
    #[must_use]
    pub fn row_lengths(&self) -> Vec<u32> {
        [NUMBERS_A_BODY, NUMBERS_A_CONTACT, NUMBERS_A_STRIKE].map(|length| length as u32).to_vec()
    }

    /// One step on.
    pub fn step(&mut self) {
        self.workshop.step();
    }

    /// From now on [`approach`](Self::approach) leads to this step.
    #[wasm_bindgen(js_name = headFor)]
    pub fn head_for(&mut self, step: u32) {
        self.workshop.head_for(step);
    }

    /// Goes on for about so many milliseconds towards where it heads for; true once it is there.
    ///
    /// # Errors
    /// As the constructor: a recording that does not come to what it came to.
    pub fn approach(&mut self, milliseconds: f64) -> Result<bool, JsError> {
        let end = now() + milliseconds;
        self.workshop.approach(|| now() >= end).map_err(|error| open_error(&error))
    }

    /// Stays here, wherever it was going.
    pub fn stay(&mut self) {
        self.workshop.stay();
    }

    /// The step that it heads for.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn goal(&self) -> Option<u32> {
        self.workshop.goal()
    }

    /// Whether nothing was done to it but to let it run.
    #[wasm_bindgen(getter, js_name = isAsOpened)]
    #[must_use]
    pub fn is_as_opened(&self) -> bool {
        self.workshop.is_as_opened()
    }

    /// Steps since the beginning.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn at(&self) -> u32 {
        self.workshop.at()
    }

    /// The farthest step that was reached.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn last(&self) -> u32 {
        self.workshop.last()
    }

    /// Grows whenever there are other bodies, or other rules.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn version(&self) -> u32 {
        self.workshop.version()
    }

    /// Grows whenever [`draw`](Self::draw) makes other triangles.
    #[wasm_bindgen(getter, js_name = shapeVersion)]
    #[must_use]
    pub fn shape_version(&self) -> u32 {
        self.workshop.shape_version()
    }

    /// Of all bodies, every bit, as `embate simulate` writes it.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn hash(&self) -> String {
        format!("{:016x}", self.workshop.state_hash())
    }

    /// The scene's words as it stands.
    #[must_use]
    pub fn words(&self) -> String {
        self.workshop.words()
    }

    /// The scene as it began, what was done up to now, and the state that it came to.
    ///
    /// # Errors
    /// An `Error` whose message is the JSON of the error, if it has more steps than are opened again.
    pub fn recording(&self) -> Result<String, JsError> {
        self.workshop.recording().map_err(|error| JsError::new(&error.to_json().to_string()))
    }

    /// What holds for all bodies, as JSON.
    #[must_use]
    pub fn rules(&self) -> String {
        self.workshop.rules()
    }

    /// Every body as JSON: what does not change by moving.
    #[must_use]
    pub fn bodies(&self) -> String {
        self.workshop.bodies()
    }

    /// The words of one body as it stands, as JSON.
    #[must_use]
    pub fn body(&self, key: u32) -> Option<String> {
        self.workshop.body(key)
    }

    /// A page of all contacts, or of those of one body, as JSON.
    #[must_use]
    pub fn contacts(&self, key: Option<u32>, page: u32) -> String {
        self.workshop.contacts(key, page)
    }

    /// Counts, sums and costs: step, time, bodies, touching, asleep, pairs, contacts, islands, energy, kinetic,
    /// momentum (3), angular momentum (3), mean seconds of the four parts since this was called last, deepest.
    pub fn figures(&mut self) -> Vec<f64> {
        let told = self.workshop.figures();
        let counts = [told.bodies, told.touching, told.asleep].map(|count| count as f64);
        let pairs = [told.pairs as f64, told.contacts as f64, told.islands as f64];
        [f64::from(told.step), told.time]
            .into_iter()
            .chain(counts)
            .chain(pairs)
            .chain([told.energy, told.kinetic])
            .chain(told.momentum)
            .chain(told.angular_momentum)
            .chain(told.seconds)
            .chain([f64::from(told.deepest)])
            .collect()
    }

    /// A row a hit since this was called last.
    pub fn strikes(&mut self) -> Vec<f32> {
        self.workshop.take_strikes()
    }

    /// The body that a ray meets first, and where: key, x, y, z; empty if there is none.
    #[must_use]
    pub fn pick(&self, origin: &[f32], direction: &[f32]) -> Vec<f32> {
        let hit = self.workshop.pick(vector(origin), vector(direction));
        hit.map_or_else(Vec::new, |(key, point)| {
            let [x, y, z] = point.to_array();
            vec![key as f32, x, y, z]
        })
    }
}

/// Three numbers; what is missing is 0.
fn vector(numbers: &[f32]) -> Vec3 {
    let at = |place: usize| numbers.get(place).copied().unwrap_or(0.0);
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
