//! What is a solid thing? One type for every shape, and each question asked of it once.

mod compound;
mod mesh;
mod mesh_edges;
mod mesh_questions;
mod questions;
mod text;

use std::sync::Arc;

pub use compound::Compound;
pub use embate_geom::shapes::*;
pub use mesh::MeshShape;
pub use mesh_edges::{EdgeKind, FLAT_SINE, MeshEdge};

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
    /// A surface of triangles, which never moves.
    Mesh(Arc<MeshShape>),
    /// Several as one.
    Compound(Arc<Compound>),
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

impl From<MeshShape> for Shape {
    fn from(mesh: MeshShape) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<Compound> for Shape {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}

#[cfg(test)]
mod tests;
