//! Errors of glTF and GLB files.

use crate::error::MeshFormatError;

/// Defect in the content of a glTF or GLB file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias = "GltfFault")]
pub enum GltfError {
    /// A GLB shorter than its header.
    #[error("a GLB has a header of 12 bytes; the file is truncated")]
    HeaderTruncated,
    /// A GLB of another version.
    #[error("GLB version {version} is not supported; export it as glTF 2.0")]
    GlbVersion {
        /// Version according to the header.
        version: u32,
    },
    /// A GLB whose length does not match its file.
    #[error(
        "the header declares {declared} bytes, but the file has {found}; the file is truncated \
         or its header wrong"
    )]
    GlbLength {
        /// Bytes according to the header.
        declared: u32,
        /// Bytes in the file.
        found: u64,
    },
    /// A GLB whose first chunk is not JSON.
    #[error("the first chunk must be JSON")]
    FirstChunkNotJson,
    /// A GLB that ends within a chunk header.
    #[error("a chunk needs a header of 8 bytes; the file is truncated")]
    ChunkHeaderTruncated,
    /// A GLB that ends within a chunk.
    #[error("a chunk of {declared} bytes, but {left} are left; the file is truncated")]
    ChunkTruncated {
        /// Bytes according to the chunk header.
        declared: u32,
        /// Bytes left in the file.
        left: u64,
    },
    /// The JSON contains the character DEL.
    #[error("the JSON contains a DEL character; remove it")]
    DelCharacter,
    /// The JSON cannot be parsed, or has another structure than glTF.
    #[error("JSON{}: {message}", .column.map(|column| format!(", column {column}")).unwrap_or_default())]
    Json {
        /// Column, in text files.
        column: Option<usize>,
        /// Message of the JSON parser.
        message: String,
    },
    /// Another version than glTF 2.
    #[error("glTF version `{found}` is not supported; export it as glTF 2.0")]
    Version {
        /// Version in the file.
        found: String,
    },
    /// The file requires an unsupported extension.
    #[error("the required extension `{extension}` is not supported; export the file without it")]
    RequiredExtension {
        /// Name of the extension.
        extension: String,
    },
    /// A reference to an object that does not exist.
    #[error("refers to {kind} {index}, but there are {count}")]
    NoSuchObject {
        /// Kind of object: `accessor`, `bufferView`, `mesh`, `scene`.
        kind: &'static str,
        /// Index in the file.
        index: u32,
        /// Number of such objects.
        count: usize,
    },
    /// A buffer view of a buffer that does not exist.
    #[error("bufferViews[{view}] refers to buffer {buffer}, but there are {count}")]
    NoSuchBuffer {
        /// Index of the buffer view.
        view: u32,
        /// Index of the buffer.
        buffer: u32,
        /// Number of buffers.
        count: usize,
    },
    /// A buffer view that exceeds its buffer.
    #[error("bufferViews[{view}] exceeds the {bytes} bytes of its buffer")]
    ViewOutOfBounds {
        /// Index of the buffer view.
        view: u32,
        /// Bytes of the buffer.
        bytes: u64,
    },
    /// A stride smaller than an element.
    #[error("bufferViews[{view}] has a byteStride of {stride}, but an element takes {size}")]
    StrideTooSmall {
        /// Index of the buffer view.
        view: u32,
        /// Stride in bytes.
        stride: u64,
        /// Bytes of an element.
        size: u64,
    },
    /// An accessor that exceeds its buffer view.
    #[error(
        "{count} elements at byte {offset} do not fit the {bytes} bytes of bufferViews[{view}]"
    )]
    ElementsOutOfBounds {
        /// Index of the buffer view.
        view: u32,
        /// Bytes of the buffer view.
        bytes: u64,
        /// Offset of the first element.
        offset: u64,
        /// Number of elements.
        count: u64,
    },
    /// An unknown component type.
    #[error("componentType {code} is unknown")]
    ComponentType {
        /// Code in the file.
        code: u32,
    },
    /// Sparse indices that are signed or floats.
    #[error("sparse indices must be unsigned whole numbers")]
    SparseIndexType,
    /// A sparse index beyond the last element.
    #[error("index {position} is {index}, but there are {count} elements")]
    SparseIndexOutOfRange {
        /// Position in the list of indices.
        position: u64,
        /// Index in the file.
        index: u64,
        /// Number of elements.
        count: u64,
    },
    /// Sparse indices that are not strictly increasing.
    #[error("index {position} is not greater than the one before it")]
    SparseIndexOrder {
        /// Position in the list of indices.
        position: u64,
    },
    /// Vertex indices of a wrong type.
    #[error("indices must be SCALAR of unsigned byte, short or int")]
    IndexType,
    /// Positions of a wrong type.
    #[error("POSITION must be VEC3 of float, byte or short")]
    PositionType,
    /// A buffer without content.
    #[error("has neither a uri nor the binary chunk of a GLB")]
    NoBufferSource,
    /// A buffer shorter than declared.
    #[error("has {found} of the {declared} bytes its byteLength declares")]
    BufferTruncated {
        /// Bytes found.
        found: u64,
        /// Bytes according to `byteLength`.
        declared: u64,
    },
    /// A data URI in another encoding than base64.
    #[error("`{uri}` must be base64")]
    NotBase64 {
        /// Start of the URI.
        uri: String,
    },
    /// Base64 that cannot be decoded.
    #[error("its base64 is invalid: {cause}")]
    InvalidBase64 {
        /// Message of the decoder.
        cause: String,
    },
    /// A buffer in another file, while the mesh was given as bytes.
    #[error("is in another file, `{uri}`; load the mesh from its folder, or as a GLB")]
    ExternalBuffer {
        /// Start of the URI.
        uri: String,
    },
    /// A buffer file that cannot be opened or read.
    #[error("cannot read `{uri}`: {cause}; put the file beside the mesh")]
    BufferUnreadable {
        /// Start of the URI.
        uri: String,
        /// Message of the operating system.
        cause: String,
    },
    /// A buffer file that is a folder, a device or too large for memory.
    #[error("`{uri}` {error}")]
    BufferFile {
        /// Start of the URI.
        uri: String,
        /// Error of that file.
        error: Box<MeshFormatError>,
    },
    /// A URI that leads out of the mesh's folder.
    #[error("`{uri}` is outside the mesh's folder; put the file there and use a relative name")]
    OutsideFolder {
        /// Start of the URI.
        uri: String,
    },
    /// A URI with an invalid percent escape.
    #[error("`{uri}` has an invalid percent escape")]
    PercentEscape {
        /// Start of the URI.
        uri: String,
    },
    /// An unknown primitive mode.
    #[error("mode {mode} is unknown")]
    Mode {
        /// Mode in the file.
        mode: u8,
    },
    /// A triangle list whose vertex count is not a multiple of 3.
    #[error("{vertices} vertices do not form whole triangles")]
    PartialTriangle {
        /// Number of vertices.
        vertices: u64,
    },
    /// An index beyond the last vertex.
    #[error("index {position} refers to vertex {vertex}, but there are {vertices}, counted from 0")]
    IndexOutOfRange {
        /// Position in the list of indices.
        position: u64,
        /// Index in the file, counted from 0.
        vertex: u32,
        /// Number of vertices.
        vertices: u64,
    },
    /// A vertex whose transformed position is NaN, infinite or too large.
    #[error(
        "vertex {vertex}: coordinate {value:?} must be finite and within ±1e18; repair or \
         rescale the model"
    )]
    VertexOutOfRange {
        /// Index of the vertex in its accessor.
        vertex: u64,
        /// The coordinate.
        value: f32,
    },
    /// A node that does not exist.
    #[error("does not exist: there are {nodes} nodes")]
    NoSuchNode {
        /// Number of nodes.
        nodes: usize,
    },
    /// A node with two parents, or in a cycle.
    #[error("is reached twice; a node must have one parent and be in no cycle")]
    NodeReachedTwice,
    /// A node hierarchy that is too deep.
    #[error("is nested deeper than {max} nodes")]
    NestingTooDeep {
        /// Maximum depth.
        max: usize,
    },
}

impl GltfError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::HeaderTruncated => "mesh.gltf.header-truncated",
            Self::GlbVersion { .. } => "mesh.gltf.glb-version",
            Self::GlbLength { .. } => "mesh.gltf.glb-length",
            Self::FirstChunkNotJson => "mesh.gltf.first-chunk-not-json",
            Self::ChunkHeaderTruncated => "mesh.gltf.chunk-header-truncated",
            Self::ChunkTruncated { .. } => "mesh.gltf.chunk-truncated",
            Self::DelCharacter => "mesh.gltf.del-character",
            Self::Json { .. } => "mesh.gltf.json",
            Self::Version { .. } => "mesh.gltf.version",
            Self::RequiredExtension { .. } => "mesh.gltf.required-extension",
            Self::NoSuchObject { .. } => "mesh.gltf.no-such-object",
            Self::NoSuchBuffer { .. } => "mesh.gltf.no-such-buffer",
            Self::ViewOutOfBounds { .. } => "mesh.gltf.view-out-of-bounds",
            Self::StrideTooSmall { .. } => "mesh.gltf.stride-too-small",
            Self::ElementsOutOfBounds { .. } => "mesh.gltf.elements-out-of-bounds",
            Self::ComponentType { .. } => "mesh.gltf.component-type",
            Self::SparseIndexType => "mesh.gltf.sparse-index-type",
            Self::SparseIndexOutOfRange { .. } => "mesh.gltf.sparse-index-out-of-range",
            Self::SparseIndexOrder { .. } => "mesh.gltf.sparse-index-order",
            Self::IndexType => "mesh.gltf.index-type",
            Self::PositionType => "mesh.gltf.position-type",
            Self::NoBufferSource => "mesh.gltf.no-buffer-source",
            Self::BufferTruncated { .. } => "mesh.gltf.buffer-truncated",
            Self::NotBase64 { .. } => "mesh.gltf.not-base64",
            Self::InvalidBase64 { .. } => "mesh.gltf.invalid-base64",
            Self::ExternalBuffer { .. } => "mesh.gltf.external-buffer",
            Self::BufferUnreadable { .. } => "mesh.gltf.buffer-unreadable",
            Self::BufferFile { .. } => "mesh.gltf.buffer-file",
            Self::OutsideFolder { .. } => "mesh.gltf.outside-folder",
            Self::PercentEscape { .. } => "mesh.gltf.percent-escape",
            Self::Mode { .. } => "mesh.gltf.mode",
            Self::PartialTriangle { .. } => "mesh.gltf.partial-triangle",
            Self::IndexOutOfRange { .. } => "mesh.gltf.index-out-of-range",
            Self::VertexOutOfRange { .. } => "mesh.gltf.vertex-out-of-range",
            Self::NoSuchNode { .. } => "mesh.gltf.no-such-node",
            Self::NodeReachedTwice => "mesh.gltf.node-reached-twice",
            Self::NestingTooDeep { .. } => "mesh.gltf.nesting-too-deep",
        }
    }
}
