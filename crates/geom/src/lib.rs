//! Geometry of Embate: vectors, rotations, boxes, rays, triangles, solid shapes, exact predicates.
//!
//! No I/O, no threads. Geometry has no errors: "no hit" is `None`. Only the constructors of
//! [`shapes`] reject their arguments. All functions return the same bits on every platform (see
//! [`scalar`]).

mod aabb;
mod bounding_sphere;
mod camera;
mod closest_point;
mod convex_volume;
mod dmat3;
mod dvec3;
mod expansion;
mod interop;
mod mat3;
mod pose;
pub mod predicates;
mod ray;
mod rotation;
pub mod scalar;
pub mod shapes;
mod triangle;
mod triangle8;
mod vec3;

pub use aabb::Aabb;
pub use bounding_sphere::BoundingSphere;
pub use camera::{Camera, PrimaryRays};
pub use convex_volume::{ConvexVolume, Plane};
pub use dmat3::DMat3;
pub use dvec3::DVec3;
pub use mat3::Mat3;
pub use pose::{Pose, RigidTransform};
pub use ray::{CullMode, Ray, RaySlabs};
pub use rotation::{QuaternionError, Rotation};
pub use triangle::{Triangle, TriangleHit, WatertightRay};
pub use triangle8::{Hit8, Triangle8, TrianglesSoa};
pub use vec3::Vec3;
