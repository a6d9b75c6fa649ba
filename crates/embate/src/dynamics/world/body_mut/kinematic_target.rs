//! Kinematic target: velocities that move a kinematic body to a pose within one step.

use embate_geom::{DVec3, Pose};

use crate::dynamics::body::body_def::{BodyType, MAX_ANGULAR_SPEED};
use crate::dynamics::body::error::{
    BodyError, check_number, check_pose, check_speed, check_vector,
};
use crate::dynamics::quantity::Quantity;
use crate::dynamics::settings::{MAX_TIME_STEP, MIN_TIME_STEP};
use crate::dynamics::world::body_mut::BodyMut;

impl BodyMut<'_> {
    /// Sets the velocities of a kinematic body such that the next [`step`] moves it to `pose`,
    /// along the shortest rotation. Contacts on the way are those of a moving body, unlike those of
    /// [`set_pose`](Self::set_pose), which teleports.
    ///
    /// The body keeps these velocities afterwards: call this before every step, or set them to 0 at
    /// the last pose. The position is exact to rounding, the rotation to 1e-5 rad. Locked axes stay
    /// locked.
    ///
    /// ```
    /// use embate::{Pose, Vec3, dynamics::{BodyDef, Settings, World}, shapes::Cuboid};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let lift = world.insert_body(BodyDef::kinematic(Cuboid::new([1.0, 0.1, 1.0])?))?;
    /// let upstairs = Pose::from_translation(Vec3::Y * 0.25);
    /// world.body_mut(lift).unwrap().set_next_kinematic_pose(upstairs)?;
    /// world.step();
    /// assert!((world.body(lift).unwrap().position() - Vec3::Y * 0.25).length() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BodyError::NotKinematic`] for a dynamic or fixed body. [`BodyError::VectorOutOfRange`] if
    /// a number is not finite or too large, or the angular speed is above 10,000 rad/s.
    /// [`BodyError::TooFast`] if the speed is above the world's maximum.
    ///
    /// [`step`]: crate::dynamics::World::step
    #[doc(alias = "set_next_kinematic_position")]
    #[doc(alias = "MoveKinematic")]
    pub fn set_next_kinematic_pose(&mut self, pose: Pose) -> Result<(), BodyError> {
        self.set_next_kinematic_pose_with_dt(pose, self.world.settings().time_step)
    }

    /// [`set_next_kinematic_pose`](Self::set_next_kinematic_pose) for a step of `seconds`; see
    /// [`World::step_with_dt`](crate::dynamics::World::step_with_dt).
    ///
    /// # Errors
    /// As [`set_next_kinematic_pose`](Self::set_next_kinematic_pose), and
    /// [`BodyError::OutOfRange`] if `seconds` is not in 1e-6..=1.
    #[doc(alias = "b2Body_SetTargetTransform")]
    pub fn set_next_kinematic_pose_with_dt(
        &mut self,
        pose: Pose,
        seconds: f32,
    ) -> Result<(), BodyError> {
        let bodies = &self.world.bodies;
        let body_type = bodies.data(self.body_index).body_type;
        if body_type != BodyType::Kinematic {
            return Err(BodyError::NotKinematic { body_type });
        }
        check_number(Quantity::TimeStep, seconds, MIN_TIME_STEP, MAX_TIME_STEP)?;
        check_pose(&pose)?;
        // The center of mass of a kinematic body is the origin of its shape.
        let present = *bodies.com_pose(self.body_index);
        let rate = 1.0 / f64::from(seconds);
        let displacement = DVec3::from(pose.position) - DVec3::from(present.center_of_mass);
        let linear_velocity = (displacement * rate).as_vec3();
        let rotation = pose.rotation * present.rotation.inverse();
        let angular_velocity = (rotation.to_scaled_axis() * rate).as_vec3();
        check_speed(linear_velocity, self.world.settings().max_linear_speed)?;
        check_vector(Quantity::AngularVelocity, angular_velocity, MAX_ANGULAR_SPEED)?;
        let state = self.world.bodies.state_mut(self.body_index);
        (state.linear_velocity, state.angular_velocity) = (linear_velocity, angular_velocity);
        Ok(())
    }
}
