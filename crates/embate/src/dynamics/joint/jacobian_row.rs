//! Which impulse keeps two bodies from moving against each other along one direction?
//!
//! A row is one direction, of moving, turning or both. What is held whatever happens is solved together, in
//! [`forest`](super::forest); limits, motors and springs are rows of their own, solved by turns with it.

use embate_geom::{Vec3, scalar};

use super::super::bodies::Bodies;
use super::super::prepare::Softness;
use super::held::TORN;

/// One direction: its speed is `along·(v_b − v_a) + turn_b·ω_b − turn_a·ω_a`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) along: Vec3,
    pub(super) turn_a: Vec3,
    pub(super) turn_b: Vec3,
}

impl Row {
    /// Moving along a direction, at arms from the centres of mass.
    pub(super) fn moving(along: Vec3, arm_a: Vec3, arm_b: Vec3) -> Self {
        Self { along, turn_a: arm_a.cross(along), turn_b: arm_b.cross(along) }
    }

    /// Turning about an axis.
    pub(super) fn turning(axis: Vec3) -> Self {
        Self { along: Vec3::ZERO, turn_a: axis, turn_b: axis }
    }

    pub(super) fn turned_round(self) -> Self {
        Self { along: -self.along, turn_a: -self.turn_a, turn_b: -self.turn_b }
    }

    pub(super) fn speed(&self, bodies: &Bodies, [a, b]: [usize; 2]) -> f32 {
        let (a, b) = (&bodies.motions[a], &bodies.motions[b]);
        self.along.dot(b.velocity - a.velocity) + self.turn_b.dot(b.spin) - self.turn_a.dot(a.spin)
    }

    /// The inverse of the mass that it moves.
    pub(super) fn inverse_mass(&self, bodies: &Bodies, [a, b]: [usize; 2]) -> f32 {
        (bodies.inverse_masses[a] + bodies.inverse_masses[b]).dot(self.along.scaled_by(self.along))
            + self.turn_a.dot(bodies.inverse_inertias[a] * self.turn_a)
            + self.turn_b.dot(bodies.inverse_inertias[b] * self.turn_b)
    }

    pub(super) fn push(&self, bodies: &mut Bodies, [a, b]: [usize; 2], impulse: f32) {
        let (mass_a, mass_b) = (bodies.inverse_masses[a], bodies.inverse_masses[b]);
        let turn_a = bodies.inverse_inertias[a] * (self.turn_a * impulse);
        let turn_b = bodies.inverse_inertias[b] * (self.turn_b * impulse);
        let push = self.along * impulse;
        bodies.motions[a].velocity -= push.scaled_by(mass_a);
        bodies.motions[a].spin -= turn_a;
        bodies.motions[b].velocity += push.scaled_by(mass_b);
        bodies.motions[b].spin += turn_b;
    }
}

/// An error of a centimetre at four sub-steps of 1/60 s, in m/s or rad/s.
pub(super) const CRAWL: f32 = 1.0;

/// How a row is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// Where the error is 0, softly: a spring.
    Spring,
    /// The error is at least 0: a limit.
    AtLeast,
    /// Have this speed, with no more than this impulse a sub-step.
    Drive { speed: f32, most: f32 },
}

/// A row that is solved on its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    pub(super) bodies: [usize; 2],
    /// Which joint, and which of its impulses.
    pub(super) link: u32,
    pub(super) slot: usize,
    pub(super) aim: Aim,
    pub(super) row: Row,
    /// How far off it is.
    pub(super) error: f32,
    /// An error is not undone faster than this.
    pub(super) fastest: f32,
    pub(super) soft: Softness,
    /// From speeds to impulses; 0 if neither body can obey.
    pub(super) mass: f32,
}

impl Single {
    pub(super) fn weighed(mut self, bodies: &Bodies) -> Self {
        let given = self.row.inverse_mass(bodies, self.bodies);
        self.mass = if given > 0.0 { 1.0 / given } else { 0.0 };
        self
    }

    /// Begins with the impulse of the last sub-step.
    pub(super) fn begin(&self, bodies: &mut Bodies, impulse: &mut f32) {
        // Written so that a NaN is torn, too.
        let whole = impulse.abs() <= TORN as f32 * self.mass;
        *impulse = if whole { *impulse } else { 0.0 };
        self.row.push(bodies, self.bodies, *impulse);
    }

    /// Whether it moves its bodies, or brings them back from beyond a limit.
    pub(super) fn is_busy(&self) -> bool {
        match self.aim {
            Aim::Spring => false,
            Aim::AtLeast => self.error * self.soft.rate < -CRAWL,
            Aim::Drive { speed, most } => speed != 0.0 && most > 0.0,
        }
    }

    /// Changes the velocities, and the impulse of this sub-step. Without `pull`, errors are left as they are,
    /// and only the speeds are undone.
    pub(super) fn solve(&self, bodies: &mut Bodies, impulse: &mut f32, inverse_h: f32, pull: bool) {
        if self.mass == 0.0 {
            return;
        }
        let Softness { rate, mass_share, give } = self.soft;
        let back = self.error * rate;
        let (wanted, share, give) = match self.aim {
            // A limit that is not reached yet may be reached within this sub-step, not passed.
            Aim::AtLeast if self.error > 0.0 => (self.error * inverse_h, 1.0, 0.0),
            Aim::AtLeast if pull => (scalar::max(back, -self.fastest), mass_share, give),
            Aim::AtLeast => (0.0, 1.0, 0.0),
            Aim::Spring if pull => (back, mass_share, give),
            // It has given its impulse; a spring forbids no speed.
            Aim::Spring => return,
            Aim::Drive { speed, .. } => (-speed, 1.0, 0.0),
        };
        let speed = self.row.speed(bodies, self.bodies);
        let total = *impulse - self.mass * (speed + wanted) * share - *impulse * give;
        let total = match self.aim {
            Aim::Spring => total,
            Aim::AtLeast => scalar::max(total, 0.0),
            Aim::Drive { most, .. } => scalar::max(scalar::min(total, most), -most),
        };
        let change = total - *impulse;
        *impulse = total;
        self.row.push(bodies, self.bodies, change);
    }
}
