//! Joints of a world: insertion, removal and access.

use crate::dynamics::body::body_index::{BodyIndex, BodyPair};
use crate::dynamics::island;
use crate::dynamics::joint::{
    Joint, JointData, JointDef, JointError, JointId, JointIndex, JointMut,
};
use crate::dynamics::world::World;

impl World {
    /// Inserts a joint between two bodies and wakes both.
    ///
    /// ```
    /// use embate::{Vec3, shapes::Sphere};
    /// use embate::dynamics::{BodyDef, JointDef, JointError, Settings, World};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.insert_body(BodyDef::dynamic(Sphere::new(0.1)?, 1.0))?;
    /// let hook = world.insert_body(BodyDef::fixed(Sphere::new(0.1)?).position(Vec3::Y))?;
    /// let rope = JointDef::distance(hook, ball, Vec3::Y, Vec3::ZERO).limits(0.0, 1.0);
    /// let rope = world.insert_joint(rope)?;
    /// world.step();
    /// assert!(world.joint(rope).unwrap().distance() < 1.001);
    ///
    /// let rejected = world.insert_joint(JointDef::spherical(ball, ball, Vec3::ZERO));
    /// assert_eq!(rejected, Err(JointError::SameBody));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`JointError`] if the definition is invalid; the world is unchanged.
    #[doc(alias("join", "create_joint"))]
    pub fn insert_joint(&mut self, def: JointDef) -> Result<JointId, JointError> {
        let body_indices = def.validate(&self.bodies, self.settings.solver)?;
        self.narrow_phase.compact();
        let joint = JointData::new(&def, &self.bodies, body_indices);
        island::wake_bodies(&mut self.bodies, body_indices);
        if !joint.collide_connected {
            self.bodies.add_joint_filter(joint.pair());
            self.narrow_phase.remove_pair(&mut self.events, joint.pair());
        }
        Ok(self.joints.add(joint))
    }

    /// Removes a joint and wakes both bodies; returns false if there is no joint with this id.
    #[doc(alias("unjoin", "destroy_joint"))]
    pub fn remove_joint(&mut self, id: JointId) -> bool {
        let Some(index) = self.joints.find(id) else { return false };
        self.narrow_phase.compact();
        if let Some(pair) = self.remove_joint_at(index) {
            self.narrow_phase.try_add_pair(&self.bodies, &self.broad_phase, pair);
        }
        true
    }

    /// Removes a joint; returns its two bodies if no joint disables their contacts any more.
    fn remove_joint_at(&mut self, index: JointIndex) -> Option<BodyPair> {
        let joint = self.joints.remove(index)?;
        island::wake_bodies(&mut self.bodies, joint.bodies);
        if joint.collide_connected {
            return None;
        }
        let pair = joint.pair();
        self.bodies.remove_joint_filter(pair);
        (!self.bodies.is_joint_filtered(pair)).then_some(pair)
    }

    /// Removes all joints of a body, before the body itself is removed.
    pub(super) fn remove_joints_of(&mut self, body: BodyIndex) {
        for index in self.joints.of_body(body) {
            self.remove_joint_at(index);
        }
    }

    /// The joint with this id; `None` if it was removed. Removing a body removes its joints.
    #[must_use]
    pub fn joint(&self, id: JointId) -> Option<Joint<'_>> {
        let data = self.joints.get(self.joints.find(id)?)?;
        Some(Joint { bodies: &self.bodies, data, id })
    }

    /// The joint with this id, to be changed; `None` if it was removed. Wakes its bodies.
    #[doc(alias = "change_joint")]
    pub fn joint_mut(&mut self, id: JointId) -> Option<JointMut<'_>> {
        let index = self.joints.find(id)?;
        let data = self.joints.get_mut(index)?;
        island::wake_bodies(&mut self.bodies, data.bodies);
        Some(JointMut { data })
    }

    /// All joints, in the order of their ids.
    pub fn joints(&self) -> impl Iterator<Item = Joint<'_>> {
        self.joints.iter_with_ids().map(|(id, data)| Joint { bodies: &self.bodies, data, id })
    }
}
