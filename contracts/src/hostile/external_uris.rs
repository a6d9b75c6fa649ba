//! glTF files that name other files, some of them not theirs to read.

use super::gltf::{BUFFER, POSITIONS, only, triangle, with};
use super::{Answer, Hostile};

fn uri(uri: &str) -> String {
    with(BUFFER, &format!(r#""buffers":[{{"byteLength":42,"uri":"{uri}"}}]"#))
}

fn leaves(name: &'static str, address: &str) -> Hostile {
    let shown = address.replace("\\\\", "\\");
    let message = format!(
        ", buffers[0]: `{shown}` is outside the mesh's folder; put the file there and use a relative name"
    );
    Hostile::error(name, uri(address), &message)
}

pub(super) const FILES: &[fn() -> Hostile] = &[
    || Hostile::mesh("beside.gltf", uri("a%20b.bin"), 3, 1).beside("a b.bin", triangle()),
    // One file named by many buffers is read once.
    || {
        let buffers = vec![r#"{"byteLength":42,"uri":"big.bin"}"#; 1000].join(",");
        let views: Vec<_> =
            (0..1000).map(|i| format!(r#"{{"buffer":{i},"byteLength":42}}"#)).collect();
        let accessors: Vec<_> =
            (0..1000).map(|i| POSITIONS.replacen('0', &i.to_string(), 1)).collect();
        let meshes: Vec<_> = (0..1000)
            .map(|i| format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{i}}}}}]}}"#))
            .collect();
        let json = only(&format!(
            r#""buffers":[{buffers}],"bufferViews":[{}],"accessors":[{}],"meshes":[{}]"#,
            views.join(","),
            accessors.join(","),
            meshes.join(",")
        ));
        Hostile::mesh("one-file.gltf", json, 3000, 1000).beside("big.bin", vec![0; 1 << 20])
    },
    || {
        let message = ", buffers[0]: has 41 of the 42 bytes its byteLength declares";
        Hostile::error("short-file.gltf", uri("short.bin"), message)
            .beside("short.bin", vec![0; 41])
    },
    || {
        Hostile::new(
            "no-file.gltf",
            uri("no.bin"),
            Answer::ErrorBeginning(", buffers[0]: cannot read `no.bin`: "),
        )
    },
    || {
        Hostile::error(
            "folder.gltf",
            uri("."),
            ", buffers[0]: `.` is a folder; name a mesh file in it",
        )
    },
    // The secret lies one folder up, where the test puts it; links to it lie beside the mesh.
    || leaves("up.gltf", "../secret.bin"),
    || leaves("up-encoded.gltf", "%2e%2e/secret.bin"),
    || leaves("up-slash-encoded.gltf", "..%2Fsecret.bin"),
    || leaves("up-later.gltf", "a/../../secret.bin"),
    || leaves("up-windows.gltf", "..\\\\secret.bin"),
    || leaves("absolute.gltf", "/etc/passwd"),
    || leaves("scheme-file.gltf", "file:///etc/passwd"),
    || leaves("scheme-http.gltf", "http://localhost/secret.bin"),
    || leaves("drive.gltf", "C:/secret.bin"),
    || leaves("nul.gltf", "link.bin%00.txt"),
    || leaves("link.gltf", "link.bin"),
    || leaves("link-folder.gltf", "up/secret.bin"),
    // tinygltf issue 373: pictures may be anywhere, since nobody opens them.
    || {
        let json =
            with(r#"{"asset""#, r#"{"images":[{"uri":"../../../../../../etc/passwd"}],"asset""#);
        Hostile::mesh("picture-elsewhere.gltf", json, 3, 1)
    },
];
