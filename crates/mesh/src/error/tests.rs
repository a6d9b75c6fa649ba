//! Every error has its own code, and a message of one line.

use std::collections::BTreeSet;
use std::io;

use crate::error::{
    GltfError, MeshFormatError, ObjError, ParseError, PlyError, StlError, excerpt, line_number,
};
use crate::{Limit, MemoryUsage, MeshError, MeshValidationError, SourceLocation};

fn text() -> String {
    "x".to_owned()
}

fn common() -> Vec<MeshFormatError> {
    vec![
        MeshFormatError::Empty,
        MeshFormatError::Folder,
        MeshFormatError::NotRegularFile,
        MeshFormatError::AllocationFailed { bytes: 1 },
        MeshFormatError::Gzip { cause: text() },
        MeshFormatError::NestedGzip,
        MeshFormatError::NotTriangleText { found: text() },
        MeshFormatError::NotANumber { found: text() },
        MeshFormatError::NotAnInteger { found: text() },
        MeshFormatError::TextCoordinateOutOfRange { found: text() },
        MeshFormatError::CoordinateOutOfRange { value: 1e19 },
        MeshFormatError::FaceTooSmall { vertices: 2 },
        MeshFormatError::IncompleteTriangle { numbers: 8 },
        MeshValidationError::Coordinate { vertex: 0, value: 1e19 }.into(),
        MeshValidationError::Index { triangle: 0, index: 3, vertices: 3 }.into(),
        MeshValidationError::Positions { given: 2, vertices: 3 }.into(),
        MeshValidationError::TooMany { count: 1 << 33 }.into(),
        ObjError::UnknownKeyword { found: text() }.into(),
        ObjError::VertexTooShort { coordinates: 2 }.into(),
        ObjError::VertexTooLong.into(),
        ObjError::FaceVertexSyntax { found: text() }.into(),
        ObjError::IndexZero.into(),
        ObjError::IndexOutOfRange { index: 4, vertices: 3 }.into(),
        ObjError::RelativeIndexOutOfRange { index: -4, preceding: 3 }.into(),
        StlError::TextTruncated.into(),
        StlError::UnexpectedWord { expected: "loop", found: text() }.into(),
        StlError::HeaderTruncated.into(),
        StlError::SizeMismatch { triangles: 1, expected: 134, found: 133 }.into(),
    ]
}

fn ply() -> Vec<MeshFormatError> {
    let element = text;
    let errors = [
        PlyError::NoMagic,
        PlyError::HeaderTruncated,
        PlyError::NoFormat,
        PlyError::UnknownFormat { found: text() },
        PlyError::UnknownKeyword { found: text() },
        PlyError::TooManyDeclarations { max: 1000 },
        PlyError::DuplicateElement { element: element() },
        PlyError::DuplicateProperty { property: text() },
        PlyError::PropertyWithoutElement,
        PlyError::IncompleteElement,
        PlyError::NegativeCount,
        PlyError::IncompleteProperty,
        PlyError::UnknownType { found: text() },
        PlyError::FloatListCount,
        PlyError::TooManyRows { element: element(), rows: 9, needed: 108, left: 0 },
        PlyError::NoCoordinate { axis: 'x' },
        PlyError::FloatIndices { element: element() },
        PlyError::NoIndices { element: element() },
        PlyError::DuplicateIndices { element: element() },
        PlyError::IndexOutOfRange { index: 3, vertices: 3 },
        PlyError::NegativeListLength { length: -1 },
        PlyError::RowsTruncated,
        PlyError::IntegerRequired,
    ];
    errors.map(MeshFormatError::from).into()
}

fn gltf() -> Vec<MeshFormatError> {
    let uri = text;
    let errors = [
        GltfError::HeaderTruncated,
        GltfError::GlbVersion { version: 1 },
        GltfError::GlbLength { declared: 3, found: 20 },
        GltfError::FirstChunkNotJson,
        GltfError::ChunkHeaderTruncated,
        GltfError::ChunkTruncated { declared: 9, left: 8 },
        GltfError::DelCharacter,
        GltfError::Json { column: Some(1), message: text() },
        GltfError::Version { found: text() },
        GltfError::RequiredExtension { extension: text() },
        GltfError::NoSuchObject { kind: "mesh", index: 1, count: 1 },
        GltfError::NoSuchBuffer { view: 0, buffer: 1, count: 1 },
        GltfError::ViewOutOfBounds { view: 0, bytes: 48 },
        GltfError::StrideTooSmall { view: 0, stride: 4, size: 12 },
        GltfError::ElementsOutOfBounds { view: 0, bytes: 48, offset: 0, count: 5 },
        GltfError::ComponentType { code: 0 },
        GltfError::SparseIndexType,
        GltfError::SparseIndexOutOfRange { position: 0, index: 3, count: 3 },
        GltfError::SparseIndexOrder { position: 1 },
        GltfError::IndexType,
        GltfError::PositionType,
        GltfError::NoBufferSource,
        GltfError::BufferTruncated { found: 48, declared: 49 },
        GltfError::NotBase64 { uri: uri() },
        GltfError::InvalidBase64 { cause: text() },
        GltfError::ExternalBuffer { uri: uri() },
        GltfError::BufferUnreadable { uri: uri(), cause: text() },
        GltfError::BufferFile { uri: uri(), error: Box::new(MeshFormatError::Folder) },
        GltfError::OutsideFolder { uri: uri() },
        GltfError::PercentEscape { uri: uri() },
        GltfError::Mode { mode: 7 },
        GltfError::PartialTriangle { vertices: 4 },
        GltfError::IndexOutOfRange { position: 0, vertex: 3, vertices: 3 },
        GltfError::VertexOutOfRange { vertex: 0, value: 1e19 },
        GltfError::NoSuchNode { nodes: 1 },
        GltfError::NodeReachedTwice,
        GltfError::NestingTooDeep { max: 1024 },
    ];
    errors.map(MeshFormatError::from).into()
}

#[test]
fn codes_are_unique_and_messages_are_one_line() {
    let file = text;
    let mut errors = vec![
        MeshError::Unreadable { file: file(), cause: io::Error::other("x") },
        MeshError::UnknownFormat { file: file() },
        MeshError::OverLimit { file: file(), limit: Limit::Bytes, found: 2, allowed: 1 },
        MeshError::OverMemory { file: file(), usage: MemoryUsage::Json, needed: 2, allowed: 1 },
    ];
    errors.extend([common(), ply(), gltf()].concat().into_iter().map(|error| {
        MeshError::Malformed { file: file(), location: SourceLocation::Whole, error }
    }));
    let codes: BTreeSet<_> = errors.iter().map(MeshError::code).collect();
    assert_eq!(codes.len(), errors.len());
    for error in errors {
        assert!(error.code().starts_with("mesh."), "{}", error.code());
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

#[test]
fn control_characters_in_names_and_excerpts_are_escaped() {
    let error = MeshFormatError::NotANumber { found: excerpt(b"a\nb\x1b[31m") };
    let error = ParseError::whole(error).in_file("x\ny.obj", b"");
    assert_eq!(error.to_string(), "x\\ny.obj: `a\\nb\\u{1b}[31m` is not a number");
}

#[test]
fn excerpt_is_cut_at_40_characters_and_accepts_invalid_utf8() {
    assert_eq!(excerpt(&[b'x'; 41]), format!("{}…", "x".repeat(40)));
    assert_eq!(excerpt(&[b'x'; 40]), "x".repeat(40));
    assert_eq!(excerpt(b"\xff\xfe"), "\u{fffd}\u{fffd}");
}

#[test]
fn lines_are_counted_by_line_feed_or_else_by_carriage_return() {
    assert_eq!(line_number(b"a\r\nb\r\nc", 6), 3);
    assert_eq!(line_number(b"a\rb\rc", 4), 3);
    assert_eq!(line_number(b"", 9), 1);
}
