//! Body definition: body type, material, collision filter, locked axes; validation.

use embate_geom::{Pose, Rotation, Vec3};

use crate::dynamics::body::combine_rule::CombineRule;
use crate::dynamics::body::error::{BodyError, check_number, check_pose, check_vector};
use crate::dynamics::body::mass_properties::BodyMass;
use crate::dynamics::quantity::Quantity;
use crate::shapes::Shape;

/// Maximum magnitude of a body's coordinates, in meters; beyond, f32 cannot resolve positions.
pub(crate) const MAX_COORDINATE: f32 = 1e12;
/// Maximum magnitude of each component of a linear velocity that is passed in, in m/s. The speed of
/// a body is further limited by [`Settings::max_linear_speed`](crate::dynamics::Settings).
pub(crate) const MAX_SPEED: f32 = 1e6;
/// Maximum magnitude of each component of an angular velocity that is passed in, in rad/s: 1,600
/// revolutions per second.
pub(crate) const MAX_ANGULAR_SPEED: f32 = 1e4;
/// Maximum linear and angular damping, in 1/s.
pub(crate) const MAX_DAMPING: f32 = 1e6;

/// Generational id of a body in a world. The id of a removed body is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "RigidBodyHandle")]
pub struct BodyId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl BodyId {
    /// Slot of the body, for arrays indexed by body. A later body can reuse the slot of a removed
    /// one.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// Index and generation in one number, to be stored.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.index)
    }

    /// The id that [`to_bits`](Self::to_bits) was called on. Any number is an id; most are of no
    /// body.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// Body type: how a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "Kind")]
#[doc(alias = "RigidBodyType")]
#[doc(alias = "EMotionType")]
pub enum BodyType {
    /// Moved by forces and contacts.
    #[doc(alias = "Moving")]
    Dynamic,
    /// Follows its velocity, unaffected by forces and contacts: an elevator, a door.
    #[doc(alias = "Driven")]
    Kinematic,
    /// Never moves.
    #[doc(alias("Static", "Still"))]
    Fixed,
}

impl BodyType {
    /// Name in lower case: `dynamic`, `kinematic` or `fixed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Kinematic => "kinematic",
            Self::Fixed => "fixed",
        }
    }
}

/// Surface material. A contact uses the larger restitution and resistances of its two bodies, and
/// the geometric mean of their frictions, unless a [combine rule](CombineRule) is set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "SurfaceMaterial")]
pub struct Material {
    /// Coefficient of restitution: separation speed over approach speed, from 0 to 1.
    #[doc(alias = "bounciness")]
    pub restitution: f32,
    /// Coulomb friction coefficient: maximum tangential force over normal force.
    pub friction: f32,
    /// Rolling resistance: maximum torque over normal force, in meters.
    #[doc(alias = "rolling")]
    pub rolling_resistance: f32,
    /// Torsional resistance, against rotation about the contact normal: maximum torque over normal
    /// force, in meters.
    #[doc(alias = "spinning")]
    pub torsional_resistance: f32,
    /// Combine rule of the friction; `None`: the rule of the other body, or the geometric mean.
    pub friction_combine_rule: Option<CombineRule>,
    /// Combine rule of the restitution; `None`: the rule of the other body, or the maximum.
    pub restitution_combine_rule: Option<CombineRule>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            restitution: 0.0,
            friction: 0.5,
            rolling_resistance: 0.0,
            torsional_resistance: 0.0,
            friction_combine_rule: None,
            restitution_combine_rule: None,
        }
    }
}

impl Material {
    pub(crate) fn validate(&self) -> Result<(), BodyError> {
        check_number(Quantity::Restitution, self.restitution, 0.0, 1.0)?;
        check_number(Quantity::Friction, self.friction, 0.0, 1e3)?;
        check_number(Quantity::RollingResistance, self.rolling_resistance, 0.0, 1e3)?;
        check_number(Quantity::TorsionalResistance, self.torsional_resistance, 0.0, 1e3)
    }

    /// The same with the default combine rules.
    pub(crate) fn without_combine_rules(self) -> Self {
        Self { friction_combine_rule: None, restitution_combine_rule: None, ..self }
    }

    /// Material of a contact between two surfaces.
    pub(crate) fn combine(&self, other: &Self) -> Self {
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        let friction_rule = CombineRule::of_pair(
            self.friction_combine_rule,
            other.friction_combine_rule,
            CombineRule::GeometricMean,
        );
        let restitution_rule = CombineRule::of_pair(
            self.restitution_combine_rule,
            other.restitution_combine_rule,
            CombineRule::Max,
        );
        Self {
            restitution: restitution_rule.combine(self.restitution, other.restitution),
            friction: friction_rule.combine(self.friction, other.friction),
            rolling_resistance: larger(self.rolling_resistance, other.rolling_resistance),
            torsional_resistance: larger(self.torsional_resistance, other.torsional_resistance),
            friction_combine_rule: None,
            restitution_combine_rule: None,
        }
    }
}

/// Collision filter: two bodies `a` and `b` collide if `a.category & b.mask != 0` and
/// `b.category & a.mask != 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "Groups")]
#[doc(alias = "InteractionGroups")]
#[doc(alias = "b2Filter")]
pub struct CollisionFilter {
    /// Bit set of the groups that the body belongs to.
    #[doc(alias = "memberships")]
    #[doc(alias = "of")]
    pub category: u32,
    /// Bit set of the groups that the body collides with.
    #[doc(alias = "filter")]
    #[doc(alias = "with")]
    pub mask: u32,
}

impl Default for CollisionFilter {
    fn default() -> Self {
        Self { category: 1, mask: u32::MAX }
    }
}

impl CollisionFilter {
    pub(crate) fn should_collide(self, other: Self) -> bool {
        self.category & other.mask != 0 && other.category & self.mask != 0
    }
}

/// Locked degrees of freedom: world axes `[x, y, z]` along and about which a body does not move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "Locks")]
#[doc(alias = "b2MotionLocks")]
pub struct LockedAxes {
    /// Axes along which the body does not translate.
    #[doc(alias = "moving")]
    pub translation: [bool; 3],
    /// Axes about which the body does not rotate.
    #[doc(alias = "turning")]
    pub rotation: [bool; 3],
}

impl LockedAxes {
    /// Restricts the body to the xy plane, for 2D worlds.
    #[doc(alias = "PLANAR")]
    pub const PLANE_XY: Self =
        Self { translation: [false, false, true], rotation: [true, true, false] };

    pub(crate) fn any(self) -> bool {
        self != Self::default()
    }
}

/// Body definition, in the style of a builder: create it from a shape, set properties, then
/// [insert](crate::dynamics::World::insert_body) it.
///
/// ```
/// use embate::{Vec3, dynamics::BodyDef, shapes::Sphere};
///
/// let ball = BodyDef::dynamic(Sphere::new(0.1)?, 0.4)
///     .position([0.0, 2.0, 0.0])
///     .linear_velocity(Vec3::X)
///     .restitution(0.8);
/// # Ok::<(), embate::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "BodyPlan")]
#[doc(alias = "RigidBodyBuilder")]
#[doc(alias = "BodyCreationSettings")]
pub struct BodyDef {
    pub(crate) shape: Shape,
    pub(crate) body_type: BodyType,
    /// In kg; or in kg/m³ if `is_density`.
    pub(crate) mass: f32,
    pub(crate) is_density: bool,
    pub(crate) pose: Pose,
    pub(crate) linear_velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    pub(crate) material: Material,
    /// Linear and angular damping, in 1/s.
    pub(crate) damping: [f32; 2],
    pub(crate) gravity_scale: f32,
    pub(crate) locked_axes: LockedAxes,
    pub(crate) collision_filter: CollisionFilter,
    pub(crate) sensor: bool,
    pub(crate) can_sleep: bool,
    pub(crate) user_data: u128,
}

impl BodyDef {
    fn new(shape: Shape, body_type: BodyType, mass: f32) -> Self {
        Self {
            shape,
            body_type,
            mass,
            is_density: false,
            pose: Pose::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            material: Material::default(),
            damping: [0.0; 2],
            gravity_scale: 1.0,
            locked_axes: LockedAxes::default(),
            collision_filter: CollisionFilter::default(),
            sensor: false,
            can_sleep: true,
            user_data: 0,
        }
    }

    /// Dynamic body of `mass` kg, moved by forces and contacts.
    #[must_use]
    #[doc(alias = "moving")]
    pub fn dynamic(shape: impl Into<Shape>, mass: f32) -> Self {
        Self::new(shape.into(), BodyType::Dynamic, mass)
    }

    /// Dynamic body of `density` kg/m³: the mass is the density times the volume of the shape.
    /// Water is 1000, wood 500 to 800, steel 7850. The parts of a compound that overlap count
    /// twice.
    ///
    /// [Insertion](crate::dynamics::World::insert_body) fails with [`BodyError::NoVolume`] if the
    /// shape has no volume (an open mesh, a half-space), with [`BodyError::OutOfRange`] if the
    /// density is not in 1e-9..=1e12, and with [`BodyError::Mass`] if the resulting mass is out of
    /// range.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, World}, shapes::Cuboid};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let crate_ = BodyDef::dynamic_with_density(Cuboid::new([0.5, 0.5, 0.5])?, 700.0);
    /// let crate_ = world.insert_body(crate_)?;
    /// assert_eq!(world.body(crate_).unwrap().mass(), 700.0); // 1 m³ of wood
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "density")]
    pub fn dynamic_with_density(shape: impl Into<Shape>, density: f32) -> Self {
        Self { is_density: true, ..Self::new(shape.into(), BodyType::Dynamic, density) }
    }

    /// Kinematic body: follows its velocity, unaffected by forces and contacts.
    #[must_use]
    #[doc(alias = "driven")]
    pub fn kinematic(shape: impl Into<Shape>) -> Self {
        Self::new(shape.into(), BodyType::Kinematic, 0.0)
    }

    /// Fixed (static) body: the ground, a wall.
    #[must_use]
    #[doc(alias = "still")]
    #[doc(alias = "static")]
    pub fn fixed(shape: impl Into<Shape>) -> Self {
        Self::new(shape.into(), BodyType::Fixed, 0.0)
    }

    /// Position of the shape's origin, in meters. Default: the world's origin.
    #[must_use]
    #[doc(alias = "at")]
    #[doc(alias = "translation")]
    pub fn position(mut self, position: impl Into<Vec3>) -> Self {
        self.pose.position = position.into();
        self
    }

    /// Position and rotation of the shape. Default: identity.
    #[must_use]
    pub fn pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Rotation of the shape. Default: identity.
    #[must_use]
    #[doc(alias = "turned")]
    pub fn rotation(mut self, rotation: Rotation) -> Self {
        self.pose.rotation = rotation;
        self
    }

    /// Linear velocity of the center of mass, in m/s. Default: 0.
    #[must_use]
    #[doc(alias = "linvel")]
    #[doc(alias = "with_velocity")]
    pub fn linear_velocity(mut self, velocity: impl Into<Vec3>) -> Self {
        self.linear_velocity = velocity.into();
        self
    }

    /// Angular velocity about the world axes, in rad/s. Default: 0.
    #[must_use]
    #[doc(alias = "angvel")]
    #[doc(alias = "with_angular_velocity")]
    pub fn angular_velocity(mut self, angular_velocity: impl Into<Vec3>) -> Self {
        self.angular_velocity = angular_velocity.into();
        self
    }

    /// Surface material.
    #[must_use]
    #[doc(alias = "with_material")]
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Coefficient of restitution, from 0 to 1. Default: 0.
    #[must_use]
    #[doc(alias = "with_restitution")]
    pub fn restitution(mut self, restitution: f32) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// Coulomb friction coefficient. Default: 0.5.
    #[must_use]
    #[doc(alias = "with_friction")]
    pub fn friction(mut self, friction: f32) -> Self {
        self.material.friction = friction;
        self
    }

    /// Combine rule of the friction. Default: none, hence the rule of the other body or the
    /// geometric mean.
    #[must_use]
    pub fn friction_combine_rule(mut self, rule: CombineRule) -> Self {
        self.material.friction_combine_rule = Some(rule);
        self
    }

    /// Combine rule of the restitution. Default: none, hence the rule of the other body or the
    /// maximum.
    #[must_use]
    pub fn restitution_combine_rule(mut self, rule: CombineRule) -> Self {
        self.material.restitution_combine_rule = Some(rule);
        self
    }

    /// Linear damping rate `c` in 1/s: `v' = −c·v`. Default: 0.
    #[must_use]
    #[doc(alias = "with_damping")]
    pub fn linear_damping(mut self, rate: f32) -> Self {
        self.damping[0] = rate;
        self
    }

    /// Angular damping rate `c` in 1/s: `ω' = −c·ω`. Default: 0.
    #[must_use]
    #[doc(alias = "with_damping")]
    pub fn angular_damping(mut self, rate: f32) -> Self {
        self.damping[1] = rate;
        self
    }

    /// Factor of gravity for this body: 0 for none, negative for upwards. Default: 1.
    #[must_use]
    #[doc(alias = "with_gravity_scale")]
    pub fn gravity_scale(mut self, scale: f32) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// World axes along and about which the body does not move. Default: none.
    #[must_use]
    #[doc(alias = "with_locks")]
    pub fn locked_axes(mut self, locked_axes: LockedAxes) -> Self {
        self.locked_axes = locked_axes;
        self
    }

    /// Collision filter: which bodies this body collides with. Default: all.
    #[must_use]
    #[doc(alias = "collision_groups")]
    #[doc(alias = "with_groups")]
    pub fn collision_filter(mut self, filter: CollisionFilter) -> Self {
        self.collision_filter = filter;
        self
    }

    /// Whether the body is a sensor: it emits begin and end events but applies no contact forces.
    /// Default: false.
    #[must_use]
    #[doc(alias = "as_sensor")]
    #[doc(alias = "trigger")]
    pub fn sensor(mut self, sensor: bool) -> Self {
        self.sensor = sensor;
        self
    }

    /// Whether the body can be put to sleep at rest. Default: true.
    #[must_use]
    #[doc(alias = "without_sleep")]
    #[doc(alias = "enable_sleep")]
    pub fn can_sleep(mut self, can_sleep: bool) -> Self {
        self.can_sleep = can_sleep;
        self
    }

    /// Number that the caller associates with the body, for instance the id of a game object. The
    /// simulation does not read it. Default: 0.
    #[must_use]
    pub fn user_data(mut self, user_data: u128) -> Self {
        self.user_data = user_data;
        self
    }
}

impl BodyDef {
    /// Validates all properties and computes the mass properties.
    pub(crate) fn validate(&self) -> Result<BodyMass, BodyError> {
        check_pose(&self.pose)?;
        check_vector(Quantity::LinearVelocity, self.linear_velocity, MAX_SPEED)?;
        check_vector(Quantity::AngularVelocity, self.angular_velocity, MAX_ANGULAR_SPEED)?;
        self.material.validate()?;
        check_number(Quantity::LinearDamping, self.damping[0], 0.0, MAX_DAMPING)?;
        check_number(Quantity::AngularDamping, self.damping[1], 0.0, MAX_DAMPING)?;
        check_number(Quantity::GravityScale, self.gravity_scale, -1e6, 1e6)?;
        match self.body_type {
            BodyType::Dynamic if self.is_density => BodyMass::from_density(&self.shape, self.mass),
            BodyType::Dynamic => BodyMass::from_shape(&self.shape, self.mass),
            BodyType::Kinematic | BodyType::Fixed => Ok(BodyMass::INFINITE),
        }
    }
}
