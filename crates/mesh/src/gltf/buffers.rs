//! Where do the bytes of a buffer come from: the GLB, the JSON itself, or a file beside it?

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::accessor::Needed;
use super::container::Container;
use super::document::Document;
use super::uri;
use crate::budget::Budget;
use crate::error::{Fault, quote};
use crate::limits::{Limit, Limits};
use crate::load::{open_plain, read_whole};

/// Exporters differ in whether they pad.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes of every buffer that triangles need.
#[derive(Debug)]
pub(crate) struct Buffers<'a> {
    /// For each buffer of the document, which of `stored` it is; `None` if it is not needed.
    slots: Vec<Option<u32>>,
    /// A file that several buffers name is here once.
    stored: Vec<Cow<'a, [u8]>>,
    bytes_beside: u64,
}

impl<'a> Buffers<'a> {
    pub(crate) fn load(
        document: &Document<'_>,
        needed: &Needed,
        container: &Container<'a>,
        folder: Option<&Path>,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Result<Self, Fault> {
        let count = document.buffers.len();
        budget.charge(count as u64 * 96, || format!("a list of {count} buffers"))?;
        let mut buffers = Self { slots: vec![None; count], stored: Vec::new(), bytes_beside: 0 };
        let mut files = HashMap::new();
        for index in 0..count {
            if !needed.buffers[index] {
                continue;
            }
            let part = || format!("buffers[{index}]");
            let buffer = &document.buffers[index];
            let slot = match buffer.uri.as_ref().map(|uri| &*uri.0) {
                None => match container.bin {
                    Some(bin) if index == 0 => buffers.store(Cow::Borrowed(bin)),
                    _ => {
                        return Err(Fault::part(
                            part(),
                            "has neither a uri nor the GLB's own bytes",
                        ));
                    }
                },
                Some(uri) if uri.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("data:")) => {
                    budget.charge(uri.len() as u64 / 4 * 3 + 3, || "a buffer".to_owned())?;
                    let bytes = decode(uri).map_err(|problem| Fault::part(part(), problem))?;
                    buffers.store(Cow::Owned(bytes))
                }
                Some(uri) => {
                    let path =
                        path_of(uri, folder).map_err(|problem| Fault::part(part(), problem))?;
                    buffers.file(path, &mut files, container, limits, budget).map_err(|fault| {
                        match fault {
                            Fault::Unreadable(cause) => {
                                let name = quote(uri.as_bytes());
                                Fault::part(part(), format!("cannot read {name}: {cause}"))
                            }
                            Fault::Malformed { problem, .. } => {
                                Fault::part(part(), format!("{} {problem}", quote(uri.as_bytes())))
                            }
                            other => other,
                        }
                    })?
                }
            };
            let (found, promised) = (buffers.stored[slot as usize].len(), buffer.byte_length);
            if (found as u64) < promised {
                let problem =
                    format!("has {found} of the {promised} bytes its byteLength promises");
                return Err(Fault::part(part(), problem));
            }
            buffers.slots[index] = Some(slot);
        }
        Ok(buffers)
    }

    /// Bytes read from files beside the mesh.
    pub(crate) fn bytes_beside(&self) -> u64 {
        self.bytes_beside
    }

    /// The bytes of a buffer, cut to the length the document gives it.
    pub(crate) fn bytes(&self, document: &Document<'_>, index: u32) -> Option<&[u8]> {
        let slot = (*self.slots.get(index as usize)?)?;
        let length = document.buffers[index as usize].byte_length;
        self.stored[slot as usize].get(..usize::try_from(length).ok()?)
    }

    fn store(&mut self, bytes: Cow<'a, [u8]>) -> u32 {
        self.stored.push(bytes);
        self.stored.len() as u32 - 1
    }

    fn file(
        &mut self,
        path: PathBuf,
        files: &mut HashMap<PathBuf, u32>,
        container: &Container<'_>,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Result<u32, Fault> {
        if let Some(&slot) = files.get(&path) {
            return Ok(slot);
        }
        let so_far = container.file_bytes + self.bytes_beside;
        let left = limits.max_bytes.saturating_sub(so_far);
        let (file, length) = open_plain(&path)?;
        limits.check(Limit::Bytes, so_far.saturating_add(length))?;
        let bytes = read_whole(file, length, &Limits { max_bytes: left, ..*limits })?;
        budget.add_file(bytes.len() as u64);
        self.bytes_beside += bytes.len() as u64;
        let slot = self.store(Cow::Owned(bytes));
        files.insert(path, slot);
        Ok(slot)
    }
}

fn path_of(uri: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
    let Some(folder) = folder else {
        let name = quote(uri.as_bytes());
        return Err(format!(
            "is in another file, {name}; load the mesh from its folder, or as a GLB"
        ));
    };
    uri::resolve(uri, folder)
}

fn decode(uri: &str) -> Result<Vec<u8>, String> {
    let (head, text) = uri.split_once(',').unwrap_or((uri, ""));
    if !head.ends_with(";base64") {
        return Err(format!("{} must be base64", quote(uri.as_bytes())));
    }
    BASE64.decode(text).map_err(|cause| format!("its base64 is broken: {cause}"))
}
