//! A body of a scene file: its shape, where it is, and how it moves.

use embate::{Pose, Rotation, Vec3, shapes::Shape};
use serde::Deserialize;

use super::{SceneError, SceneSource, numbers, shape::ShapeText};

/// A body as a scene file describes it. Every number is finite and in its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What it is called.
    pub name: Option<String>,
    /// What it is.
    pub shape: Shape,
    /// Where it is; at the origin, not turned, unless told otherwise.
    pub pose: Pose,
    /// How fast it moves, per second; not at all unless told otherwise.
    pub velocity: Vec3,
    /// How fast it turns, in radians per second about this axis; not at all unless told otherwise.
    pub angular_velocity: Vec3,
    /// What it weighs. A scene needs it of all bodies that are not static.
    pub mass: Option<f32>,
    /// How much of its speed a bounce gives back, 0 to 1; 0 unless told otherwise.
    pub restitution: f32,
    /// How much it rubs, from 0; 0.5 unless told otherwise.
    pub friction: f32,
    /// Whether it never moves.
    pub is_static: bool,
}

impl Body {
    /// A shape at the origin, at rest.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        Self {
            name: None,
            shape,
            pose: Pose::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: None,
            restitution: 0.0,
            friction: DEFAULT_FRICTION,
            is_static: false,
        }
    }
}

/// Wood on wood.
const DEFAULT_FRICTION: f32 = 0.5;

/// The body's own words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyText {
    #[serde(default)]
    name: Option<String>,
    shape: ShapeText,
    #[serde(default, deserialize_with = "numbers::position")]
    position: Vec3,
    #[serde(default, deserialize_with = "numbers::orientation")]
    orientation: Rotation,
    #[serde(default, deserialize_with = "numbers::vector")]
    velocity: Vec3,
    #[serde(default, deserialize_with = "numbers::vector")]
    angular_velocity: Vec3,
    #[serde(default, deserialize_with = "numbers::mass")]
    mass: Option<f32>,
    #[serde(default, deserialize_with = "numbers::restitution")]
    restitution: f32,
    #[serde(default = "default_friction", deserialize_with = "numbers::friction")]
    friction: f32,
    #[serde(default, rename = "static")]
    is_static: bool,
}

fn default_friction() -> f32 {
    DEFAULT_FRICTION
}

impl BodyText {
    /// The body, its meshes loaded.
    pub(super) fn resolved(self, source: &SceneSource<'_>) -> Result<Body, SceneError> {
        Ok(Body {
            shape: self.shape.resolved(source)?,
            name: self.name,
            pose: Pose { rotation: self.orientation, position: self.position },
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            mass: self.mass,
            restitution: self.restitution,
            friction: self.friction,
            is_static: self.is_static,
        })
    }
}
