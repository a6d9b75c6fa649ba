//! State hash: one 64-bit number for the complete dynamic state of a world.

use embate_geom::Vec3;

use crate::dynamics::body::body_data::{BodyPose, SleepReference, SleepState};
use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::world::World;

impl World {
    /// Hash of the dynamic state: poses, velocities, external forces, sleep timers and sleep states
    /// of the bodies; contact pairs with their manifolds and warm-start impulses; joint impulses.
    /// Two worlds that were built alike and have the same hash continue alike, bit for bit.
    ///
    /// Not included: state that only the caller changes (shapes, masses, materials, locked axes,
    /// settings, joint definitions), the time, the events, and the generations of ids, which differ
    /// in a [restored](World::restore) world.
    #[must_use]
    #[doc(alias = "checksum")]
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHasher::new();
        self.hash_bodies(&mut hash);
        self.hash_contact_pairs(&mut hash);
        for joint in self.joints.iter() {
            hash.add(joint.angle.to_bits());
            joint.impulses.iter().for_each(|&impulse| hash.add_vector(impulse));
        }
        hash.0
    }

    fn hash_bodies(&self, hash: &mut StateHasher) {
        for body in self.bodies() {
            let index = body.body_index;
            hash.add(index.0);
            hash.add_pose(self.bodies.com_pose(index));
            hash.add_vector(body.linear_velocity());
            hash.add_vector(body.angular_velocity());
            let forces = self.bodies.forces(index);
            hash.add_vector(forces.force);
            hash.add_vector(forces.torque);
            if body.body_type() == BodyType::Dynamic {
                let sleep_timer = self.bodies.sleep_timer(index);
                hash.add(sleep_timer.to_bits());
                if sleep_timer > 0.0 {
                    let SleepReference { pose, linear_velocity, angular_velocity } =
                        self.bodies.sleep_reference(index);
                    hash.add_pose(pose);
                    hash.add_vector(*linear_velocity);
                    hash.add_vector(*angular_velocity);
                }
            }
            hash.add(match self.bodies.sleep_state(index) {
                SleepState::Awake => u32::MAX,
                SleepState::Asleep(island) => island,
            });
        }
    }

    fn hash_contact_pairs(&self, hash: &mut StateHasher) {
        for pair in self.narrow_phase.live_pairs() {
            let [a, b] = pair.bodies();
            hash.add(a.0);
            hash.add(b.0);
            hash.add(u32::from(pair.is_touching()) + 2 * u32::from(pair.needs_update()));
            if let Some(reference) = pair.recycle_reference() {
                reference.centers.iter().for_each(|&center| hash.add_vector(center));
                let quaternions =
                    reference.rotations.iter().flat_map(|rotation| rotation.to_array());
                quaternions.for_each(|value| hash.add(value.to_bits()));
            }
            for manifold in pair.manifolds() {
                hash.add_vector(manifold.manifold.normal);
                hash.add(manifold.time_to_contact.to_bits());
                let points = manifold.points_with_impulses().zip(&manifold.anchors);
                for ((contact, impulse), anchor) in points {
                    hash.add(contact.feature_id);
                    hash.add(impulse.normal_impulse.to_bits());
                    hash.add_vector(anchor.position);
                    hash.add(anchor.penetration.to_bits());
                }
                hash.add_vector(manifold.tangent_impulse);
                hash.add(manifold.torsional_impulse.to_bits());
                hash.add_vector(manifold.rolling_impulse);
            }
        }
    }
}

/// FNV-1a over 32-bit words. Each word is followed by a xor-shift, so that the high bits of the
/// hash affect the low ones.
struct StateHasher(u64);

impl StateHasher {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn add_pose(&mut self, pose: &BodyPose) {
        self.add_vector(pose.center_of_mass);
        pose.rotation.to_array().into_iter().for_each(|value| self.add(value.to_bits()));
    }

    fn add_vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|value| self.add(value.to_bits()));
    }
}
