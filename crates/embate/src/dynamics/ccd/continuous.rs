//! Who would have gone through another in this step?
//!
//! What is known of a step before it is how bodies moved when it began. A box that hits with a corner first whirls
//! on about it, farther than its contact points can tell; a ball that bounces, is hit or is pushed on its way meets
//! walls that nobody thought of. So before bodies arrive, no ball inside one ([`cores`](super::cores)) may have gone
//! through a surface; one that has is held back before it, and touches it in the next step.
//!
//! ```text
//!   ┌ room ────────┐                 The wall is outside the room: the two are no pair. Whoever leaves its room
//!   │ ○ → ╲        │  ┃              within a step gets a larger one, of all its way, and its pairs begin now.
//!   └──────╲───────┘  ┃
//!           ╲ ▬ ▬ ▬ ▬ ╋ ▬ ○
//! ```
//!
//! Where nobody went farther than he is thick, nothing of this is done.

use embate_geom::{Pose, Ray, Vec3, scalar};

use super::bodies::{Bodies, Motion};
use super::cores::Core;
use super::touches::NearPair;
use super::world::World;

/// One who is held back may be in the way of another, who is held back in turn; so many times at most.
const ROUNDS: usize = 4;

impl World {
    /// Before bodies arrive where a step of this length has brought them: holds back those that would have gone through
    /// another body.
    pub(super) fn hold_back(&mut self, time_step: f32) {
        let (margin, most) = (self.settings.margin(), self.settings.max_speed * time_step);
        let Self { bodies, awake, touches, broad, .. } = self;
        let mut any = false;
        for &place in &*awake {
            let place = place as usize;
            if is_far(bodies, place) {
                any = true;
                // An impact sets a body back by more than it may go, if it asks for a speed that is then cut.
                let moved = &mut bodies.motions[place].moved;
                let far = moved.length();
                *moved = if far > most { *moved * (most / far) } else { *moved };
            }
        }
        if !any {
            return;
        }
        for _ in 0..ROUNDS {
            let held = hold_pairs(bodies, &touches.pairs);
            let far = awake.iter().map(|&place| place as usize);
            let strayed =
                broad.reach_out(bodies, far.filter(|&place| is_far(bodies, place)), margin);
            if strayed {
                let (begun, ended) = broad.update();
                // Rooms that grow end no pair.
                touches.change(bodies, begun, ended, |_| {});
            }
            if !held && !strayed {
                return;
            }
        }
    }
}

/// Whether a body went so far that a ball inside it may have gone through something.
fn is_far(bodies: &Bodies, place: usize) -> bool {
    let (nature, motion) = (bodies.nature(place), &bodies.motions[place]);
    if nature.part_cores.is_empty() {
        return motion.moved.length_squared() > nature.core * nature.core;
    }
    motion.moved.length() + motion.turned.length() * nature.reach > nature.thinnest()
}

/// Tells whether anybody was held back.
fn hold_pairs(bodies: &mut Bodies, pairs: &[NearPair]) -> bool {
    let mut held = false;
    for pair in pairs.iter().filter(|pair| !pair.sensor) {
        let [a, b] = pair.bodies.map(|place| place as usize);
        if !(is_far(bodies, a) || is_far(bodies, b)) {
            continue;
        }
        for (flying, other) in [(a, b), (b, a)] {
            let Some((gives, sign)) = gives_way(bodies, flying, other) else { continue };
            for number in 0..bodies.nature(flying).cores().count() {
                let core = bodies.nature(flying).cores().nth(number);
                if let Some(back) = core.and_then(|core| way_back(bodies, (flying, core), other)) {
                    bodies.motions[gives].moved += back * sign;
                    held = true;
                }
            }
        }
    }
    held
}

/// Which of two bodies goes back, and in which direction of the first one's way: never what does not give way, and of
/// two that do the one that went farther. Otherwise what was hit and stopped before a wall would be pushed through it
/// by what comes after.
fn gives_way(bodies: &Bodies, flying: usize, other: usize) -> Option<(usize, f32)> {
    let far = |place: usize| bodies.motions[place].moved.length_squared();
    match (bodies.is_solved(flying), bodies.is_solved(other)) {
        (true, true) if far(other) > far(flying) => Some((other, -1.0)),
        (true, _) => Some((flying, 1.0)),
        (false, true) => Some((other, -1.0)),
        (false, false) => None,
    }
}

/// How far a ball inside one body is to go back, so that it is about to enter another; `None` if it does not.
fn way_back(bodies: &Bodies, (flying, core): (usize, Core), other: usize) -> Option<Vec3> {
    let Core { at, radius } = core;
    let center = bodies.places[flying].center;
    let start = center + bodies.poses[flying].rotation.turn(at);
    let end = center + bodies.motions[flying].moved + bodies.places[flying].rotation.turn(at);
    let nature = bodies.nature(other);
    // As the other body sees it, which may move, too.
    let began = bodies.poses[other];
    let from = began.local_point(start);
    // A body that turns sees the other go round an arc. Where a chord is too far from it, the turn is left out:
    // a ball that spins would be run into by all around it.
    let Motion { moved, turned, .. } = bodies.motions[other];
    let sagitta = 0.125 * turned.length_squared() * (from - nature.mass.centroid).length();
    let turns = sagitta <= radius;
    let rotation = if turns { bodies.places[other].rotation } else { began.rotation };
    let position = bodies.places[other].center + moved - rotation.turn(nature.mass.centroid);
    let arrived = Pose { rotation, position };
    let way = arrived.local_point(end) - from;
    let ray = Ray::new(from.to_array(), way.to_array()).within(0.0, 1.0);
    let hit = nature.shape.ray_hit(&Pose::IDENTITY, &ray)?;
    let nearing = -way.dot(hit.normal);
    // One that was inside before is pushed out as any other.
    if hit.t <= 0.0 || nearing <= 0.0 {
        return None;
    }
    let stop = scalar::max(hit.t - radius / nearing, 0.0);
    Some(arrived.point(from + way * stop) - end)
}
