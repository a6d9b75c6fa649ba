//! Collision shapes: one enum for all types, and their queries.

mod compound;
mod parse;
mod project_point;
mod queries;
#[cfg(test)]
mod tests;
mod tri_mesh;

use core::fmt;
use std::sync::Arc;

pub use compound::Compound;
pub use embate_geom::shapes::{
    Capsule, ConvexHull, Cuboid, HalfSpace, HullEdge, HullFace, MAX_SIZE, MIN_SIZE, MassProperties,
    Obb, ParseShapeError, PointProjection, RayIntersection, ShapeError, ShapeLength, Sphere,
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
    /// Triangle mesh. A closed mesh may be dynamic; an open one has no volume, so its body is fixed
    /// or kinematic.
    #[doc(alias = "mesh")]
    TriMesh(Arc<TriMesh>),
    /// Several shapes, fixed relative to each other.
    Compound(Arc<Compound>),
}

/// Type of a [`Shape`]. `Display` writes its [`name`](Self::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShapeType {
    /// [`Shape::Sphere`].
    Sphere,
    /// [`Shape::Cuboid`].
    Cuboid,
    /// [`Shape::Capsule`].
    Capsule,
    /// [`Shape::ConvexHull`].
    ConvexHull,
    /// [`Shape::HalfSpace`].
    HalfSpace,
    /// [`Shape::TriMesh`].
    TriMesh,
    /// [`Shape::Compound`].
    Compound,
}

impl ShapeType {
    /// Name, as in scene files; never changes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Cuboid => "box",
            Self::Capsule => "capsule",
            Self::ConvexHull => "hull",
            Self::HalfSpace => "halfspace",
            Self::TriMesh => "mesh",
            Self::Compound => "compound",
        }
    }
}

impl fmt::Display for ShapeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
