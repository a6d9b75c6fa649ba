//! Will two bodies that are still apart meet within this step?
//!
//! A contact is watched from a few slops apart; a fast body is through a wall before it comes so near. So
//! bodies that close in faster than the margin in a step are moved ahead, by conservative advancement (Mirtich
//! 1996), to where they are about to touch. The manifold found there, with the way until there as its gap, is
//! a contact like any other: nothing tunnels, and nothing bumps into what it will pass by.
//!
//! A body that slides along one part of another, the floor of a mesh, must still see the next part, its wall. So if
//! it is fast for its size, the ball inside it is sent ahead, which does not touch what it slides along.
//!
//! A box that hits with a corner first whirls on about it, farther than its contact points can tell. So at the
//! end of the step no centre may have gone through a surface; one that has is held back before it. Where there is
//! nothing in the middle, as in a ring, nothing is held back.

use embate_geom::{Pose, Ray, Rotation, Vec3, scalar};

use super::bodies::{Bodies, Motion, Nature};
use super::touch::Touch;
use super::touches::NearPair;
use crate::contacts::{self, ContactPoint, Manifold};
use crate::shapes::{Shape, Sphere};

/// Most moves ahead; each brings the bodies nearer by a share of the rest, in free flight by all of it.
const MOVES: usize = 24;
/// Of two unit normals, what their product is at least if both look to the same side: 45 degrees.
const SAME_SIDE: f32 = 0.7;

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
    let (mut time, mut distance) = (0.0, 0.0);
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
        (time, distance) = (scalar::min(time + way / nearing, time_step), apart.distance);
    }
    // Near each other and closing: where they are nearest, with the gap that is left, they are to be watched.
    let (pose_a, pose_b) = (pose_after(bodies, a, time), pose_after(bodies, b, time));
    contacts::contact(shape_a, &pose_a, shape_b, &pose_b, distance + margin)
        .map(|manifold| (manifold, time))
}

/// Tells where a body that is fast for its size touches parts of another that the ball inside it would run into
/// within `time_step`, and when, in seconds.
pub(super) fn contacts_past(
    bodies: &Bodies,
    [a, b]: [usize; 2],
    margin: f32,
    time_step: f32,
    mut tell: impl FnMut(Manifold, f32),
) {
    for (flying, other) in [(a, b), (b, a)] {
        let Some((normal, time)) = core_hits(bodies, flying, other, time_step) else { continue };
        let Nature { reach, core, .. } = *bodies.nature(flying);
        let nearing = bodies.motions[flying].velocity - bodies.motions[other].velocity;
        // The surface is there before the ball is.
        let before = (reach - 0.5 * core) / scalar::max(nearing.dot(normal), f32::MIN_POSITIVE);
        let time = scalar::max(time - before, 0.0);
        let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
        let (pose_a, pose_b) = (pose_after(bodies, a, time), pose_after(bodies, b, time));
        let mut found = Vec::new();
        let within = reach - core + margin;
        contacts::contacts(shape_a, &pose_a, shape_b, &pose_b, within, &mut found);
        let normal = if flying == a { normal } else { -normal };
        for manifold in found {
            if manifold.normal.dot(normal) > SAME_SIDE {
                tell(manifold, time);
            }
        }
    }
}

/// Where half the ball inside a body runs into another of many parts, if it goes fast enough to need looking: the
/// normal, from the body to the other, and when, in seconds.
fn core_hits(bodies: &Bodies, flying: usize, other: usize, time_step: f32) -> Option<(Vec3, f32)> {
    let radius = 0.5 * bodies.nature(flying).core;
    let nearing = bodies.motions[flying].velocity - bodies.motions[other].velocity;
    let shape = &bodies.nature(other).shape;
    let of_parts = matches!(shape, Shape::Mesh(_) | Shape::Compound(_));
    if !of_parts || radius <= 0.0 || nearing.length() * time_step <= radius {
        return None;
    }
    let ball = Shape::from(Sphere::new(radius).ok()?);
    let center = Pose::at(bodies.places[flying].center);
    let flies = contacts::Motion::sliding(center, bodies.motions[flying].velocity * time_step);
    let Motion { velocity, spin, .. } = bodies.motions[other];
    let moves = contacts::Motion {
        centre: bodies.nature(other).mass.centroid,
        ..contacts::Motion::new(bodies.poses[other], velocity * time_step, spin * time_step)
    };
    let impact = contacts::time_of_impact(&ball, &flies, shape, &moves, 0.0)?;
    (!impact.at_start).then_some((impact.normal, impact.time * time_step))
}

/// Before bodies arrive where a step has brought them: lets sensors see what flew through them on the way.
pub(super) fn pass_sensors(bodies: &Bodies, pairs: &mut [NearPair], margin: f32) {
    for pair in pairs.iter_mut().filter(|pair| pair.sensor && pair.touches.is_empty()) {
        let [a, b] = pair.bodies.map(|place| place as usize);
        let way = |place: usize| {
            let Motion { moved, turned, .. } = bodies.motions[place];
            moved.length() + turned.length() * bodies.nature(place).reach
        };
        if way(a) + way(b) <= margin {
            continue;
        }
        let [from_a, from_b] = [a, b].map(|place| {
            let (start, centre) = (bodies.poses[place], bodies.nature(place).mass.centroid);
            let end = Pose { rotation: bodies.places[place].rotation, ..start };
            let velocity = bodies.motions[place].moved;
            contacts::Motion { velocity, centre, ..contacts::Motion::between(start, &end) }
        });
        let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
        if let Some(impact) = contacts::time_of_impact(shape_a, &from_a, shape_b, &from_b, 0.0) {
            let point = (impact.points[0] + impact.points[1]) * 0.5;
            let mut manifold = Manifold::along(impact.normal);
            manifold.parts = impact.parts;
            manifold.push(ContactPoint { point, depth: 0.0, feature: 0 });
            let centers = [a, b].map(|place| bodies.places[place].center);
            pair.touches.push(Touch::new(manifold, 0.0, centers));
        }
    }
}

/// Where a body's shape is after so many seconds of free flight.
fn pose_after(bodies: &Bodies, place: usize, time: f32) -> Pose {
    let (motion, now) = (&bodies.motions[place], &bodies.places[place]);
    let turn = Rotation::about(motion.spin, motion.spin.length() * time);
    let rotation = turn.map_or(now.rotation, |turn| turn * now.rotation);
    let center = now.center + motion.velocity * time;
    Pose { rotation, position: center - rotation.turn(bodies.nature(place).mass.centroid) }
}

/// The radius of a ball around the centre of mass that fits inside a shape; 0 if there is nothing.
pub(super) fn core_of(shape: &Shape, centroid: Vec3) -> f32 {
    scalar::max(depth_inside(shape, centroid), 0.0)
}

/// How deep a point is inside a solid shape; of a compound, inside one of its parts.
fn depth_inside(shape: &Shape, point: Vec3) -> f32 {
    match shape {
        Shape::Sphere(sphere) => sphere.radius() - point.length(),
        Shape::Cuboid(cuboid) => {
            let left = cuboid.half() - point.abs();
            scalar::min(scalar::min(left.x, left.y), left.z)
        }
        Shape::Capsule(capsule) => {
            let along = scalar::max(point.y.abs() - capsule.half_height(), 0.0);
            capsule.radius() - Vec3::new(point.x, along, point.z).length()
        }
        Shape::Hull(hull) => hull.faces().iter().fold(f32::INFINITY, |least, face| {
            scalar::min(face.offset - face.normal.dot(point), least)
        }),
        Shape::Compound(compound) => compound.parts().iter().fold(0.0, |most, (pose, part)| {
            scalar::max(depth_inside(part, pose.local_point(point)), most)
        }),
        // A mesh may be open. Half-spaces do not move.
        Shape::Mesh(_) | Shape::HalfSpace(_) => 0.0,
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
            if bodies.is_moved(flying)
                && bodies.nature(flying).core > 0.0
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
    let began = bodies.poses[other];
    let from = began.local_point(center);
    // A body that turns sees the other go round an arc. Where a chord is too far from it, the turn is left out:
    // a ball that spins would be run into by all around it.
    let angle = bodies.motions[other].turned.length();
    let sagitta = 0.125 * angle * angle * (from - nature.mass.centroid).length();
    let turns = sagitta <= bodies.nature(flying).core;
    let rotation = if turns { bodies.places[other].rotation } else { began.rotation };
    let position = bodies.places[other].center + bodies.motions[other].moved;
    let position = position - rotation.turn(nature.mass.centroid);
    let arrived = Pose { rotation, position };
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
