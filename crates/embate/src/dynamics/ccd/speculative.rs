//! Will two bodies that are still apart meet within this step?
//!
//! A contact is watched from a few slops apart; a fast body is through a wall before it comes so near. So
//! bodies that close in faster than the margin in a step are moved ahead, by conservative advancement (Mirtich
//! 1996), to where they are about to touch. The manifold found there, with the way until there as its gap, is
//! a contact like any other: nothing tunnels, and nothing bumps into what it will pass by.
//!
//! A body that slides along one part of another, the floor of a mesh, must still see the next part, its wall. So if
//! it is fast for its size, the ball inside it is sent ahead, or those inside its parts, which do not touch what it
//! slides along.
//!
//! What a body does beyond this, because something hit it on the way, is seen when it has: `held_back.rs`.

use embate_geom::{Pose, Rotation, Vec3, scalar};

use super::bodies::{Bodies, Motion, Place};
use super::broad::ROUNDING;
use super::cores::Core;
use super::touch::Touch;
use super::touches::NearPair;
use crate::contacts::{self, ContactPoint, Gap, Manifold};
use crate::shapes::{Shape, Sphere};

/// Most moves ahead; each brings the bodies nearer by a share of the rest, in free flight by all of it.
const MOVES: usize = 24;
/// Of two unit normals, what their product is at least if both look to the same side: 45 degrees.
const SAME_SIDE: f32 = 0.7;

/// How two bodies near each other.
struct Nearing {
    /// Of B, as seen from A.
    velocity: Vec3,
    /// How each turns, by its reach: no point of it is faster, as seen from its centre.
    turns: [Vec3; 2],
    /// As fast as points of both may be by turning.
    turning: f32,
    /// So far apart, they are farther than the margin, whatever rounding does.
    clear: f32,
}

impl Nearing {
    fn of(bodies: &Bodies, pair: [usize; 2], margin: f32) -> Self {
        let [a, b] = pair.map(|place| &bodies.motions[place]);
        let reaches = pair.map(|place| bodies.nature(place).reach);
        let far = pair.map(|place| bodies.places[place].center.abs().largest());
        Self {
            velocity: b.velocity - a.velocity,
            turns: [a.spin * reaches[0], b.spin * reaches[1]],
            turning: a.spin.length() * reaches[0] + b.spin.length() * reaches[1],
            clear: 1.1 * margin + ROUNDING * (far[0] + far[1] + reaches[0] + reaches[1]),
        }
    }

    /// No point of the one nears the other faster than this.
    fn fastest(&self) -> f32 {
        self.velocity.length() + self.turning
    }

    /// The same along a normal, from A to B.
    fn along(&self, normal: Vec3) -> f32 {
        self.turning - self.velocity.dot(normal)
    }

    /// Whether they stay apart along a gap for so long.
    fn keeps_open(&self, gap: &Gap, seconds: f32) -> bool {
        let [a, b] = self.turns.map(|turn| turn.cross(gap.normal_ab).length());
        let closing = scalar::max(a + b - self.velocity.dot(gap.normal_ab), 0.0);
        gap.width - closing * seconds > self.clear
    }
}

/// Whether `contact_ahead` would come to the end of a step in which bodies move by so much, though they stay apart: each of
/// its moves takes them at least half a margin nearer, and it has so many.
fn is_seen_through(way: f32, margin: f32) -> bool {
    way <= 0.5 * margin * MOVES as f32
}

/// Whether the balls around two bodies stay farther apart than `margin` within `time_step`: that is seen before their
/// shapes are asked.
pub(super) fn stay_far(bodies: &Bodies, [a, b]: [usize; 2], margin: f32, time_step: f32) -> bool {
    let [reach_a, reach_b] = [a, b].map(|place| bodies.nature(place).reach);
    let between = bodies.places[b].center - bodies.places[a].center;
    let distance = between.length();
    let width = distance - reach_a - reach_b;
    // What has no end has no ball.
    if width <= margin || reach_a == 0.0 || reach_b == 0.0 {
        return false;
    }
    let nearing = Nearing::of(bodies, [a, b], margin);
    // A ball is where it was when it has turned.
    let of_balls = Nearing { turns: [Vec3::ZERO; 2], ..nearing };
    of_balls.keeps_open(&Gap { normal_ab: between / distance, width }, time_step)
        && is_seen_through(of_balls.fastest() * time_step, margin)
}

/// Where two bodies farther apart than `margin` touch first within `time_step`, and when, in seconds; `None`
/// if nowhere. They are apart by `gap`.
pub(super) fn contact_ahead(
    bodies: &Bodies,
    [a, b]: [usize; 2],
    gap: &Gap,
    margin: f32,
    time_step: f32,
) -> Option<(Manifold, f32)> {
    let nearing = Nearing::of(bodies, [a, b], margin);
    let fastest = nearing.fastest();
    let way = fastest * time_step;
    if way <= margin || is_seen_through(way, margin) && nearing.keeps_open(gap, time_step) {
        return None;
    }
    let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
    let (mut time, mut distance) = (0.0, 0.0);
    for _ in 0..MOVES {
        let (pose_a, pose_b) = (pose_after(bodies, a, time), pose_after(bodies, b, time));
        // From farther away they cannot come near.
        let beyond = fastest * (time_step - time) + nearing.clear;
        let apart = contacts::separation_within(shape_a, &pose_a, shape_b, &pose_b, beyond)?;
        if apart.distance <= margin {
            return contacts::contact(shape_a, &pose_a, shape_b, &pose_b, margin)
                .map(|manifold| (manifold, time));
        }
        let nearing = nearing.along(apart.normal_ab);
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
        let Some((normal, time, core)) = core_hits(bodies, flying, other, time_step) else {
            continue;
        };
        let reach = bodies.nature(flying).reach;
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

/// Where half a ball inside a body runs into another of many parts, if it goes fast enough to need looking: the
/// normal, from the body to the other, when, in seconds, and the radius of the whole ball. Of several, the first.
fn core_hits(
    bodies: &Bodies,
    flying: usize,
    other: usize,
    time_step: f32,
) -> Option<(Vec3, f32, f32)> {
    let shape = &bodies.nature(other).shape;
    if !matches!(shape, Shape::Mesh(_) | Shape::Compound(_)) {
        return None;
    }
    let Motion { velocity, spin, .. } = bodies.motions[other];
    let moves = contacts::Motion {
        centre: bodies.nature(other).mass.centroid,
        ..contacts::Motion::new(bodies.poses[other], velocity * time_step, spin * time_step)
    };
    let Place { center, rotation } = bodies.places[flying];
    let mut first: Option<(Vec3, f32, f32)> = None;
    for Core { at, radius } in bodies.nature(flying).cores() {
        let point = center + rotation.turn(at);
        let flies = bodies.velocity_at(flying, point);
        if (flies - velocity).length() * time_step <= 0.5 * radius {
            continue;
        }
        let Ok(ball) = Sphere::new(0.5 * radius) else { continue };
        let flies = contacts::Motion::sliding(Pose::at(point), flies * time_step);
        let impact = contacts::time_of_impact(&Shape::from(ball), &flies, shape, &moves, 0.0);
        if let Some(impact) = impact.filter(|impact| !impact.at_start) {
            let time = impact.time * time_step;
            if first.is_none_or(|first| time < first.1) {
                first = Some((impact.normal, time, radius));
            }
        }
    }
    first
}

/// Before bodies arrive where a step has brought them: lets a sensor see what flew through it on the way.
pub(super) fn pass_sensor(bodies: &Bodies, pair: &mut NearPair, margin: f32) {
    if !(pair.sensor && pair.touches.is_empty()) {
        return;
    }
    let [a, b] = pair.bodies.map(|place| place as usize);
    let way = |place: usize| {
        let Motion { moved, turned, .. } = bodies.motions[place];
        moved.length() + turned.length() * bodies.nature(place).reach
    };
    if way(a) + way(b) <= margin {
        return;
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

/// Where a body's shape is after so many seconds of free flight.
fn pose_after(bodies: &Bodies, place: usize, time: f32) -> Pose {
    let (motion, now) = (&bodies.motions[place], &bodies.places[place]);
    let turn = Rotation::about(motion.spin, motion.spin.length() * time);
    let rotation = turn.map_or(now.rotation, |turn| turn * now.rotation);
    let center = now.center + motion.velocity * time;
    Pose { rotation, position: center - rotation.turn(bodies.nature(place).mass.centroid) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{BodyPlan, Settings, World};
    use crate::shapes::{Capsule, Cuboid, Hull};

    struct Random(u64);

    impl Random {
        fn vector(&mut self, reach: f32) -> Vec3 {
            let mut unit = || {
                self.0 ^= self.0 << 13;
                self.0 ^= self.0 >> 7;
                self.0 ^= self.0 << 17;
                (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
            };
            Vec3::new(unit(), unit(), unit()) * reach
        }
    }

    /// Two bodies that fly at each other or past each other, slowly or fast.
    fn flying(random: &mut Random, case: usize) -> World {
        let mut world = World::new(Settings::default()).unwrap();
        for kind in [case % 3, case / 3 % 3] {
            let shape: Shape = match kind {
                0 => Cuboid::new(random.vector(0.3).abs() + Vec3::splat(0.2)).unwrap().into(),
                1 => Hull::cone(0.4, 0.5, 9).unwrap().into(),
                _ => Capsule::new(0.4, 0.2).unwrap().into(),
            };
            let speed = [1.0, 5.0, 20.0, 200.0][case % 4];
            let rotation = Rotation::about(random.vector(1.0), 2.0).unwrap_or_default();
            let plan = BodyPlan::moving(shape, 1.0).at(random.vector(1.0)).turned(rotation);
            let plan = plan.with_velocity(random.vector(speed));
            world.add(plan.with_angular_velocity(random.vector(speed))).unwrap();
        }
        world
    }

    #[test]
    fn what_is_seen_to_stay_apart_would_not_have_been_met() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (margin, step) = (0.02, 1.0 / 60.0);
        let (mut far, mut open, mut met) = (0, 0, 0);
        for case in 0..6000 {
            let bodies = &flying(&mut random, case).bodies;
            let [(a, pose_a), (b, pose_b)] =
                [0, 1].map(|place| (&bodies.nature(place).shape, &bodies.poses[place]));
            let mut gap = Gap::UNKNOWN;
            let now = contacts::contact_or_gap(a, pose_a, b, pose_b, margin, &mut gap);
            let stay_far = stay_far(bodies, [0, 1], margin, step);
            assert!(!stay_far || now.is_none(), "{case}");
            if now.is_some() {
                continue;
            }
            let searched = contact_ahead(bodies, [0, 1], &Gap::UNKNOWN, margin, step);
            assert_eq!(contact_ahead(bodies, [0, 1], &gap, margin, step), searched, "{case}");
            assert!(!stay_far || searched.is_none(), "{case}");
            for part in (0..=64).take_while(|_| searched.is_none()) {
                let time = step * part as f32 / 64.0;
                let [pose_a, pose_b] = [0, 1].map(|place| pose_after(bodies, place, time));
                let apart = contacts::separation(a, &pose_a, b, &pose_b).distance;
                assert!(apart > margin - 1e-4, "{case}: {apart} after {time} s");
            }
            let nearing = Nearing::of(bodies, [0, 1], margin);
            let seen = is_seen_through(nearing.fastest() * step, margin);
            far += u32::from(stay_far);
            open += u32::from(seen && nearing.keeps_open(&gap, step));
            met += u32::from(searched.is_some());
        }
        assert!(far > 100 && open > 100 && met > 100, "{far} {open} {met}");
    }
}
