//! Edits of the sandbox: add, duplicate, remove, change bodies and settings.

use embate::Vec3;
use embate_scene::scene_file::{SceneErrorKind, upgrade};
use serde_json::Value;

use super::Sandbox;
use super::action::Action;
use super::apply_action::{unknown_body, without_nulls};
use super::error::EditError;
use super::json_value::{self, JsonObject};
use super::placement::{PlacementRequest, PlacementTarget, is_bounded, no_free_position};
use super::scene_document::BodyJson;

impl Sandbox {
    /// Adds a body of these words and returns its key. It gets a name that is free.
    ///
    /// # Errors
    /// [`EditError`].
    pub fn add(&mut self, text: &str) -> Result<u32, EditError> {
        let (key, addition) = self.addition(text)?;
        self.edit(addition)?;
        Ok(key)
    }

    /// Key and action of a new body, with a free name.
    pub(super) fn addition(&self, text: &str) -> Result<(u32, Action), EditError> {
        let mut json = without_nulls(object(text)?);
        upgrade::upgrade_body(&mut json);
        if let Some(name) = json.get("name").and_then(Value::as_str) {
            let name = self.scene.document.free_name(name);
            json.insert("name".to_owned(), name.into());
        }
        let key = self.scene.document.next_key;
        Ok((key, Action::Add(BodyJson { key, json })))
    }

    /// Adds a body of this JSON at the free position closest to `near` (x and z; the height follows
    /// from `spot`), whatever position the JSON has. Returns its key.
    ///
    /// # Errors
    /// [`EditError`], also if there is no free space.
    pub fn add_where_free(
        &mut self,
        text: &str,
        spot: PlacementTarget,
        near: Vec3,
    ) -> Result<u32, EditError> {
        let mut json = without_nulls(object(text)?);
        json.remove("position");
        let body = self.read(&json)?;
        let request = self.scene.placement_request(spot, near, &body.shape, body.pose);
        let position = self
            .scene
            .find_free_position(&body.shape, body.pose, &request)
            .ok_or_else(no_free_position)?;
        json.insert("position".to_owned(), json_value::vector(position));
        let (key, addition) = self.addition(&Value::Object(json).to_string())?;
        let lowered = self.scene.bounds_below(&body.shape, position);
        self.edit_together(std::iter::once(addition).chain(lowered).collect())?;
        Ok(key)
    }

    /// Adds a copy of a body, beside it or as near as there is room, and returns its key.
    ///
    /// # Errors
    /// If there is no such body, or no room.
    pub fn duplicate(&mut self, key: u32) -> Result<u32, EditError> {
        let index = self.scene.document.index_of(key).ok_or_else(unknown_body)?;
        let body = self.scene.world.body(self.scene.ids[index]).ok_or_else(unknown_body)?;
        let bounds = body.aabb();
        let wide = if is_bounded(&bounds) { bounds.max[0] - bounds.min[0] } else { 1.0 };
        // So far beside it that they do not touch.
        let beside = body.position() + Vec3::X * (1.25 * wide);
        let request = PlacementRequest { position: beside, gap: 0.0, steepness: 1.0 };
        let position = self
            .scene
            .find_free_position(body.shape(), body.pose(), &request)
            .ok_or_else(no_free_position)?;
        let mut json = self.scene.current_body(index);
        json.insert("position".to_owned(), json_value::vector(position));
        json.insert("name".to_owned(), self.scene.document.name_at(index).into());
        self.add(&Value::Object(json).to_string())
    }

    /// Removes every body and joint, as one undo entry; false if there is no body.
    pub fn clear(&mut self) -> bool {
        let keys = self.scene.document.bodies.iter().map(|body| body.key);
        let actions: Vec<Action> = keys.map(Action::Remove).collect();
        !actions.is_empty() && self.edit_together(actions).is_ok()
    }

    /// Takes a body away; false if there is none.
    pub fn remove(&mut self, key: u32) -> bool {
        self.edit(Action::Remove(key)).is_ok()
    }

    /// Changes the given keys of a body; `null` is the default value, and within a list the current
    /// component: `"position": [1, null, null]` keeps y and z.
    ///
    /// # Errors
    /// [`EditError`]; the world is unchanged.
    pub fn change(&mut self, key: u32, text: &str) -> Result<(), EditError> {
        let index = self.scene.document.index_of(key).ok_or_else(unknown_body)?;
        let mut changes = object(text)?;
        upgrade::upgrade_body_change(&mut changes, &self.scene.document.bodies[index].json);
        let json = filled(changes, &self.scene.current_body(index));
        self.edit(Action::Change(BodyJson { key, json }))
    }

    /// Changes settings of the scene: gravity, bounds, method…; `null` is the default value, and
    /// within a list the current component. Missing keys of bounds stay as well: `"bounds":
    /// {"min": [1, null, null]}`.
    ///
    /// # Errors
    /// [`EditError`]; the world is unchanged.
    pub fn change_settings(&mut self, text: &str) -> Result<(), EditError> {
        let action = self.settings_action(text)?;
        self.edit(action)
    }

    /// The action of changed settings.
    pub(super) fn settings_action(&self, text: &str) -> Result<Action, EditError> {
        let settings = self.scene.world.settings();
        let now =
            JsonObject::from_iter([("gravity".to_owned(), json_value::vector(settings.gravity))]);
        let mut changes = object(text)?;
        upgrade::upgrade_settings(&mut changes);
        let mut json = filled(changes, &now);
        if let (Some(Value::Object(changes)), Some(bounds)) =
            (json.get_mut("bounds"), settings.bounds)
        {
            let mut whole = json_value::bounds(&bounds);
            whole.extend(filled(std::mem::take(changes), &whole.clone()));
            *changes = whole;
        }
        Ok(Action::Rules(json))
    }
}

/// Replaces `null` within lists by the current value, or by 0 if the document has none.
fn filled(mut changes: JsonObject, now: &JsonObject) -> JsonObject {
    for (key, value) in &mut changes {
        let Value::Array(parts) = value else { continue };
        for (index, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.is_null()) {
            let has = now.get(key).and_then(|now| now.get(index));
            *part = has.cloned().unwrap_or_else(|| Value::from(0));
        }
    }
    changes
}

fn object(text: &str) -> Result<JsonObject, EditError> {
    serde_json::from_str(text).map_err(|_| SceneErrorKind::NotAnObject { expected: "body" }.into())
}
