//! Hostile glTF and GLB files.

use super::{HostileFile, LARGE_FILE_BYTES, LoadOutcome};

const OUT_OF_RANGE: &str = "must be finite and within ±1e18; repair or rescale the model";

/// Three vertices, then the indices 0, 1, 2 as u16: 42 bytes.
pub(super) fn triangle() -> Vec<u8> {
    let coordinates = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bytes: Vec<u8> = coordinates.iter().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0, 0, 1, 0, 2, 0]);
    bytes
}

pub(super) const BUFFER: &str = r#""buffers":[{"byteLength":42,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"}]"#;
const VIEW: &str = r#""bufferViews":[{"buffer":0,"byteLength":42}]"#;
pub(super) const POSITIONS: &str =
    r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#;
const INDICES: &str =
    r#"{"bufferView":0,"byteOffset":36,"componentType":5123,"count":3,"type":"SCALAR"}"#;
const MESH: &str = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]"#;
const NODES: &str = r#""nodes":[{"mesh":0}]"#;

pub(super) fn valid() -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},{BUFFER},{VIEW},"accessors":[{POSITIONS},{INDICES}],{MESH},{NODES}}}"#
    )
}

pub(super) fn valid_glb() -> Vec<u8> {
    glb(&with(BUFFER, r#""buffers":[{"byteLength":42}]"#), &triangle())
}

pub(super) fn with(from: &str, to: &str) -> String {
    let valid = valid();
    assert!(valid.contains(from), "{from}");
    valid.replacen(from, to, 1)
}

/// A document with only this member.
pub(super) fn only(member: &str) -> String {
    format!(r#"{{"asset":{{"version":"2.0"}},{member}}}"#)
}

fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
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

/// `item` repeated to fill a large file, separated by commas.
fn many(item: &str) -> String {
    let list = format!("{item},").repeat(LARGE_FILE_BYTES / (item.len() + 1));
    list.trim_end_matches(',').to_owned()
}

pub(super) const FILES: &[fn() -> HostileFile] = &[
    || HostileFile::mesh("valid.gltf", valid(), 3, 1),
    // The gltf crate aborts on this file: 20 bytes that declare 4 GB.
    || {
        let message = ", byte 8: the header declares 4294967295 bytes, but the file has 20; the \
            file is truncated or its header wrong";
        HostileFile::error(
            "claims-all.glb",
            b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON".to_vec(),
            message,
        )
    },
    // tinygltf issue 372: header size plus chunk size overflows.
    || {
        let message =
            ", byte 12: a chunk of 4294967280 bytes, but 0 are left; the file is truncated";
        HostileFile::error(
            "chunk-wraps.glb",
            b"glTF\x02\0\0\0\x14\0\0\0\xf0\xff\xff\xffJSON".to_vec(),
            message,
        )
    },
    || {
        let message = ", byte 4: GLB version 1 is not supported; export it as glTF 2.0";
        HostileFile::error(
            "version-1.glb",
            b"glTF\x01\0\0\0\x14\0\0\0\0\0\0\0JSON".to_vec(),
            message,
        )
    },
    || {
        let message = ", byte 12: the first chunk must be JSON";
        HostileFile::error(
            "bin-first.glb",
            b"glTF\x02\0\0\0\x14\0\0\0\0\0\0\0BIN\0".to_vec(),
            message,
        )
    },
    || {
        let message = ", byte 8: the header declares 3 bytes, but the file has 20; the file is \
            truncated or its header wrong";
        HostileFile::error(
            "length-3.glb",
            b"glTF\x02\0\0\0\x03\0\0\0\0\0\0\0JSON".to_vec(),
            message,
        )
    },
    || {
        let message = ", buffers[0]: has 42 of the 4000000000 bytes its byteLength declares";
        let json = with(BUFFER, r#""buffers":[{"byteLength":4000000000}]"#);
        HostileFile::error("claims-bin.glb", glb(&json, &triangle()), message)
    },
    || {
        HostileFile::error(
            "empty.gltf",
            "{}",
            ", line 1: JSON, column 2: not a glTF: the key `asset` is missing; name a mesh, not a scene",
        )
    },
    || {
        HostileFile::error(
            "cut.gltf",
            r#"{"asset":{"ver"#,
            ", line 1: JSON, column 14: EOF while parsing a string",
        )
    },
    // An accessor without a buffer view is all zeros, so no byte count limits its size.
    || {
        let json = with(POSITIONS, r#"{"componentType":5126,"count":4000000000,"type":"VEC3"}"#);
        HostileFile::mesh("zeros.gltf", json, 3, 1)
    },
    || {
        let json = with(POSITIONS, r#"{"componentType":5126,"count":3999999999,"type":"VEC3"}"#);
        let message = ": 3999999999 vertices, more than the limit of 200000000; raise \
            `Limits::max_vertices` if you trust the file";
        HostileFile::error("zeros-drawn.gltf", json.replace(r#","indices":1"#, ""), message)
    },
    || {
        let json = with(POSITIONS, r#"{"componentType":5126,"count":99999999,"type":"VEC3"}"#);
        let message = ": 1 mesh instances of 33333333 triangles or more would take 1600265679 \
            bytes, but a file of this size may take 1055088; write the copies out, or load the \
            part alone";
        HostileFile::error("zeros-allowed.gltf", json.replace(r#","indices":1"#, ""), message)
    },
    // cgltf issue 301: count × stride is 2⁶⁴.
    || {
        let json =
            with(r#""count":3,"type":"VEC3""#, r#""count":4611686018427387904,"type":"VEC3""#);
        let message = ", accessors[0]: 4611686018427387904 elements at byte 0 do not fit the 42 \
            bytes of bufferViews[0]";
        HostileFile::error("count-wraps.gltf", json, message)
    },
    // cgltf issue 288: count − 1 overflows.
    || {
        let json = with(r#""count":3,"type":"VEC3""#, r#""count":0,"type":"VEC3""#);
        let message = ", meshes[0].primitives[0]: index 0 refers to vertex 0, but there are 0, \
            counted from 0";
        HostileFile::error("count-0.gltf", json, message)
    },
    || {
        let json = with(
            VIEW,
            r#""bufferViews":[{"buffer":0,"byteOffset":18446744073709551615,"byteLength":42}]"#,
        );
        let message = ", accessors[0]: bufferViews[0] exceeds the 42 bytes of its buffer";
        HostileFile::error("offset-wraps.gltf", json, message)
    },
    || {
        let json = with(VIEW, r#""bufferViews":[{"buffer":0,"byteLength":42,"byteStride":0}]"#);
        let message =
            ", accessors[0]: bufferViews[0] has a byteStride of 0, but an element takes 12";
        HostileFile::error("stride-0.gltf", json, message)
    },
    // cgltf issue 287: the size of the sparse table overflows.
    || {
        let sparse = r#""sparse":{"count":9223372036854775808,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":3,"type":"VEC3""#));
        let message = ", accessors[0]: 9223372036854775808 elements at byte 0 do not fit the 42 \
            bytes of bufferViews[0]";
        HostileFile::error("sparse-wraps.gltf", json, message)
    },
    // cgltf issue 292: a sparse index out of range.
    || {
        let sparse = r#""sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":40,"componentType":5123},"values":{"bufferView":0}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":2,"type":"VEC3""#));
        let message = ", accessors[0].sparse: index 0 is 2, but there are 2 elements";
        HostileFile::error("sparse-past.gltf", json, message)
    },
    || {
        let sparse = r#""sparse":{"count":2,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":3,"type":"VEC3""#));
        HostileFile::error(
            "sparse-falls.gltf",
            json,
            ", accessors[0].sparse: index 1 is not greater than the one before it",
        )
    },
    // cgltf issue 295: sparse values are tightly packed even if the view has a stride.
    || {
        let sparse = r#""sparse":{"count":3,"indices":{"bufferView":0,"byteOffset":36,"componentType":5123},"values":{"bufferView":1}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":3,"type":"VEC3""#))
                .replace(
                    r#""byteLength":42}],"acc"#,
                    r#""byteLength":42},{"buffer":0,"byteLength":36,"byteStride":252}],"acc"#,
                );
        HostileFile::mesh("sparse-stride.gltf", json, 3, 1)
    },
    // The gltf crate does not check this.
    || {
        let json = with("AAABAAIA", "AAABAAMA");
        let message = ", meshes[0].primitives[0]: index 2 refers to vertex 3, but there are 3, \
            counted from 0";
        HostileFile::error("index-past.gltf", json, message)
    },
    || {
        let json = with("AACAPw", "AADAfw");
        let message = format!(", meshes[0].primitives[0]: vertex 1: coordinate NaN {OUT_OF_RANGE}");
        HostileFile::error("nan.gltf", json, &message)
    },
    || {
        let json = with(NODES, r#""nodes":[{"mesh":0,"scale":[1e200,1,1]}]"#);
        let message = format!(", meshes[0].primitives[0]: vertex 1: coordinate inf {OUT_OF_RANGE}");
        HostileFile::error("thrown-out.gltf", json, &message)
    },
    || {
        let json = with(NODES, r#""nodes":[{"mesh":0,"scale":[1e999,1,1]}]"#);
        HostileFile::new(
            "number-too-large.gltf",
            json,
            LoadOutcome::ErrorPrefix(", line 1: JSON, column "),
        )
    },
    // fastgltf pull request 107: 17 numbers in a matrix of 16.
    || {
        let json =
            with(NODES, r#""nodes":[{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1,1]}]"#);
        HostileFile::new(
            "matrix-17.gltf",
            json,
            LoadOutcome::ErrorPrefix(", line 1: JSON, column "),
        )
    },
    || {
        let message =
            ", nodes[0]: is reached twice; a node must have one parent and be in no cycle";
        let json =
            with(NODES, r#""nodes":[{"children":[1]},{"children":[0]}],"scenes":[{"nodes":[0]}]"#);
        HostileFile::error("circle.gltf", json, message)
    },
    || {
        let message =
            ", nodes[1]: is reached twice; a node must have one parent and be in no cycle";
        let json = with(NODES, r#""nodes":[{"children":[1,1]},{"mesh":0}]"#);
        HostileFile::error("two-parents.gltf", json, message)
    },
    || {
        let chain: Vec<String> =
            (1..100_000).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
        let json = with(NODES, &format!(r#""nodes":[{},{{"mesh":0}}]"#, chain.join(",")));
        HostileFile::error("deep.gltf", json, ", nodes[1024]: is nested deeper than 1024 nodes")
    },
    || {
        let json = only(&format!(r#""extras":{}"#, "[".repeat(LARGE_FILE_BYTES)));
        HostileFile::error("deep-json.gltf", json, ", line 1: JSON, column 3145765: expected value")
    },
    // Many instances of a large mesh: the document is small, the result is not.
    || {
        let nodes = vec![r#"{"mesh":0}"#; 100_000].join(",");
        let primitives = vec![r#"{"attributes":{"POSITION":0},"indices":1}"#; 1000].join(",");
        let json = with(NODES, &format!(r#""nodes":[{nodes}]"#))
            .replace(r#"{"attributes":{"POSITION":0},"indices":1}"#, &primitives);
        HostileFile::new(
            "instances.gltf",
            json,
            LoadOutcome::ErrorPrefix(
                ": 147 mesh instances of 146691 triangles or more would take ",
            ),
        )
    },
    || HostileFile::mesh("nodes.gltf", only(&format!(r#""nodes":[{}]"#, many("{}"))), 0, 0),
    || {
        HostileFile::mesh(
            "nodes-moved.gltf",
            only(&format!(r#""nodes":[{}]"#, many(r#"{"scale":[1,1,1]}"#))),
            0,
            0,
        )
    },
    || HostileFile::mesh("scenes.gltf", only(&format!(r#""scenes":[{}]"#, many("{}"))), 0, 0),
    || {
        let json = only(&format!(r#""nodes":[{{"children":[{}]}}]"#, many("9")));
        HostileFile::error("children.gltf", json, ", nodes[9]: does not exist: there are 1 nodes")
    },
    || {
        let json = only(&format!(r#""extensionsRequired":[{}]"#, many(r#""""#)));
        let message = ", extensionsRequired: the required extension `` is not supported; export \
            the file without it";
        HostileFile::error("extensions.gltf", json, message)
    },
    || HostileFile::mesh("ignored.gltf", only(&format!(r#""extras":[{}]"#, many("0"))), 0, 0),
    || {
        HostileFile::mesh(
            "buffers.gltf",
            only(&format!(r#""buffers":[{}]"#, many(r#"{"byteLength":1}"#))),
            0,
            0,
        )
    },
    || {
        HostileFile::mesh(
            "views.gltf",
            only(&format!(r#""bufferViews":[{}]"#, many(r#"{"buffer":0,"byteLength":1}"#))),
            0,
            0,
        )
    },
    || {
        HostileFile::mesh(
            "accessors.gltf",
            only(&format!(
                r#""accessors":[{}]"#,
                many(r#"{"componentType":5126,"count":3,"type":"VEC3"}"#)
            )),
            0,
            0,
        )
    },
    || {
        HostileFile::mesh(
            "meshes.gltf",
            only(&format!(r#""meshes":[{}]"#, many(r#"{"primitives":[{"attributes":{}}]}"#))),
            0,
            0,
        )
    },
    // A string in place of a number is quoted in the message. Escaped, these characters take six
    // times as many bytes.
    || {
        let json = only(&format!(r#""scene":"{}""#, "\u{7f}".repeat(LARGE_FILE_BYTES)));
        HostileFile::error(
            "del.gltf",
            json,
            ", line 1: the JSON contains a DEL character; remove it",
        )
    },
    || {
        let json = only(&format!(r#""scene":"{}""#, "\u{ad}".repeat(LARGE_FILE_BYTES / 2)));
        HostileFile::new(
            "soft-hyphens.gltf",
            json,
            LoadOutcome::ErrorPrefix(", line 1: JSON, column "),
        )
    },
    || {
        let json = with("base64,", "base64,*");
        HostileFile::error(
            "not-base64.gltf",
            json,
            ", buffers[0]: its base64 is invalid: Invalid symbol 42, offset 0.",
        )
    },
    || {
        let message = ", extensionsRequired: the required extension `KHR_draco_mesh_compression` \
            is not supported; export the file without it";
        let json =
            with(r#"{"asset""#, r#"{"extensionsRequired":["KHR_draco_mesh_compression"],"asset""#);
        HostileFile::error("draco.gltf", json, message)
    },
    || {
        let message = ", extensionsRequired: the required extension `EXT_meshopt_compression` is \
            not supported; export the file without it";
        let json = with(
            r#"{"asset""#,
            r#"{"extensionsRequired":["KHR_mesh_quantization","EXT_meshopt_compression"],"asset""#,
        );
        HostileFile::error("meshopt.gltf", json, message)
    },
];
