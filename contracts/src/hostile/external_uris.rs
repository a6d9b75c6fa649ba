//! glTF files with external URIs, inside and outside the folder of the mesh.

use super::gltf::{BUFFER, POSITIONS, only, triangle, with};
use super::{HostileFile, LoadOutcome};

fn uri(uri: &str) -> String {
    with(BUFFER, &format!(r#""buffers":[{{"byteLength":42,"uri":"{uri}"}}]"#))
}

fn outside_folder(name: &'static str, address: &str) -> HostileFile {
    let shown = address.replace("\\\\", "\\");
    let message = format!(
        ", buffers[0]: `{shown}` is outside the mesh's folder; put the file there and use a \
         relative name"
    );
    HostileFile::error(name, uri(address), &message)
}

pub(super) const FILES: &[fn() -> HostileFile] = &[
    || {
        HostileFile::mesh("companion.gltf", uri("a%20b.bin"), 3, 1)
            .with_companion("a b.bin", triangle())
    },
    // A file referenced by many buffers is read once.
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
        HostileFile::mesh("one-file.gltf", json, 3000, 1000)
            .with_companion("big.bin", vec![0; 1 << 20])
    },
    || {
        let message = ", buffers[0]: has 41 of the 42 bytes its byteLength declares";
        HostileFile::error("short-file.gltf", uri("short.bin"), message)
            .with_companion("short.bin", vec![0; 41])
    },
    || {
        HostileFile::new(
            "no-file.gltf",
            uri("no.bin"),
            LoadOutcome::ErrorPrefix(", buffers[0]: cannot read `no.bin`: "),
        )
    },
    || {
        HostileFile::error(
            "folder.gltf",
            uri("."),
            ", buffers[0]: `.` is a folder; name a mesh file in it",
        )
    },
    // The test creates `secret.bin` in the parent folder, and symbolic links to it.
    || outside_folder("up.gltf", "../secret.bin"),
    || outside_folder("up-encoded.gltf", "%2e%2e/secret.bin"),
    || outside_folder("up-slash-encoded.gltf", "..%2Fsecret.bin"),
    || outside_folder("up-later.gltf", "a/../../secret.bin"),
    || outside_folder("up-windows.gltf", "..\\\\secret.bin"),
    || outside_folder("absolute.gltf", "/etc/passwd"),
    || outside_folder("scheme-file.gltf", "file:///etc/passwd"),
    || outside_folder("scheme-http.gltf", "http://localhost/secret.bin"),
    || outside_folder("drive.gltf", "C:/secret.bin"),
    || outside_folder("nul.gltf", "link.bin%00.txt"),
    || outside_folder("link.gltf", "link.bin"),
    || outside_folder("link-folder.gltf", "up/secret.bin"),
    // tinygltf issue 373: images may have any URI, because they are never opened.
    || {
        let json =
            with(r#"{"asset""#, r#"{"images":[{"uri":"../../../../../../etc/passwd"}],"asset""#);
        HostileFile::mesh("image-outside-folder.gltf", json, 3, 1)
    },
];
