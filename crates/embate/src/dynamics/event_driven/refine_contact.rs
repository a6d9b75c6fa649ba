//! Where do two bodies touch at the very instant at which they meet?
//!
//! Contacts are found when a step begins, from some way apart. Two balls that graze each other have turned about each
//! other by the time they touch: a centimetre of way is a hundredth of a radian of the normal, and 2 % of what
//! the impact gives. So in an elastic world whoever bounces is looked at once more, there and then. (With soft
//! contacts the same was tried: these stop what comes along the old normal, and a gas loses 2 % in 1,000 steps.)
//!
//! Of a body that tumbles, the spin that an impact gives counts from the beginning of the sub-step, as its momentum is
//! kept for the turn that it has there: a second impact in the same sub-step finds it turned too far by the change
//! of spin times the time of the first. Balls and cubes are found where they are.

use embate_geom::{Pose, Vec3};

use super::bodies::Bodies;
use super::integrate::{Flight, turned};
use super::prepare::{Constraint, prepare};
use super::touch::Touch;
use super::touches::{NearPair, is_convex};
use crate::contacts;

/// What a sub-step is made of, as an impact sees it.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) pairs: &'a [NearPair],
    pub(super) flights: &'a [Flight],
    pub(super) margin: f32,
    /// Length of the sub-step.
    pub(super) h: f32,
}

/// Where a body's centre and its shape are after so many seconds of the sub-step.
fn pose_at(bodies: &Bodies, place: usize, scene: &Scene<'_>, at: f32) -> (Vec3, Pose) {
    let motion = &bodies.motions[place];
    let gained = scene.flights[place].gained;
    let went = (motion.velocity - gained * (1.0 - 0.5 * at / scene.h)) * at;
    let center = bodies.places[place].center + (motion.moved + went);
    let rotation = turned(bodies.places[place].rotation, motion.spin * at);
    let position = center - rotation.turn(bodies.nature(place).mass.centroid);
    (center, Pose { rotation, position })
}

/// A touch as it is then; `None` if the bodies are not near each other then.
///
/// Only of two convex bodies: others are left as they were found.
pub(super) fn touch_at(
    bodies: &Bodies,
    touch: &Constraint,
    scene: &Scene<'_>,
    at: f32,
) -> Option<Constraint> {
    let pair = &scene.pairs[touch.pair as usize];
    let [a, b] = touch.bodies;
    let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
    if !(is_convex(shape_a) && is_convex(shape_b)) {
        return Some(touch.clone());
    }
    let ((center_a, pose_a), (center_b, pose_b)) =
        (pose_at(bodies, a, scene, at), pose_at(bodies, b, scene, at));
    let manifold = contacts::contact(shape_a, &pose_a, shape_b, &pose_b, scene.margin)?;
    let found = Touch::new(manifold, 0.0, [center_a, center_b]);
    let mut now = prepare(bodies, scene.margin, (touch.pair, pair), (touch.touch, &found));
    // Gaps are those of the beginning of the step, from which bodies go straight on.
    let (one, other) = (&bodies.motions[a], &bodies.motions[b]);
    let gained = scene.flights[b].gained - scene.flights[a].gained;
    let went = other.moved - one.moved
        + (other.velocity - one.velocity - gained * (1.0 - 0.5 * at / scene.h)) * at;
    for point in &mut now.points[..now.count] {
        let turned = point.turn_b.dot(other.turned + other.spin * at)
            - point.turn_a.dot(one.turned + one.spin * at);
        point.gap -= now.normal.dot(went) + turned;
    }
    for (point, before) in now.points.iter_mut().zip(&touch.points) {
        point.total = before.total;
    }
    Some(now)
}
