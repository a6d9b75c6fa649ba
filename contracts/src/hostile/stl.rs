//! Hostile STL files.

use super::{HostileFile, LARGE_FILE_BYTES};

pub(super) const VALID_ASCII: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n\
    vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

const TRUNCATED: &str = "the file ends before endsolid; it is truncated";
const OUT_OF_RANGE: &str = "must be finite and within ±1e18; repair or rescale the model";

/// A binary STL whose header declares `count` triangles.
pub(super) fn binary(count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(count.to_le_bytes());
    for vertices in triangles {
        bytes.extend([0; 12]);
        bytes.extend(vertices.iter().flatten().flat_map(|c| c.to_le_bytes()));
        bytes.extend([0, 0]);
    }
    bytes
}

/// Triangles without shared vertices.
fn unshared_triangles(count: usize) -> Vec<[[f32; 3]; 3]> {
    let vertex = |number: usize| [number as f32, (number >> 20) as f32, 0.0];
    (0..count).map(|triangle| [0, 1, 2].map(|c| vertex(triangle * 3 + c))).collect()
}

fn size_message(count: u32, size: u64, found: usize) -> String {
    format!(
        ", byte 80: the header declares {count} triangles, a binary STL of {size} bytes, \
         but the file has {found}; export it again"
    )
}

pub(super) const FILES: &[fn() -> HostileFile] = &[
    || {
        HostileFile::error(
            "huge-count.stl",
            binary(u32::MAX, &[]),
            &size_message(u32::MAX, 214748364834, 84),
        )
    },
    || {
        HostileFile::error(
            "one-missing.stl",
            binary(2, &unshared_triangles(1)),
            &size_message(2, 184, 134),
        )
    },
    || {
        let mut bytes = binary(1, &unshared_triangles(1));
        bytes.push(0);
        HostileFile::error("one-byte-more.stl", bytes, &size_message(1, 134, 135))
    },
    || {
        let message = ", byte 83: a binary STL has a header of 84 bytes; the file is truncated";
        HostileFile::error("cut-header.stl", vec![0; 83], message)
    },
    || {
        let message = format!(", byte 112: coordinate NaN {OUT_OF_RANGE}");
        let bytes = binary(1, &[[[0.0; 3], [0.0, f32::NAN, 0.0], [0.0; 3]]]);
        HostileFile::error("nan.stl", bytes, &message)
    },
    || {
        let message = format!(", byte 96: coordinate 3.4028235e38 {OUT_OF_RANGE}");
        HostileFile::error("too-far.stl", binary(1, &[[[f32::MAX; 3]; 3]]), &message)
    },
    // Starts with `solid`, but its size is that of a binary file.
    || {
        let mut bytes = binary(1, &unshared_triangles(1));
        bytes[..5].copy_from_slice(b"solid");
        HostileFile::mesh("binary-starting-with-solid.stl", bytes, 3, 1)
    },
    || HostileFile::mesh("no-triangles.stl", binary(0, &[]), 0, 0),
    || HostileFile::mesh("degenerate.stl", binary(2, &[[[1.0; 3]; 3]; 2]), 1, 2),
    || {
        let count = LARGE_FILE_BYTES / 50;
        HostileFile::mesh(
            "unshared.stl",
            binary(count as u32, &unshared_triangles(count)),
            count * 3,
            count,
        )
    },
    // assimp issue 4304: starts with `solid`, followed by arbitrary bytes.
    || {
        let message = ", line 2: expected facet or endsolid, found `\u{fffd}\u{fffd}\u{fffd}`";
        HostileFile::error("solid-noise.stl", b"solid x\n\xff\xfe\xfd\n".to_vec(), message)
    },
    || HostileFile::error("cut-text.stl", &VALID_ASCII[..60], &format!(", line 5: {TRUNCATED}")),
    || HostileFile::error("only-solid.stl", "solid", &format!(", line 1: {TRUNCATED}")),
    || {
        HostileFile::error(
            "endless-name.stl",
            format!("solid {}", "x".repeat(LARGE_FILE_BYTES)),
            &format!(", line 1: {TRUNCATED}"),
        )
    },
    || {
        let text = VALID_ASCII.replace("endloop", "vertex 1 1 1\nendloop");
        HostileFile::error("four-corners.stl", text, ", line 7: expected endloop, found `vertex`")
    },
    || {
        let text = VALID_ASCII.replace("vertex 1 0 0", "vertex 1 0 nan");
        HostileFile::error(
            "nan-text.stl",
            text,
            &format!(", line 5: coordinate `nan` {OUT_OF_RANGE}"),
        )
    },
    // Exporters write such normals for degenerate triangles.
    || {
        HostileFile::mesh(
            "nan-normal.stl",
            VALID_ASCII.replace("0 0 1\n", "nan -nan(ind) inf\n"),
            3,
            1,
        )
    },
    || {
        let facet = |[a, b, c]: [[f32; 3]; 3]| {
            let [a, b, c] = [a, b, c].map(|[x, y, z]| format!("vertex {x} {y} {z} "));
            format!("facet normal 0 0 0 outer loop {a}{b}{c}endloop endfacet ")
        };
        let count = LARGE_FILE_BYTES / 100;
        let facets: String = unshared_triangles(count).into_iter().map(facet).collect();
        HostileFile::mesh(
            "unshared-ascii.stl",
            format!("solid\n{facets}endsolid"),
            count * 3,
            count,
        )
    },
];
