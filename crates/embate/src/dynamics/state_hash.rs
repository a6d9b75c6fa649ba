//! What does the whole world hold: energy, momentum, and its state in one number?

use embate_geom::Vec3;

use super::bodies::{Calm, Place, Rest};
use super::body::Kind;
use super::view::Body;
use super::world::World;

impl World {
    fn moving(&self) -> impl Iterator<Item = Body<'_>> {
        self.bodies().filter(|body| body.kind() == Kind::Moving)
    }

    /// Kinetic energy of all moving bodies, their potential energy in gravity, above the origin, and what
    /// springs hold, in J.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let gravity = self.settings.gravity.to_array().map(f64::from);
        let each = self.moving().map(|body| {
            let scale = self.bodies.nature(body.place).gravity_scale;
            let center = body.center_of_mass().to_array().map(f64::from);
            let depth: f64 = (0..3).map(|axis| gravity[axis] * center[axis]).sum();
            body.kinetic_energy() - f64::from(body.mass()) * f64::from(scale) * depth
        });
        each.sum::<f64>() + self.joints.energy(&self.bodies)
    }

    /// Σ m·v of all moving bodies, in N·s.
    #[must_use]
    pub fn momentum(&self) -> [f64; 3] {
        self.moving().fold([0.0; 3], |sum, body| {
            let velocity = body.velocity().to_array();
            core::array::from_fn(|axis| {
                sum[axis] + f64::from(body.mass()) * f64::from(velocity[axis])
            })
        })
    }

    /// Σ (r × m·v + I·ω) of all moving bodies about the origin, in kg·m²/s.
    #[must_use]
    pub fn angular_momentum(&self) -> [f64; 3] {
        self.moving().fold([0.0; 3], |sum, body| {
            let (r, v) = (body.center_of_mass(), body.velocity());
            let (r, v) = (r.to_array().map(f64::from), v.to_array().map(f64::from));
            let own = body.own_angular_momentum().to_array();
            let mass = f64::from(body.mass());
            core::array::from_fn(|axis| {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                sum[axis] + mass * (r[next] * v[last] - r[last] * v[next]) + f64::from(own[axis])
            })
        })
    }

    /// All that moves in one number: where every body is, how it moves, what pushes it and how long it has been calm;
    /// who touches whom, and what held them; what holds the joints. Two worlds of the same hash go on alike, bit by
    /// bit, if they were built alike.
    ///
    /// What only a caller changes is not in it (shapes, masses, materials, locks, settings, plans of joints), nor
    /// are the time, the events, and the generations of names, which a [restored](World::restore) world gives anew.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        for body in self.bodies() {
            let place = &self.bodies.places[body.place];
            hash.add(body.place as u32);
            hash.add_place(place);
            hash.add_vector(body.velocity());
            hash.add_vector(body.angular_velocity());
            let push = &self.bodies.pushes[body.place];
            hash.add_vector(push.force);
            hash.add_vector(push.torque);
            if body.kind() == Kind::Moving {
                let calm = self.bodies.calm[body.place];
                hash.add(calm.to_bits());
                if calm > 0.0 {
                    let Calm { place, velocity, spin } = &self.bodies.calm_at[body.place];
                    hash.add_place(place);
                    hash.add_vector(*velocity);
                    hash.add_vector(*spin);
                }
            }
            hash.add(match self.bodies.rests[body.place] {
                Rest::Awake => u32::MAX,
                Rest::Asleep(island) => island,
            });
        }
        for pair in self.touches.present() {
            hash.add(pair.bodies[0]);
            hash.add(pair.bodies[1]);
            hash.add(u32::from(pair.touching) + 2 * u32::from(pair.anew));
            if let Some(settled) = &pair.settled {
                settled.centers.iter().for_each(|&center| hash.add_vector(center));
                let turns = settled.rotations.iter().flat_map(|turn| turn.to_array());
                turns.for_each(|value| hash.add(value.to_bits()));
            }
            for touch in &pair.touches {
                hash.add_vector(touch.manifold.normal);
                hash.add(touch.ahead.to_bits());
                for ((contact, memory), found) in touch.held().zip(&touch.found) {
                    hash.add(contact.feature);
                    hash.add(memory.impulse.to_bits());
                    hash.add_vector(found.point);
                    hash.add(found.depth.to_bits());
                }
                hash.add_vector(touch.friction);
                hash.add(touch.twist.to_bits());
                hash.add_vector(touch.rolling);
            }
        }
        for link in self.joints.iter() {
            hash.add(link.angle.to_bits());
            link.impulses.iter().for_each(|&impulse| hash.add_vector(impulse));
        }
        hash.0
    }
}

/// FNV-1a over 32-bit words, each stirred so that high bits count as much as low ones.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn add_place(&mut self, place: &Place) {
        self.add_vector(place.center);
        place.rotation.to_array().into_iter().for_each(|value| self.add(value.to_bits()));
    }

    fn add_vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|value| self.add(value.to_bits()));
    }
}
