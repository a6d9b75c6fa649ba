//! Edits of the role of a body: body type, sensor flag, sleep state, user data.

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::error::BodyError;
use crate::dynamics::island;
use crate::dynamics::world::body_mut::BodyMut;

impl BodyMut<'_> {
    /// Changes the body type. Pose and velocities are kept, except that a fixed body does not move.
    /// Contacts end, and begin again in the next step; the bodies that touched this one wake.
    ///
    /// A body that becomes dynamic has the mass that it had when it last was dynamic, or that
    /// [`set_mass`](Self::set_mass) has set since.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, BodyType, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 2.0))?;
    /// world.body_mut(ball).unwrap().set_body_type(BodyType::Fixed)?;
    /// world.step();
    /// assert_eq!(world.body(ball).unwrap().position().y, 0.0);
    /// world.body_mut(ball).unwrap().set_body_type(BodyType::Dynamic)?;
    /// world.step();
    /// assert!(world.body(ball).unwrap().position().y < 0.0);
    /// assert_eq!(world.body(ball).unwrap().mass(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A body that becomes dynamic: [`BodyError::Mass`] if it has no mass,
    /// [`BodyError::NoVolume`] if its shape has no volume. [`BodyError::Joint`] if a joint would be
    /// left without a dynamic body, or its anchor is too far from the center of mass.
    #[doc(alias = "set_kind")]
    #[doc(alias = "SetMotionType")]
    pub fn set_body_type(&mut self, body_type: BodyType) -> Result<(), BodyError> {
        self.world.set_body_type(self.body_index, body_type)
    }

    /// Sets whether the body is a sensor: it emits begin and end events but applies no contact
    /// forces. Contacts end, and begin again in the next step; the bodies that touched this one
    /// wake.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ghost = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// world.body_mut(ghost).unwrap().set_sensor(true);
    /// assert!(world.body(ghost).unwrap().is_sensor());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "set_trigger")]
    pub fn set_sensor(&mut self, sensor: bool) {
        self.world.set_body_sensor(self.body_index, sensor);
    }

    /// Puts a dynamic body to sleep, with all dynamic bodies connected to it by contacts and
    /// joints, as if they had come to rest: their velocities and external forces become 0, and they
    /// stay where they are until one of them is woken by an edit, a contact or a joint. No effect
    /// on fixed and kinematic bodies. It applies as well to bodies that [cannot
    /// sleep](crate::dynamics::BodyDef::can_sleep) by themselves.
    ///
    /// This ends the access, because every access wakes the body.
    ///
    /// ```
    /// use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// world.body_mut(ball).unwrap().sleep();
    /// world.step();
    /// assert_eq!(world.body(ball).unwrap().position(), Vec3::ZERO);
    /// world.body_mut(ball).unwrap().wake_up();
    /// world.step();
    /// assert!(world.body(ball).unwrap().position().y < 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "b2Body_SetAwake")]
    #[doc(alias = "DeactivateBody")]
    pub fn sleep(self) {
        self.world.sleep_island_of(self.body_index);
    }

    /// Wakes the body and its island, and resets the sleep timer of the body.
    /// [`World::body_mut`](crate::dynamics::World::body_mut) does so too; this names the intention.
    #[doc(alias = "activate")]
    #[doc(alias = "b2Body_SetAwake")]
    #[doc(alias = "ActivateBody")]
    pub fn wake_up(&mut self) {
        island::wake_body(&mut self.world.bodies, self.body_index);
    }

    /// Sets whether the body may fall asleep with its island when it comes to rest.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// world.body_mut(ball).unwrap().set_can_sleep(false);
    /// assert!(!world.body(ball).unwrap().can_sleep());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("b2Body_EnableSleep", "SetAllowSleeping"))]
    pub fn set_can_sleep(&mut self, can_sleep: bool) {
        self.world.bodies.set_can_sleep(self.body_index, can_sleep);
    }

    /// Sets the number that the caller associates with the body, for instance the id of a game
    /// object. The simulation does not read it.
    ///
    /// ```
    /// use embate::{dynamics::{BodyDef, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0).user_data(7))?;
    /// assert_eq!(world.body(ball).unwrap().user_data(), 7);
    /// world.body_mut(ball).unwrap().set_user_data(8);
    /// assert_eq!(world.body(ball).unwrap().user_data(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_user_data(&mut self, user_data: u128) {
        self.world.bodies.set_user_data(self.body_index, user_data);
    }
}
