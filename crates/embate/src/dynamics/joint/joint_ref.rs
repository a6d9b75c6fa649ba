//! Joint access: [`Joint`] to read a joint of a world, [`JointMut`] to change it.

use embate_geom::Vec3;

use crate::dynamics::body::body_def::BodyId;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::joint_def::{check_limits, check_motor};
use crate::dynamics::joint::joint_frame::JointFrame;
use crate::dynamics::joint::{JointData, JointError, JointId, JointType, Motor};

/// A joint of a world, read-only.
#[doc(alias = "JointRef")]
#[derive(Clone, Copy, Debug)]
pub struct Joint<'a> {
    pub(crate) bodies: &'a BodySet,
    pub(crate) data: &'a JointData,
    pub(crate) id: JointId,
}

impl Joint<'_> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> JointId {
        self.id
    }

    /// Its type.
    #[doc(alias = "kind")]
    #[must_use]
    pub fn joint_type(&self) -> JointType {
        self.data.joint_type
    }

    /// The two bodies that it connects.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        self.data.ids
    }

    /// Its anchor on each body, in world space.
    #[doc(alias = "points")]
    #[must_use]
    pub fn anchors(&self) -> [Vec3; 2] {
        core::array::from_fn(|side| {
            let pose = self.bodies.com_pose(self.data.bodies[side]);
            pose.center_of_mass + pose.rotation.rotate(self.data.anchors[side])
        })
    }

    /// Distance of its anchors, in meters. For spherical, revolute and fixed joints this is the
    /// position error.
    #[doc(alias = "length")]
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.frame().separation.length()
    }

    /// Angle of a revolute joint in radians, counted over full turns; `None` for other joints.
    #[must_use]
    pub fn angle(&self) -> Option<f32> {
        let frame = self.frame();
        (self.data.joint_type == JointType::Revolute).then(|| self.data.continuous_angle(&frame))
    }

    /// Translation of a prismatic joint in meters; `None` for other joints.
    #[doc(alias = "way")]
    #[must_use]
    pub fn translation(&self) -> Option<f32> {
        let is_prismatic = self.data.joint_type == JointType::Prismatic;
        is_prismatic.then(|| self.frame().translation())
    }

    /// Angle of the relative rotation of its bodies since it was inserted, in radians.
    #[doc(alias("angular_error", "turn"))]
    #[must_use]
    pub fn relative_angle(&self) -> f32 {
        self.frame().rotation_angle()
    }

    /// Its lower and upper limit, if it has limits.
    #[must_use]
    pub fn limits(&self) -> Option<[f32; 2]> {
        self.data.limits
    }

    /// Its motor, if it has one.
    #[must_use]
    pub fn motor(&self) -> Option<Motor> {
        self.data.motor
    }

    fn frame(&self) -> JointFrame {
        JointFrame::new(self.data, self.bodies)
    }
}

/// A joint of a world, to be changed. A rejected change leaves the joint as it was.
#[doc(alias = "JointChange")]
#[derive(Debug)]
pub struct JointMut<'a> {
    pub(crate) data: &'a mut JointData,
}

impl JointMut<'_> {
    /// Sets or removes the motor.
    ///
    /// # Errors
    /// [`JointError`] if joints of this type have no motor, or a number is out of range.
    pub fn set_motor(&mut self, motor: Option<Motor>) -> Result<(), JointError> {
        motor.map_or(Ok(()), |motor| check_motor(self.data.joint_type, motor))?;
        self.data.motor = motor;
        Ok(())
    }

    /// Sets or removes the lower and upper limit. A distance joint without limits has its rest
    /// length.
    ///
    /// # Errors
    /// [`JointError`] if joints of this type have no limits, or the limits are invalid.
    pub fn set_limits(&mut self, limits: Option<[f32; 2]>) -> Result<(), JointError> {
        limits.map_or(Ok(()), |limits| check_limits(self.data.joint_type, limits))?;
        self.data.limits = limits;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::FRAC_PI_2;

    use super::*;
    use crate::dynamics::{BodyDef, JointDef, JointProperty, Settings, World};
    use crate::shapes::{Cuboid, Sphere};

    /// A world with a fixed body at the origin and a dynamic one 1 m along x, connected by `def`.
    fn pendulum(def: impl FnOnce(BodyId, BodyId) -> JointDef) -> (World, BodyId, JointId) {
        let mut world = World::new(Settings::default()).unwrap();
        let hook = BodyDef::fixed(Sphere::new(0.05).unwrap());
        let hook = world.insert_body(hook).unwrap();
        let bob = BodyDef::dynamic(Cuboid::new(Vec3::splat(0.1)).unwrap(), 2.0);
        let bob = world.insert_body(bob.position(Vec3::X)).unwrap();
        let joint = world.insert_joint(def(hook, bob)).unwrap();
        (world, bob, joint)
    }

    fn hinge(a: BodyId, b: BodyId) -> JointDef {
        JointDef::revolute(a, b, Vec3::ZERO, Vec3::Z)
    }

    fn rod(a: BodyId, b: BodyId) -> JointDef {
        JointDef::distance(a, b, Vec3::ZERO, Vec3::X)
    }

    fn set_limits(world: &mut World, joint: JointId, limits: Option<[f32; 2]>) {
        world.joint_mut(joint).unwrap().set_limits(limits).unwrap();
        assert_eq!(world.joint(joint).unwrap().limits(), limits);
    }

    /// Steps for 10 s.
    fn settle(world: &mut World) {
        for _ in 0..600 {
            world.step();
        }
    }

    #[test]
    fn set_limits_changes_where_a_hinge_stops() {
        let (mut world, _, joint) = pendulum(|a, b| hinge(a, b).limits(-1.0, 1.0));
        for limits in [[-1.0, 1.0], [-1.2, 0.0], [-0.5, -0.2]] {
            set_limits(&mut world, joint, Some(limits));
            settle(&mut world);
            let angle = world.joint(joint).unwrap().angle().unwrap();
            assert!((angle - limits[0]).abs() < 0.01, "{angle}, expected {}", limits[0]);
        }
    }

    #[test]
    fn set_limits_to_none_frees_a_hinge() {
        let (mut world, bob, joint) = pendulum(|a, b| hinge(a, b).limits(-0.5, 0.5));
        settle(&mut world);
        assert!(world.body(bob).unwrap().position().y > -0.6, "the limit holds");
        set_limits(&mut world, joint, None);
        let mut lowest_angle = 0.0;
        for _ in 0..120 {
            world.step();
            let angle = world.joint(joint).unwrap().angle().unwrap();
            lowest_angle = embate_geom::scalar::min(angle, lowest_angle);
        }
        assert!(lowest_angle < -FRAC_PI_2, "it swings past its lowest point: {lowest_angle}");
    }

    #[test]
    fn set_limits_turns_a_rod_into_a_rope_and_back() {
        let (mut world, _, joint) = pendulum(rod);
        settle(&mut world);
        let distance = |world: &World| world.joint(joint).unwrap().distance();
        assert!((distance(&world) - 1.0).abs() < 0.01, "{}", distance(&world));
        set_limits(&mut world, joint, Some([0.0, 2.0]));
        settle(&mut world);
        assert!((distance(&world) - 2.0).abs() < 0.01, "{}", distance(&world));
        set_limits(&mut world, joint, None);
        settle(&mut world);
        assert!((distance(&world) - 1.0).abs() < 0.01, "{}", distance(&world));
    }

    #[test]
    fn set_limits_wakes_the_bodies() {
        let (mut world, bob, joint) = pendulum(|a, b| hinge(a, b).limits(-1.0, 1.0));
        settle(&mut world);
        assert!(world.body(bob).unwrap().is_sleeping());
        set_limits(&mut world, joint, Some([-1.2, 1.0]));
        assert!(!world.body(bob).unwrap().is_sleeping());
    }

    #[test]
    fn set_limits_rejects_invalid_limits_and_keeps_the_old_ones() {
        let (mut world, _, joint) = pendulum(|a, b| hinge(a, b).limits(-1.0, 1.0));
        let nan = f32::NAN;
        for [lower, upper] in [
            [1.0, -1.0],
            [nan, 1.0],
            [-1.0, nan],
            [f32::INFINITY, f32::INFINITY],
            [f32::NEG_INFINITY, f32::NEG_INFINITY],
        ] {
            let rejected = world.joint_mut(joint).unwrap().set_limits(Some([lower, upper]));
            let code = rejected.unwrap_err().code();
            assert_eq!(code, "joint.invalid-limits", "{lower}, {upper}");
            assert_eq!(world.joint(joint).unwrap().limits(), Some([-1.0, 1.0]));
        }
    }

    #[test]
    fn set_limits_rejects_a_negative_minimum_length() {
        let (mut world, _, joint) = pendulum(rod);
        let rejected = world.joint_mut(joint).unwrap().set_limits(Some([-1.0, 1.0]));
        assert_eq!(rejected.unwrap_err().code(), "joint.out-of-range");
        assert_eq!(world.joint(joint).unwrap().limits(), None);
    }

    #[test]
    fn set_limits_rejects_joint_types_without_limits() {
        let (mut world, _, joint) = pendulum(|a, b| JointDef::spherical(a, b, Vec3::ZERO));
        let mut joint = world.joint_mut(joint).unwrap();
        let expected = JointError::Unsupported {
            joint_type: JointType::Spherical,
            property: JointProperty::Limits,
        };
        assert_eq!(joint.set_limits(Some([-1.0, 1.0])), Err(expected));
        assert_eq!(joint.set_limits(None), Ok(()));
    }
}
