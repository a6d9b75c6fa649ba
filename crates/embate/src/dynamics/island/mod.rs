//! Islands: sleeping and waking of connected bodies, by union-find.
//!
//! Dynamic bodies connected by contacts or joints form an island; fixed and kinematic bodies do not
//! connect. An island sleeps when it is supported by a fixed or resting kinematic body and the
//! sleep timers of all its bodies exceed 0.5 s, and it wakes as a whole. Bodies that float slowly
//! in space, slide slowly or are driven by a motor do not sleep.

pub(crate) mod sleep_timer;

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_data::{BodyState, ExternalForces, SleepState};
use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::{BodyIndex, BodyVec};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::JointSet;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;

/// Sleep timer from which a body can sleep, in seconds.
const TIME_TO_SLEEP: f32 = 0.5;

/// Whether a body wakes sleeping islands that it touches: an awake dynamic or a moving kinematic
/// body.
fn can_wake_others(bodies: &BodySet, index: BodyIndex) -> bool {
    let BodyState { linear_velocity, angular_velocity, .. } = *bodies.state(index);
    match bodies.data(index).body_type {
        BodyType::Dynamic => bodies.sleep_state(index) == SleepState::Awake,
        BodyType::Kinematic => linear_velocity != Vec3::ZERO || angular_velocity != Vec3::ZERO,
        BodyType::Fixed => false,
    }
}

/// Contact pairs with a manifold, without those of sensors.
fn touching_pairs(narrow_phase: &NarrowPhase) -> impl Iterator<Item = &ContactPair> {
    let pairs = narrow_phase.pairs().iter();
    pairs.filter(|pair| !pair.manifolds().is_empty() && !pair.is_sensor())
}

/// Pairs of bodies connected by a contact or a joint.
fn connected_pairs(
    narrow_phase: &NarrowPhase,
    joints: &JointSet,
) -> impl Iterator<Item = [BodyIndex; 2]> {
    touching_pairs(narrow_phase).map(ContactPair::bodies).chain(joints.body_pairs())
}

/// Wakes the islands that touch a body that [can wake others](can_wake_others) or have a contact
/// marked for update. Returns whether any woke.
pub(crate) fn wake_touched_islands(
    bodies: &mut BodySet,
    narrow_phase: &NarrowPhase,
    joints: &JointSet,
) -> bool {
    if !bodies.any_sleeping() {
        return false;
    }
    let mut woken = Vec::new();
    for pair in connected_pairs(narrow_phase, joints) {
        let [a, b] = pair;
        for (one, other) in [(a, b), (b, a)] {
            if let SleepState::Asleep(island) = bodies.sleep_state(one)
                && can_wake_others(bodies, other)
            {
                woken.push(island);
            }
        }
    }
    for pair in touching_pairs(narrow_phase).filter(|pair| pair.needs_update()) {
        for index in pair.bodies() {
            if let SleepState::Asleep(island) = bodies.sleep_state(index) {
                woken.push(island);
            }
        }
    }
    wake_islands(bodies, woken)
}

/// Wakes islands. Returns whether `islands` is not empty.
fn wake_islands(bodies: &mut BodySet, mut islands: Vec<u32>) -> bool {
    islands.sort_unstable();
    for index in bodies.slot_indices() {
        if let SleepState::Asleep(island) = bodies.sleep_state(index)
            && islands.binary_search(&island).is_ok()
        {
            *bodies.sleep_state_mut(index) = SleepState::Awake;
            *bodies.sleep_timer_mut(index) = 0.0;
        }
    }
    !islands.is_empty()
}

/// Wakes a body with its island, and resets its sleep timer.
pub(crate) fn wake_body(bodies: &mut BodySet, index: BodyIndex) {
    wake_bodies(bodies, [index]);
}

/// Wakes bodies with their islands, and resets their sleep timers.
pub(crate) fn wake_bodies(bodies: &mut BodySet, indices: impl IntoIterator<Item = BodyIndex>) {
    let mut woken = Vec::new();
    for index in indices {
        *bodies.sleep_timer_mut(index) = 0.0;
        if let SleepState::Asleep(island) = bodies.sleep_state(index) {
            woken.push(island);
        }
    }
    if !woken.is_empty() {
        wake_islands(bodies, woken);
    }
}

/// Puts the islands to sleep that are supported and whose sleep timers all exceed
/// [`TIME_TO_SLEEP`].
pub(crate) fn sleep_islands(
    bodies: &mut BodySet,
    narrow_phase: &NarrowPhase,
    joints: &JointSet,
    awake: &[BodyIndex],
) {
    let can_sleep = |&index: &BodyIndex| bodies.sleep_timer(index) >= TIME_TO_SLEEP;
    if !awake.iter().any(can_sleep) {
        return;
    }
    // The root of an island is its smallest body index, hence unique.
    let mut parents: BodyVec<BodyIndex> = bodies.slot_indices().collect();
    let (mut kept_awake, mut supported) = (Vec::new(), Vec::new());
    let mut connect = |pair: [BodyIndex; 2], is_support: bool| {
        let [a, b] = pair;
        let is_dynamic = pair.map(|index| bodies.is_dynamic(index));
        match is_dynamic {
            [true, true] => union(&mut parents, a, b),
            [true, false] if can_wake_others(bodies, b) => kept_awake.push(a),
            [false, true] if can_wake_others(bodies, a) => kept_awake.push(b),
            [true, false] if is_support => supported.push(a),
            [false, true] if is_support => supported.push(b),
            _ => {}
        }
    };
    for pair in touching_pairs(narrow_phase) {
        // A speculative contact without impulse supports no body.
        connect(pair.bodies(), pair.total_normal_impulse() > 0.0);
    }
    for pair in joints.body_pairs() {
        connect(pair, true);
    }
    for joint in joints.iter() {
        if joint.motor.is_some_and(|motor| motor.target_velocity != 0.0) {
            kept_awake.extend(joint.bodies.iter().copied());
        }
    }
    // By root: the minimum of the sleep timers; 0 for islands that are not supported or kept awake.
    let mut island_timers = BodyVec::default();
    island_timers.fill(parents.len(), 0.0);
    for index in supported {
        island_timers[find_root(&mut parents, index)] = f32::INFINITY;
    }
    for &index in awake {
        let root = find_root(&mut parents, index);
        island_timers[root] = scalar::min(bodies.sleep_timer(index), island_timers[root]);
    }
    for index in kept_awake {
        island_timers[find_root(&mut parents, index)] = 0.0;
    }
    for &index in awake {
        let root = find_root(&mut parents, index);
        if island_timers[root] >= TIME_TO_SLEEP && bodies.data(index).body_type == BodyType::Dynamic
        {
            *bodies.sleep_state_mut(index) = SleepState::Asleep(root.0);
            *bodies.state_mut(index) = BodyState::default();
        }
    }
}

/// Puts the island of a dynamic body to sleep, whether it is at rest or not.
pub(crate) fn sleep_island_of(
    bodies: &mut BodySet,
    narrow_phase: &NarrowPhase,
    joints: &JointSet,
    index: BodyIndex,
) {
    if !bodies.is_dynamic(index) {
        return;
    }
    let mut parents: BodyVec<BodyIndex> = bodies.slot_indices().collect();
    for [a, b] in connected_pairs(narrow_phase, joints) {
        if bodies.is_dynamic(a) && bodies.is_dynamic(b) {
            union(&mut parents, a, b);
        }
    }
    let root = find_root(&mut parents, index);
    for member in bodies.slot_indices() {
        if find_root(&mut parents, member) == root {
            *bodies.sleep_state_mut(member) = SleepState::Asleep(root.0);
            *bodies.state_mut(member) = BodyState::default();
            *bodies.forces_mut(member) = ExternalForces::default();
        }
    }
}

/// Root of an element, with path halving.
fn find_root(parents: &mut BodyVec<BodyIndex>, mut index: BodyIndex) -> BodyIndex {
    while parents[index] != index {
        let parent = parents[index];
        parents[index] = parents[parent];
        index = parent;
    }
    index
}

fn union(parents: &mut BodyVec<BodyIndex>, a: BodyIndex, b: BodyIndex) {
    let (a, b) = (find_root(parents, a), find_root(parents, b));
    parents[a.max(b)] = a.min(b);
}
