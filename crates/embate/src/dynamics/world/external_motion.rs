//! External integration: motion computed outside of the engine is written into a world, unchecked.
//! Hidden from the public API, whose values are all validated.
//!
//! A simulator with its own time stepping can keep its bodies in a [`World`] that it never steps,
//! and use the world for body views, edits, queries, energy and snapshots.

use embate_geom::Vec3;

use crate::dynamics::body::body_data::ExternalForces;
use crate::dynamics::body::body_def::{BodyId, BodyType};
use crate::dynamics::island;
use crate::dynamics::world::World;

/// Motion of one body, as an external integrator computed it. The rotation is unchanged.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// The body.
    pub body: BodyId,
    /// Center of mass in world space, in m.
    pub center_of_mass: Vec3,
    /// Velocity of the center of mass, in m/s.
    pub linear_velocity: Vec3,
    /// Angular velocity about the world axes, in rad/s.
    pub angular_velocity: Vec3,
}

impl World {
    /// Writes the motion of bodies that an external integrator has advanced.
    ///
    /// Wakes the bodies, updates their broad-phase proxies and the query tree, and clears the
    /// forces accumulated on dynamic bodies, as a step does. Fixed bodies and unknown ids are
    /// skipped. Values are stored as they are, like those of a step: NaN and infinity stay visible.
    ///
    /// ```
    /// use embate::{Vec3, dynamics::{BodyDef, BodyMotion, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let body = world.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
    /// let (center_of_mass, linear_velocity) = (Vec3::Y, Vec3::X);
    /// let angular_velocity = Vec3::ZERO;
    /// let motion = BodyMotion { body, center_of_mass, linear_velocity, angular_velocity };
    /// world.set_motions(&[motion]);
    /// assert_eq!(world.body(body).unwrap().position(), Vec3::Y);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(hidden)]
    pub fn set_motions(&mut self, motions: &[BodyMotion]) {
        let mut moved = Vec::with_capacity(motions.len());
        for motion in motions {
            let Some(index) = self.body(motion.body).map(|body| body.body_index) else { continue };
            match self.bodies.data(index).body_type {
                BodyType::Fixed => continue,
                BodyType::Dynamic => *self.bodies.forces_mut(index) = ExternalForces::default(),
                BodyType::Kinematic => {}
            }
            self.bodies.com_pose_mut(index).center_of_mass = motion.center_of_mass;
            let state = self.bodies.state_mut(index);
            state.linear_velocity = motion.linear_velocity;
            state.angular_velocity = motion.angular_velocity;
            self.bodies.sync_pose(index);
            moved.push(index);
        }
        island::wake_bodies(&mut self.bodies, moved.iter().copied());
        let (margin, time_step) = (self.settings.speculative_distance(), self.settings.time_step);
        self.broad_phase.update_proxies(&self.bodies, &moved, margin, time_step, 1);
        self.query_tree.update(&self.bodies, &moved);
    }
}
