//! Narrow phase: contact manifolds, closest points, intersection tests and time of impact.
//!
//! [`contact_manifold`] returns the contact normal and up to four contact points with penetration
//! and a persistent feature id; [`contact_manifolds`] returns one manifold per pair of sub-shapes.
//! [`closest_points`](fn@closest_points) returns the signed distance and the witness points,
//! [`intersects`] a boolean. [`time_of_impact`] is the continuous query for two moving shapes.
//!
//! ```
//! use embate::{Pose, Vec3, narrow_phase::contact_manifold, shapes::{Cuboid, Shape}};
//!
//! let floor = Shape::from(Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?);
//! let crate_ = Shape::from(Cuboid::new(Vec3::splat(0.5))?);
//! let above = Pose::from_translation(Vec3::new(0.0, 0.99, 0.0));
//! let manifold = contact_manifold(&floor, &Pose::IDENTITY, &crate_, &above, 0.0).unwrap();
//! assert_eq!(manifold.normal, Vec3::Y); // from the floor to the crate
//! assert_eq!(manifold.points().len(), 4);
//! assert!((manifold.max_penetration() - 0.01).abs() < 1e-6);
//! # Ok::<(), embate::shapes::ShapeError>(())
//! ```
//!
//! Algorithm by pair of shapes:
//!
//! | | sphere | capsule | box | hull | half-space |
//! |---|---|---|---|---|---|
//! | **sphere** | center distance | closest point on the segment | clamp to the box; inside, nearest face | max-separation face; in an edge or vertex region, GJK | signed plane distance of the center |
//! | **capsule** | | closest points of two segments; nearly parallel, both ends of the overlap | root of the distance derivative along the segment; inside, SAT with 6 axes | SAT over faces, then edges; separated, GJK | signed plane distances of both ends |
//! | **box** | | | SAT with 15 axes; separated in an edge or vertex region, GJK | culled SAT; separated in an edge or vertex region, GJK | signed plane distances of the lowest face |
//! | **hull** | | | | culled SAT; separated in an edge or vertex region, GJK | signed plane distances of the lowest face |
//!
//! Pairs of polyhedra then clip the incident face against the reference face (`convex::clip`) and
//! reduce the clipped polygon to four points (`convex::clip::reduce_points`).
//!
//! A triangle mesh is queried per triangle near the other shape. Contacts with an internal edge
//! between two triangles are removed (`mesh::internal_edges`), so that no body catches on the edges
//! of a flat floor. A mesh is two-sided: a body is pushed out on the side of its center. The
//! penetration depth of the two as a whole is that of a way out checked against all triangles
//! (`mesh::minimum_translation`).
//!
//! Guarantees:
//! - Normals have length 1 and no result is NaN, for all shapes and poses: coincident centers,
//!   containment, flat and needle-shaped hulls, sizes from 1e-3 to 1e4 in one pair.
//! - Distances, penetrations and points are accurate to 1e-4 of the size of the smaller shape plus
//!   eight f32 ulps of the size of the larger one and of the distance between them; typical errors
//!   are far smaller.
//! - Symmetry: the query with A and B exchanged returns the same bits,
//!   [flipped](Manifold::flipped), unless the two bodies are bitwise equal.
//! - Positions are subtracted before any other operation, so that far from the origin no precision
//!   is lost beyond that of the poses.
//! - No allocation, except for composite shapes and for deeply overlapping hulls with hundreds of
//!   vertices.
//!
//! A pose that is not finite, or farther than 1e18 from the origin, intersects nothing and is
//! infinitely far from everything. A negative or NaN margin is treated as 0.

mod canonical_order;
mod closest_points;
mod composite;
mod convex;
mod dispatch;
mod feature_id;
mod manifold;
mod manifold_cache;
mod mesh;
mod pairs;
mod posed;
#[cfg(test)]
mod tests;
mod toi;

pub(crate) use manifold::SeparatingAxis;
pub use manifold::{ClosestPoints, ContactPoint, MAX_MANIFOLD_POINTS, Manifold};
pub use manifold_cache::ManifoldCache;
pub use mesh::triangle_triangle::{TriangleTriangleIntersection, triangle_triangle_intersection};
pub use toi::sweep::Sweep;
pub use toi::{TimeOfImpact, time_of_impact};

use embate_geom::{Pose, scalar};

use crate::narrow_phase::composite::ClosestParts;
use crate::narrow_phase::posed::Posed;
use crate::shapes::Shape;

/// Whether `pose` is finite and its coordinates can be squared in f32.
#[inline]
fn is_pose_in_range(pose: &Pose) -> bool {
    pose.position.abs().max_element() <= 1e18 && pose.is_finite()
}

/// Contact manifold of two shapes whose distance is at most `margin`; `None` otherwise.
///
/// For composite shapes this is the manifold with the largest penetration; [`contact_manifolds`]
/// returns all of them. Two half-spaces have no manifold: they are disjoint or overlap without
/// bound.
#[doc(alias = "contact")]
#[doc(alias = "collide")]
#[doc(alias = "b2Collide")]
#[must_use]
pub fn contact_manifold(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
) -> Option<Manifold> {
    if !(composite::is_convex(a) && composite::is_convex(b)) {
        let mut manifolds = Vec::new();
        contact_manifolds(a, pose_a, b, pose_b, margin, &mut manifolds);
        return manifolds.into_iter().reduce(|deepest, next| {
            if next.max_penetration() > deepest.max_penetration() { next } else { deepest }
        });
    }
    let mut separating_axis = SeparatingAxis::UNKNOWN;
    contact_or_separating_axis(a, pose_a, b, pose_b, margin, &mut separating_axis)
}

/// [`contact_manifold`] of two convex shapes. If they are farther apart than `margin`, some pairs
/// also store a separating axis, which the speculative contacts reuse.
#[inline]
pub(crate) fn contact_or_separating_axis(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
    separating_axis: &mut SeparatingAxis,
) -> Option<Manifold> {
    *separating_axis = SeparatingAxis::UNKNOWN;
    if !is_pose_in_range(pose_a) || !is_pose_in_range(pose_b) {
        return None;
    }
    let margin = scalar::max(margin, 0.0);
    let is_canonical = canonical_order::is_canonical(a, pose_a, b, pose_b);
    let (a, b) = (Posed::new(a, pose_a), Posed::new(b, pose_b));
    if is_canonical {
        dispatch::contact_manifold(a, b, margin, separating_axis)
    } else {
        let manifold = dispatch::contact_manifold(b, a, margin, separating_axis);
        *separating_axis = separating_axis.flipped();
        manifold.map(Manifold::flipped)
    }
}

/// [`contact_manifold`] with a persistent cache: faster for a pair that has hardly moved since the
/// last query.
///
/// While the relative pose changes by at most 7e-5 of the smaller shape's size, the cached points
/// and feature ids are reused: points move with the bodies and each penetration is recomputed. If
/// the points themselves prove that no other normal is better (face contact), the manifold is
/// reused until a point has slid by 1e-4 or a body has moved by 5.6e-4 of that size. This keeps a
/// contact from alternating between two equally good normals or point selections. The reused normal
/// may be worse than the optimal one by at most the same amount. Equal poses return equal bits, and
/// after a larger motion the result equals that of [`contact_manifold`] bit for bit.
#[doc(alias = "contact_cached")]
#[doc(alias = "persistent manifold")]
#[must_use]
pub fn contact_manifold_cached(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
    cache: &mut ManifoldCache,
) -> Option<Manifold> {
    if !manifold_cache::is_cacheable(a, b) {
        return contact_manifold(a, pose_a, b, pose_b, margin);
    }
    let margin = scalar::max(margin, 0.0);
    if let Some(manifold) = cache.reuse(Posed::new(a, pose_a), Posed::new(b, pose_b), margin) {
        return Some(manifold);
    }
    let manifold = contact_manifold(a, pose_a, b, pose_b, margin);
    cache.store(Posed::new(a, pose_a), Posed::new(b, pose_b), margin, manifold.as_ref());
    manifold
}

/// Appends a manifold for every pair of sub-shapes whose distance is at most `margin`;
/// [`Manifold::sub_shapes`] identifies the pair.
#[doc(alias = "contacts")]
pub fn contact_manifolds(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f32,
    manifolds: &mut Vec<Manifold>,
) {
    if !is_pose_in_range(pose_a) || !is_pose_in_range(pose_b) {
        return;
    }
    let margin = scalar::max(margin, 0.0);
    if canonical_order::is_canonical(a, pose_a, b, pose_b) {
        composite::contacts(Posed::new(a, pose_a), Posed::new(b, pose_b), margin, manifolds);
    } else {
        let first_new = manifolds.len();
        composite::contacts(Posed::new(b, pose_b), Posed::new(a, pose_a), margin, manifolds);
        manifolds[first_new..].iter_mut().for_each(|manifold| *manifold = manifold.flipped());
    }
}

/// Signed distance of two shapes and their witness points.
///
/// The distance is infinite where none is defined: between two half-spaces, or if a pose is out of
/// range.
#[doc(alias = "separation")]
#[doc(alias = "distance")]
#[doc(alias = "signed_distance")]
#[doc(alias = "b2ShapeDistance")]
#[must_use]
pub fn closest_points(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> ClosestPoints {
    closest_points_within(a, pose_a, b, pose_b, f32::INFINITY)
        .unwrap_or_else(|| ClosestPoints::infinitely_apart([pose_a.position, pose_b.position]))
}

/// [`closest_points`](fn@closest_points), bit for bit; `None` where the distance is infinite, and
/// possibly for shapes farther apart than `max_distance`, which are often rejected early.
pub(crate) fn closest_points_within(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    max_distance: f32,
) -> Option<ClosestPoints> {
    closest_parts_within(a, pose_a, b, pose_b, max_distance).map(|closest| closest.points)
}

/// [`closest_points_within`], with the sub-shapes that the points lie on.
fn closest_parts_within(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    max_distance: f32,
) -> Option<ClosestParts> {
    let query = |a: Posed<'_, Shape>, b: Posed<'_, Shape>| {
        if composite::is_convex(a.shape) && composite::is_convex(b.shape) {
            dispatch::closest_features(a, b, max_distance).map(|closest| ClosestParts {
                points: closest.closest_points(),
                sub_shapes: [0; 2],
            })
        } else {
            composite::closest_parts(a, b)
        }
    };
    if !is_pose_in_range(pose_a) || !is_pose_in_range(pose_b) {
        None
    } else if canonical_order::is_canonical(a, pose_a, b, pose_b) {
        query(Posed::new(a, pose_a), Posed::new(b, pose_b))
    } else {
        query(Posed::new(b, pose_b), Posed::new(a, pose_a)).map(ClosestParts::flipped)
    }
}

/// Whether two shapes touch or overlap.
#[doc(alias = "touching")]
#[doc(alias = "intersection_test")]
#[doc(alias = "overlap")]
#[must_use]
pub fn intersects(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    if !is_pose_in_range(pose_a) || !is_pose_in_range(pose_b) {
        return false;
    }
    let test = |a: Posed<'_, Shape>, b: Posed<'_, Shape>| {
        if composite::is_convex(a.shape) && composite::is_convex(b.shape) {
            dispatch::intersects(a, b)
        } else {
            composite::intersects(a, b)
        }
    };
    if canonical_order::is_canonical(a, pose_a, b, pose_b) {
        test(Posed::new(a, pose_a), Posed::new(b, pose_b))
    } else {
        test(Posed::new(b, pose_b), Posed::new(a, pose_a))
    }
}
