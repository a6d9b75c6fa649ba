//! Scene document: the JSON of a scene, as it is edited, saved and linked to.
//!
//! Earlier keys are [upgraded](upgrade) to the documented ones, which alone are written.
//!
//! Every body has a key that stays with it while others come and go; names may be missing, and
//! places shift.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::words::{self, Words};
use crate::scene_file::upgrade;

/// A body's own words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BodyWords {
    pub(super) key: u32,
    pub(super) words: Words,
}

/// A joint's own words; whom it holds is told by keys.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JointWords {
    pub(super) bodies: [u32; 2],
    pub(super) words: Words,
}

/// A scene that the reader has accepted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Document {
    /// Every key of the file but bodies and joints.
    pub(super) head: Words,
    /// Shared with the frames that were kept: a change of one body copies the words of that one
    /// alone.
    pub(super) bodies: Vec<Arc<BodyWords>>,
    pub(super) joints: Vec<JointWords>,
    /// No body had it yet.
    pub(super) next_key: u32,
}

impl Document {
    /// Of a text that the reader has accepted: `None` never happens then.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut head: Words = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
        let mut list = |key: &str| match head.remove(key) {
            Some(Value::Array(parts)) => parts
                .into_iter()
                .map(|part| if let Value::Object(words) = part { words } else { Map::new() })
                .collect(),
            _ => Vec::new(),
        };
        let (mut bodies, mut joints): (Vec<Words>, Vec<Words>) = (list("bodies"), list("joints"));
        bodies.iter_mut().for_each(upgrade::upgrade_body);
        joints.iter_mut().for_each(upgrade::upgrade_joint);
        head.remove("$schema");
        upgrade::upgrade_settings(&mut head);
        let keyed = (0..).zip(bodies).map(|(key, words)| Arc::new(BodyWords { key, words }));
        let bodies: Vec<Arc<BodyWords>> = keyed.collect();
        let find = |reference: &Value| match reference {
            Value::String(_) => bodies
                .iter()
                .find(|body| body.words.get("name") == Some(reference))
                .map(|body| body.key),
            number => number.as_u64().map(|number| number as u32),
        };
        let mut held = Vec::new();
        for mut words in joints {
            let references = words.remove("bodies")?;
            let pair = references.as_array()?;
            held.push(JointWords { bodies: [find(pair.first()?)?, find(pair.get(1)?)?], words });
        }
        Some(Self { head, next_key: bodies.len() as u32, bodies, joints: held })
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
                let mut words = joint.words.clone();
                let bodies = joint.bodies.map(|key| self.place_of(key).unwrap_or(0));
                words.insert("bodies".to_owned(), bodies.into_iter().map(Value::from).collect());
                format!("    {}", words::line(&words))
            });
            entries.push(list("joints", joints));
        }
        let bodies = self.bodies.iter().map(|body| format!("    {}", words::line(&body.words)));
        entries.push(list("bodies", bodies));
        format!("{{\n{}\n}}\n", entries.join(",\n"))
    }

    /// Where a body stands in the list.
    pub(super) fn place_of(&self, key: u32) -> Option<usize> {
        self.bodies.iter().position(|body| body.key == key)
    }

    /// What people call the body at this place: its name, or its number.
    pub(super) fn name_at(&self, place: usize) -> String {
        let name = self.bodies.get(place).and_then(|body| body.words.get("name"));
        name.and_then(Value::as_str).map_or_else(|| format!("#{place}"), str::to_owned)
    }

    /// Takes a body out, and the joints that hold it.
    pub(super) fn remove(&mut self, key: u32) {
        self.bodies.retain(|body| body.key != key);
        self.joints.retain(|joint| !joint.bodies.contains(&key));
    }

    /// A name like this one that no body has.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let stem = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
        let stem = if stem.is_empty() { wanted } else { stem };
        let taken = |name: &str| {
            self.bodies
                .iter()
                .any(|body| body.words.get("name").and_then(Value::as_str) == Some(name))
        };
        if !taken(wanted) {
            return wanted.to_owned();
        }
        // Of so many names, one more than there are bodies, one is free.
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
