//! Edits of the world, by forms and by hand; each can be undone.
//!
//! A rejected edit is an `Error` whose message is the JSON of `EditError::to_json`.

use embate_lab::workshop::Spot;
use wasm_bindgen::prelude::*;

use crate::{Simulator, edit_error, vector};

#[wasm_bindgen]
impl Simulator {
    /// Adds a body of these words; its key.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, words: &str) -> Result<u32, JsError> {
        self.workshop.add(words).map_err(|error| edit_error(&error))
    }

    /// Adds a body of these words where there is room for it, over the others or on the ground; its key.
    ///
    /// # Errors
    /// What is wrong with it; that there is no room.
    #[wasm_bindgen(js_name = addWhereFree)]
    pub fn add_where_free(&mut self, words: &str, on_ground: bool) -> Result<u32, JsError> {
        let spot = if on_ground { Spot::OnGround } else { Spot::Above };
        self.workshop.add_where_free(words, spot).map_err(|error| edit_error(&error))
    }

    /// Adds a copy where there is room; its key.
    ///
    /// # Errors
    /// If there is no such body, or no room.
    pub fn duplicate(&mut self, key: u32) -> Result<u32, JsError> {
        self.workshop.duplicate(key).map_err(|error| edit_error(&error))
    }

    /// Takes a body away; false if there is none.
    pub fn remove(&mut self, key: u32) -> bool {
        self.workshop.remove(key)
    }

    /// Gives a body other words.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn change(&mut self, key: u32, words: &str) -> Result<(), JsError> {
        self.workshop.change(key, words).map_err(|error| edit_error(&error))
    }

    /// Changes what holds for all bodies.
    ///
    /// # Errors
    /// What is wrong with it.
    #[wasm_bindgen(js_name = changeRules)]
    pub fn change_rules(&mut self, words: &str) -> Result<(), JsError> {
        self.workshop.change_rules(words).map_err(|error| edit_error(&error))
    }

    /// Bounds around all that is there.
    ///
    /// # Errors
    /// If something is too far away.
    pub fn enclose(&mut self) -> Result<(), JsError> {
        self.workshop.enclose().map_err(|error| edit_error(&error))
    }

    /// Takes the last change back, to which [`approach`](Self::approach) leads; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.workshop.begin_undo()
    }

    /// Does again what was taken back, to which [`approach`](Self::approach) leads; false if there is nothing.
    pub fn redo(&mut self) -> bool {
        self.workshop.begin_redo()
    }

    /// Changes that can be taken back.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn undoable(&self) -> u32 {
        self.workshop.undoable().0 as u32
    }

    /// Changes that can be done again.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn redoable(&self) -> u32 {
        self.workshop.undoable().1 as u32
    }

    /// Takes hold of a body at a point and pulls it to another.
    pub fn pull(&mut self, key: u32, held: &[f32], target: &[f32]) {
        self.workshop.pull(key, vector(held), vector(target));
    }

    /// Moves the hand.
    #[wasm_bindgen(js_name = pullTo)]
    pub fn pull_to(&mut self, target: &[f32]) {
        self.workshop.pull_to(vector(target));
    }

    /// Lets go.
    #[wasm_bindgen(js_name = letGo)]
    pub fn let_go(&mut self) {
        self.workshop.let_go();
    }

    /// Both ends of the spring by which a body is held; empty if none is.
    #[must_use]
    pub fn pulled(&self) -> Vec<f32> {
        let ends = self.workshop.pulled();
        ends.map_or_else(Vec::new, |ends| ends.iter().flat_map(|end| end.to_array()).collect())
    }

    /// Makes a body faster by so much, in m/s.
    ///
    /// # Errors
    /// If there is no such body, or it would be too fast.
    pub fn push(&mut self, key: u32, by: &[f32]) -> Result<(), JsError> {
        self.workshop.push(key, vector(by)).map_err(|error| edit_error(&error))
    }

    /// Throws a ball along a ray to where it is so far; its key.
    ///
    /// # Errors
    /// If it has no direction.
    pub fn throw(
        &mut self,
        origin: &[f32],
        direction: &[f32],
        far: f32,
        name: &str,
    ) -> Result<u32, JsError> {
        let thrown = self.workshop.throw(vector(origin), vector(direction), far, name);
        thrown.map_err(|error| edit_error(&error))
    }
}
