//! Mesh loaders: OBJ, STL, PLY, glTF/GLB and triangle text to a valid [`TriangleMesh`].
//!
//! Guarantees for any input bytes (`docs/decisions/0003-mesh-parsers.md`):
//! - no panic; an error is one line: file, location, problem, advice;
//! - at most [`MAX_MEMORY_PER_BYTE`] × the file size + [`MEMORY_OVERHEAD`] bytes of memory,
//!   whatever sizes the file declares;
//! - no file outside the mesh's folder is opened;
//! - triangles keep the order of the file, including degenerate ones.
//!
//! ```
//! use embate_mesh::{Format, Limits, parse};
//!
//! let quad = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let loaded = parse(quad, "quad.obj", &Limits::default())?;
//! assert_eq!(loaded.format, Format::Obj);
//! assert_eq!(loaded.mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
//!
//! let error = parse(b"v 0 0 zero\n", "bad.obj", &Limits::default()).unwrap_err();
//! assert_eq!(error.to_string(), "bad.obj, line 1: `zero` is not a number");
//! assert_eq!(error.code(), "mesh.not-a-number");
//! # Ok::<(), embate_mesh::MeshError>(())
//! ```

mod budget;
mod error;
mod fault;
mod format;
mod gltf;
mod gzip;
mod limits;
mod load;
mod obj;
mod ply;
mod stl;
mod text;
mod triangle_mesh;
mod triangle_text;
mod triangulate;
mod weld;
mod write;

pub use budget::{MAX_MEMORY_PER_BYTE, MEMORY_OVERHEAD};
pub use error::{MemoryUsage, MeshError, SourceLocation};
pub use fault::{GltfFault, MeshFault, ObjFault, PlyFault, StlFault};
pub use format::Format;
pub use limits::{Limit, Limits};
pub use load::{LoadedMesh, load, parse};
pub use triangle_mesh::{MAX_MAGNITUDE, MeshValidationError, TriangleMesh};
pub use write::{write_obj, write_ply_binary, write_triangle_text};
