//! The world that runs, and which words each of its bodies and joints came from.

use std::sync::Arc;

use embate::dynamics::{BodyId, JointId, JointType};
use serde_json::Value;

use super::document::{BodyWords, Document};
use super::error::EditError;
use super::words::{self, Words};
use crate::scene_file::{SceneError, SceneErrorKind, SceneSource, read_scene, type_name};
use crate::scene_world::SceneWorld;

/// A world and the words it was made of.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) words: Arc<Document>,
    /// Of each body, in the order of the words.
    pub(super) ids: Arc<Vec<BodyId>>,
    /// Of each joint, in the order of the words.
    pub(super) joints: Arc<Vec<JointId>>,
    pub(super) world: SceneWorld,
    /// Simulated seconds before this world was made.
    pub(super) since: f64,
}

/// Farther out the reader of scenes takes nobody.
pub(super) const FAR: f32 = 1e6;

impl Live {
    pub(super) fn open(text: &str, name: &str) -> Result<Self, SceneError> {
        let scene = read_scene(text, &SceneSource::text(name))?;
        // The reader has accepted the text: it is an object.
        let words = Document::of(text).ok_or_else(|| {
            SceneError::new(name, SceneErrorKind::NotAnObject { expected: "scene" })
        })?;
        Ok(Self::new(words, &scene))
    }

    /// The world of this document.
    pub(super) fn of(words: Document) -> Result<Self, SceneErrorKind> {
        let scene = read_scene(&words.text(), &SceneSource::text("scene"));
        Ok(Self::new(words, &scene.map_err(|error| *error.kind)?))
    }

    fn new(words: Document, scene: &crate::scene_file::Scene) -> Self {
        let mut world = scene.world();
        world.count_overlap_tests(true);
        let joints = world.world().joints().map(|joint| joint.id()).collect();
        Self {
            words: Arc::new(words),
            ids: Arc::new(scene.ids().to_vec()),
            joints: Arc::new(joints),
            world,
            since: 0.0,
        }
    }

    /// Simulated seconds since the beginning.
    pub(super) fn time(&self) -> f64 {
        self.since + self.world.time()
    }

    /// Whether all that moves stays in the plane of x and y.
    pub(super) fn is_planar(&self) -> bool {
        self.words.head.get("dimension").and_then(Value::as_u64) == Some(2)
    }

    /// What fell for ever cannot be told in words any more.
    pub(super) fn nobody_is_too_far(&self) -> Result<(), EditError> {
        let far = |&id: &BodyId| {
            let body = self.world.body(id);
            body.is_some_and(|body| !body.position().to_array().iter().all(|at| at.abs() <= FAR))
        };
        match self.ids.iter().position(far) {
            Some(place) => Err(EditError::TooFar { name: self.words.name_at(place), max: FAR }),
            None => Ok(()),
        }
    }

    /// Its words and names, which are shared.
    pub(super) fn names(&self) -> (Arc<Document>, Arc<Vec<BodyId>>, Arc<Vec<JointId>>) {
        (Arc::clone(&self.words), Arc::clone(&self.ids), Arc::clone(&self.joints))
    }

    pub(super) fn id_of(&self, key: u32) -> Option<BodyId> {
        self.words.place_of(key).map(|place| self.ids[place])
    }

    /// How strongly gravity acts on a body, as its words say.
    pub(super) fn gravity_scale(&self, key: u32) -> f32 {
        let place = self.words.place_of(key);
        let told = place.and_then(|place| self.words.bodies[place].words.get("gravity_scale"));
        told.and_then(Value::as_f64).unwrap_or(1.0) as f32
    }

    pub(super) fn key_of(&self, id: BodyId) -> Option<u32> {
        let place = self.ids.iter().position(|&each| each == id)?;
        Some(self.words.bodies[place].key)
    }

    /// The words of the scene as it stands now: opened anew, bodies are where they are and move as they do.
    pub(super) fn standing(&self) -> Document {
        let mut document = (*self.words).clone();
        for (place, body) in document.bodies.iter_mut().enumerate() {
            *body = Arc::new(BodyWords { key: body.key, words: self.standing_body(place) });
        }
        let joints = self.words.joints.iter().zip(self.joints.iter());
        for (stands, (joint, &id)) in document.joints.iter_mut().zip(joints) {
            self.put_joint(id, joint.bodies[0], &mut stands.words);
        }
        document
    }

    /// The words of the body at this place as it stands now.
    pub(super) fn standing_body(&self, place: usize) -> Words {
        let mut told = self.words.bodies[place].words.clone();
        if let Some(now) = self.world.body(self.ids[place]) {
            put(&mut told, "position", words::vector(now.position()));
            put(&mut told, "orientation", words::quaternion(now.pose().rotation));
            put(&mut told, "velocity", words::vector(now.linear_velocity()));
            put(&mut told, "angular_velocity", words::vector(now.angular_velocity()));
        }
        told
    }

    /// A joint's places are told as the bodies stand, and its angles and ways from there.
    fn put_joint(&self, id: JointId, first: u32, stands: &mut Words) {
        let (Some(joint), Some(place)) = (self.world.world().joint(id), self.words.place_of(first))
        else {
            return;
        };
        let kind = joint.joint_type();
        let Some(Value::Object(own)) =
            stands.get_mut("joint").and_then(|joint| joint.get_mut(type_name(kind)))
        else {
            return;
        };
        let [from, to] = joint.anchors();
        if matches!(kind, JointType::Distance | JointType::Spring) {
            let was = words::vector_of(own, "to") - words::vector_of(own, "from");
            if !own.contains_key("rest_length") && !own.contains_key("limits") {
                own.insert("rest_length".to_owned(), words::number(was.length()));
            }
            own.insert("from".to_owned(), words::vector(from));
            own.insert("to".to_owned(), words::vector(to));
            return;
        }
        own.insert("anchor".to_owned(), words::vector(from));
        if own.contains_key("axis") {
            let axis = words::vector_of(own, "axis");
            let was = words::rotation_of(&self.words.bodies[place].words);
            let now = self.world.body(self.ids[place]).map_or(was, |body| body.pose().rotation);
            own.insert("axis".to_owned(), words::vector(now.rotate(was.inverse_rotate(axis))));
        }
        let gone = joint.angle().or_else(|| joint.translation()).unwrap_or(0.0);
        if let Some(Value::Array(limits)) = own.get_mut("limits") {
            for limit in limits {
                *limit = words::number(limit.as_f64().unwrap_or(0.0) as f32 - gone);
            }
        }
    }
}

/// Zeros and no turn are what a body has without words.
fn put(into: &mut Words, key: &str, value: Value) {
    let usual = if key == "orientation" {
        value
            .as_array()
            .is_some_and(|list| list.iter().take(3).all(|each| each.as_f64() == Some(0.0)))
    } else {
        value.as_array().is_some_and(|list| list.iter().all(|each| each.as_f64() == Some(0.0)))
    };
    if usual {
        into.remove(key);
    } else {
        into.insert(key.to_owned(), value);
    }
}
