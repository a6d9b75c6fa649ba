//! Bytes in, a valid [`TriangleMesh`] out, or an error that says where and why.
//!
//! Promises, whatever the bytes are (`docs/decisions/0003-mesh-parsers.md`):
//! - no panic, and an error is one line: file, place, what is wrong, what to do;
//! - never more memory than [`MEMORY_FACTOR`] × the file's bytes + [`MEMORY_SLACK`], whatever its
//!   header claims;
//! - no file outside the mesh's own folder is opened;
//! - triangles come in the file's order, degenerate ones included.
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
//! # Ok::<(), embate_mesh::MeshError>(())
//! ```

mod budget;
mod error;
mod fan;
mod format;
mod gltf;
mod gzip;
mod limits;
mod load;
mod obj;
mod ply;
mod stl;
mod study_text;
mod text;
mod triangle_mesh;
mod weld;
mod write;

pub use budget::{MEMORY_FACTOR, MEMORY_SLACK};
pub use error::{MeshError, Place};
pub use format::Format;
pub use limits::{Limit, Limits};
pub use load::{LoadedMesh, load, parse};
pub use triangle_mesh::{InvalidMesh, MAX_MAGNITUDE, TriangleMesh};
pub use write::{write_obj, write_ply_binary, write_study_text};
