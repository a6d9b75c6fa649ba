//! STL files that lie.

use super::{Hostile, LARGE};

pub(super) const SOUND_TEXT: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n\
    vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

const CUT: &str = "the file ends before endsolid; it is truncated";
const RANGE: &str = "must be finite and within ±1e18; repair or rescale the model";

/// A binary STL whose header claims `count` triangles.
pub(super) fn binary(count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(count.to_le_bytes());
    for corners in triangles {
        bytes.extend([0; 12]);
        bytes.extend(corners.iter().flatten().flat_map(|c| c.to_le_bytes()));
        bytes.extend([0, 0]);
    }
    bytes
}

/// No two corners alike, so that nothing is shared.
fn apart(count: usize) -> Vec<[[f32; 3]; 3]> {
    let corner = |number: usize| [number as f32, (number >> 20) as f32, 0.0];
    (0..count).map(|triangle| [0, 1, 2].map(|c| corner(triangle * 3 + c))).collect()
}

fn size_message(count: u32, size: u64, found: usize) -> String {
    format!(
        ", byte 80: the header declares {count} triangles, a binary STL of {size} bytes, \
         but the file has {found}; export it again"
    )
}

pub(super) const FILES: &[fn() -> Hostile] = &[
    || {
        Hostile::error(
            "claims-all.stl",
            binary(u32::MAX, &[]),
            &size_message(u32::MAX, 214748364834, 84),
        )
    },
    || Hostile::error("one-missing.stl", binary(2, &apart(1)), &size_message(2, 184, 134)),
    || {
        let mut bytes = binary(1, &apart(1));
        bytes.push(0);
        Hostile::error("one-byte-more.stl", bytes, &size_message(1, 134, 135))
    },
    || {
        let message = ", byte 83: a binary STL has a header of 84 bytes; the file is truncated";
        Hostile::error("cut-header.stl", vec![0; 83], message)
    },
    || {
        let message = format!(", byte 112: coordinate NaN {RANGE}");
        let bytes = binary(1, &[[[0.0; 3], [0.0, f32::NAN, 0.0], [0.0; 3]]]);
        Hostile::error("nan.stl", bytes, &message)
    },
    || {
        let message = format!(", byte 96: coordinate 3.4028235e38 {RANGE}");
        Hostile::error("too-far.stl", binary(1, &[[[f32::MAX; 3]; 3]]), &message)
    },
    // Begins like text; its size says otherwise.
    || {
        let mut bytes = binary(1, &apart(1));
        bytes[..5].copy_from_slice(b"solid");
        Hostile::mesh("says-solid.stl", bytes, 3, 1)
    },
    || Hostile::mesh("no-triangles.stl", binary(0, &[]), 0, 0),
    || Hostile::mesh("degenerate.stl", binary(2, &[[[1.0; 3]; 3]; 2]), 1, 2),
    || {
        let count = LARGE / 50;
        Hostile::mesh("apart.stl", binary(count as u32, &apart(count)), count * 3, count)
    },
    // assimp issue 4304: text by its first word, anything after it.
    || {
        let message = ", line 2: expected facet or endsolid, found `\u{fffd}\u{fffd}\u{fffd}`";
        Hostile::error("solid-noise.stl", b"solid x\n\xff\xfe\xfd\n".to_vec(), message)
    },
    || Hostile::error("cut-text.stl", &SOUND_TEXT[..60], &format!(", line 5: {CUT}")),
    || Hostile::error("only-solid.stl", "solid", &format!(", line 1: {CUT}")),
    || {
        Hostile::error(
            "endless-name.stl",
            format!("solid {}", "x".repeat(LARGE)),
            &format!(", line 1: {CUT}"),
        )
    },
    || {
        let text = SOUND_TEXT.replace("endloop", "vertex 1 1 1\nendloop");
        Hostile::error("four-corners.stl", text, ", line 7: expected endloop, found `vertex`")
    },
    || {
        let text = SOUND_TEXT.replace("vertex 1 0 0", "vertex 1 0 nan");
        Hostile::error("nan-text.stl", text, &format!(", line 5: coordinate `nan` {RANGE}"))
    },
    // Exporters do write these, where a triangle has no area.
    || Hostile::mesh("nan-normal.stl", SOUND_TEXT.replace("0 0 1\n", "nan -nan(ind) inf\n"), 3, 1),
    || {
        let facet = |[a, b, c]: [[f32; 3]; 3]| {
            let [a, b, c] = [a, b, c].map(|[x, y, z]| format!("vertex {x} {y} {z} "));
            format!("facet normal 0 0 0 outer loop {a}{b}{c}endloop endfacet ")
        };
        let count = LARGE / 100;
        let facets: String = apart(count).into_iter().map(facet).collect();
        Hostile::mesh("apart-text.stl", format!("solid\n{facets}endsolid"), count * 3, count)
    },
];
