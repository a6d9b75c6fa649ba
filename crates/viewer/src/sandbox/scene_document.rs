//! Scene document: the JSON of a scene, as it is edited, saved and linked to.
//!
//! Earlier keys are [upgraded](upgrade) to the documented ones, which alone are written.
//!
//! Every body has a key that stays with it while others are added and removed; names may be
//! missing, and indices shift.

use std::sync::Arc;

use embate_scene::scene_file::upgrade;
use serde_json::{Map, Value};

use super::json_value::{self, JsonObject};

/// Keys that a fixed body of a scene file does not have.
const MOTION_KEYS: [&str; 3] = ["mass", "velocity", "angular_velocity"];

/// A body's own words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BodyJson {
    pub(super) key: u32,
    pub(super) json: JsonObject,
}

/// JSON of a joint; its bodies are given by key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JointJson {
    pub(super) bodies: [u32; 2],
    pub(super) json: JsonObject,
}

/// JSON of an applied force; its body is given by key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ForceJson {
    pub(super) body: u32,
    pub(super) json: JsonObject,
}

/// A scene that the reader has accepted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SceneDocument {
    /// Every key of the file but bodies, joints and forces.
    pub(super) head: JsonObject,
    /// Shared with the frames that were kept: a change of one body copies the words of that one
    /// alone.
    pub(super) bodies: Vec<Arc<BodyJson>>,
    pub(super) joints: Vec<JointJson>,
    pub(super) forces: Vec<ForceJson>,
    /// No body had it yet.
    pub(super) next_key: u32,
}

impl SceneDocument {
    /// Of a text that the reader has accepted: `None` never happens then.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut head: JsonObject =
            serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
        let mut list = |key: &str| match head.remove(key) {
            Some(Value::Array(parts)) => parts
                .into_iter()
                .map(|part| if let Value::Object(json) = part { json } else { Map::new() })
                .collect(),
            _ => Vec::new(),
        };
        let (mut bodies, mut joints): (Vec<JsonObject>, Vec<JsonObject>) =
            (list("bodies"), list("joints"));
        bodies.iter_mut().for_each(upgrade::upgrade_body);
        let forces: Vec<JsonObject> = list("forces");
        joints.iter_mut().for_each(upgrade::upgrade_joint);
        head.remove("$schema");
        upgrade::upgrade_settings(&mut head);
        let keyed = (0..).zip(bodies).map(|(key, json)| Arc::new(BodyJson { key, json }));
        let bodies: Vec<Arc<BodyJson>> = keyed.collect();
        let find = |reference: &Value| match reference {
            Value::String(_) => bodies
                .iter()
                .find(|body| body.json.get("name") == Some(reference))
                .map(|body| body.key),
            number => number.as_u64().map(|number| number as u32),
        };
        let mut held = Vec::new();
        for mut json in joints {
            let references = json.remove("bodies")?;
            let pair = references.as_array()?;
            held.push(JointJson { bodies: [find(pair.first()?)?, find(pair.get(1)?)?], json });
        }
        let mut applied = Vec::new();
        for mut json in forces {
            applied.push(ForceJson { body: find(&json.remove("body")?)?, json });
        }
        let next_key = bodies.len() as u32;
        Some(Self { head, next_key, bodies, joints: held, forces: applied })
    }

    /// The text that `embate simulate` reads, a body a line.
    pub(super) fn text(&self) -> String {
        let mut entries: Vec<String> = Vec::new();
        let first = ["name", "description"];
        let head = first.iter().filter_map(|key| self.head.get_key_value(*key));
        let others = self.head.iter().filter(|(key, _)| !first.contains(&key.as_str()));
        for (key, value) in head.chain(others) {
            entries.push(format!("  {}: {value}", Value::from(key.as_str())));
        }
        if !self.joints.is_empty() {
            let joints = self.joints.iter().map(|joint| {
                let mut json = joint.json.clone();
                let bodies = joint.bodies.map(|key| self.index_of(key).unwrap_or(0));
                json.insert("bodies".to_owned(), bodies.into_iter().map(Value::from).collect());
                format!("    {}", json_value::line(&json))
            });
            entries.push(list("joints", joints));
        }
        if !self.forces.is_empty() {
            let forces = self.forces.iter().map(|force| {
                let mut json = force.json.clone();
                json.insert("body".to_owned(), self.index_of(force.body).unwrap_or(0).into());
                format!("    {}", json_value::line(&json))
            });
            entries.push(list("forces", forces));
        }
        let bodies = self.bodies.iter().map(|body| {
            let mut json = body.json.clone();
            if json.get("type").is_some_and(|name| name == "fixed") {
                // They were of effect before the body was fixed; the reader rejects them.
                for key in MOTION_KEYS {
                    json.remove(key);
                }
            }
            format!("    {}", json_value::line(&json))
        });
        entries.push(list("bodies", bodies));
        format!("{{\n{}\n}}\n", entries.join(",\n"))
    }

    /// Where a body stands in the list.
    pub(super) fn index_of(&self, key: u32) -> Option<usize> {
        self.bodies.iter().position(|body| body.key == key)
    }

    /// What people call the body at this place: its name, or its number.
    pub(super) fn name_at(&self, index: usize) -> String {
        let name = self.bodies.get(index).and_then(|body| body.json.get("name"));
        name.and_then(Value::as_str).map_or_else(|| format!("#{index}"), str::to_owned)
    }

    /// Takes a body out, and the joints and forces of it.
    pub(super) fn remove(&mut self, key: u32) {
        self.bodies.retain(|body| body.key != key);
        self.forces.retain(|force| force.body != key);
        self.joints.retain(|joint| !joint.bodies.contains(&key));
    }

    /// A name like this one that no body has.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let stem = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
        let stem = if stem.is_empty() { wanted } else { stem };
        let taken = |name: &str| {
            self.bodies
                .iter()
                .any(|body| body.json.get("name").and_then(Value::as_str) == Some(name))
        };
        if !taken(wanted) {
            return wanted.to_owned();
        }
        // Among n + 1 names at least one is free of n bodies.
        (2..=self.bodies.len() + 2)
            .map(|number| format!("{stem} {number}"))
            .find(|name| !taken(name))
            .unwrap_or_default()
    }
}

fn list(name: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return format!("  \"{name}\": []");
    }
    format!("  \"{name}\": [\n{}\n  ]", lines.join(",\n"))
}
