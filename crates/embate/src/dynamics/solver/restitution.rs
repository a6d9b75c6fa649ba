//! What comes back of the speed with which two bodies meet?
//!
//! Other engines let the sub-steps stop the bodies and give back speed at the end: in a gas of elastic
//! spheres half of the energy is gone after ten thousand steps. Here each impact is one event of its own, at
//! its own instant within the sub-step:
//!
//! ```text
//!   gap │ ╲ comes                 touch after τ = gap / speed
//!       │   ╲         ╱           v jumps there, by Newton's law of restitution, for all points of the
//!       │     ╲     ╱  goes       touch at once; the rest of the sub-step goes by the new velocity
//!     0 ┼───────╲─╱────────       (the place is set back by τ·jump)
//!       0        τ     h
//! ```
//!
//! For equal restitution of all its points an impact never gains energy, and with restitution 1 it keeps
//! all: with v' ≥ −e·v where an impulse λ ≥ 0 acts, ΔE = ½ λ·(v + v') = −½ (1−e)/(1+e) λ·Kλ ≤ 0. Impacts go
//! on from touch to touch until none approaches: so a row of balls passes a hit on.

use embate_geom::{Vec3, scalar};

use super::bodies::{Bodies, Motion};
use super::integrate::{Flight, turned};
use super::jump::Jump;
use super::prepare::{Constraint, StepRules};
use crate::contacts::MAX_POINTS;

/// Rounds over the points of one touch: four corners of a box that lands flat agree within 1e-6 by then.
const ROUNDS: usize = 16;
/// Times that impacts may pass on within one sub-step.
const PASSES: usize = 32;

/// Lets all touches of `bouncy` that meet fast enough in this sub-step bounce.
pub(super) fn bounce(
    bodies: &mut Bodies,
    bouncy: &mut [Constraint],
    flights: &[Flight],
    rules: &StepRules,
) {
    for _ in 0..PASSES {
        let mut any = false;
        for touch in &mut *bouncy {
            any |= impact(bodies, touch, flights, rules);
        }
        if !any {
            return;
        }
    }
}

/// Lets one touch bounce, if it meets fast enough in this sub-step.
fn impact(
    bodies: &mut Bodies,
    touch: &mut Constraint,
    flights: &[Flight],
    rules: &StepRules,
) -> bool {
    let [a, b] = touch.bodies;
    let (normal, h) = (touch.normal, rules.h);
    let (motion_a, motion_b) = (bodies.motions[a], bodies.motions[b]);
    // What gravity adds to the speed of parting in this sub-step: it acts until the touch and after it.
    let gained = normal.dot(flights[b].gained - flights[a].gained);
    let between = |one: Vec3, other: Vec3, turn: [Vec3; 2], turned: [Vec3; 2]| {
        normal.dot(other - one) + turned[1].dot(turn[1]) - turned[0].dot(turn[0])
    };

    // Speed of parting at the touch, point by point, for those that touch within this sub-step.
    let mut speeds = [None; MAX_POINTS];
    let (mut fastest, mut first) = (0.0, h);
    for (point, speed) in touch.points[..touch.count].iter().zip(&mut speeds) {
        let turn = [point.turn_a, point.turn_b];
        let moved =
            between(motion_a.moved, motion_b.moved, [motion_a.turned, motion_b.turned], turn);
        let gap = scalar::max(point.gap + moved, 0.0);
        let end =
            between(motion_a.velocity, motion_b.velocity, [motion_a.spin, motion_b.spin], turn);
        let mean = end - 0.5 * gained;
        if gap + h * mean > 0.0 {
            continue;
        }
        let after = if mean < 0.0 { scalar::min(gap / -mean, h) } else { 0.0 };
        let at_touch = end - gained * (1.0 - after * rules.inverse_h);
        *speed = Some(at_touch);
        if at_touch < fastest {
            (fastest, first) = (at_touch, after);
        }
    }
    if fastest > -rules.rest_speed || fastest == 0.0 {
        return false;
    }

    let back = 1.0 + touch.material.restitution;
    let missing = speeds.map(|speed| speed.map(|speed| -back * speed));
    let (mut jump, impulses) = Jump::that_parts(bodies, touch, &missing, ROUNDS);
    let pushed: f32 = impulses.iter().sum();
    rub(bodies, touch, &mut jump, [&motion_a, &motion_b], pushed);
    for (point, impulse) in touch.points.iter_mut().zip(impulses) {
        point.total += impulse;
    }
    for (side, place) in touch.bodies.into_iter().enumerate() {
        let (velocity, spin) = (jump.velocity[side], jump.spin[side]);
        let motion = &mut bodies.motions[place];
        motion.velocity += velocity;
        motion.spin += spin;
        motion.moved -= velocity * first;
        motion.turned -= spin * first;
        if spin != Vec3::ZERO {
            let rotation = &mut bodies.places[place].rotation;
            *rotation = turned(*rotation, spin * -first);
        }
    }
    true
}

/// Friction of an impact: stops sliding, if the push is strong enough for it.
fn rub(bodies: &Bodies, touch: &Constraint, jump: &mut Jump, motions: [&Motion; 2], pushed: f32) {
    let most = touch.material.friction * pushed;
    let [a, b] = motions;
    let speed = b.velocity + jump.velocity[1] + (b.spin + jump.spin[1]).cross(touch.arm_b)
        - (a.velocity + jump.velocity[0])
        - (a.spin + jump.spin[0]).cross(touch.arm_a);
    let (x, y) = (speed.dot(touch.tangent), speed.dot(touch.bitangent));
    let [xx, xy, yy] = touch.friction_mass;
    let wanted = [-(xx * x + xy * y), -(xy * x + yy * y)];
    let squared = wanted[0] * wanted[0] + wanted[1] * wanted[1];
    let scale = if squared > most * most { most / squared.sqrt() } else { 1.0 };
    let impulse = (touch.tangent * wanted[0] + touch.bitangent * wanted[1]) * scale;
    let turns = [touch.arm_a.cross(impulse), touch.arm_b.cross(impulse)];
    jump.push(bodies, touch, impulse, turns);
}
