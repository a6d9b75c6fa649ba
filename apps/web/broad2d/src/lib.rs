//! What can the page ask of a 2D world?
//!
//! Converts and forwards; everything else is in `embate_lab::live`. Lists are handed over as the address of
//! their first number in this module's memory: a view upon it holds until the memory grows, which any call
//! may cause, so views are made again whenever `memory.buffer` is another.

use embate_lab::live::{self, Problems};
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

/// Techniques, limits, the first scene and the study's experiments, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalogue() -> String {
    live::catalogue()
}

/// A world in motion, and the technique that watches it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run(live::Run);

#[wasm_bindgen]
impl Run {
    /// The world of these parameters before its first frame.
    ///
    /// # Errors
    /// An `Error` whose message is JSON: `{"problems":[…]}`.
    #[wasm_bindgen(constructor)]
    pub fn new(parameters: &str) -> Result<Run, JsError> {
        live::Run::new(parameters).map(Self).map_err(|problems| refusal(&problems))
    }

    /// The same world goes on with another technique; sums begin anew.
    ///
    /// # Errors
    /// As the constructor; the run is then as before.
    pub fn change(&mut self, technique: &str, cell_size: f64) -> Result<(), JsError> {
        self.0.change(technique, cell_size).map_err(|problems| refusal(&problems))
    }

    /// Moves everything by one frame, 1/60 s.
    pub fn advance(&mut self) {
        self.0.advance();
    }

    /// Finds the pairs, and does nothing else: what the page times.
    pub fn detect(&mut self) {
        self.0.detect();
    }

    /// Counts what the search did, looks for pairs that it missed, and adds to the sums.
    pub fn settle(&mut self) {
        self.0.settle();
    }

    /// Frames since the start.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn frame(&self) -> f64 {
        self.0.frame() as f64
    }

    /// How many objects there are.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn objects(&self) -> u32 {
        self.0.objects()
    }

    /// Pairs tested against each other in this frame.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn tests(&self) -> f64 {
        self.0.tests() as f64
    }

    /// Overlapping pairs found in this frame.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.0.pairs()
    }

    /// Overlapping pairs not found in this frame.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn missed(&self) -> u32 {
        self.0.missed()
    }

    /// Whether somebody looks for those.
    #[wasm_bindgen(getter, js_name = isJudged)]
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.0.is_judged()
    }

    /// Objects with at least one partner.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn touching(&self) -> u32 {
        self.0.touching()
    }

    /// Bytes that the technique holds between frames.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.0.bytes() as u32
    }

    /// Tests in all frames since the start, or since the technique was changed.
    #[wasm_bindgen(getter, js_name = sumTests)]
    #[must_use]
    pub fn sum_tests(&self) -> f64 {
        self.0.sums().tests as f64
    }

    /// Places in cells, tiles or nodes that held an object in all those frames; 0 where there are none.
    #[wasm_bindgen(getter, js_name = sumPlaces)]
    #[must_use]
    pub fn sum_places(&self) -> f64 {
        self.0.sums().places as f64
    }

    /// Pairs found in all those frames.
    #[wasm_bindgen(getter, js_name = sumPairs)]
    #[must_use]
    pub fn sum_pairs(&self) -> f64 {
        self.0.sums().pairs as f64
    }

    /// Pairs missed in all those frames.
    #[wasm_bindgen(getter, js_name = sumMissed)]
    #[must_use]
    pub fn sum_missed(&self) -> f64 {
        self.0.sums().missed as f64
    }

    /// Where the objects are: a `Float32Array` of x, y, width and height each.
    #[wasm_bindgen(js_name = objectsPointer)]
    #[must_use]
    pub fn objects_pointer(&self) -> usize {
        self.0.drawn().as_ptr().addr()
    }

    /// How many numbers that are.
    #[wasm_bindgen(getter, js_name = objectsLength)]
    #[must_use]
    pub fn objects_length(&self) -> usize {
        4 * self.0.drawn().len()
    }

    /// A `Uint8Array`, an object a byte: bit 0 it touches another, bit 1 it is in a pair that was missed.
    #[wasm_bindgen(js_name = flagsPointer)]
    #[must_use]
    pub fn flags_pointer(&self) -> usize {
        self.0.flags().as_ptr().addr()
    }

    /// What was struck: a `Float32Array` of x, size, impulse and whether it was a wall (1 or 0) each.
    #[wasm_bindgen(js_name = strikesPointer)]
    #[must_use]
    pub fn strikes_pointer(&self) -> usize {
        self.0.strikes().as_ptr().addr()
    }

    /// How many numbers that are.
    #[wasm_bindgen(getter, js_name = strikesLength)]
    #[must_use]
    pub fn strikes_length(&self) -> usize {
        4 * self.0.strikes().len()
    }

    /// Searches once more and notes the cells that it looks into.
    pub fn look(&mut self) {
        self.0.look();
    }

    /// Cells, tiles or nodes of the last look: a `Float32Array` of least and greatest corner each.
    #[wasm_bindgen(js_name = cellsPointer)]
    #[must_use]
    pub fn cells_pointer(&self) -> usize {
        self.0.cells().as_ptr().addr()
    }

    /// How many numbers that are.
    #[wasm_bindgen(getter, js_name = cellsLength)]
    #[must_use]
    pub fn cells_length(&self) -> usize {
        4 * self.0.cells().len()
    }

    /// What the search did with one object, as JSON; `null` if there is no such object.
    #[must_use]
    pub fn inspect(&self, object: u32) -> String {
        self.0.inspect(object).map_or_else(|| "null".to_owned(), |inspection| inspection.to_json())
    }

    /// The smallest object under a point, or else the nearest within `reach`; −1 if there is none.
    #[wasm_bindgen(js_name = objectAt)]
    #[must_use]
    pub fn object_at(&self, x: f32, y: f32, reach: f32) -> i32 {
        self.0.object_at([x, y], reach).map_or(-1, u32::cast_signed)
    }

    /// Which technique suits this world as it is now, and why, as JSON.
    #[must_use]
    pub fn advice(&self) -> String {
        self.0.advice().to_json()
    }
}

fn refusal(problems: &Problems) -> JsError {
    JsError::new(&problems.to_json())
}
