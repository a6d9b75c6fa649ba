//! Body access: [`Body`] reads a body of a world. To edit one:
//! [`BodyMut`](crate::dynamics::BodyMut).

use embate_geom::{Aabb, DVec3, Mat3, Pose, Rotation, Vec3};

use crate::dynamics::body::body_data::{BodyData, BodyState, SleepState};
use crate::dynamics::body::body_def::{BodyId, BodyType, CollisionFilter, LockedAxes, Material};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::shapes::Shape;

/// Read access to a body; see [`World::body`](crate::dynamics::World::body).
#[derive(Clone, Copy, Debug)]
#[doc(alias = "BodyRef")]
#[doc(alias = "RigidBody")]
pub struct Body<'a> {
    pub(crate) bodies: &'a BodySet,
    pub(crate) body_index: BodyIndex,
}

impl<'a> Body<'a> {
    fn data(&self) -> &'a BodyData {
        self.bodies.data(self.body_index)
    }

    fn state(&self) -> &'a BodyState {
        self.bodies.state(self.body_index)
    }

    /// Id of the body.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.bodies.id(self.body_index)
    }

    /// Collision shape.
    #[must_use]
    pub fn shape(&self) -> &'a Shape {
        &self.data().shape
    }

    /// Body type: dynamic, kinematic or fixed.
    #[must_use]
    #[doc(alias = "kind")]
    pub fn body_type(&self) -> BodyType {
        self.data().body_type
    }

    /// Pose of the shape's frame.
    #[must_use]
    pub fn pose(&self) -> Pose {
        *self.bodies.pose(self.body_index)
    }

    /// Position of the shape's origin, in meters.
    #[must_use]
    #[doc(alias = "translation")]
    pub fn position(&self) -> Vec3 {
        self.pose().position
    }

    /// Rotation of the shape's frame.
    #[must_use]
    #[doc(alias = "orientation")]
    pub fn rotation(&self) -> Rotation {
        self.pose().rotation
    }

    /// Center of mass in world space, in meters.
    #[must_use]
    pub fn center_of_mass(&self) -> Vec3 {
        self.bodies.com_pose(self.body_index).center_of_mass
    }

    /// Linear velocity of the center of mass, in m/s.
    #[must_use]
    #[doc(alias = "velocity")]
    #[doc(alias = "linvel")]
    pub fn linear_velocity(&self) -> Vec3 {
        self.state().linear_velocity
    }

    /// Angular velocity about the world axes, in rad/s.
    #[must_use]
    #[doc(alias = "angvel")]
    pub fn angular_velocity(&self) -> Vec3 {
        self.state().angular_velocity
    }

    /// Velocity of the material point of the body at `point` in world space, in m/s.
    #[must_use]
    #[doc(alias = "velocity_at")]
    pub fn velocity_at_point(&self, point: impl Into<Vec3>) -> Vec3 {
        let point = point.into();
        self.bodies.velocity_at_point(self.body_index, point)
    }

    /// Mass in kg; 0 for fixed and kinematic bodies.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.data().mass.kilograms
    }

    /// Inertia tensor about the center of mass in world space, in kg·m²; 0 for fixed and kinematic
    /// bodies. Locked axes do not change it.
    ///
    /// ```
    /// use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::Cuboid};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let plank = world.insert_body(BodyDef::dynamic(Cuboid::new([3.0, 0.5, 0.5])?, 12.0))?;
    /// let inertia = world.body(plank).unwrap().inertia();
    /// assert!((inertia * Vec3::X - Vec3::X * 2.0).length() < 1e-5); // m (b² + c²) / 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "angular_inertia")]
    #[doc(alias = "moment_of_inertia")]
    pub fn inertia(&self) -> Mat3 {
        self.data().world_inertia(self.bodies.com_pose(self.body_index))
    }

    /// Inertia tensor about the center of mass in the frame of the shape, in kg·m²; 0 for fixed and
    /// kinematic bodies.
    #[must_use]
    #[doc(alias = "GetRotationalInertia")]
    pub fn local_inertia(&self) -> Mat3 {
        self.data().mass.inertia
    }

    /// Surface material.
    #[must_use]
    pub fn material(&self) -> Material {
        self.data().material
    }

    /// Collision filter.
    #[must_use]
    #[doc(alias = "groups")]
    pub fn collision_filter(&self) -> CollisionFilter {
        self.data().collision_filter
    }

    /// Linear damping rate, in 1/s: `v' = −rate·v`.
    #[must_use]
    pub fn linear_damping(&self) -> f32 {
        self.data().damping[0]
    }

    /// Angular damping rate, in 1/s.
    #[must_use]
    pub fn angular_damping(&self) -> f32 {
        self.data().damping[1]
    }

    /// Factor on gravity: 1 is the world's gravity, 0 none.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.data().gravity_scale
    }

    /// World axes along and about which the body does not move.
    #[must_use]
    pub fn locked_axes(&self) -> LockedAxes {
        self.data().locked_axes
    }

    /// Center of mass in the frame of the shape; the origin unless the body is dynamic.
    #[must_use]
    pub fn local_center_of_mass(&self) -> Vec3 {
        self.data().mass.center_of_mass
    }

    /// Force accumulated for the next step, in N.
    #[must_use]
    pub fn force(&self) -> Vec3 {
        self.bodies.forces(self.body_index).force
    }

    /// Torque accumulated for the next step, in N·m.
    #[must_use]
    pub fn torque(&self) -> Vec3 {
        self.bodies.forces(self.body_index).torque
    }

    /// Whether the body may fall asleep.
    #[must_use]
    pub fn can_sleep(&self) -> bool {
        self.data().can_sleep
    }

    /// Whether the body is a sensor.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.data().sensor
    }

    /// Number that the caller has associated with the body; 0 by default.
    #[must_use]
    pub fn user_data(&self) -> u128 {
        self.data().user_data
    }

    /// Whether the body sleeps: it rests, and the step skips it until it is woken.
    #[must_use]
    #[doc(alias = "is_asleep")]
    pub fn is_sleeping(&self) -> bool {
        self.bodies.sleep_state(self.body_index) != SleepState::Awake
    }

    /// Tight AABB of the body.
    #[must_use]
    pub fn aabb(&self) -> Aabb<3> {
        self.data().shape.aabb(&self.pose())
    }

    /// Kinetic energy ½ m v² + ½ ω·Iω, in J.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let linear_velocity = DVec3::from(self.linear_velocity());
        let angular_velocity = DVec3::from(self.angular_velocity());
        let spin_momentum = DVec3::from(self.spin_angular_momentum());
        0.5 * (f64::from(self.mass()) * linear_velocity.dot(linear_velocity)
            + angular_velocity.dot(spin_momentum))
    }

    /// Angular momentum I·ω about the center of mass, in kg·m²/s.
    pub(crate) fn spin_angular_momentum(&self) -> Vec3 {
        let rotation = self.bodies.com_pose(self.body_index).rotation;
        rotation.rotate(self.data().mass.inertia * rotation.inverse_rotate(self.angular_velocity()))
    }
}
