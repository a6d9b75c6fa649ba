//! glTF 2.0: a JSON document that describes how to cut buffers of bytes into a scene.
//!
//! ```text
//! .glb ─► chunks ─► document ─► needed accessors ─► buffers ─► checked views
//! .gltf ──────────────┘                                             │
//!                            default scene ─► count, then fill ─► TriangleMesh
//! ```
//! Read: the default scene's nodes with their transforms, triangles, strips and fans, sparse and
//! quantised accessors. Left alone: materials, skins (meshes stay in their rest pose), morph
//! targets, animation. A document that *requires* an extension which changes the geometry, such as
//! compression, is refused by name.
//!
//! A few bytes of JSON can ask for anything, so every size is a claim: counted in u64, checked
//! against what is there, and charged to the file's memory budget before room is made.

mod accessor;
mod buffers;
mod container;
mod document;
mod geometry;
mod scene;
mod transform;
mod uri;

use std::path::Path;

use buffers::Buffers;
use document::Document;
use geometry::Geometry;

use crate::budget::Budget;
use crate::error::Fault;
use crate::format::Format;
use crate::limits::Limits;
use crate::triangle_mesh::TriangleMesh;

/// A parsed document takes at most this many times its text: `{"scale":[1,1,1]},` is 18 bytes,
/// and 160 in memory while the list of nodes doubles.
const DOCUMENT_FACTOR: u64 = 9;

/// The stack of the walk over nodes at its deepest, and small change.
const WALK_BYTES: u64 = 256 << 10;

/// The mesh, and the bytes of the file and of all buffers read beside it.
pub(crate) fn parse(
    bytes: &[u8],
    format: Format,
    folder: Option<&Path>,
    limits: &Limits,
) -> Result<(TriangleMesh, u64), Fault> {
    let container = match format {
        Format::Glb => container::of_glb(bytes)?,
        _ => container::of_gltf(bytes),
    };
    let mut document = Document::parse(&container)?;
    let mut budget = Budget::of_file(bytes.len() as u64);
    let text = container.json.len() as u64 - document.uri_bytes();
    budget.charge(text * DOCUMENT_FACTOR + WALK_BYTES, || "its JSON".to_owned())?;

    let needed = geometry::keep_triangles(&mut document)?;
    let buffers = Buffers::load(&document, &needed, &container, folder, limits, &mut budget)?;
    let views = accessor::Views { document: &document, buffers: &buffers };
    views.check(&needed)?;
    let mesh = Geometry::gather(&document, &views, limits, &mut budget)?;
    Ok((mesh, bytes.len() as u64 + buffers.bytes_beside()))
}

#[cfg(test)]
mod tests;
