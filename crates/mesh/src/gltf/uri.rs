//! Which file, if any, does a buffer's URI name?
//!
//! A mesh may use files in its own folder or below it, and nothing else on the machine.

use std::path::{Path, PathBuf};

use crate::error::quote;

/// Resolves a URI against the mesh's folder to a path that lies within it, links resolved.
///
/// The spelling is judged before the disk is touched, so a refusal says nothing of what exists.
pub(crate) fn resolve(uri: &str, folder: &Path) -> Result<PathBuf, String> {
    let name = local_name(uri)?;
    let missing = |cause| {
        format!("cannot read {}: {cause}; put the file beside the mesh", quote(uri.as_bytes()))
    };
    let folder = folder.canonicalize().map_err(missing)?;
    let path = folder.join(name).canonicalize().map_err(missing)?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside(uri)) }
}

fn outside(uri: &str) -> String {
    format!(
        "{} is not within the mesh's own folder; put the file there and name it plainly",
        quote(uri.as_bytes())
    )
}

/// The relative path a URI spells; an error if it could lead anywhere else on any system.
fn local_name(uri: &str) -> Result<String, String> {
    let name = percent_decoded(uri)
        .ok_or_else(|| format!("{} has a broken percent escape", quote(uri.as_bytes())))?;
    let climbs = name.split('/').any(|part| part == "..");
    // A colon is a scheme, a drive letter or a hidden stream; a backslash parts folders on Windows.
    let strange =
        name.chars().any(|character| matches!(character, ':' | '\\') || character.is_control());
    if name.is_empty() || name.starts_with('/') || climbs || strange {
        return Err(outside(uri));
    }
    Ok(name)
}

fn percent_decoded(uri: &str) -> Option<String> {
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
    fn plain_names_are_decoded() {
        for (uri, name) in [
            ("a.bin", "a.bin"),
            ("my%20mesh/caf%C3%A9.bin", "my mesh/café.bin"),
            ("./a.bin", "./a.bin"),
            ("a..b.bin", "a..b.bin"),
            // Decoded once, never twice.
            ("%252e%252e/a", "%2e%2e/a"),
        ] {
            assert_eq!(local_name(uri).as_deref(), Ok(name));
        }
    }

    #[test]
    fn whatever_could_leave_the_folder_is_refused() {
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
