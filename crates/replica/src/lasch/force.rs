//! Applied forces: constant, of a spring to a fixed anchor, or central; each acts at the center of
//! mass of one body.
//!
//! A force is a function of position and velocity, so that every integrator evaluates it where it
//! needs it. Its time window selects whole steps: a force acts in the steps whose middle lies
//! within the window, and its law is constant over a step. The study names forces without laws;
//! these three are Embate's.

use embate::dynamics::{BodyId, World};
use embate_geom::Vec3;

use super::body_state::BodyState;

/// Maximum magnitude of a central force, in N: near the center it would be infinite. The engine's
/// maximum of a force.
const MAX_CENTRAL_FORCE: f32 = 1e15;

/// A force on one body during a time window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppliedForce {
    /// The body; a force on a removed body has no effect.
    pub body: BodyId,
    /// Its law.
    pub law: ForceLaw,
    /// Beginning of the window, in s of simulated time.
    pub from: f64,
    /// End of the window, in s of simulated time; infinite for none.
    pub until: f64,
}

/// Law of a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ForceLaw {
    /// The same force at every position, in N.
    Constant(Vec3),
    /// `−stiffness·(x − anchor) − damping·v`: a spring without a rest length.
    Spring {
        /// Fixed end of the spring, in world space.
        anchor: Vec3,
        /// In N/m.
        stiffness: f32,
        /// In N·s/m.
        damping: f32,
    },
    /// `strength / r²` toward the center; away from it if the strength is negative.
    Central {
        /// Center of the field, in world space.
        center: Vec3,
        /// In N·m².
        strength: f32,
    },
}

impl ForceLaw {
    /// The force at a position and a velocity, in N; 0 at the center of a central force.
    ///
    /// ```
    /// use embate::Vec3;
    /// use embate_replica::lasch::ForceLaw;
    ///
    /// let spring = ForceLaw::Spring { anchor: Vec3::ZERO, stiffness: 4.0, damping: 0.5 };
    /// assert_eq!(spring.at(Vec3::X, Vec3::Y), Vec3::new(-4.0, -0.5, 0.0));
    /// let planet = ForceLaw::Central { center: Vec3::ZERO, strength: 8.0 };
    /// assert_eq!(planet.at(Vec3::X * 2.0, Vec3::ZERO), Vec3::X * -2.0);
    /// ```
    #[must_use]
    pub fn at(&self, position: Vec3, velocity: Vec3) -> Vec3 {
        match *self {
            Self::Constant(force) => force,
            Self::Spring { anchor, stiffness, damping } => {
                (anchor - position) * stiffness - velocity * damping
            }
            Self::Central { center, strength } => {
                let toward = center - position;
                let distance = toward.length();
                if distance > 0.0 {
                    let force = strength / distance / distance;
                    toward / distance * force.clamp(-MAX_CENTRAL_FORCE, MAX_CENTRAL_FORCE)
                } else {
                    Vec3::ZERO
                }
            }
        }
    }

    /// Potential energy at a position, in J: of the spring at its anchor, and of the central force
    /// at infinity, it is 0. A constant force within a window has no potential and counts as 0.
    #[must_use]
    pub fn potential(&self, position: Vec3) -> f64 {
        let distance = |to: Vec3| {
            let offset = (position - to).to_array().map(f64::from);
            offset.iter().map(|part| part * part).sum::<f64>().sqrt()
        };
        match *self {
            Self::Constant(_) => 0.0,
            Self::Spring { anchor, stiffness, .. } => {
                0.5 * f64::from(stiffness) * distance(anchor) * distance(anchor)
            }
            Self::Central { center, strength } => {
                let distance = distance(center);
                if distance > 0.0 { -f64::from(strength) / distance } else { 0.0 }
            }
        }
    }
}

/// All applied forces of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppliedForces {
    /// By body; those of one body in the given order.
    sorted: Vec<AppliedForce>,
}

impl AppliedForces {
    /// These forces.
    #[must_use]
    pub fn new(mut forces: Vec<AppliedForce>) -> Self {
        forces.sort_by_key(|force| force.body);
        Self { sorted: forces }
    }

    /// The forces, by body.
    #[must_use]
    pub fn as_slice(&self) -> &[AppliedForce] {
        &self.sorted
    }

    /// The bodies with forces, each once.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.sorted.chunk_by(|a, b| a.body == b.body).map(|forces| forces[0].body)
    }

    /// Sum of the forces on a body at this position and velocity, in N; `None` if none acts in a
    /// step whose middle is at `time`.
    #[must_use]
    pub fn on(&self, body: BodyId, position: Vec3, velocity: Vec3, time: f64) -> Option<Vec3> {
        let acting = self.acting_on(body, time).map(|force| force.law.at(position, velocity));
        acting.reduce(|sum, force| sum + force)
    }

    /// Potential energy of the bodies of `world` in the forces that act at `time`, in J.
    #[must_use]
    pub fn potential_energy(&self, world: &World, time: f64) -> f64 {
        let of_body = |body: BodyId| {
            let position = world.body(body)?.center_of_mass();
            Some(self.acting_on(body, time).map(|force| force.law.potential(position)).sum::<f64>())
        };
        self.bodies().filter_map(of_body).sum()
    }

    fn acting_on(&self, body: BodyId, time: f64) -> impl Iterator<Item = &AppliedForce> {
        let first = self.sorted.partition_point(|force| force.body < body);
        let same = self.sorted[first..].iter().take_while(move |force| force.body == body);
        same.filter(move |force| force.from <= time && time < force.until)
    }
}

/// All that accelerates the bodies in a step. Integrators evaluate it at the positions and
/// velocities of their method.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForceField<'a> {
    pub(super) gravity: Vec3,
    pub(super) forces: &'a AppliedForces,
    /// Middle of the step, in s of simulated time.
    pub(super) time: f64,
}

impl ForceField<'_> {
    /// Acceleration of a dynamic body at a position of its center of mass and a velocity, in m/s².
    pub(super) fn acceleration(&self, body: &BodyState, position: Vec3, velocity: Vec3) -> Vec3 {
        match self.forces.on(body.id, position, velocity, self.time) {
            Some(applied) => body.acceleration(self.gravity, body.force + applied),
            None => body.acceleration(self.gravity, body.force),
        }
    }
}
