//! What does the page show in words? Lists as JSON; names and values, no sentences.

use embate::dynamics::{BodyType, ContactManifold};
use embate_studies::replica::lasch::{BroadPhase, Config, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::Workshop;
use super::words;
use crate::scene_world::Method;

/// Contacts a page of the list: as many as are seen at once, since a page writes and paints them anew several times a second.
pub(super) const CONTACTS_A_PAGE: usize = 20;

/// A body of the list, written as it is: a tree of values for each of a thousand took longer than their step.
#[derive(Serialize)]
struct BodyRow {
    key: u32,
    name: String,
    shape: &'static str,
    mass: f32,
    r#type: &'static str,
    restitution: f32,
    friction: f32,
}

impl Workshop {
    /// The scene's words as it stands; at its beginning, the words it began with.
    #[must_use]
    pub fn words(&self) -> String {
        if self.step == 0 && self.actions.is_empty() {
            return self.live.words.text();
        }
        self.live.standing().text()
    }

    /// Every body: what does not change by moving.
    #[must_use]
    pub fn bodies(&self) -> String {
        let body = |place: usize| {
            let body = self.live.world.body(self.live.ids[place])?;
            Some(BodyRow {
                key: self.live.words.bodies[place].key,
                name: self.live.words.name_at(place),
                shape: body.shape().type_name(),
                mass: body.mass(),
                r#type: match body.body_type() {
                    BodyType::Dynamic => "dynamic",
                    BodyType::Kinematic => "kinematic",
                    BodyType::Fixed => "fixed",
                },
                restitution: body.material().restitution,
                friction: body.material().friction,
            })
        };
        let all: Vec<BodyRow> = (0..self.live.ids.len()).filter_map(body).collect();
        // Nothing of it can fail: names are text, and the engine takes no other numbers than JSON has.
        serde_json::to_string(&all).unwrap_or_default()
    }

    /// The words of one body as it stands, for a form; `None` if there is none.
    #[must_use]
    pub fn body(&self, key: u32) -> Option<String> {
        let place = self.live.words.place_of(key)?;
        let body = self.live.world.body(self.live.ids[place])?;
        let mut told = self.live.words.bodies[place].words.clone();
        told.insert("position".to_owned(), words::vector(body.position()));
        told.insert("orientation".to_owned(), words::quaternion(body.pose().rotation));
        told.insert("velocity".to_owned(), words::vector(body.linear_velocity()));
        told.insert("angular_velocity".to_owned(), words::vector(body.angular_velocity()));
        Some(Value::Object(told).to_string())
    }

    /// What holds for all bodies.
    #[must_use]
    pub fn rules(&self) -> String {
        let settings = self.live.world.settings();
        let head = &self.live.words.head;
        let bounds = settings.bounds.as_ref().map(words::bounds);
        let method = self.live.world.method();
        let Config { broad_phase, response, tolerance } = match method {
            Method::Lasch(config) => config,
            Method::Engine(_) => Config {
                broad_phase: BroadPhase::AUTO,
                response: Response::Impulse,
                tolerance: 0.0,
            },
        };
        json!({
            "name": head.get("name"),
            "description": head.get("description"),
            "gravity": words::vector(settings.gravity),
            "time_step": words::number(settings.time_step),
            "substeps": settings.substeps,
            "enable_sleep": settings.enable_sleep,
            "bounds": bounds,
            "solver": method.solver_name(),
            "broad_phase": broad_phase.name(),
            "response": response.name(),
            "tolerance": words::number(tolerance),
        })
        .to_string()
    }

    /// A page of all contacts, or of those of one body; the first page is 0, and one after the last is empty.
    #[must_use]
    pub fn contacts(&self, key: Option<u32>, page: u32) -> String {
        let id = key.and_then(|key| self.live.id_of(key));
        let wanted = |contact: &ContactManifold| {
            key.is_none() || contact.bodies.iter().any(|&body| Some(body) == id)
        };
        let list: Vec<Value> = self
            .live
            .world
            .contacts()
            .filter(wanted)
            .flat_map(|contact| {
                let keys = contact.bodies.map(|body| self.live.key_of(body));
                contact.points().to_vec().into_iter().map(move |held| {
                    json!({
                        "bodies": keys,
                        "point": held.position.to_array(),
                        "normal": contact.normal.to_array(),
                        "depth": held.penetration,
                        "impulse": held.normal_impulse,
                        "velocity": contact.approach_velocity.to_array(),
                    })
                })
            })
            .skip((page as usize).saturating_mul(CONTACTS_A_PAGE))
            .take(CONTACTS_A_PAGE)
            .collect();
        Value::from(list).to_string()
    }
}
