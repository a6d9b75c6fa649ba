//! Which bodies come near each other?
//!
//! Each body has a room: a box around it that is larger than it needs, so that a body at rest or in slow
//! motion stays inside for many steps. Only a body that leaves its room gets a new one, and only then can a
//! pair of rooms begin or cease to overlap.

use embate_geom::{Aabb, Pose, Vec3, scalar};

use super::bodies::{Bodies, Nature, Place};
use super::body::Kind;
use super::threads::share;
use crate::pairs::{BoxId, Pair, World};

/// How much larger a room is than the body, as a share of the body's longest edge; measured on piles, where
/// smaller rooms are left too often and larger ones meet too many others.
const ROOM_SHARE: f32 = 0.05;
/// And in metres at most.
const ROOM_MOST: f32 = 0.1;
/// Of a coordinate, some units in its last place: what a box may be off by.
pub(super) const ROUNDING: f32 = 4.0 * f32::EPSILON;
/// A room reaches ahead by so many steps of the body's motion.
const STEPS_AHEAD: f32 = 2.0;

/// Bodies that one thread measures at least, so that it is worth to call another.
const FOLLOW_LEAST: usize = 128;

/// Rooms of all bodies, and who overlaps whom. In worlds of the study's method there are none.
#[derive(Clone, Debug)]
pub(super) struct Broad {
    rooms: World<3>,
    /// By place of the body.
    box_of: Vec<Option<BoxId>>,
    /// By number of the box. A removed body's is kept until its pairs have ended.
    body_of: Vec<u32>,
    /// By place of the body: where it was when it was last measured.
    measured: Vec<Option<Measured>>,
    begun: Vec<Pair>,
    ended: Vec<Pair>,
    /// Of a restored world: pairs that overlapped when it was saved, told with its first update.
    known: Vec<Pair>,
}

/// A body whose box was compared with its room. While it has moved little, it is known to be inside still.
#[derive(Clone, Copy, Debug)]
struct Measured {
    place: Place,
    /// From the box of its shape, with half the margin, to the walls of the room.
    slack: f32,
}

impl Measured {
    fn holds(&self, bodies: &Bodies, place: usize, time_step: f32) -> bool {
        let (now, nature) = (&bodies.places[place], bodies.nature(place));
        let [x, y, z, _] = (now.rotation * self.place.rotation.inverse()).to_array();
        let moved = (now.center - self.place.center).length()
            + 2.0 * Vec3::new(x, y, z).length() * nature.reach
            + bodies.motions[place].velocity.length() * time_step;
        // Far away, boxes are rounded.
        let rounding = ROUNDING * (now.center.abs().largest() + nature.reach);
        moved + rounding <= self.slack
    }
}

impl Broad {
    pub(super) fn new() -> Self {
        Self {
            rooms: World::with_threads(1),
            box_of: Vec::new(),
            body_of: Vec::new(),
            measured: Vec::new(),
            begun: Vec::new(),
            ended: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Gives a new body the room `bounds`, which was checked.
    pub(super) fn add(&mut self, place: usize, bounds: Aabb<3>) {
        let Ok(id) = self.rooms.add(bounds) else { return };
        if self.box_of.len() <= place {
            self.box_of.resize(place + 1, None);
            self.measured.resize(place + 1, None);
        }
        self.measured[place] = None;
        if self.body_of.len() <= id.0 as usize {
            self.body_of.resize(id.0 as usize + 1, 0);
        }
        self.box_of[place] = Some(id);
        self.body_of[id.0 as usize] = place as u32;
    }

    /// Takes a body's room away; its pairs end with the next update.
    pub(super) fn remove(&mut self, place: usize) {
        if let Some(id) = self.box_of.get_mut(place).and_then(Option::take) {
            // Every box in the list is one of the world.
            let _ = self.rooms.remove(id);
        }
    }

    /// The room of a body.
    pub(super) fn room(&self, place: usize) -> Option<&Aabb<3>> {
        self.rooms.get((*self.box_of.get(place)?)?)
    }

    /// Whether the rooms of two bodies overlap.
    pub(super) fn are_near(&self, [a, b]: [usize; 2]) -> bool {
        let rooms = self.room(a).zip(self.room(b));
        rooms.is_some_and(|(one, other)| one.overlaps(other))
    }

    /// Gives every body that left its room a new one.
    pub(super) fn follow(
        &mut self,
        bodies: &Bodies,
        awake: &[u32],
        (margin, time_step): (f32, f32),
        threads: usize,
    ) {
        let mut all: Vec<(u32, Option<Aabb<3>>)> =
            awake.iter().map(|&place| (place, None)).collect();
        let measured = &self.measured;
        share(threads, FOLLOW_LEAST, &mut all, |_, part| {
            for (place, bounds) in part {
                let place = *place as usize;
                let swing = swing(bodies, place, time_step);
                let holds = swing <= 0.5 * margin
                    && measured[place].is_some_and(|was| was.holds(bodies, place, time_step));
                *bounds = (!holds).then(|| self::bounds(bodies, place, margin, swing));
            }
        });
        for (place, bounds) in all {
            let (place, Some(bounds)) = (place as usize, bounds) else { continue };
            let needed = reaching(bounds, bodies, place, time_step);
            let (Some(id), Some(&room)) = (self.box_of[place], self.room(place)) else { continue };
            let mut slack = slack(&room, &bounds);
            if !holds(&room, &needed) {
                let room = with_room(&needed, bodies, place, time_step);
                // A body that flew beyond the range of boxes stays where it was last seen.
                let moved = self.rooms.move_to(id, room).is_ok();
                slack = if moved { self::slack(&room, &bounds) } else { f32::NEG_INFINITY };
            }
            // A body of no end is where it always was; of others no point is farther than the reach.
            let measurable = bodies.nature(place).reach > 0.0;
            self.measured[place] =
                measurable.then_some(Measured { place: bodies.places[place], slack });
        }
    }

    /// Before bodies arrive where a step has brought them: gives each that leaves its room by that a larger one, which
    /// holds it here and there. Tells whether any did.
    pub(super) fn reach_out(
        &mut self,
        bodies: &Bodies,
        places: impl Iterator<Item = usize>,
        margin: f32,
    ) -> bool {
        let mut any = false;
        for place in places {
            let (Some(id), Some(room)) = (self.box_of[place], self.room(place)) else { continue };
            let nature = bodies.nature(place);
            let rotation = bodies.places[place].rotation;
            let center = bodies.places[place].center + bodies.motions[place].moved;
            let pose = Pose { rotation, position: center - rotation.turn(nature.mass.centroid) };
            let there = nature.shape.aabb(&pose).grown(0.5 * margin);
            if holds(room, &there) {
                continue;
            }
            let both = room.joined(&there);
            // A body that flies beyond the range of boxes stays where it was last seen.
            if self.rooms.move_to(id, both).is_ok() {
                self.measured[place] = None;
                any = true;
            }
        }
        any
    }

    /// Pairs of places whose rooms began and ceased to overlap, each list sorted.
    pub(super) fn update(&mut self) -> (&[Pair], &[Pair]) {
        let Self { rooms, body_of, begun, ended, known, .. } = self;
        let changes = rooms.update();
        let as_bodies = |pairs: &[Pair], out: &mut Vec<Pair>| {
            out.clear();
            out.extend(pairs.iter().map(|&[a, b]| {
                let (a, b) = (body_of[a as usize], body_of[b as usize]);
                [a.min(b), a.max(b)]
            }));
            out.sort_unstable();
        };
        as_bodies(changes.begun, begun);
        as_bodies(changes.ended, ended);
        if !known.is_empty() {
            begun.extend(known.drain(..).filter(|pair| ended.binary_search(pair).is_err()));
            begun.sort_unstable();
        }
        (begun, ended)
    }

    /// The same rooms, their pairs all about to begin.
    pub(super) fn rebuilt(rooms: &[(u32, Aabb<3>)]) -> Self {
        let mut broad = Self::new();
        for &(place, room) in rooms {
            broad.add(place as usize, room);
        }
        // Before anything moves: a pair that never began would never end.
        let (begun, _) = broad.update();
        broad.known = begun.to_vec();
        broad
    }

    /// Every body's room by place.
    pub(super) fn rooms(&self) -> Vec<(u32, Aabb<3>)> {
        let places = 0..self.box_of.len();
        places.filter_map(|place| Some((place as u32, *self.room(place)?))).collect()
    }
}

/// The box that a body needs in this step: where it is, where it goes, and the margin of its contacts.
pub(super) fn needed(bodies: &Bodies, place: usize, margin: f32, time_step: f32) -> Aabb<3> {
    let swing = swing(bodies, place, time_step);
    reaching(bounds(bodies, place, margin, swing), bodies, place, time_step)
}

/// How much farther a body may reach in some direction after so many seconds of its spin: a point at the distance r,
/// of a body that reaches by at least the radius c of a ball inside it, gains at most √(r² − c²) a radian.
fn swing(bodies: &Bodies, place: usize, time: f32) -> f32 {
    let Nature { reach, core, .. } = *bodies.nature(place);
    let lever = scalar::max(reach * reach - core * core, 0.0);
    (bodies.motions[place].spin.length_squared() * lever).sqrt() * time
}

/// The box of a body, with its half of the margin, and where it turns to if that is farther.
fn bounds(bodies: &Bodies, place: usize, margin: f32, swing: f32) -> Aabb<3> {
    let nature = bodies.nature(place);
    let half = 0.5 * margin;
    let mut bounds = nature.shape.aabb(&bodies.poses[place]).grown(half);
    if swing > half {
        // Never out of the ball around its centre.
        let (center, reach) = (bodies.places[place].center, nature.reach + half);
        for axis in 0..3 {
            let [least, most] = [center[axis] - reach, center[axis] + reach];
            let (min, max) = (&mut bounds.min[axis], &mut bounds.max[axis]);
            *min = scalar::min(scalar::max(*min - swing, least), *min);
            *max = scalar::max(scalar::min(*max + swing, most), *max);
        }
    }
    bounds
}

/// How far a box may grow on every side and still be inside; below 0 if it is not.
fn slack(room: &Aabb<3>, inner: &Aabb<3>) -> f32 {
    (0..3).fold(f32::INFINITY, |slack, axis| {
        let below = inner.min[axis] - room.min[axis];
        let above = room.max[axis] - inner.max[axis];
        scalar::min(scalar::min(below, above), slack)
    })
}

/// Reaches ahead by the body's motion in this time.
fn reaching(mut bounds: Aabb<3>, bodies: &Bodies, place: usize, time: f32) -> Aabb<3> {
    if bodies.nature(place).kind != Kind::Still {
        let ahead = bodies.motions[place].velocity * time;
        for axis in 0..3 {
            bounds.min[axis] += scalar::min(ahead[axis], 0.0);
            bounds.max[axis] += scalar::max(ahead[axis], 0.0);
        }
    }
    bounds
}

/// A room for what is needed.
pub(super) fn with_room(
    needed: &Aabb<3>,
    bodies: &Bodies,
    place: usize,
    time_step: f32,
) -> Aabb<3> {
    if bodies.nature(place).kind == Kind::Still {
        return *needed;
    }
    let [x, y, z] = needed.size();
    let longest = scalar::max(scalar::max(x, y), z);
    let room = needed.grown(scalar::min(ROOM_SHARE * longest, ROOM_MOST));
    reaching(room, bodies, place, STEPS_AHEAD * time_step)
}

fn holds(room: &Aabb<3>, inner: &Aabb<3>) -> bool {
    (0..3).all(|axis| room.min[axis] <= inner.min[axis] && inner.max[axis] <= room.max[axis])
}
