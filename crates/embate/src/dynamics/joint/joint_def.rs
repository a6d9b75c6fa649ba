//! Joint definition: builder and validation.

use embate_geom::Vec3;

use crate::dynamics::body::body_def::{BodyId, BodyType, LockedAxes, MAX_COORDINATE};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::body::mass_properties::BodyMass;
use crate::dynamics::joint::error::{JointError, JointProperty, JointSide};
use crate::dynamics::quantity::Quantity;
use crate::dynamics::solver_kind::SolverKind;

/// Joint type: which degrees of freedom a joint leaves free.
///
/// ```
/// use embate::dynamics::JointType;
///
/// assert_eq!(JointType::Revolute.name(), "revolute");
/// assert_eq!(JointType::from_name("revolute"), Some(JointType::Revolute));
/// assert_eq!(JointType::from_name("hinge"), Some(JointType::Revolute));
/// ```
#[doc(alias = "JointKind")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// Keeps the distance of two anchors constant, or within limits.
    #[doc(alias("rod", "rope"))]
    Distance,
    /// Keeps two anchors together; leaves rotation free.
    #[doc(alias("ball", "ball-and-socket", "point"))]
    Spherical,
    /// Leaves rotation about one axis free.
    #[doc(alias = "hinge")]
    Revolute,
    /// Leaves translation along one axis free.
    #[doc(alias = "slider")]
    Prismatic,
    /// Leaves nothing free: the bodies move as one.
    #[doc(alias = "weld")]
    Fixed,
    /// Pulls two anchors to a rest length, with a force proportional to the deviation. Constrains
    /// nothing.
    Spring,
}

impl JointType {
    /// All joint types.
    pub const ALL: [Self; 6] = [
        Self::Distance,
        Self::Spherical,
        Self::Revolute,
        Self::Prismatic,
        Self::Fixed,
        Self::Spring,
    ];

    /// Name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Spherical => "spherical",
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Fixed => "fixed",
            Self::Spring => "spring",
        }
    }

    /// The joint type of a [`name`](Self::name), or of one of the common names `ball`, `hinge`,
    /// `slider` and `weld`; `None` if the name is unknown.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "ball" => Some(Self::Spherical),
            "hinge" => Some(Self::Revolute),
            "slider" => Some(Self::Prismatic),
            "weld" => Some(Self::Fixed),
            _ => Self::ALL.into_iter().find(|joint_type| joint_type.name() == name),
        }
    }
}

/// Motor of a revolute or prismatic joint: drives its free degree of freedom to a target velocity.
///
/// ```
/// use embate::dynamics::{BodyDef, JointDef, Motor, Settings, World};
/// use embate::{Vec3, shapes::{Cuboid, Sphere}};
///
/// let mut world = World::new(Settings { gravity: Vec3::ZERO, ..Settings::default() })?;
/// let axle = world.insert_body(BodyDef::fixed(Sphere::new(0.1)?))?;
/// let wheel = world.insert_body(BodyDef::dynamic(Cuboid::new(Vec3::splat(0.5))?, 1.0))?;
/// let hinge = JointDef::revolute(axle, wheel, Vec3::ZERO, Vec3::Z).motor(2.0, 10.0);
/// let hinge = world.insert_joint(hinge)?;
/// for _ in 0..60 {
///     world.step();
/// }
/// assert!((world.body(wheel).unwrap().angular_velocity().z - 2.0).abs() < 1e-3);
///
/// let brake = Motor { target_velocity: 0.0, max_force: 100.0 };
/// world.joint_mut(hinge).unwrap().set_motor(Some(brake))?;
/// assert_eq!(world.joint(hinge).unwrap().motor(), Some(brake));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Velocity of the second body relative to the first: in rad/s about the axis, or m/s along it.
    #[doc(alias = "speed")]
    pub target_velocity: f32,
    /// Maximum torque in N·m (revolute), or force in N (prismatic).
    #[doc(alias("strength", "max_torque"))]
    pub max_force: f32,
}

/// Joint definition, the argument of [`World::insert_joint`](crate::dynamics::World::insert_joint).
///
/// Anchors and axes are given in world space, for the poses the bodies have when the joint is
/// inserted.
///
/// ```
/// use embate::{Vec3, dynamics::{BodyDef, JointDef, Settings, World}, shapes::{Cuboid, Sphere}};
///
/// let mut world = World::new(Settings::default())?;
/// let anchor = Vec3::new(0.0, 3.0, 0.0);
/// let hook = world.insert_body(BodyDef::fixed(Sphere::new(0.1)?).position(anchor))?;
/// let rod = BodyDef::dynamic(Cuboid::new(Vec3::new(0.5, 0.05, 0.05))?, 1.0);
/// let rod = world.insert_body(rod.position(Vec3::new(0.5, 3.0, 0.0)))?;
/// let hinge = JointDef::revolute(hook, rod, anchor, Vec3::Z).limits(-1.0, 1.0);
/// let hinge = world.insert_joint(hinge)?;
/// for _ in 0..600 {
///     world.step();
/// }
/// let angle = world.joint(hinge).unwrap().angle().unwrap();
/// assert!((angle + 1.0).abs() < 0.01); // the rod rests at its lower limit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("JointPlan", "JointBuilder"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDef {
    pub(super) joint_type: JointType,
    pub(super) bodies: [BodyId; 2],
    pub(super) anchors: [Vec3; 2],
    pub(super) axis: Vec3,
    pub(super) limits: Option<[f32; 2]>,
    pub(super) motor: Option<Motor>,
    pub(super) rest_length: Option<f32>,
    pub(super) stiffness: f32,
    pub(super) damping: f32,
    pub(super) collide_connected: bool,
}

impl JointDef {
    fn new(joint_type: JointType, a: BodyId, b: BodyId, anchors: [Vec3; 2]) -> Self {
        Self {
            joint_type,
            bodies: [a, b],
            anchors,
            axis: Vec3::X,
            limits: None,
            motor: None,
            rest_length: None,
            stiffness: 0.0,
            damping: 0.0,
            collide_connected: false,
        }
    }

    /// Distance joint: a rigid rod between two anchors, as long as their present distance. With
    /// [limits](Self::limits) on the distance: a rope or a telescope.
    #[must_use]
    pub fn distance(
        a: BodyId,
        b: BodyId,
        anchor_a: impl Into<Vec3>,
        anchor_b: impl Into<Vec3>,
    ) -> Self {
        Self::new(JointType::Distance, a, b, [anchor_a.into(), anchor_b.into()])
    }

    /// Spherical joint (ball and socket) at a common anchor.
    #[doc(alias = "ball")]
    #[must_use]
    pub fn spherical(a: BodyId, b: BodyId, anchor: impl Into<Vec3>) -> Self {
        Self::new(JointType::Spherical, a, b, [anchor.into(); 2])
    }

    /// Revolute joint (hinge): B rotates about an axis of A through the anchor. The angle is 0 when
    /// the joint is inserted; it grows as B rotates about the axis by the right-hand rule.
    #[doc(alias = "hinge")]
    #[must_use]
    pub fn revolute(a: BodyId, b: BodyId, anchor: impl Into<Vec3>, axis: impl Into<Vec3>) -> Self {
        let def = Self::new(JointType::Revolute, a, b, [anchor.into(); 2]);
        Self { axis: axis.into(), ..def }
    }

    /// Prismatic joint (slider): B translates along an axis of A. The translation is 0 when the
    /// joint is inserted.
    #[doc(alias = "slider")]
    #[must_use]
    pub fn prismatic(a: BodyId, b: BodyId, anchor: impl Into<Vec3>, axis: impl Into<Vec3>) -> Self {
        let def = Self::new(JointType::Prismatic, a, b, [anchor.into(); 2]);
        Self { axis: axis.into(), ..def }
    }

    /// Fixed joint (weld): keeps the present relative pose. The anchor is where the joint transmits
    /// the load.
    #[doc(alias = "weld")]
    #[must_use]
    pub fn fixed(a: BodyId, b: BodyId, anchor: impl Into<Vec3>) -> Self {
        Self::new(JointType::Fixed, a, b, [anchor.into(); 2])
    }

    /// Spring and damper between two anchors, with `stiffness` in N/m and `damping` in N·s/m. Its
    /// rest length is the present distance of the anchors, or [`rest_length`](Self::rest_length).
    #[must_use]
    pub fn spring(
        a: BodyId,
        b: BodyId,
        anchor_a: impl Into<Vec3>,
        anchor_b: impl Into<Vec3>,
        stiffness: f32,
        damping: f32,
    ) -> Self {
        let def = Self::new(JointType::Spring, a, b, [anchor_a.into(), anchor_b.into()]);
        Self { stiffness, damping, ..def }
    }

    /// Limits of the angle of a revolute joint in radians, of the translation of a prismatic joint
    /// in meters, or of the length of a distance joint in meters. Either may be infinite.
    #[doc(alias = "with_limits")]
    #[must_use]
    pub fn limits(mut self, lower: f32, upper: f32) -> Self {
        self.limits = Some([lower, upper]);
        self
    }

    /// [`Motor`] of a revolute joint (rad/s, N·m) or a prismatic joint (m/s, N).
    #[doc(alias = "with_motor")]
    #[must_use]
    pub fn motor(mut self, target_velocity: f32, max_force: f32) -> Self {
        self.motor = Some(Motor { target_velocity, max_force });
        self
    }

    /// Rest length of a spring, or length of a distance joint, in meters.
    #[doc(alias = "with_length")]
    #[must_use]
    pub fn rest_length(mut self, length: f32) -> Self {
        self.rest_length = Some(length);
        self
    }

    /// Whether the two bodies collide with each other. By default they do not, because the bodies
    /// of most joints overlap.
    #[doc(alias("colliding", "contacts_enabled"))]
    #[must_use]
    pub fn collide_connected(mut self, collide: bool) -> Self {
        self.collide_connected = collide;
        self
    }
}

pub(super) fn check_number(
    quantity: Quantity,
    value: f32,
    min: f32,
    max: f32,
) -> Result<(), JointError> {
    if crate::dynamics::body::error::is_within(value, min, max) {
        Ok(())
    } else {
        Err(JointError::OutOfRange { quantity, value, min, max })
    }
}

pub(super) fn check_motor(joint_type: JointType, motor: Motor) -> Result<(), JointError> {
    if !matches!(joint_type, JointType::Revolute | JointType::Prismatic) {
        return Err(JointError::Unsupported { joint_type, property: JointProperty::Motor });
    }
    check_number(Quantity::MotorTargetVelocity, motor.target_velocity, -1e4, 1e4)?;
    check_number(Quantity::MotorMaxForce, motor.max_force, 0.0, 1e15)
}

pub(super) fn check_limits(
    joint_type: JointType,
    [lower, upper]: [f32; 2],
) -> Result<(), JointError> {
    if !matches!(joint_type, JointType::Revolute | JointType::Prismatic | JointType::Distance) {
        return Err(JointError::Unsupported { joint_type, property: JointProperty::Limits });
    }
    // False for NaN.
    let in_order = lower <= upper;
    if !in_order || lower == f32::INFINITY || upper == f32::NEG_INFINITY {
        return Err(JointError::InvalidLimits { lower, upper });
    }
    if joint_type == JointType::Distance {
        check_number(Quantity::MinLength, lower, 0.0, f32::MAX)?;
    }
    Ok(())
}

/// Maximum distance of an anchor from the center of mass, in radii of gyration of the body. f32
/// rotates a body in steps of 6e-8 rad, so that an anchor at this distance moves in steps of 6e-3
/// of the size of the body.
const MAX_ANCHOR_RATIO: f32 = 1e5;
/// The same for a body with locked axes, where rounding hides the component along the arm.
const MAX_ANCHOR_RATIO_LOCKED: f32 = 3e3;

/// Rejects an anchor that is too far from the center of mass of a body with such locks. Does not
/// depend on the rotation of the body.
pub(crate) fn check_arm(
    mass: &BodyMass,
    locked_axes: LockedAxes,
    side: JointSide,
    distance: f32,
) -> Result<(), JointError> {
    let max_ratio = if locked_axes.any() { MAX_ANCHOR_RATIO_LOCKED } else { MAX_ANCHOR_RATIO };
    let max_distance = max_ratio * radius_of_gyration(mass);
    if locked_axes.rotation == [true; 3] || distance <= max_distance {
        return Ok(());
    }
    Err(JointError::AnchorTooFar { side, distance, max_distance })
}

/// Whether a joint that was valid when it was inserted can have an anchor at this distance: axes
/// may have been locked since, and there is rounding.
pub(crate) fn is_arm(mass: &BodyMass, locked_axes: LockedAxes, distance: f32) -> bool {
    locked_axes.rotation == [true; 3]
        || distance <= 2.0 * MAX_ANCHOR_RATIO * radius_of_gyration(mass)
}

/// Radius of gyration from the trace of the inverse inertia; infinite for a body that cannot
/// rotate.
fn radius_of_gyration(mass: &BodyMass) -> f32 {
    let [x, y, z] = mass.inverse_inertia.columns;
    1.0 / (mass.kilograms * (x.x + y.y + z.z)).sqrt()
}

impl JointDef {
    /// Validates the definition; returns the indices of its two bodies.
    pub(crate) fn validate(
        &self,
        bodies: &BodySet,
        solver: SolverKind,
    ) -> Result<[BodyIndex; 2], JointError> {
        if solver != SolverKind::SoftStep {
            return Err(JointError::SolverUnsupported { solver: solver.name() });
        }
        let find = |id: BodyId, side| {
            let body = bodies.find(id).filter(|&body| !bodies.data(body).is_world_boundary);
            body.ok_or(JointError::UnknownBody { side })
        };
        let indices =
            [find(self.bodies[0], JointSide::First)?, find(self.bodies[1], JointSide::Second)?];
        if indices[0] == indices[1] {
            return Err(JointError::SameBody);
        }
        if indices.iter().all(|&body| bodies.data(body).body_type != BodyType::Dynamic) {
            return Err(JointError::NoDynamicBody);
        }
        for (quantity, value) in [
            (Quantity::FirstAnchor, self.anchors[0]),
            (Quantity::SecondAnchor, self.anchors[1]),
            (Quantity::Axis, self.axis),
        ] {
            if !(value.is_finite() && value.abs().max_element() <= MAX_COORDINATE) {
                return Err(JointError::VectorOutOfRange { quantity, value: value.to_array() });
            }
        }
        for (index, side) in JointSide::BOTH.into_iter().enumerate() {
            let center = bodies.com_pose(indices[index]).center_of_mass;
            let distance = (self.anchors[index] - center).length();
            let data = bodies.data(indices[index]);
            check_arm(&data.mass, data.locked_axes, side, distance)?;
        }
        if self.axis.try_normalize().is_none() {
            return Err(JointError::ZeroAxis { axis: self.axis.to_array() });
        }
        self.limits.map_or(Ok(()), |limits| check_limits(self.joint_type, limits))?;
        self.motor.map_or(Ok(()), |motor| check_motor(self.joint_type, motor))?;
        if let Some(length) = self.rest_length {
            if !matches!(self.joint_type, JointType::Spring | JointType::Distance) {
                let joint_type = self.joint_type;
                return Err(JointError::Unsupported {
                    joint_type,
                    property: JointProperty::RestLength,
                });
            }
            check_number(Quantity::RestLength, length, 0.0, 1e6)?;
            if self.limits.is_some() {
                return Err(JointError::LengthAndLimits);
            }
        }
        if self.joint_type == JointType::Spring {
            check_number(Quantity::Stiffness, self.stiffness, 0.0, 1e15)?;
            check_number(Quantity::SpringDamping, self.damping, 0.0, 1e15)?;
        }
        Ok(indices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_types_are_found_by_both_families_of_names() {
        for joint_type in JointType::ALL {
            assert_eq!(JointType::from_name(joint_type.name()), Some(joint_type));
        }
        let common_names = ["ball", "hinge", "slider", "weld"].map(JointType::from_name);
        let types =
            [JointType::Spherical, JointType::Revolute, JointType::Prismatic, JointType::Fixed];
        assert_eq!(common_names, types.map(Some));
        assert_eq!(JointType::from_name("Revolute"), None);
    }
}
