//! Mesh loaders: OBJ, STL, PLY, glTF/GLB and triangle text to a valid [`TriangleMesh`].
//!
//! Guarantees for any input bytes (`docs/decisions/0003-mesh-parsers.md`):
//! - no panic; an error is one line: file, location, problem, advice;
//! - at most [`MAX_MEMORY_PER_BYTE`] × the file size + [`MEMORY_OVERHEAD`] bytes of memory,
//!   whatever sizes the file declares;
//! - no file outside the mesh's folder is opened;
//! - triangles keep the order of the file, including degenerate ones.
//!
//! Without the feature `io`, which is on by default, only [`TriangleMesh`] is left.
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

#[cfg(feature = "io")]
mod budget;
#[cfg(feature = "io")]
mod error;
#[cfg(feature = "io")]
mod format;
#[cfg(feature = "io")]
mod gltf;
#[cfg(feature = "io")]
mod gzip;
#[cfg(feature = "io")]
mod limits;
#[cfg(feature = "io")]
mod load;
#[cfg(feature = "io")]
mod obj;
#[cfg(feature = "io")]
mod ply;
#[cfg(feature = "io")]
mod stl;
#[cfg(feature = "io")]
mod text;
mod triangle_mesh;
#[cfg(feature = "io")]
mod triangle_text;
#[cfg(feature = "io")]
mod triangulate;
#[cfg(feature = "io")]
mod weld;
#[cfg(feature = "io")]
mod write;

#[cfg(feature = "io")]
pub use budget::{MAX_MEMORY_PER_BYTE, MEMORY_OVERHEAD};
#[cfg(feature = "io")]
pub use error::{
    GltfError, MemoryUsage, MeshError, MeshFormatError, ObjError, PlyError, SourceLocation,
    StlError,
};
#[cfg(feature = "io")]
pub use format::Format;
#[cfg(feature = "io")]
pub use limits::{Limit, Limits};
#[cfg(feature = "io")]
pub use load::{LoadedMesh, load, parse};
pub use triangle_mesh::{MAX_MAGNITUDE, MeshValidationError, TriangleMesh};
#[cfg(feature = "io")]
pub use write::{write_obj, write_ply_binary, write_triangle_text};
