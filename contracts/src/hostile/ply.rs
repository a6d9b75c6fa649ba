//! Hostile PLY files.

use super::{HostileFile, LARGE_FILE_BYTES};

pub(super) const VALID_ASCII: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n\
    property float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\n\
    end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

const OUT_OF_RANGE: &str = "must be finite and within ±1e18; repair or rescale the model";
const TRUNCATED: &str =
    "the file ends within its rows; it is truncated or its header declares too many";
const XYZ: &str = "property float x\nproperty float y\nproperty float z\n";
const LITTLE_ENDIAN_HEADER: &str = "ply\nformat binary_little_endian 1.0\n";

pub(super) fn valid_binary(order: &str) -> Vec<u8> {
    let order_of = |mut bytes: Vec<u8>| {
        if order == "big" {
            bytes.reverse();
        }
        bytes
    };
    let mut file = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 3\n{XYZ}element face 1\n\
         property list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    for coordinate in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        file.extend(order_of(coordinate.to_le_bytes().to_vec()));
    }
    file.push(3);
    for index in 0..3_u32 {
        file.extend(order_of(index.to_le_bytes().to_vec()));
    }
    file
}

fn ascii_with(from: &str, to: &str) -> String {
    assert!(VALID_ASCII.contains(from));
    VALID_ASCII.replacen(from, to, 1)
}

/// A header, then raw bytes.
fn little_endian(header: &str, rows: &[u8]) -> Vec<u8> {
    [LITTLE_ENDIAN_HEADER.as_bytes(), header.as_bytes(), b"end_header\n", rows].concat()
}

/// One vertex of three bytes, then an element of faces or strips.
fn one_vertex(faces: &str, rows: &[u8]) -> Vec<u8> {
    let vertex = "element vertex 1\nproperty char x\nproperty char y\nproperty char z\n";
    little_endian(&format!("{vertex}{faces}"), &[&[1, 2, 3], rows].concat())
}

const FACE: &str = "element face 1\nproperty list uint uchar vertex_indices\n";
const STRIPS: &str = "element tristrips 1\nproperty list uint char vertex_indices\n";

/// A list of `count` zeros of one byte each.
fn zeros(count: usize) -> Vec<u8> {
    let mut bytes = (count as u32).to_le_bytes().to_vec();
    bytes.resize(4 + count, 0);
    bytes
}

pub(super) const FILES: &[fn() -> HostileFile] = &[
    // Rows without properties take no bytes. Regression: memory was reserved for the declared
    // count.
    || {
        let text = "ply\nformat ascii 1.0\nelement vertex 199999999\nend_header\n";
        let message = ", line 3: the vertices have no property x";
        HostileFile::error("rows-of-nothing.ply", text, message)
    },
    // ply-rs allocates 1.5 GB for this file.
    || {
        let text = "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty int x\nend_header\n";
        let message = ", line 6: the header declares 1000000000 rows of `vertex`, at least \
            2000000000 bytes, but 1 are left; the file is truncated or its header wrong";
        HostileFile::error("claims-vertices.ply", text, message)
    },
    || {
        let rows = little_endian(&format!("element vertex 4294967295\n{XYZ}"), &[0; 12]);
        let message = ", byte 124: the header declares 4294967295 rows of `vertex`, at least \
            51539607540 bytes, but 12 are left; the file is truncated or its header wrong";
        HostileFile::error("claims-rows.ply", rows, message)
    },
    || {
        let message = ", line 3: `18446744073709551615` is not a whole number";
        HostileFile::error(
            "count-wraps.ply",
            ascii_with("vertex 3", "vertex 18446744073709551615"),
            message,
        )
    },
    || {
        let message = ", line 3: an element cannot have fewer than 0 rows";
        HostileFile::error("count-negative.ply", ascii_with("vertex 3", "vertex -1"), message)
    },
    || {
        let rows = one_vertex(FACE, &u32::MAX.to_le_bytes());
        HostileFile::error("list-of-all.ply", rows, &format!(", byte 174: {TRUNCATED}"))
    },
    // PCL pull request 2800: memory is reserved for the longest possible list before reading one.
    || {
        let header = format!("element vertex 1\nproperty list uint float fpfh\n{XYZ}");
        let rows = [u32::MAX.to_le_bytes(), [0; 4], [0; 4], [0; 4]].concat();
        HostileFile::error(
            "descriptor.ply",
            little_endian(&header, &rows),
            &format!(", byte 149: {TRUNCATED}"),
        )
    },
    || {
        let faces = "element face 1\nproperty list char uchar vertex_indices\n";
        let message = ", byte 170: a list cannot have -1 items";
        HostileFile::error("list-negative.ply", one_vertex(faces, &[0xff, 0, 0]), message)
    },
    || {
        let message = ", line 8: the count of a list must be a whole number";
        HostileFile::error("list-float.ply", ascii_with("uchar int", "float int"), message)
    },
    || {
        let message = ", line 7: the vertex indices of `face` must be whole numbers";
        HostileFile::error("index-float.ply", ascii_with("uchar int", "uchar double"), message)
    },
    || {
        let message = ", line 13: a face refers to vertex 3, but there are 3, counted from 0";
        HostileFile::error("index-past.ply", ascii_with("3 0 1 2", "3 0 1 3"), message)
    },
    || {
        let message = ", line 13: a face refers to vertex -1, but there are 3, counted from 0";
        HostileFile::error("index-negative.ply", ascii_with("3 0 1 2", "3 0 1 -1"), message)
    },
    || {
        let message = ", line 13: a face needs at least 3 vertices, this one has 0";
        HostileFile::error("no-corners.ply", ascii_with("3 0 1 2", "0"), message)
    },
    || {
        let message = ", line 1: the header has no format line";
        HostileFile::error("no-format.ply", ascii_with("format ascii 1.0\n", ""), message)
    },
    || {
        let message = ", line 3: the header has no end_header; the file may be truncated";
        HostileFile::error("no-end.ply", "ply\nformat ascii 1.0\ncomment", message)
    },
    // assimp pull request 5310: the last header line has no line end.
    || {
        let message = ", line 4: the header has no end_header; the file may be truncated";
        HostileFile::error(
            "end-without-line.ply",
            "ply\nformat ascii 1.0\nelement vertex 0\nend_header",
            message,
        )
    },
    || {
        HostileFile::error(
            "no-z.ply",
            ascii_with("float z", "float w"),
            ", line 3: the vertices have no property z",
        )
    },
    || {
        let message = ", line 3: the vertices have no property x";
        HostileFile::error("x-is-a-list.ply", ascii_with("float x", "list uchar float x"), message)
    },
    || {
        HostileFile::error(
            "x-twice.ply",
            ascii_with("float y", "float x"),
            ", line 5: property `x` is declared twice",
        )
    },
    || {
        let message = ", line 7: element `vertex` is declared twice";
        HostileFile::error(
            "vertex-twice.ply",
            ascii_with("element face", "element vertex"),
            message,
        )
    },
    // assimp issue 5729: faces without a vertex element.
    || {
        let header =
            "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n";
        let message = ", line 6: a face refers to vertex 0, but there are 0, counted from 0";
        HostileFile::error("no-vertices.ply", format!("{header}end_header\n3 0 1 2\n"), message)
    },
    || {
        let header = "element vertex 1\nproperty double x\nproperty double y\nproperty double z\n";
        let rows = little_endian(header, &[0.0_f64, 1e300, 0.0].map(f64::to_le_bytes).concat());
        HostileFile::error(
            "double-too-far.ply",
            rows,
            &format!(", byte 126: coordinate inf {OUT_OF_RANGE}"),
        )
    },
    || {
        let mut bytes = valid_binary("big");
        let y_of_second = bytes.len() - 13 - 20;
        bytes[y_of_second..y_of_second + 4].copy_from_slice(&f32::NAN.to_be_bytes());
        HostileFile::error(
            "nan-big.ply",
            bytes,
            &format!(", byte 182: coordinate NaN {OUT_OF_RANGE}"),
        )
    },
    // Rows without properties take no bytes, so any count is valid.
    || {
        let header = "element nothing 999999999999999999\n";
        HostileFile::mesh("rows-of-nothing.ply", little_endian(header, &[]), 0, 0)
    },
    || {
        let header = "element other 3\nproperty list uchar double a\n";
        HostileFile::error(
            "unknown-runs-out.ply",
            little_endian(header, &[0, 1, 0, 0]),
            &format!(", byte 94: {TRUNCATED}"),
        )
    },
    || {
        let elements: Vec<_> = (0..100_000).map(|i| format!("element e{i} 0\n")).collect();
        let elements = elements.concat();
        let message = ", line 1003: more than 1000 elements and properties";
        HostileFile::error(
            "elements.ply",
            format!("ply\nformat ascii 1.0\n{elements}end_header\n"),
            message,
        )
    },
    || {
        let comments = "comment x\n".repeat(LARGE_FILE_BYTES / 10);
        HostileFile::mesh("comments.ply", ascii_with("format", &format!("{comments}format")), 3, 1)
    },
    // 1 byte of input per 12 bytes of triangle: the tightest case of the memory bound.
    || {
        HostileFile::mesh(
            "polygon.ply",
            one_vertex(FACE, &zeros(LARGE_FILE_BYTES)),
            1,
            LARGE_FILE_BYTES - 2,
        )
    },
    || {
        HostileFile::mesh(
            "strip.ply",
            one_vertex(STRIPS, &zeros(LARGE_FILE_BYTES)),
            1,
            LARGE_FILE_BYTES - 2,
        )
    },
    // A vector that grows by reallocation would hold both buffers at once.
    || {
        let rows = [zeros(LARGE_FILE_BYTES), zeros(LARGE_FILE_BYTES / 4)].concat();
        let triangles = LARGE_FILE_BYTES - 2 + LARGE_FILE_BYTES / 4 - 2;
        HostileFile::mesh("both.ply", one_vertex(&format!("{FACE}{STRIPS}"), &rows), 1, triangles)
    },
    || {
        let polygon = format!("{} {}", LARGE_FILE_BYTES / 2, "0 ".repeat(LARGE_FILE_BYTES / 2));
        HostileFile::mesh(
            "polygon-text.ply",
            ascii_with("3 0 1 2", &polygon),
            3,
            LARGE_FILE_BYTES / 2 - 2,
        )
    },
];
