//! Edits of the world by forms and by pointer; each can be undone.
//!
//! A rejected edit is an `Error` whose message is the JSON of `EditError::to_json`.

use embate_viewer::sandbox::PlacementTarget;
use wasm_bindgen::prelude::*;

use crate::{Simulator, edit_error, vector};

#[wasm_bindgen]
impl Simulator {
    /// Adds a body of this JSON; returns its key.
    ///
    /// # Errors
    /// Invalid JSON or values.
    pub fn add(&mut self, json: &str) -> Result<u32, JsError> {
        self.sandbox.add(json).map_err(|error| edit_error(&error))
    }

    /// Adds a body of this JSON at a free position close to the x and z of `near`, above what is
    /// there or on the ground; returns its key.
    ///
    /// # Errors
    /// Invalid body, or no free position.
    #[wasm_bindgen(js_name = addWhereFree)]
    pub fn add_where_free(
        &mut self,
        json: &str,
        on_ground: bool,
        near: &[f32],
    ) -> Result<u32, JsError> {
        let spot = if on_ground { PlacementTarget::OnGround } else { PlacementTarget::Above };
        self.sandbox.add_where_free(json, spot, vector(near)).map_err(|error| edit_error(&error))
    }

    /// Adds a copy of a body at a free position; returns its key.
    ///
    /// # Errors
    /// No such body, or no free position.
    pub fn duplicate(&mut self, key: u32) -> Result<u32, JsError> {
        self.sandbox.duplicate(key).map_err(|error| edit_error(&error))
    }

    /// Removes every body; false if there is none.
    pub fn clear(&mut self) -> bool {
        self.sandbox.clear()
    }

    /// Removes a body; false if it does not exist.
    pub fn remove(&mut self, key: u32) -> bool {
        self.sandbox.remove(key)
    }

    /// Replaces the JSON of a body.
    ///
    /// # Errors
    /// Invalid JSON or values.
    pub fn change(&mut self, key: u32, json: &str) -> Result<(), JsError> {
        self.sandbox.change(key, json).map_err(|error| edit_error(&error))
    }

    /// Changes the settings of the world.
    ///
    /// # Errors
    /// Invalid JSON or values.
    #[wasm_bindgen(js_name = changeSettings)]
    pub fn change_settings(&mut self, json: &str) -> Result<(), JsError> {
        self.sandbox.change_settings(json).map_err(|error| edit_error(&error))
    }

    /// Sets bounds around all bodies.
    ///
    /// # Errors
    /// If a body is too far away.
    pub fn enclose(&mut self) -> Result<(), JsError> {
        self.sandbox.enclose().map_err(|error| edit_error(&error))
    }

    /// Starts to undo the last edit, by a seek ([`advance_seek`](Self::advance_seek)); false if
    /// there is none.
    pub fn undo(&mut self) -> bool {
        self.sandbox.begin_undo()
    }

    /// Starts to redo the last undone edit, by a seek; false if there is none.
    pub fn redo(&mut self) -> bool {
        self.sandbox.begin_redo()
    }

    /// Number of edits that can be undone.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn undoable(&self) -> u32 {
        self.sandbox.undoable().0 as u32
    }

    /// Number of edits that can be redone.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn redoable(&self) -> u32 {
        self.sandbox.undoable().1 as u32
    }

    /// Grabs a body at a point and pulls that point to a target, by a spring.
    pub fn pull(&mut self, key: u32, point: &[f32], target: &[f32]) {
        self.sandbox.pull(key, vector(point), vector(target));
    }

    /// Moves the target.
    #[wasm_bindgen(js_name = pullTo)]
    pub fn pull_to(&mut self, target: &[f32]) {
        self.sandbox.pull_to(vector(target));
    }

    /// Releases the body.
    pub fn release(&mut self) {
        self.sandbox.release();
    }

    /// Both ends of the spring; empty if no body is grabbed.
    #[wasm_bindgen(js_name = pullPoints)]
    #[must_use]
    pub fn pull_points(&self) -> Vec<f32> {
        let ends = self.sandbox.pull_points();
        ends.map_or_else(Vec::new, |ends| ends.iter().flat_map(|end| end.to_array()).collect())
    }

    /// Adds to the velocity of a body, in m/s.
    ///
    /// # Errors
    /// No such body, or a speed above the limit.
    pub fn push(&mut self, key: u32, delta: &[f32]) -> Result<(), JsError> {
        self.sandbox.push(key, vector(delta)).map_err(|error| edit_error(&error))
    }

    /// Throws a ball along a ray through the point at this distance; returns its key.
    ///
    /// # Errors
    /// A direction of length 0.
    pub fn throw(
        &mut self,
        origin: &[f32],
        direction: &[f32],
        distance: f32,
        name: &str,
    ) -> Result<u32, JsError> {
        let thrown = self.sandbox.throw(vector(origin), vector(direction), distance, name);
        thrown.map_err(|error| edit_error(&error))
    }
}
