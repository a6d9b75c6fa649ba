//! Gzips that lie. What they hold is packed by the test, save where the gzip itself is the trap.

use embate_mesh::Limits;

use super::{Answer, Hostile, obj, text};

const DAMAGED: &str = ": the gzip is corrupt or truncated: ";
const UNKNOWN: &str = ": unknown mesh format; supported are OBJ, STL, PLY, glTF, GLB and triangle text (nine numbers per triangle)";

/// A gzip of nothing: 20 bytes that unpack to none.
const EMPTY: [u8; 20] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

pub(super) const FILES: &[fn() -> Hostile] = &[
    || Hostile::mesh("sound.obj.gz", obj::SOUND, 4, 3).packed(),
    || Hostile::mesh("no-extension", text::SOUND, 5, 2).packed(),
    // 64 kB on disk; refused at first look.
    || Hostile::error("zeros.obj.gz", vec![0; 64 << 20], UNKNOWN).packed(),
    || {
        let message = ": 1000001 bytes, more than the limit of 1000000; raise it with --max-bytes if you trust the file";
        Hostile::error("comment.obj.gz", format!("v 0 0 0\n#{}", "#".repeat(64 << 20)), message)
            .packed()
            .limited(Limits { max_bytes: 1_000_000, ..Limits::default() })
    },
    || {
        Hostile::error("twice.obj.gz", EMPTY, ": a gzip within a gzip; decompress it once first")
            .packed()
    },
    || Hostile::error("nothing.obj.gz", EMPTY, ": is empty").unpacks_to(0),
    // Nothing, 200 thousand times: what is packed must not be held.
    || Hostile::error("nothings.obj.gz", EMPTY.repeat(200_000), ": is empty").unpacks_to(0),
    || Hostile::new("magic.obj.gz", [0x1f, 0x8b], Answer::ErrorBeginning(DAMAGED)).unpacks_to(0),
    || Hostile::new("cut.obj.gz", &EMPTY[..12], Answer::ErrorBeginning(DAMAGED)).unpacks_to(0),
    || {
        let mut bytes = EMPTY;
        bytes[12] = 1;
        Hostile::new("checksum.obj.gz", bytes, Answer::ErrorBeginning(DAMAGED)).unpacks_to(0)
    },
    // A file name of four megabytes in the gzip's own header.
    || {
        let mut bytes = EMPTY.to_vec();
        bytes[3] = 8;
        bytes.splice(10..10, vec![b'n'; 4 << 20]);
        Hostile::new("long-name.obj.gz", bytes, Answer::ErrorBeginning(DAMAGED)).unpacks_to(0)
    },
];
