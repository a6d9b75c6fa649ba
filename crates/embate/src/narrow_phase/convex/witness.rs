//! Where do two bodies touch once they have been parted along an axis?
//!
//! ```text
//!      ┌───────┐  B        ┌───────┐  B, moved along n by the depth and a little more
//!   ┌──┼──┐    │           └───┬───┘
//!   │  └──┼────┘    ──►     ┌──┴──┐   the nearest points of the two, of which B's is moved back
//!   └─────┘  A              └─────┘  A
//! ```
//!
//! The axis says how deep two bodies are in each other, not where. A corner or the crossing of two edges
//! mostly does, but where faces or edges lie along each other that corner may be beside the other body.

use embate_geom::{Frame, Vec3};

use super::feature::Part;
use super::gjk::{self, Distance};
use super::polytope::Polytope;
use super::simplex::Simplex;
use super::support::Support;

/// How far the bodies are moved beyond touching, as a part of the smaller one's size: a fifth of the promised
/// precision.
pub(super) const GAP: f32 = 2e-5;

/// A place where two bodies touch.
pub(super) struct Place {
    /// Midway between the surfaces, as seen from A.
    pub(super) middle: Vec3,
    /// What touches there.
    pub(super) simplex: Simplex,
}

/// Where `a` and `b`, which is `seen` from A, touch if they are moved so far along `normal`, from A to B,
/// that `separation` vanishes and a `gap` opens. `None` if they do not come apart by that.
pub(super) fn place<A: Support, B: Support>(
    a: &A,
    b: &B,
    seen: &Frame,
    normal: Vec3,
    separation: f32,
    (gap, scale): (f32, f32),
) -> Option<Place> {
    let shift = normal * (gap - separation);
    let moved = Frame { axes: seen.axes, origin: seen.origin + shift };
    match gjk::distance(a, b, &moved, normal, f32::INFINITY, scale + shift.abs().largest()) {
        Distance::Apart(apart) => {
            let on_a = apart.on_a.narrow();
            let on_b = (apart.on_a + apart.between).narrow() - shift;
            Some(Place { middle: (on_a + on_b) * 0.5, simplex: apart.simplex })
        }
        Distance::Beyond | Distance::Overlapping => None,
    }
}

/// The part of one body, A if `side` is 0, that the corners of a simplex lie on; it looks along `out`.
pub(super) fn part<P: Polytope>(body: &P, simplex: &Simplex, side: usize, out: Vec3) -> Part {
    let first = simplex.corners[0].indices[side];
    let mut others = simplex.corners().iter().map(|corner| corner.indices[side]);
    let Some(second) = others.find(|&corner| corner != first) else {
        return Part::corner(first);
    };
    let edge = body.edge_between(first, second);
    match edge.filter(|_| others.all(|corner| corner == first || corner == second)) {
        Some(edge) => Part::edge(edge),
        None => Part::face(body.face_at(first, out)),
    }
}
