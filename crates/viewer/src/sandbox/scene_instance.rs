//! Scene instance: the running world, and the JSON of each of its bodies and joints.

use std::sync::Arc;

use embate::dynamics::{BodyId, JointId, JointType};
use embate_replica::lasch::{AppliedForce, AppliedForces};
use embate_scene::scene_file::{SceneError, SceneErrorKind, SceneSource, read_scene, type_name};
use embate_scene::scene_world::SceneWorld;
use serde_json::Value;

use super::error::EditError;
use super::json_value::{self, JsonObject};
use super::scene_document::{BodyJson, SceneDocument};

/// A world and the words it was made of.
#[derive(Clone, Debug)]
pub(super) struct SceneInstance {
    pub(super) document: Arc<SceneDocument>,
    /// Of each body, in the order of the words.
    pub(super) ids: Arc<Vec<BodyId>>,
    /// Of each joint, in the order of the words.
    pub(super) joints: Arc<Vec<JointId>>,
    /// Each applied force, in the order of the words; its times are those of the world.
    pub(super) forces: Arc<Vec<AppliedForce>>,
    pub(super) world: SceneWorld,
    /// Simulated seconds before this world was made.
    pub(super) since: f64,
}

/// The words of a scene, and the ids of what they name.
#[derive(Clone, Debug)]
pub(super) struct SceneNames {
    pub(super) document: Arc<SceneDocument>,
    pub(super) ids: Arc<Vec<BodyId>>,
    joints: Arc<Vec<JointId>>,
    forces: Arc<Vec<AppliedForce>>,
}

/// Maximum coordinate that the scene reader accepts.
pub(super) const MAX_COORDINATE: f32 = 1e6;

impl SceneInstance {
    pub(super) fn open(text: &str, name: &str) -> Result<Self, SceneError> {
        let scene = read_scene(text, &SceneSource::text(name))?;
        // The reader has accepted the text: it is an object.
        let document = SceneDocument::of(text).ok_or_else(|| {
            SceneError::new(name, SceneErrorKind::NotAnObject { expected: "scene" })
        })?;
        Ok(Self::new(document, &scene))
    }

    /// The world of this document.
    pub(super) fn of(document: SceneDocument) -> Result<Self, SceneErrorKind> {
        let scene = read_scene(&document.text(), &SceneSource::text("scene"));
        Ok(Self::new(document, &scene.map_err(|error| *error.kind)?))
    }

    fn new(document: SceneDocument, scene: &embate_scene::scene_file::Scene) -> Self {
        let mut world = scene.world();
        world.count_overlap_tests(true);
        let joints = world.world().joints().map(|joint| joint.id()).collect();
        Self {
            document: Arc::new(document),
            ids: Arc::new(scene.ids().to_vec()),
            joints: Arc::new(joints),
            forces: Arc::new(scene.forces.clone()),
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
        self.document.head.get("dimension").and_then(Value::as_u64) == Some(2)
    }

    /// Checks that every body is within the coordinates that a scene can have.
    pub(super) fn check_within_range(&self) -> Result<(), EditError> {
        let far = |&id: &BodyId| {
            let body = self.world.body(id);
            body.is_some_and(|body| {
                !body.position().to_array().iter().all(|at| at.abs() <= MAX_COORDINATE)
            })
        };
        match self.ids.iter().position(far) {
            Some(index) => {
                Err(EditError::TooFar { name: self.document.name_at(index), max: MAX_COORDINATE })
            }
            None => Ok(()),
        }
    }

    /// Its words and names, which are shared.
    pub(super) fn names(&self) -> SceneNames {
        SceneNames {
            document: Arc::clone(&self.document),
            ids: Arc::clone(&self.ids),
            joints: Arc::clone(&self.joints),
            forces: Arc::clone(&self.forces),
        }
    }

    /// Takes other words and names, those of the state that the world was restored to.
    pub(super) fn set_names(&mut self, names: &SceneNames) {
        let SceneNames { document, ids, joints, forces } = names.clone();
        (self.document, self.ids, self.joints) = (document, ids, joints);
        if !Arc::ptr_eq(&self.forces, &forces) {
            self.set_forces(forces);
        }
    }

    /// Drops the forces of a body from the words and the world.
    pub(super) fn remove_forces_of(&mut self, key: u32) {
        let forces = self.document.forces.iter().zip(self.forces.iter());
        let kept = forces.filter(|(words, _)| words.body != key).map(|(_, force)| *force);
        let kept: Vec<AppliedForce> = kept.collect();
        if kept.len() < self.forces.len() {
            Arc::make_mut(&mut self.document).forces.retain(|force| force.body != key);
            self.set_forces(Arc::new(kept));
        }
    }

    /// Applies the forces of a body that was replaced to the new one.
    pub(super) fn move_forces(&mut self, from: BodyId, to: BodyId) {
        if self.forces.iter().any(|force| force.body == from) {
            let moved = |force: &AppliedForce| {
                let body = if force.body == from { to } else { force.body };
                AppliedForce { body, ..*force }
            };
            self.set_forces(Arc::new(self.forces.iter().map(moved).collect()));
        }
    }

    fn set_forces(&mut self, forces: Arc<Vec<AppliedForce>>) {
        self.world.set_forces(AppliedForces::new(forces.to_vec()));
        self.forces = forces;
    }

    pub(super) fn id_of(&self, key: u32) -> Option<BodyId> {
        self.document.index_of(key).map(|index| self.ids[index])
    }

    /// How strongly gravity acts on a body, as its words say.
    pub(super) fn gravity_scale(&self, key: u32) -> f32 {
        let index = self.document.index_of(key);
        let json = index.and_then(|index| self.document.bodies[index].json.get("gravity_scale"));
        json.and_then(Value::as_f64).unwrap_or(1.0) as f32
    }

    pub(super) fn key_of(&self, id: BodyId) -> Option<u32> {
        let index = self.ids.iter().position(|&each| each == id)?;
        Some(self.document.bodies[index].key)
    }

    /// The document of the current state: opened again, bodies have their current poses and
    /// velocities.
    pub(super) fn current_document(&self) -> SceneDocument {
        let mut document = (*self.document).clone();
        for (index, body) in document.bodies.iter_mut().enumerate() {
            *body = Arc::new(BodyJson { key: body.key, json: self.current_body(index) });
        }
        let joints = self.document.joints.iter().zip(self.joints.iter());
        for (stands, (joint, &id)) in document.joints.iter_mut().zip(joints) {
            self.put_joint(id, joint.bodies[0], &mut stands.json);
        }
        // Time begins at 0 again: the windows of the forces move, and those that are over are gone.
        let mut forces = std::mem::take(&mut document.forces);
        let windows = forces.iter_mut().zip(self.forces.iter());
        for (words, force) in windows {
            put_window(&mut words.json, force, self.world.time());
        }
        let lasts = self.forces.iter().map(|force| force.until > self.world.time());
        document.forces =
            forces.into_iter().zip(lasts).filter(|each| each.1).map(|each| each.0).collect();
        document
    }

    /// The words of the body at this place as it stands now.
    pub(super) fn current_body(&self, index: usize) -> JsonObject {
        let mut json = self.document.bodies[index].json.clone();
        if let Some(now) = self.world.body(self.ids[index]) {
            put(&mut json, "position", json_value::vector(now.position()));
            put(&mut json, "orientation", json_value::quaternion(now.pose().rotation));
            put(&mut json, "velocity", json_value::vector(now.linear_velocity()));
            put(&mut json, "angular_velocity", json_value::vector(now.angular_velocity()));
        }
        json
    }

    /// Writes the anchors of a joint for the current poses, and its limits relative to them.
    fn put_joint(&self, id: JointId, first: u32, stands: &mut JsonObject) {
        let (Some(joint), Some(index)) =
            (self.world.world().joint(id), self.document.index_of(first))
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
            let was = json_value::vector_of(own, "to") - json_value::vector_of(own, "from");
            if !own.contains_key("rest_length") && !own.contains_key("limits") {
                own.insert("rest_length".to_owned(), json_value::number(was.length()));
            }
            own.insert("from".to_owned(), json_value::vector(from));
            own.insert("to".to_owned(), json_value::vector(to));
            return;
        }
        own.insert("anchor".to_owned(), json_value::vector(from));
        if own.contains_key("axis") {
            let axis = json_value::vector_of(own, "axis");
            let was = json_value::rotation_of(&self.document.bodies[index].json);
            let now = self.world.body(self.ids[index]).map_or(was, |body| body.pose().rotation);
            own.insert("axis".to_owned(), json_value::vector(now.rotate(was.inverse_rotate(axis))));
        }
        let offset = joint.angle().or_else(|| joint.translation()).unwrap_or(0.0);
        if let Some(Value::Array(limits)) = own.get_mut("limits") {
            for limit in limits {
                *limit = json_value::number(limit.as_f64().unwrap_or(0.0) as f32 - offset);
            }
        }
    }
}

/// Writes the window of a force for a world that begins at `time`.
fn put_window(into: &mut JsonObject, force: &AppliedForce, time: f64) {
    into.remove("from");
    if force.from > time {
        into.insert("from".to_owned(), json_value::number((force.from - time) as f32));
    }
    if force.until.is_finite() {
        into.insert("until".to_owned(), json_value::number((force.until - time) as f32));
    }
}

/// Zeros and no turn are what a body has without words.
fn put(into: &mut JsonObject, key: &str, value: Value) {
    let is_default = if key == "orientation" {
        value
            .as_array()
            .is_some_and(|list| list.iter().take(3).all(|each| each.as_f64() == Some(0.0)))
    } else {
        value.as_array().is_some_and(|list| list.iter().all(|each| each.as_f64() == Some(0.0)))
    };
    if is_default {
        into.remove(key);
    } else {
        into.insert(key.to_owned(), value);
    }
}
