//! Diagnostics: total energy, linear momentum and angular momentum of a world, in f64.

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_ref::Body;
use crate::dynamics::world::World;

impl World {
    fn dynamic_bodies(&self) -> impl Iterator<Item = Body<'_>> {
        self.bodies().filter(|body| body.body_type() == BodyType::Dynamic)
    }

    /// Total energy of the dynamic bodies and springs, in J: kinetic energy, potential energy in
    /// gravity relative to the origin, and elastic energy of the springs.
    #[must_use]
    #[doc(alias = "energy")]
    pub fn total_energy(&self) -> f64 {
        let gravity = self.settings.gravity.to_array().map(f64::from);
        let body_energies = self.dynamic_bodies().map(|body| {
            let gravity_scale = self.bodies.data(body.body_index).gravity_scale;
            let center = body.center_of_mass().to_array().map(f64::from);
            let gravity_dot_center: f64 = (0..3).map(|axis| gravity[axis] * center[axis]).sum();
            body.kinetic_energy()
                - f64::from(body.mass()) * f64::from(gravity_scale) * gravity_dot_center
        });
        body_energies.sum::<f64>() + self.joints.energy(&self.bodies)
    }

    /// Linear momentum Σ m·v of the dynamic bodies, in N·s.
    #[must_use]
    #[doc(alias = "momentum")]
    pub fn linear_momentum(&self) -> [f64; 3] {
        self.dynamic_bodies().fold([0.0; 3], |sum, body| {
            let velocity = body.linear_velocity().to_array();
            core::array::from_fn(|axis| {
                sum[axis] + f64::from(body.mass()) * f64::from(velocity[axis])
            })
        })
    }

    /// Angular momentum Σ (r × m·v + I·ω) of the dynamic bodies about the origin, in kg·m²/s.
    #[must_use]
    pub fn angular_momentum(&self) -> [f64; 3] {
        self.dynamic_bodies().fold([0.0; 3], |sum, body| {
            let (r, v) = (body.center_of_mass(), body.linear_velocity());
            let (r, v) = (r.to_array().map(f64::from), v.to_array().map(f64::from));
            let spin = body.spin_angular_momentum().to_array();
            let mass = f64::from(body.mass());
            core::array::from_fn(|axis| {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                sum[axis] + mass * (r[next] * v[last] - r[last] * v[next]) + f64::from(spin[axis])
            })
        })
    }
}
