//! Wasm module of the 2D view.
//!
//! Converts between JavaScript and `embate_viewer::broad_phase_viewer`. Lists are returned as
//! addresses in this module's memory. A typed array over such an address is valid until the memory
//! grows, which any call may cause: `memory.buffer` is then a new object, and the array must be
//! created again.

use embate_viewer::broad_phase_viewer::{self, FieldErrors};
use wasm_bindgen::prelude::*;

embate_viewer::export_last_panic!();

/// Techniques, limits, the default scene and the experiments of the study, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn catalog() -> String {
    broad_phase_viewer::catalog()
}

/// Running world, and the broad phase that searches it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run(broad_phase_viewer::ViewerRun);

#[wasm_bindgen]
impl Run {
    /// World of these parameters, before its first frame.
    ///
    /// # Errors
    /// An `Error` whose message is JSON: `{"problems":[…]}`.
    #[wasm_bindgen(constructor)]
    pub fn new(parameters: &str) -> Result<Run, JsError> {
        broad_phase_viewer::ViewerRun::new(parameters)
            .map(Self)
            .map_err(|problems| refusal(&problems))
    }

    /// Changes the technique of the running world, and resets the totals.
    ///
    /// # Errors
    /// As the constructor; the run is then unchanged.
    pub fn change(&mut self, technique: &str, cell_size: f64) -> Result<(), JsError> {
        self.0.change(technique, cell_size).map_err(|problems| refusal(&problems))
    }

    /// Moves all objects by one frame, 1/60 s.
    pub fn advance(&mut self) {
        self.0.advance();
    }

    /// Finds the overlapping pairs. The page times this call alone.
    pub fn detect(&mut self) {
        self.0.detect();
    }

    /// Repeats the search with counters, searches for missed pairs, and updates the totals.
    pub fn settle(&mut self) {
        self.0.settle();
    }

    /// Frames since the start.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn frame(&self) -> f64 {
        self.0.frame() as f64
    }

    /// Number of objects.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn objects(&self) -> u32 {
        self.0.objects()
    }

    /// Pairs tested in this frame.
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

    /// Overlapping pairs missed in this frame.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn missed(&self) -> u32 {
        self.0.missed()
    }

    /// Whether missed pairs are searched for.
    #[wasm_bindgen(getter, js_name = hasReference)]
    #[must_use]
    pub fn has_reference(&self) -> bool {
        self.0.has_reference()
    }

    /// Objects in at least one overlapping pair.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn touching(&self) -> u32 {
        self.0.touching()
    }

    /// Memory that the technique keeps between frames, in bytes.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.0.bytes() as u32
    }

    /// Tests in all frames since the start, or since the last change of technique.
    #[wasm_bindgen(getter, js_name = totalTests)]
    #[must_use]
    pub fn total_tests(&self) -> f64 {
        self.0.totals().tests as f64
    }

    /// References to objects in cells, tiles or nodes, summed over those frames; 0 for techniques
    /// without them.
    #[wasm_bindgen(getter, js_name = totalReferences)]
    #[must_use]
    pub fn total_references(&self) -> f64 {
        self.0.totals().places as f64
    }

    /// Pairs found in those frames.
    #[wasm_bindgen(getter, js_name = totalPairs)]
    #[must_use]
    pub fn total_pairs(&self) -> f64 {
        self.0.totals().pairs as f64
    }

    /// Pairs missed in those frames.
    #[wasm_bindgen(getter, js_name = totalMissed)]
    #[must_use]
    pub fn total_missed(&self) -> f64 {
        self.0.totals().missed as f64
    }

    /// Rectangles of the objects: a `Float32Array`, 4 numbers per object: x, y, width, height.
    #[wasm_bindgen(js_name = objectsPointer)]
    #[must_use]
    pub fn objects_pointer(&self) -> usize {
        self.0.object_rects().as_ptr().addr()
    }

    /// Length of that array.
    #[wasm_bindgen(getter, js_name = objectsLength)]
    #[must_use]
    pub fn objects_length(&self) -> usize {
        4 * self.0.object_rects().len()
    }

    /// Flags: a `Uint8Array`, one byte per object. Bit 0: in an overlapping pair; bit 1: in a missed
    /// pair.
    #[wasm_bindgen(js_name = flagsPointer)]
    #[must_use]
    pub fn flags_pointer(&self) -> usize {
        self.0.flags().as_ptr().addr()
    }

    /// Impacts: a `Float32Array`, 4 numbers per impact: x, size, impulse, 1 for a wall or 0.
    #[wasm_bindgen(js_name = impactsPointer)]
    #[must_use]
    pub fn impacts_pointer(&self) -> usize {
        self.0.impacts().as_ptr().addr()
    }

    /// Length of that array.
    #[wasm_bindgen(getter, js_name = impactsLength)]
    #[must_use]
    pub fn impacts_length(&self) -> usize {
        4 * self.0.impacts().len()
    }

    /// Repeats the search and logs the cells that it visits.
    #[wasm_bindgen(js_name = logCells)]
    pub fn log_cells(&mut self) {
        self.0.log_cells();
    }

    /// Logged cells, tiles or nodes: a `Float32Array`, 4 numbers per cell: minimum and maximum.
    #[wasm_bindgen(js_name = cellsPointer)]
    #[must_use]
    pub fn cells_pointer(&self) -> usize {
        self.0.cells().as_ptr().addr()
    }

    /// Length of that array.
    #[wasm_bindgen(getter, js_name = cellsLength)]
    #[must_use]
    pub fn cells_length(&self) -> usize {
        4 * self.0.cells().len()
    }

    /// Groups the objects by the pairs of this frame.
    #[wasm_bindgen(js_name = logGroups)]
    pub fn log_groups(&mut self) {
        self.0.log_groups();
    }

    /// Boxes around groups of two objects or more: a `Float32Array` like that of the cells.
    #[wasm_bindgen(js_name = groupsPointer)]
    #[must_use]
    pub fn groups_pointer(&self) -> usize {
        self.0.groups().as_ptr().addr()
    }

    /// Length of that array.
    #[wasm_bindgen(getter, js_name = groupsLength)]
    #[must_use]
    pub fn groups_length(&self) -> usize {
        4 * self.0.groups().len()
    }

    /// Searches once more with an octree and logs the level of each object.
    #[wasm_bindgen(js_name = logLevels)]
    pub fn log_levels(&mut self) {
        self.0.log_levels();
    }

    /// Level of each object, 0 for the root: a `Uint8Array`.
    #[wasm_bindgen(js_name = levelsPointer)]
    #[must_use]
    pub fn levels_pointer(&self) -> usize {
        self.0.levels().as_ptr().addr()
    }

    /// Length of that array; 0 for techniques without levels.
    #[wasm_bindgen(getter, js_name = levelsLength)]
    #[must_use]
    pub fn levels_length(&self) -> usize {
        self.0.levels().len()
    }

    /// Axis that the last search swept, 0 or 1, and the variances of the centers along both axes;
    /// empty for other techniques.
    #[must_use]
    pub fn sweep(&self) -> Vec<f64> {
        self.0.sweep().map_or(Vec::new(), |sweep| {
            let [x, y] = sweep.variances;
            vec![sweep.axis as f64, x, y]
        })
    }

    /// How the search treated one object, as JSON; `null` if it does not exist.
    #[must_use]
    pub fn inspect(&self, object: u32) -> String {
        self.0.inspect(object).map_or_else(|| "null".to_owned(), |inspection| inspection.to_json())
    }

    /// The smallest object under a point, otherwise the nearest within `reach`, otherwise −1.
    #[wasm_bindgen(js_name = objectAt)]
    #[must_use]
    pub fn object_at(&self, x: f32, y: f32, reach: f32) -> i32 {
        self.0.object_at([x, y], reach).map_or(-1, u32::cast_signed)
    }

    /// Recommended technique for the current state of this world, with reasons, as JSON.
    #[must_use]
    pub fn advice(&self) -> String {
        self.0.advice().to_json()
    }
}

fn refusal(problems: &FieldErrors) -> JsError {
    JsError::new(&problems.to_json())
}
