//! Valid files of every dialect, and the errors of invalid ones.

use crate::ply::*;

fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    parse(bytes, &Limits::default()).map_err(|error| error.in_file("t.ply", bytes).to_string())
}

fn error(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().strip_prefix("t.ply, ").unwrap().to_owned()
}

const QUAD: &str = "ply\nformat ascii 1.0\ncomment made by hand\nobj_info x\nelement vertex 4\n\
    property float x\nproperty float y\nproperty float z\nelement face 1\n\
    property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

/// A property of every type, a list, coordinates of mixed types; faces with a color.
fn mixed_types_file(big: bool) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_{}_endian 1.0\nelement camera 1\nproperty list uint double knots\n\
         element vertex 3\nproperty char a\nproperty uint8 b\nproperty int16 c\nproperty ushort d\n\
         property int e\nproperty uint32 f\nproperty float32 g\nproperty list ushort short h\n\
         property double z\nproperty float x\nproperty int8 y\nelement face 1\n\
         property uchar red\nproperty list ushort uint vertex_index\nproperty uchar green\nend_header\n",
        if big { "big" } else { "little" }
    )
    .into_bytes();
    let mut put = |number: &[u8]| {
        if big {
            bytes.extend(number.iter().rev());
        } else {
            bytes.extend(number);
        }
    };
    put(&2_u32.to_le_bytes());
    put(&0.5_f64.to_le_bytes());
    put(&0.5_f64.to_le_bytes());
    for vertex in 0..3_u8 {
        put(&[1]);
        put(&[2]);
        put(&3_i16.to_le_bytes());
        put(&4_u16.to_le_bytes());
        put(&5_i32.to_le_bytes());
        put(&6_u32.to_le_bytes());
        put(&7_f32.to_le_bytes());
        put(&u16::from(vertex).to_le_bytes());
        for _ in 0..vertex {
            put(&(-9_i16).to_le_bytes());
        }
        put(&(f64::from(vertex) + 0.1).to_le_bytes());
        put(&(f32::from(vertex) * 10.0).to_le_bytes());
        put(&[vertex.wrapping_neg()]);
    }
    put(&[255]);
    put(&3_u16.to_le_bytes());
    for index in [2_u32, 0, 1] {
        put(&index.to_le_bytes());
    }
    put(&[0]);
    bytes
}

#[test]
fn quad_in_text_is_two_triangles_for_every_line_end() {
    for text in [QUAD.to_owned(), QUAD.replace('\n', "\r\n"), QUAD.replace('\n', "\r")] {
        let mesh = read(text.as_bytes()).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.positions()[2], [1.0, 1.0, 0.0]);
    }
}

#[test]
fn both_byte_orders_all_types_and_unknown_elements_are_read() {
    for big in [false, true] {
        let mesh = read(&mixed_types_file(big)).unwrap();
        assert_eq!(mesh.triangles(), [[2, 0, 1]]);
        assert_eq!(mesh.positions(), [[0.0, 0.0, 0.1], [10.0, -1.0, 1.1], [20.0, -2.0, 2.1]]);
    }
}

#[test]
fn file_truncated_anywhere_is_rejected() {
    let good = mixed_types_file(false);
    for length in 0..good.len() {
        assert!(read(&good[..length]).is_err(), "{length} of {} bytes", good.len());
    }
    // Text is complete without its last line end.
    for length in 0..QUAD.len() - 1 {
        assert!(read(&QUAD.as_bytes()[..length]).is_err(), "{length} of {} bytes", QUAD.len());
    }
    assert!(read(QUAD.trim_end().as_bytes()).is_ok());
}

#[test]
fn faces_may_precede_vertices() {
    let text = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\n\
        element vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n\
        3 0 1 2\n0 0 0 1 0 0 0 1 0";
    assert_eq!(read(text.as_bytes()).unwrap().triangles(), [[0, 1, 2]]);
}

#[test]
fn minus_one_starts_a_new_strip() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
        property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n\
        0 0 0 1 0 0 0 1 0 1 1 0\n9 0 1 2 3 -1 3 2 1 -1\n";
    assert_eq!(read(text.as_bytes()).unwrap().triangles(), [[0, 1, 2], [1, 3, 2], [3, 2, 1]]);
}

#[test]
fn file_without_faces_is_a_mesh_without_triangles() {
    let text = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
        property float z\nend_header\n1 2 3\n";
    let mesh = read(text.as_bytes()).unwrap();
    assert_eq!((mesh.positions().len(), mesh.triangles().len()), (1, 0));
}

#[test]
fn text_errors_report_the_line() {
    let edit = |from: &str, to: &str| error(QUAD.replacen(from, to, 1).as_bytes());
    for (from, to, message) in [
        (
            "1 1 0\n",
            "1 nan 0\n",
            "line 14: coordinate `nan` must be finite and within ±1e18; repair or rescale the \
             model",
        ),
        (
            "4 0 1 2 3",
            "4 0 1 2 4",
            "line 16: a face refers to vertex 4, but there are 4, counted from 0",
        ),
        (
            "4 0 1 2 3",
            "4 0 1 2 -1",
            "line 16: a face refers to vertex -1, but there are 4, counted from 0",
        ),
        ("4 0 1 2 3", "2 0 1", "line 16: a face needs at least 3 vertices, this one has 2"),
        ("4 0 1 2 3", "-1 0 1", "line 16: a list cannot have -1 items"),
        (
            "4 0 1 2 3",
            "4 0 1 2",
            "line 17: the file ends within its rows; it is truncated or its header declares too \
             many",
        ),
        ("4 0 1 2 3", "4 0 1 2.0 3", "line 16: `2.0` is not a whole number"),
        ("property float z", "property float w", "line 5: the vertices have no property z"),
        ("vertex_indices", "corners", "line 9: `face` has no list vertex_indices"),
        ("uchar int", "uchar float", "line 9: the vertex indices of `face` must be whole numbers"),
        ("uchar int", "float int", "line 10: the count of a list must be a whole number"),
        ("uchar int", "uchar integer", "line 10: `integer` is not a PLY type"),
        ("float y", "float x", "line 7: property `x` is declared twice"),
        ("element face", "element vertex", "line 9: element `vertex` is declared twice"),
        ("element vertex 4\n", "", "line 5: a property is declared before any element"),
        ("vertex 4", "vertex -4", "line 5: an element cannot have fewer than 0 rows"),
        ("vertex 4", "vertex four", "line 5: `four` is not a whole number"),
        (
            "ascii",
            "asci",
            "line 2: `asci` is not a PLY format; it must be ascii, binary_little_endian or \
             binary_big_endian",
        ),
        ("comment", "commend", "line 3: `commend` is not a keyword of a PLY header"),
        ("end_header\n", "", "line 11: `0` is not a keyword of a PLY header"),
    ] {
        assert_eq!(edit(from, to), message);
    }
}

#[test]
fn binary_errors_report_the_byte() {
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\n\
        property float y\nproperty float z\nend_header\n";
    let with = |x: f32, y: f32| {
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend([x, y, 0.0].iter().flat_map(|c| c.to_le_bytes()));
        error(&bytes)
    };
    let range = "must be finite and within ±1e18; repair or rescale the model";
    assert_eq!(with(f32::NAN, 0.0), format!("byte {}: coordinate NaN {range}", header.len()));
    assert_eq!(
        with(0.0, f32::INFINITY),
        format!("byte {}: coordinate inf {range}", header.len() + 4)
    );
    assert_eq!(
        error(header.as_bytes()),
        format!(
            "byte {}: the header declares 1 rows of `vertex`, at least 12 bytes, but 0 are left; \
             the file is truncated or its header wrong",
            header.len()
        )
    );
}

#[test]
fn rows_without_properties_are_skipped_at_once() {
    let text =
        "ply\nformat binary_big_endian 1.0\nelement nothing 999999999999999999\nend_header\n";
    assert_eq!(read(text.as_bytes()).unwrap(), TriangleMesh::default());
}

#[test]
fn header_of_10_000_elements_is_rejected() {
    let mut text = "ply\nformat ascii 1.0\n".to_owned();
    for element in 0..10_000 {
        text.extend(["element e", &element.to_string(), " 0\n"]);
    }
    assert_eq!(
        error((text + "end_header\n").as_bytes()),
        "line 1003: more than 1000 elements and properties"
    );
}
