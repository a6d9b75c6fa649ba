//! Where does a body go, left to its velocity and to what pushes it?
//!
//! Velocities first, then places by the new velocities (semi-implicit Euler): stable with contacts. A body
//! that no contact held in a sub-step goes by the mean of old and new velocity instead, so that its flight
//! is the exact parabola.

use core::f32::consts::FRAC_PI_4;

use embate_geom::{Mat3, Rotation, Vec3};

use super::bodies::{Bodies, Motion, Nature, Push};
use super::body::{FAR, Kind};
use super::settings::Settings;
use super::tumble::tumble;

/// A body turning by less than this in a sub-step has the same spin afterwards but for rounding.
const NO_TURN: f32 = 1e-6;

/// A body that touches something and turns by less than this in a sub-step does not tumble: what touches it turns
/// it far more than its own shape does.
const SLOW_TURN: f32 = 1e-3;

/// What touches something, or is joined to it, turns by no more than this in a sub-step: its contact points are those of
/// the beginning of the step. What flies turns as it will.
const MOST_TURN: f32 = FRAC_PI_4;

/// What a body's velocity was after gravity and bounces, and what it gained there: to tell whether a
/// contact held it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flight {
    pub(super) velocity: Vec3,
    pub(super) gained: Vec3,
}

/// Gravity, forces and damping for one sub-step of length `h`.
pub(super) fn push(
    bodies: &mut Bodies,
    awake: &[u32],
    flights: &mut [Flight],
    gravity: Vec3,
    h: f32,
) {
    let Bodies { natures, motions, pushes, inverse_inertias, .. } = bodies;
    for &place in awake {
        let place = place as usize;
        let nature = natures[place].as_ref().expect("what is awake lives");
        let by = (&pushes[place], &inverse_inertias[place], gravity);
        push_one(nature, by, &mut motions[place], &mut flights[place], h);
    }
}

/// Of one body, by its push, which its inverse inertia resists, and by gravity.
pub(super) fn push_one(
    nature: &Nature,
    (push, inverse_inertia, gravity): (&Push, &Mat3, Vec3),
    motion: &mut Motion,
    flight: &mut Flight,
    h: f32,
) {
    if nature.kind != Kind::Moving {
        return;
    }
    if nature.locks.any() {
        hold(motion, nature.locks.moving, nature.locks.turning);
    }
    let before = motion.velocity;
    // v' = −rate·v over h, to first order from the far end: never turns back, however strong.
    let [slows, calms] = nature.damping.map(|rate| 1.0 / (1.0 + h * rate));
    let pull = gravity * nature.gravity_scale + push.force * nature.mass.inverse;
    motion.velocity = (motion.velocity + pull * h) * slows;
    motion.spin = (motion.spin + *inverse_inertia * push.torque * h) * calms;
    if nature.locks.any() {
        hold(motion, nature.locks.moving, nature.locks.turning);
    }
    flight.gained = motion.velocity - before;
}

/// Stops what is locked.
pub(super) fn hold(motion: &mut Motion, moving: [bool; 3], turning: [bool; 3]) {
    for axis in 0..3 {
        if moving[axis] {
            motion.velocity[axis] = 0.0;
        }
        if turning[axis] {
            motion.spin[axis] = 0.0;
        }
    }
}

/// Remembers velocities before contacts act.
pub(super) fn take_off(bodies: &Bodies, awake: &[u32], flights: &mut [Flight]) {
    for &place in awake {
        flights[place as usize].velocity = bodies.motions[place as usize].velocity;
    }
}

/// Moves and turns all that is awake for one sub-step of length `h`.
pub(super) fn go(
    bodies: &mut Bodies,
    awake: &[u32],
    flights: &[Flight],
    settings: &Settings,
    h: f32,
) {
    let Bodies { natures, motions, places, .. } = bodies;
    for &place in awake {
        let place = place as usize;
        let nature = natures[place].as_ref().expect("what is awake lives");
        let rotation = &mut places[place].rotation;
        go_one(nature, &mut motions[place], rotation, flights[place], settings.max_speed, h);
    }
}

/// Cuts a velocity to the largest.
#[inline]
pub(super) fn slow_down(motion: &mut Motion, max_speed: f32) {
    motion.velocity = cut(motion.velocity, max_speed);
}

/// No longer than so much.
#[inline]
fn cut(vector: Vec3, most: f32) -> Vec3 {
    let squared = vector.length_squared();
    if squared <= most * most {
        return vector;
    }
    // Squares of what is beyond 1e19 are infinite. What is infinite itself, or NaN, becomes NaN: it is not to be hidden.
    let shorter = if squared < f32::INFINITY { vector } else { vector / vector.abs().largest() };
    shorter * (most / shorter.length())
}

/// Moves and turns one body, no faster than `max_speed`.
pub(super) fn go_one(
    nature: &Nature,
    motion: &mut Motion,
    rotation: &mut Rotation,
    flight: Flight,
    max_speed: f32,
    h: f32,
) {
    if nature.locks.any() {
        hold(motion, nature.locks.moving, nature.locks.turning);
    }
    slow_down(motion, max_speed);
    let flies = motion.velocity == flight.velocity;
    if !flies {
        motion.spin = cut(motion.spin, MOST_TURN / h);
    }
    motion.moved += motion.velocity * h;
    if flies {
        motion.moved -= flight.gained * (0.5 * h);
    }

    let turn = motion.spin * h;
    if turn.length_squared() <= NO_TURN * NO_TURN {
        motion.turned += turn;
        *rotation = rotation.turned_by(turn);
        return;
    }
    let slow = !flies && turn.length_squared() <= SLOW_TURN * SLOW_TURN;
    let tumbles = !slow
        && !nature.mass.even
        && nature.kind == Kind::Moving
        && nature.locks.turning == [false; 3];
    if !tumbles {
        motion.turned += turn;
        *rotation = turned(*rotation, turn);
        return;
    }
    let (now, spin, turn) = tumble(*rotation, motion.spin, &nature.mass.inertia, h);
    *rotation = now;
    motion.spin = spin;
    motion.turned += turn;
}

/// Turned on by a rotation vector.
pub(super) fn turned(rotation: Rotation, turn: Vec3) -> Rotation {
    // `turned_by` turns by twice the arctangent of half the angle. So it is given the tangent instead: its
    // series, which at an eighth of a turn is off by 4e-4 of the angle.
    let half = 0.25 * turn.length_squared();
    if half > 0.25 * FRAC_PI_4 * FRAC_PI_4 {
        let by = Rotation::about(turn, turn.length());
        return by.map_or(rotation, |by| (by * rotation).renormalised());
    }
    let series = 1.0 / 3.0 + half * (2.0 / 15.0 + half * (17.0 / 315.0 + half * (62.0 / 2835.0)));
    rotation.turned_by(turn * (1.0 + half * series))
}

/// Nothing leaves the range of places. What is no number stays none: it is not to be hidden.
pub(super) fn within_reach(center: Vec3) -> Vec3 {
    let far = Vec3::splat(FAR);
    if center.is_finite() { center.min(far).max(-far) } else { center }
}
