//! Diagnostics: total energy, linear momentum and angular momentum of a world, in f64.

use embate_geom::DVec3;

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
    pub fn linear_momentum(&self) -> DVec3 {
        self.dynamic_bodies().fold(DVec3::ZERO, |sum, body| {
            sum + DVec3::from(body.linear_velocity()) * f64::from(body.mass())
        })
    }

    /// Angular momentum Σ (r × m·v + I·ω) of the dynamic bodies about the origin, in kg·m²/s.
    #[must_use]
    pub fn angular_momentum(&self) -> DVec3 {
        self.dynamic_bodies().fold(DVec3::ZERO, |sum, body| {
            let (r, v) = (DVec3::from(body.center_of_mass()), DVec3::from(body.linear_velocity()));
            let orbital = r.cross(v) * f64::from(body.mass());
            sum + orbital + DVec3::from(body.spin_angular_momentum())
        })
    }
}
