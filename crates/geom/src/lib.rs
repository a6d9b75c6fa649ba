//! What a thing is: boxes, rays, triangles and the exact questions about them.
//!
//! Nothing here reads a file, starts a thread or can fail: a value that exists is usable, and "no"
//! is `None`. All of it gives the same bits on every platform (see [`scalar`]).

pub mod predicates;
pub mod scalar;

mod aabb;
mod ball;
mod ray;
mod region;
mod triangle;
mod triangle_block;
mod view;

pub use aabb::Aabb;
pub use ball::Ball;
pub use ray::{Faces, Ray, SlabRay};
pub use region::{ConvexRegion, HalfSpace};
pub use triangle::{Hit, ShearedRay, Triangle};
pub use triangle_block::TriangleBlock;
pub use view::View;
