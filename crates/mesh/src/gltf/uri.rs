//! Resolution of buffer URIs, confined to the mesh's folder (no path traversal).
//!
//! A mesh may use files in its own folder or below it, and no others.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::{GltfError, escape_controls, excerpt};

/// Canonical path of a URI relative to the mesh's folder, which contains it after resolution of
/// links.
///
/// The URI is validated before the disk is accessed, so that a rejection does not reveal which
/// files exist.
pub(crate) fn resolve(uri: &str, folder: &Path) -> Result<PathBuf, GltfError> {
    let name = local_name(uri)?;
    let folder = folder.canonicalize().map_err(|cause| unreadable(uri, &cause))?;
    let path = folder.join(name).canonicalize().map_err(|cause| unreadable(uri, &cause))?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside(uri)) }
}

/// The file of a URI cannot be read.
pub(crate) fn unreadable(uri: &str, cause: &io::Error) -> GltfError {
    let cause = escape_controls(&cause.to_string());
    GltfError::BufferUnreadable { uri: excerpt(uri.as_bytes()), cause }
}

fn outside(uri: &str) -> GltfError {
    GltfError::OutsideFolder { uri: excerpt(uri.as_bytes()) }
}

/// Relative path of a URI; an error if it could leave the folder on any operating system.
fn local_name(uri: &str) -> Result<String, GltfError> {
    let invalid_escape = || GltfError::PercentEscape { uri: excerpt(uri.as_bytes()) };
    let name = percent_decode(uri).ok_or_else(invalid_escape)?;
    let has_parent = name.split('/').any(|part| part == "..");
    // A colon marks a scheme, a drive letter or an alternate stream; a backslash separates folders
    // on Windows.
    let has_special =
        name.chars().any(|character| matches!(character, ':' | '\\') || character.is_control());
    if name.is_empty() || name.starts_with('/') || has_parent || has_special {
        return Err(outside(uri));
    }
    Ok(name)
}

fn percent_decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digits = tail.first_chunk::<2>()?;
            let digit = |digit: u8| char::from(digit).to_digit(16);
            bytes.push((digit(digits[0])? * 16 + digit(digits[1])?) as u8);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_names_are_decoded() {
        for (uri, name) in [
            ("a.bin", "a.bin"),
            ("my%20mesh/caf%C3%A9.bin", "my mesh/café.bin"),
            ("./a.bin", "./a.bin"),
            ("a..b.bin", "a..b.bin"),
            // Decoded only once.
            ("%252e%252e/a", "%2e%2e/a"),
        ] {
            assert_eq!(local_name(uri).as_deref(), Ok(name));
        }
    }

    #[test]
    fn names_that_could_leave_the_folder_are_rejected() {
        for uri in [
            "",
            "/etc/passwd",
            "%2fetc/passwd",
            "../a",
            "a/../../b",
            "%2e%2e/a",
            "..%2fa",
            "a/..",
            "..\\a",
            "..%5Ca",
            "C:/a",
            "C:a",
            "file:///etc/passwd",
            "http://host/a",
            "\\\\host\\a",
            "//host/a",
            "a.bin:stream",
            "a%00.bin",
            "a%0a.bin",
            "%",
            "%2",
            "%zz",
            "%ff",
        ] {
            assert!(local_name(uri).is_err(), "{uri}");
        }
    }
}
