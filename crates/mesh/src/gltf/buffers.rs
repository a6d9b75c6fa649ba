//! Buffers of a glTF: the binary chunk of a GLB, data URIs, or external files.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::budget::Budget;
use crate::error::{GltfError, MemoryUsage, ParseError, escape_controls, excerpt};
use crate::gltf::accessor::UsedObjects;
use crate::gltf::container::Container;
use crate::gltf::document::Document;
use crate::gltf::uri;
use crate::limits::{Limit, Limits};
use crate::load::{open_regular_file, read_all};

/// Padding is optional: exporters differ.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Bytes of every buffer that the triangles use.
#[derive(Debug)]
pub(crate) struct Buffers<'a> {
    /// Index into `stored` for each buffer of the document; `None` if it is not used.
    slots: Vec<Option<u32>>,
    /// Distinct buffer contents: a file that several buffers refer to is stored once.
    stored: Vec<Cow<'a, [u8]>>,
    external_bytes: u64,
}

impl<'a> Buffers<'a> {
    pub(crate) fn load(
        document: &Document<'_>,
        used: &UsedObjects,
        container: &Container<'a>,
        folder: Option<&Path>,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Result<Self, ParseError> {
        let count = document.buffers.len();
        budget.charge(count as u64 * 96, MemoryUsage::BufferTable { buffers: count as u64 })?;
        let mut buffers = Self { slots: vec![None; count], stored: Vec::new(), external_bytes: 0 };
        let mut files = HashMap::new();
        for index in 0..count {
            if !used.buffers[index] {
                continue;
            }
            let part = || format!("buffers[{index}]");
            let buffer = &document.buffers[index];
            let slot = match buffer.uri.as_ref().map(|uri| &*uri.0) {
                None => match container.bin {
                    Some(bin) if index == 0 => buffers.store(Cow::Borrowed(bin)),
                    _ => return Err(ParseError::part(part(), GltfError::NoBufferSource)),
                },
                Some(uri) if uri.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("data:")) => {
                    budget.charge(uri.len() as u64 / 4 * 3 + 3, MemoryUsage::Buffer)?;
                    let bytes = decode(uri).map_err(|error| ParseError::part(part(), error))?;
                    buffers.store(Cow::Owned(bytes))
                }
                Some(uri) => {
                    let path =
                        path_of(uri, folder).map_err(|error| ParseError::part(part(), error))?;
                    buffers.file(path, &mut files, container, limits, budget).map_err(|error| {
                        match error {
                            ParseError::Unreadable(cause) => {
                                ParseError::part(part(), uri::unreadable(uri, &cause))
                            }
                            ParseError::Malformed { error, .. } => {
                                let (uri, error) = (excerpt(uri.as_bytes()), Box::new(error));
                                ParseError::part(part(), GltfError::BufferFile { uri, error })
                            }
                            other => other,
                        }
                    })?
                }
            };
            let found = buffers.stored[slot as usize].len() as u64;
            let declared = buffer.byte_length;
            if found < declared {
                let error = GltfError::BufferTruncated { found, declared };
                return Err(ParseError::part(part(), error));
            }
            buffers.slots[index] = Some(slot);
        }
        Ok(buffers)
    }

    /// Bytes read from external files.
    pub(crate) fn external_bytes(&self) -> u64 {
        self.external_bytes
    }

    /// Bytes of a buffer, cut to its declared length.
    pub(crate) fn bytes(&self, document: &Document<'_>, index: u32) -> Option<&[u8]> {
        let slot = (*self.slots.get(index as usize)?)?;
        let length = document.buffers[index as usize].byte_length;
        self.stored[slot as usize].get(..usize::try_from(length).ok()?)
    }

    fn store(&mut self, bytes: Cow<'a, [u8]>) -> u32 {
        self.stored.push(bytes);
        self.stored.len() as u32 - 1
    }

    /// Slot of an external file, read on first use.
    fn file(
        &mut self,
        path: PathBuf,
        files: &mut HashMap<PathBuf, u32>,
        container: &Container<'_>,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Result<u32, ParseError> {
        if let Some(&slot) = files.get(&path) {
            return Ok(slot);
        }
        let read_before = container.file_bytes + self.external_bytes;
        let left = limits.max_bytes.saturating_sub(read_before);
        let (file, length) = open_regular_file(&path)?;
        limits.check(Limit::Bytes, read_before.saturating_add(length))?;
        let bytes = read_all(file, length, &Limits { max_bytes: left, ..*limits })?;
        budget.add_file(bytes.len() as u64);
        self.external_bytes += bytes.len() as u64;
        let slot = self.store(Cow::Owned(bytes));
        files.insert(path, slot);
        Ok(slot)
    }
}

fn path_of(uri: &str, folder: Option<&Path>) -> Result<PathBuf, GltfError> {
    let Some(folder) = folder else {
        return Err(GltfError::ExternalBuffer { uri: excerpt(uri.as_bytes()) });
    };
    uri::resolve(uri, folder)
}

fn decode(uri: &str) -> Result<Vec<u8>, GltfError> {
    let (head, text) = uri.split_once(',').unwrap_or((uri, ""));
    if !head.ends_with(";base64") {
        return Err(GltfError::NotBase64 { uri: excerpt(uri.as_bytes()) });
    }
    BASE64
        .decode(text)
        .map_err(|cause| GltfError::InvalidBase64 { cause: escape_controls(&cause.to_string()) })
}
