//! Which file answers this pair? Every question is asked of a pair in its one order.

use embate_geom::Pose;

use super::manifold::{Gap, Manifold};
use super::nearest::Nearest;
use super::polytopes::Pair;
use super::{
    capsule_capsule, capsule_cuboid, capsule_hull, cuboid_cuboid, half_space, sphere_capsule,
    sphere_cuboid, sphere_hull, sphere_sphere,
};
use crate::shapes::Shape;

/// A shape and where it is.
pub(super) type Body<'a> = (&'a Shape, &'a Pose);

/// All points of contact of two convex bodies in order. `None` for a mesh or a compound, whose parts are
/// asked one by one, and for two half-spaces. If a `gap` is found on the way, it is told.
pub(super) fn contact(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    margin: f32,
    gap: &mut Gap,
) -> Option<Manifold> {
    match (a, b) {
        (Shape::Capsule(a), Shape::Capsule(b)) => {
            capsule_capsule::contact((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Capsule(a), Shape::Cuboid(b)) => {
            capsule_cuboid::contact((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Capsule(a), Shape::Hull(b)) => {
            capsule_hull::contact((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let pair = Pair::new((a, pose_a), (b, pose_b));
            cuboid_cuboid::contact(&pair, margin, gap)
        }
        (Shape::Cuboid(a), Shape::Hull(b)) => {
            let pair = Pair::new((a, pose_a), (&**b, pose_b));
            pair.contact(margin, gap)
        }
        (Shape::Hull(a), Shape::Hull(b)) => {
            let pair = Pair::new((&**a, pose_a), (&**b, pose_b));
            pair.contact(margin, gap)
        }
        (Shape::Capsule(a), Shape::HalfSpace(b)) => {
            half_space::capsule_contact((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Cuboid(a), Shape::HalfSpace(b)) => {
            half_space::cuboid_contact((a, pose_a), (b, pose_b), margin)
        }
        (Shape::Hull(a), Shape::HalfSpace(b)) => {
            half_space::hull_contact((a, pose_a), (b, pose_b), margin)
        }
        _ => nearest((a, pose_a), (b, pose_b), margin).map(|nearest| nearest.manifold()),
    }
}

/// Where two convex bodies in order are nearest; `None` if farther apart than `beyond`, and as `contact`.
pub(super) fn nearest(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    beyond: f32,
) -> Option<Nearest> {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => {
            sphere_sphere::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Sphere(a), Shape::Capsule(b)) => {
            sphere_capsule::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Sphere(a), Shape::Cuboid(b)) => {
            sphere_cuboid::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Sphere(a), Shape::Hull(b)) => {
            sphere_hull::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Capsule(a), Shape::Capsule(b)) => {
            capsule_capsule::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Capsule(a), Shape::Cuboid(b)) => {
            capsule_cuboid::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Capsule(a), Shape::Hull(b)) => {
            capsule_hull::nearest((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let pair = Pair::new((a, pose_a), (b, pose_b));
            cuboid_cuboid::nearest(&pair, beyond)
        }
        (Shape::Cuboid(a), Shape::Hull(b)) => {
            let pair = Pair::new((a, pose_a), (&**b, pose_b));
            pair.nearest(beyond)
        }
        (Shape::Hull(a), Shape::Hull(b)) => {
            let pair = Pair::new((&**a, pose_a), (&**b, pose_b));
            pair.nearest(beyond)
        }
        (Shape::Sphere(a), Shape::HalfSpace(b)) => {
            half_space::sphere((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Capsule(a), Shape::HalfSpace(b)) => {
            half_space::capsule((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Cuboid(a), Shape::HalfSpace(b)) => {
            half_space::polytope((a, pose_a), (b, pose_b), beyond)
        }
        (Shape::Hull(a), Shape::HalfSpace(b)) => {
            half_space::polytope((&**a, pose_a), (b, pose_b), beyond)
        }
        _ => None,
    }
}

/// Whether two convex bodies in order touch.
pub(super) fn touching((a, pose_a): Body<'_>, (b, pose_b): Body<'_>) -> bool {
    match (a, b) {
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let pair = Pair::new((a, pose_a), (b, pose_b));
            cuboid_cuboid::touching(&pair)
        }
        (Shape::Cuboid(a), Shape::Hull(b)) => Pair::new((a, pose_a), (&**b, pose_b)).touching(),
        (Shape::Hull(a), Shape::Hull(b)) => Pair::new((&**a, pose_a), (&**b, pose_b)).touching(),
        _ => nearest((a, pose_a), (b, pose_b), 0.0).is_some(),
    }
}
