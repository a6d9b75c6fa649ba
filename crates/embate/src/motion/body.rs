//! What is a body asked to be? Everything about it is checked here, once.

use embate_geom::{Mat3, Pose, Rotation, Vec3};
use thiserror::Error;

use crate::pairs::InvalidBox;
use crate::shapes::Shape;

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

/// Why a body cannot be so, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidBody {
    /// A mass that is NaN, not above 0, or out of range.
    #[error(
        "the mass is {mass} kg, but must lie between 1e-9 and 1e12: a body that never moves is `still`"
    )]
    Mass {
        /// As given.
        mass: f32,
    },
    /// A moving body of a shape without weight.
    #[error(
        "a {kind} has no volume and cannot move: make the body `still`, or give it another shape"
    )]
    Weightless {
        /// What shape.
        kind: &'static str,
    },
    /// A body whose turning no f32 can tell.
    #[error(
        "the inertia of the body, {mass} kg, is out of range: give it a mass nearer to its size"
    )]
    Inertia {
        /// Its mass.
        mass: f32,
    },
    /// Three numbers of which one is NaN, infinite or too large.
    #[error("the {name} is {value:?}; give three finite numbers within ±{most:e}")]
    Vector {
        /// Which.
        name: &'static str,
        /// As given.
        value: [f32; 3],
        /// The most that each may be.
        most: f32,
    },
    /// A number out of its range.
    #[error("the {name} is {value}, but must lie between {least} and {most}")]
    Number {
        /// Which.
        name: &'static str,
        /// As given.
        value: f32,
        /// The least it may be.
        least: f32,
        /// The most it may be.
        most: f32,
    },
    /// A shape that reaches too far out.
    #[error("the body reaches out of the world: {0}")]
    Bounds(#[from] InvalidBox),
}

/// No body is farther from the origin: f32 tells no two places apart there.
pub(super) const FAR: f32 = 1e12;

pub(super) fn check_vector(name: &'static str, value: Vec3, most: f32) -> Result<(), InvalidBody> {
    // Not `>`: a NaN must be refused.
    if value.is_finite() && value.abs().largest() <= most {
        Ok(())
    } else {
        Err(InvalidBody::Vector { name, value: value.to_array(), most })
    }
}

pub(super) fn check_number(
    name: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), InvalidBody> {
    if value >= least && value <= most {
        Ok(())
    } else {
        Err(InvalidBody::Number { name, value, least, most })
    }
}

/// How a body weighs and turns, in its shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mass {
    /// In kg; 0 for what nothing moves.
    pub(super) kilograms: f32,
    /// 0 for what nothing moves.
    pub(super) inverse: f32,
    pub(super) centroid: Vec3,
    pub(super) inertia: Mat3,
    pub(super) inverse_inertia: Mat3,
    /// As hard to turn about any axis: it never tumbles.
    pub(super) even: bool,
}

impl Mass {
    pub(super) const INFINITE: Self = Self {
        kilograms: 0.0,
        inverse: 0.0,
        centroid: Vec3::ZERO,
        inertia: Mat3::ZERO,
        inverse_inertia: Mat3::ZERO,
        even: true,
    };

    pub(super) fn of(shape: &Shape, mass: f32) -> Result<Self, InvalidBody> {
        if !(1e-9..=1e12).contains(&mass) {
            return Err(InvalidBody::Mass { mass });
        }
        let properties =
            shape.mass_properties().ok_or(InvalidBody::Weightless { kind: shape.kind() })?;
        let inertia = properties.inertia(mass);
        // Inverted for a mass and a size of about 1: six lengths multiplied could leave the range of f32.
        let size = inertia.columns[0].x + inertia.columns[1].y + inertia.columns[2].z;
        let inverse_inertia =
            (inertia * (1.0 / size)).inverse().map(|inverse| inverse * (1.0 / size));
        let inverse_inertia = inverse_inertia
            .filter(|inverse| inverse.columns.iter().all(|column| column.is_finite()))
            .ok_or(InvalidBody::Inertia { mass })?;
        let [a, b, c] = inertia.columns;
        let off = Vec3::new(a.y, a.z, b.z).abs().largest();
        let spread = Vec3::new(a.x - b.y, b.y - c.z, c.z - a.x).abs().largest();
        let even = off + spread <= 1e-6 * size;
        Ok(Self {
            kilograms: mass,
            inverse: 1.0 / mass,
            centroid: properties.centroid,
            inertia,
            inverse_inertia,
            even,
        })
    }
}

impl BodyPlan {
    /// Checks all that was asked for, and weighs the body.
    pub(super) fn check(&self) -> Result<Mass, InvalidBody> {
        check_vector("position", self.pose.position, FAR)?;
        if !self.pose.is_finite() {
            let [x, y, z, _] = self.pose.rotation.to_array();
            return Err(InvalidBody::Vector { name: "rotation", value: [x, y, z], most: 1.0 });
        }
        check_vector("velocity", self.velocity, 1e6)?;
        check_vector("angular velocity", self.angular_velocity, 1e6)?;
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
