//! What does an action change in the world, and what does it leave alone?
//!
//! A name is words and nothing else; what the engine has a setter for is set; another shape is another body in the
//! same world. Only what holds for all bodies and cannot be set makes the world anew, as it stands.

use std::sync::Arc;

use embate::dynamics::{BodyDef, BodyMut};
use embate::{Pose, Vec3};
use serde_json::{Value, json};

use super::Workshop;
use super::action::Action;
use super::document::{BodyWords, Document};
use super::error::EditError;
use super::hand::Pull;
use super::live::Live;
use super::words::{self, Words};
use crate::scene_file::{Body, SceneErrorKind, SceneSource, read_body, read_scene};

/// What makes another body of it: the engine has no setter.
const OTHER_BODY: [&str; 4] = ["shape", "type", "sensor", "can_sleep"];
/// The world tells these, not the words.
const OF_THE_WORLD: [&str; 4] = ["position", "orientation", "velocity", "angular_velocity"];
/// What is said of a scene and moves nothing.
const SAID: [&str; 3] = ["name", "description", "steps"];

/// What an action asks of the world, read and found right.
pub(super) enum Prepared {
    Add(BodyWords, BodyDef),
    Remove(usize),
    /// The body at this place, all that is known of it now, and which of it is new.
    Set(usize, Box<Body>, Words),
    /// The body at this place becomes another.
    Replace(usize, BodyDef, Words),
    Head(Words, Option<Vec3>),
    Anew(Box<Live>),
    Pull(Option<Pull>),
}

impl Workshop {
    pub(super) fn prepared(&self, action: &Action) -> Result<Prepared, EditError> {
        match action {
            Action::Add(body) => self.prepared_body(body),
            Action::Remove(key) => {
                self.live.words.place_of(*key).map(Prepared::Remove).ok_or_else(gone)
            }
            Action::Change(body) => self.prepared_change(body),
            Action::Rules(words) => self.prepared_rules(words),
            Action::Pull(pull) => Ok(Prepared::Pull(*pull)),
        }
    }

    fn prepared_body(&self, body: &BodyWords) -> Result<Prepared, EditError> {
        if self.live.words.place_of(body.key).is_some() {
            return Err(EditError::KeyTaken);
        }
        self.name_is_free(&body.words, None)?;
        let plan = self.read(&body.words)?.def()?;
        Ok(Prepared::Add(body.clone(), plan))
    }

    fn prepared_change(
        &self,
        BodyWords { key, words: changes }: &BodyWords,
    ) -> Result<Prepared, EditError> {
        let place = self.live.words.place_of(*key).ok_or_else(gone)?;
        self.name_is_free(changes, Some(place))?;
        let own = &self.live.words.bodies[place].words;
        let other = |key: &&str| {
            changes.get(*key).is_some_and(|new| new != own.get(*key).unwrap_or(&Value::Null))
        };
        if !OTHER_BODY.iter().any(other) {
            // What is not changed is not read anew either: it may stand where no scene can begin.
            let mut words = own.clone();
            words.extend(changes.clone());
            let body = self.read(&without_nulls(words))?;
            body.def()?;
            return Ok(Prepared::Set(place, Box::new(body), changes.clone()));
        }
        let mut stands = self.live.standing_body(place);
        stands.extend(changes.clone());
        let stands = without_nulls(stands);
        let plan = self.read(&stands)?.def()?;
        if self.live.words.joints.iter().any(|joint| joint.bodies.contains(key)) {
            let mut document = self.live.standing();
            document.bodies[place] = Arc::new(BodyWords { key: *key, words: stands });
            return self.prepared_anew(document);
        }
        Ok(Prepared::Replace(place, plan, stands))
    }

    fn prepared_rules(&self, changes: &Words) -> Result<Prepared, EditError> {
        let mut head = self.live.words.head.clone();
        head.extend(changes.clone());
        let head = without_nulls(head);
        let others = changes.keys().filter(|key| !SAID.contains(&key.as_str()));
        if others.clone().any(|key| key != "gravity") {
            let mut document = self.live.standing();
            document.head = head;
            return self.prepared_anew(document);
        }
        let mut alone = head.clone();
        alone.insert("bodies".to_owned(), json!([]));
        let read = read_scene(&Value::Object(alone).to_string(), &SceneSource::text("scene"));
        let gravity = read.map_err(|error| *error.kind)?.settings.gravity;
        Ok(Prepared::Head(head, (others.count() > 0).then_some(gravity)))
    }

    /// The world of other words, where this one stands.
    fn prepared_anew(&self, document: Document) -> Result<Prepared, EditError> {
        self.live.nobody_is_too_far()?;
        let mut live = Live::of(document)?;
        live.since = self.live.time();
        if let Some(clock) = self.clock {
            live.world.set_clock(clock);
        }
        Ok(Prepared::Anew(Box::new(live)))
    }

    /// What was read is done. The engine may still refuse a number; then some of it may be done.
    pub(super) fn apply(&mut self, prepared: Prepared) -> Result<(), EditError> {
        if !matches!(prepared, Prepared::Set(..) | Prepared::Head(..) | Prepared::Pull(_)) {
            self.shape_version += 1;
        }
        match prepared {
            Prepared::Pull(pull) => {
                self.pull = pull;
                return Ok(());
            }
            Prepared::Add(body, plan) => {
                let id = self.live.world.insert_body(plan).map_err(SceneErrorKind::from)?;
                let document = Arc::make_mut(&mut self.live.words);
                document.next_key = document.next_key.max(body.key.saturating_add(1));
                document.bodies.push(Arc::new(body));
                Arc::make_mut(&mut self.live.ids).push(id);
            }
            Prepared::Remove(place) => self.remove_now(place),
            Prepared::Set(place, body, changes) => self.set(place, &body, changes)?,
            Prepared::Replace(place, plan, words) => {
                self.live.world.remove_body(self.live.ids[place]);
                let id = self.live.world.insert_body(plan).map_err(SceneErrorKind::from)?;
                Arc::make_mut(&mut self.live.ids)[place] = id;
                let own = &mut Arc::make_mut(&mut self.live.words).bodies[place];
                *own = Arc::new(BodyWords { key: own.key, words });
            }
            Prepared::Head(head, gravity) => {
                if let Some(gravity) = gravity {
                    self.live.world.set_gravity(gravity).map_err(SceneErrorKind::from)?;
                }
                Arc::make_mut(&mut self.live.words).head = head;
            }
            Prepared::Anew(live) => self.live = *live,
        }
        self.version += 1;
        Ok(())
    }

    fn set(&mut self, place: usize, body: &Body, changes: Words) -> Result<(), EditError> {
        let has = |keys: &[&str]| keys.iter().any(|key| changes.contains_key(*key));
        // A name wakes nobody.
        if changes.keys().any(|key| key != "name") {
            let id = self.live.ids[place];
            let set = |now: &mut BodyMut<'_>| set_words(now, body, &has);
            self.live.world.edit_body(id, set).transpose()?;
        }
        if has(&["position", "orientation"]) {
            self.set_pose(place, body.pose, [has(&["position"]), has(&["orientation"])])?;
        }
        let own = &mut Arc::make_mut(&mut self.live.words).bodies[place];
        let own = &mut Arc::make_mut(own).words;
        // Joints tell their axes by how the body was turned when it came.
        own.extend(changes.into_iter().filter(|(key, _)| !OF_THE_WORLD.contains(&key.as_str())));
        *own = without_nulls(std::mem::take(own));
        Ok(())
    }

    /// What is not told stays as it is now, to the bit: the words tell where the body began, and would round.
    fn set_pose(
        &mut self,
        place: usize,
        told: Pose,
        [moves, turns]: [bool; 2],
    ) -> Result<(), EditError> {
        let id = self.live.ids[place];
        let Some(now) = self.live.world.body(id).map(|body| body.pose()) else { return Ok(()) };
        let pose = Pose {
            rotation: if turns { told.rotation } else { now.rotation },
            position: if moves { told.position } else { now.position },
        };
        let set = self.live.world.set_body_pose(id, pose).transpose();
        Ok(set.map(|_| ()).map_err(SceneErrorKind::from)?)
    }

    fn remove_now(&mut self, place: usize) {
        let key = self.live.words.bodies[place].key;
        self.live.world.remove_body(self.live.ids[place]);
        Arc::make_mut(&mut self.live.ids).remove(place);
        Arc::make_mut(&mut self.live.words).remove(key);
        let joints = self.live.world.world().joints().map(|joint| joint.id()).collect();
        *Arc::make_mut(&mut self.live.joints) = joints;
        if self.pull.is_some_and(|pull| pull.key == key) {
            self.pull = None;
        }
    }

    /// A body by the rules of the scene.
    pub(super) fn read(&self, body: &Words) -> Result<Body, EditError> {
        let text = words::line(body);
        let mut read = read_body(&text, &SceneSource::text("body")).map_err(|error| *error.kind)?;
        if self.live.is_planar() {
            read.stay_in_plane()?;
        }
        Ok(read)
    }

    fn name_is_free(&self, body: &Words, own: Option<usize>) -> Result<(), EditError> {
        let Some(name @ Value::String(_)) = body.get("name") else { return Ok(()) };
        let mut others = self.live.words.bodies.iter().enumerate();
        match others
            .find(|(place, other)| Some(*place) != own && other.words.get("name") == Some(name))
        {
            Some((first, _)) => Err(SceneErrorKind::NameTaken { first }.into()),
            None => Ok(()),
        }
    }
}

/// What the engine has a setter for, but the pose.
fn set_words(
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
pub(super) fn without_nulls(words: Words) -> Words {
    words.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

pub(super) fn gone() -> EditError {
    EditError::UnknownBody
}
