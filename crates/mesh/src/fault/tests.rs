//! Every fault has its own code, and a message of one line.

use std::collections::BTreeSet;
use std::io;

use crate::fault::{GltfFault, MeshFault, ObjFault, PlyFault, StlFault};
use crate::{Limit, MemoryUsage, MeshError, MeshValidationError, SourceLocation};

fn text() -> String {
    "x".to_owned()
}

fn common() -> Vec<MeshFault> {
    vec![
        MeshFault::Empty,
        MeshFault::Folder,
        MeshFault::NotRegularFile,
        MeshFault::AllocationFailed { bytes: 1 },
        MeshFault::Gzip { cause: text() },
        MeshFault::NestedGzip,
        MeshFault::NotANumber { found: text() },
        MeshFault::NotAnInteger { found: text() },
        MeshFault::TextCoordinateOutOfRange { found: text() },
        MeshFault::CoordinateOutOfRange { value: 1e19 },
        MeshFault::FaceTooSmall { vertices: 2 },
        MeshFault::IncompleteTriangle { numbers: 8 },
        MeshValidationError::Coordinate { vertex: 0, value: 1e19 }.into(),
        MeshValidationError::Index { triangle: 0, index: 3, vertices: 3 }.into(),
        MeshValidationError::Positions { given: 2, vertices: 3 }.into(),
        MeshValidationError::TooMany { count: 1 << 33 }.into(),
        ObjFault::UnknownKeyword { found: text() }.into(),
        ObjFault::VertexTooShort { coordinates: 2 }.into(),
        ObjFault::VertexTooLong.into(),
        ObjFault::FaceVertexSyntax { found: text() }.into(),
        ObjFault::IndexZero.into(),
        ObjFault::IndexOutOfRange { index: 4, vertices: 3 }.into(),
        ObjFault::RelativeIndexOutOfRange { index: -4, preceding: 3 }.into(),
        StlFault::TextTruncated.into(),
        StlFault::UnexpectedWord { expected: "loop", found: text() }.into(),
        StlFault::HeaderTruncated.into(),
        StlFault::SizeMismatch { triangles: 1, expected: 134, found: 133 }.into(),
    ]
}

fn ply() -> Vec<MeshFault> {
    let element = text;
    let faults = [
        PlyFault::NoMagic,
        PlyFault::HeaderTruncated,
        PlyFault::NoFormat,
        PlyFault::UnknownFormat { found: text() },
        PlyFault::UnknownKeyword { found: text() },
        PlyFault::TooManyDeclarations { max: 1000 },
        PlyFault::DuplicateElement { element: element() },
        PlyFault::DuplicateProperty { property: text() },
        PlyFault::PropertyWithoutElement,
        PlyFault::IncompleteElement,
        PlyFault::NegativeCount,
        PlyFault::IncompleteProperty,
        PlyFault::UnknownType { found: text() },
        PlyFault::FloatListCount,
        PlyFault::TooManyRows { element: element(), rows: 9, needed: 108, left: 0 },
        PlyFault::NoCoordinate { axis: 'x' },
        PlyFault::FloatIndices { element: element() },
        PlyFault::NoIndices { element: element() },
        PlyFault::DuplicateIndices { element: element() },
        PlyFault::IndexOutOfRange { index: 3, vertices: 3 },
        PlyFault::NegativeListLength { length: -1 },
        PlyFault::RowsTruncated,
        PlyFault::IntegerRequired,
    ];
    faults.map(MeshFault::from).into()
}

fn gltf() -> Vec<MeshFault> {
    let uri = text;
    let faults = [
        GltfFault::HeaderTruncated,
        GltfFault::GlbVersion { version: 1 },
        GltfFault::GlbLength { declared: 3, found: 20 },
        GltfFault::FirstChunkNotJson,
        GltfFault::ChunkHeaderTruncated,
        GltfFault::ChunkTruncated { declared: 9, left: 8 },
        GltfFault::DelCharacter,
        GltfFault::Json { column: Some(1), message: text() },
        GltfFault::Version { found: text() },
        GltfFault::RequiredExtension { extension: text() },
        GltfFault::NoSuchObject { kind: "mesh", index: 1, count: 1 },
        GltfFault::NoSuchBuffer { view: 0, buffer: 1, count: 1 },
        GltfFault::ViewOutOfBounds { view: 0, bytes: 48 },
        GltfFault::StrideTooSmall { view: 0, stride: 4, size: 12 },
        GltfFault::ElementsOutOfBounds { view: 0, bytes: 48, offset: 0, count: 5 },
        GltfFault::ComponentType { code: 0 },
        GltfFault::SparseIndexType,
        GltfFault::SparseIndexOutOfRange { position: 0, index: 3, count: 3 },
        GltfFault::SparseIndexOrder { position: 1 },
        GltfFault::IndexType,
        GltfFault::PositionType,
        GltfFault::NoBufferSource,
        GltfFault::BufferTruncated { found: 48, declared: 49 },
        GltfFault::NotBase64 { uri: uri() },
        GltfFault::InvalidBase64 { cause: text() },
        GltfFault::ExternalBuffer { uri: uri() },
        GltfFault::BufferUnreadable { uri: uri(), cause: text() },
        GltfFault::BufferFile { uri: uri(), fault: Box::new(MeshFault::Folder) },
        GltfFault::OutsideFolder { uri: uri() },
        GltfFault::PercentEscape { uri: uri() },
        GltfFault::Mode { mode: 7 },
        GltfFault::PartialTriangle { vertices: 4 },
        GltfFault::IndexOutOfRange { position: 0, vertex: 3, vertices: 3 },
        GltfFault::VertexOutOfRange { vertex: 0, value: 1e19 },
        GltfFault::NoSuchNode { nodes: 1 },
        GltfFault::NodeReachedTwice,
        GltfFault::NestingTooDeep { max: 1024 },
    ];
    faults.map(MeshFault::from).into()
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
    errors.extend([common(), ply(), gltf()].concat().into_iter().map(|fault| {
        MeshError::Malformed { file: file(), location: SourceLocation::Whole, fault }
    }));
    let codes: BTreeSet<_> = errors.iter().map(MeshError::code).collect();
    assert_eq!(codes.len(), errors.len());
    for error in errors {
        assert!(error.code().starts_with("mesh."), "{}", error.code());
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}
