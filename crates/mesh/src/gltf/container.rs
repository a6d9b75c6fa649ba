//! GLB container: the JSON chunk and the binary chunk.
//!
//! ```text
//! 0      4         8        12       16      20
//! │ glTF │ version │ length │ length │ JSON │ … │ length │ BIN │ …
//! └──────── header ─────────┴─── first chunk ───┴──── second ─────
//! ```

use crate::error::{GltfError, ParseError};

const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
/// Chunk type `JSON`.
const JSON_CHUNK: u32 = 0x4e4f_534a;
/// Chunk type `BIN\0`.
const BIN_CHUNK: u32 = 0x004e_4942;

/// The parts of a `.gltf` or `.glb`.
#[derive(Debug)]
pub(crate) struct Container<'a> {
    /// Bytes of the whole file.
    pub(crate) file_bytes: u64,
    pub(crate) json: &'a [u8],
    /// Offset of the JSON, if the file is a GLB.
    pub(crate) json_offset: Option<usize>,
    pub(crate) bin: Option<&'a [u8]>,
}

pub(crate) fn from_gltf(bytes: &[u8]) -> Container<'_> {
    Container { file_bytes: bytes.len() as u64, json: bytes, json_offset: None, bin: None }
}

pub(crate) fn parse_glb(bytes: &[u8]) -> Result<Container<'_>, ParseError> {
    let word =
        |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(ParseError::binary(bytes.len() as u64, GltfError::HeaderTruncated));
    };
    if version != 2 {
        return Err(ParseError::binary(4, GltfError::GlbVersion { version }));
    }
    let found = bytes.len();
    let Some(bytes) = bytes.get(..length as usize).filter(|bytes| bytes.len() >= HEADER_BYTES)
    else {
        let error = GltfError::GlbLength { declared: length, found: found as u64 };
        return Err(ParseError::binary(8, error));
    };
    let (json, after) = chunk(bytes, HEADER_BYTES, JSON_CHUNK)?;
    let Some(json) = json else {
        return Err(ParseError::binary(HEADER_BYTES as u64, GltfError::FirstChunkNotJson));
    };
    let json_offset = Some(HEADER_BYTES + CHUNK_HEADER_BYTES);
    let bin = if after < bytes.len() { chunk(bytes, after, BIN_CHUNK)?.0 } else { None };
    Ok(Container { file_bytes: found as u64, json, json_offset, bin })
}

/// The chunk at `start` if it is of this kind, and the offset of the next one.
fn chunk(bytes: &[u8], start: usize, kind: u32) -> Result<(Option<&[u8]>, usize), ParseError> {
    let rest = bytes.get(start..).unwrap_or_default();
    let Some((header, content)) = rest.split_first_chunk::<CHUNK_HEADER_BYTES>() else {
        return Err(ParseError::binary(start as u64, GltfError::ChunkHeaderTruncated));
    };
    let [l0, l1, l2, l3, k0, k1, k2, k3] = *header;
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    let Some(content) = content.get(..length as usize) else {
        let error = GltfError::ChunkTruncated { declared: length, left: content.len() as u64 };
        return Err(ParseError::binary(start as u64, error));
    };
    let found = u32::from_le_bytes([k0, k1, k2, k3]);
    Ok(((found == kind).then_some(content), start + CHUNK_HEADER_BYTES + content.len()))
}
