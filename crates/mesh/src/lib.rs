//! Bytes in, a valid [`TriangleMesh`] out, or an error that says where and why.

mod triangle_mesh;

pub use triangle_mesh::{InvalidMesh, MAX_MAGNITUDE, TriangleMesh};
