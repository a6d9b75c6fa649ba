//! Application of actions to the running world.
//!
//! A name changes only the document; a value with a setter in the engine is set; another shape
//! replaces the body in the same world. Only a setting of the whole world without a setter rebuilds
//! the world, in its current state.

use std::sync::Arc;

use embate::dynamics::{BodyDef, BodyMut};
use embate::{Pose, Vec3};
use embate_scene::scene_file::{Body, SceneErrorKind, SceneSource, read_body, read_scene};
use serde_json::{Value, json};

use super::Sandbox;
use super::action::Action;
use super::error::EditError;
use super::json_value::{self, JsonObject};
use super::mouse_drag::Pull;
use super::scene_document::{BodyJson, SceneDocument};
use super::scene_instance::SceneInstance;

/// What makes another body of it: the engine has no setter.
const REPLACING_KEYS: [&str; 4] = ["shape", "type", "sensor", "can_sleep"];
/// Keys whose values are read from the world, not from the document.
const STATE_KEYS: [&str; 4] = ["position", "orientation", "velocity", "angular_velocity"];
/// Keys without effect on the simulation.
const TEXT_KEYS: [&str; 3] = ["name", "description", "steps"];

/// An action after validation.
pub(super) enum ResolvedAction {
    Add(BodyJson, BodyDef),
    Remove(usize),
    /// The body at this place, all that is known of it now, and which of it is new.
    Set(usize, Box<Body>, JsonObject),
    /// The body at this place becomes another.
    Replace(usize, BodyDef, JsonObject),
    Head(JsonObject, Option<Vec3>),
    Rebuild(Box<SceneInstance>),
    Pull(Option<Pull>),
}

impl Sandbox {
    pub(super) fn resolve(&self, action: &Action) -> Result<ResolvedAction, EditError> {
        match action {
            Action::Add(body) => self.resolve_body(body),
            Action::Remove(key) => self
                .scene
                .document
                .index_of(*key)
                .map(ResolvedAction::Remove)
                .ok_or_else(unknown_body),
            Action::Change(body) => self.resolve_change(body),
            Action::Rules(json) => self.resolve_settings(json),
            Action::Pull(pull) => Ok(ResolvedAction::Pull(*pull)),
        }
    }

    fn resolve_body(&self, body: &BodyJson) -> Result<ResolvedAction, EditError> {
        if self.scene.document.index_of(body.key).is_some() {
            return Err(EditError::KeyTaken);
        }
        self.check_name(&body.json, None)?;
        let plan = self.read(&body.json)?.def()?;
        Ok(ResolvedAction::Add(body.clone(), plan))
    }

    fn resolve_change(
        &self,
        BodyJson { key, json: changes }: &BodyJson,
    ) -> Result<ResolvedAction, EditError> {
        let index = self.scene.document.index_of(*key).ok_or_else(unknown_body)?;
        self.check_name(changes, Some(index))?;
        let own = &self.scene.document.bodies[index].json;
        let other = |key: &&str| {
            changes.get(*key).is_some_and(|new| new != own.get(*key).unwrap_or(&Value::Null))
        };
        if !REPLACING_KEYS.iter().any(other) {
            // Unchanged keys are not validated again: the current position may be invalid for a new
            // scene.
            let mut json = own.clone();
            json.extend(changes.clone());
            let body = self.read(&without_nulls(json))?;
            body.def()?;
            return Ok(ResolvedAction::Set(index, Box::new(body), changes.clone()));
        }
        let mut stands = self.scene.current_body(index);
        stands.extend(changes.clone());
        let stands = without_nulls(stands);
        let plan = self.read(&stands)?.def()?;
        if self.scene.document.joints.iter().any(|joint| joint.bodies.contains(key)) {
            let mut document = self.scene.current_document();
            if !is_dynamic(&stands) {
                document.forces.retain(|force| force.body != *key);
            }
            document.bodies[index] = Arc::new(BodyJson { key: *key, json: stands });
            return self.resolve_rebuild(document);
        }
        Ok(ResolvedAction::Replace(index, plan, stands))
    }

    fn resolve_settings(&self, changes: &JsonObject) -> Result<ResolvedAction, EditError> {
        let mut head = self.scene.document.head.clone();
        head.extend(changes.clone());
        let head = without_nulls(head);
        let others = changes.keys().filter(|key| !TEXT_KEYS.contains(&key.as_str()));
        if others.clone().any(|key| key != "gravity") {
            let mut document = self.scene.current_document();
            document.head = head;
            return self.resolve_rebuild(document);
        }
        let mut alone = head.clone();
        alone.insert("bodies".to_owned(), json!([]));
        let read = read_scene(&Value::Object(alone).to_string(), &SceneSource::text("scene"));
        let gravity = read.map_err(|error| *error.kind)?.settings.gravity;
        Ok(ResolvedAction::Head(head, (others.count() > 0).then_some(gravity)))
    }

    /// The world of other words, where this one stands.
    fn resolve_rebuild(&self, document: SceneDocument) -> Result<ResolvedAction, EditError> {
        self.scene.check_within_range()?;
        let mut scene = SceneInstance::of(document)?;
        scene.since = self.scene.time();
        if let Some(clock) = self.clock {
            scene.world.set_clock(clock);
        }
        Ok(ResolvedAction::Rebuild(Box::new(scene)))
    }

    /// Applies a validated action. The engine may still reject a value after a partial application.
    pub(super) fn apply(&mut self, resolved: ResolvedAction) -> Result<(), EditError> {
        if !matches!(
            resolved,
            ResolvedAction::Set(..) | ResolvedAction::Head(..) | ResolvedAction::Pull(_)
        ) {
            self.shape_version += 1;
        }
        match resolved {
            ResolvedAction::Pull(pull) => {
                self.pull = pull;
                return Ok(());
            }
            ResolvedAction::Add(body, plan) => {
                let id = self.scene.world.insert_body(plan).map_err(SceneErrorKind::from)?;
                let document = Arc::make_mut(&mut self.scene.document);
                document.next_key = document.next_key.max(body.key.saturating_add(1));
                document.bodies.push(Arc::new(body));
                Arc::make_mut(&mut self.scene.ids).push(id);
            }
            ResolvedAction::Remove(index) => self.remove_now(index),
            ResolvedAction::Set(index, body, changes) => self.set(index, &body, changes)?,
            ResolvedAction::Replace(index, plan, json) => {
                let old = self.scene.ids[index];
                self.scene.world.remove_body(old);
                let id = self.scene.world.insert_body(plan).map_err(SceneErrorKind::from)?;
                Arc::make_mut(&mut self.scene.ids)[index] = id;
                if is_dynamic(&json) {
                    self.scene.move_forces(old, id);
                } else {
                    self.scene.remove_forces_of(self.scene.document.bodies[index].key);
                }
                let own = &mut Arc::make_mut(&mut self.scene.document).bodies[index];
                *own = Arc::new(BodyJson { key: own.key, json });
            }
            ResolvedAction::Head(head, gravity) => {
                if let Some(gravity) = gravity {
                    self.scene.world.set_gravity(gravity).map_err(SceneErrorKind::from)?;
                }
                Arc::make_mut(&mut self.scene.document).head = head;
            }
            ResolvedAction::Rebuild(scene) => self.scene = *scene,
        }
        self.version += 1;
        Ok(())
    }

    fn set(&mut self, index: usize, body: &Body, changes: JsonObject) -> Result<(), EditError> {
        let has = |keys: &[&str]| keys.iter().any(|key| changes.contains_key(*key));
        // A new name wakes no body.
        if changes.keys().any(|key| key != "name") {
            let id = self.scene.ids[index];
            let set = |now: &mut BodyMut<'_>| set_properties(now, body, &has);
            self.scene.world.edit_body(id, set).transpose()?;
        }
        if has(&["position", "orientation"]) {
            self.set_pose(index, body.pose, [has(&["position"]), has(&["orientation"])])?;
        }
        let own = &mut Arc::make_mut(&mut self.scene.document).bodies[index];
        let own = &mut Arc::make_mut(own).json;
        // Joint axes refer to the initial rotation of the body.
        own.extend(changes.into_iter().filter(|(key, _)| !STATE_KEYS.contains(&key.as_str())));
        *own = without_nulls(std::mem::take(own));
        Ok(())
    }

    /// Components without a value keep their current bits: the document has the rounded initial
    /// pose.
    fn set_pose(
        &mut self,
        index: usize,
        given: Pose,
        [moves, turns]: [bool; 2],
    ) -> Result<(), EditError> {
        let id = self.scene.ids[index];
        let Some(now) = self.scene.world.body(id).map(|body| body.pose()) else { return Ok(()) };
        let pose = Pose {
            rotation: if turns { given.rotation } else { now.rotation },
            position: if moves { given.position } else { now.position },
        };
        let set = self.scene.world.set_body_pose(id, pose).transpose();
        Ok(set.map(|_| ()).map_err(SceneErrorKind::from)?)
    }

    fn remove_now(&mut self, index: usize) {
        let key = self.scene.document.bodies[index].key;
        self.scene.world.remove_body(self.scene.ids[index]);
        Arc::make_mut(&mut self.scene.ids).remove(index);
        self.scene.remove_forces_of(key);
        Arc::make_mut(&mut self.scene.document).remove(key);
        let joints = self.scene.world.world().joints().map(|joint| joint.id()).collect();
        *Arc::make_mut(&mut self.scene.joints) = joints;
        if self.pull.is_some_and(|pull| pull.key == key) {
            self.pull = None;
        }
    }

    /// A body by the rules of the scene.
    pub(super) fn read(&self, body: &JsonObject) -> Result<Body, EditError> {
        let text = json_value::line(body);
        let mut read = read_body(&text, &SceneSource::text("body")).map_err(|error| *error.kind)?;
        if self.scene.is_planar() {
            read.stay_in_plane()?;
        }
        Ok(read)
    }

    fn check_name(&self, body: &JsonObject, own: Option<usize>) -> Result<(), EditError> {
        let Some(name @ Value::String(_)) = body.get("name") else { return Ok(()) };
        let mut others = self.scene.document.bodies.iter().enumerate();
        match others
            .find(|(index, other)| Some(*index) != own && other.json.get("name") == Some(name))
        {
            Some((first, _)) => Err(SceneErrorKind::NameTaken { first }.into()),
            None => Ok(()),
        }
    }
}

/// Whether the words are those of a dynamic body, on which alone forces act.
fn is_dynamic(body: &JsonObject) -> bool {
    body.get("type").is_none_or(|kind| kind == "dynamic")
}

/// What the engine has a setter for, but the pose.
fn set_properties(
    now: &mut BodyMut<'_>,
    body: &Body,
    has: &impl Fn(&[&str]) -> bool,
) -> Result<(), EditError> {
    let said = |error: embate::dynamics::BodyError| SceneErrorKind::from(error);
    if has(&["mass"]) {
        now.set_mass(body.mass.unwrap_or(0.0)).map_err(said)?;
    }
    if has(&[
        "restitution",
        "friction",
        "friction_combine_rule",
        "restitution_combine_rule",
        "rolling_resistance",
        "torsional_resistance",
    ]) {
        now.set_material(body.material).map_err(said)?;
    }
    if has(&["linear_damping", "angular_damping"]) {
        now.set_linear_damping(body.linear_damping).map_err(said)?;
        now.set_angular_damping(body.angular_damping).map_err(said)?;
    }
    if has(&["gravity_scale"]) {
        now.set_gravity_scale(body.gravity_scale).map_err(said)?;
    }
    if has(&["locked_axes"]) {
        now.set_locked_axes(body.locked_axes).map_err(said)?;
    }
    if has(&["collision_filter"]) {
        now.set_collision_filter(body.collision_filter);
    }
    if has(&["velocity"]) {
        now.set_linear_velocity(body.velocity).map_err(said)?;
    }
    if has(&["angular_velocity"]) {
        now.set_angular_velocity(body.angular_velocity).map_err(said)?;
    }
    Ok(())
}

/// The words without those that are `null`.
pub(super) fn without_nulls(json: JsonObject) -> JsonObject {
    json.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

pub(super) fn unknown_body() -> EditError {
    EditError::UnknownBody
}
