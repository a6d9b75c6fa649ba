//! Hostile gzip files. The test compresses the content, except where the gzip itself is corrupt.

use embate_mesh::Limits;

use super::{HostileFile, LoadOutcome, obj, text};

const CORRUPT_GZIP: &str = ": the gzip is corrupt or truncated: ";
const UNKNOWN_FORMAT: &str = ": unknown mesh format; supported are OBJ, STL, PLY, glTF, GLB and \
    triangle text (nine numbers per triangle)";

/// Gzip of an empty file: 20 bytes.
const EMPTY: [u8; 20] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

pub(super) const FILES: &[fn() -> HostileFile] = &[
    || HostileFile::mesh("valid.obj.gz", obj::VALID, 4, 3).packed(),
    || HostileFile::mesh("no-extension", text::VALID, 5, 2).packed(),
    // 64 kB on disk. Rejected by format detection.
    || HostileFile::error("zeros.obj.gz", vec![0; 64 << 20], UNKNOWN_FORMAT).packed(),
    || {
        let message = ": 1000001 bytes, more than the limit of 1000000; raise \
            `Limits::max_bytes` if you trust the file";
        HostileFile::error("comment.obj.gz", format!("v 0 0 0\n#{}", "#".repeat(64 << 20)), message)
            .packed()
            .with_limits(Limits { max_bytes: 1_000_000, ..Limits::default() })
    },
    || {
        HostileFile::error(
            "twice.obj.gz",
            EMPTY,
            ": a gzip within a gzip; decompress it once first",
        )
        .packed()
    },
    || {
        HostileFile::error(
            "nothing.obj.gz",
            EMPTY,
            ": is empty; name a file with a mesh, or write this one again",
        )
        .with_uncompressed_size(0)
    },
    // 200,000 empty gzip members: the compressed data must not be kept in memory.
    || {
        HostileFile::error(
            "nothings.obj.gz",
            EMPTY.repeat(200_000),
            ": is empty; name a file with a mesh, or write this one again",
        )
        .with_uncompressed_size(0)
    },
    || {
        HostileFile::new("magic.obj.gz", [0x1f, 0x8b], LoadOutcome::ErrorPrefix(CORRUPT_GZIP))
            .with_uncompressed_size(0)
    },
    || {
        HostileFile::new("cut.obj.gz", &EMPTY[..12], LoadOutcome::ErrorPrefix(CORRUPT_GZIP))
            .with_uncompressed_size(0)
    },
    || {
        let mut bytes = EMPTY;
        bytes[12] = 1;
        HostileFile::new("checksum.obj.gz", bytes, LoadOutcome::ErrorPrefix(CORRUPT_GZIP))
            .with_uncompressed_size(0)
    },
    // A file name of 4 MB in the gzip header.
    || {
        let mut bytes = EMPTY.to_vec();
        bytes[3] = 8;
        bytes.splice(10..10, vec![b'n'; 4 << 20]);
        HostileFile::new("long-name.obj.gz", bytes, LoadOutcome::ErrorPrefix(CORRUPT_GZIP))
            .with_uncompressed_size(0)
    },
];
