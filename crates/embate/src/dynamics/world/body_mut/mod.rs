//! Body edits: [`BodyMut`] validates a change of a body of a world, then applies it.
//!
//! A change that concerns more than the body itself, such as its proxy, contacts or joints, is
//! applied by [`edits`](crate::dynamics::world::edits).

mod kinematic_target;
mod role;

use embate_geom::{Pose, Rotation, Vec3};

use crate::dynamics::body::body_data::{BodyState, ExternalForces};
use crate::dynamics::body::body_def::{
    BodyType, CollisionFilter, LockedAxes, MAX_ANGULAR_SPEED, MAX_COORDINATE, MAX_DAMPING,
    MAX_SPEED, Material,
};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::body::error::{
    BodyError, check_number, check_pose, check_speed, check_vector,
};
use crate::dynamics::body::mass_properties::{BodyMass, check_mass};
use crate::dynamics::quantity::Quantity;
use crate::dynamics::world::World;

/// Maximum magnitude of each component of a force (N), torque (N·m) or impulse (N·s).
const MAX_FORCE: f32 = 1e15;
/// Maximum magnitude of each component of an acceleration by external forces, in m/s² or rad/s²:
/// its square is finite in f32.
const MAX_ACCELERATION: f32 = 1e12;

/// Write access to a body; see [`World::body_mut`]. Every edit is validated: a rejected one leaves
/// the world unchanged.
#[derive(Debug)]
#[doc(alias = "BodyChange")]
pub struct BodyMut<'a> {
    pub(super) world: &'a mut World,
    pub(super) body_index: BodyIndex,
}

impl BodyMut<'_> {
    fn bodies(&mut self) -> &mut BodySet {
        &mut self.world.bodies
    }

    fn state(&mut self) -> &mut BodyState {
        let index = self.body_index;
        self.bodies().state_mut(index)
    }

    fn body_type(&self) -> BodyType {
        self.world.bodies.data(self.body_index).body_type
    }

    fn center_of_mass(&self) -> Vec3 {
        self.world.bodies.com_pose(self.body_index).center_of_mass
    }

    /// Teleports the body. The bodies that it touched wake, and those that it touches at the new
    /// pose.
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite or too large.
    pub fn set_pose(&mut self, pose: Pose) -> Result<(), BodyError> {
        check_pose(&pose)?;
        self.world.set_body_pose(self.body_index, pose)
    }

    /// Teleports the body to a position, in meters, with its present rotation; see
    /// [`set_pose`](Self::set_pose).
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite or too large.
    #[doc(alias = "set_translation")]
    pub fn set_position(&mut self, position: impl Into<Vec3>) -> Result<(), BodyError> {
        let rotation = self.world.bodies.pose(self.body_index).rotation;
        self.set_pose(Pose::new(position, rotation))
    }

    /// Rotates the body about the origin of its shape, without motion; see
    /// [`set_pose`](Self::set_pose).
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite.
    pub fn set_rotation(&mut self, rotation: Rotation) -> Result<(), BodyError> {
        let position = self.world.bodies.pose(self.body_index).position;
        self.set_pose(Pose::new(position, rotation))
    }

    /// Sets the linear velocity of the center of mass, in m/s. Ignored by fixed bodies.
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite or too large.
    #[doc(alias = "set_velocity")]
    pub fn set_linear_velocity(&mut self, velocity: impl Into<Vec3>) -> Result<(), BodyError> {
        let velocity = velocity.into();
        check_vector(Quantity::LinearVelocity, velocity, MAX_SPEED)?;
        check_speed(velocity, self.world.settings().max_linear_speed)?;
        if self.body_type() != BodyType::Fixed {
            self.state().linear_velocity = velocity;
        }
        Ok(())
    }

    /// Sets the angular velocity, in rad/s. Ignored by fixed bodies.
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite or too large.
    pub fn set_angular_velocity(
        &mut self,
        angular_velocity: impl Into<Vec3>,
    ) -> Result<(), BodyError> {
        let angular_velocity = angular_velocity.into();
        check_vector(Quantity::AngularVelocity, angular_velocity, MAX_ANGULAR_SPEED)?;
        if self.body_type() != BodyType::Fixed {
            self.state().angular_velocity = angular_velocity;
        }
        Ok(())
    }

    /// Sets the mass, in kg. Of a fixed or kinematic body, it is the mass that the body has when it
    /// [becomes dynamic](Self::set_body_type).
    ///
    /// # Errors
    /// [`BodyError`] if the mass, or the resulting inertia of a dynamic body, is out of range. A
    /// fixed or kinematic body may have the mass 0, for none.
    pub fn set_mass(&mut self, mass: f32) -> Result<(), BodyError> {
        if self.body_type() == BodyType::Dynamic {
            let mass = BodyMass::from_shape(&self.world.bodies.data(self.body_index).shape, mass)?;
            self.world.bodies.set_mass(self.body_index, mass);
        } else {
            if mass != 0.0 {
                check_mass(mass)?;
            }
            // Of −0.0, the positive zero: the value is written to snapshots.
            let mass_when_dynamic = if mass == 0.0 { 0.0 } else { mass };
            self.world.bodies.set_mass_when_dynamic(self.body_index, mass_when_dynamic);
        }
        Ok(())
    }

    /// Sets the surface material, and wakes the bodies that touch this one.
    ///
    /// # Errors
    /// [`BodyError`] if a number is out of its range.
    pub fn set_material(&mut self, material: Material) -> Result<(), BodyError> {
        material.validate()?;
        self.world.set_body_material(self.body_index, material);
        Ok(())
    }

    /// Sets the linear damping rate `c` in 1/s: `v' = −c·v`.
    ///
    /// # Errors
    /// [`BodyError`] if the rate is negative, not finite or above 1e6.
    #[doc(alias = "set_damping")]
    pub fn set_linear_damping(&mut self, rate: f32) -> Result<(), BodyError> {
        check_number(Quantity::LinearDamping, rate, 0.0, MAX_DAMPING)?;
        self.world.bodies.set_linear_damping(self.body_index, rate);
        Ok(())
    }

    /// Sets the angular damping rate `c` in 1/s: `ω' = −c·ω`.
    ///
    /// # Errors
    /// [`BodyError`] if the rate is negative, not finite or above 1e6.
    #[doc(alias = "set_damping")]
    pub fn set_angular_damping(&mut self, rate: f32) -> Result<(), BodyError> {
        check_number(Quantity::AngularDamping, rate, 0.0, MAX_DAMPING)?;
        self.world.bodies.set_angular_damping(self.body_index, rate);
        Ok(())
    }

    /// Sets the factor of gravity for this body.
    ///
    /// # Errors
    /// [`BodyError`] if it is not finite or beyond ±1e6.
    pub fn set_gravity_scale(&mut self, scale: f32) -> Result<(), BodyError> {
        check_number(Quantity::GravityScale, scale, -1e6, 1e6)?;
        self.world.bodies.set_gravity_scale(self.body_index, scale);
        Ok(())
    }

    /// Sets the world axes along and about which the body does not move.
    ///
    /// # Errors
    /// [`BodyError::Joint`] if the anchor of a joint is too far from the center of mass for the
    /// remaining degrees of freedom.
    #[doc(alias = "set_locks")]
    pub fn set_locked_axes(&mut self, locked_axes: LockedAxes) -> Result<(), BodyError> {
        self.world.set_body_locked_axes(self.body_index, locked_axes)
    }

    /// Sets the collision filter. Contacts that both the old and the new filter allow continue.
    #[doc(alias = "set_groups")]
    pub fn set_collision_filter(&mut self, filter: CollisionFilter) {
        self.world.set_body_collision_filter(self.body_index, filter);
    }

    /// Adds a force at the center of mass for the duration of the next step, in N.
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite or too large, or if the acceleration by all forces
    /// exceeds 1e12 m/s². The resulting speed is clamped to the world's maximum, as for a falling
    /// body.
    pub fn apply_force(&mut self, force: impl Into<Vec3>) -> Result<(), BodyError> {
        let force = force.into();
        check_vector(Quantity::Force, force, MAX_FORCE)?;
        self.accumulate_force(ExternalForces { force, torque: Vec3::ZERO })
    }

    /// Adds a force at a point in world space for the duration of the next step, in N.
    ///
    /// # Errors
    /// As [`apply_force`](Self::apply_force).
    #[doc(alias = "apply_force_at")]
    pub fn apply_force_at_point(
        &mut self,
        force: impl Into<Vec3>,
        point: impl Into<Vec3>,
    ) -> Result<(), BodyError> {
        let (force, point) = (force.into(), point.into());
        check_vector(Quantity::Force, force, MAX_FORCE)?;
        check_vector(Quantity::Point, point, MAX_COORDINATE)?;
        let lever_arm = point - self.center_of_mass();
        self.accumulate_force(ExternalForces { force, torque: lever_arm.cross(force) })
    }

    /// Adds a torque for the duration of the next step, in N·m.
    ///
    /// # Errors
    /// As [`apply_force`](Self::apply_force).
    pub fn apply_torque(&mut self, torque: impl Into<Vec3>) -> Result<(), BodyError> {
        let torque = torque.into();
        check_vector(Quantity::Torque, torque, MAX_FORCE)?;
        self.accumulate_force(ExternalForces { force: Vec3::ZERO, torque })
    }

    /// Adds to the external forces, unless the resulting acceleration is out of range.
    fn accumulate_force(&mut self, added: ExternalForces) -> Result<(), BodyError> {
        let bodies = &mut self.world.bodies;
        let before = *bodies.forces(self.body_index);
        let force = before.force + added.force;
        let torque = before.torque + added.torque;
        let acceleration = force.mul_elements(bodies.inverse_mass(self.body_index));
        let angular_acceleration = bodies.inverse_inertia(self.body_index) * torque;
        check_vector(Quantity::TotalAcceleration, acceleration, MAX_ACCELERATION)?;
        check_vector(Quantity::TotalAngularAcceleration, angular_acceleration, MAX_ACCELERATION)?;
        *bodies.forces_mut(self.body_index) = ExternalForces { force, torque };
        Ok(())
    }

    /// Applies an impulse at the center of mass, in N·s: changes the linear velocity immediately.
    ///
    /// # Errors
    /// [`BodyError`] if a number is not finite or too large, or if the resulting speed exceeds the
    /// world's maximum or the angular speed about an axis 10,000 rad/s.
    pub fn apply_impulse(&mut self, impulse: impl Into<Vec3>) -> Result<(), BodyError> {
        let impulse = impulse.into();
        // Not `Vec3::ZERO`: the sign of a zero of the angular velocity stays as it was.
        self.apply_impulses(impulse, Vec3::ZERO.cross(impulse))
    }

    /// Applies an angular impulse, in N·m·s: changes the angular velocity immediately.
    ///
    /// ```
    /// use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(1.0)?, 5.0))?; // 2 kg·m²
    /// world.body_mut(ball).unwrap().apply_angular_impulse(Vec3::Y * 6.0)?;
    /// let spin = world.body(ball).unwrap().angular_velocity();
    /// assert!((spin - Vec3::Y * 3.0).length() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`apply_impulse`](Self::apply_impulse).
    #[doc(alias = "apply_torque_impulse")]
    pub fn apply_angular_impulse(
        &mut self,
        angular_impulse: impl Into<Vec3>,
    ) -> Result<(), BodyError> {
        let angular_impulse = angular_impulse.into();
        check_vector(Quantity::AngularImpulse, angular_impulse, MAX_FORCE)?;
        self.apply_impulses(Vec3::ZERO, angular_impulse)
    }

    /// Applies an impulse at a point in world space, in N·s: changes the linear and the angular
    /// velocity immediately.
    ///
    /// # Errors
    /// As [`apply_impulse`](Self::apply_impulse).
    #[doc(alias = "apply_impulse_at")]
    pub fn apply_impulse_at_point(
        &mut self,
        impulse: impl Into<Vec3>,
        point: impl Into<Vec3>,
    ) -> Result<(), BodyError> {
        let (impulse, point) = (impulse.into(), point.into());
        check_vector(Quantity::Point, point, MAX_COORDINATE)?;
        let lever_arm = point - self.center_of_mass();
        self.apply_impulses(impulse, lever_arm.cross(impulse))
    }

    /// Applies an impulse at the center of mass and an angular impulse.
    fn apply_impulses(&mut self, impulse: Vec3, angular_impulse: Vec3) -> Result<(), BodyError> {
        check_vector(Quantity::Impulse, impulse, MAX_FORCE)?;
        let max_linear_speed = self.world.settings().max_linear_speed;
        let bodies = &mut self.world.bodies;
        let before = *bodies.state(self.body_index);
        let linear_velocity =
            before.linear_velocity + impulse.mul_elements(bodies.inverse_mass(self.body_index));
        let angular_velocity =
            before.angular_velocity + bodies.inverse_inertia(self.body_index) * angular_impulse;
        // An impulse that slows the body down is always accepted.
        let is_slower = linear_velocity.length() <= before.linear_velocity.length();
        if !is_slower {
            check_speed(linear_velocity, max_linear_speed)?;
        }
        let is_slower = angular_velocity.length() <= before.angular_velocity.length();
        if !is_slower {
            check_vector(
                Quantity::AngularVelocityAfterImpulse,
                angular_velocity,
                MAX_ANGULAR_SPEED,
            )?;
        }
        let state = bodies.state_mut(self.body_index);
        (state.linear_velocity, state.angular_velocity) = (linear_velocity, angular_velocity);
        Ok(())
    }
}
