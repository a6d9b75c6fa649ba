//! What is a solid thing? One type for every shape, and each question asked of it once.

use std::sync::Arc;

pub use embate_geom::shapes::*;

use crate::{Aabb, Pose};

/// Any shape. Cheap to clone: the large ones are shared.
///
/// ```
/// use embate::{Pose, Vec3, shapes::{Shape, Sphere}};
///
/// let ball = Shape::from(Sphere::new(0.5)?);
/// let bounds = ball.aabb(&Pose::at(Vec3::new(0.0, 3.0, 0.0)));
/// assert!(bounds.min[1] <= 2.5 && bounds.max[1] >= 3.5);
/// # Ok::<(), embate::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// A rounded rod.
    Capsule(Capsule),
    /// A convex solid.
    Hull(Arc<Hull>),
    /// Everything behind a plane.
    HalfSpace(Plane),
}

impl Shape {
    /// A box around it in the world.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        match self {
            Self::Sphere(sphere) => sphere.aabb(pose),
            Self::Cuboid(cuboid) => cuboid.aabb(pose),
            Self::Capsule(capsule) => capsule.aabb(pose),
            Self::Hull(hull) => hull.aabb(pose),
            Self::HalfSpace(plane) => plane.aabb(pose),
        }
    }
}

impl From<Sphere> for Shape {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Cuboid> for Shape {
    fn from(cuboid: Cuboid) -> Self {
        Self::Cuboid(cuboid)
    }
}

impl From<Capsule> for Shape {
    fn from(capsule: Capsule) -> Self {
        Self::Capsule(capsule)
    }
}

impl From<Hull> for Shape {
    fn from(hull: Hull) -> Self {
        Self::Hull(Arc::new(hull))
    }
}

impl From<Plane> for Shape {
    fn from(plane: Plane) -> Self {
        Self::HalfSpace(plane)
    }
}
