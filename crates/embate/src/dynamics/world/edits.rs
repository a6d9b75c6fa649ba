//! Edits of a body that concern more than the body itself: its proxy, contacts and joints. Called
//! by [`BodyMut`](crate::dynamics::BodyMut).

use embate_geom::Pose;

use crate::broad_phase::AabbSlice;
use crate::dynamics::body::body_def::{BodyType, CollisionFilter, LockedAxes, Material};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::error::BodyError;
use crate::dynamics::body::mass_properties::BodyMass;
use crate::dynamics::island;
use crate::dynamics::joint::{JointSide, check_arm};
use crate::dynamics::world::World;

impl World {
    /// Teleports a body and updates its proxy. The bodies that it touched wake.
    pub(super) fn set_body_pose(&mut self, index: BodyIndex, pose: Pose) -> Result<(), BodyError> {
        let time_step = self.settings.time_step;
        let margin = self.settings.speculative_distance();
        let aabb = self.bodies.data(index).shape.aabb(&pose);
        AabbSlice::validate(index.0, &aabb.loosened(margin))?;
        self.narrow_phase.wake_touching(&mut self.bodies, index);
        self.narrow_phase.mark_pairs_for_update(index);
        self.query_tree.invalidate();
        self.bodies.set_pose(index, pose);
        self.broad_phase.update_proxies(&self.bodies, &[index], margin, time_step, 1);
        Ok(())
    }

    /// Sets the material of a body and of its contacts, and wakes the bodies that touch it.
    pub(super) fn set_body_material(&mut self, index: BodyIndex, material: Material) {
        self.bodies.set_material(index, material);
        self.narrow_phase.wake_touching(&mut self.bodies, index);
        self.narrow_phase.update_materials(&self.bodies, index);
    }

    /// Sets the locked axes of a body, unless an anchor of its joints is then too far away.
    pub(super) fn set_body_locked_axes(
        &mut self,
        index: BodyIndex,
        locked_axes: LockedAxes,
    ) -> Result<(), BodyError> {
        let mass = self.bodies.data(index).mass;
        for joint in self.joints.iter() {
            for (i, side) in JointSide::BOTH.into_iter().enumerate() {
                if joint.bodies[i] == index {
                    check_arm(&mass, locked_axes, side, joint.anchors[i].length())?;
                }
            }
        }
        self.bodies.set_locked_axes(index, locked_axes);
        Ok(())
    }

    /// Sets the collision filter of a body; removes the contacts that it rejects, adds those that
    /// it newly allows.
    pub(super) fn set_body_collision_filter(&mut self, index: BodyIndex, filter: CollisionFilter) {
        self.bodies.set_collision_filter(index, filter);
        self.narrow_phase.refilter_body(
            &mut self.bodies,
            &self.broad_phase,
            &mut self.events,
            index,
        );
    }

    /// Changes the type of a body, unless a joint would become invalid. Its contacts end, and the
    /// bodies that it touched wake.
    pub(super) fn set_body_type(
        &mut self,
        index: BodyIndex,
        body_type: BodyType,
    ) -> Result<(), BodyError> {
        let data = self.bodies.data(index);
        if data.body_type == body_type {
            return Ok(());
        }
        let mass = if body_type == BodyType::Dynamic {
            BodyMass::from_shape(&data.shape, data.mass_when_dynamic)?
        } else {
            BodyMass::INFINITE
        };
        self.joints.check_body_type(&self.bodies, index, body_type, &mass)?;
        // Anchors of joints are relative to the center of mass.
        self.joints.shift_anchors(index, data.mass.center_of_mass - mass.center_of_mass);
        self.narrow_phase.wake_touching(&mut self.bodies, index);
        self.bodies.set_body_type(index, body_type, mass);
        self.broad_phase.discard_containment(index);
        let (margin, time_step) = (self.settings.speculative_distance(), self.settings.time_step);
        self.broad_phase.update_proxies(&self.bodies, &[index], margin, time_step, 1);
        self.recreate_pairs(index);
        Ok(())
    }

    /// Makes a body a sensor or solid. Its contacts end, and the bodies that it touched wake.
    pub(super) fn set_body_sensor(&mut self, index: BodyIndex, sensor: bool) {
        if self.bodies.data(index).sensor != sensor {
            self.narrow_phase.wake_touching(&mut self.bodies, index);
            self.bodies.set_sensor(index, sensor);
            self.recreate_pairs(index);
        }
    }

    fn recreate_pairs(&mut self, index: BodyIndex) {
        self.narrow_phase.recreate_pairs(
            &mut self.bodies,
            &self.broad_phase,
            &mut self.events,
            index,
        );
    }

    /// Puts the island of a dynamic body to sleep.
    pub(super) fn sleep_island_of(&mut self, index: BodyIndex) {
        island::sleep_island_of(&mut self.bodies, &self.narrow_phase, &self.joints, index);
    }
}
