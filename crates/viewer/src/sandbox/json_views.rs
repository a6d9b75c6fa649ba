//! JSON views: scene, bodies, settings and contacts for the panels of the page.

use embate::dynamics::{BodyType, ContactManifold};
use embate_replica::lasch::{BroadPhase, Config};
use embate_scene::scene_world::Method;
use serde::Serialize;
use serde_json::{Value, json};

use super::Sandbox;
use super::json_value;

/// Contacts per page of the list: as many as are visible at once, since the page redraws them
/// several times a second.
pub(super) const CONTACTS_PER_PAGE: usize = 20;

/// A body of the list, written as it is: a tree of values for each of a thousand took longer than
/// their step.
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

impl Sandbox {
    /// The scene's words as it stands; at its beginning, the words it began with.
    #[must_use]
    pub fn scene_json(&self) -> String {
        if self.step == 0 && self.actions.is_empty() {
            return self.scene.document.text();
        }
        self.scene.current_document().text()
    }

    /// Every body: what does not change by moving.
    #[must_use]
    pub fn bodies(&self) -> String {
        let body = |index: usize| {
            let body = self.scene.world.body(self.scene.ids[index])?;
            Some(BodyRow {
                key: self.scene.document.bodies[index].key,
                name: self.scene.document.name_at(index),
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
        let all: Vec<BodyRow> = (0..self.scene.ids.len()).filter_map(body).collect();
        // Nothing of it can fail: names are text, and the engine takes no other numbers than JSON
        // has.
        serde_json::to_string(&all).unwrap_or_default()
    }

    /// The words of one body as it stands, for a form; `None` if there is none.
    #[must_use]
    pub fn body(&self, key: u32) -> Option<String> {
        let index = self.scene.document.index_of(key)?;
        let body = self.scene.world.body(self.scene.ids[index])?;
        let mut json = self.scene.document.bodies[index].json.clone();
        json.insert("position".to_owned(), json_value::vector(body.position()));
        json.insert("orientation".to_owned(), json_value::quaternion(body.pose().rotation));
        json.insert("velocity".to_owned(), json_value::vector(body.linear_velocity()));
        json.insert("angular_velocity".to_owned(), json_value::vector(body.angular_velocity()));
        Some(Value::Object(json).to_string())
    }

    /// Settings of the whole scene.
    #[must_use]
    pub fn settings_json(&self) -> String {
        let settings = self.scene.world.settings();
        let head = &self.scene.document.head;
        let bounds = settings.bounds.as_ref().map(json_value::bounds);
        let method = self.scene.world.method();
        let config = match method {
            Method::Lasch(config) => config,
            Method::Engine(_) => Config { broad_phase: BroadPhase::AUTO, ..Config::PUBLISHED },
        };
        let Config { broad_phase, integrator, response, tolerance, position_iterations, octree } =
            config;
        json!({
            "name": head.get("name"),
            "description": head.get("description"),
            "gravity": json_value::vector(settings.gravity),
            "time_step": json_value::number(settings.time_step),
            "substeps": settings.substeps,
            "enable_sleep": settings.enable_sleep,
            "bounds": bounds,
            "solver": method.solver_name(),
            "broad_phase": broad_phase.name(),
            "integrator": integrator.name(),
            "response": response.name(),
            "tolerance": json_value::number(tolerance),
            "position_iterations": position_iterations,
            "octree": {
                "max_depth": octree.max_depth,
                "min_cell_size": json_value::number(octree.min_cell_size),
            },
        })
        .to_string()
    }

    /// A page of all contacts, or of those of one body; the first page is 0, and one after the last
    /// is empty.
    #[must_use]
    pub fn contacts(&self, key: Option<u32>, page: u32) -> String {
        let id = key.and_then(|key| self.scene.id_of(key));
        let wanted = |contact: &ContactManifold| {
            key.is_none() || contact.bodies.iter().any(|&body| Some(body) == id)
        };
        let list: Vec<Value> = self
            .scene
            .world
            .contacts()
            .filter(wanted)
            .flat_map(|contact| {
                let keys = contact.bodies.map(|body| self.scene.key_of(body));
                contact.points().to_vec().into_iter().map(move |held| {
                    json!({
                        "bodies": keys,
                        "point": held.position.to_array(),
                        "normal": contact.normal.to_array(),
                        "depth": held.penetration,
                        "impulse": held.total_normal_impulse,
                        "velocity": contact.approach_velocity.to_array(),
                    })
                })
            })
            .skip((page as usize).saturating_mul(CONTACTS_PER_PAGE))
            .take(CONTACTS_PER_PAGE)
            .collect();
        Value::from(list).to_string()
    }
}
