//! Valid documents of every kind, and the errors of invalid ones.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::gltf::*;

const VERTICES: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];

fn floats(points: &[[f32; 3]]) -> Vec<u8> {
    points.iter().flatten().flat_map(|c| c.to_le_bytes()).collect()
}

/// A document whose one buffer holds `bytes` in one view; `rest` are the other members.
fn document(bytes: &[u8], rest: &str) -> String {
    let (length, data) = (bytes.len(), BASE64_STANDARD.encode(bytes));
    format!(
        r#"{{"asset":{{"version":"2.0"}},
"buffers":[{{"byteLength":{length},"uri":"data:application/octet-stream;base64,{data}"}}],
"bufferViews":[{{"buffer":0,"byteLength":{length}}}],
{rest}}}"#
    )
}

fn read(json: &str) -> Result<TriangleMesh, String> {
    let bytes = json.as_bytes();
    match parse(bytes, Format::Gltf, None, &Limits::default()) {
        Ok((mesh, file_bytes)) => {
            assert_eq!(file_bytes, bytes.len() as u64);
            Ok(mesh)
        }
        Err(error) => Err(error.in_file("t.gltf", bytes).to_string()),
    }
}

fn error(json: &str) -> String {
    read(json).unwrap_err().strip_prefix("t.gltf, ").unwrap().to_owned()
}

const FOUR_POSITIONS: &str =
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}]"#;

fn four_vertices(rest: &str) -> String {
    document(&floats(&VERTICES), &format!("{FOUR_POSITIONS},{rest}"))
}

#[test]
fn strips_and_fans_without_indices_are_triangulated() {
    for (mode, triangles) in [(5, [[0, 1, 2], [1, 3, 2]]), (6, [[0, 1, 2], [0, 2, 3]])] {
        let mesh = read(&four_vertices(&format!(
            r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":7}},"mode":{mode}}}]}}]"#
        )))
        .unwrap();
        assert_eq!(mesh.positions(), VERTICES);
        assert_eq!(mesh.triangles(), triangles);
    }
}

#[test]
fn indices_of_every_width_are_read() {
    let indices = [[0_u32, 1, 2], [1, 3, 2]];
    for (code, width) in [(5121, 1), (5123, 2), (5125, 4)] {
        let mut bytes = floats(&VERTICES);
        for index in indices.iter().flatten() {
            bytes.extend(&index.to_le_bytes()[..width]);
        }
        let json = document(
            &bytes,
            &format!(
                r#""accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
                {{"bufferView":0,"byteOffset":48,"componentType":{code},"count":6,"type":"SCALAR"}}],
                "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
                "nodes":[{{"mesh":0}}]"#
            ),
        );
        assert_eq!(read(&json).unwrap().triangles(), indices, "{code}");
    }
}

#[test]
fn parent_transforms_apply_and_mirroring_keeps_the_winding() {
    let mesh = read(&four_vertices(
        r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":6}]}],
        "nodes":[{},{"children":[2],"translation":[10,0,0]},{"mesh":0,"scale":[-2,1,1]},
        {"mesh":0,"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,7,1]},{"mesh":0}],
        "scenes":[{"nodes":[4]},{"nodes":[0,1,3]}],"scene":1"#,
    ))
    .unwrap();
    assert_eq!(mesh.positions()[..2], [[10.0, 0.0, 0.0], [8.0, 0.0, 0.0]]);
    assert_eq!(mesh.positions()[4..6], [[0.0, 0.0, 7.0], [1.0, 0.0, 7.0]]);
    assert_eq!(mesh.triangles(), [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]);
}

#[test]
fn sparse_accessor_overrides_elements_even_without_a_base() {
    let mut bytes = vec![1, 0, 3, 0];
    bytes.extend(floats(&[[5.0; 3], [6.0; 3]]));
    let json = document(
        &bytes,
        r#""accessors":[{"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":2,
        "indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0,"byteOffset":4}}}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}]"#,
    );
    assert_eq!(read(&json).unwrap().positions(), [[0.0; 3], [5.0; 3], [0.0; 3], [6.0; 3]]);
}

#[test]
fn strided_and_quantized_positions_are_read() {
    let bytes = [0, 0, 0, 99, 127, 0, 0, 99, 0, 0x80, 0, 99];
    let json = document(
        &bytes,
        r#""accessors":[{"bufferView":0,"componentType":5120,"normalized":true,"count":3,"type":"VEC3"}],
        "extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]"#,
    )
    .replace(r#""byteLength":12}]"#, r#""byteLength":12,"byteStride":4}]"#);
    let mesh = read(&json).unwrap();
    assert_eq!(mesh.positions(), [[0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
}

#[test]
fn primitive_copies_only_the_referenced_vertices_of_a_shared_accessor() {
    let mut bytes = floats(&VERTICES);
    bytes.extend([3, 1, 2]);
    let json = document(
        &bytes,
        r#""accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},
        {"bufferView":0,"byteOffset":48,"componentType":5121,"count":3,"type":"SCALAR"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]"#,
    );
    let mesh = read(&json).unwrap();
    assert_eq!(mesh.positions(), &VERTICES[1..]);
    assert_eq!(mesh.triangles(), [[2, 0, 1]]);
}

#[test]
fn points_and_lines_are_ignored() {
    let json =
        four_vertices(r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":1}]}]"#);
    assert_eq!(read(&json).unwrap(), TriangleMesh::default());
}

fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, content) in [(b"JSON", json.as_bytes()), (b"BIN\0", bin)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[8..12].copy_from_slice(&length);
    bytes
}

#[test]
fn glb_contains_its_buffer_and_is_rejected_if_truncated() {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":48}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}}],{FOUR_POSITIONS},
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":5}}]}}]}}"#
    );
    let bytes = glb(&json, &floats(&VERTICES));
    let (mesh, _) = parse(&bytes, Format::Glb, None, &Limits::default()).unwrap();
    assert_eq!(mesh.positions(), VERTICES);
    for length in 0..bytes.len() {
        assert!(parse(&bytes[..length], Format::Glb, None, &Limits::default()).is_err());
    }
    let broken = glb(r#"{"asset":{"version":"2.0"},"scene":-1}"#, &[]);
    let error = parse(&broken, Format::Glb, None, &Limits::default()).unwrap_err();
    assert_eq!(
        error.in_file("t.glb", &broken).to_string(),
        "t.glb, byte 56: JSON: invalid value: integer `-1`, expected u32"
    );
}

#[test]
fn errors_report_the_part() {
    let primitive = |members: &str| {
        error(&four_vertices(&format!(r#""meshes":[{{"primitives":[{{{members}}}]}}]"#)))
    };
    let strip = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}]"#;
    let with = |from: &str, to: &str| error(&four_vertices(strip).replacen(from, to, 1));
    for (found, message) in [
        (
            primitive(r#""attributes":{"POSITION":0}"#),
            "meshes[0].primitives[0]: 4 vertices do not form whole triangles",
        ),
        (
            primitive(r#""attributes":{"POSITION":1}"#),
            "meshes[0].primitives[0]: refers to accessor 1, but there are 1",
        ),
        (
            primitive(r#""attributes":{"POSITION":0},"mode":7"#),
            "meshes[0].primitives[0]: mode 7 is unknown",
        ),
        (
            primitive(r#""attributes":{"POSITION":0},"indices":0,"mode":5"#),
            "accessors[0]: indices must be SCALAR of unsigned byte, short or int",
        ),
        (
            with(r#""count":4"#, r#""count":5"#),
            "accessors[0]: 5 elements at byte 0 do not fit the 48 bytes of bufferViews[0]",
        ),
        (with("5126", "5125"), "accessors[0]: POSITION must be VEC3 of float, byte or short"),
        (with("5126", "5127"), "accessors[0]: componentType 5127 is unknown"),
        (
            with(r#""bufferView":0"#, r#""bufferView":1"#),
            "accessors[0]: refers to bufferView 1, but there are 1",
        ),
        (
            with(r#""buffer":0"#, r#""buffer":1"#),
            "accessors[0]: bufferViews[0] refers to buffer 1, but there are 1",
        ),
        (
            with(r#""buffer":0,"byteLength":48"#, r#""buffer":0,"byteLength":49"#),
            "accessors[0]: bufferViews[0] exceeds the 48 bytes of its buffer",
        ),
        (
            with(r#""buffer":0"#, r#""byteStride":4,"buffer":0"#),
            "accessors[0]: bufferViews[0] has a byteStride of 4, but an element takes 12",
        ),
        (
            with(r#""byteLength":48"#, r#""byteLength":49"#),
            "buffers[0]: has 48 of the 49 bytes its byteLength declares",
        ),
        (
            with(";base64", ""),
            "buffers[0]: `data:application/octet-stream,AAAAAAAAAA…` must be base64",
        ),
        (
            with(r#""asset""#, r#""scenes":[{"nodes":[0]}],"asset""#),
            "nodes[0]: does not exist: there are 0 nodes",
        ),
        (
            with(r#""asset""#, r#""scenes":[{}],"scene":1,"asset""#),
            "scene: refers to scene 1, but there are 1",
        ),
        (
            with(r#""asset""#, r#""nodes":[{"mesh":1}],"asset""#),
            "nodes[0]: refers to mesh 1, but there are 1",
        ),
        (
            with("2.0", "1.0"),
            "asset.version: glTF version `1.0` is not supported; export it as glTF 2.0",
        ),
        (
            with(r#""asset""#, r#""extensionsRequired":["KHR_draco_mesh_compression"],"asset""#),
            "extensionsRequired: the required extension `KHR_draco_mesh_compression` is not \
             supported; export the file without it",
        ),
        (
            with(r#""asset":{"version":"2.0"}"#, r#""x":1"#),
            "line 4: JSON, column 143: not a glTF: the key `asset` is missing; name a mesh, not a \
             scene",
        ),
        (
            with(r#""asset""#, r#""nodes":[{"scale":[1,1]}],"asset""#),
            "line 1: JSON, column 24: invalid length 2, expected an array of length 3",
        ),
    ] {
        assert_eq!(found, message);
    }
}

#[test]
fn cycles_and_second_parents_are_rejected() {
    for nodes in [
        r#"[{"children":[1]},{"children":[0]}],"scenes":[{"nodes":[0]}]"#,
        r#"[{"children":[0]}],"scenes":[{"nodes":[0]}]"#,
        r#"[{"children":[2]},{"children":[2]},{}]"#,
        r#"[{}],"scenes":[{"nodes":[0,0]}]"#,
    ] {
        let message = error(&format!(r#"{{"asset":{{"version":"2.0"}},"nodes":{nodes}}}"#));
        assert!(
            message.ends_with("is reached twice; a node must have one parent and be in no cycle"),
            "{message}"
        );
    }
}

#[test]
fn external_buffer_is_rejected_without_a_folder() {
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":48,"uri":"a.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":48}],"accessors":[{"bufferView":0,
        "componentType":5126,"count":3,"type":"VEC3"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]}"#;
    assert_eq!(
        error(json),
        "buffers[0]: is in another file, `a.bin`; load the mesh from its folder, or as a GLB"
    );
    // An unused buffer is not opened.
    assert!(read(&json.replace(r#""POSITION":0"#, "")).is_ok());
}
