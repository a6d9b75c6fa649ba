//! A collision engine. Each module answers one question:
//!
//! - [`rays`]: what does this ray hit?
//! - [`pairs`]: who is near whom?
//! - [`contacts`]: where and how do they touch?
//! - [`motion`]: what moves next?
//! - [`shapes`]: what is a solid thing?
//! - [`advise`]: which technique suits this?
//!
//! ```
//! use embate::{Ray, TriangleMesh, rays::TriangleIndex};
//!
//! let mesh = TriangleMesh::new(
//!     vec![[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [0.0, 4.0, 5.0]],
//!     vec![[0, 1, 2]],
//! )?;
//! let index = TriangleIndex::new(mesh);
//! let hit = index.closest_hit(&Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
//! assert_eq!((hit.triangle, hit.t), (0, 5.0));
//! # Ok::<(), embate::InvalidMesh>(())
//! ```

pub mod advise;
pub mod contacts;
pub mod motion;
pub mod pairs;
pub mod rays;
pub mod shapes;

pub use embate_geom::*;
pub use embate_mesh::{InvalidMesh, TriangleMesh};
