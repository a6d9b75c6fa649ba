//! Working copy of the bodies of a step: what the stages read and write.
//!
//! The bodies live in a `dynamics::World`. Their state is gathered here once, and again after every
//! edit; the motion is written back at the end of each step.

use embate::dynamics::{Body, BodyId, BodyMotion, BodyType, LockedAxes, World};
use embate_geom::{Pose, Rotation, Vec3};

/// Below this fraction of its inverse mass a body counts as locked along a direction: rounding.
const LOCKED_RATIO: f32 = 1e-6;

/// State of one body.
#[derive(Clone, Debug)]
pub(super) struct BodyState {
    pub(super) id: BodyId,
    pub(super) body_type: BodyType,
    /// In 1/kg; 0 unless the body is dynamic.
    inverse_mass: f32,
    pub(super) locked_axes: LockedAxes,
    pub(super) gravity_scale: f32,
    pub(super) linear_damping: f32,
    pub(super) restitution: f32,
    /// Center of mass in the frame of the shape.
    local_center: Vec3,
    rotation: Rotation,
    /// Accumulated for the next step, in N.
    pub(super) force: Vec3,
    pub(super) center_of_mass: Vec3,
    pub(super) linear_velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    /// Frame of the shape; follows the center of mass by [`sync_pose`](Self::sync_pose).
    pub(super) pose: Pose,
}

impl BodyState {
    fn new(body: Body<'_>) -> Self {
        let is_dynamic = body.body_type() == BodyType::Dynamic;
        Self {
            id: body.id(),
            body_type: body.body_type(),
            inverse_mass: if is_dynamic { 1.0 / body.mass() } else { 0.0 },
            locked_axes: body.locked_axes(),
            gravity_scale: body.gravity_scale(),
            linear_damping: body.linear_damping(),
            restitution: body.material().restitution,
            local_center: body.local_center_of_mass(),
            rotation: body.pose().rotation,
            force: body.force(),
            center_of_mass: body.center_of_mass(),
            linear_velocity: body.linear_velocity(),
            angular_velocity: body.angular_velocity(),
            pose: body.pose(),
        }
    }

    /// Acceleration by gravity and a force, in m/s².
    pub(super) fn acceleration(&self, gravity: Vec3, force: Vec3) -> Vec3 {
        gravity * self.gravity_scale + force * self.inverse_mass
    }

    /// Zeroes the velocities along and about locked axes.
    pub(super) fn apply_locks(&mut self) {
        for axis in 0..3 {
            if self.locked_axes.translation[axis] {
                self.linear_velocity[axis] = 0.0;
            }
            if self.locked_axes.rotation[axis] {
                self.angular_velocity[axis] = 0.0;
            }
        }
    }

    /// Puts the shape where the center of mass is.
    pub(super) fn sync_pose(&mut self) {
        let position = self.center_of_mass - self.rotation.rotate(self.local_center);
        self.pose = Pose { rotation: self.rotation, position };
    }

    /// How far the center of mass has moved since the pose was synced.
    pub(super) fn moved_since_sync(&self) -> Vec3 {
        self.center_of_mass - self.pose.transform_point(self.local_center)
    }

    /// Velocity change by a unit impulse along `normal`, and its component along `normal`.
    ///
    /// The component is 1/m in the study, which has no locks. With locked axes it is smaller, and 0
    /// for a body that cannot move along the normal.
    pub(super) fn impulse_response(&self, normal: Vec3) -> (Vec3, f32) {
        if self.locked_axes.translation == [false; 3] {
            return (normal * self.inverse_mass, self.inverse_mass);
        }
        let free = self.locked_axes.translation.map(|locked| if locked { 0.0 } else { 1.0 });
        let change = normal.mul_elements(Vec3::from(free) * self.inverse_mass);
        let along = change.dot(normal);
        if along > LOCKED_RATIO * self.inverse_mass { (change, along) } else { (Vec3::ZERO, 0.0) }
    }

    /// Velocity change by any impulse; 0 along locked axes.
    pub(super) fn velocity_change(&self, impulse: Vec3) -> Vec3 {
        let mut change = impulse * self.inverse_mass;
        for axis in 0..3 {
            if self.locked_axes.translation[axis] {
                change[axis] = 0.0;
            }
        }
        change
    }

    fn motion(&self) -> BodyMotion {
        BodyMotion {
            body: self.id,
            center_of_mass: self.center_of_mass,
            linear_velocity: self.linear_velocity,
            angular_velocity: self.angular_velocity,
        }
    }
}

/// All bodies by index, and the indices of those that move.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyStates {
    states: Vec<Option<BodyState>>,
    /// Dynamic and kinematic bodies, ascending.
    pub(super) movers: Vec<u32>,
    motions: Vec<BodyMotion>,
}

impl BodyStates {
    /// Reads every body of `world`.
    pub(super) fn gather(&mut self, world: &World) {
        self.states.clear();
        self.movers.clear();
        for body in world.bodies() {
            let index = body.id().index();
            self.states.resize(index as usize, None);
            self.states.push(Some(BodyState::new(body)));
            if body.body_type() != BodyType::Fixed {
                self.movers.push(index);
            }
        }
    }

    /// Writes the motion of all movers into `world`.
    pub(super) fn write_back(&mut self, world: &mut World) {
        let Self { states, movers, motions } = self;
        motions.clear();
        motions.extend(movers.iter().map(|&mover| state(states, mover).motion()));
        world.set_motions(motions);
    }

    pub(super) fn get(&self, index: u32) -> &BodyState {
        state(&self.states, index)
    }

    pub(super) fn get_mut(&mut self, index: u32) -> &mut BodyState {
        self.states[index as usize].as_mut().expect(PRESENT)
    }

    /// Every body that never moves.
    pub(super) fn fixed(&self) -> impl Iterator<Item = &BodyState> {
        self.states.iter().flatten().filter(|state| state.body_type == BodyType::Fixed)
    }
}

const PRESENT: &str = "indices of movers and pairs are those of bodies that were gathered";

fn state(states: &[Option<BodyState>], index: u32) -> &BodyState {
    states[index as usize].as_ref().expect(PRESENT)
}
