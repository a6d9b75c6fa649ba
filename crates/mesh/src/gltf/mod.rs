//! glTF 2.0: a JSON document that describes a scene over binary buffers, as `.gltf` or `.glb`.
//!
//! ```text
//! .glb ─► chunks ─► document ─► used accessors ─► buffers ─► validated accessors
//! .gltf ──────────────┘                                             │
//!                            default scene ─► count, then fill ─► TriangleMesh
//! ```
//! Read: the default scene's nodes with their transforms, triangles, strips and fans, sparse and
//! quantized accessors. Ignored: materials, skins (meshes stay in their rest pose), morph targets,
//! animation. A document that *requires* an extension which changes the geometry, such as
//! compression, is rejected with the name of the extension.
//!
//! A few bytes of JSON can declare any size, so no size is trusted: it is counted in u64, checked
//! against the buffers, and charged to the file's memory budget before memory is reserved.

mod accessor;
mod buffers;
mod container;
mod document;
mod geometry;
mod scene;
#[cfg(test)]
mod tests;
mod transform;
mod uri;

use std::path::Path;

use buffers::Buffers;
use document::Document;

use crate::budget::Budget;
use crate::error::{MemoryUsage, ParseError};
use crate::format::Format;
use crate::limits::Limits;
use crate::triangle_mesh::TriangleMesh;

/// Memory of a parsed document relative to its text: `{"scale":[1,1,1]},` is 18 bytes, and 160 in
/// memory while the list of nodes doubles.
const DOCUMENT_BYTES_PER_TEXT_BYTE: u64 = 9;

/// Largest stack of the node traversal, and other small allocations.
const TRAVERSAL_BYTES: u64 = 256 << 10;

/// The mesh, and the total bytes of the file and of its external buffers.
pub(crate) fn parse(
    bytes: &[u8],
    format: Format,
    folder: Option<&Path>,
    limits: &Limits,
) -> Result<(TriangleMesh, u64), ParseError> {
    let container = match format {
        Format::Glb => container::parse_glb(bytes)?,
        _ => container::from_gltf(bytes),
    };
    let mut document = Document::parse(&container)?;
    let mut budget = Budget::of_file(bytes.len() as u64);
    let text = container.json.len() as u64 - document.uri_bytes();
    budget.charge(text * DOCUMENT_BYTES_PER_TEXT_BYTE + TRAVERSAL_BYTES, MemoryUsage::Json)?;

    let used = geometry::retain_triangle_primitives(&mut document)?;
    let buffers = Buffers::load(&document, &used, &container, folder, limits, &mut budget)?;
    let accessors = accessor::AccessorReader { document: &document, buffers: &buffers };
    accessors.validate(&used)?;
    let mesh = geometry::build_mesh(&document, &accessors, limits, &mut budget)?;
    Ok((mesh, bytes.len() as u64 + buffers.external_bytes()))
}
