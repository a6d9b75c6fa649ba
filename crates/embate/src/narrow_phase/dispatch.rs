//! Dispatch by pair of convex shapes: one table per query. All pairs are in canonical order.

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::convex_convex::ConvexPair;
use crate::narrow_phase::manifold::{Manifold, SeparatingAxis};
use crate::narrow_phase::pairs::{
    capsule_capsule, capsule_cuboid, capsule_hull, cuboid_cuboid, half_space, sphere_capsule,
    sphere_cuboid, sphere_hull, sphere_sphere,
};
use crate::narrow_phase::posed::Posed;
use crate::shapes::Shape;

/// Contact manifold of two convex shapes. `None` for meshes and compounds, whose sub-shapes are
/// dispatched one by one, and for two half-spaces. A separating axis found as a by-product is
/// stored in `separating_axis`.
pub(super) fn contact_manifold(
    a: Posed<'_, Shape>,
    b: Posed<'_, Shape>,
    margin: f32,
    separating_axis: &mut SeparatingAxis,
) -> Option<Manifold> {
    match (a.shape, b.shape) {
        (Shape::Capsule(shape_a), Shape::Capsule(shape_b)) => {
            capsule_capsule::contact_manifold(a.with(shape_a), b.with(shape_b), margin)
        }
        (Shape::Capsule(shape_a), Shape::Cuboid(shape_b)) => {
            capsule_cuboid::contact_manifold(a.with(shape_a), b.with(shape_b), margin)
        }
        (Shape::Capsule(shape_a), Shape::ConvexHull(shape_b)) => {
            capsule_hull::contact_manifold(a.with(shape_a), b.with(shape_b), margin)
        }
        (Shape::Cuboid(shape_a), Shape::Cuboid(shape_b)) => {
            let pair = ConvexPair::new(a.with(shape_a), b.with(shape_b));
            cuboid_cuboid::contact_manifold(&pair, margin, separating_axis)
        }
        (Shape::Cuboid(shape_a), Shape::ConvexHull(shape_b)) => {
            let pair = ConvexPair::new(a.with(shape_a), b.with(&**shape_b));
            pair.contact_manifold(margin, separating_axis)
        }
        (Shape::ConvexHull(shape_a), Shape::ConvexHull(shape_b)) => {
            let pair = ConvexPair::new(a.with(&**shape_a), b.with(&**shape_b));
            pair.contact_manifold(margin, separating_axis)
        }
        (Shape::Capsule(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::capsule_manifold(a.with(shape_a), b.with(shape_b), margin)
        }
        (Shape::Cuboid(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::cuboid_manifold(a.with(shape_a), b.with(shape_b), margin)
        }
        (Shape::ConvexHull(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::hull_manifold(a.with(shape_a), b.with(shape_b), margin)
        }
        _ => closest_features(a, b, margin).map(|closest| closest.manifold()),
    }
}

/// Closest features of two convex shapes; `None` if they are farther apart than `max_distance`, and
/// where [`contact_manifold`] has none.
pub(super) fn closest_features(
    a: Posed<'_, Shape>,
    b: Posed<'_, Shape>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    match (a.shape, b.shape) {
        (Shape::Sphere(shape_a), Shape::Sphere(shape_b)) => {
            sphere_sphere::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Sphere(shape_a), Shape::Capsule(shape_b)) => {
            sphere_capsule::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Sphere(shape_a), Shape::Cuboid(shape_b)) => {
            sphere_cuboid::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Sphere(shape_a), Shape::ConvexHull(shape_b)) => {
            sphere_hull::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Capsule(shape_a), Shape::Capsule(shape_b)) => {
            capsule_capsule::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Capsule(shape_a), Shape::Cuboid(shape_b)) => {
            capsule_cuboid::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Capsule(shape_a), Shape::ConvexHull(shape_b)) => {
            capsule_hull::closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Cuboid(shape_a), Shape::Cuboid(shape_b)) => {
            let pair = ConvexPair::new(a.with(shape_a), b.with(shape_b));
            cuboid_cuboid::closest_features(&pair, max_distance)
        }
        (Shape::Cuboid(shape_a), Shape::ConvexHull(shape_b)) => {
            let pair = ConvexPair::new(a.with(shape_a), b.with(&**shape_b));
            pair.closest_features(max_distance)
        }
        (Shape::ConvexHull(shape_a), Shape::ConvexHull(shape_b)) => {
            let pair = ConvexPair::new(a.with(&**shape_a), b.with(&**shape_b));
            pair.closest_features(max_distance)
        }
        (Shape::Sphere(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::sphere_closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Capsule(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::capsule_closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::Cuboid(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::polyhedron_closest_features(a.with(shape_a), b.with(shape_b), max_distance)
        }
        (Shape::ConvexHull(shape_a), Shape::HalfSpace(shape_b)) => {
            half_space::polyhedron_closest_features(
                a.with(&**shape_a),
                b.with(shape_b),
                max_distance,
            )
        }
        _ => None,
    }
}

/// Whether two convex shapes touch or overlap.
pub(super) fn intersects(a: Posed<'_, Shape>, b: Posed<'_, Shape>) -> bool {
    match (a.shape, b.shape) {
        (Shape::Cuboid(shape_a), Shape::Cuboid(shape_b)) => {
            let pair = ConvexPair::new(a.with(shape_a), b.with(shape_b));
            cuboid_cuboid::intersects(&pair)
        }
        (Shape::Cuboid(shape_a), Shape::ConvexHull(shape_b)) => {
            ConvexPair::new(a.with(shape_a), b.with(&**shape_b)).intersects()
        }
        (Shape::ConvexHull(shape_a), Shape::ConvexHull(shape_b)) => {
            ConvexPair::new(a.with(&**shape_a), b.with(&**shape_b)).intersects()
        }
        _ => closest_features(a, b, 0.0).is_some(),
    }
}
