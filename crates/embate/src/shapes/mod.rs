//! Collision shapes: one enum for all types, and their queries.

mod compound;
mod parse;
mod project_point;
mod queries;
#[cfg(test)]
mod tests;
mod tri_mesh;

use std::sync::Arc;

pub use compound::Compound;
pub use embate_geom::shapes::{
    Capsule, ConvexHull, Cuboid, HalfSpace, HullEdge, HullFace, MAX_SIZE, MIN_SIZE, MassProperties,
    Obb, ParseShapeError, RayIntersection, ShapeError, Sphere, SurfacePoint,
};
pub use tri_mesh::TriMesh;
pub use tri_mesh::edges::{COPLANAR_SINE, EdgeKind, MeshEdge};

/// Any collision shape. Cheap to clone: large shapes are reference-counted.
///
/// ```
/// use embate::{Pose, Vec3, shapes::{Shape, Sphere}};
///
/// let sphere = Shape::from(Sphere::new(0.5)?);
/// let bounds = sphere.aabb(&Pose::from_translation(Vec3::new(0.0, 3.0, 0.0)));
/// assert!(bounds.min[1] <= 2.5 && bounds.max[1] >= 3.5);
/// # Ok::<(), embate::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "SharedShape")]
#[doc(alias = "collider")]
pub enum Shape {
    /// Sphere about the origin.
    #[doc(alias = "ball")]
    Sphere(Sphere),
    /// Box about the origin.
    #[doc(alias = "box")]
    Cuboid(Cuboid),
    /// Capsule: a segment with a radius.
    Capsule(Capsule),
    /// Convex polyhedron.
    #[doc(alias = "hull")]
    ConvexHull(Arc<ConvexHull>),
    /// Half-space: the points behind a plane through the origin.
    #[doc(alias = "plane")]
    HalfSpace(HalfSpace),
    /// Triangle mesh, for bodies that never move.
    #[doc(alias = "mesh")]
    TriMesh(Arc<TriMesh>),
    /// Several shapes, fixed relative to each other.
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

impl From<ConvexHull> for Shape {
    fn from(hull: ConvexHull) -> Self {
        Self::ConvexHull(Arc::new(hull))
    }
}

impl From<HalfSpace> for Shape {
    fn from(half_space: HalfSpace) -> Self {
        Self::HalfSpace(half_space)
    }
}

impl From<TriMesh> for Shape {
    fn from(mesh: TriMesh) -> Self {
        Self::TriMesh(Arc::new(mesh))
    }
}

impl From<Compound> for Shape {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}
