//! A body of a scene file: its shape, where it is, and how it moves.

use embate::dynamics::{BodyDef, CollisionFilter, LockedAxes, Material};
use embate::{Pose, Rotation, Vec3, shapes::Shape};
use serde::{Deserialize, Deserializer, de::Error};

use super::{SceneError, mesh::Meshes, numbers, shape::ShapeText};

/// A body as a scene file describes it. Every number is finite and in its range.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file")]
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
    /// What it weighs. A scene needs it of all bodies that contacts move.
    pub mass: Option<f32>,
    /// How much of its speed a bounce gives back, 0 to 1; 0 unless told otherwise.
    pub restitution: f32,
    /// How much it rubs, from 0; 0.5 unless told otherwise.
    pub friction: f32,
    /// Against rolling and against spinning on the spot, in metres; none unless told otherwise.
    pub resistance: [f32; 2],
    /// The rates at which velocity and spin are lost; 0 unless told otherwise.
    pub damping: [f32; 2],
    /// How strongly gravity acts on it; 1 unless told otherwise.
    pub gravity_scale: f32,
    /// Axes along and about which it does not move; none unless told otherwise.
    pub locks: LockedAxes,
    /// Whom it touches; everybody unless told otherwise.
    pub groups: CollisionFilter,
    /// Whether it tells who touches it and stops nobody.
    pub is_sensor: bool,
    /// Whether it may be put to sleep at rest; yes unless told otherwise.
    pub may_sleep: bool,
    /// Whether it never moves.
    pub is_static: bool,
    /// Whether its velocity alone moves it: a lift, a door.
    pub is_driven: bool,
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
            resistance: [0.0; 2],
            damping: [0.0; 2],
            gravity_scale: 1.0,
            locks: LockedAxes::default(),
            groups: CollisionFilter::default(),
            is_sensor: false,
            may_sleep: true,
            is_static: false,
            is_driven: false,
        }
    }

    /// Whether forces and contacts move it.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        !self.is_static && !self.is_driven
    }

    /// Keeps it in the plane of x and y, as `"dimension": 2` says.
    ///
    /// # Errors
    /// If it moves, and is not there.
    pub fn stay_in_plane(&mut self) -> Result<(), String> {
        let z = self.pose.position.z;
        if self.is_moving() && z != 0.0 {
            return Err(format!(
                "in \"dimension\": 2 bodies move at z = 0, but its z is {z}; give 0"
            ));
        }
        for (lock, planar) in
            self.locks.translation.iter_mut().zip(LockedAxes::PLANE_XY.translation)
        {
            *lock |= planar;
        }
        for (lock, planar) in self.locks.rotation.iter_mut().zip(LockedAxes::PLANE_XY.rotation) {
            *lock |= planar;
        }
        Ok(())
    }

    /// What a world is asked to add.
    ///
    /// # Errors
    /// What is missing, or contradicts itself, and what to do.
    pub fn plan(&self) -> Result<BodyDef, String> {
        let shape = self.shape.clone();
        let plan = match (self.is_static, self.is_driven, self.mass) {
            (true, true, _) => {
                return Err("a body is either \"static\" or \"driven\"; drop one".to_owned());
            }
            (true, false, _) => BodyDef::fixed(shape),
            (false, true, _) => BodyDef::kinematic(shape),
            (false, false, Some(mass)) => BodyDef::dynamic(shape, mass),
            (false, false, None) => {
                return Err(
                    "the body has no mass; give \"mass\" in kg, or \"static\": true if it never \
                            moves"
                        .to_owned(),
                );
            }
        };
        let [rolling, spinning] = self.resistance;
        let (restitution, friction) = (self.restitution, self.friction);
        Ok(plan
            .position(self.pose.position)
            .rotation(self.pose.rotation)
            .linear_velocity(self.velocity)
            .angular_velocity(self.angular_velocity)
            .material(Material {
                restitution,
                friction,
                rolling_resistance: rolling,
                torsional_resistance: spinning,
                ..Material::default()
            })
            .linear_damping(self.damping[0])
            .angular_damping(self.damping[1])
            .gravity_scale(self.gravity_scale)
            .locked_axes(self.locks)
            .collision_filter(self.groups)
            .sensor(self.is_sensor)
            .can_sleep(self.may_sleep))
    }
}

/// Wood on wood.
const DEFAULT_FRICTION: f32 = 0.5;

/// The body's own words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file")]
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
    #[serde(default, deserialize_with = "numbers::at_least_0")]
    rolling_resistance: f32,
    #[serde(default, deserialize_with = "numbers::at_least_0")]
    spinning_resistance: f32,
    #[serde(default, deserialize_with = "numbers::at_least_0")]
    damping: f32,
    #[serde(default, deserialize_with = "numbers::at_least_0")]
    angular_damping: f32,
    #[serde(default = "one")]
    gravity_scale: f32,
    #[serde(default, deserialize_with = "locks")]
    locks: LockedAxes,
    #[serde(default, deserialize_with = "groups")]
    groups: CollisionFilter,
    #[serde(default)]
    sensor: bool,
    #[serde(default = "yes")]
    may_sleep: bool,
    #[serde(default, rename = "static")]
    is_static: bool,
    #[serde(default, rename = "driven")]
    is_driven: bool,
}

fn default_friction() -> f32 {
    DEFAULT_FRICTION
}

fn one() -> f32 {
    1.0
}

fn yes() -> bool {
    true
}

/// `["z","turn_x","turn_y"]`.
fn locks<'de, D: Deserializer<'de>>(from: D) -> Result<LockedAxes, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Lock {
        X,
        Y,
        Z,
        TurnX,
        TurnY,
        TurnZ,
    }
    let mut locks = LockedAxes::default();
    for lock in Vec::<Lock>::deserialize(from)? {
        match lock {
            Lock::X => locks.translation[0] = true,
            Lock::Y => locks.translation[1] = true,
            Lock::Z => locks.translation[2] = true,
            Lock::TurnX => locks.rotation[0] = true,
            Lock::TurnY => locks.rotation[1] = true,
            Lock::TurnZ => locks.rotation[2] = true,
        }
    }
    Ok(locks)
}

/// `{"of":[0],"with":[0,1]}`: numbers of groups.
fn groups<'de, D: Deserializer<'de>>(from: D) -> Result<CollisionFilter, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        of: Option<Vec<u32>>,
        with: Option<Vec<u32>>,
    }
    let bits = |numbers: Vec<u32>| {
        numbers.into_iter().try_fold(0_u32, |bits, number| {
            let bit = 1_u32.checked_shl(number);
            bit.map(|bit| bits | bit).ok_or_else(|| {
                D::Error::custom(format!("there is no group {number}; they go from 0 to 31"))
            })
        })
    };
    let Text { of, with } = Text::deserialize(from)?;
    let default = CollisionFilter::default();
    Ok(CollisionFilter {
        category: of.map_or(Ok(default.category), bits)?,
        mask: with.map_or(Ok(default.mask), bits)?,
    })
}

impl BodyText {
    /// The body, its meshes loaded.
    pub(super) fn resolved(self, meshes: &mut Meshes<'_>) -> Result<Body, SceneError> {
        Ok(Body {
            shape: self.shape.resolved(meshes)?,
            name: self.name,
            pose: Pose { rotation: self.orientation, position: self.position },
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            mass: self.mass,
            restitution: self.restitution,
            friction: self.friction,
            resistance: [self.rolling_resistance, self.spinning_resistance],
            damping: [self.damping, self.angular_damping],
            gravity_scale: self.gravity_scale,
            locks: self.locks,
            groups: self.groups,
            is_sensor: self.sensor,
            may_sleep: self.may_sleep,
            is_static: self.is_static,
            is_driven: self.is_driven,
        })
    }
}
