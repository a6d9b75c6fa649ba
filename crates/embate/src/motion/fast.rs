//! Will two bodies that are still apart meet within this step?
//!
//! A contact is watched from a few slops apart; a fast body is through a wall before it comes so near. So
//! bodies that close in faster than the margin in a step are moved ahead, by conservative advancement (Mirtich
//! 1996), to where they are about to touch. The manifold found there, with the way until there as its gap, is
//! a contact like any other: nothing tunnels, and nothing bumps into what it will pass by.
//!
//! A box that hits with a corner first whirls on about it, farther than its contact points can tell. So at the
//! end of the step no centre may have gone through a surface; one that has is held back before it.

use embate_geom::{Pose, Ray, Vec3, scalar};

use super::bodies::{Bodies, Motion};
use super::integrate::turned;
use super::touches::NearPair;
use crate::contacts::{self, Manifold};
use crate::shapes::Shape;

/// Most moves ahead; each brings the bodies nearer by a share of the rest, in free flight by all of it.
const MOVES: usize = 24;

/// Where two bodies farther apart than `margin` touch first within `time_step`, and when, in seconds; `None`
/// if nowhere.
pub(super) fn contact_ahead(
    bodies: &Bodies,
    [a, b]: [usize; 2],
    margin: f32,
    time_step: f32,
) -> Option<(Manifold, f32)> {
    let (motion_a, motion_b) = (&bodies.motions[a], &bodies.motions[b]);
    let closing = motion_b.velocity - motion_a.velocity;
    let turning = motion_a.spin.length() * bodies.nature(a).reach
        + motion_b.spin.length() * bodies.nature(b).reach;
    if (closing.length() + turning) * time_step <= margin {
        return None;
    }
    let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
    let mut time = 0.0;
    for _ in 0..MOVES {
        let (pose_a, pose_b) = (pose_after(bodies, a, time), pose_after(bodies, b, time));
        let apart = contacts::separation(shape_a, &pose_a, shape_b, &pose_b);
        if apart.distance <= margin {
            return contacts::contact(shape_a, &pose_a, shape_b, &pose_b, margin)
                .map(|manifold| (manifold, time));
        }
        // No point of the one nears the other faster than this.
        let nearing = turning - closing.dot(apart.normal_ab);
        // To the middle of the margin, so that the next look is inside.
        let way = apart.distance - 0.5 * margin;
        if nearing * (time_step - time) <= apart.distance - margin {
            return None;
        }
        time = scalar::min(time + way / nearing, time_step);
    }
    None
}

/// Where a body's shape is after so many seconds of free flight.
fn pose_after(bodies: &Bodies, place: usize, time: f32) -> Pose {
    let (motion, now) = (&bodies.motions[place], &bodies.places[place]);
    let rotation = if motion.spin == Vec3::ZERO {
        now.rotation
    } else {
        turned(now.rotation, motion.spin * time)
    };
    let center = now.center + motion.velocity * time;
    Pose { rotation, position: center - rotation.turn(bodies.nature(place).mass.centroid) }
}

/// The radius of a ball around the centre of mass that fits inside a shape.
pub(super) fn core_of(shape: &Shape, centroid: Vec3) -> f32 {
    match shape {
        Shape::Sphere(sphere) => sphere.radius(),
        Shape::Cuboid(cuboid) => {
            let half = cuboid.half();
            scalar::min(scalar::min(half.x, half.y), half.z)
        }
        Shape::Capsule(capsule) => capsule.radius(),
        Shape::Hull(hull) => hull.faces().iter().fold(f32::INFINITY, |least, face| {
            scalar::min(face.offset - face.normal.dot(centroid), least)
        }),
        // Where the centre of a compound is, there may be nothing.
        _ => 0.0,
    }
}

/// Before bodies arrive where a step has brought them: holds back those whose centre would have gone through
/// another body.
pub(super) fn hold_back(bodies: &mut Bodies, awake: &[u32], pairs: &[NearPair]) {
    let far = |bodies: &Bodies, place: usize| {
        let core = bodies.nature(place).core;
        bodies.motions[place].moved.length_squared() > core * core
    };
    if !awake.iter().any(|&place| far(bodies, place as usize)) {
        return;
    }
    for pair in pairs.iter().filter(|pair| !pair.sensor) {
        let [a, b] = pair.bodies.map(|place| place as usize);
        for (flying, other) in [(a, b), (b, a)] {
            if bodies.inverse_masses[flying] > 0.0
                && (far(bodies, flying) || far(bodies, other))
                && let Some(moved) = moved_until_touch(bodies, flying, other)
            {
                bodies.motions[flying].moved = moved;
            }
        }
    }
}

/// How far the centre of one body may go until it is about to enter another; `None` if it does not.
fn moved_until_touch(bodies: &Bodies, flying: usize, other: usize) -> Option<Vec3> {
    let Motion { moved, .. } = bodies.motions[flying];
    let center = bodies.places[flying].center;
    let nature = bodies.nature(other);
    // As the other body sees it, which may move, too.
    let rotation = bodies.places[other].rotation;
    let position = bodies.places[other].center + bodies.motions[other].moved;
    let position = position - rotation.turn(nature.mass.centroid);
    let arrived = Pose { rotation, position };
    let from = bodies.poses[other].local_point(center);
    let way = arrived.local_point(center + moved) - from;
    let ray = Ray::new(from.to_array(), way.to_array()).within(0.0, 1.0);
    let hit = nature.shape.ray_hit(&Pose::IDENTITY, &ray)?;
    let nearing = -way.dot(hit.normal);
    // One that was inside before is pushed out as any other.
    if hit.t <= 0.0 || nearing <= 0.0 {
        return None;
    }
    let stop = scalar::max(hit.t - bodies.nature(flying).core / nearing, 0.0);
    Some(arrived.point(from + way * stop) - center)
}
