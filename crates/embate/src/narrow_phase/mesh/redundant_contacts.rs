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
//! is taken, as with one solid body.
//!
//! What a push frees only by going along the other's own normal does not yield: its depth is no long way, and in a
//! valley it is the other side that holds the body. Left with the side that it happens to be deeper in, a body would
//! sink into the other and rock between them.
//!
//! Promise: only triangles that another one frees are left out, and that one stays.

use std::cell::Cell;

use embate_geom::{Vec3, scalar};

use super::gjk;
use super::manifold::Manifold;

/// Normals closer than this (as a cosine, 45°) do not contradict each other: a body on a gentle bend keeps all
/// the points that it lies on.
const AGREE: f32 = 0.7;

/// If all normals are this close to one of them (22°), no two contradict each other.
const ALL_AGREE: f32 = 0.93;

/// Normals this close are one.
pub(super) const SAME: f32 = 1.0 - 1e-6;

/// Groups of one normal that a push is compared with, the latest: a surface has more only if it is bent all over.
const COMPARED: usize = 64;

/// How often it is asked whether a body is free of a triangle. In a few of them some dozens suffice; deep in thousands,
/// what is then still open stays.
const QUESTIONS: u32 = 8_192;

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

    /// The way that A goes, and a little farther.
    fn way(&self, slack: f32) -> Vec3 {
        self.out * (scalar::max(self.depth, 0.0) + slack)
    }
}

/// A little farther than a push, for a body of this size whose coordinates are no larger than `far`.
pub(super) fn slack(size: f32, far: f32) -> f32 {
    gjk::slack(FREE, size, size + far)
}

/// Triangles of one normal.
struct Group {
    /// The longest push, which speaks for all.
    push: Push,
    triangles: Vec<u32>,
}

/// Whether a body is free of triangles when it has moved, as long as questions are left.
struct Settling<F> {
    slack: f32,
    free: F,
    questions: Cell<u32>,
}

impl<F: Fn(Vec3, u32) -> bool> Settling<F> {
    /// Whether a push parts the body from all triangles that another speaks for. When no question is left, it is not
    /// known to.
    fn frees_all(&self, push: &Push, other: &Group) -> bool {
        let way = push.way(self.slack);
        other.triangles.iter().all(|&triangle| {
            let left = self.questions.get();
            self.questions.set(left.saturating_sub(1));
            left > 0 && (self.free)(way, triangle)
        })
    }

    /// Whether what `one` says is answered by `other`.
    fn yields(&self, one: &Group, other: &Group) -> bool {
        one.push.depth > self.slack
            && other.push.depth >= -self.slack
            && one.push.out.dot(other.push.out) < AGREE
            && one.push.depth > other.push.way(self.slack).dot(one.push.out)
            && self.frees_all(&other.push, one)
            && (other.push.depth < one.push.depth
                || (!self.frees_all(&one.push, other) && self.questions.get() > 0))
    }
}

/// Whether no two of some contacts contradict each other: on the flat, and nearly everywhere.
pub(super) fn agree(found: &[Manifold]) -> bool {
    let [one, others @ ..] = found else { return true };
    others.iter().all(|other| other.normal.dot(one.normal) > ALL_AGREE)
}

/// Takes out of the contacts of a body with a mesh, from the one numbered `first` on, those that another answers
/// for. `free` tells whether the body, moved by some way, is free of a triangle.
pub(super) fn settle(
    found: &mut Vec<Manifold>,
    first: usize,
    slack: f32,
    free: impl Fn(Vec3, u32) -> bool,
) {
    let settling = Settling { slack, free, questions: Cell::new(QUESTIONS) };
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = Vec::with_capacity(found.len() - first);
    for push in found[first..].iter().map(Push::of) {
        let from = groups.len().saturating_sub(COMPARED);
        let same = groups[from..].iter().position(|group| group.push.out.dot(push.out) > SAME);
        let index = from + same.unwrap_or(groups.len() - from);
        if let Some(group) = groups.get_mut(index) {
            group.triangles.push(push.triangle);
            if push.depth > group.push.depth {
                group.push = push;
            }
        } else {
            groups.push(Group { push, triangles: vec![push.triangle] });
        }
        group_of.push(index);
    }
    // The shortest push first: it is the one that others yield to.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| groups[a].push.depth.total_cmp(&groups[b].push.depth));
    let yields = |one: usize, among: &[usize]| {
        let asks = settling.questions.get() > 0 && groups[one].push.depth > slack;
        asks && among.iter().any(|&other| settling.yields(&groups[one], &groups[other]))
    };
    let (yielding, standing): (Vec<usize>, Vec<usize>) =
        order.iter().partition(|&&one| yields(one, &order));
    settling.questions.set(QUESTIONS);
    // Only to one that itself yields to none, so that no contact is lost to one that is not there.
    let mut left_out = vec![false; groups.len()];
    for one in yielding {
        left_out[one] = yields(one, &standing);
    }
    let mut index = 0;
    found.retain(|_| {
        index += 1;
        index <= first || !left_out[group_of[index - first - 1]]
    });
}
