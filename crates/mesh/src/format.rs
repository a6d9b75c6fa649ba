//! Format detection by content; the file extension decides only if the content is ambiguous.

use std::fmt;

use crate::obj;
use crate::ply::{self, Encoding};
use crate::stl;
use crate::text::Words;

/// Format of a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, text.
    StlAscii,
    /// STL, binary.
    StlBinary,
    /// PLY, text.
    PlyAscii,
    /// PLY, binary, little endian.
    PlyLittleEndian,
    /// PLY, binary, big endian.
    PlyBigEndian,
    /// glTF 2.0, JSON.
    Gltf,
    /// glTF 2.0, binary container.
    Glb,
    /// Triangle text: nine numbers per triangle, x y z of each vertex.
    #[doc(alias = "study text")]
    TriangleText,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::StlAscii => "STL (text)",
            Self::StlBinary => "STL (binary)",
            Self::PlyAscii => "PLY (text)",
            Self::PlyLittleEndian => "PLY (binary, little endian)",
            Self::PlyBigEndian => "PLY (binary, big endian)",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::TriangleText => "triangle text",
        })
    }
}

/// How much of the file is available for detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Available {
    /// All of it.
    Whole,
    /// The first bytes; more follow.
    Prefix,
}

/// Format of a file that starts with `bytes`; `None` if it is not a mesh.
pub(crate) fn detect(bytes: &[u8], available: Available, name: &str) -> Option<Format> {
    if bytes.starts_with(b"glTF") {
        return Some(Format::Glb);
    }
    if bytes.starts_with(b"ply") && bytes.get(3).is_some_and(u8::is_ascii_whitespace) {
        // The parser reports an invalid header.
        return Some(match ply::encoding(bytes) {
            Some(Encoding::LittleEndian) => Format::PlyLittleEndian,
            Some(Encoding::BigEndian) => Format::PlyBigEndian,
            Some(Encoding::Ascii) | None => Format::PlyAscii,
        });
    }
    if stl::has_binary_size(bytes, available) {
        return Some(Format::StlBinary);
    }
    let is_text = !bytes.iter().take(4096).any(|&byte| byte == 0);
    let extension = extension(name);
    if !is_text {
        return (extension == "stl").then_some(Format::StlBinary);
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match Words::starting_at(text, 0).word()?.text {
        [b'{', ..] => return Some(Format::Gltf),
        word if word.eq_ignore_ascii_case(b"solid") => return Some(Format::StlAscii),
        _ => {}
    }
    match obj::LineWords::new(bytes).keyword() {
        Some(word) if obj::can_start_file(word.text) => return Some(Format::Obj),
        Some(word) if looks_numeric(word.text) => return Some(Format::TriangleText),
        _ => {}
    }
    match &*extension {
        "obj" => Some(Format::Obj),
        "stl" => Some(Format::StlBinary),
        "txt" | "tri" => Some(Format::TriangleText),
        _ => None,
    }
}

/// Includes words such as `1.0abc` and `nan`, so that the parser reports them.
pub(crate) fn looks_numeric(word: &[u8]) -> bool {
    let unsigned = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    matches!(unsigned, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..])
        || unsigned.eq_ignore_ascii_case(b"nan")
        || unsigned.eq_ignore_ascii_case(b"inf")
}

/// File extension in lower case, without `.gz`.
fn extension(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or("", |(_, extension)| extension).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(bytes: &[u8], name: &str) -> Option<Format> {
        detect(bytes, Available::Whole, name)
    }

    #[test]
    fn content_takes_precedence_over_the_extension() {
        assert_eq!(whole(b"v 0 0 0\n", "a.stl"), Some(Format::Obj));
        assert_eq!(whole(b"# c\n\n vn 0 0 1\n", "a"), Some(Format::Obj));
        assert_eq!(whole(b"solid x\nendsolid\n", "a.obj"), Some(Format::StlAscii));
        assert_eq!(
            whole(b"ply\nformat binary_big_endian 1.0\n", "a.obj"),
            Some(Format::PlyBigEndian)
        );
        assert_eq!(whole(b"  {}", "a.obj"), Some(Format::Gltf));
        assert_eq!(whole(b"-.5 1 2", "a.ply"), Some(Format::TriangleText));
    }

    #[test]
    fn extension_decides_if_the_content_is_ambiguous() {
        assert_eq!(whole(b"# only a comment\n", "A.OBJ"), Some(Format::Obj));
        assert_eq!(whole(b"# only a comment\n", "a.obj.gz"), Some(Format::Obj));
        assert_eq!(whole(b"# only a comment\n", "a.txt"), Some(Format::TriangleText));
        assert_eq!(whole(b"# only a comment\n", "a"), None);
        assert_eq!(whole(b"hello", "a.md"), None);
    }

    #[test]
    fn binary_stl_is_detected_by_its_size_even_if_it_starts_with_solid() {
        let mut stl = [b' '; 134];
        stl[..5].copy_from_slice(b"solid");
        stl[80..84].copy_from_slice(&1_u32.to_le_bytes());
        assert_eq!(whole(&stl, "a"), Some(Format::StlBinary));
        assert_eq!(whole(&stl[..133], "a"), None);
        assert_eq!(whole(&stl[..133], "a.stl"), Some(Format::StlBinary));
    }

    #[test]
    fn zeros_are_not_a_mesh_under_any_name() {
        for name in ["a.obj", "a.ply", "a.glb", "a.txt"] {
            assert_eq!(detect(&vec![0; 70_000], Available::Prefix, name), None, "{name}");
        }
    }
}
