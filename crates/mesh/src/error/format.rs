//! Errors of mesh files: typed defects of the content, each with a stable code.

use super::{GltfError, ObjError, PlyError, StlError};
use crate::triangle_mesh::MeshValidationError;

/// Defect in the content of a mesh file.
///
/// Excerpts of the file (`found`) are printable and at most 40 characters long.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias = "MeshFault")]
pub enum MeshFormatError {
    /// The file has no bytes.
    #[error("is empty; name a file with a mesh, or write this one again")]
    Empty,
    /// The path is a folder.
    #[error("is a folder; name a mesh file in it")]
    Folder,
    /// The path is a pipe, device or socket.
    #[error("is not a regular file; copy its content into one")]
    NotRegularFile,
    /// The memory allocation for the mesh failed.
    #[error("not enough memory for the {bytes} bytes of its mesh")]
    AllocationFailed {
        /// Bytes requested.
        bytes: u64,
    },
    /// The gzip stream cannot be decoded.
    #[error("the gzip is corrupt or truncated: {cause}")]
    Gzip {
        /// Message of the decoder.
        cause: String,
    },
    /// A gzip whose content is a gzip.
    #[error("a gzip within a gzip; decompress it once first")]
    NestedGzip,
    /// A text file in no known format, whose extension is that of triangle text.
    #[error(
        "is not a mesh: a .txt file must hold nine numbers per triangle, but starts with `{found}`"
    )]
    NotTriangleText {
        /// First word of the file.
        found: String,
    },
    /// A word that should be a number.
    #[error("`{found}` is not a number")]
    NotANumber {
        /// Word in the file.
        found: String,
    },
    /// A word that should be an integer.
    #[error("`{found}` is not a whole number")]
    NotAnInteger {
        /// Word in the file.
        found: String,
    },
    /// A coordinate in a text file that is NaN, infinite or too large.
    #[error("coordinate `{found}` must be finite and within ±1e18; repair or rescale the model")]
    TextCoordinateOutOfRange {
        /// Word in the file.
        found: String,
    },
    /// A coordinate in a binary file that is NaN, infinite or too large.
    #[error("coordinate {value:?} must be finite and within ±1e18; repair or rescale the model")]
    CoordinateOutOfRange {
        /// Value in the file.
        value: f32,
    },
    /// A face with fewer than 3 vertices.
    #[error("a face needs at least 3 vertices, this one has {vertices}")]
    FaceTooSmall {
        /// Number of its vertices.
        vertices: u64,
    },
    /// The last triangle of a triangle text is incomplete.
    #[error("the last triangle has {numbers} of its 9 numbers; the file may be truncated")]
    IncompleteTriangle {
        /// Numbers it has.
        numbers: usize,
    },
    /// The parsed vertices and triangles are not a valid mesh.
    #[error(transparent)]
    Invalid(#[from] MeshValidationError),
    /// Specific to OBJ.
    #[error(transparent)]
    Obj(#[from] ObjError),
    /// Specific to STL.
    #[error(transparent)]
    Stl(#[from] StlError),
    /// Specific to PLY.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// Specific to glTF and GLB.
    #[error(transparent)]
    Gltf(#[from] GltfError),
}

impl MeshFormatError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "mesh.empty-file",
            Self::Folder => "mesh.folder",
            Self::NotRegularFile => "mesh.not-regular-file",
            Self::AllocationFailed { .. } => "mesh.allocation-failed",
            Self::Gzip { .. } => "mesh.gzip-corrupt",
            Self::NestedGzip => "mesh.gzip-nested",
            Self::NotTriangleText { .. } => "mesh.not-triangle-text",
            Self::NotANumber { .. } => "mesh.not-a-number",
            Self::NotAnInteger { .. } => "mesh.not-an-integer",
            Self::TextCoordinateOutOfRange { .. } => "mesh.text-coordinate-out-of-range",
            Self::CoordinateOutOfRange { .. } => "mesh.coordinate-out-of-range",
            Self::FaceTooSmall { .. } => "mesh.face-too-small",
            Self::IncompleteTriangle { .. } => "mesh.incomplete-triangle",
            Self::Invalid(error) => error.code(),
            Self::Obj(error) => error.code(),
            Self::Stl(error) => error.code(),
            Self::Ply(error) => error.code(),
            Self::Gltf(error) => error.code(),
        }
    }
}
