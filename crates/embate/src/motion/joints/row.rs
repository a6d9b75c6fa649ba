//! Which impulse keeps two bodies from moving against each other along some directions?
//!
//! A row is one direction, of moving, turning or both. Up to three rows that pull at each other are solved at
//! once: the point of a ball joint would otherwise need many rounds to find its direction.

use embate_geom::{Mat3, Vec3, scalar};

use super::super::bodies::Bodies;
use super::super::prepare::Softness;

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

    /// How a push along `other` moves the bodies along this one.
    fn given(&self, other: &Self, bodies: &Bodies, [a, b]: [usize; 2]) -> f32 {
        (bodies.inverse_masses[a] + bodies.inverse_masses[b]) * self.along.dot(other.along)
            + self.turn_a.dot(bodies.inverse_inertias[a] * other.turn_a)
            + self.turn_b.dot(bodies.inverse_inertias[b] * other.turn_b)
    }

    /// The inverse of the mass that it moves.
    pub(super) fn given_to_itself(&self, bodies: &Bodies, pair: [usize; 2]) -> f32 {
        self.given(self, bodies, pair)
    }

    pub(super) fn push(&self, bodies: &mut Bodies, [a, b]: [usize; 2], impulse: f32) {
        let (mass_a, mass_b) = (bodies.inverse_masses[a], bodies.inverse_masses[b]);
        let turn_a = bodies.inverse_inertias[a] * (self.turn_a * impulse);
        let turn_b = bodies.inverse_inertias[b] * (self.turn_b * impulse);
        let push = self.along * impulse;
        bodies.motions[a].velocity -= push * mass_a;
        bodies.motions[a].spin -= turn_a;
        bodies.motions[b].velocity += push * mass_b;
        bodies.motions[b].spin += turn_b;
    }
}

/// How a group of rows is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// Stay where the error is 0.
    Hold,
    /// The error, of one row, is at least 0: a limit.
    AtLeast,
    /// Have this speed, with no more than this impulse a sub-step.
    Drive { speed: f32, most: f32 },
}

/// Rows that are solved at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) bodies: [usize; 2],
    /// Which joint, and which of its impulses.
    pub(super) link: u32,
    pub(super) slot: usize,
    aim: Aim,
    rows: [Row; 3],
    count: usize,
    /// How far off each row is.
    error: Vec3,
    /// From speeds to impulses.
    mass: Mat3,
    soft: Softness,
}

/// Where a group belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    pub(super) bodies: [usize; 2],
    pub(super) link: u32,
    pub(super) slot: usize,
}

impl Group {
    pub(super) fn new(
        bodies: &Bodies,
        owner: Owner,
        aim: Aim,
        rows: &[(Row, f32)],
        soft: Softness,
    ) -> Self {
        let Owner { bodies: pair, link, slot } = owner;
        let mut group = Self {
            bodies: pair,
            link,
            slot,
            aim,
            rows: [Row::default(); 3],
            count: rows.len(),
            error: Vec3::ZERO,
            mass: Mat3::ZERO,
            soft,
        };
        for (index, &(row, error)) in rows.iter().enumerate() {
            group.rows[index] = row;
            group.error[index] = error;
        }
        group.mass = group.inverse(bodies);
        group
    }

    /// A row along which nothing moves, because both bodies are locked there, gets no impulse.
    fn inverse(&self, bodies: &Bodies) -> Mat3 {
        let mut given = Mat3::IDENTITY;
        let mut largest = 0.0;
        for index in 0..self.count {
            let own = self.rows[index].given(&self.rows[index], bodies, self.bodies);
            largest = scalar::max(own, largest);
        }
        if largest == 0.0 {
            return Mat3::ZERO;
        }
        let mut dead = [true; 3];
        for row in 0..self.count {
            let own = self.rows[row].given(&self.rows[row], bodies, self.bodies) / largest;
            dead[row] = own <= 1e-9;
        }
        // Divided by the largest: products of three could leave the range of f32.
        for row in (0..self.count).filter(|&row| !dead[row]) {
            for column in (0..self.count).filter(|&column| !dead[column]) {
                let (row_of, column_of) = (&self.rows[row], &self.rows[column]);
                given.columns[column][row] = row_of.given(column_of, bodies, self.bodies) / largest;
            }
        }
        let mut inverse = given.inverse().unwrap_or(Mat3::ZERO);
        for row in (0..3).filter(|&row| dead[row]) {
            inverse.columns[row] = Vec3::ZERO;
        }
        inverse * (1.0 / largest)
    }

    pub(super) fn push(&self, bodies: &mut Bodies, impulse: Vec3) {
        for index in 0..self.count {
            self.rows[index].push(bodies, self.bodies, impulse[index]);
        }
    }

    /// Changes the velocities, and the impulse of this sub-step. Without `pull`, errors are left as they are,
    /// and only the speeds are undone.
    pub(super) fn solve(
        &self,
        bodies: &mut Bodies,
        impulse: &mut Vec3,
        inverse_h: f32,
        pull: bool,
    ) {
        let mut speed = Vec3::ZERO;
        for index in 0..self.count {
            speed[index] = self.rows[index].speed(bodies, self.bodies);
        }
        let soft = |group: &Self| {
            if pull {
                let Softness { rate, mass_share, give } = group.soft;
                (group.error * rate, mass_share, give)
            } else {
                (Vec3::ZERO, 1.0, 0.0)
            }
        };
        let (wanted, share, give) = match self.aim {
            // A limit that is not reached yet may be reached within this sub-step, not passed.
            Aim::AtLeast if self.error.x > 0.0 => (self.error * inverse_h, 1.0, 0.0),
            Aim::Hold | Aim::AtLeast => soft(self),
            Aim::Drive { speed, .. } => (Vec3::X * -speed, 1.0, 0.0),
        };
        let change = self.mass * (speed + wanted) * -share - *impulse * give;
        let mut total = *impulse + change;
        match self.aim {
            Aim::Hold => {}
            Aim::AtLeast => total.x = scalar::max(total.x, 0.0),
            Aim::Drive { most, .. } => total.x = scalar::max(scalar::min(total.x, most), -most),
        }
        let change = total - *impulse;
        *impulse = total;
        self.push(bodies, change);
    }
}
