//! Errors of OBJ files.

/// Defect in the content of an OBJ file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias = "ObjFault")]
pub enum ObjError {
    /// An unknown keyword in a file without vertices.
    #[error("`{found}` is not an OBJ keyword, and the file has no vertices")]
    UnknownKeyword {
        /// Word in the file.
        found: String,
    },
    /// A vertex with fewer than 3 coordinates.
    #[error("a vertex needs x, y and z, this one has {coordinates}")]
    VertexTooShort {
        /// Coordinates it has.
        coordinates: usize,
    },
    /// A vertex with more than 7 numbers.
    #[error("a vertex has at most x y z, a weight and a color")]
    VertexTooLong,
    /// A vertex of a face that is not in one of the four notations.
    #[error("`{found}` is not a face vertex such as 1, 1/2, 1//3 or 1/2/3")]
    FaceVertexSyntax {
        /// Word in the file.
        found: String,
    },
    /// A face with vertex index 0.
    #[error("a face refers to vertex 0, but OBJ counts vertices from 1")]
    IndexZero,
    /// A face with a positive index beyond the last vertex.
    #[error("a face refers to vertex {index}, but the file has {vertices}")]
    IndexOutOfRange {
        /// Index in the file, counted from 1.
        index: i64,
        /// Number of vertices in the file.
        vertices: u64,
    },
    /// A face with a negative index beyond the first vertex.
    #[error("a face refers to vertex {index}, but only {preceding} come before it")]
    RelativeIndexOutOfRange {
        /// Index in the file; −1 is the latest vertex.
        index: i64,
        /// Number of vertices before the face.
        preceding: u64,
    },
}

impl ObjError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownKeyword { .. } => "mesh.obj.unknown-keyword",
            Self::VertexTooShort { .. } => "mesh.obj.vertex-too-short",
            Self::VertexTooLong => "mesh.obj.vertex-too-long",
            Self::FaceVertexSyntax { .. } => "mesh.obj.face-vertex-syntax",
            Self::IndexZero => "mesh.obj.index-zero",
            Self::IndexOutOfRange { .. } => "mesh.obj.index-out-of-range",
            Self::RelativeIndexOutOfRange { .. } => "mesh.obj.relative-index-out-of-range",
        }
    }
}
