//! What is a joint asked to be? Everything about it is checked here, once.

use embate_geom::Vec3;
use thiserror::Error;

use super::super::bodies::Bodies;
use super::super::body::{BodyId, FAR, Kind, Locks};
use super::super::mass::Mass;
use super::super::method::Method;

/// What a joint leaves free.
///
/// ```
/// use embate::motion::JointKind;
///
/// assert_eq!(JointKind::from_name("hinge"), Some(JointKind::Hinge));
/// assert_eq!(JointKind::Weld.name(), "weld");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Two points stay as far from each other as they are, or within a range.
    Distance,
    /// Two points stay together; the bodies turn about them as they like.
    Ball,
    /// The bodies turn about one axis.
    Hinge,
    /// One body slides along an axis of the other and does not turn against it.
    Slider,
    /// Nothing: the two move as one.
    Weld,
    /// Two points are pulled to a distance from each other, the stronger the farther they are from it.
    Spring,
}

impl JointKind {
    /// Every one.
    pub const ALL: [Self; 6] =
        [Self::Distance, Self::Ball, Self::Hinge, Self::Slider, Self::Weld, Self::Spring];

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Weld => "weld",
            Self::Spring => "spring",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What drives a hinge or a slider.
///
/// ```
/// use embate::motion::{BodyPlan, JointPlan, Motor, Settings, World};
/// use embate::{Vec3, shapes::{Cuboid, Sphere}};
///
/// let mut world = World::new(Settings { gravity: Vec3::ZERO, ..Settings::default() })?;
/// let axle = world.add(BodyPlan::still(Sphere::new(0.1)?))?;
/// let wheel = world.add(BodyPlan::moving(Cuboid::new(Vec3::splat(0.5))?, 1.0))?;
/// let hinge = world.join(JointPlan::hinge(axle, wheel, Vec3::ZERO, Vec3::Z).with_motor(2.0, 10.0))?;
/// for _ in 0..60 {
///     world.step();
/// }
/// assert!((world.body(wheel).unwrap().angular_velocity().z - 2.0).abs() < 1e-3);
///
/// let brake = Motor { speed: 0.0, strength: 100.0 };
/// world.change_joint(hinge).unwrap().set_motor(Some(brake))?;
/// assert_eq!(world.joint(hinge).unwrap().motor(), Some(brake));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Of the second body as seen from the first: in rad/s about the axis, or m/s along it.
    pub speed: f32,
    /// The most that it can do to reach the speed: in N·m, or N.
    pub strength: f32,
}

/// A joint to be: made from two bodies and where it is, then described, then [made](super::super::World::join).
///
/// Points and axes are those of the world, as the bodies stand when the joint is made.
///
/// ```
/// use embate::{Vec3, motion::{BodyPlan, JointPlan, Settings, World}, shapes::{Cuboid, Sphere}};
///
/// let mut world = World::new(Settings::default())?;
/// let hook = world.add(BodyPlan::still(Sphere::new(0.1)?).at(Vec3::new(0.0, 3.0, 0.0)))?;
/// let rod = BodyPlan::moving(Cuboid::new(Vec3::new(0.5, 0.05, 0.05))?, 1.0);
/// let rod = world.add(rod.at(Vec3::new(0.5, 3.0, 0.0)))?;
/// let hinge = JointPlan::hinge(hook, rod, Vec3::new(0.0, 3.0, 0.0), Vec3::Z).with_limits(-1.0, 1.0);
/// let hinge = world.join(hinge)?;
/// for _ in 0..600 {
///     world.step();
/// }
/// let angle = world.joint(hinge).unwrap().angle().unwrap();
/// assert!((angle + 1.0).abs() < 0.01); // it has swung down as far as it may
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPlan {
    pub(super) kind: JointKind,
    pub(super) bodies: [BodyId; 2],
    pub(super) anchors: [Vec3; 2],
    pub(super) axis: Vec3,
    pub(super) limits: Option<[f32; 2]>,
    pub(super) motor: Option<Motor>,
    pub(super) length: Option<f32>,
    pub(super) stiffness: f32,
    pub(super) damping: f32,
    pub(super) colliding: bool,
}

impl JointPlan {
    fn new(kind: JointKind, a: BodyId, b: BodyId, anchors: [Vec3; 2]) -> Self {
        Self {
            kind,
            bodies: [a, b],
            anchors,
            axis: Vec3::X,
            limits: None,
            motor: None,
            length: None,
            stiffness: 0.0,
            damping: 0.0,
            colliding: false,
        }
    }

    /// Keeps a point of A and a point of B as far apart as they are: a stiff rod. With
    /// [limits](Self::with_limits) on the distance: a rope, a telescope.
    #[must_use]
    pub fn distance(a: BodyId, b: BodyId, anchor_a: Vec3, anchor_b: Vec3) -> Self {
        Self::new(JointKind::Distance, a, b, [anchor_a, anchor_b])
    }

    /// Keeps the points of both that are here together.
    #[must_use]
    pub fn ball(a: BodyId, b: BodyId, anchor: Vec3) -> Self {
        Self::new(JointKind::Ball, a, b, [anchor; 2])
    }

    /// Lets B turn about an axis through this point of A, and nothing else. The angle is 0 as they stand, and
    /// grows as B turns about the axis by the right-hand rule.
    #[must_use]
    pub fn hinge(a: BodyId, b: BodyId, anchor: Vec3, axis: Vec3) -> Self {
        Self { axis, ..Self::new(JointKind::Hinge, a, b, [anchor; 2]) }
    }

    /// Lets B slide along an axis of A, and nothing else. The way is 0 as they stand.
    #[must_use]
    pub fn slider(a: BodyId, b: BodyId, anchor: Vec3, axis: Vec3) -> Self {
        Self { axis, ..Self::new(JointKind::Slider, a, b, [anchor; 2]) }
    }

    /// Holds the two as they stand. The point is where the joint carries the load.
    #[must_use]
    pub fn weld(a: BodyId, b: BodyId, anchor: Vec3) -> Self {
        Self::new(JointKind::Weld, a, b, [anchor; 2])
    }

    /// Pulls a point of A and a point of B towards the distance that they have, or that of
    /// [`with_length`](Self::with_length): with `stiffness` newtons a metre, and with `damping` newtons for each
    /// m/s that they part by.
    #[must_use]
    pub fn spring(
        a: BodyId,
        b: BodyId,
        anchor_a: Vec3,
        anchor_b: Vec3,
        stiffness: f32,
        damping: f32,
    ) -> Self {
        let plan = Self::new(JointKind::Spring, a, b, [anchor_a, anchor_b]);
        Self { stiffness, damping, ..plan }
    }

    /// Of a hinge the least and greatest angle, in radians; of a slider the way, in metres; of a distance the
    /// length.
    #[must_use]
    pub fn with_limits(mut self, least: f32, most: f32) -> Self {
        self.limits = Some([least, most]);
        self
    }

    /// Drives a hinge (rad/s, N·m) or a slider (m/s, N).
    #[must_use]
    pub fn with_motor(mut self, speed: f32, strength: f32) -> Self {
        self.motor = Some(Motor { speed, strength });
        self
    }

    /// The length at which a spring is at rest, or that of a stiff rod.
    #[must_use]
    pub fn with_length(mut self, length: f32) -> Self {
        self.length = Some(length);
        self
    }

    /// The two bodies touch each other, too. Without it they pass through each other: most joints hold bodies
    /// that overlap.
    #[must_use]
    pub fn colliding(mut self) -> Self {
        self.colliding = true;
        self
    }
}

/// Why there cannot be such a joint, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidJoint {
    /// A body that is not there, or no longer.
    #[error("the {which} body of the joint is not there: it was never added, or was removed")]
    UnknownBody {
        /// The first or the second.
        which: &'static str,
    },
    /// A joint of a body with itself.
    #[error("the joint holds a body to itself: give two bodies")]
    SameBody,
    /// Neither body is moved by a joint.
    #[error("neither body of the joint can be moved: make one of them `moving`")]
    NothingMoves,
    /// Three numbers of which one is NaN, infinite or too large.
    #[error("the {name} of the joint is {value:?}; give three finite numbers within ±{FAR:e}")]
    Vector {
        /// Which.
        name: &'static str,
        /// As given.
        value: [f32; 3],
    },
    /// An axis without direction.
    #[error("the axis of the joint is {axis:?} and has no direction: give one that is not 0")]
    Axis {
        /// As given.
        axis: [f32; 3],
    },
    /// A number out of its range.
    #[error("the {name} of the joint is {value}, but must lie between {least} and {most}")]
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
    /// Limits the wrong way round, NaN, or both infinite.
    #[error(
        "the limits of the joint are {least} and {most}: give the lesser first, no NaN, and leave out what has no limit"
    )]
    Limits {
        /// As given.
        least: f32,
        /// As given.
        most: f32,
    },
    /// A rod that has one length and a range of them.
    #[error("the joint has both a length and limits: give the length, or the limits")]
    LengthAndLimits,
    /// A point too far from a body to turn it by.
    #[error(
        "the point of the joint is {arm} m from the centre of the {which} body, but a body of its size is held by points within {most} m: give a nearer point or a larger body, or lock its turning"
    )]
    Far {
        /// The first or the second.
        which: &'static str,
        /// How far its point is.
        arm: f32,
        /// How far it may be.
        most: f32,
    },
    /// Something that this kind of joint does not have.
    #[error("a {kind} joint has no {what}: leave it out, or choose another joint")]
    Has {
        /// The joint.
        kind: &'static str,
        /// What it does not have.
        what: &'static str,
    },
    /// A method that does not hold joints.
    #[error("the method {method:?} holds no joints: use \"soft\"")]
    Method {
        /// Its name.
        method: &'static str,
    },
}

pub(super) fn check_number(
    name: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), InvalidJoint> {
    if super::super::checks::is_within(value, least, most) {
        Ok(())
    } else {
        Err(InvalidJoint::Number { name, value, least, most })
    }
}

pub(super) fn check_motor(kind: JointKind, motor: Motor) -> Result<(), InvalidJoint> {
    if !matches!(kind, JointKind::Hinge | JointKind::Slider) {
        return Err(InvalidJoint::Has { kind: kind.name(), what: "motor" });
    }
    check_number("motor's speed", motor.speed, -1e4, 1e4)?;
    check_number("motor's strength", motor.strength, 0.0, 1e15)
}

pub(super) fn check_limits(kind: JointKind, [least, most]: [f32; 2]) -> Result<(), InvalidJoint> {
    if !matches!(kind, JointKind::Hinge | JointKind::Slider | JointKind::Distance) {
        return Err(InvalidJoint::Has { kind: kind.name(), what: "limits" });
    }
    // A NaN is in no order.
    let in_order = least <= most;
    if !in_order || least == f32::INFINITY || most == f32::NEG_INFINITY {
        return Err(InvalidJoint::Limits { least, most });
    }
    if kind == JointKind::Distance {
        check_number("least length", least, 0.0, f32::MAX)?;
    }
    Ok(())
}

/// How far from a body's centre a joint may be, in times that the body's mass is (its radius of gyration). f32 turns
/// a body in steps of 6e-8 of a radian, so that the far end of such an arm goes by steps of 6e-3 of the body.
const MOST_ARM: f32 = 1e5;
/// The same for a body with locked axes: rounding then hides what is left along the arm.
const MOST_ARM_LOCKED: f32 = 3e3;

/// Why a joint cannot turn a body of such locks by an arm of this length, if it cannot. However the body is turned, the
/// answer is the same.
pub(in super::super) fn check_arm(
    mass: &Mass,
    locks: Locks,
    which: &'static str,
    arm: f32,
) -> Result<(), InvalidJoint> {
    let most = if locks.any() { MOST_ARM_LOCKED } else { MOST_ARM };
    let most = most * gyration(mass);
    if locks.turning == [true; 3] || arm <= most {
        return Ok(());
    }
    Err(InvalidJoint::Far { which, arm, most })
}

/// Whether a joint that was allowed can have come to such an arm: with locks that it did not have then, and with
/// some rounding.
pub(in super::super) fn is_arm(mass: &Mass, locks: Locks, arm: f32) -> bool {
    locks.turning == [true; 3] || arm <= 2.0 * MOST_ARM * gyration(mass)
}

/// How far from its centre a body's mass is, about the axis that is turned most easily; infinite if it does not turn.
fn gyration(mass: &Mass) -> f32 {
    let [x, y, z] = mass.inverse_inertia.columns;
    1.0 / (mass.kilograms * (x.x + y.y + z.z)).sqrt()
}

impl JointPlan {
    /// The places of the two bodies, if all is well.
    pub(super) fn check(
        &self,
        bodies: &Bodies,
        method: Method,
    ) -> Result<[usize; 2], InvalidJoint> {
        if method != Method::Soft {
            return Err(InvalidJoint::Method { method: method.name() });
        }
        let find = |id: BodyId, which| {
            let place = bodies.find(id).filter(|&place| !bodies.nature(place).wall);
            place.ok_or(InvalidJoint::UnknownBody { which })
        };
        let places = [find(self.bodies[0], "first")?, find(self.bodies[1], "second")?];
        if places[0] == places[1] {
            return Err(InvalidJoint::SameBody);
        }
        if places.iter().all(|&place| bodies.nature(place).kind != Kind::Moving) {
            return Err(InvalidJoint::NothingMoves);
        }
        for (name, value) in [
            ("first point", self.anchors[0]),
            ("second point", self.anchors[1]),
            ("axis", self.axis),
        ] {
            if !(value.is_finite() && value.abs().largest() <= FAR) {
                return Err(InvalidJoint::Vector { name, value: value.to_array() });
            }
        }
        for (side, which) in ["first", "second"].into_iter().enumerate() {
            let arm = (self.anchors[side] - bodies.places[places[side]].center).length();
            let nature = bodies.nature(places[side]);
            check_arm(&nature.mass, nature.locks, which, arm)?;
        }
        if self.axis.normalised().is_none() {
            return Err(InvalidJoint::Axis { axis: self.axis.to_array() });
        }
        self.limits.map_or(Ok(()), |limits| check_limits(self.kind, limits))?;
        self.motor.map_or(Ok(()), |motor| check_motor(self.kind, motor))?;
        if let Some(length) = self.length {
            if !matches!(self.kind, JointKind::Spring | JointKind::Distance) {
                return Err(InvalidJoint::Has { kind: self.kind.name(), what: "length" });
            }
            check_number("length", length, 0.0, 1e6)?;
            if self.limits.is_some() {
                return Err(InvalidJoint::LengthAndLimits);
            }
        }
        if self.kind == JointKind::Spring {
            check_number("stiffness", self.stiffness, 0.0, 1e15)?;
            check_number("damping", self.damping, 0.0, 1e15)?;
        }
        Ok(places)
    }
}
