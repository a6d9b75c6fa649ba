//! Errors of STL files.

/// Defect in the content of an STL file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias = "StlFault")]
pub enum StlError {
    /// A text file without `endsolid`.
    #[error("the file ends before endsolid; it is truncated")]
    TextTruncated,
    /// A text file with a word other than the expected keyword.
    #[error("expected {expected}, found `{found}`")]
    UnexpectedWord {
        /// Keywords allowed there, joined by ` or `.
        expected: &'static str,
        /// Word in the file.
        found: String,
    },
    /// A binary file shorter than its header.
    #[error(
        "a binary STL has a header of {} bytes; the file is truncated",
        crate::stl::HEADER_BYTES
    )]
    HeaderTruncated,
    /// A binary file whose size does not match its triangle count.
    #[error(
        "the header declares {triangles} triangles, a binary STL of {expected} bytes, but the \
         file has {found}; export it again"
    )]
    SizeMismatch {
        /// Triangles according to the header.
        triangles: u32,
        /// File size for that many triangles, in bytes.
        expected: u64,
        /// File size in bytes.
        found: u64,
    },
}

impl StlError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TextTruncated => "mesh.stl.text-truncated",
            Self::UnexpectedWord { .. } => "mesh.stl.unexpected-word",
            Self::HeaderTruncated => "mesh.stl.header-truncated",
            Self::SizeMismatch { .. } => "mesh.stl.size-mismatch",
        }
    }
}
