//! What a thing is: boxes, rays, triangles, solids, and the exact questions about them.
//!
//! Nothing here reads a file or starts a thread. A value that exists is usable, and "no" is `None`; only
//! the constructors of [`shapes`] can refuse what they are given. All of it gives the same bits on every platform (see [`scalar`]).

pub mod predicates;
pub mod scalar;
pub mod shapes;

mod aabb;
mod ball;
mod mat3;
mod pose;
mod ray;
mod region;
mod rotation;
mod triangle;
mod triangle_block;
mod vec3;
mod view;
mod wide;

pub use aabb::Aabb;
pub use ball::Ball;
pub use mat3::Mat3;
pub use pose::{Frame, Pose};
pub use ray::{Faces, Ray, SlabRay};
pub use region::{ConvexRegion, HalfSpace};
pub use rotation::Rotation;
pub use triangle::{Hit, ShearedRay, Triangle};
pub use triangle_block::{EightHits, EightTriangles, TriangleBlock};
pub use vec3::Vec3;
pub use view::{PixelRays, View};
pub use wide::Wide;
