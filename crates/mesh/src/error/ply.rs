//! Errors of PLY files.

/// Defect in the content of a PLY file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias = "PlyFault")]
pub enum PlyError {
    /// The first line is not `ply`.
    #[error("a PLY file must start with the line `ply`")]
    NoMagic,
    /// The header does not end.
    #[error("the header has no end_header; the file may be truncated")]
    HeaderTruncated,
    /// The header has no `format` line.
    #[error("the header has no format line")]
    NoFormat,
    /// The encoding is unknown.
    #[error(
        "`{found}` is not a PLY format; it must be ascii, binary_little_endian or binary_big_endian"
    )]
    UnknownFormat {
        /// Word in the file.
        found: String,
    },
    /// A header line with an unknown keyword.
    #[error("`{found}` is not a keyword of a PLY header")]
    UnknownKeyword {
        /// Word in the file.
        found: String,
    },
    /// Too many elements and properties.
    #[error("more than {max} elements and properties")]
    TooManyDeclarations {
        /// Maximum number of both together.
        max: usize,
    },
    /// Two elements with the same name.
    #[error("element `{element}` is declared twice")]
    DuplicateElement {
        /// Name of the element.
        element: String,
    },
    /// Two properties of an element with the same name.
    #[error("property `{property}` is declared twice")]
    DuplicateProperty {
        /// Name of the property.
        property: String,
    },
    /// A property before the first element.
    #[error("a property is declared before any element")]
    PropertyWithoutElement,
    /// An element without name or count.
    #[error("an element needs a name and a count")]
    IncompleteElement,
    /// An element with a negative count.
    #[error("an element cannot have fewer than 0 rows")]
    NegativeCount,
    /// A property without type or name.
    #[error("a property needs a type and a name, a list also the type of its count")]
    IncompleteProperty,
    /// An unknown scalar type.
    #[error("`{found}` is not a PLY type")]
    UnknownType {
        /// Word in the file.
        found: String,
    },
    /// A list whose count is a float.
    #[error("the count of a list must be a whole number")]
    FloatListCount,
    /// An element with more rows than the rest of the file can contain.
    #[error(
        "the header declares {rows} rows of `{element}`, at least {needed} bytes, but {left} are \
         left; the file is truncated or its header wrong"
    )]
    TooManyRows {
        /// Name of the element.
        element: String,
        /// Number of rows declared.
        rows: u64,
        /// Least number of bytes for that many rows.
        needed: u64,
        /// Bytes left in the file.
        left: u64,
    },
    /// Vertices without one of their coordinates.
    #[error("the vertices have no property {axis}")]
    NoCoordinate {
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// Faces whose vertex indices are floats.
    #[error("the vertex indices of `{element}` must be whole numbers")]
    FloatIndices {
        /// Name of the element.
        element: String,
    },
    /// Faces without vertex indices.
    #[error("`{element}` has no list vertex_indices")]
    NoIndices {
        /// Name of the element.
        element: String,
    },
    /// Faces with two lists of vertex indices.
    #[error("`{element}` has two lists of vertex indices")]
    DuplicateIndices {
        /// Name of the element.
        element: String,
    },
    /// A face with an index beyond the last vertex.
    #[error("a face refers to vertex {index}, but there are {vertices}, counted from 0")]
    IndexOutOfRange {
        /// Index in the file, counted from 0.
        index: i64,
        /// Number of vertices.
        vertices: u64,
    },
    /// A list with a negative length.
    #[error("a list cannot have {length} items")]
    NegativeListLength {
        /// Length in the file.
        length: i64,
    },
    /// The file ends within its rows.
    #[error("the file ends within its rows; it is truncated or its header declares too many")]
    RowsTruncated,
    /// A float where an integer is required.
    #[error("a whole number is required here")]
    IntegerRequired,
}

impl PlyError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoMagic => "mesh.ply.no-magic",
            Self::HeaderTruncated => "mesh.ply.header-truncated",
            Self::NoFormat => "mesh.ply.no-format",
            Self::UnknownFormat { .. } => "mesh.ply.unknown-format",
            Self::UnknownKeyword { .. } => "mesh.ply.unknown-keyword",
            Self::TooManyDeclarations { .. } => "mesh.ply.too-many-declarations",
            Self::DuplicateElement { .. } => "mesh.ply.duplicate-element",
            Self::DuplicateProperty { .. } => "mesh.ply.duplicate-property",
            Self::PropertyWithoutElement => "mesh.ply.property-without-element",
            Self::IncompleteElement => "mesh.ply.incomplete-element",
            Self::NegativeCount => "mesh.ply.negative-count",
            Self::IncompleteProperty => "mesh.ply.incomplete-property",
            Self::UnknownType { .. } => "mesh.ply.unknown-type",
            Self::FloatListCount => "mesh.ply.float-list-count",
            Self::TooManyRows { .. } => "mesh.ply.too-many-rows",
            Self::NoCoordinate { .. } => "mesh.ply.no-coordinate",
            Self::FloatIndices { .. } => "mesh.ply.float-indices",
            Self::NoIndices { .. } => "mesh.ply.no-indices",
            Self::DuplicateIndices { .. } => "mesh.ply.duplicate-indices",
            Self::IndexOutOfRange { .. } => "mesh.ply.index-out-of-range",
            Self::NegativeListLength { .. } => "mesh.ply.negative-list-length",
            Self::RowsTruncated => "mesh.ply.rows-truncated",
            Self::IntegerRequired => "mesh.ply.integer-required",
        }
    }
}
