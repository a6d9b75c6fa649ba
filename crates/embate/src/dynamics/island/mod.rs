//! Who has come to rest, and who must wake?
//!
//! Bodies that touch or are joined are one island; what does not move connects nobody. An island that something holds up
//! sleeps when all of its bodies have been slow, steady and in their places for a while, and wakes as a whole. What floats
//! slowly in space floats on; what slides slowly slides on; what a motor drives is driven on.

use embate_geom::{Vec3, scalar};

use super::bodies::{Bodies, Calm, Motion, Nature, Place, Rest};
use super::body::Kind;
use super::joints::Joints;
use super::touches::Touches;
use crate::pairs::Pair;

/// A body slower than this, at every point of it, is slow, in m/s: a step moves it by less than a millimetre.
const SLOW: f32 = 0.05;
/// Slow for so long, an island sleeps, in seconds.
const CALM_TIME: f32 = 0.5;
/// No point of a body in its place has come farther, in metres. What settles comes to a stop, so sooner or later it
/// stays so near: twenty cubes on each other, which sway, after four seconds, and with half of this after ten. What
/// slides by 2 mm a second or more does not.
const IN_PLACE: f32 = 1e-3;

/// No point of a steady body gains more, in m/s. A ball that rolls up a tenth of a degree is slow and in its place at its
/// turning point, but comes back; what gains less than 8 mm/s² counts as at rest. Stacks that sway settle as soon;
/// with three fifths of this, twenty cubes on each other take two seconds longer, and with two they never do.
const STEADY: f32 = 5e-3;

/// Counts how long a body has been slow, steady and in its place, and how that began.
///
/// Slow alone would not do: what slides on ice at a centimetre a second is slow for ever, and not at rest.
pub(super) fn calm_down(
    nature: &Nature,
    &Motion { velocity, spin, .. }: &Motion,
    now: &Place,
    (calm, then): (&mut f32, &mut Calm),
    time_step: f32,
) {
    let fastest = velocity.length() + spin.length() * nature.reach;
    if !(fastest <= SLOW && nature.may_sleep) {
        *calm = 0.0;
        return;
    }
    let strayed = strayed(&then.place, now, nature.reach) > IN_PLACE;
    let gained = (velocity - then.velocity).length() + (spin - then.spin).length() * nature.reach;
    if *calm == 0.0 || strayed || gained > STEADY {
        *then = Calm { place: *now, velocity, spin };
        *calm = 0.0;
    }
    *calm += time_step;
}

/// How far a point of a body may have come.
fn strayed(then: &Place, now: &Place, reach: f32) -> f32 {
    let [x, y, z, _] = (now.rotation * then.rotation.inverse()).to_array();
    (now.center - then.center).length() + 2.0 * Vec3::new(x, y, z).length() * reach
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

/// Wakes the islands that something awake touches, or something new; tells whether any woke.
pub(super) fn wake_touched(bodies: &mut Bodies, touches: &Touches, joints: &Joints) -> bool {
    if bodies.rests.iter().all(|&rest| rest == Rest::Awake) {
        return false;
    }
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
    let new = touches.pairs.iter().filter(|pair| pair.anew && !pair.sensor);
    for pair in new.filter(|pair| !pair.touches.is_empty()) {
        for place in pair.bodies {
            if let Rest::Asleep(island) = bodies.rests[place as usize] {
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
    wake_bodies(bodies, [place]);
}

/// Wakes bodies and all that sleep with them.
pub(super) fn wake_bodies(bodies: &mut Bodies, places: impl IntoIterator<Item = usize>) {
    let mut woken = Vec::new();
    for place in places {
        bodies.calm[place] = 0.0;
        if let Rest::Asleep(island) = bodies.rests[place] {
            woken.push(island);
        }
    }
    if !woken.is_empty() {
        wake(bodies, woken);
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
    let mut connect = |pair: Pair, holds_up: bool| {
        let [a, b] = pair;
        let moves = pair.map(|place| bodies.is_moved(place as usize));
        match moves {
            [true, true] => join(&mut roots, a, b),
            [true, false] if is_restless(bodies, b as usize) => kept_awake.push(a),
            [false, true] if is_restless(bodies, a as usize) => kept_awake.push(b),
            [true, false] if holds_up => supported.push(a),
            [false, true] if holds_up => supported.push(b),
            _ => {}
        }
    };
    for pair in touches.pairs.iter().filter(|pair| !pair.touches.is_empty() && !pair.sensor) {
        // What is near may not be reached yet.
        connect(pair.bodies, pair.impulse() > 0.0);
    }
    for pair in joints.pairs() {
        connect(pair, true);
    }
    for link in joints.iter() {
        if link.motor.is_some_and(|motor| motor.speed != 0.0) {
            kept_awake.extend(link.bodies.iter().map(|&place| place as u32));
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
