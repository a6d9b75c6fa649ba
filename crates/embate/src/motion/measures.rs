//! What does the whole world hold: energy, momentum, and its state in one number?

use embate_geom::Vec3;

use super::bodies::Rest;
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

    /// The state of all bodies in one number: equal if every bit of every place and motion is. Two worlds of
    /// the same hash go on alike if they were built alike.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        for body in self.bodies() {
            let place = &self.bodies.places[body.place];
            hash.add(body.place as u32);
            hash.add(self.bodies.generations[body.place]);
            hash.add_vector(place.center);
            place.rotation.to_array().into_iter().for_each(|value| hash.add(value.to_bits()));
            hash.add_vector(body.velocity());
            hash.add_vector(body.angular_velocity());
            hash.add(match self.bodies.rests[body.place] {
                Rest::Awake => u32::MAX,
                Rest::Asleep(island) => island,
            });
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

    fn add_vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|value| self.add(value.to_bits()));
    }
}
