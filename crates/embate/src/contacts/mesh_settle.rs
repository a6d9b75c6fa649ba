//! Which triangles of a mesh have nothing to say about a body, because a neighbour answers for them?
//!
//! ```text
//!         ┌────────┐            By itself, the side face of the step is sunk into by all that overhangs, and
//!         │  body  │            would push the body back by that: a long way. But the top pushes it up by next
//!   ──────┴────┬───┘ ◄── no     to nothing, and then nothing touches the side any more.
//!     mesh     │
//! ```
//!
//! Triangles of one normal speak as one. They yield to others whose push frees them all, unless their own push
//! would free those as well and is the shorter: then the others yield. So of all ways out over a ridge the shortest
//! is taken, as with one solid body; and in a valley, where no push frees the other side, both sides stay. Of two
//! meshes, two triangles are what one is here.
//!
//! Promise: only triangles that another one frees are left out, and that one stays.

use embate_geom::{Vec3, scalar};

use super::gjk;
use super::manifold::Manifold;

/// Normals closer than this (as a cosine, 45°) do not contradict each other: a body on a gentle bend keeps all
/// the points that it lies on.
const AGREE: f32 = 0.7;

/// If all normals are this close to one of them (22°), no two contradict each other.
const ALL_AGREE: f32 = 0.93;

/// Normals this close are one.
const SAME: f32 = 1.0 - 1e-6;

/// A body is free of a triangle if it is after a push longer by this part of its size: what rounding may do
/// to the length and direction of the push.
const FREE: f32 = 1e-4;

/// A body on its way out.
#[derive(Clone, Copy)]
struct Push {
    /// Out of the mesh, of length 1.
    out: Vec3,
    depth: f32,
    parts: [u32; 2],
}

impl Push {
    fn of(manifold: &Manifold) -> Self {
        Self { out: -manifold.normal, depth: manifold.depth(), parts: manifold.parts }
    }

    /// The way that A goes, and a little farther.
    fn way(&self, slack: f32) -> Vec3 {
        self.out * (scalar::max(self.depth, 0.0) + slack)
    }
}

/// A little farther than a push, for a body of this size whose coordinates are no larger than `far`.
pub(super) fn slack(size: f32, far: f32) -> f32 {
    gjk::slack(FREE, size, size + far)
}

/// What each two parts that touch say, and whether two of them are free of each other when A has moved.
struct Settling<'a, F> {
    said: &'a [Push],
    slack: f32,
    free: F,
}

impl<F: Fn(Vec3, [u32; 2]) -> bool> Settling<'_, F> {
    /// Whether a push parts the body from all triangles that another speaks for.
    fn frees_all(&self, push: &Push, other: &Push) -> bool {
        let way = push.way(self.slack);
        let mut others = self.said.iter().filter(|said| said.out.dot(other.out) > SAME);
        others.all(|said| (self.free)(way, said.parts))
    }

    /// Whether what `one` says is answered by `other`.
    fn yields(&self, one: &Push, other: &Push) -> bool {
        one.depth > self.slack
            && other.depth >= -self.slack
            && one.out.dot(other.out) < AGREE
            && self.frees_all(other, one)
            && (other.depth < one.depth || !self.frees_all(one, other))
    }
}

/// Whether no two of some contacts contradict each other: on the flat, and nearly everywhere.
pub(super) fn agree(found: &[Manifold]) -> bool {
    let [one, others @ ..] = found else { return true };
    others.iter().all(|other| other.normal.dot(one.normal) > ALL_AGREE)
}

/// Takes out of the contacts of a body with a mesh, from the one numbered `first` on, those that another answers
/// for. `free` tells whether A, moved by some way, is free of B as far as two parts are concerned.
pub(super) fn settle(
    found: &mut Vec<Manifold>,
    first: usize,
    slack: f32,
    free: impl Fn(Vec3, [u32; 2]) -> bool,
) {
    let said: Vec<Push> = found[first..].iter().map(Push::of).collect();
    let settling = Settling { said: &said, slack, free };
    // Of triangles with one normal, the one with the longest push speaks for all.
    let mut pushes: Vec<Push> = Vec::new();
    for &push in &said {
        match pushes.iter_mut().find(|same| same.out.dot(push.out) > SAME) {
            Some(same) if same.depth >= push.depth => {}
            Some(same) => *same = push,
            None => pushes.push(push),
        }
    }
    let yields = |one: &Push, others: &[Push]| others.iter().any(|it| settling.yields(one, it));
    let (yielding, standing): (Vec<Push>, Vec<Push>) =
        pushes.iter().partition(|one| yields(one, &pushes));
    // Only to one that itself yields to none, so that no contact is lost to one that is not there.
    let left_out: Vec<Push> = yielding.into_iter().filter(|one| yields(one, &standing)).collect();
    let mut stays = said.iter().map(|own| !left_out.iter().any(|it| it.out.dot(own.out) > SAME));
    let mut index = 0;
    found.retain(|_| {
        index += 1;
        index <= first || stays.next().unwrap_or(true)
    });
}
