//! Where in the file are the JSON and the binary buffer?
//!
//! ```text
//! 0      4         8        12       16      20
//! │ glTF │ version │ length │ length │ JSON │ … │ length │ BIN │ …
//! └──────── header ─────────┴─── first chunk ───┴──── second ─────
//! ```

use crate::error::Fault;

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;

/// The parts of a `.gltf` or `.glb`.
#[derive(Debug)]
pub(crate) struct Container<'a> {
    /// Bytes of the whole file.
    pub(crate) file_bytes: u64,
    pub(crate) json: &'a [u8],
    /// Where the JSON begins, if the file is a GLB.
    pub(crate) json_at: Option<usize>,
    pub(crate) bin: Option<&'a [u8]>,
}

pub(crate) fn of_gltf(bytes: &[u8]) -> Container<'_> {
    Container { file_bytes: bytes.len() as u64, json: bytes, json_at: None, bin: None }
}

pub(crate) fn of_glb(bytes: &[u8]) -> Result<Container<'_>, Fault> {
    let word =
        |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        let problem = format!("a GLB has a header of {HEADER} bytes, this file is cut");
        return Err(Fault::binary(bytes.len() as u64, problem));
    };
    if version != 2 {
        let problem =
            format!("GLB version {version}, but we read version 2; export it as glTF 2.0");
        return Err(Fault::binary(4, problem));
    }
    let found = bytes.len();
    let Some(bytes) = bytes.get(..length as usize).filter(|bytes| bytes.len() >= HEADER) else {
        let problem =
            format!("the header says {length} bytes, but the file has {found}; it is cut");
        return Err(Fault::binary(8, problem));
    };
    let (json, after) = chunk(bytes, HEADER, JSON)?;
    let Some(json) = json else {
        return Err(Fault::binary(HEADER as u64, "the first chunk must be JSON"));
    };
    let json_at = Some(HEADER + CHUNK_HEADER);
    let bin = if after < bytes.len() { chunk(bytes, after, BIN)?.0 } else { None };
    Ok(Container { file_bytes: found as u64, json, json_at, bin })
}

/// The chunk at `start` if it is of this kind, and where the next one begins.
fn chunk(bytes: &[u8], start: usize, kind: u32) -> Result<(Option<&[u8]>, usize), Fault> {
    let rest = bytes.get(start..).unwrap_or_default();
    let Some((header, content)) = rest.split_first_chunk::<CHUNK_HEADER>() else {
        return Err(Fault::binary(
            start as u64,
            "a chunk needs a header of 8 bytes; the file is cut",
        ));
    };
    let [l0, l1, l2, l3, k0, k1, k2, k3] = *header;
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    let Some(content) = content.get(..length as usize) else {
        let problem =
            format!("a chunk of {length} bytes, but {} are left; the file is cut", content.len());
        return Err(Fault::binary(start as u64, problem));
    };
    let found = u32::from_le_bytes([k0, k1, k2, k3]);
    Ok(((found == kind).then_some(content), start + CHUNK_HEADER + content.len()))
}
