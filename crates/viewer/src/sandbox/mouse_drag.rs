//! Mouse interaction: a spring that drags a body, pushes, and thrown balls.

use embate::dynamics::BodyType;
use embate::{Aabb, Vec3};
use serde_json::json;

use super::Sandbox;
use super::action::Action;
use super::apply_action::unknown_body;
use super::error::EditError;
use super::json_value::{self, JsonObject};
use super::placement::inside;
use super::scene_document::BodyJson;
use super::scene_instance::SceneInstance;

/// A spring from a point of a body to a point of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    pub(super) key: u32,
    /// In the body's own frame.
    pub(super) held: Vec3,
    /// In the world.
    pub(super) target: Vec3,
}

/// A body held by the hand swings so often in a second, were it not damped: quick, and calm at any
/// mass.
const FREQUENCY_HZ: f32 = 1.6;
/// Of what stops a swing without another one.
const DAMPING_RATIO: f32 = 0.8;
/// A ball that is thrown, beside the others: smaller, heavier, and as fast as a hard throw.
const THROWN_SIZE: f32 = 0.8;
const THROWN_MASS: f32 = 4.0;
const THROWN_SPEED: f32 = 14.0;
/// It begins at this share of the way, so that one sees it fly.
const THROWN_FROM: f32 = 0.55;

impl Pull {
    /// Pushes the body for one step.
    pub(super) fn act(&self, scene: &mut SceneInstance) {
        let Some(id) = scene.id_of(self.key) else { return };
        let Some(body) = scene.world.body(id) else { return };
        if body.body_type() != BodyType::Dynamic {
            return;
        }
        let point = body.pose().transform_point(self.held);
        let rate = core::f32::consts::TAU * FREQUENCY_HZ;
        let pull = (self.target - point) * (rate * rate);
        let brake = body.velocity_at_point(point) * (2.0 * DAMPING_RATIO * rate);
        // Gravity is compensated.
        let weight = scene.world.settings().gravity * scene.gravity_scale(self.key);
        let force = (pull - brake - weight) * body.mass();
        // Only non-finite forces are rejected, and then no force is applied.
        let _ = scene.world.edit_body(id, |body| body.apply_force_at_point(force, point));
    }
}

impl Sandbox {
    /// Takes hold of a body at a point of the world and pulls it to another, until it is let go:
    /// all of it is one change.
    pub fn pull(&mut self, key: u32, point: Vec3, target: Vec3) {
        let Some(body) = self.scene.id_of(key).and_then(|id| self.scene.world.body(id)) else {
            return;
        };
        if body.body_type() == BodyType::Dynamic {
            let pull = Pull { key, held: body.pose().inverse_transform_point(point), target };
            // However quickly they follow, each pull is taken back alone.
            self.end_merge_window();
            self.is_held = true;
            // A pull is never refused.
            let _ = self.edit(Action::Pull(Some(pull)));
            // The number of undoable edits is part of the view.
            self.version += 1;
        }
    }

    /// Moves the hand that holds a body.
    pub fn pull_to(&mut self, target: Vec3) {
        if self.is_held
            && let Some(pull) = self.pull
        {
            self.move_pull(Some(Pull { target, ..pull }));
        }
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.is_held = false;
        if self.pull.is_some() {
            self.move_pull(None);
        }
    }

    /// Grab point on the body and target of the pull.
    #[must_use]
    pub fn pull_points(&self) -> Option<[Vec3; 2]> {
        let pull = self.pull?;
        let body = self.scene.world.body(self.scene.id_of(pull.key)?)?;
        Some([body.pose().transform_point(pull.held), pull.target])
    }

    fn move_pull(&mut self, pull: Option<Pull>) {
        if pull == self.pull {
            return;
        }
        // Between two steps only the last place of the hand counts.
        self.discard_future();
        if let Some(last) = self.actions.last()
            && last.step == self.step
            && matches!(*last.action, Action::Pull(Some(_)))
        {
            self.actions.pop();
            self.done = self.actions.len();
            self.frames.forget(self.done, Some(self.step));
        }
        let _ = self.perform(Action::Pull(pull));
    }

    /// Adds a velocity, in m/s, to a dynamic body; in a planar scene, within the plane. Each push
    /// is an undo step of its own.
    ///
    /// # Errors
    /// If there is no such body, or it would be too fast.
    pub fn push(&mut self, key: u32, by: Vec3) -> Result<(), EditError> {
        let body = self
            .scene
            .id_of(key)
            .and_then(|id| self.scene.world.body(id))
            .ok_or_else(unknown_body)?;
        let mut velocity = body.linear_velocity() + by;
        if self.scene.is_planar() {
            velocity.z = 0.0;
        }
        let json = JsonObject::from_iter([("velocity".to_owned(), json_value::vector(velocity))]);
        self.end_merge_window();
        self.interact(Action::Change(BodyJson { key, json }))
    }

    /// Throws a ball of this name along a ray to where it is so `far`, and returns its key. It
    /// flies a little higher than straight, since it falls on the way; in a scene of the plane it
    /// flies in the plane.
    ///
    /// # Errors
    /// If the ray has no direction.
    pub fn throw(
        &mut self,
        origin: Vec3,
        direction: Vec3,
        far: f32,
        name: &str,
    ) -> Result<u32, EditError> {
        let direction = direction.try_normalize().ok_or(EditError::NoDirection)?;
        let (radius, mass) = self.mean_body();
        let radius = THROWN_SIZE * radius;
        let mut from = origin + direction * (far * THROWN_FROM);
        if let Some(bounds) = self.scene.world.settings().bounds {
            // Outside, a wall would be between it and the others, or all around it.
            let ball = Aabb { min: [-radius; 3], max: [radius; 3] };
            from = inside(bounds, from, &ball);
        }
        let way = origin + direction * far - from;
        let left = way.length();
        let seconds = left / THROWN_SPEED;
        let falls = self.scene.world.settings().gravity * (0.5 * seconds * seconds);
        let mut way = way - falls;
        if self.scene.is_planar() {
            (from.z, way.z) = (0.0, 0.0);
        }
        let way = way.try_normalize().ok_or(EditError::NoDirection)?;
        let ball = json!({
            "name": name,
            "shape": { "sphere": { "radius": json_value::number(radius) } },
            "position": json_value::vector(from),
            "velocity": json_value::vector(way * THROWN_SPEED),
            "mass": json_value::number(THROWN_MASS * mass),
            "restitution": 0.2,
        });
        let (key, addition) = self.addition(&ball.to_string())?;
        self.interact(addition)?;
        Ok(key)
    }

    /// Mean half extent and mass of the dynamic bodies.
    fn mean_body(&self) -> (f32, f32) {
        let (mut count, mut size, mut mass) = (0.0, 0.0, 0.0);
        for body in self.scene.world.bodies().filter(|body| body.body_type() == BodyType::Dynamic) {
            let bounds = body.aabb();
            let half: f32 =
                (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).sum::<f32>() / 6.0;
            (count, size, mass) = (count + 1.0, size + half, mass + body.mass());
        }
        if count == 0.0 { (0.5, 1.0) } else { (size / count, mass / count) }
    }
}
