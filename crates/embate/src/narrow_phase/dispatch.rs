//! Dispatch by pair of convex shapes: one table per query. All pairs are in canonical order.

use embate_geom::Pose;

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::convex_convex::ConvexPair;
use crate::narrow_phase::manifold::{Manifold, SeparatingAxis};
use crate::narrow_phase::pairs::{
    capsule_capsule, capsule_cuboid, capsule_hull, cuboid_cuboid, half_space, sphere_capsule,
    sphere_cuboid, sphere_hull, sphere_sphere,
};
use crate::shapes::Shape;

/// A shape and its pose.
pub(super) type Body<'a> = (&'a Shape, &'a Pose);

/// Contact manifold of two convex shapes. `None` for meshes and compounds, whose sub-shapes are
/// dispatched one by one, and for two half-spaces. A separating axis found as a by-product is stored in
/// `separating_axis`.
pub(super) fn contact_manifold(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    margin: f32,
    separating_axis: &mut SeparatingAxis,
) -> Option<Manifold> {
    match (a, b) {
        (Shape::Capsule(a), Shape::Capsule(b)) => {
            capsule_capsule::contact_manifold((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Capsule(a), Shape::Cuboid(b)) => {
            capsule_cuboid::contact_manifold((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Capsule(a), Shape::ConvexHull(b)) => {
            capsule_hull::contact_manifold((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let pair = ConvexPair::new((a, pose_a), (b, pose_b));
            cuboid_cuboid::contact_manifold(&pair, margin, separating_axis)
        }
        (Shape::Cuboid(a), Shape::ConvexHull(b)) => {
            let pair = ConvexPair::new((a, pose_a), (&**b, pose_b));
            pair.contact_manifold(margin, separating_axis)
        }
        (Shape::ConvexHull(a), Shape::ConvexHull(b)) => {
            let pair = ConvexPair::new((&**a, pose_a), (&**b, pose_b));
            pair.contact_manifold(margin, separating_axis)
        }
        (Shape::Capsule(a), Shape::HalfSpace(b)) => {
            half_space::capsule_manifold((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Cuboid(a), Shape::HalfSpace(b)) => {
            half_space::cuboid_manifold((a, pose_a), (b, pose_b), margin)
        }
        (Shape::ConvexHull(a), Shape::HalfSpace(b)) => {
            half_space::hull_manifold((a, pose_a), (b, pose_b), margin)
        }
        _ => closest_features((a, pose_a), (b, pose_b), margin).map(|closest| closest.manifold()),
    }
}

/// Closest features of two convex shapes; `None` if they are farther apart than `max_distance`, and
/// where [`contact_manifold`] has none.
pub(super) fn closest_features(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => {
            sphere_sphere::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Sphere(a), Shape::Capsule(b)) => {
            sphere_capsule::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Sphere(a), Shape::Cuboid(b)) => {
            sphere_cuboid::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Sphere(a), Shape::ConvexHull(b)) => {
            sphere_hull::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Capsule(a), Shape::Capsule(b)) => {
            capsule_capsule::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Capsule(a), Shape::Cuboid(b)) => {
            capsule_cuboid::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Capsule(a), Shape::ConvexHull(b)) => {
            capsule_hull::closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let pair = ConvexPair::new((a, pose_a), (b, pose_b));
            cuboid_cuboid::closest_features(&pair, max_distance)
        }
        (Shape::Cuboid(a), Shape::ConvexHull(b)) => {
            let pair = ConvexPair::new((a, pose_a), (&**b, pose_b));
            pair.closest_features(max_distance)
        }
        (Shape::ConvexHull(a), Shape::ConvexHull(b)) => {
            let pair = ConvexPair::new((&**a, pose_a), (&**b, pose_b));
            pair.closest_features(max_distance)
        }
        (Shape::Sphere(a), Shape::HalfSpace(b)) => {
            half_space::sphere_closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Capsule(a), Shape::HalfSpace(b)) => {
            half_space::capsule_closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::Cuboid(a), Shape::HalfSpace(b)) => {
            half_space::polyhedron_closest_features((a, pose_a), (b, pose_b), max_distance)
        }
        (Shape::ConvexHull(a), Shape::HalfSpace(b)) => {
            half_space::polyhedron_closest_features((&**a, pose_a), (b, pose_b), max_distance)
        }
        _ => None,
    }
}

/// Whether two convex shapes touch or overlap.
pub(super) fn intersects((a, pose_a): Body<'_>, (b, pose_b): Body<'_>) -> bool {
    match (a, b) {
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let pair = ConvexPair::new((a, pose_a), (b, pose_b));
            cuboid_cuboid::intersects(&pair)
        }
        (Shape::Cuboid(a), Shape::ConvexHull(b)) => {
            ConvexPair::new((a, pose_a), (&**b, pose_b)).intersects()
        }
        (Shape::ConvexHull(a), Shape::ConvexHull(b)) => {
            ConvexPair::new((&**a, pose_a), (&**b, pose_b)).intersects()
        }
        _ => closest_features((a, pose_a), (b, pose_b), 0.0).is_some(),
    }
}
