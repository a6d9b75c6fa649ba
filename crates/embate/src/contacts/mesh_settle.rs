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
//! would free those as well and is the shorter: then the others yield. So of all ways out over a ridge the shortest is taken, as with one
//! solid body; and in a valley, where no push frees the other side, both sides stay.
//!
//! Promise: only triangles that another one frees are left out, and that one stays.

use embate_geom::{Pose, Vec3, scalar};

use super::gjk;
use super::manifold::Manifold;
use super::mesh::{Facet, Seen, nearest_of};
use super::pair::Body;
use crate::shapes::{MeshShape, Shape};

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
    triangle: u32,
}

impl Push {
    fn of(manifold: &Manifold) -> Self {
        Self { out: -manifold.normal, depth: manifold.depth(), triangle: manifold.parts[1] }
    }
}

struct Settling<'a> {
    body: Body<'a>,
    mesh: (&'a MeshShape, &'a Pose),
    /// What each triangle that is touched says.
    said: &'a [Push],
    slack: f32,
}

impl Settling<'_> {
    /// Whether a push parts the body from a triangle.
    fn frees(&self, push: &Push, triangle: u32) -> bool {
        let (shape, pose) = self.body;
        let way = push.out * (scalar::max(push.depth, 0.0) + self.slack);
        let pushed = Pose { position: pose.position + way, ..*pose };
        let seen = Seen::new(self.mesh.1, &pushed);
        Facet::new(self.mesh.0, triangle, &self.mesh.1.frame(), &seen)
            .is_none_or(|facet| nearest_of((shape, &pushed.frame()), &facet, 0.0).is_none())
    }

    /// Whether a push parts the body from all triangles that another speaks for.
    fn frees_all(&self, push: &Push, other: &Push) -> bool {
        let mut others = self.said.iter().filter(|said| said.out.dot(other.out) > SAME);
        others.all(|said| self.frees(push, said.triangle))
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

/// Takes out of the contacts of a convex body with a mesh, from the one numbered `first` on, those that
/// another answers for.
pub(super) fn settle(
    body: Body<'_>,
    mesh: (&MeshShape, &Pose),
    found: &mut Vec<Manifold>,
    first: usize,
) {
    let [one, others @ ..] = &found[first..] else { return };
    // On the flat, and nearly everywhere, this is all.
    if others.iter().all(|other| other.normal.dot(one.normal) > ALL_AGREE)
        || matches!(body.0, Shape::HalfSpace(_))
    {
        return;
    }
    let bounds = body.0.aabb(&Pose::IDENTITY);
    let size = (Vec3::from(bounds.max) - Vec3::from(bounds.min)).largest();
    let far = (body.1.position - mesh.1.position).abs().largest() + body.1.position.abs().largest();
    let slack = gjk::slack(FREE, size, size + far);
    let said: Vec<Push> = found[first..].iter().map(Push::of).collect();
    let settling = Settling { body, mesh, said: &said, slack };
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
