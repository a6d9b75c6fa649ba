//! Which touches need not be looked for again?
//!
//! A pair whose bodies have hardly moved as seen from each other keeps its contact points, and more: it keeps the
//! arms at which they act, from each centre of mass, as they were in the world. The depths alone are followed.
//!
//! ```text
//!    found          later, kept          found anew
//!   ┌──┬──┐         ┌──┬──┐               ┌──┬──┐
//!   │  ↑  │          │  ↑  │               │ ↑   │      The load of the upper box stands over its middle. The
//!   ├──┴──┤         ├──┴──┤               ├─┴───┤      boxes give way and shift a little; found anew, it would
//!   │  ↓  │        │  ↓  │               │  ↓  │       stand aside, and turn them further.
//!   └─────┘        └─────┘               └─────┘
//! ```
//!
//! That feedback is what bends a loaded column out (Euler's buckling). The bodies are rigid: a real stack of them
//! would not bend, only our contacts are softer than real ones. So as long as bodies have moved less than
//! contacts give way anyway, a load stays where it was put, and tall stacks and walls stand.

use embate_geom::{Rotation, Vec3, scalar};

use super::bodies::{Bodies, Nature};
use super::body::Kind;
use super::touch::Touch;
use crate::shapes::Shape;

/// A touch is kept while nothing has moved farther than this share of the radius of the largest ball inside the
/// thinner body: loads stay where they are to a fortieth of its thickness.
const THICKNESS_SHARE: f32 = 0.05;
/// How large such a ball is taken to be for bodies of many parts, as a share of their reach.
const HOLLOW_SHARE: f32 = 0.2;

/// Where two bodies were when their touches were found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) centers: [Vec3; 2],
    pub(super) rotations: [Rotation; 2],
}

/// How two bodies have moved since.
pub(super) struct Moved {
    shifts: [Vec3; 2],
    turns: [Rotation; 2],
}

impl Settled {
    pub(super) fn new(bodies: &Bodies, pair: [usize; 2]) -> Self {
        let places = pair.map(|place| bodies.places[place]);
        Self {
            centers: places.map(|place| place.center),
            rotations: places.map(|place| place.rotation),
        }
    }

    /// How the bodies have moved since, if by so little within `time_step` from now, too, that what was found
    /// holds.
    #[inline]
    pub(super) fn moved(
        &self,
        bodies: &Bodies,
        [a, b]: [usize; 2],
        limit: f32,
        time_step: f32,
    ) -> Option<Moved> {
        let shifts =
            [bodies.places[a].center - self.centers[0], bodies.places[b].center - self.centers[1]];
        let (motion_a, motion_b) = (&bodies.motions[a], &bodies.motions[b]);
        let mut way = (shifts[1] - shifts[0]).length()
            + (motion_b.velocity - motion_a.velocity).length() * time_step;
        // By turning, it can only be more.
        if way > limit {
            return None;
        }
        let turns = [
            bodies.places[a].rotation * self.rotations[0].inverse(),
            bodies.places[b].rotation * self.rotations[1].inverse(),
        ];
        for (place, turn, motion) in [(a, turns[0], motion_a), (b, turns[1], motion_b)] {
            let angle = 2.0 * turn_vector(turn).length() + motion.spin.length() * time_step;
            let reach = bodies.nature(place).reach;
            // What has no end is nowhere as it was once it is turned.
            way += if angle > 0.0 && reach == 0.0 { f32::INFINITY } else { angle * reach };
        }
        // Written so that a NaN is too far.
        (way <= limit).then_some(Moved { shifts, turns })
    }
}

fn turn_vector(turn: Rotation) -> Vec3 {
    let [x, y, z, _] = turn.to_array();
    Vec3::new(x, y, z)
}

impl Moved {
    /// Lets a touch that was found before follow the bodies.
    #[inline]
    pub(super) fn follow(&self, touch: &mut Touch) {
        let normal = touch.manifold.normal;
        let [shift_a, shift_b] = self.shifts;
        let [turn_a, turn_b] = self.turns;
        for (point, found) in touch.manifold.points_mut().iter_mut().zip(&touch.found) {
            // B reaches into A by the depth.
            let half = normal * (0.5 * found.depth);
            let (arm_a, arm_b) = (found.arm_a + half, found.arm_b - half);
            let moved_a = shift_a + (turn_a.turn(arm_a) - arm_a);
            let moved_b = shift_b + (turn_b.turn(arm_b) - arm_b);
            point.depth = found.depth + normal.dot(moved_a - moved_b);
            point.point = found.point + (moved_a + moved_b) * 0.5;
        }
    }
}

/// How far two bodies may move, by what they are, until their touches are looked for again, in metres; 0 for
/// shapes that are asked in no time, and roll.
pub(super) fn limit(natures: [&Nature; 2]) -> f32 {
    if !natures.iter().all(|nature| is_flat(&nature.shape)) {
        return 0.0;
    }
    let moving = natures.iter().filter(|nature| nature.kind == Kind::Moving);
    moving.fold(f32::INFINITY, |least, nature| {
        // A compound may be hollow in the middle.
        let core = if nature.core > 0.0 { nature.core } else { HOLLOW_SHARE * nature.reach };
        scalar::min(THICKNESS_SHARE * core, least)
    })
}

fn is_flat(shape: &Shape) -> bool {
    match shape {
        Shape::Cuboid(_) | Shape::Hull(_) | Shape::HalfSpace(_) | Shape::Mesh(_) => true,
        Shape::Compound(compound) => compound.parts().iter().all(|(_, part)| is_flat(part)),
        Shape::Sphere(_) | Shape::Capsule(_) => false,
    }
}
