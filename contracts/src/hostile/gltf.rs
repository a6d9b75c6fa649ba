//! glTF and GLB files that lie.

use super::{Answer, Hostile, LARGE};

const RANGE: &str = "must be finite and within ±1e18; repair or rescale the model";

/// Three corners of a triangle, then the numbers 0 1 2 as u16: 42 bytes.
pub(super) fn triangle() -> Vec<u8> {
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bytes: Vec<u8> = corners.iter().flat_map(|c| c.to_le_bytes()).collect();
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

pub(super) fn sound() -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},{BUFFER},{VIEW},"accessors":[{POSITIONS},{INDICES}],{MESH},{NODES}}}"#
    )
}

pub(super) fn sound_glb() -> Vec<u8> {
    glb(&with(BUFFER, r#""buffers":[{"byteLength":42}]"#), &triangle())
}

pub(super) fn with(from: &str, to: &str) -> String {
    let sound = sound();
    assert!(sound.contains(from), "{from}");
    sound.replacen(from, to, 1)
}

/// A document with nothing but `member`.
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

/// `item` as often as fits a large file, parted by commas.
fn many(item: &str) -> String {
    let list = format!("{item},").repeat(LARGE / (item.len() + 1));
    list.trim_end_matches(',').to_owned()
}

pub(super) const FILES: &[fn() -> Hostile] = &[
    || Hostile::mesh("sound.gltf", sound(), 3, 1),
    // The gltf crate aborts on this: twenty bytes that claim four gigabytes.
    || {
        let message = ", byte 8: the header declares 4294967295 bytes, but the file has 20; the file is truncated or its header wrong";
        Hostile::error(
            "claims-all.glb",
            b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON".to_vec(),
            message,
        )
    },
    // tinygltf issue 372: the sum of header and chunk wraps.
    || {
        let message =
            ", byte 12: a chunk of 4294967280 bytes, but 0 are left; the file is truncated";
        Hostile::error(
            "chunk-wraps.glb",
            b"glTF\x02\0\0\0\x14\0\0\0\xf0\xff\xff\xffJSON".to_vec(),
            message,
        )
    },
    || {
        let message = ", byte 4: GLB version 1 is not supported; export it as glTF 2.0";
        Hostile::error("version-1.glb", b"glTF\x01\0\0\0\x14\0\0\0\0\0\0\0JSON".to_vec(), message)
    },
    || {
        let message = ", byte 12: the first chunk must be JSON";
        Hostile::error("bin-first.glb", b"glTF\x02\0\0\0\x14\0\0\0\0\0\0\0BIN\0".to_vec(), message)
    },
    || {
        let message = ", byte 8: the header declares 3 bytes, but the file has 20; the file is truncated or its header wrong";
        Hostile::error("length-3.glb", b"glTF\x02\0\0\0\x03\0\0\0\0\0\0\0JSON".to_vec(), message)
    },
    || {
        let message = ", buffers[0]: has 42 of the 4000000000 bytes its byteLength declares";
        let json = with(BUFFER, r#""buffers":[{"byteLength":4000000000}]"#);
        Hostile::error("claims-bin.glb", glb(&json, &triangle()), message)
    },
    || Hostile::error("empty.gltf", "{}", ", line 1: JSON, column 2: missing field `asset`"),
    || {
        Hostile::error(
            "cut.gltf",
            r#"{"asset":{"ver"#,
            ", line 1: JSON, column 14: EOF while parsing a string",
        )
    },
    // Zeros out of nowhere: the accessor has no bytes to be checked against.
    || {
        let json = with(POSITIONS, r#"{"componentType":5126,"count":4000000000,"type":"VEC3"}"#);
        Hostile::mesh("zeros.gltf", json, 3, 1)
    },
    || {
        let json = with(POSITIONS, r#"{"componentType":5126,"count":3999999999,"type":"VEC3"}"#);
        let message = ": 3999999999 vertices, more than the limit of 200000000; raise it with --max-vertices if you trust the file";
        Hostile::error("zeros-drawn.gltf", json.replace(r#","indices":1"#, ""), message)
    },
    || {
        let json = with(POSITIONS, r#"{"componentType":5126,"count":99999999,"type":"VEC3"}"#);
        let message = ": 1 mesh instances of 33333333 triangles or more would take 1600265679 bytes, \
            but a file of this size may take 1055088; write the copies out, or load the part alone";
        Hostile::error("zeros-allowed.gltf", json.replace(r#","indices":1"#, ""), message)
    },
    // cgltf issue 301: count × stride is 2⁶⁴.
    || {
        let json =
            with(r#""count":3,"type":"VEC3""#, r#""count":4611686018427387904,"type":"VEC3""#);
        let message = ", accessors[0]: 4611686018427387904 elements at byte 0 do not fit the 42 bytes of bufferViews[0]";
        Hostile::error("count-wraps.gltf", json, message)
    },
    // cgltf issue 288: count − 1 wraps.
    || {
        let json = with(r#""count":3,"type":"VEC3""#, r#""count":0,"type":"VEC3""#);
        let message = ", meshes[0].primitives[0]: index 0 refers to vertex 0, but there are 0, counted from 0";
        Hostile::error("count-0.gltf", json, message)
    },
    || {
        let json = with(
            VIEW,
            r#""bufferViews":[{"buffer":0,"byteOffset":18446744073709551615,"byteLength":42}]"#,
        );
        let message = ", accessors[0]: bufferViews[0] exceeds the 42 bytes of its buffer";
        Hostile::error("offset-wraps.gltf", json, message)
    },
    || {
        let json = with(VIEW, r#""bufferViews":[{"buffer":0,"byteLength":42,"byteStride":0}]"#);
        let message =
            ", accessors[0]: bufferViews[0] has a byteStride of 0, but an element takes 12";
        Hostile::error("stride-0.gltf", json, message)
    },
    // cgltf issue 287: the sparse table's size wraps.
    || {
        let sparse = r#""sparse":{"count":9223372036854775808,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":3,"type":"VEC3""#));
        let message = ", accessors[0]: 9223372036854775808 elements at byte 0 do not fit the 42 bytes of bufferViews[0]";
        Hostile::error("sparse-wraps.gltf", json, message)
    },
    // cgltf issue 292: a sparse index past the elements.
    || {
        let sparse = r#""sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":40,"componentType":5123},"values":{"bufferView":0}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":2,"type":"VEC3""#));
        let message = ", accessors[0].sparse: index 0 is 2, but there are 2 elements";
        Hostile::error("sparse-past.gltf", json, message)
    },
    || {
        let sparse = r#""sparse":{"count":2,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":3,"type":"VEC3""#));
        Hostile::error(
            "sparse-falls.gltf",
            json,
            ", accessors[0].sparse: index 1 is not greater than the one before it",
        )
    },
    // cgltf issue 295: the values lie tight even where the view has a stride.
    || {
        let sparse = r#""sparse":{"count":3,"indices":{"bufferView":0,"byteOffset":36,"componentType":5123},"values":{"bufferView":1}},"#;
        let json =
            with(r#""count":3,"type":"VEC3""#, &format!(r#"{sparse}"count":3,"type":"VEC3""#))
                .replace(
                    r#""byteLength":42}],"acc"#,
                    r#""byteLength":42},{"buffer":0,"byteLength":36,"byteStride":252}],"acc"#,
                );
        Hostile::mesh("sparse-stride.gltf", json, 3, 1)
    },
    // The gltf crate hands this on unchecked.
    || {
        let json = with("AAABAAIA", "AAABAAMA");
        let message = ", meshes[0].primitives[0]: index 2 refers to vertex 3, but there are 3, counted from 0";
        Hostile::error("index-past.gltf", json, message)
    },
    || {
        let json = with("AACAPw", "AADAfw");
        let message = format!(", meshes[0].primitives[0]: vertex 1: coordinate NaN {RANGE}");
        Hostile::error("nan.gltf", json, &message)
    },
    || {
        let json = with(NODES, r#""nodes":[{"mesh":0,"scale":[1e200,1,1]}]"#);
        let message = format!(", meshes[0].primitives[0]: vertex 1: coordinate inf {RANGE}");
        Hostile::error("thrown-out.gltf", json, &message)
    },
    || {
        let json = with(NODES, r#""nodes":[{"mesh":0,"scale":[1e999,1,1]}]"#);
        Hostile::new(
            "number-too-large.gltf",
            json,
            Answer::ErrorBeginning(", line 1: JSON, column "),
        )
    },
    // fastgltf pull request 107: seventeen numbers in a matrix of sixteen.
    || {
        let json =
            with(NODES, r#""nodes":[{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1,1]}]"#);
        Hostile::new("matrix-17.gltf", json, Answer::ErrorBeginning(", line 1: JSON, column "))
    },
    || {
        let message =
            ", nodes[0]: is reached twice; a node must have one parent and be in no cycle";
        let json =
            with(NODES, r#""nodes":[{"children":[1]},{"children":[0]}],"scenes":[{"nodes":[0]}]"#);
        Hostile::error("circle.gltf", json, message)
    },
    || {
        let message =
            ", nodes[1]: is reached twice; a node must have one parent and be in no cycle";
        let json = with(NODES, r#""nodes":[{"children":[1,1]},{"mesh":0}]"#);
        Hostile::error("two-parents.gltf", json, message)
    },
    || {
        let chain: Vec<String> =
            (1..100_000).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
        let json = with(NODES, &format!(r#""nodes":[{},{{"mesh":0}}]"#, chain.join(",")));
        Hostile::error("deep.gltf", json, ", nodes[1024]: is nested deeper than 1024 nodes")
    },
    || {
        let json = only(&format!(r#""extras":{}"#, "[".repeat(LARGE)));
        Hostile::error("deep-json.gltf", json, ", line 1: JSON, column 3145765: expected value")
    },
    // A hundred bytes of triangle, ten thousand times over.
    || {
        let nodes = vec![r#"{"mesh":0}"#; 100_000].join(",");
        let primitives = vec![r#"{"attributes":{"POSITION":0},"indices":1}"#; 1000].join(",");
        let json = with(NODES, &format!(r#""nodes":[{nodes}]"#))
            .replace(r#"{"attributes":{"POSITION":0},"indices":1}"#, &primitives);
        Hostile::new(
            "instances.gltf",
            json,
            Answer::ErrorBeginning(": 147 mesh instances of 146691 triangles or more would take "),
        )
    },
    || Hostile::mesh("nodes.gltf", only(&format!(r#""nodes":[{}]"#, many("{}"))), 0, 0),
    || {
        Hostile::mesh(
            "nodes-moved.gltf",
            only(&format!(r#""nodes":[{}]"#, many(r#"{"scale":[1,1,1]}"#))),
            0,
            0,
        )
    },
    || Hostile::mesh("scenes.gltf", only(&format!(r#""scenes":[{}]"#, many("{}"))), 0, 0),
    || {
        let json = only(&format!(r#""nodes":[{{"children":[{}]}}]"#, many("9")));
        Hostile::error("children.gltf", json, ", nodes[9]: does not exist: there are 1 nodes")
    },
    || {
        let json = only(&format!(r#""extensionsRequired":[{}]"#, many(r#""""#)));
        let message = ", extensionsRequired: the required extension `` is not supported; export the file without it";
        Hostile::error("extensions.gltf", json, message)
    },
    || Hostile::mesh("ignored.gltf", only(&format!(r#""extras":[{}]"#, many("0"))), 0, 0),
    || {
        Hostile::mesh(
            "buffers.gltf",
            only(&format!(r#""buffers":[{}]"#, many(r#"{"byteLength":1}"#))),
            0,
            0,
        )
    },
    || {
        Hostile::mesh(
            "views.gltf",
            only(&format!(r#""bufferViews":[{}]"#, many(r#"{"buffer":0,"byteLength":1}"#))),
            0,
            0,
        )
    },
    || {
        Hostile::mesh(
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
        Hostile::mesh(
            "meshes.gltf",
            only(&format!(r#""meshes":[{}]"#, many(r#"{"primitives":[{"attributes":{}}]}"#))),
            0,
            0,
        )
    },
    // A string where a number belongs is quoted in the message, and these take six times the room.
    || {
        let json = only(&format!(r#""scene":"{}""#, "\u{7f}".repeat(LARGE)));
        Hostile::error("del.gltf", json, ", line 1: the JSON contains a DEL character; remove it")
    },
    || {
        let json = only(&format!(r#""scene":"{}""#, "\u{ad}".repeat(LARGE / 2)));
        Hostile::new("soft-hyphens.gltf", json, Answer::ErrorBeginning(", line 1: JSON, column "))
    },
    || {
        let json = with("base64,", "base64,*");
        Hostile::error(
            "not-base64.gltf",
            json,
            ", buffers[0]: its base64 is invalid: Invalid symbol 42, offset 0.",
        )
    },
    || {
        let message = ", extensionsRequired: the required extension `KHR_draco_mesh_compression` is not supported; export the file without it";
        let json =
            with(r#"{"asset""#, r#"{"extensionsRequired":["KHR_draco_mesh_compression"],"asset""#);
        Hostile::error("draco.gltf", json, message)
    },
    || {
        let message = ", extensionsRequired: the required extension `EXT_meshopt_compression` is not supported; export the file without it";
        let json = with(
            r#"{"asset""#,
            r#"{"extensionsRequired":["KHR_mesh_quantization","EXT_meshopt_compression"],"asset""#,
        );
        Hostile::error("meshopt.gltf", json, message)
    },
];
