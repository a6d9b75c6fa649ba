//! Who has come to rest, and who must wake?
//!
//! Bodies that touch or are joined are one island; what does not move connects nobody. An island that rests on something
//! sleeps when all of its bodies have been slow for a while, and wakes as a whole. What floats slowly in space
//! floats on.

use embate_geom::{Vec3, scalar};

use super::bodies::{Bodies, Motion, Rest};
use super::body::Kind;
use super::joints::Joints;
use super::touches::Touches;
use crate::pairs::Pair;

/// A body slower than this, at every point of it, is slow, in m/s: a step moves it by less than a millimetre.
const SLOW: f32 = 0.05;
/// Slow for so long, an island sleeps, in seconds.
const CALM_TIME: f32 = 0.5;

/// Counts how long each body has been slow.
pub(super) fn calm_down(bodies: &mut Bodies, awake: &[u32], time_step: f32) {
    for &place in awake {
        let place = place as usize;
        let nature = bodies.nature(place);
        let Motion { velocity, spin, .. } = bodies.motions[place];
        let fastest = velocity.length() + spin.length() * nature.reach;
        let calm = fastest <= SLOW && nature.may_sleep;
        bodies.calm[place] = if calm { bodies.calm[place] + time_step } else { 0.0 };
    }
}

/// Whether a body may wake others: it moves of itself.
fn is_restless(bodies: &Bodies, place: usize) -> bool {
    let Motion { velocity, spin, .. } = bodies.motions[place];
    match bodies.nature(place).kind {
        Kind::Moving => bodies.rests[place] == Rest::Awake,
        Kind::Driven => velocity != Vec3::ZERO || spin != Vec3::ZERO,
        Kind::Still => false,
    }
}

/// Pairs of bodies that touch, or that a joint holds.
fn connected(touches: &Touches, joints: &Joints) -> impl Iterator<Item = Pair> {
    let touch = touches.pairs.iter().filter(|pair| !pair.touches.is_empty() && !pair.sensor);
    touch.map(|pair| pair.bodies).chain(joints.pairs())
}

/// Wakes the islands that something awake touches; tells whether any woke.
pub(super) fn wake_touched(bodies: &mut Bodies, touches: &Touches, joints: &Joints) -> bool {
    let mut woken = Vec::new();
    for pair in connected(touches, joints) {
        let [a, b] = pair.map(|place| place as usize);
        for (one, other) in [(a, b), (b, a)] {
            if let Rest::Asleep(island) = bodies.rests[one]
                && is_restless(bodies, other)
            {
                woken.push(island);
            }
        }
    }
    wake(bodies, woken)
}

/// Wakes whole islands; tells whether any woke.
pub(super) fn wake(bodies: &mut Bodies, mut islands: Vec<u32>) -> bool {
    islands.sort_unstable();
    for place in 0..bodies.rests.len() {
        if let Rest::Asleep(island) = bodies.rests[place]
            && islands.binary_search(&island).is_ok()
        {
            bodies.rests[place] = Rest::Awake;
            bodies.calm[place] = 0.0;
        }
    }
    !islands.is_empty()
}

/// Wakes a body and all that sleep with it.
pub(super) fn wake_body(bodies: &mut Bodies, place: usize) {
    bodies.calm[place] = 0.0;
    if let Rest::Asleep(island) = bodies.rests[place] {
        wake(bodies, vec![island]);
    }
}

/// Puts islands to sleep of which all bodies have been slow for long enough.
pub(super) fn fall_asleep(bodies: &mut Bodies, touches: &Touches, joints: &Joints, awake: &[u32]) {
    let tired = |&place: &u32| bodies.calm[place as usize] >= CALM_TIME;
    if !awake.iter().any(tired) {
        return;
    }
    // The root of an island is its least place: no two islands have the same.
    let mut roots: Vec<u32> = (0..bodies.rests.len() as u32).collect();
    let (mut kept_awake, mut supported) = (Vec::new(), Vec::new());
    for pair in connected(touches, joints) {
        let [a, b] = pair;
        let moves = pair.map(|place| bodies.nature(place as usize).kind == Kind::Moving);
        match moves {
            [true, true] => join(&mut roots, a, b),
            [true, false] if is_restless(bodies, b as usize) => kept_awake.push(a),
            [false, true] if is_restless(bodies, a as usize) => kept_awake.push(b),
            [true, false] => supported.push(a),
            [false, true] => supported.push(b),
            [false, false] => {}
        }
    }
    let mut calm = vec![0.0; roots.len()];
    for place in supported {
        calm[root(&mut roots, place) as usize] = f32::INFINITY;
    }
    for &place in awake {
        let root = root(&mut roots, place) as usize;
        calm[root] = scalar::min(bodies.calm[place as usize], calm[root]);
    }
    for place in kept_awake {
        calm[root(&mut roots, place) as usize] = 0.0;
    }
    for &place in awake {
        let root = root(&mut roots, place);
        if calm[root as usize] >= CALM_TIME && bodies.nature(place as usize).kind == Kind::Moving {
            bodies.rests[place as usize] = Rest::Asleep(root);
            bodies.motions[place as usize] = Motion::default();
        }
    }
}

/// The root of a place's tree; the way there is made half as long.
fn root(roots: &mut [u32], mut place: u32) -> u32 {
    while roots[place as usize] != place {
        let above = roots[place as usize];
        roots[place as usize] = roots[above as usize];
        place = above;
    }
    place
}

fn join(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(roots, a), root(roots, b));
    roots[a.max(b) as usize] = a.min(b);
}
