//! How far are two convex cores apart, and where?
//!
//! Gilbert, Johnson and Keerthi 1988: the difference `A − B` of two cores is convex, and its point
//! nearest to the origin is the way from one core to the other. A simplex of its corners walks there.
//! Corners are found in f32 (that is where the time goes); the simplex is f64, so that it stops when f32
//! can no longer tell a better corner, not when its own volume has drowned in rounding.
//!
//! Promise: a distance is exact within the rounding of the corners (`4 ε · scale`), and "farther than
//! `beyond`" is never said of cores that are not but for that.

use embate_geom::{Frame, Vec3, Wide};

use super::simplex::{Corner, Simplex};
use super::support::Support;

/// Rounding of a corner's place and of the choice among corners, in units of the coordinates' size.
pub(super) const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// How far what is said of two bodies may be from the truth: by a part of the size of the smaller, and by what
/// rounding does to coordinates of this `scale`.
#[inline]
pub(super) fn slack(part: f32, smaller: f32, scale: f32) -> f32 {
    part * smaller + ROUNDING * scale
}

/// Few pairs need more than ten; every step but those within rounding comes nearer, so that this only
/// ends what would go round in circles of rounding.
const MAX_STEPS: usize = 64;

/// Cores this near, in units of the coordinates' size, touch: the way between them has no direction.
const TOUCHING: f64 = 1e-10;

/// A corner that brings the nearest point this little closer, as part of its square, is none: the
/// direction is then good to 1e-6.
const CONVERGED: f64 = 1e-12;

/// What the walk found out.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "it lives on the stack and is taken apart at once")]
pub(super) enum Distance {
    /// Farther apart than asked for.
    Beyond,
    /// Apart.
    Apart(Apart),
    /// Touching or overlapping.
    Overlapping,
}

/// The way from one core to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    /// From A to B, as seen from A; not zero.
    pub(super) between: Wide,
    /// Its length.
    pub(super) distance: f64,
    /// The nearest point of A, as seen from A.
    pub(super) on_a: Wide,
    /// The part of `A − B` that is nearest.
    pub(super) simplex: Simplex,
}

impl Apart {
    /// From A to B, of length 1.
    pub(super) fn normal(&self) -> Vec3 {
        (self.between * (1.0 / self.distance)).narrow()
    }
}

/// The way from `a` to `b`, which is `seen` from A. `start` points roughly from A to B; `scale` is the
/// size of the largest coordinate that takes part.
pub(super) fn distance<A: Support, B: Support>(
    a: &A,
    b: &B,
    seen: &Frame,
    start: Vec3,
    beyond: f32,
    scale: f32,
) -> Distance {
    let (beyond, touching) = (f64::from(beyond), TOUCHING * f64::from(scale));
    let first = difference(a, b, seen, start);
    let mut simplex = Simplex::of(first);
    let mut nearest = first.difference;
    let mut square = nearest.length_squared();
    for _ in 0..MAX_STEPS {
        if square <= touching * touching {
            return Distance::Overlapping;
        }
        let length = square.sqrt();
        let towards_b = (nearest * (-1.0 / length)).narrow();
        let corner = difference(a, b, seen, towards_b);
        let reached = nearest.dot(corner.difference);
        if reached > beyond * length {
            return Distance::Beyond;
        }
        // No corner is nearer: this is the nearest point.
        let known = simplex.corners().iter().any(|kept| kept.indices == corner.indices);
        if known || square - reached <= CONVERGED * square {
            break;
        }
        let Some(found) = simplex.part_with(corner, reached > 0.0) else {
            return Distance::Overlapping;
        };
        let nearer = found.point.length_squared();
        if nearer >= square {
            break;
        }
        simplex.reduce(&found);
        (nearest, square) = (found.point, nearer);
    }
    let length = square.sqrt();
    if length <= touching {
        return Distance::Overlapping;
    }
    if length > beyond {
        return Distance::Beyond;
    }
    Distance::Apart(Apart {
        between: -nearest,
        distance: length,
        on_a: simplex.point_on_a(),
        simplex,
    })
}

/// The corner of `A − B` farthest from B's side: of A along `towards_b`, of B against it.
#[inline]
fn difference<A: Support, B: Support>(a: &A, b: &B, seen: &Frame, towards_b: Vec3) -> Corner {
    let (index_a, on_a) = a.corner_along(towards_b);
    let (index_b, on_b) = b.corner_along(-seen.axes.transposed_times(towards_b));
    let on_a = Wide::from(on_a);
    Corner {
        difference: on_a - Wide::placed(on_b, seen),
        on_a,
        indices: [index_a, index_b],
        weight: 0.0,
    }
}
