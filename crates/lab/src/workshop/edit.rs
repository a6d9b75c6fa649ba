//! What may somebody change?

use embate::Vec3;
use serde_json::Value;

use super::Workshop;
use super::action::Action;
use super::change::{gone, without_nulls};
use super::document::BodyWords;
use super::error::EditError;
use super::room::{Spot, Wish, has_end, no_room};
use super::words::{self, Words};
use crate::scene_file::{SceneErrorKind, upgrade};

impl Workshop {
    /// Adds a body of these words and returns its key. It gets a name that is free.
    ///
    /// # Errors
    /// What is wrong with it, and what to do.
    pub fn add(&mut self, text: &str) -> Result<u32, EditError> {
        let mut words = without_nulls(object(text)?);
        upgrade::upgrade_body(&mut words);
        if let Some(name) = words.get("name").and_then(Value::as_str) {
            let name = self.live.words.free_name(name);
            words.insert("name".to_owned(), name.into());
        }
        let key = self.live.words.next_key;
        self.change_by(Action::Add(BodyWords { key, words }))?;
        Ok(key)
    }

    /// Adds a body of these words where there is room for it, wherever they place it, and returns its key.
    ///
    /// # Errors
    /// What is wrong with it; that there is no room.
    pub fn add_where_free(&mut self, text: &str, spot: Spot) -> Result<u32, EditError> {
        let mut words = without_nulls(object(text)?);
        words.remove("position");
        let body = self.read(&words)?;
        let wish = self.live.wish_of(spot, &body.shape, body.pose);
        let place = self.live.room_for(&body.shape, body.pose, &wish).ok_or_else(no_room)?;
        words.insert("position".to_owned(), words::vector(place));
        self.add(&Value::Object(words).to_string())
    }

    /// Adds a copy of a body, beside it or as near as there is room, and returns its key.
    ///
    /// # Errors
    /// If there is no such body, or no room.
    pub fn duplicate(&mut self, key: u32) -> Result<u32, EditError> {
        let place = self.live.words.place_of(key).ok_or_else(gone)?;
        let body = self.live.world.body(self.live.ids[place]).ok_or_else(gone)?;
        let bounds = body.aabb();
        let wide = if has_end(&bounds) { bounds.max[0] - bounds.min[0] } else { 1.0 };
        // So far beside it that they do not touch.
        let beside = body.position() + Vec3::X * (1.25 * wide);
        let wish = Wish { place: beside, gap: 0.0, steepness: 1.0 };
        let position = self.live.room_for(body.shape(), body.pose(), &wish).ok_or_else(no_room)?;
        let mut words = self.live.standing_body(place);
        words.insert("position".to_owned(), words::vector(position));
        words.insert("name".to_owned(), self.live.words.name_at(place).into());
        self.add(&Value::Object(words).to_string())
    }

    /// Takes a body away; false if there is none.
    pub fn remove(&mut self, key: u32) -> bool {
        self.change_by(Action::Remove(key)).is_ok()
    }

    /// Gives a body other words, those that are told; `null` stands for the usual value, and within a list for the
    /// part that the body has now: `"position": [1, null, null]` leaves y and z alone.
    ///
    /// # Errors
    /// What is wrong with them; the world is as before.
    pub fn change(&mut self, key: u32, text: &str) -> Result<(), EditError> {
        let place = self.live.words.place_of(key).ok_or_else(gone)?;
        let mut changes = object(text)?;
        upgrade::upgrade_body_change(&mut changes, &self.live.words.bodies[place].words);
        let words = filled(changes, &self.live.standing_body(place));
        self.change_by(Action::Change(BodyWords { key, words }))
    }

    /// Changes what holds for all bodies: gravity, bounds, method…; `null` stands for the usual value, and within a
    /// list for the part that holds now. Of bounds what is not told stays as well: `"bounds": {"min": [1, null, null]}`.
    ///
    /// # Errors
    /// What is wrong with it; the world is as before.
    pub fn change_rules(&mut self, text: &str) -> Result<(), EditError> {
        let settings = self.live.world.settings();
        let now = Words::from_iter([("gravity".to_owned(), words::vector(settings.gravity))]);
        let mut changes = object(text)?;
        upgrade::upgrade_settings(&mut changes);
        let mut words = filled(changes, &now);
        if let (Some(Value::Object(changes)), Some(bounds)) =
            (words.get_mut("bounds"), settings.bounds)
        {
            let mut whole = words::bounds(&bounds);
            whole.extend(filled(std::mem::take(changes), &whole.clone()));
            *changes = whole;
        }
        self.change_by(Action::Rules(words))
    }
}

/// What is `null` within lists is as it is now; where that is told by no words, it is 0.
fn filled(mut changes: Words, now: &Words) -> Words {
    for (key, value) in &mut changes {
        let Value::Array(parts) = value else { continue };
        for (place, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.is_null()) {
            let has = now.get(key).and_then(|now| now.get(place));
            *part = has.cloned().unwrap_or_else(|| Value::from(0));
        }
    }
    changes
}

fn object(text: &str) -> Result<Words, EditError> {
    serde_json::from_str(text).map_err(|_| SceneErrorKind::NotAnObject { expected: "body" }.into())
}
