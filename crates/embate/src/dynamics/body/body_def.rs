//! What is a body asked to be? Everything about it is checked here, once.

use embate_geom::{Pose, Rotation, Vec3};

use super::checks::{InvalidBody, check_number, check_pose, check_vector};
use super::mass::Mass;
use crate::shapes::Shape;

/// No body is farther from the origin: f32 tells no two places apart there.
pub(super) const FAR: f32 = 1e12;
/// No body is given a larger velocity, in m/s. How fast it then goes at most is a setting.
pub(super) const FASTEST: f32 = 1e6;
/// No body is given a faster spin about an axis, in rad/s: sixteen hundred turns a second.
pub(super) const MOST_SPIN: f32 = 1e4;

/// Names a body of a world. A body that was removed takes its name with it: no later one has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl BodyId {
    /// Where the body is in lists that have a place for each; a later body may have the same place.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }
}

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Forces and contacts do.
    Moving,
    /// Its velocity alone: a lift, a door. Nothing stops it.
    Driven,
    /// Nothing.
    Still,
}

/// How a body's surface takes a touch. Of two bodies, the larger restitution and resistances count, and the
/// geometric mean of the frictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How much of the speed of approach comes back: 0 none, 1 all.
    pub restitution: f32,
    /// Force along the surface over force into it, at most.
    pub friction: f32,
    /// Against rolling: torque over force into the surface, in metres.
    pub rolling: f32,
    /// Against spinning on the spot: torque over force into the surface, in metres.
    pub spinning: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self { restitution: 0.0, friction: 0.5, rolling: 0.0, spinning: 0.0 }
    }
}

impl Material {
    pub(super) fn check(&self) -> Result<(), InvalidBody> {
        check_number("restitution", self.restitution, 0.0, 1.0)?;
        check_number("friction", self.friction, 0.0, 1e3)?;
        check_number("rolling resistance", self.rolling, 0.0, 1e3)?;
        check_number("spinning resistance", self.spinning, 0.0, 1e3)
    }

    /// Of two surfaces that touch.
    pub(super) fn of_pair(&self, other: &Self) -> Self {
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        Self {
            restitution: larger(self.restitution, other.restitution),
            friction: (self.friction * other.friction).sqrt(),
            rolling: larger(self.rolling, other.rolling),
            spinning: larger(self.spinning, other.spinning),
        }
    }
}

/// Who touches whom: two bodies do if each is `of` a group that the other is `with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Groups that the body belongs to, a bit each.
    pub of: u32,
    /// Groups that it touches, a bit each.
    pub with: u32,
}

impl Default for Groups {
    fn default() -> Self {
        Self { of: 1, with: u32::MAX }
    }
}

impl Groups {
    pub(super) fn touch(self, other: Self) -> bool {
        self.of & other.with != 0 && other.of & self.with != 0
    }
}

/// Axes of the world along and about which a body does not move, as `[x, y, z]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Along these it stays where it is.
    pub moving: [bool; 3],
    /// About these it does not turn.
    pub turning: [bool; 3],
}

impl Locks {
    /// Stays in the plane of x and y: for planar worlds.
    pub const PLANAR: Self = Self { moving: [false, false, true], turning: [true, true, false] };

    pub(super) fn any(self) -> bool {
        self != Self::default()
    }
}

/// A body to be: made from a shape and a mass, then described, then [added](super::World::add).
///
/// ```
/// use embate::{Vec3, motion::BodyPlan, shapes::Sphere};
///
/// let ball = BodyPlan::moving(Sphere::new(0.1)?, 0.4)
///     .at(Vec3::new(0.0, 2.0, 0.0))
///     .with_velocity(Vec3::new(1.0, 0.0, 0.0))
///     .with_restitution(0.8);
/// # Ok::<(), embate::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodyPlan {
    pub(super) shape: Shape,
    pub(super) kind: Kind,
    pub(super) mass: f32,
    pub(super) pose: Pose,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) material: Material,
    pub(super) damping: [f32; 2],
    pub(super) gravity_scale: f32,
    pub(super) locks: Locks,
    pub(super) groups: Groups,
    pub(super) sensor: bool,
    pub(super) may_sleep: bool,
}

impl BodyPlan {
    fn new(shape: Shape, kind: Kind, mass: f32) -> Self {
        Self {
            shape,
            kind,
            mass,
            pose: Pose::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            material: Material::default(),
            damping: [0.0; 2],
            gravity_scale: 1.0,
            locks: Locks::default(),
            groups: Groups::default(),
            sensor: false,
            may_sleep: true,
        }
    }

    /// A body that forces and contacts move, of this mass in kg.
    #[must_use]
    pub fn moving(shape: impl Into<Shape>, mass: f32) -> Self {
        Self::new(shape.into(), Kind::Moving, mass)
    }

    /// A body that its own velocity moves and nothing else: a lift, a door.
    #[must_use]
    pub fn driven(shape: impl Into<Shape>) -> Self {
        Self::new(shape.into(), Kind::Driven, 0.0)
    }

    /// A body that nothing moves: the ground, a wall.
    #[must_use]
    pub fn still(shape: impl Into<Shape>) -> Self {
        Self::new(shape.into(), Kind::Still, 0.0)
    }

    /// Where its shape's origin is.
    #[must_use]
    pub fn at(mut self, position: Vec3) -> Self {
        self.pose.position = position;
        self
    }

    /// How it is turned.
    #[must_use]
    pub fn turned(mut self, rotation: Rotation) -> Self {
        self.pose.rotation = rotation;
        self
    }

    /// The velocity of its centre of mass, in m/s.
    #[must_use]
    pub fn with_velocity(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// How it spins, in radians a second about the axes of the world.
    #[must_use]
    pub fn with_angular_velocity(mut self, angular_velocity: Vec3) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// How its surface takes a touch.
    #[must_use]
    pub fn with_material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// How much of the speed of approach comes back, from 0 to 1.
    #[must_use]
    pub fn with_restitution(mut self, restitution: f32) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// Force along the surface over force into it, at most.
    #[must_use]
    pub fn with_friction(mut self, friction: f32) -> Self {
        self.material.friction = friction;
        self
    }

    /// The share of its velocity and of its spin that is lost in a second, as rates: `v' = −rate·v`.
    #[must_use]
    pub fn with_damping(mut self, moving: f32, turning: f32) -> Self {
        self.damping = [moving, turning];
        self
    }

    /// How strongly gravity acts on it: 1 as on all, 0 not at all, below 0 upwards.
    #[must_use]
    pub fn with_gravity_scale(mut self, scale: f32) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// Axes along and about which it does not move.
    #[must_use]
    pub fn with_locks(mut self, locks: Locks) -> Self {
        self.locks = locks;
        self
    }

    /// Whom it touches.
    #[must_use]
    pub fn with_groups(mut self, groups: Groups) -> Self {
        self.groups = groups;
        self
    }

    /// Tells who touches it, and stops nobody.
    #[must_use]
    pub fn as_sensor(mut self) -> Self {
        self.sensor = true;
        self
    }

    /// Stays awake even at rest.
    #[must_use]
    pub fn without_sleep(mut self) -> Self {
        self.may_sleep = false;
        self
    }
}

impl BodyPlan {
    /// Checks all that was asked for, and weighs the body.
    pub(super) fn check(&self) -> Result<Mass, InvalidBody> {
        check_pose(&self.pose)?;
        check_vector("velocity", self.velocity, FASTEST)?;
        check_vector("angular velocity", self.angular_velocity, MOST_SPIN)?;
        self.material.check()?;
        check_number("damping", self.damping[0], 0.0, 1e6)?;
        check_number("angular damping", self.damping[1], 0.0, 1e6)?;
        check_number("gravity scale", self.gravity_scale, -1e6, 1e6)?;
        match self.kind {
            Kind::Moving => Mass::of(&self.shape, self.mass),
            Kind::Driven | Kind::Still => Ok(Mass::INFINITE),
        }
    }
}
