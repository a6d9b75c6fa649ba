//! Where and how do two bodies touch?
//!
//! For any two shapes: [`contact`] tells where they touch, along which normal and how deep, in up to four
//! points that keep their names from frame to frame; [`separation`] how far apart they are and where they
//! are nearest; [`touching`] just whether. [`contacts`] does the first for bodies of several parts.
//! [`time_of_impact`] tells when two that move will touch.
//!
//! ```
//! use embate::{Pose, Vec3, contacts::contact, shapes::{Cuboid, Shape}};
//!
//! let floor = Shape::from(Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?);
//! let crate_ = Shape::from(Cuboid::new(Vec3::splat(0.5))?);
//! let above = Pose::at(Vec3::new(0.0, 0.99, 0.0));
//! let manifold = contact(&floor, &Pose::IDENTITY, &crate_, &above, 0.0).unwrap();
//! assert_eq!(manifold.normal, Vec3::Y); // from the floor to the crate
//! assert_eq!(manifold.points().len(), 4);
//! assert!((manifold.depth() - 0.01).abs() < 1e-6);
//! # Ok::<(), embate::shapes::InvalidShape>(())
//! ```
//!
//! | | sphere | capsule | box | hull | half-space |
//! |---|---|---|---|---|---|
//! | **sphere** | line of the middles | nearest point of the segment | nearest point of the box; inside, the nearest face | farthest plane; beside its face, GJK | height |
//! | **capsule** | | nearest points of the segments; along each other, two | slope of the distance along the segment; inside, six axes | planes, then edges; apart, GJK | heights of the ends |
//! | **box** | | | fifteen axes; apart beside the faces, GJK | bounded axes; apart beside the faces, GJK | heights of the lowest face |
//! | **hull** | | | | bounded axes; apart beside the faces, GJK | heights of the lowest face |
//!
//! Two solids with flat faces then lay the faces that meet over each other (`overlay`), and of the corners of
//! the overlap keep four (`reduce`).
//!
//! A mesh is asked triangle by triangle, those near the other body; what only the edge between two of its
//! triangles would tell is not told (`mesh_weld`), so that nothing trips over the edges of a flat floor. It
//! has two sides: a body is pushed out on that of its middle.
//!
//! Promises:
//! - a normal has length 1 and no number is NaN, whatever the shapes and poses: equal middles, one inside
//!   the other, flat and thin hulls, sizes from 1e-3 to 1e4 in one pair;
//! - distances, depths and points are right within 1e-4 of the size of the smaller shape and eight steps of f32
//!   of that of the larger and of the way between them, and far less as a rule;
//! - asked the other way round, the answer is the same to the bit, [turned round](Manifold::turned_round),
//!   but for two bodies that are equal in every bit;
//! - positions are subtracted before anything else happens: far from the origin nothing is lost but what the
//!   poses themselves have lost;
//! - nothing is allocated (but by bodies of several parts, and by hulls of hundreds of corners deep in each other).
//!
//! A pose that is not finite or farther than 1e18 from the origin touches nothing and is infinitely far
//! from everything. A margin below 0, or NaN, is 0.

mod arcs;
mod bound;
mod cache;
mod capsule_capsule;
mod capsule_cuboid;
mod capsule_hull;
mod compounds;
mod cuboid;
mod cuboid_cuboid;
mod facing;
mod feature;
mod flat;
mod gjk;
mod half_space;
mod impact;
mod impact_advance;
mod impact_motion;
mod impact_part;
mod impact_swept;
mod manifold;
mod meeting;
mod mesh;
mod mesh_mesh;
mod mesh_open;
mod mesh_round;
mod mesh_settle;
mod mesh_solid;
mod mesh_way_out;
mod mesh_weld;
mod nearest;
mod order;
mod overlay;
mod pair;
mod parted;
mod polygon;
mod polytope;
mod polytopes;
mod reduce;
mod rods;
mod sat;
mod simplex;
mod sphere_capsule;
mod sphere_cuboid;
mod sphere_hull;
mod sphere_sphere;
mod still_best;
mod support;
mod triangle;
mod triangle_triangle;

pub use cache::PairCache;
pub use impact::{Impact, time_of_impact};
pub use impact_motion::Motion;
pub(crate) use manifold::Gap;
pub use manifold::{ContactPoint, MAX_POINTS, Manifold, Separation};
pub use triangle_triangle::{TriangleOverlap, triangle_overlap};

use embate_geom::{Pose, scalar};

use crate::shapes::Shape;

/// Whether the numbers of a pose are usable: squares of its coordinates stay within f32.
#[inline]
fn in_range(pose: &Pose) -> bool {
    pose.position.abs().largest() <= 1e18 && pose.is_finite()
}

/// Where two bodies touch, or come no farther apart than `margin`; `None` if nowhere.
///
/// Of bodies of several parts, the two parts that are deepest in each other: see [`contacts`]. Two
/// half-spaces have no contact: they are never apart or touch everywhere.
#[must_use]
pub fn contact(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
) -> Option<Manifold> {
    if !(compounds::is_convex(a) && compounds::is_convex(b)) {
        let mut found = Vec::new();
        contacts(a, pose_a, b, pose_b, margin, &mut found);
        return found
            .into_iter()
            .reduce(|deepest, next| if next.depth() > deepest.depth() { next } else { deepest });
    }
    let mut gap = Gap::UNKNOWN;
    contact_or_gap(a, pose_a, b, pose_b, margin, &mut gap)
}

/// As [`contact`], of two convex bodies; of those that do not touch, perhaps along which direction they are apart.
#[inline]
pub(crate) fn contact_or_gap(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
    gap: &mut Gap,
) -> Option<Manifold> {
    *gap = Gap::UNKNOWN;
    if !in_range(pose_a) || !in_range(pose_b) {
        return None;
    }
    let margin = scalar::max(margin, 0.0);
    if order::in_order(a, pose_a, b, pose_b) {
        pair::contact((a, pose_a), (b, pose_b), margin, gap)
    } else {
        let found = pair::contact((b, pose_b), (a, pose_a), margin, gap);
        *gap = gap.turned_round();
        found.map(Manifold::turned_round)
    }
}

/// As [`contact`], but faster for bodies that have hardly moved since they were asked about.
///
/// While they have moved by no more than 7e-5 of the smaller one's size, as seen from each other, they are told
/// to touch in the same points, moved along with them, under the same names; each point's depth is measured
/// anew. Where the points themselves show that no other normal can be better (bodies that lie on each other with a
/// face), they are kept until one has slid by 1e-4, or a body moved by 5.6e-4. So a contact does not flicker between
/// two normals or two choices of points that are as good as each other. A normal may then part the bodies later than
/// the best one, but by no more than that. In the same two poses the answer is the same to the bit, and so is that
/// after a larger motion to [`contact`]'s.
#[must_use]
pub fn contact_cached(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
    cache: &mut PairCache,
) -> Option<Manifold> {
    if !cache::is_worth_it(a, b) {
        return contact(a, pose_a, b, pose_b, margin);
    }
    let margin = scalar::max(margin, 0.0);
    if let Some(manifold) = cache.again((a, pose_a), (b, pose_b), margin) {
        return Some(manifold);
    }
    let found = contact(a, pose_a, b, pose_b, margin);
    cache.learn((a, pose_a), (b, pose_b), margin, found.as_ref());
    found
}

/// Appends where two bodies touch, or come no farther apart than `margin`: for every two parts that do, a
/// manifold that says which they are.
pub fn contacts(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
    found: &mut Vec<Manifold>,
) {
    if !in_range(pose_a) || !in_range(pose_b) {
        return;
    }
    let margin = scalar::max(margin, 0.0);
    if order::in_order(a, pose_a, b, pose_b) {
        compounds::contacts((a, pose_a), (b, pose_b), margin, found);
    } else {
        let before = found.len();
        compounds::contacts((b, pose_b), (a, pose_a), margin, found);
        found[before..].iter_mut().for_each(|manifold| *manifold = manifold.turned_round());
    }
}

/// How far two bodies are apart, or how deep in each other, and where.
///
/// The distance is infinite where there is none: between two half-spaces, or if a pose is out of range.
#[must_use]
pub fn separation(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Separation {
    separation_within(a, pose_a, b, pose_b, f32::INFINITY)
        .unwrap_or_else(|| Separation::none([pose_a.position, pose_b.position]))
}

/// As [`separation`], to the bit; `None` where there is none, and perhaps for bodies farther apart than `beyond`, of
/// which that is often seen at once.
pub(crate) fn separation_within(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    beyond: f32,
) -> Option<Separation> {
    let nearest = |one, other| {
        let (a, b): (pair::Body<'_>, pair::Body<'_>) = (one, other);
        if compounds::is_convex(a.0) && compounds::is_convex(b.0) {
            pair::nearest(a, b, beyond).map(|nearest| nearest.separation())
        } else {
            compounds::separation(a, b)
        }
    };
    if !in_range(pose_a) || !in_range(pose_b) {
        None
    } else if order::in_order(a, pose_a, b, pose_b) {
        nearest((a, pose_a), (b, pose_b))
    } else {
        nearest((b, pose_b), (a, pose_a)).map(Separation::turned_round)
    }
}

/// Whether two bodies touch or overlap.
#[must_use]
pub fn touching(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    if !in_range(pose_a) || !in_range(pose_b) {
        return false;
    }
    let touch = |a: pair::Body<'_>, b: pair::Body<'_>| {
        if compounds::is_convex(a.0) && compounds::is_convex(b.0) {
            pair::touching(a, b)
        } else {
            compounds::touching(a, b)
        }
    };
    if order::in_order(a, pose_a, b, pose_b) {
        touch((a, pose_a), (b, pose_b))
    } else {
        touch((b, pose_b), (a, pose_a))
    }
}

#[cfg(test)]
mod off_centre_tests;
#[cfg(test)]
mod tests;
