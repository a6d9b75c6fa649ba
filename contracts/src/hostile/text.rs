//! Hostile triangle text, and files of unknown format.

use super::{HostileFile, LARGE_FILE_BYTES};

pub(super) const VALID: &str = "0 0 0 1 0 0 0 1 0\n1 0 0 1 1 0 0 1 .5e0\n";

const UNKNOWN_FORMAT: &str = ": unknown mesh format; supported are OBJ, STL, PLY, glTF, GLB and \
    triangle text (nine numbers per triangle)";

pub(super) const FILES: &[fn() -> HostileFile] = &[
    || {
        HostileFile::error(
            "empty.obj",
            "",
            ": is empty; name a file with a mesh, or write this one again",
        )
    },
    || HostileFile::error("space.txt", " \n", UNKNOWN_FORMAT),
    || HostileFile::error("one-byte.ply", "p", UNKNOWN_FORMAT),
    || HostileFile::error("zeros.obj", vec![0; 4096], UNKNOWN_FORMAT),
    || {
        let wide: Vec<u8> = "v 0 0 0\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        HostileFile::error("utf-16.obj", [b"\xff\xfe", &wide[..]].concat(), UNKNOWN_FORMAT)
    },
    || HostileFile::error("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), UNKNOWN_FORMAT),
    || {
        let message =
            ", line 1: the last triangle has 8 of its 9 numbers; the file may be truncated";
        HostileFile::error("eight.txt", "0 0 0 1 0 0 0 1\n", message)
    },
    || {
        let message =
            ", line 2: the last triangle has 1 of its 9 numbers; the file may be truncated";
        HostileFile::error("ten.txt", "0 0 0 1 0 0 0 1 0\n7\n\n", message)
    },
    || HostileFile::error("word.txt", "0 0 0 1 0 zero 0 1 0\n", ", line 1: `zero` is not a number"),
    || {
        let message = ", line 1: coordinate `nan` must be finite and within ±1e18; repair or \
            rescale the model";
        HostileFile::error("nan.txt", "nan 0 0 1 0 0 0 1 0\n", message)
    },
    || HostileFile::error("hex.txt", "0x10 0 0 1 0 0 0 1 0\n", ", line 1: `0x10` is not a number"),
    || {
        let count = LARGE_FILE_BYTES / 18;
        HostileFile::mesh("one-point.txt", "0 0 0 0 0 0 0 0 0\n".repeat(count), 1, count)
    },
    // Unshared vertices in as few bytes as possible.
    || {
        let count = LARGE_FILE_BYTES / 30;
        let lines: Vec<_> = (0..3 * count)
            .map(|i| format!("{} {} {}\n", i % 100, i / 100 % 100, i / 10_000))
            .collect();
        HostileFile::mesh("unshared.txt", lines.concat(), 3 * count, count)
    },
    || {
        HostileFile::error(
            "digits.txt",
            "1".repeat(LARGE_FILE_BYTES),
            &format!(
                ", line 1: coordinate `{}…` must be finite and within ±1e18; repair or rescale \
                 the model",
                "1".repeat(40)
            ),
        )
    },
];
