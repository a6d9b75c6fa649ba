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
use super::simplex::Simplex;
use super::support::Support;

/// How far the bodies are moved beyond touching, in units of the coordinates' size: far above their
/// rounding, so that the way between them has a direction, and a fifth of the promised precision.
const GAP: f32 = 2e-5;

/// A place where two bodies touch.
pub(super) struct Place {
    /// Midway between the surfaces, as seen from A.
    pub(super) middle: Vec3,
    /// What touches there.
    pub(super) simplex: Simplex,
}

/// Where `a` and `b`, which is `seen` from A, touch if they are moved so far along `normal`, from A to B,
/// that `separation` vanishes. `None` if they do not come apart by that.
pub(super) fn place<A: Support, B: Support>(
    a: &A,
    b: &B,
    seen: &Frame,
    normal: Vec3,
    separation: f32,
    scale: f32,
) -> Option<Place> {
    let shift = normal * (GAP * scale - separation);
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

/// The part of one body, A if `side` is 0, that the corners of a simplex lie on.
pub(super) fn part(simplex: &Simplex, side: usize) -> Part {
    let first = simplex.corners[0].indices[side];
    let (mut lowest, mut several) = (first, false);
    for corner in simplex.corners() {
        several |= corner.indices[side] != first;
        lowest = lowest.min(corner.indices[side]);
    }
    if several { Part::edge(lowest) } else { Part::corner(lowest) }
}
