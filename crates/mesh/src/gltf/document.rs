//! JSON document of a glTF: only the fields that determine the triangles; all others are skipped.
//!
//! Every type is small relative to the shortest text that produces it, so that a document stays
//! within [`DOCUMENT_BYTES_PER_TEXT_BYTE`](crate::gltf::DOCUMENT_BYTES_PER_TEXT_BYTE). Required
//! fields have no default: `{},{},{},…` would otherwise be the cheapest memory bomb.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::error::{GltfError, ParseError, escape_controls, excerpt};
use crate::gltf::container::Container;
use crate::gltf::transform::NodeTransform;

/// Longest message of the JSON parser that is reported: it quotes the document.
const MAX_MESSAGE_BYTES: usize = 160;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document<'a> {
    #[serde(borrow)]
    asset: Asset<'a>,
    #[serde(default)]
    extensions_required: Extensions,
    pub(crate) scene: Option<u32>,
    #[serde(default, deserialize_with = "boxed")]
    pub(crate) scenes: Vec<Option<Box<Scene>>>,
    #[serde(default, deserialize_with = "boxed")]
    pub(crate) nodes: Vec<Option<Box<SceneNode>>>,
    #[serde(default)]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(borrow, default)]
    pub(crate) buffers: Vec<Buffer<'a>>,
}

#[derive(Debug, Deserialize)]
struct Asset<'a> {
    #[serde(borrow)]
    version: Text<'a>,
}

/// Borrowed from the document unless it holds escapes. (A bare `Option<Cow>` always copies.)
#[derive(Debug, Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// `None` in a list of these is an empty object: `{}` takes three bytes with its comma.
#[derive(Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Scene {
    #[serde(default)]
    pub(crate) nodes: Vec<u32>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "NodeJson")]
pub(crate) struct SceneNode {
    pub(crate) mesh: Option<u32>,
    pub(crate) children: Vec<u32>,
    /// Relative to the parent; `None` is the identity.
    pub(crate) local: Option<Box<NodeTransform>>,
}

#[derive(Deserialize)]
struct NodeJson {
    mesh: Option<u32>,
    #[serde(default)]
    children: Vec<u32>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Mesh {
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    pub(crate) indices: Option<u32>,
    #[serde(default = "triangles_mode")]
    pub(crate) mode: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(crate) position: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub(crate) buffer_view: Option<u32>,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
    #[serde(default)]
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    #[serde(rename = "type")]
    pub(crate) kind: AccessorKind,
    pub(crate) sparse: Option<Box<Sparse>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum AccessorKind {
    #[serde(rename = "SCALAR")]
    Scalar,
    #[serde(rename = "VEC3")]
    Vec3,
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: SparseIndices,
    pub(crate) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseIndices {
    pub(crate) buffer_view: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseValues {
    pub(crate) buffer_view: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    pub(crate) byte_stride: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer<'a> {
    pub(crate) byte_length: u64,
    #[serde(borrow)]
    pub(crate) uri: Option<Text<'a>>,
}

/// First unsupported entry of `extensionsRequired`.
#[derive(Debug, Default)]
struct Extensions {
    unsupported: Option<String>,
}

fn triangles_mode() -> u8 {
    4
}

impl<'a> Document<'a> {
    pub(crate) fn parse(container: &Container<'a>) -> Result<Self, ParseError> {
        // The JSON parser quotes a string found in place of a number and escapes this character
        // with six: a file full of it would exceed the memory bound.
        if let Some(at) = container.json.iter().position(|&byte| byte == 0x7f) {
            return Err(container.error(at, GltfError::DelCharacter));
        }
        let json = container.json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(container.json);
        let document: Self =
            serde_json::from_slice(json).map_err(|error| container.json_error(&error))?;
        let version = &document.asset.version.0;
        if !version.starts_with("2.") {
            let error = GltfError::Version { found: excerpt(version.as_bytes()) };
            return Err(ParseError::part("asset.version", error));
        }
        if let Some(name) = &document.extensions_required.unsupported {
            let error = GltfError::RequiredExtension { extension: name.clone() };
            return Err(ParseError::part("extensionsRequired", error));
        }
        Ok(document)
    }

    /// Bytes of the document that are URIs, including embedded buffers.
    pub(crate) fn uri_bytes(&self) -> u64 {
        let uris = self.buffers.iter().filter_map(|buffer| buffer.uri.as_ref());
        // A string with escapes is copied, and counts as structure.
        uris.filter_map(|uri| match &uri.0 {
            Cow::Borrowed(text) => Some(text.len() as u64),
            Cow::Owned(_) => None,
        })
        .sum()
    }
}

impl Container<'_> {
    /// Error at an offset in the JSON.
    fn error(&self, offset: usize, error: GltfError) -> ParseError {
        match self.json_offset {
            Some(start) => ParseError::binary((start + offset) as u64, error),
            None => ParseError::text(offset, error),
        }
    }

    fn json_error(&self, error: &serde_json::Error) -> ParseError {
        let mut message = Clipped(String::new());
        // Writing fails when the limit is reached; the message is then complete.
        let _ = write!(message, "{error}");
        let message = message.0;
        // The location is reported separately, in bytes for a GLB.
        let message = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
        // The key that every glTF has, so that another kind of JSON is recognized by its absence.
        let message = match message {
            "missing field `asset`" => {
                "not a glTF: the key `asset` is missing; name a mesh, not a scene"
            }
            message => message,
        };
        let lines = self.json.split_inclusive(|&byte| byte == b'\n');
        let line_start: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        let column = error.column();
        let error = GltfError::Json {
            column: self.json_offset.is_none().then_some(column),
            message: escape_controls(message),
        };
        self.error(line_start + column.saturating_sub(1), error)
    }
}

/// String that rejects writes beyond [`MAX_MESSAGE_BYTES`].
struct Clipped(String);

impl Write for Clipped {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.0.len() >= MAX_MESSAGE_BYTES {
                return Err(fmt::Error);
            }
            self.0.push(character);
        }
        Ok(())
    }
}

impl TryFrom<NodeJson> for SceneNode {
    type Error = &'static str;

    fn try_from(json: NodeJson) -> Result<Self, &'static str> {
        let NodeJson { mesh, children, matrix, translation, rotation, scale } = json;
        let has_trs = translation.is_some() || rotation.is_some() || scale.is_some();
        let local = match matrix {
            Some(_) if has_trs => {
                return Err("a node has either a matrix or translation, rotation and scale");
            }
            Some(matrix) => Some(NodeTransform::from_columns(&matrix)?),
            None if has_trs => Some(NodeTransform::from_trs(
                translation.unwrap_or([0.0; 3]),
                rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale.unwrap_or([1.0; 3]),
            )),
            None => None,
        };
        Ok(Self { mesh, children, local: local.map(Box::new) })
    }
}

/// List in which an item equal to its default takes the size of one pointer.
fn boxed<'de, D, T>(deserializer: D) -> Result<Vec<Option<Box<T>>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default + PartialEq,
{
    struct List<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + Default + PartialEq> Visitor<'de> for List<T> {
        type Value = Vec<Option<Box<T>>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut items = Vec::new();
            while let Some(item) = list.next_element::<T>()? {
                items.push((item != T::default()).then(|| Box::new(item)));
            }
            Ok(items)
        }
    }

    deserializer.deserialize_seq(List(PhantomData))
}

/// Only the first unsupported name is stored: a list of names would be far larger than its text.
impl<'de> Deserialize<'de> for Extensions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Extensions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of names")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Extensions, A::Error> {
                let mut unsupported = None;
                while let Some(Text(name)) = names.next_element()? {
                    if unsupported.is_none() && !is_supported(&name) {
                        unsupported = Some(excerpt(name.as_bytes()));
                    }
                }
                Ok(Extensions { unsupported })
            }
        }

        deserializer.deserialize_seq(Names)
    }
}

/// Extensions that affect only appearance, and mesh quantization.
fn is_supported(extension: &str) -> bool {
    const APPEARANCE_PREFIXES: [&str; 6] =
        ["KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "EXT_texture_", "EXT_lights_"];
    extension == "KHR_mesh_quantization"
        || APPEARANCE_PREFIXES.iter().any(|prefix| extension.starts_with(prefix))
}
