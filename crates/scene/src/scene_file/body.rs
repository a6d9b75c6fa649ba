//! Bodies of scene files.

use embate::dynamics::{
    BodyDef, BodyType, CollisionFilter, CombineRule, LockedAxes, Material, Quantity,
};
use embate::{Pose, Rotation, Vec3, shapes::Shape};

use super::located_json::{Name, Node, Object};
use super::mesh::Meshes;
use super::numbers::{self, within};
use super::shape::read_shape;
use super::{SceneError, SceneErrorKind, keys};

/// A body of a scene file. Every number is finite and in its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name in messages and joints.
    pub name: Option<String>,
    /// Shape, in the body's frame.
    pub shape: Shape,
    /// Pose; by default the identity.
    pub pose: Pose,
    /// Linear velocity in m/s; by default 0.
    pub velocity: Vec3,
    /// Angular velocity in rad/s; by default 0.
    pub angular_velocity: Vec3,
    /// Mass in kg; a scene requires it of dynamic bodies.
    pub mass: Option<f32>,
    /// Restitution, friction (0.5 by default), rolling and torsional resistance.
    pub material: Material,
    /// Decay rate of the linear velocity, per second; by default 0.
    pub linear_damping: f32,
    /// Decay rate of the angular velocity, per second; by default 0.
    pub angular_damping: f32,
    /// Factor of gravity; by default 1.
    pub gravity_scale: f32,
    /// Axes along and about which the body does not move; by default none.
    pub locked_axes: LockedAxes,
    /// Which bodies it collides with; by default all.
    pub collision_filter: CollisionFilter,
    /// Whether it reports overlapping bodies and applies no forces.
    pub is_sensor: bool,
    /// Whether it may sleep at rest; by default true.
    pub can_sleep: bool,
    /// Dynamic by default.
    pub body_type: BodyType,
}

/// Friction coefficient of wood on wood.
const DEFAULT_FRICTION: f32 = 0.5;

pub(super) const BODY_TYPES: &[Name<BodyType>] = &[
    Name::new("dynamic", BodyType::Dynamic),
    Name::new("kinematic", BodyType::Kinematic),
    Name::renamed("fixed", "static", BodyType::Fixed),
];

/// Values of `"friction_combine_rule"` and `"restitution_combine_rule"`.
const COMBINE_RULES: &[Name<CombineRule>] = &[
    Name::new("geometric-mean", CombineRule::GeometricMean),
    Name::new("average", CombineRule::Average),
    Name::new("min", CombineRule::Min),
    Name::new("multiply", CombineRule::Multiply),
    Name::new("max", CombineRule::Max),
];

/// A locked axis: rotation, or else translation, and the index of the axis.
pub(super) const AXES: &[Name<(bool, usize)>] = &[
    Name::new("x", (false, 0)),
    Name::new("y", (false, 1)),
    Name::new("z", (false, 2)),
    Name::renamed("rot_x", "turn_x", (true, 0)),
    Name::renamed("rot_y", "turn_y", (true, 1)),
    Name::renamed("rot_z", "turn_z", (true, 2)),
];

impl Body {
    /// A dynamic body of this shape at the origin, at rest.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        Self {
            name: None,
            shape,
            pose: Pose::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: None,
            material: Material { friction: DEFAULT_FRICTION, ..Material::default() },
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            locked_axes: LockedAxes::default(),
            collision_filter: CollisionFilter::default(),
            is_sensor: false,
            can_sleep: true,
            body_type: BodyType::Dynamic,
        }
    }

    /// Locks the body to the plane of x and y, as `"dimension": 2` requires.
    ///
    /// # Errors
    /// [`SceneErrorKind::OutOfPlane`] if it is dynamic and its z is not 0.
    pub fn stay_in_plane(&mut self) -> Result<(), SceneErrorKind> {
        let z = self.pose.position.z;
        if self.body_type == BodyType::Dynamic && z != 0.0 {
            return Err(SceneErrorKind::OutOfPlane { z });
        }
        let (locked, planar) = (&mut self.locked_axes, LockedAxes::PLANE_XY);
        for axis in 0..3 {
            locked.translation[axis] |= planar.translation[axis];
            locked.rotation[axis] |= planar.rotation[axis];
        }
        Ok(())
    }

    /// Its definition for the engine.
    ///
    /// # Errors
    /// [`SceneErrorKind::NoMass`] of a dynamic body without a mass.
    pub fn def(&self) -> Result<BodyDef, SceneErrorKind> {
        let shape = self.shape.clone();
        let def = match (self.body_type, self.mass) {
            (BodyType::Fixed, _) => BodyDef::fixed(shape),
            (BodyType::Kinematic, _) => BodyDef::kinematic(shape),
            (BodyType::Dynamic, Some(mass)) => BodyDef::dynamic(shape, mass),
            (BodyType::Dynamic, None) => return Err(SceneErrorKind::NoMass),
        };
        Ok(def
            .position(self.pose.position)
            .rotation(self.pose.rotation)
            .linear_velocity(self.velocity)
            .angular_velocity(self.angular_velocity)
            .material(self.material)
            .linear_damping(self.linear_damping)
            .angular_damping(self.angular_damping)
            .gravity_scale(self.gravity_scale)
            .locked_axes(self.locked_axes)
            .collision_filter(self.collision_filter)
            .sensor(self.is_sensor)
            .can_sleep(self.can_sleep))
    }
}

/// Reads a body and loads its meshes.
pub(super) fn read_body(body: &Object<'_>, meshes: &mut Meshes<'_>) -> Result<Body, SceneError> {
    let default = Body::of(read_shape(&body.require("shape")?, meshes)?);
    let number = |key: &str, default: f32, quantity: Quantity, max: f32| {
        body.read_or(key, default, within(quantity, 0.0, max))
    };
    let [restitution, friction] = [default.material.restitution, default.material.friction];
    Ok(Body {
        name: body.optional("name", Node::string)?,
        pose: Pose {
            position: body.read_or("position", Vec3::ZERO, numbers::position)?,
            rotation: body.read_or("orientation", Rotation::default(), numbers::orientation)?,
        },
        velocity: body.read_or("velocity", Vec3::ZERO, numbers::vector)?,
        angular_velocity: body.read_or("angular_velocity", Vec3::ZERO, numbers::vector)?,
        mass: body.read("mass", numbers::mass)?,
        material: Material {
            restitution: number("restitution", restitution, Quantity::Restitution, 1.0)?,
            friction: number("friction", friction, Quantity::Friction, 1e3)?,
            rolling_resistance: number(
                "rolling_resistance",
                0.0,
                Quantity::RollingResistance,
                1e3,
            )?,
            torsional_resistance: number(
                "torsional_resistance",
                0.0,
                Quantity::TorsionalResistance,
                1e3,
            )?,
            friction_combine_rule: body.read("friction_combine_rule", combine_rule)?,
            restitution_combine_rule: body.read("restitution_combine_rule", combine_rule)?,
        },
        linear_damping: number("linear_damping", 0.0, Quantity::LinearDamping, 1e6)?,
        angular_damping: number("angular_damping", 0.0, Quantity::AngularDamping, 1e6)?,
        gravity_scale: body.read_or(
            "gravity_scale",
            default.gravity_scale,
            within(Quantity::GravityScale, -1e6, 1e6),
        )?,
        locked_axes: body.read_or("locked_axes", default.locked_axes, locked_axes)?,
        collision_filter: body.read_or(
            "collision_filter",
            default.collision_filter,
            collision_filter,
        )?,
        is_sensor: body.read_or("sensor", false, Node::boolean)?,
        can_sleep: body.read_or("can_sleep", true, Node::boolean)?,
        body_type: body_type(body)?,
        ..default
    })
}

/// `"type"`, or the earlier `"static"` and `"driven"`.
fn body_type(body: &Object<'_>) -> Result<BodyType, SceneError> {
    if let Some(node) = body.spelled("type") {
        return node.name(BODY_TYPES);
    }
    let flag = |key: &str| body.spelled(key).map_or(Ok(false), |node| node.boolean());
    match (flag("static")?, flag("driven")?) {
        (false, false) => Ok(BodyType::Dynamic),
        (true, false) => Ok(BodyType::Fixed),
        (false, true) => Ok(BodyType::Kinematic),
        (true, true) => Err(body.error(SceneErrorKind::StaticAndDriven)),
    }
}

fn combine_rule(node: &Node<'_>) -> Result<CombineRule, SceneError> {
    node.name(COMBINE_RULES)
}

/// `["z","rot_x","rot_y"]`.
fn locked_axes(node: &Node<'_>) -> Result<LockedAxes, SceneError> {
    let mut locked = LockedAxes::default();
    for item in node.list(usize::MAX)? {
        let (is_rotation, axis) = item.name(AXES)?;
        let axes = if is_rotation { &mut locked.rotation } else { &mut locked.translation };
        axes[axis] = true;
    }
    Ok(locked)
}

/// `{"category":[0],"mask":[0,1]}`: numbers of bits, from 0 to 31.
fn collision_filter(node: &Node<'_>) -> Result<CollisionFilter, SceneError> {
    let bits = |node: &Node<'_>| {
        node.list(usize::MAX)?.iter().try_fold(0_u32, |bits, item| {
            let group = item.whole_number()?;
            let bit = 1_u32.checked_shl(group);
            bit.map(|bit| bits | bit).ok_or_else(|| item.error(SceneErrorKind::Group { group }))
        })
    };
    let filter = node.object(keys::COLLISION_FILTER)?;
    let default = CollisionFilter::default();
    Ok(CollisionFilter {
        category: filter.optional("category", bits)?.unwrap_or(default.category),
        mask: filter.optional("mask", bits)?.unwrap_or(default.mask),
    })
}
