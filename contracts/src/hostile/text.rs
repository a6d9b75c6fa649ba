//! Files of numbers, and files that are nothing.

use super::{Hostile, LARGE};

pub(super) const SOUND: &str = "0 0 0 1 0 0 0 1 0\n1 0 0 1 1 0 0 1 .5e0\n";

const UNKNOWN: &str = ": unknown mesh format; supported are OBJ, STL, PLY, glTF, GLB and triangle text (nine numbers per triangle)";

pub(super) const FILES: &[fn() -> Hostile] = &[
    || Hostile::error("empty.obj", "", ": is empty"),
    || Hostile::error("space.txt", " \n", UNKNOWN),
    || Hostile::error("one-byte.ply", "p", UNKNOWN),
    || Hostile::error("zeros.obj", vec![0; 4096], UNKNOWN),
    || {
        let wide: Vec<u8> = "v 0 0 0\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        Hostile::error("utf-16.obj", [b"\xff\xfe", &wide[..]].concat(), UNKNOWN)
    },
    || Hostile::error("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), UNKNOWN),
    || {
        let message =
            ", line 1: the last triangle has 8 of its 9 numbers; the file may be truncated";
        Hostile::error("eight.txt", "0 0 0 1 0 0 0 1\n", message)
    },
    || {
        let message =
            ", line 2: the last triangle has 1 of its 9 numbers; the file may be truncated";
        Hostile::error("ten.txt", "0 0 0 1 0 0 0 1 0\n7\n\n", message)
    },
    || Hostile::error("word.txt", "0 0 0 1 0 zero 0 1 0\n", ", line 1: `zero` is not a number"),
    || {
        let message = ", line 1: coordinate `nan` must be finite and within ±1e18; repair or rescale the model";
        Hostile::error("nan.txt", "nan 0 0 1 0 0 0 1 0\n", message)
    },
    || Hostile::error("hex.txt", "0x10 0 0 1 0 0 0 1 0\n", ", line 1: `0x10` is not a number"),
    || {
        let count = LARGE / 18;
        Hostile::mesh("one-point.txt", "0 0 0 0 0 0 0 0 0\n".repeat(count), 1, count)
    },
    // Three vertices a triangle, none shared, in as few bytes as there can be.
    || {
        let count = LARGE / 30;
        let lines: Vec<_> = (0..3 * count)
            .map(|i| format!("{} {} {}\n", i % 100, i / 100 % 100, i / 10_000))
            .collect();
        Hostile::mesh("apart.txt", lines.concat(), 3 * count, count)
    },
    || {
        Hostile::error(
            "digits.txt",
            "1".repeat(LARGE),
            &format!(
                ", line 1: coordinate `{}…` must be finite and within ±1e18; repair or rescale the model",
                "1".repeat(40)
            ),
        )
    },
];
